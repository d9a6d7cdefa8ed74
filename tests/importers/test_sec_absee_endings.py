"""How loans stand and how they ended: filings of UBS 2017-C1 typed by hand, then all of its 84
months by a reading of their own (D150).
"""

from collections import Counter
from datetime import date
from xml.etree import ElementTree as ET

import pytest

from services.contract.disposition import DISPOSITIONS
from services.importers.cmbs.ending import _BY_CODE
from services.importers.sec_absee import portfolio
from services.importers.sec_absee.source import filing_rules
from tests.filed_endings import LAST_PERIOD, LATER, write
from tests.genuine import BANK5, SEVEN_YEARS

EARLY, IN_TIME = "paid off before maturity", "paid off at maturity"
BOUGHT, UNSAID = "repurchased or substituted", "ended for a reason not stated"
DEFEASED = "defeased in full"
COLUMNS = (
    *("disposition", "disposition_date", "realized_loss", "owed_before", "loss_of_owed"),
    *("loss_of_original", "principal_received", "book_value"),
)


def imported(tmp_path, assets, house=None):
    """Rows of LOANS by asset number, of a filing of these assets."""
    path = write(tmp_path / "UBS_2017-C1__rpt.xml", assets, house)
    rows = portfolio([path])[0].loans.to_pylist()
    return {row["loan_number"].rpartition(":")[2]: row for row in rows}


def shown(row):
    return tuple(row[name] for name in COLUMNS)


def test_liquidations_with_their_loss_beside_true_payoffs(tmp_path):
    rows = imported(tmp_path, LAST_PERIOD)
    assert shown(rows["14"]) == (
        *("liquidated", date(2024, 2, 29), 11_874_863, 18_828_946),
        *(0.630670617, 0.5397665, 6_954_082, 0),
    )
    assert shown(rows["44"]) == (
        *("liquidated", date(2024, 1, 3), 4_548_626, 7_097_545),
        *(0.640873147, 0.606483467, 2_548_919, 0),
    )
    assert shown(rows["52"]) == (
        # No date is filed.
        *("liquidated", None, 4_735_348, 5_023_845, 0.942574562, 0.860972455, 288_497, 0),
    )
    assert shown(rows["5"]) == (
        *(
            EARLY,
            date(2021, 8, 5),
            None,
            34_000_000,
            None,
            None,
            34_000_000,
            0,
        ),
    )
    assert shown(rows["29"]) == (
        *(
            EARLY,
            date(2022, 1, 10),
            None,
            10_609_780,
            None,
            None,
            10_609_780,
            0,
        ),
    )


def test_later_filings_keep_code_date_and_loss_and_nothing_is_owed(tmp_path):
    rows = imported(tmp_path, LATER)
    assert shown(rows["14"]) == (
        *("liquidated", date(2024, 2, 29), 11_874_863, None, None, 0.5397665, None, 0),
    )
    assert shown(rows["5"]) == (EARLY, date(2021, 8, 5), *[None] * 5, 0)


def test_the_balance_at_securitization_is_not_owed_by_a_loan_that_has_ended(tmp_path):
    filed = {
        "scheduledPrincipalBalanceSecuritizationAmount": "9000000.0",
        "liquidationPrepaymentCode": "5",
    }
    row = imported(tmp_path, {"1": filed})["1"]
    assert (row["disposition"], row["book_value"]) == (IN_TIME, None)


ENDED = {"reportPeriodEndActualBalanceAmount": "0.00"}
OWING = {"reportPeriodEndActualBalanceAmount": "1000000.00"}
LOSS = {"realizedLossToTrustAmount": "0.01"}


@pytest.mark.parametrize(
    ("code", "word", "with_loss"),
    [
        ("1", UNSAID, "liquidated"),  # a curtailment ends no loan
        ("2", EARLY, "liquidated"),
        ("3", "liquidated", "liquidated"),
        ("4", BOUGHT, BOUGHT),
        ("5", IN_TIME, "liquidated"),
        ("6", "discounted payoff", "discounted payoff"),
        ("7", "liquidated", "liquidated"),
        ("8", EARLY, "liquidated"),
        ("9", EARLY, "liquidated"),
        ("10", UNSAID, "liquidated"),
        ("11", UNSAID, "liquidated"),
        ("", UNSAID, "liquidated"),
    ],
)
def test_each_code_at_a_balance_of_zero_and_with_one(tmp_path, code, word, with_loss):
    filed = {"liquidationPrepaymentCode": code}
    assets = {
        "1": {**filed, **ENDED},
        "2": {**filed, **ENDED, **LOSS},
        # What is owed is owed, whatever the codes say; a loss may be that of a write-off.
        "3": {**filed, **OWING, **LOSS, "liquidationPrepaymentDate": "05-01-2024"},
        "4": {**filed, **ENDED, "realizedLossToTrustAmount": "0.00"},
    }
    rows = imported(tmp_path, assets)
    assert [rows[at]["disposition"] for at in "1234"] == [word, with_loss, "outstanding", word]
    assert [rows[at]["disposition_date"] for at in "3"] == [None]
    assert {word, with_loss} <= set(DISPOSITIONS)


