"""Results of loans as contract/source.py describes them, for `tests/oracle.py`: row by row."""

import re
import unicodedata
from calendar import monthrange
from collections import defaultdict
from datetime import date
from itertools import pairwise

from services.contract.aggregates import (
    FigureClass,
    FoundLoan,
    FoundTotals,
    Group,
    Grouped,
    Line,
    Pivot,
    PivotCell,
    Ranking,
    Share,
    Slice,
    Weighted,
)
from services.contract.columns import COLUMN
from services.contract.maturities import Horizon, LeftOut
from services.contract.records import Page
from services.contract.vocabulary import SEVERITIES, TIERS
from services.names.normalise import folded
from services.rates.spreads import Sizings
from tests import oracle_notes
from tests.oracle_aggregates import WAYS, disposed
from tests.oracle_maturities import HORIZONS, SINCE, due, due_within, horizon, why_not
from tests.oracle_notes import GRADES

AMONG = {
    "state": "property_state",
    "property_type": "property_type",
    "rate_pressure": "rate_pressure",
    "confidence_tier": "confidence_tier",
    "payment_status": "payment_status",
    "disposition": "disposition",
}
#: Filter -> a column of lists, such as "1E | 4A".
LISTS = {"trigger": "computed_triggers", "untested_trigger": "untested_triggers"}
#: Bound -> column, and what its figure is multiplied by to be as a reader types it.
LEAST = {
    "min_balance": ("book_value", 1),
    "min_coupon": ("interest_rate", 1),
    "min_gap": ("rate_gap_bp", 1),
    "min_dscr": ("dscr", 1),
    "min_ltv": ("ltv", 100),
    "min_debt_yield": ("debt_yield", 1),
    "min_occupancy": ("occupancy", 100),
    "min_noi_room": ("noi_room", 100),
    "min_markup": ("underwritten_markup", 100),
    "min_over_implied": ("filed_over_implied", 1),
    "min_short": ("dollars_short", 1),
}
MOST = {name.replace("min", "max"): to for name, to in LEAST.items() if name != "min_short"}
AFTER = {"maturity_after": "maturity_date", "originated_after": "origination_date"}
BEFORE = {"maturity_before": "maturity_date", "originated_before": "origination_date"}


