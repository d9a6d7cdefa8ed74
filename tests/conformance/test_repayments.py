"""Loans that came due of a store and of mirrors (D284): cells add up, conditions leave some out."""

from services.contract.errors import NoHistory
from services.contract.repayments import CLASSES, Outcome, RepaymentQuery


def test_cells_add_up_and_are_those_of_their_types(held):
    try:
        answer = held.source.repayments(RepaymentQuery())
    except NoHistory:
        assert held.mirrored
        return
    keys = [(one.property_type, one.low, one.high) for one in answer.cells]
    assert len(set(keys)) == len(keys)
    assert {(low, high) for _, low, high in keys} <= set(CLASSES)
    for word in {kind for kind, *_ in keys if kind}:
        own = held.source.repayments(RepaymentQuery(property_type=(word,)))
        assert own.cells == tuple(one for one in answer.cells if one.property_type == word)
    later = held.source.repayments(RepaymentQuery(grace=12))
    due = [sum(Outcome.of(one.cells).loans.values()) + one.not_yet for one in (answer, later)]
    assert due[0] == due[1]
    assert answer.not_yet == 0
