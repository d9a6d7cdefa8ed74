"""What a trust has out on a loan in trouble. Balances, advances, days to which loans are paid and
values are typed from the filings of UBS 2017-C1. Pins D276.
"""

import pytest

from tests.store.test_notes import exhibit, opened

#: Alike for all, so not as filed: no figure here rests on dates, rate or type of property.
WHOLE = {
    "originatorName": "Natixis Real Estate Capital LLC",
    "originationDate": "01-19-2017",
    "maturityDate": "02-05-2027",
    "firstLoanPaymentDueDate": "03-05-2017",
    "originalInterestRatePercentage": "0.05",
    "reportPeriodInterestRatePercentage": "0.05",
    "originalAmortizationTermNumber": "360",
    "interestAccrualMethodCode": "3",
    "paymentTypeCode": "2",
    "loanStructureCode": "WL",
    "balloonIndicator": "true",
}


def record(number, until, actual, scheduled, advances, through, value, on, status="3", workout="7"):
    missed, taxes, other = advances
    return {
        **WHOLE,
        "assetNumber": number,
        "reportingPeriodEndDate": until,
        "reportPeriodEndActualBalanceAmount": actual,
        "reportPeriodEndScheduledLoanBalanceAmount": scheduled,
        "totalPrincipalInterestAdvancedOutstandingAmount": missed,
        "totalTaxesInsuranceAdvancesOutstandingAmount": taxes,
        "otherExpensesAdvancedOutstandingAmount": other,
        "paidThroughDate": through,
        "paymentStatusLoanCode": status,
        "workoutStrategyCode": workout,
        "property": {
            "propertyTypeCode": "MF",
            "mostRecentValuationAmount": value,
            "mostRecentValuationDate": on,
            "DefeasedStatusCode": "N",
        },
    }


BOSTON_CREEK = record(
    "24", "06-11-2024", "16460685.0", "14900389.0", ("4406843.5", "0.0", "919911.6"),
    "03-05-2019", "18650000.0", "10-05-2023",
)  # fmt: skip
GREENHILL_2019 = record(
    "44", "12-11-2019", "7500000.0", "7500000.0", ("443250.5", "15443.12", "1197218.0"),
    "08-01-2018", "8200000.0", "04-20-2019",
)  # fmt: skip
GREENHILL_2023 = record(
    "44", "12-11-2023", "7500000.0", "7097545.0", ("1524734.1", "35518.69", "1666133.5"),
    "03-01-2019", "7600000.0", "03-09-2023",
)  # fmt: skip
WOODCLIFF = record(
    "14", "02-12-2024", "20535674.0", "18828946.0", ("4920418.0", "1438632.2", "1386615.6"),
    "09-01-2020", "17000000.0", "10-20-2023",
)  # fmt: skip
CLEVELAND = record(
    "52", "05-13-2024", "5298790.0", "5023845.0", ("1171230.4", "334400.88", "1939550.2"),
    "03-05-2020", "5900000.0", "11-10-2023",
)  # fmt: skip
#: Haven Commerce Center: current, and not with the special servicer, yet taxes were advanced. Its
#: value is filed as that at securitization.
HAVEN = record(
    "47", "06-11-2020", "6656871.0", "6656871.0", ("0.0", "890.26", "0.0"),
    "06-06-2020", "12800000.0", "03-08-2017", status="0", workout="",
)  # fmt: skip


def read(folder, one):
    """The facts of a loan, its figures, and its signal of stress."""
    store = opened(folder / "store", exhibit(folder / "UBS_2017-C1__12.xml", [one]))
    with store.lease() as source:
        loan = source.loan(f"UBS 2017-C1:{one['assetNumber']}")
        said = {signal.signal_type: signal for signal in source.signals_of(loan.loan_number)}
        found = source.figures(loan)
    store.close()
    return loan.extended, found, said.get("stress_indicator")


@pytest.mark.parametrize(
    ("one", "months", "exposure", "ltv", "reduction", "loss"),
    [
        # 14,900,389 + 4,406,843.50 + 919,911.60; 90 % of 18,650,000 is 16,785,000, 76 % 14,174,000.
        (BOSTON_CREEK, 63, 20_227_145, 1.084565, 3_442_145, 6_053_145),
        (GREENHILL_2019, 16, 9_155_911, 1.116574, 1_775_911, 2_923_911),
        # The month before each was sold: 4,548,626, 11,874,863 and 4,735,348 were lost.
        (GREENHILL_2023, 57, 10_323_932, 1.358412, 3_483_932, 4_547_932),
        (WOODCLIFF, 41, 26_574_612, 1.563212, 11_274_612, 13_654_612),
        (CLEVELAND, 50, 8_469_026, 1.435428, 3_159_026, 3_985_026),
    ],
    ids=["24", "44 in 2019", "44", "14", "52"],
)
def test_a_loan_in_trouble_stands_by_its_exposure(
    tmp_path, one, months, exposure, ltv, reduction, loss
):
    facts, found, signal = read(tmp_path, one)
    named = ("months_unpaid", "exposure", "computed_reduction", "expected_loss", "debt_due")
    assert [facts[name] for name in named] == [months, exposure, reduction, loss, exposure]
    assert facts["ltv"] == pytest.approx(ltv, abs=1e-6)
    out = found.exposure
    assert (out.troubled, out.counts, out.months_unpaid) == (True, True, months)
    assert (out.amount.value, out.reduction.value, out.expected_loss.value) == (
        pytest.approx(exposure),
        pytest.approx(reduction),
        pytest.approx(loss),
    )
    assert found.debt.ltv.value == pytest.approx(ltv, abs=1e-6)
    (part,) = (part for part in signal.components if part.rule == "LV-1")
    assert part.severity == "severe"
    assert f"(exposure ${exposure:,} / value $" in signal.description


def test_one_that_pays_stands_by_its_balance(tmp_path):
    facts, found, signal = read(tmp_path, HAVEN)
    assert (facts["exposure"], facts["debt_due"]) == (6_657_761, 6_656_871)
    assert facts["paid_through"] == "2020-06-06"
    left_out = ("months_unpaid", "computed_reduction", "expected_loss")
    assert [facts.get(name) for name in left_out] == [None] * 3
    assert facts["ltv"] == pytest.approx(6_656_871 / 12_800_000)
    assert (found.exposure.troubled, found.exposure.counts) == (False, False)
    assert found.exposure.expected_loss.why == "none: the loan is not in trouble"
    assert signal is None or "exposure" not in signal.description


def test_without_advances_in_the_filing_there_is_no_exposure(tmp_path):
    names = [name for name in BOSTON_CREEK if "Advance" in name]
    facts, found, signal = read(tmp_path, BOSTON_CREEK | dict.fromkeys(names, ""))
    assert facts.get("exposure") is facts.get("expected_loss") is None
    assert facts["debt_due"] == 16_460_685
    assert found.exposure.amount.why == "not testable: no advances"
    assert "(book value $16,460,685 / value $18,650,000" in signal.description
