"""Loan tapes: what each dialect's columns become, with values typed by hand (D205, D207, D209)."""
# ruff: noqa: E501 - a row of a tape stands on one line

import json
from datetime import date

import pytest

from services.importers.tape import Profile, tape
from tests.importers.tape_reading import DAY, read


def row_of(table, at=0):
    """What a row says, without what it does not say."""
    return {name: value for name, value in table.to_pylist()[at].items() if value is not None}


def named(portfolio, relation):
    """Edges of a relation, by names: from a loan's number or a party's name to a party's."""
    names = portfolio.entities["entity_name"].to_pylist()
    loans = portfolio.loans["loan_number"].to_pylist()
    return [
        (
            loans[one["from_loan"]] if one["from_loan"] is not None else names[one["from_entity"]],
            names[one["to_entity"]],
            one["share"],
        )
        for one in portfolio.edges.to_pylist()
        if one["relation"] == relation
    ]


BANK = """\
First Bank loan tape;;;;;;;;;;;;;;;
;;;;;;;;;;;;;;;
Loan #;Borrower;Guarantor;Sponsor;Owner 1;Owner 1 %;Owner 2;Owner 2 %;Current Balance ($000s);Rate;\
Closing Date;Maturity;City;State;Occupancy;DSCR
0017;Alpha LLC;Ann Smith;Big Sponsor;Ann Smith;60%;Bob Jones;40%;27,000;5.25;4/25/17;6/1/2027;\
Dallas;Texas;95;1.51x
0018;Beta LLC;;TBD;;;;;1,250.5;6.125;4/26/17;1/13/2028;VARIOUS;TX        ;88.5;N/A
"""


def test_a_banks_own_tape(written):
    found = read(written(BANK), lender="First Bank")
    assert row_of(found.loans) == {
        "loan_number": "My book:0017",
        "book_value": 27_000_000,
        "interest_rate": 5.25,
        "property_city": "Dallas",
        "property_state": "TX",
        "lender_normalized": "First Bank",
        "origination_date": date(2017, 4, 25),
        "maturity_date": date(2027, 6, 1),
        "occupancy": 0.95,
        "dscr": 1.51,
    }
    assert row_of(found.loans, 1) == {
        "loan_number": "My book:0018",
        "book_value": 1_250_500,
        "interest_rate": 6.125,
        "property_state": "TX",
        "lender_normalized": "First Bank",
        "origination_date": date(2017, 4, 26),
        "maturity_date": date(2028, 1, 13),
        "occupancy": 0.885,
    }
    assert named(found, "borrower") == [
        ("My book:0017", "Alpha LLC", None),
        ("My book:0018", "Beta LLC", None),
    ]
    assert named(found, "guarantor") == [("My book:0017", "Ann Smith", None)]
    assert named(found, "owned_by") == [
        ("Alpha LLC", "Big Sponsor", None),
        ("Alpha LLC", "Ann Smith", 0.6),
        ("Alpha LLC", "Bob Jones", 0.4),
    ]
    assert named(found, "capital_source") == [
        ("My book:0017", "First Bank", None),
        ("My book:0018", "First Bank", None),
    ]
    assert set(found.edges["confidence"].to_pylist()) == {0.9}
    assert {one["method"] for one in found.witnesses.to_pylist()} == {"user's tape"}
    first = found.witnesses.to_pylist()[0]
    assert (first["file"], first["record"], first["element"]) == ("tape.csv", "row 4", "Borrower")
    assert found.info.key == "tape:My book"
    assert (found.info.as_of, found.info.provenance, found.info.records_read) == (
        DAY,
        "reported",
        2,
    )


BID_LIST = """\
Deal;Normalized EF Property Type;Property Flag;Seller;Property Name;City;State;Property Type;\
Cut-Off Property Balance;LTV at Cut-off;U/W NOI Debt Yield;UW NCF DSCR;Sponsor;Units
BID 7;Multifamily;Loan;Wells Fargo;Two Gardens;Various;Various;Multifamily;$27,000,000;65.0%;\
9.1%;1.51x;Sunny Homes;TBD
BID 7;Multifamily;Property;;North Garden;Dallas;TX;Multifamily;$15,000,000;;;;0; 414
BID 7;Multifamily;Property;;South Garden;Austin;TX;Multifamily;$12,000,000;;;;0;300
BID 7;Office;PF;Wells Fargo;Tower;Boston;MA;Office;$1,000;;;;0;
"""


