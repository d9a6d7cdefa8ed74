"""Loans that came due (D284): each outcome and limit by hand, every cell of a made-up book counted
loan by loan, and a genuine trust.
"""

from datetime import date

import pytest

from services.contract.repayments import Outcome, RepaymentQuery
from services.contract.scope import Scope
from services.store.leases import Store
from tests import oracle_repayments
from tests.due_book import filled
from tests.genuine import seven_years
from tests.publishing import load
from tests.world import RATES, Sketch, info_of

BEFORE, DUE, ALMOST, LATER, LAST = (
    date(2022, 6, 15), date(2023, 6, 15), date(2023, 9, 14), date(2023, 9, 15), date(2024, 6, 15),
)  # fmt: skip
DAYS = (BEFORE, DUE, ALMOST, LATER, LAST)
PAID = {"book_value": 0, "disposition": "paid off at maturity"}
#: Loan -> what its filings say from a day on. Each is due on DUE but where it says otherwise.
PATHS = {
    "a": {BEFORE: {"noi": 700_000}, DUE: PAID},
    "b": {BEFORE: {"noi": 699_000}, LATER: PAID},
    "c": {BEFORE: {"noi": None}, DUE: {"maturity_date": date(2025, 6, 15)}},
    "d": {
        BEFORE: {"noi": 1_200_000},
        DUE: {"book_value": 0, "disposition": "liquidated", "realized_loss": 4_000_000},
    },
    "e": {LATER: None},
    "f": {DUE: {"book_value": 0}},
    "g": {BEFORE: {"defeasance": "F"}, DUE: PAID},
    "h": {BEFORE: {"workout": "7"}},
    "i": {BEFORE: {"maturity_date": date(2023, 6, 14)}},
    "j": {BEFORE: {"maturity_date": date(2024, 6, 16)}},
    "k": {BEFORE: {"maturity_date": LAST}},
    "l": {DUE: {"book_value": 0, "disposition": "paid off before maturity", "realized_loss": 1}},
    "m": {DUE: {"book_value": 0, "disposition": "repurchased or substituted"}},
    "n": {DUE: {"book_value": 0, "disposition": "liquidated"}},
    "o": {DUE: {"realized_loss": 100_000, "modification": "10"}},
    "p": {BEFORE: {"maturity_date": LAST}, DUE: {"maturity_date": date(2026, 6, 15)}},
    "q": {DUE: {"defeasance": "F"}},
}
#: Loan -> what it came to by its due date, 3 and 12 months later; "-" where no filing is that late.
CAME_TO = {
    "a": "repaid repaid repaid",
    "b": "unpaid repaid repaid",
    "c": "extended extended extended",
    "d": "liquidated liquidated liquidated",
    "e": "unpaid unknown unknown",
    "f": "unknown unknown unknown",
    "k": "unpaid - -",
    "l": "liquidated liquidated liquidated",
    "m": "unknown unknown unknown",
    "n": "liquidated liquidated liquidated",
    "o": "unpaid unpaid unpaid",
    "q": "unknown unknown unknown",
}


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("typed")
    made = []
    for day in DAYS:
        sketch = Sketch(info_of("typed", day))
        for number, path in PATHS.items():
            facts = {"noi": 900_000, "maturity_date": DUE, "property_type": number}
            said = [one for when, one in path.items() if when <= day]
            if None in said:
                continue
            for one in said:
                facts |= one
            sketch.loan(number, **facts)
        made.append(sketch.portfolio())
    load(folder, made, rates=RATES)
    with Store(folder).lease() as source:
        yield source


@pytest.mark.parametrize(("at", "grace"), [(0, 0), (1, 3), (2, 12)])
def test_each_outcome_and_limit_typed_by_hand(typed, at, grace):
    answer = typed.repayments(RepaymentQuery(grace=grace))
    came = {number: words.split()[at] for number, words in CAME_TO.items()}
    found = {}
    for cell in answer.cells:
        (word,) = [word for word, loans in Outcome.of([cell]).loans.items() if loans]
        found[cell.property_type] = word
        assert getattr(cell, f"{word}_balance") == 10_000_000
    assert found == {number: word for number, word in came.items() if word != "-"}
    assert answer.not_yet == list(came.values()).count("-")
    assert answer.no_notice == 1  # i: due a day too early for the first filing
    assert (answer.first, answer.last) == (DUE, DUE if grace else LAST)


