"""HUD's list of insured mortgages and a catalogue of assisted housing (D215 to D217).

Twelve rows of the list as HUD writes them (public domain), a made-up catalogue, and the genuine one
where it is.
"""

import csv
import json
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from services.contract.errors import ImportRefused
from services.contract.evidence import EdgeQuery
from services.importers import hud
from services.importers.hud.mortgages import project_number
from services.importers.hud.parties import holder
from services.store import filed
from services.store.leases import Store
from tests.genuine import SHARED
from tests.publishing import load

SAMPLE = Path(__file__).parent / "hud"
DAY = date(2017, 2, 27)
GENUINE = SHARED / "hud-dc"


def read(*paths, **how):
    return hud.portfolio(paths, as_of=DAY, **how)[0]


def by_number(one):
    return {row["loan_number"].removeprefix("FHA:"): row for row in one.loans.to_pylist()}


def ties(one, relation):
    """(from, to, since, until, what is said) of each witness of a relation."""
    names = one.entities["entity_name"].to_pylist()
    numbers = one.loans["loan_number"].to_pylist()
    edges = one.edges.to_pylist()
    return [
        (
            numbers[edge["from_loan"]] if edge["from_entity"] is None
            else names[edge["from_entity"]],
            names[edge["to_entity"]], row["since"], row["until"], row["said"],
        )
        for row in one.witnesses.to_pylist()
        if (edge := edges[row["edge"]])["relation"] == relation
    ]  # fmt: skip


def rejected(one):
    return {row["record"]: row["reason"] for row in one.rejects.to_pylist()}


@pytest.fixture(scope="module")
def sample():
    return read(SAMPLE)


def test_the_list_gives_holder_dates_and_balance(sample):
    row = by_number(sample)["06411241"]
    assert {name: row[name] for name in ("book_value", "original_amount", "origination_date")} == {
        "book_value": 42_967_122,
        "original_amount": 47_100_000,
        "origination_date": date(2021, 11, 23),
    }
    assert (row["property_name"], row["property_city"], row["property_state"]) == (
        "930 Poydras", "New Orleans", "LA",
    )  # fmt: skip
    assert (row["interest_rate"], row["maturity_date"], row["disposition"]) == (
        None, None, "outstanding",
    )  # fmt: skip
    listed = [one for number, one in by_number(sample).items() if one["book_value"] is not None]
    with (SAMPLE / "insured.csv").open(encoding="utf-8") as opened:
        raw = [int(one["AMORITIZED PRINCIPAL BALANCE"]) for one in csv.DictReader(opened)]
    assert sum(one["book_value"] for one in listed) == sum(raw) == 248_824_429
    assert by_number(sample)["06622156"]["property_type"] == "health care"  # section 232


def test_leading_zeros_and_cut_names():
    assert [project_number(raw) for raw in ("6411241", "064-11241", "98041")] == [
        "06411241", "06411241", "00098041",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="8 digits"):
        project_number("A6411241")
    assert holder("BERKADIA COMMERCIAL MORTGAGE L") == "Berkadia"
    assert holder("PNC BANK, NATIONAL ASSOCIATION") == "PNC Bank"
    assert holder("BELLWETHER ENTERPRISE REAL EST") == "BELLWETHER ENTERPRISE REAL EST"
    assert holder("Berkadia Commercial Mortgage P") == "Berkadia Commercial Mortgage P"


def test_two_mortgages_on_one_property_are_a_stack(sample):
    """D216: each of them shows both layers, and the dollars of a lender count once."""
    numbers = sample.loans["loan_number"].to_pylist()
    layers = [
        (numbers[row["loan"]], row["rank"], row["position"], row["layer"], row["lender"],
         row["amount"])
        for row in sample.layers.to_pylist()
        if numbers[row["loan"]] in ("FHA:05411198", "FHA:05410012")
    ]  # fmt: skip
    assert layers == [
        ("FHA:05410012", 1, "senior", "FHA:05411198, Berkadia", None, 30_821_279),
        ("FHA:05410012", 2, "junior note", "other", "BELLWETHER ENTERPRISE REAL EST", 29_990_600),
        ("FHA:05411198", 1, "senior", "cmbs servicer", "Berkadia", 30_821_279),
        ("FHA:05411198", 2, "junior note", "FHA:05410012, BELLWETHER ENTERPRISE REAL EST", None,
         29_990_600),
    ]  # fmt: skip
    further = json.loads(by_number(sample)["05410012"]["further"])
    assert further["other_mortgages_on_the_property"] == ["FHA:05411198"]
    assert sum(row["amount"] for row in sample.layers.to_pylist() if row["lender"]) == 248_824_429


