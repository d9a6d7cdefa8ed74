"""How the cells of a column are read: what is found out from all of them, and each by itself.

A reading is a word that a profile may hold ("percent", "M/D/Y", "1.234,56"). Where the cells do
not tell it, it is asked, never guessed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.contract.vocabulary import STATES
from services.importers.tape.days import Order, day, orders
from services.importers.tape.figures import Figures, Mark, figures, marks
from services.importers.tape.names import codes_of
from services.importers.values import LONGEST_TEXT, clean_text

#: What a cell says where it says nothing, in lower case.
_EMPTY: Final = (
    "", "-", "--", "\u2013", "\u2014", ".", "n/a", "na", "#n/a", "n.a.", "tbd", "null", "none",
    "nan", "n/av", "#value!", "#ref!", "#div/0!", "#name?", "#null!", "#num!", "unknown", "nap",
    "nav", "not available", "not applicable",
)  # fmt: skip
_VARIOUS: Final = frozenset(("various", "multiple", "vr", "various owners", "same"))
_NO_ONE: Final = _VARIOUS | {"0", "0.0"}
#: Part of a column whose cells all say one thing; fewer others are cells that do not read.
_NEARLY_ALL: Final = 0.98
_TRUE: Final = frozenset(("y", "yes", "true", "t", "1", "x"))
_FALSE: Final = frozenset(("n", "no", "false", "f", "0"))
_STATE_OF: Final = {name.casefold(): code for code, name in STATES.items()}
_LONGEST_PARTY: Final = 300
_LONGEST_NUMBER: Final = 100
#: Text that needs no tidying, and is no formula.
_TIDY: Final = r"^[!-<>-~](?: ?[!-~])*$"
#: Of figures without a sign of their own, the least and the most that one is in each reading.
_RANGES: Final[dict[str, dict[str, tuple[float, float]]]] = {
    "rate": {"percent": (0.5, 50), "fraction": (0.001, 0.3)},
    "margin": {"bp": (20, 2000), "percent": (0.2, 15), "fraction": (0.0005, 0.15)},
    "share": {"percent": (1.0001, 100), "fraction": (0.0001, 1)},
    "ltv": {"percent": (3, 500), "fraction": (0.01, 2.5)},
}
#: What turns a figure of a reading into a percent figure.
_TO_PERCENT: Final = {"percent": 1.0, "fraction": 100.0, "bp": 0.01}
#: A rate that is smaller without a sign of its own was written in another unit than its column.
_LEAST_RATE: Final = {"percent": 0.1, "fraction": 0.0005, "bp": 1}
_RATES: Final = (-5, 50)
_SCALES: Final = {"dollars": 1, "thousands": 1_000, "millions": 1_000_000}


class _Bounds(NamedTuple):
    """Of a figure, and what is wrong beyond them."""

    least: float
    most: float
    beyond: str


_COUNTED: Final = {
    "money": _Bounds(-1e13, 1e13, "is too large for an amount"),
    "ratio": _Bounds(-1000, 1000, "is too large for a ratio"),
    "whole": _Bounds(0, 1e9, "is no count"),
    "months": _Bounds(0, 1200, "is no number of months"),
    "area": _Bounds(0, 1e9, "is no area"),
    "year": _Bounds(1600, 2199, "is no year"),
}
_POINT, _COMMA = "1,234.56", "1.234,56"

Floats = NDArray[np.float64]
#: Texts that say something, each once, and how often each stands in its column.
Texts = Sequence[str]
Times = NDArray[np.int64]
Read = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Found:
    """How a column is read: a word of `readings`, "" where there is one way alone; or, where its
    cells do not tell, None, and what to ask.
    """

    reading: str | None
    ask: str = ""


def empty(texts: pa.Array) -> NDArray[np.bool_]:
    """Which texts say nothing."""
    said = pc.is_in(pc.utf8_lower(texts), pa.array(_EMPTY))
    return np.asarray(said.to_numpy(zero_copy_only=False), bool)


def readings(unit: str) -> tuple[str, ...]:
    """What a profile may say of a column of this unit."""
    if unit == "date":
        return ("M/D/Y", "D/M/Y")
    if unit in _RANGES:
        return tuple(_RANGES[unit])
    return (_POINT, _COMMA) if unit in _COUNTED else ()


@dataclass(frozen=True, slots=True)
class Hints:
    """What the other columns of a file tell, where all that tell agree, and what stands between
    its cells.
    """

    order: Order | None = None
    mark: Mark | None = None
    delimiter: str = ","


def found(unit: str, texts: Texts, times: Times, hints: Hints) -> Found:
    """How a column is read, by its texts, else by what the file's other columns tell."""
    if unit == "date":
        return _found_order(texts, times, hints.order)
    if unit in _RANGES:
        return _found_scale(unit, texts, times, hints)
    if unit in _COUNTED:
        return _found_mark(texts, times, hints)
    return Found("")


