"""The History panel of Compare: several loans on one axis of time, a line each."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, Final

from components.frame import exports, history_window, session, states
from components.frame.history_window import Window
from components.history import figures, line, stage, table, wording
from components.history.of_loan import HOW
from components.history.stage import Panel
from components.kit import chart, file_name, severity, tables, text
from components.kit.card import card, opening
from components.kit.formatting import day, loan_count
from services.contract import endpoints
from services.contract.errors import NoHistory, NotFound
from services.contract.history import Histories, HistoryQuery, HistoryRow, LoanHistory
from services.contract.vocabulary import GRADED

#: Levels of the figures that have some.
_LEVELS: Final[Mapping[str, tuple[float, ...]]] = {"balance": (0.0,), "dscr": figures.LIMITS}
_DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
#: Letters of a name at the end of a line.
_SHORT: Final = 9


def panel(numbers: Sequence[str], view: Window) -> None:
    """The card of the loans that are compared. `view` is what the address asks for."""
    if not numbers:
        return
    with card("Their history", level=2):
        if not history_window.opened():
            return
        with states.panel(endpoints.LOAN):
            found = {number: one for number in numbers if (one := _history(number))}
            _opened(found, view)


def _history(number: str) -> LoanHistory | None:
    try:
        return session.ask(Histories.history, number, HistoryQuery())
    except (NoHistory, NotFound):
        return None


def _opened(found: Mapping[str, LoanHistory], view: Window) -> None:
    if not any(len(one.rows) > 1 for one in found.values()):
        states.nothing(HOW)
        return
    history_window.fields("history-dates")
    rows = {
        number: inside
        for number, one in found.items()
        if (inside := [row for row in one.rows if view.has(row.as_of)])
    }
    if not rows:
        states.nothing("No filing is of these dates.")
        return
    key = file_name.stem("histories", *rows, str(view.since), str(view.until))
    history_window.chart(
        drawn(rows, {number: found[number].property_name for number in rows}),
        key=key,
        shown=loan_count(len(rows)),
        alt="Balance, DSCR, NOI, occupancy, loan to value and worst signal of the loans, a line "
        "each, on one axis of time; the same stands in the table below",
    )
    text.caption("Each figure stands from the filing that states it until the next one.")
    total = sum(map(len, rows.values()))
    make = partial(table.export_rows, tuple(found[number] for number in rows), view)
    exports.download(make, total, "credit-atlas-histories-compared", alone=True)
    opening("The filings as a table", "history_as_table", partial(_table, rows))


def drawn(rows: Mapping[str, Sequence[HistoryRow]], names: Mapping[str, str | None]) -> chart.Chart:
    """The panels of several loans' rows: a colour, a shape and a dash for each loan, and its number
    at the end of its line.
    """
    figure = chart.empty()
    live = {number: line.owing(listed) for number, listed in rows.items()}
    called = short(list(rows))
    panels: list[Panel] = []

    def add(made: Panel, values: Mapping[str, Sequence[float | None]], name: str) -> None:
        at = len(panels)
        panels.append(made)
        ends = []
        for place, (number, listed) in enumerate(live.items()):
            if all(value is None for value in values[number]):
                continue
            said = [_card(number, one, name) for one in listed]
            days = [one.as_of for one in listed]
            legend = {"legendgroup": number, "showlegend": at == 0}
            look = {**_look(number, place, names[number]), **legend}
            stage.steps(figure, at, days, values[number], said, **look)
            last = next(value for value in reversed(values[number]) if value is not None)
            ends.append((last, called[number]))
        stage.named(figure, at, made, ends)

    for name in figures.FIGURES:
        levels = _LEVELS.get(name, ())
        values = {number: [getattr(one, name) for one in listed] for number, listed in live.items()}
        known = [value for listed in values.values() for value in listed if value is not None]
        if known:
            title, kind = figures.label(name), figures.kind(name)
            add(Panel.of_figures(title, kind, known, *levels, pixels=120), values, name)
            for one in filter(None, levels):  # the ground has a line already
                stage.level(figure, len(panels) - 1, one, "dash")
    words = {0.0: "no signal"} | {
        float(rank): severity.label(word) for rank, word in enumerate(GRADED, 1)
    }
    ranks = {number: [_rank(one) for one in listed] for number, listed in live.items()}
    add(Panel.of_words("Worst signal", words, 120), ranks, "worst")
    days = [one.as_of for listed in rows.values() for one in listed]
    stage.lay(figure, panels, (min(days), max(days)))
    figure.update_layout(showlegend=True, legend={"yref": "container", "y": 0})
    return figure


def short(numbers: Sequence[str]) -> dict[str, str]:
    """Numbers without what all begin with: 14 and 44 of one deal."""
    letters = zip(*numbers, strict=False) if len(numbers) > 1 else ()
    common = [some[0] for some in takewhile(lambda some: len(set(some)) == 1, letters)]
    cut = max((at for at, letter in enumerate(common, 1) if not letter.isalnum()), default=0)
    left = {number: number[cut:] or number for number in numbers}
    return {
        number: said if len(said) <= _SHORT else f"…{said[-_SHORT:]}"
        for number, said in left.items()
    }


def _rank(row: HistoryRow) -> float | None:
    """How severe its worst signal is, 0 without one; None of a loan that has ended."""
    return None if line.ended([row]) else float(max(severity.rank(row.worst), 0))


def _look(number: str, place: int, name: str | None) -> dict[str, Any]:
    mark = {**chart.look(f"loan {place}", place, dark=False), "size": 5}
    called = f"{number}, {name}" if name else number
    return {
        "name": text.escaped(called),
        "line": {"color": mark["color"], "dash": _DASHES[place % len(_DASHES)]},
        "marker": mark,
    }


def _card(number: str, row: HistoryRow, name: str) -> str:
    if name == "worst":
        return f"{wording.card([number])}<br>{wording.signals(row)}"
    return f"{wording.card([number])}<br>{wording.at(row, name)}"


def _table(rows: Mapping[str, Sequence[HistoryRow]]) -> None:
    """One row a filing and loan, the newest first."""
    every = [(one, number) for number, listed in rows.items() for one in listed]
    listed = [
        {
            "As of": day(one.as_of),
            "Loan": number,
            **table.cells(one),
            "Worst signal": wording.worst(one),
        }
        for one, number in sorted(every, key=lambda pair: pair[0].as_of, reverse=True)
    ]
    tables.plain(listed, "Filings of the loans", figures=table.HEADS, scrolls=True)
