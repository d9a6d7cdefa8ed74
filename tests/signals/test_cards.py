"""Rule cards: what each rule reads and where its limits lie, in words typed by hand."""

from dataclasses import replace

import pytest

from services.signals.cards import rule_cards
from services.signals.limits import Limits
from services.signals.rules import RULES, rules

PACKAGED = Limits.packaged()
CARDS = {card.id: card for card in rule_cards(RULES, PACKAGED)}
REFI = "refi rate (Treasury of the tenor + spread of the property type)"
DEBT = "whole-loan debt (implied by underwriting where the record is a note)"
DUE = "maturity or anticipated repayment date"
PART_YEAR = (
    "Income of under 6 months carries elevated at most, of under 12 severe; of lodging elevated "
    "until a full year."
)
BEFORE = "Income of before the loan was made is no income in place: UW-1 reads it."
IMPUTED = "Cooperatives are left out: their income is an imputed rent."


@pytest.mark.parametrize(
    ("rule", "inputs"),
    [
        ("ST-1", ("payment status", "workout, modification and special servicing")),
        ("CV-1", ("DSCR",)),
        ("LV-1", ("book value", "appraised value", DEBT)),
        ("DY-1", ("NOI", "book value", "property type", DEBT)),
        ("NI-1", ("NOI and DSCR of the latest filed period, the underwritten ones",)),
        ("UW-1", ("NOI of the latest filed period, the underwritten one",)),
        ("OC-1", ("occupancy", "occupancy when underwritten")),
        ("LR-1", ("leases of the three largest tenants",)),
        (
            "RG-1",
            (DUE, "property type", REFI, "book value", DEBT, "balance at maturity", "NOI"),
        ),
        ("MT-1", (DUE, "book value, past maturity")),
        ("RP-1", ("coupon", "property type", REFI, DUE)),
        ("CN-1", ("ownership chain",)),
        ("CT-1", ("ownership chain, signals of its other loans",)),
    ],
)
def test_a_rule_names_what_it_reads_as_the_loan_page_does(rule, inputs):
    assert CARDS[rule].inputs == inputs


@pytest.mark.parametrize(
    ("rule", "ladder"),
    [
        (
            "ST-1",
            {
                "moderate": "payment status B; modified over 24 months ago, or undated",
                "elevated": "payment status 1",
                "severe": (
                    "payment status 2, 4; workout 1, 3, 4, 5, 6, 9, 13; modified within 24 "
                    "months; in special servicing"
                ),
                "critical": "payment status 3, 5; workout 2, 7, 10",
            },
        ),
        (
            "CV-1",
            {
                "moderate": "under 1.25x",
                "elevated": "under 1.10x (lodging, health care 1.20x)",
                "severe": "under 1.00x",
                "critical": "under 1.00x",
            },
        ),
        ("LV-1", {"moderate": "over 70%", "elevated": "over 80%", "severe": "over 100%"}),
        (
            "DY-1",
            {
                "moderate": "at or under the minimum of the property type less 1.00%",
                "elevated": "at or under the minimum of the property type less 3.00%",
            },
        ),
        (
            "NI-1",
            {
                "moderate": "at or over 10%",
                "elevated": "at or over 20%",
                "severe": "at or over 40%",
            },
        ),
        ("UW-1", {"moderate": "at or over 10%", "elevated": "at or over 25%"}),
        ("OC-1", {"moderate": "at or over 15 points", "elevated": "at or over 30 points"}),
        ("LR-1", {"moderate": "at or over 30%", "elevated": "at or over 50%"}),
        (
            "RG-1",
            {
                "moderate": "at or over 10%",
                "elevated": "at or over 25%",
                "severe": "at or over 25%",
                "critical": "at or over 25%",
            },
        ),
        ("MT-1", {"moderate": "at or under 12 months", "severe": "under 0 months"}),
        (
            "RP-1",
            {
                "moderate": "at or over 100 bp",
                "elevated": "at or over 200 bp",
                "severe": "at or over 300 bp",
            },
        ),
        ("CN-1", {"moderate": "at or over 5%"}),
        (
            "CT-1",
            {
                "moderate": "one sibling severe",
                "elevated": "one critical, or two severe",
                "severe": "two critical",
            },
        ),
    ],
)
def test_a_rule_tells_its_ladder_in_words(rule, ladder):
    assert dict(CARDS[rule].ladder) == ladder
    assert list(dict(CARDS[rule].ladder)) == list(ladder)


