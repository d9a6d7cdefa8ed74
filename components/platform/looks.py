"""The style sheet that names Streamlit's classes and test ids."""

from pathlib import Path
from typing import Final

LOOKS: Final = (Path(__file__).parent / "looks.css").read_text(encoding="utf-8")
