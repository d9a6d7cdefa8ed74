"""Results of loans, of a store and of mirrors, against the oracle: any filter, order, group.

D60 to D63, D97, D98, D152, D230, D277 to D279, D283.
"""

from datetime import date, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from services.contract.columns import COLUMN, LOAN_EXPORT, ORDERS
from services.contract.loan_filter import COUNTED, LoanFilter
from services.contract.queries import EntityQuery
from services.contract.scope import Scope
from services.contract.vocabulary import NO_SIGNAL, SEVERITIES, TIERS
from tests.alike import alike
from tests.exported import loan_table
from tests.tiers import examples
from tests.world import BALANCES, BOTH, DAYS, LENDERS, ODD_NUMBERS

GROUPS = ("lender", "sponsor", "state", "city", "property_type", "vintage", "quarter", "year",
          "severity")  # fmt: skip
TRIED = examples(40, 120)


def some(values, most=3):
    return st.none() | st.lists(st.sampled_from(values), min_size=1, max_size=most).map(tuple)


def maybe(strategy):
    return st.none() | strategy


dollars = maybe(st.sampled_from([n for n in BALANCES if n is not None]))
days = maybe(
    st.builds(
        lambda day, by: day + timedelta(by),
        st.sampled_from([day for day in DAYS if day]),
        st.integers(-1, 1),
    )
)
numbers = [n for one in BOTH for n in one.loans["loan_number"].to_pylist()]
parties = [n for one in BOTH for n in one.entities["entity_name"].to_pylist()]
figures = {
    "coupon": [4.0, 5.5, 6.25, 9],
    "gap": [-50, 0, 100, 82.5],
    "dscr": [0.95, 1, 1.25, 2],
    "ltv": [60, 65, 80, 111.2],
    "debt_yield": [6, 8, 11],
    "occupancy": [0, 80, 92.5, 100],
    "noi_room": [-20, 0, 25, 60],
    "markup": [-5, 0, 10, 25],
    "over_implied": [0.9, 1, 1.1, 2],
}
bounds = {
    f"{end}_{name}": maybe(st.sampled_from(values))
    for name, values in figures.items()
    for end in ("min", "max")
}
FIELDS = {
    "state": some(["TX", "NY", "PR", "CA", "WY"]),
    "city": some(["port alder", "nowhere"]),
    "property_type": some(["office", "multifamily", "space port", "no such type"]),
    "lender": maybe(st.sampled_from(["wells fargo", "credit", "harbour bank", "???"])),
    "party": maybe(st.sampled_from(["quill", "llc", "O'Neill", "oak street", "é", "no such"])),
    "sponsor": maybe(st.sampled_from(parties)),
    "family": maybe(st.sampled_from([*parties, "nobody"])),
    "whole_loan": maybe(st.sampled_from(["A-1", "diamond"])),
    "lender_of_loan": maybe(st.sampled_from([name for name in LENDERS if name])),
    "find": maybe(st.sampled_from(["a-1", "a", "É", "%", "_", "tower"])),
    "min_balance": dollars,
    "max_balance": dollars,
    "maturity_after": days,
    "maturity_before": days,
    "originated_after": days,
    "originated_before": days,
    "rate_pressure": some(SEVERITIES),
    "due_after": days,
    "due_before": days,
    "matures_within": maybe(st.sampled_from([1, 2, 12, 24, 360])),
    "tenant": maybe(st.sampled_from(["grocer", "aether", '"Grocer"', '"gro"', "Æ shops", "???"])),
    "leases_within": maybe(st.sampled_from([1, 4, 12, 360])),
    "severity": some([*SEVERITIES, NO_SIGNAL]),
    "rule": some(["CV-1", "DY-1", "MT-1", "no such rule"]),
    "trigger": some(["1A", "1E", "1F", "4A", "4C", "5A"]),
    "untested_trigger": some(["1A", "1E", "4A", "4D"]),
    "confidence_tier": some(TIERS),
    "payment_status": some(["0", "1", "3", "Z"]),
    "disposition": some(["outstanding", "liquidated", "paid off at maturity", "Z"]),
    "special_servicing": maybe(st.booleans()),
    "defeased": maybe(st.booleans()),
    "min_short": maybe(st.sampled_from([0, 1, 1_000_000])),
    "numbers": maybe(st.lists(st.sampled_from([*numbers, "none"]), max_size=30).map(tuple)),
    "scope": maybe(
        st.lists(st.sampled_from([*numbers, "none"]), max_size=60).map(
            lambda found: Scope.of("set", tuple(found), "Drawn", "0123456789abcdef")
        )
    ),
    **bounds,
}


