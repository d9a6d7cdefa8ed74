"""What the page of a loan says first, typed by hand from its figures."""

from datetime import date
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.loans.hero import state
from services.contract.loan_figures import Figure, Statement
from tests.pages.screen import said as words_of

DAY = date(2026, 9, 30)


def figures(*, dscr=0.84, then=0.53, gap=21e6, part=False, own=None, least=False, exempt=()):
    return SimpleNamespace(
        as_of=DAY,
        exempt=exempt,
        income=SimpleNamespace(in_place=SimpleNamespace(dscr=dscr)),
        debt=SimpleNamespace(at_least=least, part=part, effective=date(2026, 12, 6)),
        refinance=SimpleNamespace(
            dscr=None,
            graded=lambda _: Figure(then, "no coupon"),
            gap_usd=Figure(gap, "no value"),
            own_gap_usd=Figure(own, "no value"),
        ),
    )


COVERS = "Income covers 84% of debt service"
NOW = f"{COVERS}, 53% at today's refi rate"
SHORT = "$21.0M short at refinance, due in 2 mo."


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ({}, f"{NOW}; {SHORT}"),
        ({"then": None}, f"{COVERS}; {SHORT}"),
        ({"least": True}, f"{COVERS}, at most 53% at today's refi rate; at least {SHORT}"),
        ({"dscr": -0.2}, f"Income covers none of the debt service; {SHORT}"),
        ({"dscr": None}, SHORT),
        ({"gap": -4e5}, f"{NOW}; $400K to spare at refinance, due in 2 mo."),
        ({"part": True, "own": 3e6}, f"{NOW}; $3.0M short at refinance, due in 2 mo."),
        ({"gap": None}, f"{NOW}."),
        ({"exempt": ("REO",)}, f"{COVERS}."),
        ({"dscr": None, "exempt": ("REO",)}, ""),
    ],
)
def test_a_loan_is_one_sentence(held, said):
    assert state(figures(**held)) == said


def drawn(found):
    from components.loans.hero import hero

    hero(found, None)


@pytest.mark.parametrize(
    ("in_place", "line"),
    [
        (Statement(dscr=0.84, start=date(2025, 1, 1), end=date(2025, 12, 31), months=12), True),
        (Statement(noi=900_000.0, end=date(2025, 12, 31)), False),
        (None, False),
    ],
)
def test_what_income_is_of_is_said_only_where_a_dscr_rests_on_it(in_place, line):
    found = figures()
    found.income = SimpleNamespace(in_place=in_place, filed=in_place, old=False)
    app = AppTest.from_function(drawn, args=(found,)).run()
    assert not app.exception
    assert "short at refinance" in words_of(app)
    assert ("Income: NCF of Jan–Dec 2025, 12 mo." in words_of(app)) == line
    assert ("Income:" in words_of(app)) == line
