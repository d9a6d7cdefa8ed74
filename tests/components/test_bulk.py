"""Numbers pasted or uploaded: which column is meant, how often a file is read (D257)."""

import pytest

from components.loans import bulk
from components.loans.bulk import Found, _best, _columns
from services import number_lists
from services.contract.errors import ImportRefused

KNOWN = {"CA-1", "CA-2", "7"}


class Upload:
    """A file as Streamlit gives it."""

    def __init__(self, name, data, file_id="one"):
        self.name, self.data, self.file_id = name, data, file_id

    def getvalue(self):
        return self.data


@pytest.fixture(autouse=True)
def asked(monkeypatch):
    """The questions that were asked, of a store of three loans."""
    questions = []

    def ask(_, numbers):
        questions.append(numbers)
        return frozenset(KNOWN & set(numbers))

    monkeypatch.setattr(bulk.session, "ask", ask)
    monkeypatch.setattr(bulk.st, "session_state", {})
    return questions


@pytest.mark.parametrize(
    "text", ["CA-1\nCA-2\nnope", "CA-1, CA-2;nope", " CA-1\tCA-2\n\n nope \nCA-1"]
)
def test_pasted_numbers_may_be_set_apart_in_any_usual_way(text):
    assert _best(_columns(text, None)) == Found(("CA-1", "CA-2"), ("nope",))


def test_of_a_file_the_column_with_most_numbers_is_meant_and_its_head_is_none(asked):
    file = Upload("x.csv", b"\xef\xbb\xbfBank,Loan number\nA,CA-1\nB,CA-9\n7,CA-2\n")
    assert _best(_columns("", file)) == Found(("CA-1", "CA-2"), ("CA-9",))
    assert asked == [("Bank", "A", "B", "7", "Loan number", "CA-1", "CA-9", "CA-2")]


def test_a_file_is_read_once_a_session_and_what_is_wrong_with_it_said_again(monkeypatch):
    read, uploaded = [], number_lists.uploaded
    monkeypatch.setattr(
        number_lists,
        "uploaded",
        lambda name, data, **how: read.append(name) or uploaded(name, data, **how),
    )
    for _ in range(2):
        assert _columns("", Upload("a.csv", b"CA-1\n")) == [["CA-1"]]
        with pytest.raises(ImportRefused, match="does not read as CSV in UTF-8"):
            _columns("", Upload("b.csv", b"\xff\xfe", "two"))
        with pytest.raises(ImportRefused, match="does not read as CSV in UTF-8"):
            _columns("", Upload("b.csv", b"\xff\xfe", "two"))
    assert read == ["a.csv", "b.csv"] * 2
