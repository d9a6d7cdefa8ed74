"""What each column of a tape is taken for, with how sure that is, and what must be asked.

A column says what it is by the profile, by its name in the dialect that the tape is of, by its
name alone, by a name that is alike, or by its values: the last is proposed and never taken unasked.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from services.contract.errors import ImportRefused
from services.contract.queries import shortened
from services.contract.vocabulary import STATES
from services.importers.tape import units
from services.importers.tape.cells import Cells
from services.importers.tape.days import Order, day, orders
from services.importers.tape.figures import Mark, marks
from services.importers.tape.names import (
    MANY,
    Dialect,
    Meaning,
    codes_of,
    dialect_of,
    known,
    meaning_of,
    plain,
    scale_of,
)
from services.importers.tape.profile import LEFT_OUT, Choice, Profile
from services.importers.tape.sheet import Sheet

#: From so sure on a column is taken for what it seems, and nobody is asked.
SURE: Final = 0.70
#: Of a column without a known name, whose values alone say something.
_BY_VALUES: Final = 0.6
_HALF, _MOST = 0.5, 0.9
#: So many times as often one reading must stand in a column as the other.
_RATHER: Final = 50
_EXAMPLES: Final = 3
#: Texts of a column that are tried, and the part of them that must fit.
_TRIED: Final = 2_000
_NEARLY_ALL: Final = 0.95
_KEPT: Final = Meaning(None, "text", 0.3, "no name that is known")
_AS_OF: Final = re.compile(
    r"\bas[ -]of:?\s+(?:date:?\s+)?([\w/.,-]+(?: \w+,? \d{4})?)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """What one column is taken for."""

    at: int
    name: str
    #: None keeps it under its own name.
    field: str | None
    unit: str
    reading: str
    scale: str
    confidence: float
    why: str
    examples: tuple[str, ...]
    #: Cells that were read, that say nothing, and that do not read.
    parsed: int
    empty: int
    unread: int
    #: What must be asked before it is read, and the answers; "" where nothing is.
    ask: str
    answers: tuple[str, ...]
    #: Whether the profile says what it is.
    chosen: bool
    cells: Cells

    @property
    def taken(self) -> bool:
        """Whether nobody has to say what it is."""
        return self.chosen or self.confidence >= SURE


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How a tape is read."""

    sheet: Sheet
    profile: Profile
    dialect: Dialect | None
    #: Those that are read or kept; the ones left out are not among them.
    columns: tuple[Column, ...]
    #: Places of the columns that tell rows apart.
    number: tuple[int, ...]
    as_of: date | None
    #: Sentences of what must be said before it can be loaded, each with the line to add.
    asks: tuple[str, ...]

    def of(self, name: str) -> list[Column]:
        """The columns of a field, in the file's order."""
        return [one for one in self.columns if one.field == name and one.taken and not one.ask]

    @property
    def balanced(self) -> bool:
        """Whether a column is taken for a balance or an amount."""
        return _balanced(self.columns)

    @property
    def mapped(self) -> float:
        """Part of the columns that hold something and are taken without a question."""
        filled = [one for one in self.columns if one.parsed or one.unread]
        return sum(one.taken and not one.ask for one in filled) / max(1, len(filled))


def plan(sheet: Sheet, profile: Profile, as_of: date | None = None) -> Plan:
    """What every column of a sheet is. Raises ImportRefused for a profile of another tape."""
    dialect = dialect_of(sheet.names)
    cells = [Cells.of(one) for one in sheet.columns]
    choices = [profile.choice(name) for name in sheet.names]
    means = [_meaning(name, choices[at], dialect, cells[at]) for at, name in enumerate(sheet.names)]
    means = _one_a_field(means, [one.field is not None for one in choices], sheet.names)
    hints = _hints(means, cells, sheet.delimiter)
    columns = tuple(
        _column(at, name, means[at], choices[at], cells[at], hints)
        for at, name in enumerate(sheet.names)
        if choices[at].field != LEFT_OUT
    )
    number = _number(sheet, profile, dialect, columns)
    day_of = as_of or _said_as_of(profile, columns, sheet)
    asks = _asks(sheet, columns, number, day_of)
    return Plan(sheet, profile, dialect, columns, number, day_of, asks)


def saved(made: Plan) -> Profile:
    """The profile that says all of a plan, to be used for the next tape of its book."""
    profile, sheet = made.profile, made.sheet
    columns = {one.name: _choice(one) for one in made.columns if one.taken}
    left = {name: one for name, one in profile.columns.items() if one.field == LEFT_OUT}
    number = tuple(sheet.names[at] for at in made.number)
    told = not any(one.field == "number" for one in made.columns)
    return replace(profile, number=number if told else (), columns={**columns, **left}, as_of=None)