def test_an_investors_bid_list_has_properties_under_their_loans(written):
    path = written(BID_LIST)
    found = tape(path, as_of=DAY)
    assert found.plan.dialect.title == "Investor's bid list"
    assert found.rows.rejected == {
        3: "Property Flag 'PF' says neither loan nor property; say it under [rows] in the profile:"
        ' "PF" = "loan"'
    }
    assert (found.loaded, found.rejected) == (3, 1)
    got = found.portfolio()
    loan = row_of(got.loans)
    assert loan["book_value"] == 27_000_000
    assert loan["underwritten_dscr"] == 1.51
    assert loan["property_type"] == "multifamily"
    assert "property_city" not in loan
    assert json.loads(loan["further"])["ltv_at_cut_off"] == 0.65
    assert json.loads(loan["further"])["u_w_noi_debt_yield"] == 9.1
    assert [
        (one["loan"], one["property_name"], one["city"], one["size"], one["size_unit"])
        for one in got.properties.to_pylist()
    ] == [
        (0, "North Garden", "Dallas", 414, "units"),
        (0, "South Garden", "Austin", 300, "units"),
    ]
    # No borrower is named between the loan and its sponsor.
    assert named(got, "sponsor") == [(loan["loan_number"], "Sunny Homes", None)]
    assert named(got, "originator") == [(loan["loan_number"], "Wells Fargo Bank", None)]
    said = tape(path, Profile(rows={"PF": "loan"}), as_of=DAY)
    assert (said.loaded, said.rejected) == (4, 0)


