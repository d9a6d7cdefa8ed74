"""The loans chosen in a plot against all, and one of them beside the plot (D258, D259)."""

from collections import Counter

import pytest

from services.importers import demo
from tests.every_loan import every_loan
from tests.pages.ledger_reading import column, send
from tests.pages.screen import headings, links, said, tables
from tests.publishing import load_once

NAMES = ("dscr", "ltv", "property_type", "effective_maturity", "exemption", "property_name")
BOX = {"box": "0.4,0.8,1,2", "clip": "no"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("linked")
    load_once(folder, [demo.portfolio(loans=120)])
    return folder


@pytest.fixture
def opened(folder, visit):
    def run(held=None, **params):
        app = visit("pages/explore.py", folder, params, held or {})
        assert not app.exception
        return app

    return run


@pytest.fixture(scope="module")
def rows(source):
    """Every loan as raw values, and of them those in the box."""
    found = [one.values for one in every_loan(source, NAMES)]
    known = (one for one in found if None not in (one["ltv"], one["dscr"]))
    return found, [one for one in known if 0.4 <= one["ltv"] <= 0.8 and 1 <= one["dscr"] <= 2]


def year(row):
    due = row["effective_maturity"] is not None and row["exemption"] is None
    return str(row["effective_maturity"].year) if due else "Not due"


@pytest.mark.parametrize(
    ("linked", "label", "word"),
    [
        (None, "Year of maturity", year),
        ("property_type", "Property type", lambda row: row["property_type"].capitalize()),
    ],
)
def test_the_chosen_loans_are_shared_out_as_all_loans_are(opened, rows, linked, label, word):
    whole, chosen = rows
    app = opened({"linked as table": True}, **BOX, **({"linked": linked} if linked else {}))
    found = tables(app)[f"{label}: {len(chosen)} chosen loans against all {len(whole)}"]
    of_all, of_chosen = Counter(map(word, whole)), Counter(map(word, chosen))
    named = {row[label]: row for row in found}
    joined = [name for name in named if name not in of_all]
    assert all(name.startswith("to ") or name.endswith(" on") for name in joined)
    for name in named.keys() - joined:
        row = named[name]
        assert (int(row["Chosen"]), int(row["All loans"])) == (of_chosen[name], of_all[name])
        assert float(row["Of the chosen"].rstrip("%")) == pytest.approx(
            100 * of_chosen[name] / len(chosen), abs=0.051
        )
        assert float(row["Of all"].rstrip("%")) == pytest.approx(
            100 * of_all[name] / len(whole), abs=0.051
        )
    assert sum(int(row["Chosen"]) for row in found) == len(chosen)
    assert sum(int(row["All loans"]) for row in found) == len(whole)


def test_a_row_of_the_chosen_loans_shows_its_loan_beside_the_plot(opened, rows):
    app = opened(**BOX)
    second = column(app, "Loan")[1]
    app = send(app, "Loans", "shown", second)
    assert (app.query_params["loan"], app.query_params["box"]) == (second, "0.4,0.8,1,2")
    (named,) = (one["property_name"] for one in rows[0] if one["loan_number"] == second)
    assert named in headings(app, 2)
    assert "2 of 25 on this page" in said(app)
    app = app.button(key="Loan after").click().run()
    assert app.query_params["loan"] == column(app, "Loan")[2]
    app = app.button(key="close drawer").click().run()
    assert "loan" not in app.query_params
    assert "List these loans" in links(app)


def test_a_loan_that_is_none_is_not_shown_beside_the_plot(opened):
    app = opened(loan="no")
    assert "No loan has the number no." in said(app)
    assert "on this page" not in said(app)
