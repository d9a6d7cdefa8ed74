"""Dates of loans, by hand from a raw filing, and against a calculation from the loans' records."""

from calendar import monthrange
from collections import Counter
from datetime import date, timedelta

import pytest

from services.contract.errors import InvalidRequest
from services.contract.loan_dates import DATE_KIND, DateFilter
from services.contract.loan_filter import LoanFilter
from services.contract.queries import LoanQuery, parse
from services.importers import demo, sec_absee
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS
from tests.publishing import load_once

DEC_2019 = [path for path in SEVEN_YEARS if path.stem.endswith("2019-12")]


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dates") / "store"
    load_once(folder, [demo.portfolio(loans=400)])
    with Store(folder).lease() as source:
        yield source


@pytest.fixture(scope="module")
def ubs(tmp_path_factory):
    if not DEC_2019:
        pytest.skip("the folder of public data does not lie beside the project")
    folder = tmp_path_factory.mktemp("ubs") / "store"
    load_once(folder, sec_absee.portfolio(DEC_2019))
    with Store(folder).lease() as source:
        yield source


def every(source, **asked):
    """All dates, page by page."""
    query = DateFilter(per_page=100, **asked)
    first = source.dates_found(query)
    return [one for at in range(first.pages) for one in source.dates_found(query.at(at + 1)).items]


def later(day, months):
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def expected(loan):
    """Kind, day and tenant of each date of a loan, from its record."""
    more = loan.extended
    if more.get("exemption") in {"without a balance", "defeased in full"}:
        return
    effective, ard = more.get("effective_maturity"), more.get("ard_date")
    if more.get("exemption") is None and effective:
        yield ("anticipated repayment" if effective == ard else "maturity", effective, None)
        if loan.maturity_date and loan.maturity_date.isoformat() != effective:
            yield "legal maturity", loan.maturity_date.isoformat(), None
    if more.get("interest_only_months") and more.get("first_payment_date") and effective:
        first = date.fromisoformat(more["first_payment_date"])
        ends = later(first, more["interest_only_months"]).isoformat()
        if ends < effective:
            yield "interest only ends", ends, None
    for name, kind, months in (
        ("value_date", "appraisal stale", 24), ("income_to", "income stale", 12),
    ):  # fmt: skip
        if more.get(name):
            yield kind, later(date.fromisoformat(more[name]), months).isoformat(), None
    for lease in more.get("leases") or []:
        if lease["expires"]:
            yield "lease expires", lease["expires"], lease["tenant"]


def test_every_date_of_the_demonstration_follows_from_its_loans_record(demonstration):
    found = Counter(
        (one.loan_number, one.kind, one.day.isoformat(), one.tenant) for one in every(demonstration)
    )
    numbers = [
        loan.loan_number
        for at in range(4)
        for loan in demonstration.loans(LoanQuery(per_page=100, page=at + 1)).items
    ]
    wanted = Counter(
        (number, *one) for number in numbers for one in expected(demonstration.loan(number))
    )
    assert found == wanted
    assert len({kind for _, kind, *_ in found}) >= 6


def test_dates_come_by_day_and_the_order_of_kinds(demonstration):
    places = list(DATE_KIND)
    keys = [(one.day, places.index(one.kind), one.loan_number) for one in every(demonstration)]
    assert keys == sorted(keys)


