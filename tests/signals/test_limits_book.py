"""CN-1 and CT-1: what loans share, below, at and above each limit (D58)."""

from datetime import date

import pytest

from services.signals.engine import evaluate
from tests.signals.healthy import AS_OF, FACTS, HEALTHY, tables_of
from tests.world import Sketch, info_of

#: A severity that one loan reaches by ST-1 alone.
STATUS = {"healthy": "0", "moderate": "B", "elevated": "1", "severe": "2", "critical": "3"}
UNRESOLVED = "no resolved sponsor or owner"


class Book:
    """A book while it is drawn: loans with their owners above one borrower each."""

    def __init__(self):
        self.sketch = Sketch(info_of("book", AS_OF))

    def loan(self, number, *owners, sure=0.95, status="healthy", kind="owner", **changes):
        """A loan whose borrower each of `owners` owns, by a link of the confidence `sure`."""
        facts = {**HEALTHY, "payment_status": STATUS[status], **changes}
        del facts["loan_number"]
        self.sketch.loan(number, **facts)
        self.sketch.tie(number, "borrower", f"Borrower of {number}", 0.95)
        for name in owners:
            self.sketch.party(name, kind)
            self.sketch.link(f"Borrower of {number}", "owned_by", name, sure)
        return self

    def ballast(self, dollars):
        """The rest of the book, which concerns no rule."""
        self.sketch.loan("ballast", book_value=dollars, defeasance="F")
        return self

    def scored(self, assumptions):
        return evaluate(tables_of(self.sketch), AS_OF, assumptions)

    def severities(self, assumptions, rule):
        """Loan -> severity by the rule, of those on which it fired."""
        scored = self.scored(assumptions)
        numbers = [row["loan_number"] for row in self.sketch.rows["loans"]]
        loan_of = scored.signals["loan"].to_pylist()
        return {
            numbers[loan_of[one["signal"]]]: one["severity"]
            for one in scored.components.to_pylist()
            if one["rule"] == rule
        }


def coverage(scored, rule):
    (found,) = [one for one in scored.coverage if one.rule == rule]
    return found


@pytest.mark.parametrize(
    ("rest", "share", "fired"),
    [
        (190_000_001, 0.049999999, {}),
        (190_000_000, 0.05, {"A": "moderate"}),
        (90_000_000, 0.1, {"A": "moderate"}),
        (0, 1.0, {"A": "moderate"}),
    ],
)
def test_cn1_fires_from_five_percent_of_the_book(assumptions, rest, share, fired):
    book = Book().loan("A", "Ada", kind="sponsor").ballast(rest)
    assert book.severities(assumptions, "CN-1") == fired
    assert book.scored(assumptions).features["sponsor_share"].to_pylist()[0] == pytest.approx(
        share, abs=1e-9
    )


def test_cn1_counts_all_loans_of_a_family(assumptions):
    book = Book()
    for number, name in (("A", "Ada"), ("B", "Ada"), ("C", "Bo")):
        book.loan(number, name, kind="sponsor")
    book.ballast(370_000_000)
    assert book.severities(assumptions, "CN-1") == {"A": "moderate", "B": "moderate"}
    shares = book.scored(assumptions).features["sponsor_share"].to_pylist()
    assert shares == [0.05, 0.05, 0.025, None]


def test_cn1_names_the_owner_with_the_largest_share(assumptions):
    book = Book().loan("A", "Ada", "Bo").loan("B", "Bo").ballast(80_000_000)
    (said, _) = book.scored(assumptions).signals["description"].to_pylist()
    assert said == (
        "Bo (owner) accounts for 20% of the book value of all loans, at or over the 5% limit for "
        "moderate. As of 30 Sep 2026."
    )


def test_cn1_counts_a_loan_once_however_many_ways_lead_to_its_owner(assumptions):
    book = Book().loan("A", "Fund One", "Fund Two").ballast(90_000_000)
    book.sketch.party("Ada", "sponsor")
    for fund in ("Fund One", "Fund Two"):
        book.sketch.link(fund, "owned_by", "Ada", 0.95)
    assert book.scored(assumptions).features["sponsor_share"].to_pylist()[0] == 0.1


