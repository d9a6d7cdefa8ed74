"""County records (D218 to D220): made-up files under the genuine headers, and the genuine ones
where they are, counted by plain Python.
"""

import csv
import json
from collections import Counter
from datetime import date

import pytest

from services.contract.errors import ImportRefused
from services.contract.queries import PathQuery
from services.importers import county
from services.importers.county.names import lends, owner, respelt
from services.maintenance import status
from services.store.leases import Store
from tests.genuine import SHARED
from tests.publishing import load

DAY = date(2026, 9, 30)
NASHVILLE = SHARED / "mortgages-nashville/recorded_mortgages.csv"
HOBOKEN = SHARED / "owners-hoboken"
genuine = pytest.mark.skipif(
    not NASHVILLE.exists(), reason="the shared data folder is not on this machine"
)
MORTGAGES = """parent,borrower,recorded_lender,amount,recorded_on,address,longitude,latitude
Alder Homes,ALDER BORROWER 1 LLC,CITIBANK NA,5000000,2022-04-28,1 ELM ST,-86,36
Alder Homes,ALDER BORROWER 1 LLC,CITIBANK NA,5000000,2022-04-28,2 ELM ST,-86,36
Alder Homes,ALDER BORROWER 2 LLC,FIR TITLE CO TRUSTEE,,2023-01-02,3 ELM ST,-86,36
Other,BIRCH BORROWER LLC,FIR TITLE CO TRUSTEE,750000,2023-02-30,4 ELM ST,-86,36
Other,BIRCH BORROWER LLC,QUILL LENDER LLC,750000,2023-02-28,4 ELM ST,-86,36
Other,,QUILL LENDER LLC,750000,2023-02-28,5 ELM ST,-86,36
"""
YEARS = """block,lot,address,year,owner,assessed_total,last_sale_date,last_sale_price,Extra
1,1,1 OAK ST,2020,"OAK ASSOCIATES, LLC",1,2019-07-15,1,
1,1,1 OAK ST,2021,OAK ASSOCS LLC % J FIR,1,2019-07-15,1,
1,2,2 OAK ST,2021,SELLER LLC,1,2022-03-01,2000000,
1,2,2 OAK ST,2022,BUYER HOLDINGS LP &ETALS,1,2022-03-01,2000000,
1,3,3 OAK ST,2022,,1,0000-00-00,0,
"""
OWNERS = """block,lot,address,owner,owner_mailing_address,owner_city_state_zip,sale_date,operator
1.0,1.0,1 OAK ST,OAK ASSOCS LLC C/O J FIR,9 PINE ST,"HOBOKEN, NJ  07030",7/15/19,Fir Realty
4,1,4 OAK ST,ELM LLC,9 PINE ST,"HOBOKEN, NJ  07030",5/2/66,
"""
MASTER = """DOCUMENT ID,DOC. TYPE,DOC. AMOUNT,RECORDED / FILED
M1,MTGE,"$3,000,000",1/2/2020
A1,ASST,0,6/1/2021
S1,SAT,0,7/1/2023
D1,DEED,4000000,1/2/2020
D2,DEED,5000000,7/1/2023
S9,SAT,0,7/1/2023
X1,UCC3,0,7/1/2023
"""
PARTIES = """DOCUMENT ID,PARTY TYPE,NAME,ADDRESS 1
M1,1,ASH OWNER LLC,1 ASH ST
M1,2,WFB,2 BANK ST
A1,1,WFB,
A1,2,QUILL LIFE INSURANCE CO,
D1,1,OLD ASH LLC,
D1,2,ASH OWNER LLC,
D2,1,ASH OWNER LLC,
D2,2,NEW ASH LLC,
M1,3,NOBODY,
"""
LEGALS = """DOCUMENT ID,BOROUGH,BLOCK,LOT,STREET NAME
M1,1,10,20,ASH ST
D1,1,10,20,ASH ST
D2,1,10,20,ASH ST
"""
REFERENCES = """DOCUMENT ID,REFERENCE BY DOC ID
A1,M1
S1,M1
S9,M9
"""


@pytest.fixture
def read(tmp_path):
    def write(**files):
        paths = []
        for name, text in files.items():
            paths.append(tmp_path / f"{name}.csv")
            paths[-1].write_text(text, encoding="utf-8")
        (one,) = county.portfolios(paths, as_of=DAY)
        return one

    return write


def ties(one, *relations):
    """(from, relation, to, since, until) of each witness."""
    names = one.entities["entity_name"].to_pylist()
    edges = one.edges.to_pylist()
    return [
        (edge["from_loan"] if edge["from_entity"] is None else names[edge["from_entity"]],
         edge["relation"], names[edge["to_entity"]], row["since"], row["until"])
        for row in one.witnesses.to_pylist()
        if (edge := edges[row["edge"]])["relation"] in relations
    ]  # fmt: skip


