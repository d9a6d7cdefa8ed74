"""The styles and scripts that name Streamlit's classes and test ids, and what a browser keeps."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
LOOKS: Final = (_HERE / "looks.css").read_text(encoding="utf-8")
#: Comes after all other styles.
PAPER: Final = (_HERE / "paper.css").read_text(encoding="utf-8")
SCRIPTS: Final = "".join(
    (_HERE / name).read_text(encoding="utf-8") for name in ("kept.js", "paper.js")
)
