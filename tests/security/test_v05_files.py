"""V5: files that come in, and files that are taken away."""

import ast
import io
import re
import zipfile

import pytest

from components.kit.file_name import stem
from components.loans import bulk
from tests.security.asked import asked
from tests.security.source import PRODUCT, calls
from tests.security.standard import shows

SHOWN_BY = {
    "V5.2.1": "tests/serving/test_bounds.py"
    "::test_a_file_is_taken_that_the_page_asked_for_once_and_of_25_mb_at_most",
    "V5.2.2": (
        "tests/components/test_bulk.py::test_what_does_not_read_is_said",
        (
            "tests/importers/test_sec_absee_files.py"
            "::test_a_file_that_is_no_exhibit_is_refused_in_one_sentence"
        ),
        (
            "tests/importers/test_crefc_irp_files.py"
            "::test_text_that_is_none_of_the_package_is_refused"
        ),
    ),
    "V5.2.3": (
        "tests/components/test_bulk.py::test_a_workbook_that_unpacks_to_too_much_is_refused",
        "tests/client/test_body.py::test_a_gzip_bomb_is_refused_before_it_is_unpacked",
        "tests/importers/test_crefc_irp_files.py::test_a_bomb_is_refused_within_memory",
    ),
    "V5.3.2": (
        "tests/shelf/test_publishing.py::test_a_name_that_would_lead_elsewhere_is_refused",
        "tests/shelf/test_damage.py::test_a_manifest_that_leads_out_of_its_snapshot_is_refused",
    ),
}
WRITTEN = {"V5.1.1": ("tests/security/README.md", "| file | from | kinds | size |")}
DOES_NOT_APPLY = {
    "V5.3.1": "An uploaded file lies in memory and is given to nobody; no folder is served but "
    "Streamlit's own scripts.",
    "V5.4.3": "Nobody is given a file that somebody else sent: downloads are made of the book.",
}


def workbook(rows, before="", parts=0):
    """A workbook of a few kilobytes with a sheet of hand-made rows."""
    out = io.BytesIO()
    sheet = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"{before}<sheetData>{rows}</sheetData></worksheet>"
    )
    with (
        zipfile.ZipFile(plain()) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for one in source.infolist():
            changed = one.filename.endswith("sheet1.xml")
            packed.writestr(one.filename, sheet if changed else source.read(one))
        for number in range(parts):
            packed.writestr(f"xl/{number}.xml", "")
    file = io.BytesIO(out.getvalue())
    file.name = "loans.xlsx"
    return file


def plain():
    import openpyxl

    out = io.BytesIO()
    openpyxl.Workbook().save(out)
    return out


def cell(place, word="CA-1"):
    return f'<c r="{place}" t="inlineStr"><is><t>{word}</t></is></c>'


@shows("V5.2.1", "V5.2.3")
@pytest.mark.parametrize(
    "file",
    [
        workbook("".join(f'<row r="{n}">{cell(f"XFD{n}")}</row>' for n in range(1, 20_001))),
        workbook(f'<row r="9999999999">{cell("A9999999999")}</row>'),
        workbook(f'<row r="1">{cell("A1")}</row>', parts=2_000),
    ],
    ids=["columns", "rows", "parts"],
)
def test_a_small_workbook_that_stands_for_a_very_large_one_is_refused(file):
    """Read as openpyxl reads them, the first takes 3 GB and the second more than there is."""
    assert len(file.getvalue()) < 500_000
    with pytest.raises(ValueError, match=r"too many cells|too large"):
        bulk._columns("", file)


@shows("V5.2.2")
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
        found = bulk._columns("", workbook(rows))
    except ValueError as error:
        found = [[str(error)]]
    assert (
        found in ([], [["The file does not read as an XLSX workbook"]]) or sum(map(len, found)) == 1
    )


@shows("V5.2.3")
def test_what_a_sheet_says_of_its_size_need_not_be_so():
    said = '<dimension ref="A1:XFD1048576"/>'
    rows = "".join(f'<row r="{n}">{cell(f"A{n}", f"CA-{n}")}</row>' for n in range(1, 201))
    (found,) = bulk._columns("", workbook(rows, before=said))
    assert len(found) == 200


@shows("V5.3.2")
@pytest.mark.parametrize(
    "path",
    [
        "/static/../../README.md",
        "/static/..%2f..%2fREADME.md",
        "/static/%2e%2e/%2e%2e/README.md",
        "/media/../../.streamlit/config.toml",
        "/media/..%5c..%5cREADME.md",
        "/_stcore/upload_file/../../README.md",
        "/_stcore/bidi-components/../../../README.md",
        "/../../../../../../etc/passwd",
        "/....//....//etc/passwd",
        "/static/js/%00",
        "/app/static/../app.py",
        "/.streamlit/secrets.toml",
        "/.store/desk.sqlite",
    ],
)
def test_no_path_leads_to_a_file_of_the_server(pages, path):
    answer = asked(pages, path)
    for word in (b"Credit Atlas\n\nComm", b"gatherUsageStats", b"root:x:", b"SQLite format"):
        assert word not in answer.body
    assert answer.status != 500


@shows("V5.4.1", "V5.4.2")
def test_the_name_of_a_download_is_made_of_our_own_words():
    """What a name is made of: our own stems, the ending of a format; of words of the book only
    letters and digits (components/kit/file_name.py).
    """
    names = {
        (file, ast.unparse(keyword.value))
        for file, _, call in calls()
        for keyword in call.keywords
        if keyword.arg == "file_name"
    }
    assert {name for _, name in names} <= {
        "file_name",
        "_FILE",
        "f'{_STEM}.graphml'",
        "f'{_STEM}.json'",
        "f'{stem}.{form}'",
        "'profile.toml'",
        "'rejects.csv'",
    }
    assert re.fullmatch(r"[a-z0-9-]{1,100}", stem("../../etc/passwd", '"\r\nX: y"', "é" * 500))
    stems = {
        ast.unparse(keyword.value)
        for file, tree in PRODUCT.items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == "stem" and file.startswith("components/")
    }
    assert all(one[0] in "'\"_" or one.isidentifier() for one in stems)
