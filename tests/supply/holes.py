"""`make holes VULNERABILITIES=FILE`: known holes of the packages in our locks.

    python -m tests.supply.holes FILE [...]

Asks nobody: FILE was carried here. It is advisories of the OSV format (one or a list as JSON, a
folder or a ZIP archive of them, such as OSV's own all.zip of the ecosystem), or a report of
pip-audit as JSON. Exit code 1 where a locked version has a hole, 2 for a file that does not read.
"""

import json
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from services.contract.queries import shortened
from tests.supply.locks import LOCKS, ROOT, read

_LETTERS: Final = 120
Advisory = Mapping[str, Any]


class Hole(NamedTuple):
    """An advisory that covers a locked version."""

    package: str
    version: str
    names: str
    said: str


def advisories(path: Path) -> Iterator[Advisory]:
    """Those of a file or folder. Raises ValueError, TypeError, OSError, BadZipFile."""
    if path.is_dir():
        yield from _of([json.loads(one.read_bytes()) for one in sorted(path.rglob("*.json"))])
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".json")]
            yield from _of([json.loads(archive.read(name)) for name in names])
    else:
        yield from _of(json.loads(path.read_bytes()))


def _of(said: Any) -> Iterator[Advisory]:
    if isinstance(said, list):
        if not said:  # what nobody filled must not pass for what nobody found
            raise ValueError("it holds no advisory")
        for one in said:
            yield from _of(one)
    elif not isinstance(said, dict):
        raise TypeError("it is neither an advisory nor a list of them")
    elif "dependencies" in said:
        yield from _of_report(said)
    elif "vulns" in said or "vulnerabilities" in said:
        for one in said.get("vulns") or said.get("vulnerabilities") or ():
            yield from _of(one)
    elif "id" in said and isinstance(said.get("affected"), list):
        yield said
    elif not (said.get("withdrawn") and "id" in said):
        raise ValueError("it is of no format that is known here: OSV, or a report of pip-audit")


def _of_report(said: Advisory) -> Iterator[Advisory]:
    """pip-audit's findings, as advisories that cover one version each."""
    for package in said["dependencies"]:
        for one in package.get("vulns", ()):
            affected = {
                "package": {"ecosystem": "PyPI", "name": package["name"]},
                "versions": [package["version"]],
            }
            summary = one.get("description", "")
            yield {**one, "summary": summary, "affected": [affected]}


def covers(affected: Mapping[str, Any], version: str) -> bool:
    """Whether a version is affected, by OSV's own rule; where that cannot be said it is."""
    if version in affected.get("versions", ()):
        return True
    ranges = [one for one in affected.get("ranges", ()) if one.get("type") != "GIT"]
    if not ranges:
        return not affected.get("versions")
    try:
        ours = Version(version)
        return any(_within(one["events"], ours) for one in ranges)
    except InvalidVersion:
        return True


def _within(events: Sequence[Mapping[str, str]], ours: Version) -> bool:
    listed = sorted(
        ((Version(at), what) for event in events for what, at in event.items() if what != "limit")
    )
    hit = False
    for at, what in listed:
        if what == "introduced" and ours >= at:
            hit = True
        elif (what == "fixed" and ours >= at) or (what == "last_affected" and ours > at):
            hit = False
    return hit


def holes(found: Sequence[Advisory], locked: Mapping[str, set[str]]) -> list[Hole]:
    """The advisories that cover a version of `locked`, by package."""
    hits = set()
    for one in found:
        if one.get("withdrawn"):
            continue
        for affected in one["affected"]:
            package = affected.get("package", {})
            if package.get("ecosystem") != "PyPI":
                continue
            name = canonicalize_name(package.get("name", ""))
            for version in locked.get(name, ()):
                if covers(affected, version):
                    names = ", ".join([one["id"], *one.get("aliases", ())])
                    text = one.get("summary") or one.get("details") or ""
                    hits.add(
                        Hole(name, version, shortened(names, _LETTERS), shortened(text, _LETTERS))
                    )
    return sorted(hits)


def locked_versions(locks: Sequence[Path] = LOCKS) -> dict[str, set[str]]:
    """Every package of the locks, with its versions."""
    versions: dict[str, set[str]] = defaultdict(set)
    for lock in locks:
        for one in read(lock):
            versions[one.name].add(one.version)
    return versions


def main(words: Sequence[str]) -> int:
    """Prints what it finds; see above."""
    if not words:
        print("Name the file: make holes VULNERABILITIES=osv.zip", file=sys.stderr)
        return 2
    found: list[Advisory] = []
    for word in words:
        try:
            of_file = list(advisories(Path(word)))
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            print(f"'{word}' does not read: {shortened(str(error), _LETTERS)}", file=sys.stderr)
            return 2
        found += of_file
    newest = max((one.get("modified", "") for one in found), default="")
    locked = locked_versions()
    hits = holes(found, locked)
    for one in hits:
        where = ", ".join(
            str(lock.relative_to(ROOT))
            for lock in LOCKS
            if any((pin.name, pin.version) == one[:2] for pin in read(lock))
        )
        print(f"{one.package} {one.version} ({where}): {one.names}: {one.said}")
    print(
        f"{len(hits)} holes in {len(locked)} packages, by {len(found):,} advisories"
        + (f", the newest of {newest[:10]}" if newest else "")
    )
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
