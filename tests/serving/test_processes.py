"""Several processes behind one port: who is sent where, and what happens when one ends (D80)."""

import os
import signal
import socket
import subprocess
import time
from http.client import HTTPConnection

import pytest

from components.serving.processes import COOKIE, named_in
from tests.servers import dashboard
from tests.visitors import together


@pytest.fixture(scope="module")
def server(store):
    with dashboard(store, processes=2) as address:
        yield address


def page(address, cookie=None, path="/loans"):
    """Status of a page, and the process that it names in a cookie."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=60)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status, named_in(answer.headers.get("Set-Cookie", ""))


def until(there, seconds=60):
    """Waits until something is there, and gives it."""
    ends = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < ends
        time.sleep(0.2)
    return found


def test_a_visitor_is_named_a_process_once_and_comes_back_to_it(server):
    for number in (0, 1):
        until(lambda number=number: page(server, f"{COOKIE}={number}") == (200, None))
    assert page(server)[1] in {0, 1}
    for number in (0, 1):
        assert page(server, f"other=1; {COOKIE}={number}; more=2") == (200, None)


def test_a_visitor_who_names_no_process_that_there_is_is_named_another(server):
    for cookie in (f"{COOKIE}=7", f"{COOKIE}=../../x", f"{COOKIE}=", f"{COOKIE}=-1"):
        status, named = page(server, cookie)
        assert (status, named in {0, 1}) == (200, True)


def test_pages_are_drawn_whole_by_both(server):
    visits = together(server, ["", "loans?state=TX", "entities", "signals"] * 2)
    assert [visit.fault() for visit in visits if visit.fault()] == []


def test_whoever_holds_a_connection_without_a_word_holds_up_nobody(server):
    port = int(server.rpartition(":")[2])
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    assert page(server)[0] == 200
    for one in silent:
        one.close()


def test_a_head_that_is_too_long_is_told_so_by_a_process(server):
    until(lambda: page(server)[0] == 200)
    with socket.create_connection(("127.0.0.1", int(server.rpartition(":")[2])), timeout=60) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 2**20)
        heard = b""
        while part := one.recv(65_536):
            heard += part
    assert heard.startswith(b"HTTP/1.1 431 ")


def children(server):
    """The numbers of the server processes, as the system has them."""
    port = server.rpartition(":")[2]
    parent = pids("-f", f"components.serving --port {port} ")[0]
    return pids("-P", str(parent))


def pids(*which):
    found = subprocess.run(["pgrep", *which], check=False, capture_output=True, text=True)
    return [int(one) for one in found.stdout.split()]


def test_where_a_process_is_killed_the_other_takes_its_visitors_and_another_starts(server):
    before = until(lambda: children(server))
    assert len(before) == 2
    os.kill(before[0], signal.SIGKILL)
    taken = until(lambda: page(server, f"{COOKIE}=0")[1])
    assert taken == 1
    after = until(lambda: len(children(server)) == 2 and children(server))
    assert before[1] in after
    assert before[0] not in after
    until(lambda: page(server, f"{COOKIE}=0") == (200, None))


@pytest.mark.parametrize(
    ("cookies", "number"),
    [
        ("creditatlas_process=3", 3),
        ("a=b; creditatlas_process=12; c=d", 12),
        ("creditatlas_process=12345", None),
        ("creditatlas_process=1x", None),
        ("not_creditatlas_process=1", None),
        ("", None),
        ("creditatlas_process", None),
        ("\x00;=;creditatlas_process=1,2", None),
    ],
)
def test_what_a_cookie_header_names(cookies, number):
    assert named_in(cookies) == number
