"""Our service beside Datasette on the same rows and FastAPI with a constant, in one run.

One process each, loaded by `wrk` in turns over the same number of connections. Ours checks keys,
counts requests against limits and writes its access log meanwhile.
"""

import random
import statistics
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import quote, urlencode

from services.api.keys import KeyFile
from services.store.source import StoreSource
from tests import servers
from tests.bench import service_load, service_rivals
from tests.bench.figures import Figure
from tests.bench.questions import SEED, Questions
from tests.bench.service_load import Load

GROUP: Final = "service"
#: Settings that raise our limits: requests are still counted.
_OUR_LIMITS: Final = {
    "CREDIT_ATLAS_RATE_PER_MINUTE": "1000000000",
    "CREDIT_ATLAS_DAILY_QUOTA": "1000000000",
}
#: Rounds and seconds of each run; a quick benchmark takes fewer.
ROUNDS, SECONDS, WARM_SECONDS = 5, 4, 3
QUICK_ROUNDS, QUICK_SECONDS = 3, 2
#: Different lists that are repeated, and loans that are read one after another: so many that
#: keeping answers would not help.
LISTS: Final = 48
LOANS: Final = 100_000
TIMES_DATASETTE, SHARE_OF_LIST, SHARE_OF_DETAIL = 15, 0.4, 2 / 3


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every server alike."""

    lists: list[dict[str, str]]
    numbers: list[str]


@dataclass(frozen=True, slots=True)
class Rival:
    """One server: where it listens and the file of targets for each kind of read."""

    name: str
    address: str
    targets: dict[str, Path]
    key: str = ""


def lacking() -> str | None:
    """Why the service cannot be measured here, as a sentence, or None."""
    return service_load.missing()


def figures(store: Path, source: StoreSource, pool: Questions, *, quick: bool) -> Iterator[Figure]:
    """Requests a second of every server, and what ours comes to beside the others'."""
    with TemporaryDirectory(prefix="atlas-bench-service-") as name, ExitStack() as running:
        rivals = _rivals(Path(name), store, source, pool, running)
        yield from _measured(rivals, Path(name), quick=quick)


def _measured(rivals: list[Rival], folder: Path, *, quick: bool) -> Iterator[Figure]:
    rounds, seconds = (QUICK_ROUNDS, QUICK_SECONDS) if quick else (ROUNDS, SECONDS)
    for kind in ("list", "detail"):
        loads: dict[str, list[Load]] = {one.name: [] for one in rivals}
        for turn in range(-1, rounds):
            # Every other round the other way about, so that nobody always comes first.
            for one in rivals if turn % 2 else reversed(rivals):
                got = service_load.load(
                    one.address,
                    one.targets[kind],
                    folder,
                    seconds=WARM_SECONDS if turn < 0 else seconds,
                    start=(turn + 1) * LOANS // (rounds + 1),
                    key=one.key,
                )
                if turn >= 0:
                    loads[one.name].append(got)
        yield from report(kind, loads, seconds)


def report(kind: str, loads: dict[str, list[Load]], seconds: int) -> Iterator[Figure]:
    """Requests a second of every server, and ours beside the others', out of runs of `seconds`.

    A server that answered nothing in most of its runs is said to give no answer, and nothing is
    divided by it; ours has missed every target then, and without the constant nothing is met.
    """
    rates = {}
    for name, runs in loads.items():
        rates[name] = statistics.median(run.per_second for run in runs)
        if not rates[name]:
            yield Figure(GROUP, f"{kind}: {name}: {_silent(seconds)}", 0.0, "req/s")
            continue
        detail = {
            "median": statistics.median(run.median_ms for run in runs),
            "p99": statistics.median(run.p99_ms for run in runs),
            "bytes": statistics.median(run.size for run in runs),
            "lowest": min(run.per_second for run in runs),
            "highest": max(run.per_second for run in runs),
            "runs": len(runs),
        }
        yield Figure(GROUP, f"{kind}: {name}", rates[name], "req/s", detail=detail)
        yield Figure(GROUP, f"{kind}: {name}, p99", detail["p99"], "ms")
    ours = rates["ours"]
    least = SHARE_OF_LIST if kind == "list" else SHARE_OF_DETAIL
    share = f"{kind}: share of the constant"
    if rates["constant"]:
        yield Figure(GROUP, share, ours / rates["constant"], "", least, at_least=True)
    else:
        yield Figure(GROUP, f"{share}: {_silent(seconds)}", 0.0, "", least, at_least=True)
    if "Datasette" in rates:
        target = TIMES_DATASETTE if kind == "list" else None
        times = f"{kind}: times Datasette"
        if rates["Datasette"]:
            yield Figure(GROUP, times, ours / rates["Datasette"], "x", target, at_least=True)
        else:
            yield Figure(GROUP, f"{times}: {_silent(seconds)}", ours, "req/s to 0")


