"""A small made-up book that holds the odd cases at once: ties on every sort key, nulls in every
nullable field, figures and days on the limits of filters, and names that try to be confused.

Everything is written by hand or by plain loops, so that a failing test can be read. `BOTH` are two
reported sources that know one party by the same name; `SHOW` is a made-up one (D27).
"""

from dataclasses import replace
from datetime import date
from random import Random

import pyarrow as pa

from services.contract.portfolio import EDGES, LOANS, TABLES, Portfolio, SourceInfo, shaped
from services.rates.reference import Quote, ReferenceRates
from services.signals.assumptions import Assumptions

#: A leap day: twelve and twenty-four months later the month is shorter.
AS_OF = date(2024, 2, 29)
QUOTED = date(2024, 2, 28)
RATES = ReferenceRates(
    "test",
    (Quote("DGS10", QUOTED, 4.50), Quote("DGS5", QUOTED, 4.00), Quote("DGS7", QUOTED, 4.25)),
)
#: The same with the packaged limits and spreads.
ASSUMPTIONS = replace(Assumptions.packaged(), rates=RATES)
#: Small enough for this book to have hubs, and levels that are too wide (D12).
HUB_EDGES, BUDGET_EDGES = 8, 12

BALANCES = (None, -1, 0, 1, 9_999_999, 10_000_000, 10_000_001, 3_000_000_000, 10**12)
DAYS = tuple(
    None if text is None else date.fromisoformat(text)
    for text in (
        *(None, "1999-12-31", "2024-02-28", "2024-02-29", "2024-03-01", "2024-03-31"),
        *("2024-04-01", "2024-12-31", "2025-01-01", "2025-02-27", "2025-02-28", "2025-03-01"),
        *("2026-02-27", "2026-02-28", "2026-03-01", "2027-02-28", "2029-02-28", "2100-01-01"),
    )
)
STATES = (None, "TX", "NY", "DC", "PR", "GU", "D0", "A6", "ZZ")
ODD_NUMBERS = (
    *("A-1", "a-1", "A 1", "A  1", " A-1", "A-1 ", "A/1", "A#1", "A%201", "A?x=1&y=2", "A-10"),
    *("A-2", "A_1", "Ä-1", "A\u0308-1", "É", "ß", "\uff21-1", "\U0001f600-1", "0", "00"),
    *("'; DROP TABLE loans; --", '"quoted"', "back\\slash", "東-1"),
)
LENDERS = (
    *("Société Générale, S.A.", "SOCIETE GENERALE", "Societe  Generale SA", "Generale Société"),
    *("Wells Fargo Bank, N.A.", "WELLS FARGO BANK NATIONAL ASSOCIATION", "Wells Fargo"),
    *("Bank", "Bank of America, N.A.", "The Procter & Gamble Co.", "Procter and Gamble"),
    *("LLC", "東京銀行", "Æther Crédit", "O'Neill & Sons LP", "Smith/Jones #2", "???", None),
)
NEEDY = {"noi": 600_000, "dscr": 0.95, "value": 9_000_000, "amortization_months": 0}


