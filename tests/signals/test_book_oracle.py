"""CN-1 and CT-1 against brute force over small random books: loan by loan, owner by owner (D58)."""

import random
from fractions import Fraction

import pytest

from services.signals.engine import evaluate
from tests.signals.healthy import AS_OF, FACTS, tables_of
from tests.tiers import seeds
from tests.world import Sketch, info_of

KINDS = ("sponsor", "owner", "owner", "operating entity", "guarantor")
SURE = (0.5, 0.69, 0.7, 0.8, 0.9, 0.95, 1.0)
SURE_ENOUGH = Fraction("0.7")
SEEDS = 150
WORDS = ("low", "moderate", "elevated", "severe", "critical")


def random_book(dice):
    """Few parties and many links, so that families overlap, ring and lead nowhere."""
    sketch = Sketch(info_of("random", AS_OF))
    parties = [f"P{at}" for at in range(dice.randint(1, 7))]
    for name in parties:
        sketch.party(name, dice.choice(KINDS))
    for at in range(dice.randint(1, 12)):
        own = {
            "payment_status": dice.choice("0B22233355"),
            "book_value": dice.choice([None, 0, 10**6, 10**6, 10**7, 3 * 10**7]),
            "defeasance": dice.choice([None, "N", "N", "N", "F"]),
        }
        sketch.loan(f"L{at}", **FACTS | own)
        for name in dice.sample(parties, min(dice.choice([0, 1, 1, 2]), len(parties))):
            relation = dice.choice(["borrower", "borrower", "borrower", "sponsor", "guarantor"])
            sketch.tie(f"L{at}", relation, name, dice.choice(SURE))
    for _ in range(dice.randint(0, 12)):
        relation = dice.choice(["owned_by", "owned_by", "owned_by", "capital_source"])
        ends = dice.choice(parties), dice.choice(parties)
        sketch.link(ends[0], relation, ends[1], dice.choice(SURE))
    if dice.random() < 0.5:
        sketch.loan("ballast", book_value=dice.choice([10**8, 10**9]), defeasance="F")
    return sketch


def owners_of(sketch, number):
    """Sponsors and owners that sure links lead to from a loan, by its borrowers or at once."""
    sure = [edge for edge in sketch.edges if Fraction(str(edge["confidence"])) >= SURE_ENOUGH]
    reached, left = set(), [
        edge["to_entity"]
        for edge in sure
        if edge["from_loan"] == number and edge["relation"] in {"borrower", "sponsor"}
    ]  # fmt: skip
    while left:
        party = left.pop()
        if party not in reached:
            reached.add(party)
            left += [
                edge["to_entity"]
                for edge in sure
                if edge["from_entity"] == party and edge["relation"] == "owned_by"
            ]
    return {name for name in reached if sketch.parties[name]["kind"] in {"sponsor", "owner"}}


def concentration(sketch, owners, number):
    """Share of the book of the largest of the loan's owners; None without one."""
    owed = {row["loan_number"]: row["book_value"] or 0 for row in sketch.rows["loans"]}
    if not owners[number] or not sum(owed.values()):
        return None
    return max(
        Fraction(sum(owed[other] for other in owners if name in owners[other]), sum(owed.values()))
        for name in owners[number]
    )


def contagion(owners, worst, number):
    """Severity by the trouble of the others under each owner in turn."""
    found = 0
    for name in owners[number]:
        others = [worst[one] for one in owners if one != number and name in owners[one]]
        severe, critical = (sum(rank >= least for rank in others) for least in (3, 4))
        if critical > 1:
            found = max(found, 3)
        elif critical or severe > 1:
            found = max(found, 2)
        elif severe:
            found = max(found, 1)
    return found


@pytest.mark.parametrize("seed", seeds(50, SEEDS))
def test_brute_force_agrees_on_small_random_books(assumptions, seed):
    sketch = random_book(random.Random(seed))
    scored = evaluate(tables_of(sketch), AS_OF, assumptions)
    numbers = [row["loan_number"] for row in sketch.rows["loans"]]
    exempt = {
        row["loan_number"]
        for row in sketch.rows["loans"]
        if row.get("defeasance") == "F" or row["book_value"] == 0
    }
    owners = {number: owners_of(sketch, number) for number in numbers}
    loan_of = scored.signals["loan"].to_pylist()
    graded = {
        (numbers[loan_of[part["signal"]]], part["rule"]): WORDS.index(part["severity"])
        for part in scored.components.to_pylist()
    }
    worst = dict.fromkeys(numbers, 0)
    for (number, rule), rank in graded.items():
        worst[number] = max(worst[number], rank if rule not in {"CN-1", "CT-1"} else 0)
    untested = {"CN-1": 0, "CT-1": 0}
    for number in numbers:
        share = concentration(sketch, owners, number)
        rank = contagion(owners, worst, number)
        about = number not in exempt
        expected = int(about and share is not None and share >= Fraction("0.05"))
        assert graded.get((number, "CN-1"), 0) == expected, (seed, number)
        assert graded.get((number, "CT-1"), 0) == (rank if about else 0), (seed, number)
        untested["CN-1"] += about and share is None
        untested["CT-1"] += about and not owners[number]
    for entry in scored.coverage:
        if entry.rule in untested:
            assert entry.not_testable == untested[entry.rule]
            assert entry.not_applicable == len(exempt)


def test_the_books_have_families_in_every_kind_of_trouble(assumptions):
    """Else agreement would mean little."""
    found = {}
    for seed in range(SEEDS):
        scored = evaluate(tables_of(random_book(random.Random(seed))), AS_OF, assumptions)
        for entry in scored.coverage:
            if entry.rule in {"CN-1", "CT-1"}:
                for word, count in entry.fired.items():
                    found[entry.rule, word] = found.get((entry.rule, word), 0) + count
    assert found["CN-1", "moderate"] > 80
    assert min(found["CT-1", word] for word in ("moderate", "elevated", "severe")) > 10
