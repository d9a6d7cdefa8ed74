import pytest

from services.contract.schedule_al import PROPERTY_TYPES
from services.rates.spreads import KNOWN_TYPES, VERSION, Sizing, sizing_of


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("multifamily", Sizing(8.0, 1.25, 205, 30)),
        ("manufactured housing", Sizing(8.5, 1.25, 215, 30)),
        ("cooperative housing", Sizing(8.0, 1.25, 210, 30)),
        ("industrial", Sizing(9.0, 1.25, 175, 30)),
        ("warehouse", Sizing(9.0, 1.25, 175, 30)),
        ("self storage", Sizing(9.0, 1.30, 200, 30)),
        ("retail", Sizing(10.0, 1.35, 225, 30)),
        ("mixed use", Sizing(10.0, 1.35, 190, 30)),
        ("office", Sizing(11.0, 1.40, 245, 30)),
        ("lodging", Sizing(12.0, 1.50, 300, 25)),
        ("health care", Sizing(12.0, 1.50, 300, 25)),
        ("other", Sizing(10.0, 1.35, 225, 30)),
        ("securities", Sizing(10.0, 1.35, 225, 30)),
        ("data center", Sizing(10.0, 1.35, 225, 30)),
        (" Office ", Sizing(11.0, 1.40, 245, 30)),
    ],
)
def test_sizing_defaults_are_those_of_the_design(word, expected):
    assert sizing_of(word) == expected


def test_every_type_with_a_row_is_a_canonical_word():
    assert set(PROPERTY_TYPES.values()) - KNOWN_TYPES == {"other", "securities"}
    assert len(KNOWN_TYPES) == 11
    assert VERSION == 2
