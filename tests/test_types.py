"""The waist is typed: what cannot be asked does not pass the type checker."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OPENING = """
from components.frame import session
from services.contract.loan_filter import LoanFilter
from services.contract.queries import LoanQuery, SignalQuery
from services.contract.records import Loan, LoanDetail, Page
from services.contract.source import CreditSource, Maps, Portfolio
"""
SOUND = """
loans: Page[Loan] = session.ask(CreditSource.loans, LoanQuery())
one: LoanDetail = session.ask(CreditSource.loan, "CA-000001")
session.ask(Portfolio.worst_severities)
session.ask(Maps.loan_cities, LoanFilter(property_type=("office",)))
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What mypy says of a few lines, with the project's settings."""
    folder = tmp_path_factory.mktemp("types")

    def run(lines):
        script = folder / "asked.py"
        script.write_text(OPENING + lines, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), str(script)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout

    return run


def test_sound_questions_pass(checked):
    assert "Success" in checked(SOUND)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("session.ask(CreditSource.lones, LoanQuery())", "attr-defined"),
        ("session.ask(CreditSource.loans, SignalQuery())", "arg-type"),
        ("session.ask(CreditSource.loans, LoanFilter())", "arg-type"),
        ("session.ask(CreditSource.loan, 7)", "arg-type"),
        ("session.ask(Portfolio.totals, 'TX')", "arg-type"),
        ("session.ask(str.upper)", "type-var"),
        ("wrong: Loan = session.ask(CreditSource.loans, LoanQuery())", "assignment"),
        ("text: str = session.ask(CreditSource.loan, '1').book_value", "assignment"),
    ],
)
def test_a_wrong_question_or_answer_is_refused(line, fault, checked):
    said = checked(line + "\n")
    assert "Found 1 error in 1 file" in said, said
    assert f"[{fault}]" in said, said
