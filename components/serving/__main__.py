"""`python -m components.serving [--port N] [--host ADDRESS] [...]`: `creditatlas up`."""

import argparse
import sys
from pathlib import Path
from typing import Final

import uvicorn

from components.platform.configuration import configure, largest_message, options
from components.serving.application import SCRIPT, application
from components.serving.base_path import base_path
from components.serving.processes import run
from services.api.serving import app_of_worker, bound, config_of
from services.contract.errors import CreditAtlasError
from services.contract.queries import shortened
from services.settings import load
from services.startup_checks import checked

_LONGEST_ERROR: Final = 2_000


def main() -> None:
    """Serves until the process is told to stop."""
    parser = argparse.ArgumentParser(prog="creditatlas up")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--base-path", default="", help="path to serve below")
    parser.add_argument("--api", action="store_true", help="serve the API under /v1 too")
    parser.add_argument("--front", help=argparse.SUPPRESS)
    parser.add_argument("--script", type=Path, default=SCRIPT, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    script = arguments.script.resolve()
    try:
        _serve(arguments, script)
    except CreditAtlasError as error:
        # A sentence may quote the name of a file, and that may hold anything.
        sys.stderr.write(f"creditatlas: {shortened(str(error), _LONGEST_ERROR)}\n")
        sys.exit(2)


def _serve(arguments: argparse.Namespace, script: Path) -> None:
    base = base_path(arguments.base_path)
    if arguments.processes > 1:
        checked()  # once for all: each would say it again, at each new start
        words = ["--script", str(script), *(["--api"] if arguments.api else [])]
        listener = bound(arguments.host, arguments.port)
        run(arguments.processes, host=arguments.host, base=base, listener=listener, words=words)
        return
    listener = bound(arguments.host, arguments.port)
    port = listener.getsockname()[1]
    service = app_of_worker() if arguments.api else None
    host = arguments.front or arguments.host
    served = application(script, host=host, base=base, service=service)
    told = {"server.address": arguments.host, "server.port": port, **options(load())}
    configure(SCRIPT, told)
    serving = config_of(
        served,
        ws="websockets-sansio",
        ws_max_size=largest_message(),
        proxy_headers=True,
    )
    sys.stdout.write(f"Credit Atlas: http://localhost:{port}{base}\n")
    sys.stdout.flush()
    uvicorn.Server(serving).run(sockets=[listener])


if __name__ == "__main__":
    main()
