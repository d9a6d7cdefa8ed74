"""What the specification and the decisions promise, in plain Python over a portfolio's rows.

Written from the documents, not from the store's code: slow, whole, and to be read. The signals
engine's output is taken as given. Fuzzy search by name is not here; tests check its promises.
"""

import json
from collections import defaultdict
from dataclasses import replace
from datetime import date

import numpy as np
import pyarrow as pa

from services.contract.aggregates import WatchedLoan
from services.contract.columns import LOAN_EXPORT
from services.contract.errors import NotFound
from services.contract.portfolio import TABLES
from services.contract.records import (
    Entity,
    Loan,
    LoanDetail,
    Page,
    Signal,
    SignalComponent,
)
from services.contract.vocabulary import tier_of
from services.names.normalise import key, words
from services.signals.assumptions import Assumptions
from services.signals.engine import evaluate
from tests.oracle_aggregates import Aggregates
from tests.oracle_distributions import Distributions
from tests.oracle_evidence import Said
from tests.oracle_exposure import Exposures
from tests.oracle_families import Families
from tests.oracle_graph import Links
from tests.oracle_notes import loans as loans_of
from tests.oracle_parties import PartyLists
from tests.oracle_screens import Letters, Screens
from tests.oracle_signals import SignalResults
from tests.oracle_tenants import TenantLists


def sliced(items, query):
    """D3 to D5: a page of an ordered whole."""
    start = (query.page - 1) * query.per_page
    part = tuple(items[start : start + query.per_page])
    return Page(items=part, page=query.page, per_page=query.per_page, total=len(items))


def stood(row):
    """A loan with its disposition, by balance and defeasance where its source has none (D150)."""
    how, owed = row["disposition"], row["book_value"]
    if how is None and owed is not None:
        owing = "defeased in full" if row["defeasance"] == "F" else "outstanding"
        how = owing if owed else "ended for a reason not stated"
    return {**row, "disposition": how}


