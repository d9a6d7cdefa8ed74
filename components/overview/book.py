"""The Overview of a book: what is in trouble, what matures when, the loans to look at first."""

import streamlit as st

from components.kit.card import card
from components.overview import gap, headline, hero, severity_mix, wall, worst
from components.overview.reads import Overview
from components.platform.types import DeltaGenerator


def begin(of: Overview) -> DeltaGenerator:
    """The state of the book in two sentences, and its worst loan. Returns the place of what stands
    below it.
    """
    first = next(iter(of.worst.items), None)
    hero.hero(of.severities, of.totals, of.found.by_horizon, first)
    return st.container(horizontal=True, vertical_alignment="center")


def figures(of: Overview) -> None:
    """Five figures of the whole book."""
    headline.book(of.totals, of.found, of.snapshot, of.severities)


def panels(of: Overview) -> None:
    """When it matures, how bad it is, how far the refi rates are, and its worst loans."""
    wall.panel(of.buckets, of.totals)
    left, right = st.columns([1.55, 1], gap="small")
    with left:
        severity_mix.panel(of.severities)
    with right, card("Book value by gap of the refi rate over the coupon", level=2):
        gap.gap()
    worst.panel(of.worst, of.totals.as_of)
