"""Every tool by the official client over both transports (D235): the same, and what the store says.

Over standard input the store is the user's own (D239).
"""

import asyncio
import json
from urllib.parse import parse_qsl, urlsplit

import pytest

from components.changes.view import ChangesView
from components.entities.search import EntityView
from components.frame import routes
from components.graph.ends import ConnectionView
from components.graph.filters import GraphView
from components.loans.filters import LoanView
from components.signals.filters import SignalView
from components.what_if.view import WhatIfView
from services.assistants.tools import TOOLS
from services.contract.access import LICENCE_TIERS
from services.contract.history import ChangeQuery
from services.contract.loan_filter import LoanFilter
from services.contract.queries import EntityQuery, SignalQuery, parse
from tests.mcp.conftest import over_http, over_stdio

#: What a page reads its address by.
VIEWS = {
    "search_loans": LoanView,
    "list_signals": SignalView,
    "find_entity": EntityView,
    "graph_paths": GraphView,
    "connection": ConnectionView,
    "concentration": LoanView,
    "what_if": WhatIfView,
    "changes": ChangesView,
}
TYPED = {
    "search_loans", "get_loan", "loan_history", "list_signals", "explain_signal", "find_entity",
    "ownership_chain", "graph_paths", "connection", "concentration", "what_if", "changes",
    "portfolio_summary",
}  # fmt: skip


@pytest.fixture(scope="module")
def book(workspace):
    """What the store itself answers."""
    with workspace.lease() as lease:
        yield lease.source


@pytest.fixture(scope="module")
def asked(book):
    """A question to every tool."""
    signal = book.signals(SignalQuery(severity="critical")).items[0]
    number = signal.loan_number
    borrower = book.ownership(number).chain[0].entity_name
    return {
        "search_loans": {"state": ["TX", "CA"], "order": "-book_value", "per_page": 3},
        "get_loan": {"loan_number": number},
        "loan_history": {"loan_number": number},
        "list_signals": {"severity": ["critical", "severe"], "per_page": 2},
        "explain_signal": {"loan_number": number, "signal_type": signal.signal_type},
        "find_entity": {"name": borrower, "per_page": 2},
        "ownership_chain": {"loan_number": number},
        "graph_paths": {"loan_number": number, "depth": 2, "per_page": 3},
        "connection": {"from_loan": number, "to_entity": borrower},
        "concentration": {"by": "lender", "groups": 2},
        "what_if": {"rates": 100, "property_type": "office"},
        "changes": {"per_page": 2},
        "portfolio_summary": {},
    }


async def every(client, questions):
    """The answer of each tool; the client checks each against the tool's output schema."""
    listed = (await client.list_tools()).tools
    assert {one.name for one in listed} == TYPED
    for one in listed:
        assert one.annotations.read_only_hint
        assert not one.annotations.destructive_hint
        assert one.output_schema["properties"]["data"]
    return {name: await client.call_tool(name, given) for name, given in questions.items()}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_both_transports_answer_alike_and_as_the_store_does(service, key, store, book, asked, mode):
    async def both():
        async with over_http(service.address, key(), mode=mode) as client:
            http = await every(client, asked)
        async with over_stdio(
            store, mode=mode, CREDIT_ATLAS_DASHBOARD_URL="https://atlas.example"
        ) as client:
            return http, await every(client, asked)

    http, stdio = asyncio.run(both())
    for name in TYPED:
        assert not http[name].is_error, http[name].content
        assert http[name].structured_content == stdio[name].structured_content
        assert json.loads(http[name].content[0].text) == http[name].structured_content
        assert len(http[name].content) == 1
    said = {name: one.structured_content for name, one in http.items()}
    number = asked["get_loan"]["loan_number"]
    loan = book.loan(number).model_dump(mode="json")
    assert said["get_loan"]["data"] == loan
    largest = book.loans_found(
        LoanFilter(state=("CA", "TX"), order="-book_value", per_page=3), ("book_value",)
    )
    assert [
        (one["loan_number"], one["values"]["book_value"])
        for one in said["search_loans"]["data"]["loans"]
    ] == [(one.loan_number, one.values["book_value"]) for one in largest.items]
    assert said["search_loans"]["pagination"] == {
        "page": 1, "per_page": 3, "total": largest.total,
    }  # fmt: skip
    explained = said["explain_signal"]["data"]
    fired = {one["rule"] for one in explained["signals"][0]["components"]}
    assert {card["id"] for card in explained["rules"]} == fired != set()
    assert explained["filed_in"]["title"] == loan["extended"]["source"]
    assert len(said["loan_history"]["data"]["history"]["rows"]) == 3
    found = book.entities(EntityQuery(name=asked["find_entity"]["name"])).items[0]
    assert said["find_entity"]["data"][0] == found.model_dump(mode="json")
    assert len(said["connection"]["data"]["connections"][0]["edges"]) == 1
    assert said["portfolio_summary"]["data"]["totals"]["book"]["loans"] == 200
    changes = book.changes(ChangeQuery(per_page=2))
    assert said["changes"]["data"]["loans"] == changes.loans
    assert said["changes"]["pagination"]["total"] == changes.found.total


