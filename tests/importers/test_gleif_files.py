"""GLEIF's XML beside its JSON, hostile XML, and deltas in any order (D227)."""

import itertools
from datetime import date

import pytest

from services.contract.errors import ImportRefused
from services.importers import gleif
from tests.genuine import SHARED

DAY = date(2025, 6, 30)
ALDER, BEECH = "5493001KJTIIGC8Y1R12", "254900OPPU84GM83MG36"
ROOTS = {
    "lei": ("LEIData", "leidata", "LEIRecords", "LEIHeader"),
    "rr": ("RelationshipData", "rr", "RelationshipRecords", "Header"),
    "repex": ("ReportingExceptionData", "repex", "Exceptions", "Header"),
}


def xml(kind, *records, made="2025-01-01T08:00:00Z"):
    root, schema, listed, header = ROOTS[kind]
    text = "".join(records).replace("<", "<" + f"{kind}:").replace(f"<{kind}:/", f"</{kind}:")
    return (
        f'<{kind}:{root} xmlns:{kind}="http://www.gleif.org/data/schema/{schema}/2016">'
        f"<{kind}:{header}><{kind}:ContentDate>{made}</{kind}:ContentDate></{kind}:{header}>"
        f"<{kind}:{listed}>{text}</{kind}:{listed}></{kind}:{root}>"
    )


def gone(at):
    return f"<Extension><Deletion><DeletedAt>{at}</DeletedAt></Deletion></Extension>" if at else ""


def entity(number, name, updated, deleted=""):
    return (
        f"<LEIRecord><LEI>{number}</LEI><Entity><LegalName>{name}</LegalName>"
        f"<LegalAddress><FirstAddressLine>1 Way</FirstAddressLine><Country>GB</Country>"
        f"</LegalAddress></Entity><Registration><LastUpdateDate>{updated}</LastUpdateDate>"
        f"</Registration>{gone(deleted)}</LEIRecord>"
    )


def parent(updated, status="ACTIVE", deleted=""):
    return (
        f"<RelationshipRecord><Relationship><StartNode><NodeID>{ALDER}</NodeID></StartNode>"
        f"<EndNode><NodeID>{BEECH}</NodeID></EndNode>"
        "<RelationshipType>IS_DIRECTLY_CONSOLIDATED_BY</RelationshipType>"
        "<RelationshipPeriods><RelationshipPeriod><StartDate>2012-11-29T00:00:00Z</StartDate>"
        "<PeriodType>RELATIONSHIP_PERIOD</PeriodType></RelationshipPeriod></RelationshipPeriods>"
        f"<RelationshipStatus>{status}</RelationshipStatus></Relationship><Registration>"
        f"<LastUpdateDate>{updated}</LastUpdateDate></Registration>{gone(deleted)}"
        "</RelationshipRecord>"
    )


def exception(reason, deleted=""):
    return (
        f"<Exception><LEI>{BEECH}</LEI>"
        "<ExceptionCategory>ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT</ExceptionCategory>"
        f"<ExceptionReason>{reason}</ExceptionReason>{gone(deleted)}</Exception>"
    )


@pytest.fixture
def saved(tmp_path):
    numbers = itertools.count()

    def write(text):
        path = tmp_path / f"{next(numbers)}.xml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def said(one):
    """(from, relation, to, since) of links, (name, scheme or what it is about, value) of facts."""
    names = one.entities["entity_name"].to_pylist()
    edges = one.edges.to_pylist()
    links = {
        (names[edges[w["edge"]]["from_entity"]], edges[w["edge"]]["relation"],
         names[edges[w["edge"]]["to_entity"]], w["since"])
        for w in one.witnesses.to_pylist()
    }  # fmt: skip
    facts = {
        (names[row["entity"]], row["scheme"] or row["about"], row["value"])
        for row in one.particulars.to_pylist()
    }
    return links, facts


FULL = [
    xml("lei", entity(ALDER, "Alder plc", "2024-01-01T00:00:00Z"),
        entity(BEECH, "Beech &amp; Co", "2024-01-01T00:00:00Z")),
    xml("rr", parent("2024-01-01T00:00:00Z")),
    xml("repex", exception("NATURAL_PERSONS")),
]  # fmt: skip


