"""The headers of every answer of the dashboard."""

import asyncio
import hashlib
import re
from base64 import b64encode
from pathlib import Path

import pytest
import streamlit

from components.platform.headers import (
    SecurityHeaders,
    content_security_policy,
    streamlits_page,
)
from tests.serving.talking import asked
from tests.shown_alone import shown_alone

SENT = Path(streamlit.__file__).parent / "static" / "static" / "js"
BUNDLE = min(path.name for path in SENT.glob("index.*.js"))
#: Every kind of answer.
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


@pytest.mark.parametrize("path", KINDS.values(), ids=KINDS.keys())
@pytest.mark.parametrize("method", ["GET", "POST", "TRACE"])
def test_every_answer_says_what_a_browser_may_do_and_names_no_version(server, path, method):
    for said in ({}, {"Accept": "text/html"}, {"Origin": "http://evil.example"}):
        headers = asked(server, path, method, headers=said)[1]
        shown_alone(headers)
        assert headers["Content-Security-Policy"] == content_security_policy(streamlits_page())
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_policy_allows_no_other_host_no_eval_and_inline_scripts_by_hash_only():
    policy = content_security_policy(b"<html><script>run()</script><script src='x.js'></script>")
    places = dict(one.split(" ", 1) for one in policy.split("; "))
    allowed = b64encode(hashlib.sha256(b"run()").digest()).decode()
    assert places["default-src"] == places["frame-ancestors"] == "'none'"
    assert places["script-src"] == f"'self' blob: 'wasm-unsafe-eval' 'sha256-{allowed}'"
    assert "http" not in policy
    assert "*" not in policy
    assert "'unsafe-eval'" not in policy


@pytest.mark.parametrize("kind", ["http.response.start", "websocket.http.response.start"])
def test_a_refused_session_is_answered_with_the_same_headers(kind):
    async def refusing(_scope, _receive, send):
        await send({"type": kind, "status": 403, "headers": []})

    async def send(message):
        sent.append(message)

    sent = []
    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    told = SecurityHeaders(refusing, policy=content_security_policy(b""))
    asyncio.run(told(scope, None, send))
    assert {name for name, _ in sent[0]["headers"]} > {b"content-security-policy"}


def test_the_one_cookie_is_for_this_site(server):
    """The token against forged uploads is sent back by a script, which is what it is for."""
    cookies = asked(server, "/_stcore/health")[1].get_all("Set-Cookie")
    assert [one.partition("=")[0] for one in cookies] == ["_streamlit_xsrf"]
    assert all(re.search(r"; SameSite=(Lax|Strict)", one) for one in cookies)
    for path in ("/", "/loans", "/healthz"):
        assert asked(server, path, headers={"Accept": "text/html"})[1]["Set-Cookie"] is None


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/loans", "text/html; charset=utf-8"),
        ("/healthz", "text/plain; charset=utf-8"),
        ("/media/none", "text/plain; charset=utf-8"),
        ("/_stcore/host-config", "application/json"),
    ],
)
def test_an_answer_is_of_the_type_that_it_names(server, path, kind):
    assert asked(server, path)[1]["Content-Type"] == kind


@pytest.mark.parametrize("path", ["/", "/loans?state=TX", "/loan?loan_number=CA-000012"])
def test_the_page_that_a_browser_may_keep_is_the_same_for_everybody(server, path):
    """Figures and names come by WebSocket, which no cache keeps."""
    _, headers, body = asked(server, path, headers={"Accept": "text/html"})
    assert headers["Cache-Control"] == "no-cache"
    assert body == asked(server, "/sources", headers={"Accept": "text/html"})[2]
    assert b"CA-0" not in body


def test_the_page_opens_its_session_the_way_it_came_itself(server):
    """By https it is wss: Streamlit's script takes the scheme of the page, which names no other."""
    page = asked(server, "/")[2].decode()
    assert "__streamlit" not in page
    (script,) = re.findall(r'<script type="module" crossorigin src="\.(/[^"]+)">', page)
    assert "===`https:`?`wss`:`ws`}://" in asked(server, script)[2].decode()
