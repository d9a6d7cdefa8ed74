"""The capital stack of a loan whose layers cannot be drawn to scale."""

import pytest

from tests.publishing import load
from tests.world import RATES, Sketch, info_of


@pytest.mark.parametrize("amount", [1_000_000, 0, None])
@pytest.mark.parametrize("structure", ["XX", "A1", "WL"])
def test_layers_stand_in_the_table_where_no_bar_can_be_drawn(visit, tmp_path, structure, amount):
    s = Sketch(info_of("stacks"))
    s.loan("1", structure=structure, book_value=amount, value=None)
    s.layer("1", 1, "Harbour Bank", amount=amount)
    s.layer("1", 2, "Pier Capital LLC", position="mezzanine", amount=amount)
    load(tmp_path / "store", [s.portfolio()], rates=RATES)
    app = visit("pages/loan.py", tmp_path / "store", {"loan_number": "1"})
    assert not app.error
