"""Several processes behind one port: HAProxy, as it ships for a team, keeps each browser with one.

A page is drawn by Python, and one process draws one page at a time. What a visitor uploads, may
download and has on screen lies in the process that began the session. HAProxy reads the cookie of
each request, for a proxy before this machine may send many visitors through one connection.
"""

import asyncio
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from services.api.protocol import MAX_CONNECTIONS
from services.contract.errors import SettingsInvalid

log = logging.getLogger("credit_atlas")

_SHIPPED: Final = files("services") / "shelf" / "deploy" / "haproxy.cfg"
#: Debian's place is on the path of an administrator only.
_PLACES: Final = "/usr/sbin:/usr/local/sbin"
_PATIENCE_SECONDS: Final = 20.0
#: Between the end of a program and the start of the next in its place.
_RESTART_SECONDS: Final = 1.0


def configuration(bind: str, ports: Sequence[int], *, base: str, api: bool) -> str:
    """The configuration that ships, for processes of this machine on `ports`; HAProxy listens on
    `bind`, and serves all below the path `base`. Without `api` nothing is asked of the service.
    """
    shipped = _SHIPPED.read_text(encoding="utf-8")
    if base:
        shipped = shipped.replace("    #base ", "    ").replace("/atlas", base)
    return "".join(f"{line}\n" for line in _lines(shipped, bind, ports, api=api))


def _lines(shipped: str, bind: str, ports: Sequence[int], *, api: bool) -> Iterator[str]:
    for line in shipped.splitlines():
        match line.split():
            case ["bind", *_]:
                yield f"    bind {bind}"
            case ["maxconn", *_]:
                yield f"    maxconn {MAX_CONNECTIONS * len(ports)}"
            case ["use_backend", "service", *_] if api:
                yield line
            case ["http-check", "expect", *_]:
                # Without a store every process is as unready, and its pages say why.
                yield '    http-check expect ! string "being warmed up"'
            case ["cookie", _, *options]:
                # Another name than a proxy's before this machine, which takes its own away.
                yield f"    cookie creditatlas_process {' '.join(options)}"
            case ["server", "n1", _, *options]:
                for number, port in enumerate(ports):
                    named = " ".join(options).replace("n1", f"p{number}")
                    yield f"    server p{number} 127.0.0.1:{port} {named}".rstrip()
            # Nobody drains a process, and a proxy before this machine asks how it is.
            case ["server" | "stats" | "use_backend", *_] | ["http-request", "return", *_]:
                continue
            case _:
                yield line


async def _keep_running(words: Sequence[str], inherited: Sequence[int] = ()) -> None:
    """Starts a program, and starts it again whenever it ends, until this is cancelled."""
    running = None
    try:
        while True:
            running = await asyncio.create_subprocess_exec(  # noqa: TID251 - the server itself, and HAProxy
                *words,
                # Streamlit prints an address there that is nobody's business, HAProxy what is
                # asked for, the API its log.
                stdout=None if "--api" in words else asyncio.subprocess.DEVNULL,
                pass_fds=inherited,
            )
            log.warning("%s ended (%s); starting another", words[0], await running.wait())
            await asyncio.sleep(_RESTART_SECONDS)
    finally:
        if running and running.returncode is None:
            running.terminate()
            try:
                await asyncio.wait_for(running.wait(), _PATIENCE_SECONDS)
            except TimeoutError:
                running.kill()


async def _run(programs: Sequence[Sequence[str]], listener: socket.socket) -> None:
    stopped = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(one, stopped.set)
    running = [asyncio.create_task(_keep_running(one, [listener.fileno()])) for one in programs]
    await stopped.wait()
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


def run(
    processes: int, *, host: str, base: str, listener: socket.socket, words: Sequence[str]
) -> None:
    """Serves with so many processes until this one is told to stop; `words` are for each.

    Raises SettingsInvalid without HAProxy.
    """
    haproxy = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:{_PLACES}")
    if haproxy is None:
        raise SettingsInvalid(
            f"{processes} processes need HAProxy before them, which is not installed; install it "
            "(on Debian: apt install haproxy), or serve with one process"
        )
    ports = _free_ports(processes)
    command = [sys.executable, "-m", "components.serving", "--front", host, *words]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "haproxy.cfg"
        bind = f"fd@{listener.fileno()}"
        path.write_text(
            configuration(bind, ports, base=base, api="--api" in words), encoding="utf-8"
        )
        programs = [[haproxy, "-db", "-q", "-f", str(path)]]
        programs += [[*command, "--port", str(port)] for port in ports]
        address = f"http://localhost:{listener.getsockname()[1]}{base}"
        sys.stdout.write(f"Credit Atlas: {address} in {processes} processes\n")
        sys.stdout.flush()
        asyncio.run(_run(programs, listener))


def _free_ports(many: int) -> list[int]:
    """As many ports on which nothing listens just now."""
    probes = [socket.socket() for _ in range(many)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()
