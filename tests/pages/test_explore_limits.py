"""Limits of the rules as lines of a chart (D136)."""

from dataclasses import replace

import pytest

from components.explore.limits import in_words, limits
from services.contract.snapshot_info import RuleCard, RuleLimit
from services.importers import demo
from tests.publishing import load_once


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limits")
    load_once(folder, [demo.portfolio(loans=40)])
    return folder


def test_each_limit_is_a_line_by_its_figure_whatever_its_words():
    figures = {"moderate": 0.65, "severe": 10.0}
    card = RuleCard(
        id="LV-1", version=1, limits_version=1, title="", signal_type="", inputs=(),
        ladder=(("moderate", "over 1%"), ("elevated", "as said"), ("severe", "far too much")),
        limits=tuple(RuleLimit(severity=at, sign=">", figure=one) for at, one in figures.items()),
        remark="", clears_when="", source="",
    )  # fmt: skip
    lines, said = limits("ltv", [card])
    assert [(one.at, one.label, one.mark) for one in lines] == [
        (0.65, "LV-1 moderate: over 65.0%", "◔ >65.0%"),
        (10.0, "LV-1 severe: over 1,000.0%", "◆ >1,000.0%"),
    ]
    assert in_words("ltv", lines) == (
        "Limits of LTV: LV-1 moderate: over 65.0%; LV-1 severe: over 1,000.0%."
    )
    assert in_words("ltv", []) == ""
    assert said == ""
    assert limits("book_value", [card]) == ([], "")


@pytest.mark.parametrize(
    ("figure", "kind", "expected", "beside"),
    [
        ("dscr", None, ["CV-1 moderate: under 1.25x", "CV-1 elevated: under 1.10x",
                        "CV-1 severe, critical: under 1.00x"], "choose one type"),
        ("dscr", "lodging", ["CV-1 moderate: under 1.25x", "CV-1 elevated: under 1.20x",
                                "CV-1 severe, critical: under 1.00x"], ""),
        ("debt_yield", None, [], "choose one type"),
        ("debt_yield", "multifamily", ["DY-1 moderate: at or under 7.00%",
                                          "DY-1 elevated: at or under 5.00%"], ""),
        ("occupancy", None, ["OC-1 moderate: under 80.0%", "OC-1 elevated: under 60.0%"],
         "points lost since underwriting"),
        ("noi_change", None, ["NI-1 moderate: at or under −10.0%",
                              "NI-1 elevated: at or under −20.0%",
                              "NI-1 severe: at or under −40.0%"], ""),
        ("refinance_gap", None, ["RG-1 moderate: at or over 10.0%",
                                 "RG-1 elevated, severe, critical: at or over 25.0%"], ""),
        ("months_to_maturity", None, ["MT-1 moderate: at or under 12.0 months",
                                      "MT-1 severe: under 0.0 months"], ""),
    ],
)  # fmt: skip
def test_the_limits_in_force_are_lines_that_name_the_region_beside_them(
    source, figure, kind, expected, beside
):
    """Typed by hand from limits.toml and spreads.toml."""
    lines, said = limits(figure, source.rules(), kind, kind and source.terms(kind))
    assert [one.label for one in lines] == expected
    assert beside in said
    assert bool(beside) == bool(said)


@pytest.mark.parametrize(
    ("figure", "kind", "marks"),
    [
        ("dscr", None, ["◔ <1.25x", "▲ <1.10x", "◆⬢ <1.00x"]),
        ("debt_yield", "multifamily", ["◔ ≤7.00%", "▲ ≤5.00%"]),
        ("noi_change", None, ["◔ ≤−10.0%", "▲ ≤−20.0%", "◆ ≤−40.0%"]),
        ("refinance_gap", None, ["◔ ≥10.0%", "▲◆⬢ ≥25.0%"]),
    ],
)
def test_a_line_bears_its_severities_and_its_side(source, figure, kind, marks):
    lines, _ = limits(figure, source.rules(), kind, kind and source.terms(kind))
    assert [one.mark for one in lines] == marks


def test_a_minimum_is_that_of_the_spreads_which_scored_the_snapshot(source):
    own = replace(source.terms("office"), min_debt_yield_pct=9.5)
    lines, _ = limits("debt_yield", source.rules(), "office", own)
    assert [one.at for one in lines] == [8.5, 6.5]
