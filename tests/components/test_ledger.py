"""The table of records: orders, addresses of records, what is sent to the browser and accepted.

Pins S21 of components/README.md.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from components.frame import ledger_rows, links
from components.frame.ledger import Column, next_order
from components.frame.routes import ENTITY, LOAN, LOANS
from components.kit.asset import asset
from tests.hostile import WORDS
from tests.pages.ledger_reading import addresses, ledgers, send
from tests.pages.screen import components

FIGURE = Column[str]("book_value", "Book value", str, figure=True, order=True)
WORD = Column[str]("lender", "Lender", str, order=True)


@pytest.mark.parametrize(
    ("column", "order", "following"),
    [
        (FIGURE, None, "-book_value"),
        (FIGURE, "-book_value", "book_value"),
        (FIGURE, "book_value", None),
        (FIGURE, "-lender", "-book_value"),
        (WORD, None, "lender"),
        (WORD, "lender", "-lender"),
        (WORD, "-lender", None),
        (WORD, "-book_value", "lender"),
    ],
)
def test_a_press_on_a_head_goes_on_to_the_next_order(column, order, following):
    assert next_order(column, order) == following


@pytest.mark.parametrize(
    ("amounts", "drawn"),
    [
        # The fullest is as wide as the cell.
        (
            [[("critical", 30), (None, 30)], [("severe", 20)]],
            [[["critical", 0.5], ["", 0.5]], [["severe", 0.333]]],
        ),
        # More than three times the second: broken off, and the second is four fifths of the cell.
        (
            [[("severe", 310)], [(None, 100)], [(None, 50)]],
            [[["severe", 1.0], ["broken", 0]], [["", 0.8]], [["", 0.4]]],
        ),
        ([[("severe", 300)], [(None, 100)]], [[["severe", 1.0]], [["", 0.333]]]),
        ([[("severe", 70)], [(None, 0)], []], [[["severe", 1.0]], [], []]),
        ([[]], [[]]),
        ([], []),
    ],
)
def test_stacked_bars_can_be_compared_also_beside_a_giant(amounts, drawn):
    column = Column("book_value", "Exposure", str, stack=lambda one: one)
    assert ledger_rows.stacks(column, amounts) == drawn
    assert ledger_rows.stacks(FIGURE, amounts) is None


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("CA-000012", "CA-000012"),
        ("100%", "100%25"),
        ("a/b", "a%2Fb"),
        ("a#b?c=d&e+f", "a%23b%3Fc%3Dd%26e%2Bf"),
        ('O\'Neil "Co"', "O%27Neil%20%22Co%22"),
        ("Zürich 東京", "Z%C3%BCrich%20%E6%9D%B1%E4%BA%AC"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("", ""),
    ],
)
def test_the_address_of_a_record_is_relative_and_percent_encoded(name, written):
    assert links.address(LOAN, name) == f"loan?loan_number={written}"


@given(route=st.sampled_from([LOAN, ENTITY]), name=st.text())
def test_an_address_leads_back_to_its_record(route, name):
    assert links.place_at(links.address(route, name)) == (route, {route.record: name})


def test_an_address_leads_back_to_its_page():
    params = {"lender_of_loan": "A & B, 50 %", "page": "2"}
    assert links.place_at(links.address(LOANS, params)) == (LOANS, params)


@pytest.mark.parametrize(
    "address",
    ["", "no_such_page", "//evil.example?loan_number=a", "../loan?loan_number=a",
     "loan?loan_number=a&loan_number=b"],
)  # fmt: skip
def test_another_address_is_no_page(address):
    assert links.place_at(address) is None


def test_a_list_has_no_address_of_a_record():
    with pytest.raises(ValueError, match="shows no single record"):
        links.address(LOANS, "a")


def stage():
    """A page with one table of everything; what counts is written below it."""
    import streamlit as st

    from components.frame.ledger import Act, Beside, Column, Ticks, ledger
    from components.frame.routes import ENTITY, LOAN

    held = st.session_state
    names = held.setdefault("names", ["a", "b", "c"])
    columns = (
        Column("name", "Name", str, order=True, help="a  b"),
        Column("size", "Size", lambda name: str(len(name)), figure=True, order=True, short=True),
        Column("plain", "Plain", str.upper),
    )

    def counted(name):
        return lambda value: held.update({name: value})

    ledger(
        columns,
        names,
        opens=lambda name: (LOAN if name == "a" else ENTITY, name),
        key="stage",
        caption="Stage",
        order=held.get("order"),
        on_order=counted("order"),
        ticks=Ticks(held.get("ticks", ("z",)), counted("ticks"), most=3),
        act=Act("Watch", counted("acted"), held.get("off", "")),
        beside=Beside(None, counted("shown")),
    )
    ledger(columns, names, opens=lambda name: (LOAN, name), key="a __ b___", caption="Other")


@pytest.fixture
def staged() -> AppTest:
    app = AppTest.from_function(stage).run()
    assert not app.exception
    return app


def sent(app, at=0):
    import json

    return json.loads(app.get("bidi_component")[at].proto.json)


def test_rows_go_out_as_words_and_addresses(staged):
    assert ledgers(staged)["Stage"][0] == {"Name": "a", "Size": "1", "Plain": "A"}
    assert addresses(staged, "Stage") == [
        "loan?loan_number=a", "entity?entity_name=b", "entity?entity_name=c",
    ]  # fmt: skip
    name, size, plain = sent(staged)["columns"]
    assert (name["order"], size["order"], plain["order"]) == (True, True, False)
    assert (size["right"], size["short"], name["help"]) == (True, True, "a b")


def test_without_an_order_to_heed_no_head_orders(staged):
    assert not any(column["order"] for column in sent(staged, 1)["columns"])


@pytest.mark.parametrize("value", ["plain", "absent", ["size"], None, {"a": 1}])
def test_a_head_that_orders_nothing_is_not_heeded(value, staged):
    app = send(staged, "Stage", "ordered", value)
    assert not app.exception
    assert "order" not in app.session_state


def test_ticks_are_those_of_all_pages_and_no_more_than_may_be(staged):
    assert sent(staged)["ticks"] == {"label": "Compare", "most": 3, "ticked": ["z"]}
    app = send(staged, "Stage", "ticked", ["z", "b", "b", "unheard of", ["a"], 7, "a", "c"])
    assert not app.exception
    assert app.session_state["ticks"] == ("z", "b", "a")
    assert sent(app)["ticks"]["ticked"] == ["z", "b", "a"]
    assert send(app, "Stage", "ticked", []).session_state["ticks"] == ()


def test_the_button_of_a_row_acts_on_that_record(staged):
    assert sent(staged)["act"] == {"label": "Watch", "off": ""}
    assert send(staged, "Stage", "acted", "b").session_state["acted"] == "b"


@pytest.mark.parametrize("event", ["acted", "shown"])
@pytest.mark.parametrize("value", ["unheard of", None, 7, ["a"], {"a": 1}])
def test_what_is_no_row_is_neither_acted_on_nor_shown(event, value, staged):
    app = send(staged, "Stage", event, value)
    assert not app.exception
    assert event not in app.session_state


def test_where_nothing_can_be_done_a_button_does_nothing_and_says_why(staged):
    staged.session_state["off"] = "A reader watches nothing"
    app = staged.run()
    assert sent(app)["act"]["off"] == "A reader watches nothing"
    assert "acted" not in send(app, "Stage", "acted", "b").session_state


@pytest.mark.parametrize("value", ["//evil.example", "loans?state=TX", 7, None, ["x"], {"a": 1}])
def test_a_link_that_is_none_of_ours_goes_nowhere(value, staged):
    app = send(staged, "Stage", "opened", value)
    assert not app.exception
    assert "goto" not in app.session_state


def test_hostile_names_go_out_as_they_are_but_for_what_nobody_can_see(staged):
    rtl = "\u202egnp.exe"
    staged.session_state["names"] = [*WORDS, rtl, "x\n\ty", "long" * 2500]
    names = [row["Name"] for row in ledgers(staged.run())["Stage"]]
    assert names == [*WORDS, "\ufffdgnp.exe", "x y", "long" * 2500]
    assert addresses(staged, "Stage")[-3].endswith("%E2%80%AEgnp.exe")


def test_the_script_reads_nothing_as_markup_or_code(staged):
    js = asset("sized.js", "ledger.js")
    html, css = asset("ledger.html"), asset("ledger.css")
    for one in components(staged, "atlas_ledger"):
        assert (one.js_content, one.html_content, one.css_content) == (js, html, css)
    sinks = (
        r"innerHTML|outerHTML|insertAdjacent|document\.write|createContextual|DOMParser|srcdoc"
        r"|setHTML|\beval\b|Function\(|import\(|fetch|XMLHttp|https?:|//[\w.]+\.\w|@import|url\("
    )
    for document in (js, html, css):
        assert re.findall(sinks, document) == []
    # Attributes that data may set, by name; none of them is code, and addresses are of our making.
    assert set(re.findall(r'setAttribute\((?:"([\w-]+)"|[^"])', js)) == {
        "aria-current", "aria-sort", "aria-description", "aria-label", "d",
    }  # fmt: skip
