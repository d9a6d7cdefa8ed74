"""Every read beyond the six (D33), of the store and of a mirror, against the oracle.

A mirror is compared with an oracle of what an API's lists and chains can say
(tests/oracle_mirror.py); what it cannot know at all, a test here says by name.
"""

from datetime import date
from itertools import product

import pytest
from hypothesis import strategies as st

from services.contract.errors import NotFound
from services.contract.exposure import ROLES
from services.contract.loan_filter import LoanFilter
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query
from services.contract.vocabulary import SEVERITIES
from services.signals.cards import rule_cards
from services.signals.limits import Limits
from services.signals.rules import RULES
from tests.oracle_screens import means
from tests.tiers import examples
from tests.world import ODD_NUMBERS

KINDS = (None, "office", "multifamily", "space port", "no such type")
LOANS = [
    LoanFilter(property_type=kind, **more)
    for kind, more in product(
        KINDS,
        (
            {},
            {"state": "NY"},
            {"lender": "wells fargo"},
            {"rate_pressure": "moderate"},
            {"min_balance": 1, "max_balance": 10_000_000},
            {"maturity_after": date(2024, 2, 29), "maturity_before": date(2029, 2, 28)},
            {"state": "WY"},
        ),
    )
]
each_loans = pytest.mark.parametrize("query", LOANS, ids=lambda query: str(query.filters()))

states = st.sampled_from(["TX", "NY", "PR", "CA", "WY"])
kinds = st.sampled_from([kind for kind in KINDS if kind])
loan_filters = st.builds(
    LoanFilter,
    state=st.none() | states,
    property_type=st.none() | kinds,
    rate_pressure=st.none() | st.sampled_from(SEVERITIES),
    max_balance=st.none() | st.sampled_from([0, 9_999_999, 10_000_000]),
    page=st.integers(1, 3),
    per_page=st.integers(1, 60),
)
TRIED = examples(20, 60)


# Inventory


def test_a_snapshot_counts_what_it_holds(held):
    found, oracle = held.source.snapshot(), held.oracle
    signals = [one for _, one, _ in oracle.found]
    assert (found.loans, found.signals) == (len(oracle.rows), len(signals))
    assert (found.entities, found.edges) == (len(oracle.listed), len(oracle.links))
    assert found.as_of == oracle.as_of
    assert found.book_value == oracle.totals().book.book_value
    assert found.weighted_coupon == pytest.approx(oracle.totals().weighted_coupon)
    for counts, field in (
        (found.signals_by_severity, "severity"),
        (found.signals_by_type, "signal_type"),
    ):
        assert counts == {
            word: sum(one[field] == word for one in signals)
            for word in {one[field] for one in signals}
        }
    assert sum(source.loans for source in found.sources) == found.loans
    assert sum(source.signals for source in found.sources) == found.signals


def test_a_mirror_says_what_its_api_counts_and_a_store_counts_itself(held):
    found = held.source.snapshot()
    counted = {"loans": found.loans, "signals": found.signals} if held.mirrored else {}
    assert found.counted_by_source == counted
    assert found.whole
    assert not found.synthetic


def test_the_rules_are_those_that_scored_the_snapshot_and_none_where_an_api_did(held):
    """A mirror cannot know which rules its API has, nor what they could not test."""
    coverage = held.source.rule_coverage()
    if held.mirrored:
        assert (held.source.rules(), coverage) == ([], [])
        return
    assert held.source.rules() == rule_cards(RULES, Limits.packaged())
    for rule, one in zip(RULES, coverage, strict=True):
        fired = [part for *_, parts in held.oracle.found for part in parts]
        words = [part["severity"] for part in fired if part["rule"] == rule.id]
        assert (one.rule, one.title, one.signal_type) == (rule.id, rule.title, rule.signal_type)
        assert one.fired == {word: words.count(word) for word in SEVERITIES[1:]}
        tested = len(words) + one.silent + one.not_applicable
        assert tested + one.not_testable == len(held.oracle.rows)


