"""Files of CREFC's Investor Reporting Package to portfolios: one a deal and distribution date."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from services.contract.errors import ImportRefused, InvalidRequest
from services.contract.period import Filing
from services.contract.portfolio import Portfolio, SourceInfo
from services.importers.base import Field, Rules
from services.importers.cmbs.parties import Origin
from services.importers.cmbs.tables import tables
from services.importers.crefc_irp import kinds
from services.importers.crefc_irp.deal import joined
from services.importers.crefc_irp.parts import Part, fields, parts
from services.importers.values import clean_text

_PUBLISHER: Final = "Servicers and certificate administrator, CREFC Investor Reporting Package"
_TERMS: Final = "As agreed with whoever gave the files; not redistributed"
_SUFFIXES: Final = (".xlsx", ".csv", ".txt")
_LONGEST_DEAL: Final = 120
#: Kinds whose date makes a period, the first that a deal has.
_PERIODS: Final = (("periodic", "property"), ("watchlist",))


@dataclass(frozen=True, slots=True)
class Package:
    """What an import brings."""

    #: One for each deal and date that a new file has a part in, by deal, then date.
    filings: list[Filing]
    #: Of each deal the files that are new.
    files: Mapping[str, Sequence[Path]]


#: Files of a deal that came before, and of each whether a user named the deal of its records.
Earlier = Callable[[str], Iterable[tuple[Path, bool]]]


def package(
    paths: Sequence[Path],
    *,
    deal: str | None = None,
    as_of: date | None = None,
    earlier: Earlier = lambda _: (),
) -> Package:
    """The filings that files make, with those of the same deals that came earlier.

    `deal` names the one deal of all files; by default each transaction id is one (D192). `as_of`
    is the date of deals none of whose files states any.

    Raises InvalidRequest for parameters that do not fit; ImportRefused for a file that is none of
    the package, and where nothing says which of two Loan Setups counts. A single bad record is a
    row of `rejects`.
    """
    named = None if deal is None else _named(deal)
    seen: set[str] = set()
    given: dict[str, list[Part]] = {}
    brought: dict[str, list[Path]] = {}
    for path, found in _read(paths, named):
        if found[0].sha256 not in seen:
            seen.add(found[0].sha256)
            for part in found:
                given.setdefault(_named(part.deal), []).append(part)
            for name in {part.deal for part in found}:
                brought.setdefault(name, []).append(path)
    filings = []
    for name, listed in sorted(given.items()):
        before = [
            part
            for path, of_all in earlier(name)
            for part in parts(path, name if of_all else None)
            if part.deal == name and part.sha256 not in seen
        ]
        for day in _days(name, [*before, *listed], as_of):
            counting = [*_counting([*before, *listed], day)]
            if any(part.sha256 in seen for part in counting):
                filings.append(_filing(name, day, counting))
    return Package(filings, brought)


def histories(
    paths: Sequence[Path], *, deal: str | None = None, as_of: date | None = None
) -> list[Filing]:
    """The filings that these files make by themselves; see `package`."""
    return package(paths, deal=deal, as_of=as_of).filings


def _read(paths: Sequence[Path], deal: str | None) -> list[tuple[Path, list[Part]]]:
    """Every file with what it holds. A file of a folder that is none of the package is passed over,
    as a folder of a month holds other reports too, and stands among the rejects of the first one.
    """
    found: list[tuple[Path, list[Part]]] = []
    passed: list[tuple[str, ImportRefused]] = []
    for path, of_folder in _files(paths):
        try:
            found.append((path, parts(path, deal)))
        except ImportRefused as why:
            if not of_folder:
                raise
            passed.append((path.name, why))
    if not found:
        raise passed[0][1]
    found[0][1][0].rejects += [(name, why.message) for name, why in passed]
    return found


def _files(paths: Sequence[Path]) -> list[tuple[Path, bool]]:
    """The files, in the order given, and of each whether it was found in a folder."""
    if not paths:
        raise InvalidRequest("no file was given: name at least one file.", parameter="paths")
    found: list[tuple[Path, bool]] = []
    for path in paths:
        try:
            inside = sorted(path.iterdir()) if path.is_dir() else None
        except OSError as wrong:
            raise ImportRefused(f"{path.name} cannot be read: {wrong.strerror}.") from wrong
        if inside is None:
            found.append((path, False))
            continue
        listed = [one for one in inside if one.suffix.lower() in _SUFFIXES and one.is_file()]
        if not listed:
            raise ImportRefused(f"the folder {path.resolve().name} holds no .xlsx, .csv or .txt.")
        found += [(one, True) for one in listed]
    return found


def _named(deal: str) -> str:
    name = clean_text(deal)
    if not name or not name.isprintable() or len(name) > _LONGEST_DEAL:
        raise InvalidRequest(
            f"a deal's name is of 1 to {_LONGEST_DEAL} printable characters.", parameter="deal"
        )
    return name


def _days(deal: str, listed: Sequence[Part], as_of: date | None) -> list[date]:
    """The dates of which a deal has a period."""
    for group in _PERIODS:
        if found := {part.day for part in listed if part.kind in group and part.day}:
            return sorted(found)
    if as_of is None:
        raise ImportRefused(
            f"No file of {deal} states a date ({_listed(part.file for part in listed)}): only the"
            " Loan Periodic Update and the Property file have a distribution date, and a watchlist"
            " one in its title; give --as-of YYYY-MM-DD, or these files too."
        )
    return [as_of]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names)))


def _counting(listed: Sequence[Part], day: date) -> Iterable[Part]:
    """The parts that count at a date: of each kind those of its latest date not after it."""
    for kind in kinds.KINDS:
        own = [part for part in listed if part.kind == kind and (part.day or day) <= day]
        latest = max((part.day or day for part in own), default=day)
        counting = [part for part in own if (part.day or day) == latest]
        yield from _one_setup(counting) if kind == "setup" else counting


def _one_setup(setups: Sequence[Part]) -> Sequence[Part]:
    """Of several Loan Setups the one that was changed last."""
    if len(setups) < 2:  # noqa: PLR2004
        return setups
    changed = {
        part.file: max(
            (one.loan.day("last_setup_change") or date.min for one in part.entries),
            default=date.min,
        )
        for part in setups
    }
    last = [part for part in setups if changed[part.file] == max(changed.values())]
    if len(last) > 1:
        raise ImportRefused(
            f"{_listed(part.file for part in last)} are Loan Setup files of {last[0].deal}, and"
            " neither states a later setup change; give one of them."
        )
    return last


def _filing(deal: str, day: date, counting: Sequence[Part]) -> Filing:
    hashes = tuple(sorted({part.sha256 for part in counting}))
    name = f"{deal} ({_listed(part.file for part in counting)})"
    return Filing(_key(deal), hashes, name, lambda **_: portfolio(deal, day, counting))


def _key(deal: str) -> str:
    return f"crefc-irp:{deal}"


def portfolio(deal: str, day: date, counting: Sequence[Part]) -> Portfolio:
    """The loans of a deal as of a date. Raises ImportRefused where no record makes one."""
    found = joined(counting)
    unmapped: Counter[str] = Counter()
    for part in counting:
        unmapped.update(part.unmapped)
    info = SourceInfo(
        key=_key(deal),
        importer="crefc-irp",
        title=deal,
        publisher=_PUBLISHER,
        terms=_TERMS,
        as_of=day,
        provenance="reported",
        files=tuple(sorted({part.file for part in counting})),
        sha256=tuple(sorted({part.sha256 for part in counting})),
        records_read=sum(part.records for part in counting),
        unmapped=dict(sorted(unmapped.items())),
    )
    return Portfolio(
        info=info, **tables(found.loans, deal, found.rejects, _rules(), _origin(counting))
    )


def _origin(counting: Sequence[Part]) -> Origin:
    """Where parties are named: the loan seller in the Loan Setup, the servicer in the Loan Periodic
    Update, tenants in the Property file.
    """
    stated = [
        (one.key, name, part.file)
        for part in counting
        for group in ("loan", "property")
        for name, one in fields(part.kind, group).items()
    ]
    return Origin(
        counting[0].file,
        "its reporting package lists the loan",
        "loan",
        {key: name for key, name, _ in stated},
        {key: file for key, _, file in stated},
    )


def _rules() -> Rules:
    """Fields by what they are of, over all kinds."""

    def every(part: str) -> Mapping[str, Field]:
        return {
            f"{kind}: {name}": one
            for kind in kinds.KINDS
            if kind != "financial"
            for name, one in fields(kind, part).items()
        }

    return Rules({part: every(part) for part in ("loan", "property")}, {})
