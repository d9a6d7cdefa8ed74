"""A folder in EDGAR's own layout: what a user has, or what was fetched and is kept."""

import os
from pathlib import Path

from services.contract.errors import ImportRefused, NotFound
from services.edgar.records import plain

#: Of one file; the largest Exhibit 102 of commercial mortgages has some 10 MB.
MOST_BYTES = 128 * 2**20


class Folder:
    """A Base of files. What is put there is whole or not there at all."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes:
        """See Base. Raises ImportRefused for what is too large or does not read."""
        file = self.root / path
        try:
            if file.stat().st_size > MOST_BYTES:
                raise ImportRefused(f"{path} is larger than {MOST_BYTES // 2**20} MiB")
            return file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            raise NotFound(f"{self.root} has no {path}") from None
        except OSError as wrong:
            raise ImportRefused(f"{path} cannot be read: {wrong.strerror}") from wrong

    def names(self, folder: str) -> list[str]:
        """See Base."""
        try:
            return sorted(one.name for one in (self.root / folder).iterdir() if plain(one.name))
        except OSError:
            raise NotFound(f"{self.root} has no {folder}") from None

    def put(self, path: str, raw: bytes) -> Path:
        """Keeps a file; whoever is killed meanwhile leaves none."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        half = file.with_name(f"{file.name}.half-{os.getpid()}")
        half.write_bytes(raw)
        half.replace(file)
        return file