def _choice(one: Column) -> Choice:
    read = one.reading if one.reading and units.readings(one.unit) and not one.ask else None
    return Choice(one.field or "", read, None if one.scale == "dollars" else one.scale)


def _meaning(name: str, choice: Choice, dialect: Dialect | None, cells: Cells) -> Meaning:
    if choice.field:
        chosen = None if choice.field == LEFT_OUT else choice.field
        return Meaning(chosen, known().units.get(choice.field, "text"), 1.0, "the profile", -2)
    found = meaning_of(name, dialect)
    if choice.field == "":
        unit = found.unit if found and found.field is None else "text"
        return Meaning(None, unit, 1.0, "the profile", -2)
    return found or _by_values(cells) or _KEPT


def _by_values(cells: Cells) -> Meaning | None:
    """What values alone say: states, ZIPs, types of property."""
    texts, times = cells.told(_TRIED)
    if not texts:
        return None
    types = set(codes_of("property_type").values())
    for name, among in (("property_state", STATES), ("zip", None), ("property_type", types)):
        unit = known().units[name]
        values, wrong = units.read_all(unit, "", "dollars", texts)
        fits = [
            at not in wrong and (among is None or value in among) for at, value in enumerate(values)
        ]
        if times[fits].sum() >= _NEARLY_ALL * times.sum():
            return Meaning(name, unit, _BY_VALUES, "its values", 99)
    return None


def _one_a_field(
    means: Sequence[Meaning], chosen: Sequence[bool], names: Sequence[str]
) -> list[Meaning]:
    """Where several columns claim a field that a loan has once, the others are kept."""
    first: dict[str, int] = {}
    for at, one in enumerate(means):
        if one.field is None or one.field in MANY:
            continue
        best = first.setdefault(one.field, at)
        if chosen[at] and chosen[best] and best != at:
            raise ImportRefused(
                f"the profile says of two columns that they are {one.field}:"
                f" '{shortened(names[best])}' and '{shortened(names[at])}'"
            )
        if (one.place, -one.confidence) < (means[best].place, -means[best].confidence):
            first[one.field] = at
    return [
        one
        if one.field is None or one.field in MANY or first[one.field] == at
        else Meaning(
            None,
            one.unit,
            one.confidence,
            f"'{shortened(names[first[one.field]])}' is the {one.field}",
        )
        for at, one in enumerate(means)
    ]


def _hints(means: Sequence[Meaning], cells: Sequence[Cells], delimiter: str) -> units.Hints:
    """What the columns of a file tell each other; one that contradicts itself tells nothing."""
    found_orders: set[Order] = set()
    found_marks: set[Mark] = set()
    for one, column in zip(means, cells, strict=True):
        if one.confidence < SURE:
            continue
        texts, times = column.told()
        if one.unit == "date":
            told = orders(zip(texts, times.tolist(), strict=True))
            if told.month_first > _RATHER * told.day_first:
                found_orders.add("M/D/Y")
            elif told.day_first > _RATHER * told.month_first:
                found_orders.add("D/M/Y")
        elif one.unit == "money" and delimiter == ";":
            seen = marks(texts, times)
            if seen.point > _RATHER * seen.comma:
                found_marks.add(".")
            elif seen.comma > _RATHER * seen.point:
                found_marks.add(",")
    return units.Hints(
        found_orders.pop() if len(found_orders) == 1 else None,
        found_marks.pop() if len(found_marks) == 1 else None,
        delimiter,
    )


def _column(
    at: int,
    name: str,
    means: Meaning,
    choice: Choice,
    cells: Cells,
    hints: units.Hints,
) -> Column:
    texts, times = cells.told()
    scale = choice.scale or (scale_of(name) if means.unit == "money" else "dollars")
    if choice.read is not None:
        if choice.read not in units.readings(means.unit):
            one_of = ", ".join(f"'{word}'" for word in units.readings(means.unit)) or "nothing"
            raise ImportRefused(
                f"the profile reads column '{shortened(name)}' as '{shortened(choice.read)}', but"
                f" it is of unit {means.unit}, which is read as {one_of}"
            )
        how = units.Found(choice.read)
    else:
        how = units.found(means.unit, texts, times, hints)
    cells.read(means.unit, how.reading or "", scale, strict=means.field is not None)
    empty = len(cells.at) - int(times.sum())
    unread = int(sum(cells.times[one] for one in cells.unread))
    filled = len(cells.at) - empty
    part = 1.0 if not filled else 1 - unread / filled
    # Half of a column may be wrong and its name still right; more, and it is another column.
    sure = means.confidence * (0.75 + part / 4 if part >= _HALF else part)
    ask = how.ask if how.reading is None and filled else ""
    if ask:  # nothing is read yet
        sure, part = means.confidence, 1.0
    if means.why == "the profile":
        sure = 1.0
    return Column(
        at=at,
        name=name,
        field=means.field,
        unit=means.unit,
        reading=how.reading or "",
        scale=scale,
        confidence=round(sure, 2),
        why=means.why
        if part > _MOST
        else f"{means.why}; {unread:,} of {filled:,} cells do not read",
        examples=tuple(text[:60] for text in texts[:_EXAMPLES]),
        parsed=filled - unread,
        empty=empty,
        unread=unread,
        ask=ask,
        answers=units.readings(means.unit),
        chosen=choice.field is not None,
        cells=cells,
    )


