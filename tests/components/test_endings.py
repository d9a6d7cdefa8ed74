"""What the head of a loan's page and a result say of how loans ended (D150)."""

from datetime import date

import pytest

from components.loans import dispositions, ending
from services.contract.aggregates import Disposed
from services.contract.disposition import DISPOSITIONS
from services.contract.records import LoanDetail

LIQUIDATED = {
    "disposition": "liquidated",
    "disposition_date": "2024-02-29",
    "original_amount": 22_000_000,
    "realized_loss": 11_874_863,
    "owed_before": 18_828_946,
    "loss_of_owed": 0.630670617,
    "loss_of_original": 0.5397665,
    "principal_received": 6_954_082,
}


def loan(book_value=0, **facts):
    return LoanDetail(loan_number="14", book_value=book_value, extended=facts)


def test_a_liquidation_says_its_loss_in_dollars_and_shares():
    assert ending.said(loan(**LIQUIDATED)) == (
        "Liquidated, 29 Feb 2024:",
        "$11,874,863 lost, 63.1% of the $18,828,946 owed before, 54.0% of the original amount.",
    )
    # Later filings do not repeat what was owed before.
    later = {**LIQUIDATED, "owed_before": None, "loss_of_owed": None, "disposition_date": None}
    assert ending.said(loan(**later)) == (
        "Liquidated, date not stated:",
        "$11,874,863 lost, 54.0% of the original amount.",
    )


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (
            {"disposition": "paid off before maturity", "disposition_date": date(2021, 8, 5),
             "principal_received": 34_000_000},
            ("Paid off before maturity, 5 Aug 2021:", "$34,000,000 received."),
        ),
        (
            {"disposition": "paid off at maturity", "disposition_date": "soon"},
            ("Paid off at maturity, date not stated:", "in full."),
        ),
        (
            {"disposition": "liquidated", "realized_loss": 0},
            ("Liquidated, date not stated:", "without a realized loss."),
        ),
        (
            {"disposition": "discounted payoff"},
            ("Discounted payoff, date not stated:", "the loss is not stated."),
        ),
        (
            {"disposition": "repurchased or substituted"},
            ("Repurchased or substituted, date not stated:", "nothing is owed any more."),
        ),
        # No figure says how a loan ended.
        ({}, ("Nothing is owed.", "The source does not say how the loan ended.")),
        (
            {"disposition": "sold to the moon"},
            ("Nothing is owed.", "The source does not say how the loan ended."),
        ),
    ],
)  # fmt: skip
def test_each_other_end_is_said_as_far_as_it_is_known(facts, said):
    assert ending.said(loan(**facts)) == said


def test_a_loan_that_owes_says_nothing_but_a_loss():
    for how in ("outstanding", "defeased in full"):
        assert ending.said(loan(5, disposition=how, realized_loss=0)) is None
        assert ending.badge(loan(5, disposition=how)) is None
    written_down = loan(5, disposition="outstanding", realized_loss=250_000)
    assert ending.said(written_down) == ("Realized loss:", "$250,000 lost.")
    assert ending.said(LoanDetail(loan_number="1")) is None


def test_a_loss_is_told_by_a_sign_and_a_word_too():
    found = ending.badge(loan(**LIQUIDATED))
    assert (found.glyph, found.body, found.colour) == ("▼", "Liquidated", "orange")
    paid = ending.badge(loan(disposition="paid off at maturity"))
    assert (paid.glyph, paid.body, paid.colour) == ("✓", "Paid off at maturity", "gray")


def counted(how, loans, book_value=0, loss=0, losing=0):
    return Disposed(
        disposition=how, loans=loans, book_value=book_value, realized_loss=loss, loss_loans=losing
    )


def test_a_line_adds_up_how_loans_stand():
    found = [
        counted("outstanding", 41, 482_000_000),
        counted("paid off at maturity", 2),
        counted("liquidated", 3, loss=21_158_837, losing=3),
        counted(None, 1),
    ]
    assert dispositions.said(found) == (
        "41 outstanding ($482.0M); 2 paid off at maturity; 3 liquidated ($21.2M lost); "
        "1 no balance known."
    )
    assert len(DISPOSITIONS) == 8
