"""What kind of file a sheet is, and what is refused: each in a sentence, within bounds (D195)."""

import json
import tracemalloc
import zipfile
from itertools import combinations

import pytest

from services.contract.errors import ImportRefused, InvalidRequest
from services.importers.crefc_irp import histories
from services.importers.crefc_irp.kinds import KINDS, table
from services.importers.sheets import Sheet, sheets
from tests.irp_files import (
    WATCHLIST,
    cells,
    columns,
    line_row,
    periodic_row,
    property_row,
    setup_row,
    text,
    workbook,
)

ROWS = {
    "setup": [setup_row(1), setup_row(2)],
    "periodic": [periodic_row(1), periodic_row(2)],
    "property": [property_row(1), property_row(2)],
    "financial": [line_row(1, "010GROSRNT", 5), line_row(2, "510CAPEX", -5.5)],
}


def refused(path, **options):
    with pytest.raises(ImportRefused) as why:
        histories([path], **options)
    sentence = why.value.message
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def kind_of(rows):
    return table(Sheet("", tuple(map(_as_text, rows))), "made.csv").kind


def _as_text(row):
    return tuple("" if cell is None else str(cell) for cell in row)


@pytest.mark.parametrize("kind", ROWS)
def test_a_file_without_a_header_is_known_by_its_cells(kind):
    assert kind_of(cells(kind, *ROWS[kind])) == kind


@pytest.mark.parametrize("kind", ROWS)
def test_a_file_with_a_header_is_known_by_it(kind):
    titles = [["Investor report of MADE18X1"], [], [1.0, 2.0, 3.0]]
    header = [f" {name.upper()}  (fka Something)" for name in columns(kind)]
    assert kind_of([*titles, header, *cells(kind, *ROWS[kind])]) == kind


def test_a_header_is_read_in_any_order(tmp_path):
    rows = cells("periodic", periodic_row(1))
    names = columns("periodic")[: len(rows[0])]
    straight = text(tmp_path / "a.csv", [names, *rows])
    turned = text(tmp_path / "b.csv", [names[::-1], *(row[::-1] for row in rows)])
    (one,), (other,) = histories([straight]), histories([turned])
    (row,), (again,) = one.read().loans.to_pylist(), other.read().loans.to_pylist()
    assert json.loads(row.pop("further")) == json.loads(again.pop("further"))
    assert row == again


@pytest.mark.parametrize(("one", "other"), [*combinations(ROWS, 2)])
def test_rows_of_two_kinds_are_of_none(one, other):
    with pytest.raises(ImportRefused, match=r"has no header, and its \d+ columns are those of no"):
        kind_of([*cells(one, *ROWS[one]), *cells(other, *ROWS[other])])


def test_a_header_of_two_kinds_is_refused():
    shared = [
        "Transaction ID",
        "Loan ID",
        "Prospectus Loan ID",
        "Property Address",
        "Property County",
    ]
    with pytest.raises(ImportRefused, match=r"reads as Loan Setup and Property; add the header"):
        kind_of([shared, ["MADE", "1", "1", "Mill", "Hoboken"]])


def test_columns_that_the_standard_lacks_are_counted(tmp_path):
    names = [*columns("periodic")[:60], "House Rating", ""]
    rows = [[*row[:60], "B+", "x"] for row in cells("periodic", periodic_row(1), periodic_row(2))]
    (filing,) = histories([text(tmp_path / "p.csv", [names, *rows])])
    assert filing.read().info.unmapped == {"House Rating": 2, "column 62 without a header": 2}


def test_a_workbook_may_hold_several_files_and_a_sheet_of_notes(tmp_path):
    import xlsxwriter

    path = tmp_path / "month.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for title, rows in (
            ("LPER", cells("periodic", periodic_row(1))),
            ("Watch", WATCHLIST),
            ("Notes", [["Call the trustee on Monday"]]),
        ):
            page = book.add_worksheet(title)
            for at, row in enumerate(rows):
                page.write_row(at, 0, row)
    (filing,) = histories([path])
    found = filing.read()
    assert found.loans["watchlist_triggers"].to_pylist() == ["1E | 1F"]
    (reject,) = found.rejects.to_pylist()
    assert reject["record"] == "month.xlsx, sheet Notes,"
    assert "has no header" in reject["reason"]


