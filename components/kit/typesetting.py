"""Sheets of paper and pictures, set by Typst from our template."""

import json
from collections.abc import Mapping
from typing import Any, Final, Literal

from components.kit.asset import ASSETS

#: Pixels an inch of a PNG.
_PPI: Final = 160
_SCREEN_PPI: Final = 96


def typeset(template: str, data: Mapping[str, Any], form: Literal["pdf", "png", "svg"]) -> bytes:
    """`data` in a template, as a file of this form: one page where that is PNG or SVG.

    Nothing is read but the template; no font comes from this machine.
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
        sys_inputs={"data": json.dumps(data)},
        ignore_system_fonts=True,
        format=form,
        ppi=ppi,
    )
    return found
