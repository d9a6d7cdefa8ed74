"""What comes over the wire is hostile: bytes that are no request, too much of everything.

Pins D106, D111 and D144.
"""

import select
import socket
import threading
from contextlib import suppress
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.api import protocol
from services.contract.records import LoanDetail, OwnershipChain
from tests.bad_bodies import CHUNKS, TWO_LENGTHS, answered_as_one
from tests.patience import until
from tests.tiers import examples


class Echo:
    """A source that has every loan there can be."""

    def loan(self, loan_number):
        return LoanDetail(loan_number=loan_number)

    def ownership(self, loan_number):
        return OwnershipChain(loan_number=loan_number)


@pytest.fixture(scope="module")
def echo(tmp_path_factory, open_service):
    with open_service(tmp_path_factory.mktemp("echo"), {"production": Echo()}) as service:
        yield service


ODD = [
    "A/B", "/", "//", "a//b/", "#1", "50%", "%2F", "a b", " a ", "a+b", "a?b=c", "a&b", "..", ".",
    "../../etc/passwd", "Ünïcode", "東京", "🏢", "a\nb", "a\n", "\t", "ownership", "x/ownership",
    "ownership/ownership", "\u202e", "A;B", "'\"<>\\^`{|}", "\ufffd",
]  # fmt: skip


@pytest.mark.parametrize("number", ODD)
def test_a_loan_number_may_hold_anything(echo, number):
    answer = echo.get("/v1/loans/" + quote(number, safe=""))
    assert answer.status == 200, answer.raw
    assert answer.body["data"]["loan_number"] == number
    answer = echo.get(f"/v1/entities/{quote(number, safe='')}/ownership")
    assert answer.body["data"]["loan_number"] == number


def test_a_slash_that_a_proxy_decoded_is_still_part_of_the_number(echo):
    assert echo.get("/v1/loans/A/B").body["data"]["loan_number"] == "A/B"


@examples(25, 60)
@given(st.text(min_size=1, max_size=40).filter(lambda text: "\x00" not in text))
def test_any_text_comes_back_as_the_loan_number_it_was(echo, number):
    try:
        path = quote(number, safe="")
    except UnicodeEncodeError:
        return
    assert echo.get(f"/v1/loans/{path}").body["data"]["loan_number"] == number


@examples(25, 80)
@given(
    st.sampled_from(["/v1/loans", "/v1/entities", "/v1/graph/paths", "/v1/signals", "/v1/loans/1"]),
    st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60),
)
def test_no_query_is_answered_with_a_500(service, path, query):
    answer = service.get(f"{path}?{query}")
    assert answer.status in {200, 400, 404}, answer.raw
    assert set(answer.body) in ({"error"}, {"data", "meta"}, {"data", "meta", "pagination"})


def test_a_target_that_is_too_long_is_a_414(service, assert_error_shape):
    assert_error_shape(service.get("/v1/loans?lender=" + "x" * 17_000), 414, "16,384")
    assert_error_shape(service.get("/v1/loans/" + "x" * 17_000), 414)


def test_headers_that_are_too_large_are_a_431(service, assert_error_shape):
    headers = [(f"X-{n}", "y" * 1_000) for n in range(33)]
    assert_error_shape(service.get("/v1/loans", headers=headers), 431, "32,768")


def test_the_longest_name_in_any_script_fits(echo):
    number = "🏢" * 1_000
    assert echo.get("/v1/loans/" + quote(number)).body["data"]["loan_number"] == number


