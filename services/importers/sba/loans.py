"""One loan as SBA publishes it: its row of LOANS, its layers, its property."""

import tomllib
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Final

from services.contract.disposition import ENDED, LIQUIDATED, PREPAID, REPAID, standing
from services.importers.base import Facts, Field, Rules, load_rules
from services.importers.cmbs.property import as_json, further_facts
from services.importers.values import as_float, whole_dollars
from services.names.lenders import lender_kind

_FILE: Final = Path(__file__).with_name("sba.toml")
#: Kinds of file -> what each is called.
KINDS: Final = {
    "seven_a": "SBA 7(a) loans",
    "five_o_four": "SBA 504 loans",
    "study": "SBA loans, study of past ones",
}
RULES: Final[Rules] = load_rules(_FILE, tuple(KINDS))
_WORDS: Final = tomllib.loads(_FILE.read_text(encoding="utf-8"))
_MONTHS: Final = 12
_ZIP_DIGITS: Final = 5


def status(facts: Facts) -> str | None:
    """paid, charged off, standing; None where it is not known. A dated charge-off of dollars makes
    a charged-off loan of one that was paid in full later. Raises ValueError for no loan.
    """
    raw = facts.text("status")
    said: str | None = _WORDS["status"].get("".join((raw or "").upper().split()))
    if said == "none":
        raise ValueError(f"was never paid out: its status is {raw}")
    if facts.stated("charged_off") or facts.day("charged_off_on"):
        return "charged off"
    return "paid" if facts.day("paid_on") else said


def loan_values(facts: Facts, fields: dict[str, Field], became: str | None) -> dict[str, object]:
    """Its row of LOANS but for number, lender and tier."""
    balance = _balance(facts, became)
    loss = facts.stated("charged_off")
    approved = facts.stated("approved")
    ends = {"charged off": facts.day("charged_off_on"), "paid": facts.day("paid_on")}
    return {
        "book_value": balance,
        "interest_rate": as_float(facts.stated("rate")),
        "property_city": facts.text("city"),
        "property_state": facts.text("project_state") or facts.text("state"),
        "origination_date": facts.day("disbursed_on") or facts.day("approved_on"),
        "original_amount": whole_dollars(approved),
        "original_term_months": facts.whole("term_months") or None,
        "rate_type": _WORDS["rate_kinds"].get((facts.text("rate_kind") or "").upper()),
        "disposition": _disposition(facts, became, balance),
        "disposition_date": ends.get(became or ""),
        "realized_loss": whole_dollars(loss),
        "loss_of_original": round(float(loss / approved), 9) if loss and approved else None,
        "further": as_json({
            **further_facts(facts, fields),
            "approved_on": day.isoformat() if (day := facts.day("approved_on")) else None,
        }),
    }  # fmt: skip


def layers(
    facts: Facts, loan: int, lender: str | None, first: str | None, became: str | None
) -> list[dict[str, object]]:
    """Its stack: of a 504 loan the third party's loan before the debenture. Amounts are what is
    owed where the file says it, else what was approved.
    """
    owed = _balance(facts, became)
    amount = whole_dollars(facts.stated("approved")) if owed is None else owed
    rows = [(lender, amount, as_float(facts.stated("rate")))]
    if first is not None or facts.stated("first_amount") is not None:
        ended = became in {"paid", "charged off"}
        # Of the third party's loan the file says what it was, never how it ended.
        before = None if ended else whole_dollars(facts.stated("first_amount"))
        rows.insert(0, (first, before, None))
    return [
        {
            "loan": loan,
            "rank": rank,
            "position": "senior" if rank == 1 else "junior note",
            "layer": (lender_kind(who) if who else None) or "other",
            "lender": who,
            "amount": dollars,
            "interest_rate": rate,
        }
        for rank, (who, dollars, rate) in enumerate(rows, 1)
    ]


def property_values(facts: Facts, loan: int) -> dict[str, object]:
    """Where the business is, and the project's county; of the collateral nothing is said."""
    zip_code = facts.text("zip")
    return {
        "loan": loan,
        "address": facts.text("street"),
        "city": facts.text("city"),
        "state": facts.text("project_state") or facts.text("state"),
        "zip": zip_code and zip_code.zfill(_ZIP_DIGITS)[:_ZIP_DIGITS],
        "county": facts.text("county"),
    }


def _balance(facts: Facts, became: str | None) -> int | None:
    stated: Decimal | None = facts.number("balance")
    if stated is None and became in {"paid", "charged off"}:
        return 0
    return whole_dollars(stated)


def _disposition(facts: Facts, became: str | None, balance: int | None) -> str | None:
    """A payoff is early or at maturity only where it is dated."""
    if became == "charged off":
        return LIQUIDATED
    if became == "paid":
        paid, due = facts.day("paid_on"), _due(facts)
        if paid is None or due is None:
            return ENDED
        return PREPAID if paid < due else REPAID
    return standing(None if balance is None else float(balance), defeased=False)


def _due(facts: Facts) -> date | None:
    """First day of the month in which the term is over."""
    begins, months = facts.day("disbursed_on"), facts.whole("term_months")
    if begins is None or not months:
        return None
    ahead = begins.month - 1 + months
    return date(begins.year + ahead // _MONTHS, ahead % _MONTHS + 1, 1)
