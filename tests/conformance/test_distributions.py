"""Figures of loans against each other, of a store and of mirrors, against the oracle (D127,
D128, D129).
"""

import math
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.contract.distributions import FIGURES, MOST_GROUPS, Area, Plot
from services.contract.errors import NotFound
from services.contract.loan_filter import LoanFilter
from services.store import scatter
from tests.alike import alike
from tests.conformance.test_screens import filters
from tests.oracle_distributions import inside, one_a_loan
from tests.tiers import examples

names = st.sampled_from(list(FIGURES))
plots = st.builds(
    Plot,
    x=names,
    y=names,
    colour=st.sampled_from(["worst_severity", "property_type", "rate_pressure"]),
    log=st.sampled_from([None, "x", "y", "xy"]),
    clip=st.booleans(),
)
HARD = examples(20, 60)


#: From how many loans on axes are clipped: books of tests are small.
fewest = st.sampled_from([2, 200])


@given(query=filters(), plot=plots, fewest=fewest)
@HARD
def test_points_are_all_loans_with_the_figures_that_they_have(held, query, plot, fewest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scatter, "FEWEST_CLIPPED", fewest)
        found = held.source.loan_scatter(query, plot)
    placed, left = held.oracle.placed(query, plot)
    assert (found.missing, found.not_positive) == left
    x_ends, y_ends, beyond = held.oracle.ends(query, plot, fewest)
    assert alike((found.x_ends, found.y_ends), (x_ends, y_ends))
    assert found.beyond == beyond
    assert found.drawn == len(placed)
    assert found.loans == found.drawn + sum(left) == held.source.loan_totals(query).loans
    place = ("property_name", "property_city", "property_state")
    shown = "grade" if plot.colour == "worst_severity" else plot.colour
    rows = [
        (r["loan_number"], x, y, r[shown], r["book_value"], *(r[name] for name in place))
        for r, x, y in held.oracle.points(query, plot)
    ]
    points = found.points
    columns = (points.loan_number, points.x, points.y, points.word, points.book_value,
               *(getattr(points, name) for name in place))  # fmt: skip
    assert alike(list(zip(*columns, strict=True)), rows)


@given(query=filters(), plot=plots, fewest=fewest)
# All but one have one figure, which is the whole axis; the one lies beyond it.
@example(LoanFilter(order="debt_yield"), Plot("rate_gap_bp", "noi_room", log="x", clip=True), 2)
@HARD
def test_cells_hold_every_loan_and_dollar_of_the_plot(held, query, plot, fewest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scatter, "MOST_POINTS", 0)
        patch.setattr(scatter, "FEWEST_CLIPPED", fewest)
        found = held.source.loan_scatter(query, plot)
    if not found.drawn:
        assert found.cells == ()
        return
    assert found.points is None
    told = {(one.column, one.row): (one.loans, one.book_value) for one in found.cells}
    assert told == held.oracle.cells(query, plot, fewest, found.x_edges, found.y_edges)
    assert sum(one.loans for one in found.cells) == found.drawn
    for ends, edges in ((found.x_ends, found.x_edges), (found.y_ends, found.y_edges)):
        assert edges[0] <= ends[0] <= ends[1] <= edges[-1]
        assert list(edges) == sorted(edges)


