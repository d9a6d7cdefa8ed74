"""What the colours of points and cells mean: classes with a colour each, and who is in which.

Pure. Only our own words reach the map: what a source says that our lists lack is "other".
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from components.kit import severity
from components.kit.chart import SHAPES
from components.maps.bins import FEW, MEASURES, RAMP
from services.contract.properties import PropertyCell
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.vocabulary import NO_SIGNAL, SETTLED, SEVERITIES

#: Types with a colour of their own: those of most properties.
_NAMED_TYPES: Final = 6
#: Told apart by those who see fewer colours, on a light page and on a dark one (Okabe and Ito).
_HUES: Final = ("#0072b2", "#e69f00", "#56b4e9", "#cc79a7", "#d55e00", "#7f6ad1")
_OTHER: Final = ("#8793a0", "#7d8a97")
#: A cell without a bad dollar, and the edges of one of few loans, on a light page and a dark one.
_NONE: Final = ("#c9d1d9", "#aab6c2")
_FEW: Final = ("#6b7885", "#9aa8b5")
#: By worst signal: only the severe and critical have all of their colour.
_STRENGTH: Final = dict(zip(SEVERITIES, (0.3, 0.45, 0.6, 0.84, 0.92), strict=True))
_UNRANKED: Final = 0.16
_ODD: Final = "unranked"
#: One class of what no rule is about.
_SETTLED: Final = " or ".join(reversed(SETTLED))


@dataclass(frozen=True, slots=True)
class Class:
    """Records of one colour."""

    label: str
    colour: str
    #: Places of its records among all.
    members: tuple[int, ...]
    #: Drawn by its edges only: it rests on few loans, or is of loans that no rule is about.
    hollow: bool = False
    #: How much of its colour its points have, 0 to 1: the mild do not cover the land.
    strength: float = 0.84
    #: Of its marks on paper.
    shape: str = "circle"

    @property
    def rgb(self) -> list[int]:
        """Its colour as numbers from 0 to 255."""
        return [int(self.colour[at : at + 2], 16) for at in (1, 3, 5)]


def by_severity(words: Sequence[str], *, dark: bool) -> list[Class]:
    """By worst signal, the mildest first, so that the worst lies on top."""
    order = (_SETTLED, NO_SIGNAL, _ODD, *SEVERITIES)
    named = {word: word for word in order} | dict.fromkeys(SETTLED, _SETTLED)
    listed = _classes(
        [named.get(word, _ODD) for word in words],
        order,
        lambda word: severity.colour(word, dark=dark),
        lambda word: word if word in {_ODD, _SETTLED} else severity.label(word),
    )
    looks = {severity.label(word): (SHAPES[word], _STRENGTH[word]) for word in SEVERITIES}
    found = []
    for one in listed:
        shape, strength = looks.get(one.label, (one.shape, _UNRANKED))
        hollow = one.label == _SETTLED
        found.append(replace(one, hollow=hollow, shape=shape, strength=strength))
    return found


def by_type(words: Sequence[str | None], *, dark: bool) -> list[Class]:
    """By property type: those of most properties have a colour each."""
    known = frozenset(PROPERTY_TYPES.values()) - {"other"}
    most = Counter(word for word in words if word in known).most_common(_NAMED_TYPES)
    named = [word for word, _ in most if word]
    hue = dict(zip(named, _HUES, strict=False))
    found = [word if word in hue else "other type" for word in words]
    return _classes(
        [word or "" for word in found],
        ("other type", *named),
        lambda word: hue.get(word, _OTHER[dark]),
        str,
    )


def by_maturity(years: Sequence[int | None], this_year: int, *, dark: bool) -> list[Class]:
    """By year of maturity: the sooner, the more it stands out."""
    later = (f"{this_year + 4} or later", f"{this_year + 3}", f"{this_year + 2}",
             f"{this_year + 1}", f"{this_year} or before")  # fmt: skip
    ramp = dict(zip(later, RAMP, strict=True))

    def of(year: int | None) -> str:
        return "not known" if year is None else later[4 - max(0, min(4, year - this_year))]

    found = [of(year) for year in years]
    order = ("not known", *later)
    return _classes(found, order, lambda word: ramp.get(word, _OTHER[dark]), str)


def of_cells(cells: Sequence[PropertyCell], *, dark: bool) -> list[Class]:
    """Cells by their share of dollars on severe or critical loans, in the bins of all maps."""
    share = MEASURES["share"]
    labels = [f"{label} severe or critical" for label in share.labels()]
    ramp = dict(zip(labels, RAMP, strict=True))
    none, few = "none severe or critical", f"under {FEW} loans"

    def of(cell: PropertyCell) -> str:
        if cell.loans < FEW:
            return few
        at = share.bin(bad_share(cell))
        return none if at is None else labels[at]

    grounds = {none: _NONE[dark], few: _FEW[dark], **ramp}
    found = [of(cell) for cell in cells]
    listed = _classes(found, (few, none, *labels), grounds.__getitem__, str)
    return [replace(one, hollow=one.label == few) for one in listed]


def bad_share(cell: PropertyCell) -> float | None:
    """Share of a cell's dollars on severe or critical loans, a percent figure."""
    return 100 * cell.bad_dollars / cell.dollars if cell.dollars else None


def _classes(
    found: Sequence[str],
    order: Sequence[str],
    colour: Callable[[str], str],
    label: Callable[[str], str],
) -> list[Class]:
    """Those that have a member, in order."""
    members: dict[str, list[int]] = {word: [] for word in order}
    for at, word in enumerate(found):
        members[word].append(at)
    return [
        Class(label(word), colour(word), tuple(places))
        for word, places in members.items()
        if places
    ]
