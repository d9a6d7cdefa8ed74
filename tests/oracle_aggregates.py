"""Aggregates as contract/aggregates.py describes them (D33), for `tests/oracle.py`.

One method for each of `Analytics`, by the same name; `dossier` is its `entity`.
"""

from collections import Counter, defaultdict
from datetime import date

from services.contract.aggregates import (
    Disposed,
    EntityDossier,
    FillRate,
    MaturityBucket,
    Reject,
    Slice,
    Totals,
    WorstSeverity,
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
from services.contract.vocabulary import SEVERITIES, STATES, TIERS, tier_of
from tests import oracle_notes
from tests.oracle_maturities import SINCE, due, due_within, horizon
from tests.oracle_signals import nulls_last, share

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


#: In the order in which they are listed.
WAYS = (
    *("outstanding", "defeased in full", "paid off before maturity", "paid off at maturity"),
    *("discounted payoff", "liquidated", "repurchased or substituted"),
    *("ended for a reason not stated", None),
)


def disposed(rows):
    """Loans by how they stand or ended, with the losses that are above zero."""
    found = []
    for way in WAYS:
        of = [row for row in rows if row["disposition"] == way]
        losing = [row for row in of if (row["realized_loss"] or 0) > 0]
        loss = oracle_notes.dollars(losing, "realized_loss")
        part = share(of).model_dump()
        if of:
            found.append(
                Disposed(
                    disposition=way,
                    **part,
                    realized_loss=loss,
                    loss_loans=oracle_notes.loans(losing),
                )
            )
    return tuple(found)


class Aggregates:
    """Over the `rows`, `found` signals, `listed` entities and `as_of` of an Oracle."""

    def totals(self):
        rows, today = self.rows, self.as_of
        priced = [r for r in rows if None not in (r["interest_rate"], r["book_value"])]
        refi = [r for r in priced if r["features"]["refi_rate"] is not None]
        critical = {id(r): r for r, one, _ in self.found if one["severity"] == "critical"}
        confirmed = [r for r in critical.values() if r["confidence_tier"] == "confirmed"]
        return Totals(
            as_of=today,
            book=share(rows),
            notes=oracle_notes.notes(rows),
            weighted_coupon=_weighted(priced, lambda r: r["interest_rate"]),
            weighted_refi_rate=_weighted(refi, lambda r: r["features"]["refi_rate"]),
            matures_12_months=share(r for r in rows if due_within(r, today, 12)),
            matures_24_months=share(r for r in rows if due_within(r, today, 24)),
            past_maturity=share(r for r in rows if horizon(r, today) == "past maturity"),
            fell_due=share(r for r in rows if horizon(r, today) == SINCE),
            no_maturity_date=share(r for r in rows if horizon(r, today) == "no maturity date"),
            critical_signals=sum(one["severity"] == "critical" for _, one, _ in self.found),
            critical=share(critical.values()),
            critical_confirmed=share(confirmed),
            states=len({r["property_state"] for r in rows} & set(STATES)),
            outside_map=share(r for r in rows if r["property_state"] not in STATES),
            dispositions=disposed(rows),
        )

    def maturity_wall(self):
        groups = defaultdict(list)
        for row in self.rows:
            if day := due(row):
                quarter = date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
                overdue = day < row["info"].as_of
                since = not overdue and day < self.as_of
                groups[quarter, overdue, since, row["features"]["rate_pressure"]].append(row)
        ordered = sorted(groups, key=lambda g: (g[0], not g[1], not g[2], _severity_rank(g[3])))
        return [
            MaturityBucket(
                quarter=q,
                rate_pressure=word,
                overdue=late,
                fell_due=since,
                **share(groups[q, late, since, word]).model_dump(),
                dollars_short=_short(groups[q, late, since, word]),
            )
            for q, late, since, word in ordered
        ]

    def worst_severities(self):
        groups = defaultdict(list)
        for row in self.screened():
            groups[row["grade"]].append(row)
        words = sorted(groups, key=oracle_notes.GRADES.index, reverse=True)
        return [
            WorstSeverity(
                severity=word,
                **share(groups[word]).model_dump(),
                dollars_short=_short(groups[word]),
                by_tier=tuple(
                    Slice(word=tier, **share(rows).model_dump())
                    for tier in (*reversed(TIERS), None)
                    if (rows := [r for r in groups[word] if r["confidence_tier"] == tier])
                ),
            )
            for word in words
        ]

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

    # Dossiers

    def dossier(self, name):
        """Without owners and holdings: their order within a level is not promised."""
        own = self._own(name)
        numbers = {row["loan_number"] for row in own}
        mine = [row for row in self.screened() if row["loan_number"] in numbers]
        severities = Counter(one["severity"] for row, one, _ in self.found if row in own)
        listed = self.listed[name]
        return EntityDossier(
            entity_name=name,
            kind=listed["kind"],
            confidence=listed["confidence"],
            confidence_tier=tier_of(listed["confidence"]),
            book=share(own),
            by_state=_slices(own, "property_state"),
            by_property_type=_slices(own, "property_type"),
            by_lender=_slices(own, "lender_normalized"),
            loans_by_role=self.entity(listed).extra.get("loans_by_role", {}),
            worst=oracle_notes.worst(mine),
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


def _short(rows):
    return oracle_notes.dollars([{**row, **row["features"]} for row in rows], "dollars_short")


def _severity_rank(word):
    return len(SEVERITIES) if word is None else SEVERITIES.index(word)


def _weighted(rows, figure):
    rows = [r for r in rows if not r["features"]["sums_notes"]]
    weight = sum(r["book_value"] for r in rows)
    return sum(figure(r) * r["book_value"] for r in rows) / weight if weight else None


def _filled(rows, name):
    return sum(row[name] is not None for row in rows)


def _slices(rows, name):
    """By book value, then loans, the largest first, then word."""
    words = defaultdict(list)
    for row in rows:
        words[row[name]].append(row)
    slices = [Slice(word=word, **share(of).model_dump()) for word, of in words.items()]
    ordered = sorted(slices, key=lambda one: (-one.book_value, -one.loans, nulls_last(one.word)))
    return tuple(ordered)
