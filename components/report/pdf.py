"""Sets the report: contents and template as a PDF."""

import json
from pathlib import Path
from typing import Any, Final

_TEMPLATE: Final = Path(__file__).parents[1] / "assets" / "report.typ"


def pdf(contents: dict[str, Any]) -> bytes:
    """The report as a PDF. Nothing is read but the template; no font comes from this machine."""
    import typst

    found: bytes = typst.compile(
        str(_TEMPLATE),
        root=str(_TEMPLATE.parent),
        sys_inputs={"data": json.dumps(contents)},
        ignore_system_fonts=True,
        format="pdf",
    )
    return found
