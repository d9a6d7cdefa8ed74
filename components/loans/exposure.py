"""What the trust has out on a loan in trouble, against what the property is worth."""

from typing import Final

from components.kit import tables, text
from components.kit.card import card
from components.kit.fields import label
from components.kit.figure import Figure, row
from components.kit.formatting import MISSING, day, dollars, fraction, money, percent
from services.contract.disposition import COST_OF_SALE, SALES
from services.contract.glossary import MEANINGS
from services.contract.loan_figures import LENT_ON_VALUE, Exposure, LoanFigures
from services.contract.rounding import number_of

HEADING: Final = "Exposure"
#: What the expected loss rests on.
CAVEAT: Final = (
    f"Expected loss is exposure less the appraised value after {percent(100 * COST_OF_SALE, 0)}: "
    f"so much less did {SALES} sales of one trust (UBS 2017-C1) bring at the median. They ranged "
    "from 14% to 53%: too few to be a forecast."
)


def panel(figures: LoanFigures) -> None:
    """Exposure, appraisal reduction and expected loss; nothing where LTV is not of exposure."""
    found = figures.exposure
    if not found.counts:
        return
    with card(_title(found), part="exposure"):
        row([*_of_loan(figures), *_of_property(figures)], slim=True)
        listed = [{"Exposure": name, "Dollars": said} for name, said in _parts(figures)]
        text.closed("What it is made of", tables.of_figures(listed, HEADING), level=4)


def unpaid(found: Exposure) -> str:
    """Since when a late loan is not paid: "unpaid for 63 months"; empty where that is not known."""
    months = found.months_unpaid
    return f"unpaid for {number_of(months, 'month')}" if months else ""


def _title(found: Exposure) -> str:
    loss = found.expected_loss.value
    lost = (
        "" if loss is None else f", expected loss {money(loss)}" if loss else ", no loss expected"
    )
    return f"{HEADING}: {money(found.amount.value)}{lost}"


def _balance(figures: LoanFigures) -> tuple[str, float | None]:
    """The scheduled balance, or the book value where none is filed."""
    scheduled = figures.exposure.scheduled_balance
    if scheduled is None:
        return label("book_value"), figures.debt.balance
    return label("scheduled_balance"), scheduled


def _of_loan(figures: LoanFigures) -> list[Figure]:
    found = figures.exposure
    advances = [one for one in (found.payments, found.taxes, found.other) if one is not None]
    made_of = f"{money(_balance(figures)[1])} and {money(sum(advances))} advanced"
    through = found.paid_through
    return [
        Figure(label("paid_through"), day(through) if through else MISSING, unpaid(found)),
        Figure(
            label("exposure"),
            money(found.amount.value),
            made_of,
            MEANINGS["exposure"],
        ),
    ]


def _of_property(figures: LoanFigures) -> list[Figure]:
    found, income = figures.exposure, figures.income
    debt = figures.debt
    said = (("of the whole loan", debt.part), ("with mezzanine", debt.behind))
    of = ", ".join(word for word, holds in said if holds)
    least = "≥ " if debt.at_least and debt.ltv.value is not None else ""
    appraised = f"appraised {day(income.value_date)}" if income.value_date else "not dated"
    return [
        Figure("LTV on exposure", f"{least}{fraction(debt.ltv.value)}", debt.ltv.why or of),
        Figure(
            label("value"), money(income.value), f"{appraised}{', stale' if income.stale else ''}"
        ),
        Figure(
            label("computed_reduction"),
            money(found.reduction.value),
            found.reduction.why or f"over {percent(100 * LENT_ON_VALUE, 0)} of the value",
            MEANINGS["computed_reduction"],
        ),
        Figure(
            label("expected_loss"),
            money(found.expected_loss.value),
            found.expected_loss.why or f"value less {percent(100 * COST_OF_SALE, 0)}",
            CAVEAT,
        ),
    ]


def _parts(figures: LoanFigures) -> list[tuple[str, str]]:
    found, (balance, owed) = figures.exposure, _balance(figures)
    return [
        (balance, dollars(owed)),
        (label("payment_advances"), dollars(found.payments)),
        (label("tax_advances"), dollars(found.taxes)),
        (label("other_advances"), dollars(found.other)),
        (HEADING, found.amount.written(dollars)),
    ]
