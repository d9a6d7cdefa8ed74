"""The panels of the Sources page: sources, rejects, rates, rules, decisions."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components.frame import exports, states
from components.kit import tables, text
from components.kit.card import card, opening
from components.kit.formatting import count, day, loan_count, money, percent, words
from services.contract import decisions_text
from services.contract.aggregates import Reject
from services.contract.snapshot_info import RuleCard, RuleCoverage, Snapshot
from services.contract.vocabulary import GRADED, SERIES

#: Rows of the rejects that the page shows; the file holds all of them.
REJECTS_SHOWN = 100


def loaded(snapshot: Snapshot) -> None:
    """Every source with its publisher, day, terms and counts."""
    with card(f"What is loaded, as of {day(snapshot.as_of)}", level=2):
        rows = [
            {
                "Source": source.title,
                "Publisher": source.publisher,
                "As of": day(source.as_of),
                "Provenance": words(source.provenance),
                "Loan records": count(source.loans),
                "Book value": money(source.book_value),
                "Properties": count(source.properties),
                "Entities": count(source.entities),
                "Edges": count(source.edges),
                "Signals": count(source.signals),
                "Rejected": count(source.rejected),
                "Terms": source.terms,
                "Files": ", ".join(source.files) or "—",
            }
            for source in snapshot.sources
        ]
        figures = ("As of", "Loan records", "Book value", "Properties", "Entities", "Edges",
                   "Signals", "Rejected")  # fmt: skip
        tables.plain(rows, "Sources", figures=figures)
        text.caption(
            f"Snapshot {snapshot.snapshot_id}, built {snapshot.built_at:%-d %b %Y %H:%M} UTC."
        )
        unmapped = {
            f"{source.title}: {name}": times
            for source in snapshot.sources
            for name, times in source.unmapped.items()
        }
        if unmapped:
            text.sentence("Values that no rule maps or ignores:")
            tables.plain(
                [{"Value": name, "Times": count(times)} for name, times in unmapped.items()],
                "Unmapped values",
                figures=("Times",),
            )


def rejected(rejects: Sequence[Reject], snapshot: Snapshot) -> None:
    """Records that were not loaded, each with its reason."""
    with card(f"Rejected records: {count(len(rejects))}", level=2):
        if not rejects:
            states.nothing("Every record of every source was loaded.")
            return
        rows = [
            {"Source": one.source, "Record": one.record, "Reason": one.reason}
            for one in rejects[:REJECTS_SHOWN]
        ]
        tables.plain(rows, "Rejected records")
        if len(rejects) > REJECTS_SHOWN:
            text.caption(f"The first {REJECTS_SHOWN} of {count(len(rejects))}.")
        exports.download(
            partial(export, tuple(rejects), snapshot), len(rejects), "credit-atlas-rejected"
        )


def export(rejects: tuple[Reject, ...], snapshot: Snapshot) -> exports.Export:
    """Records that were not loaded, with their reasons."""
    rows = [one.model_dump() for one in rejects]
    of = exports.of_snapshot(snapshot)
    return exports.of_rows("rejected records", "All rejected records", rows, of=of)


def rates(snapshot: Snapshot) -> None:
    """The reference rates that the refi rates of this snapshot stand on."""
    several = len({rate.as_of for rate in snapshot.rates}) > 1
    with card("Reference rates in use", level=2):
        rows = [
            {
                "Rate": SERIES.get(rate.series, rate.series),
                "Series": rate.series,
                **({"As of": day(rate.as_of)} if several else {}),
                "Newest on or before the as-of date": day(rate.day),
                "Rate, %": percent(rate.percent),
            }
            for rate in snapshot.rates
        ]
        if rows:
            tables.plain(rows, "Reference rates", figures=list(rows[0])[2:])
        else:
            states.nothing("The table of reference rates has none on or before the as-of date.")
        text.caption("Federal Reserve H.15 (Treasury constant maturity), New York Fed (SOFR).")
        if snapshot.rests_on:
            listed = "; ".join(f"{used.table} {used.source}" for used in snapshot.rests_on)
            text.caption(f"In force: {listed}.")
        for used in snapshot.spreads:
            date = f"date {day(used.as_of)}" if several else "date"
            text.caption(
                f"Spreads of {day(used.day)}, fitted to {used.fitted}: the nearest to the as-of "
                f"{date}, {used.months_off} months from it."
            )


def rules(cards: Sequence[RuleCard], coverage: Sequence[RuleCoverage]) -> None:
    """Each rule that scored the snapshot: what it found, could not test, and how it is defined."""
    found = {one.rule: one for one in coverage}
    with card("Rules: what they found, and what they could not test", level=2):
        rows = [
            {
                "Rule": f"{one.rule} {one.title}",
                "Signal": words(one.signal_type),
                **{words(word): count(one.fired.get(word, 0)) for word in GRADED},
                "Silent": count(one.silent),
                "Not applicable": count(one.not_applicable),
                "Not testable": count(one.not_testable),
            }
            for one in coverage
        ]
        tables.plain(rows, "Rules", figures=list(rows[0])[2:] if rows else ())
        text.folded((f"{one.id} {one.title}", _card(one, found.get(one.id))) for one in cards)


def _card(one: RuleCard, found: RuleCoverage | None) -> list[str]:
    """A rule in sentences: what it reads, its limits, when it clears, what it could not test."""
    reasons = found.reasons if found else {}
    return [
        f"Reads {', '.join(one.inputs)}.",
        *(f"{word}: {limit}" for word, limit in one.ladder),
        f"Clears when: {one.clears_when}",
        *([one.remark] if one.remark else ()),
        f"Source: {one.source} Rule version {one.version}, limits version {one.limits_version}.",
        *(f"Not testable on {loan_count(times)}: {why}." for why, times in reasons.items()),
    ]


def decisions() -> None:
    """DECISIONS.md, as it stands in the source."""
    opening(
        "What the specification leaves open, and what we do",
        "decisions",
        lambda: st.markdown(decisions_text()),
    )
