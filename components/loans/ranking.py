"""Who has most of a result: its loans in groups, and how concentrated they are."""

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from components.frame import columns, exports, field_bar, links, session, states
from components.frame.fields import One
from components.frame.ledger import Column, ledger
from components.frame.routes import EXPLORE, LOANS
from components.kit import severity, text
from components.kit.formatting import count, fixed, loan_count, words
from services.contract.aggregates import Group, Ranking
from services.contract.columns import COLUMN
from services.contract.loan_filter import LoanFilter
from services.contract.months import between
from services.contract.schedule_al import PROPERTY_TYPES
from services.contract.source import GroupBy, RankedBy, Screens
from services.contract.vocabulary import STATES
from services.contract.watch_triggers import BASIS, named

#: What loans can be grouped by, and what a group of them is called.
GROUPS: Final[dict[RankedBy, str]] = {
    "lender": COLUMN["lender_normalized"].label,
    "sponsor": COLUMN["sponsor"].label,
    "state": COLUMN["property_state"].label,
    "city": COLUMN["property_city"].label,
    "property_type": COLUMN["property_type"].label,
    "vintage": "Vintage",
    "quarter": "Quarter of maturity",
    "year": "Year of maturity",
    "severity": COLUMN["worst_severity"].label,
    "trigger": "Watchlist trigger",
}
_HELP: Final[dict[RankedBy, str]] = {
    "sponsor": "A loan counts once: under its sponsor with the largest book. "
    "The Sponsors page counts it under each of its sponsors.",
    "lender": "The loan's own lender, not those of its other debt layers.",
    "trigger": BASIS,
}
_BY: Final = One(
    label="Group by",
    empty="List loans; group by ...",
    bare=True,
    words={label: by for by, label in GROUPS.items()},
)
_ACROSS: Final = replace(
    _BY,
    label="Group by, across",
    empty="and across by ...",
    words={label: by for label, by in _BY.words.items() if by != "trigger"},
)
_NO_TRIGGER: Final = "No watchlist trigger that can be tested holds on any of these loans."
#: Groups that are parts of one another, or of one filter.
_OF_ONE: Final = {"quarter": "maturity", "year": "maturity"}
#: Words that a filter of the page can hold.
_KNOWN: Final = {"state": set(STATES), "property_type": set(PROPERTY_TYPES.values())}
#: What files of groups say of their columns.
FACTS: Final = {name: COLUMN[name] for name in ("book_value", "worst_severity", "dollars_short")}
#: Percent: no income was underwritten at less than nothing.
_LEAST_MARKUP: Final = -100
#: Groups on screen, and in a file.
_MOST: Final = 100
#: What a group of loans is called whose word no source states.
UNKNOWN: Final = "Not known"
_IN_FILE: Final = 5_000
#: Bands of the Herfindahl-Hirschman index of the US merger guidelines of 2023.
_MODERATE, _HIGH = 1_000, 1_800


def ranking(query: LoanFilter, by: RankedBy, sentence: str, of_set: str | None) -> None:
    """The groups of a result, the largest first, and all of them as a file. `sentence` says what
    the result is; `of_set` is the key of the set of loans that were looked up together, if any.
    """
    found = session.ask(Screens.loan_ranking, query.without("order").at(1), by, _IN_FILE)
    if found.groups:
        make = partial(export, found, query, by, sentence)
        stem = f"credit-atlas-loans-by-{by.replace('_', '-')}"
        exports.download(make, len(found.groups), stem)
    first = found.model_copy(update={"groups": found.groups[:_MOST]})
    _listed(first, query, by, of_set)
    if by == "lender" and found.groups:
        _marked_up(query, of_set)


def _marked_up(query: LoanFilter, of_set: str | None) -> None:
    """The way to what each seller underwrote above trailing income, where it is known of a loan."""
    query = query.without("order").at(1)
    told = query.model_copy(update={"min_markup": _LEAST_MARKUP})
    if session.ask(Screens.loan_totals, told).loans:
        shown = {"show": "boxes", "x": "underwritten_markup", "by": "lender"}
        links.link(EXPLORE, "Underwriting mark-up by lender", "bar_chart",
                   params_of(query, of_set) | shown)  # fmt: skip


def export(found: Ranking, query: LoanFilter, by: RankedBy, sentence: str) -> exports.Export:
    """The groups as a file, the largest first."""
    whole = session.ask(Screens.loan_totals, query.without("order").at(1)).book_value
    groups = [
        {
            **dict(one),
            by: one.word,
            "share_of_result": one.book_value / whole if whole else None,
            "worst_severity": one.worst,
        }
        for one in found.groups
    ]
    kinds = {by: str, "loans": int, "book_value": int, "share_of_result": float,
             "worst_severity": str, "dollars_short": int}  # fmt: skip
    part = f", the {count(len(groups))} largest" if found.total > len(groups) else ""
    said = f"{sentence}, by {GROUPS[by].lower()}{part}"
    return exports.of_rows("groups of loans", said, groups, kinds, FACTS)


