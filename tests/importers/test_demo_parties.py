"""The parties of the demonstration portfolio: layers, chains, tiers, shares, and nobody real."""

import csv
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

from services.contract.vocabulary import POSITIONS, STATES, tier_of
from services.importers.demo import portfolio

BANKS = Path(__file__).parents[2].parent / "shared/data/names/bank_name_pairs.csv"


def test_a_name_with_its_suffix_is_kept_apart_where_parties_share_one():
    # D30
    made = portfolio(loans=30_000)
    names = made.entities.column("entity_name").to_pylist()
    assert len(set(names)) == len(names)
    suffixed = [name for name in names if name.endswith(")")]
    assert suffixed
    assert all(name[name.rindex("(") + 1 : -1] in STATES or name[-2].isdigit() for name in suffixed)


def test_layers_stand_in_rank_order_with_the_loan_as_the_first(demo):
    loans = demo.loans.to_pylist()
    stacks = defaultdict(list)
    for row in demo.layers.to_pylist():
        stacks[row["loan"]].append(row)
    kind_of = dict(zip(*(demo.entities.column(i).to_pylist() for i in (0, 1)), strict=True))
    for number, loan in enumerate(loans):
        stack = stacks[number]
        assert [row["rank"] for row in stack] == list(range(1, len(stack) + 1))
        places = [POSITIONS.index(row["position"]) for row in stack]
        assert places[0] == 0
        assert places == sorted(set(places))
        assert (stack[0]["lender"], stack[0]["amount"]) == (
            loan["lender_normalized"],
            loan["book_value"],
        )
        assert stack[0]["interest_rate"] == loan["interest_rate"]
        pooled = stack[0]["layer"] == "cmbs servicer"
        assert (kind_of[stack[0]["lender"]] == "trust") == pooled
        assert stack[0]["servicer"] is not None or not pooled


def climb(edges_up, start):
    """Every `owned_by` confidence above an entity, cycles walked once: the plain way."""
    found, seen, todo = [], {start}, [start]
    while todo:
        for owner, confidence in edges_up.get(todo.pop(), []):
            found.append(confidence)
            if owner not in seen:
                seen.add(owner)
                todo.append(owner)
    return found


