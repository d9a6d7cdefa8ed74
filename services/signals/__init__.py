"""Signals as data: what the store computes of each loan, by which rule, limit and words."""
