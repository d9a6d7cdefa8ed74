"""The columns of a result of loans: how each is written, and the sets to choose from."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

from components.frame import licence, session
from components.frame.ledger import Column
from components.kit import severity, text
from components.kit.fields import bound, written
from components.kit.formatting import MISSING, day, distance, fixed, money, percent, place, words
from services.contract.columns import COLUMN, ORDERS
from services.contract.facts import BOUNDED
from services.contract.glossary import MEANINGS
from services.contract.records import Loan
from services.contract.snapshot_info import Snapshot
from services.contract.watch_triggers import BASIS

Values = Mapping[str, Any]
#: Sets of columns by name.
Presets = Mapping[str, tuple[str, ...]]

#: The set that a list begins with.
MAIN: Final = "main"
#: That of the worst loans.
URGENT: Final = "urgent"
#: Sets by name, each after the columns that every result begins with.
PRESETS: Final[Presets] = {
    MAIN: ("worst_severity", "dollars_short", "dscr", "ltv", "book_value", "effective_maturity",
           "sponsor"),
    "terms": ("lender_normalized", "book_value", "interest_rate", "effective_maturity",
              "rate_pressure",
              "confidence_tier"),
    "credit": ("book_value", "worst_severity", "rank_in_type", "dscr", "ltv", "debt_yield", "noi",
               "occupancy", "payment_status"),
    "refinance": ("book_value", "effective_maturity", "interest_rate", "refi_rate", "rate_gap_bp",
                  "proforma_dscr", "dollars_short", "worst_severity"),
    URGENT: ("worst_severity", "dollars_short", "dscr", "book_value", "effective_maturity",
               "rate_gap_bp", "sponsor"),
    "endings": ("disposition", "disposition_date", "book_value", "owed_before", "realized_loss",
                "loss_of_owed", "loss_of_original", "ending_as_of"),
    "exposure": ("payment_status", "months_unpaid", "book_value", "exposure", "ltv",
                 "computed_reduction", "expected_loss"),
    "watchlist": ("computed_triggers", "watchlist_triggers", "payment_status", "book_value",
                  "dscr", "underwritten_dscr", "occupancy", "effective_maturity",
                  "untested_triggers"),
    "underwriting": ("book_value", "underwritten_markup", "noi_room", "filed_over_implied", "dscr",
                     "underwritten_noi", "noi", "lender_normalized"),
    "parties": ("book_value", "worst_severity", "sponsor", "contagion", "sponsor_share", "owner",
                "borrower", "lender_normalized", "confidence_tier"),
}  # fmt: skip
#: What the API's list of loans has.
LISTED: Final = tuple(name for name in Loan.model_fields if name in COLUMN)
#: What every result begins with.
FIRST: Final = ("loan_number", "property_type", "property_city")
_MATURES: Final = "effective_maturity"
_COVERAGE: Final = frozenset({"dscr", "proforma_dscr"})
#: The usual minimum of a DSCR.
_AMPLE: Final = 1.25
_SHORT: Final = frozenset({"book_value", "dollars_short", "worst_severity", "rate_pressure"})
#: How a list writes what the loan's own page writes in another way: by name or kind.
_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "interest_rate": percent,
    "borrower": str,
    "sponsor": str,
    "owner": str,
    "disposition": words,
    "dollars": money,
    "severity": severity.label,
    "tier": words,
    "percentile": lambda value: f"P{fixed(value)}",
}
_GLOSSED: Final = ("exposure", "computed_reduction", "expected_loss", "noi_room",
                   "underwritten_markup", "filed_over_implied")  # fmt: skip
_HELP: Final = {
    "book_value": "Carrying amount in US dollars.",
    "confidence_tier": "Tier of the weakest link of the resolved ownership chain.",
    "dscr": "Of the latest filed period, else as underwritten. Orange under 1.25x, red under 1x.",
    "rank_in_type": "P94: more urgent than 94 % of the loans of its type. Worst signal first, then "
    "dollars short, DSCR under the type's minimum, book value. An order, never a probability.",
    "sponsor": "The party in the role sponsor, over probable links. Of several, the one with the "
    "largest book; the Sponsors page counts the loan under each of them.",
    "contagion": "CT-1: what distressed loans under the same sponsor or owner come to. A lead: no "
    "worst signal counts it.",
    "owner": "Who owns the sponsor or the borrower, over probable links. Of several, the one with "
    "the largest book.",
    "effective_maturity": "The anticipated repayment date where there is one, else maturity as "
    "extended.",
    "maturity_date": "As filed, after the last extension; the anticipated repayment date may lie "
    "before it.",
    "dollars_short": "Debt due with the loan less the largest new loan at today's refi rate; of "
    "one note of a larger loan its own share. None for loans that are not refinanced.",
    **dict.fromkeys(
        ("max_proceeds", "refi_debt_service"),
        "Of the whole loan, with the mezzanine debt behind it.",
    ),
    "ltv": "Debt due with the loan over the appraised value; of a loan that is 30 days late or "
    "more, in special servicing or REO its exposure. ≥ where more is due than is known.",
    **{name: MEANINGS[name] for name in _GLOSSED},
    "computed_triggers": f"{BASIS} The glossary says what each means.",
    "disposition": "How the loan stands or ended; a balance of 0 alone does not tell.",
    "realized_loss": "What the trust or lender lost, as the source states it.",
    "loss_of_owed": "Realized loss over what was owed when the period began in which it ended.",
    "as_of": "The date of the loan's source, at which it is scored.",
    "proforma_dscr": "In the convention in which the loan pays now, on the balance at maturity.",
}


def names_of(chosen: str, presets: Presets = PRESETS) -> tuple[str, ...]:
    """The columns that `chosen` means, a preset or names with commas between, first ones first."""
    listed = presets.get(chosen) or tuple(chosen.split(","))
    return tuple(dict.fromkeys((*FIRST, *(name for name in listed if name in COLUMN))))


def begun(chosen: str) -> tuple[str, ...]:
    """The columns of a list of loans; an API without its mirror has not those of MAIN."""
    return names_of("terms" if chosen == MAIN and not session.mirrored() else chosen)


def filled(chosen: str, names: tuple[str, ...], rows: Iterable[Values]) -> tuple[str, ...]:
    """The same with the lender or deal in place of the sponsor where the rows have none to show."""
    if chosen not in (MAIN, URGENT) or any(row.get("sponsor") for row in rows):
        return names
    return tuple("lender_normalized" if name == "sponsor" else name for name in names)


def dated(names: Sequence[str]) -> tuple[str, ...]:
    """The same, with the as-of date where the book has sources that are old beside its newest."""
    return with_dates(names, session.analytics().snapshot()) if session.mirrored() else tuple(names)


def with_dates(names: Sequence[str], snapshot: Snapshot) -> tuple[str, ...]:
    """The same of a snapshot, outside a page's run."""
    return tuple(dict.fromkeys((*names, *(("as_of",) if snapshot.has_old_sources else ()))))


