"""What each filter of a query means in SQL, and the ordered ids that a set of filters resolves to.

Only these constant fragments become SQL; values are always bound. A filter set is resolved once:
the length of its vector is the exact total, any page is a slice of it.
"""

from typing import Any, Final

from services.contract.queries import LoanFilter, LoanQuery, SignalFilter, SignalQuery
from services.names.normalise import key, words

from .database import Ids
from .reader import Reader

#: LoanFilter field -> condition on `loans` (D8: dates exclusive, balances inclusive).
LOAN_CONDITIONS: Final = {
    "state": "property_state::VARCHAR = $state",
    "min_balance": "book_value >= $min_balance",
    "max_balance": "book_value <= $max_balance",
    "maturity_before": "maturity_date < $maturity_before",
    "maturity_after": "maturity_date > $maturity_after",
    "rate_pressure": "rate_pressure::VARCHAR = $rate_pressure",
    "property_type": "property_type::VARCHAR = $property_type",
}
#: SignalQuery field -> condition on `signals` or `mixes`.
SIGNAL_CONDITIONS: Final = {
    "state": "property_state::VARCHAR = $state",
    "signal_type": "signal_type::VARCHAR = $signal_type",
    "severity": "severity::VARCHAR = $severity",
}
#: The condition of a SignalFilter that is about the loan.
OF_LOAN: Final = "property_type"
#: D9: the normalized key of any debt layer, or every word in the name of one of them.
_LENDERS: Final = """
SELECT lender_id FROM lenders WHERE key = $key
UNION
SELECT lender_id FROM lenders WHERE len($words) > 0 AND list_has_all(words, $words::VARCHAR[])
ORDER BY 1
"""


def loan_ids(reader: Reader, query: LoanQuery | LoanFilter) -> Ids:
    """Ids of the loans that match, ascending: the order of loan_number (D3)."""
    filters = query.filters()
    return reader.remembered(
        ("loans", *sorted(filters.items())), lambda: _loan_ids(reader, filters)
    )


def _loan_ids(reader: Reader, filters: dict[str, Any]) -> Ids:
    conditions = [LOAN_CONDITIONS[name] for name in filters if name in LOAN_CONDITIONS]
    params = {name: value for name, value in filters.items() if name in LOAN_CONDITIONS}
    if "lender" in filters:
        lenders = lender_ids(reader, filters["lender"])
        if not lenders:
            return reader.ids("SELECT loan_id FROM loans WHERE false")
        params["lenders"] = lenders
        ids = "SELECT lender_loan FROM (SELECT loan_id AS lender_loan FROM layer_ids WHERE {})"
        match = (
            "lender_id = $lenders[1]" if len(lenders) == 1 else "list_contains($lenders, lender_id)"
        )
        conditions.append(f"loan_id IN ({ids.format(match)})")
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return reader.ids(f"SELECT loan_id FROM loans{where} ORDER BY loan_id", params)


def lender_ids(reader: Reader, lender: str) -> list[int]:
    """Ids of the lenders that a `lender` filter means (D9)."""
    params = {"key": key(lender), "words": sorted(words(lender))}
    return [row[0] for row in reader.rows(_LENDERS, params)]


def signal_ids(reader: Reader, query: SignalQuery | SignalFilter) -> Ids:
    """Ids of the signals that match, ascending: loan_number, then signal_type (D3)."""
    filters = query.filters()

    def resolve() -> Ids:
        conditions = [f"g.{SIGNAL_CONDITIONS[name]}" for name in filters if name != OF_LOAN]
        joined = ""
        if OF_LOAN in filters:
            joined = " JOIN loans l USING (loan_id)"
            conditions.append(f"l.{LOAN_CONDITIONS[OF_LOAN]}")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        sql = f"SELECT g.signal_id FROM signals g{joined}{where} ORDER BY g.signal_id"
        return reader.ids(sql, filters)

    return reader.remembered(("signals", *sorted(filters.items())), resolve)
