"""Lists of numbers: what reads, and files made to cost memory, time or a secret (D257)."""

import io
import re
import zipfile

import openpyxl
import pytest

from services import number_lists
from services.contract.errors import ImportRefused
from services.importers import workbooks
from services.number_lists import pasted, uploaded


def workbook(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def refusal(name, data):
    with pytest.raises(ImportRefused) as caught:
        uploaded(name, data)
    said = caught.value.message
    assert said.startswith(name)
    assert "\n" not in said
    return said


def test_a_workbook_is_read_whole_and_figures_are_numbers_too():
    file = workbook([["Loan", "Balance"], ["CA-1", 5], [7, None], [" CA-3 ", 1]])
    assert uploaded("loans.xlsx", file) == [["Loan", "CA-1", "7", "CA-3"], ["Balance", "5", "1"]]
    assert uploaded("loans.txt", file) == uploaded("loans.xlsx", file)  # told by what it holds


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("x.csv", b"\xff\xfe\x00", "does not read as CSV in UTF-8"),
        ("x.csv", b'"' + b"a" * 200_000, "does not read as CSV in UTF-8"),
        ("x.xlsx", b"PK\x03\x04 no", "is no workbook: it does not unpack"),
        ("x.xlsx", b"", "is no workbook: it does not unpack"),
        ("x.csv", b"1" * (5 << 20) + b"1", "is larger than 5 MB"),
    ],
)
def test_what_does_not_read_is_said(name, data, reason):
    assert refusal(name, data) == f"{name} {reason}"


def test_more_numbers_than_a_set_holds_are_refused(monkeypatch):
    monkeypatch.setattr(number_lists, "MOST_NUMBERS", 3)
    assert pasted("1\n2\n3") == [["1", "2", "3"]]
    with pytest.raises(ImportRefused, match="The list has more than 3 numbers"):
        pasted("1\n2\n3\n4")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("1," * 200, "more than 200 columns"),
        ("\n" * 200_000 + "1", "more than 200,000 rows"),
        ("," * 1_500_000 + "\n" * 1_500_000, "more than 200 columns"),
        (",".join(map(str, range(190_000))), "more than 200 columns"),
    ],
    ids=["columns", "rows", "both", "one row of numbers"],
)
def test_a_csv_that_is_no_list_of_numbers_is_refused_before_its_cells_are_looked_at(content, said):
    assert said in refusal("list.csv", content.encode())
    assert uploaded("list.csv", b"1," * 199 + b"1") == [["1"]] * 200


#: Where the texts of a workbook are, which openpyxl writes into its cells.
TEXTS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="worksheets/sheet1.xml" Type="http://schemas.openxmlformats.org'
    '/officeDocument/2006/relationships/worksheet"/><Relationship Id="rId2"'
    ' Target="sharedStrings.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006'
    '/relationships/sharedStrings"/></Relationships>'
)


def rewritten(parts, more=0):
    """A small workbook in which some parts, by name, are others, and more are empty."""
    changed = {
        f"xl/{'worksheets/' if name == 'sheet1' else ''}{name}.xml": part
        for name, part in parts.items()
    }
    if "sharedStrings" in parts:
        changed["xl/_rels/workbook.xml.rels"] = TEXTS
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook([["CA-1"]]))) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for name in {*source.namelist(), *changed}:
            packed.writestr(name, changed[name] if name in changed else source.read(name))
        for number in range(more):
            packed.writestr(f"xl/{number}.xml", "")
    return out.getvalue()


def sheet(rows, before=""):
    return (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"{before}<sheetData>{rows}</sheetData></worksheet>"
    )


def cell(place, word="CA-1"):
    return f'<c r="{place}" t="inlineStr"><is><t>{word}</t></is></c>'


