"""Records side by side: a card each, and their facts in groups, marked where one is the best or the
weakest.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final, Generic, TypeVar

import streamlit as st

from components.frame import address, back, exports, links, loan_names, states
from components.frame.ledger import Ticks
from components.frame.loan_names import beside
from components.frame.routes import LOAN, Route
from components.kit import actions, compared, severity, tables, text
from components.kit.card import abreast, card
from components.kit.compared import Line, Stated
from components.kit.text import Markup, element
from services.contract.errors import NotFound
from services.contract.queries import Query, YesNo
from services.contract.vocabulary import SETTLED, UNGRADED

R = TypeVar("R")

#: Records that fit side by side.
MOST: Final = 5
#: The parameter that a list holds its ticked records in.
TICKED: Final = "compare"


class Sheet(Query):
    """What the address of a comparison says beside the names."""

    #: Whether only facts that differ are shown.
    differing: YesNo = False


@dataclass(frozen=True, slots=True)
class Side:
    """One record: what its card says, and its facts."""

    #: Beneath its name.
    beneath: str
    #: Its worst signal, a word of UNGRADED without any, None where that is not known; and why.
    worst: str | None
    why: str
    #: Beside the worst signal.
    facts: Sequence[Stated]


@dataclass(frozen=True, slots=True)
class Kind(Generic[R]):
    """The records that are compared."""

    #: What they are called: "loans", "loan".
    plural: str
    singular: str
    #: Gives a record by its name. Raises NotFound.
    read: Callable[[str], R]
    side: Callable[[R], Side]
    #: Its own page, the list that it is ticked in, and the page of comparisons.
    route: Route
    list: Route
    compare: Route
    #: The parameters of a comparison of these names.
    params: Callable[[Sequence[str]], dict[str, str]]
    #: Whether what is read are answers of the six reads.
    live: bool


def ticks(chosen: Sequence[str], most: int = MOST, label: str = "Compare") -> Ticks:
    """The boxes of a list of records."""

    def take(ticked: tuple[str, ...]) -> None:
        st.session_state[TICKED] = ticked or None

    return Ticks(chosen, take, most, label)


def link(kind: Kind[R], names: Sequence[str], which: str = "") -> None:
    """To the comparison of these records; nothing before there are two. `which` says what these
    are: the worst.
    """
    if len(names) > 1:
        these = f"the {len(names)} {which}" if which else f"{len(names)}"
        called = f"Compare {these} {kind.plural}"
        links.link(kind.compare, called, "compare_arrows", kind.params(names))


def page(kind: Kind[R], asked: Sheet, names: Sequence[str]) -> tuple[str, ...]:
    """The page: a card each of the records named, their facts in groups, and all facts as a file.
    Gives the names of those that there are.
    """
    found = {name: side for name in names if (side := _side(kind, name))}
    if not found:
        back.link(kind.list, f"Search {kind.plural}")
        address.settle(asked)
        states.nothing(f"Tick up to five {kind.plural} in a list, and compare them here.")
        links.link(kind.list, f"To the {kind.plural}", "arrow_forward")
        return ()
    with st.container(horizontal=True, vertical_alignment="center"):
        back.link(kind.list, f"Search {kind.plural}")
        only = st.toggle("Only what differs", **address.widget("differing"))
    view = asked.model_copy(update={"differing": only})
    address.settle(view)
    known = loan_names.of(found) if kind.route is LOAN else {}
    called = {
        name: f"{name} ({kind.singular})" if name in compared.HEADS else beside(name, known)
        for name in found
    }
    lines = compared.lines_of({name: _facts(side) for name, side in found.items()})
    short = {name: known.get(name, name) for name in found}
    side_by_side = f"{len(found)} {kind.plural if len(found) > 1 else kind.singular} side by side"
    said = compared.weakest_in_words(lines, short)
    with actions.beside(said or side_by_side, f"· {side_by_side}" if said else "", key="compared"):
        exports.download(
            partial(_export, kind.plural, called, tuple(lines), live=kind.live),
            len(lines),
            f"credit-atlas-{kind.plural}-compared",
            live=kind.live,
        )
    others = {
        name: view.params() | kind.params([one for one in found if one != name])
        for name in (found if len(found) > 1 else ())
    }
    abreast([partial(_card, kind, name, short[name], side, lines, others.get(name))
             for name, side in found.items()])  # fmt: skip
    _groups(kind, lines, called, only=only)
    return tuple(found)


def _side(kind: Kind[R], name: str) -> Side | None:
    try:
        return kind.side(kind.read(name))
    except NotFound:
        said = f"There is no {kind.singular} '{name}'; it is left out."
        text.notice("warning", said, "search_off")
        return None


def _facts(side: Side) -> list[Stated]:
    """Its facts, after the worst signal where that is known."""
    if side.worst is None:
        return [*side.facts]
    # Only of loans that rules are about one is better than another.
    rank = None if side.worst in SETTLED else severity.rank(side.worst)
    said = severity.label(side.worst)
    return [Stated(compared.KEY, "Worst signal", said, rank, "high"), *side.facts]


def _card(
    kind: Kind[R],
    name: str,
    called: str,
    side: Side,
    lines: Sequence[Line],
    others: Mapping[str, str] | None,
) -> None:
    """The card of one record: what it is, its worst signal, how it ranks, and where it leads.
    `others` are the parameters of the page without it.
    """
    with card(called, level=2, tall=True):
        text.caption(side.beneath)
        graded = None if side.worst in UNGRADED else side.worst
        if graded or side.why:
            chip = severity.chip(severity.label(graded)) if graded else ""
            text.show(element("p", chip, Markup(" "), side.why, class_="atlas-why", tabindex="0"))
        if (ranked := compared.ranked(lines)) > 1:
            best = sum(line.best == name for line in lines)
            weakest = sum(line.weakest == name for line in lines)
            text.caption(f"Best in {best}, weakest in {weakest} of {ranked} figures")
        with st.container(horizontal=True):
            links.link(kind.route, f"Open {kind.singular}", "open_in_new",
                       {str(kind.route.record): name})  # fmt: skip
            if others:
                links.link(kind.compare, "Remove", "close", others)


def _groups(kind: Kind[R], lines: Sequence[Line], called: Mapping[str, str], *, only: bool) -> None:
    """A table a group: the first one open, the others with how many of their facts differ."""
    names = tuple(called)
    with st.container(key="compared"):
        for at, (group, members) in enumerate(groupby(lines, key=lambda line: line.group)):
            listed = list(members)
            differing = [line for line in listed if line.differs(names)]
            shown = differing if only else listed
            if not shown:
                continue
            rows = [_row(line, called) for line in shown]
            if at == 0:
                tables.sheet(rows, f"{group} of the {kind.plural}")
                continue
            made = tables.of_figures(rows, f"{group} of the {kind.plural}")
            said = f"{group}: {len(differing)} of {len(listed)} differ"
            text.closed(said, made, level=2, open_=only)


def _row(line: Line, called: Mapping[str, str]) -> dict[str, str]:
    alike = len(called) > 1 and not line.differs(tuple(called))
    sizes = {name: one.amount for name, one in line.cells.items() if one.amount is not None}
    # A bar on its own, or beside an amount below zero, would say nothing.
    barred = len(sizes) > 1 and min(sizes.values()) >= 0 < max(sizes.values())
    parts = {name: size / max(sizes.values()) for name, size in sizes.items() if barred}
    cells = {
        label: _cell(line, name, "alike" if alike else "cell", parts.get(name))
        for name, label in called.items()
    }
    return {"Fact": line.label, **cells}


def _cell(line: Line, name: str, class_: str, part: float | None) -> Markup:
    """A fact with its mark, and with a bar of this length; quiet where all records are alike."""
    mark = "best" if line.best == name else "weakest" if line.weakest == name else ""
    said = (element("span", mark, class_=f"mark {mark}"), Markup(" ")) if mark else ()
    written = severity.chip(line.written(name))
    if part is None or not line.cells[name].barred or class_ == "alike":
        return element("span", *said, written, class_=class_)
    style = text.shares(part=part)
    return element("span", *said, written, class_=f"{class_} barred", style=style)


def _export(
    what: str, called: Mapping[str, str], lines: tuple[Line, ...], *, live: bool
) -> exports.Export:
    """The facts as a table of text, as they are written on screen."""
    shown = f"{what.capitalize()} side by side"
    rows = compared.rows_of(lines, called)
    return exports.of_rows(what, shown, rows, of=exports.origin(live=live))
