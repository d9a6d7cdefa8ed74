"""The demonstration book as a lender would count it: from its rows, whatever made them.

D161, D183.
"""

import json
import re
from collections import Counter, defaultdict
from datetime import date, timedelta

import pytest

from services.contract.events import DELINQUENT, STAGE_OF_STATUS
from services.importers.demo import portfolio

AS_OF = date(2026, 9, 30)
LATE = {"1", "2", "3", "5"}  # 30 days and later, or matured and not paid
#: Part of the dollars in arrears in the market, 2025 and 2026, and how far the book may lie off.
ARREARS = {
    "office": (0.12, 0.015),
    "retail": (0.07, 0.012),
    "multifamily": (0.07, 0.012),
    "lodging": (0.056, 0.012),
    "mixed use": (0.09, 0.02),
    "industrial": (0.01, 0.012),
    "self storage": (0.01, 0.02),
}


def test_what_is_late_here_is_what_trends_count_as_delinquent():
    assert {code for code, stage in STAGE_OF_STATUS.items() if stage in DELINQUENT} == LATE


@pytest.fixture(scope="module")
def pooled(demo, loans):
    """Loans by the trust that holds them."""
    by = defaultdict(list)
    for layer in demo.layers.to_pylist():
        if layer["rank"] == 1 and layer["layer"] == "cmbs servicer":
            by[layer["lender"]].append(loans[layer["loan"]])
    return by


@pytest.fixture(scope="module")
def behind(demo):
    """Properties by loan."""
    by = defaultdict(list)
    for row in demo.properties.to_pylist():
        by[row["loan"]].append(row)
    return by


@pytest.fixture(scope="module")
def parties(demo):
    """(name, kind) by row; the rows above each row."""
    rows = [(row["entity_name"], row["kind"]) for row in demo.entities.to_pylist()]
    above = defaultdict(list)
    for edge in demo.edges.to_pylist():
        if edge["relation"] == "owned_by":
            above[edge["from_entity"]].append(edge["to_entity"])
    return rows, above


def in_arrears(loans, codes=frozenset(LATE)):
    late = sum(loan["book_value"] for loan in loans if loan["payment_status"] in codes)
    return late / sum(loan["book_value"] for loan in loans)


