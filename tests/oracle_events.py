"""What happened to a loan between two rows of it, said once more in the plainest Python.

Rows are dicts with the columns of contract/period.py and `as_of`; None is a date without the loan.
No limit or code is taken from the program.
"""

TYPES = ("rate_pressure", "maturity_timing", "concentration_risk", "stress_indicator")
GRADES = ("low", "moderate", "elevated", "severe", "critical")
LATE = {"0": 0, "A": 0, "B": 0, "1": 1, "4": 0, "2": 2, "3": 3, "5": 4}
CHANGED = ("1", "2", "3", "5", "6", "7", "8", "10")


def kinds(before, after):
    """Kinds of events, each once, in the order of the alphabet."""
    if before is None and after is None:
        return []
    if before is None:
        return ["new"]
    if after is None:
        return ["gone"] if before["balance"] != 0 else []
    lost = (after["realized_loss"] or 0) > 0 and (before["realized_loss"] or 0) <= 0
    if after["balance"] == 0:
        if lost:
            return ["liquidated"]
        return ["paid_off"] if before["balance"] is not None and before["balance"] > 0 else []
    return sorted(kind for kind, happened in KINDS.items() if happened(before, after))


def known(name, test):
    """Whether both rows have a column and the two values pass a test."""

    def happened(before, after):
        was, now = before[name], after[name]
        return was is not None and now is not None and test(was, now)

    return happened


def lateness(test):
    def happened(before, after):
        was, now = LATE.get(before["payment_status"]), LATE.get(after["payment_status"])
        return was is not None and now is not None and test(was, now)

    return happened


def matured(row):
    return row["maturity_date"] is not None and row["maturity_date"] < row["as_of"]


def modified(before, after):
    if after["modified_on"] is None:
        return after["modification"] in CHANGED and before["modification"] is None
    return before["modified_on"] is None or before["modified_on"] < after["modified_on"]


def fell(was, now):
    return (was - now) / was if was > 0 else 0


def reappraised(before, after):
    if before["value"] is None or after["value"] is None:
        return False
    if before["value_date"] is None or after["value_date"] is None:
        return before["value"] != after["value"]
    return before["value_date"] < after["value_date"]


def tenant(before, after):
    if before["tenant"] is None or after["tenant"] is None:
        return False
    was = before["tenant"], before["tenant_expires"]
    return was != (after["tenant"], after["tenant_expires"])


def signal(test):
    return lambda before, after: any(test(before[one], after[one]) for one in TYPES)


def graded(test):
    return signal(lambda was, now: bool(was and now) and test(GRADES.index(was), GRADES.index(now)))


KINDS = {
    "special_in": lambda b, a: bool(a["special_servicing"]) and not b["special_servicing"],
    "special_out": lambda b, a: bool(b["special_servicing"]) and not a["special_servicing"],
    "status_worse": lateness(lambda was, now: now > was),
    "status_cured": lateness(lambda was, now: now < was),
    "matured": lambda b, a: matured(a) and not matured(b),
    "workout": lambda b, a: a["workout"] is not None and a["workout"] != b["workout"],
    "modified": modified,
    "defeased": lambda b, a: a["defeasance"] == "F" and b["defeasance"] != "F",
    "extended": known("maturity_date", lambda was, now: now > was),
    "maturity_earlier": known("maturity_date", lambda was, now: now < was),
    "coupon_changed": lambda b, a: (
        a["rate_type"] != "2"
        and known("interest_rate", lambda was, now: abs(now - was) > 0.0005)(b, a)
    ),
    "amortisation_changed": known("amortization_months", lambda was, now: now != was),
    "dscr_below_100": known("dscr", lambda was, now: was >= 1 > now),
    "dscr_below_125": known("dscr", lambda was, now: was >= 1.25 > now >= 1),
    "dscr_above_100": known("dscr", lambda was, now: was < 1 <= now < 1.25),
    "dscr_above_125": known("dscr", lambda was, now: was < 1.25 <= now),
    "noi_down_20": known("noi", lambda was, now: fell(was, now) >= 0.2),
    "noi_down_10": known("noi", lambda was, now: 0.1 <= fell(was, now) < 0.2),
    "occupancy_down": known("occupancy", lambda was, now: round(was - now, 6) >= 0.1),
    "reappraised": reappraised,
    "tenant_changed": tenant,
    "sponsor_changed": known("sponsor", lambda was, now: was != now),
    "signal_new": signal(lambda was, now: was is None and now is not None),
    "signal_gone": signal(lambda was, now: was is not None and now is None),
    "signal_worse": graded(lambda was, now: now > was),
    "signal_better": graded(lambda was, now: now < was),
}