def test_a_catalogue_gives_owners_managers_and_assistance(sample):
    """D215: who owns a property is the borrower of its mortgage where it can have been."""
    assert ties(sample, "borrower") == [
        ("FHA:00090041", "Alder Court Limited Partnership", date(2004, 1, 30), None,
         "owner of Alder Court"),
        ("FHA:00090042", "Alder Court Limited Partnership", date(2004, 1, 30), None,
         "owner of Alder Court"),
        ("FHA:00035599", "Birch House, Inc.", None, None, "owner of Birch House"),
    ]  # fmt: skip
    managed = ties(sample, "property_manager")
    assert ("FHA:00035599", "Quill Management Corporation", None, None, "Birch House") in managed
    assert ("Birch House, Inc.", "Quill Management Corporation", None, None,
            "Birch House, 2 Birch Street SE") in managed  # fmt: skip
    section_8 = "Sec 8 loan management set-aside"
    assert [one for one in ties(sample, "assisted_by") if one[0] == "FHA:00090041"] == [
        ("FHA:00090041", "US Dept of Housing and Urban Development", date(2004, 11, 1),
         date(2024, 10, 31),
         f"{section_8}, contract DC39L000099, 50 units, 2004-11-01 to 2024-10-31"),
        ("FHA:00090041", "DC Dept of Housing and Community Development", date(2004, 1, 1),
         date(2034, 1, 1), "Low income housing tax credit, 120 units, 2004-01-01 to 2034-01-01"),
        ("FHA:00090041", "DC Housing Finance Agency", date(2004, 1, 1), date(2034, 1, 1),
         "Low income housing tax credit, 120 units, 2004-01-01 to 2034-01-01"),
    ]  # fmt: skip
    assert [one[:2] for one in ties(sample, "assisted_by") if one[0] == "Dcha"] == [
        ("Dcha", "DC Housing Authority")
    ]
    rows = by_number(sample)
    further = json.loads(rows["00090041"]["further"])
    assert (further["assistance_first_ends"], further["assistance_last_ends"]) == (
        "2024-10-31", "2034-01-01",
    )  # fmt: skip
    ended = rows["00035499"]
    assert (ended["disposition"], ended["disposition_date"], ended["book_value"]) == (
        "ended for a reason not stated", date(2015, 12, 10), None,
    )  # fmt: skip
    assert [rows[one]["property_type"] for one in ("00035599", "00090042")] == [
        "health care", "multifamily",
    ]  # fmt: skip
    assert rows["00090041"]["confidence_tier"] == "confirmed"
    assert rows["00035499"]["confidence_tier"] is None


def test_every_row_is_loaded_or_rejected_with_its_reason(sample):
    assert rejected(sample) == {
        "projects.csv, row 7": 'Hud_Own_Effect_dt "31/31/2004" is not a date written MM-DD-YYYY.',
        "projects.csv, row 6": "It names no owner and no manager, and has no mortgage.",
        "subsidies.csv, row 9": "It is an insured mortgage without a project number.",
        "subsidies.csv, row 11": "It ended on 31 Dec 2016.",
        "subsidies.csv, row 12": "It names no agency, and its property has no mortgage that"
        " stands.",
        "subsidies.csv, row 13": "It is no longer active.",
        "subsidies.csv, row 14": "Its property names no owner, and has no mortgage that stands.",
        "subsidies.csv, row 15": "It is of a property that no file of projects has.",
        "subsidies.csv, row 16": "It has the project number 00090041, which was there before.",
        "subsidies.csv, row 17": "It has the project number '8-90O41', which is not one of 8"
        " digits.",
    }
    assert sample.info.records_read == 12 + 6 + 16
    assert sample.info.unmapped == {"verified_by": 1}


