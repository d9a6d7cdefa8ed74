"""What one visitor may cost the others: heads, connections, uploads, ways in for developers.

Pins S34 of components/README.md.
"""

import re
import socket
import subprocess
import threading
import tomllib
from contextlib import ExitStack
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from components.platform import uploads
from components.platform.configuration import options
from services import number_lists
from services.settings import Settings
from services.tapes import MOST_MEGABYTES
from tests.bad_bodies import CHUNKS, TWO_LENGTHS, answered_as_one
from tests.servers import ROOT
from tests.serving.talking import asked, session

MIB = 2**20


def port_of(server):
    return int(server.rpartition(":")[2])


def resident(server):
    """MiB that the server holds."""
    words = ["pgrep", "-f", f"components.serving --port {port_of(server)} "]
    found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    status = Path(f"/proc/{found[0]}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


@pytest.fixture(scope="module", autouse=True)
def half_heads(server):
    """Connections that wait from the first of these tests to the last."""
    with ExitStack() as opened:
        lines = []
        for _ in range(200):
            line = socket.create_connection(("127.0.0.1", port_of(server)), timeout=60)
            lines.append(opened.enter_context(line))
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: y")
        yield lines


def test_a_head_of_150_mib_holds_up_nobody(server):
    # D106: others are answered while it comes, and it is not held.
    before = resident(server)
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=60) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        sent = 0
        while sent < 150:
            assert asked(server, "/healthz")[0] == 200
            try:
                line.sendall(b"y" * MIB)
            except OSError:
                break
            sent += 1
    assert sent < 30
    assert resident(server) < before + 40


def test_a_head_that_is_too_long_is_told_so(server):
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=60) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * MIB)
        heard = b""
        while part := line.recv(65_536):
            heard += part
    assert heard.startswith(b"HTTP/1.1 431 ")
    assert heard.endswith(b"The request head is larger than 49,152 bytes.\n")