def test_fill_rates_agree(held):
    whole = held.source.fill_rates()
    assert whole == held.oracle.fill_rates()
    parts = [held.source.fill_rates(one.key) for one in held.source.snapshot().sources]
    summed = [
        (sum(part.filled for part in of), sum(part.loans for part in of))
        for of in zip(*parts, strict=True)
    ]
    assert summed == [(one.filled, one.loans) for one in whole]


def test_unranked_words_agree_the_most_frequent_first(held):
    found, expected = held.source.unranked_words(), held.oracle.unranked_words()
    assert found == expected
    assert [list(words) for words in found.values()] == [list(expected[name]) for name in found]


def test_rejects_agree_and_an_api_tells_none(held):
    assert held.source.rejects() == held.oracle.rejects()


# Portfolio


def test_totals_agree(held):
    found, expected = (one.totals().model_dump() for one in (held.source, held.oracle))
    for name in ("weighted_coupon", "weighted_refi_rate"):
        assert found.pop(name) == pytest.approx(expected.pop(name), rel=1e-12)
    assert found == expected


def test_loans_by_worst_severity_agree_and_are_the_whole_book(held):
    found = held.source.worst_severities()
    assert found == held.oracle.worst_severities()
    assert sum(one.loans for one in found) == held.source.totals().book.loans
    assert sum(one.book_value for one in found) == held.source.totals().book.book_value
    for one in found:
        assert sum(part.book_value for part in one.by_tier) == one.book_value


def test_the_wall_agrees(held):
    assert held.source.maturity_wall() == held.oracle.maturity_wall()


# Dossiers


def test_signals_of_every_loan_agree(held):
    for number in held.oracle.by_number:
        assert held.source.signals_of(number) == held.oracle.signals_of(number)


def test_every_entity_agrees(held):
    # Also in roles that do not count as its own (D201).
    for name in held.oracle.listed:
        found = held.source.entity(name)
        bare = found.model_copy(update={"owners": (), "holdings": (), "holdings_total": 0})
        assert bare == held.oracle.dossier(name)


@pytest.mark.parametrize("up", [True, False], ids=["owners", "holdings"])
def test_owners_and_holdings_of_every_entity_agree_level_by_level(held, up):
    for name in held.oracle.listed:
        found = held.source.entity(name)
        links = found.owners if up else found.holdings
        assert len(links) == (len(links) if up else found.holdings_total)
        levels = reached(held.oracle, name, up=up)
        assert {link.entity_name: link.level for link in links} == levels
        assert [link.level for link in links] == sorted(levels.values())
        for link in links:
            nearer = levels.get(link.of, 0 if link.of == name else None)
            assert nearer == link.level - 1
            ends = (link.of, link.entity_name) if up else (link.entity_name, link.of)
            assert (*ends, link.confidence, link.share) in owned(held.oracle)
            party = held.oracle.listed[link.entity_name]
            assert link.kind == party["kind"]
            assert link.related_loan_count == len(held.oracle.tied(link.entity_name))


def owned(oracle):
    """Ownership links by name: owned, owner, confidence, share."""
    return {
        (start[1], end[1], confidence, share)
        for start, end, relation, confidence, share in oracle.links
        if relation == "owned_by"
    }


def reached(oracle, name, *, up):
    """Owners above, or holdings below, and how many links away."""
    levels, left = {}, [name]
    while left:
        level = max(levels.values(), default=0) + 1
        found = {
            ends[1] if up else ends[0]
            for ends in owned(oracle)
            if (ends[0] if up else ends[1]) in left
        }
        left = sorted(found - set(levels) - {name})
        levels |= dict.fromkeys(left, level)
    return levels


def test_loans_and_signals_of_every_entity_agree(held):
    for name in held.oracle.listed:
        for query in (Query(per_page=100), Query(per_page=2, page=2)):
            assert held.source.loans_of(name, query) == held.oracle.loans_of(name, query)
            found = held.source.signals_of_entity(name, query)
            assert found == held.oracle.signals_of_entity(name, query)


