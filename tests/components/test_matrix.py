"""The coloured table of signals: what its cells say, where they lead, which clicks count."""

import pytest

from components.frame.routes import SIGNALS
from components.maps import matrix
from components.maps.bins import MEASURES, RAMP
from services.contract.aggregates import MatrixCell


def cell(state, column, loans):
    return MatrixCell(
        state=state, column=column, signals=loans, loans=loans, book_value=0, dollars_short=0,
        of_loans=100, of_book_value=1,
    )  # fmt: skip


CRITICAL = {"severity": "critical"}
CELLS = matrix.matrix(
    [
        cell("TX", "office", 4), cell("TX", "retail", 5), cell("NY", "office", 50),
        cell(None, "retail", 1), cell("TX", None, 7), cell("TX", "[x](y)", 9),
    ],
    ("retail", "office"),
    ("NY", "TX", "WY", None),
)  # fmt: skip


def of_state(word):
    return {"state": word} if word else None


def of_column(word):
    return {"property_type": word} if word else None


def drawn(opens=CRITICAL):
    return matrix.sent(
        CELLS,
        matrix.of_measure(MEASURES["loans"]),
        lambda word: word.title(),
        of_state,
        of_column,
        (SIGNALS, opens),
        matrix.classes(),
    )


def test_rows_and_columns_stand_in_their_order_and_those_without_a_cell_are_left_out():
    found = drawn()
    assert [one["label"] for one in found["columns"]] == ["Retail", "Office", "[X](Y)", "none"]
    assert [row["label"] for row in found["rows"]] == ["NY", "TX", "none"]
    written = [[one and one[0] for one in row["cells"]] for row in found["rows"]]
    assert written == [[None, "50", None, None], ["5", "4", "9", "7"], ["1", None, None, None]]


def test_a_cell_has_the_colour_of_its_class():
    found = drawn()
    (_, office, *_), (retail, fewer, *_) = (row["cells"] for row in found["rows"][:2])
    grounds = [found["classes"][at]["ground"] for _, at in (office, retail, fewer)]
    assert grounds == [RAMP[4], RAMP[1], RAMP[0]]


def test_heads_say_what_they_add_to_an_address_and_which_lead_nowhere():
    found = drawn()
    assert found["address"] == "signals?severity=critical&"
    assert [row["query"] for row in found["rows"]] == ["state=NY", "state=TX", None]
    added = ["property_type=retail", "property_type=office", "property_type=%5Bx%5D%28y%29", None]
    assert [column["query"] for column in found["columns"]] == added
    assert drawn({})["address"] == "signals?"


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
    assert matrix.chosen(sent, CELLS, of_state, of_column) == values
