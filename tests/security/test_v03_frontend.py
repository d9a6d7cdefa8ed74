"""V3: what browsers are told of every answer, and what our scripts do not do.

Pins S26 of components/README.md.
"""

import asyncio
import re
from pathlib import Path

import pytest
import streamlit

from components.platform.configuration import options
from components.platform.headers import SecurityHeaders, content_security_policy
from services.settings import Settings
from tests.security.asked import asked
from tests.security.source import SCRIPTS
from tests.security.standard import ROOT, shows

SHOWN_BY = {
    "V3.2.1": "tests/serving/test_hosts.py"
    "::test_what_another_page_draws_in_is_not_answered_and_its_links_are",
    "V3.2.2": (
        "tests/browser/test_hostile_text.py::test_a_page_shows_hostile_names_as_written",
        "tests/components/test_ledger.py::test_the_script_reads_nothing_as_markup_or_code",
    ),
    "V3.5.1": (
        (
            "tests/serving/test_hosts.py"
            "::test_only_a_host_of_its_own_and_a_page_of_its_own_are_answered"
        ),
        (
            "tests/serving/test_bounds.py"
            "::test_a_file_is_taken_that_the_page_asked_for_once_and_of_25_mb_at_most"
        ),
    ),
    "V3.5.3": "tests/api/test_errors.py::test_what_is_not_get_is_a_405",
}
LEFT_TO = {
    "V3.5.4": "Proxy: give the dashboard and the API a name of their own each (README.md here).",
}
DOES_NOT_APPLY = {
    "V3.5.2": "Nothing rests on a preflight: origins are compared at every request, and the API "
    "takes its key from a header that no browser sends by itself.",
}
NOT_MET = {
    "V3.3.1": "Two cookies, a token against forged uploads and the number of a process: neither "
    "says Secure, for this server speaks plain HTTP behind a proxy. HAProxy as it ships adds it "
    "with TLS; the prefix __Secure- is missing.",
    "V3.3.3": "Neither is called __Host-; the first is named by Streamlit.",
}
SCRIPTS_SENT = Path(streamlit.__file__).parent / "static" / "static" / "js"
BUNDLE = min(path.name for path in SCRIPTS_SENT.glob("index.*.js"))
#: Every kind of answer of the dashboard, with its status.
KINDS = {
    "a page": "/loans?state=TX",
    "the page as a browser asks for it": "/",
    "a script": f"/static/js/{BUNDLE}",
    "no script": "/static/js/none.js",
    "a file that there is not": "/media/none.csv",
    "health": "/_stcore/health",
    "what the page asks first": "/_stcore/host-config",
    "a path of Streamlit's that there is not": "/_stcore/none",
    "a path that leads nowhere": "//evil.example/",
    "a load balancer's question": "/healthz",
    "its other question": "/readyz",
}
GLOBAL = ("object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "default-src 'none'")


def check(headers):
    policy = headers["Content-Security-Policy"].split("; ")
    assert [one for one in GLOBAL if one not in policy] == []
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] in {"no-referrer", "same-origin"}
    assert headers["Access-Control-Allow-Origin"] is None


@shows("V3.4.2", "V3.4.3", "V3.4.4", "V3.4.5", "V3.4.6", "V3.4.8", "V3.7.1")
@pytest.mark.parametrize("path", KINDS.values(), ids=KINDS.keys())
@pytest.mark.parametrize("method", ["GET", "POST", "TRACE"])
def test_every_answer_of_the_dashboard_says_what_a_browser_may_do(pages, path, method):
    for headers in ({}, {"Accept": "text/html"}, {"Origin": "http://evil.example"}):
        answer = asked(pages, path, method, headers)
        check(answer.headers)
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@shows("V3.2.1", "V3.4.2", "V3.4.3", "V3.4.4", "V3.4.5", "V3.4.6")
@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/v1/loans", "GET", 200),
        ("/v1/loans?page=0", "GET", 400),
        ("/v1/loans/none", "GET", 404),
        ("/nowhere", "GET", 404),
        ("/v1/loans", "POST", 405),
        ("/v1/loans", "OPTIONS", 405),
        ("/openapi.json", "GET", 200),
        ("/healthz", "GET", 200),
        ("/readyz", "GET", 200),
    ],
)
def test_every_answer_of_the_api_says_that_it_is_shown_alone(api, path, method, status):
    headers = {"Authorization": f"Bearer {api.key()}", "Origin": "http://evil.example"}
    answer = asked(api.address, path, method, headers)
    assert answer.status == status
    check(answer.headers)
    unsigned = asked(api.address, path, method)
    check(unsigned.headers)


