"""Maps, matrices and city shares equal a count over the records one by one (D64)."""

from collections import Counter, defaultdict
from itertools import product

import pytest

from components.maps.bins import FEW, MEASURES
from services.contract.columns import SIGNAL_EXPORT
from services.contract.loan_filter import LoanFilter
from services.contract.paging import every
from services.contract.queries import (
    EntityQuery,
    LoanQuery,
    Query,
    SignalQuery,
)
from services.contract.signal_filter import SignalFilter
from services.importers import demo
from services.store.leases import Store
from tests.exported import signal_table
from tests.publishing import load, load_once
from tests.world import AS_OF, RATES, Sketch, info_of

TYPES = (None, "rate_pressure", "maturity_timing", "stress_indicator")
SEVERITIES = (None, "moderate", "elevated", "severe", "critical")
QUERIES = [SignalQuery(signal_type=t, severity=s) for t, s in product(TYPES, SEVERITIES)]


@pytest.fixture(scope="module")
def signals(store_source):
    return list(every(store_source.signals, SignalQuery(per_page=100)))


@pytest.fixture(scope="module")
def loans(store_source):
    return list(every(store_source.loans, LoanQuery(per_page=100)))


def matching(signals, query):
    return [
        one
        for one in signals
        if query.signal_type in (None, one.signal_type) and query.severity in (None, one.severity)
    ]


def wider(query):
    """The same question as a filter, which may hold more than the specification's."""
    return SignalFilter(**query.model_dump(exclude_none=True))


def of_type(query, kind):
    """As `wider`, on loans of a property type."""
    return wider(query).model_copy(update={"property_type": (kind,) if kind else None})


def counted(signals, key):
    """Key -> (signals, distinct loans, their book value once)."""
    marks = Counter(map(key, signals))
    books = defaultdict(dict)
    for one in signals:
        books[key(one)][one.loan_number] = one.book_value or 0
    return {where: (marks[where], len(books[where]), sum(books[where].values())) for where in marks}


def last_if_null(*values):
    """Order of texts with nulls after them."""
    return [(value is None, value or "") for value in values]


@pytest.mark.parametrize("kind", [None, "office", "multifamily", "no such type"])
@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_the_map_counts_signals_loans_and_dollars_of_every_state(
    query, kind, store_source, signals, loans
):
    chosen = [one for one in matching(signals, query) if kind in (None, one.property_type)]
    expected = counted(chosen, lambda one: one.property_state)
    whole = defaultdict(lambda: [0, 0])
    for loan in loans:
        whole[loan.property_state][0] += kind in (None, loan.property_type)
        whole[loan.property_state][1] += (
            (loan.book_value or 0) if kind in (None, loan.property_type) else 0
        )
    found = store_source.signal_states(of_type(query, kind))
    assert [state.state for state in found] == sorted(whole, key=lambda s: (s is None, s or ""))
    for state in found:
        figures = (state.signals, state.loans, state.book_value)
        assert figures == expected.get(state.state, (0, 0, 0))
        # The share of the book is one of the loans that the same conditions leave.
        assert [state.of_loans, state.of_book_value] == whole[state.state]


@pytest.mark.parametrize("by", ["severity", "property_type"])
@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_a_matrix_counts_each_loan_once_in_a_cell(query, by, store_source, signals):
    expected = counted(matching(signals, query), lambda one: (one.property_state, getattr(one, by)))
    found = store_source.signal_matrix(wider(query), by)
    assert {
        (cell.state, cell.column): (cell.signals, cell.loans, cell.book_value) for cell in found
    } == expected
    cells = [(cell.state, cell.column) for cell in found]
    assert cells == sorted(cells, key=lambda cell: last_if_null(*cell))


@pytest.fixture(scope="module")
def ties(tmp_path_factory):
    """Loans that tie in book value, with and without city, state, type, lender and balance.

    All fall due in four months at a coupon of 9 %, so that each has one signal, severe; a payment
    status of 3 makes a second one, critical.
    """
    sketch = Sketch(info_of("ties"))
    usual = {"interest_rate": 9.0, "maturity_date": AS_OF.replace(month=6), "book_value": 500}
    for number, city, state, kind, more in (
        ("1", "Alder", "TX", "office", {}),
        ("2", None, "TX", None, {"lender_normalized": None}),
        ("3", "Alder", None, "office", {"payment_status": "3"}),
        ("4", None, None, None, {}),
        ("5", "Birch", "TX", "retail", {"book_value": None}),
    ):
        facts = {"property_city": city, "property_state": state, "property_type": kind}
        sketch.loan(number, **{**usual, **facts, **more})
    folder = tmp_path_factory.mktemp("ties")
    load_once(folder, [sketch.portfolio()], rates=RATES)
    store = Store(folder)
    with store.lease() as source:
        yield source
    store.close()


