"""A portfolio and its scores as the rows of a period: one narrow row a loan."""

import json
from datetime import date
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from services.contract.book import Scores
from services.contract.period import HISTORY, ScoredBy, ScoredPeriod
from services.contract.portfolio import Portfolio
from services.contract.vocabulary import CONTAGION, SEVERITIES, SIGNAL_TYPES
from services.signals.amortisation import DateArray
from services.signals.assumptions import Assumptions
from services.signals.income_periods import period_days, period_months
from services.signals.rules import rules

#: Digits of ratios that we compute: more than any page shows, and a quarter of the room.
_DIGITS = {"ltv": 4, "debt_yield": 3}
#: Column of HISTORY -> fact of the loans, or of what was scored, where it is called otherwise.
_FACTS = {
    "city": "property_city",
    "state": "property_state",
    "lender": "lender_normalized",
    "balance": "book_value",
}


def scored_by(assumptions: Assumptions, as_of: date) -> ScoredBy:
    """What scores a period of that date by these tables, and by the rules as they are now."""
    versions = [(rule.id, rule.version) for rule in rules(assumptions.limits)]
    rests_on = _hash([versions, assumptions.texts()])
    quotes = assumptions.rates.refi_quotes(as_of)
    rates = [[name, quote.date.isoformat(), quote.percent] for name, quote in quotes.items()]
    return ScoredBy(
        f"limits version {assumptions.limits.version}, rules {rests_on[:8]}",
        _hash([rests_on, rates, HISTORY.names])[:12],
    )


def scored_by_source(key: str) -> ScoredBy:
    """What scores a period whose source brings its own scores (D44)."""
    return ScoredBy("as its source scored it", _hash(key)[:12])


def _hash(said: object) -> str:
    return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def scored_period(source: Portfolio, scores: Scores, by: ScoredBy) -> ScoredPeriod:
    """A source's portfolio, scored by itself as of its own date, as a period."""
    loans, features = source.loans, scores.features
    columns: dict[str, Any] = {}
    for name in HISTORY.names:
        fact = _FACTS.get(name, name)
        if fact in features.column_names:
            columns[name] = features[fact]
        elif fact in loans.column_names:
            columns[name] = loans[fact]
    for name, digits in _DIGITS.items():
        columns[name] = pc.round(columns[name], digits)
    columns |= {
        "vintage": pc.year(loans["origination_date"]),
        "income_months": _income_months(loans),
        "sponsor": _sponsors(source, scores),
        "rules": _rules(scores, loans.num_rows),
        "worst": _worst(scores, loans.num_rows),
        **_severities(scores.signals, loans.num_rows),
        **_tenants(source.leases, loans.num_rows),
    }
    columns.setdefault("realized_loss", _losses(loans))
    arrays = [
        _as(columns[spec.name], spec.type)
        if spec.name in columns
        else pa.nulls(loans.num_rows, spec.type)
        for spec in HISTORY
    ]
    table = pa.Table.from_arrays(arrays, schema=HISTORY)
    return ScoredPeriod(source, table.take(pc.sort_indices(table["loan_number"])), by)