@shows("V3.4.3", "V3.4.4", "V3.4.5", "V3.4.6")
def test_a_server_that_is_starting_says_it_too():
    """HAProxy says it, for a team and before several processes alike."""
    text = (ROOT / "services/shelf/deploy/haproxy.cfg").read_text(encoding="utf-8")
    found = re.search(r'^    http-error status 503 .* string "[^"]+" (.*)$', text, re.MULTILINE)
    headers = re.findall(r'hdr (\S+) (?:"([^"]+)"|(\S+))', found[1])
    check({"Access-Control-Allow-Origin": None, **{name: a or b for name, a, b in headers}})


@shows("V3.4.3", "V3.4.4", "V3.4.5", "V3.4.6")
@pytest.mark.parametrize("kind", ["http.response.start", "websocket.http.response.start"])
def test_a_refused_session_is_answered_with_the_same_headers(kind):
    async def refusing(_scope, _receive, send):
        await send({"type": kind, "status": 403, "headers": []})

    sent = told(SecurityHeaders(refusing, policy=content_security_policy(b"")))
    assert {name for name, _ in sent[0]["headers"]} > {b"content-security-policy"}


def told(app, headers=()):
    """What an application sends for one request."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    scope = {"type": "http", "method": "GET", "path": "/", "headers": list(headers)}
    asyncio.run(app(scope, receive, send))
    return sent


@shows("V3.3.2", "V3.3.4")
def test_cookies_are_for_this_site_and_one_that_no_script_needs_is_kept_from_scripts(pages):
    """The token against forged uploads is sent back by a script, which is what it is for."""
    cookies = asked(pages, "/_stcore/health").headers.get_all("Set-Cookie")
    assert [one.partition("=")[0] for one in cookies] == ["_streamlit_xsrf"]
    assert all(re.search(r"; SameSite=(Lax|Strict)", one) for one in cookies)
    for path in ("/", "/loans", "/healthz"):
        assert asked(pages, path, headers={"Accept": "text/html"}).headers["Set-Cookie"] is None
    proxy = (ROOT / "services/shelf/deploy/haproxy.cfg").read_text(encoding="utf-8")
    (options,) = re.findall(r"^    cookie \S+ (.*)$", proxy, re.MULTILINE)
    assert options == 'insert indirect nocache httponly attr "SameSite=Lax"'


@shows("V3.4.1")
def test_the_proxy_as_it_ships_tells_browsers_to_come_by_tls_for_a_year():
    """HAProxy ends TLS; on plain HTTP a browser ignores the header."""
    text = (ROOT / "services/shelf/deploy/haproxy.cfg").read_text(encoding="utf-8")
    found = re.search(r'#tls .*Strict-Transport-Security "max-age=(\d+); includeSubDomains"', text)
    assert int(found[1]) >= 365 * 24 * 3600


@shows("V3.2.2", "V3.5.5")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_of_ours_sets_text_and_hears_no_other_window(name):
    for word in (
        *("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser"),
        *("eval(", "new Function", "javascript:", "srcdoc", "postMessage", '"message"'),
    ):
        assert word not in SCRIPTS[name]


@shows("V3.5.5")
def test_streamlits_page_takes_orders_from_no_other_origin(pages):
    assert b'"allowedOrigins":[]' in asked(pages, "/_stcore/host-config").body
    assert options(Settings())["client.allowedOrigins"] == []  # wherever it is started


@shows("V3.7.2")
@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "//evil.example/",
        "//evil.example/%2e%2e/",
        "/\\evil.example/",
        "/%5Cevil.example/",
        "/%2F%2Fevil.example/",
        "/loans//evil.example/",
        "/static//evil.example/",
        "///evil.example/",
        "/.//evil.example/",
        "/loans/",
        "/?next=//evil.example",
        "/auth/login?next=https://evil.example",
    ],
)
def test_nobody_is_sent_to_another_host(pages, path):
    answer = asked(pages, path, headers={"Accept": "text/html"})
    place = answer.headers["Location"] or "/"
    assert place.startswith("/")
    assert not re.match(r"/[/\\]", place)
    assert "\r" not in place
