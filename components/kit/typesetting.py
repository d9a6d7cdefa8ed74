"""Sheets of paper and pictures, set by Typst from our template."""

import json
from collections.abc import Mapping
from typing import Any, Final, Literal

import font_source_sans_pro

from components.kit import severity
from components.kit.asset import ASSETS

#: Pixels an inch of a PNG.
_PPI: Final = 160
_SCREEN_PPI: Final = 96
#: Source Sans, the type that Streamlit draws the pages in.
_FONTS: Final[str] = font_source_sans_pro.font_directory


def typeset(template: str, data: Mapping[str, Any], form: Literal["pdf", "png", "svg"]) -> bytes:
    """`data` in a template, as a file of this form: one page where that is PNG or SVG.

    Nothing is read but the templates; the fonts come with the product, none from this machine.
    """
    found = _compiled(template, data, form, _PPI)
    return found if isinstance(found, bytes) else found[0]


def pages(template: str, data: Mapping[str, Any]) -> list[bytes]:
    """The same as pictures, a PNG a page, to be looked at on a screen."""
    found = _compiled(template, data, "png", _SCREEN_PPI)
    return [found] if isinstance(found, bytes) else found


def _compiled(
    template: str, data: Mapping[str, Any], form: Literal["pdf", "png", "svg"], ppi: int
) -> bytes | list[bytes]:
    import typst

    found: bytes | list[bytes] = typst.compile(
        str(ASSETS / template),
        root=str(ASSETS),
        sys_inputs={"data": json.dumps(data), "grades": json.dumps(severity.on_paper())},
        font_paths=[_FONTS],
        ignore_system_fonts=True,
        format=form,
        ppi=ppi,
    )
    return found
