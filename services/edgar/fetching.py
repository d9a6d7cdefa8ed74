"""What to ask for: a registrant's filings, and of each the Exhibit 102 that is not here yet."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from services.contract.errors import ImportRefused, NotFound
from services.edgar import exhibit, places
from services.edgar.folder import Folder
from services.edgar.places import Base
from services.edgar.records import Listed, Registrant, in_order, older_page, registrant


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was found of a registrant."""

    registrant: Registrant
    #: Exhibits in the order in which they were filed.
    exhibits: tuple[Path, ...]
    #: Filings of which no Exhibit 102 was found: they have none, or a mirror lacks them.
    without: tuple[Listed, ...]
    #: Filings that the store has already.
    known: int


def fetch(
    cik: int,
    base: Base,
    kept: Folder,
    *,
    since: date | None = None,
    known: Collection[str] = (),
    progress: Callable[[str, float], None] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Fetched:
    """The Exhibits 102 that a registrant filed, from `base`, those filed before `since` left out.

    What is in `kept` is not asked for again, so a run that was stopped goes on where it was; nor is
    a filing whose file is named in `known`. `progress` gets a stage and the fraction done;
    `cancelled` is asked before each filing. Raises ImportRefused where there is no such filing, and
    whatever keeps one from being read whole.
    """
    progress(f"asking for the filings of CIK {cik}", 0.0)
    found, listed = _listed(cik, base, kept, since)
    if not listed:
        when = f" since {since:%-d %b %Y}" if since else ""
        raise ImportRefused(f"{found.name} (CIK {cik}) has filed no asset data (ABS-EE){when}")
    exhibits, without, passed = [], [], 0
    for at, one in enumerate(listed):
        if cancelled():
            raise ImportRefused("import cancelled; what was fetched is kept for the next run")
        progress(f"fetching {at + 1} of {len(listed)}, filed {one.filed}", at / len(listed))
        place = places.kept(cik, one.accession)
        if Path(place).name in known:
            passed += 1
        elif (kept.root / place).is_file():
            exhibits.append(kept.root / place)
        elif (raw := _exhibit(cik, one, base)) is not None:
            exhibits.append(kept.put(place, raw))
        else:
            without.append(one)
    progress("fetched", 1.0)
    return Fetched(found, tuple(exhibits), tuple(without), passed)


def _listed(
    cik: int, base: Base, kept: Folder, since: date | None
) -> tuple[Registrant, list[Listed]]:
    path = places.submissions(cik)
    try:
        raw = base.read(path)
    except NotFound as none:
        raise ImportRefused(f"{none.message.rstrip('.')}; is {cik} the CIK of a trust?") from None
    found = registrant(path, raw, cik)
    kept.put(path, raw)
    listed = list(found.recent)
    for name, last in found.older:
        if since is None or last >= since:
            page = places.older(name)
            raw = base.read(page)
            listed += older_page(page, raw)
            kept.put(page, raw)
    return found, [one for one in in_order(listed) if since is None or one.filed >= since]


def _exhibit(cik: int, one: Listed, base: Base) -> bytes | None:
    """By the index of the filing, else out of its complete text; None where it is in neither."""
    folder = places.folder(cik, one.accession)
    try:
        names = exhibit.candidates(base.names(folder))
    except NotFound:
        names = []
    for name in names:
        path = f"{folder}/{name}"
        try:
            raw = base.read(path)
        except NotFound:
            continue
        if exhibit.is_exhibit(path, raw):
            return raw
    path = places.complete(cik, one.accession)
    try:
        return exhibit.cut(path, base.read(path))
    except NotFound:
        return None
