"""A made-up book filed four times: loans that fall late, cure, go to special servicing and end."""

from datetime import date
from random import Random

from tests.publishing import load
from tests.world import RATES, Sketch, info_of

#: Two filings in March, of which the later counts; the other source files twice.
DAYS = [date(2024, 2, 29), date(2024, 3, 8), date(2024, 3, 29), date(2024, 4, 30)]
LOANS = 120
QUAY_DAYS = [DAYS[0], DAYS[3]]
#: A loan filed as itself and as its two notes, and another of two notes alone. Of each the note A
#: falls late by itself.
NOTES = {
    "N": 30_000_000, "NA": 10_000_000, "NB": 20_000_000,
    "MA": 5_000_000, "MB": 7_000_000,
}  # fmt: skip
NOTE = {
    "structure": "PP", "property_state": "TX", "property_type": "office",
    "origination_date": date(2019, 2, 28), "maturity_date": date(2029, 2, 28),
    "interest_rate": 4.5, "lender_normalized": "Pier Bank", "dscr": 1.1,
}  # fmt: skip


def harbour(day):
    """The larger source as of a day: each loan's path is its own, drawn by its number."""
    sketch = Sketch(info_of("harbour", day))
    for at in range(LOANS):
        rng = Random(at)
        paths = [rng.choice("0000AB12345Z") for _ in DAYS]
        special = rng.choice([None, None, None, *DAYS])
        ends, leaves = rng.choice([None] * 8 + DAYS), rng.choice([None] * 12 + DAYS)
        facts = {
            "property_state": rng.choice(["TX", "TX", "TX", "CA", "NY", "VT", None]),
            "property_type": rng.choice(["office", "office", "retail", "lodging", None]),
            "origination_date": rng.choice([date(2015, 5, 1), date(2019, 2, 28), None]),
            "interest_rate": rng.choice([3.5, 4.5, 6.5, 7.5]),
            "maturity_date": rng.choice([date(2024, 12, 31), date(2025, 9, 30), date(2029, 2, 28)]),
            "dscr": rng.choice([0.8, 1.1, 1.3, 1.9, None]),
            "noi": rng.choice([400_000, 900_000, None]),
            "occupancy": rng.choice([0.55, 0.8, 0.95, None]),
        }
        balance = rng.choice([None, 2_000_000, 10_000_000, 31_000_000])
        if leaves and leaves <= day:
            continue
        sketch.loan(
            f"H-{at:03}",
            payment_status=paths[DAYS.index(day)],
            workout=rng.choice([None] * 9 + ["2", "7", "10", "1"]),
            special_servicing_since=special if special and special <= day else None,
            book_value=0 if ends and ends <= day else balance,
            **facts,
        )
    for number, balance in NOTES.items():
        late = number.endswith("A") and day >= DAYS[2]
        sketch.loan(
            number,
            **NOTE,
            address=f"1 {number[0]} Road",
            book_value=balance,
            original_amount=balance,
            payment_status="1" if late else "0",
            special_servicing_since=DAYS[3] if day == DAYS[3] else None,
        )
    return sketch.portfolio()


def quay(day):
    """Another source, of which March has nothing."""
    sketch = Sketch(info_of("quay", day))
    for at in range(14):
        status = "1" if day == QUAY_DAYS[1] and at < 3 else "0"
        facts = {"property_state": "WA", "payment_status": status, "book_value": 1_000_000 * at}
        sketch.loan(f"Q-{at:02}", **facts)
    return sketch.portfolio()


def filled(folder):
    """A store of both sources, every filing a period."""
    filings = [*map(harbour, DAYS), *map(quay, QUAY_DAYS)]
    load(folder, filings, rates=RATES)
    return folder
