"""Numbers pasted or uploaded: which column is meant, what is too much, what does not read."""

import io

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
