"""What a run says in sentences, and on a terminal."""

import io
from itertools import pairwise

import pytest
from rich.console import Console

from services.contract import track_record_wording as wording
from services.contract.snapshot_info import TableUsed
from services.signals.assumptions import Assumptions
from services.track_record import in_force, printed
from services.track_record.history import Filing
from services.track_record.run import record
from tests.track_record.planted import TODAY


def test_the_first_sentence_says_how_few_events_there_are_and_where_they_lie(run):
    assert wording.headline(run) == (
        "Few events: 6 of 13 loans became distressed, 4 of them multifamily in 2022."
    )


def test_thirty_events_are_no_longer_called_few(run):
    many = run.model_copy(update={"distressed": run.distressed * 5, "loans": 100})
    assert wording.headline(many).startswith("30 of 99 loans became distressed, 20 of them")


def test_a_history_without_distress_says_so(run):
    calm = run.model_copy(update={"distressed": ()})
    assert wording.headline(calm) == (
        "No distress to learn from: none of 13 loans became distressed."
    )


def test_misses_are_counted_in_the_filing_before_without_status_and_a_year_before(run):
    assert wording.warned(run) == (
        "Without a signal, or with a moderate one at most: in the filing before distress 3 of 6; "
        "without ST-1, which reads the loan's status, 3 of 6; twelve months before 3 of 5."
    )


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.51, 0.9, "better than chance"),
        (0.50, 0.9, "not distinguishable from chance"),
        (0.2, 0.50, "not distinguishable from chance"),
        (0.2, 0.49, "worse than chance"),
    ],
)
def test_an_interval_says_what_it_shows_of_chance(run, low, high, said):
    twelve = run.horizons[0]
    first = twelve.discriminations[0].model_copy(update={"auc": 0.5, "low": low, "high": high})
    changed = run.model_copy(
        update={"horizons": (twelve.model_copy(update={"discriminations": (first,)}),)}
    )
    assert wording.verdict(changed) == (
        f"AUC of worst severity for first distress: within 12 months 0.50 ({low:.2f} to "
        f"{high:.2f}), {said}. A coin has 0.50."
    )


def test_too_few_events_give_no_figure(scored):
    few = [Filing(one.trust, one.as_of, one.loans[:3]) for one in scored]
    found = record(few, Assumptions.packaged(), TODAY)
    assert wording.verdict(found) == (
        "AUC of worst severity for first distress: within 12 months not enough events (3); within "
        "24 months not enough events (3). A coin has 0.50."
    )


def test_how_the_others_ended_adds_up(run):
    assert wording.endings(run) == (
        "Distressed in the first filing and never observed: 1. Without distress: 1 paid off, 1 "
        "defeased, 1 no longer filed, 4 to the end. Modified as “other” alone, which is not "
        "counted as distress: 1."
    )
    assert run.loans == 1 + 6 + 1 + 1 + 1 + 4


def test_differences_name_each_rule_and_table_that_is_another_now(run):
    rules, tables = in_force.packaged()
    assert wording.differences(run, rules, tables) == []
    newer = rules[0].model_copy(update={"version": 9})
    other = rules[2].model_copy(update={"id": "XX-1"})
    own = TableUsed(table="limits", origin="house.toml", version=4)
    found = wording.differences(run, (newer, rules[1], other, *rules[3:]), (own, *tables[1:]))
    assert found == [
        "limits are house.toml, version 4, then packaged, version 4",
        "rule LV-1 is there no more",
        "rule ST-1 is of version 9, then 3",
        "rule XX-1 was not there",
    ]


def test_a_terminal_shows_what_is_weakest_first(run):
    out = io.StringIO()
    printed.show(run, Console(file=out, width=140))
    lines = out.getvalue().splitlines()
    assert lines[0] == wording.headline(run)
    places = [
        out.getvalue().index(said)
        for said in ("Few events", "First distress within 12", "Misses", "Distress, REO")
    ]
    assert all(one < other for one, other in pairwise(places))
    missed, warned = out.getvalue().split("Misses: ")[1].split("Distressed loans that had")
    for one in run.distressed:
        assert (one.property_name in missed, one.property_name in warned) == (
            one.missed,
            not one.missed,
        )


def test_a_property_cannot_write_to_the_terminal(run):
    named = run.distressed[0].model_copy(update={"property_name": "\x1b[2J[red]Elm[/red]"})
    out = io.StringIO()
    printed.show(run.model_copy(update={"distressed": (named,)}), Console(file=out, width=200))
    assert "�[2J[red]Elm[/red]" in out.getvalue()