def test_every_code_of_the_schedule_is_tried_above():
    field = filing_rules().fields["loan"]["liquidationPrepaymentCode"]
    assert set(field.codes) == {str(code) for code in range(1, 12)}
    assert set(_BY_CODE) <= set(field.codes)


def test_repurchases_without_a_code_and_defeasance(tmp_path):
    rows = imported(
        tmp_path,
        {
            "1": {**ENDED, "repurchaseAmount": "5000000.00"},
            "2": {**ENDED, "assetSubjectDemandStatusCode": "1"},
            "3": {**ENDED, "assetSubjectDemandStatusCode": "0", "repurchaseAmount": "0.00"},
            "4": {**OWING, "repurchaseAmount": "5000000.00"},
            "5": {},
        },
    )
    found = {number: row["disposition"] for number, row in rows.items()}
    assert found == {
        "1": BOUGHT, "2": BOUGHT, "3": UNSAID, "4": "outstanding", "5": None,
    }  # fmt: skip
    defeased = imported(
        tmp_path,
        {"1": OWING, "2": ENDED, "3": {**ENDED, "liquidationPrepaymentCode": "5"}},
        {"propertyCity": "Springfield", "DefeasedStatusCode": "F"},
    )
    # A defeased loan owes until its Treasuries have paid it.
    assert [defeased[at]["disposition"] for at in "123"] == [
        DEFEASED,
        UNSAID,
        IN_TIME,
    ]
    partly = imported(tmp_path, {"1": OWING}, {"DefeasedStatusCode": "IP", "propertyCity": "Troy"})
    assert partly["1"]["disposition"] == "outstanding"


def read_again(asset):
    """Disposition and loss of an `assets` element, from the words of the design's table alone."""
    filed = {one.tag.rpartition("}")[2]: (one.text or "").strip() for one in asset.iter()}
    amount = {key: float(text) for key, text in filed.items() if key.endswith("Amount") and text}
    left = amount.get("reportPeriodEndActualBalanceAmount")
    left = amount["reportPeriodEndScheduledLoanBalanceAmount"] if left is None else left
    loss = amount.get("realizedLossToTrustAmount", 0)
    if left > 0:
        return (DEFEASED if filed.get("DefeasedStatusCode") == "F" else "outstanding"), loss
    code = filed["liquidationPrepaymentCode"]
    if loss or code == "3":
        return "liquidated", loss
    return {"2": EARLY, "9": EARLY}[code], loss


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
def test_eighty_four_months_read_again():
    found, months = Counter(), Counter()
    for path in SEVEN_YEARS[::6] + SEVEN_YEARS[-6:]:
        rows = portfolio([path])[0].loans.to_pylist()
        expected = {}
        for asset in ET.parse(path).getroot():  # noqa: S314 (a public file, read by a test)
            number = next(one.text for one in asset if one.tag.endswith("}assetNumber"))
            expected[number] = read_again(asset)
        for row in rows:
            word, loss = expected.pop(row["loan_number"].rpartition(":")[2])
            assert row["disposition"] == word
            assert abs((row["realized_loss"] or 0) - loss) <= 0.5
            months[word] += 1
            if path == SEVEN_YEARS[-1]:
                found[word] += 1
        assert not expected
    assert found == {
        "outstanding": 41,
        DEFEASED: 12,
        "liquidated": 3,
        EARLY: 2,
    }
    assert months["liquidated"] >= 8


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
def test_losses_of_the_whole_trust_and_none_of_a_new_one():
    last = portfolio([SEVEN_YEARS[-1]])[0].loans.to_pylist()
    losses = {
        row["loan_number"].rpartition(":")[2]: row["realized_loss"]
        for row in last
        if row["realized_loss"]
    }
    assert losses == {"14": 11_874_863, "44": 4_548_626, "52": 4_735_348}
    new = BANK5
    rows = portfolio([new])[0].loans.to_pylist()
    assert {(row["disposition"], row["realized_loss"]) for row in rows} == {("outstanding", 0)}
