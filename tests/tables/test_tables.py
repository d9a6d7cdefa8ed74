"""Open tables read back by Delta Lake's library and by DuckDB (D179): figures, types, words."""

import json
import math
import shutil
from datetime import date
from threading import Thread

import duckdb
import pyarrow as pa
import pytest
from deltalake import DeltaTable

from services.contract.errors import ShelfMoved
from services.contract.history import ChangeQuery, HistoryQuery
from services.contract.loan_filter import LoanFilter
from services.contract.months import months_after
from services.contract.signal_filter import SignalFilter
from services.shelf.objects import Objects
from services.shelf.open_tables import write
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from services.store.snapshot import current_id
from services.tables import writing
from services.tables.schema import COMMENT, TABLES, UNIT, page
from services.tables.writing import DATES, SNAPSHOT, Place, standing
from tests.hostile import WORDS
from tests.periods import silent
from tests.tables import questions, stores
from tests.test_architecture import ROOT
from tests.tiers import turns

BY_DATE = ("history", "events")


def written(store, shelf):
    objects = Objects.at(str(shelf), create=True)
    return write(objects, store, current_id(store), silent)


def opened(shelf, name):
    return DeltaTable((shelf / "tables" / name).as_uri())


def versions(shelf):
    return {table.name: opened(shelf, table.name).version() for table in TABLES}


def asked(shelf):
    """DuckDB over the tables as their logs have them, without an extension."""
    connection = duckdb.connect()
    for table in TABLES:
        connection.register(table.name, opened(shelf, table.name).to_pyarrow_dataset())
    return connection


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Store and shelf; the shelf's name is one that an address has to quote."""
    folder = tmp_path_factory.mktemp("tables")
    stores.filled(folder / "store", stores.rows())
    written(folder / "store", folder / "a shelf 100%")
    return folder / "store", folder / "a shelf 100%"


@pytest.fixture(scope="module")
def source(made):
    store = Store(made[0], rescorer=RulesRescorer())
    with store.lease() as found:
        yield found
    store.close()


@pytest.fixture(scope="module")
def sql(made):
    return asked(made[1])


def test_ten_totals_are_those_of_the_overview(source, sql):
    totals, found = source.totals(), source.loan_totals(LoanFilter())
    days = {
        "today": totals.as_of,
        "in_12": months_after(totals.as_of, 12),
        "in_24": months_after(totals.as_of, 24),
    }
    assert totals.notes < source.snapshot().loans  # a record that is a sum is among them
    assert totals.past_maturity.loans
    assert sql.execute(questions.TOTALS.format(**days)).fetchall()[0] == (
        totals.book.loans,
        totals.notes,
        totals.book.book_value,
        pytest.approx(totals.weighted_coupon),
        pytest.approx(totals.weighted_refi_rate),
        totals.matures_12_months.loans,
        totals.matures_12_months.book_value,
        totals.matures_24_months.loans,
        totals.past_maturity.loans,
        found.dollars_short,
    )


def test_the_map_of_signals_state_by_state(source, sql):
    expected = {
        (one.state, one.signals, one.loans, one.book_value, one.of_loans, one.of_book_value)
        for one in source.signal_states(SignalFilter())
    }
    assert set(sql.execute(questions.STATES).fetchall()) == expected
    assert len(expected) > 5


@pytest.mark.parametrize(("since", "until"), [(0, 1), (0, 2), (1, 2), (1, 1)])
def test_the_matrix_of_moves_of_two_dates(source, sql, since, until):
    days = {"since": stores.DAYS[since], "until": stores.DAYS[until]}
    changes = source.changes(ChangeQuery(**days))
    expected = {(one.before, one.after, one.loans, one.dollars) for one in changes.moves}
    assert set(sql.sql(questions.MOVES.format(**days)).fetchall()) == expected


def test_a_loan_s_line_and_events_are_those_of_its_page(source, sql):
    dated = 0
    for at in range(0, stores.LOANS, 7):
        number = f"one:{at:03d}"
        line = source.history(number, HistoryQuery(sponsors=True))
        rows = sql.execute(
            "SELECT as_of, balance, interest_rate, maturity_date, sponsor, special_servicing,"
            " worst_severity, rules FROM history WHERE loan_number = ? ORDER BY as_of",
            [number],
        ).fetchall()
        assert rows == [
            (
                *(one.as_of, one.balance, one.interest_rate, one.maturity_date, one.sponsor),
                *(one.special_servicing, one.worst, " ".join(one.rules) or None),
            )
            for one in line.rows
        ]
        if len(line.rows) == len(stores.DAYS):
            said = sql.execute(
                "SELECT as_of, since, kind, signal_type, dollars, sentence FROM events"
                " WHERE loan_number = ? AND since >= ?",
                [number, stores.DAYS[0]],
            ).fetchall()
            assert sorted(said, key=str) == sorted(
                (
                    (one.as_of, one.since, one.kind, one.signal_type, one.dollars, one.sentence)
                    for one in line.events
                ),
                key=str,
            )
            dated += len(said)
    assert dated > 20