def _found_order(texts: Texts, times: Times, file_order: Order | None) -> Found:
    told = orders(zip(texts, times.tolist(), strict=True))
    known = told.month_first + told.day_first
    if known:
        first: Order = "M/D/Y" if told.month_first >= told.day_first else "D/M/Y"
        if max(told.month_first, told.day_first) >= _NEARLY_ALL * known:
            return Found(first)
        return Found(None, "some of its dates have the month first, others the day")
    if not told.either:
        return Found("")
    if file_order:
        return Found(file_order)
    return Found(None, "the month or the day may stand first, and no date of the file tells")


def _found_mark(texts: Texts, times: Times, hints: Hints) -> Found:
    told = marks(texts, times)
    known = told.point + told.comma
    if known:
        if max(told.point, told.comma) >= _NEARLY_ALL * known:
            return Found(_POINT if told.point >= told.comma else _COMMA)
        return Found(None, "some of its figures have a point before their decimals, others a comma")
    # Where a semicolon stands between cells, a comma may stand before decimals.
    if told.either and hints.mark is None and hints.delimiter == ";":
        return Found(None, "a comma or a point may stand before the decimals of its figures")
    return Found(_COMMA if told.either and hints.mark == "," else _POINT)


def _found_scale(unit: str, texts: Texts, times: Times, hints: Hints) -> Found:
    mark = _found_mark(texts, times, replace(hints, delimiter=","))
    if mark.reading is None:
        return mark
    said = figures(texts, _mark(mark.reading))
    plain = said.unsigned & (said.amount != 0)
    if not plain.any():
        return Found("percent")
    size, weight = np.abs(said.amount[plain]), times[plain]
    fits = {
        reading: int(weight[(least <= size) & (size <= most)].sum())
        for reading, (least, most) in _RANGES[unit].items()
    }
    whole = [reading for reading, count in fits.items() if count >= _NEARLY_ALL * weight.sum()]
    if len(whole) == 1:
        return Found(whole[0])
    several = "; ".join(f"{count:,} fit '{reading}'" for reading, count in fits.items() if count)
    return Found(None, f"its figures do not tell their unit ({several or 'none fits any'})")


def _mark(reading: str) -> Mark:
    return "," if reading == _COMMA else "."


def read_all(
    unit: str, reading: str, scale: str, texts: Texts, *, strict: bool = True
) -> tuple[list[object], dict[int, str]]:
    """Values of texts that say something, in their order, None for "nobody" and "various"; and of
    those that do not read, by place, what is wrong.

    Whole dollars, percent figures, fractions from 0, ratios, whole months, days, flags, codes or
    text. Shares are at most 1 where `strict`. Raises ValueError for a unit that there is not.
    """
    if unit in _RANGES or unit in _COUNTED:
        # Where the reading is a unit, what stands before decimals is found again.
        mark = _mark(reading)
        if unit in _RANGES:
            told = marks(texts, np.ones(len(texts), np.int64))
            mark = "," if told.comma > told.point else "."
        return _figures_of(unit, reading, scale, figures(texts, mark), strict=strict)
    if unit == "date":
        order: Order | None = "D/M/Y" if reading == "D/M/Y" else "M/D/Y" if reading else None
        return _one_by_one(texts, lambda raw: day(raw, order))
    if unit in {"text", "party", "place"}:
        return _texts_of(unit, texts)
    if unit in _TEXTS:
        return _one_by_one(texts, _TEXTS[unit])
    codes = codes_of(unit)
    return _one_by_one(texts, lambda raw: _code(raw, codes))


def _one_by_one(texts: Texts, read: Read) -> tuple[list[object], dict[int, str]]:
    values: list[object] = []
    wrong: dict[int, str] = {}
    for at, raw in enumerate(texts):
        try:
            values.append(read(raw))
        except ValueError as error:
            wrong[at] = str(error)
            values.append(None)
    return values, wrong


def _texts_of(unit: str, texts: Texts) -> tuple[list[object], dict[int, str]]:
    """As one by one; what is tidy, and is most of it, is taken as it is."""
    tidy = pc.match_substring_regex(pa.array(texts, pa.string()), _TIDY).to_pylist()
    read, nobody = _TEXTS[unit], {"party": _NO_ONE, "place": _VARIOUS}.get(unit, frozenset())
    most = _LONGEST_PARTY if unit == "party" else LONGEST_TEXT
    values: list[object] = []
    wrong: dict[int, str] = {}
    for at, raw in enumerate(texts):
        if tidy[at] and len(raw) <= most and raw.casefold() not in nobody:
            values.append(raw)
            continue
        try:
            values.append(read(raw))
        except ValueError as error:
            wrong[at] = str(error)
            values.append(None)
    return values, wrong


