"""`creditatlas up --api`: pages and the API on one port, each with its own way in."""

import json
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from services.api.keys import KeyFile
from tests.servers import ROOT, up
from tests.visitors import visit


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return KeyFile(tmp_path_factory.mktemp("keys") / "keys.json")


@pytest.fixture(scope="module")
def key(keys):
    return keys.add("base", "production")


@pytest.fixture(scope="module")
def server(store, keys, key):
    assert keys.find(key)
    settings = {"CREDIT_ATLAS_KEYS": str(keys.path), "CREDIT_ATLAS_RATE_PER_MINUTE": "5"}
    with up(store, "--api", **settings) as address:
        yield address


def asked(address, key=None):
    """Status and body of an answer."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with urlopen(Request(address, headers=headers), timeout=60) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_pages_are_drawn_and_the_api_asks_for_a_key_and_counts(server, key):
    assert visit(server, "loans?state=TX").fault() is None
    status, answer = asked(f"{server}/v1/loans?state=TX", key)
    assert (status, answer["pagination"]["total"] > 0) == (200, True)
    assert asked(f"{server}/v1/loans")[0] == 401
    status, answer = asked(f"{server}/v1/entities", key)
    assert (status, answer["error"]["code"]) == (403, "forbidden")
    assert asked(f"{server}/v1/none", key)[0] == 404
    statuses = [asked(f"{server}/v1/loans", key)[0] for _ in range(4)]
    assert statuses[-1] == 429
    assert asked(f"{server}/openapi.json")[1]["openapi"].startswith("3.")


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize(
    ("settings", "words", "sentence"),
    [
        ({}, [], "--api needs CREDIT_ATLAS_KEYS"),
        ({"KEYS": "{keys}"}, ["--processes", "2"], "2 processes would each count requests"),
        (
            {"KEYS": "{keys}", "DAILY_QUOTA": "many"},
            [],
            "DAILY_QUOTA cannot be used: input should be",
        ),
        ({"KEYS": "/nothing/keys.json"}, [], "keys.json"),
    ],
)
def test_what_it_cannot_serve_is_one_sentence(store, keys, settings, words, sentence):
    named = {
        f"CREDIT_ATLAS_{name}": value.format(keys=keys.path) for name, value in settings.items()
    }
    done = subprocess.run(
        [sys.executable, "-m", "services", "up", "--api", "--store", str(store), *words],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", **named},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
