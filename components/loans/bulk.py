"""Many loans looked up at once: numbers pasted or uploaded, found, opened as one set."""

import csv
import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.frame import links, session
from components.frame.routes import LOANS
from components.kit import text
from components.kit.formatting import count
from components.platform import asking
from services.contract.loan_filter import MOST_NUMBERS
from services.contract.source import Suggestions

#: Sets of this session, by the short key that stands in the address.
_SETS: Final = "sets of loans"
_MOST_SETS: Final = 20
_PASTED: Final = "numbers pasted"
_FILE: Final = "numbers in a file"
_MEGABYTES: Final = 5
#: Unpacked: a small workbook can hold a very large one.
_MOST_UNPACKED: Final = 100 * 2**20
_MOST_PARTS: Final = 1_000
#: With the empty ones that openpyxl puts before and between what a sheet holds: one of 20 KB can
#: name rows and columns by the billion.
_MOST_CELLS: Final = 100 * MOST_NUMBERS
_LONGEST: Final = 200
_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the numbers of one list."""

    known: tuple[str, ...]
    unknown: tuple[str, ...]


def look_up() -> None:
    """The panel: a box to paste into, a file to choose, what was found of it."""
    if not session.mirrored():
        return
    with st.popover(text.label("Look up numbers"), icon=":material/playlist_add_check:"):
        st.text_area(
            "Loan numbers, one a line or with commas between",
            key=_PASTED,
            height=120,
            placeholder="CA-000012\nCA-000743",
        )
        st.session_state[asking.UPLOADER] = asking.page()
        file = st.file_uploader(
            text.label(f"Or a CSV, text or XLSX file of at most {_MEGABYTES} MB"),
            type=["csv", "txt", "xlsx"],
            max_upload_size=_MEGABYTES,
            key=_FILE,
        )
        try:
            columns = _columns(st.session_state[_PASTED] or "", file)
        except ValueError as error:
            text.notice("warning", f"{error}.", "error")
            return
        if columns:
            _outcome(_best(columns))


def numbers_of(key: str) -> tuple[str, ...] | None:
    """The numbers of a set of this session; None of one that it does not have."""
    found: tuple[str, ...] | None = st.session_state.get(_SETS, {}).get(key)
    return found


def unknown_set(key: str) -> None:
    """What stands on the page when the address names a set that this session does not have."""
    text.notice(
        "warning",
        f"The set '{key}' was pasted in another session, and sets are not stored. Paste it again "
        "under “Look up numbers”.",
        "link_off",
    )
    links.link(LOANS, "Show all loans", "restart_alt")


def _outcome(found: Found) -> None:
    total = len(found.known) + len(found.unknown)
    text.sentence(f"{count(len(found.known))} of {count(total)} numbers found.")
    if found.known:
        links.link(LOANS, "Open them as one set", "open_in_new", {"set": keep(found.known)})
    if found.unknown:
        text.lead("Not found")
        for number in found.unknown[:_SHOWN]:
            near = session.ask(Suggestions.near_loans, number, 2)
            text.caption(f"{number}: near {' and '.join(near)}" if near else number)
        if len(found.unknown) > _SHOWN:
            text.caption(f"and {count(len(found.unknown) - _SHOWN)} more")


def keep(numbers: tuple[str, ...]) -> str:
    """The key of these numbers in this session; the oldest sets make room."""
    key = hashlib.sha256("\n".join(numbers).encode()).hexdigest()[:8]
    sets: dict[str, tuple[str, ...]] = st.session_state.setdefault(_SETS, {})
    sets[key] = numbers
    while len(sets) > _MOST_SETS:
        del sets[next(iter(sets))]
    return key


def _best(columns: Sequence[Sequence[str]]) -> Found:
    """The column with the most numbers of loans; the first of a tie. A head is no number."""
    outcomes = []
    for column in columns:
        asked = tuple(dict.fromkeys(column))
        known = session.ask(Suggestions.loan_names, asked)
        outcomes.append(
            Found(
                tuple(one for one in asked if one in known),
                tuple(
                    one
                    for at, one in enumerate(asked)
                    if one not in known and not (at == 0 and len(asked) > 1 and _is_head(one))
                ),
            )
        )
    return max(outcomes, key=lambda one: len(one.known))


def _is_head(cell: str) -> bool:
    return not any(character.isdigit() for character in cell)


def _columns(pasted: str, file: "io.BytesIO | None") -> list[list[str]]:
    """Cells by column, empty ones left out. Raises ValueError saying what is wrong."""
    if pasted.strip():
        cells = pasted.replace(";", "\n").replace(",", "\n").replace("\t", "\n").splitlines()
        return _tidy([[cell] for cell in cells])
    if file is None:
        return []
    data = file.getvalue()
    name = str(getattr(file, "name", ""))
    if len(data) > _MEGABYTES << 20:
        raise ValueError(f"'{text.line(name)}' is larger than {_MEGABYTES} MB")
    if name.casefold().endswith(".xlsx"):
        return _tidy(_workbook(data))
    try:
        return _tidy(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error):
        raise ValueError(f"'{name}' does not read as CSV in UTF-8") from None


def _tidy(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    columns: list[list[str]] = []
    cells = 0
    for row in rows:
        for at, value in enumerate(row):
            cell = "" if value is None else str(value).strip()
            if not cell or len(cell) > _LONGEST or "\x00" in cell:
                continue
            columns.extend([] for _ in range(at + 1 - len(columns)))
            columns[at].append(cell)
            cells += 1
        if max(map(len, columns), default=0) > MOST_NUMBERS or cells > 10 * MOST_NUMBERS:
            raise ValueError(f"That is more than {count(MOST_NUMBERS)} numbers; give fewer")
    return [column for column in columns if column]


def _workbook(data: bytes) -> Iterator[Sequence[object]]:
    """Rows of the first sheet, one at a time. Raises ValueError saying what is wrong."""
    _check_unpacked(data)
    import openpyxl

    cells = 0
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what it says of its size need not be so
        for row in sheet.iter_rows(values_only=True):
            cells += 1 + len(row)
            if cells > _MOST_CELLS:
                break
            yield row
    except Exception:  # noqa: BLE001 - whatever openpyxl trips over is no workbook
        raise ValueError("The file does not read as an XLSX workbook") from None
    if cells > _MOST_CELLS:
        raise ValueError("The workbook has too many cells; keep its column of numbers alone")


def _check_unpacked(data: bytes) -> None:
    """Raises ValueError where a workbook is too large, before anything of it is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            parts = packed.infolist()
    except zipfile.BadZipFile:
        raise ValueError("The file does not read as an XLSX workbook") from None
    if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _MOST_UNPACKED:
        raise ValueError("The workbook is too large when it is unpacked")