class Screens:
    """Over the `rows`, `found` signals, `links` and `listed` entities of an Oracle."""

    def screened(self):
        """All rows by loan_number, each with every column of a result."""
        if not hasattr(self, "_screened"):
            fired = defaultdict(list)
            for row, one, parts in self.found:
                # A source may grade its loans and name no rule.
                fired[row["loan_number"]] += [(p["rule"], p["severity"]) for p in parts] or [
                    (None, one["severity"])
                ]
            behind = {kind: self._behind(kind) for kind in ("sponsor", "owner")}
            rows = []
            for row in self.rows:
                number = row["loan_number"]
                rows.append(
                    {
                        **row,
                        **row["features"],
                        "worst_severity": oracle_notes.worst_of(
                            w for r, w in fired[number] if r != "CT-1"
                        ),
                        "contagion": oracle_notes.worst_of(
                            w for r, w in fired[number] if r == "CT-1"
                        ),
                        "rules": {rule for rule, _ in fired[number] if rule},
                        "borrower": self._borrower(number),
                        "sponsor": behind["sponsor"].get(number),
                        "owner": behind["owner"].get(number),
                        "lenders": [row["lender_normalized"]]
                        + [one[k] for one in self.layers[number] for k in ("lender", "servicer")],
                    }
                )
            for row in rows:
                row["grade"] = row["worst_severity"] or oracle_notes.ungraded(row)
            _place(rows)
            self._screened = rows
        return self._screened

    def _borrower(self, number):
        """The surest one, ties by name."""
        found = [
            (-confidence, end[1])
            for start, end, relation, confidence, _ in self.links
            if start == ("loan", number) and relation == "borrower"
        ]
        return min(found)[1] if found else None

    def _behind(self, kind):
        """Of the parties of a kind above each loan, that with the largest book."""
        above = defaultdict(set)
        for start, end, relation, confidence, _ in self.links:
            of_loan = relation in {"borrower", "sponsor"}
            if confidence >= 0.7 and (of_loan if start[0] == "loan" else relation == "owned_by"):
                above[start].add(end)
        owners, book = {}, defaultdict(int)
        for row in self.rows:
            reached, edge = set(), {("loan", row["loan_number"])}
            while edge:
                edge = set().union(*(above[one] for one in edge)) - reached
                reached |= edge
            owners[row["loan_number"]] = {
                name for _, name in reached if self.listed[name]["kind"] == kind
            }
            for name in owners[row["loan_number"]]:
                book[name] += row["book_value"] or 0
        return {
            number: min(names, key=lambda name: (-book[name], name))
            for number, names in owners.items()
            if names
        }

    def result(self, query):
        """The rows that match, in the order that the query asks for."""
        rows = [row for row in self.screened() if self.meets(row, query)]
        name = (query.order or "loan_number").removeprefix("-")
        known = [row for row in rows if row[name] is not None]
        # Equals stay in order of their numbers, either way.
        reverse = (query.order or "").startswith("-")
        known.sort(
            key=lambda row: self.sort_key(name, row, query_order=query.order), reverse=reverse
        )
        return known + [row for row in rows if row[name] is None]

    def sort_key(self, name, row, *, query_order=True):
        """What a row is ordered by; None where it has no value."""
        if row[name] is None:
            return None
        if name == "loan_number" and query_order:
            parts = re.findall("[0-9]+|[^0-9]+", row[name])
            counted = [part.zfill(40) if part[0] in "0123456789" else part for part in parts]
            return counted, row[name]
        if name == "worst_severity":
            return (_rank(row[name]), *row["urgency"])
        return _sortable(name, row[name])

    def meets(self, row, query):
        asked = query.filters()
        of_lease = {name: asked.pop(name) for name in ("tenant", "leases_within") if name in asked}
        if of_lease and not self.leases_of(row, **of_lease):
            return False
        return all(self._meets(row, name, wanted) for name, wanted in asked.items())

    def _meets(self, row, name, wanted):
        if name in AMONG or name in LISTS:
            return not {*wanted}.isdisjoint(words_in(row, name))
        if name in LEAST or name in MOST:
            column, scale = (LEAST | MOST)[name]
            if row[column] is None:
                return False
            figure = round(row[column] * scale, 9)
            return figure >= wanted if name in LEAST else figure <= wanted
        if name in AFTER:
            return row[AFTER[name]] is not None and row[AFTER[name]] > wanted
        if name in BEFORE:
            return row[BEFORE[name]] is not None and row[BEFORE[name]] < wanted
        return {
            "city": lambda: (row["property_city"] or "").casefold() in wanted,
            "lender": lambda: self._lends(row, wanted),
            "sponsor": lambda: row["sponsor"] == wanted,
            "family": lambda: row["loan_number"] in self.family_of(wanted),
            "whole_loan": lambda: row["whole_loan"] == wanted,
            "lender_of_loan": lambda: row["lender_normalized"] == wanted,
            "party": lambda: any(
                _says(row[who], wanted) for who in ("borrower", "sponsor", "owner")
            ),
            "find": lambda: any(
                wanted.lower() in (row[k] or "").lower() for k in ("loan_number", "property_name")
            ),
            "rule": lambda: bool(row["rules"] & set(wanted)),
            "special_servicing": lambda: (row["special_servicing"] is True) == wanted,
            "defeased": lambda: (row["defeasance"] == "F") == wanted,
            "numbers": lambda: row["loan_number"] in wanted,
            "scope": lambda: row["loan_number"] in wanted.numbers,
            "severity": lambda: row["grade"] in wanted,
            "matures_within": lambda: due_within(row, self.as_of, wanted),
            "due_after": lambda: due(row) is not None and due(row) > wanted,
            "due_before": lambda: due(row) is not None and due(row) < wanted,
        }[name]()

    def loans_found(self, query, columns):
        rows = self.result(query)
        start = (query.page - 1) * query.per_page
        names = dict.fromkeys(("loan_number", *columns))
        items = tuple(
            FoundLoan(loan_number=r["loan_number"], values={name: r[name] for name in names})
            for r in rows[start : start + query.per_page]
        )
        return Page(items=items, page=query.page, per_page=query.per_page, total=len(rows))

    def loan_totals(self, query):
        rows = self.result(query)

        def within(months):
            return _share([r for r in rows if due_within(r, self.as_of, months)])

        def in_horizon(word):
            of = [r for r in rows if horizon(r, self.as_of) == word]
            lacking = [r for r in of if r["dollars_short"] and not r["sums_notes"]]
            return Horizon(
                word=word,
                **_share(of).model_dump(),
                dollars_short=oracle_notes.dollars(lacking, "dollars_short"),
                short_loans=oracle_notes.loans(lacking),
            )

        short = [r for r in rows if r["dollars_short"] and not r["sums_notes"]]
        return FoundTotals(
            records=len(rows),
            loans=oracle_notes.loans(rows),
            notes=oracle_notes.notes(rows),
            book_value=_book(rows),
            coupon=_weighted(rows, "interest_rate"),
            dscr=_weighted(rows, "dscr"),
            ltv=_weighted(rows, "ltv"),
            debt_yield=_weighted(rows, "debt_yield"),
            dollars_short=oracle_notes.dollars(short, "dollars_short"),
            short_loans=oracle_notes.loans(short),
            matures_12_months=within(12),
            matures_24_months=within(24),
            dispositions=disposed(rows),
            by_horizon=tuple(
                found
                for word in (HORIZONS[0], SINCE, *HORIZONS[1:])
                if (found := in_horizon(word)).loans or word != SINCE
            ),
            left_out=tuple(
                LeftOut(word=word, **_share(of).model_dump())
                for word in (
                    "without a balance",
                    "defeased in full",
                    "REO",
                    "repaid by its schedule",
                )
                if (of := [r for r in rows if why_not(r) == word])
            ),
        )

    def loan_counts(self, query, name):
        groups = defaultdict(list)
        for row in self.result(query.model_copy(update={name: None, "order": None})):
            if name == "rule":
                found = row["rules"]
            elif name == "special_servicing":
                found = ["yes" if row["special_servicing"] else "no"]
            elif name == "defeased":
                found = ["yes" if row["defeasance"] == "F" else "no"]
            elif name == "severity":
                found = [row["grade"]]
            elif name == "city":
                found = [row["property_city"]]
            else:
                found = words_in(row, name)
            for word in found:
                if word is not None:
                    groups[word].append(row)
        slices = [
            Slice(word=word, loans=oracle_notes.loans(rows), book_value=_book(rows))
            for word, rows in groups.items()
        ]
        return sorted(slices, key=lambda one: (-one.loans, one.word))

    def loan_classes(self, query, column, ends):
        rows = self.result(query)
        bounds = [(None, ends[0]), *pairwise(ends), (ends[-1], None)]
        known = [row for row in rows if row[column] is not None]
        found = [
            (low, high, [
                row for row in known
                if (low is None or row[column] >= low) and (high is None or row[column] < high)
            ])
            for low, high in bounds
        ]  # fmt: skip
        without = [row for row in rows if row[column] is None]
        if without:
            found.append((None, None, without))
        return [
            FigureClass(
                low=low,
                high=high,
                loans=oracle_notes.loans(of),
                book_value=_book(of),
                dollars_short=oracle_notes.dollars(of, "dollars_short"),
                by_worst=oracle_notes.by_worst(of),
            )
            for low, high, of in found
        ]

    def loan_pivot(self, query, by, limits):
        rows = self.result(query)
        lines = [_lines(rows, one, limit) for one, limit in zip(by, limits, strict=True)]
        cells = defaultdict(list)
        for row in rows:
            cells[
                tuple(places[word_of(row, one)] for (_, places), one in zip(lines, by, strict=True))
            ].append(row)
        return Pivot(
            rows=lines[0][0],
            columns=lines[1][0],
            cells=tuple(
                PivotCell(row=at[0], column=at[1], **_figures(cells[at])) for at in sorted(cells)
            ),
            whole=Grouped(**_figures(rows)),
        )

    def loan_ranking(self, query, by, limit):
        groups = defaultdict(list)
        for row in self.result(query):
            for word in words_in(row, by) if by in LISTS else [word_of(row, by)]:
                groups[word].append(row)
        listed = [
            Group(word=word, days=_days(word, by) if word else None, **_figures(rows))
            for word, rows in groups.items()
        ]
        listed.sort(key=lambda g: (-g.book_value, -g.loans, g.word is None, g.word or ""))
        named = [group for group in listed if group.word is not None]
        whole = 0 if by in LISTS else sum(group.book_value for group in named)
        squares = sum((group.book_value / whole) ** 2 for group in named) if whole else 0
        return Ranking(
            groups=tuple(listed[:limit]),
            total=len(named),
            hhi=10_000 * squares if squares else None,
            effective=1 / squares if squares else None,
        )


