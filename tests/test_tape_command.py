"""The command `import tape`: what it says and asks, profiles, rejects, tapes as periods (D208)."""

import csv
import io

import pytest

from services.contract.history import HistoryQuery
from services.contract.queries import LoanQuery
from services.settings import load
from services.sources import open_workspace
from tests.commands import inside
from tests.test_cli import sentence

TAPE = (
    "Loan #,Borrower,Current Balance,Rate,Maturity\n"
    "1,Alpha LLC,27000000,5.25,6/30/2027\n"
    "2,Beta LLC,1250,6.1,1/6/2028\n"
    "3,Gamma LLC,five,6.1,1/6/2028\n"
)


@pytest.fixture
def tape(tmp_path):
    path = tmp_path / "tape.csv"
    path.write_text(TAPE, encoding="utf-8")
    return path


def numbers(store):
    """Numbers and balances of all loans of a store."""
    workspace = open_workspace(load(store=store))
    with workspace.lease() as reading:
        found = {one.loan_number: one.book_value for one in reading.source.loans(LoanQuery()).items}
    workspace.close()
    return found


def test_a_tape_is_loaded_and_says_what_became_of_its_rows(tmp_path, tape):
    store, rejects, profile = (tmp_path / name for name in ("store", "rejects.csv", "p.toml"))
    done = inside(
        *("import", "tape", tape, "--as-of", "2026-03-31", "--book", "North"),
        *("--rejects", rejects, "--save-profile", profile),
        store=store,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "tape.csv, as of 31 Mar 2026: 3 rows, 2 loaded as 2 loans of 'North', 1 rejected",
        "rejected row 4: Current Balance 'five' is no figure",
        "not mapped: Current Balance (unreadable) (1 time)",
        f"The store {store} now holds 2 loans",
    ]
    assert numbers(store) == {"North:1": 27_000_000, "North:2": 1_250}
    rows = list(csv.DictReader(io.StringIO(rejects.read_text(encoding="utf-8"))))
    assert [(one["Loan #"], one["reason"]) for one in rows] == [
        ("3", "Current Balance 'five' is no figure.")
    ]
    assert 'book = "North"' in profile.read_text(encoding="utf-8")


def test_a_later_tape_is_a_period_and_a_loan_missing_from_it_stays_in_its_own(tmp_path, tape):
    store = tmp_path / "store"
    inside("import", "tape", tape, "--as-of", "2026-03-31", store=store)
    tape.write_text(TAPE.replace("\n1,", "\n7,").replace("five", "9"), encoding="utf-8")
    done = inside("import", "tape", tape, "--as-of", "2026-06-30", store=store)
    assert (
        "1 loan of the tape before not on this one, kept in its period: My book:1"
        in done.stdout.splitlines()
    )
    assert set(numbers(store)) == {"My book:2", "My book:3", "My book:7"}
    workspace = open_workspace(load(store=store))
    with workspace.lease() as reading:
        periods = reading.source.periods()
        gone = reading.source.history("My book:1", HistoryQuery())
    workspace.close()
    assert [(f"{one.as_of}", one.loans, one.counts) for one in periods] == [
        ("2026-03-31", 2, True),
        ("2026-06-30", 3, True),
    ]
    assert [f"{one.as_of}" for one in gone.rows] == ["2026-03-31"]
    assert [f"{one}" for one in gone.missing] == ["2026-06-30"]
    # An older tape changes nothing of today, and misses nothing.
    done = inside("import", "tape", tape, "--as-of", "2025-12-31", store=store)
    assert "not on this one" not in done.stdout
    assert set(numbers(store)) == {"My book:2", "My book:3", "My book:7"}


def test_what_must_be_said_is_asked_in_one_sentence(tmp_path, tape):
    store = tmp_path / "store"
    tape.write_text("Loan #,Balance,Maturity\n1,5,3/4/2027\n", encoding="utf-8")
    said = sentence(inside("import", "tape", tape, store=store))
    assert said.startswith("Column 'Maturity' (3/4/2027): the month or the day may stand first")
    assert said.endswith("(1 more to say; --preview lists them)")
    assert not (store / "current").exists()
    said = sentence(inside("import", "tape", tape, "--read", "Maturity=D/M/Y", store=store))
    assert said == "tape.csv does not say of which day its figures are; say it: --as-of YYYY-MM-DD"
    shown = inside("import", "tape", tape, "--preview", store=store)
    assert shown.returncode == 0
    assert "Balance -> book_value (money, 1,234.56; 0.98, its name)" in shown.stdout
    assert "1 row: 1 would be loaded, 0 rejected; 67% of the columns are known" in shown.stdout
    assert sum(line.startswith("to say: ") for line in shown.stdout.splitlines()) == 2
    assert not (store / "current").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--as-of", "31/3/2026"), "--as-of is '31/3/2026' but must be a day written"),
        (("--map", "Rate"), "--map is 'Rate' but must be COLUMN=WORD"),
        (("--map", "Rate=rat"), "column 'Rate': there is no field 'rat'"),
        (("--read", "Rate=M/D/Y"), "which is read as 'percent', 'fraction'"),
        (("--number", "Deal"), "has no column 'Deal'"),
        (("--profile", "none.toml"), "the profile none.toml cannot be read"),
        (("--header-row", "9"), "has no header in row 9"),
        (("--book", " "), "a book's name has 1 to 80"),
    ],
)
def test_options_that_do_not_fit_are_refused_in_one_sentence(words, said, tmp_path, tape):
    assert said in sentence(inside("import", "tape", tape, *words, store=tmp_path / "store"))


def test_a_tape_joins_other_reported_sources_and_replaces_made_up_data(tmp_path, tape):
    store = tmp_path / "store"
    inside("demo", "--loans", "30", "--quarters", "1", store=store)
    inside("import", "tape", tape, "--as-of", "2026-03-31", "--book", "A", store=store)
    inside("import", "tape", tape, "--as-of", "2026-03-31", "--book", "B", store=store)
    assert set(numbers(store)) == {"A:1", "A:2", "B:1", "B:2"}


def test_the_same_tape_read_in_another_way_counts_from_then_on(tmp_path, tape):
    store = tmp_path / "store"
    given = ("import", "tape", tape, "--as-of", "2026-03-31")
    inside(*given, store=store)
    inside(*given, "--map", "Rate=-", store=store)
    workspace = open_workspace(load(store=store))
    with workspace.lease() as reading:
        assert [one.counts for one in reading.source.periods()] == [True, False]
    workspace.close()
