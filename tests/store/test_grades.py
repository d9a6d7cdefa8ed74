"""Loans without a signal: that owe, that are defeased in full, that owe nothing (D278)."""

import xml.etree.ElementTree as ET
from datetime import date

import pytest

from services.contract.disposition import DISPOSITIONS, without_signal
from services.contract.history import ChangeQuery, TrendQuery
from services.contract.loan_filter import LoanFilter
from services.contract.properties import PropertyFilter
from services.contract.scenario import MovedFilter, Scenario
from services.importers import sec_absee
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS
from tests.publishing import load, load_once
from tests.signals.healthy import AS_OF, FACTS
from tests.world import Sketch, info_of

FINE = {**FACTS, "property_city": "Austin"}
BAD = {"payment_status": "3", "workout": "2"}
#: Number: facts beside those of a healthy loan, and what it is counted as.
LOANS = {
    "fine": ({}, "none"),
    "no balance": ({"book_value": None}, "none"),
    "late": (BAD, "critical"),
    "defeased": ({"defeasance": "F"}, "defeased"),
    "defeased, late": ({"defeasance": "F", **BAD}, "defeased"),
    "defeased in part": ({"defeasance": "IP"}, "none"),
    "paid": ({"book_value": 0, "disposition": "paid off at maturity"}, "nothing owed"),
    "lost": (
        {"book_value": 0, "disposition": "liquidated", "realized_loss": 9, **BAD}, "nothing owed",
    ),
    "ended": ({"book_value": 0, "payment_status": "3"}, "nothing owed"),
    "stated": ({"book_value": None, "disposition": "liquidated"}, "nothing owed"),
}  # fmt: skip
WORDS = ("critical", "none", "defeased", "nothing owed")
TEN = 10_000_000


def of(word):
    return {number for number, (_, said) in LOANS.items() if said == word}


def worth(word):
    return sum(LOANS[one][0].get("book_value", TEN) or 0 for one in of(word))


def sketched(day, changes=()):
    sketch = Sketch(info_of("by hand", day))
    for number, (facts, _) in LOANS.items():
        sketch.loan(number, **FINE | facts | dict(changes).get(number, {}))
    return sketch.portfolio()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The store that the fixture `source` opens."""
    where = tmp_path_factory.mktemp("grades")
    load_once(where, [sketched(AS_OF)])
    return where


@pytest.mark.parametrize("word", WORDS)
def test_a_filter_by_worst_signal_finds_what_counts_as_that(source, word):
    found = source.loans_found(LoanFilter(severity=(word,)), ("book_value",))
    assert {one.loan_number for one in found.items} == of(word)


def test_every_count_by_worst_signal_is_of_the_same_four_parts(source):
    whole = {word: (len(of(word)), worth(word)) for word in WORDS}
    said = source.worst_severities()
    assert [one.severity for one in said] == list(WORDS)  # the worst first
    assert {one.severity: (one.loans, one.book_value) for one in said} == whole
    counts = source.loan_counts(LoanFilter(), "severity")
    assert {one.word: (one.loans, one.book_value) for one in counts} == whole
    groups = source.loan_ranking(LoanFilter(), "severity", 10).groups
    assert {one.word: (one.loans, one.book_value) for one in groups} == whole
    pivot = source.loan_pivot(LoanFilter(), ("severity", "state"), (9, 9))
    assert [(one.word, one.loans) for one in pivot.rows] == [(one, len(of(one))) for one in WORDS]
    (state,) = source.loan_ranking(LoanFilter(), "state", 10).groups
    assert state.by_worst == tuple((word, worth(word)) for word in WORDS if worth(word))
    points = source.property_points(PropertyFilter(), 50)
    drawn = dict(zip(points["loan_number"].to_pylist(), points["grade"].to_pylist(), strict=True))
    assert drawn == {number: said for number, (_, said) in LOANS.items()}


def test_a_scenario_leaves_what_is_settled_where_it_is(source):
    found = source.what_if(LoanFilter(), Scenario.of(rates=300, noi=-30))
    settled = {(one.before, one.after): one.loans for one in found.moves if one.before in WORDS[2:]}
    assert settled == {(word, word): len(of(word)) for word in WORDS[2:]}
    assert sum(one.loans for one in found.moves) == found.loans == len(LOANS)
    asked = MovedFilter(move=("defeased", "defeased"))
    stay = source.moved_loans(asked, Scenario.of(rates=300)).items
    assert {one.loan_number for one in stay} == of("defeased")


def test_over_time_a_loan_goes_from_no_signal_to_defeased_and_to_nothing_owed(tmp_path):
    """In June "defeased" still owes without Treasuries; in September "fine" is paid."""
    before = sketched(date(2026, 6, 30), {"defeased": {"defeasance": None}})
    after = sketched(AS_OF, {"fine": {"book_value": 0, "disposition": "paid off at maturity"}})
    load(tmp_path, [before])
    load(tmp_path, [after])
    store = Store(tmp_path, rescorer=RulesRescorer())
    with store.lease() as source:
        found = source.changes(ChangeQuery(severity_before=("none",)))
        moves = {(one.before, one.after): one.loans for one in found.moves}
        assert moves["none", "defeased"] == 1
        assert moves["none", "nothing owed"] == 1
        assert moves["defeased", "defeased"] == 1
        june, september = source.trends(TrendQuery()).points
        assert (june.severity_loans["none"], june.severity_loans["defeased"]) == (3, 1)
        assert (september.severity_loans["none"], september.severity_loans["defeased"]) == (1, 2)
        assert september.severity_balance["defeased"] == 2 * TEN
        assert september.loans == sum(september.severity_loans.values())
    store.close()


def test_each_disposition_counts_as_one_word():
    assert [without_signal(one) for one in (None, *DISPOSITIONS)] == [
        "none", "none", "defeased", *(["nothing owed"] * 6),
    ]  # fmt: skip


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
def test_no_signal_of_a_genuine_trust_is_of_loans_that_owe(tmp_path):
    """UBS 2017-C1 in June 2024: of 34 records without a signal 12 are defeased, 5 have ended."""
    (path,) = [one for one in SEVEN_YEARS if "rpt_2024-06" in one.name]
    load(tmp_path, [sec_absee.portfolio([path])[0]])
    raw = [
        {field.tag.split("}")[1]: field.text for field in asset.iter()}
        for asset in ET.parse(path).getroot()  # noqa: S314 - as filed
    ]
    balance = [float(one.get("reportPeriodEndActualBalanceAmount") or 0) for one in raw]
    owing = sum(one > 0 for one in balance)
    defeased = sum(
        owed > 0 and one.get("DefeasedStatusCode") == "F"
        for owed, one in zip(balance, raw, strict=True)
    )
    store = Store(tmp_path, rescorer=RulesRescorer())
    with store.lease() as source:
        found = {
            word: source.loans_found(LoanFilter(severity=(word,)), ("book_value",)).total
            for word in ("none", "defeased", "nothing owed", "moderate", "elevated", "severe",
                         "critical")
        }  # fmt: skip
    store.close()
    assert found["defeased"] == defeased == 12
    assert found["nothing owed"] == len(raw) - owing == 5
    assert found["none"] == 17
    assert sum(found.values()) == len(raw) == 58
