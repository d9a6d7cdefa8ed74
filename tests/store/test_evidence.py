"""Identities over several sources, and old archives (D199)."""

from datetime import date

import pyarrow as pa
import pytest

from services.contract.evidence import EdgeQuery
from services.contract.queries import EntityQuery
from services.store import archive
from services.store.leases import Store
from tests.publishing import load
from tests.world import Sketch, info_of


def book(key, name, number, identifier, relation="originator"):
    s = Sketch(info_of(key, date(2024, 1, 31)))
    s.loan(number)
    s.tie(number, relation, name)
    s.witness(method="stated in the filing", file=f"{key}.xml", said=name)
    s.know(name, "identifier", identifier, "SEC CIK")
    s.know(name, "name", name, file=f"{key}.xml")
    return s.portfolio()


@pytest.fixture
def joined(tmp_path):
    """Three books: two that spell one registrant differently, one of another registrant."""
    books = [
        book("a", "Wells Fargo Bank", "A-1", "740906"),
        book("b", "WELLS FARGO BANK, N.A.", "B-1", "740906"),
        book("c", "Wells Fargo Securities", "C-1", "1"),
    ]
    load(tmp_path, books)
    store = Store(tmp_path)
    with store.lease() as source:
        yield source
    store.close()


def test_one_identifier_is_one_party_whatever_it_is_called(joined):
    listed = joined.entities(EntityQuery()).items
    assert [(one.entity_name, one.extra["party_id"]) for one in listed] == [
        ("Wells Fargo Bank", "cik:740906"),
        ("Wells Fargo Securities", "cik:1"),
    ]
    known = joined.party_evidence("WELLS FARGO BANK, N.A.")
    assert known.entity_name == "Wells Fargo Bank"
    names = [(one.value, one.source) for one in known.particulars if one.about == "name"]
    assert names == [
        ("WELLS FARGO BANK, N.A.", "Book of b"), ("Wells Fargo Bank", "Book of a"),
    ]  # fmt: skip
    for loan, said in (("A-1", "Wells Fargo Bank"), ("B-1", "WELLS FARGO BANK, N.A.")):
        query = EdgeQuery(from_loan=loan, to_entity="Wells Fargo Bank", relation="originator")
        [witness] = joined.edge_evidence(query).witnesses
        assert (witness.said, witness.file) == (said, f"{loan[0].lower()}.xml")


def test_sources_that_disagree_both_stand(tmp_path):
    books = []
    for key, part in (("a", 0.6), ("b", 0.4)):
        s = Sketch(info_of(key, date(2024, 1, 31)))
        s.loan(f"{key}-1")
        s.tie(f"{key}-1", "borrower", "Pier 9 LLC")
        s.link("Pier 9 LLC", "owned_by", "Ada Quill", 0.95, part)
        s.witness(method="registered", file=f"{key}.json")
        books.append(s.portfolio())
    load(tmp_path, books)
    store = Store(tmp_path)
    with store.lease() as source:
        query = EdgeQuery(from_entity="Pier 9 LLC", to_entity="Ada Quill")
        found = source.edge_evidence(query).witnesses
    store.close()
    assert [(one.source, one.share) for one in found] == [("Book of a", 0.6), ("Book of b", 0.4)]


def test_an_archive_of_before_there_was_evidence_still_loads(tmp_path):
    one = book("a", "Wells Fargo Bank", "A-1", "740906")
    archive.save_one(tmp_path / "old", one)
    for name in ("witnesses", "particulars"):
        (tmp_path / "old" / f"{name}.parquet").unlink()
    read = archive.load_one(tmp_path / "old")
    assert read.edges.equals(one.edges)
    assert isinstance(read.witnesses, pa.Table)
    assert read.witnesses.num_rows == read.particulars.num_rows == 0
    assert load(tmp_path / "store", [read]).loans == 1