def words_in(row, name):
    """What a filter compares of a row."""
    if name in AMONG:
        return [row[AMONG[name]]]
    return row[LISTS[name]].split(" | ") if row[LISTS[name]] else []


def word_of(row, by):
    """The word of a loan's group."""
    return {
        "lender": lambda r: r["lender_normalized"],
        "sponsor": lambda r: r["sponsor"],
        "state": lambda r: r["property_state"],
        "city": lambda r: r["property_city"],
        "property_type": lambda r: r["property_type"],
        "vintage": lambda r: _period(r["origination_date"], quarters=False),
        "quarter": lambda r: _period(due(r), quarters=True),
        "year": lambda r: _period(due(r), quarters=False),
        "severity": lambda r: r["grade"],
    }[by](row)


def _figures(rows):
    """Figures of a group's loans."""
    return {
        "loans": oracle_notes.loans(rows),
        "book_value": _book(rows),
        "worst": oracle_notes.worst(rows),
        "dollars_short": oracle_notes.dollars(rows, "dollars_short"),
        "by_worst": oracle_notes.by_worst(rows),
    }


def _lines(rows, by, limit):
    """The lines of a pivot, and the place of each word."""
    groups = defaultdict(list)
    for row in rows:
        groups[word_of(row, by)].append(row)
    size = {word: (-_book(of), -oracle_notes.loans(of)) for word, of in groups.items()}
    named = sorted((word for word in groups if word is not None), key=lambda one: (size[one], one))
    if by == "severity":  # equals go by how bad they are, the mildest first
        named.sort(key=lambda one: (size[one], GRADES.index(one)))
    chosen, rest = named[:limit], named[limit:]
    if by in ("vintage", "quarter", "year"):
        chosen.sort()
    elif by == "severity":
        chosen.sort(key=GRADES.index, reverse=True)
    words = [*chosen, *([None] if None in groups else [])]
    lines = [
        Line(word=word, days=_days(word, by) if word else None, **_figures(groups[word]))
        for word in words
    ]
    places = {word: at for at, word in enumerate(words)} | dict.fromkeys(rest, len(words))
    if rest:
        of_rest = [row for row in rows if word_of(row, by) in set(rest)]
        lines.append(Line(word=None, rest=len(rest), **_figures(of_rest)))
    return tuple(lines), places


