"""SBA loans (D221 to D223): made-up rows under the genuine headers, and the genuine study where it
is, counted by plain Python. No genuine row is here: they name sole traders.
"""

import csv
import json
from datetime import date, timedelta

import pytest

from services.contract.errors import ImportRefused, InvalidRequest
from services.importers import sba
from services.store.leases import Store
from tests.genuine import SHARED
from tests.publishing import load

GENUINE = SHARED / "sba/SBAcase.11.13.17.csv"
DAY = date(2014, 12, 31)
STUDY = (
    "Selected,LoanNr_ChkDgt,Name,City,State,Zip,Bank,BankState,NAICS,ApprovalDate,Term,ChgOffDate,"
    "DisbursementDate,DisbursementGross,BalanceGross,MIS_Status,ChgOffPrinGr,GrAppv,SBA_Appv,Extra"
)
STUDIED = (
    "0,1,ALDER VIDEO,RENO,NV,89501,CITI,SD,532230,15074,36,,15095,32812,0,P I F,0,30000,15000,",
    "0,2,ALDER VIDEO,ELKO,NV,1001,,,532230,15074,0,18334,,25000,0,CHGOFF,20000,25000,12500,",
    "1,3,BIRCH RENT,RENO,NV,89501,CITI,SD,531120,15074,84,18128,15095,9000,0,P I F,1500,9000,45,x",
    "1,3,BIRCH AGAIN,RENO,NV,89501,CITI,SD,531120,15074,84,,15095,9000,0,P I F,0,9000,4500,",
    "1,4,CEDAR,RENO,NV,89501,CITI,SD,531120,99999,84,,15095,9000,0,P I F,0,9000,4500,",
    "1,5,DOGWOOD,RENO,NV,89501,CITI,SD,531120,15074,84,,,0,0,CANCLD,0,9000,4500,",
    "1,6,,RENO,NV,89501,CITI,SD,531120,15074,84,,,0,0,P I F,0,9000,4500,",
)
DEBENTURES = (
    "AsOfDate,Program,BorrName,BorrStreet,BorrCity,BorrState,BorrZip,CDC_Name,CDC_City,CDC_State,"
    "ThirdPartyLender_Name,ThirdPartyLender_City,ThirdPartyLender_State,ThirdPartyDollars,"
    "GrossApproval,ApprovalDate,FirstDisbursementDate,TermInMonths,LoanStatus,PaidInFullDate,"
    "ChargeOffDate,GrossChargeOffAmount,ProjectCounty,ProjectState,BusinessType"
)
_CDC = "Sierra Dev Corp,Reno,NV"
_ELM = '"Elm, LLC",1 Elm St,Reno,NV,89501'
_FIR = "Joe Fir,,Reno,NV,8950"
BORROWED = (
    f"9/30/2024,504,{_ELM},{_CDC},WFB,Reno,NV,1500000,1200000,1/15/2020,3/1/2020,240,EXEMPT,,,0,,,",
    f"9/30/2024,504,{_FIR},{_CDC},,,,,400000,1/1/2010,3/1/2010,120,PIF,2/14/2020,,0,W,NV,INDIVIDUAL",
)
NUMBERED = (
    "AsOfDate,Program,BorrName,BorrCity,BorrState,BankName,GrossApproval,ApprovalDate,"
    "InitialInterestRate,FixedorVariableInterestInd,TermInMonths,LoanStatus,ProjectState"
)
LENT = ('20240930,7A,Gum Inc,Reno,NV,Citibank NA,"$250,000",01/15/2023,10.25,V,120,EXEMPT,NV',)


@pytest.fixture
def written(tmp_path):
    def write(name, header, rows):
        path = tmp_path / name
        path.write_text("\n".join((header, *rows)), encoding="utf-8")
        return path

    return write


def test_the_study_has_days_of_sas_charge_offs_and_no_rate(written):
    (one,) = sba.portfolios([written("study.csv", STUDY, STUDIED)], as_of=DAY)
    rows = {row["loan_number"]: row for row in one.loans.to_pylist()}
    assert list(rows) == ["SBA:1", "SBA:2", "SBA:3"]
    paid, lost, both = rows.values()
    # 15074 and 15095 days after 1 January 1960, counted on a calendar.
    assert json.loads(paid["further"])["approved_on"] == "2001-04-09"
    assert (paid["origination_date"], lost["origination_date"]) == (
        date(2001, 4, 30), date(2001, 4, 9),
    )  # fmt: skip
    assert (paid["disposition"], paid["book_value"]) == ("ended for a reason not stated", 0)
    assert {row["interest_rate"] for row in rows.values()} == {None}
    assert [row["original_term_months"] for row in rows.values()] == [36, None, 84]
    assert (lost["disposition"], lost["disposition_date"], lost["realized_loss"]) == (
        "liquidated", date(2010, 3, 13), 20_000,
    )  # fmt: skip
    assert lost["loss_of_original"] == 0.8
    # A charge-off with dollars stands against a status of paid in full.
    assert (both["disposition"], both["realized_loss"]) == ("liquidated", 1_500)
    assert (paid["lender_normalized"], lost["lender_normalized"]) == ("Citibank", None)
    assert [row["zip"] for row in one.properties.to_pylist()] == ["89501", "01001", "89501"]


