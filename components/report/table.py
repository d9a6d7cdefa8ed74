"""A table of the report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the report. The columns named in `figures` are set to the right."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: Sequence[int]

    def data(self) -> dict[str, Any]:
        """As the template reads it."""
        return {"heads": self.heads, "rows": self.rows, "figures": self.figures}