def test_a_trust_holds_loans_of_one_quarter_which_its_name_says(pooled):
    assert 20 <= len(pooled) <= 30
    sizes = sorted(len(held) for held in pooled.values())
    assert sizes[len(sizes) // 2] >= 30
    for name, held in pooled.items():
        year, number = map(int, re.fullmatch(r".* (\d{4})-C(\d+)", name).groups())
        made = [loan["origination_date"] for loan in held if loan["origination_date"]]
        quarters = {(day.year, (day.month + 2) // 3) for day in made}
        assert quarters == {(year, (number - 1) % 4 + 1)}, name
        assert max(made) < AS_OF


@pytest.mark.parametrize("as_of", [date(2012, 1, 1), date(2019, 2, 28), date(2026, 8, 15)])
def test_quarters_that_are_not_over_have_no_trust(as_of):
    made = portfolio(loans=3000, as_of=as_of)
    trusts = [row["lender"] for row in made.layers.to_pylist() if row["layer"] == "cmbs servicer"]
    for name in set(trusts):
        year, quarter = map(int, re.search(r"(\d{4})-C(\d+)$", name).groups())
        month = 3 * ((quarter - 1) % 4) + 3
        over = date(year + month // 12, month % 12 + 1, 1)
        assert over <= as_of + timedelta(1), name


@pytest.mark.parametrize("seed", [1, 2])
def test_arrears_are_those_of_the_market_type_by_type(seed):
    loans = portfolio(seed=seed).loans.to_pylist()
    assert 0.068 < in_arrears(loans) < 0.080
    by = defaultdict(list)
    for loan in loans:
        by[loan["property_type"]].append(loan)
    for kind, (market, off) in ARREARS.items():
        assert in_arrears(by[kind]) == pytest.approx(market, abs=off), kind
    assert max(ARREARS, key=lambda kind: in_arrears(by[kind])) == "office"


def test_more_matured_balloons_are_unpaid_than_performing(loans):
    found = Counter(loan["payment_status"] for loan in loans)
    assert 10 < found["4"] < 0.8 * found["5"]
    assert in_arrears(loans, {"4"}) < in_arrears(loans, {"5"})


def test_most_that_is_late_is_seriously_late_and_weak(loans):
    serious = in_arrears(loans, {"3", "5"})
    assert serious > 0.6 * in_arrears(loans)
    told = [loan for loan in loans if loan["dscr"] is not None and loan["payment_status"] == "3"]
    assert sum(loan["dscr"] < 1.1 for loan in told) > 0.6 * len(told)


def test_balances_are_not_all_round(loans):
    book = [loan["book_value"] for loan in loans]
    original = [loan["original_amount"] for loan in loans]
    assert 0.25 < sum(amount % 5_000 == 0 for amount in book) / len(book) < 0.45
    # 95 % of the 84 loans of two genuine trusts were lent in multiples of 5,000.
    assert 0.75 < sum(amount % 5_000 == 0 for amount in original) / len(original) < 0.95
    interest_only = [loan for loan in loans if loan["payment_type"] == "3" and loan["book_value"]]
    assert any(loan["book_value"] % 1_000 for loan in interest_only)


def test_names_come_from_more_than_one_box(behind, parties):
    rows, _ = parties
    names = {kind: [name for name, own in rows if own == kind] for _, kind in rows}
    firsts = {kind: Counter(name.split()[0] for name in names[kind]) for kind in names}
    assert len(firsts["sponsor"]) > 600
    assert len(firsts["borrower"]) > 800
    properties = [row for held in behind.values() for row in held]
    assert len({row["property_name"].split()[0] for row in properties}) > 800
    for counted in (firsts["sponsor"], firsts["borrower"]):
        assert max(counted.values()) < 0.03 * sum(counted.values())
    in_town = sum(row["property_name"].startswith(row["city"]) for row in properties)
    by_address = sum(row["property_name"] == row["address"] for row in properties)
    by_street = sum(
        row["property_name"].startswith(row["address"].split(" ", 1)[1]) for row in properties
    )
    at = sum(row["property_name"].startswith("The ") for row in properties)
    for found in (in_town, by_address, by_street, at):
        assert found > 0.03 * len(properties)
    assert sum(bool(re.match(r"[A-Z]{3} ", name)) for name in names["sponsor"]) > 100
    assert sum(" & " in name for name in names["sponsor"]) > 100


SMALLEST = {"Tower": 50e6, "Towers": 50e6, "Resort": 50e6, "Galleria": 50e6, "Town Center": 25e6,
            "Office Campus": 25e6, "Logistics Park": 25e6, "Quarter": 25e6}  # fmt: skip
LARGEST = {"Motor Lodge": 8e6, "Corner": 8e6, "Office Suites": 8e6, "Mini Storage": 8e6,
           "Building": 30e6, "Arms": 15e6, "Court": 15e6, "Inn": 30e6}  # fmt: skip


def test_names_fit_what_the_property_was_worth(loans, behind):
    seen = Counter()
    for number, loan in enumerate(loans):
        held = behind[number]
        worth = loan["underwritten_value"]
        if worth is None or len(held) > 1:
            continue
        name = held[0]["property_name"]
        assert not (name.endswith((" Tower", " Towers")) and loan["book_value"] < 10e6)
        for noun, least in SMALLEST.items():
            if name.endswith(f" {noun}"):
                seen[noun] += 1
                assert worth >= least, name
        for noun, most in LARGEST.items():
            if re.search(f"(?<!Medical)(?<!Industrial) {noun}$", name):
                seen[noun] += 1
                assert worth <= most, name
    assert min(seen[noun] for noun in ("Tower", "Resort", "Motor Lodge", "Building")) >= 2


def test_loans_in_serious_arrears_are_appraised_anew_and_reduced(pooled):
    held = [loan for loans in pooled.values() for loan in loans]
    serious = [
        loan
        for loan in held
        if loan["payment_status"] in {"3", "5"}
        and loan["value"]
        and loan["paid_through"] < AS_OF - timedelta(180)
    ]
    lately = [loan for loan in serious if loan["value_date"] > AS_OF - timedelta(366)]
    assert len(lately) > 0.75 * len(serious)
    assert len(serious) > 20
    lower = [loan for loan in lately if loan["value"] < loan["underwritten_value"]]
    assert len(lower) > 0.8 * len(lately)
    reduced = 0
    for loan in held:
        said, through = json.loads(loan["further"] or "{}"), loan["paid_through"]
        each = [loan[name] for name in ("payment_advances", "tax_advances", "other_advances")]
        if loan["payment_status"] is None:
            assert (said, through, each) == ({}, None, [None] * 3)
            continue
        if loan["payment_status"] not in LATE:
            assert (said, each) == ({}, [0, 0, 0])
            continue
        assert each[0] > 0
        assert (each[1] > 0) == (each[2] > 0) == (loan["payment_status"] != "1")
        days = (AS_OF - through).days
        least = {"1": 30, "2": 60, "3": 90, "5": 30}[loan["payment_status"]]
        assert least <= days
        if loan["payment_status"] in {"1", "2"}:
            assert days < least + 62
        amount = said.get("appraisal_reduction")
        if amount is None:
            continue
        reduced += 1
        determined = date.fromisoformat(said["appraisal_reduction_determined"])
        assert through + timedelta(119) < loan["value_date"] < determined <= AS_OF
        moved = loan["special_servicing_since"]
        assert moved is None or moved < loan["value_date"]
        assert loan["payment_status"] in {"3", "5"}
        if loan["structure"] == "WL":
            assert amount == pytest.approx(
                loan["scheduled_balance"] + sum(each) - 0.9 * loan["value"], abs=1
            )
    assert reduced >= 10


def test_sponsors_are_companies_and_a_person_stands_above_each(parties):
    rows, above = parties
    people = re.compile(r"^[A-Z][a-z]+ ([A-Z]\. )?[A-Z][A-Za-z]+( \(([A-Z]{2}|\d+)\))?$")
    sponsors = [row for row, (_, kind) in enumerate(rows) if kind == "sponsor"]
    named_for = 0
    for row in sponsors:
        name = rows[row][0]
        assert not re.fullmatch(r"[A-Z][a-z]+ [A-Z]\. [A-Z][a-z]+", name)
        owners = [rows[one][0] for one in above[row] if rows[one][1] == "owner"]
        assert any(people.match(owner) for owner in owners), (name, owners)
        surnames = {re.sub(r" \(.*", "", owner).split()[-1] for owner in owners}
        named_for += bool(surnames & set(name.split()))
    assert named_for > 0.25 * len(sponsors)


def test_a_borrower_of_several_loans_is_not_named_for_one_of_their_properties(
    demo, behind, parties
):
    rows, _ = parties
    held = defaultdict(list)
    for edge in demo.edges.to_pylist():
        if edge["relation"] == "borrower":
            held[edge["to_entity"]].append(edge["from_loan"])
    several = [(rows[party][0], loans) for party, loans in held.items() if len(loans) > 1]
    assert len(several) > 500
    for name, loans in several:
        assert not any(name.startswith(behind[loan][0]["property_name"]) for loan in loans)


def test_addresses_cities_and_zips_belong_together(behind):
    first = defaultdict(set)
    for rows in behind.values():
        for row in rows:
            first[row["city"], row["state"]].add((row["zip"][:3], row["county"]))
            assert re.fullmatch(r"\d{5}", row["zip"])
            assert re.fullmatch(r"\d+ \w+ \w+", row["address"])
    assert {len(found) for found in first.values()} == {1}
