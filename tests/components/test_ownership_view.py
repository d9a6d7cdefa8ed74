"""Chains as links: weakest link, products, open ends, what is drawn, and the DOT source."""

import re

import pytest

from components.ownership import chains, diagram
from components.ownership.chains import LOAN, Link
from components.ownership.view import abreast
from services.contract.aggregates import EntityDossier, PartyLink, Share
from services.contract.records import ChainElement, OwnershipChain


def chain(*elements) -> OwnershipChain:
    """Elements as (name, role, confidence, level, of, share)."""
    made = []
    for name, role, confidence, level, of, share in elements:
        extra = {"level": level, "of": of, "share": share}
        kept = {key: value for key, value in extra.items() if value is not None}
        made.append(ChainElement(entity_name=name, role=role, confidence=confidence, extra=kept))
    return OwnershipChain(loan_number="L-1", chain=tuple(made))


def party(name, of, confidence=0.9, level=1, kind="owner", share=None) -> PartyLink:
    return PartyLink(
        entity_name=name,
        kind=kind,
        level=level,
        of=of,
        confidence=confidence,
        share=share,
        related_loan_count=2,
    )


def dossier(owners=(), holdings=(), kind="sponsor") -> EntityDossier:
    return EntityDossier(
        entity_name="Middle LP",
        kind=kind,
        confidence=0.9,
        confidence_tier="confirmed",
        book=Share(loans=1, book_value=1),
        by_state=(),
        by_property_type=(),
        by_lender=(),
        worst=None,
        signals_by_severity={},
        owners=tuple(owners),
        holdings=tuple(holdings),
        holdings_total=len(holdings),
    )


def nobody(_name):
    return ()


JOINT = chain(
    ("Elm Owner LLC", "borrower", 0.9, 0, None, None),
    ("Elm Sponsor", "sponsor", 0.8, 1, "Elm Owner LLC", None),
    ("Ada Quill", "owner", 0.5, 2, "Elm Sponsor", 0.75),
    ("Quill Family Trust", "owner", 1.0, 2, "Elm Sponsor", 0.25),
)


def test_products_run_along_the_path_of_each_joint_owner():
    found = chains.of_loan(JOINT, nobody)
    assert [(row.name, pytest.approx(row.product)) for row in found.tops] == [
        ("Ada Quill", 0.9 * 0.8 * 0.5),
        ("Quill Family Trust", 0.9 * 0.8 * 1.0),
    ]


def test_weakest_link_is_the_least_sure_of_all_links():
    found = chains.of_loan(JOINT, nobody)
    assert found.weakest == (Link("Ada Quill", "Elm Sponsor", 0.5, 0.75),)


def test_of_links_that_are_equally_sure_none_is_weakest():
    even = chain(("A", "borrower", 0.9, 0, None, None), ("B", "owner", 0.9, 1, "A", None))
    assert chains.of_loan(even, nobody).weakest == ()


def test_an_unknown_confidence_makes_the_product_unknown_and_is_not_the_weakest():
    found = chains.of_loan(
        chain(
            ("A", "borrower", 0.9, 0, None, None),
            ("B", "sponsor", None, 1, "A", None),
            ("C", "owner", 0.8, 2, "B", None),
        ),
        nobody,
    )
    assert [row.product for row in found.above] == [0.9, None, None]
    assert [link.owner for link in found.weakest] == ["C"]


def test_a_linear_chain_without_levels_is_read_in_its_order():
    plain = chain(("A", "borrower", 0.9, None, None, None), ("B", "owner", 0.8, None, None, None))
    found = chains.of_loan(plain, nobody)
    assert [(link.owner, link.owned) for link in found.links] == [("A", LOAN), ("B", "A")]


def test_nothing_is_linked_when_the_source_leaves_open_who_is_owned():
    found = chains.of_loan(
        chain(
            ("A", "borrower", 0.9, 0, None, None),
            ("B", "borrower", 0.9, 0, None, None),
            ("C", "owner", 0.8, 1, None, None),
        ),
        nobody,
    )
    assert found.above[-1].link is None
    assert {link.owned for link in found.links} == {LOAN}