@pytest.mark.parametrize("rest", TWO_LENGTHS.values(), ids=TWO_LENGTHS.keys())
def test_a_request_of_two_lengths_is_not_answered_as_two(server, rest):
    answered_as_one(port_of(server), rest)


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("path", ["/", "/loans", "/healthz", "/_stcore/health"])
def test_a_body_in_chunks_that_do_not_hold_together_is_answered(server, path, chunks):
    """The connection was closed without a word."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port_of(server)), timeout=60) as line:
        line.sendall(head.encode() + chunks)
        heard = b""
        while part := line.recv(65_536):
            heard += part
    assert re.findall(rb"HTTP/1.1 (\d{3}) ", heard) in ([b"400"], [b"405"])


def upload(server, path, size, **headers):
    """Status of a file sent to an address, with the token that a page would send."""
    cookie = asked(server, "/_stcore/health")[1]["Set-Cookie"].split(";")[0]
    said = {
        "Cookie": cookie,
        "X-Xsrftoken": cookie.partition("=")[2],
        "Content-Type": "multipart/form-data; boundary=b",
        **headers,
    }
    head = b'--b\r\nContent-Disposition: form-data; name="f"; filename="x.csv"\r\n\r\n'
    try:
        return asked(server, path, "PUT", head + b"x" * size + b"\r\n--b--\r\n", said)[0]
    except OSError:
        return 0  # cut off


def test_a_file_is_taken_that_the_page_asked_for_once_and_of_25_mb_at_most(server):
    # D107
    with session(server) as visitor:
        (path,) = visitor.opens("loans").urls("numbers.csv")
        assert upload(server, path, 25 * MIB - 1000) == 204
        assert upload(server, path, 10) == 403
        (path,) = visitor.urls("numbers.csv")
        # Refused by its length; who goes on sending more than sockets hold is cut off.
        assert upload(server, path, 25 * MIB + 1) in {413, 0}
        (path,) = visitor.urls("numbers.csv")
        assert chunked(server, path, 32 * MIB) in {413, 0}
        assert visitor.urls(*"abcd", seconds=1) == []


def chunked(server, path, size):
    cookie = asked(server, "/_stcore/health")[1]["Set-Cookie"].split(";")[0]
    said = {
        "Cookie": cookie,
        "X-Xsrftoken": cookie.partition("=")[2],
        "Content-Type": "multipart/form-data; boundary=b",
    }
    head = b'--b\r\nContent-Disposition: form-data; name="f"; filename="x.csv"\r\n\r\n'
    pieces = [head, *(b"x" * 2**16 for _ in range(size // 2**16)), b"\r\n--b--\r\n"]
    try:
        return asked(server, path, "PUT", iter(pieces), said)[0]
    except OSError:
        return 0  # cut off


def test_a_page_without_an_uploader_asks_for_no_file(server):
    # D107
    with session(server) as visitor:
        assert visitor.opens("signals").urls("numbers.csv", seconds=1) == []
        (path,) = visitor.opens("loans").urls("numbers.csv")
        visitor.opens("signals")
        assert visitor.urls("numbers.csv", seconds=1) == []
        assert asked(server, path, "DELETE")[0] == 403  # no token
    assert upload(server, path, 10) == 403  # its session has gone


def test_large_files_that_nobody_asked_for_are_not_read(server):
    # D107
    before = resident(server)
    with session(server) as visitor:
        visitor.opens("loans")
        statuses = []

        def send(number):
            path = f"/_stcore/upload_file/{visitor.id}/f{number}"
            statuses.append(upload(server, path, 195 * MIB))

        threads = [threading.Thread(target=send, args=(one,)) for one in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"{before} MiB before, {resident(server)} after; {statuses}")
    assert set(statuses) <= {403, 0}
    assert resident(server) < before + 60


def test_the_uploader_and_the_server_agree():
    told = options(Settings())
    assert told["server.maxUploadSize"] == MOST_MEGABYTES >= number_lists.MOST_MEGABYTES
    config = Path(".streamlit/config.toml").read_text(encoding="utf-8")
    assert f"maxUploadSize = {MOST_MEGABYTES}\n" in config


def test_it_ships_closed_to_developers_and_to_the_makers_of_libraries():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["client"]["showErrorDetails"] == "none"
    assert config["client"]["toolbarMode"] == "minimal"
    assert config["server"]["fileWatcherType"] == "none"
    assert config["server"]["enableAgentApi"] is False
    assert config["server"]["showEmailPrompt"] is False
    assert config["browser"]["gatherUsageStats"] is False
    assert config["browser"]["serverAddress"] == "localhost"
    assert "developmentMode" not in config.get("global", {})


def test_files_of_all_sessions_are_bounded_by_their_bytes(monkeypatch):
    # D210
    monkeypatch.setattr(uploads, "MOST", 10)
    kept = uploads.AskedUploads("/")
    assert not kept.full()
    kept.add_file("a", UploadedFileRec("1", "x.csv", "text/csv", b"12345"))
    assert not kept.full()
    kept.add_file("b", UploadedFileRec("2", "y.csv", "text/csv", b"12345"))
    assert kept.full()
    kept.remove_session_files("a")
    assert not kept.full()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/_stcore/health", 200),
        ("/_stcore/host-config", 200),
        ("/_stcore/metrics", 200),  # without sign-in its only user is an admin
        ("/_stcore/script-health-check", 404),
        ("/_stcore/allowed-message-origins", 404),
        ("/_stcore/agent/interact", 405),
        ("/auth/login", 404),
        ("/auth/logout", 404),
        ("/oauth2callback", 404),
        ("/component/x/index.html", 404),
        ("/app/static/x", 404),
    ],
)
def test_ways_in_for_developers(store, server, path, status):
    # D108
    del store
    found, _, said = asked(server, path)
    if path.startswith("/app/static"):
        assert (found, b"<title>Streamlit</title>" in said) == (200, True)  # the page, no file
    else:
        assert found == status


@pytest.mark.parametrize(
    "said",
    ["load_git_info", "set_run_on_save", "debug_disconnect_websocket", "debug_shutdown_runtime"],
)
def test_what_a_developers_page_says_is_not_heard(server, said):
    # D108
    with session(server) as visitor:
        visitor.opens("access")
        message = BackMsg()
        setattr(message, said, True)
        visitor.say(message)
        for operation in ("install_skills", "dismiss_skills_nudge"):
            message = BackMsg()
            getattr(message.backend_operation_request, operation).SetInParent()
            message.backend_operation_request.session_id = visitor.id
            visitor.say(message)
        for kind in ("git_info_changed", "session_status_changed", "backend_operation_response"):
            assert visitor.hear(kind, seconds=0.3) is None
        visitor.opens("access")  # and it goes on


def test_half_heads_are_let_go(half_heads):
    # D106
    assert {line.recv(1) for line in half_heads} == {b""}
