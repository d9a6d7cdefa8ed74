"""Sizing defaults by property type, typed by hand."""

import pytest

from services.contract.schedule_al import PROPERTY_TYPES
from services.rates.spreads import Sizing, Sizings, sizing_of


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("multifamily", Sizing(8.0, 1.25, 0.75, 205, 30)),
        ("manufactured housing", Sizing(8.5, 1.25, 0.75, 215, 30)),
        ("cooperative housing", Sizing(8.0, 1.25, 0.75, 210, 30)),
        ("industrial", Sizing(9.0, 1.25, 0.70, 175, 30)),
        ("warehouse", Sizing(9.0, 1.25, 0.70, 175, 30)),
        ("self storage", Sizing(9.0, 1.30, 0.70, 200, 30)),
        ("retail", Sizing(10.0, 1.35, 0.70, 225, 30)),
        ("mixed use", Sizing(10.0, 1.35, 0.70, 190, 30)),
        ("office", Sizing(11.0, 1.40, 0.70, 245, 30)),
        ("lodging", Sizing(12.0, 1.50, 0.65, 300, 25)),
        ("health care", Sizing(12.0, 1.50, 0.65, 300, 25)),
        ("other", Sizing(10.0, 1.35, 0.70, 225, 30)),
        ("securities", Sizing(10.0, 1.35, 0.70, 225, 30)),
        ("data center", Sizing(10.0, 1.35, 0.70, 225, 30)),
        (" Office ", Sizing(11.0, 1.40, 0.70, 245, 30)),
    ],
)
def test_what_a_lender_asks_of_each_type(word, expected):
    assert sizing_of(word) == expected


def test_every_type_with_a_row_is_a_canonical_word():
    packaged = Sizings.packaged()
    assert set(PROPERTY_TYPES.values()) - set(packaged.by_type) == {"other", "securities"}
    assert len(packaged.by_type) == 11
    assert packaged.version == 2
