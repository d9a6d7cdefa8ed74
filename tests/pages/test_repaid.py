"""Loans that came due, on Overview (D284): every figure on screen against a count of the rows."""

import csv
import json
from datetime import date
from urllib.parse import parse_qsl, urlsplit

import pytest

from components.kit.formatting import count, money, share
from services.contract.distributions import FEW
from services.contract.loan_filter import LoanFilter
from services.contract.proportion import interval
from services.contract.queries import parse
from services.store.source import StoreSource
from tests import oracle_repayments
from tests.due_book import filled
from tests.oracle_repayments import CLASSES
from tests.pages.ledger_reading import addresses, ledgers
from tests.pages.screen import headings, said, tables
from tests.publishing import load_once
from tests.world import RATES, Sketch, info_of

OVERVIEW = "pages/overview.py"
HEAD = "What became of loans that came due"
LABELS = dict(
    zip(CLASSES, ("under 7%", "7% to 8%", "8% to 10%", "10% to 12%", "12% or more"), strict=True)
) | {(None, None): "not known"}
WORDS = {"0": "by the due date", "3": "within 3 months", "12": "within 12 months"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return filled(tmp_path_factory.mktemp("due") / "store")


@pytest.fixture
def opened(folder, visit):
    def run(**params):
        app = visit(OVERVIEW, folder, {"repaid": "yes", **params})
        assert not app.exception
        return app

    return run


def known(seen):
    return [word for *_, word in seen if word and word != "unknown"]


def test_while_the_panel_is_closed_nothing_is_asked(folder, visit, monkeypatch):
    monkeypatch.setattr(StoreSource, "repayments", lambda *_: pytest.fail("asked"))
    app = visit(OVERVIEW, folder, {})
    assert HEAD in headings(app, 2)
    assert "Repaid in time" in [one.label for one in app.expander]


@pytest.mark.parametrize("grace", WORDS)
def test_the_sentence_says_how_many_of_how_many_and_who_is_not_counted(opened, found, grace):
    seen, without = oracle_repayments.due_loans(found, int(grace))
    words = said(opened(grace=grace))
    there, repaid = len(known(seen)), known(seen).count("repaid")
    unknown = [word for *_, word in seen].count("unknown")
    assert f"Repaid {WORDS[grace]}: {repaid} of {there} loans due from" in words
    low, high = (round(100 * end) for end in interval(repaid, there))
    ends = f"{share(repaid, there)}, 95% interval {low}% to {high}%. Not counted: {unknown} re"
    assert ends in words
    assert f"{without} without a filing a year before." in words
    late = [word for *_, word in seen].count(None)
    assert (f"{late} without a filing that late;" in words) == (late > 0)


@pytest.mark.parametrize("by", ["debt_yield", "property_type"])
def test_every_row_is_what_its_loans_came_to_and_which_are_due_next(opened, found, source, by):
    app = opened(due_by=by, grace="3")
    seen, _ = oracle_repayments.due_loans(found, 3)
    rows = next(rows for name, rows in ledgers(app).items() if name.startswith("Loans that came"))
    head = {"debt_yield": "Debt yield a year before", "property_type": "Property type"}[by]
    names = [row[head] for row in rows]
    of_all = {}
    for row, _, word in seen:
        name = LABELS[oracle_repayments.band(row)]
        if by == "property_type":
            name = (row["property_type"] or "not known").capitalize()
        of_all.setdefault(name, []).append((row, None, word))
    assert set(of_all) <= set(names)
    assert [one for one in LABELS.values() if one in names] == names or by == "property_type"
    next_due = 0
    for row in rows:
        words = known(of_all.get(row[head], []))
        there, repaid = len(words), words.count("repaid")
        assert row["Repaid"] == (f"{repaid} of {there}" if there else "—")
        assert row["Share"] == (share(repaid, there) if there >= FEW else "—")
        if there:
            low, high = (round(100 * end) for end in interval(repaid, there))
            assert row["95% interval"] == f"{low}% to {high}%"
        for word, label in {
            "extended": "Extended",
            "unpaid": "Unpaid",
            "liquidated": "Liquidated",
        }.items():
            assert row[label] == (str(words.count(word)) if words.count(word) else "—")
        next_due += 0 if row["Due within 24 months"] == "—" else int(row["Due within 24 months"])
    whole = source.loan_totals(LoanFilter(matures_within=24))
    assert next_due == whole.loans > 0
    assert len(names) > 3


def test_each_row_leads_to_the_loans_like_it_that_are_due_next(opened, source):
    for by in ("debt yield", "property type"):
        app = opened(due_by=by.replace(" ", "_"))
        caption = f"Loans that came due, by {by}"
        for row, href in zip(ledgers(app)[caption], addresses(app, caption), strict=True):
            if row["Due within 24 months"] == "—" or "not known" in str(row).lower():
                continue
            params = dict(parse_qsl(urlsplit(href).query))
            totals = source.loan_totals(parse(LoanFilter, params))
            assert (count(totals.loans), money(totals.book_value)) == (
                row["Due within 24 months"], row["Their book value"],
            )  # fmt: skip


def test_the_matrix_has_each_type_and_class(opened, found):
    rows = tables(opened())["Repaid, by property type and debt yield"]
    true = oracle_repayments.cells(oracle_repayments.due_loans(found, 0)[0])
    shown = {
        (row["Property type"].lower(), label): cell
        for row in rows
        for label, cell in row.items()
        if label != "Property type" and cell != "—"
    }
    expected = {}
    for (kind, low, high), cell in true.items():
        there = sum(cell[word] for word in ("repaid", "extended", "unpaid", "liquidated"))
        if there:
            expected[kind or "not known", LABELS[low, high]] = f"{cell['repaid']} of {there}"
    assert shown == expected


def test_the_drawing_has_the_shares_and_intervals_of_the_table(opened):
    app = opened(grace="12")
    (spec,) = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    (trace,) = spec["data"]
    rows = next(one for name, one in ledgers(app).items() if name.startswith("Loans that came"))
    drawn = {
        name: (f"{100 * (at - down):.0f}% to {100 * (at + up):.0f}%")
        for name, at, down, up in zip(
            trace["y"], trace["x"], trace["error_x"]["arrayminus"], trace["error_x"]["array"],
            strict=True,
        )
    }  # fmt: skip
    assert drawn == {
        row["Debt yield a year before"]: row["95% interval"]
        for row in rows
        if row["95% interval"] != "—"
    }


def test_the_file_has_every_cell(opened, found, pressed):
    opened(grace="3")
    written = pressed["credit-atlas-repaid-in-time-within-3-months.csv"]().decode().splitlines()
    rows = list(csv.DictReader(one for one in written if not one.startswith("#")))
    true = oracle_repayments.cells(oracle_repayments.due_loans(found, 3)[0])
    assert len(rows) == len(true)
    for row in rows:
        low, high = (float(row[f"debt_yield_{end}_pct"]) if row[f"debt_yield_{end}_pct"] else None
                     for end in ("from", "under"))  # fmt: skip
        cell = true[row["property_type"] or None, low, high]
        for word in oracle_repayments.OUTCOMES:
            assert int(row[f"{word}_loans"]) == cell[word]
            assert int(row[f"{word}_balance_usd"]) == cell[f"{word}_balance"]


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (date(2024, 1, 31), "1 without a filing a year before."),
        (
            date(2023, 1, 31),
            "1 repurchased, defeased or without a stated ending.",
        ),
    ],
)
def test_where_no_filing_says_what_became_of_a_loan_a_sentence_says_so(tmp_path, visit, first, why):
    """A tape that drops a loan once it is paid does not say that it was."""
    made = []
    for day in (first, date(2024, 2, 29)):
        sketch = Sketch(info_of("tape", day))
        if day == first:
            sketch.loan("1", maturity_date=date(2024, 2, 15))
        sketch.loan("2")
        made.append(sketch.portfolio())
    load_once(tmp_path, made, rates=RATES)
    app = visit(OVERVIEW, tmp_path, {"repaid": "yes"})
    assert not app.exception
    nothing = "No filing says what became of a loan that came due. Not counted: "
    assert nothing + why in said(app)
    assert not app.get("plotly_chart")


def test_an_address_that_asks_for_what_there_is_not_says_so_once(opened):
    assert said(opened(grace="6")).count("'grace'") == 1
