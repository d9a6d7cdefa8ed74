"""Roles of a party as contract/exposure.py describes them (D69), for `tests/oracle.py`.

A loan's roles are looked for from the loan upwards, where the store looks from the party down.
"""

from collections import Counter, defaultdict
from itertools import pairwise

from services.contract.errors import NotFound
from services.contract.exposure import (
    COUNTED,
    ROLES,
    ByName,
    Exposure,
    FundShare,
    PartyLoan,
    RoleCount,
    RoleOfParty,
    RoleShare,
)
from services.contract.loan_filter import LoanFilter
from services.contract.records import Loan, Page
from tests import oracle_notes

ONE_EDGE = ("borrower", "guarantor", "originator", "tenant")


class Exposures:
    """Over the `rows`, `layers`, `links` and `listed` entities of an Oracle."""

    def exposure(self, name):
        if name not in self.listed:
            raise NotFound(name)
        by_loan = self._roles_of(name)
        own = {n for n, roles in by_loan.items() if set(roles) & set(COUNTED)}
        first, beyond = defaultdict(list), defaultdict(list)
        for n, roles in by_loan.items():
            (first if n in own else beyond)[min(roles, key=ROLES.index)].append(n)
        node = ("entity", name)
        near = {other for _, other in self.links.at(node)} - {node}
        return Exposure(
            entity_name=name,
            loans=self._loans(own),
            book_value=self._worth(own),
            roles=tuple(self._role_share(role, by_loan) for role in ROLES),
            counted=tuple(
                RoleCount(role=r, loans=self._loans(first[r])) for r in COUNTED if first[r]
            ),
            beyond=tuple(
                RoleCount(role=r, loans=self._loans(beyond[r])) for r in ROLES if beyond[r]
            ),
            funds=self._fund_shares(name, by_loan),
            by_name=self._by_name(name, by_loan),
            next_loans=sum(kind == "loan" for kind, _ in near),
            next_parties=sum(kind == "entity" for kind, _ in near),
        )

    def loans_of(self, name, query, role=None):
        if name not in self.listed:
            raise NotFound(name)
        by_loan = self._roles_of(name)
        wanted = {role} if role else set(COUNTED)
        found = {n for n, roles in by_loan.items() if set(roles) & wanted}
        rows = self.result(LoanFilter(order="-worst_severity"))
        rows = [row for row in rows if row["loan_number"] in found]
        items = []
        for row in rows[(query.page - 1) * query.per_page :][: query.per_page]:
            number = row["loan_number"]
            spec = {field: row[field] for field in Loan.model_fields if field in row}
            roles = sorted(by_loan[number].values(), key=lambda one: ROLES.index(one.role))
            graded = {name: row[name] for name in ("worst_severity", "dollars_short")}
            loan = PartyLoan(**spec, **graded, roles=tuple(roles))
            items.append(loan)
        return Page(items=tuple(items), page=query.page, per_page=query.per_page, total=len(rows))

    def _worth(self, numbers):
        return oracle_notes.dollars([self.by_number[n] for n in numbers])

    def _loans(self, numbers):
        return oracle_notes.loans([self.by_number[n] for n in numbers])

    def _roles_of(self, name):
        """Loan number -> role -> RoleOfParty, of the loans in which the party has any."""
        if not hasattr(self, "_by_party"):
            self._by_party = defaultdict(dict)
            for number in self.by_number:
                for (party, role), one in self._roles_in(number).items():
                    self._by_party[party].setdefault(number, {})[role] = one
        return self._by_party[name]

    def _roles_in(self, number):
        """(party, role) -> RoleOfParty of one loan, over all parties."""
        found, row = {}, self.by_number[number]
        start = ("loan", number)
        direct = {end[1] for _, end, *_ in self.links.steps(start, "capital_source")}
        lenders = direct | {one["lender"] for one in self.layers[number] if one["lender"]}
        for party in lenders:
            amount = self._layer_amount(number, party)
            found[party, "lender"] = RoleOfParty(role="lender", amount=amount)
        borne = row["lender_normalized"]
        if borne and borne not in lenders:
            found[borne, "lender by name"] = RoleOfParty(role="lender by name")
        for party, funds in self._sources(direct).items():
            parts = []
            for fund in funds:
                amount, share = self._layer_amount(number, fund), self._part(fund, party)
                parts.append(None if amount is None or share is None else amount * share)
            amount = None if None in parts else round(sum(parts))
            found[party, "source of a fund"] = RoleOfParty(
                role="source of a fund", amount=amount, through=tuple(sorted(funds))
            )
        for relation in ONE_EDGE:
            for _, (_, party), *_ in self.links.steps(start, relation):
                found[party, relation] = RoleOfParty(role=relation)
        served = {end[1] for _, end, *_ in self.links.steps(start, "servicer")}
        for party in served | {one["servicer"] for one in self.layers[number] if one["servicer"]}:
            found[party, "servicer"] = RoleOfParty(role="servicer")
        for party, level in self._owners(number).items():
            found[party, "owner"] = RoleOfParty(role="owner", level=level)
        sponsor = next(r["sponsor"] for r in self.screened() if r["loan_number"] == number)
        if sponsor:
            found[sponsor, "sponsor"] = RoleOfParty(role="sponsor")
        return found

    def _layer_amount(self, number, party):
        amounts = [one["amount"] for one in self.layers[number] if one["lender"] == party]
        return None if not amounts or None in amounts else sum(amounts)

    def _owners(self, number):
        """Fewest links to each party above a borrower other than itself."""
        levels = {}
        for _, borrower, *_ in self.links.steps(("loan", number), "borrower"):
            front, level, seen = {borrower}, 0, {borrower}
            while front:
                level += 1
                front = {e[1] for one in front for e in self.links.steps(one, "owned_by")} - seen
                seen |= front
                for _, party in front:
                    levels[party] = min(level, levels.get(party, level))
        return levels

    def _sources(self, funds):
        """Party -> the funds of a loan behind which it stands."""
        behind = defaultdict(set)
        for fund in funds:
            seen, left = {("entity", fund)}, [("entity", fund)]
            while left:
                for _, end, *_ in self.links.steps(left.pop(), "capital_source"):
                    if end not in seen:
                        seen.add(end)
                        left.append(end)
                        behind[end[1]].add(fund)
        return behind

    def _part(self, fund, party):
        """The party's part of a fund over all chains; None where any link is unknown or circles."""
        chains, whole = [[fund]], 0.0
        while chains:
            chain = chains.pop()
            if chain[-1] == party:
                part = 1.0
                for one, other in pairwise(chain):
                    shares = {
                        edge[4]
                        for edge in self.links.steps(("entity", one), "capital_source")
                        if edge[1] == ("entity", other) and edge[4] is not None
                    }
                    if len(shares) != 1:
                        return None
                    part *= shares.pop()
                whole += part
                continue
            ahead = {e[1][1] for e in self.links.steps(("entity", chain[-1]), "capital_source")}
            for other in ahead:
                if other != party and party not in self._sources([other]):
                    continue
                if other in chain:
                    return None
                chains.append([*chain, other])
        return whole

    def _role_share(self, role, by_loan):
        if role not in self._told():
            return RoleShare(role=role, loans=None, book_value=None)
        found = {n: roles[role] for n, roles in by_loan.items() if role in roles}
        amounts = [
            one.amount
            for n, one in found.items()
            if one.amount is not None and not self.by_number[n]["features"]["sums_notes"]
        ]
        return RoleShare(
            role=role,
            loans=self._loans(found),
            book_value=self._worth(found),
            amount=sum(amounts) if amounts else None,
            amount_loans=len(amounts),
        )

    def _told(self):
        """Roles in which anybody is named."""
        funding = [
            start[0] for start, _, relation, *_ in self.links if relation == "capital_source"
        ]
        layers = [one for some in self.layers.values() for one in some]
        relations = {relation for _, _, relation, *_ in self.links}
        told = {role for role in ONE_EDGE if role in relations}
        for role, known in {
            "lender": "loan" in funding or any(one["lender"] for one in layers),
            "lender by name": any(row["lender_normalized"] for row in self.rows),
            "source of a fund": "entity" in funding,
            "owner": "owned_by" in relations,
            "servicer": "servicer" in relations or any(one["servicer"] for one in layers),
            "sponsor": any(row["sponsor"] for row in self.screened()),
        }.items():
            told |= {role} if known else set()
        return told

    def _fund_shares(self, name, by_loan):
        loans, only = Counter(), Counter()
        for roles in by_loan.values():
            for fund in roles["source of a fund"].through if "source of a fund" in roles else ():
                loans[fund] += 1
                only[fund] += not {"lender", "lender by name"} & set(roles)
        shares = [
            FundShare(entity_name=fund, loans=count, only=only[fund], share=self._part(fund, name))
            for fund, count in loans.items()
        ]
        return tuple(sorted(shares, key=lambda one: (-one.loans, one.entity_name)))

    def _by_name(self, name, by_loan):
        if len(" ".join(name.split())) > 200 or not name.strip().isprintable():
            return None
        found = {row["loan_number"] for row in self.result(LoanFilter(lender=name))}
        lent, serviced = set(), set()
        for number in found:
            roles = set(by_loan.get(number, ()))
            if roles & {"lender", "lender by name"}:
                lent.add(number)
            elif "servicer" in roles:
                serviced.add(number)
        return ByName(
            loans=len(found),
            lent=len(lent),
            serviced=len(serviced),
            alike=len(found - lent - serviced),
        )
