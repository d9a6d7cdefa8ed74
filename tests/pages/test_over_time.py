"""Trends on Overview and the map of Signals month by month (D176 to D178): every figure on screen
against a plain count of the periods' rows.
"""

import json
from collections import Counter
from datetime import date

import pytest

from components.kit.formatting import count, money, multiple, percent, share
from components.overview import trend_lines
from services.contract.distributions import FEW
from services.contract.history import TrendPoint
from services.store.source import StoreSource
from tests import oracle_trends
from tests.book_by_month import filled, harbour
from tests.pages.ledger_reading import ledgers
from tests.pages.screen import components, headings, said, sent_to, tables, tell
from tests.publishing import load_once
from tests.world import RATES

OVERVIEW, SIGNALS = "pages/overview.py", "pages/signals.py"
SIZES = {"A": 9, "B": 10, "C": 11, "D": 12, "E": 13, "F": 14, "G": 15, "H": 16, "I": 1}
ROLLS = "Roll rates from one filing to the next"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return filled(tmp_path_factory.mktemp("over_time") / "store")


@pytest.fixture(scope="module")
def months(found):
    return oracle_trends.monthly(found)


@pytest.fixture(scope="module")
def one_month(tmp_path_factory):
    """A store of two filings, both of March."""
    folder = tmp_path_factory.mktemp("over_time") / "march"
    load_once(folder, [harbour(date(2024, 3, 8)), harbour(date(2024, 3, 29))], rates=RATES)
    return folder


@pytest.fixture
def opened(folder, visit):
    def run(page, **params):
        app = visit(page, folder, params)
        assert not app.exception
        return app

    return run


def charts(app):
    """Name of a trace -> its values by month, chart by chart."""
    specs = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    return [
        {
            trace["name"]: dict(zip([x[:7] for x in trace["x"]], trace["y"], strict=True))
            for trace in spec["data"]
        }
        for spec in specs
    ]


def test_while_the_panel_is_closed_nothing_is_asked_and_nothing_is_drawn(opened, monkeypatch):
    monkeypatch.setattr(StoreSource, "trends", lambda *_: pytest.fail("asked"))
    app = opened(OVERVIEW)
    assert "Month by month" in [one.label for one in app.expander]
    assert not app.get("plotly_chart")
    assert ROLLS not in tables(app)


def test_without_two_months_there_is_no_panel_and_no_slider(one_month, visit):
    app = visit(OVERVIEW, one_month, {"trends": "yes"})
    assert not app.exception
    assert not [one for one in headings(app, 2) if one.startswith("Trends")]
    app = visit(SIGNALS, one_month)
    assert sent(app)["months"] is None
    assert "Over time" not in ledgers(app)["Signals by state"][0]


@pytest.mark.parametrize("unit", ["loans", "dollars"])
def test_all_loans_are_four_charts_of_what_their_rows_count(opened, months, unit):
    late, mix, dscr, occupancy = charts(opened(OVERVIEW, trends="yes", unit=unit))
    field = {"loans": "loans", "dollars": "balance"}[unit]
    names = {
        "30+ days delinquent": "delinquent",
        "60+ days delinquent": "late_60",
        "90+ days delinquent": "late_90",
        "In special servicing": "special",
    }
    assert set(late) == set(names)
    words = {"⬢ critical": "critical", "◆ severe": "severe", "▲ elevated": "elevated",
             "◔ moderate": "moderate", "no signal": "none", "defeased": "defeased"}  # fmt: skip
    assert list(mix) == list(words)
    for month, rows in months.items():
        true, at = oracle_trends.point(rows), f"{month:%Y-%m}"
        for name, part in names.items():
            expected = 100 * true[f"{part}_{field}"] / true[field]
            assert late[name][at] == pytest.approx(expected)
        for name, word in words.items():
            expected = 100 * true[f"severity_{field}"][word] / true[field]
            assert mix[name][at] == pytest.approx(expected)
        assert sum(mix[name][at] for name in words) == pytest.approx(100)
        assert dscr["All loans"][at] == pytest.approx(true["dscr"])
        assert occupancy["All loans"][at] == pytest.approx(100 * true["occupancy"])
    assert len(late["30+ days delinquent"]) == len(months) == 3


def test_groups_of_few_loans_are_not_drawn_but_said_and_counted(opened, months):
    app = opened(OVERVIEW, trends="yes", by="property_type", late="60", unit="loans")
    late, severe, special, *_ = charts(app)
    few = Counter()
    for month, rows in months.items():
        for word in ("office", "retail", "lodging", None):
            there = [row for row in rows if row["property_type"] == word]
            true, name = oracle_trends.point(there), (word or "not known").capitalize()
            drawn = true["loans"] >= FEW
            few[name] += not drawn
            for chart, part in ((late, "late_60"), (special, "special")):
                at = chart[name][f"{month:%Y-%m}"]
                expected = 100 * true[f"{part}_loans"] / true["loans"]
                assert at == (pytest.approx(expected) if drawn else None)
            bad = sum(true["severity_loans"][one] for one in ("severe", "critical"))
            if drawn:
                assert severe[name][f"{month:%Y-%m}"] == pytest.approx(100 * bad / true["loans"])
    assert 0 < sum(few.values()) < 12
    (words,) = [one for one in said(app).splitlines() if one.startswith("Months of under")]
    for name, number in few.items():
        assert (f"{name} ({number})" in words) == (number > 0)