def test_a_class_of_debt_yield_holds_its_lower_end(typed):
    classes = {one.property_type: (one.low, one.high) for one in
               typed.repayments(RepaymentQuery()).cells}  # fmt: skip
    assert [classes[number] for number in "abcde"] == [
        (7, 8), (None, 7), (None, None), (12, None), (8, 10),
    ]  # fmt: skip


def test_the_loans_together_and_the_interval_of_their_share(typed):
    whole = Outcome.of(typed.repayments(RepaymentQuery(grace=3)).cells)
    assert whole.loans == {"repaid": 2, "extended": 1, "unpaid": 1, "liquidated": 3, "unknown": 4}
    assert (whole.known, whole.balance["repaid"]) == (7, 20_000_000)
    assert whole.interval == pytest.approx((0.03669, 0.70958), abs=1e-5)
    assert Outcome.of([]).interval is None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return filled(tmp_path_factory.mktemp("due") / "store")


@pytest.fixture
def same(source, found):
    """That the store's answer is the oracle's over the rows that `keeps` has."""

    def check(query, keeps=lambda _row: True):
        seen, without = oracle_repayments.due_loans(found, query.grace)
        seen = [one for one in seen if keeps(one[0])]
        answer = source.repayments(query)
        true = oracle_repayments.cells(seen)
        assert {(one.property_type, one.low, one.high) for one in answer.cells} == set(true)
        for cell in answer.cells:
            own = true[cell.property_type, cell.low, cell.high]
            said = cell.model_dump(exclude={"property_type", "low", "high"})
            assert said == {name: own[name] for name in said}
        assert answer.not_yet == sum(word is None for *_, word in seen)
        return answer, seen, without

    return check


@pytest.mark.parametrize("grace", [0, 3, 12])
def test_every_cell_is_what_its_loans_came_to(same, grace):
    answer, seen, without = same(RepaymentQuery(grace=grace))
    assert answer.no_notice == without > 5
    known = [due for _, due, word in seen if word]
    assert (answer.first, answer.last) == (min(known), max(known))
    assert len(known) > 60
    assert all(Outcome.of(answer.cells).loans.values())


@pytest.mark.parametrize(
    "where", [{"property_type": ("office",)}, {"state": ("TX", "CA")}, {"deal": ("quay",)}]
)
def test_conditions_are_of_the_filing_a_year_before(same, where):
    columns = {"property_type": "property_type", "state": "state"}

    def keeps(row):
        if "deal" in where:
            return row["loan_number"].startswith("Q")
        ((name, words),) = where.items()
        return row[columns[name]] in words

    answer, seen, _ = same(RepaymentQuery(**where), keeps)
    assert seen
    assert answer.cells


def test_of_a_set_its_loans_alone(same, found):
    numbers = sorted({row["loan_number"] for rows in found.values() for row in rows})[::3]
    chosen = Scope.of("set", tuple(numbers), "a third", "0123456789abcdef")
    _, seen, _ = same(RepaymentQuery(scope=chosen), lambda row: row["loan_number"] in numbers)
    assert len(seen) > 20


def test_a_loan_of_several_notes_counts_once(same, found):
    assert any(row["whole_loan"] for rows in found.values() for row in rows)
    answer, seen, _ = same(RepaymentQuery(grace=3, property_type=("retail",)),
                           lambda row: row["property_type"] == "retail")  # fmt: skip
    assert sum(row["balance"] == 30_000_000 for row, *_ in seen) == 1
    assert sum(one.repaid_balance for one in answer.cells) > 30_000_000


def test_of_a_genuine_trust_the_two_loans_that_came_due(tmp_path):
    """UBS 2017-C1: loan 5 (9.84 years of interest only, office) and 29 were due in March and April
    2022; both have a balance of 0 in the filing of that month.
    """
    seven_years(tmp_path)
    with Store(tmp_path).lease() as source:
        for grace in (0, 3, 12):
            answer = source.repayments(RepaymentQuery(grace=grace))
            assert (answer.first, answer.last) == (date(2022, 3, 6), date(2022, 4, 11))
            assert [(one.property_type, one.low, one.high, one.repaid, one.repaid_balance)
                    for one in answer.cells] == [
                ("mixed use", 10, 12, 1, 10_757_134), ("office", 12, None, 1, 34_000_000),
            ]  # fmt: skip
            assert Outcome.of(answer.cells).known == 2
            assert (answer.not_yet, answer.no_notice) == (0, 0)