def reasons(one):
    return {row["record"]: row["reason"] for row in one.rejects.to_pylist()}


def test_a_loan_is_a_recording_and_a_trustee_no_lender(read):
    """D218, D219."""
    one = read(mortgages=MORTGAGES)
    loans = one.loans.to_pylist()
    assert [(row["original_amount"], row["lender_normalized"]) for row in loans] == [
        (5_000_000, "Citibank"), (None, None), (750_000, "QUILL LENDER LLC"),
    ]  # fmt: skip
    assert {row["book_value"] for row in loans} == {None}  # a county knows what was lent
    assert [row["address"] for row in one.properties.to_pylist() if row["loan"] == 0] == [
        "1 ELM ST", "2 ELM ST",
    ]  # fmt: skip
    assert set(ties(one, "capital_source", "trustee", "owned_by")) == {
        (0, "capital_source", "Citibank", date(2022, 4, 28), None),
        (1, "trustee", "FIR TITLE CO TRUSTEE", date(2023, 1, 2), None),
        (2, "capital_source", "QUILL LENDER LLC", date(2023, 2, 28), None),
        ("ALDER BORROWER 1 LLC", "owned_by", "Alder Homes", None, None),
        ("ALDER BORROWER 2 LLC", "owned_by", "Alder Homes", None, None),
    }
    assert reasons(one) == {
        "mortgages.csv, row 5": 'recorded_on "2023-02-30" is not a date written M/D/YYYY or'
        " YYYY-MM-DD.",
        "mortgages.csv, row 7": "Its document names no borrower.",
    }
    again = read(mortgages=MORTGAGES)
    assert again.loans.equals(one.loans)


def test_a_source_without_any_balance_has_a_status(read, tmp_path, capsys):
    load(tmp_path / "store", [read(mortgages=MORTGAGES)])
    status(store=tmp_path / "store")
    assert "Davidson County" in capsys.readouterr().out


def test_documents_join_and_later_ones_change_a_mortgage(read):
    one = read(master=MASTER, parties=PARTIES, legals=LEGALS, references=REFERENCES)
    (row,) = one.loans.to_pylist()
    assert (row["loan_number"], row["original_amount"], row["lender_normalized"]) == (
        "acris:M1", 3_000_000, "QUILL LIFE INSURANCE CO",
    )  # fmt: skip
    assert (row["disposition"], row["disposition_date"], row["book_value"]) == (
        "ended for a reason not stated", date(2023, 7, 1), 0,
    )  # fmt: skip
    assert json.loads(row["further"])["assignments"] == ["2021-06-01: QUILL LIFE INSURANCE CO"]
    assert set(ties(one, "originator", "capital_source", "owned_by", "formerly_owned_by")) == {
        (0, "originator", "Wells Fargo Bank", date(2020, 1, 2), None),
        (0, "capital_source", "QUILL LIFE INSURANCE CO", date(2021, 6, 1), None),
        ("1/10/20, New York City NY", "formerly_owned_by", "OLD ASH LLC", None, date(2020, 1, 2)),
        ("1/10/20, New York City NY", "formerly_owned_by", "ASH OWNER LLC", date(2020, 1, 2),
         date(2023, 7, 1)),
        ("1/10/20, New York City NY", "owned_by", "NEW ASH LLC", date(2023, 7, 1), None),
    }  # fmt: skip
    assert reasons(one) == {
        "master.csv, row 8": "It is a document of the kind 'UCC3', which is not read.",
        "parties.csv, row 10": "It has the role '3', which the profile does not list.",
        "master.csv, row 7": "It refers to no mortgage that is here.",
        "references.csv, row 4": "It refers to no mortgage that is here.",
    }


def test_a_new_spelling_is_no_sale(read):
    """D220: owners by year, told apart by names and prices."""
    one = read(owners=OWNERS, years=YEARS)
    assert set(ties(one, "owned_by", "formerly_owned_by")) == {
        ("1/1, Hoboken NJ", "owned_by", "OAK ASSOCS LLC", date(2019, 7, 15), None),
        ("1/2, Hoboken NJ", "formerly_owned_by", "SELLER LLC", None, date(2022, 3, 1)),
        ("1/2, Hoboken NJ", "owned_by", "BUYER HOLDINGS LP", date(2022, 3, 1), None),
        ("4/1, Hoboken NJ", "owned_by", "ELM LLC", date(1966, 5, 2), None),
    }
    names = one.entities["entity_name"].to_pylist()
    known = [
        (row["about"], row["value"], row["since"])
        for row in one.particulars.to_pylist()
        if names[row["entity"]] == "OAK ASSOCS LLC"
    ]
    assert ("name", "OAK ASSOCIATES, LLC", date(2020, 1, 1)) in known
    assert ("address", "c/o J FIR, 9 PINE ST, HOBOKEN, NJ 07030", None) in known
    assert reasons(one) == {"years.csv, row 6": "It names no owner."}
    assert "Fir Realty" not in names