def test_a_matrix_has_the_column_of_no_type_last_and_the_row_of_no_state(ties):
    found = ties.signal_matrix(SignalFilter(), "property_type")
    assert [(c.state, c.column, c.signals, c.loans, c.book_value) for c in found] == [
        ("TX", "office", 1, 1, 500),
        ("TX", "retail", 1, 1, 0),
        ("TX", None, 1, 1, 500),
        (None, "office", 2, 1, 500),
        (None, None, 1, 1, 500),
    ]


def test_the_table_of_signals_has_a_row_for_loans_that_lack_facts(ties):
    found = signal_table(ties, SignalFilter())
    assert found.column_names == list(SIGNAL_EXPORT)
    rows = found.select(
        ["loan_number", "signal_type", "severity", "rules", "property_type", "lender_normalized"]
    ).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        ("1", "maturity_timing", "moderate", "MT-1 moderate", "office", "Harbour Bank"),
        ("2", "maturity_timing", "moderate", "MT-1 moderate", None, None),
        ("3", "maturity_timing", "moderate", "MT-1 moderate", "office", "Harbour Bank"),
        ("3", "stress_indicator", "critical", "ST-1 critical", "office", "Harbour Bank"),
        ("4", "maturity_timing", "moderate", "MT-1 moderate", None, "Harbour Bank"),
        ("5", "maturity_timing", "moderate", "MT-1 moderate", "retail", "Harbour Bank"),
    ]


@pytest.mark.parametrize("kind", ["office", "multifamily", "retail", "lodging", "no such type"])
@pytest.mark.parametrize("query", QUERIES[::3], ids=str)
def test_a_property_type_narrows_signals_by_the_type_of_their_loans(
    query, kind, store_source, signals
):
    chosen = [one for one in matching(signals, query) if one.property_type == kind]
    wanted = of_type(query, kind)
    pages = every(
        lambda asked: store_source.signals_found(asked, ()),
        wanted.model_copy(update={"per_page": 7}),
    )
    assert [one.signal for one in pages] == chosen
    assert signal_table(store_source, wanted).num_rows == len(chosen)


@pytest.mark.parametrize("kind", ["office", "multifamily", "no such type"])
def test_a_property_type_narrows_loans(kind, store_source, loans):
    wanted = LoanFilter(property_type=kind, per_page=3)
    listed = every(lambda query: store_source.loans_found(query, ()), wanted)
    assert [one.loan_number for one in listed] == [
        loan.loan_number for loan in loans if loan.property_type == kind
    ]
    in_new_york = LoanFilter(property_type=kind, state="NY", per_page=100)
    assert [one.loan_number for one in store_source.loans_found(in_new_york, ()).items] == [
        loan.loan_number
        for loan in loans
        if loan.property_type == kind and loan.property_state == "NY"
    ]


def test_totals_of_an_entity_are_sums_over_its_loans(store_source):
    names = [one.entity_name for one in every(store_source.entities, EntityQuery(per_page=100))]
    for name in names[:40]:
        dossier = store_source.entity(name)
        own = list(
            every(lambda query, name=name: store_source.loans_of(name, query), Query(per_page=100))
        )
        assert dossier.book.loans == len(own)
        assert dossier.book.book_value == sum(loan.book_value or 0 for loan in own)
        by_state = Counter(loan.property_state for loan in own)
        assert {part.word: part.loans for part in dossier.by_state} == by_state
        by_lender = Counter(loan.lender_normalized for loan in own)
        assert {part.word: part.loans for part in dossier.by_lender} == by_lender


def test_the_first_map_of_the_demonstration_tells_stress_from_size(tmp_path):
    """It opens on severe and critical by share of the book: three classes at least, and the worst
    five states are not the five largest.
    """
    load(tmp_path, [demo.portfolio(loans=5_000)])
    with Store(tmp_path).lease() as source:
        found = source.signal_states(SignalFilter(severity=("critical", "severe")))
    shown = [one for one in found if one.of_loans >= FEW]
    share = MEASURES["share"]
    assert len({share.bin(share.figure(one)) for one in shown if one.loans}) >= 3
    worst = sorted(shown, key=lambda one: -share.figure(one))[:5]
    largest = sorted(shown, key=lambda one: -one.of_book_value)[:5]
    assert not {one.state for one in worst} & {one.state for one in largest}
