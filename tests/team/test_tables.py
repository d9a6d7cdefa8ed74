"""Open tables on a real S3 server (D179): by the commands, by two publishers at once, by Spark."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from deltalake import DeltaTable

from services.contract.errors import ShelfUnavailable
from services.contract.history import ChangeQuery
from services.contract.loan_filter import LoanFilter
from services.contract.months import months_after
from services.contract.signal_filter import SignalFilter
from services.shelf.objects import Objects
from services.shelf.open_tables import write
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from services.store.snapshot import current_id
from services.tables.schema import TABLES
from services.tables.writing import SNAPSHOT, Place, standing
from tests.periods import silent
from tests.tables import questions, stores
from tests.team.object_store import BUCKET, SECRET, object_store
from tests.team.test_shelf import command, ended

pytestmark = [pytest.mark.team, pytest.mark.usefixtures("s3")]

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def s3(tmp_path_factory):
    with object_store(tmp_path_factory.mktemp("s3")) as store, pytest.MonkeyPatch.context() as set_:
        for name, value in store.environment.items():
            set_.setenv(name, value)
        Objects.at(f"s3://{BUCKET}").write("made", b"")
        yield store


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("filled") / "store"
    stores.filled(folder, stores.rows())
    return folder


def table(url, name):
    return DeltaTable(f"{url}/tables/{name}", storage_options={"allow_http": "true"})


def test_published_with_tables_by_the_command(filled):
    url = f"s3://{BUCKET}/by-command"
    said = ended(command("publish", "--tables", "--to", url, "--store", filled))
    assert "rows written: loans " in said
    assert f"moved to snapshot {current_id(filled)}" in said
    again = ended(command("tables", "--to", url, "--store", filled))
    assert f"had snapshot {current_id(filled)} already" in again
    place = Place(*Objects.at(url).elsewhere())
    assert {standing(place, one.name) for one in TABLES} == {current_id(filled)}
    connection = duckdb.connect()
    connection.register("history", table(url, "history").to_pyarrow_table())
    assert connection.sql("SELECT count(DISTINCT as_of) FROM history").fetchall()[0][0] >= 3


@pytest.mark.parametrize(
    ("name", "value"), [("AWS_SECRET_ACCESS_KEY", "wrong-secret"), ("AWS_ALLOW_HTTP", "false")]
)
def test_what_goes_wrong_is_a_sentence_without_a_secret(filled, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    said = ended(command("tables", "--to", f"s3://{BUCKET}/refused", "--store", filled), code=2)
    assert said.startswith("creditatlas: The shelf 's3://shelf/refused' ")
    assert said.count("\n") == 1
    assert "wrong-secret" not in said


def test_a_server_that_is_gone_is_a_sentence(filled, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(ShelfUnavailable, match="does not answer") as said:
        write(Objects.at(f"s3://{BUCKET}/gone"), filled, current_id(filled), silent)
    assert SECRET not in str(said.value)


def test_two_publishers_at_once_leave_whole_tables_of_one_commit_each(filled):
    """One may be refused, in a sentence; no table has the rows of both."""
    url = f"s3://{BUCKET}/both"

    def publish(_):
        process = command("tables", "--to", url, "--store", filled)
        out, err = process.communicate(timeout=120)
        assert "Traceback" not in err
        return process.returncode, out + err

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(publish, range(2)))
    for code, said in done:
        assert code == 0 or "Somebody else wrote the table" in said
    write(Objects.at(url), filled, current_id(filled), silent)
    store = Store(filled)
    with store.lease() as source:
        loans = source.snapshot().loans
        lines = source.reader.rows("SELECT count(*) FROM history.lines")[0][0]
    store.close()
    assert table(url, "loans").count() == loans
    assert table(url, "history").count() == lines


def test_spark_sql_says_what_the_pages_say(filled):
    """Sail, a Spark Connect server, in an environment that ATLAS_SAIL names."""
    sail = os.environ.get("ATLAS_SAIL")
    if not sail:
        pytest.skip("ATLAS_SAIL names no environment with pysail and pyspark-client")
    url = f"s3://{BUCKET}/spark"
    store = Path(os.environ.get("ATLAS_SAIL_STORE", filled))
    write(Objects.at(url), store, current_id(store), silent)
    leased = Store(store, rescorer=RulesRescorer())
    with leased.lease() as source:
        totals, found = source.totals(), source.loan_totals(LoanFilter())
        days = sorted({one.as_of for one in source.periods() if one.counts})
        moved = {"since": days[-2] if len(days) > 1 else days[-1], "until": days[-1]}
        moves = source.changes(ChangeQuery(**moved)).moves
        states = source.signal_states(SignalFilter())
    leased.close()
    dates = {
        "today": totals.as_of,
        "in_12": months_after(totals.as_of, 12),
        "in_24": months_after(totals.as_of, 24),
        **moved,
    }
    asked = {
        "totals": questions.TOTALS.format(**dates),
        "states": questions.STATES,
        "moves": questions.MOVES.format(**dates),
        "lines": "SELECT count(*), count(DISTINCT as_of), sum(balance) FROM history",
        "snapshots": "SELECT DISTINCT snapshot_id FROM loans",
    }
    spark = subprocess.run(
        [f"{sail}/bin/python", str(HERE / "spark_over_tables.py"), url],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert spark.returncode == 0, spark.stderr[-2_000:]
    said = json.loads(spark.stdout)
    (row,) = said["totals"]["rows"]
    assert [float(one) for one in row] == pytest.approx([
        totals.book.loans, totals.notes, totals.book.book_value, totals.weighted_coupon,
        totals.weighted_refi_rate, totals.matures_12_months.loans,
        totals.matures_12_months.book_value, totals.matures_24_months.loans,
        totals.past_maturity.loans, found.dollars_short,
    ], rel=1e-12)  # fmt: skip
    assert {tuple(one) for one in said["states"]["rows"]} == {
        (
            one.state,
            *map(str, (one.signals, one.loans, one.book_value, one.of_loans, one.of_book_value)),
        )
        for one in states
    }
    assert {tuple(one) for one in said["moves"]["rows"]} == {
        (one.before, one.after, str(one.loans), str(one.dollars)) for one in moves
    }
    assert said["snapshots"]["rows"] == [[table(url, "loans").history(1)[0][SNAPSHOT]]]
    print(
        {name: round(one["seconds"], 2) for name, one in said.items()},
        said["lines"]["rows"],
        file=sys.stderr,
    )
