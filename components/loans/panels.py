"""The panels of one loan. Each takes what it shows and draws one bordered card."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from components.frame import links, session, shell, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CAPITAL_GRAPH, CONNECTION, ENTITY
from components.kit import badge, severity, text
from components.kit.figure import Figure, row
from components.kit.formatting import (
    MISSING,
    basis_points,
    count,
    day,
    distance,
    money,
    multiple,
    percent,
    place,
    score,
    words,
)
from components.loans import ending, hero, income, servicer, source_date, spreads
from components.loans.badges import badges
from components.loans.refinance import short
from services.contract.loan_figures import SETTLED, Exemption, LoanFigures
from services.contract.queries import PathQuery
from services.contract.records import Edge, LoanDetail, Signal
from services.contract.snapshot_info import RuleCard
from services.contract.source import CreditSource


def heading(loan: LoanDetail, figures: LoanFigures) -> None:
    """What loan this is, in two lines, with badges of what sets it apart."""
    where = place(loan.property_city, loan.property_state)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="loan-heading"
    ):
        name = loan.extended.get("property_name")
        named = [str(name or loan.loan_number), words(loan.property_type), where]
        known = [part for part in named if part != MISSING]
        text.heading(" · ".join(known), level=2)
        shell.tab(", ".join(known))
        badge.row(badges(loan, figures))
    ending.shown(loan)
    source_date.said(loan)
    debt = figures.debt
    parts = (
        name and loan.loan_number,
        loan.lender_normalized,
        loan.origination_date and f"originated {day(loan.origination_date)}",
        debt.anticipated_repayment
        and f"repayment anticipated {_when(debt.anticipated_repayment, figures.as_of)}",
        not figures.ended
        and loan.maturity_date
        and loan.maturity_date != debt.anticipated_repayment
        and f"matures {_when(loan.maturity_date, figures.as_of)}",
    )
    text.caption(" · ".join(str(part) for part in parts if part))


def _when(day_of: date, today: date) -> str:
    return f"{day(day_of)}, {distance(day_of, today)}"


def worst_first(signals: Sequence[Signal]) -> list[Signal]:
    """Signals by severity, the worst first; unranked last."""
    return sorted(signals, key=lambda signal: -severity.rank(signal.severity))


def are_many(signals: Sequence[Signal] | None) -> bool:
    """Whether the card of these signals is longer than that of income."""
    return len(signals or ()) > 1


def figures(loan: LoanDetail, found: LoanFigures, signals: Sequence[Signal] | None) -> None:
    """The headline: book value, coupon against the refi rate, coverage, what is short, signals;
    below it what the servicer writes.

    `signals` is None where they could not be asked for: that is not "no signal". Of a loan that has
    ended: how, and what was lost.
    """
    if found.ended:
        ending.figures(loan)
        return
    worst = max((signal.severity for signal in signals or ()), key=severity.rank, default=None)
    hero.hero(found, worst)
    kinds = ", ".join(words(s.signal_type).lower() for s in signals or () if s.severity == worst)
    none = "not known here" if signals is None else "no signal"
    row(
        [
            Figure("Book value", money(loan.book_value), _of_what(found)),
            _coupon(loan, found),
            _coverage(found),
            _gap(found),
            Figure("Worst signal", severity.label(worst), kinds or none),
        ]
    )
    servicer.panel(loan)


def _coupon(loan: LoanDetail, found: LoanFigures) -> Figure:
    refi, coupon = found.refinance, percent(loan.interest_rate)
    if found.exempt:
        return Figure("Coupon", coupon, "no refi rate: nobody refinances it")
    return Figure(
        "Coupon",
        coupon,
        f"refi {percent(refi.rate.value)} · {basis_points(refi.rate_gap.value)}",
        "Today's refinancing rate: reference rate plus the spread of the property type. "
        f"{spreads.said(refi.spreads)}",
    )


def _coverage(found: LoanFigures) -> Figure:
    refi, in_place = found.refinance, found.income.in_place
    at_refi = refi.graded(refi.dscr)
    dscr = multiple(None if in_place is None else in_place.dscr)
    known = in_place is not None and in_place.dscr is not None
    stands_on = f"On {income.of_dscr(found.income)}" if known else "No DSCR is filed"
    if found.exempt:
        return Figure("DSCR", dscr, "exempt from the refi rate", f"{stands_on}.")
    return Figure(
        "DSCR",
        dscr,
        at_refi.written(lambda ratio: f"{_most(found, ratio)} at the refi rate"),
        f"{stands_on}; at the refi rate on income of a year and the balance at maturity, in the "
        f"convention in which the loan pays now. {spreads.said(refi.spreads)}",
    )


def _most(found: LoanFigures, ratio: float) -> str:
    """A ratio of income, at most so large where more is due than is known."""
    bound = "at most " if found.debt.at_least and ratio > 0 else ""
    return f"{bound}{multiple(ratio)}"


def _of_what(found: LoanFigures) -> str:
    if found.debt.part and found.debt.whole.value is not None:
        least = "at least " if found.debt.at_least else ""
        return f"of {least}{money(found.debt.whole.value)} whole loan"
    if found.debt.behind:
        return f"with {money(found.debt.behind)} mezzanine behind it"
    layers = len(found.stack)
    return f"senior of {layers} layers" if layers > 1 else "one debt layer"


def _gap(found: LoanFigures) -> Figure:
    """What new proceeds would lack of the record's balance at maturity."""
    refi = found.refinance
    if found.exempt:
        return Figure("At refinance", "exempt", found.exempt[0])
    help_text = (
        "Debt due with the loan less the largest new loan by DSCR, debt yield and LTV; the note's "
        f"share, by rank, where it is one note of a larger loan. {spreads.said(refi.spreads)}"
    )
    of_all = refi.own_gap_usd if found.debt.part else refi.gap_usd
    if of_all.value is None:
        return Figure("At refinance", MISSING, of_all.why, help_text)
    least = found.debt.at_least
    share = percent(abs(100 * (refi.gap.value or 0)), 0)
    of = f"{share} of the {'debt due' if found.debt.behind else 'balance'}"
    if found.debt.part:
        of = f"whole loan {short(refi.gap_usd, at_least=least)}"
    note = f"{of} · {refi.binding} binds"
    return Figure("At refinance", short(of_all, at_least=least), note, help_text)


