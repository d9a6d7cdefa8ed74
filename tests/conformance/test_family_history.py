"""The sums of a family's months, of a store and of mirrors, against the oracle (D170)."""

import pytest

from services.contract.families import FamilyFilter
from services.contract.vocabulary import SEVERE_OR_WORSE


def test_the_newest_month_of_each_family_is_what_its_loans_owe_today(held):
    """Each source of the book is one period, all of one month."""
    families = held.oracle.families(FamilyFilter(kind="either", per_page=100)).items
    assert len(families) > 5
    for one in families:
        owing = [
            loan for loan in held.oracle.family(one.entity_name).loans if (loan.book_value or 0) > 0
        ]
        months = held.source.family_history(one.entity_name).months
        assert len(months) == bool(owing)
        for month in months:
            assert month.missing == ()
            assert month.balance == sum(loan.book_value for loan in owing)
            assert month.loans == len(owing)
            assert month.severe_loans <= sum(loan.worst in SEVERE_OR_WORSE for loan in owing)


def test_a_family_is_asked_by_its_exact_name(held):
    with pytest.raises(Exception, match="nobody at all"):
        held.source.family_history("nobody at all")
