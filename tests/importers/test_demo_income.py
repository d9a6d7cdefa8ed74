"""Income of demonstration loans: underwritten, filed for a period, and what became of it (D286)."""

from calendar import monthrange
from collections import Counter, defaultdict
from datetime import date, timedelta

import numpy as np
import pytest

from services.importers.demo import portfolio

pytestmark = pytest.mark.tools

AS_OF = date(2026, 9, 30)
#: One-month money in the middle of the years from 2019 on, percent, typed from demo.toml.
ONE_MONTH = {2019.5: 2.20, 2020.5: 0.36, 2021.5: 0.04, 2022.5: 1.65, 2023.5: 5.00, 2024.5: 5.15,
             2025.5: 4.25, 2026.5: 3.66}  # fmt: skip


@pytest.fixture(scope="module")
def covered(loans):
    """Whole loans with all that a coverage is made of."""
    needed = ("dscr", "interest_rate", "origination_date")
    return [
        loan
        for loan in loans
        if loan["structure"] == "WL" and all(loan[name] is not None for name in needed)
    ]


def level_payment(loan):
    rate, months = loan["interest_rate"] / 1200, loan["amortization_months"]
    return loan["original_amount"] / sum((1 + rate) ** -month for month in range(1, months + 1))


def service_of_a_year(loan, rate):
    """Of the amount lent: once the loan amortises, or interest alone by its day count."""
    if loan["amortization_months"]:
        return 12 * level_payment(loan)
    days = 365 / 360 if loan["accrual_method"] == "3" else 1
    return loan["original_amount"] * rate / 100 * days


def rate_when_made(loan):
    made = loan["origination_date"]
    index = np.interp(made.year + made.month / 12, list(ONE_MONTH), list(ONE_MONTH.values()))
    paid = min(round(index, 2), loan["cap_strike"]) + loan["rate_margin"]
    return max(paid, loan["rate_floor"])


def underwritten(loan):
    """NCF, NOI where that alone is known."""
    ncf = loan["underwritten_ncf"]
    return loan["underwritten_noi"] if ncf is None else ncf


def debt_service(loan, first, last):
    """Of the pay days from `first` to `last`, month by month; interest by the loan's day count."""
    paid, begins = 0.0, loan["first_payment_date"]
    year, month = first.year, first.month
    while (year, month) <= (last.year, last.month):
        number = (year - begins.year) * 12 + month - begins.month
        if loan["amortization_months"] and number >= loan["interest_only_months"]:
            paid += level_payment(loan)
        else:
            actual = loan["accrual_method"] == "3"
            days = monthrange(year, month)[1] if actual else 30
            paid += loan["original_amount"] * loan["interest_rate"] / 100 * days / 360
        year, month = year + month // 12, month % 12 + 1
    return paid


def test_dscr_and_debt_service_of_the_same_months_give_the_income_of_these_months(covered):
    filed = [
        loan
        for loan in covered
        if loan["income_from"] and loan["income_from"] > loan["origination_date"]
    ]
    seen, hidden = defaultdict(int), 0
    for loan in filed:
        first, last = loan["income_from"], loan["income_to"]
        own = service = debt_service(loan, first, last)
        if loan["filed_debt_service"] is not None:
            service = loan["filed_debt_service"] * ((last - first).days + 1) / 365
            second = service / own - 1
            hidden += second > 0.1
            assert second == pytest.approx(0, abs=1e-4) or 0.12 <= second <= 0.55, loan
        income = loan["ncf"] if loan["ncf"] is not None else loan["noi"]
        of_period = income * ((last - first).days + 1) / 365
        assert loan["dscr"] == pytest.approx(of_period / service, abs=0.0051), loan
        assert loan["income_basis"].startswith("NCF" if loan["ncf"] is not None else "NOI")
        seen[loan["payment_type"]] += 1
    assert min(seen[code] for code in "12345") > 10
    # Of large whole loans of a fixed rate.
    large = [x for x in filed if x["original_amount"] >= 10_000_000 and x["rate_type"] == "1"]
    assert 0.005 < hidden / len(large) < 0.03


