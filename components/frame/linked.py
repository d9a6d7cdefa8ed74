"""Drawings whose parts are links: bars, maps and matrices of states, flows.

Real links, so that a keyboard walks them, a screen reader reads them and a click with Ctrl opens a
tab. Plotly's scripts take longer to run than all else on a page, and run in every tab anew.
components/assets/linked.js has what the drawings share; each is drawn by a script of its own, as
text only.
"""

from pathlib import Path
from typing import Final

ASSETS: Final = Path(__file__).parents[1] / "assets"
HTML: Final = (ASSETS / "linked.html").read_text(encoding="utf-8")
CSS: Final = (ASSETS / "linked.css").read_text(encoding="utf-8")
_SHARED: Final = (ASSETS / "linked.js").read_text(encoding="utf-8")


def script(name: str) -> str:
    """The script of a drawing, after what all share."""
    return _SHARED + (ASSETS / f"{name}.js").read_text(encoding="utf-8")
