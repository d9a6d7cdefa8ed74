"""The file of roll rates: every figure of a month and its stages in a column of its own."""

from datetime import date

from components.frame import exports
from components.overview import rolls
from services.contract.history import Roll


def test_the_file_has_each_figure_under_its_name(monkeypatch):
    made = {}
    monkeypatch.setattr(exports, "origin", lambda: None)
    monkeypatch.setattr(exports, "of_table", lambda *given: made.setdefault("table", given[-1]))
    figures = [name for name in Roll.model_fields if name not in {"month", "before", "after"}]
    month, numbers = date(2026, 9, 30), dict(zip(figures, range(7, 99), strict=False))
    rolls.export([Roll(month=month, before="current", after="30", **numbers)], "All loans")
    row = {"month": month, "before": "current", "after": "30", **numbers}
    assert made["table"].to_pylist() == [row]
    assert figures
