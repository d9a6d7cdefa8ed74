"""Filings, checked against themselves and against the ones before."""
