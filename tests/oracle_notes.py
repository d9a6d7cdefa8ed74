"""How many loans some records are, and what they add up to (D151, D152)."""

from services.contract.vocabulary import SEVERITIES


def _of(row, name):
    return row[name] if name in row else row["features"][name]


def loans(rows):
    """The different loans among records: notes of one loan are one."""
    return len({_of(row, "whole_loan") or row["loan_number"] for row in rows})


def is_sum(row):
    return _of(row, "sums_notes")


def notes(rows):
    return sum(not is_sum(row) for row in rows)


def dollars(rows, name="book_value"):
    """What records add up to; one that is the sum of others adds nothing."""
    return sum(_of(row, name) or 0 for row in rows if not is_sum(row))


def by_worst(rows):
    """What screened records add up to by the worst signal, the worst first, none last."""
    rows = list(rows)
    words = sorted({row["worst_severity"] for row in rows}, key=_rank, reverse=True)
    added = ((word, dollars(r for r in rows if r["worst_severity"] == word)) for word in words)
    return tuple((word, some) for word, some in added if some)


def _rank(word):
    return SEVERITIES.index(word) if word in SEVERITIES else -1
