"""GLEIF's XML read as a stream, each record in the shape that its JSON has: bounded memory, nothing
resolved, nothing fetched.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from lxml import etree
from lxml.etree import _Element as Element

from services.contract.errors import ImportRefused
from services.importers.xml_parser import pull_parser

_SCHEMAS: Final = "http://www.gleif.org/data/schema/"
#: The element of a record by that of its file.
_RECORDS: Final = {
    "LEIData": "LEIRecord",
    "RelationshipData": "RelationshipRecord",
    "ReportingExceptionData": "Exception",
}
#: Elements that JSON has as a list, whose members may be one.
_LISTS: Final = {"OtherEntityNames", "RelationshipPeriods"}
_CHUNK: Final = 1 << 16
_DEEPEST: Final = 24
_MOST_ELEMENTS: Final = 100_000  # of one record; real ones have some hundreds
_RECORD_DEPTH: Final = 3


@dataclass(slots=True)
class Tally:
    """What a file turned out to be, filled while it is read to its end."""

    sha256: str = ""
    #: When it was made; "" where its header does not say.
    made: str = ""


def records(path: Path, tally: Tally) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place in the file, record) of each record. Raises ImportRefused for what is no whole, plain
    file of GLEIF.
    """
    try:
        with path.open("rb") as source:
            yield from _read(path.name, source, tally)
    except FileNotFoundError:
        raise ImportRefused(f"{path.name}: there is no such file.") from None
    except OSError as wrong:
        raise ImportRefused(f"{path.name} cannot be read: {wrong.strerror}.") from wrong


def _read(name: str, source: BinaryIO, tally: Tally) -> Iterator[tuple[str, dict[str, Any]]]:
    parser = pull_parser()
    digest = hashlib.sha256()
    depth = elements = at = 0
    wanted = ""
    try:
        while piece := source.read(_CHUNK):
            digest.update(piece)
            parser.feed(piece)
            for event, node in parser.read_events():
                element = cast(Element, node)
                if event == "start":
                    depth += 1
                    elements = 1 if depth == _RECORD_DEPTH else elements + 1
                    if depth == 1:
                        wanted = _wanted(name, element)
                    if depth > _DEEPEST or elements > _MOST_ELEMENTS:
                        raise ImportRefused(f"{name} holds a record that is too deep or too long.")
                    continue
                depth -= 1
                if depth == _RECORD_DEPTH - 1:
                    if _name(element) == wanted:
                        at += 1
                        found = _value(element)
                        yield f"record {at}", found if isinstance(found, dict) else {}
                    elif _name(element) == "ContentDate":
                        tally.made = (element.text or "").strip()
                    _drop(element)
        parser.close()
    except etree.XMLSyntaxError as wrong:
        raise ImportRefused(
            f"{name} is not well-formed XML at line {wrong.lineno}; is the file complete, and "
            "unpacked?"
        ) from wrong
    tally.sha256 = digest.hexdigest()


def _wanted(name: str, root: Element) -> str:
    if root.getroottree().docinfo.internalDTD is not None:
        raise ImportRefused(f"{name} declares a document type (DOCTYPE); it is not read.")
    known = str(root.tag).startswith("{" + _SCHEMAS)
    if not known or _name(root) not in _RECORDS:
        raise ImportRefused(f"{name} holds something else than GLEIF's records as XML.")
    return _RECORDS[_name(root)]


def _drop(element: Element) -> None:
    """Forgets a record and what stands before it, which was handed out."""
    element.clear()
    while (before := element.getprevious()) is not None:
        cast(Element, element.getparent()).remove(before)


def _value(element: Element) -> object:
    """As JSON has it: text, an object, or of what may repeat a list."""
    if _name(element) in _LISTS:
        return [_value(one) if len(one) else {_name(one): _value(one)} for one in element]
    if not len(element):
        return (element.text or "").strip()
    found: dict[str, object] = {}
    for child in element:
        name, value = _name(child), _value(child)
        if name in found:
            before = found[name]
            found[name] = [*before, value] if isinstance(before, list) else [before, value]
        else:
            found[name] = value
    return found


def _name(element: Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""
