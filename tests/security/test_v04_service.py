"""V4: HTTP messages, and sessions by WebSocket."""

import re
import socket

import pytest

from tests.security.asked import asked
from tests.security.standard import shows

SHOWN_BY = {
    "V4.1.2": "tests/client/test_faults.py::test_no_redirect_is_followed",
    "V4.1.3": (
        "tests/serving/test_sign_in.py::test_a_header_that_comes_twice_is_not_the_proxys_alone",
        "tests/team/test_sign_in.py::test_headers_that_a_browser_forges_get_it_nothing",
    ),
    "V4.1.4": "tests/mcp/test_access.py::test_messages_are_posted_and_nothing_else",
    "V4.2.1": "tests/api/test_hostile.py::test_requests_sent_at_once_are_answered_in_order",
    "V4.4.2": "tests/serving/test_hosts.py"
    "::test_only_a_host_of_its_own_and_a_page_of_its_own_are_answered",
    "V4.4.3": "tests/serving/test_sign_in.py::test_a_session_is_refused_before_it_begins",
    "V4.4.4": "tests/serving/test_owners.py::test_a_session_is_gone_on_with_by_its_own_user_only",
}
DOES_NOT_APPLY = {"V4.3.1": "No GraphQL.", "V4.3.2": "No GraphQL."}


@shows("V4.1.1")
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
def test_an_answer_of_the_dashboard_is_of_the_type_that_it_names(pages, path, kind):
    assert asked(pages, path).headers["Content-Type"] == kind


@shows("V4.1.1", "V4.1.2")
@pytest.mark.parametrize("path", ["/v1/loans", "/v1/loans/", "/V1/loans", "/v1//loans", "/nowhere"])
def test_the_api_answers_json_and_sends_nobody_on(api, path):
    answer = asked(api.address, path)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Location"] is None
    assert answer.status in {401, 404}


@shows("V4.1.4")
@pytest.mark.parametrize("path", ["/", "/loans", "/static/none.js", "/healthz", "/media/x.csv"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "ODD"])
def test_pages_are_read_and_nothing_else(pages, path, method):
    status = asked(pages, path, method, {"Content-Length": "0"}).status
    assert status in {400, 403, 404, 405, 501}


TWO_LENGTHS = (
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n"
    b"Host: localhost\r\n\r\n"
)
TWICE = b"Content-Length: 0\r\nContent-Length: 30\r\n\r\nGET /healthz HTTP/1.1\r\nX: y\r\n\r\n"
ODD = b"Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"


@shows("V4.2.1")
@pytest.mark.parametrize("rest", [TWO_LENGTHS, TWICE, ODD], ids=["both", "twice", "odd"])
@pytest.mark.parametrize("server", ["pages", "api"])
def test_a_request_of_two_lengths_is_not_answered_as_two(request, server, rest):
    found = request.getfixturevalue(server)
    address = found if isinstance(found, str) else found.address
    port = int(address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(b"POST /v1/loans HTTP/1.1\r\nHost: localhost\r\n" + rest)
        heard = b""
        try:
            while part := line.recv(65_536):
                heard += part
        except (TimeoutError, ConnectionResetError):
            pass
    assert len(re.findall(rb"HTTP/1\.1 \d{3} ", heard)) <= 1
    assert b"Alive" not in heard
    assert b" 200 " not in heard


@shows("V4.4.1")
def test_the_page_opens_its_session_the_way_it_came_itself(pages):
    """By https it is wss: Streamlit's script takes the scheme of the page, which names no other."""
    page = asked(pages, "/").body.decode()
    assert "__streamlit" not in page
    (script,) = re.findall(r'<script type="module" crossorigin src="\.(/[^"]+)">', page)
    assert "===`https:`?`wss`:`ws`}://" in asked(pages, script).body.decode()
