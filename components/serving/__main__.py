"""`python -m components.serving [--port N] [--host ADDRESS]`: what `creditatlas up` starts."""

import argparse
import sys
from pathlib import Path

from components.serving.application import SCRIPT, application


def main() -> None:
    """Serves until the process is told to stop."""
    parser = argparse.ArgumentParser(prog="creditatlas up")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--host", help="address to listen on; every one of this machine by default")
    parser.add_argument("--script", type=Path, default=SCRIPT, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    options = {"server.port": arguments.port, "server.enableAgentApi": False}
    if arguments.host:
        options["server.address"] = arguments.host
    # Streamlit looks for .streamlit/config.toml beside what was started, by name of the first word.
    sys.argv = [str(SCRIPT)]
    application(arguments.script.resolve()).run(config=options)


if __name__ == "__main__":
    main()
