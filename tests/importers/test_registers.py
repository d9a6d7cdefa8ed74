"""Registers of owners (D204): BODS 0.4, GLEIF and the UK register, on made-up files and genuine."""

import json
from datetime import date

import pytest

from services.contract.errors import ImportRefused
from services.contract.evidence import EdgeQuery
from services.importers import bods, gleif, uk_psc
from services.store.leases import Store
from tests.genuine import SHARED
from tests.publishing import load
from tests.world import Sketch, info_of

DAY = date(2025, 6, 30)
LEIS = ("5493001KJTIIGC8Y1R12", "254900OPPU84GM83MG36")


def edges(one):
    """(from, relation, to, share, what is said, since) of each witness."""
    names = one.entities["entity_name"].to_pylist()
    found = one.edges.to_pylist()
    return [
        (names[found[w["edge"]]["from_entity"]], found[w["edge"]]["relation"],
         names[found[w["edge"]]["to_entity"]], found[w["edge"]]["share"], w["said"], w["since"])
        for w in one.witnesses.to_pylist()
    ]  # fmt: skip


def reasons(one):
    return [row["reason"] for row in one.rejects.to_pylist()]


def known(one, name):
    names = one.entities["entity_name"].to_pylist()
    return [
        (row["scheme"] or row["about"], row["value"])
        for row in one.particulars.to_pylist()
        if names[row["entity"]] == name
    ]


@pytest.fixture
def written(tmp_path):
    def write(content, name="file.json"):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def entity(record, name, **details):
    kind = {"entityType": {"type": "registeredEntity"}, "name": name}
    return {"recordId": record, "recordType": "entity", "recordDetails": {**kind, **details}}


def person(record, name, born=None):
    details = {"personType": "knownPerson", "names": [{"fullName": name}] if name else []}
    details |= {"birthDate": born} if born else {}
    return {"recordId": record, "recordType": "person", "recordDetails": details}


def holds(record, subject, owner, *interests, status="new", **details):
    details |= {"subject": subject, "interestedParty": owner, "interests": list(interests)}
    return {"recordId": record, "recordType": "relationship", "recordStatus": status,
            "statementDate": "2024-01-31", "recordDetails": details}  # fmt: skip


SHARES = {"type": "shareholding", "directOrIndirect": "direct"}


def test_bods_says_who_holds_what(written):
    number = [{"scheme": "GB-COH", "id": "01234567"}, {"scheme": "XI-LEI", "id": LEIS[0]},
              {"scheme": "IRL-TAXID", "id": "1"}]  # fmt: skip
    one = bods.portfolio(
        [written([
            entity("a", "Old Name Ltd"),
            entity("a", "Alder Ltd", identifiers=number, jurisdiction={"code": "GB"}),
            entity("b", "State of Alder", entityType={"type": "state"}),
            person("p", "Joe Quill", "1970-01"),
            person("q", "Joe Quill", "1990-01"),
            person("n", None),
            holds("1", "a", "p", {**SHARES, "share": {"exact": 60}, "startDate": "2019-01-01"},
                  {"type": "votingRights", "share": {"minimum": 25, "exclusiveMaximum": 50}}),
            holds("2", "a", "q", {**SHARES, "share": {"minimum": 25, "maximum": 50}},
                  {**SHARES, "endDate": "2020-02-01"}),
            holds("3", "a", "b", {"type": "boardMember"}),
            holds("4", "a", "n", SHARES),
            holds("5", "a", {"reason": "noBeneficialOwners"}),
            holds("6", "a", "p", SHARES, status="closed"),
            holds("7", "a", "p", {"directOrIndirect": "indirect"}, componentRecords=["1"]),
        ])],
        as_of=DAY,
    )  # fmt: skip
    assert edges(one) == [
        ("Alder Ltd", "owned_by", "Joe Quill", 0.6, "shareholding, direct, 60 %",
         date(2019, 1, 1)),
        ("Alder Ltd", "owned_by", "Joe Quill", None, "votingRights, 25 to 50 %", None),
        ("Alder Ltd", "owned_by", "Joe Quill (born 1990-01)", None,
         "shareholding, direct, 25 to 50 %", None),
        ("Alder Ltd", "controlled_by", "State of Alder", None, "boardMember", None),
    ]  # fmt: skip
    assert known(one, "Alder Ltd") == [
        ("company number", "GB 01234567"), ("LEI", LEIS[0]), ("name", "Alder Ltd"),
        ("jurisdiction", "GB"), ("legal kind", "company"),
    ]  # fmt: skip
    assert known(one, "State of Alder") == [("legal kind", "public body")]
    assert reasons(one) == [
        "It names nobody: knownPerson.",
        "It ended on 1 Feb 2020.",
        "It is of record n, which the file does not describe.",
        "It names nobody: noBeneficialOwners.",
        "It ended on 31 Jan 2024.",
        "It is indirect, and what it consists of is listed.",
    ]
    assert {row["confidence"] for row in one.edges.to_pylist()} == {0.95}


