"""What the address of a page may not say, and in which sentence: tests/pages shows one a page."""

import pytest

from components.changes.view import ChangesView
from components.desk.watchlist import WatchlistView
from components.entities import lookup as party
from components.entities import search
from components.explore import view as explore
from components.frame import paging
from components.graph import filters as graph
from components.graph.ends import ConnectionView
from components.loans import filters as loans
from components.loans import lookup
from components.properties import filters as properties
from components.signals import filters as signals
from components.what_if import view as what_if
from services.contract.errors import InvalidRequest
from services.contract.families import FamilyFilter
from services.contract.queries import parse

FAULTS = {
    (loans.LoanView, loans.check): [
        ({"state": "Texas"}, "write 'TX'"),
        ({"page": "0"}, "must be at least 1"),
        ({"maturity_before": "2028-02-30"}, "not a day of the calendar"),
        ({"stat": "TX"}, "did you mean 'state'"),
        ({"rate_pressure": "high"}, "must be one of low, moderate"),
        ({"per_page": "33"}, "25, 50, 100 rows at a time"),
    ],
    (properties.MapView, loans.check): [
        ({"layer": "heat"}, "'points' or 'hexagons'"),
        ({"cell": "middle.1"}, "must be the name of a cell"),
        ({"order": "ltv"}, "one order: the worst first"),
    ],
    (signals.SignalView, signals._check): [
        ({"severity": "low"}, "must be one of moderate"),
        ({"measure": "size"}, "'share', 'dollars', 'short' or 'loans'"),
    ],
    (what_if.WhatIfView, loans.check): [
        ({"rates": "301"}, "'rates' is '301' but must be at most 300"),
        ({"rate_7_2": "-201"}, "must be at least -200"),
        ({"noi": "-30.5"}, "must be at least -30"),
        ({"noi_2": "11"}, "must be at most 10"),
        ({"cap": "-1"}, "must be at least 0"),
        ({"cap": "201"}, "must be at most 200"),
        ({"move": "severe"}, "two severities with a comma between"),
        ({"rate": "100"}, "did you mean 'rates'"),
    ],
    (explore.ExploreView, explore._check): [
        ({"x": "colour"}, "must be 'dscr', 'ltv'"),
        ({"log": "z"}, "must be 'x', 'y' or 'xy'"),
        ({"clip": "maybe"}, "must be yes or no"),
        ({"state": "Texas"}, "write 'TX'"),
        ({"box": "1,2,3"}, "'box'"),
        ({"box": "1,2,3,x"}, "'box'"),
        ({"box": "1,2,3,4,5"}, "'box'"),
        ({"box": "nan,1,2,3"}, "'box'"),
        ({"box": "1,2,3,inf"}, "'box'"),
    ],
    (WatchlistView, paging.check): [
        ({"show": "funds"}, "must be 'loans', 'parties' or 'searches'"),
    ],
    (lookup.LoanPageView, lookup._check): [
        ({"number": "1"}, "did you mean 'loan_number'"),
        *(
            ({"loan_number": "1", name: given}, f"'{name}' is '{given}' but must {be}")
            for name, given, be in (
                ("noi", "1.5", "be a whole number"),
                ("noi", "lots", "be a whole number"),
                ("min_dscr", "nan", "be a number"),
                ("min_dscr", "0.2", "lie from 0.5 to 10"),
                ("refi_rate", "0", "lie from 0.1 to 25"),
                ("max_ltv", "1000", "lie from 1 to 150"),
                ("amortisation_years", "-1", "lie from 0 to 50"),
                ("cap_rate", "5,5", "be a number"),
            )
        ),
        ({"loan_number": "1", "caprate": "5"}, "did you mean 'cap_rate'"),
    ],
    (graph.GraphView, graph._offered): [
        ({"loan_number": "L1", "depth": "7"}, "'depth' is '7' but must be at most 6"),
        ({"loan_number": "L1", "depth": "0"}, "'depth' is '0' but must be at least 1"),
        ({"loan_number": "L1", "entity_name": "Oak LP"}, "Give exactly one of"),
        ({"loan_number": "L1", "confidence_min": "2"}, "'confidence_min' is '2' but"),
        ({"loan_number": "L1", "relation": ", ,"}, "must name relations"),
        ({"loan_number": "L1", "per_page": "10"}, "lists 25 paths at a time"),
        ({"loan_number": "L1", "layout": "tree"}, "'layout' is 'tree' but must be"),
        ({"loan_number": "L1", "dept": "2"}, "did you mean 'depth'?"),
    ],
    (ConnectionView, lambda _: None): [
        ({"from_loan": "L1", "to_loan": "L1"}, "Give two different ends"),
        ({"from_loan": "L1", "from_entity": "Oak LP"}, "Give exactly one of"),
        ({"from": "L1"}, "Unknown parameter 'from'"),
        ({"from_loan": "L1", "to_loan": "L2", "per_page": "50"}, "must be at most 25"),
    ],
    (FamilyFilter, loans.check): [
        ({"order": "colour"}, "'order'"),
        ({"kind": "aunt"}, "'kind'"),
        ({"state": "Texas"}, "'state'"),
    ],
    (search.EntityView, paging.check): [
        ({"confidence_min": "7"}, "'confidence_min'"),
        ({"confidence_min": "high"}, "'confidence_min'"),
        ({"nam": "x"}, "'nam'"),
        ({"page": "0"}, "'page'"),
    ],
    (party.EntityView, paging.check): [
        ({"entity_name": "Ada Quill", "signals_page": "x"}, "'signals_page'"),
        ({"entity_nam": "Ada Quill"}, "'entity_nam'"),
    ],
    (ChangesView, paging.check): [
        ({"kind": "nonsense"}, "must be one of"),
        ({"min_balance": "much"}, "must be a whole number"),
        ({"severity_after": "nonsense"}, "must be one of"),
        ({"per_page": "7"}, "25, 50, 100"),
    ],
}


@pytest.mark.parametrize(
    ("kind", "check", "params", "sentence"),
    [(*of, *fault) for of, faults in FAULTS.items() for fault in faults],
    ids=lambda one: getattr(one, "__name__", str(one)),
)
def test_an_address_at_fault_is_a_sentence(kind, check, params, sentence):
    with pytest.raises(InvalidRequest) as refused:
        check(parse(kind, params))
    assert sentence in str(refused.value)
