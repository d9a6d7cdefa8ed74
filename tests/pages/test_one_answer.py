"""One figure of one loan is the same on its page, in the list, in the file, over the API and in the
frame (D139).
"""

import csv
import io

import httpx
import pandas as pd
import pytest

from components.kit.fields import label, written
from components.kit.formatting import MISSING, money
from services.contract.facts import FACT
from services.frames import connect
from services.importers import demo
from tests.pages.ledger_reading import rows
from tests.pages.screen import facts
from tests.pages.test_api_mode import serving
from tests.publishing import load_once
from tests.tiers import amounts

#: Facts of several kinds: dollars, fractions, percent, times, months, words.
NAMES = (
    "value", "noi", "ncf", "dscr", "ltv", "debt_yield", "whole_loan_debt", "exposure", "refi_rate",
    "proforma_dscr", "payment_shock", "balance_at_maturity", "max_proceeds", "refinance_gap",
    "dollars_short", "noi_room", "filed_debt_service", "disposition", "computed_triggers",
)  # fmt: skip
LOANS = 90


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one-answer")
    load_once(folder, [demo.portfolio(loans=LOANS)])
    return folder


def of_the_page(visit, folder, number):
    app = visit("pages/loan.py", folder, {"loan_number": number})
    assert not app.exception
    return facts(app, "Performance and refinancing")


def asked_of(api, number):
    held = {"Authorization": f"Bearer {api.key()}"}
    answer = httpx.get(f"{api.address}/v1/loans/{number}", headers=held).raise_for_status()
    return answer.json()["data"]


def in_the_file(pressed):
    [write] = [one for name, one in pressed.items() if name.endswith(".csv")]
    lines = write().decode("utf-8-sig").splitlines()
    head = next(at for at, line in enumerate(lines) if not line.startswith("#"))
    return {row["loan_number"]: row for row in csv.DictReader(io.StringIO("\n".join(lines[head:])))}


def in_file(row, name):
    """A fact in a row of the file, whose columns end with their units."""
    return row[min((one for one in row if one == name or one.startswith(f"{name}_")), key=len)]


@pytest.mark.parametrize("count", amounts(4, 30))
def test_a_figure_is_one_wherever_it_is_asked_for(count, folder, visit, pressed, tmp_path):
    numbers = [f"CA-{at:06}" for at in range(1, LOANS + 1, LOANS // count)][:count]
    cells = {number: {} for number in numbers}
    for names in (NAMES[:10], NAMES[10:]):
        asked = {"columns": ",".join(("loan_number", *names)), "per_page": "100"}
        listed = visit("pages/loans.py", folder, asked)
        for row in rows(listed, "Loan", label(names[0])):
            cells.get(row["Loan"], {}).update(row)
    file = in_the_file(pressed)
    with connect(folder) as atlas:
        frame = atlas.loans(columns=["loan_number", *NAMES]).set_index("loan_number")
    with serving(str(folder), tmp_path) as api:
        answers = {one: asked_of(api, one) for one in numbers}
    seen = 0
    for number in numbers:
        held = of_the_page(visit, folder, number)
        for name in NAMES:
            value = None if pd.isna(frame.loc[number, name]) else frame.loc[number, name]
            assert value == answers[number].get(name), (number, name)
            said, cell, filed = (
                held.get(label(name)), cells[number][label(name)], in_file(file[number], name),
            )  # fmt: skip
            if value is None:
                assert (said, cell, filed) == (None, MISSING, ""), (number, name)
                continue
            seen += 1
            assert said == written(name, value), (number, name)
            short = money(value) if FACT[name].kind == "dollars" else said
            assert cell.casefold() == short.casefold(), (number, name)
            assert filed == value if isinstance(value, str) else float(filed) == value
    assert seen > 10 * count