@pytest.mark.parametrize("role", ROLES)
def test_loans_of_every_entity_in_every_role_agree(held, role):
    # D69
    query, found = Query(per_page=100), 0
    for name in held.oracle.listed:
        page = held.source.loans_of(name, query, role)
        assert page == held.oracle.loans_of(name, query, role)
        found += page.total
    if not held.mirrored:
        assert found, f"the book has no {role}: what is tried here says nothing"


def test_exposure_of_every_entity_agrees(held):
    # D68, D69
    for name in held.oracle.listed:
        found = held.source.exposure(name)
        assert found == held.oracle.exposure(name), name
        assert found.loans == held.source.loans_of(name, Query()).total
        assert found.loans == held.source.entity(name).book.loans
        assert found.loans == sum(one.loans for one in found.counted)
        _, page = held.source.paths(PathQuery(entity_name=name, depth=1))
        assert page.total == found.next_loans + found.next_parties
        if found.by_name:
            assert found.by_name.loans == held.source.loans(LoanQuery(lender=name)).total


def test_a_mirror_says_of_which_roles_it_knows_nobody(held):
    """An API's lists and chains name no layer, fund, guarantor, servicer, originator or tenant."""
    unknown = {one.role for one in held.source.exposure("Ada Quill").roles if one.loans is None}
    lists_and_chains = {"lender by name", "borrower", "owner", "sponsor"}
    assert unknown == (set(ROLES) - lists_and_chains if held.mirrored else set())


def test_chains_in_a_mirror_say_what_the_api_says(held):
    """But for links to a party that the chain has already, which a chain does not show."""
    for number in held.oracle.by_number:
        assert held.source.ownership(number).chain == held.oracle.ownership(number).chain


@pytest.mark.parametrize("name", ["Nobody at all", "ada quill", ""])
def test_what_is_not_there_is_not_found(held, name):
    source = held.source
    for ask in (
        lambda: source.signals_of(name),
        lambda: source.entity(name),
        lambda: source.loans_of(name, Query()),
        lambda: source.exposure(name),
        lambda: source.signals_of_entity(name, Query()),
    ):
        with pytest.raises(NotFound):
            ask()


def test_a_mirror_does_not_know_parties_that_no_chain_names(mirror_a, oracle):
    unknown = set(oracle.listed) - set(mirror_a.oracle.listed)
    assert {"Harbour Bank", "Fund One LP", "Big Box #1", "Wells Fargo Bank, N.A."} < unknown
    assert "Ada Quill" not in unknown
    for name in unknown:
        with pytest.raises(NotFound):
            mirror_a.source.entity(name)


# Suggestions


@pytest.mark.parametrize(
    "asked", ["diamon", "day-99", "state-", "BAL-1", "bal-001", "", "zzz", "a/1"]
)
@pytest.mark.parametrize("limit", [1, 4, 50])
def test_near_loans_share_the_longest_beginning(held, asked, limit):
    near = list(held.source.near_loans(asked, limit))
    assert len(near) == len(set(near)) <= limit
    assert set(near) <= set(held.oracle.by_number)
    meant = sorted(number for number in held.oracle.by_number if means(asked, number))[:limit]
    assert near[: len(meant)] == meant
    lengths = [beginning(asked, number) for number in near[len(meant) :]]
    assert lengths == sorted(lengths, reverse=True)
    if asked == asked.lower() and not meant:
        assert lengths[0] == max(beginning(asked, number) for number in held.oracle.by_number)


def beginning(asked, number):
    """How many letters two numbers have in common from the first on."""
    pairs = zip(asked.casefold(), number.casefold(), strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(asked), len(number)))


@pytest.mark.parametrize("asked", ["Ada Quil", "oak street", "Cypress", "no such party", "A"])
def test_near_entities_are_those_that_a_search_finds_best_first(held, asked):
    found = held.source.entities(EntityQuery(name=asked, per_page=100)).items
    names = [entity.entity_name for entity in found]
    for limit in (1, 3, 100):
        assert list(held.source.near_entities(asked, limit)) == names[:limit]
    assert set(names) <= set(held.oracle.listed)


def test_the_book_has_the_odd_cases_in_a_mirror_too(mirror_a):
    assert set(ODD_NUMBERS) < set(mirror_a.oracle.by_number)
