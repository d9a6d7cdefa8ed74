"""Fifty figures of memos, computed again from their citations alone (D248)."""

import pytest

from components.memo import word
from components.memo.contents import memo
from services.importers import sec_absee
from services.signals.rescoring import RulesRescorer
from services.sources import Filed
from services.store import filed
from services.store.leases import Store
from tests.genuine import SEVEN_YEARS
from tests.memo import recomputed
from tests.publishing import load_once

NEWEST = SEVEN_YEARS[-1:]
pytestmark = pytest.mark.skipif(not NEWEST, reason="the public data is not here")
#: Whole loans and notes, paying interest only and amortising; 10A has the properties of note 10.
LOANS = ("12", "7", "20", "30", "10A")


@pytest.fixture(scope="module")
def memos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recomputed")
    load_once(folder, sec_absee.portfolio(NEWEST))
    filed.keep_all(folder, "sec-absee", NEWEST)
    store = Store(folder, rescorer=RulesRescorer(), records=Filed())
    with store.lease() as source:
        found = {
            one: word.of_one(memo(source, source, source.loan(f"UBS 2017-C1:{one}")))
            for one in LOANS
        }
    store.close()
    return found


def test_fifty_figures_come_out_as_the_memos_say(memos):
    seen = {}
    for number, file in memos.items():
        right, wrong = recomputed.recomputed(file, NEWEST[0])
        assert wrong == []
        seen[number] = len(right)
    assert sum(seen.values()) >= 50, seen
    assert all(count >= 10 for count in seen.values()), seen


def test_a_raw_value_that_is_not_in_the_file_is_found_out(memos, tmp_path):
    path = tmp_path / NEWEST[0].name
    path.write_bytes(NEWEST[0].read_bytes().replace(b"416584.34", b"416584.35"))
    right, wrong = recomputed.recomputed(memos["12"], path)
    assert [one for one in wrong if "Net cash flow" in one]
    assert right


def test_a_figure_that_does_not_follow_is_found_out():
    assert recomputed.agrees(recomputed.value_of("25100000 / 39200000"), "64.0%")
    assert not recomputed.agrees(recomputed.value_of("25100000 / 39300000"), "64.0%")
    assert not recomputed.agrees(1.2036, "1.21x")
    with pytest.raises(ValueError, match="open"):
        recomputed.value_of("open('x')")
