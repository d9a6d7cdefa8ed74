"""The pages: file, title, path in the address, and which parameter names a record. Named here once.

A page's file is what Streamlit switches to; its path is what a reader sees and shares.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Route:
    """One page."""

    file: str
    title: str
    #: What a link back to it says.
    back: str
    #: Parameter that names the record, for pages that show one.
    record: str | None = None
    #: Whether its address never names one record: a list to come back to.
    is_list: bool = False
    #: Whether its figures are of the scope's loans, or say how many of them the scope holds.
    scoped: bool = True

    @property
    def path(self) -> str:
        """Its path in the address, without a slash."""
        return self.file.removeprefix("pages/").removesuffix(".py")


OVERVIEW: Final = Route("pages/overview.py", "Overview", "Back to the overview", is_list=True)
LOANS: Final = Route("pages/loans.py", "Loans", "Back to search", is_list=True)
MAP: Final = Route("pages/map.py", "Map", "Back to the map", is_list=True)
EXPLORE: Final = Route("pages/explore.py", "Explore", "Back to the plot", is_list=True)
TENANTS: Final = Route("pages/tenants.py", "Tenants", "Back to the tenants", is_list=True)
LOAN: Final = Route("pages/loan.py", "Loan", "Back to the loan", record="loan_number")
COMPARE: Final = Route("pages/compare.py", "Compare", "Back to the comparison", scoped=False)
COMPARE_PARTIES: Final = Route(
    "pages/compare_parties.py",
    "Compare parties",
    "Back to the comparison",
    scoped=False,
)
WHAT_IF: Final = Route("pages/what_if.py", "What if", "Back to the scenario", is_list=True)
SIGNALS: Final = Route("pages/signals.py", "Signals", "Back to the signals", is_list=True)
CHANGES: Final = Route("pages/changes.py", "Changes", "Back to the changes", is_list=True)
WATCHLIST: Final = Route(
    "pages/watchlist.py", "Watchlist", "Back to the watchlist", is_list=True, scoped=False
)
CALENDAR: Final = Route("pages/calendar.py", "Calendar", "Back to the calendar", is_list=True)
CASES: Final = Route("pages/cases.py", "Cases", "Back to the cases", is_list=True, scoped=False)
ENTITIES: Final = Route(
    "pages/entities.py", "Entities", "Back to the names", is_list=True, scoped=False
)
ENTITY: Final = Route("pages/entity.py", "Entity", "Back to the entity", record="entity_name")
SPONSORS: Final = Route("pages/sponsors.py", "Sponsors", "Back to the sponsors", is_list=True)
FAMILY: Final = Route("pages/family.py", "Family", "Back to the family", record="entity_name")
CAPITAL_GRAPH: Final = Route(
    "pages/capital_graph.py", "Capital graph", "Back to the graph", scoped=False
)
CONNECTION: Final = Route(
    "pages/connection.py", "Connection", "Back to the connection", scoped=False
)
TRACK_RECORD: Final = Route(
    "pages/track_record.py", "Track record", "Back to the track record", scoped=False
)
MY_BOOK: Final = Route("pages/my_book.py", "My book", "Back to my book", scoped=False)
SOURCES: Final = Route("pages/sources.py", "Sources", "Back to the sources", scoped=False)
CHECK_SHEET: Final = Route(
    "pages/check_sheet.py", "Check sheet", "Back to the check sheet", is_list=True, scoped=False
)
GLOSSARY: Final = Route("pages/glossary.py", "Glossary", "Back to the glossary", scoped=False)
ACCESS: Final = Route("pages/access.py", "Your access", "Back to your access", scoped=False)

#: The navigation: groups of pages, in order. A page in none of them is reached from a list. The
#: first page is where a visitor lands.
GROUPS: Final[Mapping[str, tuple[Route, ...]]] = {
    "Portfolio": (OVERVIEW, LOANS, MAP, EXPLORE, TENANTS, WHAT_IF),
    "Signals": (SIGNALS, CHANGES, TRACK_RECORD),
    "Parties": (ENTITIES, SPONSORS, CAPITAL_GRAPH, CONNECTION),
    "Work": (WATCHLIST, CASES, CALENDAR, MY_BOOK),
    "Data": (SOURCES, CHECK_SHEET, GLOSSARY, ACCESS),
}
#: The pages of the navigation.
IN_NAVIGATION: Final = tuple(route for pages in GROUPS.values() for route in pages)
#: All pages.
ROUTES: Final = (*IN_NAVIGATION, LOAN, COMPARE, COMPARE_PARTIES, ENTITY, FAMILY)
BY_PATH: Final = {route.path: route for route in ROUTES}