class Sketch:
    """A portfolio while it is drawn: parties and loans are named, rows are numbered at the end."""

    def __init__(self, info: SourceInfo) -> None:
        self.info = info
        self.rows: dict[str, list[dict]] = {
            name: [] for name in TABLES.keys() - {"entities", "edges", "rejects"}
        }
        self.parties: dict[str, dict] = {}
        self.edges: list[dict] = []

    def loan(self, number, **facts):
        """A loan on an office, but for the facts given."""
        usual = {
            "book_value": 10_000_000,
            "interest_rate": 6.25,
            "property_type": "office",
            "property_city": "Port Alder",
            "property_state": "TX",
            "lender_normalized": "Harbour Bank",
            "origination_date": date(2019, 2, 28),
            "maturity_date": date(2029, 2, 28),
            "original_term_months": 120,
        }
        self.rows["loans"].append({"loan_number": number, **usual, **facts})

    def layer(self, number, rank, lender, servicer=None, layer="bank", **facts):
        place = ("senior", "mezzanine", "preferred")[min(rank, 3) - 1]
        row = {"loan": number, "rank": rank, "position": place, "layer": layer}
        self.rows["layers"].append({**row, "lender": lender, "servicer": servicer, **facts})

    def place(self, number, **facts):
        self.rows["properties"].append({"loan": number, **facts})

    def lease(self, number, tenant, square_feet=None, expires=None):
        row = {"tenant": tenant, "square_feet": square_feet, "expires": expires}
        self.rows["leases"].append({"loan": number, **row})

    def party(self, name, kind, confidence=1.0):
        row = {"entity_name": name, "kind": kind, "confidence": confidence}
        self.parties.setdefault(name, row)
        return name

    def tie(self, number, relation, name, confidence=1.0, share=None):
        """An edge from a loan."""
        kind = {"capital_source": "lender"}.get(relation, relation)
        self.party(name, kind, confidence)
        self._edge(number, None, name, relation, confidence, share)

    def link(self, name, relation, other, confidence=1.0, share=None):
        """An edge from a party; both are of the kind "owner" unless known before."""
        self.party(name, "owner", confidence)
        self.party(other, "owner", confidence)
        self._edge(None, name, other, relation, confidence, share)

    def _edge(self, *values):
        self.edges.append(dict(zip(EDGES.names, values, strict=True)))

    def witness(self, **facts):
        """Of the edge drawn last."""
        self.rows["witnesses"].append({"edge": len(self.edges) - 1, **facts})

    def know(self, name, about, value, scheme=None, **facts):
        row = {"entity": name, "about": about, "scheme": scheme, "value": value}
        self.rows["particulars"].append({**row, **facts})

    def portfolio(self, rejects=()):
        loan = {row["loan_number"]: at for at, row in enumerate(self.rows["loans"])}
        party = {name: at for at, name in enumerate(self.parties)}
        loan[None] = party[None] = None
        ids = {"loan": loan, "from_loan": loan}
        ids |= dict.fromkeys(("from_entity", "to_entity", "entity"), party)

        def numbered(rows):
            return [{k: ids[k][v] if k in ids else v for k, v in row.items()} for row in rows]

        rows = {
            **self.rows,
            "entities": self.parties.values(),
            "edges": self.edges,
            "rejects": [{"record": record, "reason": "It is empty."} for record in rejects],
        }
        tables = {name: _table(schema, numbered(rows[name])) for name, schema in TABLES.items()}
        return Portfolio(info=self.info, **tables)


def _table(schema: pa.Schema, rows: list[dict]) -> pa.Table:
    return shaped(schema, {name: [row.get(name) for row in rows] for name in schema.names})


def info_of(key: str, as_of: date = AS_OF, provenance="reported", **facts) -> SourceInfo:
    """Of a source that nobody published."""
    usual = {"importer": "made-up", "title": f"Book of {key}", "publisher": "nobody"}
    return SourceInfo(
        key=key, as_of=as_of, provenance=provenance, terms="none", **{**usual, **facts}
    )


def _limits(s: Sketch) -> None:
    """Figures, days and codes on the limits of filters; each at least twice, so that they tie."""
    for at, dollars in enumerate(BALANCES):
        s.loan(f"bal-{at}", book_value=dollars, lender_normalized=None)
        s.loan(f"bal-{at}b", book_value=dollars, property_state="NY", interest_rate=None)
    for at, day in enumerate(DAYS):
        s.loan(f"day-{at:02}", maturity_date=day, interest_rate=4.0 + at / 10)
    for at, code in enumerate(STATES):
        s.loan(f"state-{at}", property_state=code, property_city=None, confidence_tier="probable")
        s.tie(f"state-{at}", "borrower", "Blanket Borrower LLC", 0.8)
    for number in ODD_NUMBERS:
        tier = "confirmed" if number in {"A-1", "a-1"} else None
        s.loan(number, book_value=7, property_type=None, confidence_tier=tier)
    s.loan("empty", **dict.fromkeys(set(LOANS.names) - {"loan_number"}))


