"""What the Explore page is asked for: which loans, which figures, how they are looked at."""

from typing import Any, ClassVar, Final, Literal

import streamlit as st

from components.explore import figures, limits, selection
from components.explore.selection import Box, Lasso
from components.frame import address, field_bar, session
from components.frame import filters as frame_filters
from components.frame.fields import Field as Filled
from components.frame.fields import Letters, One
from components.frame.routes import EXPLORE
from components.loans import bulk
from components.loans import filters as loan_filters
from services.contract.columns import COLUMN
from services.contract.distributions import (
    FIGURES,
    Area,
    ColourBy,
    FigureName,
    LogAxes,
    Plot,
    SplitBy,
)
from services.contract.facts import FACT
from services.contract.loan_filter import LoanFilter
from services.contract.queries import Exact, YesNo
from services.contract.source import Figures, GroupBy, Inventory, Suggestions

Show = Literal["plot", "boxes", "histogram", "vintages"]
#: How the loans are looked at.
SHOWN: Final[dict[Show, str]] = {
    "plot": "Two figures",
    "boxes": "One figure, as boxes",
    "histogram": "One figure, as a histogram",
    "vintages": "Severe by vintage and type",
}
SPLITS: Final[dict[SplitBy, str]] = {
    "property_type": "Property type",
    "state": "State",
    "vintage": "Vintage",
    "lender": "Lender",
}
_SPLIT_COLUMNS: Final[dict[SplitBy, str]] = {
    "property_type": "property_type",
    "state": "property_state",
    "vintage": "origination_date",
    "lender": "lender_normalized",
}
_FIGURES: Final[dict[str, FigureName]] = {figures.label(name): name for name in FIGURES}
_COLOURS: Final[dict[str, ColourBy]] = {
    COLUMN[name].label: name
    for name in ("worst_severity", "property_type", "rate_pressure", "confidence_tier")
}
_LOG: Final[dict[str, LogAxes]] = {"X": "x", "Y": "y", "Both": "xy"}
_CLIP: Final = {"1st to 99th percentile": True, "All values": False}
_SHOW = One(label="Show", words={label: word for word, label in SHOWN.items()}, required=True)
_X: Final = One(label="X", words=_FIGURES, required=True)
_FIGURE: Final = One(label="Figure", words=_FIGURES, required=True)
_Y: Final = One(label="Y", words=_FIGURES, required=True)
_COLOUR: Final = One(label="Colour", words=_COLOURS, required=True)
_LOGS: Final = One(label="Log axis", empty="Neither", words=_LOG)
_CLIPS: Final = One(
    label="Range",
    words=_CLIP,
    required=True,
    help="A loan beyond the 1st or 99th percentile is drawn at the edge, with an arrow. Under 200 "
    "loans the axes hold all.",
)
_BY: Final = One(label="Split by", words={label: by for by, label in SPLITS.items()}, required=True)
_LOAN: Final = Letters(label="Mark a loan", empty="Its number", longest=1_000)
_WIDTH: Final = 260
_LOOKS: Final = (
    *("show", "x", "y", "colour", "log", "clip", "by", "loan"),
    *("set", "box", "lasso", "order", "linked"),
)


class ExploreView(LoanFilter):
    """The loans asked for, by the figures named."""

    show: Show = "plot"
    #: The figure of a distribution, too.
    x: FigureName = "ltv"
    y: FigureName = "dscr"
    colour: ColourBy = "worst_severity"
    log: LogAxes | None = None
    clip: YesNo = True
    #: What a distribution is split by.
    by: SplitBy = "property_type"
    #: A loan to be marked.
    loan: Exact | None = None
    #: Loans looked up together: the key of a set of this session (loans/bulk.py).
    set: bulk.Key | None = None
    #: What the chosen loans are grouped by, against all.
    linked: GroupBy = "quarter"
    #: Drawn in the plot of two figures.
    box: Box | None = None
    lasso: Lasso | None = None

    slicing: ClassVar[frozenset[str]] = LoanFilter.slicing | frozenset(_LOOKS)

    def filter(self) -> LoanFilter:
        """Which loans, however they are looked at."""
        asked = self._asked()
        return (
            asked.model_copy(update={"numbers": bulk.numbers_of(self.set)}) if self.set else asked
        )

    def _asked(self) -> LoanFilter:
        return self.part(LoanFilter).without("order").at(1)

    def as_result(self) -> dict[str, str]:
        """Parameters of the Loans page for the same loans."""
        return self._asked().params() | ({"set": self.set} if self.set else {})

    @property
    def columns(self) -> tuple[str, ...]:
        """What a frame of these loans needs to draw the same; empty where no frame has it."""
        shown: dict[Show, tuple[str, ...]] = {
            "plot": (self.x, self.y, self.colour),
            "vintages": ("origination_date", "property_type", "worst_severity"),
        }
        named = shown.get(self.show, (self.x, _SPLIT_COLUMNS[self.by]))
        found = dict.fromkeys(("loan_number", *named, "book_value"))
        return tuple(found) if set(named) <= {*FACT, *COLUMN} else ()

    @property
    def area(self) -> Area | None:
        """What is drawn around some loans."""
        return selection.area_of(self.box, self.lasso)

    @property
    def plot(self) -> Plot:
        """Two figures of these loans against each other."""
        return Plot(self.x, self.y, self.colour, self.log, self.clip)


def explore_view() -> ExploreView | None:
    """What the address asks for, with its widgets; None when the address is at fault."""
    asked = address.asked(ExploreView, EXPLORE, _check)
    if asked is None:
        return None
    chosen = loan_filters.bar(asked, asked.filter().numbers)
    fields = _fields(st.session_state["show"])
    width: int | Literal["stretch"] = "stretch" if len(fields) > 1 else _WIDTH
    # The order is that of the loans chosen, by the heads of their table.
    looks = field_bar.draw(fields, key="look", label="Look", folds=True, width=width)
    looks = {name: st.session_state[name] for name in _LOOKS} | looks
    if (looks["x"], looks["y"]) != (asked.x, asked.y):  # drawn in other figures
        selection.forget()
        looks |= {"box": None, "lasso": None}
    view = address.held(asked, chosen | looks)
    address.settle(view)
    return view


def _fields(show: Show) -> dict[str, Filled[Any]]:
    """The choices that a look has."""
    if show == "plot":
        return {
            "show": _SHOW, "x": _X, "y": _Y, "colour": _COLOUR, "log": _LOGS, "clip": _CLIPS,
            "loan": _LOAN,
        }  # fmt: skip
    if show == "vintages":
        return {"show": _SHOW}
    return {"show": _SHOW, "x": _FIGURE, "by": _BY, "loan": _LOAN}


def _check(view: ExploreView) -> None:
    frame_filters.check(loan_filters.EVERY, view)


def known(view: ExploreView) -> str | None:
    """The loan that is marked, if there is one of that number."""
    if view.loan is None:
        return None
    found = session.ask(Suggestions.loan_names, (view.loan,))
    return view.loan if found else None


def limits_of(view: ExploreView, figure: FigureName) -> tuple[list[limits.Limit], str]:
    """The limits of a figure for the property types asked for, and what is said beside them."""
    kinds = view.property_type or ()
    kind = kinds[0] if len(kinds) == 1 else None
    terms = session.ask(Figures.terms, kind) if kind else None
    lines, said = limits.limits(figure, session.ask(Inventory.rules), kind, terms)
    return lines, f"{limits.in_words(figure, lines)} {said}".strip()
