"""Parties as frames: entities, families, and the ownership chain of a loan."""

from collections.abc import Mapping

import pandas as pd

from services.contract.families import FamilyFilter
from services.contract.queries import EntityQuery

from .asking import asked, in_words
from .columns import OF_CHAIN, OF_ENTITIES, OF_FAMILIES
from .frame import of_rows, of_table
from .reading import Reading


def entities(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every entity that matches; see Atlas.entities."""
    query = asked(EntityQuery, given)
    rows = ({**one.extra, **dict(one)} for one in reading.every(reading.source.entities, query))
    said = {"what": "entities", "filters": in_words(query) or "all entities"}
    return of_rows(rows, OF_ENTITIES, said | reading.said_live)


def families(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every family with loans that match; see Atlas.families."""
    query = asked(FamilyFilter, given)
    said = {"what": "families", "filters": f"{query.kind}; {in_words(query)}".removesuffix("; ")}
    return of_table(reading.figures.family_table(query), OF_FAMILIES, said | reading.said)


def chain(reading: Reading, loan_number: str) -> pd.DataFrame:
    """The ownership chain of one loan; see Atlas.chain."""
    found = reading.patient(lambda: reading.source.ownership(loan_number))
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
