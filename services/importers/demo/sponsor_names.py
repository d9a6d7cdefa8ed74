"""What sponsors and their owners are called: companies, and the people whose names some bear."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.importers.demo.assumptions import Assumptions, Bools, Ints
from services.importers.demo.draws import Generator, chance, weighted
from services.importers.demo.names import coined, drawn, joined, named_by, one_of, picked

BY_PLACE, COINED, BY_TOWN, BY_FAMILY, BY_PARTNERS, BY_INITIALS = range(6)
STYLES = np.array([0.36, 0.06, 0.11, 0.18, 0.14, 0.15])
NAMED_FOR_A_PERSON = (BY_FAMILY, BY_PARTNERS, BY_INITIALS)
INITIALS = pa.array([chr(code) for code in range(ord("A"), ord("Y"))])
INITIAL_SHOWN = 0.67  # of people
#: Of a sponsor's further owners: persons, persons or family trusts; the rest are funds.
PERSONS, TRUSTS = 0.35, 0.80
RELATIVES = 0.55  # of those, where the sponsor bears the founder's name


@dataclass(frozen=True, slots=True)
class Companies:
    """Sponsors: the company, and the person who founded it and owns it."""

    name: pa.Array  # "Delgado Brothers Development"
    operating: pa.Array  # what its operating entities are called: "Delgado Development Holdings"
    founder: pa.Array  # "Maria K. Delgado"
    surname: pa.Array  # the founder's
    personal: Bools  # whether the company bears the founder's name or initials


def companies(rng: Generator, data: Assumptions, town: pa.Array) -> Companies:
    """One sponsor for each town of its home state."""
    words, rows = data.words, len(town)
    style = weighted(rng, STYLES, rows)
    given, middle = drawn(rng, words["given"], rows), drawn(rng, INITIALS, rows)
    surname, partner = drawn(rng, words["surname"], rows), drawn(rng, words["surname"], rows)
    letters = joined(_first(given), middle, _first(surname))
    taken = pc.is_in(letters, value_set=words["taken_initials"]).to_numpy(zero_copy_only=False)
    taken |= pc.equal(surname, partner).to_numpy(zero_copy_only=False) & (style == BY_PARTNERS)
    style = np.where(taken & np.isin(style, (BY_INITIALS, BY_PARTNERS)), BY_FAMILY, style)
    stem = named_by(
        style,
        [
            joined(drawn(rng, words["first"], rows), " ", drawn(rng, words["second"], rows)),
            drawn(rng, coined(words), rows),
            town,
            surname,
            joined(surname, " & ", partner),
            letters,
        ],
    )
    form = rng.integers(0, len(words["sponsor_form"]), rows)
    family = rng.integers(0, len(words["family_form"]), rows)
    of_family = style == BY_FAMILY
    shown = (style == BY_INITIALS) | chance(rng, INITIAL_SHOWN, rows)
    return Companies(
        name=joined(stem, " ", _formed(words, of_family, "family_form", family, form)),
        operating=joined(stem, " ", _formed(words, of_family, "family_operating", family, form)),
        founder=_person(given, middle, surname, shown),
        surname=surname,
        personal=np.isin(style, NAMED_FOR_A_PERSON),
    )


def further_owners(rng: Generator, data: Assumptions, of: Companies, sponsor: Ints) -> pa.Array:
    """Who owns beside the founder, one a row of `sponsor`: relatives, others, trusts, funds."""
    words, rows = data.words, len(sponsor)
    kin = of.personal[sponsor] & chance(rng, RELATIVES, rows)
    surname = one_of(kin, picked(of.surname, sponsor), drawn(rng, words["surname"], rows))
    given = drawn(rng, words["given"], rows)
    person = _person(given, drawn(rng, INITIALS, rows), surname, chance(rng, INITIAL_SHOWN, rows))
    trust = joined(given, " ", surname, " ", drawn(rng, words["trust_form"], rows))
    fund = joined(
        drawn(rng, words["first"], rows), " ", drawn(rng, words["second"], rows), " ",
        drawn(rng, words["owner_fund_form"], rows), drawn(rng, words["numeral"], rows), " LP",
    )  # fmt: skip
    draw = rng.random(rows)
    style = np.where(kin, draw >= PERSONS / TRUSTS, (draw >= PERSONS) * 1 + (draw >= TRUSTS))
    return named_by(style.astype(np.int64), [person, trust, fund])


def _formed(
    words: dict[str, pa.Array], family: Bools, key: str, of_family: Ints, other: Ints
) -> pa.Array:
    usual = {"family_form": "sponsor_form", "family_operating": "operating_form"}[key]
    return one_of(family, picked(words[key], of_family), picked(words[usual], other))


def _person(given: pa.Array, middle: pa.Array, surname: pa.Array, shown: Bools) -> pa.Array:
    """Fictional people, "Maria K. Delgado"; some share a name, as people do."""
    return joined(given, one_of(shown, joined(" ", middle, ". "), pa.scalar(" ")), surname)


def _first(words: pa.Array) -> pa.Array:
    return pc.utf8_slice_codeunits(words, 0, 1)
