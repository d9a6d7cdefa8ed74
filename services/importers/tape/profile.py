"""The profile of a book's tapes: what its columns are and how they are read, as TOML."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from services.contract.errors import ImportRefused
from services.contract.queries import shortened
from services.importers.tape.names import known, plain
from services.importers.tape.sheet import Shape

BOOK: Final = "My book"
#: Of a column that is neither read nor kept.
LEFT_OUT: Final = "-"
LONGEST_BOOK: Final = 80
_MOST_BYTES: Final = 1_000_000
_TEXTS: Final = ("book", "lender", "as_of", "sheet", "encoding", "delimiter")
_SCALES: Final = ("dollars", "thousands", "millions")


@dataclass(frozen=True, slots=True)
class Choice:
    """What is said of one column; None is found out."""

    #: Name of a field; "" keeps the column under its own name, "-" leaves it out.
    field: str | None = None
    read: str | None = None
    scale: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """What is said of a tape, by whom it was set up. All of it may be left out."""

    book: str = BOOK
    #: Who lends, where no column says it.
    lender: str | None = None
    as_of: str | None = None
    shape: Shape = field(default_factory=Shape)
    #: Names of the columns that tell rows apart, where none is a loan's number.
    number: tuple[str, ...] = ()
    #: By the name of the column, as it stands in the file.
    columns: Mapping[str, Choice] = field(default_factory=dict)
    #: Words of the column that says what a row is -> "loan" or "property".
    rows: Mapping[str, str] = field(default_factory=dict)

    def choice(self, name: str) -> Choice:
        """What is said of a column, by its name as it stands, else without case and marks."""
        if name in self.columns:
            return self.columns[name]
        asked = plain(name)
        return next((one for said, one in self.columns.items() if plain(said) == asked), Choice())


def check_book(name: str) -> str:
    """The name of a book. Raises ImportRefused for what cannot be one."""
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_BOOK:
        raise ImportRefused(f"a book's name has 1 to {LONGEST_BOOK} printable characters")
    return " ".join(name.split())


def load(path: Path) -> Profile:
    """A profile from a file. Raises ImportRefused, naming what is wrong."""
    try:
        raw = path.read_bytes()
    except OSError as wrong:
        raise ImportRefused(f"the profile {path.name} cannot be read: {wrong.strerror}") from wrong
    return parse(raw, path.name)


def parse(raw: bytes, name: str) -> Profile:
    """A profile from the bytes of a file called so. Raises ImportRefused."""
    if len(raw) > _MOST_BYTES:
        raise ImportRefused(f"{name} is too large for a profile")
    try:
        return _profile(tomllib.loads(raw.decode("utf-8")))
    except (ValueError, TypeError, AttributeError, RecursionError) as wrong:
        raise ImportRefused(
            f"the profile {name} cannot be used: {shortened(str(wrong), 200)}"
        ) from wrong


def _profile(said: dict[str, Any]) -> Profile:
    allowed = {*_TEXTS, "header_row", "number", "columns", "rows"}
    if stray := sorted(set(said) - allowed):
        raise ValueError(
            f"there is no '{shortened(stray[0])}'; it may have {', '.join(sorted(allowed))}"
        )
    for key in _TEXTS:
        if not isinstance(said.get(key, ""), str):
            raise TypeError(f"{key} must be text in quotation marks")
    row = said.get("header_row")
    if row is not None and (not isinstance(row, int) or isinstance(row, bool) or row < 1):
        raise ValueError("header_row must be a whole number from 1")
    if len(said.get("delimiter", ",")) != 1:
        raise ValueError("delimiter must be one character")
    number = said.get("number", [])
    if not isinstance(number, list) or not all(isinstance(one, str) for one in number):
        raise ValueError('number must be a list of columns, such as ["Deal", "Loan"]')
    rows = {str(word): str(kind) for word, kind in said.get("rows", {}).items()}
    if wrong := [kind for kind in rows.values() if kind not in {"loan", "property"}]:
        raise ValueError(f"a row is a 'loan' or a 'property', not '{shortened(wrong[0])}'")
    return Profile(
        book=check_book(said.get("book", BOOK)),
        lender=said.get("lender"),
        as_of=said.get("as_of"),
        shape=Shape(said.get("sheet"), row, said.get("encoding"), said.get("delimiter")),
        number=tuple(number),
        columns={name: choice(name, **one) for name, one in said.get("columns", {}).items()},
        rows=rows,
    )


def choice(
    name: str, field: str | None = None, read: str | None = None, scale: str | None = None
) -> Choice:
    """What is said of a column. Raises ValueError for a field or a scale that there is not."""
    if field not in {None, "", LEFT_OUT} and field not in known().units:
        from difflib import get_close_matches

        near = get_close_matches(str(field), list(known().units), n=1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise ValueError(
            f"column '{shortened(name)}': there is no field '{shortened(str(field))}'{hint}"
        )
    if scale is not None and scale not in _SCALES:
        raise ValueError(f"column '{shortened(name)}': scale is one of {', '.join(_SCALES)}")
    if read is not None and not isinstance(read, str):
        raise ValueError(f"column '{shortened(name)}': read must be text in quotation marks")
    return Choice(field, read, scale)


def written(profile: Profile) -> str:
    """The file of a profile."""
    shape = profile.shape
    lines = ["# Profile of a loan tape: creditatlas import tape FILE --profile THIS"]
    top = {
        "book": profile.book,
        "lender": profile.lender,
        "as_of": profile.as_of,
        "sheet": shape.sheet,
        "header_row": shape.header_row,
        "encoding": shape.encoding,
        "delimiter": shape.delimiter,
    }
    lines += [f"{key} = {_value(said)}" for key, said in top.items() if said is not None]
    if profile.number:
        lines.append(f"number = [{', '.join(map(_value, profile.number))}]")
    if profile.rows:
        lines.append("\n[rows]")
        lines += [f"{_value(word)} = {_value(kind)}" for word, kind in profile.rows.items()]
    for name, one in profile.columns.items():
        lines.append(f"\n[columns.{_value(name)}]")
        said = {"field": one.field, "read": one.read, "scale": one.scale}
        lines += [f"{key} = {_value(word)}" for key, word in said.items() if word is not None]
    return "\n".join(lines) + "\n"


def _value(said: object) -> str:
    """As TOML writes it; its strings are those of JSON but for a delete."""
    return json.dumps(said, ensure_ascii=False).replace("\x7f", "\\u007f")