def test_rows_that_are_no_loan_are_rejected_with_their_reason(written):
    (one,) = sba.portfolios([written("study.csv", STUDY, STUDIED)], as_of=DAY)
    assert {row["record"]: row["reason"] for row in one.rejects.to_pylist()} == {
        "study.csv, row 5": "It is alike to a row before it in all that tells loans apart.",
        "study.csv, row 6": 'ApprovalDate "99999" is not a day from 0 to 60,000 after 1 January'
        " 1960.",
        "study.csv, row 7": "It was never paid out: its status is CANCLD.",
        "study.csv, row 8": "It names no borrower.",
    }
    assert (one.info.records_read, one.info.unmapped) == (7, {"Extra": 1})
    names = one.entities["entity_name"].to_pylist()
    assert names == ["ALDER VIDEO", "Citibank", "ALDER VIDEO (ELKO, NV)", "BIRCH RENT"]


def test_a_504_loan_is_a_stack_of_two(written, tmp_path):
    """D222: the third party's loan is first, the debenture behind it."""
    files = [written("504.csv", DEBENTURES, BORROWED), written("7a.csv", NUMBERED, LENT)]
    seven, one = sba.portfolios(files)
    assert (one.info.key, one.info.as_of) == ("sba:five_o_four", date(2024, 9, 30))
    layers = [
        (row["loan"], row["rank"], row["position"], row["layer"], row["lender"], row["amount"])
        for row in one.layers.to_pylist()
    ]
    assert layers == [
        (0, 1, "senior", "bank", "Wells Fargo Bank", 1_500_000),
        (0, 2, "junior note", "other", "Sierra Dev Corp", 1_200_000),
        (1, 1, "senior", "other", "Sierra Dev Corp", 0),
    ]
    stands, paid = one.loans.to_pylist()
    assert (stands["book_value"], stands["interest_rate"], stands["disposition"]) == (None,) * 3
    assert (paid["disposition"], paid["disposition_date"]) == (
        "paid off before maturity", date(2020, 2, 14),
    )  # fmt: skip
    assert [row["county"] for row in one.properties.to_pylist()] == [None, "W"]
    (row,) = seven.loans.to_pylist()
    assert (row["interest_rate"], row["rate_type"], row["original_amount"]) == (10.25, "2", 250_000)
    again = sba.portfolios(files)[1]
    assert again.loans.equals(one.loans)  # numbers are the same after every import
    load(tmp_path / "store", [seven, one])
    opened = Store(tmp_path / "store")
    try:
        with opened.lease() as lease:
            roles = lease.party_evidence("Wells Fargo Bank").particulars
    finally:
        opened.close()
    assert [(row.about, row.value) for row in roles] == [
        ("name", "WFB"), ("address", "Reno, NV"),
    ]  # fmt: skip


def test_a_day_and_a_loan_are_needed(written):
    with pytest.raises(InvalidRequest, match=r"study.csv states no day"):
        sba.portfolios([written("study.csv", STUDY, STUDIED)])
    with pytest.raises(ImportRefused, match=r"none.csv holds no usable loan. The first reason: It"):
        sba.portfolios([written("none.csv", STUDY, STUDIED[5:])], as_of=DAY)


@pytest.mark.skipif(not GENUINE.exists(), reason="the shared data folder is not on this machine")
def test_the_genuine_study_adds_up():
    (one,) = sba.portfolios([GENUINE], as_of=DAY)
    with GENUINE.open(encoding="utf-8-sig") as opened:
        raw = list(csv.DictReader(opened))
    rows = one.loans.to_pylist()
    assert len(raw) == len(rows) + one.rejects.num_rows == len(rows) == 2_102
    assert sum(row["original_amount"] for row in rows) == sum(int(r["GrAppv"]) for r in raw)
    lost = [row for row in rows if row["disposition"] == "liquidated"]
    assert len(lost) == sum(1 for r in raw if r["ChgOffDate"]) == 697
    assert sum(row["realized_loss"] or 0 for row in rows) == 42_101_130
    days = [date(1960, 1, 1) + timedelta(days=int(r["ChgOffDate"])) for r in raw if r["ChgOffDate"]]
    assert [row["disposition_date"] for row in lost] == days
    assert {row["interest_rate"] for row in rows} == {None}
    assert one.info.unmapped == {}
