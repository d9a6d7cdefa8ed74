"""What a track record says in sentences; the weakest point first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from services.contract.facts import FACT
from services.contract.snapshot_info import TableUsed
from services.contract.track_record import Discrimination, RuleUsed, TrackRecord

#: Under so many distressed loans a run says of itself that they are few.
_FEW: Final = 30
#: AUC of a coin.
_CHANCE: Final = 0.5
_SEVERITIES: Final[Mapping[str, str]] = {
    "severity": "Worst severity",
    "severity_without_status": "Worst severity without ST-1",
}


def headline(run: TrackRecord) -> str:
    """How much distress there is to learn from, and where it lies."""
    found, watched = run.distressed, run.loans - run.distressed_at_first
    if not found:
        return f"No distress to learn from: none of {watched:,} loans became distressed."
    pairs = Counter((one.property_type or "of no stated type", one.as_of.year) for one in found)
    (kind, year), times = pairs.most_common(1)[0]
    lead = "Few events: " if len(found) < _FEW else ""
    return (
        f"{lead}{len(found):,} of {watched:,} loans became distressed, {times:,} of them {kind} "
        f"in {year}."
    )


def extent(run: TrackRecord) -> str:
    """Which filings a run looked at."""
    listed = "; ".join(
        f"{one.trust}, {one.filings:,} filings from {one.first:%b %Y} to {one.last:%b %Y}"
        + (f", {one.months_missing:,} months missing" if one.months_missing else "")
        for one in run.trusts
    )
    return (
        f"{listed}: {run.loans:,} loans, {run.loan_months:,} loan-months, of which "
        f"{run.observed_loan_months:,} observed."
    )


def endings(run: TrackRecord) -> str:
    """What became of the loans without distress, and who was never looked at."""
    stayed = (
        run.loans - run.distressed_at_first - len(run.distressed)
        - run.paid_off - run.ended_otherwise - run.defeased - run.lost
    )  # fmt: skip
    otherwise = f"{run.ended_otherwise:,} ended otherwise, " if run.ended_otherwise else ""
    return (
        f"Distressed in the first filing and never observed: {run.distressed_at_first:,}. Without "
        f"distress: {run.paid_off:,} paid off, {otherwise}{run.defeased:,} defeased, "
        f"{run.lost:,} no longer filed, {stayed:,} to the end. Modified as “other” alone, which "
        f"is not counted as distress: {run.modified_otherwise:,}."
    )


def verdict(run: TrackRecord) -> str:
    """Whether worst severity ranked distress better than chance."""
    parts = []
    for horizon in run.horizons:
        one = next(one for one in horizon.discriminations if one.predictor == "severity")
        parts.append(f"within {horizon.months} months {auc(one)}{_against_chance(one)}")
    return f"AUC of worst severity for first distress: {'; '.join(parts)}. A coin has 0.50."


def warned(run: TrackRecord) -> str:
    """How many of the distressed loans had no warning beforehand."""
    found = run.distressed
    dated = [one for one in found if one.severity_year_before is not None]
    missed = sum(one.missed for one in found)
    return (
        f"Without a signal, or with a moderate one at most: in the filing before distress "
        f"{missed:,} of {len(found):,}; without ST-1, which reads the loan's status, "
        f"{sum(one.missed_without_status for one in found):,} of {len(found):,}; twelve months "
        f"before {sum(one.missed_year_before for one in dated):,} of {len(dated):,}."
    )


def auc(one: Discrimination) -> str:
    """0.57 (0.43 to 0.73); or that too few loans became distressed."""
    if one.auc is None or one.low is None or one.high is None:
        return f"not enough events ({one.distressed_loans:,})"
    return f"{one.auc:.2f} ({one.low:.2f} to {one.high:.2f})"


def _against_chance(one: Discrimination) -> str:
    if one.low is None or one.high is None:
        return ""
    if one.low > _CHANCE:
        return ", better than chance"
    return ", worse than chance" if one.high < _CHANCE else ", not distinguishable from chance"


def predictor(name: str) -> str:
    """What a predictor is called."""
    return _SEVERITIES.get(name) or FACT[name].label


def counts(run: TrackRecord) -> list[tuple[str, str]]:
    """(property type, month and kinds) of distress as counts: what, and how often."""
    types = Counter(one.property_type or "not stated" for one in run.distressed)
    kinds = Counter(kind for one in run.distressed for kind in one.kinds)
    months = Counter(f"{one.as_of:%b %Y}" for one in run.distressed)
    return [
        ("By property type", _listed(types.most_common())),
        ("By kind, when first filed", _listed(kinds.most_common())),
        ("By month", _listed(months.items())),
    ]


def basis(rules: Iterable[RuleUsed], rests_on: Sequence[TableUsed]) -> str:
    """By which rules and tables: "12 rules; limits packaged, version 2; ..."."""
    tables = "; ".join(f"{one.table} {one.source}" for one in rests_on)
    return f"{len(tuple(rules))} rules; {tables}"


def differences(
    run: TrackRecord, rules: Sequence[RuleUsed], rests_on: Sequence[TableUsed]
) -> list[str]:
    """How the rules and tables in force differ from those of the run, each as a phrase."""
    then, now = ({one.id: one for one in listed} for listed in (run.rules, rules))
    found = [
        f"rule {name} is of version {now[name].version}, then {then[name].version}"
        for name in then.keys() & now.keys()
        if then[name].version != now[name].version
    ]
    found += [f"rule {name} was not there" for name in now.keys() - then.keys()]
    found += [f"rule {name} is there no more" for name in then.keys() - now.keys()]
    used = {one.table: one.source for one in run.rests_on}
    found += [
        f"{one.table} are {one.source}, then {used.get(one.table, 'none')}"
        for one in rests_on
        if used.get(one.table) != one.source
    ]
    return sorted(found)


def _listed(counted: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{word} {times:,}" for word, times in counted)
