"""Files of tapes: encodings, workbooks, hostile ones; loaded + rejected = rows (D206)."""

import csv
import io
import random
import zipfile
from collections import Counter
from datetime import date

import openpyxl
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from services.contract.errors import ImportRefused
from services.importers import workbook
from services.importers.tape import Profile, Shape, sheet, tape
from tests.importers import messy_tape
from tests.tiers import examples

DAY = date(2026, 3, 31)
TEXT = "Loan Number,Property Name,Current Balance\n1,Caf\xe9 Court,100\n2,Na\xefve \u2013 Inn,200\n"


def refused(path, **said):
    """The sentence with which a file is refused: it names the file and no folder."""
    with pytest.raises(ImportRefused) as caught:
        tape(path, Profile(shape=Shape(**said)), as_of=DAY).portfolio()
    message = str(caught.value)
    assert path.name in message
    assert str(path.parent) not in message
    assert message.count("\n") == 0
    return message


def refusal(path, shape):
    """The error with which a file is refused."""
    with pytest.raises(ImportRefused) as caught:
        tape(path, Profile(shape=shape), as_of=DAY)
    return caught.value


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le BOM"])
def test_encodings(encoding, tmp_path):
    path = tmp_path / "tape.csv"
    raw = "\ufeff".encode("utf-16-le") + TEXT.encode("utf-16-le") if "BOM" in encoding else None
    path.write_bytes(raw or TEXT.encode(encoding))
    got = tape(path, as_of=DAY).portfolio()
    assert got.loans["property_name"].to_pylist() == ["Caf\xe9 Court", "Na\xefve \u2013 Inn"]


@pytest.mark.parametrize("delimiter", sheet.DELIMITERS)
def test_delimiters(delimiter, tmp_path):
    path = tmp_path / "tape.csv"
    messy_tape.write(path, "own", 20, delimiter=delimiter, titles=3)
    found = tape(path, as_of=DAY)
    assert found.plan.sheet.delimiter == delimiter
    assert found.plan.sheet.header_row == 4
    assert (found.loaded, found.rejected) == (20, 1)


def a_workbook(path, rows, *, sheets=("Notes", "Loans"), hidden=()):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in sheets:
        made = book.create_sheet(name)
        if name in hidden:
            made.sheet_state = "hidden"
        for row in rows if name == "Loans" else [["See the other sheet"]]:
            made.append(row)
    book.save(path)
    return path


def test_a_workbook_with_titles_dates_and_figures(tmp_path):
    rows = [
        ["My tape", None, None, None, None],
        [],
        ["Loan #", "Current Balance", "Rate", "Maturity Date", "Zip"],
        [17, 27_000_000.5, 0.0525, date(2027, 6, 1), 2134],
        ["0018", "$1,000", 0.06, date(2028, 1, 13), "75201"],
    ]
    path = a_workbook(tmp_path / "tape.xlsx", rows)
    found = tape(path, as_of=DAY)
    assert found.plan.sheet.form == "workbook, sheet 'Loans', one of 2 sheets"
    assert found.plan.sheet.header_row == 3
    assert found.plan.sheet.rows == (4, 5)
    got = found.portfolio()
    assert got.loans["loan_number"].to_pylist() == ["My book:17", "My book:0018"]
    assert got.loans["book_value"].to_pylist() == [27_000_000, 1_000]
    assert got.loans["interest_rate"].to_pylist() == [5.25, 6.0]
    assert got.loans["maturity_date"].to_pylist() == [date(2027, 6, 1), date(2028, 1, 13)]
    assert got.properties["zip"].to_pylist() == ["02134", "75201"]
    assert "no sheet 'Deals'; it has Notes, Loans" in refused(path, sheet="Deals")


def test_a_hidden_sheet_is_read_only_where_it_is_named(tmp_path):
    rows = [["Loan #", "Balance"], ["1", 5]]
    path = a_workbook(tmp_path / "tape.xlsx", rows, hidden=("Loans",))
    assert "no visible sheet with rows" in refused(path)
    said = Profile(shape=Shape(sheet="Loans"))
    assert tape(path, said, as_of=DAY).loaded == 1


def test_formulas_are_read_as_computed_and_refused_where_they_never_were(tmp_path):
    path = a_workbook(tmp_path / "tape.xlsx", [["Loan #", "Balance"], ["1", "=2*3"]])
    assert "holds 1 formulas without a result" in refused(path)
    # As a spreadsheet saves it: with what the formula comes to.
    computed = tmp_path / "computed.xlsx"
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(computed, "w") as out:
        for name in given.namelist():
            data = given.read(name)
            out.writestr(name, data.replace(b"<v />", b"<v>6</v>").replace(b"<v></v>", b"<v>6</v>"))
    assert tape(computed, as_of=DAY).portfolio().loans["book_value"].to_pylist() == [6]
    text = tmp_path / "tape.csv"
    text.write_text("Loan #,Balance,Property Name\n1,=2*3,x\n2,5,=HYPERLINK(1)\n", encoding="utf-8")
    found = tape(text, as_of=DAY)
    assert found.rows.rejected == {0: "Balance '=2*3' is no figure"}
    assert found.portfolio().loans["property_name"].to_pylist() == [None]


