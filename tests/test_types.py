"""The waist is typed: what cannot be asked does not pass the type checker."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
OPENING = """
from components.frame import session
from services.contract.loan_filter import LoanFilter
from services.contract.queries import LoanQuery, SignalQuery
from services.contract.records import Loan, LoanDetail, Page
from services.contract.source import CreditSource, Portfolio, Screens
"""
#: Each line, and the fault of it; sound ones have none.
LINES = {
    "loans: Page[Loan] = session.ask(CreditSource.loans, LoanQuery())": "",
    'one: LoanDetail = session.ask(CreditSource.loan, "CA-000001")': "",
    "session.ask(Portfolio.worst_severities)": "",
    'session.ask(Screens.loan_totals, LoanFilter(property_type=("office",)))': "",
    "session.ask(CreditSource.lones, LoanQuery())": "attr-defined",
    "session.ask(CreditSource.loans, SignalQuery())": "arg-type",
    "session.ask(CreditSource.loans, LoanFilter())": "arg-type",
    "session.ask(CreditSource.loan, 7)": "arg-type",
    "session.ask(Portfolio.totals, 'TX')": "arg-type",
    "session.ask(str.upper)": "type-var",
    "wrong: Loan = session.ask(CreditSource.loans, LoanQuery())": "assignment",
    "text: str = session.ask(CreditSource.loan, '1').book_value": "assignment",
}


def test_sound_questions_pass_and_wrong_questions_or_answers_are_refused(tmp_path):
    """One run of mypy with the project's settings, over a file of all lines."""
    script = tmp_path / "asked.py"
    script.write_text(OPENING + "\n".join(LINES), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", str(script)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    first = OPENING.count("\n")
    faults = dict.fromkeys(range(len(LINES)), "")
    for line, fault in re.findall(
        r"asked\.py:(\d+): error: .*\[([a-z-]+)\]$", done.stdout, re.MULTILINE
    ):
        assert not faults[int(line) - 1 - first], done.stdout
        faults[int(line) - 1 - first] = fault
    assert list(faults.values()) == list(LINES.values()), done.stdout