def test_a_folder_may_hold_other_reports_too(tmp_path):
    text(tmp_path / "bond.csv", [["MADE18X1", "20190612", "A1", "12345"] * 5])
    text(tmp_path / "loan.csv", cells("periodic", periodic_row(1)))
    (tmp_path / "statement.pdf").write_bytes(b"%PDF-1.7")
    (filing,) = histories([tmp_path])
    (reject,) = filing.read().rejects.to_pylist()
    assert reject["record"] == "bond.csv"
    # Named by itself it is refused.
    assert refused(tmp_path / "bond.csv").startswith("bond.csv has no header, and its 20 columns")


def test_dates_and_ids_read_as_numbers_as_text_and_as_dates(tmp_path):
    from datetime import date

    rows = cells("periodic", periodic_row(1))
    as_text = [["304.0" if value == 900100001 else value for value in row] for row in rows]
    as_text[0][4], as_text[0][7] = "20190612.0", "2019-06-06"
    (filing,) = histories([text(tmp_path / "p.csv", as_text)])
    assert filing.read().info.as_of == date(2019, 6, 12)
    assert '"servicer_loan_id": "304"' in filing.read().loans["further"][0].as_py()
    assert filing.read().loans["paid_through"][0].as_py() == date(2019, 6, 6)


def test_nothing_and_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(InvalidRequest, match="no file was given"):
        histories([])
    assert refused(tmp_path / "no.xlsx") == "no.xlsx: there is no such file or folder."
    (tmp_path / "empty").mkdir()
    assert refused(tmp_path / "empty") == "the folder empty holds no .xlsx, .csv or .txt."
    (tmp_path / "blank.csv").write_text("\n , ,\n")
    assert refused(tmp_path / "blank.csv") == "blank.csv is empty; there is nothing to import."


def repacked(path, part, change):
    """The workbook with one part changed."""
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    held[part] = change(held[part])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in held.items():
            archive.writestr(name, data)
    return path


SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
GIB = 1 << 30
OLD = "is an old .xls workbook, or one with a password; save it as .xlsx."
TOO_DEEP = (
    "p.xlsx reaches to row 1,048,576 of 137 columns; it is not read past 200,000 rows and 4,000,000"
    " cells."
)
NOT_WRITTEN = (
    "p.xlsx holds XML that no spreadsheet writes (a document type, or another encoding than UTF-8);"
    " it is not read."
)


@pytest.fixture
def book(tmp_path):
    return workbook(tmp_path / "p.xlsx", cells("periodic", periodic_row(1)))