def test_a_workbook_with_titles_and_a_file_of_another_kind(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["Insured multifamily mortgages"])
    names = "HUD PROJECT NUMBER,PROPERTY NAME,HOLDER NAME,INTEREST RATE,MATURITY DATE"
    book.active.append([*names.split(","), "SERVICER NAME", "AMORITIZED PRINCIPAL BALANCE"])
    book.active.append([6411241, "930 Poydras", "PNC BANK, NATIONAL ASSOCIATION", 3.25,
                        date(2056, 12, 1), "ORIX REAL ESTATE CAPITAL LLC", 42967122])  # fmt: skip
    book.active.append([6411242, "Poydras 2", "PNC BANK, NATIONAL ASSOCIATION", 325, None, None, 1])
    book.save(tmp_path / "list.xlsx")
    one = read(tmp_path / "list.xlsx")
    (row,) = one.loans.to_pylist()
    assert (row["loan_number"], row["interest_rate"], row["maturity_date"]) == (
        "FHA:06411241", 3.25, date(2056, 12, 1),
    )  # fmt: skip
    assert [layer["servicer"] for layer in one.layers.to_pylist()] == [holder(
        "ORIX REAL ESTATE CAPITAL LLC"
    )]  # fmt: skip
    assert rejected(one) == {
        "list.xlsx, row 4": 'INTEREST RATE "325" is not a percent figure from 0 to 50.'
    }
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(ImportRefused, match=r"other.csv has no header with the columns of a kind"):
        read(tmp_path / "other.csv")
    with pytest.raises(ImportRefused, match=r"projects.csv holds no insured mortgage."):
        read(SAMPLE / "projects.csv")


def test_the_list_and_the_catalogue_join_over_two_imports(tmp_path):
    """D217: of each kind the last file counts, and the list's figures stand beside the owner."""
    listed = (SAMPLE / "insured.csv").read_text("utf-8").splitlines()
    listed.append("ALDER COURT,Washington,DC,90041,120,2004-02-01,,9000000,8000000,PNC BANK,542(c)")
    (tmp_path / "list.csv").write_text("\n".join(listed), "utf-8")
    store = tmp_path / "store"
    for path in ([tmp_path / "list.csv"], [SAMPLE / "projects.csv", SAMPLE / "subsidies.csv"]):
        one, brought = hud.portfolio(
            path, as_of=DAY, earlier=lambda kind: [it for it, _ in filed.kept(store, "hud", kind)]
        )
        for kind, files in brought.items():
            filed.replace(store, "hud", kind, files)
    row = by_number(one)["00090041"]
    assert (row["book_value"], row["lender_normalized"], row["maturity_date"]) == (
        8_000_000, "PNC Bank", date(2045, 5, 1),
    )  # fmt: skip
    assert len(by_number(one)) == 13 + 4
    assert ("FHA:00090041", "Alder Court Limited Partnership") in [
        tie[:2] for tie in ties(one, "borrower")
    ]
    filed.replace(store, "hud", "insured", [SAMPLE / "insured.csv"])
    assert [path.name for path, _ in filed.kept(store, "hud", "insured")] == ["insured.csv"]


def test_a_mortgage_is_walked_to_its_owner_and_no_further_through_its_manager(tmp_path, sample):
    load(tmp_path, [sample])
    opened = Store(tmp_path)
    try:
        with opened.lease() as lease:
            found = lease.edge_evidence(
                EdgeQuery(from_loan="FHA:00090041", to_entity="Alder Court Limited Partnership")
            )
    finally:
        opened.close()
    (witness,) = found.witnesses
    assert (witness.method, witness.file, witness.record, witness.element) == (
        "registered", "projects.csv", "row 2", "Hud_Own_Name",
    )  # fmt: skip
    assert (witness.since, witness.confidence) == (date(2004, 1, 30), 0.95)


