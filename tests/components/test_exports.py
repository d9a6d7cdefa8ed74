"""CSV to take away, from a small store whose names try to be formulas."""

import csv
import io
from datetime import date

import pyarrow as pa
import pytest

from components.frame import session
from components.frame.exports import safe
from components.loans import table
from services.contract.loan_filter import LoanFilter
from services.contract.portfolio import TABLES, Portfolio, SourceInfo, shaped
from services.contract.source import LOAN_EXPORT
from services.settings import load as settings
from services.sources import open_workspace
from tests.publishing import load

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
    load(folder, [made_of(columns)])
    opened = open_workspace(settings(store=folder))
    yield opened
    opened.close()


@pytest.fixture
def exported(workspace, monkeypatch):
    """The lines of an export: those that say what it is, and the rows by column name."""

    def made(query):
        text = table.loans_csv(query).decode("utf-8")
        lines = list(csv.reader(io.StringIO(text, newline="")))
        facts = [line for line in lines if line[0].startswith("# ")]
        header, *rows = lines[len(facts) :]
        return facts, header, [dict(zip(header, row, strict=True)) for row in rows]

    with workspace.lease() as reading:
        monkeypatch.setattr(session, "analytics", lambda: reading.analytics)
        yield made


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
    assert header == [units.get(name, name) for name in LOAN_EXPORT]
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
    }
    assert set(rows[-1].values()).isdisjoint({"None", "null", "nan", "NaN", "—", "0"})


def test_no_match_is_a_header_without_rows(exported):
    facts, header, rows = exported(LoanFilter(lender="nobody of that name"))
    assert ["# Rows", "0"] in facts
    assert len(header) == len(LOAN_EXPORT)
    assert rows == []


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_text_that_a_spreadsheet_would_run_is_quoted(start):
    assert safe(f"{start}1+1") == f"'{start}1+1"
    assert safe(start) == f"'{start}"
    assert safe(f" {start}") == f" {start}"
    assert safe(f"a{start}") == f"a{start}"


def test_plain_text_is_left_alone():
    for text in ("", "Dallas", "'quoted", "12", "Ärzte"):
        assert safe(text) == text
