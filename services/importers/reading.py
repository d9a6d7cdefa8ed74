"""Whole small files, read once: what is too large for that is refused."""

import json
from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from services.contract.errors import ImportRefused
from services.contract.portfolio import SourceInfo

_MOST_BYTES: Final = 256 * 2**20


def content(path: Path) -> bytes:
    """The bytes of a file of up to 256 MiB. Raises ImportRefused."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ImportRefused(f"{path.name} is larger than 256 MiB; split it.")
        return path.read_bytes()
    except FileNotFoundError:
        raise ImportRefused(f"{path.name}: there is no such file.") from None
    except OSError as wrong:
        raise ImportRefused(f"{path.name} cannot be read: {wrong.strerror}.") from wrong


def digest(raw: bytes) -> str:
    """By what a file is told from another of its name."""
    return sha256(raw).hexdigest()


def files_of(paths: Sequence[Path], suffix: str) -> list[Path]:
    """The files themselves; of a folder its files with the suffix by name. Raises ImportRefused."""
    found = []
    for path in paths:
        inside = sorted(path.glob(f"*{suffix}")) if path.is_dir() else [path]
        if not inside:
            raise ImportRefused(f"the folder {path.resolve().name} holds no {suffix} file.")
        found += inside
    return found


def objects(path: Path, raw: bytes) -> list[tuple[str, dict[str, Any]]]:
    """(place in the file, object) of a JSON list, a single object, or a file of one object a line.

    Raises ImportRefused for anything else.
    """
    try:
        document = json.loads(raw)
    except (ValueError, RecursionError):
        lines = [(at, line) for at, line in enumerate(raw.splitlines(), 1) if line.strip()]
        try:
            listed = [(f"line {at}", json.loads(line)) for at, line in lines]
        except (ValueError, RecursionError):
            raise ImportRefused(f"{path.name} does not read as JSON, nor line by line.") from None
    else:
        many = document if isinstance(document, list) else [document]
        listed = [(f"record {at}", one) for at, one in enumerate(many, 1)]
    if not all(isinstance(one, dict) for _, one in listed):
        raise ImportRefused(f"{path.name} holds something else than JSON objects.")
    return listed


def day(raw: str | None) -> date | None:
    """The day of a date or time as ISO 8601 has it. Raises ValueError."""
    return None if raw is None else date.fromisoformat(raw[:10])


def register(
    importer: str, title: str, publisher: str, terms: str, as_of: date,
    read: Sequence[tuple[Path, bytes | str]], records: int,
) -> SourceInfo:  # fmt: skip
    """What a register of parties says of itself; a later import of it replaces it. `read` has the
    content of each file, or its SHA-256.
    """
    return SourceInfo(
        key=importer,
        importer=importer,
        title=title,
        publisher=publisher,
        terms=terms,
        as_of=as_of,
        provenance="reported",
        files=tuple(path.name for path, _ in read),
        sha256=tuple(raw if isinstance(raw, str) else digest(raw) for _, raw in read),
        records_read=records,
    )
