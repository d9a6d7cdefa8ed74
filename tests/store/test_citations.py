"""Citations out of a store: raw values from the file that is kept, and what cannot be said (D246,
D247, D287).

Figures are typed here from the file itself; `oracle` reads it by XPath, apart from the importer.
"""

import re
import shutil
from datetime import date
from pathlib import Path

import pytest
from lxml import etree

from services.contract.citations import BY_RULE, MADE_UP, NOT_KEPT
from services.contract.loan_filter import LoanFilter
from services.importers import demo, sec_absee
from services.signals.rescoring import RulesRescorer
from services.sources import Filed
from services.store import filed
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS
from tests.publishing import load, load_once

NEWEST = SEVEN_YEARS[-1:]
pytestmark = pytest.mark.skipif(not NEWEST, reason="the public data is not here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cited")
    load_once(folder, sec_absee.portfolio(NEWEST))
    filed.keep_all(folder, "sec-absee", NEWEST)
    return folder


def cited(folder, number, *, records=True):
    store = Store(folder, rescorer=RulesRescorer(), records=Filed() if records else None)
    try:
        with store.lease() as source:
            return source.citations(number).by_key()
    finally:
        store.close()


def oracle(number, element):
    """Every text of an element of one asset."""
    root = etree.parse(NEWEST[0]).getroot()
    space = root.tag.partition("}")[0] + "}"
    [asset] = [one for one in root if one.findtext(f"{space}assetNumber") == number]
    return [one.text for one in asset.iter(f"{space}{element}")]


def test_a_filed_figure_has_its_raw_value_element_record_file_and_hash(folder):
    one = cited(folder, "UBS 2017-C1:12")["ncf"]
    assert (one.value, one.filled) == (1_670_915, "round(416584.34 × 365 / 91)")
    [place] = one.places
    assert (place.element, place.raw) == ("mostRecentNetCashFlowAmount", "416584.34")
    assert oracle("12", place.element) == [place.raw]
    assert place.record == "asset 12 (line 2), property 1"
    assert one.file == NEWEST[0].name == "UBS_2017-C1__rpt_2024-06.xml"
    assert re.fullmatch("[0-9a-f]{64}", one.sha256)
    assert (one.as_of, one.period) == (
        date(2024, 6, 11), "NCF, 1 Jan to 31 Mar 2024, 3 months, annualised",
    )  # fmt: skip


def test_a_computed_figure_names_the_citations_of_its_inputs(folder):
    found = cited(folder, "UBS 2017-C1:12")
    ltv = found["ltv"]
    assert ltv.filled == "25100000 / 39200000"
    assert [found[one.of].value for one in ltv.inputs] == [25_100_000, 39_200_000]
    assert found["break_even_am"].filled == ""
    assert "iteration" in found["break_even_am"].limit


def test_every_raw_value_stands_in_the_file_under_its_element(folder):
    seen = 0
    for number in ("5", "12", "30", "40"):
        for one in cited(folder, f"UBS 2017-C1:{number}").values():
            for place in one.places:
                for raw in place.raw.split(", "):
                    assert any(raw in (text or "") for text in oracle(number, place.element))
                    seen += 1
    assert seen > 100


def test_without_the_file_its_name_and_hash_stay_and_the_limit_says_so(folder):
    one = cited(folder, "UBS 2017-C1:12", records=False)["ncf"]
    assert (one.places, one.filled, one.limit) == ((), "", NOT_KEPT)
    assert one.file == NEWEST[0].name


def test_a_file_that_was_changed_is_not_the_one_that_was_imported(folder, tmp_path):
    copied = tmp_path / "copied"
    shutil.copytree(folder, copied, symlinks=True)
    [kept] = (copied / "filed").glob("*/*/*/*.xml")
    kept.chmod(0o644)
    kept.write_bytes(kept.read_bytes().replace(b"416584.34", b"916584.34"))
    assert cited(copied, "UBS 2017-C1:12")["ncf"].limit == NOT_KEPT


