"""The command line as a user runs it, in this process: a Python of its own starts for a second."""

import io
import math
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from services import cli, terminal
from tests.publishing import built_once
from tests.servers import ROOT

#: The exit code of a refusal.
REFUSED = 2


def command(*words: Any, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Its exit code and what it printed, with these variables besides. How far it is is not said,
    however slow this machine is.
    """
    given = ["creditatlas", *map(str, words)]
    with (
        patch.dict(os.environ, environment),
        patch.object(sys, "argv", given),
        patch.object(terminal, "BETWEEN_LINES", math.inf),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
    ):
        try:
            cli.main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(given, code, out.getvalue(), err.getvalue())


def process(*words: Any, **environment: str) -> "subprocess.CompletedProcess[str]":
    """The same in a process of its own: for its start, and for what becomes another program."""
    return subprocess.run(
        [sys.executable, "-m", "services", *map(str, words)],
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def sentence(done: "subprocess.CompletedProcess[str]") -> str:
    """The one sentence of a refusal."""
    assert done.returncode == REFUSED, done.stderr
    assert done.stderr.startswith("creditatlas: ")
    assert done.stderr.count("\n") == 1
    assert done.stderr.endswith("\n")
    assert done.stderr.strip().isprintable()
    assert "Traceback" not in done.stderr
    return done.stderr.removeprefix("creditatlas: ").strip()


def said(*words: Any, code: int = 0) -> str:
    """What a command prints where it ends with this code: a refusal is one sentence."""
    done = command(*words)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    if code:
        sentence(done)
    return done.stderr if code else done.stdout


def inside(*words: Any, store: Path) -> "subprocess.CompletedProcess[str]":
    """The same on a store."""
    return command(*words, "--store", store)


def filled(folder: Path, *words: Any) -> Path:
    """The folder of a store that a command fills, once for all workers."""
    built_once(folder, repr(words).encode(), lambda made: said(*words, "--store", made))
    return folder
