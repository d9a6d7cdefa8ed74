"""Two figures of the loans against each other: the plot, what of it is chosen, its table."""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from components.explore import drawing, linked, marks, selection, view
from components.explore.figures import label, written
from components.explore.view import ExploreView
from components.frame import charts, exports, links, session, states
from components.frame.ledger import Beside
from components.frame.routes import EXPLORE, LOANS
from components.kit import file_name, tables, text, theme
from components.kit.card import card, opening
from components.kit.formatting import count, loan_count, money
from components.loans import bulk, columns, filters, table, totals
from services.contract.aggregates import FoundLoan
from services.contract.columns import COLUMN
from services.contract.distributions import CELLS, FIGURES, Distributions, Plot, Scatter, Within
from services.contract.loan_filter import MOST_NUMBERS, LoanFilter
from services.contract.source import Screens

#: Loans of a selection that are listed; all of them open as a result.
_LISTED: Final = 25
#: Rows of the plot as a table.
_ROWS: Final = 100


#: Offers to save some loans, called so, as a set.
Save = Callable[[LoanFilter, str], None]


def panel(
    asked: ExploreView, sentence: str, save: Save, beside: Beside | None
) -> tuple[FoundLoan, ...]:
    """The plot, then the loans that are chosen in it; gives those of them that are listed. A click
    on a mark or on a row is one on its loan, which is shown `beside` them.
    """
    query, plot = asked.filter(), asked.plot
    found = session.ask(Distributions.loan_scatter, query, plot)
    what = f"{label(plot.y)} by {label(plot.x)}"
    with card(f"{what}: {sentence}", level=2):
        if found.x_ends is None or found.y_ends is None:
            states.nothing(f"No loan has a place in this plot. {_left(found)}")
            return ()
        (x_lines, said_x), (y_lines, said_y) = (
            view.limits_of(asked, figure) for figure in (plot.x, plot.y)
        )
        marked = view.known(asked)
        held = selection.outline(key_of(query, plot), plot.log or "", asked.area)
        figure = drawing.drawn(
            found, plot, (x_lines, y_lines), marked=marked, area=held.first, dark=theme.dark()
        )
        event = charts.show(
            figure,
            selects=("box", "lasso"),
            on_select=held.drawn,
            on_click=beside.on_shown if beside else None,
            key=held.key,
            what=what,
            shown=sentence,
            alt=f"Plot of {what}, {_drawn_as(found)}; the same figures stand in the table below",
        )
        said = dict.fromkeys((_said(found, plot, asked.loan, marked), said_x, said_y))
        text.caption(" ".join(filter(None, said)))
        if found.points is None:
            opening("The same as a table", "cells as table", partial(_cells, found, plot))
        else:
            opening("The same as a table", "points as table", partial(_points, found, plot))
        made = partial(export, query, plot, f"{what}: {sentence}")
        exports.download(made, len(found.cells) or found.loans, file_name.stem(what, sentence))
    areas = selection.chosen(event, asked.area)
    if not areas:
        return ()
    within = session.ask(Distributions.loans_within, query, plot, areas)
    return _chosen(within, asked, save, beside)


def key_of(query: LoanFilter, plot: Plot) -> str:
    """Key of the chart: what was chosen in another plot is not chosen in this one."""
    asked = f"{query.model_dump_json(exclude_defaults=True)} {plot}"
    return f"plot {hashlib.sha256(asked.encode()).hexdigest()[:12]}"


def _drawn_as(found: Scatter) -> str:
    if found.points is None:
        return f"a density of {CELLS[0]} by {CELLS[1]} cells, coloured by how many loans each holds"
    return "one mark a loan, sized by book value"


def _beyond(found: Scatter) -> str:
    """What is drawn at an end of an axis."""
    if not found.beyond:
        return ""
    where = "in the first or last cells" if found.points is None else "at the edge, with an arrow"
    return f"{count(found.beyond)} lie beyond the 1st or 99th percentile: they are drawn {where}."


def _left(found: Scatter) -> str:
    """How many loans have no place by both figures, why, and where they are."""
    reasons = (
        (found.missing, "do not have both figures"),
        (found.not_positive, "are not above zero, which powers of ten cannot show"),
    )
    told = [f"{count(number)} {why}" for number, why in reasons if number]
    where = ": they are drawn at “none”" if found.points and found.points.x else ""
    return f"Of {loan_count(found.loans)} {', '.join(told)}{where}." if told else ""


def _said(found: Scatter, plot: Plot, asked: str | None, marked: str | None) -> str:
    shown = found.loans if found.points else found.drawn
    said = [f"{loan_count(shown)}: {_drawn_as(found)}.", _beyond(found), _left(found)]
    if asked and not marked:
        said.append(f"No loan has the number {asked}.")
    elif marked and found.points and marked not in found.points.loan_number:
        said.append(f"{marked} is not among them.")
    elif marked and found.points is None:
        said.append(f"{marked} is marked where loans are points: set filters until 5,000 are left.")
    shows = "" if found.points is None else "Click a mark to see its loan; draw"
    said.append(f"{shows or 'Draw'} a box or a lasso around loans to list them.")
    if plot.x == plot.y:
        said.append("Both axes are of one figure.")
    return " ".join(one for one in said if one)


