"""Which loans must be refinanced and when, from raw rows: written from the design's table alone."""

from calendar import monthrange
from datetime import date

HORIZONS = ("past maturity", "within 12 months", "13 to 24 months", "25 to 60 months", "later",
            "no maturity date")  # fmt: skip


#: Ways in which a loan ended that no longer owes.
ENDED = {"paid off before maturity", "paid off at maturity", "discounted payoff", "liquidated",
         "repurchased or substituted", "ended for a reason not stated"}  # fmt: skip


def months_after(day, months):
    """The same day of a later month, or its last."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def why_not(row):
    """Why nobody refinances a loan; None where somebody must."""
    if row["book_value"] == 0 or (row.get("disposition") or "") in ENDED:
        return "without a balance"
    if (row["defeasance"] or "").strip().upper() == "F":
        return "defeased in full"
    if row["workout"] == "7":
        return "REO"
    kind, balloon = (row["payment_type"] or "").strip(), row["balloon"]
    repaid = kind in {"1", "4"} and balloon is not True
    unsaid = kind not in {"1", "2", "3", "4", "5", "6", "7", "8", "9"} and balloon is False
    return "repaid by its schedule" if repaid or unsaid else None


def effective(row):
    """The anticipated repayment date, unless the loan was extended after it; else maturity."""
    legal, anticipated = row["maturity_date"], row["ard_date"]
    if None in (legal, anticipated):
        return legal or anticipated
    on = row["modified_on"] if row["modification"] in {"1", "8"} else None
    return legal if on and anticipated <= on else min(legal, anticipated)


#: Fell due between the date of its source and that of the book (D212).
SINCE = "fell due after its source's date"


def due(row):
    """The day on which a loan must be refinanced; None without one, or where nobody must."""
    return None if why_not(row) else effective(row)


def due_within(row, today, months):
    day = due(row)
    return day is not None and today <= day <= months_after(today, months)


def horizon(row, today):
    """A word of HORIZONS; None where nobody refinances the loan."""
    if why_not(row):
        return None
    day = effective(row)
    if day is None:
        return "no maturity date"
    if day < (row["info"].as_of if "info" in row else row["as_of"]):
        return "past maturity"
    if day < today:
        return SINCE
    ends = zip((12, 24, 60), HORIZONS[1:], strict=False)
    return next((word for months, word in ends if day <= months_after(today, months)), "later")
