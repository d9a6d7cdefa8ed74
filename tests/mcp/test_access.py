"""Keys, tiers, limits, bounds and the log at /mcp: those of the API (D235, D236, D238)."""

import asyncio
import http.client
import json
import logging
import urllib.error
import urllib.request

import pytest
from mcp.shared.exceptions import MCPError

from services.api import assistants
from services.api.limiting import allowances
from services.assistants.tools import TOOLS
from services.contract.access import LICENCE_TIERS
from tests import servers
from tests.mcp.conftest import over_http

#: Which tiers answer each tool: those of the endpoint whose licence it goes by, typed by hand.
LOANS, PARTIES, GRAPH = (
    ("base", "complete"),
    ("resolution", "complete"),
    ("capital_graph", "complete"),
)
OPEN = {
    "search_loans": LOANS, "get_loan": LOANS, "loan_history": LOANS, "list_signals": LOANS,
    "explain_signal": LOANS, "find_entity": PARTIES, "ownership_chain": PARTIES,
    "graph_paths": GRAPH, "connection": GRAPH, "concentration": LOANS, "what_if": LOANS,
    "changes": LOANS, "portfolio_summary": LOANS,
}  # fmt: skip
NUMBER = "CA-000001"
ASKED = {
    "get_loan": {"loan_number": NUMBER},
    "loan_history": {"loan_number": NUMBER},
    "explain_signal": {"loan_number": NUMBER},
    "ownership_chain": {"loan_number": NUMBER},
    "graph_paths": {"loan_number": NUMBER},
    "connection": {"from_loan": NUMBER, "to_loan": "CA-000002"},
    "concentration": {"by": "state"},
}
CALL = {
    "jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "get_loan", "arguments": {"loan_number": NUMBER}},
}  # fmt: skip
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


