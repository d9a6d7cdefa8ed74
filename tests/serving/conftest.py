"""A small demonstration store for the servers of these tests."""

import subprocess
import sys

import pytest

from tests.servers import ROOT


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "store"
    words = [sys.executable, "-m", "services", "demo", "--loans", "500", "--store", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    return folder