def shown(query: LoanFilter, by: GroupBy, most: int) -> None:
    """The groups of a result, the largest first, at most so many; each leads to its loans."""
    found = session.ask(Screens.loan_ranking, query.without("order").at(1), by, most)
    _listed(found, query, by)


def _listed(found: Ranking, query: LoanFilter, by: RankedBy, of_set: str | None = None) -> None:
    result = params_of(query, of_set)
    whole = session.ask(Screens.loan_totals, query.without("order").at(1)).book_value
    if not found.groups:
        states.nothing(_NO_TRIGGER if by == "trigger" else "No loans to group.")
        return
    if all(group.word is None for group in found.groups):
        states.nothing(f"The sources state no {GROUPS[by].lower()} of these loans.")
        return
    text.caption(_untested(query) if by == "trigger" else _concentration(found))
    ledger(
        (
            Column[Group]("word", GROUPS[by], lambda one: written(one, by), help=_HELP.get(by)),
            columns.loans(),
            columns.book_value(short=True),
            columns.share_of(
                whole, "Of the result", "Share of the book value of this result.", bar=True
            ),
            columns.worst(short=True),
            columns.dollars_short(bar=True),
        ),
        found.groups,
        opens=lambda group: (LOANS, narrowed(result, by, group)),
        key=f"ranking-{by}",
        caption=f"Loans by {GROUPS[by].lower()}",
    )


def params_of(query: LoanFilter, of_set: str | None) -> dict[str, str]:
    """The address of the result; of a set by its key, for its numbers may be thousands."""
    params = query.at(1).params()
    if of_set:
        del params["numbers"]
        params["set"] = of_set
    return params


def written(group: Group, by: RankedBy) -> str:
    """What a group is called."""
    if by == "severity":
        return severity.label(group.word)
    if by == "trigger":
        return named(group.word)
    if group.word is None:
        return UNKNOWN
    return words(group.word) if by == "property_type" else group.word


def stated(found: Ranking) -> bool:
    """Whether the sources state the word of any loan: a trust's filings name no sponsor."""
    return found.total > 0 or not found.groups


def narrowed(params: dict[str, str], by: RankedBy, group: Group) -> dict[str, str]:
    """The address of a group's loans; of those that no filter finds, the result itself."""
    return params | (leads(by, group) or {})


def leads(by: RankedBy, group: Group) -> dict[str, str] | None:
    """The filters that find a group's loans; None where none does."""
    if group.word is None:
        return None
    if group.days:
        window = between(*group.days, "originated" if by == "vintage" else "due")
        return {name: day.isoformat() for name, day in window.items()}
    if by == "trigger":
        return {by: group.word, "columns": "watchlist"}
    if group.word not in _KNOWN.get(by, {group.word}):
        return None
    return {"lender_of_loan" if by == "lender" else by: group.word}


def _concentration(found: Ranking) -> str:
    """How concentrated the groups are, in words."""
    groups = f"{count(found.total)} in all" if found.total > len(found.groups) else ""
    if found.hhi is None or found.effective is None:
        return groups
    band = "low" if found.hhi < _MODERATE else "moderate" if found.hhi <= _HIGH else "high"
    said = (
        f"HHI {fixed(found.hhi)}, {band} "
        f"(from {_MODERATE:,} moderate, over {_HIGH:,} high); as concentrated as "
        f"{fixed(found.effective, 1)} equal groups."
    )
    return f"{said} {groups}".strip()


def _untested(query: LoanFilter) -> str:
    """How the groups overlap, and on how many loans which trigger cannot be tested."""
    found = session.ask(Screens.loan_counts, query.without("order").at(1), "untested_trigger")
    parts = ", ".join(f"{one.word} on {loan_count(one.loans)}" for one in found)
    return f"A loan is under each trigger that holds.{f' Not testable: {parts}.' if parts else ''}"


def switch() -> None:
    """What the result is grouped by, and by what else across, or nothing: its loans."""
    by = st.session_state["by"]
    fields = {"by": _BY}
    if by and by != "trigger":
        offered = {label: one for label, one in _ACROSS.words.items() if not alike(by, one)}
        fields["across"] = replace(_ACROSS, words=offered)
    field_bar.draw(fields, key="group by", label="Group by", width=220 * len(fields))


def alike(by: RankedBy, across: RankedBy) -> bool:
    """Whether two groupings go by one filter."""
    return _OF_ONE.get(by, by) == _OF_ONE.get(across, across)