def _days(word, by):
    """First and last day of a period, counted from its word."""
    if by in ("vintage", "year"):
        return date(int(word), 1, 1), date(int(word), 12, 31)
    if by == "quarter":
        year, last = int(word[:4]), 3 * int(word[-1])
        return date(year, last - 2, 1), date(year, last, monthrange(year, last)[1])
    return None


class Letters:
    """What some letters may mean, but for parties, whose search is tested by itself."""

    def matches(self, text, limit):
        text = " ".join(text.split())
        if len(text) < 2:
            return []

        def where(row):
            parts = (row["property_name"], row["property_city"], row["property_state"])
            return ", ".join(part for part in parts if part)

        def begins_first(names):
            low = text.lower()
            named = [name for name in names if name and low in name.lower()]
            return sorted(set(named), key=lambda n: (not n.lower().startswith(low), n))[:limit]

        numbered = [
            r
            for r in self.rows
            if means(text, r["loan_number"]) or r["loan_number"].startswith((text, text.upper()))
        ]
        numbered.sort(key=lambda r: (not means(text, r["loan_number"]), r["loan_number"]))
        named = [r for r in self.rows if text.lower() in (r["property_name"] or "").lower()]
        named.sort(key=lambda r: (not r["property_name"].lower().startswith(text.lower()),
                                  r["property_name"], r["loan_number"]))  # fmt: skip
        return [
            *((("loan", r["loan_number"], where(r))) for r in numbered[:limit]),
            *((("property", r["loan_number"], where(r))) for r in named[:limit]),
            *(("lender", n, "") for n in begins_first(r["lender_normalized"] for r in self.rows)),
            *(("city", n, "") for n in begins_first(r["property_city"] for r in self.rows)),
        ]


