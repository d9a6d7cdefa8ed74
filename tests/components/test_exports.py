"""Files to take away, from a small store whose names try to be formulas."""

import csv
import io
from datetime import date, datetime, time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import load_workbook

from components.frame import session
from components.frame.exports.csv_file import safe
from components.frame.exports.export import OF_LOANS
from components.frame.exports.formats import PARQUET, XLSX
from components.loans import table
from services.contract.columns import COLUMN, LOAN_EXPORT
from services.contract.facts import FACT
from services.contract.loan_filter import LoanFilter
from services.contract.portfolio import TABLES, Portfolio, SourceInfo, shaped
from services.settings import load as settings
from services.sources import open_workspace
from tests.exported import file_of, loan_table
from tests.publishing import load_once

SHOWN = ("loan_number", "property_city", "dscr")
#: Lender and city of each loan, and as a spreadsheet must get them.
NAMES = [
    ("=HYPERLINK(A1)", "'=HYPERLINK(A1)"),
    ("+1 Capital", "'+1 Capital"),
    ("-2 Partners", "'-2 Partners"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("\tTab Bank", "'\tTab Bank"),
    ("\rReturn Bank", "'\rReturn Bank"),
    ("\nLine Bank", "'\nLine Bank"),
    ('Quote "Q", Comma & Sons', 'Quote "Q", Comma & Sons'),
    ("Two\n=Lines", "Two\n=Lines"),
    ("A=B-C@D", "A=B-C@D"),
    ("Société 東京", "Société 東京"),
    (None, ""),
]


def made_of(columns):
    info = SourceInfo(
        key="tape:T",
        importer="tape",
        title="=Tape, first",
        publisher="T",
        terms="T",
        as_of=date(2026, 9, 30),
        provenance="reported",
    )
    empty = {name: schema.empty_table() for name, schema in TABLES.items()}
    return Portfolio(info=info, **empty | {"loans": shaped(TABLES["loans"], columns)})


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exports")
    size = len(NAMES)
    last_is_null = pa.array([*range(1, size), None])
    columns = {
        "loan_number": [f"T:{number:02d}" for number in range(size)],
        "lender_normalized": [name for name, _ in NAMES],
        "property_city": [name for name, _ in NAMES],
        "property_state": ["TX"] * (size - 1) + [None],
        "property_type": ["mixed use"] * (size - 1) + [None],
        "book_value": [48_500_000, -1, 0, 10**15, *([7] * (size - 5)), None],
        "interest_rate": [6.055, 0.0, -0.25, 7.0, *([4.125] * (size - 5)), None],
        "maturity_date": [date(2027, 3, 15)] * (size - 1) + [None],
        "origination_date": [date(2017, 3, 15)] * (size - 1) + [None],
        "dscr": last_is_null.cast(pa.float64()),
    }
    load_once(folder, [made_of(columns)])
    opened = open_workspace(settings(store=folder))
    yield opened
    opened.close()


@pytest.fixture
def analytics(workspace, monkeypatch):
    with workspace.lease() as reading:
        monkeypatch.setattr(session, "analytics", lambda: reading.analytics)
        yield reading.analytics


@pytest.fixture
def exported(analytics):  # noqa: ARG001 - what is exported is read from it
    """The lines of an export: those that say what it is, and the rows by column name."""

    def made(query):
        text = file_of(table.export(query, SHOWN)).decode("utf-8")
        lines = list(csv.reader(io.StringIO(text, newline="")))
        facts = [line for line in lines if line[0].startswith("# ")]
        header, *rows = lines[len(facts) :]
        return facts, header, [dict(zip(header, row, strict=True)) for row in rows]

    return made


def test_the_first_lines_say_what_it_is_as_of_when_and_from_where(exported):
    facts, _, rows = exported(LoanFilter(state="tx", max_balance=0, page=3, per_page=10))
    assert facts[:6] == [
        ["# Credit Atlas", "loans"],
        ["# Shown", "Loans in Texas, of at most $0"],
        ["# Rows", "2"],
        ["# As of", "2026-09-30"],
        ["# Source", "'=Tape, first"],
        ["# Provenance", "reported"],
    ]
    assert facts[6][0] == "# Snapshot"
    assert [row["loan_number"] for row in rows] == ["T:01", "T:02"]


def test_all_pages_are_in_it_and_every_column_is_named_with_its_unit(exported):
    facts, header, rows = exported(LoanFilter(per_page=5))
    assert ["# Rows", "12"] in facts
    assert ["# Shown", "All loans"] in facts
    units = {
        "book_value": "book_value_usd",
        "interest_rate": "interest_rate_pct",
        "dollars_short": "dollars_short_usd",
    }
    shown = ["loan_number", "property_city", "property_state", "dscr"]
    others = [name for name in LOAN_EXPORT if name not in shown]
    headers = [units.get(name, (FACT | COLUMN)[name].header) for name in (*shown, *others)]
    assert header == headers
    assert {"original_amount_usd", "debt_yield_pct", "worst_severity"} <= set(header)
    assert [row["loan_number"] for row in rows] == [f"T:{number:02d}" for number in range(12)]


def test_no_name_can_be_a_formula(exported):
    _, _, rows = exported(LoanFilter())
    for column in ("lender_normalized", "property_city"):
        assert [row[column] for row in rows] == [shown for _, shown in NAMES]


def test_integers_percent_figures_and_dates_are_raw(exported):
    _, _, rows = exported(LoanFilter())
    assert [row["book_value_usd"] for row in rows[:4]] == ["48500000", "-1", "0", str(10**15)]
    assert [float(row["interest_rate_pct"]) for row in rows[:4]] == [6.055, 0.0, -0.25, 7.0]
    assert rows[0]["interest_rate_pct"] == "6.055"
    assert rows[0]["maturity_date"] == "2027-03-15"
    assert rows[0]["origination_date"] == "2017-03-15"
    assert rows[0]["as_of"] == "2026-09-30"
    assert rows[0]["property_type"] == "mixed use"


def test_what_is_not_known_is_empty(exported):
    # D18
    _, _, rows = exported(LoanFilter())
    stated = {name: value for name, value in rows[-1].items() if value != ""}
    assert stated == {
        "loan_number": "T:11",
        "as_of": "2026-09-30",
        "source": "'=Tape, first",
        "provenance": "reported",
        "sums_notes": "false",  # these three are known of every record
        "debt_at_least": "false",
        "untested_triggers": "1A | 1E | 1F | 4A | 4C | 4D | 5A",
    }
    assert set(rows[-1].values()).isdisjoint({"None", "null", "nan", "NaN", "—", "0"})


def test_no_match_is_a_header_without_rows(exported):
    facts, header, rows = exported(LoanFilter(lender="nobody of that name"))
    assert ["# Rows", "0"] in facts
    assert set(header) > {"loan_number", "book_value_usd", "rank_in_type"}
    assert rows == []


def test_a_workbook_holds_what_the_store_holds(analytics):
    query, columns = LoanFilter(order="-book_value"), ("loan_number", "ltv", *COLUMN)
    asked = list(dict.fromkeys((*columns, *LOAN_EXPORT)))
    held = loan_table(analytics, query, columns).select(asked).to_pylist()
    book = load_workbook(io.BytesIO(file_of(table.export(query, columns), XLSX)))
    heads, *rows = book["Loans"].iter_rows(values_only=True)
    assert list(heads) == [OF_LOANS[name].label for name in asked]
    assert len(set(heads)) == len(heads)
    assert len(rows) == len(held) == 12
    for row, loan in zip(rows, held, strict=True):
        for name, cell in zip(asked, row, strict=True):
            assert as_held(cell, OF_LOANS[name]) == loan[name], name


def as_held(cell, fact):
    """A cell of a workbook as the store holds it."""
    if isinstance(cell, datetime):
        assert cell.time() == time()
        return cell.date()
    if isinstance(cell, str):
        return cell.replace("_x000D_", "\r")
    if cell is not None and fact.kind == "percent":
        return pytest.approx(100 * cell, rel=1e-14)
    return cell


def test_parquet_holds_the_raw_values_and_what_they_are(analytics):
    query = LoanFilter(order="-book_value")
    held = loan_table(analytics, query, ("loan_number", "property_city", "property_state", "dscr"))
    found = pq.read_table(io.BytesIO(file_of(table.export(query, SHOWN), PARQUET)))
    assert found.to_pylist() == held.rename_columns(found.column_names).to_pylist()
    assert found.schema.metadata[b"Shown"] == b"All loans"
    assert found.schema.metadata[b"Rows"] == b"12"
    assert found.schema.field("interest_rate_pct").metadata == {
        b"label": b"Coupon",
        b"unit": b"percent",
    }


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_text_that_a_spreadsheet_would_run_is_quoted(start):
    assert safe(f"{start}1+1") == f"'{start}1+1"
    assert safe(start) == f"'{start}"
    assert safe(f" {start}") == f" {start}"
    assert safe(f"a{start}") == f"a{start}"


def test_plain_text_is_left_alone():
    for text in ("", "Dallas", "'quoted", "12", "Ärzte"):
        assert safe(text) == text
