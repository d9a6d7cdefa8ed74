"""The demonstration book as made without arguments, its loans as rows; tapes and filings written to
files.
"""

import pytest

from services.frames import connect
from services.importers import sec_absee
from services.importers.demo import portfolio
from services.rates.reference import ReferenceRates
from tests.filed_loans import exhibit
from tests.publishing import load

FACTS = ("defeasance", "disposition", "modification", "whole_loan_debt", "ltv", "debt_yield")


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


@pytest.fixture
def filed(tmp_path):
    """Reads a filing of these records."""
    return lambda *records: sec_absee.portfolio([exhibit(tmp_path / "FLD_2026-1.xml", records)])[0]


@pytest.fixture
def graded(tmp_path):
    """Scores a portfolio; by number a loan's facts, and its signals by type."""

    def grade(found):
        load(tmp_path / "store", [found], rates=ReferenceRates.packaged())
        with connect(tmp_path / "store") as atlas:
            facts = atlas.loans(columns=["loan_number", *FACTS]).to_dict("records")
            signals = atlas.signals().to_dict("records")
        by_number = {}
        for row in facts:
            own = [one for one in signals if one["loan_number"] == row["loan_number"]]
            number = row["loan_number"].rpartition(":")[2]
            by_number[number] = (row, {one["signal_type"]: one for one in own})
        return by_number

    return grade
