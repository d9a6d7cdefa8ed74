"""The demonstration book as made without arguments, its loans as rows; tapes written to files."""

import pytest

from services.importers.demo import portfolio


@pytest.fixture(scope="session")
def demo():
    return portfolio()


@pytest.fixture(scope="module")
def loans(demo):
    return demo.loans.to_pylist()


@pytest.fixture
def written(tmp_path):
    """Writes a tape, rows as text, and gives its path."""

    def write(text, name="tape.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write