@st.composite
def filters(draw):
    """At most four conditions, so that most results hold something."""
    chosen = draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=4, unique=True))
    return LoanFilter(
        **{name: draw(FIELDS[name]) for name in chosen},
        order=draw(maybe(st.sampled_from([*ORDERS, *(f"-{name}" for name in ORDERS)]))),
        page=draw(st.integers(1, 3)),
        per_page=draw(st.integers(1, 60)),
    )


def test_every_condition_is_drawn():
    sliced = {"page", "per_page", "order"}
    assert set(FIELDS) == set(LoanFilter.model_fields) - sliced


@given(query=filters())
@example(LoanFilter(order="-worst_severity", per_page=60))
@example(LoanFilter(order="-rank_in_type", per_page=60))
@example(LoanFilter(order="sponsor", per_page=60))
@TRIED
def test_any_page_of_any_order_agrees(held, query):
    columns = tuple(COLUMN)
    found, expected = (one.loans_found(query, columns) for one in (held.source, held.oracle))
    assert alike(found, expected), (found.items, expected.items)


@given(query=filters())
@example(LoanFilter(order="-worst_severity"))
@TRIED
def test_what_is_watched_of_any_result_agrees(held, query):
    columns = ("worst_severity", "dscr", "sponsor", "maturity_date")
    found, expected = (one.loans_watched(query, columns) for one in (held.source, held.oracle))
    assert alike(found, expected)


@given(query=filters())
@TRIED
def test_totals_of_any_result_agree(held, query):
    found, expected = held.source.loan_totals(query), held.oracle.loan_totals(query)
    assert alike(found, expected), (found, expected)


@given(query=filters(), name=st.sampled_from(COUNTED))
@TRIED
def test_counts_of_any_filter_agree(held, query, name):
    assert held.source.loan_counts(query, name) == held.oracle.loan_counts(query, name)


@given(
    query=filters(), by=st.sampled_from([*GROUPS, "trigger"]), limit=st.sampled_from([1, 3, 1000])
)
@TRIED
def test_any_ranking_agrees(held, query, by, limit):
    found = held.source.loan_ranking(query, by, limit)
    expected = held.oracle.loan_ranking(query, by, limit)
    assert alike(found, expected), (found, expected)


@given(
    query=filters(),
    by=st.tuples(st.sampled_from(GROUPS), st.sampled_from(GROUPS)),
    limits=st.tuples(st.sampled_from([1, 3, 1000]), st.sampled_from([1, 3, 1000])),
)
@TRIED
def test_any_pivot_agrees_and_adds_up(held, query, by, limits):
    """D269."""
    found = held.source.loan_pivot(query, by, limits)
    assert found == held.oracle.loan_pivot(query, by, limits)
    totals = held.source.loan_totals(query)
    for part in (found.rows, found.columns, found.cells):
        assert sum(one.book_value for one in part) == totals.book_value


@given(query=filters())
@examples(15, 40)
def test_totals_counts_rankings_and_tables_are_of_one_result(held, query):
    totals = held.source.loan_totals(query)
    table = loan_table(held.source, query)
    ranking = held.source.loan_ranking(query, "state", 1000)
    assert held.source.loans_found(query, ()).total == totals.loans == table.num_rows
    assert sum(group.loans for group in ranking.groups) == totals.loans
    assert sum(group.book_value for group in ranking.groups) == totals.book_value
    counted = held.source.loan_counts(query.model_copy(update={"defeased": None}), "defeased")
    if query.defeased is None:
        assert sum(one.loans for one in counted) == totals.loans