def test_a_link_names_a_page_and_what_the_page_is_asked_by(service, key, asked):
    async def links():
        async with over_http(service.address, key()) as client:
            return [
                (await client.call_tool(name, given)).structured_content["link"]
                for name, given in asked.items()
            ]

    pages = {route.path for route in routes.ROUTES}
    for one, link in zip(asked, asyncio.run(links()), strict=True):
        parts = urlsplit(link)
        assert (parts.scheme, parts.netloc) == ("https", "atlas.example")
        assert parts.path.removeprefix("/") in pages, one
        params = dict(parse_qsl(parts.query))
        if "loan_number" in asked[one] and one != "connection":
            assert params["loan_number"] == asked[one]["loan_number"]
        if view := VIEWS.get(one):
            assert parse(view, params), one
    assert "order=-book_value" in asyncio.run(links())[0]


def test_an_answer_is_bounded_and_says_the_total(service, key, asked):
    async def ask():
        async with over_http(service.address, key()) as client:
            over = await client.call_tool("search_loans", {"per_page": 101})
            past = await client.call_tool("search_loans", {"page": 10**6})
            line = await client.call_tool("loan_history", {**asked["loan_history"], "most": 1})
            return over, past, line

    over, past, line = asyncio.run(ask())
    assert over.is_error
    assert over.content[0].text == "Parameter 'per_page' is '101' but must be at most 100"
    assert past.structured_content["data"]["loans"] == []
    assert past.structured_content["pagination"]["total"] == 200
    history = line.structured_content["data"]
    assert (len(history["history"]["rows"]), history["rows_total"]) == (1, 3)
    assert history["history"]["events"] == []


def test_every_parameter_has_words_and_bounds_of_the_schema_are_those_that_hold():
    from services.assistants.schemas import input_schema

    for tool in TOOLS:
        schema = input_schema(tool)
        assert schema["additionalProperties"] is False
        assert schema["properties"].keys() <= tool.question.model_fields.keys()
        bare = [
            name
            for name, one in schema["properties"].items()
            if "description" not in one and name not in {"page", "per_page"}
        ]
        assert bare == [], tool.name
        assert '"null"' not in json.dumps(schema)
    per_page = input_schema(TOOLS[0])["properties"]["per_page"]
    assert (per_page["minimum"], per_page["maximum"]) == (1, 100)


def test_resources_and_prompts(service, key, book, asked):
    number = asked["get_loan"]["loan_number"]

    async def read():
        async with over_http(service.address, key("resolution")) as client:
            listed = {str(one.uri) for one in (await client.list_resources()).resources}
            texts = {
                uri: json.loads((await client.read_resource(uri)).contents[0].text)
                for uri in (*listed, "creditatlas://rules/RP-1", "creditatlas://decisions/D24")
            }
            prompts = [one.name for one in (await client.list_prompts()).prompts]
            memo = await client.get_prompt("screening_memo", {"loan_number": number})
            news = await client.get_prompt("morning_briefing", {"since": "2026-06-30"})
            return texts, prompts, memo.messages[0].content.text, news.messages[0].content.text

    texts, prompts, memo, news = asyncio.run(read())
    cards = {card.id: card.model_dump(mode="json") for card in book.rules()}
    assert [one["id"] for one in texts["creditatlas://rules"]] == list(cards)
    assert texts["creditatlas://rules/RP-1"] == [cards["RP-1"]]
    assert {"name": "ltv", "label": "LTV", "unit": "fraction", "stated_by": "scored"}.items() <= (
        next(one for one in texts["creditatlas://glossary"] if one["name"] == "ltv").items()
    )
    assert texts["creditatlas://decisions/D24"][0]["gap"] == "One condition, one signal"
    assert prompts == ["screening_memo", "morning_briefing"]
    assert f'"{number}"' in memo
    assert '"2026-06-30"' in news


def test_a_local_store_is_seen_as_a_tier(store, asked):
    async def ask():
        async with over_stdio(store, "--tier", "base") as client:
            return (
                await client.call_tool("get_loan", asked["get_loan"]),
                await client.call_tool("ownership_chain", asked["ownership_chain"]),
            )

    loan, chain = asyncio.run(ask())
    assert not loan.is_error
    assert chain.content[0].text == (
        f"The licence tier {LICENCE_TIERS['base']} of this key does not cover this endpoint; "
        "Resolution and Complete do"
    )


def test_a_service_is_asked_over_standard_input_too(service, key, asked):
    """`--api`: six endpoints and our extensions by the client; the rest says what it lacks."""

    async def ask():
        environment = {"CREDIT_ATLAS_API_KEY": key("complete")}
        async with over_stdio(None, "--api", service.address, **environment) as client:
            return {
                name: await client.call_tool(name, given)
                for name, given in {
                    **asked, "search_loans": {"state": "TX", "per_page": 3},
                    "list_signals": {"severity": "critical", "per_page": 2},
                }.items()
            }  # fmt: skip

    said = asyncio.run(ask())
    lacking = {name for name, one in said.items() if one.is_error}
    assert lacking == {
        "explain_signal", "connection", "concentration", "what_if", "portfolio_summary",
    }  # fmt: skip
    assert "the six endpoints alone" in said["what_if"].content[0].text
    number = asked["get_loan"]["loan_number"]
    assert said["get_loan"].structured_content["data"]["loan_number"] == number
    assert said["search_loans"].structured_content["data"]["loans"][0]["values"]["book_value"]
