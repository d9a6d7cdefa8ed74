"""The pages: file, title, path in the address, and which parameter names a record. Named here once.

A page's file is what Streamlit switches to; its path is what a reader sees and shares.
"""

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
    #: Whether it stands in the navigation; other pages are reached from a list.
    in_navigation: bool = True

    @property
    def path(self) -> str:
        """Its path in the address, without a slash."""
        return self.file.removeprefix("pages/").removesuffix(".py")


OVERVIEW: Final = Route("pages/overview.py", "Overview", "Back to the overview", is_list=True)
LOANS: Final = Route("pages/loans.py", "Loans", "Back to search", is_list=True)
MAP: Final = Route("pages/map.py", "Map", "Back to the map", is_list=True)
EXPLORE: Final = Route("pages/explore.py", "Explore", "Back to the plot", is_list=True)
LOAN: Final = Route(
    "pages/loan.py", "Loan", "Back to the loan", record="loan_number", in_navigation=False
)
COMPARE: Final = Route("pages/compare.py", "Compare", "Back to the comparison", in_navigation=False)
COMPARE_PARTIES: Final = Route(
    "pages/compare_parties.py",
    "Compare parties",
    "Back to the comparison",
    in_navigation=False,
)
WHAT_IF: Final = Route("pages/what_if.py", "What if", "Back to the scenario", is_list=True)
SIGNALS: Final = Route("pages/signals.py", "Signals", "Back to the signals", is_list=True)
WATCHLIST: Final = Route("pages/watchlist.py", "Watchlist", "Back to the watchlist", is_list=True)
ENTITIES: Final = Route("pages/entities.py", "Entities", "Back to the names", is_list=True)
ENTITY: Final = Route(
    "pages/entity.py", "Entity", "Back to the entity", record="entity_name", in_navigation=False
)
SPONSORS: Final = Route("pages/sponsors.py", "Sponsors", "Back to the sponsors", is_list=True)
FAMILY: Final = Route(
    "pages/family.py", "Family", "Back to the family", record="entity_name", in_navigation=False
)
CAPITAL_GRAPH: Final = Route("pages/capital_graph.py", "Capital graph", "Back to the graph")
CONNECTION: Final = Route(
    "pages/connection.py", "Connection", "Back to the connection", in_navigation=False
)
TRACK_RECORD: Final = Route("pages/track_record.py", "Track record", "Back to the track record")
SOURCES: Final = Route("pages/sources.py", "Sources", "Back to the sources")
ACCESS: Final = Route("pages/access.py", "Your access", "Back to your access", in_navigation=False)

#: In order of the navigation; the first is where a visitor lands.
ROUTES: Final = (
    OVERVIEW,
    LOANS,
    MAP,
    EXPLORE,
    LOAN,
    COMPARE,
    COMPARE_PARTIES,
    SIGNALS,
    WATCHLIST,
    WHAT_IF,
    ENTITIES,
    ENTITY,
    SPONSORS,
    FAMILY,
    CAPITAL_GRAPH,
    CONNECTION,
    TRACK_RECORD,
    SOURCES,
    ACCESS,
)
