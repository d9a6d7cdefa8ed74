"""What a page sees when the service or the network misbehaves: over a real socket."""

from urllib.parse import unquote

import pytest
from pydantic import SecretStr

from services.client.source import ApiSource, connect
from services.client.transport import Transport
from services.contract.errors import (
    BadPayload,
    Forbidden,
    InternalError,
    InvalidRequest,
    NotFound,
    RateLimited,
    Unauthorized,
    Unreachable,
)
from services.contract.queries import LoanQuery
from services.contract.source import CreditSource
from tests.client.fault_server import (
    cut,
    drop,
    gzip_bomb,
    html_reply,
    json_reply,
    reply,
    silence,
    slow_body,
)

ALL = LoanQuery()
PAGING = {"page": 1, "per_page": 25, "total": 1}
GOOD = {"data": [{"loan_number": "LN-1"}], "pagination": PAGING, "meta": {"request_id": "r"}}
ERROR = {"error": {"code": "c", "message": "As said", "request_id": "req_7"}}


def numbers(source: ApiSource) -> list[str]:
    return [loan.loan_number for loan in source.loans(ALL).items]


def test_the_source_is_a_credit_source(source):
    waist: CreditSource = source
    assert all(hasattr(waist, name) for name in CreditSource.__dict__ if name[0] != "_")


def test_a_429_with_a_short_wait_is_waited_out(source, server, slept):
    server.script(json_reply(ERROR, 429, {"Retry-After": "2"}), json_reply(GOOD))
    assert numbers(source) == ["LN-1"]
    assert slept == [2.0]


def test_a_429_with_a_date_is_waited_out(source, server, slept):
    when = {"Date": "Mon, 05 Oct 2026 12:00:00 GMT", "Retry-After": "Mon, 05 Oct 2026 12:00:03 GMT"}
    server.script(json_reply(ERROR, 429, when), json_reply(GOOD))
    assert numbers(source) == ["LN-1"]
    assert slept == [3.0]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [({"Retry-After": "6"}, 6), ({}, 60), ({"X-RateLimit-Reset": "1"}, 60)],
)
def test_a_429_with_a_long_wait_or_none_fails_at_once(source, server, slept, headers, wait):
    # D43
    server.script(json_reply(ERROR, 429, headers))
    with pytest.raises(RateLimited) as caught:
        source.loans(ALL)
    assert caught.value.retry_after == wait
    assert (slept, len(server.requests)) == ([], 1)


def test_a_429_that_stays_is_raised_after_three_tries(source, server, slept):
    server.script(json_reply(ERROR, 429, {"Retry-After": "1"}))
    with pytest.raises(RateLimited):
        source.loans(ALL)
    assert (slept, len(server.requests)) == ([1.0, 1.0], 3)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_two_failures_then_an_answer_is_an_answer(source, server, slept, status):
    server.script(reply(status), reply(status), json_reply(GOOD))
    assert numbers(source) == ["LN-1"]
    assert slept == [0.375, 0.75]


def test_three_failures_are_raised_with_the_request_id(source, server):
    server.script(json_reply(ERROR, 500))
    with pytest.raises(InternalError, match=r"\(request req_7\)"):
        source.loans(ALL)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, InvalidRequest), (401, Unauthorized), (403, Forbidden), (404, NotFound)],
)
def test_what_the_service_refuses_is_not_asked_again(source, server, slept, status, kind):
    server.script(json_reply(ERROR, status))
    with pytest.raises(kind):
        source.loans(ALL)
    assert (slept, len(server.requests)) == ([], 1)


@pytest.mark.parametrize("fault", [drop(), cut(b'{"data": [' + b" " * 90, 40), silence(0)])
def test_a_dropped_connection_is_tried_three_times(source, server, fault):
    server.script(fault, fault, json_reply(GOOD))
    assert numbers(source) == ["LN-1"]
    server.script(fault)
    with pytest.raises(Unreachable, match="broke the connection off"):
        source.loans(ALL)
    assert len(server.requests) == 3


def test_a_closed_port_says_so(slept, key):
    with ApiSource(Transport("http://127.0.0.1:9", SecretStr(key)), sleep=slept.append) as source:
        with pytest.raises(Unreachable, match=r"http://127.0.0.1:9 cannot be reached"):
            source.loans(ALL)
        assert len(slept) == 2


