"""SEC Exhibit 102 (Reg AB II, Schedule AL, CMBS) to portfolios, one a file.

Elements are mapped by `sec_absee.toml`; what no rule names is counted, never dropped in silence.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused, InvalidRequest
from services.contract.period import Filing
from services.contract.portfolio import Portfolio, SourceInfo
from services.importers.base import RecordRejected, Rules, load_rules
from services.importers.cmbs.codes import LISTS
from services.importers.cmbs.loan import Loan
from services.importers.cmbs.parties import Origin
from services.importers.cmbs.property import Property
from services.importers.cmbs.tables import tables
from services.importers.sec_absee.notes import share_collateral
from services.importers.sec_absee.reading import parents_of, properties_in, read_facts, read_loan
from services.importers.sec_absee.xml import Asset, Tally, read_assets
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


@dataclass(slots=True)
class _Pool:
    """What was read of one file so far."""

    rules: Rules
    loans: dict[str, Loan] = field(default_factory=dict)
    children: dict[str, tuple[str, list[Property]]] = field(default_factory=dict)
    rejects: list[tuple[str, str]] = field(default_factory=list)
    rejected_loans: list[str] = field(default_factory=list)
    rejected_children: list[str] = field(default_factory=list)
    unmapped: Counter[str] = field(default_factory=Counter)


def portfolio(
    paths: Sequence[Path],
    *,
    deal: str | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[Portfolio]:
    """One portfolio a file, in the order of `filings`.

    `deal` names the one trust of all files (D23); by default the file's name up to a double
    underscore, underscores as spaces. `progress` gets a stage and the fraction read;
    `cancelled` is asked once a record. Every file is read to its end before anything returns.

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
    """Deal that a file's name tells: "BANK5_2025-5YR19__rpt.xml" -> "BANK5 2025-5YR19" (D23)."""
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
    days = [day for loan in pool.loans.values() if (day := loan.facts.day("reporting_period_end"))]
    _check_enough(path.name, tally.records, pool, dated=bool(days))
    info = SourceInfo(
        key=_key(deal),
        importer="sec-absee",
        title=deal,
        publisher=_PUBLISHER,
        terms=_TERMS,
        as_of=max(days),
        provenance="reported",
        files=(path.name,),
        sha256=(tally.sha256,),
        records_read=tally.records,
        unmapped=dict(sorted(pool.unmapped.items())),
    )
    return Portfolio(
        info=info,
        **tables(list(pool.loans.values()), deal, pool.rejects, rules, _origin(path.name)),
    )


def _pooled(
    path: Path,
    rules: Rules,
    advance: Callable[[int], None],
    cancelled: Callable[[], bool] | None,
) -> tuple[_Pool, Tally]:
    """The loans of a file with their properties, and what the file turned out to hold."""
    pool, tally = _Pool(rules), Tally()
    for asset in read_assets(path, tally, advance):
        if cancelled is not None and cancelled():
            raise ImportRefused("import cancelled; nothing was changed.")
        try:
            _take(asset, pool)
        except RecordRejected as bad:
            pool.rejects.append((bad.record, bad.reason))
    _attach_children(pool)
    share_collateral(pool.loans)
    return pool, tally


def loans_in(path: Path) -> dict[str, Loan]:
    """The loans of a file by asset number, as they are before they become rows.

    Raises ImportRefused.
    """
    return _pooled(path, filing_rules(), lambda _: None, None)[0].loans


def _origin(file: str) -> Origin:
    return Origin(file, "its Exhibit 102 lists the loan", "asset", _ELEMENTS, {})


def _take(asset: Asset, pool: _Pool) -> None:
    """Add one `assets` element to the pool: without originatorName it is a property."""
    number = clean_text(_first(asset.values.get("assetNumber")))
    shown = f"asset {number[:40]}" if number else "an asset without number"
    record = f"{shown} (line {asset.line})"
    is_loan = bool(_first(asset.values.get("originatorName")).strip())
    if number in pool.loans or (number in pool.children and not is_loan):
        raise RecordRejected(record, f"The asset number {number[:40]} was there before.")
    try:
        if is_loan:
            pool.loans[number] = read_loan(asset, record, pool.rules, pool.unmapped)
        else:
            pool.children[number] = (record, _child_blocks(asset, record, pool))
    except RecordRejected:
        (pool.rejected_loans if is_loan else pool.rejected_children).append(number)
        raise


def _child_blocks(asset: Asset, record: str, pool: _Pool) -> list[Property]:
    facts, _ = read_facts(asset, record, pool.rules, pool.unmapped)
    blocks = properties_in(asset, record, pool.rules, pool.unmapped, facts)
    if not blocks:
        raise RecordRejected(record, "It names no originator and holds no property.")
    return blocks


def _first(given: Sequence[str] | None) -> str:
    return given[0] if given else ""


def _attach_children(pool: _Pool) -> None:
    """Give each property filed apart to its loan; an orphan is rejected."""
    by_key = {_number_key(number): loan for number, loan in pool.loans.items()}
    gone = {_number_key(number) for number in pool.rejected_loans}

    def loan_of(number: str) -> Loan | None:
        found = (
            pool.loans.get(parent) or by_key.get(_number_key(parent))
            for parent in parents_of(number)
        )
        return next((loan for loan in found if loan is not None), None)

    for number, (record, blocks) in pool.children.items():
        if (loan := loan_of(number)) is not None:
            loan.children += blocks
        elif any(_number_key(parent) in gone for parent in parents_of(number)):
            pool.rejects.append((record, "It is a property of a loan that was rejected."))
        else:
            reason = "It names no originator, so it is a property, but no loan has its number."
            pool.rejects.append((record, reason))
    for number in pool.rejected_children:
        if (loan := loan_of(number)) is not None:
            loan.child_missing = True


def _number_key(number: str) -> str:
    """Asset number without leading zeros: one filer's "003-001" belongs to "3"."""
    return number.casefold().lstrip("0") or "0"


def _check_enough(name: str, records: int, pool: _Pool, *, dated: bool) -> None:
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