def scored(
    signals: Sequence[Signal], rules: Sequence[RuleCard], exempt: Sequence[Exemption] = ()
) -> None:
    """Signals, each with what it rests on and the rule behind it, as it stood then.

    `exempt` is why rules are not about the loan (LoanFigures.exempt).
    """
    cards = {card.id: card for card in rules}
    if not signals:
        settled = next((why for why in exempt if why in SETTLED), None)
        states.nothing(
            "No rule tests a loan that owes nothing."
            if settled == "without a balance"
            else f"No rule tests a loan that is {settled}."
            if settled
            else "No rule fired on this loan."
        )
    for at, signal in enumerate(signals):
        text.lead(severity.label(signal.severity), f"· {words(signal.signal_type)}")
        text.sentence(signal.description or "—")
        for part in signal.components:
            card = cards.get(part.rule)
            if card is None:
                continue
            label = f"{card.id} {card.title}: {severity.label(part.severity)}"
            with st.expander(text.label(label), key=f"rule_{at}_{part.rule}"):
                ladder = " · ".join(f"{word}: {limit}" for word, limit in card.ladder)
                text.sentence(
                    f"Reads {', '.join(card.inputs)}.\n{ladder}.\n"
                    f"Clears when: {card.clears_when}\n"
                    f"{card.remark}\nSource: {card.source} Rule version {card.version}, "
                    f"limits version {card.limits_version}.".replace("\n\n", "\n")
                )


def neighbours(number: str) -> None:
    """Parties one step away in the capital graph; the name opens the party."""
    result, page = session.ask(CreditSource.paths, PathQuery(loan_number=number, depth=1))
    if not page.total:
        states.nothing("The capital graph holds no edge at this loan.")
        return

    def party(edge: Edge) -> str:
        return edge.target if edge.source == result.root else edge.source

    edges = [edge for path in page.items for edge in path.edges[-1:]]
    columns: tuple[Column[Edge], ...] = (
        Column("party", "Party", party),
        Column("relation", "Relation", lambda edge: words(edge.relation)),
        Column(
            "confidence", "Confidence", lambda edge: score(edge.confidence), figure=True, short=True
        ),
    )
    ledger(
        columns,
        edges,
        opens=lambda edge: (ENTITY, party(edge)),
        key="neighbours",
        caption="Neighbours",
    )
    if page.total > len(edges):
        text.caption(f"{len(edges)} of {count(page.total)} neighbours.")
    with st.container(horizontal=True):
        links.link(CAPITAL_GRAPH, "Its capital graph", "hub", {"loan_number": result.root})
        ends = {"from_loan": result.root}
        links.link(CONNECTION, "How is it connected to ...", "conversion_path", ends)
