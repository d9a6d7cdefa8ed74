"""Parties as frames: entities, parties by exposure, families, and the ownership chain of a loan."""

from collections.abc import Mapping

import pandas as pd

from services.contract.exposure import Role
from services.contract.families import FamilyFilter
from services.contract.paging import every
from services.contract.parties import PartyFilter
from services.contract.queries import EntityQuery, Exact, Query

from .asking import asked, in_words
from .columns import OF_CHAIN, OF_ENTITIES, OF_FAMILIES, OF_PARTIES, OF_PARTY_LOANS
from .frame import of_rows, of_table
from .reading import PER_READ, Reading


def entities(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every entity that matches; see Atlas.entities."""
    query = asked(EntityQuery, given)
    rows = ({**one.extra, **dict(one)} for one in reading.every(reading.source.entities, query))
    said = {"what": "entities", "filters": in_words(query) or "all entities"}
    return of_rows(rows, OF_ENTITIES, said | reading.said_live)


def parties(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every party with the loans behind it; see Atlas.parties."""
    query = asked(PartyFilter, given)
    said = {"what": "parties", "filters": in_words(query) or "all parties"}
    return of_table(reading.figures.party_table(query), OF_PARTIES, said | reading.said)


def families(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every family with loans that match; see Atlas.families."""
    query = asked(FamilyFilter, given)
    said = {"what": "families", "filters": f"{query.kind}; {in_words(query)}".removesuffix("; ")}
    return of_table(reading.figures.family_table(query), OF_FAMILIES, said | reading.said)


class PartyQuery(Query):
    """The loans of which party, by its exact name; those in which it has one role."""

    entity_name: Exact
    role: Role | None = None


def loans_of(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """A party's loans by role; see Atlas.loans_of."""
    figures, query = reading.figures, asked(PartyQuery, given)
    found = every(
        lambda one: figures.loans_of(query.entity_name, one, query.role),
        Query().model_copy(update={"per_page": PER_READ}),
    )
    rows = (
        {**dict(loan), **dict(part), "through": "; ".join(part.through) or None}
        for loan in found
        for part in loan.roles
        if query.role in {None, part.role}
    )
    said = {"what": "loans of a party", "filters": in_words(query)}
    return of_rows(rows, OF_PARTY_LOANS, said | reading.said)


def chain(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """The ownership chain of one loan; see Atlas.chain."""
    number = str(given["loan_number"])
    found = reading.patient(lambda: reading.source.ownership(number))
    rows = (
        {
            "of": found.loan_number if one.extra.get("level") == 0 else None,
            **one.extra,
            **dict(one),
            "loan_number": found.loan_number,
        }
        for one in found.chain
    )
    said = {"what": "ownership chain", "filters": f"loan number {found.loan_number}"}
    tier = {"confidence_tier": found.confidence_tier}
    return of_rows(rows, OF_CHAIN, said | tier | reading.said_live)
