"""The dashboard below a path of a site (D273): what is passed on, what leads there, what is not."""

import pytest
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.testclient import TestClient

from components.serving.base_path import BelowBase, base_path
from services.contract.errors import SettingsInvalid


async def inside(scope, receive, send):
    """Says which path it was asked for; sends on to it without a slash at its end, as Streamlit."""
    path = scope["path"]
    ends = len(path) > 1 and path.endswith("/")
    answer = RedirectResponse(path.rstrip("/"), 301) if ends else PlainTextResponse(path)
    await answer(scope, receive, send)


@pytest.fixture
def site():
    return TestClient(BelowBase(inside, base="/atlas"), follow_redirects=False)


@pytest.mark.parametrize(
    ("said", "path"),
    [("", ""), ("/", ""), ("/atlas", "/atlas"), ("/atlas/", "/atlas"), ("/a-1/b_2", "/a-1/b_2")],
)
def test_a_base_begins_with_a_slash_and_does_not_end_with_one(said, path):
    assert base_path(said) == path


@pytest.mark.parametrize(
    "said",
    [
        "atlas",
        "//evil.example",
        "/a//b",
        "/../etc",
        "/a b",
        "/a?b",
        "/%2e",
        "/ü",
        "http://x/a",
        "/a\n",
    ],
)
def test_what_is_no_path_is_refused_with_what_it_must_be(said):
    with pytest.raises(SettingsInvalid, match="--base-path must be a path of letters"):
        base_path(said)


@pytest.mark.parametrize(
    ("path", "inner"),
    [
        ("/atlas/", "/"),
        ("/atlas/loans", "/loans"),
        ("/atlas/atlas/x", "/atlas/x"),
        ("/healthz", "/healthz"),
        ("/readyz", "/readyz"),
        ("/atlas/healthz", "/healthz"),
    ],
)
def test_what_lies_below_is_asked_as_at_the_root(site, path, inner):
    assert site.get(path).text == inner


def test_who_is_sent_on_within_stays_below(site):
    assert site.get("/atlas/loans/").headers["location"] == "/atlas/loans"


@pytest.mark.parametrize("path", ["/", "/atlas"])
def test_who_comes_from_above_is_led_there(site, path):
    answer = site.get(path)
    assert (answer.status_code, answer.headers["location"]) == (307, "/atlas/")


@pytest.mark.parametrize("path", ["/loans", "/atlass/", "/Atlas/", "/_stcore/stream", "//atlas/"])
def test_the_rest_is_not_there(site, path):
    answer = site.get(f"http://testserver{path}")
    assert answer.status_code == 404
    assert answer.text == "This server answers below /atlas/.\n"