def test_underwritten_dscr_is_that_of_the_payment_once_the_loan_amortises(covered):
    """Of a floating rate that of the index of the month in which the loan was made."""
    floating = Counter()
    for loan in covered:
        rate = loan["interest_rate"]
        if loan["rate_type"] == "2":
            rate = rate_when_made(loan)
            floating[loan["origination_date"].year] += 1
        covered_by = underwritten(loan) / service_of_a_year(loan, rate)
        assert loan["underwritten_dscr"] == pytest.approx(covered_by, abs=0.0051)
        assert loan["underwritten_dscr"] >= 1.1
    assert min(floating[year] for year in (2021, 2022, 2023, 2024, 2025)) > 5


@pytest.mark.parametrize("at", [AS_OF, date(2025, 3, 31)])
def test_only_large_whole_loans_of_a_fixed_rate_are_split(at):
    """What was lent on the whole loan is the underwritten debt service over that of a dollar."""
    seen = Counter()
    for loan in portfolio(at=at).loans.to_pylist():
        if loan["structure"] == "WL":
            continue
        assert loan["rate_type"] == "1"
        if None in (loan["interest_rate"], loan["underwritten_dscr"]):
            continue
        lent, income = loan["original_amount"], underwritten(loan)
        if income is None:
            continue
        service = income / loan["underwritten_dscr"]
        whole = lent * service / service_of_a_year(loan, loan["interest_rate"])
        assert whole >= 50e6 * 0.995, loan
        assert 0.19 < lent / whole < 0.81
        seen[loan["structure"]] += 1
    assert seen["PP"] > 40
    assert seen["A1"] > 5


def test_floating_loans_of_2021_and_2022_cover_less_than_they_were_underwritten_to(covered):
    floats = [loan for loan in covered if loan["rate_type"] == "2" and loan["income_from"]]
    early = [loan for loan in floats if loan["origination_date"].year in (2021, 2022)]
    assert sum(loan["dscr"] < loan["underwritten_dscr"] for loan in early) > 0.9 * len(early) > 25
    # Their caps were struck when money was cheap: the dearer it was, the higher.
    cheap = [loan["cap_strike"] for loan in floats if loan["origination_date"].year == 2021]
    dear = [loan["cap_strike"] for loan in floats if loan["origination_date"].year == 2023]
    assert max(cheap) < 3.5 < min(dear)


def test_half_file_a_part_of_a_year_and_a_third_a_year(loans):
    days = [
        (loan["income_to"] - loan["income_from"]).days + 1 for loan in loans if loan["income_to"]
    ]
    part = sum(length < 360 for length in days)
    year = sum(length in {365, 366} for length in days)
    assert part + year == len(days)
    assert 0.40 < part / len(loans) < 0.55
    assert 0.22 < year / len(loans) < 0.36


def test_the_basis_says_which_period(loans):
    bases = {loan["income_basis"] for loan in loans}
    assert {
        None,
        "NCF, underwritten",
        "NOI, underwritten",
        "NCF, 1 Jan to 30 Jun 2026, 6 months, annualised",
        "NCF, 1 Jan to 30 Jun 2026, 6 months, annualised, seasonal",
        "NCF, 1 Jan to 31 Mar 2026, 3 months, annualised",
        "NCF, 1 Jan to 31 Dec 2025, 12 months",
        "NOI, 1 Jul 2025 to 30 Jun 2026, 12 months",
    } <= bases
    for loan in loans:
        basis = loan["income_basis"]
        assert (basis is None) == (loan["noi"] is None)
        if basis is None:
            continue
        seasonal = loan["property_type"] == "lodging" and "annualised" in basis
        assert basis.endswith("seasonal") == seasonal
        assert (loan["income_from"] is None) == basis.endswith("underwritten")
        if loan["income_from"] is None:
            for name in ("noi", "ncf", "dscr", "occupancy"):
                assert loan[name] == loan[f"underwritten_{name}"]
        else:
            made = loan["origination_date"] or loan["first_payment_date"]
            assert loan["income_from"] < loan["income_to"] < AS_OF
            # A statement is of the loan, or of before it (test_demo_trailing.py).
            assert made is None or made < loan["income_from"] or loan["income_to"] < made


