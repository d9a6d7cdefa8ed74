"""The formats of an export, each file read back by another library, and what writing one takes."""

import csv
import io
import subprocess
import sys
import zipfile
from datetime import date, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from openpyxl import load_workbook

from components.frame.exports import Origin, of_table
from components.frame.exports.export import OF_LOANS
from components.frame.exports.formats import CSV, CSV_ZIPPED, PARQUET, XLSX, for_rows
from components.frame.exports.ready import Ready, deed
from tests.exported import file_of

ROOT = Path(__file__).parents[2]
OF = Origin("2026-09-30", "=A source", "reported", "snap-1")
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "{=1}", "https://example.org/a", "12", "1E5"]


def export(columns, facts=OF_LOANS, shown="Loans in Texas"):
    return of_table("loans", shown, OF, pa.table(columns), facts)


def sheets(**columns):
    book = load_workbook(io.BytesIO(file_of(export(columns), XLSX)))
    return book["About"], book["Loans"]


def test_no_text_of_a_workbook_is_a_formula_a_link_or_a_number():
    _, rows = sheets(loan_number=FORMULAS, property_name=FORMULAS[::-1])
    cells = [cell for row in rows.iter_rows(min_row=2) for cell in row]
    assert {cell.data_type for cell in cells} == {"s"}
    assert [cell.value for cell in cells[::2]] == FORMULAS
    assert [cell.value for cell in cells[1::2]] == FORMULAS[::-1]
    assert not any(cell.hyperlink for cell in cells)


def test_a_rate_of_a_workbook_is_a_share_that_shows_as_percent():
    _, rows = sheets(interest_rate=[6.055, 0.0, -0.25, 7.4, None])
    # 7.4 / 100 is 0.07400000000000001, and nobody's coupon.
    assert [row[0].value for row in rows.iter_rows(min_row=2)] == [0.06055, 0, -0.0025, 0.074]
    assert rows["A2"].number_format == "0.000%"
    assert rows["A1"].value == "Coupon"


def test_figures_of_a_workbook_are_numbers_as_an_analyst_writes_them():
    _, rows = sheets(
        book_value=[10**15],
        dscr=[1.25],
        ltv=[0.653],
        rate_gap_bp=[-82.5],
        rank_in_type=[94.2],
        special_servicing=[True],
        maturity_date=[date(2027, 3, 15)],
        payment_status=["0"],
    )
    cells = next(rows.iter_rows(min_row=2))
    assert [cell.value for cell in cells] == [
        *(10**15, 1.25, 0.653, -82.5, 94.2),
        *(True, datetime(2027, 3, 15), "0"),  # noqa: DTZ001 - as the reader gives a date
    ]
    assert [cell.number_format for cell in cells] == [
        *("#,##0", '0.00"x"', "0.0%", "0", "0", "General", "yyyy-mm-dd", "General"),
    ]
    assert [cell.data_type for cell in cells] == list("nnnnnbds")


def test_what_no_cell_can_hold_is_empty_and_a_day_before_spreadsheets_is_text():
    days = [date(1900, 3, 1), date(1900, 2, 28), date(1066, 10, 14), None]
    _, rows = sheets(maturity_date=days, dscr=[float("inf"), float("nan"), None, 1.0])
    assert [row[0] for row in rows.iter_rows(min_row=2, values_only=True)] == [
        datetime(1900, 3, 1),  # noqa: DTZ001 - as the reader gives a date
        "1900-02-28",
        "1066-10-14",
        None,
    ]
    assert [row[1] for row in rows.iter_rows(min_row=2, values_only=True)] == [*[None] * 3, 1]


def test_a_workbook_begins_with_what_it_is_and_what_each_column_holds():
    about, rows = sheets(interest_rate=[6.0], payment_status=["0"], made_up=["x"])
    said = [row[:2] for row in about.iter_rows(values_only=True)]
    assert said[:7] == [
        ("Credit Atlas", "loans"),
        ("Shown", "Loans in Texas"),
        ("Rows", 1),
        ("As of", "2026-09-30"),
        ("Source", "=A source"),
        ("Provenance", "reported"),
        ("Snapshot", "snap-1"),
    ]
    assert about["B5"].data_type == "s"
    listed = [row for row in about.iter_rows(values_only=True) if row[1]][8:]
    assert [row[:2] for row in listed] == [
        ("Coupon", "interest_rate_pct"),
        ("Payment status", "payment_status"),
        ("made_up", "made_up"),
    ]
    assert "6.055% holds 0.06055" in listed[0][2]
    assert "0: current" in listed[1][3]
    assert rows.freeze_panes == "B2"
    assert rows.auto_filter.ref == "A1:C2"
    assert rows.column_dimensions["A"].width >= 14


def test_columns_of_another_table_than_loans_keep_their_names():
    other = export({"confidence_tier": ["inferred"], "book_value": [1]}, facts={})
    rows = load_workbook(io.BytesIO(file_of(other, XLSX)))["Loans"]
    assert [cell.value for cell in rows[1]] == ["confidence_tier", "book_value"]