def post(port, body, *, method="POST", **headers):
    """Status, headers and body of one request without a client."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, "/mcp", data, {**HEADERS, **named})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def api(service, path, key):
    """Status and message of a refusal of the API."""
    request = urllib.request.Request(
        service.address + path, headers={"Authorization": f"Bearer {key}"}
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    with refused.value as error:
        return error.code, json.loads(error.read())["error"]["message"]


def test_every_tool_is_open_to_the_tiers_of_its_endpoint_and_to_no_other(service, key):
    async def ask():
        found = {}
        for tier in LICENCE_TIERS:
            async with over_http(service.address, key(tier)) as client:
                for tool in OPEN:
                    said = await client.call_tool(tool, ASKED.get(tool, {}))
                    found[tier, tool] = said
        return found

    assert OPEN.keys() == {tool.name for tool in TOOLS}
    for (tier, tool), said in asyncio.run(ask()).items():
        assert said.is_error is (tier not in OPEN[tool]), (tier, tool, said.content)
        if said.is_error:
            error = said.structured_content["error"]
            assert error["code"] == "forbidden"
            assert error["request_id"].startswith("req_")
            names = " and ".join(LICENCE_TIERS[one] for one in OPEN[tool])
            assert said.content[0].text == (
                f"The licence tier {LICENCE_TIERS[tier]} of this key does not cover this endpoint; "
                f"{names} do"
            )


def test_a_refusal_is_the_sentence_of_the_api(service, key):
    async def ask(tier, tool, given):
        async with over_http(service.address, key(tier)) as client:
            return (await client.call_tool(tool, given)).content[0].text

    for tier, tool, given, path in (
        ("base", "ownership_chain", {"loan_number": NUMBER}, f"/v1/entities/{NUMBER}/ownership"),
        ("base", "changes", {"sponsors": True}, "/v1/changes?sponsors=yes"),
        ("complete", "get_loan", {"loan_number": "nowhere"}, "/v1/loans/nowhere"),
        ("complete", "find_entity", {"confidence_min": 2}, "/v1/entities?confidence_min=2"),
        ("complete", "graph_paths", {"loan_number": "1", "depth": 7},
         "/v1/graph/paths?loan_number=1&depth=7"),
        ("complete", "find_entity", {"nam": "x"}, "/v1/entities?nam=x"),
    ):  # fmt: skip
        said = asyncio.run(ask(tier, tool, given))
        assert said == api(service, path, key(tier))[1]


def test_parties_are_not_asked_for_around_the_tier(service, key):
    async def ask():
        async with over_http(service.address, key("base")) as client:
            return [
                (await client.call_tool(tool, given)).content[0].text
                for tool, given in (
                    ("search_loans", {"sponsor": "Anybody"}),
                    ("search_loans", {"party": "walnut"}),
                    ("search_loans", {"order": "sponsor"}),
                    ("search_loans", {"columns": ["borrower"]}),
                    ("concentration", {"by": "sponsor"}),
                    ("list_signals", {"sponsor": "Anybody"}),
                    ("what_if", {"family": "Anybody"}),
                )
            ]

    named = ["sponsor", "party", "order", "columns", "by", "sponsor", "family"]
    assert asyncio.run(ask()) == [
        f"The licence tier Base of this key does not cover parties; leave '{name}' out, or use a "
        "key of Complete"
        for name in named
    ]


@pytest.mark.parametrize("secret", [None, "ca_live_" + "x" * 43])
def test_without_a_good_key_nothing_is_answered(service, secret):
    async def ask():
        async with over_http(service.address, secret):
            pass

    with pytest.raises(BaseException) as refused:  # noqa: PT011 - the client wraps it in groups
        asyncio.run(ask())
    said = str(_first(refused.value))
    assert ("No API key was given" if secret is None else "is not valid or was revoked") in said
    status, headers, body = post(service.port, CALL)
    assert (status, headers["www-authenticate"]) == (401, "Bearer")
    assert json.loads(body)["error"]["data"]["code"] == "unauthorized"


def _first(error):
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def test_a_revoked_key_is_refused_at_its_next_message(service):
    secret = service.key("complete")

    async def ask():
        async with over_http(service.address, secret) as client:
            await client.call_tool("get_loan", {"loan_number": NUMBER})
            service.keys.revoke(service.keys.find(secret).id)
            with pytest.raises(MCPError, match="not valid or was revoked"):
                await client.call_tool("get_loan", {"loan_number": NUMBER})

    asyncio.run(ask())


def left(service, secret):
    """What is left of the day after a request to the API."""
    request = urllib.request.Request(
        service.address + "/v1/loans", headers={"Authorization": f"Bearer {secret}"}
    )
    with urllib.request.urlopen(request) as answer:
        return answer.headers["x-ratelimit-daily-remaining"]


def test_the_quota_of_the_day_is_that_of_the_api_and_refuses_in_its_words(workspace, tmp_path):
    """Messages and requests of the API are counted together, each once."""
    sources = {"production": workspace}
    with servers.service(tmp_path, sources, allowances=allowances(100, 6)) as running:
        secret, sent = running.key("complete"), []

        async def ask():
            async with over_http(running.address, secret, sent=sent.append) as client:
                while len(sent) < 5:
                    await client.call_tool("get_loan", {"loan_number": NUMBER})
                assert await asyncio.to_thread(left, running, secret) == "0"
                with pytest.raises(MCPError) as refused:
                    await client.call_tool("get_loan", {"loan_number": NUMBER})
                return refused.value

        error = asyncio.run(ask())
        status, message = api(running, "/v1/loans", secret)
        begin = "The daily quota of this key is used up; try again in "
        assert error.error.message.startswith(begin)
        assert error.error.data["code"] == "rate_limited"
        assert (status, message.startswith(begin)) == (429, True)
        status, headers, _ = post(running.port, CALL, Authorization=f"Bearer {secret}")
        assert status == 429
        assert int(headers["retry-after"]) > 80_000


def test_the_rate_per_minute_refuses_too(workspace, tmp_path):
    with servers.service(
        tmp_path, {"production": workspace}, allowances=allowances(3, 100)
    ) as running:
        bearer = {"Authorization": f"Bearer {running.key('complete')}"}
        statuses = [post(running.port, CALL, **bearer) for _ in range(4)]
        assert [status for status, _, _ in statuses] == [200, 200, 200, 429]
        left = [headers["x-ratelimit-remaining"] for _, headers, _ in statuses]
        assert left == ["2", "1", "0", "0"]
        said = json.loads(statuses[-1][2])
        assert "The rate per minute of this key is used up" in said["error"]["message"]
        assert said["jsonrpc"] == "2.0"


def test_64_clients_at_once_are_each_answered_and_counted_exactly(workspace, tmp_path):
    many, day = 64, 10_000
    with servers.service(
        tmp_path, {"production": workspace}, allowances=allowances(day, day)
    ) as running:
        secret, sent = running.key("complete"), []

        async def one(at):
            number = f"CA-{at + 1:06}"
            async with over_http(running.address, secret, sent=sent.append) as client:
                said = await asyncio.gather(
                    client.call_tool("get_loan", {"loan_number": number}),
                    client.call_tool("search_loans", {"find": number}),
                    client.call_tool("portfolio_summary", {}),
                )
            assert not any(answer.is_error for answer in said)
            loan, found, book = (answer.structured_content["data"] for answer in said)
            assert loan["loan_number"] == number
            assert [row["loan_number"] for row in found["loans"]] == [number]
            return book["totals"]["book"]

        async def all_of_them():
            return await asyncio.gather(*(one(at) for at in range(many)))

        books = asyncio.run(all_of_them())
        assert len(books) == many
        assert all(one == books[0] for one in books)
        assert len(sent) >= many * 4  # the door is opened, then three calls
        _, headers, _ = post(running.port, CALL, Authorization=f"Bearer {secret}")
        assert int(headers["x-ratelimit-daily-remaining"]) == day - len(sent) - 1


def test_of_64_clients_no_more_are_answered_than_the_quota_has(workspace, tmp_path):
    with servers.service(
        tmp_path, {"production": workspace}, allowances=allowances(10_000, 40)
    ) as running:
        bearer = {"Authorization": f"Bearer {running.key('complete')}"}

        async def all_of_them():
            return await asyncio.gather(
                *(asyncio.to_thread(post, running.port, CALL, **bearer) for _ in range(64))
            )

        statuses = [status for status, _, _ in asyncio.run(all_of_them())]
        assert (statuses.count(200), statuses.count(429)) == (40, 24)


def test_pages_of_the_web_are_refused_and_any_host_is_as_good_as_for_the_api(service, key):
    bearer = {"Authorization": f"Bearer {key()}"}
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{service.port}"):
        status, _, body = post(service.port, CALL, Origin=origin, **bearer)
        assert (status, json.loads(body)["error"]["data"]["code"]) == (403, "forbidden")
    assert post(service.port, CALL, Host="evil.example", **bearer)[0] == 200
    assert post(service.port, CALL, Host="evil.example")[0] == 401


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_messages_are_posted_and_nothing_else(service, key, method):
    status, headers, body = post(service.port, b"", method=method, Authorization=f"Bearer {key()}")
    assert (status, headers["allow"]) == (405, "POST")
    assert json.loads(body)["error"]["data"]["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    ("body", "statuses"),
    [
        (b"x" * (assistants.MAX_BODY + 1), {413}),
        (b"{", {400}),
        (b"", {400}),
        (b"[" * 100_000, {400}),
        (b"\xff\xfe", {400}),
        (json.dumps([CALL] * 3).encode(), {400}),
        (json.dumps({**CALL, "params": {"name": "drop"}}).encode(), {200, 400}),
        (json.dumps({**CALL, "method": "tools/none"}).encode(), {200, 404}),
        (
            json.dumps({**CALL, "params": {"name": "get_loan", "arguments": [1]}}).encode(),
            {200, 400},
        ),
    ],
    ids=["large", "cut", "none", "deep", "bytes", "batch", "no tool", "no method", "arguments"],
)
def test_what_is_no_message_is_refused_and_the_service_goes_on(service, key, body, statuses):
    bearer = {"Authorization": f"Bearer {key()}"}
    status, headers, said = post(service.port, body, **bearer)
    assert status in statuses
    assert "error" in json.loads(said)
    assert headers["cache-control"] == "no-store"
    assert post(service.port, CALL, **bearer)[0] == 200


def test_a_message_that_does_not_come_is_not_waited_for(service, key, monkeypatch):
    monkeypatch.setattr(assistants, "BODY_SECONDS", 0.2)
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    try:
        connection.putrequest("POST", "/mcp")
        connection.putheader("Authorization", f"Bearer {key()}")
        connection.putheader("Content-Length", "100")
        connection.endheaders(b"{")
        answer = connection.getresponse()
        assert (answer.status, "did not come within" in answer.read().decode()) == (400, True)
    finally:
        connection.close()


def test_a_key_in_the_address_is_refused_as_by_the_api(service, key):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    try:
        connection.request(
            "POST", f"/mcp?key={key()}", json.dumps(CALL), {**HEADERS, "Authorization": "Bearer x"}
        )
        answer = connection.getresponse()
        assert (answer.status, "A key does not belong in a URL" in answer.read().decode()) == (
            400,
            True,
        )
    finally:
        connection.close()


def test_the_log_says_which_key_asked_what_and_nothing_of_the_answer(service, key, caplog):
    with caplog.at_level(logging.INFO, "creditatlas.access"):
        post(service.port, CALL, Authorization=f"Bearer {key()}")
    line = next(one.msg for one in caplog.records if one.name == "creditatlas.access")
    assert line.items() >= {
        "method": "POST", "path": "/mcp", "status": 200, "asked": "tools/call get_loan",
        "key": service.keys.find(key()).id,
    }.items()  # fmt: skip
    assert NUMBER not in str(line)


def test_a_failure_of_ours_is_told_by_its_request_id_alone(tmp_path, caplog):
    class Broken:
        def loan(self, _):
            raise RuntimeError("/var/secret.duckdb is corrupt")

    with servers.service(tmp_path, {"production": Broken()}) as running:
        _, _, body = post(running.port, CALL, Authorization=f"Bearer {running.key()}")
    said = json.loads(body)["result"]
    assert said["isError"]
    assert said["content"][0]["text"].startswith("The service could not answer; try again")
    assert "secret" not in body.decode()
    request_id = said["structuredContent"]["error"]["request_id"]
    assert any(request_id in one.getMessage() for one in caplog.records)
