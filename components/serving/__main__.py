"""`python -m components.serving [--port N] [--host ADDRESS] [--processes N]`: `creditatlas up`."""

import argparse
import sys
from pathlib import Path

from components.serving.application import SCRIPT, application
from components.serving.processes import run
from services.api.serving import app_of_worker
from services.contract.errors import SettingsInvalid


def main() -> None:
    """Serves until the process is told to stop."""
    parser = argparse.ArgumentParser(prog="creditatlas up")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--api", action="store_true", help="serve the API under /v1 too")
    parser.add_argument("--number", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--script", type=Path, default=SCRIPT, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    script = arguments.script.resolve()
    if arguments.processes > 1:
        words = ["--script", str(script), *(["--api"] if arguments.api else [])]
        run(arguments.processes, host=arguments.host, port=arguments.port, words=words)
        return
    options = {
        "server.address": arguments.host,
        "server.port": arguments.port,
        "server.enableAgentApi": False,
    }
    # Streamlit looks for .streamlit/config.toml beside what was started, by name of the first word.
    sys.argv = [str(SCRIPT)]
    try:
        service = app_of_worker() if arguments.api else None
        served = application(script, number=arguments.number, service=service)
    except SettingsInvalid as error:
        sys.exit(f"creditatlas: {error}")
    try:
        served.run(config=options)
    except OSError as error:
        sys.exit(f"creditatlas: '{arguments.host}' cannot be listened on ({error.strerror})")


if __name__ == "__main__":
    main()