RISKY = ["=1+1", "＝1+1", "＋1", "－1", "＠SUM(A1)", "\t=1", "\r=1", "\n=1", "Dallas", "", None]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(RISKY),
        pa.array(RISKY, pa.large_string()),
        pa.array(RISKY, pa.string()).dictionary_encode(),
        pa.array(RISKY, pa.large_string()).dictionary_encode(),
    ],
    ids=lambda column: str(column.type)[:30],
)
def test_no_text_of_a_csv_is_a_formula_however_its_column_is_held(column):
    made = export({"property_name": column, "=head": pa.array([1] * len(RISKY))}, facts={})
    text = file_of(made).decode()
    rows = list(csv.reader(io.StringIO(text[text.index('"property_name"') :], newline="")))
    assert rows[0] == ["property_name", "'=head"]
    risky = [f"'{one}" for one in RISKY[:8]]
    assert [row[0] for row in rows[1:]] == [*risky, "Dallas", "", ""]


def test_a_workbook_is_not_offered_beyond_250_000_rows_and_a_csv_is_zipped():
    assert for_rows(250_000) == (CSV, XLSX, PARQUET)
    assert for_rows(250_001) == (CSV_ZIPPED, PARQUET)


def test_a_zipped_csv_is_the_csv():
    columns = {"loan_number": [f"CA-{n}" for n in range(50_000)], "dscr": [1.5] * 50_000}
    plain = file_of(export(columns))
    with zipfile.ZipFile(io.BytesIO(file_of(export(columns), CSV_ZIPPED))) as archive:
        (name,) = archive.namelist()
        assert archive.read(name) == plain
    assert name == "export.csv"
    assert len(list(csv.reader(plain.decode().splitlines()))) == 50_000 + 8


@pytest.mark.parametrize("form", [CSV, CSV_ZIPPED, XLSX, PARQUET], ids=lambda form: form.name)
def test_progress_ends_with_the_last_row(form, tmp_path):
    said = []
    form.write(tmp_path / "rows", export({"dscr": [1.0] * 5_001}), said.append)
    assert said == sorted(said)
    assert said[-1] == 5_001


@pytest.mark.parametrize("form", [CSV, CSV_ZIPPED, XLSX, PARQUET], ids=lambda form: form.name)
def test_a_build_that_is_stopped_leaves_nothing_open_and_nothing_behind(form):
    def stop(_):
        raise KeyboardInterrupt

    ready = Ready((), form, "rows", deed(export({"a": [1]}), form, "rows"))
    with pytest.raises(KeyboardInterrupt):
        form.write(ready.path, export({"dscr": [1.0] * 10}), stop)
    held = [one.resolve() for one in Path("/proc/self/fd").iterdir()]
    assert not [path for path in held if path.is_relative_to(ready.path.parent)]
    ready.remove()
    assert not ready.path.parent.exists()


def test_a_file_goes_with_what_holds_it():
    ready = Ready((), CSV, "rows", deed(export({"a": [1]}), CSV, "rows"))
    ready.path.write_text("x")
    folder = ready.path.parent
    assert folder.exists()
    del ready
    assert not folder.exists()


_MEASURE = """
import sys, tempfile
from pathlib import Path
import pyarrow as pa
from components.frame.exports import Origin
from components.frame.exports.export import OF_LOANS, Export
from components.frame.exports.formats import CSV, CSV_ZIPPED, PARQUET, XLSX
import pyarrow.csv, pyarrow.parquet, pyarrow.compute, xlsxwriter

BATCH, COLUMNS = 5_000, 20
def batches(rows):
    for start in range(0, rows, BATCH):
        numbers = range(start, start + BATCH)
        columns = [pa.array([f"{c} of {n}: some text" for n in numbers]) for c in range(COLUMNS)]
        yield pa.record_batch(columns, names=[f"c{c}" for c in range(COLUMNS)])

def peak():
    return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmHWM"))

def measured(form, rows):
    schema = next(batches(BATCH)).schema
    made = Export("rows", "All", Origin("", "", ""), rows, schema, batches(rows), OF_LOANS)
    with tempfile.TemporaryDirectory() as folder:
        form.write(Path(folder) / "rows", made, lambda _: None)

forms = {one.name: one for one in (CSV, CSV_ZIPPED, PARQUET, XLSX)}
form, rows = forms[sys.argv[1]], int(sys.argv[2])
measured(form, BATCH)
Path("/proc/self/clear_refs").write_text("5")
before = peak()
measured(form, rows)
print(peak() - before)
"""


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        (CSV_ZIPPED, 100_000),
        (PARQUET, 100_000),
        (XLSX, 30_000),
        pytest.param(CSV, 100_000, marks=pytest.mark.long),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_many_times_as_many_rows_take_hardly_more_memory(form, rows):
    """Held whole they would take hundreds of MiB."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, form.name, str(rows)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout) / 1024 < 60, f"{int(done.stdout) / 1024:.0f} MiB"