def means(text, number):
    """Whether a text is a number, or its end that begins with a digit, but for zeros and case."""
    text, number = (re.sub(r"(^|\D)0+(?=\d)", r"\1", one.lower()) for one in (text.strip(), number))
    if not text[-1:].isdigit():
        return False
    before = number.removesuffix(text)
    return number == text or (before != number and text[0].isdigit() and not before[-1:].isalnum())


def _place(rows):
    """Urgency, and the share of the loans of a type that are less urgent (D61, D62)."""
    sizings = Sizings.packaged()
    by_type = defaultdict(list)
    for at, row in enumerate(rows):
        kind = row["property_type"]
        least = sizings.of(kind or "").min_dscr
        over = row["disposition"] in WAYS[2:-1]  # its DSCR is none of today
        lacking = 0 if over or row["dscr"] is None else max(0, least - row["dscr"])
        row["urgency"] = (row["dollars_short"] or 0, lacking, row["book_value"] or 0, -at)
        row["rank_in_type"] = None
        if kind is not None:
            by_type[kind].append(row)

    def place(row):
        return (_rank(row["worst_severity"]), *row["urgency"][:3])

    for alike in by_type.values():
        for row in alike:
            less = sum(place(other) < place(row) for other in alike)
            row["rank_in_type"] = 100 * less / (len(alike) - 1) if len(alike) > 1 else 0.0


def _rank(severity):
    return SEVERITIES.index(severity) if severity in SEVERITIES else -1


def _sortable(name, value):
    """Known words by rank, after all others; dates, figures and names as they are."""
    known = {"severity": SEVERITIES, "tier": TIERS}.get(COLUMN[name].kind)
    if known is None:
        return value
    return (value in known, known.index(value) if value in known else 0, value)


def _says(name, text):
    """Whether every word of the text is in the name, whatever accents, case and full stops."""
    if name is None:
        return False
    plain = unicodedata.normalize("NFD", name.replace("&", "and"))
    plain = "".join(c for c in plain if not unicodedata.combining(c)).lower()
    plain = re.sub("[.,'\N{RIGHT SINGLE QUOTATION MARK}]", "", plain)
    return all(word in plain for word in folded(text))


def _period(day, *, quarters):
    if not isinstance(day, date):
        return None
    return f"{day.year} Q{(day.month + 2) // 3}" if quarters else str(day.year)


def _book(rows):
    return oracle_notes.dollars(rows)


def _share(rows):
    return Share(loans=oracle_notes.loans(rows), book_value=_book(rows))


def _weighted(rows, name):
    rows = [r for r in rows if not r["sums_notes"]]
    known = [r for r in rows if r[name] is not None and r["book_value"] is not None]
    weight, whole = _book(known), _book(rows)
    return Weighted(
        mean=sum(r["book_value"] * r[name] for r in known) / weight if weight else None,
        coverage=weight / whole if whole else None,
    )
