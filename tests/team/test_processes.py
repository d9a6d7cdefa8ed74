"""Several processes behind one port: who is sent where, and what happens when one ends (D80)."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest

from components.serving.processes import configuration
from tests.patience import until
from tests.servers import ROOT, command, dashboard, free_port
from tests.visitors import session, together

COOKIE = "creditatlas_process"


@pytest.fixture(scope="module")
def server(store, haproxy):
    assert haproxy
    with dashboard(store, processes=2) as address:
        for process in ("p0", "p1"):
            until(lambda process=process: page(address, f"{COOKIE}={process}") == (200, None))
        yield address


def connected(address):
    return HTTPConnection(address.removeprefix("http://"), timeout=60)


def asked(connection, path, cookie=None):
    """One request on a connection that may serve others: status, headers, body."""
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()


def page(address, cookie=None, path="/loans"):
    """Status of a page, and the process that it names in a cookie."""
    connection = connected(address)
    try:
        status, headers, _ = asked(connection, path, cookie)
    finally:
        connection.close()
    said = re.match(
        rf"{COOKIE}=(p\d+); path=/; HttpOnly; SameSite=Lax$", headers.get("Set-Cookie", "")
    )
    return status, said and said[1]


def sessions(connection, process):
    """How many sessions the process has that a visitor with its cookie reaches."""
    figures = asked(connection, "/_stcore/metrics", f"{COOKIE}={process}")[2]
    return int(re.search(r"^active_sessions (\d+)$", figures, re.MULTILINE)[1])


def test_two_visitors_through_one_connection_reach_a_process_each(server):
    """A proxy before this machine keeps one connection, and sends through it what all ask."""
    connection = connected(server)
    with ExitStack() as open_now:
        for _ in range(3):
            one = session(server, {"Cookie": f"{COOKIE}=p1"})
            open_now.enter_context(one).waits("loans")
        found = [sessions(connection, process) for process in ("p0", "p1", "p0", "p1")]
    connection.close()
    assert found == [0, 3, 0, 3]


def test_a_visitor_is_named_a_process_once_and_comes_back_to_it(server):
    assert page(server)[1] in {"p0", "p1"}
    for process in ("p0", "p1"):
        assert page(server, f"other=1; {COOKIE}={process}; more=2") == (200, None)


def test_a_visitor_who_names_no_process_that_there_is_is_named_another(server):
    for cookie in (f"{COOKIE}=p7", f"{COOKIE}=../../x", f"{COOKIE}=", f"{COOKIE}=-1"):
        status, named = page(server, cookie)
        assert (status, named in {"p0", "p1"}) == (200, True)


def test_pages_are_drawn_whole_by_both(server):
    visits = together(server, ["", "loans?state=TX", "entities", "signals"] * 2)
    assert [visit.fault() for visit in visits if visit.fault()] == []


def test_whoever_holds_a_connection_without_a_word_holds_up_nobody(server):
    port = int(server.rpartition(":")[2])
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    assert page(server)[0] == 200
    for one in silent:
        one.close()


def test_a_head_that_is_too_long_is_told_so(server):
    with socket.create_connection(("127.0.0.1", int(server.rpartition(":")[2])), timeout=60) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 2**20)
        assert one.recv(65_536).startswith(b"HTTP/1.1 400 ")


def test_a_long_head_within_the_bound_is_answered(server):
    assert page(server, f"long={'y' * 30_000}")[0] == 200


def children(server):
    """The numbers of the server processes, as the system has them."""
    port = server.rpartition(":")[2]
    parent = pids("-f", f"components.serving --port {port} ")[0]
    return pids("-P", str(parent), "-f", "components.serving")


def pids(*which):
    found = subprocess.run(["pgrep", *which], check=False, capture_output=True, text=True)
    return [int(one) for one in found.stdout.split()]


def test_where_a_process_is_killed_the_other_takes_its_visitors_and_another_starts(server):
    before = until(lambda: children(server))
    assert len(before) == 2
    os.kill(before[0], signal.SIGKILL)
    for process, other in (("p0", "p1"), ("p1", "p0")):
        # Which of the two it was is not known by its number.
        if (taken := page(server, f"{COOKIE}={process}")) != (200, None):
            assert taken == (200, other)
            break
    else:
        pytest.fail("nobody was sent to the other")
    after = until(lambda: len(children(server)) == 2 and children(server))
    assert before[1] in after
    assert before[0] not in after
    until(lambda: page(server, f"{COOKIE}={process}") == (200, None))


def test_without_haproxy_a_sentence_says_what_to_install(store, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, "--port", "0", "--processes", "2"],
        cwd=ROOT,
        env={"PATH": str(tmp_path), "CREDIT_ATLAS_STORE": str(store)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == (
        "creditatlas: 2 processes need HAProxy before them, which is not installed; install it "
        "(on Debian: apt install haproxy), or serve with one process\n"
    )


WITHOUT = (
    "from components.serving import __main__, processes\n"
    "processes._PLACES = '/nowhere'\n"
    "__main__.main()\n"
)


def test_listening_everywhere_they_go_by_any_address_and_by_no_name(store, tmp_path):
    port = free_port()
    words = ["up", "--port", str(port), "--host", "0.0.0.0", "--processes", "2"]  # noqa: S104
    started = [sys.executable, "-m", "services", *words, "--store", str(store)]
    with command(started, port, health="/healthz", folder=tmp_path) as address:
        until(lambda: page(address)[0] == 200)
        for host, status in {"192.0.2.7": 200, "[2001:db8::1]": 200, "evil.example": 421}.items():
            connection = connected(address)
            connection.request("GET", "/", headers={"Host": f"{host}:{port}"})
            assert connection.getresponse().status == status
            connection.close()


def test_below_a_path_pages_and_the_api_answer_and_nothing_beside_it(store, haproxy):
    """D273."""
    assert haproxy
    with dashboard(store, processes=2, base="/bank/atlas") as address:
        site = address.removesuffix("/bank/atlas")
        until(lambda: page(site, path="/bank/atlas/loans")[0] == 200)
        visits = together(address, ["", "loans?state=TX"])
        assert [visit.fault() for visit in visits if visit.fault()] == []
        connection = connected(site)
        wanted = {
            "/": (307, "/bank/atlas/"),
            "/bank/atlas": (307, "/bank/atlas/"),
            "/loans": (404, None),
            "/bank/atlass/": (404, None),
            "/bank/atlas/healthz": (200, None),
            "/healthz": (200, None),
            "/bank/atlas/loans/": (301, "/bank/atlas/loans"),
        }
        answers = {path: asked(connection, path)[:2] for path in wanted}
        connection.close()
        found = {path: (status, said["Location"]) for path, (status, said) in answers.items()}
        assert found == wanted


@pytest.mark.parametrize("api", [False, True])
@pytest.mark.parametrize("base", ["", "/desk"])
def test_the_configuration_is_the_one_that_ships_with_processes_for_nodes(
    haproxy, tmp_path, base, api
):
    text = configuration("127.0.0.1:9", (8_601, 8_602, 8_603), base=base, api=api)
    lines = [line.strip() for line in text.splitlines()]
    assert [line for line in lines if line.startswith("server ")] == [
        "server p0 127.0.0.1:8601 cookie p0",
        "server p1 127.0.0.1:8602 cookie p1",
        "server p2 127.0.0.1:8603 cookie p2",
        "server p0 127.0.0.1:8601",
        "server p1 127.0.0.1:8602",
        "server p2 127.0.0.1:8603",
    ]
    assert [line for line in lines if line.startswith(("bind", "maxconn", "cookie"))] == [
        "maxconn 2400",
        "bind 127.0.0.1:9",
        'cookie creditatlas_process insert indirect nocache httponly attr "SameSite=Lax"',
    ]
    assert any(line.startswith("use_backend service") for line in lines) is api
    assert not any("admin.sock" in line or "return status 404" in line for line in lines)
    assert ("http-request replace-path ^/desk(/.*) \\1" in lines) is bool(base)
    path = tmp_path / "haproxy.cfg"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([haproxy, "-c", "-f", path], capture_output=True, text=True, check=False)
    assert (done.returncode, "warning" in done.stderr.lower()) == (0, False), done.stderr
