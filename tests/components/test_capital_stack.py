"""The capital stack as a bar and as a table."""

from components.loans.capital_stack import chart, rows
from services.signals.one_loan.record import Figure
from services.signals.one_loan.stack import Layer


def layer(position, amount, total, ltv, lender="Harbour Bank"):
    return Layer(position, "bank", lender, None, amount, 5.25, Figure(total), Figure(ltv))


TWO = (
    layer("senior", 60e6, 60e6, 0.60),
    layer("mezzanine", 15e6, 75e6, 0.75, "</b>{x} & Partners"),
)


def test_a_segment_a_layer_and_the_equity_above():
    figure = chart(TWO, 100e6)
    assert [bar.x[0] for bar in figure.data] == [60e6, 15e6, 25e6]
    assert [bar.text for bar in figure.data] == ["Senior<br>$60.0M", "Mezzanine<br>$15.0M", None]
    marks = {note.x: note.text for note in figure.layout.annotations}
    assert marks == {60e6: "60% LTV", 75e6: "75% LTV", 87.5e6: "Equity<br>$25.0M"}


def test_a_debt_above_the_value_leaves_no_equity():
    figure = chart(TWO, 50e6)
    assert [bar.x[0] for bar in figure.data] == [60e6, 15e6]
    assert figure.layout.xaxis.tickvals[-1] == 75e6


def test_marks_that_would_overlap_stand_at_two_heights():
    close = (TWO[0], layer("mezzanine", 2e6, 62e6, 0.62))
    first, second = (note.ay for note in chart(close, 62e6).layout.annotations)
    assert first != second


def test_a_narrow_segment_bears_no_words():
    assert chart((layer("senior", 1e6, 1e6, 0.01),), 100e6).data[0].text == ""


def test_a_lower_bound_says_so_in_bar_and_table():
    marks = [note.text for note in chart(TWO, 75e6, at_least=True).layout.annotations]
    assert marks == ["≥ 60% LTV", "≥ 75% LTV"]
    assert rows(TWO, at_least=True)[1] == {
        "Layer": "Mezzanine · Bank",
        "Amount": "$15,000,000",
        "Rate": "5.25%",
        "LTV up to it": "≥ 75.0%",
        "Lender": "</b>{x} & Partners",
    }