@pytest.mark.parametrize(
    ("as_of", "newest"),
    [
        (date(2025, 1, 1), "1 Jan to 30 Sep 2024, 9 months"),
        (date(2025, 3, 31), "1 Jan to 30 Sep 2024, 9 months"),
        (date(2025, 4, 1), "1 Jan to 31 Mar 2025, 3 months"),
        (date(2025, 12, 31), "1 Jan to 30 Sep 2025, 9 months"),
    ],
)
def test_part_years_are_over_by_the_as_of_date(as_of, newest):
    made = portfolio(loans=400, as_of=as_of).loans
    parts = [
        text for text in made.column("income_basis").to_pylist() if "annualised" in (text or "")
    ]
    assert any(newest in text for text in parts)
    assert max(made.column("income_to").drop_null().to_pylist()) < as_of


def test_income_drifts_from_underwriting_and_worst_for_offices(loans):
    def fall(kind):
        falls = [
            1 - loan["noi"] / loan["underwritten_noi"]
            for loan in loans
            if loan["property_type"] == kind and loan["income_to"]
        ]
        return np.mean([share >= 0.20 for share in falls])

    kinds = {loan["property_type"] for loan in loans} - {"cooperative housing", "other"}
    assert max(kinds, key=fall) == "office"
    assert fall("office") > 2 * np.mean([fall(kind) for kind in kinds])
    losses = [loan for loan in loans if loan["noi"] is not None and loan["noi"] < 0]
    assert 0 < len(losses) < 0.01 * len(loans)
    assert all(loan["ncf"] is None or loan["ncf"] < loan["noi"] for loan in losses)
    assert all(loan["dscr"] is None or loan["dscr"] <= 0 for loan in losses)


def test_empty_properties_earn_less(loans):
    both = [loan for loan in loans if loan["income_to"] and loan["occupancy"]]
    emptied = [x for x in both if x["underwritten_occupancy"] - x["occupancy"] >= 0.15]
    full = [x for x in both if x["underwritten_occupancy"] - x["occupancy"] < 0.05]

    def earned(group):
        return np.median([loan["noi"] / loan["underwritten_noi"] for loan in group])

    assert len(emptied) > 50
    assert earned(emptied) < 0.7
    assert earned(full) > 0.95


def test_values_are_dated_and_some_are_stale(loans):
    dated = [loan for loan in loans if loan["value_date"]]
    assert all((loan["value"] is None) == (loan["value_date"] is None) for loan in loans)
    assert all(loan["value_date"] <= AS_OF for loan in dated)
    old = [loan for loan in dated if loan["value_date"] < AS_OF - timedelta(days=731)]
    assert 0.2 < len(old) / len(dated) < 0.6
    for loan in dated:
        made = loan["origination_date"]
        if made and loan["value_date"] < made:
            assert (made - loan["value_date"]).days < 75
            assert loan["value"] == loan["underwritten_value"]
    assert any(loan["value"] < 0.5 * loan["underwritten_value"] for loan in dated)


def test_leases_name_the_three_largest_tenants_within_the_area(demo, loans):
    leases = defaultdict(list)
    for row in demo.leases.to_pylist():
        leases[row["loan"]].append(row)
    assert 0.2 < len(leases) / len(loans) < 0.5
    assert list(leases) == sorted(leases)
    dated = [row["expires"] for rows in leases.values() for row in rows if row["expires"]]
    assert min(dated) < AS_OF < max(dated)
    single = 0
    for number, rows in leases.items():
        feet = [row["square_feet"] for row in rows]
        assert feet == sorted(feet, reverse=True)
        assert len(feet) in {1, 3}
        assert 0 < sum(feet) <= loans[number]["rentable_area"]
        single += len(feet) == 1
    assert 0.1 < single / len(leases) < 0.4


def test_rentable_area_is_that_of_all_properties(demo, loans):
    sizes = defaultdict(list)
    for row in demo.properties.to_pylist():
        sizes[row["loan"]].append(row["size"] if row["size_unit"] == "square feet" else None)
    for number, loan in enumerate(loans):
        known = None if None in sizes[number] else sum(sizes[number])
        assert loan["rentable_area"] == known