@pytest.mark.parametrize(("role", "ends"), [("sponsor", ("A",)), ("owner", ()), (None, ("A",))])
def test_only_an_ultimate_owner_closes_a_chain(role, ends):
    found = chains.of_loan(chain(("A", role, 0.9, 0, None, None)), nobody)
    assert found.open_ends == ends


def test_a_second_way_to_a_listed_owner_is_drawn_and_is_no_open_end():
    found = chains.of_loan(
        chain(
            ("A", "borrower", 0.9, 0, None, None),
            ("B", "sponsor", 0.9, 1, "A", 0.5),
            ("C", "sponsor", 0.9, 1, "A", 0.5),
            ("Top", "owner", 0.9, 2, "B", None),
        ),
        lambda name: [party("Top", "C", 0.4), party("Higher", "Top")] if name == "C" else (),
    )
    assert found.open_ends == ()
    assert Link("Top", "C", 0.4, None) in found.weakest
    assert [(row.name, row.level, pytest.approx(row.product)) for row in found.further] == [
        ("Top", 2, 0.9 * 0.9 * 0.4)
    ]


def test_joint_owners_whose_own_owners_nobody_can_tell_are_no_open_ends():
    joint = chain(
        ("A", "borrower", 0.9, 0, None, None),
        ("B", "sponsor", 0.9, 1, "A", 0.5),
        ("C", "sponsor", 0.9, 1, "A", 0.5),
    )
    assert chains.of_loan(joint, nobody).open_ends == ("B", "C")
    assert chains.of_loan(joint, lambda _: None).open_ends == ()
    single = chain(("A", "borrower", 0.9, 0, None, None))
    assert chains.of_loan(single, lambda _: None).open_ends == ("A",)


def test_a_circle_of_holdings_has_no_top_and_ends():
    ring = chain(("A", "borrower", 0.9, 0, None, None), ("B", "sponsor", 0.9, 1, "A", None))
    found = chains.of_loan(ring, lambda name: [party("A", "B")] if name == "B" else ())
    assert found.tops == ()
    assert found.open_ends == ()


@pytest.mark.parametrize("share", ["half", True, -0.1, 1.1, None])
def test_a_share_that_is_no_fraction_is_not_shown(share):
    odd = chain(("A", "borrower", 0.9, 0, None, None), ("B", "owner", 0.9, 1, "A", share))
    assert chains.of_loan(odd, nobody).links[1].share is None


def test_arrows_run_from_owner_to_owned_above_and_below_an_entity():
    found = chains.of_entity(
        dossier([party("Top", "Middle LP", 0.8)], [party("Below", "Middle LP", 0.7)]), nobody
    )
    assert [(link.owner, link.owned) for link in found.links] == [
        ("Top", "Middle LP"),
        ("Middle LP", "Below"),
    ]
    assert [row.product for row in (*found.above, *found.below)] == [0.8, 0.7]


def test_an_entity_without_any_link_has_no_open_end():
    assert chains.of_entity(dossier(kind="lender"), nobody).open_ends == ()
    assert chains.of_entity(dossier(holdings=[party("B", "Middle LP")]), nobody).open_ends == (
        "Middle LP",
    )


def test_at_most_so_many_are_drawn_side_by_side_and_none_hangs_in_the_air():
    holdings = [party(f"H{at}", "Middle LP") for at in range(6)]
    holdings += [party("Under H5", "H5", level=2), party("Under H0", "H0", level=2)]
    drawn = abreast(chains.of_entity(dossier(holdings=holdings), nobody), most=4)
    assert list(drawn.kinds) == ["Middle LP", "H0", "H1", "H2", "H3", "Under H0"]
    assert len(drawn.links) == 5


