"""The style sheet that names Streamlit's classes and test ids; the script that keeps a theme."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
LOOKS: Final = (_HERE / "looks.css").read_text(encoding="utf-8")
KEPT: Final = (_HERE / "kept.js").read_text(encoding="utf-8")
