"""Where sources disagree (D255), typed by hand."""

from datetime import date

import pytest

from services.contract.queries import Query
from services.store.leases import Store
from tests.publishing import load
from tests.world import Sketch, info_of

DAY = date(2024, 1, 31)


@pytest.fixture
def found(tmp_path):
    """(about, subject, target, word, {source: values}) of what sources draw."""
    stores = []

    def ask(*sketches, query=None):
        store = Store(tmp_path)
        stores.append(store)
        load(tmp_path, [s.portfolio() for s in sketches])
        with store.lease() as source:
            page = source.disagreements(query or Query())
        return page.total, [
            (one.about, one.subject, one.target, one.word,
             {said.source[-1]: said.values for said in one.stated})
            for one in page.items
        ]  # fmt: skip

    yield ask
    for store in stores:
        store.close()


def share(key, part, other="Ada Quill", relation="owned_by", **held):
    s = Sketch(info_of(key, DAY))
    s.loan(f"{key}-1")
    s.tie(f"{key}-1", "borrower", "Pier 9 LLC")
    s.witness(method="stated in the filing")
    s.link("Pier 9 LLC", relation, other, 0.95, part)
    s.witness(method="registered", **held)
    return s


def test_two_shares_of_one_link_and_a_third_source_that_agrees_with_one(found):
    total, listed = found(share("a", 0.6), share("b", 0.4), share("c", 0.4))
    assert total == 1
    assert listed == [("share", "Pier 9 LLC", "Ada Quill", "owned_by",
                       {"a": ("60%",), "b": ("40%",), "c": ("40%",)})]  # fmt: skip


@pytest.mark.parametrize(
    "other",
    [
        share("b", 0.6),
        share("b", None),
        share("b", 0.4, other="Bo Quill"),
        share("b", 0.4, relation="controlled_by"),
        share("b", 0.4, until=date(2018, 12, 31)),
    ],
    ids=["same", "unsaid", "other owner", "other relation", "held before"],
)
def test_what_does_not_contradict_is_not_listed(found, other):
    assert found(share("a", 0.6, since=date(2019, 1, 1)), other) == (0, [])


def test_the_last_day_of_one_and_the_first_of_the_other_are_one_time(found):
    day = date(2019, 1, 1)
    assert found(share("a", 0.6, since=day), share("b", 0.4, until=day))[0] == 1


def test_one_source_that_says_two_things_disagrees_with_nobody(found):
    both = share("a", 0.6)
    both.link("Pier 9 LLC", "owned_by", "Ada Quill", 0.95, 0.4)
    both.witness(method="registered")
    assert found(both)[0] == 0
    assert found(both, share("b", 0.4))[0] == 0
    assert found(both, share("b", 0.3))[1][0][4] == {"a": ("40%", "60%"), "b": ("30%",)}


def party(key, **facts):
    s = Sketch(info_of(key, DAY))
    s.loan(f"{key}-1")
    s.party("Elm LP", "owner")
    for about, value in facts.items():
        scheme = {"cik": "SEC CIK", "hud": "HUD"}.get(about)
        s.know("Elm LP", "identifier" if scheme else about.replace("_", " "), value, scheme)
    return s


def test_facts_of_a_party_of_which_it_has_one(found):
    one = {"hud": "H1", "jurisdiction": "US-DE", "legal_kind": "company", "address": "1 Elm Way"}
    other = {"hud": "H2", "jurisdiction": "US-NY", "legal_kind": "company", "address": "2 Oak St"}
    total, listed = found(party("a", **one), party("b", **other), party("c", hud="H1"))
    assert total == 2
    assert listed == [
        ("identifier", "Elm LP", None, "HUD", {"a": ("H1",), "b": ("H2",), "c": ("H1",)}),
        ("jurisdiction", "Elm LP", None, None, {"a": ("US-DE",), "b": ("US-NY",)}),
    ]
    assert found(party("a", **one), party("b", **other), query=Query(page=2, per_page=1)) == (
        2, listed[1:],
    )  # fmt: skip