def needed(names: Sequence[str]) -> tuple[str, ...]:
    """What has to be asked for: these columns, what tells bounds from figures among them, and those
    that the API's list has.
    """
    told = ("debt_at_least",) if BOUNDED.intersection(names) else ()
    return tuple(dict.fromkeys((*LISTED, *names, *told)))


def opened(names: Sequence[str]) -> tuple[str, ...]:
    """What a page asks for: those needed that the tier opens that it is seen as (D82)."""
    return licence.columns(needed(names))


def chooser(chosen: str, presets: Presets = PRESETS) -> None:
    """The choice of columns; it goes to the address by the session's "columns"."""
    with st.popover(text.label("Columns"), icon=":material/view_column:"):
        st.pills(
            "Set",
            list(presets),
            default=chosen if chosen in presets else None,
            key="column set",
            format_func=lambda name: text.label(words(name)),
            on_change=_take_preset,
        )
        now = [name for name in licence.columns(names_of(chosen, presets)) if name not in FIRST]
        st.session_state["columns chosen"] = now
        st.multiselect(
            "Columns, in this order",
            [name for name in licence.columns(COLUMN) if name not in FIRST],
            key="columns chosen",
            format_func=lambda name: text.label(COLUMN[name].label),
            on_change=partial(_take_columns, presets),
        )


def _take_preset() -> None:
    if preset := st.session_state["column set"]:
        st.session_state["columns"] = preset


def _take_columns(presets: Presets) -> None:
    listed = ",".join(st.session_state["columns chosen"])
    same = next((name for name, preset in presets.items() if ",".join(preset) == listed), listed)
    st.session_state["columns"] = same or next(iter(presets))


def columns(
    names: Sequence[str], today: date, *, order: bool, aged: str = ""
) -> tuple[Column[Values], ...]:
    """Columns of a result; `order` says whether their heads order all of it. Those of parties are
    left out where the tier that pages are seen as does not open them (D82). `aged` is what heads
    of refinance figures say of spreads that do not fit.
    """
    made = []
    for name in licence.columns(names):
        made.append(_column(name, aged, order=order and name in ORDERS))
        if name == _MATURES:
            made.append(_due(today))
    return tuple(made)


def _column(name: str, aged: str, *, order: bool) -> Column[Values]:
    fact = COLUMN[name]
    said = (_HELP.get(name), aged if fact.at_refi_rate else "")
    return Column(
        name,
        "City" if name == "property_city" else fact.label,
        lambda values: _written(name, values),
        figure=fact.is_figure,
        order=order,
        help=" ".join(one for one in said if one) or None,
        short=name in _SHORT,
        tint=(lambda values: coverage(values.get(name))) if name in _COVERAGE else None,
        bar=(lambda values: values.get(name)) if name == "dollars_short" else None,
    )


def coverage(ratio: float | None) -> Literal["weak", "bad"] | None:
    """How a DSCR is drawn: bad where income does not cover the debt service, weak under 1.25x."""
    if ratio is None or ratio >= _AMPLE:
        return None
    return "bad" if ratio < 1 else "weak"


def _due(today: date) -> Column[Values]:
    return Column(
        "due",
        "Due",
        lambda values: distance(_value(_MATURES, values), today),
        figure=True,
        help=f"Counted from {day(today)}.",
    )


def _written(name: str, values: Values) -> str:
    """A value as a list shows it: money and coupons shorter than on the loan's own page."""
    value = _value(name, values)
    if name == "property_city":
        return place(value, values.get("property_state"))
    if value is None:
        return MISSING
    write = _WRITERS.get(name) or _WRITERS.get(COLUMN[name].kind)
    said = write(value) if write else written(name, value)
    return bound(name, values) + said if name in BOUNDED else said


def _value(name: str, values: Values) -> Any:  # noqa: ANN401 - of any column
    """A value; an API without its mirror states the legal maturity alone, which counts there."""
    unknown = name == _MATURES and _MATURES not in values
    return values.get("maturity_date" if unknown else name)