def _silent(seconds: int) -> str:
    return f"no answer in {seconds} s"


def _rivals(
    folder: Path, store: Path, source: StoreSource, pool: Questions, running: ExitStack
) -> list[Rival]:
    asked = Asked(_lists(pool), _numbers(pool))
    ours = _ours(folder, store, asked, running)
    bodies = {}
    for kind, target in ours.targets.items():
        first = target.read_text(encoding="ascii").splitlines()[0]
        bodies[kind] = folder / f"constant-{kind}.json"
        bodies[kind].write_bytes(service_rivals.raw(ours.address + first, ours.key))
    port = servers.free_port()
    command = service_rivals.constant(bodies["list"], bodies["detail"], port)
    address = running.enter_context(servers.command(command, port))
    targets = {kind: _written(folder, f"constant-{kind}", [f"/{kind}"]) for kind in bodies}
    rivals = [ours, Rival("constant", address, targets)]
    program = service_rivals.installed(folder)
    if isinstance(program, str):
        print(program)
        return rivals
    return [*rivals, _datasette(folder, program, source, asked, running)]


def _ours(folder: Path, store: Path, asked: Asked, running: ExitStack) -> Rival:
    keys, port = folder / "keys.json", servers.free_port()
    key = KeyFile(keys).add("complete", "production")
    given = {"--store": store, "--sandbox-store": store, "--keys": keys, "--port": port}
    options = [part for name, value in given.items() for part in (name, str(value))]
    command = [sys.executable, "-m", "services", "serve", *options]
    address = running.enter_context(servers.command(command, port, **_OUR_LIMITS))
    lists = [f"/v1/loans?{urlencode(query)}" for query in asked.lists]
    loans = [f"/v1/loans/{quote(number, safe='')}" for number in asked.numbers]
    targets = {
        "list": _written(folder, "ours-list", lists),
        "detail": _written(folder, "ours-detail", loans),
    }
    return Rival("ours", address, targets, key)


def _datasette(
    folder: Path, program: Path, source: StoreSource, asked: Asked, running: ExitStack
) -> Rival:
    path, port = folder / "atlas.db", servers.free_port()
    service_rivals.database(source, path)
    command = service_rivals.datasette(program, path, port)
    address = running.enter_context(servers.command(command, port))
    lists = [service_rivals.datasette_list(address, "atlas", query) for query in asked.lists]
    loans = [f"/atlas/loans/{_tilde(number)}.json" for number in asked.numbers]
    targets = {
        "list": _written(folder, "datasette-list", lists),
        "detail": _written(folder, "datasette-detail", loans),
    }
    return Rival("Datasette", address, targets)


def _lists(pool: Questions) -> list[dict[str, str]]:
    """Lists that people ask for again: by state, lender and maturity, first pages mostly."""
    rng = random.Random(SEED)
    found: dict[str, dict[str, str]] = {}
    while len(found) < LISTS:
        query: dict[str, str] = {}
        if rng.random() < 0.7:
            query["state"] = rng.choice(pool.states[:20])
        if rng.random() < 0.4:
            query["lender"] = rng.choice(pool.lenders[:40])
        if rng.random() < 0.5:
            query["maturity_before"] = f"{rng.randrange(2027, 2032)}-01-01"
        if rng.random() < 0.3:
            query["page"] = str(rng.randrange(2, 4))
        found[urlencode(query)] = query
    return list(found.values())


def _numbers(pool: Questions) -> list[str]:
    """Loan numbers from all over the book, each once as far as there are so many."""
    return list(dict.fromkeys(pool.loan_number() for _ in range(LOANS)))


def _tilde(text: str) -> str:
    """A key as Datasette has it in a path."""
    return "".join(
        chr(byte) if (chr(byte).isalnum() and byte < 128) or byte in b"_-" else f"~{byte:02X}"
        for byte in text.encode()
    )


def _written(folder: Path, name: str, targets: list[str]) -> Path:
    path = folder / f"{name}.txt"
    path.write_text("\n".join(targets) + "\n", encoding="ascii")
    return path
