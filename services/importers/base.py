"""What importers share: rules as TOML, typed values with reasons, and the audit of each row.

Every value of a source is mapped, explicitly ignored or reported: a row hands out the values
that its rules name, and whatever is left is counted.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Final

from services.importers.values import LONGEST_TEXT, UNITS, clean_prose, clean_text

_MOST_NAMES: Final = 500
_LONGEST_NAME: Final = 100


class RecordRejected(Exception):
    """One record that cannot be used. Becomes a row of `rejects`; never leaves an importer."""

    def __init__(self, record: str, reason: str) -> None:
        super().__init__(f"{record}: {reason}")
        self.record = record
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Field:
    """What becomes of one element or column of a source."""

    element: str
    key: str  # snake_case name, in the facts and in `further`
    unit: str  # of UNITS
    codes: Mapping[str, str] | None = None  # code -> words
    strict: bool = False  # an unreadable value rejects the record, else it is kept as text
    column: bool = False  # shown in a column of its own, so not repeated in `further`
    many: bool = False  # may repeat
    part: str = "loan"  # of what it is a fact, where one record tells of several things
    also: Sequence[str] = ()  # further spellings of the element


@dataclass(frozen=True, slots=True)
class Rules:
    """An importer's TOML: fields by group and element, and elements ignored with the reason."""

    fields: Mapping[str, Mapping[str, Field]]
    ignored: Mapping[str, str]


def load_rules(
    path: Path, groups: Sequence[str], shared: Mapping[str, Mapping[str, str]] | None = None
) -> Rules:
    """Rules of an importer's TOML file.

    `groups` are the sections that hold fields; `shared` are code lists by name that stand outside
    the file, for codes that other parts of the program read too. Raises ValueError for a rule
    with an unknown unit or code list, and for a list that is given twice: the file is ours.
    """
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    codes: dict[str, Mapping[str, str]] = document.get("codes", {})
    if twice := set(codes) & set(shared or ()):
        raise ValueError(f"code lists given twice: {', '.join(sorted(twice))}")
    codes = {**codes, **(shared or {})}
    fields: dict[str, dict[str, Field]] = {}
    for group in groups:
        fields[group] = {}
        for element, rule in document[group].items():
            listed = rule.get("codes")
            if listed is not None and listed not in codes:
                raise ValueError(f"{group}.{element}: no such code list: {listed}")
            field = Field(**{**rule, "element": element, "codes": listed and codes[listed]})
            if field.unit not in UNITS:
                raise ValueError(f"{group}.{element}: no such unit: {field.unit}")
            fields[group][element] = field
    return Rules(fields, document.get("ignored", {}))


def count(unmapped: Counter[str], name: str, times: int = 1) -> None:
    """Add to a count by name. Past 500 names the rest are one, so that no file can flood it."""
    known = name in unmapped or len(unmapped) < _MOST_NAMES
    unmapped[name[:_LONGEST_NAME] if known else "(further names)"] += times


class Facts(dict[str, object]):
    """Typed values of one record by key. A getter returns None where the source is silent."""

    def __init__(self, values: Mapping[str, object] | None = None, /, **named: object) -> None:
        super().__init__(values or {}, **named)
        #: By key the element that a value was read from, and its text as filed.
        self.filed: dict[str, tuple[str, tuple[str, ...]]] = {}

    def text(self, key: str) -> str | None:
        """Text or code."""
        found = self.get(key)
        return found if isinstance(found, str) else None

    def texts(self, key: str) -> list[str]:
        """Codes of a field that may repeat, in the source's order."""
        found = self.get(key)
        return [str(one) for one in found] if isinstance(found, list) else []

    def number(self, key: str) -> Decimal | None:
        """Amount, rate as a percent figure, fraction or ratio."""
        found = self.get(key)
        return found if isinstance(found, Decimal) else None

    def stated(self, key: str) -> Decimal | None:
        """As `number`, but a zero is a filer's way to say nothing."""
        return self.number(key) or None

    def whole(self, key: str) -> int | None:
        """Whole number."""
        found = self.get(key)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def day(self, key: str) -> date | None:
        """Date."""
        found = self.get(key)
        return found if isinstance(found, date) else None

    def flag(self, key: str) -> bool | None:
        """True or false."""
        found = self.get(key)
        return found if isinstance(found, bool) else None


class Row:
    """One record's raw values: what no rule takes out is left, and counted by `close`."""

    def __init__(self, record: str, values: Mapping[str, Sequence[str]]) -> None:
        self.record = record
        self._left = dict(values)

    def facts(self, fields: Mapping[str, Field], unmapped: Counter[str]) -> Facts:
        """Take out and convert every value that `fields` name. Blank values are absent.

        A value that does not read raises RecordRejected where its field is strict; else it is
        kept as the text it is and counted in `unmapped` as "<element> (unreadable)".
        """
        facts = Facts()
        for element in [name for name in self._left if name in fields]:
            field = fields[element]
            clean = clean_prose if field.unit == "prose" else clean_text
            given = [cleaned for raw in self._left.pop(element) if (cleaned := clean(raw))]
            if not given:
                continue
            if not field.many and len(set(given)) > 1:
                raise RecordRejected(self.record, f"{element} is given {len(given)} times.")
            values = [self._convert(field, raw, unmapped) for raw in given]
            facts[field.key] = values if field.many else values[0]
            facts.filed[field.key] = (element, tuple(given if field.many else given[:1]))
        return facts

    def close(self, ignored: Iterable[str], unmapped: Counter[str]) -> None:
        """Count in `unmapped` what is left and not ignored."""
        skip = set(ignored)
        for name, given in self._left.items():
            if name not in skip:
                count(unmapped, name, len(given))
        self._left = {}

    def _convert(self, field: Field, raw: str, unmapped: Counter[str]) -> object:
        try:
            return UNITS[field.unit](raw)
        except ValueError as wrong:
            if field.strict:
                reason = f'{field.element} "{raw[:40]}" {wrong}.'
                raise RecordRejected(self.record, reason) from None
            count(unmapped, f"{field.element} (unreadable)")
            return raw[:LONGEST_TEXT]
