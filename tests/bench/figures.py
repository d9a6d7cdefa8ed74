"""What the benchmark measures: figures with targets, how they are printed and written."""

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from rich.console import Console
from rich.table import Table

#: What is printed of many runs beside their 95th percentile.
_SPREAD = ("median", "slowest", "cpu")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement. Without a target it never fails a run."""

    group: str
    name: str
    measured: float
    unit: str
    target: float | None = None
    #: Whether the target is the least that will do, not the most.
    at_least: bool = False
    #: The least that will do beside a target that is the most: both ends of a band.
    least: float | None = None
    #: Of runs in ms: median, slowest, 95th percentile of processor time (`cpu`), how many `runs`,
    #: and the median as a multiple of the floor measured beside it.
    detail: dict[str, float] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        if self.target is None:
            return None
        if self.at_least:
            return self.measured >= self.target
        if self.least is not None:
            return self.least <= self.measured <= self.target
        return self.measured < self.target

    @property
    def wanted(self) -> str:
        """The target in words; empty without one."""
        if self.target is None:
            return ""
        if self.least is not None:
            return f"{self.least:g} to {self.target:g} {self.unit}"
        return f"{'at least' if self.at_least else 'under'} {self.target:g} {self.unit}".rstrip()


class Run(NamedTuple):
    """What one run took, in milliseconds."""

    wall: float
    #: Processor time of all threads: what is left of a run when the machine does nothing else.
    cpu: float


class Stopwatch:
    """Times a block: `with Stopwatch() as watch: ...`, then `watch.run`."""

    run: Run

    def __enter__(self) -> Self:
        self._cpu = time.process_time()
        self._wall = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        wall = time.perf_counter() - self._wall
        self.run = Run(wall * 1000, (time.process_time() - self._cpu) * 1000)


def timed(ask: Callable[[], object]) -> Run:
    """What one call takes."""
    with Stopwatch() as watch:
        ask()
    return watch.run


def spread(  # one figure out of many runs of one kind
    group: str,
    name: str,
    runs: Sequence[Run],
    *,
    target: float | None = None,
    floor: float | None = None,
) -> Figure:
    """The 95th percentile of some runs, with their median, and with the floor it stands on."""
    wall, cpu = np.array(runs).T
    p95 = float(np.percentile(wall, 95))
    detail = {
        "median": float(np.median(wall)),
        "slowest": float(wall.max()),
        "cpu": float(np.percentile(cpu, 95)),
        "runs": len(runs),
    }
    if floor:
        detail["times_floor"] = detail["median"] / floor
    return Figure(group, name, p95, "ms", target, detail=detail)


def print_table(figures: list[Figure], console: Console) -> None:
    """Prints all figures as a table."""
    table = Table("", "figure", title_justify="left")
    for heading in ("target", "measured", "median", "slowest", "cpu p95", "x floor"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    group = ""
    for one in figures:
        if group not in ("", one.group):
            table.add_section()
        detail = one.detail
        table.add_row(
            one.group if one.group != group else "",
            one.name,
            one.wanted,
            f"{_number(one.measured)} {one.unit}" if one.unit else f"{one.measured:.4f}",
            *(
                _number(detail[key]) if key in detail else ""
                for key in ("median", "slowest", "cpu")
            ),
            _number(detail["times_floor"]) if "times_floor" in detail else "",
            {None: "", True: "[green]met", False: "[bold red]MISSED"}[one.met],
        )
        group = one.group
    console.print(table)


def _number(value: float) -> str:
    digits = 3 if abs(value) < 1 else 2 if abs(value) < 10 else 1
    return f"{value:,.{digits}f}"


def write_results(path: Path, figures: list[Figure], loans: int) -> None:
    """Writes all figures, and what they were measured on, as JSON."""
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    facts = {
        "loans": loans,
        "machine": {"cpu": cpu, "cores": os.cpu_count(), "system": platform.platform()},
        "load_average": os.getloadavg(),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("duckdb", "tantivy", "streamlit", "pyarrow")},
        },
        "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "figures": [{**asdict(one), "met": one.met} for one in figures],
    }
    path.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
