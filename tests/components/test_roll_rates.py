"""The file of roll rates: every figure of a month and its stages in a column of its own."""

from datetime import date

from components.frame.exports import export
from components.overview import rolls
from services.contract.history import Roll


def test_the_file_has_each_figure_under_its_name(monkeypatch):
    monkeypatch.setattr(export, "origin", lambda: None)
    figures = [name for name in Roll.model_fields if name not in {"month", "before", "after"}]
    month, numbers = date(2026, 9, 30), dict(zip(figures, range(7, 99), strict=False))
    made = rolls.export([Roll(month=month, before="current", after="30", **numbers)], "All loans")
    row = {"month": month, "before": "current", "after": "30", **numbers}
    assert [one for batch in made.batches for one in batch.to_pylist()] == [row]
    assert figures