def test_totals_and_counts_are_those_of_the_list(demonstration):
    asked = {"date_after": date(2026, 9, 29), "date_before": date(2028, 1, 1), "state": ("TX",)}
    rows = every(demonstration, **asked)
    assert rows
    book = {one.loan_number: one.dollars for one in rows}
    totals = demonstration.date_totals(DateFilter(**asked))
    assert (totals.dates, totals.loans, totals.dollars) == (
        len(rows), len(book), sum(book.values()),
    )  # fmt: skip
    assert {one.kind: one.dates for one in totals.kinds} == Counter(one.kind for one in rows)
    days = demonstration.date_counts(DateFilter(**asked), "day")
    assert {one.start: one.dates for one in days} == Counter(one.day for one in rows)
    quarters = demonstration.date_counts(DateFilter(**asked), "quarter")
    assert sum(one.dates for one in quarters) == len(rows)
    for quarter in quarters:
        here = [
            one for one in rows
            if (one.day.year, (one.day.month - 1) // 3)
            == (quarter.start.year, (quarter.start.month - 1) // 3)
        ]  # fmt: skip
        repaid = {one.loan_number: one.dollars for one in here if DATE_KIND[one.kind].repays}
        assert quarter.dollars == sum({one.loan_number: one.dollars for one in here}.values())
        assert (quarter.repaid_loans, quarter.repaid_dollars) == (
            len(repaid), sum(repaid.values()),
        )  # fmt: skip


def test_bounds_are_left_out_and_a_kind_is_asked_for_alone(demonstration):
    leases = every(demonstration, kind=("lease expires",))
    assert {one.kind for one in leases} == {"lease expires"}
    day = leases[0].day
    around = {"date_after": day - timedelta(days=1), "date_before": day + timedelta(days=1)}
    assert {one.day for one in every(demonstration, **around)} == {day}
    assert not every(demonstration, date_after=day, date_before=day + timedelta(days=1))
    # The kinds that can be chosen are those of all kinds.
    totals = demonstration.date_totals(DateFilter(kind=("lease expires",)))
    assert {"maturity", "lease expires"} <= {one.kind for one in totals.kinds}


def test_the_file_has_the_rows_of_the_list(demonstration):
    query = DateFilter(kind=("maturity", "lease expires"))
    rows = [row for batch in demonstration.date_batches(query) for row in batch.to_pylist()]
    assert rows == [one.model_dump() for one in every(demonstration, kind=query.kind)]
    empty = list(demonstration.date_batches(DateFilter(numbers=("no such loan",))))
    assert [batch.num_rows for batch in empty] == [0]


def test_a_date_and_a_kind_that_are_none_are_refused():
    with pytest.raises(InvalidRequest, match="must be one of maturity, anticipated repayment"):
        parse(DateFilter, {"kind": "birthday"})
    with pytest.raises(InvalidRequest, match="is not a day of the calendar"):
        parse(DateFilter, {"date_after": "2026-02-30"})
    with pytest.raises(InvalidRequest, match="dates have one order"):
        parse(DateFilter, {"order": "-book_value"})


#: Typed from the filing of December 2019 (elements of Schedule AL), all kinds that are filed.
TYPED = {
    # maturityDate 04-01-2027; prepaymentLockOutEndDate 03-31-2022; yieldMaintenanceEndDate and
    # prepaymentPremiumsEndDate 10-31-2026; valuationSecuritizationDate 01-25-2017;
    # mostRecentFinancialsEndDate 09-30-2019; no interest-only period.
    "2": [
        ("2019-01-25", "appraisal stale", None),
        ("2020-09-30", "income stale", None),
        ("2022-03-31", "lock-out ends", None),
        ("2026-10-31", "yield maintenance ends", None),
        ("2026-10-31", "prepayment premium ends", None),
        ("2026-12-31", "lease expires", "General Motors"),
        ("2027-04-01", "maturity", None),
    ],
    # firstLoanPaymentDueDate 11-01-2016 and 18 months interest only; defeasanceOptionStartDate
    # 07-01-2019, of the property.
    "30": [
        ("2018-05-01", "interest only ends", None),
        ("2018-07-12", "appraisal stale", None),
        ("2019-07-01", "defeasance begins", None),
        ("2020-09-30", "income stale", None),
        ("2021-01-31", "lease expires", "Dollar Tree"),
        ("2022-01-04", "lease expires", "Ffx Cnty Bd of Supervisors - PRS"),
        ("2026-06-30", "lock-out ends", None),
        ("2026-10-01", "maturity", None),
        ("2027-01-31", "lease expires", "Planet Fitness"),
    ],
}


@pytest.mark.parametrize("number", TYPED)
def test_dates_of_a_genuine_loan_are_those_of_its_filing(number, ubs):
    found = [
        (one.day.isoformat(), one.kind, one.tenant)
        for one in every(ubs, numbers=(f"UBS 2017-C1:{number}",))
    ]
    assert found == TYPED[number]


def test_a_loan_in_several_notes_has_each_date_once(ubs):
    """D251. Loan 10 is filed beside its notes 10A and 10B: 14,854,409 = 9,902,939 + 4,951,470."""
    found = every(ubs, whole_loan="UBS 2017-C1:10")
    assert Counter(one.kind for one in found) == {
        "appraisal stale": 1, "interest only ends": 1, "defeasance begins": 1, "income stale": 1,
        "lease expires": 3, "lock-out ends": 1, "maturity": 1,
    }  # fmt: skip
    assert {one.dollars for one in found} == {14_854_409}
    # A note alone has them too.
    (matures,) = every(ubs, numbers=("UBS 2017-C1:10A",), kind=("maturity",))
    assert (matures.day, matures.dollars) == (date(2027, 4, 6), 9_902_939)


def test_maturities_of_the_calendar_are_those_of_all_other_pages(ubs):
    totals = ubs.date_totals(DateFilter(kind=("maturity", "anticipated repayment")))
    must = LoanFilter(due_after=date(1970, 1, 1))
    found = ubs.loan_totals(must)
    assert (totals.loans, totals.dollars) == (found.loans, found.book_value)
