"""The server of `make run`, asked over its socket.

Pins S27, S31 and S35 of components/README.md.
"""

import gzip
import os
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest
import streamlit

from tests.servers import ROOT, dashboard, up, warm
from tests.visitors import visit

STATIC = Path(streamlit.__file__).parent / "static"
PLOTLY = next((STATIC / "static/js").glob("PlotlyChart.*.js"))
BUNDLE = f"/static/js/{PLOTLY.name}"


def asked(address, path, method="GET", **headers):
    """Status, headers, body: as they came over the wire."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=named)
    answer = connection.getresponse()
    found = answer.status, answer.headers, answer.read()
    connection.close()
    return found


def test_it_says_that_it_is_alive_and_once_its_pages_are_warm_that_it_is_ready(server):
    assert asked(server, "/healthz")[0] == 200
    status, headers, said = asked(warm(server), "/readyz")
    assert (status, headers["Cache-Control"]) == (200, "no-store")
    assert said == b"The store is open and the pages are warm.\n"


def test_it_is_set_up_as_it_ships_from_whatever_folder_it_was_started(store, tmp_path):
    with dashboard(store, folder=tmp_path) as address:
        told = next(
            one.new_session
            for one in visit(address, "sources").messages
            if one.WhichOneof("type") == "new_session"
        )
    assert not told.config.gather_usage_stats
    assert told.custom_theme.primary_color or told.custom_theme.light.primary_color


def test_without_a_store_it_is_alive_and_says_why_it_is_not_ready(tmp_path):
    with dashboard(tmp_path / "nothing") as address:
        assert asked(address, "/healthz")[0] == 200
        status, _, said = asked(warm(address), "/readyz")
        assert status == 503
        assert b"There is no data in the store" in said


def test_a_bundle_is_sent_compressed_for_ever_and_not_a_second_time(server):
    status, headers, body = asked(server, BUNDLE, Accept_Encoding="gzip, deflate, br")
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert headers["Vary"] == "Accept-Encoding"
    assert headers["Cache-Control"] == "public, immutable, max-age=31536000"
    assert len(body) < PLOTLY.stat().st_size / 3
    assert gzip.decompress(body) == PLOTLY.read_bytes()
    status, again, body = asked(
        server, BUNDLE, Accept_Encoding="gzip", If_None_Match=headers["ETag"]
    )
    assert (status, again["ETag"], body) == (304, headers["ETag"], b"")


def test_a_client_that_does_not_take_gzip_is_sent_the_bundle_as_it_is(server):
    packed = asked(server, BUNDLE, Accept_Encoding="gzip")[1]
    status, headers, body = asked(server, BUNDLE, Accept_Encoding="identity")
    assert (status, headers["Content-Encoding"]) == (200, None)
    assert body == PLOTLY.read_bytes()
    assert headers["Vary"] == "Accept-Encoding"
    assert headers["ETag"] != packed["ETag"]


def test_head_says_what_get_would_send(server):
    status, headers, body = asked(server, BUNDLE, "HEAD", Accept_Encoding="gzip")
    sent = asked(server, BUNDLE, Accept_Encoding="gzip")[2]
    assert (status, int(headers["Content-Length"]), body) == (200, len(sent), b"")


@pytest.mark.parametrize("path", ["/", "/loans?state=TX"])
def test_the_page_is_streamlits_own_as_it_is(server, path):
    """Pins D143."""
    status, _, body = asked(server, path, Accept="text/html,*/*")
    assert (status, body) == (200, (STATIC / "index.html").read_bytes())


def test_programs_cannot_drive_the_pages_even_where_the_environment_asks_for_it(store):
    with up(store, STREAMLIT_SERVER_ENABLE_AGENT_API="true") as at:
        status, _, said = asked(at, "/_stcore/agent/interact", "POST")
        assert (status, b"not_available" in said) == (403, True)
        assert b"not currently agent-accessible" in asked(at, "/_stcore/agent/openapi.json")[2]


def test_an_address_that_is_none_of_this_machine_is_one_sentence(store):
    words = [sys.executable, "-m", "components.serving", "--host", "300.1.1.1", "--port", "0"]
    environment = {**os.environ, "CREDIT_ATLAS_STORE": str(store)}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    sentence = "creditatlas: '300.1.1.1' is no address of this machine; correct --host\n"
    assert done.stderr == sentence


def test_what_is_there_when_pages_are_warm_is_no_garbage_to_look_through_after_every_run(tmp_path):
    code = (
        "import asyncio, gc\n"
        "from components.serving.prewarm import prewarm\n"
        "asyncio.run(prewarm(lambda: None))\n"
        "print(gc.get_freeze_count() > 20 * len(gc.get_objects()))"
    )
    environment = {**os.environ, "CREDIT_ATLAS_STORE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "True\n"
