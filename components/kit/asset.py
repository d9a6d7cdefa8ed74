"""The files of components/assets: pages, styles and scripts of our components, pictures, shapes."""

from collections.abc import Iterable
from pathlib import Path
from string import Template
from typing import Final

ASSETS: Final = Path(__file__).parents[1] / "assets"


def asset(*names: str) -> str:
    """The text of one of them, or of several, one after the other."""
    return "".join((ASSETS / name).read_text(encoding="utf-8") for name in names)


_PICTURE: Final = Template(asset("report.svg"))


def svg(width: float, height: float, parts: Iterable[str]) -> str:
    """A picture for paper, of shapes and figures of our own."""
    return _PICTURE.substitute(box=f"0 0 {width:g} {height:g}", parts="".join(parts))
