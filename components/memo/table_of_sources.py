"""The table at the end of a memo: each source with everything that it takes to compute its figure
again. Both writers and the test of citations read these rows.
"""

from collections.abc import Sequence
from typing import Final

from components.kit.formatting import MISSING, day
from components.kit.text import line
from components.memo import wording
from components.memo.document import Memo
from services.contract.citations import Citation

HEADS: Final = ("No.", "Figure", "Where it stands, or how it was computed", "File, as of")


def rows(memo: Memo) -> list[tuple[str, str, str, str]]:
    """One row a source; its file by the mark that `files` gives it."""
    marks = _marks(memo)
    return [
        (
            str(at),
            line(f"{one.label}: {wording.value(one)}"),
            _how(one, inputs),
            line(f"{marks[_file(one)]}, {day(one.as_of)}"),
        )
        for at, (one, inputs) in enumerate(zip(memo.sources, memo.inputs, strict=True), 1)
    ]


def files(memo: Memo) -> list[tuple[str, str]]:
    """Each file once: its mark, its source, name and hash."""
    return [(mark, text) for text, mark in _marks(memo).items()]


def _marks(memo: Memo) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in memo.sources:
        found.setdefault(_file(one), f"F{len(found) + 1}")
    return found


def _how(one: Citation, inputs: Sequence[int | None]) -> str:
    said = []
    if one.places:
        said.append(f"{wording.record(one)}: {wording.element(one)} = {wording.raw(one)}")
    if one.filled and one.filled != wording.raw(one):
        said.append(wording.equation(one))
    named = [
        f"{given.name} {f'from [{number}]' if number else 'of the tables in force'}"
        for given, number in zip(one.inputs, inputs, strict=True)
    ]
    if named:
        said.append(", ".join(named))
    if one.period:
        said.append(one.period)
    if one.rule and _is_rule(one):
        said.append(f"By {one.rule}")
    if one.limit:
        said.append(one.limit)
    return line(". ".join(said) or MISSING)


def _file(one: Citation) -> str:
    """What its file is, and what made figures of it."""
    hashed = f"SHA-256 {one.sha256}" if one.sha256 else ""
    made = "" if _is_rule(one) else one.rule
    parts = (one.source, one.file, hashed, made, one.provenance)
    return line(", ".join(part for part in parts if part) or MISSING)


def _is_rule(one: Citation) -> bool:
    """Whether it is a rule that fired, which its row names with its version."""
    return one.key.startswith("rule:")