def _figures_of(
    unit: str, reading: str, scale: str, said: Figures, *, strict: bool
) -> tuple[list[object], dict[int, str]]:
    amount = said.amount
    none = np.isnan(amount)
    wrong = dict.fromkeys(np.flatnonzero(none).tolist(), "is no figure")

    def refuse(which: NDArray[np.bool_], why: str) -> None:
        for at in np.flatnonzero(which & ~none).tolist():
            wrong.setdefault(at, why)

    if unit in _COUNTED:
        least, most, beyond = _COUNTED[unit]
        found = amount * _SCALES[scale] if unit == "money" else amount
        refuse(~((least <= found) & (found <= most)), beyond)
        if unit != "ratio":
            if unit == "year":
                refuse(found != np.rint(found), beyond)
            found = np.rint(np.round(found, 6))
    else:
        word = reading or "percent"
        factor = np.where(said.percent, 1.0, np.where(said.points, 0.01, _TO_PERCENT[word]))
        percent = amount * factor
        if unit in {"rate", "margin"}:
            small = said.unsigned & (amount != 0) & (np.abs(amount) < _LEAST_RATE[word])
            refuse(small & (unit == "rate"), f"is too small in a column of rates read as {word}")
            refuse(
                ~((percent >= _RATES[0]) & (percent <= _RATES[1])), f"is no rate, read as {word}"
            )
            found = np.round(percent, _DIGITS)
        else:
            most = 1 if unit == "share" and strict else 5
            found = np.round(percent / 100, _DIGITS + 2)
            refuse(~((found >= 0) & (found <= most)), f"is no share, read as {word}")
    return _listed(found, wrong, whole=unit in _COUNTED and unit != "ratio"), wrong


#: Decimals of a percent figure.
_DIGITS: Final = 8


def _listed(found: Floats, wrong: dict[int, str], *, whole: bool) -> list[object]:
    found = found.copy()
    if wrong:
        found[list(wrong)] = 0
    values: list[object] = (found.astype(np.int64) if whole else found).tolist()
    for at in wrong:
        values[at] = None
    return values


def _text(raw: str) -> str:
    if raw.startswith("="):
        raise ValueError("is a formula, and not what it comes to")
    plain = clean_text(raw)
    if len(plain) > LONGEST_TEXT:
        raise ValueError(f"is longer than {LONGEST_TEXT:,} characters")
    if not plain.isprintable():
        raise ValueError("holds characters that cannot be printed")
    return plain


def _number(raw: str) -> str:
    """The number of a loan: leading zeros stay, the ".0" of a spreadsheet goes."""
    plain = re.sub(r"(?<=\d)\.0+$", "", _text(raw))
    if len(plain) > _LONGEST_NUMBER:
        raise ValueError("is too long for the number of a loan")
    return plain


def _party(raw: str) -> str | None:
    plain = _text(raw)
    if len(plain) > _LONGEST_PARTY:
        raise ValueError("is too long for a name")
    return None if plain.casefold() in _NO_ONE else plain


def _place(raw: str) -> str | None:
    plain = _text(raw)
    return None if plain.casefold() in _VARIOUS else plain


def _state(raw: str) -> str | None:
    plain = _place(raw)
    if plain is None:
        return None
    code = _STATE_OF.get(plain.casefold(), plain.upper())
    if not re.fullmatch(r"[A-Z][A-Z0-9]", code):
        raise ValueError("is no state")
    return code


def _zip(raw: str) -> str | None:
    plain = _place(re.sub(r"\.0+$", "", raw))
    if plain is None:
        return None
    if re.fullmatch(r"\d{4}", plain, re.ASCII):  # a spreadsheet took its zero away
        return f"0{plain}"
    if not re.fullmatch(r"\d{5}(-?\d{4})?", plain, re.ASCII):
        raise ValueError("is no ZIP")
    return plain


def _flag(raw: str) -> bool:
    word = raw.casefold()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError("is neither yes nor no")


def _code(raw: str, codes: dict[str, str]) -> str:
    plain = re.sub(r"\.0+$", "", clean_text(raw))
    if plain.casefold() not in codes:
        raise ValueError("is no word that is known here")
    return codes[plain.casefold()]


def _property_type(raw: str) -> str:
    """The canonical word; another word as it came, in lower case."""
    plain = _text(raw).casefold()
    return codes_of("property_type").get(plain, plain)


_TEXTS: Final[dict[str, Read]] = {
    "text": _text,
    "number": _number,
    "party": _party,
    "place": _place,
    "state": _state,
    "zip": _zip,
    "flag": _flag,
    "property_type": _property_type,
}


def plain(value: object) -> object:
    """A value as JSON has it."""
    return value.isoformat() if isinstance(value, date) else value
