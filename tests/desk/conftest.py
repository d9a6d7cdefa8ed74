"""Folders of desks that can be read but not written, also where root runs the tests."""

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import until

NOBODY = 65534


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder whose files this process can read but not write; what looks at a desk has ended."""
    root = os.geteuid() == 0
    for one in folder.iterdir():
        one.chmod(0o444)
    folder.chmod(0o555)
    try:
        if root:  # whom no permission holds back
            os.seteuid(NOBODY)
        yield
    finally:
        until(lambda: all(one.name != "desk" for one in threading.enumerate()))
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        for one in folder.iterdir():
            one.chmod(0o644)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)
