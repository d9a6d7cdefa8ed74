"""The panels of the page Track record, the weakest point of a run first."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from components.frame import charts as frame_charts
from components.frame import exports, states
from components.kit import severity, tables, text, theme
from components.kit.badge import Badge
from components.kit.card import card
from components.kit.formatting import MISSING, count, day, loan_count, share, words
from components.track_record import charts
from services.contract import track_record_wording as wording
from services.contract.track_record import (
    DEFINITION,
    DistressedLoan,
    Horizon,
    SeverityShare,
    ShownRun,
    TrackRecord,
)


def stands_on(of: ShownRun) -> list[Badge]:
    """Whose run it is, and as of when its filings end."""
    trusts = ", ".join(one.trust for one in of.run.trusts)
    label = "Packaged run" if of.packaged else "The store's last run"
    last = max(one.last for one in of.run.trusts)
    return [
        Badge(label, "green", f"Reported data: filings of {trusts}"),
        Badge(f"Filings up to {day(last)}", "gray", "The day of the last filing."),
    ]


def summary(of: ShownRun) -> None:
    """What there is to learn from, what was found, and by which rules."""
    run = of.run
    with card(wording.headline(run), level=2):
        text.sentence(f"{wording.verdict(run)}\n{wording.warned(run)}")
        origin = "The run that ships with the program" if of.packaged else "The store's last run"
        text.caption(f"{origin}, of {day(run.ran_on)}: {wording.extent(run)}")
        text.caption(wording.endings(run))
        tables.facts(wording.counts(run), "Distress by type, kind and month")
    versions(of)


def versions(of: ShownRun) -> None:
    """By which rules the run graded, and how those in force differ."""
    run = of.run
    different = wording.differences(run, of.rules, of.rests_on)
    if different:
        text.notice(
            "warning",
            f"These figures are not those of the rules in force: {'; '.join(different)}. Run "
            "'creditatlas track-record' over the filings again.",
            "history",
        )
    else:
        text.caption(f"Graded by the rules in force: {wording.basis(run.rules, run.rests_on)}.")


def ranked(run: TrackRecord) -> None:
    """AUC of each predictor, as points with intervals and as a table."""
    for horizon, column in zip(run.horizons, st.columns(len(run.horizons)), strict=True):
        with column, card(f"First distress within {horizon.months} months: AUC", level=2):
            if any(one.auc is not None for one in horizon.discriminations):
                frame_charts.show(
                    charts.intervals(horizon),
                    key=f"auc_{horizon.months}",
                    what=f"First distress within {horizon.months} months, AUC",
                    origin=_origin(run),
                    alt="AUC of each predictor with its interval; the same stands in the table",
                )
            tables.sheet(auc_rows(horizon), f"AUC within {horizon.months} months")
            lost = f" {count(horizon.lost_loan_months)} loan-months left the filings before."
            text.caption(
                f"{count(horizon.loan_months)} loan-months of {count(horizon.loans)} loans whose "
                f"next {horizon.months} months are filed; {loan_count(horizon.distressed_loans)} "
                f"became distressed." + (lost if horizon.lost_loan_months else "")
            )
    text.caption(
        f"0.50 is chance. Intervals of 95%: {count(run.draws)} draws of loans with replacement, "
        f"each with all its months. With under {run.fewest_distressed} distressed loans no AUC is "
        "given."
    )


def auc_rows(horizon: Horizon) -> list[dict[str, str]]:
    """One row a predictor."""
    return [
        {
            "Predictor": wording.predictor(one.predictor),
            "AUC (95%)": wording.auc(one),
            "Loan-months": count(one.loan_months),
            "Loans": count(one.loans),
            "Distressed": count(one.distressed_loans),
        }
        for one in horizon.discriminations
    ]


def by_severity(run: TrackRecord) -> None:
    """The share that became distressed by worst severity, as bars and as a table."""
    for horizon, column in zip(run.horizons, st.columns(len(run.horizons)), strict=True):
        with column, card(f"Distressed within {horizon.months} months by severity", level=2):
            frame_charts.show(
                charts.distressed_shares(horizon.shares, run.fewest_distressed, dark=theme.dark()),
                key=f"shares_{horizon.months}",
                what=f"Distressed within {horizon.months} months by severity",
                origin=_origin(run),
                alt="Share of loan-months followed by distress by worst severity; the same stands "
                "in the table",
            )
            tables.sheet(share_rows(horizon), f"Share distressed within {horizon.months} months")
    text.caption(
        "Of loan-months at each worst severity, those followed by distress; low is no signal. "
        "Without ST-1: the same by the worst severity of all other rules, for ST-1 reads the "
        "loan's status, which is nearly the outcome. Hatched bars stand on fewer than "
        f"{run.fewest_distressed} loans."
    )


def share_rows(horizon: Horizon) -> list[dict[str, str]]:
    """One row a severity, mildest first."""
    pairs = zip(horizon.shares, horizon.shares_without_status, strict=True)
    return [
        {
            "Severity": severity.label(one.severity),
            "Distressed": _share(one),
            "Without ST-1": _share(without),
            "Loan-months": count(one.loan_months),
            "Loans": count(one.loans),
            "Distressed loans": count(one.distressed_loans),
        }
        for one, without in pairs
    ]


def _share(one: SeverityShare) -> str:
    return share(one.distressed_loan_months, one.loan_months)


def distressed(run: TrackRecord) -> None:
    """Every loan that became distressed: those that nothing warned of, then the others."""
    missed = [one for one in run.distressed if one.missed]
    others = [one for one in run.distressed if not one.missed]
    with card(
        f"Missed: no signal, or moderate, in the filing before: {count(len(missed))}", level=2
    ):
        if missed:
            tables.plain(loan_rows(missed), "Loans that nothing warned of")
        else:
            states.nothing("No loan became distressed without an elevated signal or worse.")
    with card(f"Distressed after an elevated signal or worse: {count(len(others))}", level=2):
        if others:
            tables.plain(loan_rows(others), "Loans that became distressed after a signal")
        else:
            states.nothing("None.")
        exports.download(
            partial(export, run), len(run.distressed), "credit-atlas-track-record", live=True
        )


def loan_rows(loans: Sequence[DistressedLoan]) -> list[dict[str, str]]:
    """One row a loan: what happened when, and how it was graded before."""
    return [
        {
            "Loan": one.loan_number,
            "Property": one.property_name or MISSING,
            "Type": words(one.property_type),
            "First filed": day(one.as_of),
            "Distress": ", ".join(one.kinds),
            "Filing before": severity.label(one.severity_before),
            "Without ST-1": severity.label(one.severity_before_without_status),
            "12 months before": severity.label(one.severity_year_before),
        }
        for one in loans
    ]


def export(run: TrackRecord) -> exports.Export:
    """Every loan that became distressed."""
    names = [name for name in DistressedLoan.model_fields if name != "kinds"]
    kinds = dict.fromkeys((*names, "kinds"), str)
    rows = [
        {**one.model_dump(mode="json"), "kinds": "; ".join(one.kinds)} for one in run.distressed
    ]
    return exports.of_rows("track record", wording.headline(run), rows, kinds, of=_origin(run))


def _origin(run: TrackRecord) -> exports.Origin:
    return exports.Origin(
        max(one.last for one in run.trusts).isoformat(),
        "; ".join(one.trust for one in run.trusts),
        "derived",
    )


def definition() -> None:
    """What counts as distress, and which loans are looked at."""
    with st.expander("What counts as distress, and who is looked at", key="definition"):
        text.sentence("\n".join(f"{kind}: {by}." for kind, by in DEFINITION.items()))
        text.sentence(
            "A loan is looked at in each filing until it is first distressed, defeased in full or "
            "ended. Ended without a loss or defeased within the horizon counts as not distressed; "
            "a loan that leaves the filings otherwise is not counted from then on. Only filings "
            "whose whole horizon is filed count, whatever became of the loan."
        )
