"""What a question of an assistant takes at /mcp, beside the same question to the API.

Both are asked of one server in a process of its own, over one kept connection each, in turns.
"""

import http.client
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from services.api.keys import KeyFile
from services.contract.queries import LoanQuery
from services.store.source import StoreSource
from tests import servers
from tests.bench.figures import Figure

GROUP: Final = "assistants"
ROUNDS, QUICK_ROUNDS = 400, 100
#: A tool takes no longer than this, at the 95th percentile; a reader waits for the model anyway.
TARGET_MS: Final = 100
_UNLIMITED: Final = {
    "CREDIT_ATLAS_RATE_PER_MINUTE": "1000000000",
    "CREDIT_ATLAS_DAILY_QUOTA": "1000000000",
}


def figures(store: Path, source: StoreSource, *, quick: bool) -> Iterator[Figure]:
    """The 95th percentile of one loan and of a list, in ms, by either door."""
    numbers = [one.loan_number for one in source.loans(LoanQuery(per_page=100)).items]
    with TemporaryDirectory(prefix="atlas-bench-assistants-") as name:
        keys = KeyFile(Path(name) / "keys.json")
        secret, port = keys.add("complete", "production"), servers.free_port()
        words = [sys.executable, "-m", "services", "serve", "--port", str(port)]
        words += ["--keys", str(keys.path), "--store", str(store), "--sandbox-store", str(store)]
        with servers.command(words, port, health="/healthz", **_UNLIMITED):
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            yield from _measured(line, secret, numbers, QUICK_ROUNDS if quick else ROUNDS)
            line.close()


def _measured(
    line: http.client.HTTPConnection, secret: str, numbers: list[str], rounds: int
) -> Iterator[Figure]:
    bearer = {"Authorization": f"Bearer {secret}"}
    both = {**bearer, "Content-Type": "application/json", "Accept": "application/json"}

    def api(path: str) -> None:
        line.request("GET", path, headers=bearer)
        _read(line)

    def tool(name: str, given: dict[str, object]) -> None:
        asked = {"name": name, "arguments": given}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
        line.request("POST", "/mcp", json.dumps(body), both)
        if json.loads(_read(line))["result"].get("isError"):
            raise RuntimeError(f"{name} was refused")

    pairs: dict[str, tuple[Callable[[int], None], Callable[[int], None]]] = {
        "one loan": (
            lambda at: api(f"/v1/loans/{numbers[at % len(numbers)]}"),
            lambda at: tool("get_loan", {"loan_number": numbers[at % len(numbers)]}),
        ),
        "25 loans of a state": (
            lambda at: api(f"/v1/loans?state=TX&page={at % 20 + 1}"),
            lambda at: tool("search_loans", {"state": "TX", "page": at % 20 + 1}),
        ),
    }
    for what, doors in pairs.items():
        took: tuple[list[float], list[float]] = ([], [])
        for at in range(rounds):
            for door, found in zip(doors, took, strict=True):
                began = time.perf_counter()
                door(at)
                found.append((time.perf_counter() - began) * 1_000)
        for name, found in zip(("the API", "a tool"), took, strict=True):
            detail = {"median": float(np.median(found)), "slowest": max(found), "runs": len(found)}
            target = TARGET_MS if name == "a tool" else None
            p95 = float(np.percentile(found, 95))
            yield Figure(GROUP, f"{what}, by {name}, p95", p95, "ms", target, detail=detail)


def _read(line: http.client.HTTPConnection) -> bytes:
    answer = line.getresponse()
    said = answer.read()
    if answer.status != http.HTTPStatus.OK:
        raise RuntimeError(f"{answer.status}: {said[:200]!r}")
    return said
