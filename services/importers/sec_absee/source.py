"""SEC Exhibit 102 (Reg AB II, Schedule AL, CMBS) to portfolios, one a file.

Elements are mapped by `sec_absee.toml`; what no rule names is counted, never dropped in silence.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused, InvalidRequest
from services.contract.period import Filing
from services.contract.portfolio import Portfolio, SourceInfo
from services.importers.base import Rules, load_rules
from services.importers.cmbs.codes import LISTS
from services.importers.cmbs.loan import Loan
from services.importers.cmbs.parties import Origin
from services.importers.cmbs.tables import tables
from services.importers.sec_absee.pool import Pool
from services.importers.sec_absee.submission import exhibit_in
from services.importers.sec_absee.xml import Tally, read_assets
from services.importers.values import clean_text

Progress = Callable[[str, float], None]
_PUBLISHER: Final = "SEC EDGAR, Exhibit 102 (Reg AB II, Schedule AL)"
_TERMS: Final = "US SEC filing, public, free to redistribute"
_LONGEST_DEAL: Final = 120
#: Key of a fact that names a party -> its element.
_ELEMENTS: Final = {
    "originator_as_filed": "originatorName",
    "primary_servicer_as_filed": "primaryServicerName",
    "largest_tenant": "largestTenant",
    "second_largest_tenant": "secondLargestTenant",
    "third_largest_tenant": "thirdLargestTenant",
}


def portfolio(
    paths: Sequence[Path],
    *,
    deal: str | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[Portfolio]:
    """One portfolio a file, in the order of `filings`.

    `deal` names the one trust of all files (D23); by default the header of a submission's text,
    else the file's name up to a double underscore, underscores as spaces. `progress` gets a stage
    and the fraction read; `cancelled` is asked once a record. Every file is read to its end before
    anything returns.

    Raises InvalidRequest for parameters that do not fit, ImportRefused for a file that is not a
    whole Exhibit 102, holds no usable loan, or when cancelled. A single bad record is a row of
    `rejects` (D18: nothing is guessed).
    """
    files = filings(paths)
    deals = _deals(files, deal)
    rules = filing_rules()
    size = sum(file.stat().st_size for file in files if file.is_file()) or 1
    done = 0
    found: list[Portfolio] = []
    for file, name in zip(files, deals, strict=True):

        def advance(count: int, stage: str = f"reading {file.name}") -> None:
            nonlocal done
            done += count
            if progress is not None:
                progress(stage, min(done / size, 1.0))

        found.append(_read(file, name, rules, advance, cancelled))
    return found


def histories(paths: Sequence[Path], *, deal: str | None = None) -> list[Filing]:
    """The filings of these files, in the order of `filings`, each to be read in its turn.

    Raises as `portfolio` does for parameters, and ImportRefused for a file that does not open.
    """
    files = filings(paths)
    return [
        Filing(
            source=_key(name),
            sha256=(_sha256(file),),
            name=file.name,
            read=partial(_only, file, name),
        )
        for file, name in zip(files, _deals(files, deal), strict=True)
    ]


def _only(file: Path, deal: str, *, progress: Progress | None = None) -> Portfolio:
    return portfolio([file], deal=deal, progress=progress)[0]


def _sha256(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return file_digest(opened, "sha256").hexdigest()
    except FileNotFoundError:
        raise ImportRefused(f"{file.name}: there is no such file or folder.") from None
    except OSError as wrong:
        raise ImportRefused(f"{file.name} cannot be read: {wrong.strerror}.") from wrong


def filing_rules() -> Rules:
    """What becomes of each element of a filing, by `sec_absee.toml`."""
    return load_rules(Path(__file__).with_name("sec_absee.toml"), ("loan", "property"), LISTS)


def _key(deal: str) -> str:
    return f"sec-absee:{deal}"


def deal_of(path: Path) -> str:
    """Deal that a submission's header names, else the file's name (D23):
    "BANK5_2025-5YR19__rpt.xml" -> "BANK5 2025-5YR19".
    """
    with suppress(OSError, ImportRefused):
        if trust := exhibit_in(path).trust:
            return trust
    return clean_text(path.stem.split("__", 1)[0].replace("_", " "))


def filings(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, in the order given; of a folder its *.xml files by name.

    Raises InvalidRequest when none is named, ImportRefused for a folder without any.
    """
    if not paths:
        raise InvalidRequest("no file was given: name at least one file.", parameter="paths")
    try:
        return [file for path in paths for file in _files_of(Path(path))]
    except OSError as wrong:
        shown = Path(str(wrong.filename or paths[0])).name[:80]
        raise ImportRefused(f"{shown} cannot be read: {wrong.strerror}.") from wrong


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    inside = sorted(one for one in path.iterdir() if one.suffix.lower() == ".xml" and one.is_file())
    if not inside:
        raise ImportRefused(f"the folder {path.resolve().name} holds no .xml file.")
    return inside


