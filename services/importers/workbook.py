"""A workbook to CSV, run as a program of its own: what is hostile in it ends this process alone.

    python workbook.py FILE OUT BOUNDS [SHEET]

Writes the sheet (by default the first visible one with enough rows) as CSV in UTF-8, and one line
of JSON to its output: `sheet`, `sheets`, `rows`, or `refused` with the end of a sentence. BOUNDS is
a JSON object, see `Bounds` of workbooks.py.
"""

import csv
import datetime as dt
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

#: Parts of an archive, and bytes that are unpacked of one at once.
_MOST_PARTS = 2_000
_CHUNK = 1 << 20
#: Parts that hold cells; whatever else is XML says how they look and where they are.
_CELLS = ("xl/worksheets/", "xl/sharedStrings.xml")
#: Whole numbers that a cell holds exactly.
_EXACT = 1e15
#: A formula whose result was never computed: there is nothing to read.
_UNCOMPUTED = re.compile(
    rb"</(?:\w+:)?f>\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
#: What to do about a workbook that is too large.
_INSTEAD = "; save its sheet as CSV"


class _Refused(Exception):
    """What is wrong with a workbook, as the end of a sentence that begins with its name."""


def main(file: str, out: str, bounds: str, sheet: str | None = None) -> None:
    """See the module."""
    most: Mapping[str, int] = json.loads(bounds)
    _bound(most)
    try:
        formulas = _check(Path(file), most)
        said = _convert(file, out, most, sheet)
        if formulas:
            said = {
                "refused": f"holds {formulas:,} formulas without a result; open it in a"
                " spreadsheet, save it, and use it again"
            }
    except _Refused as refused:
        said = {"refused": str(refused)}
    except MemoryError:
        said = {"refused": "is too large to be read; save its sheet as CSV"}
    sys.stdout.write(json.dumps(said))


def _bound(most: Mapping[str, int]) -> None:
    try:
        import resource
    except ImportError:  # Windows has none
        return
    resource.setrlimit(resource.RLIMIT_AS, (most["memory"], most["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (most["seconds"], most["seconds"]))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most["text"], most["text"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _check(path: Path, most: Mapping[str, int]) -> int:
    """How many formulas have no result. Counts what is unpacked, whatever the archive says."""
    left, formulas = most["unpacked"], 0
    try:
        with zipfile.ZipFile(path) as packed, path.open("rb") as raw:
            parts = packed.infolist()
            if len(parts) > _MOST_PARTS:
                raise _Refused(f"has {len(parts):,} parts; a plain workbook has a few{_INSTEAD}")
            for part in parts:
                tail, sheet = b"", part.filename.startswith("xl/worksheets/sheet")
                plain = part.filename.endswith((".xml", ".rels"))
                describes = plain and not part.filename.startswith(_CELLS)
                size, largest = 0, most["description" if describes else "part"]
                for chunk in _unpacked(raw, part):
                    left -= len(chunk)
                    size += len(chunk)
                    if size > largest:
                        raise _Refused(f"has a part of more than {largest >> 20:,} MB{_INSTEAD}")
                    if left < 0:
                        raise _Refused(
                            f"unpacks to more than {most['unpacked'] >> 20:,} MB{_INSTEAD}"
                        )
                    if sheet:
                        text = tail + chunk
                        found = list(_UNCOMPUTED.finditer(text))
                        formulas += len(found)
                        tail = text[max(found[-1].end() if found else 0, len(text) - 200) :]
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, OSError, ValueError) as error:
        raise _Refused("is no workbook: it does not unpack") from error
    return formulas


def _unpacked(raw: BinaryIO, part: zipfile.ZipInfo) -> Iterator[bytes]:
    raw.seek(part.header_offset)
    head = raw.read(30)
    raw.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
    left = part.compress_size
    if part.compress_type == zipfile.ZIP_STORED:
        while left > 0 and (chunk := raw.read(min(left, _CHUNK))):
            left -= len(chunk)
            yield chunk
        return
    if part.compress_type != zipfile.ZIP_DEFLATED:
        raise _Refused("is packed in a way that no spreadsheet packs; save it again")
    inflate = zlib.decompressobj(-15)
    while left > 0 and (chunk := raw.read(min(left, _CHUNK))):
        left -= len(chunk)
        while chunk and not inflate.eof:
            yield inflate.decompress(chunk, _CHUNK)
            chunk = inflate.unconsumed_tail


def _convert(file: str, out: str, most: Mapping[str, int], wanted: str | None) -> dict[str, object]:
    import python_calamine as calamine

    try:
        book = calamine.load_workbook(file)
        visible = [
            one.name
            for one in book.sheets_metadata
            if one.visible == calamine.SheetVisibleEnum.Visible
            and one.typ == calamine.SheetTypeEnum.WorkSheet
        ]
        if wanted is not None and wanted not in book.sheet_names:
            raise _Refused(f"has no sheet '{wanted[:60]}'; it has {', '.join(visible)[:200]}")
        for name in [wanted] if wanted is not None else visible:
            sheet = book.get_sheet_by_name(name)
            if wanted is None and sheet.height < most["fewest"]:
                continue
            # Rows above the first that holds something are no rows of a sheet, but have numbers.
            first = sheet.start[0] if sheet.start else 0
            for unit, found in (("rows", first + sheet.height), ("columns", sheet.width)):
                if found > most[unit]:
                    raise _Refused(f"has {found:,} {unit}; {most[unit]:,} are read at most")
            with Path(out).open("w", encoding="utf-8", newline="") as opened:
                writer = csv.writer(opened)
                writer.writerows([] for _ in range(first))
                writer.writerows(map(_cells, sheet.to_python(skip_empty_area=True)))
            return {"sheet": name, "sheets": visible, "rows": sheet.height}
    except calamine.PasswordError as error:
        raise _Refused("is locked by a password; save it without one") from error
    except calamine.CalamineError as error:
        raise _Refused("is no workbook that can be read; save its sheet as CSV") from error
    except OSError as error:
        raise _Refused("holds too much text; save its sheet as CSV") from error
    raise _Refused("has no visible sheet with rows")


def _cells(row: list[Any]) -> list[str]:
    return [_text(cell) for cell in row]


def _text(cell: object) -> str:
    """A cell as CSV has it: whole numbers without a point, days as ISO dates."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < _EXACT else repr(cell)
    if isinstance(cell, dt.datetime):
        return cell.date().isoformat()
    return "" if cell is None else str(cell)


if __name__ == "__main__":
    main(*sys.argv[1:])
