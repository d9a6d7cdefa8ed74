"""Ten dossiers of genuine filings, read as a committee reads them: nothing twice, nothing that does
not concern the loan, no footnote to a table of the program's own (D287).
"""

import pytest

from components.memo import table_of_sources
from components.memo.contents import memo
from components.memo.document import figures
from services.importers import sec_absee
from services.signals.rescoring import RulesRescorer
from services.sources import Filed
from services.store.leases import Store
from tests.genuine import BANK5, GS6, SEVEN_YEARS
from tests.publishing import load_once

pytestmark = pytest.mark.skipif(not SEVEN_YEARS, reason="the public data is not here")

#: REO, part of an A/B loan, rolling leases, sum of notes, one of them, REO hotel, liquidated, paid
#: off; underwritten above trailing income; defeased.
TEN = (
    *(f"UBS 2017-C1:{at}" for at in ("24", "7", "47", "10", "10A", "49", "14", "5")),
    "BANK5 2025-5YR19:13",
    "GS 2017-GS6:7",
)


@pytest.fixture(scope="module")
def dossiers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dossiers")
    load_once(folder, sec_absee.portfolio([*SEVEN_YEARS[-4:], BANK5, GS6]))
    store = Store(folder, rescorer=RulesRescorer(), records=Filed())
    with store.lease() as source:
        found = {one: memo(source, source, source.loan(one)) for one in TEN}
    store.close()
    return found


def section(found, title):
    [one] = [one for one in found.sections if one.title == title]
    return one


def sentences(found, title):
    return [said.text for said in section(found, title).said]


def pairs(found, title):
    """Names and figures of tables in two columns of pairs."""
    cells = [
        [said.text for said in row] for table in section(found, title).tables for row in table.rows
    ]
    return {row[at]: row[at + 1] for row in cells for at in range(0, len(row) - 1, 2)}


@pytest.mark.parametrize("number", TEN)
def test_no_sentence_and_no_section_is_there_twice(dossiers, number):
    found = dossiers[number]
    titles = [one.title for one in found.sections]
    assert len(titles) == len(set(titles))
    said = [one.text for part in found.sections for one in part.said]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("number", TEN)
def test_sources_are_filings_and_what_is_computed_of_them(dossiers, number):
    files = table_of_sources.files(dossiers[number])
    assert len({text for _, text in files}) == len(files)
    filed = [text for mark, text in files if mark != "Computed"]
    assert all(text.startswith(number.partition(":")[0]) for text in filed)
    assert not any("limits" in text for text in filed)
    hows = [how for _, _, how, _ in table_of_sources.rows(dossiers[number])]
    assert not any("in force" in how or "No closed formula" in how for how in hows)


@pytest.mark.parametrize("number", TEN)
def test_a_reason_is_said_once(dossiers, number):
    """In a table that there is no figure, in the last section why."""
    shown = [one.text for one in figures(dossiers[number]) if "not testable" in one.text]
    assert all(one == "not testable" or ": not testable, no " in one for one in shown)


def test_what_does_not_concern_a_loan_is_one_line(dossiers):
    for number, why in (("UBS 2017-C1:24", "REO"), ("GS 2017-GS6:7", "defeased")):
        assert sentences(dossiers[number], "What could not be tested") == [
            f"Maturity, rate and refinance do not concern it: {why}."
        ]
    assert sentences(dossiers["UBS 2017-C1:47"], "What could not be tested") == [
        "Every figure of this memo could be tested."
    ]


def test_a_loan_that_has_ended_says_what_became_of_it_and_values_nothing(dossiers):
    found = dossiers["UBS 2017-C1:14"]
    terms = pairs(found, "Terms")
    assert {name: terms[name] for name in (
        "Disposition", "Ended on", "Owed before it ended", "Principal received at the end",
        "Realized loss", "Loss of what was owed", "Last appraisal before it ended",
    )} == {
        "Disposition": "liquidated",
        "Ended on": "29 Feb 2024",
        "Owed before it ended": "$18,828,946",
        "Principal received at the end": "$6,954,082",
        "Realized loss": "$11,874,863",
        "Loss of what was owed": "63.1%",
        "Last appraisal before it ended": "$17,000,000",
    }  # fmt: skip
    [value] = section(found, "Income and value").tables[0].rows
    assert [one.text for one in value] == ["Appraised value", "$37,000,000", "—"]


def test_a_note_says_what_is_short_on_itself_and_on_the_whole_loan(dossiers):
    refinance = pairs(dossiers["UBS 2017-C1:7"], "Refinance")
    assert refinance["Whole-loan debt"] == "$242,230,047"
    assert refinance["Short at refinance, all debt due"] == "$127,293,999"
    assert refinance["Of which on this loan itself"] == "$0"
    assert "Whole-loan debt" not in pairs(dossiers["UBS 2017-C1:47"], "Refinance")


def test_the_notes_of_one_loan_are_listed(dossiers):
    rows = section(dossiers["UBS 2017-C1:10A"], "Notes of this loan").tables[0].rows
    assert [(row[0].text, row[1].text, row[3].text) for row in rows] == [
        ("UBS 2017-C1:10", "$13.7M", "sum of its notes"),
        ("UBS 2017-C1:10A", "$9.2M", "PP: participation with pari passu debt outside the trust"),
        ("UBS 2017-C1:10B", "$4.6M", "PP: participation with pari passu debt outside the trust"),
    ]


def test_measures_have_the_units_of_the_page(dossiers):
    rows = section(dossiers["UBS 2017-C1:24"], "Signals").tables[0].rows
    assert {row[0].text: (row[2].text, row[3].text) for row in rows} == {
        "CV-1 DSCR in place": ("0.84x", "1.00x"),
        "DY-1 Debt yield": ("6.16%", "7.00%"),
        "LV-1 LTV": ("108.5%", "100%"),
        "NI-1 Income against underwriting": ("−39%", "−20%"),
        "ST-1 Status and workout": ("90 or more days delinquent", "—"),
    }


def test_what_was_never_appraised_again_says_so(dossiers):
    for number, value in (("UBS 2017-C1:7", "not reappraised"), ("UBS 2017-C1:24", "$18,650,000")):
        rows = section(dossiers[number], "Income and value").tables[0].rows
        assert rows[-1][2].text == value
    [said] = sentences(dossiers["BANK5 2025-5YR19:13"], "Income and value")
    assert said == (
        "Filed: NOI, 1 Jul 2024 to 30 Jun 2025, 12 months. It ended before the loan was made: its "
        "DSCR is not graded. NCF equals NOI to the cent: no reserves are taken, so coverage is on "
        "NOI. Appraised 5 Jul 2025, 5 mo ago."
    )
