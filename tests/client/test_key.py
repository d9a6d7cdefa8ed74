"""The key goes into one header of requests to one host, and shows nowhere else (spec 5)."""

import json
import logging
import pickle
import ssl
import traceback
from urllib.parse import quote

import httpx
import pytest
from pydantic import SecretStr

from services.client.source import ApiSource
from services.client.transport import Transport
from services.contract.errors import CreditAtlasError, SettingsInvalid, Unreachable
from services.contract.queries import LoanQuery
from services.contract.requests import request_for
from tests.client.fault_server import drop, json_reply, reply

ALL = LoanQuery()
PAGING = {"page": 1, "per_page": 25, "total": 1}


def everything(error: BaseException) -> str:
    """All that a log, a page or a debugger would show of an error: the frames of tests aside."""
    shown = [repr(error), str(error), repr(error.__dict__), *traceback.format_exception(error)]
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename != __file__:
            shown.append(repr(frame.f_locals))
    return "".join(shown)


def test_the_key_is_sent_in_the_authorization_header_only(source, server, key):
    server.script(json_reply({"data": [], "pagination": PAGING | {"total": 0}}))
    source.loans(ALL)
    (asked,) = server.requests
    assert asked.headers["authorization"] == f"Bearer {key}"
    assert asked.headers["user-agent"].startswith("creditatlas")
    assert asked.headers["accept-encoding"] == "gzip"
    del asked.headers["authorization"]
    assert key not in repr(asked)


def test_the_key_is_in_no_repr(server, key):
    with Transport(server.url, SecretStr(key)) as transport:
        source = ApiSource(transport)
        shown = [transport, source, transport._auth, transport.__dict__, request_for(ALL)]
        assert key not in repr(shown)
        assert repr(source) == f"ApiSource('{server.url}')"


@pytest.mark.parametrize(
    "echo",
    [
        lambda key: f"unknown key {key}",
        lambda key: f"Authorization: Bearer {key}",
        lambda key: f"see /help?key={quote(key, safe='')}",
    ],
)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_a_server_that_echoes_the_key_does_not_get_it_shown(source, server, key, echo, status):
    said = {"error": {"message": echo(key), "request_id": key}}
    server.script(json_reply(said, status, {"X-Echo": key, "Location": f"https://{key}.example"}))
    with pytest.raises(CreditAtlasError) as caught:
        source.loans(ALL)
    shown = everything(caught.value) + repr(source.calls())
    assert key not in shown
    assert quote(key, safe="") not in shown
    assert key.encode() not in pickle.dumps(caught.value)


@pytest.mark.parametrize(
    "write",
    [
        json.dumps,
        lambda said: json.dumps(said).replace("/", "\\/"),
        lambda said: "".join(f"\\u{ord(c):04x}" if c in "_+=/" else c for c in json.dumps(said)),
    ],
)
def test_the_key_is_struck_out_of_messages_however_json_writes_it(source, server, key, write):
    said = {"error": {"message": f"key {key}", "request_id": "1"}}
    server.script(reply(400, write(said).encode()))
    with pytest.raises(CreditAtlasError) as caught:
        source.loans(ALL)
    assert key not in str(caught.value)
    assert "$CREDIT_ATLAS_API_KEY" in str(caught.value)


def test_a_record_that_holds_the_key_has_it_struck_out(source, server, key):
    loan = {"loan_number": "LN-1", "debug": {"headers": f"Bearer {key}"}}
    server.script(json_reply({"data": [loan], "pagination": PAGING}))
    (item,) = source.loans(ALL).items
    assert item.extra["debug"] == {"headers": "Bearer $CREDIT_ATLAS_API_KEY"}


def test_the_key_is_in_no_log_at_any_level(source, server, key, caplog):
    caplog.set_level(logging.DEBUG)
    echo = {"X-Echo": f"Bearer {key}"}
    server.script(drop(), json_reply({"error": {"message": key}}, 401, echo))
    with pytest.raises(CreditAtlasError):
        source.loans(ALL)
    assert caplog.records
    assert key not in caplog.text
    assert all(key not in repr(record.__dict__) for record in caplog.records)


@pytest.mark.parametrize(
    "fault", [httpx.ConnectError, httpx.ReadError, httpx.ReadTimeout, httpx.LocalProtocolError]
)
def test_an_error_of_httpx_that_holds_the_request_is_left_behind(server, key, fault):
    def fail(request: httpx.Request) -> httpx.Response:
        raise fault(f"with {request.headers['authorization']}", request=request)

    with Transport(server.url, SecretStr(key)) as transport:
        transport._client.close()
        transport._client = httpx.Client(transport=httpx.MockTransport(fail), auth=transport._auth)
        with pytest.raises(Unreachable) as caught:
            transport.get(request_for(ALL))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert key not in everything(caught.value)


@pytest.mark.parametrize("text", ["", "two words", "line\nbreak", "schlüssel", "tab\t", "\x00"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_quoted(server, text):
    with pytest.raises(SettingsInvalid, match="CREDIT_ATLAS_API_KEY must be") as caught:
        Transport(server.url, SecretStr(text))
    assert text == "" or text not in str(caught.value)


def test_a_short_key_is_struck_out_after_bearer_only(server):
    with Transport(server.url, SecretStr("demo")) as transport:
        assert transport.conceal("demo of Bearer demo") == "demo of $CREDIT_ATLAS_API_KEY"


def test_cookies_are_not_kept(source, server):
    page = {"data": [], "pagination": PAGING | {"total": 0}}
    server.script(json_reply(page, headers={"Set-Cookie": "who=me; Path=/"}), json_reply(page))
    source.loans(ALL)
    source.loans(ALL)
    assert "cookie" not in server.requests[1].headers


def test_the_environment_is_trusted_only_when_told_to(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", server.url)
    monkeypatch.setenv("http_proxy", server.url)
    server.script(json_reply({"data": [], "pagination": PAGING | {"total": 0}}))
    far = {"allow_plain_http": True}
    with pytest.raises(Unreachable):
        ApiSource(
            Transport("http://service.invalid", SecretStr("k" * 9), **far), sleep=lambda _: None
        ).loans(ALL)
    assert not server.requests
    with Transport("http://service.invalid", SecretStr("k" * 9), trust_env=True, **far) as through:
        assert ApiSource(through).loans(ALL).total == 0
    assert server.requests[0].target == "http://service.invalid/v1/loans"
    monkeypatch.setenv("http_proxy", "gopher://x")
    monkeypatch.setenv("HTTP_PROXY", "gopher://x")
    with pytest.raises(SettingsInvalid, match="proxy"):
        Transport(server.url, SecretStr("k" * 9), trust_env=True)


def test_tls_is_1_2_or_newer_certificates_are_checked_and_no_environment_is_looked_at():
    with Transport("https://api.example", SecretStr("x" * 20)) as transport:
        context = transport._client._transport._pool._ssl_context
        assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert context.check_hostname
        assert not transport._client.trust_env