def _chosen(
    within: Within, asked: ExploreView, save: Save, beside: Beside | None
) -> tuple[FoundLoan, ...]:
    """The loans within the outline: totals, against all, the first of them, and all as a result."""
    of = within.totals
    with card(f"Chosen in the plot: {loan_count(of.loans)}", level=2):
        if not within.numbers:
            states.nothing("No loan lies within the outline.")
            if asked.area:
                _clear()
            return ()
        order = asked.order or filters.WORST_FIRST
        query = LoanFilter(numbers=within.numbers, order=order, per_page=_LISTED)
        totals.figures(of)
        totals.remarks(of)
        with st.container(horizontal=True, vertical_alignment="center"):
            key = bulk.keep(within.numbers)
            every = of.loans == len(within.numbers)
            some = "" if every else f" the first {count(MOST_NUMBERS)} of them"
            links.link(LOANS, f"Open{some} as result", "open_in_new", {"set": key})
            only = ExploreView(x=asked.x, y=asked.y, colour=asked.colour, set=key)
            links.link(EXPLORE, "Plot only these", "scatter_plot", only.params())
            save(query.without("order").at(1), f"{loan_count(of.loans)} drawn in a plot")
            if asked.area:
                _clear()
        linked.panel(query, asked.filter(), asked.linked)
        names = columns.dated(columns.begun(columns.URGENT))
        found = session.ask(Screens.loans_found, query, columns.opened(names))
        names = columns.filled(columns.URGENT, names, (one.values for one in found.items))
        table.found_loans(found.items, names, session.today(), "chosen", query, beside)
        if found.total > len(found.items):
            text.caption(f"The first {_LISTED} of {count(found.total)}; the file has all.")
        table.download(query, names, found.total)
    return found.items


def _clear() -> None:
    st.button("Clear the selection", icon=":material/close:", on_click=selection.forget)


def _points(found: Scatter, plot: Plot) -> None:
    points = found.points
    if points is None:
        return
    colour = COLUMN[plot.colour].label
    tables.plain(
        [
            {
                "Loan": points.loan_number[at],
                label(plot.x): written(plot.x, points.x[at]),
                f"{label(plot.y)} ": written(plot.y, points.y[at]),
                f"{colour} ": marks.said(points.word[at], plot.colour),
                "Balance": money(points.book_value[at]),
            }
            for at in range(min(_ROWS, len(points.x)))
        ],
        "Loans of the plot",
        figures=(label(plot.x), f"{label(plot.y)} ", "Balance"),
        scrolls=True,
    )
    if len(points.x) > _ROWS:
        text.caption(f"The first {_ROWS} of {count(len(points.x))} by number; the file has all.")


def _cells(found: Scatter, plot: Plot) -> None:
    listed = sorted(found.cells, key=lambda one: (-one.loans, one.column, one.row))
    tables.sheet(
        [
            {
                "Cell": drawing.between(plot, found, one.column, one.row),
                "Loans": count(one.loans),
                "Book value": money(one.book_value),
            }
            for one in listed[:_ROWS]
        ],
        "Cells of the plot",
        scrolls=True,
    )
    if len(listed) > _ROWS:
        text.caption(f"The fullest {_ROWS} of {count(len(listed))} cells; the file has all.")


def export(query: LoanFilter, plot: Plot, said: str) -> exports.Export:
    """The points of a plot, or its cells where they are many, as they are drawn."""
    found = session.ask(Distributions.loan_scatter, query, plot)
    x, y = plot.x, plot.y if plot.y != plot.x else f"{plot.y}_up"
    facts = {x: FIGURES[plot.x], y: FIGURES[plot.y], "book_value": COLUMN["book_value"]}
    if points := found.points:
        balance = "book_value_of_loan" if "book_value" in {x, y} else "book_value"
        kinds = {"loan_number": str, x: float, y: float, plot.colour: str, balance: int}
        listed = zip(points.loan_number, points.x, points.y, points.word, points.book_value,
                     strict=True)  # fmt: skip
        rows = [dict(zip(kinds, one, strict=True)) for one in listed]
        return exports.of_rows("loans of a plot", said, rows, kinds, facts)
    cells = [
        {
            f"{x}_from": found.x_edges[one.column],
            f"{x}_to": found.x_edges[one.column + 1],
            f"{y}_from": found.y_edges[one.row],
            f"{y}_to": found.y_edges[one.row + 1],
            "loans": one.loans,
            "book_value": one.book_value,
        }
        for one in found.cells
    ]
    return exports.of_rows("cells of a plot", said, cells, facts=facts)
