"""A plain file of parties and links (D203): rows, reasons, and how it joins loans."""

from datetime import date
from pathlib import Path

import pytest

from services.contract.errors import ImportRefused, NotFound
from services.contract.evidence import EdgeQuery
from services.contract.queries import LoanQuery
from services.importers import identifiers
from services.importers.parties import portfolio
from services.store.leases import Store
from tests.publishing import load
from tests.world import SHOW, Sketch, info_of

HERE = Path(__file__).parent
SAMPLE = HERE / "sample_parties.csv"
DAY = date(2025, 6, 30)


@pytest.fixture(scope="module")
def sample():
    return portfolio(SAMPLE, as_of=DAY)


def deal():
    """Two loans of an older date, one with a chain of its own."""
    s = Sketch(info_of("sec-absee:Deal 1", date(2024, 1, 31)))
    for number in ("10", "11"):
        s.loan(f"Deal 1:{number}", confidence_tier=None)
    s.tie("Deal 1:11", "borrower", "Ash LLC", 0.8)
    s.link("Ash LLC", "owned_by", "Elm Partners", 0.75)
    return s.portfolio()


@pytest.fixture
def joined(tmp_path, sample):
    load(tmp_path, [deal()])
    snapshot = load(tmp_path, [sample])
    store = Store(tmp_path)
    with store.lease() as source:
        yield snapshot, source
    store.close()


def test_the_rows_of_the_file(sample):
    names = sample.entities["entity_name"].to_pylist()
    assert dict(zip(names, sample.entities["kind"].to_pylist(), strict=True)) == {
        "Elm Partners LP": "sponsor", "Ada Quill": "owner", "Oak LP": "borrower",
        "Bo Quill": "owner",
    }  # fmt: skip
    elsewhere = dict(sample.loans_elsewhere.to_pandas().values)
    edges = [
        (elsewhere.get(at) or names[e["from_entity"]], e["relation"], names[e["to_entity"]],
         e["confidence"], e["share"])
        for at, e in enumerate(sample.edges.to_pylist())
    ]  # fmt: skip
    assert edges == [
        ("Deal 1:10", "borrower", "Oak LP", 0.9, None),
        ("Elm Partners LP", "owned_by", "Ada Quill", 0.9, 0.6),
        ("Elm Partners LP", "owned_by", "Bo Quill", 0.9, 0.4),
        ("Deal 1:99", "borrower", "Oak LP", 0.9, None),
        ("Oak LP", "owned_by", "Elm Partners LP", 0.9, None),
    ]
    said = sample.witnesses.to_pylist()
    assert [(one["record"], one["element"]) for one in said] == [
        ("line 7", "prospectus p. 142"), ("line 8", None), ("line 9", None), ("line 11", None),
        ("line 6", "prospectus p. 143"),
    ]  # fmt: skip
    assert (said[1]["since"], said[1]["until"]) == (date(2019, 1, 1), date(2030, 12, 31))
    assert {one["method"] for one in said} == {"user's tape"}
    assert sample.info.unmapped == {"mood": 1}
    assert sample.info.records_read == 17
    assert sample.loans.num_rows == 0


def test_each_bad_record_is_rejected_with_its_reason(sample):
    found = {row["record"]: row["reason"] for row in sample.rejects.to_pylist()}
    assert {line: reason.partition(";")[0] for line, reason in found.items()} == {
        "line 4": "The record names the kind 'landlord', none of borrower, fund, guarantor, "
        "lender, operating entity, originator, owner, servicer, sponsor, tenant, trust.",
        "line 5": "The record has a lei, '5493001KJTIIGC8Y1R13', that is no LEI: its check digits "
        "do not hold.",
        "line 10": "The record names a sponsor of loan Deal 1:11 and no link its borrower.",
        "line 12": "The record has the relation 'married', none of borrower, sponsor, guarantor, "
        "capital_source, originator, servicer, tenant.",
        "line 13": "The record names neither or both of 'loan' and 'of'",
        "line 14": "The record has the share '160%', neither a fraction to 1 nor a percentage.",
        "line 15": "The record has '01/02/2019' as 'since', not a day as 2026-01-31.",
        "line 16": "The record has no name.",
        "line 17": "The record is 'note', neither party nor link.",
        "line 18": "The record ended on 31 Dec 2023.",
    }


