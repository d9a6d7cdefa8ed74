"""Contagion beside the worst signal of a loan, and no part of it (D279): a family by hand."""

import pyarrow.parquet as pq
import pytest

from services.contract.families import FamilyFilter
from services.contract.history import HistoryQuery, TrendQuery
from services.contract.loan_filter import LoanFilter
from services.contract.records import Signal, SignalComponent
from services.contract.scenario import Scenario
from services.store import periods
from services.store.snapshot import PERIODS, current_id, folder_of
from tests.publishing import load_once
from tests.signals.healthy import AS_OF, FACTS
from tests.world import Sketch, info_of

DEFAULTED = {"payment_status": "3", "workout": "2"}
#: Its coverage is 1.05x, and 0.96x with NOI 9 % lower.
THIN = {
    "noi": 760_000,
    "ncf": 735_000,
    "dscr": 1.05,
    "underwritten_noi": 760_000,
    "underwritten_ncf": 735_000,
    "underwritten_dscr": 1.05,
}
SPONSOR, LONE, OTHER, PERSON = "Quince Sponsor LP", "Lone Sponsor LP", "Other LP", "Ada Marl"
#: Number: facts beside those of a healthy loan; worst signal, contagion.
LOANS = {
    "1 defaulted": (DEFAULTED, "critical", "elevated"),
    "2 defaulted": (DEFAULTED, "critical", "elevated"),
    "3 late": ({"payment_status": "1"}, "elevated", "severe"),
    "4 pays": ({}, None, "severe"),
    "5 paid off": ({"book_value": 0, "disposition": "paid off at maturity"}, None, None),
    # So large that the family is a small part of the book.
    "6 defeased": ({"book_value": 10**10, "defeasance": "F"}, None, None),
    "7 thin": (THIN, "elevated", None),
    "8 pays": ({}, None, None),
}
#: Sponsor -> its loans.
FAMILIES = {SPONSOR: list(LOANS)[:5], LONE: ["4 pays"], OTHER: ["7 thin", "8 pays"]}


def by_number(name):
    place = {"worst_severity": 1, "contagion": 2}[name]
    return {number: row[place] for number, row in LOANS.items()}


