"""How many loans some records are, and what they add up to (D151, D152)."""

from services.contract.vocabulary import SEVERITIES

#: How loans are counted by their worst signal, the mildest first (D278).
GRADES = ("nothing owed", "defeased", "none", *SEVERITIES)


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


def worst(rows):
    """The worst signal of screened records, None without any."""
    return worst_of(row["worst_severity"] for row in rows)


def worst_of(words):
    """The worst of severities, None without any; one that is not known is the mildest."""
    return max(filter(None, words), key=lambda w: w in GRADES and GRADES.index(w), default=None)


def by_worst(rows):
    """What screened records add up to by grade, the worst first."""
    rows = list(rows)
    added = ((word, dollars(r for r in rows if r["grade"] == word)) for word in reversed(GRADES))
    return tuple((word, some) for word, some in added if some)


def ungraded(row):
    """What a record without a signal is counted as: by whether it owes, and who pays it. A source
    that states no disposition states a balance and a defeasance.
    """
    stated = row["disposition"]
    if stated is None and row.get("book_value", row.get("balance")) == 0:
        return "nothing owed"
    if stated == "defeased in full" or (stated is None and row["defeasance"] == "F"):
        return "defeased"
    return "none" if stated in (None, "outstanding") else "nothing owed"
