"""Many clients at once: five thousand mixed requests over thirty-two connections."""

import json
import random
import re
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote, urlencode

CLIENTS, REQUESTS = 32, 5_000
STATES = ("TX", "CA", "NY", "FL", "IL", "WA")
WORDS = ("bank", "capital", "llc", "holdings", "zzz")


def mixed(rng, numbers):
    """A target, which key asks, and what status is due."""
    raw = rng.choice(numbers)
    number = quote(raw, safe="")
    state, page = rng.choice(STATES), rng.choice(("1", "2", "9"))
    draw = rng.randrange(16)
    good = {
        0: f"/v1/loans?{urlencode({'state': state, 'page': page})}",
        1: f"/v1/loans?{urlencode({'lender': rng.choice(WORDS), 'per_page': '10'})}",
        2: f"/v1/loans?{urlencode({'maturity_before': f'{rng.randrange(2027, 2034)}-01-01'})}",
        3: f"/v1/entities?{urlencode({'name': rng.choice(WORDS), 'page': page})}",
        4: f"/v1/entities/{number}/ownership",
        5: f"/v1/graph/paths?{urlencode({'loan_number': raw, 'depth': '2'})}",
        6: f"/v1/signals?{urlencode({'state': state})}",
        7: "/v1/loans",
    }
    odd = {
        8: ("/v1/loans?state=Texas", "complete", 400),
        9: ("/v1/loans?per_page=101", "complete", 400),
        10: (f"/v1/loans/{number}x", "complete", 404),
        11: ("/v1/nothing", "complete", 404),
        12: (f"/v1/entities/{number}/ownership", "base", 403),
        13: ("/v1/signals", None, 401),
    }
    return odd.get(draw) or (good.get(draw, f"/v1/loans/{number}"), "complete", 200)


class Line:
    """One kept-alive connection, read and written by hand: http.client costs more than they do."""

    def __init__(self, port, keys):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._heard = b""
        self._keys = keys

    def ask(self, target, tier):
        key = f"Authorization: Bearer {self._keys[tier, 'production']}\r\n" if tier else ""
        self._socket.sendall(f"GET {target} HTTP/1.1\r\nHost: here\r\n{key}\r\n".encode())
        while b"\r\n\r\n" not in self._heard:
            self._hear()
        head, _, self._heard = self._heard.partition(b"\r\n\r\n")
        length = int(re.search(rb"(?im)^content-length: (\d+)", head)[1])
        while len(self._heard) < length:
            self._hear()
        body, self._heard = self._heard[:length], self._heard[length:]
        return int(head.split(b" ", 2)[1]), json.loads(body)

    def _hear(self):
        part = self._socket.recv(65_536)
        assert part, "the service closed a connection that was to be kept"
        self._heard += part

    def close(self):
        self._socket.close()


def test_five_thousand_mixed_requests_from_thirty_two_clients_get_the_status_they_are_due(service):
    numbers = [loan["loan_number"] for loan in service.get("/v1/loans?per_page=100").body["data"]]

    def client(seed):
        rng = random.Random(seed)
        line = Line(service.port, service.keys)
        told = []
        try:
            for _ in range(-(-REQUESTS // CLIENTS)):
                target, tier, due = mixed(rng, numbers)
                status, body = line.ask(target, tier)
                wrong = (target, due, body) if status != due else None
                if status == 200 and re.fullmatch(r"/v1/loans/[^?]+", target):
                    same = quote(body["data"]["loan_number"], safe="") == target.split("/")[3]
                    wrong = wrong if same else (target, "another loan", body)
                told.append((status, wrong, (body.get("meta") or body["error"])["request_id"]))
        finally:
            line.close()
        return told

    with ThreadPoolExecutor(CLIENTS) as pool:
        told = [one for every in pool.map(client, range(CLIENTS)) for one in every]
    assert [wrong for _, wrong, _ in told if wrong] == []
    assert len(told) >= REQUESTS
    assert set(Counter(status for status, _, _ in told)) == {200, 400, 401, 403, 404}
    assert len({request_id for _, _, request_id in told}) == len(told)