@pytest.mark.parametrize("count", [5_000, 20_000])
def test_the_tier_of_a_loan_is_that_of_its_weakest_link(count):
    # D29, D36
    made = portfolio(loans=count)
    up, borrower = defaultdict(list), defaultdict(list)
    for edge in made.edges.to_pylist():
        if edge["relation"] == "owned_by":
            up[edge["from_entity"]].append((edge["to_entity"], edge["confidence"]))
        elif edge["relation"] == "borrower":
            borrower[edge["from_loan"]].append((edge["to_entity"], edge["confidence"]))
    tiers = made.loans.column("confidence_tier").to_pylist()
    crossed = {a for a, ups in up.items() for b, _ in ups if a in dict(up.get(b, []))}
    assert len(crossed) <= 2 * (count // 10_000)
    for number in range(0, count, count // 200):
        if not borrower[number]:
            assert tiers[number] is None
            continue
        [(first, confidence)] = borrower[number]
        assert tiers[number] == tier_of(min([confidence, *climb(up, first)]))
    if count > 10_000:
        assert len(crossed) == 2 * (count // 10_000)


def test_shares_of_joint_owners_add_up(demo):
    owned = defaultdict(list)
    for edge in demo.edges.to_pylist():
        if edge["relation"] == "owned_by":
            owned[edge["from_entity"]].append(edge["share"])
    known = [shares for shares in owned.values() if None not in shares]
    assert any(len(shares) > 1 for shares in known)
    assert all(sum(shares) == pytest.approx(1) and min(shares) > 0 for shares in known)


def test_chains_run_from_borrower_to_owner(demo):
    # D28
    kinds = demo.entities.column("kind").to_pylist()
    steps = defaultdict(set)
    for edge in demo.edges.to_pylist():
        start = "loan" if edge["from_entity"] is None else kinds[edge["from_entity"]]
        steps[edge["relation"]].add((start, kinds[edge["to_entity"]]))
    assert steps == {
        "borrower": {("loan", "borrower")},
        "owned_by": {
            ("borrower", "operating entity"),
            ("borrower", "sponsor"),
            ("operating entity", "sponsor"),
            ("sponsor", "owner"),
        },
        "capital_source": {
            ("loan", "lender"),
            ("loan", "trust"),
            ("loan", "fund"),
            ("fund", "fund"),
            ("fund", "lender"),
        },
        "servicer": {("loan", "servicer")},
        "originator": {("loan", "originator")},
        "guarantor": {("loan", "sponsor")},
    }
    borrowers = kinds.count("borrower")
    assert 0.5 < borrowers / demo.loans.num_rows < 0.7


def test_no_party_bears_the_name_of_a_real_bank(demo):
    if not BANKS.exists():
        pytest.skip("the register of bank names is not at hand")
    with BANKS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    real = {row[key].casefold() for row in rows for key in ("occ_name", "ffiec2014_name")}
    first_words = {name.split()[0] for name in real}
    for party in demo.entities.to_pylist():
        name = party["entity_name"].casefold()
        assert name not in real
        if party["kind"] in {"lender", "trust", "fund", "servicer", "originator"}:
            assert name.split()[0] not in first_words


def sponsors_of(made):
    """Loans under each sponsor, through borrowers and operating entities."""
    kinds = made.entities.column("kind").to_pylist()
    up, borrower = {}, {}
    for edge in made.edges.to_pylist():
        if edge["relation"] == "owned_by" and kinds[edge["from_entity"]] != "sponsor":
            up[edge["from_entity"]] = edge["to_entity"]
        elif edge["relation"] == "borrower":
            borrower[edge["from_loan"]] = edge["to_entity"]
    held = defaultdict(list)
    for loan, entity in borrower.items():
        above = up[entity]
        held[up.get(above, above)].append(loan)
    assert {kinds[sponsor] for sponsor in held} == {"sponsor"}
    return held


@pytest.mark.tools
def test_most_sponsors_have_one_to_four_loans_and_one_a_twentieth_of_the_book(demo):
    held = sponsors_of(demo)
    sizes = sorted(len(loans) for loans in held.values())
    assert sizes[len(sizes) // 2] <= 2
    assert sum(size <= 4 for size in sizes) > 0.85 * len(sizes)
    assert sum(size >= 10 for size in sizes) >= 5
    book = demo.loans.column("book_value").to_pylist()
    shares = sorted(sum(book[loan] for loan in loans) / sum(book) for loans in held.values())
    assert 0.05 < shares[-1] < 0.09
    assert shares[-2] < 0.05
    # None of the largest is far larger than the next.
    largest = shares[:-9:-1]
    assert all(one < 2.5 * following for one, following in pairwise(largest))


@pytest.mark.tools
def test_trouble_clusters_by_sponsor():
    made = portfolio(loans=30_000)
    dscr = made.loans.column("dscr").to_pylist()
    ill = [figure is not None and figure < 1 for figure in dscr]
    siblings = [
        ill[other]
        for loans in sponsors_of(made).values()
        if len(loans) <= 10
        for loan in loans
        if ill[loan]
        for other in loans
        if other != loan
    ]
    usual = sum(ill) / len(ill)
    # States alone make it about 1.5 times the usual.
    assert 2.2 * usual < sum(siblings) / len(siblings) < 5 * usual


def test_every_edge_has_a_witness_whose_score_is_its_confidence():
    """D197."""
    made = portfolio(loans=50)
    said = made.witnesses.to_pydict()
    assert said["edge"] == list(range(made.edges.num_rows))
    assert said["match"] == made.edges["confidence"].to_pylist()
    assert set(said["method"]) == {"resolved by name and address"}
