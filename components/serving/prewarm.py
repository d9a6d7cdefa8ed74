"""What the first visitor would have to wait for, done before anybody is let in.

Pages import large libraries where they draw with them. Where several first visitors do so at once,
in as many threads, one may get hold of a library that another has imported in part only. So all are
imported here, in one thread; then a visitor of the server's own opens the first page, which opens
the snapshot and lets Streamlit know the pages (a deep link to a fresh server then finds its page at
once). From then on sessions may begin. The other pages are opened beside them, one after the other,
so that their first visitors find answers that are remembered.
"""

import asyncio
import gc
import importlib
import logging
import pkgutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import urlencode

import components
from components.frame.routes import CAPITAL_GRAPH, ENTITY, LOAN, ROUTES, WHAT_IF
from components.platform.visitor import Visitor
from services.contract.errors import CreditAtlasError
from services.contract.queries import EntityQuery, LoanQuery

log = logging.getLogger("credit_atlas")

#: What Plotly imports only once one of our charts asks for it.
_PLOTLY: Final = (
    "plotly.animation",
    "plotly.graph_objs._deprecations",
    "plotly.graph_objs._bar",
    "plotly.graph_objs._figure",
    "plotly.graph_objs.bar.marker._line",
    "plotly.graph_objs.bar.marker._pattern",
    "plotly.graph_objs.layout.annotation._font",
    "plotly.graph_objs.layout.hoverlabel._font",
    "plotly.graph_objs.layout.legend._font",
    "plotly.graph_objs.layout.shape._line",
    "plotly.graph_objs.layout.xaxis._tickfont",
    "plotly.graph_objs.layout.xaxis.title._font",
    "plotly.graph_objs.layout.yaxis._tickfont",
    "plotly.graph_objs.layout.yaxis.title._font",
    "plotly.graph_objs.scatter._error_x",
    "plotly.graph_objs.scatter.selected._marker",
    "plotly.graph_objs.scatter.unselected._marker",
    *(
        f"plotly.graph_objs.{parent}._{part}"
        for parent, parts in (
            ("bar", ("marker",)),
            ("scatter", ("selected", "unselected")),
            (
                "layout",
                ("annotation", "font", "hoverlabel", "legend", "margin", "shape", "xaxis", "yaxis"),
            ),
            ("layout.xaxis", ("title",)),
            ("layout.yaxis", ("title",)),
        )
        for part in parts
    ),
    "plotly.io._json",
    "plotly.tools",
)
#: Imported by pages, files and reports where they are needed, and by Streamlit for its elements.
LIBRARIES: Final = (
    "pandas",
    "pyarrow.compute",
    "pyarrow.csv",
    "pyarrow.parquet",
    "plotly.graph_objects",
    *_PLOTLY,
    "networkx",
    "xlsxwriter",
    "pydeck",
    "typst",
)
#: A page that takes longer is left to its first visitor.
_LONGEST_SECONDS: Final = 60.0


async def prewarm(let_in: Callable[[], None]) -> None:
    """Imports, opens the first page and calls `let_in`, then opens the other pages.

    What fails is logged, never raised: a page that cannot be drawn says so to its visitor.
    """
    async with _logged():
        _settle()
        await asyncio.to_thread(_import_everything)
        _settle()
        await _open("", "")
    _settle()
    let_in()
    async with _logged():
        for path, query in await asyncio.to_thread(_addresses):
            await _open(path, query)


@asynccontextmanager
async def _logged() -> AsyncIterator[None]:
    try:
        yield
    except CreditAtlasError as error:
        log.warning("pages are not warm: %s", error)
    except Exception:
        log.exception("pages are not warm")


async def _open(path: str, query: str) -> None:
    # Here, for Streamlit's caches look for its runtime when the module is imported.
    from components.frame.visitor import OWN_VISITOR

    await asyncio.wait_for(Visitor(OWN_VISITOR).opens(path, query), _LONGEST_SECONDS)


def _settle() -> None:
    """What is there now stays: Streamlit looks for garbage after every run, and looking through all
    of it each time took a hundred milliseconds, where most pages take fewer than fifty.
    """
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
    pages += [(WHAT_IF, {"rates": "100"})]
    return [(route.path, urlencode(record)) for route, record in pages]
