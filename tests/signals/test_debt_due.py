"""Pins D154: what is due with a loan, and who is repaid first."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from services.importers import demo
from services.signals.assumptions import Assumptions
from services.signals.debt_due import behind_loans, debt_due
from services.signals.engine import evaluate
from tests.signals.healthy import AS_OF, HEALTHY, tables_of
from tests.world import Sketch, info_of


def due(whole=100.0, rank=None, *, own=100.0, junior=False, behind=0.0, balance=None):
    """Of a record that owes `own` at maturity and today."""
    arrays = (own if balance is None else balance, own, whole, whole if rank is None else rank)
    owed, at_maturity, whole_debt, rank_debt = (np.array([one]) for one in arrays)
    return debt_due(
        balance=owed,
        balance_at_maturity=at_maturity,
        whole_loan_debt=whole_debt,
        rank_debt=rank_debt,
        junior=np.array([junior]),
        behind=np.array([behind]),
    )


def short(of, proceeds):
    """On all that the record stands for, and on the record alone."""
    left = np.array([proceeds])
    return of.short(left)[0], of.own_short(left)[0]


def test_mezzanine_debt_is_due_and_repaid_last():
    of = due(behind=20.0)
    assert (of.today[0], of.at_maturity[0]) == (120.0, 120.0)
    assert short(of, 130.0) == (0.0, 0.0)
    assert short(of, 110.0) == (10.0, 0.0)
    assert short(of, 90.0) == (30.0, 10.0)
    assert short(of, 0.0) == (120.0, 100.0)


def test_notes_of_one_rank_share_alike():
    of = due(whole=400.0)
    assert short(of, 300.0) == (25.0, 25.0)


def test_an_a_note_loses_after_the_notes_behind_it():
    """100 of 150 of A notes, 250 with the junior ones."""
    of = due(whole=250.0, rank=150.0)
    assert of.today[0] == 250.0
    assert short(of, 160.0) == (0.0, 0.0)
    assert short(of, 120.0) == (20.0, 20.0)  # two thirds of 30


def test_a_junior_note_loses_first():
    of = due(whole=400.0, junior=True)
    assert short(of, 350.0) == (50.0, 50.0)
    assert short(of, 100.0) == (100.0, 100.0)


def test_what_is_paid_off_or_repays_itself_is_never_short():
    assert short(due(own=0.0, balance=50.0, behind=20.0), 0.0) == (0.0, 0.0)
    gone = due(own=0.0, balance=0.0, whole=0.0, behind=20.0)
    assert gone.at_maturity[0] == 0.0
    assert short(gone, 0.0) == (0.0, 0.0)
    assert np.isnan(short(due(whole=np.nan), 50.0)).all()
    assert np.isnan(short(due(), np.nan)).all()


def test_only_mezzanine_layers_behind_the_record_count():
    """Rank 1 is the record itself; preferred equity is no debt."""
    rows = [
        (0, 1, "senior", 100),
        (0, 2, "mezzanine", 20),
        (0, 3, "mezzanine", 5),
        (0, 4, "preferred", 7),
        (1, 1, "mezzanine", 100),
        (2, 2, "mezzanine", None),
    ]
    names = ("loan", "rank", "position", "amount")
    found = behind_loans(pa.Table.from_pylist([dict(zip(names, r, strict=True)) for r in rows]), 4)
    assert found.amount.tolist() == [25.0, 0.0, 0.0, 0.0]
    assert found.at_least.tolist() == [False, False, True, False]
    assert behind_loans(None, 2).amount.tolist() == [0.0, 0.0]


def test_mezzanine_debt_counts_in_ltv_coverage_and_gap():
    """10 million on a value of 20 with 5 million of mezzanine behind it: 75 %, not 50 %. The debt
    yield is that of the loan itself: 14.5 %.
    """
    sketch = Sketch(info_of("signals", AS_OF))
    facts = {**HEALTHY, "maturity_date": date(2027, 3, 30), "first_payment_date": date(2017, 4, 30)}
    number = facts.pop("loan_number")
    sketch.loan(number, **facts)
    sketch.layer(number, 1, "Harbour Bank", amount=10_000_000)
    sketch.layer(number, 2, "Junior LLC", amount=5_000_000)
    row = evaluate(tables_of(sketch), AS_OF, Assumptions.packaged()).features.to_pylist()[0]
    assert (row["whole_loan_debt"], row["debt_due"]) == (10_000_000, 15_000_000)
    assert row["ltv"] == 0.75
    assert row["debt_yield"] == 14.5
    rate = row["refi_rate"] / 100
    assert row["proforma_dscr"] == pytest.approx(1_400_000 / (15_000_000 * rate))
    assert row["max_proceeds"] < 15_000_000
    assert row["dollars_short"] == 15_000_000 - row["max_proceeds"]
    assert row["own_dollars_short"] == max(10_000_000 - row["max_proceeds"], 0)


def advanced_on(loan):
    """What servicers advanced on a whole loan in trouble (D276)."""
    there = loan["special_servicing_since"] and not loan["special_servicing_returned"]
    if loan["payment_status"] not in {"1", "2", "3", "5"} and loan["workout"] != "7" and not there:
        return 0
    assert loan["scheduled_balance"] in {None, loan["book_value"]}
    names = ("payment_advances", "tax_advances", "other_advances")
    return sum(loan[name] or 0 for name in names)


def test_the_demonstration_books_mezzanine_is_due_with_its_loans():
    """Counted from the raw layers: LTV of whole loans, and what is short rank by rank."""
    made = demo.portfolio(loans=600)
    tables = {name: getattr(made, name) for name in ("loans", "layers", "entities", "edges")}
    found = evaluate({**tables, "leases": made.leases}, made.info.as_of, Assumptions.packaged())
    behind = {}
    for layer in made.layers.to_pylist():
        if layer["position"] == "mezzanine" and layer["rank"] > 1:
            behind[layer["loan"]] = behind.get(layer["loan"], 0) + layer["amount"]
    loans, features = made.loans.to_pylist(), found.features.to_pylist()
    compared = 0
    for at, amount in behind.items():
        loan, row = loans[at], features[at]
        if loan["structure"] != "WL" or not loan["book_value"] or not loan["value"]:
            continue
        owed = loan["book_value"] + amount + advanced_on(loan)
        assert row["debt_due"] == owed
        assert row["ltv"] == pytest.approx(owed / loan["value"], abs=1e-9)
        if row["max_proceeds"] is not None and row["balance_at_maturity"]:
            lacks = row["balance_at_maturity"] + amount - row["max_proceeds"]
            assert row["dollars_short"] == pytest.approx(max(lacks, 0), abs=2)
            assert row["own_dollars_short"] == pytest.approx(max(lacks - amount, 0), abs=2)
            compared += 1
    assert compared > 10
