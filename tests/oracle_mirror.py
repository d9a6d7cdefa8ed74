"""What a mirror can know of a book: what the API's lists and ownership chains say of it."""

from collections import defaultdict

from services.contract.paging import every
from services.contract.portfolio import LOANS, shaped
from services.contract.queries import LoanQuery
from services.contract.records import Loan
from services.signals.assumptions import Assumptions
from services.signals.engine import evaluate
from tests.oracle import Oracle, stood
from tests.oracle_graph import Links

#: Columns of a loan that lists hold; every other is null in a mirror, and so is every feature
#: that rests on one. The refi rate rests on the property type alone, at the 10-year Treasury.
LISTED = [name for name in LOANS.names if name in Loan.model_fields]
#: A chain says the role of a party, which is its kind but for that of a direct borrower.
KINDS = {"borrower", "operating entity", "sponsor", "owner"}


class Mirrored(Oracle):
    """An Oracle over what lists and chains say.

    It knows no debt layers, properties, guarantors, originators, servicers, tenants or capital
    sources, no link to a party that a chain has already, and no confidence of a party but that
    of its links. What the API found is kept as it came: severities, sentences, components.
    """

    def __init__(self, whole, info):
        self.portfolios, self.as_of = [], info.as_of
        self.layers, self.properties = defaultdict(list), defaultdict(list)
        loans = list(every(whole.loans, LoanQuery(per_page=100)))
        columns = {name: [getattr(loan, name) for loan in loans] for name in LISTED}
        self.leases, self.listed, self.links = {}, {}, Links()
        self.rows = [{"loan_number": loan.loan_number} for loan in loans]
        for loan in loans:
            self._owned(loan.loan_number, whole.ownership(loan.loan_number).chain)
        tables = {"loans": shaped(LOANS, columns), **self._shared()}
        scored = evaluate(tables, info.as_of, Assumptions.packaged())
        self.rows = [
            {
                **stood(dict.fromkeys(LOANS.names) | {n: getattr(loan, n) for n in LISTED}),
                "features": {**features, "rate_pressure": loan.rate_pressure},
                "info": info,
                "as_of": info.as_of,
            }
            for loan, features in zip(loans, scored.features.to_pylist(), strict=True)
        ]
        self.by_number = {row["loan_number"]: row for row in self.rows}
        self.found = [
            (self.by_number[row["loan_number"]], one, parts) for row, one, parts in whole.found
        ]

    def _owned(self, number, chain):
        for party in chain:
            name = party.entity_name
            kind = party.role if party.role in KINDS else "owner"
            first = {"entity_name": name, "kind": kind, "confidence": party.confidence}
            listed = self.listed.setdefault(name, first)
            listed["confidence"] = max(listed["confidence"], party.confidence)
            below = ("loan", number)
            if party.extra["level"]:
                below = ("entity", party.extra["of"])
            relation = "owned_by" if party.extra["level"] else "borrower"
            link = (below, ("entity", name), relation, party.confidence, party.extra.get("share"))
            if link not in self.links:
                self.links.append(link)
