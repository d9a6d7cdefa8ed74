"""Exhibit 102 files read as a stream: bounded memory, nothing resolved, nothing fetched.

The prologue is read by expat, which refuses a document type before any parser may act on it;
the rest by lxml in small pieces, each record dropped from the tree once it is handed out.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, cast
from xml.parsers import expat

from lxml import etree
from lxml.etree import _Element as Element

from services.contract.errors import ImportRefused
from services.importers.base import count
from services.importers.sec_absee.submission import Exhibit, exhibit_in
from services.importers.xml_parser import pull_parser

NAMESPACE = "http://www.sec.gov/edgar/document/absee/cmbs/assetdata"
_ANY_ASSET_CLASS = re.compile(r"http://www\.sec\.gov/edgar/document/absee/(\w+)/assetdata")
_XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
_EXPECTED = "an Exhibit 102 (ABS-EE asset data, CMBS) as XML is needed"

_CHUNK = 1 << 16
_PROLOGUE = 1 << 20
_DEEPEST = 16
_MOST_ELEMENTS = 100_000  # of one record; the largest real ones have some thousands


@dataclass(slots=True)
class Asset:
    """One `assets` element: raw values by element name, and those of each `property` in it."""

    line: int
    values: dict[str, list[str]] = field(default_factory=dict)
    properties: list[dict[str, list[str]]] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """What a file turned out to hold, filled while it is read to its end."""

    sha256: str = ""
    exhibit: Exhibit = field(default_factory=Exhibit)
    records: int = 0
    stray: Counter[str] = field(default_factory=Counter)  # elements where none belong


class _RootFound(Exception):
    """Ends the reading of the prologue."""


def read_assets(path: Path, tally: Tally, advance: Callable[[int], None]) -> Iterator[Asset]:
    """Every `assets` record of one file, in order; `tally` is filled on the way.

    `advance` gets the number of bytes of each piece read. Raises ImportRefused, naming the
    file and the line where known, for anything that is not a whole, plain Exhibit 102.
    """
    try:
        if not path.exists():
            raise ImportRefused(f"{path.name}: there is no such file or folder.")
        if not path.is_file():
            raise ImportRefused(f"{path.name} is not a plain file.")
        tally.exhibit = exhibit_in(path)
        with path.open("rb") as source:
            source.seek(tally.exhibit.start)
            _check_prologue(path.name, source.read(_PROLOGUE))
            source.seek(0)
            yield from _records(path.name, source, tally, advance)
    except OSError as wrong:
        reason = wrong.strerror or "input or output error"
        raise ImportRefused(f"{path.name} cannot be read: {reason}.") from wrong


def _check_prologue(name: str, head: bytes) -> None:
    """Refuse what is no XML, declares a document type or has another root."""
    if not head.strip():
        raise ImportRefused(f"{name} is empty; {_EXPECTED}.")
    for magic, kind in ((b"PK\x03\x04", "zip"), (b"\x1f\x8b", "gzip")):
        if head.startswith(magic):
            raise ImportRefused(f"{name} is a {kind} archive; unpack it and import the XML in it.")
    parser = expat.ParserCreate(namespace_separator="}")
    roots: list[str] = []

    def doctype(root: str, *_declared: object) -> None:
        if root.casefold() == "html":
            raise ImportRefused(f"{name} is an HTML page; {_EXPECTED}.")
        raise ImportRefused(
            f"{name} declares a document type (DOCTYPE) at line {parser.CurrentLineNumber}, which "
            "no Exhibit 102 does and which could define entities; the file is not read."
        )

    def root_found(tag: str, _attributes: object) -> None:
        roots.append(tag)
        raise _RootFound

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = root_found
    try:
        parser.Parse(head, len(head) < _PROLOGUE)
    except _RootFound:
        _check_root(name, roots[0])
        return
    except (expat.ExpatError, ValueError, LookupError) as wrong:
        line = getattr(wrong, "lineno", 1)
        raise ImportRefused(f"{name} is not XML (line {line}); {_EXPECTED}.") from wrong
    raise ImportRefused(f"{name} has no element in its first megabyte; {_EXPECTED}.")


def _check_root(name: str, root: str) -> None:
    namespace, _, tag = root.rpartition("}")
    if namespace == NAMESPACE and tag == "assetData":
        return
    if tag.casefold() == "html":
        raise ImportRefused(f"{name} is an HTML page; {_EXPECTED}.")
    if other := _ANY_ASSET_CLASS.fullmatch(namespace):
        raise ImportRefused(
            f'{name} holds "{tag}" of asset class "{other[1]}"; only assetData of CMBS is read.'
        )
    shown = f'"{tag[:60]}"' + (f' in namespace "{namespace[:100]}"' if namespace else "")
    raise ImportRefused(f"{name} starts with the element {shown}; {_EXPECTED}.")


def _records(
    name: str, source: BinaryIO, tally: Tally, advance: Callable[[int], None]
) -> Iterator[Asset]:
    parser = pull_parser()
    digest = hashlib.sha256()
    walk = _Walk(name, tally)
    exhibit = tally.exhibit
    try:
        while piece := source.read(_CHUNK):
            digest.update(piece)
            before = source.tell() - len(piece)
            end = None if exhibit.end is None else max(exhibit.end - before, 0)
            parser.feed(piece[max(exhibit.start - before, 0) : end])
            for event, element in parser.read_events():
                if (asset := walk.step(event, cast(Element, element))) is not None:
                    yield asset
            advance(len(piece))
        parser.close()
    except etree.XMLSyntaxError as wrong:
        raise walk.broken(exhibit.line + (wrong.lineno or 0), str(wrong.msg)) from wrong
    if walk.depth:
        raise walk.broken()
    tally.sha256 = digest.hexdigest()


class _Walk:
    """Place in the tree; gives an Asset at the end of each `assets`."""

    def __init__(self, name: str, tally: Tally) -> None:
        self._name = name
        self._tally = tally
        self.depth = 0
        self._elements = 0
        self._line = 0

    def step(self, event: str, element: Element) -> Asset | None:
        if event == "start":
            self._open(element)
            return None
        self.depth -= 1
        if self.depth != 1:
            return None
        asset = self._asset(element)
        element.clear()
        while (before := element.getprevious()) is not None:
            cast(Element, element.getparent()).remove(before)
        return asset

    def broken(self, line: int = 0, cause: str = "") -> ImportRefused:
        """What to raise for a file that stops reading well.

        After an undefined entity that it may not resolve, lxml starts again with its next piece
        and tells a line of that: hence the depth, and the line that was reached before.
        """
        cause = re.sub(r",? line \d+.*", "", cause, flags=re.DOTALL)
        if line < self._line or not cause:
            line, cause = self._line, "broken off, or an entity that nothing defines"
        return ImportRefused(
            f"{self._name} is not well-formed XML at line {line} ({cause}); is the file complete?"
        )

    def _open(self, element: Element) -> None:
        self.depth += 1
        self._elements += 1
        if self.depth == 1 and element.getroottree().docinfo.internalDTD is not None:
            raise ImportRefused(f"{self._name} declares a document type (DOCTYPE); it is not read.")
        if self.depth == 2:  # noqa: PLR2004 (a child of the root)
            self._line = self._tally.exhibit.line + int(cast(int, element.sourceline))
            self._elements = 1
        if self.depth > _DEEPEST or self._elements > _MOST_ELEMENTS:
            raise ImportRefused(
                f"{self._name} holds a record at line {self._line} that is nested too deeply or "
                "too long for an Exhibit 102."
            )

    def _asset(self, element: Element) -> Asset | None:
        if element.tag != f"{{{NAMESPACE}}}assets":
            count(self._tally.stray, _name_of(element))
            return None
        self._tally.records += 1
        asset = Asset(self._line)
        for child in element:
            if child.tag == f"{{{NAMESPACE}}}property":
                asset.properties.append(_values(child))
            else:
                _add(asset.values, child)
        _add_attributes(asset.values, element)
        return asset


def _values(block: Element) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for child in block:
        _add(values, child)
    _add_attributes(values, block)
    return values


def _add(values: dict[str, list[str]], leaf: Element) -> None:
    """Text of `leaf`; what it should not hold goes by a path that no rule maps, to be counted."""
    name = _name_of(leaf)
    if len(leaf):
        for child in leaf:
            values.setdefault(f"{name}/{_name_of(child)}", []).append(child.text or "")
    else:
        values.setdefault(name, []).append(leaf.text or "")
    _add_attributes(values, leaf)


def _add_attributes(values: dict[str, list[str]], element: Element) -> None:
    for attribute, text in cast(dict[str, str], element.attrib).items():
        if not attribute.startswith(_XSI):
            values.setdefault(f"{_name_of(element)}/@{attribute}", []).append(text)


def _name_of(element: Element) -> str:
    return str(element.tag).removeprefix(f"{{{NAMESPACE}}}")