def _lenders(s: Sketch) -> None:
    for at, name in enumerate(LENDERS):
        s.loan(f"lender-{at:02}", lender_normalized=name)
        if at < HUB_EDGES:  # just no hub
            s.tie(f"lender-{at:02}", "borrower", "Eight Loans LLC", 0.6)
            s.rows["loans"][-1]["confidence_tier"] = "inferred"
        s.layer(f"lender-{at:02}", 1, name, amount=6_000_000, interest_rate=6.25)
    s.loan("mezzanine")
    s.layer("mezzanine", 1, "Wells Fargo Bank, N.A.", "Midland Loan Services")
    s.layer("mezzanine", 2, "Kestrel Crédit Partners, L.P.", layer="private credit")
    s.layer("mezzanine", 3, None, layer="insurance")
    s.loan("equal ranks")  # a tie on the order of layers
    s.layer("equal ranks", 1, "Northbridge Life Insurance Company", layer="insurance")
    s.layer("equal ranks", 1, "Bank of America, N.A.")
    s.layer("equal ranks", 1, "Bank of America, N.A.")


def _maturities(s: Sketch) -> None:
    """Anticipated repayment, extensions, and loans that nobody refinances; each twice."""
    soon, later = date(2024, 9, 30), date(2034, 9, 30)
    for at in "ab":
        s.loan(f"ard {at}", ard_date=soon, maturity_date=later)
        s.loan(f"slip {at}", ard_date=later, maturity_date=soon)
        long_ago = date(2023, 9, 30)
        extended = {"modification": "1", "modified_on": date(2023, 12, 31), "maturity_date": later}
        s.loan(f"extended {at}", ard_date=long_ago, **extended)
        s.loan(f"extended in vain {at}", ard_date=soon, **extended)
        s.loan(f"past {at}", ard_date=long_ago, maturity_date=later, **NEEDY)
        short = {"interest_rate": 3.95, "maturity_date": soon, **NEEDY}
        s.loan(f"short {at}", **short)
        s.loan(f"taken over {at}", **short | {"workout": "7"})
        s.loan(f"treasuries {at}", **short | {"defeasance": "F"})
        s.loan(f"repaid {at}", **short | {"book_value": 0})
        s.loan(f"level {at}", **short | {"payment_type": "1", "amortization_months": 240})


def _pressure(s: Sketch) -> None:
    """Every severity, on its limit: an office is refinanced at 4.50 + 2.45 = 6.95 %."""
    soon = date(2026, 2, 28)  # in 24 months, so that the gap counts in full
    for at, coupon in enumerate((6.95, 5.96, 5.95, 4.95, 3.95, 0.0)):
        s.loan(f"gap-{at}", interest_rate=coupon, maturity_date=soon, confidence_tier="confirmed")
    needy = {"interest_rate": 3.95, "maturity_date": soon, "confidence_tier": "confirmed"}
    s.loan("gap-6", **needy, **NEEDY)  # income does not carry the refi rate
    s.loan("gap-7", interest_rate=3.95, maturity_date=date(2026, 3, 31))
    for at, months in enumerate((60, 84, 96, 97)):  # the Treasury of each tenor
        s.loan(f"term-{at}", original_term_months=months, maturity_date=soon)
    for code in ("0", "A", "B", "1", "2", "3", "9"):
        s.loan(f"paid-{code}", payment_status=code, property_type="multifamily", workout="98")
    s.loan("foreclosed", payment_status="0", workout="2", property_type="space port", **NEEDY)
    s.loan("needy", confidence_tier="confirmed", **NEEDY, maturity_date=date(2024, 4, 30))
    in_may = date(2023, 5, 1)
    s.loan("special", payment_status="0", special_servicing_since=in_may)
    s.loan("returned", special_servicing_since=in_may, special_servicing_returned=date(2023, 9, 1))
    s.loan("defeased", payment_status="5", interest_rate=2.0, defeasance="F", **NEEDY)
    s.loan("unknown balance", payment_status="5", book_value=None)
    s.loan("a note", structure="A2", **NEEDY, further='{"noi": 1, "note_split": "A2", "é": [1]}')
    s.loan("unsaid note", book_value=1_000_000, noi=9_000_000, dscr=2.5, amortization_months=0)
    s.loan("healthy", interest_rate=8.0, dscr=2.0, noi=2_000_000, value=40_000_000, occupancy=0.0)
    s.place("healthy", property_name="East", value=30_000_000, city="Ålesund", state="NY")
    s.place("healthy", property_name="West", value=None, further='{"city": "no", "storeys": 4}')
    s.place("healthy", property_name="North", value=30_000_000, year_built=1901, size=2.5)
    s.lease("healthy", "Æther Shops", None, date(2025, 1, 31))
    s.lease("healthy", "Grocer", 20_000, None)
    s.lease("healthy", "Bakery", 20_000, date(2024, 2, 29))
    s.lease("healthy", None, 41_208, date(2030, 12, 31))
    s.lease("needy", "Grocer", 12_000, date(2024, 6, 30))


