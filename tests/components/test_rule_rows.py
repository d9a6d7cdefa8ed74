"""The signals of a loan as rows (D262): what a rule found, its limit, and a bar of both."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from components.loans import rule_rows, worst_signal
from services.contract.records import LoanDetail, Signal, SignalComponent
from services.contract.snapshot_info import RuleCard
from tests.pages.screen import plain, said

CARD = RuleCard(
    id="CV-1",
    version=3,
    limits_version=3,
    title="DSCR in place",
    signal_type="stress_indicator",
    inputs=("DSCR",),
    ladder=(("moderate", "under 1.25x"), ("severe", "under 1.00x")),
    remark="Of the latest filed period.",
    clears_when="DSCR is 1.25x or more.",
    source="CREFC.",
)


def signal(*components, severity="severe"):
    return Signal(
        signal_type="stress_indicator",
        severity=severity,
        loan_number="1",
        description="DSCR 0.87x is under the 1.00x limit.",
        components=components,
    )


def part(rule, value=None, limit=None, severity="severe", **more):
    return SignalComponent(rule=rule, severity=severity, value=value, limit=limit, **more)


def drawn(loan, signals, rules, exempt):
    from components.loans import rule_rows

    rule_rows.panel(loan, signals, rules, exempt)


def rows(*signals, rules=(CARD,), exempt=(), **filed):
    args = (SimpleNamespace(extended=filed), list(signals), rules, exempt)
    app = AppTest.from_function(drawn, args=args).run()
    assert not app.exception
    return app


def sent(app):
    [body] = [one.proto.body for one in app.get("html")]
    return body


@pytest.mark.parametrize(
    ("rule", "value", "limit", "found", "of"),
    [
        ("CV-1", 0.87, 1.0, "0.87x", "limit 1.00x"),
        ("CV-1", 1.2496, 1.25, "just under 1.25x", "limit 1.25x"),
        ("CV-1", -0.31, 1.0, "−0.31x", "limit 1.00x"),
        ("LV-1", 3.028, 1.0, "302.8%", "limit 100%"),
        ("LV-1", 0.8001, 0.8, "just over 80%", "limit 80%"),
        ("DY-1", 4.0223, 8.0, "4.02%", "limit 8.00%"),
        ("NI-1", 0.728, 0.2, "−72.8%", "limit −20%"),
        ("OC-1", 0.18, 0.15, "−18 pts", "limit −15 pts"),
        ("OC-1", 0.25, None, "−25 pts", ""),
        ("RG-1", 0.526, 0.25, "52.6%", "limit 25%"),
        ("MT-1", -3.0, 0.0, "3 months past", "limit 0 months"),
        ("MT-1", -4.55, 0.0, "4.6 months past", "limit 0 months"),
        ("MT-1", 11.5, 12.0, "11.5 months", "limit 12 months"),
        ("RP-1", 288.0, 200.0, "+288 bp", "limit +200 bp"),
        ("CT-1", None, None, "", "a lead"),
        ("XX-9", 5.0, 4.0, "", ""),
    ],
)
def test_a_measure_stands_beside_the_limit_that_it_passed(rule, value, limit, found, of):
    body = sent(rows(signal(part(rule, value, limit))))
    assert f'<span class="found">{found}</span><span class="limit">{of}</span>' in body


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"payment_status": "3", "modification": "1", "modified_on": "2026-07-21"},
         "90 or more days delinquent"),
        ({"payment_status": "0", "modification": "1", "modified_on": "2026-07-21"},
         "maturity date extension, 21 Jul 2026"),
        ({"payment_status": "0", "modification": "unstated"}, "kind not stated"),
        ({"payment_status": "0"}, ""),
    ],
)  # fmt: skip
def test_the_rule_about_codes_says_what_they_mean(known, said):
    loan = LoanDetail(loan_number="1", extended=known)
    assert rule_rows.found(loan, part("ST-1", None, None)) == said


@pytest.mark.parametrize(
    ("value", "limit", "style"),
    [
        (0.5, 1.0, 'style="--part: 40%; --tick: 80%"'),
        (2.0, 1.0, 'style="--part: 80%; --tick: 40%"'),
        (-0.3, 1.0, 'style="--part: 0%; --tick: 80%"'),
        (-3.0, 0.0, None),
        (0.5, None, None),
        (None, None, None),
    ],
)
def test_the_larger_of_measure_and_limit_fills_the_bar(value, limit, style):
    body = sent(rows(signal(part("CV-1", value, limit))))
    assert f'<span class="bar" {style}></span>' in body or style is None
    assert ('class="bar none"' in body) == (style is None)


def test_rules_come_worst_first_and_open_on_what_they_were():
    app = rows(signal(part("LV-1", 0.75, 0.7, "moderate", title="LTV"), part("CV-1", 0.87, 1.0)))
    body = sent(app)
    assert body.index("DSCR in place") < body.index("LTV")
    text = said(app)
    assert "CV-1 reads DSCR." in text
    assert "moderate: under 1.25x · severe: under 1.00x." in text
    assert "Clears when: DSCR is 1.25x or more." in text
    assert "Of the latest filed period." in text
    assert "Source: CREFC. Rule version 3, limits version 3." in text
    # Of a rule that the service does not describe.
    assert "The service does not describe this rule." in text


def test_a_sentence_is_closed_over_rules_and_open_without_them():
    assert "<details><summary>" in sent(rows(signal(part("CV-1", 0.87, 1.0))))
    alone = sent(rows(signal()))
    assert '<details open="open">' in alone
    assert "DSCR 0.87x is under the 1.00x limit." in plain(alone)


def test_status_and_workout_are_said_in_words():
    body = sent(rows(signal(part("ST-1")), payment_status="3", workout="2"))
    assert '<span class="found">90 or more days delinquent</span>' in body
    body = sent(rows(signal(part("ST-1")), payment_status="0", workout="2"))
    assert '<span class="found">foreclosure</span>' in body


@pytest.mark.parametrize(
    ("exempt", "sentence"),
    [
        ((), "No rule fired on this loan."),
        (("defeased",), "No rule tests a loan that is defeased."),
        (("without a balance",), "No rule tests a loan that owes nothing."),
        (("REO",), "No rule fired on this loan."),
    ],
)
def test_without_a_signal_it_says_why(exempt, sentence):
    assert sentence in said(rows(exempt=exempt))


def test_contagion_is_a_lead_after_what_was_found_on_the_loan_itself():
    # D279
    of_siblings = Signal(
        signal_type="concentration_risk",
        severity="severe",
        loan_number="1",
        components=(part("CT-1", title="Contagion"),),
    )
    itself = signal(part("CV-1", 1.05, 1.1, "elevated"), severity="elevated")
    found = plain(sent(rows(of_siblings, itself)))
    assert found.index("▲ elevated Stress indicator") < found.index(
        "◆ severe Concentration risk, a lead"
    )
    assert rule_rows.why([of_siblings, itself], 110) == (
        "CV-1 1.05x (limit 1.10x); Contagion (a lead)"
    )
    assert worst_signal.among([of_siblings, itself]) == itself
    assert worst_signal.among([of_siblings]) is None
    unnamed = Signal(signal_type="concentration_risk", severity="severe", loan_number="1")
    assert rule_rows.called(unnamed) == "Concentration risk"
    assert worst_signal.among([of_siblings, unnamed]) == unnamed
