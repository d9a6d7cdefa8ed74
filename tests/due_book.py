"""A made-up book of two sources, filed for three years, in which loans come due: each by a path of
its own.
"""

from datetime import date
from random import Random

from services.contract.months import months_after
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

QUARTERS = [months_after(date(2021, 3, 31), 3 * at) for at in range(13)]
#: The other source files every other quarter.
DAYS = {"pier": QUARTERS, "quay": QUARTERS[::2]}
LOANS = 110
#: What becomes of a loan around its due date, and how often.
FATES = (
    *["repaid"] * 8, *["discount"] * 2, *["sold"] * 2, *["owes"] * 4, *["extended"] * 3,
    "gone", "ended", "repurchased", "defeased", "REO", "extended before", "costly",
)  # fmt: skip
ENDS = {
    "repaid": {"disposition": "paid off at maturity"},
    "discount": {"disposition": "discounted payoff", "realized_loss": 900_000},
    "sold": {"disposition": "liquidated", "realized_loss": 2_000_000},
    "repurchased": {"disposition": "repurchased or substituted"},
    "costly": {"disposition": "paid off before maturity", "realized_loss": 1_000},
    "ended": {},
}


def _facts(rng):
    return {
        "property_state": rng.choice(["TX", "TX", "CA", "NY"]),
        "property_type": rng.choice(["office", "office", "retail", "lodging", None]),
        "noi": rng.choice([600_000, 700_000, 790_000, 950_000, 1_000_000, 1_100_000, 1_500_000]),
    }


def _sketch(source, day):
    sketch = Sketch(info_of(source, day))
    for at in range(LOANS):
        rng = Random(f"{source} {at}")
        facts = _facts(rng)
        due = date(2022, 1, 15) if rng.random() < 0.1 else months_after(
            date(2021, 9, 15), rng.randrange(36)
        )  # fmt: skip
        fate, when = rng.choice(FATES), months_after(due, rng.choice([-9, -2, 0, 1, 4, 8, 14]))
        unfiled = rng.random() < 0.1 and day < months_after(due, -rng.choice([3, 11]))
        happened = day >= when
        facts |= {"maturity_date": due, "book_value": rng.choice([10_000_000, 12_000_000])}
        if rng.random() < 0.2:
            facts["noi"] = None
        if unfiled or (fate == "gone" and happened):
            continue
        if fate in ENDS and happened:
            facts |= {"book_value": 0, **ENDS[fate]}
        if fate == "extended" and happened:
            facts["maturity_date"] = months_after(due, 12)
        if fate == "extended before" and day >= months_after(due, -20):
            facts["maturity_date"] = months_after(due, 6)
        if fate == "defeased" and happened:
            facts["defeasance"] = "F"
        if fate == "REO" and happened:
            facts |= {"workout": "7", "realized_loss": 500}
        sketch.loan(f"{source[0].upper()}-{at:03}", origination_date=date(2015, 5, 1), **facts)
    if source == "pier":
        _notes(sketch, day)
    return sketch.portfolio()


def _notes(sketch, day):
    """A loan filed as itself and as its two notes; one of these is paid off later than the loan."""
    shared = {
        "structure": "PP", "property_type": "retail", "origination_date": date(2015, 5, 1),
        "maturity_date": date(2023, 5, 1), "interest_rate": 4.5, "address": "1 Note Road",
        "noi": 3_000_000,
    }  # fmt: skip
    for number, balance in {"N": 30_000_000, "NA": 10_000_000, "NB": 20_000_000}.items():
        paid = day >= (date(2023, 9, 1) if number == "NA" else date(2023, 5, 1))
        ends = {"book_value": 0, **ENDS["repaid"]} if paid else {"book_value": balance}
        sketch.loan(number, **shared, original_amount=balance, **ends)


def filled(folder):
    """The folder, with a store of every filing in it."""
    made = [_sketch(source, day) for source, days in DAYS.items() for day in days]
    load_once(folder, made, rates=RATES)
    return folder