def _endings(s: Sketch) -> None:
    """Loans that no longer owe, each with the facts of a living one in trouble."""
    trouble = {**NEEDY, "payment_status": "3", "workout": "7"}
    lost = {"realized_loss": 4_735_348, "owed_before": 5_023_845, "loss_of_owed": 0.942574562}
    over = {"book_value": 0, "disposition_date": date(2024, 1, 3), **trouble}
    s.loan("liquidated", **over, disposition="liquidated", **lost, loss_of_original=0.860972455)
    s.loan("liquidated whole", **over, disposition="liquidated", realized_loss=0)
    s.loan("discounted", **over, disposition="discounted payoff", realized_loss=1)
    s.loan("early", **over, disposition="paid off before maturity", owed_before=34_000_000)
    s.loan("in time", **{**over, "book_value": None}, disposition="paid off at maturity")
    s.loan("bought back", **over, disposition="repurchased or substituted")
    s.loan("written down", disposition="outstanding", realized_loss=250_000, payment_status="0")


def _chains(s: Sketch) -> None:
    s.loan("diamond", confidence_tier="confirmed", payment_status="3")
    s.tie("diamond", "borrower", "Pier 9 Owner LLC", 0.97)
    s.witness(method="stated in the filing", file="a.xml", record="asset 9", element="borrowerName")
    s.witness(method="resolved by name and address", match=0.97, said="PIER 9 OWNER")
    s.link("Pier 9 Owner LLC", "owned_by", "Pier 9 Operating LP", 0.95, 1.0)
    s.link("Pier 9 Operating LP", "owned_by", "Cypress Sponsor LP", 0.92, 0.6)
    s.witness(method="registered", since=date(2019, 2, 28), until=date(2023, 12, 31))
    s.know("Cypress Sponsor LP", "identifier", "GB 00012345", "company number", file="b.json")
    s.know("Cypress Sponsor LP", "identifier", "5493001KJTIIGC8Y1R12", "LEI", record="7")
    s.know("Cypress Sponsor LP", "name", "Cypress Sponsor Limited Partnership")
    s.know("Cypress Sponsor LP", "address", "1 Cypress Way, Port Alder", since=date(2020, 1, 1))
    s.know("Ada Quill", "legal kind", "person")
    s.link("Pier 9 Operating LP", "owned_by", "Juniper Family Trust", 0.92, 0.4)
    s.link("Cypress Sponsor LP", "owned_by", "Ada Quill", 0.94)
    s.link("Juniper Family Trust", "owned_by", "Ada Quill", 0.9)  # on the limit of confirmed
    for number, score, tier in (("lim-70", 0.7, "probable"), ("lim-69", 0.69, "inferred")):
        s.loan(number, confidence_tier=tier)
        s.tie(number, "borrower", f"Borrower of {number}", 0.95)
        s.link(f"Borrower of {number}", "owned_by", "Cypress Sponsor LP", score)
    s.party("Walnut Sponsor LP", "sponsor", 0.9)
    for at in range(2):
        s.loan(f"walnut-{at}", payment_status=str(3 * at))
        s.tie(f"walnut-{at}", "borrower", f"Walnut {at} LLC", 0.9)
        s.link(f"Walnut {at} LLC", "owned_by", "Walnut Sponsor LP", 0.9)
    s.layer("walnut-0", 1, "Walnut Bank", "Walnut Servicing")
    s.layer("walnut-0", 2, "Walnut Mezzanine LP", layer="private credit")
    s.loan("ring", confidence_tier="probable")
    s.tie("ring", "borrower", "Ring A LLC", 0.75)
    for one, other in (("A", "B"), ("B", "C"), ("C", "A")):
        s.link(f"Ring {one} LLC", "owned_by", f"Ring {other} LLC", 0.8)
    s.loan("two borrowers", confidence_tier="confirmed")
    s.tie("two borrowers", "borrower", "Oak Street Holdings LLC", 0.96, 0.5)
    s.tie("two borrowers", "borrower", "Oak Street Holding LLC", 0.96, 0.5)
    s.link("Oak Street Holdings LLC", "owned_by", "OAK STREET HOLDINGS LLC", 0.91)
    s.link("OAK STREET HOLDINGS LLC", "owned_by", "José García", 0.91)
    s.link("Oak Street Holding LLC", "owned_by", "José García", 0.93)  # both first and second level
    s.loan("guaranteed")
    s.tie("guaranteed", "guarantor", "Jose Garcia", 0.7)
    s.link("Jose Garcia", "owned_by", "Owner of the guarantor", 0.9)
    s.party("Knows nobody Ltd.", "tenant", 0.5)
    s.party("A-1", "borrower", 0.3)  # named as a loan is
    s.tie("A-1", "borrower", "A-1", 0.9)
    s.tie("a-1", "borrower", "A-1", 0.9)


