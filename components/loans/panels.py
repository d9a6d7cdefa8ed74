"""The panels of one loan. Each takes what it shows and draws one bordered card."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from components.frame import links, records, states
from components.frame.routes import CAPITAL_GRAPH, ENTITY
from components.kit import fields, severity, text
from components.kit.figure import figure
from components.kit.formatting import (
    count,
    day,
    distance,
    money,
    percent,
    place,
    words,
)
from services.contract.loaded import RuleCard
from services.contract.records import (
    GraphPath,
    GraphResult,
    LoanDetail,
    Page,
    Signal,
)


def heading(loan: LoanDetail, today: date) -> None:
    """What loan this is, in two lines, with the badge of a partial note (D22)."""
    where = place(loan.property_city, loan.property_state)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="loan-heading"
    ):
        text.heading(f"{loan.loan_number} · {words(loan.property_type)} · {where}", level=2)
        if loan.extended.get("partial_note"):
            text.badge(
                "Pari passu or split note",
                "violet",
                icon="call_split",
                help_text="The book value is one note of a larger loan; income and value are those "
                "of the whole property. Ratios use the whole loan's debt or are not given (D22).",
            )
    parts = (
        loan.lender_normalized,
        loan.origination_date and f"originated {day(loan.origination_date)}",
        loan.maturity_date
        and f"matures {day(loan.maturity_date)}, {distance(loan.maturity_date, today)}",
        loan.extended.get("property_name"),
    )
    text.caption(" · ".join(str(part) for part in parts if part))


def figures(loan: LoanDetail, signals: Sequence[Signal] | None) -> None:
    """The headline: book value, coupon against the refi rate, what refinancing would take.

    `signals` is None where they could not be asked for: that is not "no signal".
    """
    extended = loan.extended
    layers = len(extended.get("debt_layers") or ())
    worst = max((signal.severity for signal in signals or ()), key=severity.rank, default=None)
    cells = st.columns(5, gap="small")
    with cells[0]:
        note = f"senior of {layers} layers" if layers > 1 else "one debt layer"
        if extended.get("partial_note") and extended.get("whole_loan_debt"):
            note = f"of {money(extended['whole_loan_debt'])} whole loan"
        figure("Book value", money(loan.book_value), note)
    with cells[1]:
        refi, gap = (
            fields.written(name, extended.get(name)) for name in ("refi_rate", "rate_gap_bp")
        )
        figure(
            "Coupon",
            percent(loan.interest_rate),
            f"refi {refi} · {gap}",
            "Today's refinancing rate: reference rate plus the spread of the property type.",
        )
    with cells[2]:
        figure(
            fields.label("proforma_dscr"),
            fields.written("proforma_dscr", extended.get("proforma_dscr")),
            f"in place {fields.written('dscr', extended.get('dscr'))}",
            "Income in place over the debt service of a new loan on the balance at maturity, in "
            "the convention in which the loan pays now.",
        )
    with cells[3]:
        proceeds = money(extended.get("max_proceeds"))
        figure(
            fields.label("dollars_short"),
            money(extended.get("dollars_short")),
            f"new proceeds {proceeds}",
            "What a new lender's proceeds (least of DSCR, debt yield and LTV of the property type) "
            "leave uncovered of the balance at maturity.",
        )
    with cells[4]:
        kinds = ", ".join(
            words(s.signal_type).lower() for s in signals or () if s.severity == worst
        )
        none = "not known here" if signals is None else "no signal"
        figure("Worst signal", severity.label(worst), kinds or none)


def worst_first(signals: Sequence[Signal]) -> list[Signal]:
    """Signals by severity, the worst first; unranked last."""
    return sorted(signals, key=lambda signal: -severity.rank(signal.severity))


def scored(signals: Sequence[Signal], rules: Sequence[RuleCard]) -> None:
    """Signals, each with what it rests on and the rule behind it, as it stood then."""
    cards = {card.id: card for card in rules}
    if not signals:
        states.nothing("No rule fired on this loan.")
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
                    f"Clears when {card.clears_when}.\n"
                    f"{card.remark}\nSource: {card.source}; rule version {card.version}, "
                    f"limits version {card.limits_version}.".replace("\n\n", "\n")
                )


def neighbours(result: GraphResult, page: Page[GraphPath]) -> None:
    """Parties one step away in the capital graph; choosing a row opens the party."""
    if not page.total:
        states.nothing("The capital graph holds no edge at this loan.")
        return
    rows = [
        {
            "Party": edge.target if edge.source == result.root else edge.source,
            "Relation": words(edge.relation),
            "Confidence": "—" if edge.confidence is None else f"{edge.confidence:.2f}",
        }
        for path in page.items
        for edge in path.edges[-1:]
    ]
    config = {"Confidence": st.column_config.TextColumn("Confidence", alignment="right")}
    names = [str(row["Party"]) for row in rows]
    records.openable(rows, config, names, "neighbours", "Neighbours", route=ENTITY)
    if page.total > len(rows):
        text.caption(f"{len(rows)} of {count(page.total)} neighbours.")
    links.link(CAPITAL_GRAPH, "Its capital graph", "hub", {"loan_number": result.root})
