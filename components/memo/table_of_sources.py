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

#: Citations of which the row says by which rule, or how a link is known.
_BY_RULE: Final = ("rule:", "edge:")
_COMPUTED: Final = "Computed"
HEADS: Final = ("No.", "Figure", "Where it is, or how it was computed", "File, as of")


def rows(memo: Memo) -> list[tuple[str, str, str, str]]:
    """One row a source; its file by the mark that `files` gives it."""
    marks = _marks(memo)
    return [
        (
            str(at),
            line(one.label if one.value == one.label else f"{one.label}: {wording.value(one)}"),
            _how(one, inputs),
            line(f"{marks[_file(one)][0]}, {day(one.as_of)}"),
        )
        for at, (one, inputs) in enumerate(zip(memo.sources, memo.inputs, strict=True), 1)
    ]


def files(memo: Memo) -> list[tuple[str, str]]:
    """Each file once: its mark, its source, name and hash; what computed the other figures."""
    return list(_marks(memo).values())


def _marks(memo: Memo) -> dict[tuple[str, str] | None, tuple[str, str]]:
    """Mark and text of each file by its key; of what is computed by None."""
    filed: dict[tuple[str, str] | None, str] = {}
    for one in memo.sources:
        key = _file(one)
        if key is not None and (one.sha256 or key not in filed):
            hashed = f"SHA-256 {one.sha256}" if one.sha256 else ""
            filed[key] = ", ".join(part for part in (*key, hashed, one.provenance) if part)
    found = {
        key: (f"F{at}", line(said or MISSING)) for at, (key, said) in enumerate(filed.items(), 1)
    }
    computed = [one for one in memo.sources if one.basis == "computed"]
    if computed:
        tables = next((f", with {one.rule}" for one in computed if one.filled and one.rule), "")
        found[None] = (_COMPUTED, line(f"from what is filed{tables}"))
    return found


def _how(one: Citation, inputs: Sequence[int | None]) -> str:
    said = []
    if one.places:
        said.append(f"{wording.record(one)}: {wording.element(one)} = {wording.raw(one)}")
    if one.filled and one.filled != wording.raw(one):
        said.append(wording.equation(one))
    named = [
        f"{given.name} {f'from [{number}]' if number else given.said}"
        for given, number in zip(one.inputs, inputs, strict=True)
    ]
    if named:
        said.append(", ".join(named))
    if one.period:
        said.append(one.period)
    if one.rule and one.key.startswith(_BY_RULE):
        said.append(f"By {one.rule}")
    if one.limit:
        said.append(one.limit)
    return line(". ".join(said) or MISSING)


def _file(one: Citation) -> tuple[str, str] | None:
    """Source and file; None of what is computed."""
    return None if one.basis == "computed" else (one.source, one.file or "")
