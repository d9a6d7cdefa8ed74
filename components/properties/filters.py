"""The Map page: what it is asked for, its filters, and how it is looked at."""

from typing import Annotated, ClassVar, Final, Literal

import streamlit as st
from pydantic import BeforeValidator

from components.frame import address
from components.frame.routes import MAP
from components.frame.switch import switch
from components.loans import filters as loan_filters
from components.properties.picture import Colour
from services.contract.cells import SIZES, Resolution
from services.contract.properties import PropertyFilter, Sides
from services.contract.queries import PageNumber

LAYERS: Final[dict[str, str]] = {
    "points": "Points",
    "hexagons": "Hexagons",
}
COLOURS: Final[dict[str, str]] = {
    "severity": "Worst signal",
    "type": "Property type",
    "maturity": "Year of maturity",
}
_LOOKS: Final = (
    *("page", "per_page", "layer", "colour", "size", "cell", "loan", "view", "cell_page"),
)


def _flat(value: object) -> object:
    """Links of earlier versions ask for columns and cities."""
    return "hexagons" if value in ("columns", "cities") else value


Layer = Annotated[Literal["points", "hexagons"], BeforeValidator(_flat)]


class MapView(PropertyFilter):
    """The properties asked for, and how the map shows them."""

    layer: Layer = "points"
    #: What the colour of a point says.
    colour: Colour = "severity"
    #: Of cells.
    size: Resolution = "middle"
    #: Page of the table of cells.
    cell_page: PageNumber = 1

    slicing: ClassVar[frozenset[str]] = PropertyFilter.slicing | {
        *("layer", "colour", "size", "cell_page")
    }

    def filter(self) -> PropertyFilter:
        """What is asked for, however it is looked at."""
        return self.part(PropertyFilter)


def map_view() -> MapView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(MapView, MAP, loan_filters.check)
    if asked is None:
        return None
    asked_of_loans = asked.filter().of_loans()
    chosen = loan_filters.bar(asked_of_loans, asked.numbers)
    if address.held(asked_of_loans, chosen).filters() != asked_of_loans.filters():
        _forget()  # of another result
        move(None)
    return address.settled(asked, chosen, _LOOKS)


def look(view: MapView) -> None:
    """The choices over the map."""
    with st.container(horizontal=True, vertical_alignment="center"):
        switch("layer", "Show as", LAYERS, _forget)
        if view.layer == "points":
            switch("colour", "Colour by", COLOURS)
        else:
            sizes: dict[str, str] = {name: f"{name.capitalize()} cells" for name in SIZES}
            switch("size", "Size of cells", sizes, _forget)


def choose(*, cell: str | None = None, loan: str | None = None) -> None:
    """Notes what was chosen on the map, before the page runs again."""
    st.session_state["cell"], st.session_state["loan"] = cell, loan
    address.first_page()


def move(view: Sides | None) -> None:
    """Notes which part of the map shows, before the page runs again; None for all of it."""
    st.session_state["view"] = view
    address.first_page()


def _forget() -> None:
    choose()
    st.session_state["cell_page"] = 1


def sentence(view: PropertyFilter) -> str:
    """Which loans' properties are shown, in words: Office loans in Texas."""
    return loan_filters.sentence(view.of_loans())