DIALECTS = {
    "morningstar": (
        (
            "Priority;Tape Date;Deal ID;Pros ID;Servicer Loan ID;Loan Name;City;State;"
            "Orig. Loan Balance;Cut-off Loan Balance;Current Loan Balance;Cumulative ASER;Gross Coupon;"
            "Maturity Date / ARD;Originator;Master Servicer ;Borrower Name;Sq. Ft.;NOI;DSCR;"
            "Occupancy Rate (%);Current LTV;Loan Status;MR SS Xfer Date;WL Codes;B-Piece Buyer\n"
            "1;3/31/2026;COMM 2015-X;12;9001;Pavillon Montr\xe9al;Tucson;AZ; 10,500,000 ; 10,400,000 ;"
            " 9,876,543 ;(1,234);4.35%;11/6/2027;GACC;KeyBank;Tucson Owner LLC;41,208;812,345;1.20;"
            "91.5;71.2;60 Days;1/20/2026;1E | 1F;Rialto"
        ),
        {
            "loan_number": "My book:COMM 2015-X-12",
            "book_value": 9_876_543,
            "original_amount": 10_500_000,
            "interest_rate": 4.35,
            "maturity_date": date(2027, 11, 6),
            "property_name": "Pavillon Montr\xe9al",
            "lender_normalized": "German American Capital",
            "rentable_area": 41_208,
            "noi": 812_345,
            "dscr": 1.2,
            "occupancy": 0.915,
            "payment_status": "2",
            "special_servicing_since": date(2026, 1, 20),
        },
        {"cumulative_aser": -1234, "current_ltv": 0.712, "wl_codes": "1E | 1F"},
    ),
    "trepp": (
        (
            "treppdealname,paymentstatusofloan_delinquencystatus,propname,city,state,zipcode,"
            "normalizedpropertytype,originator,borrower,gurantor,affiliatedsponsors,masterservicer,"
            "largesttenant,secondlargesttenant,acrossdealsloanidtrepp,currentbalance,derivedltvcode\n"
            "WFCM 2016,Current,Mill Park,Provo,UT,84601,LO,Wells Fargo,Mill Park LLC,J. Doe,"
            "Doe Capital,Midland,Acme Foods,Bolt Inc,778001,12.4M,0.7"
        ),
        {
            "loan_number": "My book:778001",
            "book_value": 12_400_000,
            "property_type": "lodging",
            "payment_status": "0",
        },
        {"derivedltvcode": "0.7"},
    ),
    "crefc_setup": (
        (
            "1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,9.0,10.0,11.0\n"
            "Transaction Id,Loan Id,Prospectus Loan Id,Original Note Amount,Original Note Rate,"
            "Maturity Date At Contribution,Scheduled Principal Balance At Contribution,"
            "Property Zip Code,Property Type Code,EMPTY FIELD,EMPTY FIELD\n"
            "WFCM17C42,309360001.0,1.0,70000000.0,0.04516,20271106.0,69900000.0,2134.0,OF,,x"
        ),
        {
            "loan_number": "My book:WFCM17C42-309360001",
            "book_value": 69_900_000,
            "original_amount": 70_000_000,
            "interest_rate": 4.516,
            "maturity_date": date(2027, 11, 6),
            "property_type": "office",
        },
        {"prospectus_loan_id": "1.0", "empty_field_2": "x"},
    ),
    "crefc_watchlist": (
        (
            "Watch List Report,,,,,,,,\nAs of 20260331,,,,,,,,\n"
            "Tran ID,Loan ID,Prospectus Loan ID,Property Name,State,Date Added to Watchlist,"
            "Ending Scheduled Loan Balance,Trigger Codes,Most Recent DSCR NOI/NCF\n"
            'CG19,5,5A,Elm Court,"AZ        ",20250411.0,"1,500,000.50",1E | 1F,0.87'
        ),
        {
            "loan_number": "My book:CG19-5",
            "book_value": 1_500_000,
            "property_state": "AZ",
            "dscr": 0.87,
        },
        {"date_added_to_watchlist": "2025-04-11", "trigger_codes": "1E | 1F"},
    ),
    "sba_7a": (
        (
            "AsOfDate,Program,BorrName,BorrStreet,BorrCity,BorrState,BorrZip,BankName,GrossApproval,"
            "SBAGuaranteedApproval,ApprovalDate,InitialInterestRate,FixedorVariableInterestInd,"
            "TermInMonths,ProjectCounty,ProjectState,LoanStatus,RevolverStatus\n"
            "03/31/2026,7A,Dry Clean Co,1 Main,Fresno,CA,93650,Chase Bank,350000,262500,10/15/2021,6.5,"
            "V,120,FRESNO,CA,PIF,0"
        ),
        {
            "original_amount": 350_000,
            "interest_rate": 6.5,
            "rate_type": "2",
            "original_term_months": 120,
            "origination_date": date(2021, 10, 15),
            "property_state": "CA",
            "lender_normalized": "JPMorgan Chase Bank",
        },
        {"sbaguaranteedapproval": 262_500, "loanstatus": "PIF", "borrcity": "Fresno"},
    ),
    "hud": (
        (
            "HUD insured mortgages,,,,,,,,,\n"
            "HUD PROJECT NUMBER,PROPERTY NAME,PROPERTY CITY,PROPERTY STATE,UNITS,"
            "INITIAL ENDORSEMENT DATE,ORIGINAL MORTGAGE AMOUNT,AMORITIZED PRINCIPAL BALANCE,"
            "HOLDER NAME,SECTION OF ACT CODE,MATURITY DATE,INTEREST RATE\n"
            "06411241,930 Poydras,New Orleans,LA,250,2021-11-23,47100000,42967122,"
            "HIGHLAND COMMERCIAL MORTGAGE L,207/223(f),2056-12-01,2.68"
        ),
        {
            "loan_number": "My book:06411241",
            "book_value": 42_967_122,
            "original_amount": 47_100_000,
            "interest_rate": 2.68,
            "maturity_date": date(2056, 12, 1),
            "lender_normalized": "HIGHLAND COMMERCIAL MORTGAGE L",
        },
        {"section_of_act_code": "207/223(f)"},
    ),
    "fr_y14q": (
        (
            "LoanNumber,ObligorName,OutstandingBalance,LineReportedOnFRY9C,CommittedBalance,"
            "LienPosition,PropertyType,OriginationDate,Location,ValueatOrigination,PD,LGD,EAD,"
            "MaturityDate,Amortization,CurrentOccupancy,InterestRateVariability\n"
            "A-1,Harbor Corp,5000000,3,6000000,1,Retail,2019-05-31,02108,9100000,0.0125,0.4,5500000,"
            "2029-05-31,360,0.93,Fixed"
        ),
        {
            "loan_number": "My book:A-1",
            "book_value": 5_000_000,
            "property_type": "retail",
            "origination_date": date(2019, 5, 31),
            "maturity_date": date(2029, 5, 31),
            "underwritten_value": 9_100_000,
            "amortization_months": 360,
            "occupancy": 0.93,
            "rate_type": "1",
        },
        {"pd": 0.0125, "lgd": 0.4, "ead": 5_500_000, "committedbalance": 6_000_000},
    ),
    "derived_cmbs": (
        (
            "deal_id,loan_id,property_name,originator,origination_date,maturity_date,current_balance,"
            "coupon_pct,loan_structure,is_pari_passu,payment_status_code,property_type_code,"
            "property_type,state,sqft,occupancy,noi,dscr,dscr_basis,valuation,ltv,is_defeased\n"
            "D1,7,Oak,CREFI,2018-02-01,2028-02-06,8000000.0,5.1,pari passu,True,0,OF,office,NY,"
            "100000,0.9,700000,1.4,NCF,12000000,0.667,False"
        ),
        {
            "loan_number": "My book:D1-7",
            "book_value": 8_000_000,
            "interest_rate": 5.1,
            "structure": "PP",
            "payment_status": "0",
            "property_type": "office",
            "occupancy": 0.9,
            "value": 12_000_000,
            "defeasance": "N",
        },
        {"ltv": 0.667, "dscr_basis": "NCF", "property_type_code": "OF"},
    ),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dialect_is_recognised_by_itself(dialect, written):
    text, loan, further = DIALECTS[dialect]
    encoding = "latin-1" if dialect == "morningstar" else "utf-8"
    found = tape(written(text, encoding=encoding), as_of=DAY)
    assert found.plan.dialect.name == dialect
    assert found.plan.asks == ()
    assert [one.name for one in found.plan.columns if not one.taken] == []
    assert (found.loaded, found.rejected) == (1, 0)
    got = found.portfolio()
    said = row_of(got.loans)
    assert {name: said.get(name) for name in loan} == loan
    kept = json.loads(said["further"])
    assert {name: kept.get(name) for name in further} == further


def test_a_floating_loan_with_a_bought_cap(written):
    # D280
    found = tape(
        written(
            "Loan Number,Current Balance,Current Rate,Fixed/Floating,Index,Margin,Rate Floor,"
            "Rate Cap Strike,Cap Expiration Date\n"
            "B-1,12500000,7.38,Floating,Term SOFR,4.38,5.25,3.00,12/15/2027"
        ),
        as_of=DAY,
    )
    assert [one.name for one in found.plan.columns if not one.taken] == []
    assert row_of(found.portfolio().loans) == {
        "loan_number": "My book:B-1",
        "book_value": 12_500_000,
        "interest_rate": 7.38,
        "rate_type": "2",
        "rate_index": "Q",
        "rate_margin": 4.38,
        "rate_floor": 5.25,
        "cap_strike": 3.0,
        "cap_expires": date(2027, 12, 15),
    }


def test_parties_of_trepp(written):
    got = read(written(DIALECTS["trepp"][0]))
    loan = "My book:778001"
    assert named(got, "borrower") == [(loan, "Mill Park LLC", None)]
    assert named(got, "guarantor") == [(loan, "J. Doe", None)]
    assert named(got, "owned_by") == [("Mill Park LLC", "Doe Capital", None)]
    assert [one["tenant"] for one in got.leases.to_pylist()] == ["Acme Foods", "Bolt Inc"]


def test_an_sba_504_loan_stands_behind_a_first_lien(written):
    got = read(
        written(
            "AsOfDate,BorrName,BorrZip,CDC_Name,ThirdPartyLender_Name,ThirdPartyDollars,"
            "GrossApproval,ApprovalDate\n"
            "2026-03-31,Bakery LLC,93650,Valley CDC,Chase Bank,900000,700000,2020-06-30"
        )
    )
    assert [
        (one["rank"], one["position"], one["lender"], one["amount"])
        for one in got.layers.to_pylist()
    ] == [
        (1, "senior", "JPMorgan Chase Bank", 900_000),
        (2, "junior note", "Valley CDC", None),
    ]
    assert row_of(got.loans)["original_amount"] == 700_000
