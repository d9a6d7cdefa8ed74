"""The bar of filters: what it is sent, and that of what a browser sends only values count that the
field can hold.
"""

from datetime import date

import pytest

from components.frame import address, field_bar, fields, filters

FIELDS = {
    one.name: one.field
    for one in (
        filters.STATES_OF_LOANS,
        filters.MIN_BALANCE,
        filters.MATURITY_AFTER,
        filters.LENDER,
        *filters.offered("special_servicing", "city", "min_gap", "matures_within"),
    )
}
BEFORE = "before"


@pytest.fixture
def state(monkeypatch):
    held = {"page": 7, **dict.fromkeys(FIELDS, BEFORE)}
    monkeypatch.setattr(field_bar.st, "session_state", held)
    return held


@pytest.mark.parametrize(
    ("name", "sent", "value"),
    [
        ("state", ["TX", "CA"], ("CA", "TX")),
        ("state", [], None),
        ("city", ["dallas"], ("dallas",)),
        ("special_servicing", ["no"], False),
        ("special_servicing", [], None),
        ("min_balance", 2_500_000, 2_500_000),
        ("min_balance", 2_500_000.4, 2_500_000),
        ("min_balance", 0, 0),
        ("min_balance", None, None),
        ("min_gap", -25.5, -25.5),
        ("maturity_after", "2027-01-31", date(2027, 1, 31)),
        ("maturity_after", None, None),
        ("lender", "  life ", "life"),
        ("lender", "   ", None),
    ],
)
def test_what_is_filled_in_is_the_value_and_begins_at_the_first_page(state, name, sent, value):
    state["filters"] = {"changed": {"name": name, "value": sent}}
    field_bar._fill("filters", FIELDS, address.first_page)
    assert (state[name], state["page"]) == (value, 1)
    assert type(state[name]) is type(value)


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        *(("state", odd) for odd in (["XX"], "TX", None, [1], ["TX", None], {"TX": 1})),
        *(("city", odd) for odd in (["x" * 201], [["dallas"]], "dallas")),
        *(("special_servicing", odd) for odd in (["maybe"], ["yes", "no"], True, "yes", [["no"]])),
        *(("min_balance", odd) for odd in (-1, 1e13, "5", True, float("nan"), [5])),
        *(("matures_within", odd) for odd in (0, 361, float("inf"))),
        *(("maturity_after", odd) for odd in ("0002-01-01", "2201-01-01", "soon", 20270131.5)),
        *(("lender", odd) for odd in ("x" * 201, 5, ["life"])),
        *(("page", odd) for odd in (2, "2")),
        ("no_such", "TX"),
    ],
)
def test_what_no_field_can_hold_is_not_heeded(state, name, sent):
    before = {**state}
    state["filters"] = {"changed": {"name": name, "value": sent}}
    field_bar._fill("filters", FIELDS, address.first_page)
    del state["filters"]
    assert state == before


@pytest.mark.parametrize(
    ("sent", "value"),
    [
        (["Oak LP"], 2),
        *(
            (odd, BEFORE)
            for odd in ([], None, ["Elm LP"], ["Oak LP", "L1"], "Oak LP", [2], [["L1"]])
        ),
    ],
)
def test_where_one_is_always_chosen_only_another_one_is_heeded(state, sent, value):
    nodes = {"node": fields.One(label="Node", words={"L1": 1, "Oak LP": 2}, required=True)}
    state |= {"node": BEFORE, "nodes": {"changed": {"name": "node", "value": sent}}}
    field_bar._fill("nodes", nodes, None)
    assert state["node"] == value


def test_a_figure_shows_so_many_digits_and_is_more_exact_than_shown():
    rate = fields.Number(label="Rate in percent", low=0.1, high=25, step=0.25, digits=2)
    assert [rate.sent(value)["value"] for value in (6, 6.0833333, None)] == ["6.00", "6.08", ""]
    assert rate.read(6.0833333) == 6.0833333


@pytest.mark.parametrize("sent", [None, "state", ["state", "TX"], {"name": ["state"], "value": 1}])
def test_what_names_no_field_is_not_heeded(state, sent):
    state["filters"] = {"changed": sent}
    field_bar._fill("filters", FIELDS, address.first_page)
    assert state["page"] == 7


@pytest.mark.parametrize(("sent", "shown"), [("LTV", ["DSCR", "LTV"]), ("Coupon", ["DSCR"]),
                                             (None, ["DSCR"]), (["LTV"], ["DSCR"])])  # fmt: skip
def test_only_a_filter_that_is_offered_is_added(state, sent, shown):
    state["filters"] = {"added": sent}
    added = ["DSCR"]
    field_bar._add("filters", field_bar.Further("Add", ["LTV"], added.append))
    assert added == shown


def test_a_figure_is_written_as_it_is_typed():
    dollars, ratio = FIELDS["min_balance"], filters.offered("min_dscr")[0].field
    assert dollars.sent(2_500_000)["value"] == "2,500,000"
    assert dollars.sent(None)["value"] == ""
    assert ratio.sent(1.2)["value"] == "1.2"
    assert ratio.sent(1.2)["fault"] == "A number from -1,000 to 1,000"


def test_words_without_a_list_are_those_counted_and_those_chosen():
    city = fields.Several(label="City", options=(), write=str.title, exact=False)
    offered = city.offered(("austin",), {"Dallas": 1_200, "DALLAS": 34})
    assert offered == [
        {"word": "austin", "label": "Austin", "count": "0"},
        {"word": "dallas", "label": "Dallas", "count": "1,234"},
    ]
    assert city.offered(None, {}) == []


def test_nothing_is_added_where_nobody_could_answer_it(state):
    state["filters"] = {"added": "LTV"}
    added = []
    field_bar._add("filters", field_bar.Further("Add", ["LTV"], added.append, "Needs the mirror"))
    field_bar._add("filters", None)
    assert added == []


def test_an_exact_name_may_be_as_long_as_its_parameter_takes():
    sponsor, lender = filters.offered("sponsor", "lender")
    assert sponsor.field.fault("x" * 1_000) == ""
    assert sponsor.field.read("x" * 1_000) == "x" * 1_000
    assert sponsor.field.fault("x" * 1_001) == "have at most 1000 letters"
    assert lender.field.fault("x" * 201) == "have at most 200 letters"