def test_kinds_of_events_are_counted_as_changes_counts_them(source, sql):
    for since, until in zip(stores.DAYS, stores.DAYS[1:], strict=False):
        changes = source.changes(ChangeQuery(since=since, until=until, sponsors=True))
        rows = sql.execute(
            "SELECT kind, count(DISTINCT loan_number) FROM events WHERE as_of = ? AND since = ?"
            " GROUP BY kind",
            [until, since],
        ).fetchall()
        assert dict(rows) == {one.kind: one.loans for one in changes.counts}


def test_rows_of_each_table_are_those_of_the_snapshot(source, sql):
    reader = source.reader
    for table, theirs in (
        ("loans", "loans"),
        ("notes", "loans"),
        ("properties", "properties"),
        ("parties", "entities"),
        ("layers", "layers"),
        ("leases", "leases"),
        ("signals", "signals"),
        ("history", "history.lines"),
    ):
        count = f"SELECT count(*) FROM {theirs}"
        assert sql.sql(f"SELECT count(*) FROM {table}").fetchall() == reader.rows(count)
    graph = reader.graph
    edges = sql.sql(
        "SELECT from_name, from_kind, to_name, to_kind, relation, confidence, share FROM edges"
    ).fetchall()
    assert len(edges) == graph.edge_count
    for edge in range(0, graph.edge_count, 97):
        ends = int(graph.edge_from[edge]), int(graph.edge_to[edge])
        named = [word for end in ends for word in (graph.name(end), reader.kind(end))]
        share = float(reader.shares[edge])
        assert edges[edge] == (
            *named,
            graph.relation(edge),
            graph.edge_confidence[edge],
            None if math.isnan(share) else share,
        )


def test_what_is_not_known_is_null_and_a_date_is_a_date(source, sql):
    rows = sql.execute(
        "SELECT book_value, maturity_date, typeof(maturity_date), typeof(book_value),"
        " typeof(dscr), typeof(partial_note) FROM loans WHERE loan_number = 'H:000'"
    ).fetchall()[0]
    assert rows == (None, date(2029, 2, 28), "DATE", "BIGINT", "DOUBLE", "BOOLEAN")
    assert sql.execute("SELECT count(*) FROM loans WHERE isnan(dscr) OR isnan(ltv)").fetchall()[
        0
    ] == (0,)
    assert source.loan("H:000").book_value is None