def _number(
    sheet: Sheet, profile: Profile, dialect: Dialect | None, columns: Sequence[Column]
) -> tuple[int, ...]:
    places = {name: at for at, name in enumerate(sheet.names)}
    loose = {plain(name): at for at, name in reversed(list(enumerate(sheet.names)))}
    if profile.number:
        found = [places.get(name, loose.get(plain(name))) for name in profile.number]
        if None in found:
            lost = profile.number[found.index(None)]
            raise ImportRefused(
                f"{sheet.file} has no column '{shortened(lost)}', which the profile takes for the"
                " number of a loan"
            )
        return tuple(at for at in found if at is not None)
    own = [one.at for one in columns if one.field == "number" and one.taken]
    if own or not dialect:
        return tuple(own)
    found = [loose.get(name) for name in dialect.number]
    return tuple(at for at in found if at is not None) if None not in found else ()


def _said_as_of(profile: Profile, columns: Sequence[Column], sheet: Sheet) -> date | None:
    """The day of the figures, as the profile, a column or a line above the header says it."""
    if profile.as_of:
        try:
            return date.fromisoformat(profile.as_of)
        except ValueError:
            raise ImportRefused(
                f"as_of is '{shortened(profile.as_of)}' but must be a day written as YYYY-MM-DD"
            ) from None
    for one in columns:
        if one.field == "as_of" and one.taken and not one.ask:
            days = [value for value in one.cells.values if isinstance(value, date)]
            if days:
                return max(days)
    for line in sheet.above:
        if found := _AS_OF.search(line):
            try:
                return day(found[1].rstrip(".,"), None)
            except ValueError:
                continue
    return None


def _asks(
    sheet: Sheet, columns: Sequence[Column], number: Sequence[int], as_of: date | None
) -> tuple[str, ...]:
    asks = [
        f"Column '{shortened(one.name)}' ({', '.join(map(shortened, one.examples))}): {one.ask};"
        f" say {_either(one.answers)}: [columns.{_quoted(one.name)}]"
        f' read = "{one.answers[0]}" in the'
        f" profile, or --read {_quoted(f'{one.name}={one.answers[0]}')}"
        for one in columns
        if one.ask and one.taken
    ]
    if not number:
        asks.append(
            f"{sheet.file} has no column that is the number of a loan; name it, or those that tell"
            ' rows apart: number = ["COLUMN", ...] in the profile, or --number COLUMN'
        )
    if as_of is None:
        asks.append(
            f"{sheet.file} does not say of which day its figures are; say it: --as-of YYYY-MM-DD"
        )
    if not _balanced(columns):
        asks.append(
            f"{sheet.file} has no column that is taken for a balance or an amount; name one:"
            ' [columns."COLUMN"] field = "book_value" in the profile, or --map "COLUMN=book_value"'
        )
    return tuple(asks)


def _balanced(columns: Sequence[Column]) -> bool:
    return any(one.field in {"book_value", "original_amount"} and one.taken for one in columns)


def _either(answers: Sequence[str]) -> str:
    return " or ".join(f"'{one}'" for one in answers)


def _quoted(name: str) -> str:
    return '"' + shortened(name).replace('"', "'") + '"'


def choices_of(pairs: Mapping[str, Choice], more: Mapping[str, Choice]) -> dict[str, Choice]:
    """What two say of columns; where both do, the second counts field by field."""
    joined = dict(pairs)
    for name, one in more.items():
        before = joined.get(name, Choice())
        joined[name] = Choice(
            before.field if one.field is None else one.field,
            before.read if one.read is None else one.read,
            before.scale if one.scale is None else one.scale,
        )
    return joined
