"""The locks: which versions are installed, by which hashes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]
#: What a machine of its own, a team's machines, the tests, and the release's tools install.
RUNTIME: Final = ROOT / "requirements.txt"
TEAM: Final = ROOT / "services/shelf/deploy/requirements.txt"
TESTS: Final = ROOT / "tests/requirements.txt"
SUPPLY: Final = ROOT / "tests/supply/requirements.txt"
LOCKS: Final = (RUNTIME, TEAM, TESTS, SUPPLY)
_HASH: Final = re.compile(r"--hash=(sha256:[0-9a-f]{64})")


@dataclass(frozen=True)
class Pinned:
    """One package of a lock."""

    name: str
    version: str
    #: Whether it is for this machine and Python.
    here: bool
    hashes: frozenset[str]


def read(lock: Path) -> Iterator[Pinned]:
    """The packages of a lock. Raises ValueError for a line that is none."""
    text = re.sub(r"^ *#.*\n", "", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for line in filter(None, text.replace("\\\n", "").splitlines()):
        if line == "--only-binary :all:":
            continue
        wanted, *_ = line.partition("--hash=")
        found = Requirement(wanted)
        (pin,) = found.specifier
        hashes = frozenset(_HASH.findall(line))
        if (
            found.url
            or pin.operator != "=="
            or not hashes
            or _HASH.sub("", line).strip() != wanted.strip()
        ):
            raise ValueError(f"{lock.name}: {line[:80]}")
        here = found.marker is None or found.marker.evaluate()
        yield Pinned(canonicalize_name(found.name), pin.version, here, hashes)