@pytest.mark.parametrize(
    "data",
    [b"\x16\x03\x01\x02\x00\x01\x00", b"nonsense\r\n\r\n",
     b"GET /v1/\xff HTTP/1.1\r\n\r\n", b"GET http://[ HTTP/1.1\r\n\r\n",
     b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
     b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
     b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
     b"GET /v1/loans\r\n", b"GET /v1/loans\r\n\r\n", b"GET / HTTP/0.9\r\nHost: a\r\n\r\n",
     b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", b"GET / HTTP/1.1\r\nAccept: a\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_request_is_a_400_in_the_same_shape(service, data):
    heard = service.say(data)
    head, _, body = heard.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    for name in (b"x-ratelimit-remaining", b"x-ratelimit-reset", b"x-ratelimit-daily-remaining"):
        assert name in head
    assert body.startswith(b'{"error":{"code":"invalid_request","message":"')


@pytest.mark.parametrize("rest", TWO_LENGTHS.values(), ids=TWO_LENGTHS.keys())
def test_a_request_of_two_lengths_is_not_answered_as_two(service, rest):
    answered_as_one(service.port, rest)


def test_a_head_without_an_end_is_cut_off(service):
    heard = service.say(b"GET /v1/loans HTTP/1.1\r\nX: " + b"y" * 60_000)
    assert heard.startswith(b"HTTP/1.1 431 ")
    assert b'"code":"invalid_request"' in heard


@pytest.mark.parametrize("codings", [b"gzip", b"gzip, chunked", b"identity"])
def test_a_body_in_a_coding_that_is_not_read_is_a_501(service, codings):
    heard = service.say(
        b"GET /v1/loans HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + codings + b"\r\n\r\n0\r\n\r\n"
    )
    assert heard.startswith(b"HTTP/1.1 501 ")
    assert heard.count(b"HTTP/1.1") == 1
    assert b'"code":"invalid_request"' in heard


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("path", ["/v1/loans", "/mcp"])
def test_a_body_in_chunks_that_do_not_hold_together_is_answered(service, path, chunks):
    """The connection was closed without a word."""
    key = service.keys["complete", "production"]
    head = (
        f"POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\nContent-Type:"
        " application/json\r\nAccept: application/json, text/event-stream\r\nTransfer-Encoding:"
        " chunked\r\n\r\n"
    )
    heard = service.say(head.encode() + chunks)
    assert heard.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 405 "))
    assert heard.count(b'"error":{"code":') == 1


def test_a_chunked_body_and_a_host_that_http_1_0_need_not_name_are_fine(service):
    chunked = (
        b"Host: a\r\nConnection: close\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    )
    for head in (
        b"GET /openapi.json HTTP/1.1\r\n" + chunked,
        b"GET /openapi.json HTTP/1.0\r\n\r\n",
    ):
        assert service.say(head).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("head", [b"", b"GET /v1/loans HTTP/1.1\r\nX: ", b"\x16\x03\x01"])
def test_a_refusal_is_read_by_who_is_still_sending(service, head):
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as line:
        line.sendall(head)
        until(lambda: line.sendall(b"y" * 2**16) or select.select([line], [], [], 0)[0])
        for _ in range(40):  # the answer is there, and is not read yet
            line.sendall(b"y" * 2**16)
        heard = b""
        while part := line.recv(65_536):
            heard += part
    assert heard.startswith(b"HTTP/1.1 4")
    assert b'"code":"invalid_request"' in heard


def sends_until_cut_off(port, head, rest):
    """Sends on and on after a head; red where it may do so for ever."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall(head)

        def cut_off():
            try:
                line.sendall(rest)
            except ConnectionError:
                return True

        until(cut_off)


@pytest.mark.parametrize(("body", "ends"), [(b"", True), (b"12345", False)])
def test_an_answer_before_the_body_says_that_it_ends_the_connection(service, body, ends):
    head = b"POST /v1/loans HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as client:
        client.sendall(head + body)
        answer = client.recv(2**16)
    assert answer.startswith(b"HTTP/1.1 405")
    assert (b"\r\nconnection: close\r\n" in answer.lower()) is ends


UNENDING = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000000\r\n\r\n"


@pytest.mark.parametrize("head", [b"", UNENDING])
def test_who_sends_much_after_an_answer_is_cut_off_for_its_bytes(service, monkeypatch, head):
    monkeypatch.setattr(protocol, "LINGER_SECONDS", 3_600.0)
    sends_until_cut_off(service.port, head, b"y" * 2**20)


@pytest.mark.parametrize("head", [b"\x16\x03\x01", UNENDING])
def test_who_sends_little_after_an_answer_is_cut_off_in_the_end(service, monkeypatch, head):
    monkeypatch.setattr(protocol, "LINGER_SECONDS", 0.2)
    monkeypatch.setattr(protocol, "LINGER_BYTES", 2**40)
    sends_until_cut_off(service.port, head, b"y")


@pytest.fixture
def few(open_service, workspace, tmp_path, monkeypatch):
    """A service that takes five connections; those of other tests go to another."""
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 5)
    with open_service(tmp_path, {"production": workspace, "sandbox": workspace}) as service:
        yield service


def five(service, sent):
    lines = [socket.create_connection(("127.0.0.1", service.port), timeout=30) for _ in range(5)]
    for line in lines:
        line.sendall(sent)
    return lines


ASKED = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
CLOSING = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def test_one_connection_too_many_is_a_503_and_those_that_ask_go_on(few):
    secret = few.keys["complete", "production"].encode()
    half = b"POST /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + secret
    half += b"\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    lines = five(few, half)
    assert all(line.recv(100).startswith(b"HTTP/1.1 100 ") for line in lines)
    heard = few.say(CLOSING)
    assert heard.startswith(b"HTTP/1.1 503 ")
    assert b"Too many connections are open" in heard
    for line in lines:
        line.sendall(b"{}")
        assert line.recv(100).startswith(b"HTTP/1.1 4")
        line.close()
    until(lambda: few.say(CLOSING).startswith(b"HTTP/1.1 200 "))


def test_who_is_still_sending_after_an_answer_gives_way(few, monkeypatch):
    monkeypatch.setattr(protocol, "LINGER_SECONDS", 3_600.0)
    lines = five(few, UNENDING)
    assert all(line.recv(2**16).startswith(b"HTTP/1.1 4") for line in lines)
    assert few.say(CLOSING).startswith(b"HTTP/1.1 200 ")
    for line in lines:
        line.close()


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HT", ASKED])
def test_who_asks_for_nothing_for_longest_gives_way(few, sent):
    oldest, *others = lines = five(few, sent)
    if sent == ASKED:
        assert all(line.recv(2**16).startswith(b"HTTP/1.1 200 ") for line in lines)
    with socket.create_connection(("127.0.0.1", few.port), timeout=30) as newest:
        newest.sendall(ASKED)
        assert newest.recv(100).startswith(b"HTTP/1.1 200 ")
        with suppress(ConnectionResetError):
            assert oldest.recv(1) == b""
        for line in others:
            line.sendall(ASKED[len(sent) % len(ASKED) :])
            assert line.recv(100).startswith(b"HTTP/1.1 200 ")
    for line in lines:
        line.close()


def test_a_head_that_never_comes_is_not_waited_for(service, monkeypatch):
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.2)
    assert service.say(b"") == b""
    assert service.say(b"GET /v1/loans HTTP/1.1\r\nHost") == b""


def test_requests_sent_at_once_are_answered_in_order(service):
    secret = service.keys["complete", "production"]
    one = "GET {} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + secret + "\r\n{}\r\n"
    paths = ["/v1/loans/CA-000002", "/nowhere", "/v1/loans/CA-000003"]
    last = [*[""] * (len(paths) - 1), "Connection: close\r\n"]
    heard = service.say("".join(map(one.format, paths, last)).encode())
    assert [part[:3] for part in heard.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200"]


def test_a_body_is_read_over(service):
    secret = service.keys["complete", "production"]
    head = f"GET /v1/loans HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {secret}\r\n"
    sent = f"{head}Connection: close\r\nContent-Length: 300000\r\n\r\n".encode() + b"x" * 300_000
    assert service.say(sent).startswith(b"HTTP/1.1 200 ")


def test_an_upgrade_is_not_taken(service):
    secret = service.keys["complete", "production"]
    upgrade = [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
    answer = service.get("/v1/loans", secret, headers=upgrade)
    assert answer.status == 200


def test_many_at_once_are_all_answered(service):
    paths = [
        "/v1/loans?state=TX", "/v1/loans?page=3", "/v1/loans/CA-000007", "/v1/entities?name=walnut",
        "/v1/entities/CA-000009/ownership", "/v1/graph/paths?loan_number=CA-000003",
        "/v1/signals?severity=severe", "/v1/loans/none", "/v1/loans?page=0", "/nowhere",
    ]  # fmt: skip
    expected = [200] * 7 + [404, 400, 404]
    wrong = []

    def ask(offset):
        for turn in range(20):
            at = (turn + offset) % len(paths)
            answer = service.get(paths[at])
            if answer.status != expected[at]:
                wrong.append((paths[at], answer.status))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
