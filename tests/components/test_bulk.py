"""Numbers pasted or uploaded: which column is meant, what is too much, what does not read."""

import io
import re
import zipfile

import openpyxl
import pytest

from components.loans import bulk
from components.loans.bulk import Found, _best, _columns

KNOWN = {"CA-1", "CA-2", "7"}


class Upload(io.BytesIO):
    def __init__(self, name, data):
        super().__init__(data)
        self.name = name


@pytest.fixture(autouse=True)
def store(monkeypatch):
    known = lambda _, asked: frozenset(KNOWN & set(asked))  # noqa: E731
    monkeypatch.setattr(bulk.session, "ask", known)


def workbook(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return Upload("loans.xlsx", out.getvalue())


@pytest.mark.parametrize(
    "text", ["CA-1\nCA-2\nnope", "CA-1, CA-2;nope", " CA-1\tCA-2\n\n nope \nCA-1"]
)
def test_pasted_numbers_may_be_set_apart_in_any_usual_way(text):
    assert _best(_columns(text, None)) == Found(("CA-1", "CA-2"), ("nope",))


def test_of_a_file_the_column_with_most_numbers_is_meant_and_its_head_is_none():
    file = Upload("x.csv", b"\xef\xbb\xbfBank,Loan number\nA,CA-1\nB,CA-9\n7,CA-2\n")
    assert _best(_columns("", file)) == Found(("CA-1", "CA-2"), ("CA-9",))


def test_a_workbook_is_read_whole_and_figures_are_numbers_too():
    file = workbook([["Loan", "Balance"], ["CA-1", 5], [7, None], ["CA-3", 1]])
    assert _best(_columns("", file)) == Found(("CA-1", "7"), ("CA-3",))


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (Upload("x.csv", b"\xff\xfe\x00"), "does not read as CSV"),
        (Upload("x.xlsx", b"PK\x03\x04 no"), "does not read as an XLSX"),
        (Upload("x.xlsx", b""), "does not read as an XLSX"),
    ],
)
def test_what_does_not_read_is_said(file, reason):
    with pytest.raises(ValueError, match=reason):
        _columns("", file)


def test_more_numbers_than_a_set_holds_are_refused(monkeypatch):
    monkeypatch.setattr(bulk, "MOST_NUMBERS", 3)
    assert _columns("1\n2\n3", None) == [["1", "2", "3"]]
    with pytest.raises(ValueError, match="more than 3 numbers"):
        _columns("1\n2\n3\n4", None)


def test_a_workbook_that_unpacks_to_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(bulk, "_MOST_UNPACKED", 10)
    with pytest.raises(ValueError, match="too large"):
        _columns("", workbook([["CA-1"]]))


def rewritten(parts, more=0):
    """A small workbook in which some parts, by name, are others, and more are empty."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(workbook([["CA-1"]])) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for one in source.infolist():
            name = one.filename.rpartition("/")[2].partition(".")[0]
            packed.writestr(one.filename, parts.get(name, source.read(one)))
        for number in range(more):
            packed.writestr(f"xl/{number}.xml", "")
    return Upload("loans.xlsx", out.getvalue())


def sheet(rows, before=""):
    return (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"{before}<sheetData>{rows}</sheetData></worksheet>"
    )


def cell(place, word="CA-1"):
    return f'<c r="{place}" t="inlineStr"><is><t>{word}</t></is></c>'


@pytest.mark.parametrize(
    ("rows", "more"),
    [
        ("".join(f'<row r="{n}">{cell(f"XFD{n}")}</row>' for n in range(1, 20_001)), 0),
        (f'<row r="9999999999">{cell("A9999999999")}</row>', 0),
        (f'<row r="1">{cell("A1")}</row>', 2_000),
    ],
    ids=["columns", "rows", "parts"],
)
def test_a_small_workbook_that_stands_for_a_very_large_one_is_refused(rows, more):
    """Read as openpyxl reads them, the first takes 3 GB and the second more than there is."""
    file = rewritten({"sheet1": sheet(rows)}, more)
    assert len(file.getvalue()) < 500_000
    with pytest.raises(ValueError, match=r"too many cells|too large"):
        _columns("", file)


@pytest.mark.parametrize(
    "rows",
    [
        f'<row r="x">{cell("A1")}</row>',
        f'<row r="-5">{cell("A1")}</row>',
        f'<row r="1">{cell("ZZZZZZ1")}</row>',
        '<row r="1"><c r="A1" t="s"><v>99999</v></c></row>',
        '<row r="1"><c r="A1" t="d"><v>not a day</v></c></row>',
        '<row r="1"><c r="A1" s="77777"><v>1</v></c></row>',
        '<row r="1"><c r="A1"><v>1e999999</v></c></row>',
        '<row r="1"><c r="A1"><f>1+1</f></c></row>',
        '<row r="1"><c r="A1"><v>7',
        "<row/><row/><c/>",
    ],
)
def test_a_workbook_that_does_not_hold_together_is_a_sentence_or_no_number(rows):
    try:
        found = _columns("", rewritten({"sheet1": sheet(rows)}))
    except ValueError as error:
        found = [[str(error)]]
    assert (
        found in ([], [["The file does not read as an XLSX workbook"]]) or sum(map(len, found)) == 1
    )


def test_what_a_sheet_says_of_its_size_need_not_be_so():
    rows = "".join(f'<row r="{n}">{cell(f"A{n}", f"CA-{n}")}</row>' for n in range(1, 201))
    said = sheet(rows, before='<dimension ref="A1:XFD1048576"/>')
    (found,) = _columns("", rewritten({"sheet1": said}))
    assert len(found) == 200


@pytest.mark.parametrize("part", ["sheet1", "sharedStrings", "workbook", "styles"])
def test_a_workbook_brings_in_no_file_and_no_bomb_by_an_entity(tmp_path, part):
    secret = tmp_path / "secret.txt"
    secret.write_text("the word that must not be seen", encoding="utf-8")
    plain = sheet(f'<row r="1">{cell("A1", "&x;")}</row>')
    grown = "".join(
        f'<!ENTITY x{n} "{f"&x{n - 1};" * 10}">' for n in range(1, 12)
    )  # a thousand million times ten
    for declared in (
        f'<!ENTITY x SYSTEM "{secret.as_uri()}">',
        f'<!ENTITY % p SYSTEM "{secret.as_uri()}"> %p;',
        f'<!ENTITY x0 "lol">{grown}<!ENTITY x "&x11;">',
    ):
        root = re.search(r"<(\w+)", plain)[1]
        hostile = f'<?xml version="1.0"?><!DOCTYPE {root} [{declared}]>{plain}'
        try:
            found = str(_columns("", rewritten({part: hostile})))
        except ValueError as error:
            found = str(error)
        assert "must not be seen" not in found
        assert len(found) < 1_000
