"""GET /v1/signals (spec 4.6). What a signal says in words is tested with the rules; that it is
said as it was found, here.
"""

import pytest

from services.contract.queries import SignalQuery, parse
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES


def agree(source, oracle, **filters):
    for page in (1, 2):
        query = SignalQuery(per_page=100, page=page, **filters)
        assert source.signals(query) == oracle.signals(query)


def test_without_filters_all_signals_come_by_loan_then_type(source, oracle):
    agree(source, oracle)
    found = [
        (one.loan_number, one.signal_type)
        for page in (1, 2)
        for one in source.signals(SignalQuery(per_page=100, page=page)).items
    ]
    assert found == sorted(set(found))  # at most one of a type for each loan (D24)


@pytest.mark.parametrize("severity", [None, *SEVERITIES, "no such word"])
@pytest.mark.parametrize("signal_type", [None, *SIGNAL_TYPES, "no such type"])
def test_filters_agree_alone_and_together(source, oracle, signal_type, severity):
    for state in (None, "TX", "NY", "PR", "WY"):
        agree(source, oracle, state=state, signal_type=signal_type, severity=severity)


def test_the_book_has_signals_of_every_severity_but_low(source):
    totals = {word: source.signals(SignalQuery(severity=word)).total for word in SEVERITIES}
    assert totals.pop("low") == 0  # D24
    assert all(totals.values())


@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_words_are_asked_for_in_either_case(source, oracle, case):
    words = {"state": "tx", "severity": "moderate", "signal_type": "maturity_timing"}
    given = {name: case(word) for name, word in words.items()}
    plain = SignalQuery(state="TX", severity="moderate", signal_type="maturity_timing")
    found = source.signals(parse(SignalQuery, given))
    assert found == oracle.signals(plain)
    # Days from 2024-02-29 to 2025-02-28, and two each of "ard", "slip" and "extended in vain".
    assert found.total == 14


def test_severity_of_a_signal_is_that_of_its_worst_component(source):
    for page in (1, 2):
        for one in source.signals(SignalQuery(per_page=100, page=page)).items:
            worst = max((part.severity for part in one.components), key=SEVERITIES.index)
            assert one.severity == worst


def test_a_rate_pressure_signal_says_what_its_loan_says(source):
    # D25
    for severity in SEVERITIES[1:]:
        query = SignalQuery(signal_type="rate_pressure", severity=severity, per_page=100)
        for one in source.signals(query).items:
            assert source.loan(one.loan_number).rate_pressure == severity


@pytest.mark.parametrize(
    ("number", "word"),
    [
        ("gap-0", "low"),  # coupon 6.95, the refi rate itself
        ("gap-1", "low"),  # 99 bp
        ("gap-2", "moderate"),  # 100 bp
        ("gap-3", "elevated"),  # 200 bp
        ("gap-4", "severe"),  # 300 bp
        ("gap-5", None),  # a coupon of 0 is none
        ("gap-6", "critical"),  # 300 bp, and income does not carry the refi rate
        ("gap-7", "elevated"),  # 300 bp, 25 months before maturity
        ("defeased", None),
    ],
)
def test_rate_pressure_of_loans_on_the_limits(source, number, word):
    assert source.loan(number).rate_pressure == word