def _as(column: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(whole.type):
        whole = whole.dictionary_decode()
    if pa.types.is_floating(whole.type):  # what is no number is not known
        whole = pc.if_else(pc.is_finite(whole), whole, pa.scalar(None, whole.type))
    return whole if whole.type == kind else whole.cast(kind, safe=False)


def _income_months(loans: pa.Table) -> pa.Array:
    months = period_months(period_days(_days(loans, "income_from"), _days(loans, "income_to")))
    short = np.isfinite(months) & (months <= np.iinfo(np.int8).max)
    return pa.array(np.where(short, months, 0).astype(np.int8), mask=~short)


def _days(loans: pa.Table, name: str) -> DateArray:
    days: DateArray = loans[name].to_numpy()
    return days.astype("datetime64[D]")


def _losses(loans: pa.Table) -> pa.Array:
    """Dollars lost, of loans that owe nothing any more: where the filing says so."""
    losses: list[int | None] = [None] * loans.num_rows
    ended = pc.indices_nonzero(pc.fill_null(pc.equal(loans["book_value"], 0), False)).to_pylist()
    for row in ended:
        loss = json.loads(loans["further"][row].as_py() or "{}").get("realized_loss_to_trust")
        losses[row] = round(loss) if isinstance(loss, int | float) else None
    return pa.array(losses, pa.int64())


def _sponsors(source: Portfolio, scores: Scores) -> pa.Array:
    if scores.screened is None or not source.entities.num_rows:
        return pa.nulls(source.loans.num_rows, pa.string())
    return _as(source.entities["entity_name"], pa.string()).take(
        _as(scores.screened["sponsor"], pa.int32())
    )


def _severities(signals: pa.Table, loans: int) -> dict[str, pa.Array]:
    """Of each type of signal the severity by loan, None without one."""
    loan = signals["loan"].to_numpy()
    words = _as(signals["signal_type"], pa.string())
    severity = _as(signals["severity"], pa.string())
    found = {}
    for kind in SIGNAL_TYPES:
        place = np.full(loans, -1, np.int64)
        rows = np.flatnonzero(pc.equal(words, kind).to_numpy(zero_copy_only=False))
        place[loan[rows]] = rows
        found[kind] = severity.take(pa.array(place, mask=place < 0))
    return found


def _worst(scores: Scores, loans: int) -> pa.Array:
    worst = worst_ranks(scores, loans)
    return pa.array(SEVERITIES).take(pa.array(worst, mask=worst < 0))


def worst_ranks(scores: Scores, loans: int, *without: str) -> NDArray[np.int32]:
    """Rank in SEVERITIES of each loan's worst signal, -1 without one; contagion (D279) and the
    rules `without` left out. A source may grade its loans and name no rule.
    """
    words, parts = pa.array(SEVERITIES), scores.components

    def ranks(table: pa.Table) -> NDArray[np.int32]:
        found = pc.index_in(_as(table["severity"], pa.string()), value_set=words)
        ranked: NDArray[np.int32] = found.fill_null(-1).to_numpy().copy()
        return ranked

    by_signal, signal = ranks(scores.signals), parts["signal"].to_numpy()
    by_signal[signal] = -1  # those that name rules go by these
    left_out = pa.array((CONTAGION, *without))
    out = pc.is_in(_as(parts["rule"], pa.string()), value_set=left_out)
    counts = ~out.to_numpy(zero_copy_only=False)
    np.maximum.at(by_signal, signal[counts], ranks(parts)[counts])
    worst = np.full(loans, -1, np.int32)
    np.maximum.at(worst, scores.signals["loan"].to_numpy(), by_signal)
    return worst


def _rules(scores: Scores, loans: int) -> pa.Array:
    """Ids of the rules that fired on each loan, with spaces between, in order."""
    fired = _as(scores.components["rule"], pa.string())
    known = sorted(set(fired.to_pylist()) - {None})
    code = pc.index_in(fired, pa.array(known, pa.string())).fill_null(0).to_numpy()
    loan = scores.signals["loan"].to_numpy()[scores.components["signal"].to_numpy()]
    fires = np.zeros((loans, len(known)), np.bool_)
    fires[loan, code] = True
    patterns, which = np.unique(fires @ (1 << np.arange(len(known))), return_inverse=True)
    words = [
        " ".join(rule for at, rule in enumerate(known) if pattern >> at & 1)
        for pattern in patterns.tolist()
    ]
    return pa.array([word or None for word in words], pa.string()).take(pa.array(which))


def _tenants(leases: pa.Table, loans: int) -> dict[str, pa.Array]:
    """The tenant with the most area of each loan, in a tie the first by name, and its lease."""
    order = pc.sort_indices(
        leases,
        sort_keys=[
            ("loan", "ascending"),
            ("square_feet", "descending"),
            ("tenant", "ascending"),
            ("expires", "ascending"),
        ],
    ).to_numpy()
    loan = leases["loan"].to_numpy()[order]
    first = order[np.flatnonzero(np.diff(loan, prepend=-1))]
    place = np.full(loans, -1, np.int64)
    place[leases["loan"].to_numpy()[first]] = first
    rows = pa.array(place, mask=place < 0)
    return {
        "tenant": _as(leases["tenant"], pa.string()).take(rows),
        "tenant_expires": _as(leases["expires"], pa.date32()).take(rows),
    }