SHEET = "xl/worksheets/sheet1.xml"


def changed(path, to, change, name=SHEET):
    """A copy of a workbook, one part of it changed."""
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as out:
        for one in given.namelist():
            data = given.read(one)
            out.writestr(one, change(data) if one == name else data)
    return to


def test_a_bomb_of_zeros_is_refused_before_it_is_read(tmp_path):
    plain = a_workbook(
        tmp_path / "plain.xlsx", [["Loan #", "Balance"], ["1", 5]], sheets=("Loans",)
    )
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as out:
        for name in (read := zipfile.ZipFile(plain)).namelist():
            out.writestr(name, read.read(name))
        with out.open("xl/media/zeros.bin", "w", force_zip64=True) as part:
            for _ in range(1_100):
                part.write(bytes(1 << 20))
    read.close()
    assert bomb.stat().st_size < 2 << 20
    assert "unpacks to more than 1,024 MB" in refused(bomb)


def test_a_part_that_says_it_is_small_is_counted_all_the_same(tmp_path):
    plain = a_workbook(
        tmp_path / "plain.xlsx", [["Loan #", "Balance"], ["1", 5]], sheets=("Loans",)
    )
    lying = changed(plain, tmp_path / "lying.xlsx", lambda data: data + bytes(3 << 20))
    raw = bytearray(lying.read_bytes())
    with zipfile.ZipFile(lying) as packed:
        size = packed.getinfo(SHEET).file_size
    raw = raw.replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))
    lying.write_bytes(raw)
    with zipfile.ZipFile(lying) as packed, lying.open("rb") as opened:
        part = packed.getinfo(SHEET)
        assert part.file_size == 10
        assert sum(map(len, workbook._unpacked(opened, part))) == size


def test_two_cells_that_name_seventeen_billion_end_their_own_process_alone(tmp_path):
    plain = a_workbook(
        tmp_path / "plain.xlsx", [["Loan #", "Balance"], ["1", 5]], sheets=("Loans",)
    )
    wide = changed(
        plain, tmp_path / "wide.xlsx", lambda data: data.replace(b'r="B2"', b'r="XFD1048576"')
    )
    said = refused(wide)
    assert "too large" in said or "are read at most" in said


def test_many_columns_rows_and_bytes_are_refused_in_a_sentence(tmp_path, monkeypatch):
    path = tmp_path / "tape.csv"
    path.write_text(",".join(f"C{at}" for at in range(50_000)) + "\n1\n", encoding="utf-8")
    assert "has 50,000 columns; 1,000 are read at most" in refused(path, header_row=1)
    wide = a_workbook(
        tmp_path / "w.xlsx", [[f"c{at}" for at in range(1_200)]] * 2, sheets=("Loans",)
    )
    assert "has 1,200 columns; 1,000 are read at most" in refused(wide)
    monkeypatch.setattr(sheet, "MOST_CELLS", 20)
    messy_tape.write(path, "own", 20)
    assert "the most that are read" in refused(path)
    monkeypatch.setattr(sheet, "MOST_BYTES", 100)
    assert "0 MB are read at most" in refused(path)


def test_a_sheet_of_two_gigabytes_is_refused_without_being_read(tmp_path):
    path = tmp_path / "tape.csv"
    with path.open("wb") as opened:
        opened.truncate(2 << 30)  # takes no room on the disk
    assert "has 2,048 MB; 512 MB are read at most" in refused(path)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "is empty"),
        (b"\x00\x01\x02", "is no text"),
        (TEXT.encode("utf-16-le"), "is no text"),
        (
            "\u043a\u0440\u0435\u0434\u0438\u0442,\u0431\u0430\u043d\u043a\n".encode("cp1251"),
            "not UTF-8",
        ),
        (b"PK\x03\x04 and no more", "does not unpack"),
        (b"one\n", "no row of column names"),
        (b"1,2\n3,4\n", "no row of column names"),
        (b"Loan #,Balance\n", "no row below it"),
        (b"Loan #,Balance\n\n\n", "no row below it"),
        (b'Loan #,Balance\n1,"' + b"x" * 200_000 + b'"\n', "no table of cells"),
        (b"Property Name,City\nA,B\n", "no column that is the number of a loan"),
        (b"Loan #,City\n1,B\n", "no column that is taken for a balance"),
        (b"Loan #,Balance\nTotal,5\n", "no usable loan among its 1 rows"),
    ],
)
def test_what_is_no_tape_is_refused_in_a_sentence(raw, sentence, tmp_path):
    path = tmp_path / "tape.csv"
    path.write_bytes(raw)
    assert sentence in refused(path)


def test_a_folder_a_missing_file_and_a_locked_workbook(tmp_path):
    with pytest.raises(ImportRefused, match="no such file"):
        tape(tmp_path / "none.csv")
    with pytest.raises(ImportRefused, match="is no file"):
        tape(tmp_path)
    path = tmp_path / "old.xlsx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))
    with pytest.raises(ImportRefused, match="is no workbook"):
        tape(path)