def drawn(value, log):
    return math.log10(value) if log else value


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize("log", [None, "x", "y", "xy"])
@pytest.mark.parametrize("corners", [2, 3, 5, 30])
def test_an_outline_holds_the_loans_that_are_drawn_in_it(held, log, corners, clip, monkeypatch):
    monkeypatch.setattr(scatter, "FEWEST_CLIPPED", 2)
    chance = random.Random(f"{log} {corners}")
    plot, query = Plot("interest_rate", "book_value", log=log, clip=clip), LoanFilter()
    placed = held.oracle.drawn(query, plot, 2)
    assert placed
    on = {row["loan_number"] for row, *_ in held.oracle.placed(query, plot)[0]}
    assert len(on) < len(placed)  # others lie aside
    xs, ys = [x for _, x, _ in placed], [y for _, _, y in placed]
    for _ in range(20):
        area = Area(
            tuple(chance.uniform(min(xs), max(xs)) for _ in range(corners)),
            tuple(chance.uniform(min(ys), max(ys)) for _ in range(corners)),
        )
        found = held.source.loans_within(query, plot, (area,))
        on = [
            (drawn(x, plot.is_log("x")), drawn(y, plot.is_log("y")))
            for x, y in zip(area.x, area.y, strict=True)
        ]
        expected = []
        for row, x, y in placed:
            at = drawn(x, plot.is_log("x")), drawn(y, plot.is_log("y"))
            if corners == 2:
                (x1, y1), (x2, y2) = on
                hit = min(x1, x2) <= at[0] <= max(x1, x2) and min(y1, y2) <= at[1] <= max(y1, y2)
            else:
                hit = crossed(*at, on)
                if corners == 3:  # where an outline does not cross itself, two ways agree
                    assert hit == inside(*at, on)
            if hit:
                expected.append(row["loan_number"])
        assert found.numbers == tuple(expected)
        if expected:
            asked = LoanFilter(numbers=tuple(expected))
            assert found.totals == held.source.loan_totals(asked)
        assert found.totals.loans == len(expected)


def crossed(x, y, corners):
    """Whether a line to the right leaves the outline for good: crosses it an odd number of times,
    counted edge by edge.
    """
    times = 0
    for at, (x2, y2) in enumerate(corners):
        x1, y1 = corners[at - 1]
        low, high = ((x1, y1), (x2, y2)) if y1 < y2 else ((x2, y2), (x1, y1))
        if low[1] <= y < high[1]:
            times += x < low[0] + (high[0] - low[0]) * (y - low[1]) / (high[1] - low[1])
    return times % 2 == 1


def test_several_areas_hold_what_lies_in_any(held):
    plot, query = Plot("interest_rate", "book_value"), LoanFilter()
    placed, _ = held.oracle.placed(query, plot)
    of_one, of_other = (Area((low, high), (0.0, 1e12)) for low, high in ((0.0, 4.0), (3.5, 5.0)))
    both = held.source.loans_within(query, plot, (of_one, of_other))
    assert list(both.numbers) == [r["loan_number"] for r, x, _ in placed if x <= 5]
    every = held.source.loans_within(query, plot, (Area((-1e9, 1e9), (-1e12, 1e12)),))
    assert len(every.numbers) == every.totals.loans == held.source.loan_totals(query).loans
    assert held.source.loans_within(query, plot, ()).numbers == ()


@given(
    query=filters(),
    figure=names,
    by=st.sampled_from(["property_type", "state", "vintage", "lender"]),
)
@HARD
def test_a_distribution_agrees_group_by_group(held, query, figure, by):
    found = held.source.loan_distribution(query, figure, by)
    shown, left = held.oracle.loan_groups(query, figure, by, found.edges or (0, 1))
    assert alike(list(found.groups), shown)
    assert (found.groups_left, found.loans_left) == (len(left), sum(one.loans for one in left))
    rows = one_a_loan(held.oracle.result(query))
    whole = held.oracle.group_of(None, rows, figure, found.edges or (0, 1))
    assert alike(found.whole, whole)
    assert len(found.groups) <= MOST_GROUPS
    if whole:
        assert sum(found.whole.counts) == sum(one.loans for one in found.groups) + found.loans_left


@given(query=filters())
@HARD
def test_shares_of_severe_loans_agree_cell_by_cell(held, query):
    found = held.source.severe_shares(query)
    assert found == held.oracle.severe_shares(query)
    assert sum(one.loans for one in found) == held.source.loan_totals(query).loans


@given(query=filters(), data=st.data())
@HARD
def test_a_loan_stands_where_the_others_leave_it(held, query, data):
    number = data.draw(st.sampled_from([row["loan_number"] for row in held.oracle.rows]))
    found = held.source.standings(query, number, tuple(FIGURES))
    assert alike(found, held.oracle.standings(query, number))


def test_an_unknown_loan_stands_nowhere(store_source):
    with pytest.raises(NotFound):
        store_source.standings(LoanFilter(), "no such loan", ("dscr",))
