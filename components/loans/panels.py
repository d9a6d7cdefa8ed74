"""The panels of one loan. Each takes what it shows and draws one bordered card."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from components.frame import links, shell, states
from components.frame.ledger import Column, ledger
from components.frame.routes import CAPITAL_GRAPH, CONNECTION, ENTITY
from components.kit import badge, severity, text
from components.kit.badge import Badge
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
from components.loans import income
from components.loans.refinance import EXEMPT, short
from services.contract.loaded import RuleCard
from services.contract.loan_figures import SETTLED, Exemption, LoanFigures
from services.contract.records import (
    Edge,
    GraphPath,
    GraphResult,
    LoanDetail,
    Page,
    Signal,
)


def heading(loan: LoanDetail, figures: LoanFigures) -> None:
    """What loan this is, in two lines, with badges of what sets it apart."""
    where = place(loan.property_city, loan.property_state)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="loan-heading"
    ):
        text.heading(f"{loan.loan_number} · {words(loan.property_type)} · {where}", level=2)
        shell.tab(f"{loan.loan_number}, {words(loan.property_type)}, {where}")
        badge.row(_badges(loan, figures))
    debt = figures.debt
    parts = (
        loan.lender_normalized,
        loan.origination_date and f"originated {day(loan.origination_date)}",
        debt.anticipated_repayment
        and f"repayment anticipated {_when(debt.anticipated_repayment, figures.as_of)}",
        loan.maturity_date and f"matures {_when(loan.maturity_date, figures.as_of)}",
        loan.extended.get("property_name"),
    )
    text.caption(" · ".join(str(part) for part in parts if part))


def _when(day_of: date, today: date) -> str:
    return f"{day(day_of)}, {distance(day_of, today)}"


def _badges(loan: LoanDetail, figures: LoanFigures) -> list[Badge]:
    found = []
    if loan.extended.get("partial_note"):
        said = (
            "The book value is one note of a larger loan; income and value are those of the whole "
            "property. Ratios use the whole loan's debt or are not given."
        )
        found.append(Badge("Pari passu or split note", "violet", said, glyph="◨"))
    if since := figures.special_servicing_since:
        said = "Transferred to the special servicer and not returned since."
        found.append(Badge(f"Special servicing since {day(since)}", "orange", said, glyph="▲"))
    found += [Badge(words(why), "gray", EXEMPT[why], glyph="✓") for why in figures.exempt]
    return found


def figures(loan: LoanDetail, found: LoanFigures, signals: Sequence[Signal] | None) -> None:
    """The headline: book value, coupon against the refi rate, coverage, what is short, signals.

    `signals` is None where they could not be asked for: that is not "no signal".
    """
    worst = max((signal.severity for signal in signals or ()), key=severity.rank, default=None)
    refi, in_place = found.refinance, found.income.in_place
    gap = refi.rate_gap.value
    at_refi = refi.graded(refi.dscr)
    kinds = ", ".join(words(s.signal_type).lower() for s in signals or () if s.severity == worst)
    none = "not known here" if signals is None else "no signal"
    row(
        [
            Figure("Book value", money(loan.book_value), _of_what(found)),
            Figure(
                "Coupon",
                percent(loan.interest_rate),
                f"refi {percent(refi.rate.value)} · {basis_points(gap)}",
                "Today's refinancing rate: reference rate plus the spread of the property type.",
            ),
            Figure(
                "DSCR",
                multiple(None if in_place is None else in_place.dscr),
                "exempt from the refi rate"
                if found.exempt
                else at_refi.written(lambda ratio: f"{multiple(ratio)} at the refi rate"),
                f"On {income.of_dscr(found.income)}; at the refi rate on that income of a year "
                "and the balance at maturity, in the convention in which the loan pays now.",
            ),
            _gap(found),
            Figure("Worst signal", severity.label(worst), kinds or none),
        ]
    )


def _of_what(found: LoanFigures) -> str:
    if found.debt.part and found.debt.whole.value is not None:
        least = "at least " if found.debt.at_least else ""
        return f"of {least}{money(found.debt.whole.value)} whole loan"
    layers = len(found.stack)
    return f"senior of {layers} layers" if layers > 1 else "one debt layer"


def _gap(found: LoanFigures) -> Figure:
    """What new proceeds would lack of the record's balance at maturity."""
    refi = found.refinance
    help_text = (
        "Balance at maturity less the largest new loan by DSCR, debt yield and LTV; the record's "
        "share where it is one note of a larger loan."
    )
    if found.exempt:
        return Figure("At refinance", "exempt", found.exempt[0], help_text)
    if refi.own_gap_usd.value is None:
        return Figure("At refinance", MISSING, refi.own_gap_usd.why, help_text)
    share = percent(abs(100 * (refi.gap.value or 0)), 0)
    note = f"{share} of the balance · {refi.binding} binds"
    gap = short(refi.own_gap_usd, at_least=found.debt.at_least)
    return Figure("At refinance", gap, note, help_text)


def worst_first(signals: Sequence[Signal]) -> list[Signal]:
    """Signals by severity, the worst first; unranked last."""
    return sorted(signals, key=lambda signal: -severity.rank(signal.severity))


def are_many(signals: Sequence[Signal] | None) -> bool:
    """Whether the card of these signals is longer than that of income."""
    return len(signals or ()) > 1


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
            f"No rule is about a loan that is {settled}."
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


def neighbours(result: GraphResult, page: Page[GraphPath]) -> None:
    """Parties one step away in the capital graph; the name opens the party."""
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
