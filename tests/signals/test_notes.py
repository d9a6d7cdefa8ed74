"""Pins D151: which records are notes of one loan, and which are the sum of some."""

from datetime import date

import pytest

from services.contract.portfolio import LOANS, shaped
from services.signals.notes import notes_of

#: UBS 2017-C1, December 2019: record 10 is filed beside its notes 10A and 10B.
BAYPOINT = {
    "structure": "PP",
    "address": "877 EXECUTIVE CENTER DRIVE",
    "property_state": "FL",
    "origination_date": date(2017, 4, 7),
    "maturity_date": date(2027, 4, 6),
    "lender_normalized": "UBS AG",
    "interest_rate": 4.733,
    "underwritten_ncf": 4_467_708,
}
FILED = (
    ("UBS 2017-C1:10", 15_000_000, 14_854_409),
    ("UBS 2017-C1:10B", 5_000_000, 4_951_470),
    ("UBS 2017-C1:10A", 10_000_000, 9_902_939),
)


def record(number, lent, owed, **facts):
    amounts = {"loan_number": number, "original_amount": lent, "book_value": owed}
    return {**BAYPOINT, **amounts, **facts}


def found(*rows):
    """By number: the loan that it is a note of, and whether it is the sum of its notes."""
    of = notes_of(shaped(LOANS, {n: [row.get(n) for row in rows] for n in LOANS.names}))
    named = zip(of.whole_loan.to_pylist(), of.sums_notes.tolist(), strict=True)
    return {row["loan_number"]: pair for row, pair in zip(rows, named, strict=True)}


def test_a_record_that_its_notes_add_up_to_stands_for_them():
    assert found(*(record(*one) for one in FILED)) == {
        "UBS 2017-C1:10": ("UBS 2017-C1:10", True),
        "UBS 2017-C1:10B": ("UBS 2017-C1:10", False),
        "UBS 2017-C1:10A": ("UBS 2017-C1:10", False),
    }


@pytest.mark.parametrize("owed", [4_951_400, 4_952_000, None])
def test_a_record_whose_notes_add_up_to_something_else_is_a_note_itself(owed):
    parent, second, first = (record(*one) for one in FILED)
    of = found(parent, {**second, "book_value": owed}, first)
    assert of == dict.fromkeys(of, ("UBS 2017-C1:10", False))


def test_one_note_alone_is_no_sum():
    of = found(record("D:10", 5, 5), record("D:10A", 5, 5))
    assert of == {"D:10": ("D:10", False), "D:10A": ("D:10", False)}


def test_notes_in_two_trusts_are_one_loan():
    """Another seller's note: it is of the same underwritten income, on the same address."""
    other = {"address": "877 Executive Center Drive.", "lender_normalized": "Natixis"}
    of = found(record("A:3", 10, 10), record("B:7", 20, 20, **other))
    assert of == {"A:3": ("A:3", False), "B:7": ("A:3", False)}
    senior = record("A:3", 10, 10, structure="A1", interest_rate=4.1)
    assert (
        found(senior, record("B:7", 20, 20, structure="B1", interest_rate=6.0))["B:7"][0] == "A:3"
    )


@pytest.mark.parametrize(
    "differs",
    [
        {"structure": "WL"},
        {"structure": None},
        {"address": "879 EXECUTIVE CENTER DRIVE"},
        {"address": None},
        {"property_state": "GA"},
        {"origination_date": date(2017, 4, 8)},
        {"origination_date": None},
        {"maturity_date": date(2027, 5, 6)},
        {"interest_rate": 4.74},
        {"lender_normalized": "Natixis", "underwritten_ncf": 4_467_709},
        {"lender_normalized": "Natixis", "underwritten_ncf": None},
        {"lender_normalized": None, "underwritten_ncf": None},
    ],
    ids=str,
)
def test_without_all_of_the_evidence_records_stay_apart(differs):
    of = found(record("A:3", 10, 10), record("B:7", 20, 20, **differs))
    assert of == {"A:3": (None, False), "B:7": (None, False)}


def test_a_third_note_joins_two_that_share_nothing_else():
    one = record("A:1", 1, 1, lender_normalized="Bank", underwritten_ncf=None)
    two = record("B:1", 1, 1, lender_normalized="Insurer", underwritten_ncf=7)
    both = record("C:1", 1, 1, lender_normalized="Bank", underwritten_ncf=7)
    assert {whole for whole, _ in found(one, two, both).values()} == {"A:1"}
    assert {whole for whole, _ in found(one, two).values()} == {None}
