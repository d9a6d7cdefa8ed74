"""Aggregates as contract/aggregates.py describes them (D33), for `tests/oracle.py`."""

from calendar import monthrange
from collections import defaultdict
from datetime import date

from services.contract.aggregates import MaturityBucket, Share, StressedLoan, Totals
from services.contract.vocabulary import SEVERITIES, STATES


def months_after(day, months):
    """The same day of a later month, or its last."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


class Aggregates:
    """Over the `rows`, `found` signals and `as_of` of an Oracle."""

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
