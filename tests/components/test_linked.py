"""Groups of the loans that are chosen in a plot, against all of it (D259)."""

from hypothesis import given
from hypothesis import strategies as st

from components.explore.linked import Bar, drawn, grouped


def test_years_stand_in_their_order_and_empty_ones_between_them():
    chosen, whole = {"2031": 1}, {"2031": 3, "2028": 2, None: 4}
    assert grouped(chosen, whole, "quarter") == [
        Bar("2028", 0, 2), Bar("2029", 0, 0), Bar("2030", 0, 0), Bar("2031", 1, 3),
        Bar("Not due", 0, 4),
    ]  # fmt: skip
    assert grouped(chosen, whole, "vintage")[-1] == Bar("Not known", 0, 4)


def test_of_many_years_the_thin_end_is_one():
    whole = {str(year): 10 if 2027 <= year <= 2032 else 1 for year in range(2020, 2041)}
    found = grouped({"2040": 1, "2020": 1}, whole, "vintage")
    assert len(found) == 12
    assert (found[0], found[-1]) == (Bar("to 2025", 1, 6), Bar("2036 on", 1, 5))


def test_other_groups_go_by_how_many_are_chosen_and_the_rest_is_one():
    whole = {f"state {at:02}": at for at in range(1, 21)}
    found = grouped({"state 03": 3, "state 20": 1}, whole, "state")
    assert [one.word for one in found[:3]] == ["state 03", "state 20", "state 19"]
    assert found[-1] == Bar("all others", 0, 1 + 2 + sum(range(4, 11)))
    assert len(found) == 12


@given(
    whole=st.dictionaries(st.integers(1990, 2060).map(str) | st.none(), st.integers(1, 50)),
    by=st.sampled_from(["quarter", "vintage", "state", "property_type"]),
    data=st.data(),
)
def test_no_loan_is_left_out(whole, by, data):
    chosen = {word: data.draw(st.integers(0, loans)) for word, loans in whole.items()}
    found = grouped(chosen, whole, by)
    assert sum(one.loans for one in found) == sum(whole.values())
    assert sum(one.chosen for one in found) == sum(chosen.values())
    assert len({one.word for one in found}) == len(found) <= 13


def test_bars_are_shares_of_their_own_loans():
    named = "Bank of the Long Names, trust"
    figure = drawn([Bar(f"{named} 1", 3, 4), Bar(f"{named} <2>", 1, 12)], dark=False)
    chosen, every = figure.data
    assert list(chosen.x) == [0.75, 0.25]
    assert list(every.x) == [0.25, 0.75]
    assert [chosen.name, every.name] == ["chosen: 4", "all loans: 16"]
    # Names that begin alike are two groups.
    assert list(figure.layout.yaxis.ticktext) == ["Bank of the Long Names…"] * 2
    assert list(chosen.y) == list(figure.layout.yaxis.tickvals) == [0, 1]
    assert [list(one) for one in every.customdata] == [
        [f"{named} 1", "4"], [f"{named} &lt;2&gt;", "12"],
    ]  # fmt: skip