def test_cn1_names_the_sponsor_where_its_owner_has_an_equal_book(assumptions):
    # D277: the alphabet once named Fiona K. Lang, in the column, filter, Overview and export.
    book = Book().loan("A", "Palmetto Bay", kind="sponsor").ballast(90_000_000)
    book.sketch.party("Fiona K. Lang", "owner")
    book.sketch.link("Palmetto Bay", "owned_by", "Fiona K. Lang", 0.95)
    (said,) = book.scored(assumptions).signals["description"].to_pylist()
    assert said.startswith("Palmetto Bay accounts for 10% of the book value of all loans, ")


def test_cn1_is_of_the_owner_where_it_has_more_than_the_sponsor(assumptions):
    """The share of the sponsor stays the sponsor's."""
    book = Book().loan("A", "Palmetto Bay", kind="sponsor").loan("B", "Ursa Parks", kind="sponsor")
    book.sketch.party("Fiona K. Lang", "owner")
    for sponsor in ("Palmetto Bay", "Ursa Parks"):
        book.sketch.link(sponsor, "owned_by", "Fiona K. Lang", 0.95)
    scored = book.ballast(180_000_000).scored(assumptions)
    for said in scored.signals["description"].to_pylist():
        assert said.startswith("Fiona K. Lang (owner) accounts for 10% of the book value")
    assert scored.features["sponsor_share"].to_pylist() == [0.05, 0.05, None]


def test_a_loan_whose_record_names_its_sponsor_and_no_borrower_has_a_family(assumptions):
    # D209: a bid list.
    book = Book().ballast(90_000_000)
    book.sketch.loan("A", **FACTS)
    book.sketch.party("Sunny Homes", "sponsor")
    book.sketch.tie("A", "sponsor", "Sunny Homes", 0.9)
    (said,) = book.scored(assumptions).signals["description"].to_pylist()
    assert said.startswith("Sunny Homes accounts for 10% of the book value of all loans, ")


@pytest.mark.parametrize(
    ("links", "resolved"),
    [
        ((0.70, 0.70), True),
        ((0.69, 0.95), False),  # the borrower itself is not sure
        ((0.95, 0.69), False),
    ],
)
def test_links_under_the_tier_probable_do_not_count(assumptions, links, resolved):
    book = Book()
    book.sketch.loan("A", **FACTS)
    book.sketch.tie("A", "borrower", "Borrower", links[0])
    book.sketch.link("Borrower", "owned_by", "Ada", links[1])
    book.loan("B", "Ada", status="severe").ballast(10**9)
    assert book.severities(assumptions, "CT-1") == ({"A": "moderate"} if resolved else {})
    found = coverage(book.scored(assumptions), "CN-1")
    assert found.reasons == ({} if resolved else {UNRESOLVED: 1})


def test_only_sponsors_and_owners_make_a_family(assumptions):
    """Not a lender, and not an operating entity that nobody is known behind."""
    book = Book()
    book.loan("A", "Operator", kind="operating entity")
    book.loan("B", "Operator", kind="operating entity", status="critical")
    for number in ("A", "B"):
        book.sketch.tie(number, "capital_source", "Harbour Bank", 0.99)
        book.sketch.tie(number, "guarantor", "Ada", 0.99)
    book.sketch.party("Ada", "owner")
    scored = book.ballast(10**9).scored(assumptions)
    for rule in ("CN-1", "CT-1"):
        assert coverage(scored, rule).reasons == {UNRESOLVED: 2}


@pytest.mark.parametrize(
    ("siblings", "severity"),
    [
        ([], None),
        (["healthy", "moderate", "elevated", "elevated"], None),
        (["severe"], "moderate"),
        (["severe", "elevated"], "moderate"),
        (["severe", "severe"], "elevated"),
        (["severe", "severe", "severe"], "elevated"),
        (["critical"], "elevated"),
        (["critical", "severe", "severe"], "elevated"),
        (["critical", "critical"], "severe"),
        (["critical", "critical", "critical", "severe"], "severe"),
    ],
)
def test_ct1_grades_the_trouble_of_siblings(assumptions, siblings, severity):
    book = Book().loan("A", "Ada").ballast(10**10)
    for at, status in enumerate(siblings):
        book.loan(f"S{at}", "Ada", status=status)
    assert book.severities(assumptions, "CT-1").get("A") == severity


