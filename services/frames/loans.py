"""Loans and signals as frames: of a snapshot, else page by page of the API."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import pandas as pd

from services.contract.aggregates import Weighted
from services.contract.columns import LOAN_EXPORT, SIGNAL_EXPORT
from services.contract.errors import MirrorMissing
from services.contract.loan_filter import LoanFilter
from services.contract.records import Loan, LoanDetail, Signal
from services.contract.signal_filter import SignalFilter

from .asking import Names, asked, chosen, in_words
from .columns import OF_LOANS, OF_SIGNALS
from .frame import about, of_columns, of_rows
from .reading import Reading

#: What the API's lists hold of a loan, and of a signal.
_LISTED: Final = tuple(name for name in Loan.model_fields if name != "extra")
_SIGNALLED: Final = tuple(
    name for name in SIGNAL_EXPORT if name in Signal.model_fields or name == "rules"
)
#: A weighted mean -> the fact that it is the mean of.
_MEANS: Final = {
    "coupon": "interest_rate", "dscr": "dscr", "ltv": "ltv", "debt_yield": "debt_yield"
}  # fmt: skip


def loans(
    reading: Reading, given: Mapping[str, object], columns: Names | None = None
) -> pd.DataFrame:
    """Every loan that matches; see Atlas.loans."""
    query = asked(LoanFilter, given)
    usual = LOAN_EXPORT if reading.mirrored else _LISTED
    names = chosen(columns, OF_LOANS, usual)
    of = [OF_LOANS[name] for name in names]
    what = {"what": "loans", "filters": in_words(query) or "all loans"}
    if reading.mirrored:
        return of_columns(reading.figures.loan_columns(query, names), of, what | reading.said)
    _only(names, _LISTED)
    if (specified := query.within_specification) is None:
        raise MirrorMissing.of_figures()
    rows = (dict(one) for one in reading.every(reading.source.loans, specified))
    return of_rows(rows, of, what | reading.said_live)


def signals(
    reading: Reading, given: Mapping[str, object], columns: Names | None = None
) -> pd.DataFrame:
    """Every signal that matches; see Atlas.signals."""
    query = asked(SignalFilter, given)
    usual = SIGNAL_EXPORT if reading.mirrored else _SIGNALLED
    names = chosen(columns, OF_SIGNALS, usual)
    of = [OF_SIGNALS[name] for name in names]
    what = {"what": "signals", "filters": in_words(query) or "all signals"}
    if reading.mirrored:
        return of_columns(reading.figures.signal_columns(query, names), of, what | reading.said)
    _only(names, _SIGNALLED)
    if (specified := query.within_specification) is None:
        raise MirrorMissing.of_figures()
    rows = (_row(one) for one in reading.every(reading.source.signals, specified))
    return of_rows(rows, of, what | reading.said_live)


def totals(reading: Reading, given: Mapping[str, object]) -> "pd.Series[Any]":
    """Totals of the loans that match; see Atlas.totals."""
    query = asked(LoanFilter, given)
    found = reading.figures.loan_totals(query)
    means: dict[str, Weighted] = {name: getattr(found, name) for name in _MEANS}
    told = {
        "loans": found.loans,
        "records": found.records,
        "notes": found.notes,
        "book_value": found.book_value,
        **{name: one.mean for name, one in means.items()},
        "dollars_short": found.dollars_short,
        "short_loans": found.short_loans,
    }
    said = {
        "what": "totals of loans",
        "filters": in_words(query) or "all loans",
        "coverage": {name: one.coverage for name, one in means.items()},
        "units": {name: OF_LOANS[fact].unit for name, fact in _MEANS.items()},
    }
    return _series(told, "totals", said | reading.said)


def loan(reading: Reading, loan_number: str) -> "pd.Series[Any]":
    """One loan whole; see Atlas.loan."""
    found: LoanDetail = reading.patient(lambda: reading.source.loan(loan_number))
    told = {**found.model_dump(exclude={"extended", "extra"}), **found.extended, **found.extra}
    facts = [name for name in OF_LOANS if name in told]
    said = about((OF_LOANS[name] for name in facts), {"what": "loan", **reading.said_live})
    return _series({name: told[name] for name in facts} | told, found.loan_number, said)


def _series(told: Mapping[str, Any], name: str, said: Mapping[str, Any]) -> "pd.Series[Any]":
    """Values by name, NA where none is known, with what is `said` of them."""
    values = [pd.NA if one is None else one for one in told.values()]
    series = pd.Series(values, index=list(told), name=name, dtype=object)
    series.attrs.update(said)
    return series


def _only(names: Iterable[str], listed: Iterable[str]) -> None:
    """Raises MirrorMissing for a column that the API's list does not have."""
    if not set(names) <= set(listed):
        raise MirrorMissing.of_figures()


def _row(one: Signal) -> dict[str, Any]:
    rules = "; ".join(
        f"{part.rule} {part.severity}" for part in sorted(one.components, key=lambda it: it.rule)
    )
    return {**dict(one), "rules": rules or None}
