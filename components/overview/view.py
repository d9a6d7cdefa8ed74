"""How the Overview is looked at: what its address holds."""

from typing import Final, Literal

from services.contract.queries import Query, YesNo

Groups = Literal["all", "property_type", "vintage"]
Unit = Literal["dollars", "loans"]
#: What sums in that unit are called, or end in.
FIELD: Final[dict[Unit, str]] = {"dollars": "balance", "loans": "loans"}
Late = Literal["30", "60", "90"]
DueBy = Literal["debt_yield", "property_type"]
Window = Literal["3", "12", "24", "all"]


class OverviewView(Query):
    """The panels of loans that came due and of trends: whether each is open, and what it shows."""

    repaid: YesNo = False
    #: Rows of loans that came due, and up to when they count as repaid in time.
    due_by: DueBy = "debt_yield"
    grace: Literal["0", "3", "12"] = "0"

    trends: YesNo = False
    #: One line for each of these.
    by: Groups = "all"
    #: What shares are of.
    unit: Unit = "dollars"
    #: Of groups: from how many days on a loan counts as delinquent.
    late: Late = "30"
    form: Literal["charts", "table"] = "charts"
    #: Months that roll rates are of, up to the newest.
    window: Window = "12"