def test_figures_stand_beside_the_words():
    """Typed from limits.toml; ladders of codes have none."""

    def of(rule):
        return [
            (one.severity, one.sign, one.figure, one.property_types, one.of_minimum, one.level)
            for one in CARDS[rule].limits
        ]

    assert of("CV-1") == [
        ("moderate", "<", 1.25, (), False, False),
        ("elevated", "<", 1.10, (), False, False),
        ("elevated", "<", 1.20, ("lodging", "health care"), False, False),
        ("severe", "<", 1.0, (), False, False),
        ("critical", "<", 1.0, (), False, False),
    ]
    assert of("DY-1") == [
        ("moderate", "<=", -1.0, (), True, False),
        ("elevated", "<=", -3.0, (), True, False),
    ]
    assert of("OC-1") == [
        ("moderate", ">=", 0.15, (), False, False),
        ("elevated", ">=", 0.30, (), False, False),
        ("moderate", "<", 0.80, (), False, True),
        ("elevated", "<", 0.60, (), False, True),
    ]
    assert of("ST-1") == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (
            "CV-1",
            (
                "Critical only within 24 months of effective maturity, after it, or with a debt "
                f"yield 3 points under the minimum of the property type. {PART_YEAR} "
                f"{BEFORE} {IMPUTED}"
            ),
        ),
        (
            "NI-1",
            (
                "By the worse of NOI and DSCR, each against its own underwritten figure. A DSCR on "
                "NOI is never compared with one on NCF, nor one of more debt with the underwritten "
                "one: where the debt service filed is over 1.1 times the underwritten NCF / DSCR, "
                f"income alone counts. {PART_YEAR} {BEFORE}"
            ),
        ),
        (
            "OC-1",
            "Also moderate under 80%, elevated under 60%, where underwriting had as much or more.",
        ),
        (
            "RG-1",
            (
                "Only inside 36 months of effective maturity and after it. Severe inside 12; "
                f"critical past maturity, or inside 6 with a gap of 40%. {PART_YEAR} Income "
                "of before the loan was made carries elevated at most. What the value alone "
                f"leaves uncovered carries all: more income would lend no more. {IMPUTED}"
            ),
        ),
        (
            "RP-1",
            (
                "Urgency: in full up to 24 months before effective maturity and after it; one step "
                "lower up to 36, two up to 60, none beyond. Evidence: 2 steps lower where the DSCR "
                "at the refi rate meets the minimum of the property type, one higher under 1.00x. "
                "Elevated at most where the DSCR in place meets that minimum."
            ),
        ),
    ],
)
def test_what_the_ladder_does_not_say_the_remark_does(rule, said):
    assert CARDS[rule].remark == said


def test_every_card_says_when_it_clears_and_where_it_comes_from():
    assert list(CARDS) == ["ST-1", "CV-1", "LV-1", "DY-1", "NI-1", "UW-1", "OC-1", "LR-1", "RG-1",
                           "MT-1", "RP-1", "CN-1", "CT-1"]  # fmt: skip
    for card in CARDS.values():
        assert card.inputs
        assert card.source.endswith(".")
        assert card.clears_when.endswith(".")
        assert card.limits_version == 4


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("CV-1", "DSCR of the latest filed period reaches 1.25x."),
        ("LV-1", "Debt due with the loan / appraised value falls to 70% or less."),
        ("DY-1", "NOI / whole-loan debt comes within 1.00% of the type's minimum."),
        ("NI-1", "NOI and DSCR of a filed period come within 10% of underwriting."),
        ("UW-1", "A statement of a period since the loan was made is filed."),
        ("OC-1", "Occupancy comes within 15 points of underwriting, and over 80%."),
        ("LR-1", "Leases that end soon cover less than 30% of the area."),
        (
            "RG-1",
            ("Proceeds at the refi rate leave less than 10% of the balance at maturity uncovered."),
        ),
        ("MT-1", "The loan is repaid, or extended to more than 12 months from today."),
        ("RP-1", "The refi rate of the property type comes within 100 bp of the coupon."),
        ("CN-1", "The family's share of the book falls under 5%."),
    ],
)
def test_a_card_says_when_its_mildest_limit_clears(rule, said):
    assert CARDS[rule].clears_when == said


def test_a_card_follows_the_limits_that_it_is_made_of():
    strict = {**PACKAGED.workout_ranks, "8": 1.0}
    limits = replace(PACKAGED, workout_ranks=strict)
    card = next(one for one in rule_cards(rules(limits), limits) if one.id == "ST-1")
    assert dict(card.ladder)["moderate"] == (
        "payment status B; workout 8; modified over 24 months ago, or undated"
    )
