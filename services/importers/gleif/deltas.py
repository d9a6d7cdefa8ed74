"""Which of several records counts: a delta changes or deletes what another file said."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

#: How GLEIF writes an instant, to the second.
_SECONDS: Final = 19


class Read(NamedTuple):
    """A record as it was read."""

    #: 1, 2, or 3 for an exception.
    level: int
    #: Number and name of its file, and its place there.
    at: int
    file: str
    place: str
    #: When its file was made; "" where that is not said.
    made: str
    one: Mapping[str, Any]


def in_force(records: Iterable[Read]) -> tuple[list[Read], list[tuple[Read, str]], int]:
    """Records that count, those that are deleted with the day of it, how many others replace.

    Of one LEI, relationship or exception the one that was updated last counts, in a tie that of the
    file that comes last, with all that this file says of it.
    """
    listed = list(records)
    newest: dict[object, tuple[str, int]] = {}
    for one in listed:
        key = _key(one)
        newest[key] = max(newest.get(key, ("", -1)), (_updated(one), one.at))
    staying: list[Read] = []
    deleted: list[tuple[Read, str]] = []
    replaced = 0
    for one in listed:
        if newest[_key(one)][1] != one.at:
            replaced += 1
        elif day := _deleted(one.one):
            deleted.append((one, day[:10]))
        else:
            staying.append(one)
    return staying, deleted, replaced


def _key(read: Read) -> object:
    one = read.one
    try:
        if read.level == 1:
            return 1, str(one["LEI"])
        if read.level == 2:  # noqa: PLR2004 - as GLEIF calls it
            link = one["Relationship"]
            ends = [str(link[end]["NodeID"]) for end in ("StartNode", "EndNode")]
            return 2, *ends, str(link["RelationshipType"])
        return 3, str(one["LEI"]), str(one["ExceptionCategory"])
    except (LookupError, TypeError):
        return read.at, read.place  # which is rejected where it is used


def _updated(read: Read) -> str:
    registered = read.one.get("Registration")
    said = registered.get("LastUpdateDate") if isinstance(registered, Mapping) else None
    found = str(said or read.one.get("ContentDate") or read.made)
    return max(found, _deleted(read.one))[:_SECONDS]


def _deleted(one: Mapping[str, Any]) -> str:
    """When a record was deleted; "" where it was not."""
    extension = one.get("Extension")
    deletion = extension.get("Deletion") if isinstance(extension, Mapping) else None
    return str(deletion.get("DeletedAt") or "") if isinstance(deletion, Mapping) else ""
