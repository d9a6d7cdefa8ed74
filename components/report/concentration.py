"""What a result is concentrated in: its ten largest of each kind."""

from typing import Any, Final

from components.kit import severity
from components.kit.formatting import count, fixed, money, share
from components.loans.ranking import GROUPS, written
from components.report.table import Table
from services.contract.aggregates import Ranking
from services.contract.columns import COLUMN
from services.contract.loan_filter import LoanFilter
from services.contract.source import GroupBy, Screens

_KINDS: Final[tuple[GroupBy, ...]] = ("lender", "sponsor", "state", "property_type")
_MOST: Final = 10


def concentration(source: Screens, query: LoanFilter, whole: int) -> list[dict[str, Any]]:
    """Title, sentence and table of each kind; shares are of `whole`, in dollars."""
    found = {by: source.loan_ranking(query, by, _MOST) for by in _KINDS}
    return [
        {
            "title": f"Concentration by {GROUPS[by].lower()}",
            "said": _said(ranking),
            "table": _of_groups(ranking, by, whole).data(),
        }
        for by, ranking in found.items()
        if any(group.word is not None for group in ranking.groups)
    ]


def _said(found: Ranking) -> str:
    if found.hhi is None or found.effective is None:
        return ""
    return (
        f"HHI {fixed(found.hhi)}; as concentrated as {fixed(found.effective, 1)} equal groups; "
        f"{count(found.total)} in all."
    )


def _of_groups(found: Ranking, by: GroupBy, whole: int) -> Table:
    rows = [
        [
            written(one, by),
            count(one.loans),
            money(one.book_value),
            share(one.book_value, whole),
            severity.label(one.worst),
        ]
        for one in found.groups
    ]
    return Table(
        (GROUPS[by], "Loans", COLUMN["book_value"].label, "Of it", COLUMN["worst_severity"].label),
        rows,
        (1, 2, 3),
    )
