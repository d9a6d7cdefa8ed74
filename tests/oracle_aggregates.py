"""Aggregates as contract/aggregates.py describes them (D33), for `tests/oracle.py`.

One method for each of `Analytics`, by the same name; `dossier` is its `entity`.
"""

from calendar import monthrange
from collections import Counter, defaultdict
from datetime import date

from services.contract.aggregates import (
    CityShare,
    EntityDossier,
    FillRate,
    MatrixCell,
    MaturityBucket,
    Reject,
    Share,
    Slice,
    StateSignals,
    StressedLoan,
    Totals,
)
from services.contract.errors import NotFound
from services.contract.facts import FACTS
from services.contract.schedule_al import (
    ACCRUAL_METHODS,
    DEFEASANCES,
    MODIFICATIONS,
    PAYMENT_STATUSES,
    PAYMENT_TYPES,
    PROPERTY_TYPES,
    RATE_INDEXES,
    RATE_TYPES,
    STRUCTURES,
    WORKOUTS,
)
from services.contract.source import SIGNAL_EXPORT
from services.contract.vocabulary import SEVERITIES, STATES, TIERS, tier_of

#: Fields of open sets, and their words with a known rank or meaning (D2).
KNOWN = {
    "property_type": PROPERTY_TYPES.values(),
    "property_state": STATES,
    "rate_pressure": SEVERITIES,
    "confidence_tier": TIERS,
    "payment_status": PAYMENT_STATUSES,
    "workout": WORKOUTS,
    "structure": STRUCTURES,
    "payment_type": PAYMENT_TYPES,
    "accrual_method": ACCRUAL_METHODS,
    "rate_type": RATE_TYPES,
    "rate_index": RATE_INDEXES,
    "modification": MODIFICATIONS,
    "defeasance": DEFEASANCES,
}