def test_dot_draws_the_loan_every_link_and_one_weakest():
    joint = chains.of_loan(JOINT, nobody)
    source = diagram.dot(joint, weakest=joint.weakest, loan_number="L-1")
    assert re.findall(r"^(n\d) -> (n\d)", source, re.MULTILINE) == [
        ("n1", "n0"),
        ("n2", "n1"),
        ("n3", "n2"),
        ("n4", "n2"),
    ]
    assert source.count(", weakest link 0.50</font>") == 1
    assert ">Owns 75%, " in source
    assert ">Borrows, confidence 0.90<" in source
    assert '"?\\nowner not named"' not in source
    assert "dotted" not in source  # it would mean: not known to be direct


def test_dot_ends_an_open_chain_with_an_outlined_question_mark():
    found = chains.of_loan(chain(("A", "sponsor", 0.9, 0, None, None)), nobody)
    assert '"?\\nowner not named"' in diagram.dot(found, weakest=found.weakest, loan_number="L")


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("<script>alert(1)</script>", '"<script>alert(1)</script>\\nOwner"'),
        ('a"b\\c', '"a\\"b\\\\c\\nOwner"'),
        ("ends in \\", '"ends in \\\\\\nOwner"'),
        ("A &lt; B", '"A &amp;lt; B\\nOwner"'),
        ("one\n\ntwo\x00", '"one two\N{REPLACEMENT CHARACTER}\\nOwner"'),
        ("\\N \\G", '"\\\\N \\\\G\\nOwner"'),
        (
            "A very long name that no box of this diagram could ever hold, LLC",
            '"A very long name that no box\\nof this diagram could ever …\\nOwner"',
        ),
    ],
)
def test_dot_shows_a_name_as_text(name, label):
    found = chains.of_loan(chain((name, "owner", 0.9, 0, None, None)), nobody)
    source = diagram.dot(found, weakest=found.weakest, loan_number="L")
    assert f"label={label}" in source
    assert len(source.splitlines()) == 9


@pytest.mark.parametrize(
    ("name", "kind", "form"),
    [
        ("Elm Street Holdings LLC", "borrower", diagram.ORGANISATION),
        ("Quill Family Trust", "owner", diagram.ORGANISATION),
        ("Ada Quill", "owner", diagram.NOT_STATED),
        ("Ada Quill", "person", diagram.PERSON),
        ("Harbour", "lender", diagram.ORGANISATION),
        ("Harbour", None, diagram.NOT_STATED),
        ("???", "sponsor", diagram.NOT_STATED),
    ],
)
def test_nobody_is_guessed_to_be_a_person(name, kind, form):
    assert diagram.form_of(name, kind) == form


def test_a_diagram_that_leaves_the_weakest_link_out_marks_no_other():
    joint = chains.of_loan(JOINT, nobody)
    assert "weakest link" not in diagram.dot(joint, weakest=(), loan_number="L-1")


@pytest.mark.parametrize(
    ("sure", "head"),
    [
        ((0.9, 0.7, 0.9), "Elm Sponsor"),
        ((0.9, 0.69, 0.9), None),
        ((0.69, 0.9, 0.9), None),
        ((0.9, 0.9, 0.1), "Elm Sponsor"),
    ],
)
def test_a_loan_is_in_the_family_of_its_first_sponsor_over_sure_links(sure, head):
    # D58
    borrower, sponsor, owner = sure
    holdings = chains.of_loan(
        chain(
            ("Elm Owner LLC", "borrower", borrower, 0, None, None),
            ("Elm Sponsor", "sponsor", sponsor, 1, "Elm Owner LLC", None),
            ("Ada Quill", "owner", owner, 2, "Elm Sponsor", None),
        ),
        nobody,
    )
    assert chains.head_of_family(holdings) == head


def test_without_a_sponsor_the_first_owner_heads_the_family():
    holdings = chains.of_loan(
        chain(
            ("Elm Owner LLC", "borrower", 0.9, 0, None, None),
            ("Ada Quill", "owner", 0.9, 1, "Elm Owner LLC", None),
        ),
        nobody,
    )
    assert chains.head_of_family(holdings) == "Ada Quill"
    assert chains.head_of_family(chains.of_loan(chain(), nobody)) is None
