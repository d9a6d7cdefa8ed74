"""A county's profile: what the columns of its files are, as TOML."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from services.contract.errors import ImportRefused
from services.importers.base import Field

#: Fields that a column may be -> unit of values.py.
FIELDS: Final = {
    **dict.fromkeys(("document", "kind", "from", "to", "party", "role", "parent", "refers_to",
                     "borough", "block", "lot", "address", "city", "state", "zip", "owner",
                     "mailing_address", "mailing_place"), "text"),
    **dict.fromkeys(("amount", "sale_price"), "money"),
    **dict.fromkeys(("recorded_on", "sale_date"), "us_day"),
    "year": "count",
}  # fmt: skip
_STRICT: Final = frozenset({"amount", "recorded_on", "year", "sale_date"})
_OF: Final = ("recordings", "roll")
_PACKAGED: Final = Path(__file__).with_name("profiles")


@dataclass(frozen=True, slots=True)
class FileKind:
    """One kind of file of a county."""

    of: str
    fields: Mapping[str, Field]
    #: Kind of every recording, where no column says it.
    kind: str | None
    #: Fields that tell recordings apart.
    number: tuple[str, ...]
    ignored: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is said of a county's files."""

    name: str
    title: str
    terms: str
    county: str
    state: str
    city: str | None
    nobody: frozenset[str]
    blanks: frozenset[str]
    #: Dollars up to which a price is none.
    nominal: int
    kinds: Mapping[str, str]
    roles: Mapping[str, str]
    files: Mapping[str, FileKind]


def packaged() -> list[Profile]:
    """Those that we ship, by name."""
    return [load(path) for path in sorted(_PACKAGED.glob("*.toml"))]


def load(path: Path) -> Profile:
    """The profile of a file. Raises ImportRefused, saying what is wrong."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        files = {name: _file(one) for name, one in said["files"].items()}
        return Profile(
            path.stem, said["title"], said["terms"], said["county"], said["state"],
            said.get("city"), frozenset(said.get("nobody", ())), frozenset(said.get("blanks", ())),
            int(said.get("nominal", 0)), said.get("kinds", {}), said.get("roles", {}), files,
        )  # fmt: skip
    except OSError as wrong:
        raise ImportRefused(f"{path.name} cannot be read: {wrong.strerror}.") from wrong
    except (ValueError, TypeError, AttributeError) as wrong:
        raise ImportRefused(f"{path.name} is no profile of a county: {wrong}.") from None
    except KeyError as missing:
        raise ImportRefused(f"{path.name} is no profile of a county: {missing} is missing.") from (
            None
        )


def _file(said: Mapping[str, Any]) -> FileKind:
    fields = {}
    for column, field in said["columns"].items():
        if field not in FIELDS:
            raise ValueError(f"'{field}' is no field; fields are {', '.join(FIELDS)}")
        fields[column] = Field(column, field, FIELDS[field], strict=field in _STRICT, column=True)
    if said["of"] not in _OF:
        raise ValueError(f"'of' is '{said['of']}', none of {', '.join(_OF)}")
    return FileKind(
        said["of"], fields, said.get("kind"), tuple(said.get("number", ())),
        said.get("ignored", {}),
    )  # fmt: skip
