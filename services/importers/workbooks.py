"""Workbooks of strangers as CSV, each read by a process that may be ended (workbook.py)."""

import json
import subprocess  # noqa: TID251 - a hostile workbook ends a process of its own
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.contract.queries import shortened

from . import workbook

#: A workbook begins so, as every ZIP archive does.
PACKED: Final = b"PK\x03\x04"
#: Between two looks at whether who asked still waits.
_LOOK_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a workbook may hold and take."""

    #: Bytes of all parts unpacked: a small file can unpack to a very large one.
    unpacked: int
    #: Bytes of one part with cells, texts or a picture, and of one that describes others.
    part: int
    description: int
    rows: int
    columns: int
    #: Bytes of the CSV.
    text: int
    #: Bytes of address space and seconds of processor, for what no part tells: a sheet of two cells
    #: can name the first and the last of 17 billion.
    memory: int
    seconds: int
    #: Rows that a sheet has at least, where none is named.
    fewest: int = 1


@contextmanager
def as_csv(
    path: Path,
    name: str,
    bounds: Bounds,
    sheet: str | None = None,
    *,
    waits: Callable[[], object] = bool,
) -> Iterator[tuple[Path, str]]:
    """A sheet of a workbook as a CSV file in UTF-8, and in words which one it is.

    `name` is what the file is called in sentences. `waits` is called while the workbook is read,
    and what it raises ends that. Raises ImportRefused, one sentence that begins with `name`.
    """
    with tempfile.TemporaryDirectory(prefix="credit-atlas-workbook-") as folder:
        out, answer = Path(folder) / "sheet.csv", Path(folder) / "answer.json"
        words = [sys.executable, "-I", workbook.__file__, str(path), str(out)]
        words += [json.dumps(asdict(bounds)), *([sheet] if sheet else [])]
        with answer.open("wb") as opened:
            process = subprocess.Popen(  # noqa: S603, TID251 - our words; it may be ended
                words, stdin=subprocess.DEVNULL, stdout=opened, stderr=subprocess.DEVNULL
            )
        try:
            # A busy machine may give it a second of processor in two.
            for _ in range(round(2 * bounds.seconds / _LOOK_SECONDS)):
                waits()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_LOOK_SECONDS)
                    break
            said = json.loads(answer.read_bytes() or b"null")
        except ValueError:
            said = None
        finally:
            process.kill()
            process.wait()
        if said is None:
            raise ImportRefused(
                f"{name} is too large or too odd to be read as a workbook; save its sheet as CSV"
            )
        if "refused" in said:
            raise ImportRefused(f"{name} {said['refused']}")
        others = len(said["sheets"]) - 1
        rest = f", one of {others + 1} sheets" if others else ""
        yield out, f"workbook, sheet '{shortened(said['sheet'])}'{rest}"