def _deals(files: Sequence[Path], deal: str | None) -> list[str]:
    names = [deal_of(file) if deal is None else clean_text(deal) for file in files]
    for file, name in zip(files, names, strict=True):
        if not name or not name.isprintable() or len(name) > _LONGEST_DEAL:
            raise InvalidRequest(
                f"no deal name for {file.name}: give deal, of 1 to {_LONGEST_DEAL} printable "
                "characters.",
                parameter="deal",
            )
    return names


def _read(
    path: Path,
    deal: str,
    rules: Rules,
    advance: Callable[[int], None],
    cancelled: Callable[[], bool] | None,
) -> Portfolio:
    pool, tally = _pooled(path, rules, advance, cancelled)
    pool.unmapped.update(tally.stray)
    days = Counter(
        day for loan in pool.loans.values() if (day := loan.facts.day("reporting_period_end"))
    )
    _check_enough(path.name, tally.records, pool, dated=bool(days))
    as_of = max(days, key=lambda day: (days[day], day))
    if later := sum(loans for day, loans in days.items() if day > as_of):
        pool.unmapped["reportingPeriodEndDate (after the date of the file)"] += later
    info = SourceInfo(
        key=_key(deal),
        importer="sec-absee",
        title=deal,
        publisher=", ".join(filter(None, (_PUBLISHER, tally.exhibit.words))),
        terms=_TERMS,
        as_of=as_of,
        provenance="reported",
        files=(path.name,),
        sha256=(tally.sha256,),
        records_read=tally.records,
        unmapped=dict(sorted(pool.unmapped.items())),
    )
    return Portfolio(
        info=info,
        **tables(list(pool.loans.values()), deal, pool.rejects, rules, _origin(path.name, tally)),
    )


def _pooled(
    path: Path,
    rules: Rules,
    advance: Callable[[int], None],
    cancelled: Callable[[], bool] | None,
) -> tuple[Pool, Tally]:
    """The loans of a file with their properties, and what the file turned out to hold."""
    pool, tally = Pool(rules), Tally()
    for asset in read_assets(path, tally, advance):
        if cancelled is not None and cancelled():
            raise ImportRefused("import cancelled; nothing was changed.")
        pool.take(asset)
    pool.settle()
    return pool, tally


def loans_in(path: Path) -> dict[str, Loan]:
    """The loans of a file by asset number, as they are before they become rows.

    Raises ImportRefused.
    """
    return _pooled(path, filing_rules(), lambda _: None, None)[0].loans


def _origin(file: str, tally: Tally) -> Origin:
    said = "its Exhibit 102 lists the loan"
    return Origin(file, said, "asset", _ELEMENTS, {}, tally.exhibit.cik)


def _check_enough(name: str, records: int, pool: Pool, *, dated: bool) -> None:
    if not records:
        raise ImportRefused(f"{name} holds no assets record; there is nothing to import.")
    if not pool.loans:
        first = ": ".join(pool.rejects[0]) if pool.rejects else ""
        raise ImportRefused(
            f"{name} holds no usable loan among its {records:,} records. The first reason: {first}"
        )
    if not dated:
        raise ImportRefused(
            f"{name} states no reportingPeriodEndDate, so the date of its figures is not known."
        )