def test_xml_says_what_a_reader_sees_in_it(saved):
    one = gleif.portfolio([saved(text) for text in FULL], as_of=DAY)
    links, facts = said(one)
    assert links == {("Alder plc", "owned_by", "Beech & Co", date(2012, 11, 29))}
    assert ("Beech & Co", "exception", "ultimate parent: NATURAL_PERSONS") in facts
    assert ("Alder plc", "address", "1 Way, GB") in facts
    assert (one.rejects.num_rows, one.info.records_read, one.info.unmapped) == (0, 4, {})


def test_genuine_xml_says_what_genuine_json_says():
    if not SHARED.is_dir():
        pytest.skip("the folder of public data is not here")
    folder = SHARED / "gleif"
    names = ("gleif_lei-data", "gleif_rr-data")
    as_xml = gleif.portfolio([folder / f"{name}.xml" for name in names], as_of=DAY)
    as_json = gleif.portfolio([folder / f"{name}.json" for name in names], as_of=DAY)
    assert said(as_xml) == said(as_json)
    assert as_xml.info.records_read == as_json.info.records_read == 23


@pytest.mark.parametrize("order", [1, -1])
def test_a_delta_changes_and_deletes_whatever_the_order_of_files(saved, order):
    late = "2025-02-01T00:00:00Z"
    deltas = [
        xml("lei", entity(ALDER, "New Alder plc", "2025-01-15T00:00:00Z"), made=late),
        xml("rr", parent("2024-01-01T00:00:00Z", deleted="2025-01-20T00:00:00Z"), made=late),
        xml("repex", exception("NO_LEI"), made=late),
    ]
    files = [saved(text) for text in [*FULL, *deltas]][::order]
    one = gleif.portfolio(files, as_of=DAY)
    links, facts = said(one)
    assert links == set()
    names = {value for _, about, value in facts if about == "name"}
    assert names == {"New Alder plc", "Beech & Co"}
    assert {value for _, about, value in facts if about == "exception"} == {
        "ultimate parent: NO_LEI"
    }
    assert [row["reason"] for row in one.rejects.to_pylist()] == ["It was deleted on 2025-01-20."]
    assert one.info.unmapped == {"(records that a later file replaces)": 3}
    assert one.info.records_read == 7


def test_a_link_that_a_delta_says_has_ended_ends_and_one_that_is_older_changes_nothing(saved):
    ended = saved(xml("rr", parent("2025-01-01T00:00:00Z", "INACTIVE")))
    one = gleif.portfolio([ended, *(saved(text) for text in FULL)], as_of=DAY)
    assert said(one)[0] == set()
    assert [row["reason"] for row in one.rejects.to_pylist()] == [
        "It is a relationship that is inactive."
    ]
    older = saved(xml("rr", parent("2023-01-01T00:00:00Z", "INACTIVE")))
    one = gleif.portfolio([*(saved(text) for text in FULL), older], as_of=DAY)
    assert len(said(one)[0]) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (FULL[0][:400], "not well-formed XML at line 1; is the file complete"),
        ("PK\x03\x04", "not well-formed XML"),
        ("", "not well-formed XML"),
        ("<html/>", "something else than GLEIF's records as XML"),
        ('<lei:LEIData xmlns:lei="http://evil.example/"/>', "something else than"),
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + FULL[0], "declares a document type"),
        ('<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
         + FULL[0].replace("Alder plc", "&a;"), "declares a document type"),
        ('<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "' + "&a;" * 1000 + '">]>'
         + FULL[0].replace("Alder plc", "&b;" * 1000), "not well-formed|declares a doc"),
        (FULL[0].replace("Alder plc", "<x>" * 30 + "</x>" * 30), "too deep or too long"),
        (FULL[0].replace("Alder plc", "<x/>" * 100_001), "too deep or too long"),
    ],
    ids=["cut", "zip", "empty", "html", "namespace", "doctype", "external", "bomb", "deep", "long"],
)  # fmt: skip
def test_xml_of_another_kind_is_refused_in_a_sentence(saved, text, sentence):
    with pytest.raises(ImportRefused, match=sentence):
        gleif.portfolio([saved(text)], as_of=DAY)
