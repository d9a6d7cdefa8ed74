"""Where the figures of one loan come from, out of a snapshot and the files that it came from."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from services.contract.citations import (
    ANSWERED,
    BY_RULE,
    MADE_UP,
    NOT_KEPT,
    Citation,
    FiledRecords,
    LoanCitations,
    Said,
)
from services.contract.disposition import SAID_ONCE
from services.contract.facts import FACTS, Fact
from services.contract.loan_figures import LoanFigures
from services.contract.records import LoanDetail
from services.contract.rescoring import Rescorer
from services.contract.snapshot_info import LoadedSource, Snapshot

from . import filed

#: What an import says of a record, and no figure of it.
_NO_FIGURES: Final = frozenset({"json", "series"})
_AS_FILED_THEN: Final = "As the filing in which the loan ended states it"
_OF_INCOME: Final = frozenset({"noi", "ncf", "dscr", "filed_debt_service"})


def citations(
    snapshot: Snapshot,
    store: Path,
    loan: LoanDetail,
    found: LoanFigures,
    rules: Rescorer,
    records: FiledRecords | None,
) -> LoanCitations:
    """Of every figure of a loan: facts in the order of their table, then what is computed."""
    source = _source(snapshot, loan)
    said = _said(store, source, loan, records)
    scored = "; ".join(f"{one.table}: {one.source}" for one in snapshot.rests_on)
    facts = _facts(loan, source, said)
    computed = (
        one.model_copy(update={**_stamp(loan, source), "rule": scored})
        for one in rules.cited(loan, found)
    )
    by_key = {one.key: one for one in (*facts, *computed)}
    return LoanCitations(loan_number=loan.loan_number, citations=tuple(by_key.values()))


def _source(snapshot: Snapshot, loan: LoanDetail) -> LoadedSource | None:
    """The source that states a loan: by its title, and its date where titles repeat."""
    title = loan.extended.get("source")
    known = [one for one in snapshot.sources if one.title == title]
    return next((one for one in known if one.as_of == loan.as_of), known[0] if known else None)


def _said(
    store: Path, source: LoadedSource | None, loan: LoanDetail, records: FiledRecords | None
) -> Mapping[str, Said]:
    if records is None or source is None:
        return {}
    for digest in source.sha256:
        if (file := filed.original(store, digest)) is not None and (
            said := records.facts(source.importer, file, loan)
        ):
            return said
    return {}


def _stamp(loan: LoanDetail, source: LoadedSource | None) -> dict[str, Any]:
    """Source, date and provenance."""
    if source is None:
        return {"as_of": loan.as_of, "source": str(loan.extended.get("source") or "")}
    return {"source": source.title, "as_of": source.as_of, "provenance": source.provenance}


def _facts(
    loan: LoanDetail, source: LoadedSource | None, said: Mapping[str, Said]
) -> Iterator[Citation]:
    own = {name: getattr(loan, name) for name in type(loan).model_fields}
    values = {**loan.extended, **own}
    stamp = _stamp(loan, source)
    files = {} if source is None or len(source.files) != 1 else {
        "file": source.files[0],
        "sha256": source.sha256[0] if source.sha256 else None,
    }  # fmt: skip
    ended = loan.extended.get("ending_as_of")
    earlier = {**stamp, "as_of": ended}
    for fact in FACTS:
        value = values.get(fact.name)
        if fact.origin == "import" or fact.kind in _NO_FIGURES or value is None:
            continue
        if fact.origin == "reported":
            of_income = str(loan.extended.get("income_basis") or "")
            period = of_income if fact.name in _OF_INCOME else ""
            carried = ended is not None and fact.name in SAID_ONCE
            stamped = earlier if carried else {**stamp, **files, "period": period}
            made = None if carried else said.get(fact.name)
            limit = _AS_FILED_THEN if carried else _limit(source, reread=bool(said))
            yield _filed(fact, value, made, source, stamped, "" if made else limit)
        else:
            yield Citation(
                key=fact.name, label=fact.label, kind=fact.kind, value=_plain(value),
                basis="computed", rule="scored with its snapshot", limit=BY_RULE, **stamp,
            )  # fmt: skip


def _filed(
    fact: Fact,
    value: object,
    said: Said | None,
    source: LoadedSource | None,
    stamp: dict[str, Any],
    limit: str,
) -> Citation:
    made = said or Said()
    return Citation(
        key=fact.name,
        label=fact.label,
        kind=fact.kind,
        value=_plain(value),
        basis="filed",
        places=made.places,
        formula=made.formula,
        filled=made.filled,
        rule="" if source is None else f"importer {source.importer}",
        limit=limit,
        **stamp,
    )


def _limit(source: LoadedSource | None, *, reread: bool) -> str:
    """`reread` says that the file itself was read again, so that only a rule can be the reason."""
    if source is None or source.importer == "mirror":
        return ANSWERED
    if source.provenance == "synthetic":
        seed = "" if source.seed is None else f", by seed {source.seed}"
        return f"{MADE_UP}{seed}"
    return BY_RULE if reread else NOT_KEPT


def _plain(value: object) -> str | bool | int | float:
    return value if isinstance(value, str | bool | int | float) else str(value)
