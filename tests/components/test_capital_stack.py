"""The capital stack as a bar and as a table."""

from components.loans.capital_stack import bar, rows
from services.contract.loan_figures import Figure, Layer


def layer(position, amount, total, ltv, lender="Harbour Bank"):
    return Layer(position, "bank", lender, None, amount, 5.25, Figure(total), Figure(ltv))


TWO = (
    layer("senior", 60e6, 60e6, 0.60),
    layer("mezzanine", 15e6, 75e6, 0.75, "</b>{x} & Partners"),
)


def test_a_segment_a_layer_and_the_equity_above():
    sent = bar(TWO, 100e6)
    assert [one["part"] for one in sent["segments"]] == [0.60, 0.15, 0.25]
    assert [one["words"] for one in sent["segments"]] == [
        ["Senior", "$60.0M"], ["Mezzanine", "$15.0M"], ["Equity", "$25.0M"],
    ]  # fmt: skip
    assert sent["segments"][1]["said"] == "Mezzanine · Bank: $15.0M"
    marks = {one["at"]: one["text"] for one in sent["marks"]}
    assert marks == {0.60: "60% LTV", 0.75: "75% LTV"}
    assert sent["axis"] == ["$0", "$50M", "$100M"]


def test_a_debt_above_the_value_leaves_no_equity():
    sent = bar(TWO, 50e6)
    assert [one["part"] for one in sent["segments"]] == [0.80, 0.20]
    assert sent["axis"][-1] == "$75M"


def test_marks_that_would_overlap_stand_at_two_heights():
    close = (TWO[0], layer("mezzanine", 2e6, 62e6, 0.62))
    first, second = bar(close, 62e6)["marks"]
    assert (first["high"], second["high"]) == (False, True)
    assert (first["last"], second["last"]) == (True, True)


def test_a_narrow_segment_bears_no_words():
    narrow = bar((layer("senior", 1e6, 1e6, 0.01),), 100e6)["segments"][0]
    assert (narrow["words"], narrow["said"]) == ([], "Senior · Bank: $1.0M")


def test_a_lower_bound_says_so_in_bar_and_table():
    equity = bar(TWO, 100e6, at_least=True)["segments"][-1]
    assert equity["words"] == ["Equity", "≤ $25.0M"]
    assert equity["said"] == "Value above the debt: ≤ $25.0M"
    marks = [one["text"] for one in bar(TWO, 75e6, at_least=True)["marks"]]
    assert marks == ["≥ 60% LTV", "≥ 75% LTV"]
    assert rows(TWO, at_least=True)[1] == {
        "Layer": "Mezzanine · Bank",
        "Amount": "$15,000,000",
        "Rate": "5.25%",
        "LTV to its rank": "≥ 75.0%",
        "Lender": "</b>{x} & Partners",
    }
