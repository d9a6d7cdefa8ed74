"""The files of components/assets: pages, styles and scripts of our components, pictures, shapes."""

from pathlib import Path
from typing import Final

ASSETS: Final = Path(__file__).parents[1] / "assets"


def asset(name: str) -> str:
    """The text of one of them."""
    return (ASSETS / name).read_text(encoding="utf-8")
