"""Tenants and their leases, over all loans that match."""
