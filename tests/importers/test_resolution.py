"""Parties that are one over several sources, and those that only look so (D228, D229)."""

from datetime import date

import pytest

from services.contract.portfolio import SourceInfo
from services.contract.resolution import Pair
from services.importers.ties import Place, Ties, without_loans
from services.resolution.applied import resolved

ELM, ELM_TOO = "Elm Street Partners LLC", "ELM STREET PARTNERS, L.L.C."
OAK = "1 Oak Street, Reno, NV 89501"
PAIR = Pair.of("party", ELM, ELM_TOO)


def source(title, *parties, owns=()):
    """Parties as (name, address, LEI)."""
    ties = Ties()
    for name, address, number in parties:
        ties.party(name, "owner")
        if address:
            ties.know(name, "address", address)
        if number:
            ties.know(name, "identifier", number, scheme="LEI")
    for below, above in owns:
        ties.tie(below, "owned_by", above, "registered", Place("a.csv"))
    info = SourceInfo(key=title, importer="parties", title=title, publisher="", terms="",
                      as_of=date(2026, 9, 30), provenance="reported", files=("a.csv",))  # fmt: skip
    return without_loans(info, ties, [])


def names(found):
    return [sorted(one.entities["entity_name"].to_pylist()) for one in found.sources]


def test_one_name_at_one_address_is_one_party_with_both_spellings():
    books = [source("A", (ELM, OAK, None)),
             source("B", (ELM_TOO, "1 OAK ST #4, RENO NV 89501", None), ("Ash", None, None),
                    owns=[("Ash", ELM_TOO)])]  # fmt: skip
    found = resolved(books, {})
    assert names(found) == [[ELM], ["Ash", ELM]]
    (match,) = found.matches.to_pylist()
    assert match["joined"]
    assert match["score"] >= 0.9
    assert match["sources"] == ["A", "B"]
    # Owned as registered, 0.95, and recognised by the score.
    (edge,) = found.sources[1].edges.to_pylist()
    assert edge["confidence"] == pytest.approx(0.95 * match["score"])
    assert found.sources[1].witnesses["match"].to_pylist() == pytest.approx([match["score"]])
    assert ELM_TOO in found.sources[1].particulars["value"].to_pylist()
    # The same sources give the same answer, to the last digit.
    assert resolved(books, {}).matches.equals(found.matches)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((ELM, OAK, None), (ELM_TOO, None, None)),  # a name alone
        ((ELM, OAK, None), (ELM_TOO, "9 Pine Road, Miami, FL 33101", None)),
        ((ELM, OAK, "5493001KJTIIGC8Y1R12"), (ELM_TOO, OAK, "213800WSGIIZCXF1P572")),
        (("Elm Fund II LLC", OAK, None), ("Elm Fund III LLC", OAK, None)),
        (("Elm Fund LLC", OAK, None), ("Elm Fund LP", OAK, None)),
    ],
)
def test_what_only_looks_alike_stays_two(first, second):
    found = resolved([source("A", first), source("B", second)], {})
    assert names(found) == [[first[0]], [second[0]]]
    assert not any(found.matches["joined"].to_pylist())


def test_an_owner_is_not_what_it_owns():
    book = source("A", (ELM, OAK, None), (ELM_TOO, OAK, None), owns=[(ELM, ELM_TOO)])
    assert resolved([book], {}).matches.num_rows == 0


def test_an_address_of_many_parties_proves_nothing():
    crowd = [(f"{letter * 4} Holdings LLC", OAK, None) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY"]
    books = [source("A", (ELM, OAK, None), *crowd), source("B", (ELM_TOO, OAK, None))]
    (match,) = [m for m in resolved(books, {}).matches.to_pylist() if m["first"] == PAIR.first]
    assert not match["joined"]
    assert match["reasons"][1] == "Same address, which 26 parties share: it proves nothing."


def test_later_imports_honour_what_users_said():
    same, alone = ((ELM, OAK, None), (ELM_TOO, OAK, None)), ((ELM, None, None), ("Yew", None, None))
    rejected = resolved([source("A", same[0]), source("B", same[1])], {PAIR: "rejected"})
    assert names(rejected) == [[ELM], [ELM_TOO]]
    said = {Pair.of("party", ELM, "Yew"): "accepted"}
    accepted = resolved([source("A", alone[0]), source("B", alone[1])], said)
    assert names(accepted) == [[ELM], [ELM]]
    assert accepted.matches["joined"].to_pylist() == [True]
