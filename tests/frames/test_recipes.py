"""The notebook runs from top to bottom, and its key figures are those of the pages (D130)."""

import ast
import json
import math
import tomllib
from pathlib import Path

import pandas as pd
import pytest

from services.contract.families import FamilyFilter
from services.contract.loan_filter import LoanFilter
from services.contract.paging import every
from services.contract.properties import PropertyFilter
from services.contract.queries import PathQuery
from services.contract.scenario import Scenario
from services.importers import demo
from services.places import gazetteer
from services.settings import load as settings
from services.sources import open_workspace
from tests.publishing import load_once

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "services/frames/recipes.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recipes")
    load_once(folder, [demo.portfolio(loans=600)])
    return folder


@pytest.fixture(scope="module")
def namespace(folder):
    """What the cells have made, run in order as a notebook runs them."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CREDIT_ATLAS_STORE", str(folder))
        for at, cell in enumerate(CELLS):
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"cell {at}", "exec"), found)  # noqa: S102
    return found


@pytest.fixture(scope="module")
def page(folder):
    """The waist over the same store."""
    workspace = open_workspace(settings(store=folder))
    with workspace.lease() as held:
        yield held.analytics
    workspace.close()


def test_the_notebook_holds_its_recipes_with_their_outputs():
    heads = [one["source"][0] for one in CELLS if one["source"][0].startswith("## ")]
    assert [int(head[3:].split(".")[0]) for head in heads] == list(range(1, 12))
    code = [one for one in CELLS if one["cell_type"] == "code"]
    # The last one closes the atlas.
    assert all(one["outputs"] for one in code[:-1])
    assert outputs(code[0]) == ("Atlas('.store',5,000loansasof2026-09-30)", "")


@pytest.mark.long
def test_its_outputs_are_of_what_the_command_demo_makes(tmp_path, monkeypatch):
    """Where this fails after a change of the rules, run the notebook again (its README)."""
    load_once(tmp_path / ".store", [demo.portfolio()])
    monkeypatch.chdir(tmp_path)
    found = {}
    for cell in CELLS:
        if cell["cell_type"] == "code" and cell["outputs"]:
            *first, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(first, []), "cell", "exec"), found)  # noqa: S102
            with pd.option_context("display.max_columns", 20):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), found)  # noqa: S307
                assert outputs(cell) == shown(value)


def outputs(cell):
    """The words of its last line without white space, or its table."""
    data = cell["outputs"][0]["data"]
    table = "".join(data.get("text/html", ()))
    return "" if table else "".join("".join(data["text/plain"]).split()), table


def shown(value):
    if hasattr(value, "_repr_html_"):
        return "", value._repr_html_()
    return "".join(repr(value).split()), ""


def test_the_readme_lists_its_recipes():
    readme = (NOTEBOOK.parent / "README.md").read_text(encoding="utf-8")
    for cell in CELLS:
        head = cell["source"][0]
        if head.startswith("## "):
            assert f"| {head[3:].split('.', 1)[1].strip()} |" in readme, head


def test_it_is_shipped():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "**/*.ipynb" in project["tool"]["setuptools"]["package-data"]["services"]


def test_the_book_is_the_overview_s(namespace, page):
    loans, book = namespace["loans"], page.totals().book
    assert (len(loans), loans["book_value"].sum()) == (book.loans, book.book_value)


def test_the_maturity_wall_is_the_overview_s(namespace, page):
    sums = {}
    for one in page.maturity_wall():
        ends = one.quarter, one.rate_pressure
        sums[ends] = sums.get(ends, 0) + one.book_value
    wall = namespace["wall"]
    pressure = wall["rate_pressure"].astype(object).where(wall["rate_pressure"].notna(), None)
    days = [one.start_time.date() for one in wall["quarter"]]
    assert dict(zip(zip(days, pressure, strict=True), wall["book_value"], strict=True)) == sums


def test_the_gap_by_type_is_the_ranking_of_loans(namespace, page):
    ranked = page.loan_ranking(LoanFilter(), "property_type", 100).groups
    by_type = namespace["by_type"]
    assert len(by_type) == len(ranked)
    for one in ranked:
        row = by_type.loc[one.word]
        assert (row["loans"], row["book_value"]) == (one.loans, one.book_value)
        assert row["dollars_short"] == one.dollars_short


def test_the_worst_sponsors_are_those_of_the_page(namespace, page):
    found = page.families(FamilyFilter(order="-dollars_short", per_page=10)).items
    head = namespace["sponsors"].head(10)
    assert head["entity_name"].tolist() == [one.entity_name for one in found]
    assert head["dollars_short"].tolist() == [one.dollars_short for one in found]


def test_vintages_hold_the_loans_of_the_ranking(namespace, page):
    ranked = page.loan_ranking(LoanFilter(), "vintage", 100).groups
    dscr = namespace["dscr"]
    expected = {int(one.word): one.loans for one in ranked if one.word}
    assert dscr["size"].to_dict() == expected
    assert (dscr["count"] <= dscr["size"]).all()


def test_the_chain_and_the_graph_are_the_loan_s(namespace, page):
    number = namespace["largest"]
    query = LoanFilter(confidence_tier=("confirmed",), order="-book_value", per_page=1)
    assert page.loans_found(query, ()).items[0].loan_number == number
    chain = page.ownership(number).chain
    assert namespace["chain"]["entity_name"].tolist() == [one.entity_name for one in chain]
    _, paths = page.paths(PathQuery(loan_number=number, depth=3))
    ends = {
        end for path in paths.items for edge in path.edges for end in (edge.source, edge.target)
    }
    assert ends <= set(namespace["graph"])
    assert len(namespace["central"]) == len(namespace["graph"])


def test_the_scenario_is_that_of_what_if(namespace, page):
    found = page.what_if(LoanFilter(), Scenario.of(rates=100))
    assert namespace["worse"]["loans"].sum() == found.worse.loans
    assert namespace["moves"]["loans"].sum() == found.loans
    totals = namespace["totals"]
    assert totals["short_after"]["dollars"] == found.short_after.dollars


def test_concentration_is_the_ranking_s(namespace, page):
    ranked = page.loan_ranking(LoanFilter(), "lender", 1)
    assert namespace["hhi"] == pytest.approx(ranked.hhi)
    assert 10_000 / namespace["hhi"] == pytest.approx(ranked.effective)


def test_a_file_keeps_rows_and_what_is_said_of_them(namespace):
    severe, again = namespace["severe"], namespace["again"]
    assert again.attrs == severe.attrs
    assert again["loan_number"].tolist() == severe["loan_number"].tolist()
    assert again["dollars_short"].dtype == severe["dollars_short"].dtype == "Int64"


def test_a_tape_of_one_s_own_finds_its_loans(namespace):
    assert sorted(namespace["ours"]["loan_number"]) == sorted(namespace["tape"]["loan_number"][:3])


def test_dollars_around_the_storm_are_a_count_one_by_one(namespace, page):
    found = list(every(page.properties_found, PropertyFilter()))
    where = {
        "zip": lambda one: gazetteer.zip_code(one.zip, one.state),
        "city": lambda one: gazetteer.city(one.city, one.state),
    }
    near = [
        one
        for one in found
        if one.position in where and miles(*where[one.position](one), 29.76, -95.37) <= 100
    ]
    frame = namespace["near"]
    assert 0 < len(frame) == len(near) < len(found)
    assert frame["dollars"].sum() == sum(one.dollars for one in near)
    bad = sum(one.dollars for one in near if one.worst in {"severe", "critical"})
    assert namespace["bad"].sum() == bad > 0


def miles(latitude, longitude, other_latitude, other_longitude):
    """By the cosine rule on a sphere, where the recipe takes half chords."""
    north, other = math.radians(latitude), math.radians(other_latitude)
    turn = math.radians(longitude - other_longitude)
    cosine = math.sin(north) * math.sin(other) + math.cos(north) * math.cos(other) * math.cos(turn)
    return 3_959 * math.acos(min(1.0, cosine))
