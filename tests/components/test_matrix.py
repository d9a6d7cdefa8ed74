"""The coloured table of signals: what its cells say, where they lead, which clicks are heeded."""

import pytest

from components.frame.routes import SIGNALS
from components.maps import matrix
from components.maps.bins import MEASURES, colours
from services.contract.aggregates import MatrixCell


def cell(state, column, loans):
    return MatrixCell(
        state=state, column=column, signals=loans, loans=loans, book_value=0, dollars_short=0,
        of_loans=100, of_book_value=1,
    )  # fmt: skip


CELLS = matrix.matrix(
    [
        cell("TX", "office", 4), cell("TX", "retail", 5), cell("NY", "office", 50),
        cell(None, "retail", 1), cell("TX", None, 7), cell("TX", "[x](y)", 9),
    ],
    ("retail", "office"),
    ("NY", "TX", "WY", None),
)  # fmt: skip


def leads(state, column):
    if state is None or (column and column.word is None):
        return None
    return {"state": state} | ({"property_type": column.word} if column else {})


def drawn(*, dark=False):
    opens = (SIGNALS, {"severity": "critical"})
    return matrix.sent(CELLS, MEASURES["loans"], lambda word: word.title(), leads, opens, dark=dark)


def test_rows_and_columns_stand_in_their_order_and_those_without_a_cell_are_left_out():
    found = drawn()
    assert found["columns"] == ["Retail", "Office", "[X](Y)", "none"]
    assert [row["label"] for row in found["rows"]] == ["NY", "TX", "none"]
    written = [[one and one["text"] for one in row["cells"]] for row in found["rows"]]
    assert written == [[None, "50", None, None], ["5", "4", "9", "7"], ["1", None, None, None]]


@pytest.mark.parametrize("dark", [False, True])
def test_a_cell_has_the_colour_of_its_class(dark):
    (_, office, *_), (retail, fewer, *_) = (row["cells"] for row in drawn(dark=dark)["rows"][:2])
    ramp = colours(dark=dark)
    assert [office["ground"], retail["ground"], fewer["ground"]] == [ramp[4], ramp[1], ramp[0]]


def test_a_cell_leads_to_its_loans_and_a_head_to_its_state():
    ny, tx, nowhere = drawn()["rows"]
    assert tx["cells"][1]["href"] == "signals?severity=critical&state=TX&property_type=office"
    assert tx["href"] == "signals?severity=critical&state=TX"
    assert tx["cells"][3]["href"] is None  # no filter holds "no type"
    assert (nowhere["href"], nowhere["cells"][0]["href"], ny["cells"][0]) == (None, None, None)


@pytest.mark.parametrize(
    ("sent", "values"),
    [
        ([1, 1], {"state": "TX", "property_type": "office"}),
        ([0, -1], {"state": "NY"}),
        ([1, 3], None),
        ([2, 0], None),
        *((odd, None) for odd in ([9, 0], [0, 9], [-1, 0], [0, -2], [0], "TX", None, [0.5, 1])),
    ],
)
def test_of_what_a_browser_sends_only_a_cell_that_leads_somewhere_is_heeded(sent, values):
    assert matrix.chosen(sent, CELLS, leads) == values