#: Typed by hand from the District's catalogue.
TEN = [
    ("00098041", "1330 7th St Apts (Immaculate Conception)", "1330 7th Street Limited Partnership",
     "Edgewood Management Corporation", date(2004, 2, 1), date(2045, 5, 1)),
    ("00011196", "Allen House", "Upper Room Housing Corporation", "Equity Management II LLC",
     date(2009, 5, 1), date(2044, 5, 1)),
    ("00011193", "Asbury Dwellings", "Asbury Dwellings, Inc.", "Edgewood Management Corporation",
     date(2008, 11, 1), date(2043, 11, 1)),
    ("00035495", "Belmont Crossing (Jeffrey Gardens)", "KSI Services, Inc. / Seventh Street SE LP",
     "Kettler Management / Oak Johnson", date(2012, 8, 1), date(2044, 8, 1)),
    ("00044142", "Brookland Manor (Brentwood Village Apts)", "Brentwood Associates",
     "Edgewood Management Corporation", date(1977, 8, 1), date(2017, 8, 1)),
    ("00035475", "Paul Lawrence Dunbar (Campbell Heights)",
     "Paul Laurence Dunbar Apartments, LP", "Grep Atlantic, LLC (Greystar)", date(2012, 7, 1),
     date(2051, 11, 1)),
    ("00035436", "Carver Hall Apts", "Carver Hall Limited Partnership", "Horning Brothers",
     date(2005, 1, 1), date(2035, 1, 1)),
    ("00011189", "Christopher Price House (Belmont Apts)", "Belmont Independent Living, Inc.",
     "Weil Enterprises", date(2006, 7, 1), date(2041, 7, 1)),
    ("00035439", "Benning Heights", "Benning Heights Limited Partnership", None,
     date(2005, 6, 1), date(2030, 6, 1)),  # ended 10 December 2015: its manager is today's
    ("00035427", "Hubbard Place (Cavalier Apts)", "Cavalier Apartments LP", None,
     date(2004, 3, 1), date(2024, 11, 1)),  # ended 24 April 2009
]  # fmt: skip


@pytest.mark.skipif(not GENUINE.exists(), reason="the shared data folder is not on this machine")
def test_owner_manager_property_and_mortgage_of_ten_genuine_properties():
    one = read(GENUINE)
    rows = by_number(one)
    owners = {tie[0]: tie[1] for tie in ties(one, "borrower")}
    managers = {tie[0]: tie[1] for tie in ties(one, "property_manager")}
    found = [
        (number, rows[number]["property_name"], owners[f"FHA:{number}"],
         managers.get(f"FHA:{number}"), rows[number]["origination_date"],
         rows[number]["maturity_date"])
        for number, *_ in TEN
    ]  # fmt: skip
    assert found == TEN


@pytest.mark.skipif(not GENUINE.exists(), reason="the shared data folder is not on this machine")
def test_genuine_counts_are_those_of_the_raw_files():
    one = read(GENUINE, SHARED / "hud-fha")
    with (GENUINE / "Project.csv").open(encoding="utf-8-sig") as opened:
        projects = {row["Nlihc_id"]: row for row in csv.DictReader(opened)}
    with (GENUINE / "Subsidy.csv").open(encoding="utf-8-sig") as opened:
        subsidies = list(csv.DictReader(opened))
    insured = [
        row for row in subsidies if row["subsidy_info_source"].startswith("HUD/Insured Multi")
    ]
    assert (len(projects), len(subsidies), len(insured)) == (362, 731, 105)
    assert one.info.records_read == 362 + 731 + 12
    assert len(by_number(one)) == 105 + 12
    owners = {" ".join(row["Hud_Own_Name"].split()) for row in projects.values()} - {""}
    managers = {" ".join(row["Hud_Mgr_Name"].split()) for row in projects.values()} - {""}
    names = set(one.entities["entity_name"].to_pylist())
    assert owners | managers <= names
    assert len(owners) == 250
    idle = [
        key for key, row in projects.items()
        if not row["Hud_Own_Name"].strip() and not row["Hud_Mgr_Name"].strip()
        and key not in {each["nlihc_id"] for each in insured}
    ]  # fmt: skip
    reasons = rejected(one)
    assert len(reasons) == 207
    assert list(reasons.values()).count(
        "It names no owner and no manager, and has no mortgage."
    ) == len(idle) == 63  # fmt: skip
    assert one.info.unmapped == {}
