"""Sizing defaults by property type, typed by hand."""

import pytest

from services.contract.loan_figures import LenderTerms
from services.contract.schedule_al import PROPERTY_TYPES
from services.rates.spreads import Sizings


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("multifamily", LenderTerms(8.0, 1.25, 0.75, 205, 30)),
        ("manufactured housing", LenderTerms(8.5, 1.25, 0.75, 215, 30)),
        ("cooperative housing", LenderTerms(8.0, 1.25, 0.75, 210, 30)),
        ("industrial", LenderTerms(9.0, 1.25, 0.70, 175, 30)),
        ("warehouse", LenderTerms(9.0, 1.25, 0.70, 175, 30)),
        ("self storage", LenderTerms(9.0, 1.30, 0.70, 200, 30)),
        ("retail", LenderTerms(10.0, 1.35, 0.70, 225, 30)),
        ("mixed use", LenderTerms(10.0, 1.35, 0.70, 190, 30)),
        ("office", LenderTerms(11.0, 1.40, 0.70, 245, 30)),
        ("lodging", LenderTerms(12.0, 1.50, 0.65, 300, 25)),
        ("health care", LenderTerms(12.0, 1.50, 0.65, 300, 25)),
        ("other", LenderTerms(10.0, 1.35, 0.70, 225, 30)),
        ("securities", LenderTerms(10.0, 1.35, 0.70, 225, 30)),
        ("data center", LenderTerms(10.0, 1.35, 0.70, 225, 30)),
        (" Office ", LenderTerms(11.0, 1.40, 0.70, 245, 30)),
    ],
)
def test_what_a_lender_asks_of_each_type(word, expected):
    assert Sizings.packaged().of(word) == expected


def test_every_type_with_a_row_is_a_canonical_word():
    packaged = Sizings.packaged()
    assert set(PROPERTY_TYPES.values()) - set(packaged.by_type) == {"other", "securities"}
    assert len(packaged.by_type) == 11
    assert packaged.version == 3