def level_1(number, name, **more):
    given = {"LegalName": name, "EntityCategory": "GENERAL", **more}
    return {"LEI": number, "Entity": given}


def level_2(start, end, kind="IS_DIRECTLY_CONSOLIDATED_BY", status="ACTIVE", **period):
    nodes = {"StartNode": {"NodeID": start}, "EndNode": {"NodeID": end}}
    told = {"PeriodType": "RELATIONSHIP_PERIOD", "StartDate": "2012-11-29T00:00:00Z", **period}
    return {"Relationship": {**nodes, "RelationshipType": kind, "RelationshipStatus": status,
                             "RelationshipPeriods": [told]}}  # fmt: skip


def test_gleif_says_who_a_number_belongs_to_and_its_parents(written):
    registered = {"RegistrationAuthorityID": "RA000585", "RegistrationAuthorityEntityID": "0300"}
    files = [
        written([
            level_2(LEIS[0], LEIS[1]),
            level_2(LEIS[0], LEIS[1], "IS_FUND-MANAGED_BY", "INACTIVE"),
            level_2(LEIS[0], LEIS[1], "IS_NEIGHBOUR_OF"),
            level_2(LEIS[0], LEIS[1], EndDate="2020-01-01T00:00:00Z"),
        ], "a.json"),
        written([
            level_1(LEIS[0], "Alder plc", RegistrationAuthority=registered,
                    LegalAddress={"FirstAddressLine": "1 Way", "Country": "GB"},
                    OtherEntityNames=[{"OtherEntityName": "Old Alder plc"}]),
            level_1("5493001KJTIIGC8Y1R13", "Wrong plc"),
            {"LEI": LEIS[0], "Entity": {}},
        ], "b.json"),
        written([{"LEI": LEIS[1], "ExceptionReason": "NATURAL_PERSONS",
                  "ExceptionCategory": "ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT"}], "c.json"),
    ]  # fmt: skip
    one = gleif.portfolio(files, as_of=DAY)
    assert edges(one) == [
        ("Alder plc", "owned_by", f"LEI {LEIS[1]}", None, "IS_DIRECTLY_CONSOLIDATED_BY",
         date(2012, 11, 29)),
    ]  # fmt: skip
    assert known(one, "Alder plc") == [
        ("LEI", LEIS[0]), ("name", "Alder plc"), ("name", "Old Alder plc"),
        ("company number", "GB 0300"), ("address", "1 Way, GB"), ("legal kind", "company"),
    ]  # fmt: skip
    assert known(one, f"LEI {LEIS[1]}") == [
        ("LEI", LEIS[1]), ("exception", "ultimate parent: NATURAL_PERSONS"),
    ]  # fmt: skip
    assert reasons(one) == [
        "It is no LEI: its check digits do not hold.",
        "It lacks a value, or has one of another kind.",
        "It is a relationship that is inactive.",
        "It is a relationship of the unknown type 'IS_NEIGHBOUR_OF'.",
        "It ended on 1 Jan 2020.",
    ]


def psc(number="1234567", kind="individual-person-with-significant-control", **data):
    return {"company_number": number, "data": {"kind": kind, **data}}