def _capital(s: Sketch) -> None:
    for at in range(10):  # more than HUB_EDGES
        s.tie(f"bal-{at % 9}{'b' * (at == 9)}", "capital_source", "Harbour Bank", 0.99)
    for number in ("day-00", "day-01", "guaranteed"):
        s.tie(number, "capital_source", "Fund One LP", 0.9)
    s.link("Fund One LP", "capital_source", "Fund Two LP", 0.8)
    s.link("Fund Two LP", "capital_source", "Pension of Port Alder", 0.7)
    s.link("Fund Two LP", "owned_by", "Manager of funds", 0.9)
    s.link("Cypress Sponsor LP", "capital_source", "Bank of the sponsor", 0.9)
    # Shares of a fund over two ways: 0.25 + 0.5 x 0.4; then money that runs in a circle.
    s.loan("of a fund")
    s.layer("of a fund", 1, "Fund Three LP", layer="private credit", amount=8_000_000)
    for number in ("of a fund", "day-02"):
        s.tie(number, "capital_source", "Fund Three LP", 0.9)
    s.link("Fund Three LP", "capital_source", "Insurer of Port Alder", 0.9, 0.25)
    s.link("Fund Three LP", "capital_source", "Fund Four LP", 0.9, 0.5)
    s.link("Fund Four LP", "capital_source", "Insurer of Port Alder", 0.9, 0.4)
    s.tie("day-03", "capital_source", "Fund Five LP", 0.9)
    s.link("Fund Five LP", "capital_source", "Fund Six LP", 0.9, 0.5)
    s.link("Fund Six LP", "capital_source", "Fund Five LP", 0.8, 0.5)
    s.link("Fund Six LP", "capital_source", "Insurer of Port Alder", 0.9, 1.0)
    for number, relation, name in (
        ("diamond", "originator", "Bank of America, N.A."),
        ("diamond", "originator", "Wells Fargo Bank, N.A."),
        ("diamond", "servicer", "Wells Fargo Bank, N.A."),  # as sure as the edge above
        ("diamond", "tenant", "Big Box #1"),
        ("ring", "tenant", "Big Box #1"),
        ("ring", "guarantor", "Ada Quill"),
        ("ring", "capital_source", "Wells Fargo Bank, N.A."),
        ("state-0", "guarantor", "Ada Quill"),
    ):
        s.tie(number, relation, name, 0.8)
    s.tie("two borrowers", "guarantor", "Oak Street Holdings LLC", 0.5)  # beside a surer edge
    s.tie("lim-70", "capital_source", "Juniper Family Trust", 0.8)
    s.tie("lim-69", "capital_source", "Juniper Family Trust", 0.8)  # paths that tie


