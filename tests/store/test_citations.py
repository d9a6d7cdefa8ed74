"""Citations out of a store: raw values from the file that is kept, and what cannot be said (D246,
D247).

Figures are typed here from the file itself; `oracle` reads it by XPath, apart from the importer.
"""

import re
import shutil
from datetime import date
from pathlib import Path

import pytest
from lxml import etree

from services.contract.citations import MADE_UP, NOT_KEPT
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


def test_the_file_lies_under_its_hash(folder):
    [kept] = Path(folder).glob("filed/sec-absee/*/*/*.xml")
    assert filed.original(folder, kept.parent.name) == kept
