"""What changed since a user last saw a loan or a party, in words (D79)."""

from datetime import date

import pytest

from components.desk.changes import GONE, changes
from services.contract.desk import Seen

BEFORE = {
    "worst_severity": "elevated", "payment_status": "0", "book_value": 12_400_000, "dscr": 1.312,
    "maturity_date": "2027-03-15", "borrower": "Elm LLC", "sponsor": "Oak Capital",
}  # fmt: skip


def seen(signals=None, **facts):
    return Seen(
        snapshot_id="one",
        as_of=date(2026, 9, 30),
        facts={**BEFORE, **facts},
        signals={"rate_pressure": "elevated"} if signals is None else signals,
    )


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ({}, ()),
        ({"worst_severity": "critical"}, ("Worst signal ▲ elevated → ⬢ critical",)),
        ({"payment_status": "3"}, ("Payment status 0: current → 3: 90 or more days delinquent",)),
        ({"book_value": 12_380_113}, ("Book value $12,400,000 → $12,380,113",)),
        ({"dscr": 1.12}, ("DSCR 1.31x → 1.12x",)),
        ({"dscr": 1.3149}, ()),  # both are written 1.31x
        ({"dscr": None}, ("DSCR 1.31x → —",)),
        ({"maturity_date": "2028-03-15"}, ("Legal maturity 15 Mar 2027 → 15 Mar 2028",)),
        ({"sponsor": "Ash Partners"}, ("Sponsor Oak Capital → Ash Partners",)),
        ({"signals": {}}, ("Signal cleared: Rate pressure, was ▲ elevated",)),
        ({"signals": {"rate_pressure": "severe"}}, ("Rate pressure ▲ elevated → ◆ severe",)),
        (
            {"signals": {"rate_pressure": "elevated", "maturity_timing": "severe"}},
            ("New signal: Maturity timing ◆ severe",),
        ),
        (
            {"dscr": 1.0, "borrower": None},
            ("DSCR 1.31x → 1.00x", "Borrower Elm LLC → —"),
        ),
    ],
)
def test_a_change_is_told_with_what_was_and_what_is(after, said):
    assert changes(seen(), seen(**after)) == said


def test_signals_come_first_whatever_else_changed():
    after = seen({"concentration_risk": "severe"}, worst_severity="severe", dscr=1.0)
    assert changes(seen(), after) == (
        "Worst signal ▲ elevated → ◆ severe",
        "New signal: Concentration risk ◆ severe",
        "Signal cleared: Rate pressure, was ▲ elevated",
        "DSCR 1.31x → 1.00x",
    )


def test_a_party_tells_its_loans_signals_and_owners():
    before = seen({}, loans=4, owners="A", **{"critical signals": 1})
    after = seen({}, loans=5, owners="A, B", **{"critical signals": 3})
    assert changes(before, after) == ("Loans 4 → 5", "Owners A → A, B", "Critical signals 1 → 3")


def test_what_the_book_no_longer_holds_is_gone():
    assert changes(seen(), None) == changes(None, None) == (GONE,)


def test_what_was_never_compared_has_not_changed():
    assert changes(None, seen()) == ()
    assert changes(seen(), seen(occupancy=0.9)) == ()
