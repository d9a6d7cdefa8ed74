"""What a party is to each loan (D69): lender, source of a fund, borrower, owner, and so on.

Read from the capital graph, the layers and the columns of all loans when it is asked for: the
roles of a lender of a tenth of all loans are some operations on arrays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from services.contract.exposure import COUNTED, ROLES, Role, RoleOfParty

from . import columns
from .adjacency import Adjacency
from .database import Ids
from .reader import Reader

Amounts = npt.NDArray[np.float64]

_LAYERS: Final = """
SELECT loan_id, CASE WHEN count(*) = count(amount) THEN sum(amount)::DOUBLE END AS amount
FROM layers WHERE lender = $name GROUP BY loan_id ORDER BY loan_id
"""
_SERVICED: Final = "SELECT DISTINCT loan_id FROM layers WHERE servicer = $name ORDER BY loan_id"
_LENDER: Final = "SELECT lender_id FROM lenders WHERE lender = $name"
#: Whether any layer or loan names somebody in a role that is not told by edges alone.
_TOLD: Final[Mapping[Role, str]] = {
    "lender": "SELECT count(lender) FROM layers",
    "lender by name": "SELECT count(lender_id) FROM loans",
    "servicer": "SELECT count(servicer) FROM layers",
    "sponsor": "SELECT count(sponsor_id) FROM screened",
}
#: Role -> the relation of the edges that tell it.
_BY_EDGE: Final[Mapping[Role, str]] = {
    "borrower": "borrower",
    "owner": "owned_by",
    "guarantor": "guarantor",
    "servicer": "servicer",
    "originator": "originator",
    "tenant": "tenant",
}
#: Of those, the roles that one edge from a loan makes.
_AT_ONCE: Final[tuple[Role, ...]] = ("borrower", "guarantor", "originator", "tenant")


@dataclass(frozen=True, slots=True, eq=False)
class Fund:
    """A fund that lends to loans and gets money of the party, itself or by way of other funds."""

    name: str
    #: The loans that it lends to, ascending, and its own money in each, NaN where not known.
    loans: Ids
    amounts: Amounts
    #: The party's part of it, NaN where not known.
    share: float


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """The loans of one party by role, each list ascending."""

    loans: Mapping[Role, Ids]
    #: Money of its own in its layers, aligned to the loans of "lender"; NaN where not known.
    lent: Amounts
    #: Links from the borrower up to it, aligned to the loans of "owner".
    levels: Ids
    funds: tuple[Fund, ...]

    @property
    def nbytes(self) -> int:
        """Room that it takes."""
        ids = [*self.loans.values(), self.levels, *(fund.loans for fund in self.funds)]
        amounts = [self.lent, *(fund.amounts for fund in self.funds)]
        return sum(one.nbytes for one in ids) + sum(one.nbytes for one in amounts)

    @property
    def own(self) -> Ids:
        """The loans that count as its own (D32, D45, D68)."""
        return reduce(np.union1d, (self.loans[role] for role in COUNTED))

    def amounts(self, role: Role) -> Amounts:
        """Dollars of its own, aligned to the loans of a role; NaN where not known or not meant."""
        if role == "lender":
            return self.lent
        ids = self.loans[role]
        if role != "source of a fund":
            return np.full(len(ids), np.nan)
        # Of several funds in one loan all have to be known: NaN stays NaN in a sum.
        given = np.zeros(len(ids))
        for fund in self.funds:
            given[np.searchsorted(ids, fund.loans)] += fund.amounts * fund.share
        return np.rint(given)  # whole dollars of each loan, so that they add up

    def of_loan(self, loan: int) -> tuple[RoleOfParty, ...]:
        """What the party is to one loan."""
        found = []
        for role in ROLES:
            at = place(self.loans[role], loan)
            if at < 0:
                continue
            amount = float(self.amounts(role)[at]) if role in COUNTED[:3] else np.nan
            found.append(
                RoleOfParty(
                    role=role,
                    level=int(self.levels[at]) if role == "owner" else None,
                    amount=None if np.isnan(amount) else round(amount),
                    through=tuple(
                        fund.name
                        for fund in self.funds
                        if role == "source of a fund" and place(fund.loans, loan) >= 0
                    ),
                )
            )
        return tuple(found)


def place(ids: Ids, one: int) -> int:
    """Where an id is in an ascending list; -1 where it is not."""
    at = int(np.searchsorted(ids, one))
    return at if at < len(ids) and ids[at] == one else -1


def roles(reader: Reader, number: int) -> Roles:
    """The loans of the party with this id, by role."""
    return reader.remembered(("roles", number), lambda: _roles(reader, number))


def told(reader: Reader) -> frozenset[Role]:
    """Roles in which the snapshot names anybody at all: a mirror knows of few."""

    def make() -> frozenset[Role]:
        graph = reader.graph
        found = {role for role, sql in _TOLD.items() if reader.rows(sql)[0][0]}
        found |= {role for role, relation in _BY_EDGE.items() if relation in graph.relations}
        if "capital_source" in graph.relations:
            funding = graph.edge_relation == graph.relations.index("capital_source")
            of_loans = graph.edge_from[funding] < graph.loan_count
            found |= {"lender"} if of_loans.any() else set()
            found |= set() if of_loans.all() else {"source of a fund"}
        return frozenset(found)

    return reader.column("roles told", make)


def _roles(reader: Reader, number: int) -> Roles:
    graph = reader.graph
    node, name = graph.loan_count + number, graph.name(graph.loan_count + number)
    at_once = {role: _tied(graph, node, _BY_EDGE[role]) for role in _AT_ONCE}
    lender, lent = _lent(reader, node)
    funds = _funds(reader, node)
    borne = columns.name_ids(reader, "lender_normalized") == _lender_id(reader, name)
    owned, levels = _owned(graph, node)
    serviced = reader.ids(_SERVICED, {"name": name})
    loans: dict[Role, Ids] = {
        **at_once,
        "lender": lender,
        "lender by name": np.setdiff1d(np.flatnonzero(borne), lender).astype(np.int32),
        "source of a fund": reduce(
            np.union1d, (fund.loans for fund in funds), np.empty(0, np.int32)
        ),
        "owner": owned,
        "sponsor": np.flatnonzero(columns.name_ids(reader, "sponsor") == number).astype(np.int32),
        "servicer": np.union1d(serviced, _tied(graph, node, "servicer")),
    }
    return Roles(loans, lent, levels, funds)


def _lender_id(reader: Reader, name: str) -> int:
    found = reader.rows(_LENDER, {"name": name})
    return int(found[0][0]) if found else -2  # -1 stands for loans without a lender


def _lent(reader: Reader, node: int) -> tuple[Ids, Amounts]:
    """The loans that a node lends to itself, and its layers' amounts."""
    layers = reader.arrow(_LAYERS, {"name": reader.graph.name(node)})
    ids = layers["loan_id"].to_numpy()
    loans = np.union1d(ids, _tied(reader.graph, node, "capital_source")).astype(np.int32)
    amounts = np.full(len(loans), np.nan)
    amounts[np.searchsorted(loans, ids)] = layers["amount"].to_numpy()
    return loans, amounts


