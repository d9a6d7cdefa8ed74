"""Paths and methods that no page asks for: no file, no way elsewhere, nothing of the inside."""

import re

import pytest

from tests.nonsense import PATHS, tells_nothing
from tests.serving.talking import asked

#: What files of the server would hold, and what lists of folders would.
INSIDE = (
    *(b"Credit Atlas\n\nComm", b"gatherUsageStats", b"root:x:", b"SQLite format"),
    *(b"[core]", b"ref: refs", b"import streamlit", b"requires-python"),
    *(b"Index of", b"Directory listing"),
)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../README.md",
        "/static/..%2f..%2fREADME.md",
        "/static/%2e%2e/%2e%2e/README.md",
        "/media/../../.streamlit/config.toml",
        "/media/..%5c..%5cREADME.md",
        "/_stcore/upload_file/../../README.md",
        "/_stcore/bidi-components/../../../README.md",
        "/../../../../../../etc/passwd",
        "/....//....//etc/passwd",
        "/static/js/%00",
        "/app/static/../app.py",
        "/.streamlit/secrets.toml",
        "/.store/desk.sqlite",
        *("/.git/config", "/.git/HEAD", "/.git/", "/.svn/entries", "/.env", "/static/.git/config"),
        *("/.streamlit/", "/static/", "/static/js/", "/media/", "/static/media/", "/services/"),
        *("/app.py", "/pyproject.toml", "/components/serving/application.py"),
    ],
)
def test_no_path_leads_to_a_file_of_the_server_or_to_the_list_of_a_folder(server, path):
    """Whatever is no file is the page, which is the same for everybody."""
    status, _, body = asked(server, path)
    assert [word for word in INSIDE if word in body] == []
    assert b"index." not in body or b"<title>Streamlit</title>" in body
    assert status != 500


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
def test_nobody_is_sent_to_another_host(server, path):
    place = asked(server, path, headers={"Accept": "text/html"})[1]["Location"] or "/"
    assert place.startswith("/")
    assert not re.match(r"/[/\\]", place)
    assert "\r" not in place


@pytest.mark.parametrize(
    "path",
    ["/", "/loans", "/static/none.js", "/static/js/x.js", "/healthz", "/media/x.csv", "/v1/loans"],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "ODD"])
def test_pages_are_read_and_nothing_else_and_nothing_is_echoed(server, path, method):
    said = {"Content-Length": "0", "X-Echo": "the word to come back"}
    status, _, body = asked(server, path, method, headers=said)
    assert status in {400, 403, 404, 405, 501}
    assert method != "TRACE" or status in {404, 405}
    assert b"the word to come back" not in body


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_no_answer_to_nonsense_tells_of_the_inside(server, method):
    for path in PATHS:
        status, _, body = asked(server, path, method, headers={"Content-Length": "0"})
        tells_nothing(path, status, body)
