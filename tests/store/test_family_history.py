"""A family month by month, against sums by plain loops over what was filed (D170)."""

from collections import defaultdict

import pytest

from services.contract.errors import NotFound
from services.contract.history import HistoryQuery
from services.contract.vocabulary import SEVERE_OR_WORSE
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests import history_book as book
from tests.pilot_street import pilot_street
from tests.publishing import load, load_once
from tests.world import RATES


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    load_once(folder, book.portfolios(), rates=book.RATES)
    store = Store(folder, rescorer=RulesRescorer())
    with store.lease() as found:
        yield found
    store.close()


def filed():
    """Month -> what the family's loans of each deal owed and covered then."""
    found = defaultdict(lambda: defaultdict(list))
    for day, one in book.L1.items():
        found[day.replace(day=1)]["Deal one"] += [(one.balance, one.dscr), (book.L2[day], 2.0)]
    for day, balance in book.M1.items():
        found[day.replace(day=1)]["Deal two"].append((balance, 1.0))
    return found


def test_each_month_is_the_sum_of_what_its_loans_were_filed_with(source):
    months = source.family_history(book.FAMILY).months
    expected = filed()
    assert [one.month for one in months] == sorted(expected)
    for one in months:
        owing = [pair for deal in expected[one.month].values() for pair in deal if pair[0] > 0]
        covered = [pair for pair in owing if pair[1] is not None]
        assert (one.loans, one.balance) == (len(owing), sum(balance for balance, _ in owing))
        assert one.dscr_loans == len(covered)
        weight = sum(balance for balance, _ in covered)
        assert one.dscr == pytest.approx(sum(b * d for b, d in covered) / weight)


def test_a_source_that_did_not_file_while_its_loans_owed_is_named(source):
    found = source.family_history(book.FAMILY)
    missing = {f"{one.month:%b}": one.missing for one in found.months}
    assert missing == {
        "Jan": (), "Feb": (), "Mar": (), "Apr": ("Deal one",), "May": ("Deal two",),
        "Jun": (), "Jul": ("Deal two",),
    }  # fmt: skip


def test_the_severe_are_those_of_the_loans_own_lines(source):
    by_month = defaultdict(list)
    for number in ("L1", "L2", "M1"):
        for row in source.history(number, HistoryQuery()).rows:
            if row.worst in SEVERE_OR_WORSE and row.balance:
                by_month[row.as_of.replace(day=1)].append(row.balance)
    months = source.family_history(book.FAMILY).months
    assert any(by_month.values())
    found = {row.worst for row in source.history("M1", HistoryQuery()).rows}
    assert "severe" in found  # L1 becomes critical: both words count
    for one in months:
        listed = by_month[one.month]
        assert (one.severe_loans, one.severe_balance) == (len(listed), sum(listed))


def test_a_loan_of_several_notes_counts_once_and_so_does_each_dollar(tmp_path):
    """D152: filed as a whole of 15 and its notes of 10 and 5, and by another trust as one of 20."""
    load(tmp_path, pilot_street(), rates=RATES)
    store = Store(tmp_path, rescorer=RulesRescorer())
    with store.lease() as source:
        (month,) = source.family_history("Ada Quill").months
    store.close()
    assert (month.loans, month.balance, month.dscr_loans) == (1, 35_000_000, 1)
    assert month.dscr == pytest.approx(1.05)
    assert month.severe_balance in {0, 35_000_000}


def test_a_party_that_heads_no_family_has_no_months_and_an_unknown_one_is_not_found(source):
    found = source.family_history("Borrower of L1")
    assert found.months == ()
    with pytest.raises(NotFound):
        source.family_history("nobody")
