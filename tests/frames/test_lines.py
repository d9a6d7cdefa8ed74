"""The line of Python on each page gives the rows of the page."""

import pytest

from services.contract.connections import ConnectionQuery
from services.contract.families import FamilyFilter
from services.contract.frame_call import frame_call, frame_of
from services.contract.loan_filter import LoanFilter
from services.contract.paging import every
from services.contract.properties import PropertyFilter
from services.contract.queries import EntityQuery, PathQuery, Query
from services.contract.scenario import Scenario
from services.contract.signal_filter import SignalFilter
from services.contract.tenants import TenantFilter
from services.importers import demo
from tests.pages.conftest import visit
from tests.publishing import load_once

__all__ = ["visit"]  # a fixture


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    load_once(folder, [demo.portfolio(loans=300)])
    return folder


def run(line):
    """What a line of Python gives."""
    head, call = line.strip().split("\n\n")
    names = {}
    exec(head, names)  # noqa: S102
    return eval(call, names)  # noqa: S307


@pytest.fixture
def said(visit, folder):
    """The line that a page says, for an address."""

    def found(file, **params):
        app = visit(file, folder, params)
        assert not app.exception
        return [one.value for one in app.code if "services.frames" in one.value]

    return found


def test_a_line_is_written_as_people_write_python():
    query = LoanFilter(
        state=("TX",), property_type=("office", "retail"), min_ltv=60, defeased=False,
        maturity_before="2027-12-31", lender='Bank "One"', order="-book_value", page=3,
    )  # fmt: skip
    line = frame_of("loans", query)
    assert line == (
        "from services.frames import connect\n\n"
        'connect().loans(state="TX", property_type=["office", "retail"], lender=\'Bank "One"\', '
        'maturity_before="2027-12-31", defeased=False, min_ltv=60, order="-book_value")\n'
    )
    assert frame_call("loan", "A'1").endswith('connect().loan("A\'1")\n')
    assert frame_of("loans", LoanFilter()).endswith("connect().loans()\n")


def test_loans(said, source):
    (line,) = said("pages/loans.py", state="TX", order="-book_value")
    assert 'connect().loans(state="TX", order="-book_value")' in line
    found = every(
        lambda one: source.loans_found(one, ()), LoanFilter(state="TX", order="-book_value")
    )
    assert run(line)["loan_number"].tolist() == [one.loan_number for one in found]


def test_signals(said, source):
    (line,) = said("pages/signals.py", severity="severe,critical", order="-severity")
    query = SignalFilter(severity="severe,critical", order="-severity")
    found = every(lambda one: source.signals_found(one, ()), query)
    frame = run(line)
    ends = list(zip(frame["loan_number"], frame["signal_type"], strict=True))
    assert ends == [(one.signal.loan_number, one.signal.signal_type) for one in found]


def test_entities(said, source):
    name = source.entities(EntityQuery()).items[0].entity_name
    (line,) = said("pages/entities.py", name=name)
    found = every(source.entities, EntityQuery(name=name))
    assert run(line)["entity_name"].tolist() == [one.entity_name for one in found]


def test_capital_graph(said, source):
    number = source.loans_found(LoanFilter(), ()).items[0].loan_number
    (line,) = said("pages/capital_graph.py", loan_number=number, depth="2")
    _, page = source.paths(PathQuery(loan_number=number, depth=2))
    assert run(line)["path"].max() == page.total


def test_loan(said, source):
    number = source.loans_found(LoanFilter(), ()).items[0].loan_number
    (line,) = said("pages/loan.py", loan_number=number)
    assert run(line)["book_value"] == source.loan(number).book_value


def test_overview(said, source):
    (line,) = said("pages/overview.py")
    assert run(line)["book_value"].sum() == source.totals().book.book_value


def test_tenants(said, source):
    (line,) = said("pages/tenants.py", state="TX", order="-book_value")
    found = every(source.tenants, TenantFilter(state="TX", order="-book_value"))
    assert run(line)["tenant"].tolist() == [one.tenant for one in found]
    (line,) = said("pages/tenants.py", look="leases", leases_within="24")
    found = every(source.tenancies, TenantFilter(leases_within=24))
    assert run(line)["loan_number"].tolist() == [one.loan_number for one in found]


def test_sponsors(said, source):
    (line,) = said("pages/sponsors.py", kind="owner", order="-dollars_short", state="TX")
    query = FamilyFilter(kind="owner", order="-dollars_short", state="TX")
    found = every(source.families, query)
    assert run(line)["entity_name"].tolist() == [one.entity_name for one in found]


def test_family(said, source):
    name = source.families(FamilyFilter()).items[0].entity_name
    (line,) = said("pages/family.py", entity_name=name)
    listed = {one.loan_number for one in source.family(name).loans}
    assert set(run(line)["loan_number"]) == listed


def test_entity(said, source):
    name = source.families(FamilyFilter()).items[0].entity_name
    (line,) = said("pages/entity.py", entity_name=name)
    found = every(lambda one: source.loans_of(name, one), Query())
    assert run(line)["loan_number"].unique().tolist() == [one.loan_number for one in found]


def test_map(said, source):
    (line,) = said("pages/map.py", state="TX", property_type="office", layer="hexagons")
    assert 'connect().properties(state="TX", property_type="office")' in line
    query = PropertyFilter(state="TX", property_type="office")
    found = every(source.properties_found, query)
    assert run(line)["dollars"].tolist() == [one.dollars for one in found]


@pytest.mark.parametrize(
    ("asked", "columns"),
    [
        ({"x": "ltv", "y": "dscr"}, ["ltv", "dscr", "worst_severity"]),
        ({"show": "boxes", "x": "debt_yield", "by": "vintage"}, ["debt_yield", "origination_date"]),
        ({"show": "vintages"}, ["origination_date", "property_type", "worst_severity"]),
    ],
    ids=str,
)
def test_explore(said, source, asked, columns):
    (line,) = said("pages/explore.py", state="TX", **asked)
    frame = run(line)
    assert list(frame.columns) == ["loan_number", *columns, "book_value"]
    assert len(frame) == source.loan_totals(LoanFilter(state="TX")).loans


def test_explore_of_a_figure_that_no_frame_has(said):
    assert said("pages/explore.py", x="noi_change", y="dscr") == []


def test_connection(said, source):
    number = source.loans_found(LoanFilter(confidence_tier="confirmed"), ()).items[0].loan_number
    party = source.ownership(number).chain[-1].entity_name
    (line,) = said("pages/connection.py", from_loan=number, to_entity=party)
    found = source.connections(ConnectionQuery(from_loan=number, to_entity=party))
    frame = run(line)
    assert frame["path"].max() == len(found.connections) > 0
    assert frame["to"].tolist()[-1] == party or frame["from"].tolist()[-1] == party


def test_what_if_has_a_line_for_each_scenario(said, source):
    lines = said("pages/what_if.py", state="TX", rates="100", rates_2="-100", noi_2="-5")
    for line, shifts in zip(lines, ({"rates": 100}, {"rates": -100, "noi": -5}), strict=True):
        found = source.what_if(LoanFilter(state="TX"), Scenario.of(**shifts))
        frame = run(line)
        assert frame["loans"].tolist() == [one.loans for one in found.moves]
        assert frame.attrs["totals"]["worse"]["loans"] == found.worse.loans
