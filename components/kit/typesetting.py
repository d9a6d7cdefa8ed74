"""Sheets of paper and pictures, set by Typst from a template of ours."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

_TEMPLATES: Final = Path(__file__).parents[1] / "assets"
#: Pixels an inch of a PNG.
_PPI: Final = 160


def typeset(template: str, data: Mapping[str, Any], form: Literal["pdf", "png", "svg"]) -> bytes:
    """`data` in a template, as a file of this form: one page where that is PNG or SVG.

    Nothing is read but the template; no font comes from this machine.
    """
    import typst

    found: bytes = typst.compile(
        str(_TEMPLATES / template),
        root=str(_TEMPLATES),
        sys_inputs={"data": json.dumps(data)},
        ignore_system_fonts=True,
        format=form,
        ppi=_PPI,
    )
    return found
