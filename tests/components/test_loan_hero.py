"""What the page of a loan says first (D262, D281), typed by hand from its figures."""

from datetime import date
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.loans.hero import state
from services.contract.loan_figures import Figure, Statement
from tests.pages.screen import said as words_of

DAY = date(2026, 9, 30)
LOAN = SimpleNamespace(extended={})


def figures(
    *,
    dscr=0.84,
    before=False,
    then=0.53,
    gap=21e6,
    part=False,
    own=None,
    least=False,
    exempt=(),
    ltv=0.8,
    unpaid=None,
    out=False,
    due=date(2026, 12, 6),
    legal=None,
    imputed=False,
    valued=None,
):
    return SimpleNamespace(
        as_of=DAY,
        ended=False,
        exempt=exempt,
        taken_over="REO" in exempt,
        exposure=SimpleNamespace(months_unpaid=unpaid, counts=out),
        income=SimpleNamespace(
            in_place=SimpleNamespace(dscr=dscr),
            before_loan=before,
            imputed=imputed,
            value_date=valued,
        ),
        debt=SimpleNamespace(
            at_least=least,
            part=part,
            effective=due,
            maturity=legal or due,
            ltv=Figure(ltv, "no value"),
        ),
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
        ({"before": True, "gap": None}, f"{NOW.replace('Income', 'Income before the loan')}."),
        (
            {"before": True, "dscr": 0.0, "gap": None},
            "Income before the loan covers none of the debt service.",
        ),
        ({"gap": -4e5}, f"{NOW}; $400K to spare at refinance, due in 2 mo."),
        (
            {"part": True, "own": 3e6},
            (
                f"{NOW}; $3.0M short on this note, $21.0M short on the whole loan at refinance, "
                "due in 2 mo."
            ),
        ),
        (
            {"part": True, "own": 0.0, "least": True},
            (
                f"{COVERS}, at most 53% at today's refi rate; nothing short on this note, at least "
                "$21.0M short on the whole loan at refinance, due in 2 mo."
            ),
        ),
        ({"due": date(2026, 5, 11)}, f"{NOW}; $21.0M short at refinance, matured 4 mo ago."),
        ({"due": DAY}, f"{NOW}; $21.0M short at refinance, due today."),
        ({"due": None}, f"{NOW}; $21.0M short at refinance."),
        # An anticipated repayment date that passed: the loan goes on.
        (
            {"due": date(2026, 5, 11), "legal": date(2046, 5, 11)},
            f"{NOW}; $21.0M short at refinance, due 4 mo ago.",
        ),
        ({"imputed": True, "gap": None}, f"{NOW.replace('Income', 'Imputed rent')}."),
        ({"gap": None}, f"{NOW}."),
        # What an REO property earns pays no debt service: it is sold.
        ({"exempt": ("REO",)}, "REO; the debt is 80% of the property's value."),
        (
            {
                "exempt": ("REO",),
                "unpaid": 63,
                "out": True,
                "ltv": 1.0846,
                "valued": date(2023, 10, 5),
            },
            "REO, unpaid for 63 months; the exposure is 108% of the property's value of Oct 2023.",
        ),
        (
            {"exempt": ("REO",), "part": True, "least": True},
            "REO; the debt of the whole loan is at least 80% of the property's value.",
        ),
        ({"exempt": ("REO",), "ltv": None}, "REO; no appraised value is filed."),
        ({"exempt": ("fully amortising",)}, f"{COVERS}."),
        (
            {"dscr": None, "exempt": ("fully amortising",)},
            (
                "The loan is fully amortising: its schedule repays it in full, and nothing is left "
                "to refinance at maturity."
            ),
        ),
        ({"dscr": None, "gap": None}, "Neither income nor debt is filed."),
        ({"dscr": None, "gap": None, "ltv": 1.0}, "Neither income nor debt is filed."),
        ({"dscr": None, "ltv": 1.745}, f"The debt is 175% of the property's value; {SHORT}"),
        (
            {"dscr": None, "gap": None, "ltv": 1.745, "least": True},
            "The debt is at least 175% of the property's value.",
        ),
        ({"ltv": 1.745}, f"{NOW}; {SHORT}"),
    ],
)
def test_a_loan_is_one_sentence(held, said):
    assert state(LOAN, figures(**held), None) == said


@pytest.mark.parametrize(
    ("filed", "said"),
    [
        ({"payment_status": "0"}, f"{NOW}; {SHORT}"),
        ({"payment_status": "3"}, f"90 or more days delinquent; income{NOW[6:]}; {SHORT}"),
        (
            {"payment_status": "5", "workout": "2"},
            f"Non-performing matured balloon; income{NOW[6:]}; {SHORT}",
        ),
        (
            {"payment_status": "0", "workout": "2"},
            f"Foreclosure; income{NOW[6:]}; {SHORT}",
        ),
        ({"payment_status": "0", "workout": "13"}, f"{NOW}; {SHORT}"),
        ({"payment_status": "Z"}, f"{NOW}; {SHORT}"),
    ],
)
def test_it_begins_with_how_the_loan_pays(filed, said):
    assert state(SimpleNamespace(extended=filed), figures(), None) == said


def test_it_says_since_when_nothing_is_paid():
    late = SimpleNamespace(extended={"payment_status": "3"})
    said = f"90 or more days delinquent, unpaid for 63 months; income{NOW[6:]}; {SHORT}"
    assert state(late, figures(unpaid=63), None) == said


def test_of_a_loan_of_which_nothing_is_filed_a_rule_may_have_been_asked():
    nothing = figures(dscr=None, gap=None)
    assert state(LOAN, nothing, []) == "No rule fired on this loan."


def drawn(loan, found):
    from components.loans.hero import hero

    hero(loan, found, None)


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
    found.income = SimpleNamespace(
        in_place=in_place, filed=in_place, old=False, before_loan=False, imputed=False
    )
    app = AppTest.from_function(drawn, args=(LOAN, found)).run()
    assert not app.exception
    assert "short at refinance" in words_of(app)
    assert ("Income: NCF of Jan–Dec 2025, 12 mo." in words_of(app)) == line
    assert ("Income:" in words_of(app)) == line
