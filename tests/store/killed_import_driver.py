"""Runs imports that are killed, each in a process of its own; spoken to by test_killed_import.py.

A line of JSON in, one out. Everything is imported once, then every import is a fork of this
process, which itself opens no database and so has no thread that a fork could lose.
"""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from services import pipeline
from services.contract.portfolio import LOANS, Portfolio
from services.importers.demo import portfolio
from services.store.publisher import SnapshotPublisher

Call = Callable[..., Any]


def tape(key: str, loans: int, seed: int) -> Portfolio:
    """A made-up book passed off as reported, so that it stays beside others (D27)."""
    made = portfolio(loans=loans, seed=seed)
    numbers = pc.binary_join_element_wise(pa.scalar(f"{key}:"), made.loans["loan_number"], "")
    info = replace(made.info, key=f"tape:{key}", title=key, provenance="reported")
    return replace(made, info=info, loans=made.loans.set_column(0, LOANS.field(0), numbers))


def months(key: str, count: int) -> list[Portfolio]:
    """A book of twelve loans a month, each as if read of a file of its own."""
    made = []
    for at in range(count):
        one = tape(key, 12, 1)
        info = replace(one.info, as_of=date(2026, at + 1, 28), sha256=(f"{key} {at}",))
        made.append(replace(one, info=info))
    return made


#: "stays" is in the store from the beginning; the others replace each other.
BOOKS = {
    "stays": [tape("A", 12, 1)],
    "small": [tape("B", 5, 2)],
    "large": [tape("B", 9, 3)],
    "months": months("M", 8),
}


def die() -> None:
    """As kill -9 does it."""
    os.kill(os.getpid(), signal.SIGKILL)


def amid(call: Call, *given: Any, **named: Any) -> None:
    """The half of a removal, or of a write, then death."""
    if call is REMOVE:
        files = sorted(path for path in Path(given[0]).rglob("*") if path.is_file())
        for path in files[::2]:
            path.unlink()
    else:
        call(given[0], given[1][:7], **named)
    die()


REMOVE = shutil.rmtree
#: What a writer does to files, in order: the call, and the name of the file that is meant. Steps
#: between them are the stages that it tells itself.
STEPS: dict[str, tuple[Any, str, str]] = {
    "making the build folder": (Path, "mkdir", "build-"),
    "writing the summary": (Path, "write_text", "snapshot.json"),
    "naming the snapshot": (Path, "rename", "build-"),
    "writing the manifest": (Path, "write_text", "current.new"),
    "replacing the manifest": (Path, "replace", "current.new"),
    "removing the oldest": (shutil, "rmtree", "snap-"),
}


def arm(step: str, when: str) -> None:
    """Makes this process die before, amid or after a step."""
    owner, name, meant = STEPS[step]
    call = getattr(owner, name)

    def fatal(*given: Any, **named: Any) -> Any:
        if not Path(given[0]).name.startswith(meant):
            return call(*given, **named)
        if when == "before":
            die()
        if when == "amid":
            amid(call, *given, **named)
        call(*given, **named)
        return die()

    setattr(owner, name, fatal)


def run(order: dict[str, Any]) -> dict[str, Any]:
    """One import in a fork, killed as ordered; its exit code, and how long it took."""
    started = time.perf_counter()
    child = os.fork()
    if not child:
        try:
            if order.get("step") in STEPS:
                arm(order["step"], order["when"])
            pipeline.load(
                BOOKS[order["book"]],
                into=SnapshotPublisher(Path(order["store"])),
                progress=lambda stage, _: die() if stage == order.get("step") else None,
            )
        except BaseException as error:  # noqa: BLE001 - a fork must never come back from here
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    if "delay" in order:
        time.sleep(order["delay"])
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    took = time.perf_counter() - started
    return {"code": os.waitstatus_to_exitcode(status), "seconds": took}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