def test_hostile_words_are_words(sql):
    found = sql.sql("SELECT loan_number, property_name FROM loans WHERE loan_number LIKE 'H:%'")
    assert dict(found.fetchall()) == {f"H:{at:03d}": word for at, word in enumerate(WORDS)}
    tenants = sql.sql("SELECT tenant FROM leases WHERE loan_number LIKE 'H:%'").fetchall()
    assert {one for (one,) in tenants} == set(WORDS)
    titles = sql.sql("SELECT DISTINCT source FROM loans WHERE loan_number LIKE 'H:%'").fetchall()
    assert titles == [("'; DROP TABLE loans; --",)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_column_says_what_it_is_and_its_unit(made, table):
    there = opened(made[1], table.name)
    assert there.metadata().name == table.name
    assert there.metadata().description == table.description
    assert there.metadata().partition_columns == (["as_of"] if table.by_date else [])
    fields = json.loads(there.schema().to_json())["fields"]
    assert [one["name"] for one in fields] == [one.name for one in table.columns]
    for one, column in zip(fields, table.columns, strict=True):
        assert len(column.description) > 3, column.name
        assert one["metadata"][UNIT] == column.unit
        assert one["metadata"][COMMENT] == f"{column.description} [{column.unit}]"


def test_the_page_of_columns_is_that_of_the_tables():
    there = ROOT / "services" / "tables" / "COLUMNS.md"
    assert there.read_text(encoding="utf-8") == page(), "see the first lines of COLUMNS.md"


def test_the_commit_names_the_snapshot_and_publishing_again_adds_nothing(tmp_path):
    store, shelf = tmp_path / "store", tmp_path / "shelf"
    stores.filled(store, stores.rows())
    written(store, shelf)
    place = Place(*Objects.at(str(shelf)).elsewhere())
    now = current_id(store)
    before = versions(shelf)
    assert {standing(place, table.name) for table in TABLES} == {now}
    for table in TABLES:
        (commit,) = opened(shelf, table.name).history()
        assert (commit[SNAPSHOT], table.by_date) == (now, json.loads(commit[DATES]) != {})
    assert written(store, shelf).rows == {}
    assert versions(shelf) == before
    assert standing(place, "nothing") is None


def test_one_commit_a_publication_and_only_the_dates_that_changed(tmp_path):
    store, shelf = tmp_path / "store", tmp_path / "shelf"
    rows = stores.rows()
    first, second, third = stores.DAYS
    stores.filled(store, {first: rows[first], second: rows[second]})
    written(store, shelf)
    files = set(opened(shelf, "history").file_uris())
    stores.add(store, {third: rows[third]})
    done = written(store, shelf)
    assert set(versions(shelf).values()) == {1}
    assert done.rows["history"] == len(rows[third])
    assert files < set(opened(shelf, "history").file_uris())  # what was there stays as it is

    # Of a date that was filed again both its own events and those of the next one are others.
    corrected = [{**one, "balance": 7_000_000} for one in rows[second]]
    stores.add(store, {second: corrected})
    done = written(store, shelf)
    assert done.rows["history"] == len(rows[second]) + world_rows(store, second)
    sql = asked(shelf)
    assert sql.sql(
        f"SELECT DISTINCT balance FROM history WHERE as_of = '{second}' AND source_key = 'one'"
    ).fetchall() == [(7_000_000,)]
    leased = Store(store, rescorer=RulesRescorer())
    with leased.lease() as source:
        days = {"since": second, "until": third}
        moves = {
            (one.before, one.after, one.loans, one.dollars)
            for one in source.changes(ChangeQuery(**days)).moves
        }
        counts = {
            one.kind: one.loans for one in source.changes(ChangeQuery(**days, sponsors=True)).counts
        }
    leased.close()
    assert set(sql.sql(questions.MOVES.format(**days)).fetchall()) == moves
    assert (
        dict(
            sql.sql(
                "SELECT kind, count(DISTINCT loan_number) FROM events"
                f" WHERE as_of = '{third}' GROUP BY kind"
            ).fetchall()
        )
        == counts
    )

    # What is dropped goes; a publication that changes no period is a commit without files.
    before = opened(shelf, "history").file_uris()
    stores.add(store, {})
    assert written(store, shelf).rows["history"] == 0
    assert set(opened(shelf, "history").file_uris()) == set(before)
    place = Place(*Objects.at(str(shelf)).elsewhere())
    assert {standing(place, table.name) for table in TABLES} == {current_id(store)}


def world_rows(store, day):
    """Rows of other sources' periods of that date."""
    leased = Store(store)
    with leased.lease() as source:
        found = [one for one in source.periods() if one.as_of == day and one.counts]
    leased.close()
    return sum(one.loans for one in found if one.source != "one")


def test_tables_that_somebody_tidied_are_gone_on_from(tmp_path):
    store, shelf = tmp_path / "store", tmp_path / "shelf"
    stores.filled(store, stores.rows())
    written(store, shelf)
    opened(shelf, "history").optimize.compact()
    stores.add(store, {})
    assert written(store, shelf).rows["history"] == 0


def test_a_row_that_fits_no_column_is_an_internal_error(tmp_path, monkeypatch):
    from services.store import open_rows

    def wrong(reader, _):
        yield pa.record_batch({one: ["x"] for one in reader.snapshot.model_fields})

    monkeypatch.setattr(open_rows, "of_snapshot", wrong)
    stores.filled(tmp_path / "store", {})
    with pytest.raises(TypeError, match="rows of 'loans' do not fit"):
        written(tmp_path / "store", tmp_path / "shelf")
    assert not list((tmp_path / "shelf").rglob("_delta_log/*.json"))


@pytest.mark.parametrize(("table", "there"), turns(["loans", "history", "events"], [True, False]))
def test_whoever_commits_second_is_refused_and_no_row_is_there_twice(
    tmp_path, monkeypatch, table, there
):
    """D180."""
    store, shelf = tmp_path / "store", tmp_path / "shelf"
    rows = stores.rows()
    stores.filled(store, {stores.DAYS[0]: rows[stores.DAYS[0]]})
    if there:
        written(store, shelf)
        stores.add(store, {stores.DAYS[1]: rows[stores.DAYS[1]]})
    other = shutil.copytree(store, tmp_path / "other")
    commit = writing._commit

    def overtaken(place, own, *given):
        if own.name == table:
            monkeypatch.setattr(writing, "_commit", commit)
            given = (given[0], first(given[1]), *given[2:])
        return commit(place, own, *given)

    def first(batches):
        yield from batches
        faster = Thread(target=written, args=(other, shelf))  # the library's own would not do
        faster.start()
        faster.join(60)

    monkeypatch.setattr(writing, "_commit", overtaken)
    with pytest.raises(ShelfMoved, match=f"Somebody else wrote the table '{table}'"):
        written(store, shelf)
    assert set(versions(shelf).values()) == {int(there)}
    leased = Store(store)
    with leased.lease() as source:
        counted = source.reader.rows(
            "SELECT (SELECT count(*) FROM loans), (SELECT count(*) FROM history.lines)"
        )
    leased.close()
    assert (opened(shelf, "loans").count(), opened(shelf, "history").count()) == counted[0]
