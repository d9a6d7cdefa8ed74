"""What a scope holds of a party's loans, in one sentence."""

import pytest

from components.exposure.holding import sentence
from services.contract.scope import BOOK, WATCHED, Holding, Scope

SET = Scope.of("set", ("1", "2"), "the set “Texas”", "a1")


@pytest.mark.parametrize(
    ("loans", "held", "critical", "severe", "within", "said"),
    [
        (11, 3, 2, 0, BOOK, "We hold 3 of this sponsor's 11 loans; 2 of the other 8 are critical."),
        (11, 3, 2, 4, BOOK,
         "We hold 3 of this sponsor's 11 loans; 2 of the other 8 are critical, 4 severe."),
        (11, 3, 0, 1, BOOK, "We hold 3 of this sponsor's 11 loans; 1 of the other 8 is severe."),
        (11, 3, 1, 1, BOOK,
         "We hold 3 of this sponsor's 11 loans; 1 of the other 8 is critical, 1 severe."),
        (3, 1, 0, 0, WATCHED,
         "You watch 1 of this sponsor's 3 loans; none of the other 2 is critical or severe."),
        (1, 0, 1, 0, BOOK, "We hold none of this sponsor's 1 loan; 1 of them is critical."),
        (1, 1, 0, 0, BOOK, "We hold this sponsor's only loan."),
        (2, 2, 0, 0, BOOK, "We hold all 2 of this sponsor's loans."),
        (2, 2, 0, 0, SET, "The set “Texas” holds all 2 of this sponsor's loans."),
    ],
)  # fmt: skip
def test_what_is_held_and_how_the_others_are(loans, held, critical, severe, within, said):
    found = Holding(loans=loans, held=held, held_book_value=0, others_critical=critical,
                    others_severe=severe)  # fmt: skip
    assert sentence(found, within, "this sponsor's") == said