def book():
    sketch = Sketch(info_of("by hand", AS_OF))
    for number, (facts, *_) in LOANS.items():
        sketch.loan(number, **FACTS | facts)
        sketch.tie(number, "borrower", f"Borrower {number}", 0.95)
    for sponsor, numbers in FAMILIES.items():
        for number in numbers:
            sketch.link(f"Borrower {number}", "owned_by", sketch.party(sponsor, "sponsor"), 0.9)
    sketch.link(SPONSOR, "owned_by", PERSON, 0.9)
    return sketch.portfolio()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The store that the fixture `source` opens."""
    where = tmp_path_factory.mktemp("contagion")
    load_once(where, [book()])
    return where


def test_a_list_has_both_and_finds_each(source):
    found = source.loans_found(LoanFilter(), ("worst_severity", "contagion")).items
    for name in ("worst_severity", "contagion"):
        assert {one.loan_number: one.values[name] for one in found} == by_number(name)

    def numbers(**asked):
        return [one.loan_number for one in source.loans_found(LoanFilter(**asked), ()).items]

    assert numbers(severity=("severe",)) == []
    assert numbers(severity=("none",)) == ["4 pays", "8 pays"]
    assert set(numbers(rule=("CT-1",))) == {n for n, of in by_number("contagion").items() if of}
    assert numbers(rule=("CT-1",), severity=("none",)) == ["4 pays"]
    worst_first = numbers(order="-worst_severity")
    assert set(worst_first[:2]) == {"1 defaulted", "2 defaulted"}
    assert set(worst_first[2:4]) == {"3 late", "7 thin"}
    leads_first = numbers(order="-contagion")
    assert set(leads_first[:2]) == {"3 late", "4 pays"}
    assert set(leads_first[2:4]) == {"1 defaulted", "2 defaulted"}


def test_every_count_is_of_the_loan_itself(source):
    counts = {"critical": 2, "elevated": 2, "none": 2, "defeased": 1, "nothing owed": 1}
    assert {one.severity: one.loans for one in source.worst_severities()} == counts
    assert {one.word: one.loans for one in source.loan_counts(LoanFilter(), "severity")} == counts
    (today,) = source.trends(TrendQuery(by="all")).points
    found = {word: loans for word, loans in today.severity_loans.items() if loans}
    assert found == {"critical": 2, "elevated": 2, "none": 2, "defeased": 1}


def test_the_signal_keeps_the_severity_of_its_worst_rule(source):
    (signal,) = source.signals_of("4 pays")
    assert (signal.signal_type, signal.severity) == ("concentration_risk", "severe")
    assert [part.rule for part in signal.components] == ["CT-1"]
    assert signal.of_itself is None


@pytest.mark.parametrize(
    ("parts", "severity", "own"),
    [
        ((), "elevated", "elevated"),  # of a source that names no rule
        ((("CT-1", "severe"),), "severe", None),
        ((("CT-1", "severe"), ("CN-1", "moderate")), "severe", "moderate"),
        ((("CN-1", "elevated"), ("CT-1", "moderate")), "elevated", "elevated"),
        ((("X-9", "odd"), ("X-8", "low")), "odd", "low"),
        ((), None, None),
    ],
)
def test_a_signal_of_the_loan_itself(parts, severity, own):
    components = tuple(SignalComponent(rule=rule, severity=word) for rule, word in parts)
    signal = Signal(
        loan_number="1", signal_type="concentration_risk", severity=severity, components=components
    )
    assert signal.of_itself == own


def test_parties_and_families_go_by_the_loans_themselves(source):
    assert source.entity(SPONSOR).worst == "critical"
    lone = source.entity(LONE)
    assert (lone.worst, lone.signals_by_severity) == (None, {"severe": 1})
    found = source.family(SPONSOR)
    assert [(one.loan_number, one.worst, one.contagion) for one in found.loans] == [
        (number, *LOANS[number][1:]) for number in FAMILIES[SPONSOR]
    ]
    assert (found.critical, found.severe, found.family.stressed) == (2, 0, 2)
    ranked = {one.entity_name: one for one in source.families(FamilyFilter()).items}
    assert (ranked[LONE].worst, ranked[LONE].stressed) == (None, 0)
    assert (ranked[OTHER].worst, ranked[OTHER].stressed) == ("elevated", 0)


def test_a_scenario_moves_no_loan_by_its_siblings(source):
    """With NOI 9 % lower one loan of two is critical; the other covers its debt as before."""
    found = source.what_if(LoanFilter(family=OTHER), Scenario(noi=-9))
    moves = {(one.before, one.after): one.loans for one in found.moves}
    assert moves == {("none", "none"): 1, ("elevated", "critical"): 1}


def test_a_date_keeps_the_worst_signal_of_the_loan_itself(source, folder, tmp_path):
    rows = {number: source.history(number, HistoryQuery()).rows[-1] for number in LOANS}
    assert {number: row.worst for number, row in rows.items()} == by_number("worst_severity")
    assert rows["4 pays"].signals == {"concentration_risk": "severe"}
    assert rows["4 pays"].rules == ("CT-1",)

    def kept(own):
        table = periods.rows(own)
        return dict(zip(*(table[n].to_pylist() for n in ("loan_number", "worst")), strict=True))

    (own,) = (folder_of(folder, current_id(folder)) / PERIODS).iterdir()
    assert kept(own) == by_number("worst_severity")
    # Of a period that was written before, the worst of all that was found.
    pq.write_table(pq.read_table(own / "rows.parquet").drop(["worst"]), tmp_path / "rows.parquet")
    assert kept(tmp_path) == by_number("worst_severity") | dict.fromkeys(
        ("3 late", "4 pays"), "severe"
    )