class Oracle(
    Aggregates,
    Screens,
    Distributions,
    SignalResults,
    Letters,
    Exposures,
    Families,
    PartyLists,
    TenantLists,
    Said,
):
    """CreditSource and the checked part of Analytics over portfolios of one snapshot."""

    def __init__(self, portfolios, rates, *, hub_edges, budget_edges):
        self.limits = {"hub_edges": hub_edges, "budget_edges": budget_edges}
        self.portfolios = portfolios
        self.as_of = max(one.info.as_of for one in portfolios)
        self.rows, self.listed, self.links = [], {}, Links()
        self.layers, self.properties = defaultdict(list), defaultdict(list)
        self.leases = defaultdict(list)
        for one in portfolios:
            self._take(one)
        loans = pa.concat_tables([one.loans for one in portfolios])
        assumptions = replace(Assumptions.packaged(), rates=rates)
        dates = [one.info.as_of for one in portfolios for _ in range(one.loans.num_rows)]
        days = np.array(dates, "datetime64[D]")
        scored = evaluate({"loans": loans, **self._shared()}, days, assumptions)
        for row, found in zip(self.rows, scored.features.to_pylist(), strict=True):
            row["features"] = found
        self.found = []
        parts = scored.components.to_pylist()
        for at, one in enumerate(scored.signals.to_pylist()):
            of_one = [p for p in parts if p["signal"] == at]
            self.found.append((self.rows[one["loan"]], one, of_one))
        self.found.sort(key=lambda s: (s[0]["loan_number"], s[1]["signal_type"]))
        self.rows.sort(key=lambda row: row["loan_number"])
        self.by_number = {row["loan_number"]: row for row in self.rows}

    def _take(self, one):
        numbers = one.loans["loan_number"].to_pylist()
        names = one.entities["entity_name"].to_pylist()
        self.rows += [
            {**stood(row), "info": one.info, "as_of": one.info.as_of}
            for row in one.loans.to_pylist()
        ]
        for name in ("layers", "properties", "leases"):
            into = getattr(self, name)
            for row in getattr(one, name).to_pylist():
                into[numbers[row.pop("loan")]].append(row)
        for row in one.entities.to_pylist():  # D30: one entity a name
            first = self.listed.setdefault(row["entity_name"], row)
            first["confidence"] = max(first["confidence"], row["confidence"])
        for row in one.edges.to_pylist():
            start = (
                ("entity", names[row["from_entity"]])
                if row["from_loan"] is None
                else ("loan", numbers[row["from_loan"]])
            )
            end = ("entity", names[row["to_entity"]])
            self.links.append((start, end, row["relation"], row["confidence"], row["share"]))

    def _shared(self):
        """What rules read beside the loans: parties, links and leases by row number (D30)."""
        loan = {row["loan_number"]: at for at, row in enumerate(self.rows)}
        party = {name: at for at, name in enumerate(self.listed)}
        edges = [
            {
                "from_loan": loan[start[1]] if start[0] == "loan" else None,
                "from_entity": party[start[1]] if start[0] == "entity" else None,
                "to_entity": party[end[1]],
                "relation": relation,
                "confidence": confidence,
                "share": share,
            }
            for start, end, relation, confidence, share in self.links
        ]
        leases = [
            {**one, "loan": loan[number]} for number, some in self.leases.items() for one in some
        ]
        layers = [
            {**one, "loan": loan[number]} for number, some in self.layers.items() for one in some
        ]
        rows = {
            "entities": list(self.listed.values()),
            "edges": edges,
            "leases": leases,
            "layers": layers,
        }
        return {name: pa.Table.from_pylist(of, schema=TABLES[name]) for name, of in rows.items()}

    # Loans (spec 4.1, 4.2)

    def loans(self, query):
        return sliced([_loan(row) for row in self.rows if self.asked_for(row, query)], query)

    def asked_for(self, row, q):
        book, day = row["book_value"], row["maturity_date"]
        return (
            (q.state is None or row["property_state"] == q.state)
            and (q.lender is None or self._lends(row, q.lender))
            and (q.min_balance is None or (book is not None and book >= q.min_balance))
            and (q.max_balance is None or (book is not None and book <= q.max_balance))
            and (q.maturity_before is None or (day is not None and day < q.maturity_before))
            and (q.maturity_after is None or (day is not None and day > q.maturity_after))
            and (q.rate_pressure is None or row["features"]["rate_pressure"] == q.rate_pressure)
        )

    def _lends(self, row, asked):
        """D9: the same key, or all words of it within the name of one layer."""
        names = [row["lender_normalized"]]
        for layer in self.layers[row["loan_number"]]:
            names += [layer["lender"], layer["servicer"]]
        wanted = words(asked)  # none in "???": then only a name without words is equal
        return any(
            key(name) == key(asked) or (wanted and wanted <= words(name)) for name in names if name
        )

    def loan(self, loan_number):
        """Extended fields as D17 lists them, and what the source gave besides."""
        row = self._row(loan_number)
        ours = {*LoanDetail.model_fields, "info", "features", "further"}
        known = {**row, **row["features"]}.items()
        extended = {name: _json(v) for name, v in known if name not in ours and v is not None}
        info = row["info"]
        extended |= {
            "as_of": info.as_of.isoformat(),
            "source": info.title,
            "provenance": info.provenance,
            "debt_layers": sorted(
                self.layers[loan_number],
                key=lambda one: (one["rank"], one["position"], str(one["lender"])),
            ),
            "properties": [
                _property(one) for one in sorted(self.properties[loan_number], key=_dearest)
            ],
            "leases": [_lease(one) for one in sorted(self.leases[loan_number], key=_largest)],
        }
        extended = {**json.loads(row["further"] or "{}"), **extended}
        spec = _loan(row).model_dump()
        return LoanDetail(**spec, origination_date=row["origination_date"], extended=extended)

    def _row(self, loan_number):
        if loan_number not in self.by_number:
            raise NotFound(loan_number)
        return self.by_number[loan_number]

    def loan_table(self, query, columns=()):
        asked = dict.fromkeys((*columns, *LOAN_EXPORT))
        rows = []
        for row in self.result(query):
            info = row["info"]
            whole = {**row, "as_of": info.as_of, "source": info.title}
            rows.append({name: whole.get(name, info.provenance) for name in asked})
        return rows

    # Entities (spec 4.3), ownership (4.4)

    def entities(self, query):
        """By name only: no `name` asked for."""
        rows = sorted(self.sure_enough(query), key=lambda one: one["entity_name"])
        return sliced([self.entity(row) for row in rows], query)

    def entity(self, row):
        return Entity(
            entity_name=row["entity_name"],
            confidence=row["confidence"],
            confidence_tier=tier_of(row["confidence"]),
            related_loan_count=len(self.tied(row["entity_name"])),
            extra=self._known(row),
        )

    def _known(self, row):
        """Extension fields: kind, id (D198), loans in roles that are not its own (D201)."""
        name = row["entity_name"]
        counts = {role: loans_of(rows) for role, rows in sorted(self.beside(name).items())}
        known = {"kind": row["kind"], "party_id": self.party_id(name)}
        return known | ({"loans_by_role": counts} if counts else {})

    def tied(self, name):
        """D32; also loans that bear the name as their lender (D45) or that of a layer (D68)."""
        lent = {r["loan_number"] for r in self.rows if r["lender_normalized"] == name}
        of_layer = {n for n, some in self.layers.items() for one in some if one["lender"] == name}
        return self.links.tied(name) | lent | of_layer

    def ownership(self, loan_number):
        self._row(loan_number)
        kinds = {name: row["kind"] for name, row in self.listed.items()}
        return self.links.ownership(loan_number, kinds)

    # Graph (spec 4.5)

    def paths(self, query):
        root = ("loan", query.loan_number)
        if query.loan_number is None:
            root = ("entity", query.entity_name)
        if root[1] not in (self.by_number if root[0] == "loan" else self.listed):
            raise NotFound(root[1])
        kinds = {name: row["kind"] for name, row in self.listed.items()}
        whole = self.links.result(root, query.depth, kinds, **self.limits)
        page = sliced(whole.paths, query)
        return whole.model_copy(update={"paths": page.items}), page

    # Signals (spec 4.6)

    def signals(self, query):
        return self.page(self.chosen(query), query)

    def chosen(self, query):
        """Of `found` what matches, by loan, then type."""
        return [
            one
            for one in self.found
            if (query.state is None or one[0]["property_state"] == query.state)
            and (query.signal_type is None or one[1]["signal_type"] == query.signal_type)
            and (query.severity is None or one[1]["severity"] == query.severity)
        ]

    def page(self, found, query):
        return sliced([_signal(*one) for one in found], query)

    def loans_watched(self, query, columns):
        graded = {}
        for loan, signal, *_ in self.found:
            of_loan = graded.setdefault(loan["loan_number"], {})
            of_loan[signal["signal_type"]] = signal["severity"]
        whole = query.model_copy(update={"page": 1, "per_page": 10_000})
        return [
            WatchedLoan(
                loan_number=one.loan_number,
                values=one.values,
                signals=graded.get(one.loan_number, {}),
            )
            for one in self.loans_found(whole, columns).items
        ]

    def signals_of(self, loan_number):
        self._row(loan_number)
        return [_signal(*one) for one in self.found if one[0]["loan_number"] == loan_number]


def _loan(row):
    spec = {name: row[name] for name in Loan.model_fields if name in row}
    return Loan(**spec, rate_pressure=row["features"]["rate_pressure"])


def _dearest(row):
    """The most valuable first, as D21 takes city and state from it."""
    return (row["value"] is None, -(row["value"] or 0), row["property_name"])


def _property(row):
    """What the source gave besides never replaces one of our fields."""
    known = {name: value for name, value in row.items() if name != "further"}
    return {**json.loads(row["further"] or "{}"), **known}


def _largest(row):
    """The largest lease first; the earliest of those that are as large."""
    return (-(row["square_feet"] or 0), row["expires"] or date.max)


def _lease(row):
    return {name: _json(value) for name, value in row.items()}


def _json(value):
    """As JSON holds it."""
    return value.isoformat() if isinstance(value, date) else value


def _signal(row, one, parts):
    spec = {name: row[name] for name in Signal.model_fields if name in row}
    return Signal(
        **spec,
        signal_type=one["signal_type"],
        severity=one["severity"],
        description=one["description"],
        components=tuple(
            SignalComponent(**{name: p[name] for name in SignalComponent.model_fields})
            for p in sorted(parts, key=lambda p: p["rule"])
        ),
    )
