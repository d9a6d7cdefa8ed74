"""What properties and their borrowers are called: by place, town, street, family or address."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from services.importers.demo.assumptions import VALUE_CLASSES, Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import Generator, by_group, weighted
from services.importers.demo.names import drawn, joined, named_by, picked

BY_PLACE, BY_TOWN, BY_STREET, BY_FAMILY, AT_PLACE, BY_ADDRESS = range(6)
STYLES = np.array([0.30, 0.16, 0.18, 0.12, 0.14, 0.10])
#: Of borrowers: by property, by property and form, by address, by family and town, by stem.
BORROWER_STYLES = np.array([0.18, 0.30, 0.24, 0.13, 0.15])
OF_SEVERAL = len(BORROWER_STYLES)  # loans: by family, form and number
#: Property types that are known by their address.
BY_NUMBER = ("office", "retail", "mixed use", "multifamily", "industrial", "warehouse")


@dataclass(frozen=True, slots=True)
class Named:
    """Properties: what they are called."""

    stem: pa.Array  # "Harbor Point"
    name: pa.Array  # "Harbor Point Apartments"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Properties: where they stand in their street."""

    house: pa.Array
    street: pa.Array  # "Lakeshore Drive"

    @property
    def whole(self) -> pa.Array:
        """Such as "1420 Lakeshore Drive"."""
        return joined(self.house, " ", self.street)


def property_names(
    rng: Generator, data: Assumptions, *, kind: Ints, city: Ints, value: Floats, where: Addresses
) -> Named:
    """Names that fit the property type and what the property was worth, dollars."""
    words, rows = data.words, len(kind)
    size = np.searchsorted(np.array(VALUE_CLASSES) * 1e6, value, side="right") - 1
    noun = by_group(rng, data.noun_weights, kind * len(VALUE_CLASSES) + size)
    called = picked(pa.array(data.nouns), noun)
    style = weighted(rng, STYLES, rows)
    whole = np.isin(np.array(data.nouns)[noun], words["at_noun"].to_numpy(zero_copy_only=False))
    numbered = np.isin(kind, [data.types.index(name) for name in BY_NUMBER])
    style = np.where((style == AT_PLACE) & ~whole, BY_PLACE, style)
    style = np.where((style == BY_ADDRESS) & ~numbered, BY_TOWN, style)
    place = joined(drawn(rng, words["first"], rows), " ", drawn(rng, words["second"], rows))
    town = joined(picked(pa.array(data.places.city), city), " ", drawn(rng, words["part"], rows))
    stems = [place, town, where.street, drawn(rng, words["surname"], rows), place, where.whole]
    stem = named_by(style, stems)
    name = joined(stem, " ", called)
    the = joined("The ", called, " at ", stem)
    return Named(stem, named_by(style, [name, name, name, name, the, stem]))


def borrower_names(
    rng: Generator,
    data: Assumptions,
    named: Named,
    where: Addresses,
    *,
    town: pa.Array,
    several: Bools,
) -> pa.Array:
    """Single-purpose entities, one a row of `named`; not named for it where they have `several`."""
    words, rows = data.words, len(town)
    legal = drawn(rng, words["legal_form"], rows)
    form = drawn(rng, words["borrower_form"], rows)
    styles = [
        joined(named.name, " ", legal),
        joined(named.name, " ", form, " ", legal),
        joined(where.house, " ", where.street, " ", drawn(rng, words["legal_form"], rows)),
        joined(drawn(rng, words["surname"], rows), " ", town, " ", form, " ", legal),
        joined(named.stem, " ", form, " ", legal),
        joined(
            drawn(rng, words["surname"], rows), " ", form, drawn(rng, words["numeral"], rows), " ",
            legal,
        ),
    ]  # fmt: skip
    style = np.where(several, OF_SEVERAL, weighted(rng, BORROWER_STYLES, rows))
    return named_by(style, styles)
