"""What became of loans that came due, loan by loan from the rows of the periods: no SQL, no code of
the store.
"""

from collections import Counter

from services.contract.months import months_after

CLASSES = [(None, 7), (7, 8), (8, 10), (10, 12), (12, None)]
OUTCOMES = ("repaid", "extended", "unpaid", "liquidated", "unknown")
PAID = {"paid off before maturity", "paid off at maturity"}


def by_loan(found):
    """(source, loan) -> (day, row) by day, of records that stand for themselves or their loan."""
    loans = {}
    for (source, day), rows in sorted(found.items(), key=lambda one: one[0][1]):
        for row in rows:
            if row["whole_loan"] in {None, row["loan_number"]}:
                loans.setdefault((source, row["loan_number"]), []).append((day, row))
    return loans


def stands(row):
    if row["disposition"] is None and row["balance"] == 0:
        return "ended"
    if row["disposition"] is None and row["defeasance"] == "F":
        return "defeased"
    return row["disposition"] or "outstanding"


def outcome(day, row, due, judged):
    """What a loan has come to by its last row up to the day on which it is judged."""
    word = stands(row)
    if word in {"outstanding", "defeased in full", "defeased"}:
        if word != "outstanding" or row["balance"] is None or day < judged:
            return "unknown"
        return "extended" if row["effective_maturity"] > due else "unpaid"
    if word in {"discounted payoff", "liquidated"} or (row["realized_loss"] or 0) > 0:
        return "liquidated"
    return "repaid" if word in PAID else "unknown"


def band(row):
    figure = row["debt_yield"]
    if figure is None:
        return None, None
    return next(
        (low, high)
        for low, high in CLASSES
        if (low is None or figure >= low) and (high is None or figure < high)
    )


def due_loans(found, grace):
    """Every loan that came due: (row a year before, due, outcome or None where it is too early);
    and how many had no filing a year before.
    """
    days = {}
    for source, day in found:
        days.setdefault(source, []).append(day)
    seen, without = [], 0
    for (source, _), rows in by_loan(found).items():
        events, fell = [], False
        for at, (day, row) in enumerate(rows):
            due = row["effective_maturity"]
            owes = (row["balance"] or 0) > 0 and row["workout"] != "7" and row["defeasance"] != "F"
            if not owes or due is None or due > max(days[source]):
                continue
            fell |= day <= due and (at + 1 == len(rows) or rows[at + 1][0] > due)
            before = months_after(due, -12)
            following = rows[at + 1][0] if at + 1 < len(rows) else None
            if day <= before and (following is None or following > before):
                events.append((row, due))
        without += fell and not events
        for row, due in events:
            judged = min((one for one in days[source] if one >= months_after(due, grace)),
                         default=None)  # fmt: skip
            word = None
            if judged:
                word = outcome(*max((one for one in rows if one[0] <= judged),
                                    key=lambda one: one[0]), due, judged)  # fmt: skip
            seen.append((row, due, word))
    return seen, without


def cells(seen):
    """(property type, low, high) -> Counter of outcomes and dollars by outcome."""
    made = {}
    for row, _, word in seen:
        if word:
            cell = made.setdefault((row["property_type"], *band(row)), Counter())
            cell[word] += 1
            cell[f"{word}_balance"] += row["balance"]
    return made
