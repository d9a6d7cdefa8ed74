"""Figures of loans against each other, as contract/distributions.py describes them: row by row."""

import math
from bisect import bisect_right
from collections import defaultdict
from datetime import date

from services.contract.distributions import (
    FIGURES,
    MOST_GROUPS,
    FigureGroup,
    SeverityCell,
    Standing,
)
from tests import oracle_notes


def figure(row, name):
    """A figure of one loan; None where it is not known."""
    if name != "noi_change":
        return row[name]
    before = row["underwritten_noi"]
    told = row["income_to"] is not None and row["noi"] is not None and before is not None
    return row["noi"] / before - 1 if told and before > 0 else None


def percentile(values, part):
    """Between the two figures that lie around it, by how near it is to each."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * part / 100
    low, high = ordered[math.floor(place)], ordered[math.ceil(place)]
    return low + (high - low) * (place - math.floor(place))


def one_a_loan(rows, own=None):
    """The first record of each loan, of the loan in question its own."""
    found, seen = [], {own and own["whole_loan"]} - {None}
    for row in sorted(rows, key=lambda row: row["loan_number"]):
        loan = row["whole_loan"]
        if row is own or loan is None or loan not in seen:
            found.append(row)
            seen |= {loan} - {None}
    return found


def inside(x, y, corners):
    """Whether the angles at which a point sees the edges of an outline sum to whole turns."""
    turned = 0.0
    for at, (x2, y2) in enumerate(corners):
        x1, y1 = corners[at - 1]
        angle = math.atan2(y2 - y, x2 - x) - math.atan2(y1 - y, x1 - x)
        turned += math.remainder(angle, 2 * math.pi)
    return abs(turned) > math.pi


def klass(value, edges):
    """The class that holds a figure, from 0."""
    return min(max(bisect_right(edges, value) - 1, 0), len(edges) - 2)


#: Places of the figures beside a row, and the axes that they lie on.
AXES = ((1, "x"), (2, "y"))


def lies_on(value, plot, axis):
    """Whether a figure has a place on an axis."""
    return value is not None and (value > 0 or not plot.is_log(axis))


class Distributions:
    """Over the `result` of an Oracle."""

    def placed(self, query, plot):
        """The rows of a plot as (row, x, y), and how many have no place: without a figure, not
        above zero.
        """
        rows = [(r, figure(r, plot.x), figure(r, plot.y)) for r in self.result(query)]
        rows.sort(key=lambda one: one[0]["loan_number"])
        known = [one for one in rows if one[1] is not None and one[2] is not None]
        placed = [
            one
            for one in known
            if (not plot.is_log("x") or one[1] > 0) and (not plot.is_log("y") or one[2] > 0)
        ]
        return placed, (len(rows) - len(known), len(known) - len(placed))

    def points(self, query, plot):
        """All rows as (row, x, y), where each axis has a loan that lies on it."""
        rows = [(r, figure(r, plot.x), figure(r, plot.y)) for r in self.result(query)]
        rows.sort(key=lambda one: one[0]["loan_number"])
        there = [any(lies_on(one[at], plot, axis) for one in rows) for at, axis in AXES]
        return rows if all(there) else []

    def ends(self, query, plot, fewest, *, cells=False):
        """Where the axes of a plot end, and how many of its loans lie beyond; clipped from so many
        loans on. Of points an axis shows all that have its figure, of cells those with both.
        """
        shown = self.placed(query, plot)[0] if cells else self.points(query, plot)
        if not shown:
            return None, None, 0
        found = []
        for at, axis in AXES:
            values = [one[at] for one in shown if lies_on(one[at], plot, axis)]
            if plot.clip and len(values) >= fewest:
                low, high = percentile(values, 1), percentile(values, 99)
                # Of a figure on the percentile the last digit is nobody's business.
                slack = 1e-12 * max(abs(low), abs(high))
                if low < high:
                    values = [one for one in values if low - slack <= one <= high + slack]
            found.append((min(values), max(values)))
        beyond = [
            one
            for one in shown
            if any(
                lies_on(one[at], plot, axis) and not low <= one[at] <= high
                for (at, axis), (low, high) in zip(AXES, found, strict=True)
            )
        ]
        return *found, len(beyond)

    def drawn(self, query, plot, fewest, *, cells=False):
        """The rows of a plot where they are drawn: beyond the end of an axis, on it; without a
        place on the axis, below its lower end by 12 % of its length.
        """
        *ends, _ = self.ends(query, plot, fewest, cells=cells)

        def on(value, axis, low, high):
            if lies_on(value, plot, axis):
                return min(max(value, low), high)
            if plot.is_log(axis):
                return low / 2 if low == high else low**1.12 / high**0.12
            return low - (0.12 * (high - low) or abs(low) / 10 or 1)

        return [
            (row, *(on(at[place - 1], axis, *ends[place - 1]) for place, axis in AXES))
            for row, *at in (self.placed(query, plot)[0] if cells else self.points(query, plot))
        ]

    def cells(self, query, plot, fewest, x_edges, y_edges):
        """Loans and dollars of each cell that has loans, by its place."""
        found = defaultdict(lambda: [0, 0])
        for row, x, y in self.drawn(query, plot, fewest, cells=True):
            cell = found[klass(x, x_edges), klass(y, y_edges)]
            cell[0] += 1
            cell[1] += row["book_value"] or 0
        return {place: tuple(of) for place, of in found.items()}

    def group_of(self, word, rows, name, edges):
        """One group of a distribution; None where no loan has the figure."""
        known = [v for r in rows if (v := figure(r, name)) is not None]
        if not known:
            return None
        counts = [0] * (len(edges) - 1)
        for value in known:
            counts[klass(value, edges)] += 1
        low, quarter, median, three, high = (percentile(known, p) for p in (5, 25, 50, 75, 95))
        return FigureGroup(
            word=word, loans=len(known), missing=len(rows) - len(known), p5=low, p25=quarter,
            median=median, p75=three, p95=high, counts=tuple(counts),
        )  # fmt: skip

    def loan_groups(self, query, name, by, edges):
        """All groups, those with most loans first; then the first of them, and what is left."""
        word_of = {
            "property_type": lambda r: r["property_type"],
            "state": lambda r: r["property_state"],
            "lender": lambda r: r["lender_normalized"],
            "vintage": lambda r: _year(r) and str(_year(r)),
        }[by]
        rows = defaultdict(list)
        for row in one_a_loan(self.result(query)):
            rows[word_of(row)].append(row)
        found = [self.group_of(word, of, name, edges) for word, of in rows.items()]
        found = [one for one in found if one]
        found.sort(key=lambda one: (-one.loans, one.word is None, one.word or ""))
        return found[:MOST_GROUPS], found[MOST_GROUPS:]

    def severe_shares(self, query):
        cells = defaultdict(list)
        for row in self.result(query):
            cells[_year(row), row["property_type"]].append(row)
        listed = [
            SeverityCell(
                vintage=year,
                property_type=kind,
                loans=oracle_notes.loans(rows),
                severe=oracle_notes.loans(
                    row for row in rows if row["worst_severity"] in {"severe", "critical"}
                ),
                book_value=oracle_notes.dollars(rows),
            )
            for (year, kind), rows in cells.items()
        ]
        return sorted(
            listed,
            key=lambda c: (
                c.vintage is None,
                c.vintage or 0,
                c.property_type is None,
                c.property_type or "",
            ),
        )

    def standings(self, query, number, names=tuple(FIGURES)):
        matching, own = self.result(query), next(
            row for row in self.screened() if row["loan_number"] == number
        )  # fmt: skip
        rows = one_a_loan(matching, own)
        found = []
        for name in names:
            value = figure(own, name)
            known = [v for r in rows if (v := figure(r, name)) is not None]
            others = [
                v for r in rows if r["loan_number"] != number and (v := figure(r, name)) is not None
            ]
            told = value is not None and others
            found.append(
                Standing(
                    figure=name,
                    value=value,
                    percentile=100 * sum(v < value for v in others) / len(others) if told else None,
                    loans=len(known),
                    median=percentile(known, 50) if known else None,
                )
            )
        return found


def _year(row):
    day = row["origination_date"]
    return day.year if isinstance(day, date) else None
