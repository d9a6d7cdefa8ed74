"""Loans go by the name of their property, with the number beside it."""

from dataclasses import replace

import pytest

from services.importers import demo
from tests.pages.screen import headings, said, sent_to, tables
from tests.publishing import load

#: As a filing might have it: Markdown, HTML and a second line.
HOSTILE = "[Mall](x) <b>of\nWestgate</b>"


@pytest.fixture
def store(tmp_path):
    """Forty loans; the first has a hostile name, the second none."""
    made = demo.portfolio(loans=40)
    names = made.loans["property_name"].to_pylist()
    names[:2] = [HOSTILE, None]
    at = made.loans.schema.get_field_index("property_name")
    loans = made.loans.set_column(at, made.loans.schema.field(at), [names])
    load(tmp_path, [replace(made, loans=loans)])
    return tmp_path, names


def called(app):
    """Number of each row of the first table of records -> what the row is called beside it."""
    (sent,) = sent_to(app, "atlas_ledger")
    return {row["cells"][0]: row.get("called") for row in sent["rows"]}


def test_each_loan_of_a_list_has_its_propertys_name_and_one_without_its_number(visit, store):
    folder, names = store
    found = called(visit("pages/loans.py", folder, {"per_page": "50"}))
    assert found["CA-000001"] == "[Mall](x) <b>of Westgate</b>"
    assert found["CA-000002"] is None
    assert [found[f"CA-{at:06}"] for at in range(3, 41)] == names[2:]


def test_the_loan_page_is_headed_by_the_name(visit, store):
    folder, names = store
    app = visit("pages/loan.py", folder, {"loan_number": "CA-000003"})
    assert headings(app, 1) == [names[2]]
    assert "CA-000003 · " in said(app)
    app = visit("pages/loan.py", folder, {"loan_number": "CA-000002"})
    assert headings(app, 1) == ["CA-000002"]


def test_loans_are_compared_under_their_names(visit, store):
    folder, names = store
    app = visit("pages/compare.py", folder, {"loans": "CA-000003,CA-000002"})
    sheet = tables(app)["Key figures of the loans"]
    assert list(sheet[0]) == ["Fact", f"{names[2]} (CA-000003)", "CA-000002"]
    assert headings(app, 2)[:2] == [names[2], "CA-000002"]
