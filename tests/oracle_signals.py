"""Results of signals as contract/source.py describes them, for `tests/oracle.py`: one by one."""

from collections import Counter, defaultdict

from services.contract.aggregates import (
    FoundSignal,
    MatrixCell,
    Share,
    SignalTotals,
    Slice,
    StateSignals,
)
from services.contract.columns import SIGNAL_EXPORT
from services.contract.records import Page
from services.contract.vocabulary import SEVERITIES, TIERS
from tests import oracle_notes

ON_SIGNAL = ("signal_type", "severity", "rule")
#: Filter -> the column of the loan that it is about.
WORD = {
    "state": "property_state",
    "city": "property_city",
    "property_type": "property_type",
    "confidence_tier": "confidence_tier",
}


class SignalResults:
    """Over the `found` signals and `screened` rows of an Oracle."""

    def behind(self, query):
        """Signals that match, each with the whole row of its loan, in the order asked for."""
        rows = {row["loan_number"]: row for row in self.screened()}
        asked = query.filters()
        found = [
            (rows[row["loan_number"]], one, parts)
            for row, one, parts in self.found
            if self._on_it(one, parts, asked) and self._on_loan(rows[row["loan_number"]], asked)
        ]
        if not query.order:
            return found
        name = query.order.removeprefix("-")
        keys = [(self._key(name, row, one), row, one, parts) for row, one, parts in found]
        known = [one for one in keys if one[0] is not None]
        # A stable sort: equals stay by loan_number, then type.
        known.sort(key=lambda one: one[0], reverse=query.order.startswith("-"))
        return [one[1:] for one in known + [one for one in keys if one[0] is None]]

    def _key(self, name, row, one):
        if name == "severity":
            if one["severity"] is None:
                return None
            return (SEVERITIES.index(one["severity"]), *row["urgency"])
        if name == "signal_type":
            return one["signal_type"]
        return self.sort_key(name, row)

    def _on_it(self, one, parts, asked):
        rules = {part["rule"] for part in parts}
        return (
            one["signal_type"] in asked.get("signal_type", (one["signal_type"],))
            and one["severity"] in asked.get("severity", (one["severity"],))
            and ("rule" not in asked or bool(rules & set(asked["rule"])))
        )

    def _on_loan(self, row, asked):
        return all(
            self._meets(row, name, value) for name, value in asked.items() if name not in ON_SIGNAL
        )

    def signals_found(self, query, columns):
        found = self.behind(query)
        start = (query.page - 1) * query.per_page
        part = found[start : start + query.per_page]
        listed = self.page(part, query.model_copy(update={"page": 1, "per_page": 100})).items
        names = dict.fromkeys(("loan_number", *columns))
        items = tuple(
            FoundSignal(signal=signal, values={name: row[name] for name in names})
            for signal, (row, *_) in zip(listed, part, strict=True)
        )
        return Page(items=items, page=query.page, per_page=query.per_page, total=len(found))

    def signal_table(self, query, columns=()):
        rows = []
        for row, one, parts in self.behind(query):
            info = row["info"]
            fired = sorted(f"{part['rule']} {part['severity']}" for part in parts)
            whole = {**row, **one, "rules": "; ".join(fired) or None}
            whole |= {"as_of": info.as_of, "source": info.title, "provenance": info.provenance}
            rows.append({name: whole[name] for name in dict.fromkeys((*SIGNAL_EXPORT, *columns))})
        return rows

    def signal_totals(self, query):
        found = self.behind(query)
        loans = _distinct(row for row, *_ in found)
        tiers = [*reversed(TIERS), None]
        by_tier = [(tier, [r for r in loans if r["confidence_tier"] == tier]) for tier in tiers]
        return SignalTotals(
            **_sums(found, self._of(query)),
            by_tier=tuple(
                Slice(word=tier, **share(rows).model_dump()) for tier, rows in by_tier if rows
            ),
        )

    def signal_counts(self, query, name):
        found = Counter()
        for row, one, parts in self.behind(query.model_copy(update={name: None})):
            if name == "rule":
                found.update({part["rule"] for part in parts})
            else:
                word = one[name] if name in ON_SIGNAL else row[WORD[name]]
                found.update([word] if word is not None else [])
        return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))

    def _of(self, query):
        """All loans that meet the conditions on loans."""
        asked = query.filters()
        return [row for row in self.screened() if self._on_loan(row, asked)]

    def signal_states(self, query):
        query = _everywhere(query)
        found, of = self.behind(query), self._of(query)
        return [
            StateSignals(
                state=state,
                **_sums(
                    [one for one in found if one[0]["property_state"] == state],
                    [row for row in of if row["property_state"] == state],
                ),
            )
            for state in sorted({r["property_state"] for r in self.rows}, key=nulls_last)
        ]

    def signal_matrix(self, query, by):
        query = _everywhere(query)
        typed = by == "property_type"
        cells, of = defaultdict(list), defaultdict(list)
        for row, one, parts in self.behind(query):
            column = row["property_type"] if typed else one["severity"]
            cells[row["property_state"], column].append((row, one, parts))
        for row in self._of(query):
            of[(row["property_state"], row["property_type"] if typed else None)].append(row)
        return [
            MatrixCell(
                state=state,
                column=column,
                **_sums(cells[state, column], of[state, column if typed else None]),
            )
            for state, column in sorted(cells, key=lambda c: (nulls_last(c[0]), nulls_last(c[1])))
        ]


def _sums(found, of):
    """Of some signals, and of the loans that theirs are a part of."""
    loans = _distinct(row for row, *_ in found)
    return {
        "signals": len(found),
        **share(loans).model_dump(),
        "dollars_short": oracle_notes.dollars(loans, "dollars_short"),
        "of_loans": oracle_notes.loans(of),
        "of_book_value": share(of).book_value,
    }


def share(rows):
    rows = list(rows)
    return Share(loans=oracle_notes.loans(rows), book_value=oracle_notes.dollars(rows))


def nulls_last(word):
    return (word is None, word or "")


def _everywhere(query):
    """A map shows every state, whatever state or city is asked for."""
    return query.model_copy(update={"state": None, "city": None, "order": None})


def _distinct(rows):
    """Each loan once, as they come."""
    return list({row["loan_number"]: row for row in rows}.values())
