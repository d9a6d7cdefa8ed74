"""The run that ships with the program is of the rules in force, and the README says its figures.
Pins D288.
"""

from pathlib import Path

import pytest

from services.contract import track_record_wording as wording
from services.signals.assumptions import Assumptions
from services.track_record import in_force
from services.track_record.run import FILE_FORMAT, track_record
from services.track_record.saved import packaged_run
from tests.genuine import SEVEN_YEARS

ROOT = Path(__file__).parents[2]
README = ROOT / "services/track_record/README.md"
RUN = packaged_run()


def test_a_changed_rule_limit_or_spread_asks_for_another_run():
    rules, tables = in_force.packaged()
    assert (RUN.rules, RUN.rests_on) == (rules, tables)
    assert RUN.file_format == FILE_FORMAT


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
def test_the_genuine_filings_give_the_figures_that_ship():
    again = track_record(SEVEN_YEARS, Assumptions.packaged(), RUN.ran_on)
    assert again.model_dump() == RUN.model_dump()


def text():
    return " ".join(README.read_text(encoding="utf-8").split())


def test_the_readme_begins_its_figures_with_how_few_events_there_are():
    for said in (wording.headline(RUN), wording.verdict(RUN), wording.warned(RUN)):
        assert said in text(), said


def test_the_front_page_does_not_claim_more_than_the_run_shows():
    front = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "does not show that the rules foresee distress: 9 loans became distressed, 5" in front
    assert "of ten AUCs nine intervals hold 0.50 while one begins at 0.503" in front
    hotels = [one for one in RUN.distressed if one.property_type == "lodging"]
    assert (len(RUN.distressed), len(hotels)) == (9, 6)
    assert sorted(one.as_of.year for one in hotels) == [2020] * 5 + [2023]
    ranked = [one for horizon in RUN.horizons for one in horizon.discriminations]
    assert [one.low for one in ranked if not one.low <= 0.5 <= one.high] == [0.503]
    assert len(ranked) == 10


@pytest.mark.parametrize("horizon", RUN.horizons, ids=lambda one: f"{one.months} months")
def test_the_readme_holds_every_auc_and_share(horizon):
    for one in horizon.discriminations:
        row = (
            f"{wording.predictor(one.predictor)} | {wording.auc(one)} | {one.loan_months:,} | "
            f"{one.distressed_loans} of {one.loans} |"
        )
        assert row in text(), row
    for one in horizon.shares:
        row = f"{one.distressed_loan_months} of {one.loan_months} ({one.loans} loan"
        assert row in text(), row


def test_no_figure_of_a_loan_ships_beyond_what_its_filing_says_of_it_in_public():
    assert set(RUN.model_dump()["distressed"][0]) == {
        *("trust", "loan_number", "property_name", "property_type", "as_of", "kinds", "before"),
        *("severity_before", "severity_before_without_status", "severity_year_before"),
    }