def months_after(day, months):
    """The same day of a later month, or its last."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


class Aggregates:
    """Over the `rows`, `found` signals, `listed` entities and `as_of` of an Oracle."""

    def totals(self):
        rows, today = self.rows, self.as_of
        priced = [r for r in rows if None not in (r["interest_rate"], r["book_value"])]
        refi = [r for r in priced if r["features"]["refi_rate"] is not None]
        dated = [r for r in rows if r["maturity_date"]]

        def within(months):
            last = months_after(today, months)
            return _share(r for r in dated if today <= r["maturity_date"] <= last)

        critical = {id(r): r for r, one, _ in self.found if one["severity"] == "critical"}
        confirmed = [r for r in critical.values() if r["confidence_tier"] == "confirmed"]
        return Totals(
            as_of=today,
            book=_share(rows),
            weighted_coupon=_weighted(priced, lambda r: r["interest_rate"]),
            weighted_refi_rate=_weighted(refi, lambda r: r["features"]["refi_rate"]),
            matures_12_months=within(12),
            matures_24_months=within(24),
            past_maturity=_share(
                r for r in dated if r["maturity_date"] < today and (r["book_value"] or 0) > 0
            ),
            no_maturity_date=_share(r for r in rows if not r["maturity_date"]),
            critical_signals=sum(one["severity"] == "critical" for _, one, _ in self.found),
            critical=_share(critical.values()),
            critical_confirmed=_share(confirmed),
            states=len({r["property_state"] for r in rows} & set(STATES)),
            outside_map=_share(r for r in rows if r["property_state"] not in STATES),
        )

    def maturity_wall(self):
        groups = defaultdict(list)
        for row in self.rows:
            if day := row["maturity_date"]:
                quarter = date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
                overdue = day < self.as_of
                groups[quarter, overdue, row["features"]["rate_pressure"]].append(row)
        ordered = sorted(groups, key=lambda g: (g[0], not g[1], _severity_rank(g[2])))
        return [
            MaturityBucket(
                quarter=q,
                rate_pressure=word,
                overdue=late,
                **_share(groups[q, late, word]).model_dump(),
            )
            for q, late, word in ordered
        ]

    def largest_stressed(self, limit):
        worst = defaultdict(list)
        for row, one, _ in self.found:
            if one["severity"] in {"severe", "critical"}:
                worst[row["loan_number"]].append(one)
        by_value = sorted(
            (self.by_number[number] for number in worst),
            key=lambda r: (r["book_value"] is None, -(r["book_value"] or 0), r["loan_number"]),
        )
        return [_stressed(row, worst[row["loan_number"]]) for row in by_value[:limit]]

    # Inventory

    def fill_rates(self):
        rows = [{**row, **row["features"]} for row in self.rows]
        counted = [fact.name for fact in FACTS if fact.counted]
        return [
            FillRate(field=name, filled=_filled(rows, name), loans=len(rows)) for name in counted
        ]

    def unranked_words(self):
        found = {}
        for name, known in KNOWN.items():
            words = [({**row, **row["features"]})[name] for row in self.rows]
            odd = Counter(word for word in words if word is not None and word not in known)
            if odd:
                found[name] = dict(sorted(odd.items(), key=lambda item: (-item[1], item[0])))
        return found

    def rejects(self):
        return [
            Reject(source=one.info.title, **row)
            for one in self.portfolios
            for row in one.rejects.to_pylist()
        ]

    # Screens

    def signals_found(self, query):
        return self.signals(query)

    def signal_table(self, query):
        rows = []
        for row, one, parts in self.chosen(query):
            info = row["info"]
            fired = sorted(f"{part['rule']} {part['severity']}" for part in parts)
            whole = {**row, **row["features"], **one, "rules": "; ".join(fired) or None}
            whole |= {"as_of": info.as_of, "source": info.title, "provenance": info.provenance}
            rows.append({name: whole[name] for name in SIGNAL_EXPORT})
        return rows

    # Maps

    def signal_states(self, query):
        """Every state, whatever state is asked for."""
        found = self.chosen(query.model_copy(update={"state": None}))
        states = []
        for state in sorted({r["property_state"] for r in self.rows}, key=_nulls_last):
            here = _share(r for r in self.rows if r["property_state"] == state)
            behind = [row for row, *_ in found if row["property_state"] == state]
            states.append(
                StateSignals(
                    state=state,
                    signals=len(behind),
                    **_share(_distinct(behind)).model_dump(),
                    state_loans=here.loans,
                    state_book_value=here.book_value,
                )
            )
        return states

    def signal_matrix(self, query, by):
        cells = defaultdict(list)
        for row, one, _ in self.chosen(query.model_copy(update={"state": None})):
            column = one["severity"] if by == "severity" else row["property_type"]
            cells[row["property_state"], column].append(row)
        return [
            MatrixCell(
                state=state,
                column=column,
                signals=len(cells[state, column]),
                **_share(_distinct(cells[state, column])).model_dump(),
            )
            for state, column in sorted(cells, key=lambda c: (_nulls_last(c[0]), _nulls_last(c[1])))
        ]

    def signal_cities(self, query):
        found = self.chosen(query)
        return _cities(_distinct(row for row, *_ in found), found)

    def loan_cities(self, query):
        return _cities(self.result(query), self.found)

    # Dossiers

    def dossier(self, name):
        """Without owners and holdings: their order within a level is not promised."""
        own = self._own(name)
        severities = Counter(one["severity"] for row, one, _ in self.found if row in own)
        listed = self.listed[name]
        return EntityDossier(
            entity_name=name,
            kind=listed["kind"],
            confidence=listed["confidence"],
            confidence_tier=tier_of(listed["confidence"]),
            book=_share(own),
            by_state=_slices(own, "property_state"),
            by_property_type=_slices(own, "property_type"),
            by_lender=_slices(own, "lender_normalized"),
            signals_by_severity=severities,
            owners=(),
            holdings=(),
            holdings_total=0,
        )

    def signals_of_entity(self, name, query):
        own = self._own(name)
        found = [one for one in self.found if one[0] in own]
        found.sort(key=lambda s: -_severity_rank(s[1]["severity"]))  # else as they stand
        return self.page(found, query)

    def _own(self, name):
        if name not in self.listed:
            raise NotFound(name)
        return [self.by_number[number] for number in sorted(self.tied(name))]


def _stressed(row, signals):
    severity = max((one["severity"] for one in signals), key=SEVERITIES.index)
    kinds = sorted(one["signal_type"] for one in signals if one["severity"] == severity)
    spec = {name: row[name] for name in StressedLoan.model_fields if name in row}
    gap = row["features"]["rate_gap_bp"]
    return StressedLoan(**spec, rate_gap_bp=gap, severity=severity, signal_types=tuple(kinds))


def _severity_rank(word):
    return len(SEVERITIES) if word is None else SEVERITIES.index(word)


def _share(rows):
    rows = list(rows)
    return Share(loans=len(rows), book_value=sum(r["book_value"] or 0 for r in rows))


def _weighted(rows, figure):
    weight = sum(r["book_value"] for r in rows)
    return sum(figure(r) * r["book_value"] for r in rows) / weight if weight else None


def _filled(rows, name):
    return sum(row[name] is not None for row in rows)


def _nulls_last(word):
    return (word is None, word or "")


def _distinct(rows):
    """Each loan once, as they come."""
    return list({row["loan_number"]: row for row in rows}.values())


def _cities(rows, found):
    """Where the loans of `rows` are, each city with the worst of the signals on them."""
    cities = defaultdict(list)
    for row in rows:
        cities[row["property_city"], row["property_state"]].append(row)
    shares = []
    for (city, state), here in cities.items():
        numbers = {row["loan_number"] for row in here}
        words = [one["severity"] for row, one, _ in found if row["loan_number"] in numbers]
        worst = max(words, key=SEVERITIES.index, default=None)
        share = _share(here).model_dump()
        shares.append(CityShare(city=city, state=state, worst=worst, **share))
    return sorted(
        shares, key=lambda one: (-one.book_value, _nulls_last(one.state), _nulls_last(one.city))
    )


def _slices(rows, name):
    """By book value, then loans, the largest first, then word."""
    words = defaultdict(list)
    for row in rows:
        words[row[name]].append(row)
    slices = [Slice(word=word, **_share(of).model_dump()) for word, of in words.items()]
    ordered = sorted(slices, key=lambda one: (-one.book_value, -one.loans, _nulls_last(one.word)))
    return tuple(ordered)
