"""The matrix of worst severities before and after: order of its words, colours, what it says."""

import pytest

from components.changes.view import SIDES
from components.maps import matrix, moves
from services.contract.history import NOT_IN_FILE, Move
from services.contract.vocabulary import NOTHING_OWED

MOVES = [
    Move(before="none", after="severe", loans=4, dollars=9_000_000),
    Move(before="none", after="critical", loans=60, dollars=3_000_000_000),
    Move(before="critical", after="none", loans=2, dollars=5_000_000),
    Move(before="severe", after="severe", loans=7, dollars=1),
    Move(before="none", after=NOTHING_OWED, loans=1, dollars=0),
    Move(before=NOT_IN_FILE, after="severe", loans=3, dollars=30_000_000),
]


def test_words_stand_worst_first_and_what_no_loan_has_is_left_out():
    cells = moves.table(MOVES, SIDES, "Before")
    assert cells.rows == ("critical", "severe", "none", NOT_IN_FILE)
    assert cells.columns == ("critical", "severe", "none", NOTHING_OWED)
    assert sum(one.loans for one in cells.cells.values()) == 77


@pytest.mark.parametrize(
    ("at", "loans", "dollars"),
    [
        (0, ("4", 0), ("$9.0M", 0)),
        (1, ("60", 4), ("$3.00B", 4)),
        (2, ("2", 5), ("$5.0M", 5)),
        (3, ("7", 6), ("$1", 6)),
        (4, ("1", 6), ("$0", 6)),
        (5, ("3", 6), ("$30.0M", 6)),
    ],
)
def test_worse_is_coloured_by_size_better_and_the_rest_each_in_one_colour(at, loans, dollars):
    assert moves.written(MOVES[at], MOVES[at].loans, "loans") == loans
    assert moves.written(MOVES[at], MOVES[at].dollars, "dollars") == dollars


@pytest.mark.parametrize("dark", [False, True])
def test_no_two_kinds_of_cell_look_alike(dark):
    grounds = [*matrix.classes(), *moves._CALM[dark]]
    assert len({ground for ground, _ in grounds}) == 7
