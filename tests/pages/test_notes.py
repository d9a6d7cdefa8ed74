"""A loan's notes on its page, and counts of loans and notes (D151, D152)."""

from types import SimpleNamespace

import pytest

from components.kit.formatting import loan_count
from components.loans import conventions
from services.contract.loan_figures import Both, Figure
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import said
from tests.pilot_street import pilot_street
from tests.publishing import load_once

NOTES = "Notes of this loan"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notes")
    load_once(folder, pilot_street())
    return folder


def test_the_page_of_a_record_lists_the_notes_of_its_loan(visit, store):
    """15 million are filed as a whole and as notes of 10 and 5; another trust holds 20."""
    app = visit("pages/loan.py", store, {"loan_number": "note-1"})
    rows = {row["Record"]: row for row in ledgers(app)[NOTES]}
    assert {number: row["Book value"] for number, row in rows.items()} == {
        "note-1": "$15.0M",
        "note-1A": "$10.0M",
        "note-1B": "$5.0M",
        "other-9": "$20.0M",
    }
    assert rows["note-1"]["Part"] == "sum of its notes"
    assert rows["other-9"]["Source"] == "Book of street"
    assert len(addresses(app, NOTES)) == 4
    assert "Together $35.0M" in said(app)
    assert "totals leave its amounts out" in said(app)


def test_a_record_that_is_alone_has_no_such_list(visit, store):
    app = visit("pages/loan.py", store, {"loan_number": "note-2"})
    assert NOTES not in ledgers(app)


def test_loans_and_notes_are_told_apart_where_they_differ():
    assert loan_count(1, 1, 1) == "1 loan"
    assert loan_count(1_500, 1_500) == "1,500 loans"
    assert loan_count(56, 57) == "56 loans in 57 notes"
    assert loan_count(56, 57, 58) == "58 records: 56 loans in 57 notes"


def test_every_refinance_ratio_of_a_part_is_a_bound():
    class Refi:
        interest_only_graded = True
        service = dscr = required_noi = break_even = Both(Figure(2.0), Figure(-1.0))
        shock = Figure(0.1)

    bound, whole = (SimpleNamespace(at_least=one, part=one) for one in (True, False))
    first = {name: next(v for k, v in row.items() if k.startswith("Interest only"))
             for row in conventions.rows(Refi, bound)
             for name in [row["A year at the refi rate, whole loan"]]}  # fmt: skip
    assert {name: said[0] for name, said in first.items()} == {
        "Debt service": "≥",
        "DSCR": "≤",
        "Required NOI": "≥",
        "Payment shock": "+",
        "Break-even rate, 1.00x": "≤",
    }
    assert conventions.rows(Refi, bound)[1]["Amortising"] == "−1.00x"
    plain = [one for row in conventions.rows(Refi, whole) for one in row.values()]
    assert not any("≥" in one or "≤" in one for one in plain)
