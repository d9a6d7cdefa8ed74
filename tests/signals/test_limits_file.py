"""Every number of limits.toml, typed by hand: none moves without a test that says so (D145)."""

import tomllib
from importlib.resources import files

from services.contract.schedule_al import MODIFICATIONS, PAYMENT_STATUSES, WORKOUTS
from services.signals.limits import Limits
from services.signals.servicing import CHANGES

PINNED = {
    "version": 4,
    "part_year": {"elevated": 6, "severe": 12},
    "ST-1": {
        "unit": "code",
        "moderate": ">= 1",
        "elevated": ">= 2",
        "severe": ">= 3",
        "critical": ">= 4",
        "payment_status": {
            "0": "low",
            "A": "low",
            "B": "moderate",
            "1": "elevated",
            "2": "severe",
            "4": "severe",
            "3": "critical",
            "5": "critical",
        },
        "workout": {
            "1": "severe",
            "3": "severe",
            "4": "severe",
            "5": "severe",
            "6": "severe",
            "9": "severe",
            "13": "severe",
            "2": "critical",
            "7": "critical",
            "10": "critical",
        },
        "modification": {"recent": "severe", "before": "moderate"},
        "special_servicing": {"transferred": "severe"},
    },
    "CV-1": {
        "unit": "x",
        "moderate": "< 1.25",
        "elevated": "< 1.10",
        "severe": "< 1.00",
        "critical": "< 1.00",
        "types": {"lodging": {"elevated": "< 1.20"}, "health care": {"elevated": "< 1.20"}},
        "critical_only": {"months_to_maturity": 24, "debt_yield_short": 3.0},
    },
    "LV-1": {
        "unit": "fraction",
        "moderate": "> 0.70",
        "elevated": "> 0.80",
        "severe": "> 1.00",
    },
    "DY-1": {
        "unit": "percent",
        "relative_to": "min_debt_yield",
        "moderate": "<= -1",
        "elevated": "<= -3",
    },
    "NI-1": {
        "unit": "fraction",
        "moderate": ">= 0.10",
        "elevated": ">= 0.20",
        "severe": ">= 0.40",
    },
    "UW-1": {"unit": "fraction", "moderate": ">= 0.10", "elevated": ">= 0.25"},
    "OC-1": {
        "unit": "points",
        "moderate": ">= 0.15",
        "elevated": ">= 0.30",
        "levels": {"moderate": 0.80, "elevated": 0.60},
    },
    "LR-1": {"unit": "fraction", "moderate": ">= 0.30", "elevated": ">= 0.50"},
    "RG-1": {
        "unit": "fraction",
        "moderate": ">= 0.10",
        "elevated": ">= 0.25",
        "severe": ">= 0.25",
        "critical": ">= 0.25",
        "window": {"all": 36, "severe": 12, "critical": 6, "critical_gap": 0.40},
    },
    "MT-1": {"unit": "months", "moderate": "<= 12", "severe": "< 0"},
    "RP-1": {
        "unit": "bp",
        "moderate": ">= 100",
        "elevated": ">= 200",
        "severe": ">= 300",
        "urgency": {"full_to_months": 24, "one_step_to_months": 36, "two_steps_to_months": 60},
        "evidence": {"steps_at_minimum": 2, "step_up_under": 1.00},
    },
    "CN-1": {"unit": "fraction", "moderate": ">= 0.05"},
    "CT-1": {"unit": "code", "moderate": ">= 1", "elevated": ">= 2", "severe": ">= 3"},
}


def test_every_limit_is_the_one_that_is_written_here():
    text = files("services.signals").joinpath("limits.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text) == PINNED


def test_every_code_that_the_limits_name_is_one_of_schedule_al():
    limits = Limits.packaged()
    assert set(limits.payment_ranks) == set(PAYMENT_STATUSES)
    assert set(limits.workout_ranks) <= set(WORKOUTS)
    assert set(limits.modification_ranks) == {"recent", "before"}
    assert set(MODIFICATIONS) - CHANGES == {"98"}