@pytest.mark.parametrize(
    ("siblings", "sentence"),
    [
        (["severe"], "S0 is severe: graded moderate."),
        (["severe", "severe"], "S0 and S1 are severe: graded elevated."),
        (
            ["critical", "severe", "severe"],
            "S0 is critical, S1 and S2 are severe: graded elevated.",
        ),
        (["critical", "critical"], "S0 and S1 are critical: graded severe."),
        (["severe"] * 4, "S0, S1, S2 and 1 more are severe: graded elevated."),
        (["severe"] * 9, "S0, S1, S2 and 6 more are severe: graded elevated."),
    ],
)
def test_ct1_names_the_siblings(assumptions, siblings, sentence):
    # D160
    book = Book().loan("A", "Ada").ballast(10**10)
    for at, status in enumerate(siblings):
        book.loan(f"S{at}", "Ada", status=status)
    first, *_ = book.scored(assumptions).signals["description"].to_pylist()
    assert first == f"Of the other loans under Ada, {sentence} As of 30 Sep 2026."


def test_ct1_does_not_count_the_loan_itself(assumptions):
    book = Book().loan("A", "Ada", status="critical").loan("B", "Ada", status="severe")
    found = book.ballast(10**10).severities(assumptions, "CT-1")
    assert found == {"A": "moderate", "B": "elevated"}


def test_ct1_does_not_count_what_ct1_says_of_a_sibling(assumptions):
    """B is severe by CT-1 alone, for two critical loans of Bo; A shares only Ada with it."""
    book = Book().loan("A", "Ada").loan("B", "Ada", "Bo").ballast(10**10)
    book.loan("C", "Bo", status="critical").loan("D", "Bo", status="critical")
    assert book.severities(assumptions, "CT-1") == {"B": "severe", "C": "elevated", "D": "elevated"}


def test_ct1_counts_siblings_owner_by_owner(assumptions):
    """One severe loan under each of two owners is not two under one."""
    book = Book().loan("A", "Ada", "Bo").ballast(10**10)
    book.loan("B", "Ada", status="severe").loan("C", "Bo", status="severe")
    assert book.severities(assumptions, "CT-1") == {"A": "moderate"}


def test_ct1_reaches_over_many_levels_and_round_rings(assumptions):
    book = Book().loan("A", "L1").loan("B", "Ada", status="critical").ballast(10**10)
    for low, high in (("L1", "L2"), ("L2", "L3"), ("L3", "L1"), ("L3", "Ada")):
        book.sketch.link(low, "owned_by", high, 0.9)
    assert book.severities(assumptions, "CT-1") == {"A": "elevated"}


@pytest.mark.parametrize(
    "exempt", [{"defeasance": "F"}, {"book_value": 0}], ids=["defeased", "paid off"]
)
def test_an_exempt_sibling_is_no_trouble(assumptions, exempt):
    book = Book().loan("A", "Ada").loan("B", "Ada", status="critical", **exempt).ballast(10**10)
    assert book.severities(assumptions, "CT-1") == {}


@pytest.mark.parametrize("owners", [("Ada", "Bo"), ("Bo", "Ada")])
def test_of_owners_alike_the_first_by_name_is_named_whatever_their_order(assumptions, owners):
    book = Book().loan("A", *owners).loan("B", *owners, status="severe").ballast(80_000_000)
    said = " ".join(book.scored(assumptions).signals["description"].to_pylist())
    assert "Ada (owner) accounts for 20%" in said
    assert "Of the other loans under Ada, B is severe: graded moderate." in said
    assert "Bo" not in said.replace("Book", "")


def test_loans_without_a_resolved_owner_are_not_testable(assumptions):
    scored = Book().loan("A").loan("B").ballast(10**9).scored(assumptions)
    for rule in ("CN-1", "CT-1"):
        found = coverage(scored, rule)
        assert (found.not_testable, found.reasons) == (2, {UNRESOLVED: 2})
    assert scored.signals.num_rows == 0


def test_a_sibling_counts_by_all_its_rules(assumptions):
    """Not by its payments alone: B is severe by CV-1."""
    book = Book().loan("A", "Ada").ballast(10**10)
    book.loan("B", "Ada", dscr=0.9, maturity_date=date(2031, 9, 30))
    assert book.severities(assumptions, "CT-1") == {"A": "moderate"}