@pytest.mark.parametrize("fault", [silence(5), slow_body([b"{"], 5), slow_body([b" "] * 100, 0.05)])
def test_a_slow_answer_ends_at_the_timeout_and_is_not_asked_again(make, server, slept, fault):
    source = make(timeout_seconds=0.2)
    server.script(fault)
    with pytest.raises(Unreachable, match=r"did not answer within 0.2 s"):
        source.loans(ALL)
    server.heard(1)  # the client may have given up before the server came to read
    assert (slept, len(server.requests)) == ([], 1)


WRONG = {"data": [{"loan_number": "LN-1", "book_value": "lots"}], "pagination": PAGING}
NAMELESS = {"data": [{"book_value": 5}], "pagination": PAGING}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (reply(200, b'{"data": [{"loan_num'), "not whole, valid JSON"),
        (reply(200, b'{"data": ["\xe9"]}'), "not whole, valid JSON"),
        (reply(200, b""), "not whole, valid JSON"),
        (html_reply(), "web page"),
        (html_reply(404), "without the service's error body"),
        (json_reply(WRONG), "'book_value'"),
        (json_reply(NAMELESS), "'loan_number'"),
        (json_reply({"data": []}), "'pagination'"),
        (json_reply({"pagination": PAGING}), "'data'"),
        (reply(200, b" " * 10_000_001), "larger than 10,000,000 bytes"),
        (reply(200, b" ", {"Content-Length": "9" * 18}), "larger than 10,000,000 bytes"),
        (gzip_bomb(20_000_000), "larger than 10,000,000 bytes"),
        (gzip_bomb(1_000_000, layers=3), "packed as 'gzip, gzip, gzip'"),
        (reply(200, b"junk", {"Content-Encoding": "gzip"}), "does not unpack"),
        (reply(204), "status 204"),
    ],
)
def test_garbage_is_a_bad_payload_and_is_not_asked_again(source, server, slept, fault, said):
    server.script(fault)
    with pytest.raises(BadPayload, match=said):
        source.loans(ALL)
    assert (slept, len(server.requests)) == ([], 1)


def test_a_large_answer_within_the_limit_is_read(make, server):
    loans = [{"loan_number": f"LN-{i}", "note": "x" * 5_000} for i in range(100)]
    paging = {"page": 1, "per_page": 100, "total": 100}
    server.script(json_reply({"data": loans, "pagination": paging}))
    assert len(make(max_bytes=600_000).loans(LoanQuery(per_page=100)).items) == 100
    with pytest.raises(BadPayload, match="larger than 400,000 bytes"):
        make(max_bytes=400_000).loans(LoanQuery(per_page=100))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(source, server, status):
    # D42
    server.script(reply(status, headers={"Location": "http://localhost:1/v1/loans"}))
    with pytest.raises(BadPayload, match=r"to localhost .*the key would go along"):
        source.loans(ALL)
    server.script(reply(status, headers={"Location": server.url + "/v1/other"}))
    with pytest.raises(BadPayload, match="not followed"):
        source.loans(ALL)
    assert len(server.requests) == 1


def test_a_source_that_recovers_answers_again_on_the_same_pool(source, server):
    server.script(html_reply())
    with pytest.raises(BadPayload):
        source.loans(ALL)
    server.script(json_reply(GOOD))
    before = server.connections
    assert numbers(source) == numbers(source) == ["LN-1"]
    assert server.connections - before <= 1


def test_a_closed_source_says_so(server, key):
    source = connect(server.url, SecretStr(key))
    source.close()
    with pytest.raises(Unreachable, match="open the source again"):
        source.loans(ALL)


@pytest.mark.parametrize(
    "number", ["a/b", "..", ".", "a#b?c=d", "50% ü漢", "a b+c", "%2F", "'[]!*"]
)
def test_odd_loan_numbers_reach_the_service_as_they_are(source, server, number):
    server.script(json_reply({"data": {"loan_number": number}}))
    assert source.loan(number).loan_number == number
    target = server.requests[0].target
    assert unquote(target.removeprefix("/v1/loans/")) == number
    assert target.count("/") == 3
