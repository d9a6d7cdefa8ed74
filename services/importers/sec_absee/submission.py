"""Where an Exhibit 102 begins: at a file's first element, or inside the text of a whole submission
to EDGAR, whose header says whose it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused
from services.importers.values import clean_text
from services.names.sec_numbers import short_name

_HEAD: Final = 1 << 16
_OPENING: Final = re.compile(rb"\s*(?:-----BEGIN|<SEC-DOCUMENT>)")
_TYPE: Final = re.compile(rb"^<TYPE>EX-102[ \t\r]*$", re.MULTILINE)
_BEGINS: Final = re.compile(rb"<XML>\s*")
_ENDS: Final = b"</XML>"
#: Whose numbers a header gives, the trust's first; each part has lines of "NAME: value" below it.
_PARTS: Final = ("ISSUING ENTITY", "FILER", "SUBJECT COMPANY")
_NAME, _CIK = "COMPANY CONFORMED NAME", "CENTRAL INDEX KEY"
_FORM, _FILED = "CONFORMED SUBMISSION TYPE", "FILED AS OF DATE"
#: "<SEC-DOCUMENT>0000000000-26-000001.txt : 20260401"
_FIRST_LINE: Final = re.compile(r"<SEC-DOCUMENT>\S+ : (\d{8})")
_DAY: Final = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Bytes of a file that are the exhibit, and what the header before them says."""

    start: int = 0
    end: int | None = None
    #: Lines before it.
    line: int = 0
    #: The trust as we call it, else as its header does.
    trust: str | None = None
    cik: int | None = None
    #: "ABS-EE", of an amendment "ABS-EE/A".
    form: str | None = None
    filed: date | None = None

    @property
    def words(self) -> str:
        """What its header says of the filing, empty without one."""
        said = [
            f"form {self.form}" if self.form else "",
            f"filed on {self.filed:%-d %b %Y}" if self.filed else "",
            f"CIK {self.cik}" if self.cik else "",
        ]
        return ", ".join(filter(None, said))


def exhibit_in(path: Path) -> Exhibit:
    """The exhibit in a file. Raises ImportRefused for a submission without one, and OSError."""
    with path.open("rb") as source:
        head = source.read(_HEAD)
        if not _OPENING.match(head):
            start = len(head) - len(head.lstrip())
            return Exhibit(start, line=head[:start].count(b"\n"))
        with mmap(source.fileno(), 0, access=ACCESS_READ) as text:
            start, end = next(spans(text), (0, 0))
            line = text[:start].count(b"\n")
    if not start:
        raise ImportRefused(
            f"{path.name} is the text of a submission to EDGAR without a whole Exhibit 102 "
            "(<TYPE>EX-102) in it; import the file of the exhibit itself."
        )
    return replace(_header(head.decode("utf-8", "replace")), start=start, end=end, line=line)


def spans(text: bytes | mmap) -> Iterator[tuple[int, int]]:
    """Where each Exhibit 102 of a whole submission begins and ends."""
    for kind in _TYPE.finditer(text):
        begins = _BEGINS.search(text, kind.end())
        end = text.find(_ENDS, begins.end()) if begins else -1
        if begins and end >= 0:
            yield begins.end(), end


def _header(head: str) -> Exhibit:
    """What a submission's first lines say of its exhibit."""
    said: dict[tuple[str, str], str] = {}
    part = ""
    for line in head.partition("</SEC-HEADER>")[0].splitlines():
        name, colon, value = line.strip().partition(":")
        if colon and not value.strip() and line[:1].isalpha():
            part = name
        elif colon and name in (_NAME, _CIK):
            said.setdefault((part, name), clean_text(value))
        elif colon:
            said.setdefault(("", name), clean_text(value))
    of = next((one for one in _PARTS if (one, _NAME) in said), "")
    number = said.get((of, _CIK), "")
    cik = int(number) if number.isascii() and number.isdecimal() else None
    first = _FIRST_LINE.search(head)
    day = _DAY.fullmatch(said.get(("", _FILED), first[1] if first else ""))
    trust = (cik and short_name(cik)) or said.get((of, _NAME)) or None
    form = said.get(("", _FORM))
    return Exhibit(trust=trust, cik=cik, form=form, filed=_date(day) if day else None)


def _date(day: re.Match[str]) -> date | None:
    try:
        return date(*map(int, day.groups()))
    except ValueError:
        return None