def _tied(graph: Adjacency, node: int, relation: str) -> Ids:
    """Loans from which an edge of the relation leads to the node, ascending."""
    start = _starts(graph, np.array([node]), relation)
    return np.unique(start[start < graph.loan_count])


def _starts(graph: Adjacency, nodes: npt.NDArray[Any], relation: str) -> Ids:
    """Where the edges of a relation start that end at any of the nodes; with repetitions."""
    if relation not in graph.relations or not len(nodes):
        return np.empty(0, np.int32)
    counts = graph.degrees(nodes)
    before = np.cumsum(counts) - counts
    of = np.repeat(np.arange(len(nodes)), counts)
    edge = graph.edge[np.arange(len(of)) + (graph.indptr[nodes] - before)[of]]
    right = graph.edge_relation[edge] == graph.relations.index(relation)
    right &= graph.edge_to[edge] == nodes[of]
    found: Ids = graph.edge_from[edge[right]]
    return found


def _owned(graph: Adjacency, node: int) -> tuple[Ids, Ids]:
    """The loans whose borrowers a node owns, over any links, and how many links up it stands."""
    seen = front = np.array([node], np.int32)
    loans, levels = np.empty(0, np.int32), np.empty(0, np.int32)
    level = 0
    while True:
        level += 1
        held = _starts(graph, front, "owned_by")
        front = np.setdiff1d(held, seen)
        if not len(front):
            return loans, levels
        seen = np.union1d(seen, front)
        fresh = np.setdiff1d(_starts(graph, front, "borrower"), loans)
        fresh = fresh[fresh < graph.loan_count]
        loans = np.concatenate([loans, fresh])
        levels = np.concatenate([levels, np.full(len(fresh), level, np.int32)])
        order = np.argsort(loans)
        loans, levels = loans[order], levels[order]


def _funds(reader: Reader, node: int) -> tuple[Fund, ...]:
    """The funds through which a node lends, by name."""
    graph = reader.graph
    behind, front = {node}, [node]
    while front:
        starts = _starts(graph, np.array(front), "capital_source")
        front = [one for one in np.unique(starts).tolist() if one not in behind]
        front = [one for one in front if one >= graph.loan_count]
        behind |= set(front)
    found = []
    for fund in sorted(behind - {node}):
        if len(_tied(graph, fund, "capital_source")):
            loans, amounts = _lent(reader, fund)
            # A fund is one by its edges: its layers alone say nothing of who stands behind it.
            tied = _tied(graph, fund, "capital_source")
            share = _share(reader, fund, node, behind, ())
            found.append(
                Fund(graph.name(fund), tied, amounts[np.searchsorted(loans, tied)],
                     np.nan if share is None else share)
            )  # fmt: skip
    return tuple(found)


def _share(
    reader: Reader, fund: int, node: int, behind: set[int], before: Sequence[int]
) -> float | None:
    """The part of a fund that is a node's, over all links between; None where one is unknown."""
    if fund in before:  # money that runs in a circle
        return None
    stated: dict[int, set[float]] = {}
    for edge, source in reader.graph.step(fund, "capital_source"):
        if source in behind:
            part = float(reader.shares[edge])
            stated.setdefault(source, set()).update(() if np.isnan(part) else (part,))
    whole = 0.0
    for source, parts in stated.items():
        beyond = 1.0 if source == node else _share(reader, source, node, behind, (*before, fund))
        if len(parts) != 1 or beyond is None:
            return None
        whole += parts.pop() * beyond
    return whole
