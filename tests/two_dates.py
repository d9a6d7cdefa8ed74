"""A book as of two dates, drawn by hand, of which some names try to be markup; and a source that is
there on the later date only.
"""

from datetime import date

from tests.world import Sketch, info_of

JULY, AUGUST, SEPTEMBER = date(2026, 7, 31), date(2026, 8, 31), date(2026, 9, 30)
DEAL, LATE = "made-up:Deal <b>One</b>", "made-up:Late"
HOSTILE = "<img src=x onerror=alert(1)> [x](//evil.example) $5 & $6"
#: A loan that nothing is wrong with.
SOUND = {
    "book_value": 10_000_000, "interest_rate": 7.5, "maturity_date": date(2035, 2, 28),
    "dscr": 1.8, "noi": 1_500_000, "occupancy": 0.95, "value": 25_000_000, "payment_status": "0",
}  # fmt: skip
#: Loan number -> facts as of August and as of September that differ from SOUND; None: not there.
LOANS = {
    "quiet": ({}, {}),
    "late": ({"book_value": 20_000_000}, {"book_value": 20_000_000, "payment_status": "3"}),
    "cured": ({"payment_status": "3"}, {}),
    "special": (
        {"book_value": 41_000_000, "property_state": "NY"},
        {"book_value": 41_000_000, "property_state": "NY",
         "special_servicing_since": date(2026, 9, 12)},
    ),
    "paid": ({"book_value": 5_000_000}, {"book_value": 0, "disposition": "paid off at maturity"}),
    "emptied": ({}, {"dscr": 0.9, "noi": 1_000_000, "occupancy": 0.7}),
    "left": ({"book_value": 3_000_000}, None),
    "came": (None, {"book_value": 4_000_000}),
    HOSTILE: ({}, {"payment_status": "2", "property_name": "<script>alert(2)</script>\nInn"}),
}  # fmt: skip


def book(when, key=DEAL, loans=LOANS):
    """The portfolio of a source as of one of the two dates."""
    side = 1 if when >= SEPTEMBER else 0
    sketch = Sketch(info_of(key, as_of=when, title=key.removeprefix("made-up:")))
    for number, facts in loans.items():
        if facts[side] is not None:
            named = {"property_name": f"Plaza {number[:8]}"}
            sketch.loan(number, **{**SOUND, **named, **facts[side]})
    return sketch.portfolio()


def late_source():
    """A source that came in September."""
    return book(SEPTEMBER, LATE, {"only now": (None, {})})