def test_json_says_the_same(tmp_path):
    load(tmp_path, [deal()])
    load(tmp_path, [portfolio(HERE / "sample_parties.json", as_of=DAY)])
    store = Store(tmp_path)
    with store.lease() as source:
        chain = source.ownership("Deal 1:10").chain
        assert [(one.entity_name, one.extra.get("share")) for one in chain] == [
            ("Oak LP", None), ("Elm Partners LP", 1.0), ("Ada Quill", 0.6),
        ]  # fmt: skip
    store.close()


def test_parties_join_the_loans_that_are_there(joined):
    snapshot, source = joined
    assert snapshot.as_of == date(2024, 1, 31)  # of the loans, not of the file
    assert [(one.key, one.loans) for one in snapshot.sources] == [
        ("parties:sample parties", 0), ("sec-absee:Deal 1", 2),
    ]  # fmt: skip
    chain = source.ownership("Deal 1:10")
    assert [one.entity_name for one in chain.chain] == [
        "Oak LP", "Elm Partners LP", "Ada Quill", "Bo Quill",
    ]  # fmt: skip
    assert chain.confidence_tier == "confirmed"
    tiers = {one.loan_number: one.confidence_tier for one in source.loans(LoanQuery()).items}
    assert tiers == {"Deal 1:10": "confirmed", "Deal 1:11": "probable"}
    assert source.party_evidence("Elm Partners LP").party_id == "lei:5493001KJTIIGC8Y1R12"
    query = EdgeQuery(from_loan="Deal 1:10", to_entity="Oak LP", relation="borrower")
    [witness] = source.edge_evidence(query).witnesses
    assert (witness.source, witness.file, witness.element) == (
        "sample parties", "sample_parties.csv", "prospectus p. 142",
    )  # fmt: skip
    lost = [one for one in source.rejects() if one.record == "loan Deal 1:99"]
    assert [one.reason for one in lost] == ["No source here has a loan of this number."]
    assert snapshot.rejected == 11
    with pytest.raises(NotFound):
        source.loan("Deal 1:99")


def test_loans_and_parties_may_come_in_either_order(tmp_path, sample, joined):
    folder = tmp_path / "other"
    load(folder, [sample, deal()])
    load(folder, [deal()])  # again, by itself: the parties stay
    store = Store(folder)
    with store.lease() as source:
        assert source.ownership("Deal 1:10") == joined[1].ownership("Deal 1:10")
        assert source.snapshot().entities == joined[0].entities
    store.close()


def test_parties_without_loans_or_beside_made_up_ones_are_refused(tmp_path, sample):
    with pytest.raises(ImportRefused, match="no loan"):
        load(tmp_path / "a", [sample])
    load(tmp_path / "b", [SHOW])
    with pytest.raises(ImportRefused, match="no loan"):
        load(tmp_path / "b", [sample])
    with pytest.raises(ImportRefused, match="do not mix"):
        load(tmp_path / "c", [SHOW, sample])


@pytest.mark.parametrize(
    ("name", "raw", "sentence"),
    [
        ("a.csv", b"name,kind\nx,owner\n", "no column 'record'"),
        ("a.csv", b"record,name\nparty,\xff\n", "does not read as CSV in UTF-8"),
        ("a.csv", b"record,name\n", "no usable party or link"),
        ("a.csv", b"record,name\nnote,x\n", "no usable party.*The first reason: The record is"),
        ("a.json", b"[" * 100_000, "does not read as JSON"),
        ("a.json", b"[1]", "neither a list 'parties' nor a list 'links'"),
        ("a.json", b'{"parties": [1, null]}', "no usable party or link"),
    ],
)
def test_another_file_is_refused_in_a_sentence(tmp_path, name, raw, sentence):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(ImportRefused, match=sentence):
        portfolio(tmp_path / name, as_of=DAY)
    with pytest.raises(ImportRefused, match="there is no such file"):
        portfolio(tmp_path / "none.csv", as_of=DAY)


@pytest.mark.parametrize(
    ("read", "raw", "kept"),
    [
        (identifiers.lei, "5493 001k jtii gc8y 1r12", "5493001KJTIIGC8Y1R12"),
        (identifiers.cik, "0001706060", "1706060"),
        (identifiers.company_number, "us-de  7654321", "US-DE 7654321"),
    ],
)
def test_identifiers_are_kept_in_one_way(read, raw, kept):
    assert read(raw) == kept
    with pytest.raises(ValueError, match="is n"):
        read("x")
