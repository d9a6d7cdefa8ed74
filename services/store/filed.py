"""Files that imports have read, kept beside the snapshots: a deal's files may come in several
imports, and the next one joins them with those before.

    filed/<importer>/<hash of the deal>/<hash of the file>/<name of the file>

`named-` before the hash of the file says that a user named the deal of all its records. Of what is
served only citations read these (D247): without them a later import only knows its own files, and a
citation names its file but not the raw value.
"""

import re
import shutil
from collections.abc import Iterable
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final

_FILED: Final = "filed"
_NAMED: Final = "named-"
_HALF: Final = ".half"
#: In place of a deal, of files that no later import joins.
_CITED: Final = "cited"
_HASH: Final = re.compile("[0-9a-f]{64}")


def kept(store: Path, importer: str, deal: str) -> list[tuple[Path, bool]]:
    """The files of a deal, by name, and of each whether its deal was named by a user."""
    found = [one for one in _folder(store, importer, deal).glob("*/*") if one.suffix != _HALF]
    listed = ((one, one.parent.name.startswith(_NAMED)) for one in found)
    return sorted(listed, key=lambda one: (one[0].name, one[0].parent.name))


def keep(store: Path, importer: str, deal: str, paths: Iterable[Path], *, named: bool) -> None:
    """Keeps files of a deal; one that is there already stays."""
    for path in paths:
        with path.open("rb") as opened:
            digest = file_digest(opened, "sha256").hexdigest()
        own = _folder(store, importer, deal) / f"{_NAMED if named else ''}{digest}"
        if not (own / path.name).exists():
            own.mkdir(parents=True, exist_ok=True)
            half = own / f"{digest[:8]}{_HALF}"
            shutil.copyfile(path, half)
            half.rename(own / path.name)


def keep_all(store: Path, importer: str, paths: Iterable[Path]) -> None:
    """Keeps files that are read again only where somebody asks where a figure comes from."""
    keep(store, importer, _CITED, paths, named=False)


def replace(store: Path, importer: str, deal: str, paths: Iterable[Path]) -> None:
    """Keeps these files of a deal, and none of those before."""
    shutil.rmtree(_folder(store, importer, deal), ignore_errors=True)
    keep(store, importer, deal, paths, named=False)


def original(store: Path, sha256_of_file: str) -> Path | None:
    """The file of this hash; None where it was not kept. Its content is as the hash says."""
    if not _HASH.fullmatch(sha256_of_file):
        return None
    for found in (store / _FILED).glob(f"*/*/*{sha256_of_file}/*"):
        if found.suffix != _HALF and found.is_file():
            with found.open("rb") as opened:
                if file_digest(opened, "sha256").hexdigest() == sha256_of_file:
                    return found
    return None


def _folder(store: Path, importer: str, deal: str) -> Path:
    return store / _FILED / importer / sha256(deal.encode()).hexdigest()[:16]
