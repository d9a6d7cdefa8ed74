"""Tenants and leases as frames."""

from collections.abc import Mapping

import pandas as pd

from services.contract.tenants import TenantFilter

from .asking import asked, in_words
from .columns import OF_LEASES, OF_TENANTS
from .frame import of_table
from .reading import Reading


def tenants(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every tenant of the leases that match; see Atlas.tenants."""
    query = asked(TenantFilter, given)
    said = {"what": "tenants", "filters": in_words(query) or "all tenants"}
    return of_table(reading.figures.tenant_table(query), OF_TENANTS, said | reading.said)


def leases(reading: Reading, given: Mapping[str, object]) -> pd.DataFrame:
    """Every lease that matches; see Atlas.leases."""
    query = asked(TenantFilter, given)
    said = {"what": "leases", "filters": in_words(query) or "all leases"}
    return of_table(reading.figures.tenancy_table(query), OF_LEASES, said | reading.said)