def test_an_encoding_that_is_named_is_used(tmp_path):
    path = tmp_path / "tape.csv"
    name = "\u0411\u0430\u043d\u043a \u0414\u043e\u043c"
    path.write_bytes(f"Loan #,Balance,Property Name\n1,5,{name}\n".encode("cp1251"))
    said = Profile(shape=Shape(encoding="cp1251"))
    assert tape(path, said, as_of=DAY).portfolio().loans["property_name"].to_pylist() == [name]
    assert "is not text in utf-8" in refused(path, encoding="utf-8")
    assert "is no encoding" in str(refusal(path, Shape(encoding="x")))


def test_without_a_day_the_tape_asks_for_it(tmp_path):
    path = tmp_path / "tape.csv"
    path.write_text("Loan #,Balance\n1,5\n", encoding="utf-8")
    with pytest.raises(ImportRefused, match="of which day its figures are; say it: --as-of"):
        tape(path).portfolio()
    path.write_text("As of 31 March 2026,\nLoan #,Balance\n1,5\n", encoding="utf-8")
    assert tape(path).portfolio().info.as_of == DAY
    path.write_text("Loan #,Balance,As of\n1,5,2025-12-31\n2,5,2026-03-31\n", encoding="utf-8")
    assert tape(path).portfolio().info.as_of == DAY


CELLS = st.sampled_from([
    "", "1", "2", "A-1", "Total", "$5", "(5)", "5.25 %", "0.05", "x", "=1", "3/25/2027", "TX",
    "N/A", "Loan", "Property", "PF", "\x01", "a,b", 'q"r', "Caf\xe9",
])  # fmt: skip


@examples(50, 150, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(CELLS, min_size=0, max_size=8), min_size=1, max_size=30))
def test_loaded_and_rejected_are_all_rows(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("tape") / "tape.csv"
    header = ["Loan #", "Property Flag", "Balance", "Rate", "Maturity", "Borrower", "State"]
    with path.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows([header, *rows])
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        assert "no row below it" in str(refusal(path, Shape()))
        return
    found = tape(path, as_of=DAY)
    assert found.loaded + found.rejected == len(found.plan.sheet.rows) == len(filled)
    out = path.with_name("rejects.csv")
    found.write_rejects(out)
    back = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert back[0] == [*header, "row", "reason"]
    assert len(back) - 1 == found.rejected
    assert all(row[-1].endswith(".") for row in back[1:])
    if len(found.rows.loans) and not found.plan.asks:
        got = found.portfolio()
        assert got.loans.num_rows == len(found.rows.loans)
        assert got.rejects.num_rows == found.rejected
        assert got.info.records_read == len(filled)
        assert len(set(got.loans["loan_number"].to_pylist())) == got.loans.num_rows


def test_rejects_come_out_again_and_go_in_once_corrected(tmp_path):
    path, out = tmp_path / "tape.csv", tmp_path / "rejects.csv"
    path.write_text(
        'Loan #,Balance,Rate,Note\n1,5,5.1,"=cmd|x"\n2,five,5.2,"=cmd|x"\n3,-5,5.3,-ok\n3,7,5.3,\n'
        "4,6,5.4,y,,z\n",
        encoding="utf-8",
    )
    found = tape(path, as_of=DAY)
    found.write_rejects(out)
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert [(one["Loan #"], one["Balance"], one["row"], one["reason"]) for one in rows] == [
        ("2", "five", "3", "Balance 'five' is no figure."),
        ("3", "-5", "4", "Balance '-5' is below zero."),
        ("4", "6", "6", "It has 6 cells, the header 4."),
    ]
    assert [one["Note"] for one in rows] == ["'=cmd|x", "'-ok", "y"]
    out.write_text(out.read_text(encoding="utf-8").replace("five", "50"), encoding="utf-8")
    assert tape(out, as_of=DAY).portfolio().loans["book_value"].to_pylist() == [50, 6]


@pytest.mark.parametrize("dialect", messy_tape.HEADERS)
def test_of_a_messy_tape_nine_columns_in_ten_need_no_click(dialect, tmp_path):
    path = tmp_path / "tape.csv"
    rng = random.Random(dialect)
    messy_tape.write(path, dialect, 300, titles=rng.randrange(4), seed=rng.randrange(9))
    found = tape(path, as_of=DAY)
    asked = [one.name for one in found.plan.columns if one.ask or not one.taken]
    assert found.plan.mapped >= 0.9, asked
    assert found.plan.asks == ()
    assert found.loaded + found.rejected == len(found.plan.sheet.rows) == 301
    assert (found.plan.dialect and found.plan.dialect.name) == (
        None if dialect == "own" else dialect
    )
    fields = Counter(one.field for one in found.plan.columns if one.taken and one.field)
    assert sum(fields.values()) >= 8
    got = found.portfolio()
    assert got.loans["book_value"].null_count < 300 or dialect.startswith("sba")
