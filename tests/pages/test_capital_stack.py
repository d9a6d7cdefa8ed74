"""The capital stack of a loan whose layers cannot be drawn to scale."""

from itertools import product

import pytest

from tests.publishing import load
from tests.world import RATES, Sketch, info_of

#: Number of a loan -> its structure, and the amount of loan and layers.
LOANS = dict(zip("123456789", product(["XX", "A1", "WL"], [1_000_000, 0, None]), strict=True))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stacks") / "store"
    s = Sketch(info_of("stacks"))
    for number, (structure, amount) in LOANS.items():
        s.loan(number, structure=structure, book_value=amount, value=None)
        s.layer(number, 1, "Harbour Bank", amount=amount)
        s.layer(number, 2, "Pier Capital LLC", position="mezzanine", amount=amount)
    load(folder, [s.portfolio()], rates=RATES)
    return folder


@pytest.mark.parametrize("number", LOANS)
def test_layers_stand_in_the_table_where_no_bar_can_be_drawn(visit, store, number):
    app = visit("pages/loan.py", store, {"loan_number": number})
    assert not app.error
