"""The command line as a user runs it, in this process: a Python of its own starts for a second."""

import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from services import cli
from tests.publishing import built_once

HERE = Path()


def command(
    *words: Any, folder: Path = HERE, **environment: str
) -> "subprocess.CompletedProcess[str]":
    """Its exit code and what it printed. Runs in `folder`, with these variables besides."""
    given = ["creditatlas", *map(str, words)]
    with (
        patch.dict(os.environ, environment),
        patch.object(sys, "argv", given),
        chdir(folder),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
    ):
        try:
            cli.main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(given, code, out.getvalue(), err.getvalue())


def inside(*words: Any, store: Path) -> "subprocess.CompletedProcess[str]":
    """The same on a store."""
    return command(*words, "--store", store)


def filled(folder: Path, *words: Any) -> Path:
    """The folder of a store that a command fills, once for all workers."""

    def fill(made: Path) -> None:
        done = inside(*words, store=made)
        assert done.returncode == 0, done.stderr

    built_once(folder, repr(words).encode(), fill)
    return folder
