"""Figures of a memo computed again from its table of sources and the raw file alone.

Nothing of Credit Atlas is imported: the table is read out of the DOCX, the file as XML.
"""

import io
import re
from pathlib import Path

import docx
from lxml import etree

#: What a formula may hold once its words are figures.
_ARITHMETIC = re.compile(r"(?:[\d.,\s()+*/-]|min|round)+")
_RECORD = re.compile(r"asset (?P<asset>\S+?)(?: \(line \d+\))?(?:, property (?P<at>\d+))?")
_SHOWN = re.compile(r"(?P<sign>[−+-]?)\$?(?P<figure>[\d,]+(?:\.\d+)?)(?P<unit>[%x]| bp| months)?")


def table(file: bytes) -> list[tuple[str, str, str]]:
    """Number, figure and how it is known, of each row of the table of sources."""
    [found] = [
        one for one in docx.Document(io.BytesIO(file)).tables if one.rows[0].cells[0].text == "No."
    ]
    rows = [[cell.text for cell in row.cells] for row in found.rows[1:]]
    return [(number, figure, how) for number, figure, how, _ in rows]


def filed(path: Path, record: str, element: str) -> list[str]:
    """The texts of an element in a record of the raw file."""
    root = etree.parse(path).getroot()
    space = root.tag.partition("}")[0] + "}"
    named = _RECORD.fullmatch(record)
    if named is None:
        return []
    [asset] = [one for one in root if one.findtext(f"{space}assetNumber") == named["asset"]]
    inside = asset
    if named["at"]:
        inside = asset.findall(f"{space}property")[int(named["at"]) - 1]
    return [one.text for one in inside.findall(f"{space}{element}")]


def value_of(expression: str) -> float:
    """An expression's value; raises ValueError for what is none."""
    plain = expression.replace("×", "*").replace("−", "-").replace("^", "**")
    if not _ARITHMETIC.fullmatch(plain):
        raise ValueError(expression)
    return float(eval(plain, {"__builtins__": {}}, {"min": min, "round": round}))  # noqa: S307


def agrees(value: float, shown: str) -> bool:
    """Whether a value is the one shown, to the last digit that is shown."""
    found = _SHOWN.fullmatch(shown)
    if found is None:
        return False
    figure = float(found["figure"].replace(",", ""))
    digits = len(found["figure"].partition(".")[2])
    if found["sign"] in {"−", "-"}:
        figure = -figure
    each = (value, 100 * value) if found["unit"] == "%" else (value,)
    return any(abs(one - figure) <= 0.5 * 10**-digits * 1.0001 for one in each)


def recomputed(file: bytes, path: Path) -> tuple[list[str], list[str]]:
    """The figures that come out as shown, and those that do not."""
    right, wrong = [], []
    for number, figure, how in table(file):
        label, _, shown = figure.rpartition(": ")
        first, *rest = how.split(". ")
        record, _, said = first.partition(": ")
        element, _, raw = said.partition(" = ")
        parts = [part.split(" = ") for part in rest if " = " in part]
        if not _RECORD.fullmatch(record) and " = " in first:
            parts = [first.split(" = ")]
        elif _RECORD.fullmatch(record):
            # A text may hold what divides the sentences.
            texts = filed(path, record, element)
            if len(texts) != 1 or not f"{said}. {'. '.join(rest)}".startswith(
                f"{element} = {texts[0]}"
            ):
                wrong.append(f"{number} {label}: {element} is not {raw} in {record}")
                continue
            parts = parts or [[raw, shown]]
        if not parts or not _SHOWN.fullmatch(shown):
            continue
        try:
            value = value_of(parts[0][-2])
        except (ValueError, SyntaxError):
            continue  # a code or a date, not a figure
        (right if agrees(value, shown) else wrong).append(f"{number} {label}: {value} is {shown}")
    return right, wrong
