"""Paths, parameters and addresses, before anything is sent."""

import subprocess
import sys
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.client.address import base_address
from services.contract.errors import InvalidRequest, NotFound, SettingsInvalid
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery, parse
from services.contract.requests import (
    as_curl,
    as_python,
    loan_request,
    ownership_request,
    request_for,
)
from tests.client.fault_server import json_reply

ODD = "LN/07 #2?a=b&c%2F+ü漢 'x\""


def test_each_query_asks_its_endpoint_with_defaults_left_out():
    assert request_for(LoanQuery()).target == "/v1/loans"
    assert (
        request_for(LoanQuery(state="tx", min_balance=5, maturity_before="2027-01-01")).target
        == "/v1/loans?state=TX&min_balance=5&maturity_before=2027-01-01"
    )
    # `page` and `per_page` are declared first.
    assert request_for(LoanQuery(lender="A&B", page=3, per_page=100)).target == (
        "/v1/loans?page=3&per_page=100&lender=A%26B"
    )
    assert request_for(EntityQuery(name="a b", confidence_min=0.5)).target == (
        "/v1/entities?name=a%20b&confidence_min=0.5"
    )
    assert request_for(PathQuery(entity_name="A/B", depth=6)).target == (
        "/v1/graph/paths?entity_name=A%2FB&depth=6"
    )
    assert request_for(SignalQuery(severity="critical")).target == "/v1/signals?severity=critical"


@pytest.mark.parametrize(
    ("number", "path"),
    [
        ("LN-1", "/v1/loans/LN-1"),
        ("a/b", "/v1/loans/a%2Fb"),
        ("a#b?c", "/v1/loans/a%23b%3Fc"),
        ("50%", "/v1/loans/50%25"),
        ("a b", "/v1/loans/a%20b"),
        ("..", "/v1/loans/%2E%2E"),
        (".", "/v1/loans/%2E"),
        ("../x", "/v1/loans/..%2Fx"),
        ("%2e%2e", "/v1/loans/%252e%252e"),
        ("é", "/v1/loans/%C3%A9"),
        ("漢", "/v1/loans/%E6%BC%A2"),
        ("a\r\nb", "/v1/loans/a%0D%0Ab"),
    ],
)
def test_a_loan_number_is_one_segment_of_the_path(number, path):
    assert loan_request(number).path == path
    assert ownership_request(number).path == path.replace("loans", "entities") + "/ownership"


@given(st.text(min_size=1, max_size=60).filter(lambda t: t.isprintable() or "\n" in t))
def test_any_loan_number_comes_back_from_its_segment(number):
    try:
        path = loan_request(number).path
    except NotFound:
        assert any("\ud800" <= c <= "\udfff" for c in number)
        return
    assert path.isascii()
    assert path.count("/") == 3
    assert unquote(path.removeprefix("/v1/loans/")) == number


@given(st.text(min_size=1, max_size=60))
def test_any_root_comes_back_from_the_query(name):
    query = PathQuery(entity_name=name.replace("\x00", "0"), page=2)
    try:
        target = request_for(query).target
    except InvalidRequest:
        assert any("\ud800" <= c <= "\udfff" for c in name)
        return
    pairs = dict(parse_qsl(target.split("?")[1], keep_blank_values=True, strict_parsing=True))
    assert parse(PathQuery, pairs) == query


@pytest.mark.parametrize("number", ["", "x" * 1_001, "a\ud800b"])
def test_what_can_be_no_loan_number_is_not_found_without_asking(number):
    for ask in (loan_request, ownership_request):
        with pytest.raises(NotFound, match="No loan has the number"):
            ask(number)


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("https://api.example.com", "https://api.example.com"),
        ("https://api.example.com/", "https://api.example.com"),
        ("https://api.example.com:8443/credit/", "https://api.example.com:8443/credit"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("https://bücher.example", "https://bücher.example"),
    ],
)
def test_an_address_loses_only_its_last_slash(text, base):
    assert base_address(text) == base


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must begin with"),
        ("api.example.com", "must begin with"),
        ("ftp://api.example.com", "must begin with"),
        ("file:///etc/passwd", "must begin with"),
        ("https://", "must begin with"),
        ("https://:8443", "must begin with"),
        ("https://host:0", "must begin with"),
        ("https://host:99999", "not a web address"),
        ("https://host:abc", "not a web address"),
        ("https://[::1", "not a web address"),
        ("https://me:s3cret@host", "user name or password"),
        ("https://s3cret@host", "user name or password"),
        ("https://host?key=s3cret", "before any"),
        ("https://host/#s3cret", "before any"),
        ("https://host/?", "before any"),
        ("https://ho st", "a space"),
        ("https://host/\nx", "a space"),
        ("https://host\\@other", "another character"),
        ("https://host/v1", "take '/v1' off"),
        ("https://host/v1/", "take '/v1' off"),
        ("http://api.example.com", "plain http"),
        ("http://10.0.0.8:8000", "plain http"),
        ("http://localhost.example.com", "plain http"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_being_quoted(text, said):
    with pytest.raises(SettingsInvalid, match=said) as caught:
        base_address(text)
    assert "s3cret" not in str(caught.value)


def test_plain_http_beyond_this_machine_needs_to_be_allowed():
    # D42
    assert base_address("http://10.0.0.8", allow_plain_http=True) == "http://10.0.0.8"


def test_the_curl_command_and_the_script_hold_the_key_as_a_placeholder_only():
    request = request_for(LoanQuery(state="TX", lender="O'Hara & Sons $(rm)"))
    curl = as_curl("https://api.example.com/", request.path, request.params)
    assert curl == (
        'curl --globoff -H "Authorization: Bearer $CREDIT_ATLAS_API_KEY" \\\n'
        "  'https://api.example.com/v1/loans?state=TX&lender=O%27Hara%20%26%20Sons%20%24%28rm%29'"
    )
    assert as_python("https://api.example.com", request.path, request.params) == (
        "import os\n\nimport httpx\n\nanswer = httpx.get(\n"
        "    'https://api.example.com/v1/loans',\n"
        "    params={'state': 'TX', 'lender': \"O'Hara & Sons $(rm)\"},\n"
        '    headers={"Authorization": f"Bearer {os.environ[\'CREDIT_ATLAS_API_KEY\']}"},\n'
        ")\nanswer.raise_for_status()\nprint(answer.json())\n"
    )
    assert "params" not in as_python("https://h", "/v1/loans", {})


@pytest.mark.parametrize("language", ["curl", "python"])
def test_the_snippets_ask_what_the_client_asks(server, key, language):
    server.script(json_reply({"data": []}))
    request = request_for(PathQuery(entity_name=ODD))
    environment = {"CREDIT_ATLAS_API_KEY": key, "PATH": "/usr/bin:/bin"}
    if language == "curl":
        command = ["sh", "-c", as_curl(server.url, request.path, request.params)]
    else:
        command = [sys.executable, "-c", as_python(server.url, request.path, request.params)]
    try:
        run = subprocess.run(command, env=environment, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no shell here")
    if run.returncode == 127:
        pytest.skip("no curl here")
    assert run.returncode == 0, run.stderr
    (asked,) = server.requests
    assert asked.headers["authorization"] == f"Bearer {key}"
    path, _, query = asked.target.partition("?")
    assert path == request.path
    assert dict(parse_qsl(query)) == request.params