def test_a_group_that_never_has_ten_loans_is_in_the_table_alone(opened):
    app = opened(OVERVIEW, trends="yes", by="vintage")
    assert {name for chart in charts(app) for name in chart} == {"2015", "2019", "Not known"}
    month = date(2024, 3, 1)
    points = [
        TrendPoint.model_construct(month=month, word=word, loans=n) for word, n in SIZES.items()
    ]
    groups = trend_lines.grouped(points, "vintage")
    assert list(groups) == ["H", "G", "F", "E", "D", "C", "B", "A", "I"]
    assert list(trend_lines.drawn(groups)) == ["H", "G", "F", "E", "D", "C"]


def test_the_table_is_the_charts_twin_with_the_counts_of_few_loans(opened, months):
    app = opened(OVERVIEW, trends="yes", by="property_type", form="table", unit="loans")
    assert not app.get("plotly_chart")
    rows = tables(app)["Trends by month"]
    assert len(rows) == sum(
        len({row["property_type"] for row in oracle_trends.owing(one)}) for one in months.values()
    )
    assert rows[0]["Month"] == "Apr 2024"
    seen = set()
    for row in rows:
        month = next(one for one in months if f"{one:%b %Y}" == row["Month"])
        kind = row["Property type"].lower()
        there = [one for one in months[month] if (one["property_type"] or "not known") == kind]
        true = oracle_trends.point(there)
        loans = true["loans"]
        assert (row["Loans"], row["Balance"]) == (count(loans), money(true["balance"]))
        late = true["late_90_loans"]
        few = loans < FEW
        seen.add(few)
        assert row["90+ days delinquent"] == (f"{late} of {loans}" if few else share(late, loans))
        critical = true["severity_loans"]["critical"]
        assert row["⬢ critical"] == (f"{critical} of {loans}" if few else share(critical, loans))
        if true["dscr_loans"]:
            assert row["DSCR"] == f"{multiple(true['dscr'])} ({true['dscr_loans']})"
    assert seen == {False, True}


@pytest.mark.parametrize(("window", "first"), [("all", date(2024, 1, 1)), ("3", date(2024, 2, 1))])
def test_roll_rates_are_what_became_of_the_loans_of_each_stage(opened, found, window, first):
    app = opened(OVERVIEW, trends="yes", form="table", unit="loans", window=window)
    true = {key: sums for key, sums in oracle_trends.rolls(found).items() if key[0] >= first}
    labels = {"90 days": "90+ days"}
    few = set()
    for row in tables(app)[ROLLS]:
        before = next(
            one for _, one, _ in true if labels.get(one, one).lower() == row["From"].lower()
        )
        whole = sum(sums["loans"] for key, sums in true.items() if key[1] == before)
        assert row["Loan-months"] == count(whole)
        for after in ("current", "30 days", "60 days", "90 days", "default", "ended"):
            label = labels.get(after, after)
            went = sum(sums["loans"] for key, sums in true.items() if key[1:] == (before, after))
            cell = row[label[:1].upper() + label[1:]]
            few.add(whole < FEW)
            wrote = f"{went} of {whole}" if whole < FEW else f"{share(went, whole)} ({went})"
            assert cell == (wrote if went else "—")
        special = sum(sums["special_loans"] for key, sums in true.items() if key[1] == before)
        ends = f"{special} of {whole}" if whole < FEW else f"({special})"
        assert row["Into special servicing"].endswith(ends if special else "—")
    assert few == {False, True}


def test_an_address_that_asks_for_what_there_is_not_says_so(opened):
    assert "'by'" in said(opened(OVERVIEW, trends="yes", by="lender"))
    assert "'March' but must be a month written as YYYY-MM" in said(opened(SIGNALS, month="March"))


def sent(app):
    """What the browser is sent of the map of states."""
    (one,) = sent_to(app, "atlas_states")
    return one


def moved(app, at):
    """The page after the slider rests on a place."""
    (one,) = components(app, "atlas_states")
    return tell(app, one, "moved", at)


def test_a_month_in_the_address_is_the_map_and_the_table_of_its_rows(opened, months):
    app = opened(SIGNALS, month="2024-03")
    true = oracle_trends.heat(months[date(2024, 3, 1)], "severe")
    rows = {row["State"]: row for row in ledgers(app)["Signals by state"]}
    assert set(rows) == {code or "—" for code, one in true.items() if one["loans"]}
    for code, one in true.items():
        if one["loans"]:
            row = rows[code or "—"]
            assert row["Loans"] == f"{one['loans']} of {one['of_loans']}"
            assert row["Book value"] == money(one["book_value"])
            part = 100 * one["book_value"] / one["of_book_value"]
            assert row["Of the book"] == percent(part, 1)
    played = sent(app)["months"]
    assert played["labels"] == ["Feb 2024", "Mar 2024", "Apr 2024", "Now: 30 Apr 2024"]
    assert played["at"] == 1
    assert "The map and its table are of Mar 2024" in said(app)
    assert "Critical or severe signals, by state, Mar 2024" in headings(app, 2)


@pytest.mark.usefixtures("visited_before")
def test_the_slider_puts_its_month_into_the_address_and_today_takes_it_out(opened):
    app = moved(opened(SIGNALS, property_type="office"), 0)
    assert dict(app.query_params) == {"property_type": "office", "month": "2024-02"}
    assert sent(app)["months"]["at"] == 0
    app = moved(app, 3)
    assert "month" not in app.query_params
    # What is no place of the slider moves nothing.
    for wrong in (4, -1, 0.5, "0", None, [0]):
        assert "month" not in moved(app, wrong).query_params


def test_filters_that_earlier_dates_do_not_know_leave_the_map_of_today(opened):
    app = opened(SIGNALS, rule="CV-1", month="2024-03")
    assert sent(app)["months"] is None
    assert "With these filters the map cannot be played" in said(app)
    assert "There is no map of Mar 2024" in said(app)
    assert "There is no map of Jan 1999" in said(opened(SIGNALS, month="1999-01"))
