"""The loans table of a snapshot: its columns, and snapshots that are older than a fact."""

import duckdb
import numpy as np
import pytest

from services.contract.columns import LOAN_EXPORT
from services.contract.facts import FACTS
from services.contract.loan_filter import LoanFilter
from services.contract.portfolio import LOANS
from services.signals.engine import evaluate
from services.store import checksums
from services.store.database import Database
from services.store.leases import Store
from services.store.loan_columns import create_loans
from services.store.snapshot import DATABASE, current_id, folder_of
from tests.exported import loan_table
from tests.publishing import load
from tests.world import AS_OF, ASSUMPTIONS, RATES, Sketch, info_of

#: Rows of several groups, which several threads read.
MANY = 700_000

#: Typed by hand; a fact may be added anywhere between the ids.
COLUMNS = [
    ("loan_id", "INTEGER NOT NULL"),
    ("loan_number", "VARCHAR NOT NULL"),
    ("book_value", "BIGINT"),
    ("interest_rate", "DOUBLE"),
    ("property_type", "property_type_word"),
    ("property_city", "VARCHAR"),
    ("property_state", "state_word"),
    ("lender_id", "INTEGER"),
    ("origination_date", "DATE"),
    ("maturity_date", "DATE"),
    ("rate_pressure", "severity_word"),
    ("confidence_tier", "tier_word"),
    ("property_name", "VARCHAR"),
    ("address", "VARCHAR"),
    ("original_amount", "BIGINT"),
    ("original_term_months", "INTEGER"),
    ("amortization_months", "INTEGER"),
    ("payment_type", "VARCHAR"),
    ("interest_only_months", "INTEGER"),
    ("accrual_method", "VARCHAR"),
    ("first_payment_date", "DATE"),
    ("monthly_payment", "BIGINT"),
    ("rate_cap", "DOUBLE"),
    ("rentable_area", "BIGINT"),
    ("value", "BIGINT"),
    ("noi", "BIGINT"),
    ("ncf", "BIGINT"),
    ("dscr", "DOUBLE"),
    ("income_basis", "VARCHAR"),
    ("occupancy", "DOUBLE"),
    ("payment_status", "VARCHAR"),
    ("workout", "VARCHAR"),
    ("structure", "VARCHAR"),
    ("multi_state", "BOOLEAN"),
    ("further", "VARCHAR"),
    ("reference_series", "VARCHAR"),
    ("refi_rate", "DOUBLE"),
    ("rate_gap_bp", "DOUBLE"),
    ("months_to_maturity", "DOUBLE"),
    ("whole_loan_debt", "BIGINT"),
    ("whole_loan_basis", "VARCHAR"),
    ("partial_note", "BOOLEAN"),
    ("ltv", "DOUBLE"),
    ("debt_yield", "DOUBLE"),
    ("proforma_dscr", "DOUBLE"),
    ("source_id", "SMALLINT NOT NULL"),
]


def test_the_table_has_these_columns_in_this_order():
    inside = create_loans().removeprefix("CREATE TABLE loans (").removesuffix(")")
    made = [tuple(column.split(" ", 1)) for column in inside.split(", ")]
    assert [column for column in made if column in COLUMNS] == COLUMNS
    assert {name for name, _ in made} >= {fact.name for fact in FACTS if fact.origin == "scored"}
    assert (made[0], made[-1]) == (COLUMNS[0], COLUMNS[-1])


def test_the_engine_scores_every_fact_that_says_so_and_no_other():
    scored = evaluate({"loans": LOANS.empty_table()}, AS_OF, ASSUMPTIONS).features.column_names
    assert sorted(scored) == sorted(fact.name for fact in FACTS if fact.origin == "scored")


def as_if_written_so(store):
    checksums.write(folder_of(store, current_id(store)))


@pytest.mark.parametrize("query", [LoanFilter(), LoanFilter(state="TX")])
@pytest.mark.parametrize("fact", ["book_value", "origination_date", "rate_pressure"])
def test_a_fact_younger_than_the_snapshot_is_null_in_its_export(tmp_path, query, fact):
    sketch = Sketch(info_of("one"))
    sketch.loan("1")
    load(tmp_path, [sketch.portfolio()], rates=RATES)
    before = exported(tmp_path, query)
    assert before[fact] is not None
    database = folder_of(tmp_path, current_id(tmp_path)) / DATABASE
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"ALTER TABLE loans DROP COLUMN {fact}")
    as_if_written_so(tmp_path)
    assert exported(tmp_path, query) == {**before, fact: None}


def test_sources_imported_before_a_fact_was_known_are_joined_without_it(tmp_path):
    import pyarrow.parquet as pq

    sketch = Sketch(info_of("one"))
    sketch.loan("1", noi=700_000, multi_state=True)
    load(tmp_path, [sketch.portfolio()], rates=RATES)
    for path in folder_of(tmp_path, current_id(tmp_path)).rglob("loans.parquet"):
        table = pq.read_table(path)
        if "multi_state" in table.column_names:  # archive and period may share the file
            pq.write_table(table.drop_columns(["multi_state"]), path)
    as_if_written_so(tmp_path)
    other = Sketch(info_of("two"))
    other.loan("2")
    load(tmp_path, [other.portfolio()], rates=RATES)
    store = Store(tmp_path)
    with store.lease() as source:
        extended = source.loan("1").extended
    store.close()
    assert extended["noi"] == 700_000
    assert "multi_state" not in extended


def test_sources_imported_before_leases_were_known_are_joined_without_them(tmp_path):
    sketch = Sketch(info_of("one"))
    sketch.loan("1")
    sketch.lease("1", "Grocer", 12_000)
    load(tmp_path, [sketch.portfolio()], rates=RATES)
    for path in folder_of(tmp_path, current_id(tmp_path)).rglob("leases.parquet"):
        path.unlink()
    as_if_written_so(tmp_path)
    other = Sketch(info_of("two"))
    other.loan("2")
    other.lease("2", "Baker", 900)
    load(tmp_path, [other.portfolio()], rates=RATES)
    store = Store(tmp_path)
    with store.lease() as source:
        found = {number: source.loan(number).extended["leases"] for number in ("1", "2")}
    store.close()
    assert found == {"1": [], "2": [{"tenant": "Baker", "square_feet": 900, "expires": None}]}


def exported(folder, query):
    """The only row of an export."""
    store = Store(folder)
    with store.lease() as source:
        table = loan_table(source, query)
    store.close()
    assert tuple(table.column_names) == LOAN_EXPORT
    (row,) = table.to_pylist()
    return row


def test_a_scan_of_a_whole_table_keeps_its_order(tmp_path):
    """Columns of all loans are read without asking for an order (store/columns.py)."""
    with duckdb.connect(str(tmp_path / DATABASE)) as made:
        made.execute(
            f"CREATE TABLE loans AS SELECT range::INTEGER AS loan_id FROM range({MANY}) ORDER BY 1"
        )
    database = Database(tmp_path / DATABASE)
    try:
        database.rows("SET threads = 4")
        ids = database.ids("SELECT loan_id FROM loans")
        assert (ids == np.arange(MANY)).all()
        table = database.arrow("SELECT loan_id FROM loans")
        assert (table["loan_id"].to_numpy() == np.arange(MANY)).all()
    finally:
        database.close()


@pytest.mark.parametrize("table", ["loans", "screened"])
def test_rows_lie_in_order_of_loan_id(store_source, table):
    ids = store_source.reader.ids(f"SELECT loan_id FROM {table}")
    assert ids.tolist() == list(range(store_source.snapshot().loans))