def harbour() -> Portfolio:
    """The larger of the two reported sources."""
    s = Sketch(info_of("harbour", files=("a.xml", "b.xml"), records_read=130, unmapped={"x": 3}))
    for draw in (_limits, _lenders, _maturities, _pressure, _endings, _chains, _capital):
        draw(s)
    return s.portfolio(rejects=("row 7", "row 9"))


def quay(**changed) -> Portfolio:
    """Another reported source, older, that shares three parties with the first by name."""
    s = Sketch(info_of("quay", date(2024, 1, 31), **changed))
    for at in range(1, 5):
        s.loan(f"Q/{at}", book_value=at * 10_000_000, property_state="CA", confidence_tier=None)
        s.rows["loans"][-1]["payment_status"] = "B" if at == 4 else "0"
        s.tie(f"Q/{at}", "originator", "Quay Bank", 0.9)
    s.party("Wells Fargo Bank, N.A.", "servicer", 0.95)
    s.tie("Q/1", "servicer", "Wells Fargo Bank, N.A.", 0.9)
    s.tie("Q/2", "borrower", "Quay Owner LLC", 0.99)
    s.link("Quay Owner LLC", "owned_by", "Ada Quill", 0.6)
    s.witness(method="user's tape", said="Ada Q.", file="tape.csv", record="row 2")
    s.know("Ada Quill", "name", "Quill, Ada", file="tape.csv")
    s.rows["loans"][1]["confidence_tier"] = "inferred"
    s.layer("Q/3", 1, "Quay Bank", "Wells Fargo Bank, N.A.")
    s.place("Q/3", property_name="Quay 3")
    s.lease("Q/3", "Chandler", 900, date(2026, 5, 31))
    return s.portfolio(rejects=("row 1",))


def show() -> Portfolio:
    """A made-up source."""
    s = Sketch(info_of("demo", provenance="synthetic", importer="demo"))
    for at in range(1, 4):
        s.loan(f"S-{at}", book_value=at * 1_000_000)
    s.tie("S-1", "borrower", "Ada Quill", 0.9)
    return s.portfolio()


BOTH = (harbour(), quay())
SHOW = show()


def shuffled(portfolio: Portfolio, seed: int) -> Portfolio:
    """The same records in another row order, references between tables moved along."""
    dice = Random(seed)
    tables = {name: getattr(portfolio, name) for name in TABLES}
    orders = {name: dice.sample(range(t.num_rows), t.num_rows) for name, t in tables.items()}
    places = {
        name: {old: new for new, old in enumerate(orders[name])} | {None: None}
        for name in ("loans", "entities", "edges")
    }
    ids = {"loan": "loans", "from_loan": "loans", "edge": "edges"}
    ids |= dict.fromkeys((*EDGES.names[1:3], "entity"), "entities")
    moved = {}
    for name, table in tables.items():
        rows = table.take(pa.array(orders[name], pa.int64())).to_pylist()
        rows = [{k: places[ids[k]][v] if k in ids else v for k, v in r.items()} for r in rows]
        moved[name] = pa.Table.from_pylist(rows, schema=table.schema)
    return Portfolio(info=portfolio.info, **moved)
