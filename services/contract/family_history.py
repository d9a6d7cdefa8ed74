"""A family of loans month by month: sums over the loans that it has today."""

from datetime import date

from .records import Record


class FamilyMonth(Record):
    """The loans of a family that owe something in one month. As in TrendPoint, of each source its
    last period of the month. A loan of several notes counts once, and so does each dollar (D152).
    """

    #: First day of the month.
    month: date
    loans: int
    #: US dollars.
    balance: int
    #: Weighted by balance over the loans that have one, and how many these are.
    dscr: float | None
    dscr_loans: int
    #: Those whose worst signal is severe or critical.
    severe_loans: int
    severe_balance: int
    #: Titles of sources whose loans of the family still owed something by their period before, and
    #: that have no period of this month: what they owe now is in none of these sums.
    missing: tuple[str, ...]


class FamilyHistory(Record):
    """A family through the periods of its loans' sources."""

    entity_name: str
    #: By month, from the first in which one of its loans owes something; months in which none of
    #: its sources has a period are left out.
    months: tuple[FamilyMonth, ...]
    #: The first month of each version of rules, limits and spreads, by month.
    rules_versions: tuple[tuple[date, str], ...]
