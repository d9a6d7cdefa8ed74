"""Answers that are equal but for the last digits of floats."""

from math import isclose

from services.contract.records import Page, Record


def alike(found, expected):
    """Whether they are equal but for the last digits of floats."""
    if isinstance(expected, float) and isinstance(found, float):
        return isclose(found, expected, rel_tol=1e-12)
    if isinstance(expected, Record):
        return type(found) is type(expected) and alike(found.__dict__, expected.__dict__)
    if isinstance(expected, Page):
        return found.total == expected.total and alike(found.items, expected.items)
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(alike(found[k], expected[k]) for k in found)
    if isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(alike, found, expected))
    return found == expected
