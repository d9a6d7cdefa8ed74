"""HAProxy takes the configuration that ships; with it a node that is not ready, or is killed, costs
no reader of the service an answer. It has lines for a path of a site (D273).
"""

import csv
import shutil
import socket
import subprocess
import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from services.api.keys import KeyFile
from services.importers import demo
from services.store.snapshot import CURRENT
from tests.patience import until
from tests.publishing import load
from tests.servers import command, free_port
from tests.team.service_nodes import Node

pytestmark = pytest.mark.team

ROOT = Path(__file__).parents[2]
CONFIGURATION = ROOT / "services" / "shelf" / "deploy" / "haproxy.cfg"
PATH = "/v1/loans?page=1&per_page=10"


@pytest.mark.parametrize("taken_away", ["#nothing ", "#auth ", "#base "])
def test_the_configuration_that_ships_is_valid_with_and_without_what_it_offers(
    haproxy, tmp_path, taken_away
):
    text = CONFIGURATION.read_text(encoding="utf-8")
    path = tmp_path / "haproxy.cfg"
    path.write_text(text.replace(taken_away, ""), encoding="utf-8")
    done = subprocess.run(
        [haproxy, "-c", "-f", path],
        env={"CREDIT_ATLAS_PROXY_SECRET": "a secret of thirty-two letters and some"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr.lower()


def asked(address, path, key=""):
    """The status of an answer; 0 where there was none."""
    try:
        with urlopen(
            Request(address + path, headers={"Authorization": f"Bearer {key}"}), timeout=20
        ) as came:
            return came.status
    except HTTPError as error:
        error.close()
        return error.code
    except (URLError, OSError):
        return 0


def answers(wanted, address, path):
    """Waits for an answer of this status."""
    until(lambda: asked(address, path) == wanted)


def seen_by_proxy(folder, node):
    """What the proxy of this folder thinks of a node of the service: "UP" or "DOWN", and more."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(folder / "admin.sock"))
        line.sendall(b"show stat\n")
        said = line.makefile(encoding="utf-8").read()
    (one,) = (
        row
        for row in csv.DictReader(said.removeprefix("# ").splitlines())
        if (row["pxname"], row["svname"]) == ("service", node)
    )
    return one["status"]


def configured(folder, places, changed=lambda text: text):
    """The configuration that ships with other places of nodes, and `changed`; and its port."""
    front = free_port()
    text = CONFIGURATION.read_text(encoding="utf-8").replace(":8080", f"127.0.0.1:{front}")
    text = text.replace("/run/haproxy/admin.sock", str(folder / "admin.sock"))
    for place, port in places.items():
        assert text.count(place) == 1
        text = text.replace(place, f"127.0.0.1:{port}")
    path = folder / "haproxy.cfg"
    path.write_text(changed(text), encoding="utf-8")
    return path, front


def test_a_node_that_is_not_ready_or_is_killed_costs_no_answer(haproxy, tmp_path):
    keys = KeyFile(tmp_path / "keys.json")
    key = keys.add("complete", "production")
    load(tmp_path / "n1", [demo.portfolio(loans=200)])
    shutil.copytree(tmp_path / "n1", tmp_path / "n2")
    said, stop = Counter(), threading.Event()

    def reading():
        while not stop.is_set():
            said[asked(address, PATH, key)] += 1

    def read_while(node, status):
        """Readers go on until the proxy thinks so of a node, and for 150 answers from then on."""
        until(lambda: seen_by_proxy(tmp_path, node) == status)
        enough = said.total() + 150
        until(lambda: said.total() >= enough)

    with ExitStack() as running:
        given = ["--keys", tmp_path / "keys.json"]
        given += ["--rate-per-minute", 1_000_000, "--daily-quota", 10_000_000]
        nodes = [Node(tmp_path / name, {}, *given) for name in ("n1", "n2")]
        for node in nodes:
            node.start()
            running.callback(node.kill)
        for node in nodes:
            node.ready()
        places = ("192.0.2.11:8000", "192.0.2.12:8000")
        ports = dict(zip(places, (node.port for node in nodes), strict=True))
        # It looks at its nodes more often, to find out sooner; so often in a row as it does.
        sooner = "check inter 500ms fall 2 rise 2"
        path, front = configured(
            tmp_path, ports, lambda text: text.replace("check inter 2s fall 2 rise 2", sooner)
        )
        assert sooner in path.read_text(encoding="utf-8")
        words = [haproxy, "-db", "-f", str(path)]
        address = running.enter_context(command(words, front, health="/v1/loans"))
        answers(401, address, PATH)
        assert asked(address, "/readyz") == 404
        readers = [threading.Thread(target=reading) for _ in range(3)]
        for reader in readers:
            reader.start()
        try:
            first, second = nodes
            (first.store / CURRENT).rename(first.store / "away")
            read_while("n1", "DOWN")
            assert asked(f"http://127.0.0.1:{first.port}", "/readyz") == 503
            (first.store / "away").rename(first.store / CURRENT)
            read_while("n1", "UP")
            second.kill()
            read_while("n2", "DOWN")
            second.start()
            read_while("n2", "UP")
        finally:
            stop.set()
            for reader in readers:
                reader.join()
    assert set(said) == {200}
    assert said[200] > 500
    print(dict(said))
