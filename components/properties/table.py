"""The same as tables: properties with how their positions are known, cells, and files of them."""

from collections.abc import Sequence

from components.frame import columns, exports, session
from components.frame.ledger import Column, ledger
from components.frame.paging import PAGE_SIZES, bar, page_of
from components.frame.routes import LOAN, MAP
from components.kit.formatting import count, fixed, money, percent, place, words
from components.kit.severity import label
from components.properties.classes import bad_share
from components.properties.filters import MapView
from components.properties.picture import POSITIONS
from services.contract import cells
from services.contract.properties import FoundProperty, PropertyCell, PropertyFilter
from services.contract.records import Page


def properties(
    found: Page[FoundProperty],
    page: str = "page",
    sizes: Sequence[int] = PAGE_SIZES,
    height: int | None = None,
) -> None:
    """Properties; each opens its loan. `page` is the parameter that turns its pages, `height` in
    pixels where the table begins to scroll.
    """
    ledger(
        (
            Column(
                "property",
                "Property",
                lambda one: one.property_name or one.loan_number,
                under=lambda one: ", ".join((place(one.city, one.state), one.loan_number)),
            ),
            Column("worst", "Worst", lambda one: label(one.worst), under=_matures),
            Column(
                "dollars",
                "Book value",
                lambda one: money(one.dollars),
                figure=True,
                help="Its part of the loan's book value: by the values of the loan's properties "
                "where all are known, else evenly.",
                under=lambda one: words(one.property_type),
            ),
            Column(
                "position",
                "Position",
                lambda one: POSITIONS[one.position],
                under=lambda one: one.zip or "",
            ),
        ),
        found.items,
        opens=lambda one: (LOAN, one.loan_number),
        caption="Properties",
        height=height,
    )
    bar(found, page, sizes=sizes)


def _matures(one: FoundProperty) -> str:
    return f"matures {one.maturity_year}" if one.maturity_year else "maturity not known"


def of_cells(found: Sequence[PropertyCell], view: MapView) -> None:
    """Cells; each shows its properties."""
    page = page_of(found, view.at(view.cell_page))
    here = view.everywhere().model_copy(update={"cell_page": view.cell_page}).params()
    ledger(
        (
            Column("cell", "Cell around", lambda one: around(one.cell)),
            Column("properties", "Properties", lambda one: count(one.properties), figure=True),
            columns.loans(),
            Column("dollars", "Book value", lambda one: money(one.dollars), figure=True),
            Column(
                "bad",
                "Severe or critical",
                lambda one: percent(bad_share(one), 1),
                figure=True,
                help="Share of its book value on loans whose worst signal is severe or critical.",
            ),
        ),
        page.items,
        opens=lambda one: (MAP, {**here, "cell": one.cell}),
        caption="Cells of the map",
    )
    bar(page, "cell_page")


def around(cell: str) -> str:
    """The middle of a cell in words: 40.6° N 74.0° W."""
    return degrees(*cells.middle(cell))


def degrees(longitude: float, latitude: float) -> str:
    """A place in words."""
    north, east = ("N", "S")[latitude < 0], ("E", "W")[longitude < 0]
    return f"{fixed(abs(latitude), 2)}° {north} {fixed(abs(longitude), 2)}° {east}"


def export(query: PropertyFilter, sentence: str) -> exports.Export:
    """Every property that matches."""
    snapshot = session.analytics()
    return exports.of_batches(
        "properties",
        sentence,
        exports.origin(),
        snapshot.property_totals(query).properties,
        snapshot.property_batches(query),
    )
