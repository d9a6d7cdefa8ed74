"""The load: what is asked, how `wrk` asks it, what it says of the answers."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CONNECTIONS: Final = 32
#: Prepared once, so that the load costs wrk the same whoever answers; each run begins elsewhere.
_LUA: Final = """
local requests, at = {}, 0
function init(args)
  for line in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", line)
  end
  at = tonumber(args[2]) % #requests
end
function request()
  at = at % #requests + 1
  return requests[at]
end
"""
_UNITS: Final = {"us": 0.001, "ms": 1.0, "s": 1_000.0, "m": 60_000.0}


@dataclass(frozen=True, slots=True)
class Load:
    """What one run of wrk measured."""

    per_second: float
    median_ms: float
    p99_ms: float
    #: Bytes of an answer with its headers, on average.
    size: float


def missing() -> str | None:
    """Why there can be no load, as a sentence, or None."""
    if shutil.which("wrk") is None:
        return "'wrk' is not installed (apt-get install wrk), so the service was not measured"
    return None


def load(
    address: str, targets: Path, folder: Path, *, seconds: int, start: int = 0, key: str = ""
) -> Load:
    """What `address` answers to the targets, one a line, cycled from the line `start` on.

    Ends the run when an answer is not a 2xx, or a connection failed: a fast error is no answer.
    """
    script = folder / "targets.lua"
    script.write_text(_LUA, encoding="ascii")
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", "--latency"]
    command += ["-s", str(script)]
    if key:
        command += ["-H", f"Authorization: Bearer {key}"]
    done = subprocess.run(
        [*command, address, "--", str(targets), str(start)],
        capture_output=True,
        text=True,
        check=True,
    )
    if fault := re.search(r"(Non-2xx.*|Socket errors.*)", done.stdout):
        raise SystemExit(f"{address} {targets.name}: {fault[1]}")
    return _read(done.stdout)


def _read(text: str) -> Load:
    def latency(percent: int) -> float:
        found = re.search(rf"^\s+{percent}%\s+([\d.]+)(us|ms|s|m)\s*$", text, re.MULTILINE)
        assert found, text
        return float(found[1]) * _UNITS[found[2]]

    requests = re.search(r"(\d+) requests in [\d.]+\w+, ([\d.]+)(KB|MB|GB|B) read", text)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    assert requests, text
    assert rate, text
    read = float(requests[2]) * 1024 ** ("B", "KB", "MB", "GB").index(requests[3])
    return Load(float(rate[1]), latency(50), latency(99), read / max(int(requests[1]), 1))
