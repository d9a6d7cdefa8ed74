"""Tables of one trust: loans with their layers, properties, parties and ties."""

from collections.abc import Sequence

import pyarrow as pa

from services.contract.portfolio import LAYERS, LEASES, LOANS, PROPERTIES, REJECTS
from services.contract.schedule_al import JUNIOR_NOTES
from services.importers.base import Rules
from services.importers.cmbs.loan import Loan, loan_values
from services.importers.cmbs.parties import Origin, parties_of
from services.importers.cmbs.property import property_values
from services.importers.cmbs.tenants import leases
from services.importers.ties import table
from services.names.lenders import canonical_lender, lenders

Values = dict[str, object]


def tables(
    loans: Sequence[Loan],
    deal: str,
    rejects: Sequence[tuple[str, str]],
    rules: Rules,
    origin: Origin,
) -> dict[str, pa.Table]:
    """The tables of a Portfolio by name; loans in the order given."""
    loan_rows: list[Values] = []
    layers: list[Values] = []
    properties: list[Values] = []
    tenancies: list[Values] = []
    originators = [lenders(loan.facts.text("originator_as_filed") or "") for loan in loans]
    servicers = [canonical_lender(loan.servicer) if loan.servicer else None for loan in loans]
    for row, (loan, names, servicer) in enumerate(zip(loans, originators, servicers, strict=True)):
        values = loan_values(loan, deal, names[0] if names else None, rules)
        loan_rows.append(values)
        layers.append(_layer(row, deal, servicer, values))
        earned = loan.income
        properties += [
            property_values(one, row, rules, earned.noi_of(one.facts)) for one in loan.properties
        ]
        for one in loan.properties:
            tenancies += leases(one.facts, row)
    return {
        "loans": table(LOANS, loan_rows),
        "layers": table(LAYERS, layers),
        "properties": table(PROPERTIES, properties),
        "leases": table(LEASES, tenancies),
        **parties_of(loans, deal, originators, servicers, origin).tables(),
        "rejects": table(
            REJECTS, [{"record": record, "reason": reason} for record, reason in rejects]
        ),
    }


def _layer(row: int, deal: str, servicer: str | None, values: Values) -> Values:
    """The trust's holding."""
    return {
        "loan": row,
        "rank": 1,
        "position": JUNIOR_NOTES.get(str(values["structure"]), "senior"),
        "layer": "cmbs servicer",
        "lender": deal,
        "servicer": servicer,
        "amount": values["book_value"],
        "interest_rate": values["interest_rate"],
    }