@pytest.mark.parametrize(
    ("rows", "more", "said"),
    [
        (f'<row r="1">{cell("A1")}{cell("XFD1")}</row>', 0, "has 16,384 columns; 200 are read"),
        (f'<row r="9999999999">{cell("A9999999999")}</row>', 0, "rows; 200,000 are read at most"),
        (f'<row r="1">{cell("A1")}{cell("XFD1048576")}</row>', 0, "too large or too odd"),
        (f'<row r="1">{cell("A1")}</row>', 2_000, "has 2,009 parts"),
    ],
    ids=["columns", "rows", "two corners", "parts"],
)
def test_a_small_workbook_that_stands_for_a_very_large_one_is_refused(rows, more, said):
    file = rewritten({"sheet1": sheet(rows)}, more)
    assert len(file) < 500_000
    assert said in refusal("loans.xlsx", file)


@pytest.mark.parametrize(
    ("part", "around", "inside", "most"),
    [
        ("styles", "<styleSheet><cellXfs>{}</cellXfs></styleSheet>", "<xf/>", 1),
        ("workbook", "<workbook><definedNames>{}</definedNames></workbook>",
         '<definedName name="a">1</definedName>', 1),
        ("sharedStrings", "<sst>{}</sst>", "<si><t/></si>", 10),
        ("sheet1", sheet("{}"), "<x/>", 10),
        ("sheet1", sheet('<row r="1">{}</row>'), "<c/>", 10),
    ],
    ids=["styles", "names", "strings", "elements", "cells"],
)  # fmt: skip
def test_a_part_that_unpacks_to_95_mib_is_refused(part, around, inside, most):
    """147 KB of the first took 3 GB and held up every reader for half a minute."""
    bomb = rewritten({part: around.format(inside * ((95 << 20) // len(inside)))})
    assert len(bomb) < 400_000
    said = f"loans.xlsx has a part of more than {most} MB; save its sheet as CSV"
    assert refusal("loans.xlsx", bomb) == said
    almost = rewritten({part: around.format(inside * (((most << 20) - 400) // len(inside)))})
    assert "a part" not in outcome(almost)


def outcome(data):
    """What comes of a workbook: numbers or a sentence."""
    try:
        return str(uploaded("loans.xlsx", data))
    except ImportRefused as refused:
        return refused.message


def test_one_long_text_in_very_many_cells_takes_no_more_than_the_bounds_give():
    texts = f"<sst><si><t>{'x' * (9 << 20)}</t></si></sst>"
    rows = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 2_001))
    said = outcome(rewritten({"sharedStrings": texts, "sheet1": sheet(rows)}))
    assert "too large or too odd" in said
    few = f"<sst><si><t>{'x' * 200}</t></si></sst>"
    assert (
        outcome(rewritten({"sharedStrings": few, "sheet1": sheet(rows)})).count("x" * 200) == 2_000
    )


def test_the_process_that_reads_a_workbook_ends_with_who_asked_for_it(tmp_path, monkeypatch):
    class LeftError(Exception):
        pass

    path = tmp_path / "slow.py"
    path.write_text("import time\nwhile True: time.sleep(1)\n")
    monkeypatch.setattr("services.importers.workbooks.workbook.__file__", str(path))
    started, popen = [], workbooks.subprocess.Popen

    def noted(*given, **how):
        started.append(popen(*given, **how))
        return started[0]

    monkeypatch.setattr("services.importers.workbooks.subprocess.Popen", noted)

    def waits():
        if started:
            raise LeftError

    with pytest.raises(LeftError):
        uploaded("loans.xlsx", workbook([["CA-1"]]), waits=waits)
    assert started[0].returncode == -9
    assert uploaded("loans.csv", b"CA-1") == [["CA-1"]]
    monkeypatch.undo()
    assert uploaded("loans.xlsx", workbook([["CA-1"]])) == [["CA-1"]]


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
    found = outcome(rewritten({"sheet1": sheet(rows)}))
    assert found == "[]" or found.startswith("loans.xlsx ") or found.count("'") == 2


def test_what_a_sheet_says_of_its_size_need_not_be_so():
    rows = "".join(f'<row r="{n}">{cell(f"A{n}", f"CA-{n}")}</row>' for n in range(1, 201))
    said = sheet(rows, before='<dimension ref="A1:XFD1048576"/>')
    (found,) = uploaded("loans.xlsx", rewritten({"sheet1": said}))
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
        found = outcome(rewritten({part: hostile}))
        assert "must not be seen" not in found
        assert len(found) < 1_000