@pytest.mark.parametrize(
    ("part", "change", "sentence"),
    [
        (
            SHEET,
            lambda data: data.replace(b"<sheetData>", b"<sheetData>" + b"<row/>" * (GIB // 60), 1),
            "p.xlsx unpacks to more than 96 MB; it is not read.",
        ),
        (
            SHEET,
            lambda data: data.replace(b'r="C1"', b'r="BUX1"', 1),
            "p.xlsx has 1,922 columns; 400 are read at most.",
        ),
        (
            SHEET,
            lambda data: data.replace(b'r="A1"', b'r="A1048576"', 1),
            TOO_DEEP,
        ),
        (
            SHEET,
            lambda data: data.replace(b"<v>20190612</v>", b"<f>20190611+1</f><v>20190612</v>"),
            "p.xlsx holds a formula in cell E1; save it with values alone.",
        ),
        (
            SHEET,
            lambda data: b'<!DOCTYPE x [<!ENTITY a "b">]>' + data,
            NOT_WRITTEN,
        ),
        (
            SHEET,
            lambda data: data.decode().encode("utf-16"),
            NOT_WRITTEN,
        ),
        (
            TEXTS,
            lambda data: data.replace(b"MADE18X1", b"M" * (80 << 20)),
            "p.xlsx repeats one long text in 7 cells; it is not read.",
        ),
        (
            "xl/workbook.xml",
            lambda data: data[:100],
            "p.xlsx does not read as an XLSX workbook.",
        ),
    ],
    ids=["bomb", "wide", "deep", "formula", "entity", "utf-16", "repeated", "cut"],
)  # fmt: skip
def test_hostile_workbooks_are_refused_in_a_sentence(book, part, change, sentence):
    repacked(book, part, change)
    assert refused(book) == sentence


def test_a_part_that_lies_about_its_size_is_refused(book):
    data = book.read_bytes()
    with zipfile.ZipFile(book) as archive:
        size = archive.getinfo(SHEET).file_size
    lying = data.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    assert lying != data
    book.write_bytes(lying)
    assert refused(book) == "p.xlsx is a damaged workbook, or one with a password."


def test_a_bomb_is_refused_within_memory(book):
    repacked(book, SHEET, lambda data: data + b"<!--" + b" " * (150 << 20) + b"-->")
    assert book.stat().st_size < 2 << 20
    tracemalloc.start()
    assert refused(book) == "p.xlsx unpacks to more than 96 MB; it is not read."
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 250 << 20


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PK\x03\x04 no archive", "x.csv is a damaged workbook, or one with a password."),
        (b"\xd0\xcf\x11\xe0", f"x.csv {OLD}"),
        (b"%PDF-1.7", "x.csv is a PDF; the file itself is needed, as XLSX, CSV or TXT."),
        (b"<html>", "x.csv is a page or XML; a file as XLSX, CSV or TXT is needed."),
        (b"a,b\nc,\xe9\n", "x.csv is not UTF-8 in line 2; save it as UTF-8."),
        ("a,b".encode("utf-16"), "x.csv is not UTF-8 in line 1; save it as UTF-8."),
        (b"a\0b", "x.csv is not plain text; a file as XLSX, CSV or TXT is needed."),
        (b"," * 50_000, "x.csv has 50,001 columns; 400 are read at most."),
        (b'a,"b\n', "x.csv does not read as delimited text: unexpected end of data."),
    ],
)  # fmt: skip
def test_text_that_is_none_of_the_package_is_refused(tmp_path, content, sentence):
    (tmp_path / "x.csv").write_bytes(content)
    assert refused(tmp_path / "x.csv") == sentence


def test_a_zip_of_files_is_no_workbook(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as archive:
        archive.writestr("loan.csv", "a,b")
    assert refused(tmp_path / "x.xlsx") == (
        "x.xlsx is a ZIP archive but no XLSX workbook; unpack it and import the files in it."
    )


def test_a_file_of_two_gigabytes_is_not_opened(tmp_path):
    path = tmp_path / "x.xlsx"
    with path.open("wb") as opened:
        opened.truncate(2 * GIB)  # sparse: no room on the disk
    assert refused(path) == "x.xlsx has 2,048 MB; 64 are read at most: split it."


def test_cells_read_as_plain_text(tmp_path):
    path = workbook(tmp_path / "x.xlsx", [[304101444.0, 0.04495, 5e-06, " NJ   ", "N/A", True, -3]])
    (found,) = sheets(path)
    assert found.rows == (("304101444", "0.04495", "0.000005", "NJ", "", "true", "-3"),)


def test_every_kind_is_read():
    assert set(ROWS) | {"watchlist"} == set(KINDS)
    assert kind_of(WATCHLIST) == "watchlist"
    # Its columns differ by servicer: without a header it is of no kind.
    with pytest.raises(ImportRefused, match="has no header"):
        kind_of(WATCHLIST[4:])
