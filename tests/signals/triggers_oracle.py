"""Watchlist triggers of one loan, from CREFC's table, in plain Python; see rules_oracle.py."""

from collections import defaultdict
from datetime import timedelta
from decimal import Decimal

from tests.signals.rules_oracle import OneLoan, plus_months

CODES = ("1A", "1E", "1F", "1G", "4A", "4C", "4D", "5A")
#: Let by the home, bed, night or box: without a lease on file there is none to end.
WITHOUT_TENANTS = {
    *("multifamily", "lodging", "self storage", "manufactured housing", "cooperative housing"),
}


def both(one, other):
    """Both hold; None where one is not known and the other does not settle it."""
    if False in (one, other):
        return False
    return None if None in (one, other) else True


def under(figure, limit):
    return None if figure is None else figure < Decimal(limit)


def part_of(now, then):
    return None if None in (now, then) or then <= 0 else now / then


def floats(loan):
    return loan.row.get("rate_type") == "2"


def dscr_in_place(loan):
    """None where the statement is of under half a year, or a part of a hotel's year."""
    tells = loan.worst_by_income > 2
    return loan.figure("dscr") if tells else None


def by_income(loan):
    """1E, 1F, 1G."""
    if loan.imputed:
        return {"1E": False, "1F": False, "1G": False}
    dscr, filed = dscr_in_place(loan), loan.row.get("income_to") is not None
    strict = loan.row.get("property_type") in {"lodging", "health care"}
    now, then = loan.in_place_and_underwritten
    fallen = under(part_of(now, then), "0.75") if filed and dscr is not None else None
    then_noi = loan.figure("underwritten_noi", above=0)
    lower = under(part_of(loan.noi, then_noi), "0.9") if filed and dscr is not None else None
    return {
        "1E": under(dscr, "1.20" if strict else "1.10"),
        "1F": both(under(dscr, "1.40"), fallen),
        "1G": floats(loan) and both(under(dscr, "1.00"), lower),
    }


def by_leases(loan):
    """4C, 4D."""
    if not loan.leases and loan.row.get("property_type") in WITHOUT_TENANTS:
        return {"4C": False, "4D": False}
    area = loan.figure("rentable_area", above=0)
    known = [feet for feet, end, *_ in loan.leases if feet is not None and end is not None]
    if area is None or not known:
        return {"4C": None, "4D": None}

    whole = loan.balance if loan.whole_loan_debt is None else loan.whole_loan_debt
    large = whole is not None and whole >= 30_000_000
    tenants = defaultdict(list)
    for at, (feet, end, *name) in enumerate(loan.leases):
        tenants[name[0].lower() if name and name[0] else at].append((feet or 0, end))

    def ending(leases, months):
        last = plus_months(loan.as_of, months)
        return sum(feet for feet, end in leases if end is not None and end <= last) / area

    soon = sorted(
        ((sum(feet for feet, _ in of), ending(of, 6)) for of in tenants.values()), reverse=True
    )[:3]
    return {
        "4C": any(ending(of, 12 if large else 6) > Decimal("0.3") for of in tenants.values()),
        "4D": sum(part for _, part in soon if part >= Decimal("0.05")) > Decimal("0.3"),
    }


def triggers(loan: OneLoan):
    """Code -> whether it holds; None is "not testable"."""
    if loan.ended or loan.balance == 0 or loan.defeased or loan.reo:
        return dict.fromkeys(CODES, False)
    status, occupied = loan.row.get("payment_status"), loan.figure("occupancy")
    let = part_of(occupied, loan.figure("underwritten_occupancy"))
    due = loan.effective_maturity
    within = None if due is None else due <= loan.as_of + timedelta(90)
    return {
        "1A": loan.late if status in {*"0AB12345"} else None,
        **by_income(loan),
        "4A": under(let, "0.9" if floats(loan) else "0.8"),
        **by_leases(loan),
        "5A": not loan.repays_itself and within,
    }


def listed(found, answer):
    """The codes with an answer, as a servicer writes them; None without one."""
    return " | ".join(code for code in CODES if found[code] is answer) or None
