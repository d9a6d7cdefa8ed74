"""The History panel of the Family page: the sum of its loans, month by month (D170)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from components.frame import exports, history_window, session, states
from components.frame.history_window import Window
from components.history import figures, stage, wording
from components.history.of_loan import HOW
from components.history.stage import Panel
from components.kit import chart, file_name, tables, text
from components.kit.card import card, opening
from components.kit.formatting import count, fraction, loan_count, money, multiple
from services.contract import endpoints
from services.contract.errors import NoHistory
from services.contract.facts import Fact, Kind
from services.contract.family_history import FamilyHistory, FamilyMonth
from services.contract.history import Histories


def panel(name: str, view: Window) -> None:
    """The card of one family. `view` is what the address asks for."""
    with card("History of its loans together", part="history"):
        if not history_window.opened():
            return
        with states.panel(endpoints.ENTITIES):
            try:
                found = session.ask(Histories.family_history, name)
            except NoHistory:
                states.nothing(HOW)
                return
            _opened(found, view)


def _opened(found: FamilyHistory, view: Window) -> None:
    if len(found.months) < 2:  # noqa: PLR2004 - a line has two ends
        states.nothing(HOW)
        return
    history_window.fields("history-dates")
    months = [one for one in found.months if view.has(one.month)]
    if not months:
        first, last = (f"{one.month:%b %Y}" for one in (found.months[0], found.months[-1]))
        states.nothing(f"No filing is of these dates; they go from {first} to {last}.")
        return
    text.lead(
        f"{count(len(months))} months",
        f"from {months[0].month:%b %Y} to {months[-1].month:%b %Y}.",
    )
    name = found.entity_name
    key = file_name.stem("history", name, str(view.since), str(view.until))
    history_window.chart(
        drawn(months),
        key=key,
        shown=f"family of {name}",
        alt="Balance, weighted DSCR and share of severe or critical signals of the family's loans "
        "on one axis of time; the same stands in the table below",
    )
    for said in remarks(found, months):
        text.caption(said)
    make = partial(export, found, view)
    exports.download(make, len(months), file_name.stem("history of family", name), alone=True)
    opening("The months as a table", "history_as_table", partial(_table, months))


def drawn(months: Sequence[FamilyMonth]) -> chart.Chart:
    """The panels of a family's months; a month for which a source is missing has no sum."""
    figure = chart.empty()
    panels: list[Panel] = []
    said = [wording.card(card_of(one)) for one in months]
    for title, kind, value_of, levels in _PANELS:
        values = [None if one.missing else value_of(one) for one in months]
        if all(value is None for value in values):
            continue
        at = len(panels)
        panels.append(Panel.of_figures(title, kind, values, *levels, pixels=130))
        days = [one.month for one in months]
        stage.steps(figure, at, days, values, said, name=title, line={"color": chart.MARK})
        if levels == figures.LIMITS:
            for one in levels:
                stage.level(figure, at, one, "dash")
            stage.named(figure, at, panels[at], [(one, multiple(one)) for one in levels])
    stage.lay(figure, panels, (months[0].month, months[-1].month))
    return figure


def share(of: FamilyMonth) -> float | None:
    """Severe or critical, as a part of what is owed."""
    return of.severe_balance / of.balance if of.balance else None


#: Title, kind, value of a month, levels.
_PANELS: Final[
    tuple[tuple[str, Kind, Callable[[FamilyMonth], float | None], tuple[float, ...]], ...]
] = (
    ("Balance", "dollars", lambda one: one.balance, (0.0,)),
    ("DSCR, weighted by balance", "times", lambda one: one.dscr, figures.LIMITS),
    ("Severe or critical, share of balance", "fraction", share, (0.0,)),
)


def card_of(of: FamilyMonth) -> list[str]:
    """What a month says, with how many loans each figure is of."""
    part = share(of)
    return [
        f"{of.month:%b %Y}",
        f"Balance: {money(of.balance)}, {loan_count(of.loans)}",
        f"DSCR: {multiple(of.dscr)}, {loan_count(of.dscr_loans)}",
        f"Severe or critical: {fraction(part)}, {loan_count(of.severe_loans)}",
    ]


def remarks(found: FamilyHistory, months: Sequence[FamilyMonth]) -> list[str]:
    """Whose sums these are, what is missing, by which rules."""
    said = [
        (
            "The loans that it has today, in each month as they were filed; each counts until it "
            "owes nothing."
        )
    ]
    lacking = sorted({title for one in months for title in one.missing})
    if lacking:
        gone = sum(bool(one.missing) for one in months)
        said.append(
            f"Months that are not drawn: {count(gone)}. A filing of {' or '.join(lacking)} is "
            "missing, so that their sums are not whole."
        )
    versions = [f"from {month:%b %Y} by {version}" for month, version in found.rules_versions]
    said.append(f"Signals were scored {'; '.join(versions)}.")
    return said


def _table(months: Sequence[FamilyMonth]) -> None:
    rows = [
        {
            "Month": f"{one.month:%b %Y}",
            "Loans": count(one.loans),
            "Balance": money(one.balance),
            "DSCR": multiple(one.dscr),
            "Loans with a DSCR": count(one.dscr_loans),
            "Severe or critical": fraction(share(one)),
            "Loans severe or critical": count(one.severe_loans),
            "Filings missing": ", ".join(one.missing),
        }
        for one in reversed(months)
    ]
    tables.sheet(rows, "Months of the family", prose=("Filings missing",), scrolls=True)


def export(found: FamilyHistory, view: Window) -> exports.Export:
    """Every month of the window: raw sums, whole or not, and which filings are missing."""
    rows = [
        {**dict(one), "missing": "; ".join(one.missing) or None}
        for one in found.months
        if view.has(one.month)
    ]
    dollars = Fact("severe_balance", "dollars", "Severe or critical")
    facts = figures.FACTS | {dollars.name: dollars}
    shown = f"History of the family of {found.entity_name}"
    return exports.of_rows("months", shown, rows, facts=facts)