@pytest.mark.parametrize("digest", ["", "*", "../../etc", "0" * 63, "A" * 64, f"{'0' * 64}\n"])
def test_only_a_hash_is_looked_for(folder, digest):
    assert filed.original(folder, digest) is None


def test_made_up_loans_stand_in_no_document(tmp_path):
    load(tmp_path, [demo.portfolio(loans=50)])
    store = Store(tmp_path, rescorer=RulesRescorer(), records=Filed())
    with store.lease() as source:
        found = source.citations("CA-000001").by_key()
    store.close()
    assert found["book_value"].limit.startswith(MADE_UP)
    assert found["book_value"].file is None


def test_every_computed_figure_has_a_formula_and_every_input_a_source(folder, tmp_path):
    load(tmp_path, [demo.portfolio(loans=300)])
    for where, pages in ((folder, 1), (tmp_path, 3)):
        store = Store(where, rescorer=RulesRescorer(), records=Filed())
        with store.lease() as source:
            asked = [LoanFilter(page=at, per_page=100) for at in range(1, pages + 1)]
            loans = [
                one.loan_number for query in asked for one in source.loans_found(query, ()).items
            ]
            found = [one for number in loans for one in source.citations(number).citations]
        store.close()
        made = [one for one in found if one.basis == "computed" and one.limit != BY_RULE]
        assert len(made) > 10 * len(loans) > 500
        # Break-even rates are found by iteration.
        without = {one.key for one in made if one.value is not None and not one.filled}
        assert without == {"break_even_am"}
        assert all(given.of or given.said for one in made for given in one.inputs)


def test_debt_that_the_debt_service_implies_names_it(folder):
    """75 Broad Street: 33.0 million pay 1,363,996 a year, and 10,012,145 are filed."""
    found = cited(folder, "UBS 2017-C1:7")
    whole = found["whole_loan_debt"]
    assert whole.filled == "33000000 × 10012145 / 1363995.875"
    assert [one.of for one in whole.inputs] == [
        "book_value", "filed_debt_service", "own_debt_service",
    ]  # fmt: skip
    # Its A notes by underwriting: 15,850,232 / 4.17 at 4.0767 % by actual days.
    assert round(found["rank_debt"].value) == 91_960_315
    assert round(15_850_232 / 4.17 / (0.040767 * 365 / 360)) == 91_960_315


def test_an_input_that_is_no_figure_of_the_loan_says_what_it_is(folder):
    found = cited(folder, "UBS 2017-C1:7")
    said = {one.name: one.said for key in found for one in found[key].inputs if one.said}
    assert said == {
        "day count": "365/360 by actual/360",
        "reference rate": "10-year Treasury on 31 May 2024",
        "spread in basis points": "asked of office",
        "minimum DSCR": "asked of office",
        "minimum debt yield": "asked of office",
        "maximum LTV": "asked of office",
        "months": "asked of office",
    }


def test_what_the_filing_of_an_ending_says_is_cited_from_that_filing(tmp_path):
    """Hilton Woodcliff Lake ended in the filing of 11 March 2024; June keeps the loss alone."""
    load(tmp_path, sec_absee.portfolio(SEVEN_YEARS[-4:]))
    found = cited(tmp_path, "UBS 2017-C1:14", records=False)
    owed, lost = found["owed_before"], found["realized_loss"]
    assert (owed.value, owed.as_of, owed.file) == (18_828_946, date(2024, 3, 11), None)
    assert owed.limit == "As the filing in which the loan ended states it"
    assert (lost.as_of, lost.file) == (date(2024, 6, 11), NEWEST[0].name)


def test_the_file_lies_under_its_hash(folder):
    [kept] = Path(folder).glob("filed/sec-absee/*/*/*.xml")
    assert filed.original(folder, kept.parent.name) == kept
