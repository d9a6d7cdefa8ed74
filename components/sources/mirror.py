"""The API's side of the Sources page: requests left, the mirror, what was seen in its answers."""

import time
from collections.abc import Mapping

import streamlit as st

from components.frame import recording, session, states, visitor
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import count, day
from services.contract import endpoints
from services.contract.audit import Deed
from services.contract.errors import CreditAtlasError
from services.contract.rounding import number_of
from services.sources import Upstream


def quota(api: Upstream) -> None:
    """Requests left this minute and today, as the last answer said (spec 8.2)."""
    budget = api.budget
    with card("Requests left", level=2):
        if budget.told_at is None:
            states.nothing("No answer of the API has said its limits yet.")
            return
        minute, today = st.columns(2, gap="small")
        with minute:
            resets = budget.resets_in(time.time())
            note = "" if resets is None else f", resets in {resets} s"
            _meter("This minute", budget.remaining, budget.most_remaining, note)
        with today:
            _meter("Today", budget.daily_remaining, budget.most_daily_remaining, "")


def _meter(label: str, left: int | None, most: int | None, note: str) -> None:
    if left is None:
        states.nothing(f"{label}: the API does not say.")
        return
    full = max(left, most or 0, 1)
    said = f"{label}: {count(left)} left of at least {count(full)}{note}"
    st.progress(left / full, text=text.label(said))


def mirror(api: Upstream) -> None:
    """What the mirror holds, what filling it would cost, and the buttons that fill it."""
    with card("Mirror: the API's records, for maps, totals and matrices", level=2):
        if session.mirrored():
            snapshot = session.analytics().snapshot()
            counted = snapshot.counted_by_source
            text.sentence(
                f"{count(snapshot.loans)} of {count(counted.get('loans'))} loans and "
                f"{count(snapshot.signals)} of {count(counted.get('signals'))} signals, mirrored "
                f"on {day(snapshot.as_of)}; {'complete' if snapshot.whole else 'incomplete'}."
            )
        else:
            text.sentence("Not filled yet: pages that need figures over all records say so.")
        if not visitor.who().may("fill"):
            states.nothing("Your role does not fill it; see Your access.")
            return
        if not st.toggle("Fill it again" if session.mirrored() else "Fill it", key="mirror_open"):
            return
        with states.panel(endpoints.LOANS):
            lists, with_chains = api.requests_needed()
            some, every = (number_of(each, "request") for each in (lists, with_chains))
            left = api.budget.daily_remaining
            text.sentence(
                f"Loans and signals take about {some}, with every ownership chain "
                f"{every}; {count(left)} are left today. What came is kept when it "
                "stops, and goes on from there."
            )
            with st.container(horizontal=True):
                plain = st.button(text.label(f"Fill with {some}"), type="primary")
                chains = st.button(text.label(f"Fill with chains, {every}"))
            if plain or chains:
                _fill(api, chains=chains)


def _fill(api: Upstream, *, chains: bool) -> None:
    record = recording.recorder("fill")
    bar = st.progress(0.0, text="Asking the API")
    # Any click reruns the page, and that ends this run; the pages that came are kept.
    st.button("Stop", icon=":material/stop_circle:")

    def show(stage: str, part: float) -> None:
        bar.progress(min(1.0, part), text=text.label(stage))

    said = "with ownership chains" if chains else "loans and signals"
    try:
        record(Deed(action="fill_mirror", kind="mirror", name=api.label, detail=said))
        filled = api.fill_mirror(chains=chains, progress=show)
    except CreditAtlasError as error:
        states.failed(error)
        return
    bar.progress(1.0, text=text.label(f"Filled with {number_of(filled.requests, 'request')}"))
    st.rerun()


def seen(api: Upstream) -> None:
    """Fields and words of the answers that the specification does not have, or lacks (D19)."""
    found = api.seen
    groups: tuple[tuple[str, Mapping[tuple[str, ...], int]], ...] = (
        ("Field beyond the specification, kept", found.unknown_fields),
        ("Specified field that is absent", found.absent_fields),
        ("Word without a known rank", found.unknown_words),
        ("Spelling", found.variants),
    )
    rows = [
        {"What": what, "Name": ": ".join(name), "Times": count(times)}
        for what, names in groups
        for name, times in names.items()
    ]
    with card("Seen in the API's answers", level=2):
        if rows:
            tables.plain(rows, "Seen in the answers", figures=("Times",))
        else:
            states.nothing("Nothing was asked yet.")
