"""How a book fared month by month, counted loan by loan from the rows of its periods."""

from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq

from services.store import periods
from services.store.snapshot import current_id, folder_of
from tests.oracle_notes import ungraded

#: How late a payment status is, as SEC Schedule AL lists them; 4 and 5 are matured balloons, of
#: which 4 pays.
STAGE = {
    "0": "current", "A": "current", "B": "current",
    "1": "30 days", "2": "60 days", "3": "90 days", "4": "current", "5": "default",
}  # fmt: skip
#: Foreclosure, REO, deed in lieu.
DEFAULTED = {"2", "7", "10"}
LATE = {
    "delinquent": {"30 days", "60 days", "90 days", "default"},
    "late_60": {"60 days", "90 days", "default"},
    "late_90": {"90 days", "default"},
}
RANKS = ["moderate", "elevated", "severe", "critical"]
TYPES = ("rate_pressure", "maturity_timing", "concentration_risk", "stress_indicator")


def kept(folder: Path):
    """(source, day) -> rows of the period that counts, of a store's newest snapshot."""
    snapshot = folder_of(folder, current_id(folder))
    return joined(
        {
            (one.source, one.as_of): pq.read_table(
                snapshot / "periods" / one.name / "rows.parquet"
            ).to_pylist()
            for one in periods.counting(periods.listed(snapshot))
        }
    )


def joined(found):
    """The same rows, each a note of what the newest date says that says anything of it."""
    notes = {}
    for _, rows in sorted(found.items(), key=lambda one: one[0][1]):
        for row in rows:
            if row["whole_loan"]:
                notes[row["loan_number"]] = {
                    name: row[name] for name in ("whole_loan", "sums_notes")
                }
    return {
        filed: [{**row, **notes.get(row["loan_number"], {})} for row in rows]
        for filed, rows in found.items()
    }


def monthly(found):
    """Month -> rows: of each source its last period of the month."""
    last = {}
    for source, day in sorted(found, key=lambda key: key[1]):
        last[source, day.replace(day=1)] = found[source, day]
    months = defaultdict(list)
    for (_, month), rows in sorted(last.items(), key=lambda one: one[0][1]):
        months[month] += rows
    return months


def stage(row):
    if row["balance"] == 0:
        return "ended"
    return "default" if row["workout"] in DEFAULTED else STAGE.get(row["payment_status"])


def worst(row):
    return row["worst"] or ungraded(row)


def owing(rows):
    return [row for row in rows if (row["balance"] or 0) > 0]


def adding(rows):
    """Records that are not the sum of others."""
    return [row for row in rows if not row["sums_notes"]]


def dollars(rows):
    return sum(row["balance"] for row in adding(rows))


def loans(rows):
    """The different loans among records."""
    return len({row["whole_loan"] or row["loan_number"] for row in rows})


def mean(rows, name):
    known = [row for row in rows if row[name] is not None]
    weight = dollars(known)
    weighted = sum(row["balance"] * row[name] for row in adding(known))
    return (weighted / weight if weight else None), loans(known)


def loans_by_worst(rows):
    """Each loan by the worst of its notes."""
    found = {}
    for row in rows:
        found.setdefault(row["whole_loan"] or row["loan_number"], []).append(worst(row))
    order = ["defeased", "none", *RANKS]
    counted = Counter(max(grades, key=order.index) for grades in found.values())
    return {word: counted[word] for word in order}


def point(rows):
    """The figures of TrendPoint of these rows, by name."""
    rows = owing(rows)
    parts = {name: [row for row in rows if stage(row) in late] for name, late in LATE.items()}
    parts["special"] = [row for row in rows if row["special_servicing"]]
    said = {"loans": loans(rows), "balance": dollars(rows)}
    for name, part in parts.items():
        said |= {f"{name}_loans": loans(part), f"{name}_balance": dollars(part)}
    words = ["defeased", "none", *RANKS]
    grades = {word: [row for row in rows if worst(row) == word] for word in words}
    said["severity_loans"] = loans_by_worst(rows)
    said["severity_balance"] = {word: dollars(part) for word, part in grades.items()}
    for name in ("dscr", "occupancy"):
        said[name], said[f"{name}_loans"] = mean(rows, name)
    return said


def rolls(found):
    """(month, before, after) -> loans, dollars, and of both those into special servicing. A loan
    counts once in each, whichever of its notes is there.
    """
    days = defaultdict(list)
    for source, day in sorted(found, key=lambda key: key[1]):
        days[source].append(day)
    last = {(source, day.replace(day=1)): day for source, listed in days.items() for day in listed}
    sums, seen = defaultdict(Counter), set()
    for source, listed in days.items():
        for first, second in pairwise(listed):
            month = second.replace(day=1)
            if last[source, month] != second:
                continue
            now = {row["loan_number"]: row for row in found[source, second]}
            for was in owing(found[source, first]):
                then = now.get(was["loan_number"])
                if not then or None in (stage(was), stage(then)):
                    continue
                into = bool(then["special_servicing"]) and not was["special_servicing"]
                cell = month, stage(was), stage(then)
                loan = was["whole_loan"] or was["loan_number"]
                worth = 0 if was["sums_notes"] else was["balance"]
                sums[cell].update(
                    loans=(cell, loan) not in seen,
                    balance=worth,
                    special_loans=into and (cell, loan, "special") not in seen,
                    special_balance=worth * into,
                )
                seen |= {(cell, loan), (cell, loan, "special" if into else "")}
    return sums


def heat(rows, least):
    """State -> the figures of HeatPoint."""
    rows = owing(rows)
    bad = set(RANKS[RANKS.index(least) :])
    said = {}
    for state in {row["state"] for row in rows}:
        here = [row for row in rows if row["state"] == state]
        hit = [row for row in here if worst(row) in bad]
        said[state] = {
            "signals": sum(row[kind] in bad for row in here for kind in TYPES),
            "loans": loans(hit),
            "book_value": dollars(hit),
            "dollars_short": sum(row["dollars_short"] or 0 for row in adding(hit)),
            "of_loans": loans(here),
            "of_book_value": dollars(here),
        }
    return said