def test_the_uk_register_tells_people_of_one_name_apart(written):
    joe = {"name_elements": {"forename": "Joe", "surname": "Quill"}}
    company = {"kind": "corporate-entity-person-with-significant-control", "name": "Alder Ltd"}
    here = {"country_registered": "England", "registration_number": "89101112"}
    lines = [
        psc(**joe, date_of_birth={"year": 1970, "month": 1}, notified_on="2016-04-06",
            natures_of_control=["ownership-of-shares-25-to-50-percent"],
            address={"premises": "1", "locality": "Alder"}),
        psc(**joe, date_of_birth={"year": 1990, "month": 10},
            natures_of_control=["right-to-appoint-and-remove-directors"]),
        psc("SC1", **company, identification=here),
        psc(**company, identification={"country_registered": "West Yorkshire"}),
        psc(**joe, ceased_on="2016-10-11"),
        psc(kind="persons-with-significant-control-statement", statement="no-individual"),
        {"data": {"kind": "totals"}},
        psc("not a number!", **joe),
        psc(name_elements={"surname": "Q" * 1_001}),
    ]  # fmt: skip
    one = uk_psc.portfolio([written("\n".join(map(json.dumps, lines)))], as_of=DAY)
    held = "Company GB 01234567"
    assert edges(one) == [
        (held, "owned_by", "Joe Quill (born 1970-01)", None,
         "ownership-of-shares-25-to-50-percent", date(2016, 4, 6)),
        (held, "controlled_by", "Joe Quill (born 1990-10)", None,
         "right-to-appoint-and-remove-directors", None),
        ("Company GB 00000SC1", "controlled_by", "Alder Ltd", None,
         "natures of control not stated", None),
        (held, "controlled_by", "Alder Ltd (number not stated)", None,
         "natures of control not stated", None),
    ]  # fmt: skip
    assert known(one, "Alder Ltd")[0] == ("company number", "GB 89101112")
    assert reasons(one) == [
        "It ended on 11 Oct 2016.",
        "It names nobody: no-individual.",
        "It names nobody: totals.",
        "It is not a company number with its country before it, as in GB 01234567.",
        "It has a name that is empty or longer than 1,000 characters.",
    ]


@pytest.mark.parametrize("importer", [bods, gleif, uk_psc])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [("<xml/>", "does not read as JSON"), ("[1]", "something else than JSON objects"),
     ([{"a": 1}], "no list of BODS|something else than"), ([], "no usable party")],
)  # fmt: skip
def test_another_file_is_refused_in_a_sentence(written, importer, content, sentence):
    with pytest.raises(ImportRefused, match=sentence):
        importer.portfolio([written(content)], as_of=DAY)


def test_registers_lengthen_the_chain_of_a_filed_loan(tmp_path, written):
    """A borrower that another source names by its company number is the register's company."""
    s = Sketch(info_of("deal", date(2024, 1, 31)))
    s.loan("L1", confidence_tier=None)
    s.tie("L1", "borrower", "Alder Holdings", 0.9)
    s.know("Alder Holdings", "identifier", "GB 01234567", "company number")
    joe = {"name_elements": {"forename": "Joe", "surname": "Quill"},
           "natures_of_control": ["voting-rights-25-to-50-percent"]}  # fmt: skip
    load(tmp_path / "store", [s.portfolio()])
    load(tmp_path / "store", [uk_psc.portfolio([written([psc(**joe)])], as_of=DAY)])
    store = Store(tmp_path / "store")
    with store.lease() as source:
        chain = source.ownership("L1").chain
        assert [one.entity_name for one in chain] == ["Alder Holdings", "Joe Quill"]
        query = EdgeQuery(from_entity="Alder Holdings", to_entity="Joe Quill")
        [witness] = source.edge_evidence(query).witnesses
        assert (witness.method, witness.said) == ("registered", "voting-rights-25-to-50-percent")
    store.close()


@pytest.mark.skipif(not (SHARED / "bods").is_dir(), reason="the shared data folder is not here")
def test_the_folders_of_genuine_and_published_records():
    """Every relationship is an edge's witness or a reject; counted from the files themselves."""
    one = bods.portfolio([SHARED / "bods"], as_of=DAY)
    places, statements = set(), 0
    for path in sorted((SHARED / "bods").glob("*.json")):
        listed = json.loads(path.read_text(encoding="utf-8"))
        last = {s["recordId"]: (at, s["recordType"]) for at, s in enumerate(listed, 1)}
        places |= {(path.name, f"record {at}") for at, kind in last.values() if kind[0] == "r"}
        statements += len(listed)
    said = {(row["file"], row["record"]) for row in one.witnesses.to_pylist()}
    rejected = {tuple(r["record"].split(", ")[:2]) for r in one.rejects.to_pylist()}
    assert one.info.records_read == statements == 119
    assert said <= places <= said | rejected
    assert (len(places), len(said)) == (44, 33)
    one = gleif.portfolio([SHARED / "gleif"], as_of=DAY)
    values = [row["value"] for row in one.particulars.to_pylist() if row["scheme"] == "LEI"]
    assert (one.witnesses.num_rows, one.rejects.num_rows) == (10, 0)
    assert len(set(values)) == one.entities.num_rows
    exceptions = [r for r in one.particulars.to_pylist() if r["about"] == "exception"]
    assert len(exceptions) == 10
    one = uk_psc.portfolio([SHARED / "uk-psc"], as_of=DAY)
    assert (one.witnesses.num_rows, one.rejects.num_rows) == (6, 7)
