"""The made-up history of planted.py, written and scored once."""

import pytest

from services.signals.assumptions import Assumptions
from services.track_record.history import read_history
from services.track_record.run import record
from tests.track_record.planted import TODAY, write


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Thirty files."""
    return write(tmp_path_factory.mktemp("history") / "files")


@pytest.fixture(scope="session")
def scored(folder):
    """Its filings, scored by the packaged rules."""
    return read_history([folder], Assumptions.packaged())


@pytest.fixture(scope="session")
def run(scored):
    """Its track record."""
    return record(scored, Assumptions.packaged(), TODAY)
