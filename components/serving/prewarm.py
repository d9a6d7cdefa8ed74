"""What the first visitor would have to wait for, done before anybody is let in.

Pages import large libraries where they draw with them. Where several first visitors do so at once,
in as many threads, one may get hold of a library that another has imported in part only. So all are
imported here, in one thread; then a visitor of the server's own opens every page, which opens the
snapshot, asks for the figures that every page begins with, and lets Streamlit know the pages (a
deep link to a fresh server then finds its page at once).
"""

import asyncio
import gc
import importlib
import logging
import pkgutil
from typing import Final
from urllib.parse import urlencode

import components
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOAN, LOANS, ROUTES, SIGNALS, WHAT_IF
from components.platform.visitor import Visitor
from services.contract.errors import CreditAtlasError
from services.contract.queries import EntityQuery, LoanQuery

log = logging.getLogger("credit_atlas")

#: Imported by pages, files and reports where they are needed, and by Streamlit for its elements.
LIBRARIES: Final = (
    "pandas",
    "pyarrow.compute",
    "pyarrow.csv",
    "pyarrow.parquet",
    "plotly.graph_objects",
    "networkx",
    "xlsxwriter",
    "openpyxl",
    "typst",
)
#: A page that takes longer is left to its first visitor.
_LONGEST_SECONDS: Final = 60.0


async def prewarm() -> None:
    """Imports, then opens every page once. What fails is logged, never raised: a page that cannot
    be drawn says so to its visitor.
    """
    try:
        await asyncio.to_thread(_import_everything)
        # Here, for Streamlit's caches look for its runtime when the module is imported.
        from components.frame.visitor import OWN_VISITOR

        for address in await asyncio.to_thread(_addresses):
            await asyncio.wait_for(Visitor(OWN_VISITOR).opens(*address), _LONGEST_SECONDS)
    except CreditAtlasError as error:
        log.warning("pages are not warm: %s", error)
    except Exception:
        log.exception("pages are not warm")
    # Streamlit collects garbage after every run. What is there now stays: looking through all of it
    # again each time took a hundred milliseconds, and most pages take fewer than fifty.
    gc.collect()
    gc.freeze()


def _import_everything() -> None:
    for library in LIBRARIES:
        importlib.import_module(library)
    for module in pkgutil.walk_packages(components.__path__, "components."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def _addresses() -> list[tuple[str, str]]:
    """Path and query of every page; none over an API, whose every answer costs quota."""
    from components.frame import session

    kind = session.kinds()[0]
    if kind == "api":
        return []
    with session.opened(kind).lease() as lease:
        loans = lease.source.loans(LoanQuery(per_page=1)).items
        entities = lease.source.entities(EntityQuery(per_page=1)).items
    loan = {"loan_number": loans[0].loan_number} if loans else {}
    entity = {"entity_name": entities[0].entity_name} if entities else {}
    records = {LOAN: loan, CAPITAL_GRAPH: loan, ENTITY: entity}
    pages = [(route, records.get(route, {})) for route in ROUTES]
    # Choices that draw with a library which their page does without at first.
    pages += [(LOANS, {"map": "cities"}), (SIGNALS, {"map": "cities"}), (WHAT_IF, {"rates": "100"})]
    return [(route.path, urlencode(record)) for route, record in pages]
