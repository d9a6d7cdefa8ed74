"""A track record on a terminal."""

from rich.console import Console
from rich.table import Table

from services.contract import track_record_wording as wording
from services.contract.track_record import DEFINITION, DistressedLoan, Horizon, TrackRecord


def show(run: TrackRecord, console: Console) -> None:
    """Prints a run, what is weakest about it first."""

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    say(wording.headline(run))
    say(wording.verdict(run))
    say(wording.warned(run))
    say(wording.extent(run))
    say(wording.endings(run))
    for name, listed in wording.counts(run):
        say(f"{name}: {listed or 'none'}.")
    for horizon in run.horizons:
        console.print(_ranked(horizon))
        console.print(_shares(horizon))
    console.print(_loans("Misses: no signal, or moderate, in the filing before", run, missed=True))
    console.print(_loans("Distressed loans that had a worse signal", run, missed=False))
    for kind, shown_by in DEFINITION.items():
        say(f"Distress, {kind}: {shown_by}.")
    say(f"Graded by {wording.basis(run.rules, run.rests_on)}.")


def _ranked(horizon: Horizon) -> Table:
    title = f"First distress within {horizon.months} months"
    table = Table("Predictor", "AUC (95 %)", "Loan-months", "Loans", "Distressed", title=title)
    for one in horizon.discriminations:
        table.add_row(
            wording.predictor(one.predictor),
            wording.auc(one),
            f"{one.loan_months:,}",
            f"{one.loans:,}",
            f"{one.distressed_loans:,}",
        )
    return table


def _shares(horizon: Horizon) -> Table:
    title = f"Share distressed within {horizon.months} months, by worst severity"
    table = Table("Severity", "Share", "Loan-months", "Loans", "Distressed loans", title=title)
    for one in horizon.shares:
        share = f"{one.distressed_loan_months / one.loan_months:.1%}" if one.loan_months else "-"
        table.add_row(
            one.severity,
            share,
            f"{one.loan_months:,}",
            f"{one.loans:,}",
            f"{one.distressed_loans:,}",
        )
    return table


def _loans(title: str, run: TrackRecord, *, missed: bool) -> Table:
    table = Table("Loan", "Property", "Distressed", "What", "Before", "Without ST-1", title=title)
    for one in run.distressed:
        if one.missed == missed:
            table.add_row(*map(_plain, _row(one)))
    return table


def _row(one: DistressedLoan) -> tuple[str, ...]:
    return (
        one.loan_number,
        f"{one.property_name or '-'} ({one.property_type or '-'})",
        f"{one.as_of:%b %Y}",
        ", ".join(one.kinds),
        one.severity_before,
        one.severity_before_without_status,
    )


def _plain(text: str) -> str:
    """A filing's words, without what a terminal would obey or rich would read as markup."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return shown.replace("[", "\\[")