def test_names_as_counties_write_them():
    assert owner("ELM LLC % J FIR") == ("ELM LLC", "J FIR", False)
    assert owner("ELM LLC C/O J FIR") == ("ELM LLC", "J FIR", False)
    assert owner("ELM LLC # FIR") == ("ELM LLC", "FIR", False)
    assert owner("FIR LLC , ETALS") == ("FIR LLC", None, True)
    assert owner("FIR LLC ET ALS") == ("FIR LLC", None, True)
    assert owner("UNIT #3 LLC") == ("UNIT #3 LLC", None, False)
    assert [lends(one) for one in ("KING J TRUSTEE", "WILMINGTON TRUST NA TRUSTEE",
                                   "WILMINGTON TRUST NA", "TRUSTEED HOMES LLC", "A BANK")] == [
        False, False, True, True, True,
    ]  # fmt: skip
    assert respelt("PARK AVENUE 228 LLC", "PARK AVE 228 LLC", nominal=True)
    assert not respelt("TRIPOD LLC", "PETRUZZELLA PROPERTIES LLC", nominal=True)


def test_a_profile_of_your_own_is_checked(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "x"\nterms = "x"\ncounty = "x"\n[files]\n', "utf-8")
    with pytest.raises(ImportRefused, match=r"mine.toml is no profile of a county: 'state' is mis"):
        county.portfolios([tmp_path], as_of=DAY, profile=path)


@genuine
def test_genuine_mortgages_count_once_and_chains_are_walked(tmp_path):
    (one,) = county.portfolios([NASHVILLE], as_of=DAY)
    with NASHVILLE.open(encoding="utf-8-sig") as opened:
        raw = list(csv.DictReader(opened))
    told = {(r["borrower"], r["recorded_lender"], r["recorded_on"], r["amount"]) for r in raw}
    amounts = [int(key[3]) for key in told if key[3]]
    loans = one.loans.to_pylist()
    assert (len(raw), one.rejects.num_rows, one.properties.num_rows) == (1_601, 0, 1_601)
    assert len(loans) == len(told) == 62
    assert len(amounts) == 18
    assert sum(row["original_amount"] or 0 for row in loans) == sum(amounts)
    trustees = {tie[2] for tie in ties(one, "trustee")}
    lenders = {r["recorded_lender"] for r in raw}
    assert trustees == {name for name in lenders if name.endswith("TRUSTEE")}
    assert (len(lenders), len(trustees)) == (20, 9)
    parents = {r["parent"] for r in raw} - {"Other", "SFR securitization (unattributed)"}
    assert {tie[2] for tie in ties(one, "owned_by")} == parents
    (owners,) = county.portfolios([HOBOKEN], as_of=DAY)
    load(tmp_path, [one, owners])  # two counties in one snapshot
    (loan,) = [row for row in loans if row["original_amount"] == 68_165_922]
    opened = Store(tmp_path)
    try:
        with opened.lease() as lease:
            query = PathQuery(loan_number=loan["loan_number"], depth=2)
            paths = lease.paths(query)[1].items
    finally:
        opened.close()
    reached = {edge.target for path in paths for edge in path.edges}
    assert {"AMH 2014-3 BORROWER LLC", "American Homes 4 Rent"} <= reached


@genuine
def test_genuine_owners_by_year_are_all_loaded():
    (one,) = county.portfolios([HOBOKEN], as_of=DAY)
    rows = []
    for name in ("companies.csv", "owners_by_year.csv"):
        with (HOBOKEN / name).open(encoding="utf-8-sig") as opened:
            rows += list(csv.DictReader(opened))
    assert one.info.records_read == len(rows) == 603 + 964
    assert (one.rejects.num_rows, one.witnesses.num_rows) == (0, len(rows))
    parcels = {(r["block"].removesuffix(".0"), r["lot"].removesuffix(".0")) for r in rows}
    kinds = Counter(one.entities["kind"].to_pylist())
    assert kinds["parcel"] == len(parcels)
    former = {tie[2] for tie in ties(one, "formerly_owned_by")}
    assert {"PAMS REALTY CORP", "VEN HOLDING CORP", "461 FORTH STREET, LLC"} <= former
    assert not {"SRI-WSA PROPERTIES 1, LLC", "DOJO ASSOCIATES, LLC"} & former
    assert one.info.unmapped == {}
