"""What a memo says, before anybody sets it: sections of figures, each with its citations.

Two writers set the same: `paper.py` by Typst, `word.py` as DOCX. All text in here is outside text
to them, also what we wrote.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from components.kit.formatting import MISSING
from services.contract.citations import Citation

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """Words or a figure, and the numbers of the sources that it rests on."""

    text: str
    sources: tuple[int, ...] = ()


NOTHING = Said(MISSING)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads; columns of `figures` are set to the right."""

    heads: Sequence[str]
    rows: Sequence[Sequence[Said]]
    figures: Sequence[int] = ()
    #: Parts of the width, one a column; empty: as wide as their words.
    widths: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, and what it shows in words; the table below it has the same figures."""

    svg: str
    alt: str


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a memo, in the order title, sentences, picture, steps, tables."""

    title: str
    said: Sequence[Said] = ()
    picture: Picture | None = None
    #: A chain, drawn from the top: each stands over the next.
    steps: Sequence[Said] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True, slots=True)
class Memo:
    """One loan for a committee."""

    title: str
    #: Name and value of the cover line.
    cover: Sequence[tuple[str, Said]]
    as_of: str
    snapshot: str
    synthetic: bool
    sections: Sequence[Section]
    #: In the order of their numbers, the first is 1.
    sources: Sequence[Citation]
    #: Of each source the numbers of its inputs, in their order; None of a table.
    inputs: Sequence[Sequence[int | None]]


@dataclass(slots=True)
class Sources:
    """Numbers the citations that a memo uses, in the order in which they are first used."""

    known: dict[str, Citation]
    used: dict[str, int] = field(default_factory=dict)
    #: What was asked for and is not known, in the order of asking.
    missed: dict[str, Citation] = field(default_factory=dict)

    def knows(self, key: str) -> bool:
        """Whether a figure of the loan has a value."""
        return key in self.known and self.known[key].value is not None

    def number(self, one: Citation) -> int:
        """The number of a citation."""
        self.known.setdefault(one.key, one)
        return self.used.setdefault(one.key, len(self.used) + 1)

    def fact(self, key: str, text: str | None = None) -> Said:
        """A figure of the loan by its key, as the dossier writes it or as `text`."""
        from components.memo import wording

        one = self.known.get(key)
        if one is not None and one.value is None and one.why:
            self.missed[key] = one
            return Said(one.why if one.why.startswith("none") else "not testable")
        if one is None or one.value is None:
            return NOTHING
        return self.cited(one, wording.value(one) if text is None else text)

    def cited(self, one: Citation, text: str) -> Said:
        """Words that rest on a citation."""
        return Said(text, (self.number(one),))

    def stated(self, one: Citation, value: T | None, write: Callable[[T], str]) -> Said:
        """A value that rests on a citation; an em dash without one."""
        return NOTHING if value is None else self.cited(one, write(value))

    def finished(self) -> tuple[list[Citation], list[list[int | None]]]:
        """All of them in order, inputs of formulas and theirs included."""
        found: list[list[int | None]] = []
        listed: list[Citation] = []
        while len(listed) < len(self.used):
            for key in list(self.used)[len(listed) :]:
                one = self.known[key]
                listed.append(one)
                found.append([self._of(given.of) for given in one.inputs])
        return listed, found

    def _of(self, key: str | None) -> int | None:
        return self.number(self.known[key]) if key is not None and key in self.known else None


def figures(memo: Memo) -> Iterable[Said]:
    """Everything that a memo says, its cover included."""
    for _, said in memo.cover:
        yield said
    for section in memo.sections:
        yield from section.said
        yield from section.steps
        for table in section.tables:
            for row in table.rows:
                yield from row
