"""EDGAR's submissions records and filing indexes: what was filed when, and under which names."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from pydantic_core import from_json

from services.contract.errors import BadPayload, ImportRefused
from services.contract.queries import shortened
from services.importers.values import clean_text

_FORMS: Final = {"ABS-EE", "ABS-EE/A"}
_ACCESSION: Final = re.compile(r"\d{10}-\d{2}-\d{6}", re.ASCII)
_PAGE: Final = re.compile(r"CIK\d{10}-submissions-\d{1,6}\.json", re.ASCII)
#: What a file may be called: no path, nothing that an address or a disk reads otherwise.
_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,199}", re.ASCII)
_LONGEST_NAME: Final = 120
#: What the names of trusts say beside the deal.
_TRUST: Final = re.compile(r"\s+(Commercial )?Mortgage( Securities)? Trust(?=\s|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Listed:
    """A filing of asset data (ABS-EE) as the submissions record lists it."""

    accession: str
    form: str
    filed: date
    #: End of its period; None where the record does not say.
    reported: date | None
    #: When it came in, as ISO 8601 has it; "" where the record does not say.
    accepted: str


@dataclass(frozen=True, slots=True)
class Registrant:
    """Who files, and the part of the filings that stands in the record itself."""

    name: str
    recent: tuple[Listed, ...]
    #: Names of older pages, each with the day of its last filing.
    older: tuple[tuple[str, date], ...]

    @property
    def deal(self) -> str:
        """The name without what every trust is called: "UBS Commercial Mortgage Trust 2017-C1" is
        "UBS 2017-C1".
        """
        return _TRUST.sub("", self.name) or self.name


def registrant(path: str, raw: bytes, cik: int) -> Registrant:
    """What a submissions record says. Raises BadPayload where it is of another shape, or of another
    registrant.
    """
    record = _object(path, raw)
    try:
        if int(str(record["cik"])) != cik:
            raise BadPayload(
                f"{path} is the record of CIK {shortened(str(record['cik']))}, not of {cik}",
                path=path,
                key="cik",
            )
        name = clean_text(str(record["name"]))[:_LONGEST_NAME]
        filings = record["filings"]
        pages = tuple((_page(one["name"]), _day(one["filingTo"])) for one in filings["files"])
        recent = tuple(_listed(filings["recent"]))
    except (KeyError, TypeError, ValueError) as wrong:
        raise _bad(path, "a submissions record", wrong) from None
    return Registrant(name, recent, pages)


def older_page(path: str, raw: bytes) -> tuple[Listed, ...]:
    """What an older page of a record lists. Raises BadPayload."""
    try:
        return tuple(_listed(_object(path, raw)))
    except (KeyError, TypeError, ValueError) as wrong:
        raise _bad(path, "a page of a submissions record", wrong) from None


def names_of(path: str, raw: bytes) -> list[str]:
    """Names of files that a filing's index lists, without those that no file here may have.

    Raises BadPayload.
    """
    try:
        items = _object(path, raw)["directory"]["item"]
        return [one["name"] for one in items if plain(one["name"])]
    except (KeyError, TypeError) as wrong:
        raise _bad(path, "the index of a filing", wrong) from None


def plain(name: object) -> bool:
    """Whether a name is one of a file, and of nothing above or below it."""
    return isinstance(name, str) and bool(_NAME.fullmatch(name))


def in_order(listed: Sequence[Listed]) -> list[Listed]:
    """As they were filed, so that of two of one period the later counts (D164); each once.

    Raises ImportRefused where most periods have several filings that correct none: they are of
    several trusts, as with the CIK of a depositor.
    """
    once = {one.accession: one for one in listed}
    several = Counter(one.reported for one in once.values() if one.reported and "/" not in one.form)
    twice = sum(count > 1 for count in several.values())
    if twice * 2 > len(several):
        raise ImportRefused(
            f"Of {len(several)} periods {twice} have several ABS-EE filings, so they are of several"
            " trusts; name the CIK of one trust, not that of its depositor"
        )
    return sorted(once.values(), key=lambda one: (one.filed, one.accepted, one.accession))


def _listed(table: Mapping[str, Sequence[Any]]) -> Iterator[Listed]:
    """Rows of parallel lists. Raises KeyError, TypeError, ValueError."""
    needed = [table[name] for name in ("accessionNumber", "form", "filingDate", "reportDate")]
    accepted = table.get("acceptanceDateTime") or [""] * len(needed[0])
    for accession, form, filed, reported, came in zip(*needed, accepted, strict=True):
        if form not in _FORMS:
            continue
        if not _ACCESSION.fullmatch(accession):
            raise ValueError(f"the accession number '{shortened(accession)}'")
        day = _day(reported) if reported else None
        yield Listed(accession, form, _day(filed), day, str(came))


def _page(name: str) -> str:
    if not _PAGE.fullmatch(name):
        raise ValueError(f"a page called '{shortened(name)}'")
    return name


def _day(text: str) -> date:
    return date.fromisoformat(text)


def _object(path: str, raw: bytes) -> dict[str, Any]:
    try:
        found = from_json(raw)
    except ValueError:
        what = "an HTML page" if raw.lstrip()[:1] == b"<" else "no JSON"
        raise BadPayload(f"{path} is {what}; check the address", path=path) from None
    if not isinstance(found, dict):
        raise BadPayload(f"{path} is no JSON object; check the address", path=path)
    return found


def _bad(path: str, kind: str, wrong: Exception) -> BadPayload:
    said = f"lacks {wrong}" if isinstance(wrong, KeyError) else f"holds {wrong}"
    return BadPayload(f"{path} is not {kind}: it {shortened(said, 200)}", path=path)