@given(query=filters(), columns=st.lists(st.sampled_from(list(COLUMN)), unique=True))
@examples(15, 40)
def test_a_table_holds_every_match_in_the_order_of_the_pages(held, query, columns):
    table = loan_table(held.source, query, tuple(columns))
    others = [name for name in LOAN_EXPORT if name not in columns]
    assert table.column_names == [*columns, *others]
    assert alike(table.to_pylist(), held.oracle.loan_table(query, columns))


def test_a_bound_that_is_met_to_the_last_digit_is_met(store_source):
    """0.65 x 100 is more than 65 in binary."""
    loans = store_source.loans_found(LoanFilter(per_page=100), ("ltv", "occupancy")).items
    for name, low, high in (("ltv", "min_ltv", "max_ltv"),
                            ("occupancy", "min_occupancy", "max_occupancy")):  # fmt: skip
        shares = {one.values[name] for one in loans if one.values[name] is not None}
        assert shares
        for value in shares:
            on_it = LoanFilter(**{low: round(100 * value, 9), high: round(100 * value, 9)})
            found = store_source.loans_found(on_it, (name,))
            assert found.total >= 1
            assert {one.values[name] for one in found.items} == {value}


def test_a_set_of_numbers_finds_these_loans_and_no_others(held):
    asked = (*ODD_NUMBERS[:5], "none of these", "A%")
    page = held.source.loans_found(LoanFilter(numbers=asked, per_page=100), ())
    assert {one.loan_number for one in page.items} == set(ODD_NUMBERS[:5])


def test_what_only_a_result_can_be_asked_is_not_asked_of_an_api():
    assert LoanFilter(state="TX", page=2).within_specification is not None
    for beyond in (
        {"order": "loan_number"},
        {"state": ("TX", "NY")}, {"rate_pressure": ("low", "severe")}, {"order": "-book_value"},
        {"city": "dallas"}, {"min_dscr": 1.2}, {"originated_after": date(2020, 1, 1)},
    ):  # fmt: skip
        assert LoanFilter(**beyond).within_specification is None


@given(
    text=st.sampled_from(
        ["a-", "A-1", "a-01", "01", "har", "port", "PORT ALDER", "wells", "é", "%", "llc"]
    ),
    limit=st.integers(1, 5),
)
@TRIED
def test_letters_find_what_has_them(held, text, limit):
    found = held.source.matches(text, limit)
    others = [(one.kind, one.name, one.detail) for one in found if one.kind != "party"]
    assert others == held.oracle.matches(text, limit)
    parties = [one.name for one in found if one.kind == "party"]
    best = held.source.entities(EntityQuery(name=text, per_page=100)).items if text else ()
    assert parties == [one.entity_name for one in best][: len(parties)]


def test_loans_have_the_names_of_their_properties_and_others_none(held):
    asked = (*ODD_NUMBERS, "none of these", "a-1 ", "A%", "", "~~~")
    found = held.source.loan_names(asked)
    assert found == {one: held.oracle.by_number[one].get("property_name") for one in ODD_NUMBERS}
    assert held.source.loan_names(()) == {}


@given(
    query=filters(),
    column=st.sampled_from(["rate_gap_bp", "dscr", "ltv", "book_value"]),
    ends=st.lists(st.sampled_from([-50, 0, 0.65, 1, 1.25, 100, 82.5, 10_000_000]), min_size=1,
                  unique=True),
)  # fmt: skip
@TRIED
def test_classes_of_a_figure_agree_and_hold_every_loan(held, query, column, ends):
    asked = (query, column, tuple(sorted(ends)))
    found = held.source.loan_classes(*asked)
    assert found == held.oracle.loan_classes(*asked)
    assert sum(one.loans for one in found) == held.source.loan_totals(query).loans
