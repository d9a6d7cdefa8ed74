"""Files as they come: cut out of submissions, of other trusts under one name, months out of order.

Pins D274.
"""

import pytest

from services.contract.errors import ImportRefused
from services.frames import connect
from services.importers.sec_absee import histories, portfolio
from services.pipeline import Scoring, load_filings
from services.signals.assumptions import Assumptions
from services.store.publisher import SnapshotPublisher
from tests.commands import said
from tests.filed_loans import exhibit, loan, owed, written
from tests.genuine import GS6, SHARED

SUBMISSION = """<SEC-DOCUMENT>0000000000-26-000001.txt : 20260401
<SEC-HEADER>0000000000-26-000001.hdr.sgml : 20260401
ACCESSION NUMBER:\t\t0000000000-26-000001
CONFORMED SUBMISSION TYPE:\tABS-EE/A
FILED AS OF DATE:\t\t20260402

DEPOSITOR:
\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\tEXAMPLE SECURITIES CORP
\t\tCENTRAL INDEX KEY:\t\t0000000002
ISSUING ENTITY:
\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\tEXAMPLE MORTGAGE TRUST 2026-1
\t\tCENTRAL INDEX KEY:\t\t0000000001
</SEC-HEADER>
<DOCUMENT>
<TYPE>EX-103
<TEXT>
<XML>
<comments/>
</XML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-102
<SEQUENCE>2
<FILENAME>exh_102.xml
<TEXT>
<XML>
{}
</XML>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
"""
DECLARED = '<?xml version="1.0" encoding="UTF-8"?>\n'


def test_an_exhibit_after_a_line_end_is_read(tmp_path):
    path = tmp_path / "leading newline.xml"
    path.write_text(f"\n \n{DECLARED}{written([loan()])}", encoding="utf-8")
    assert owed(portfolio([path])[0]) == 26_000_000


def test_an_exhibit_is_read_out_of_the_text_of_its_submission(tmp_path):
    path = tmp_path / "0000000000-26-000001.txt"
    path.write_text(SUBMISSION.format(DECLARED + written([loan(), loan()])), encoding="utf-8")
    [found] = portfolio([path])
    assert (found.loans.num_rows, owed(found)) == (1, 26_000_000)
    assert (found.info.title, found.info.key) == (
        "EXAMPLE MORTGAGE TRUST 2026-1", "sec-absee:EXAMPLE MORTGAGE TRUST 2026-1",
    )  # fmt: skip
    assert found.info.publisher.endswith(", form ABS-EE/A, filed on 2 Apr 2026, CIK 1")
    [known] = [one for one in found.particulars.to_pylist() if one["scheme"] == "SEC CIK"]
    assert (known["about"], known["value"]) == ("identifier", "1")
    assert found.rejects["record"].to_pylist() == ["asset 1 (line 31)"]  # of the whole text
    assert portfolio([path], deal="As I say")[0].info.title == "As I say"


@pytest.mark.parametrize(
    "text",
    [
        SUBMISSION.replace("EX-102", "EX-99"),
        SUBMISSION.partition("</XML>\n</TEXT>\n</DOCUMENT>\n</SEC")[0],
    ],
    ids=["none", "broken off"],
)
def test_a_submission_without_a_whole_exhibit_says_so(tmp_path, text):
    path = tmp_path / "submission.txt"
    path.write_text(text.format(written([loan()])), encoding="utf-8")
    with pytest.raises(ImportRefused, match="without a whole Exhibit 102"):
        portfolio([path])


@pytest.mark.parametrize("month", ["02-11-2026", "03-11-2026", "04-11-2026"])
def test_another_trust_s_file_of_the_same_name_replaces_nothing(tmp_path, month):
    """D274. Nor does one of an older month become the history of the trust that is there."""
    names = [("Alpha Bank", "1"), ("Alpha Bank", "2")]
    one = exhibit(tmp_path / "a/exh_102.xml", [loan(at, originatorName=name) for name, at in names])
    other = exhibit(
        tmp_path / "b/exh_102.xml",
        [
            loan(
                originatorName="Beta Bank",
                originalLoanAmount="9000000",
                reportingPeriodEndDate=month,
            )
        ],
    )
    store = ("--store", tmp_path / "store")
    said("import", "sec-absee", one, *store)
    refused = said("import", "sec-absee", other, *store, code=2)
    assert (
        "This store has 2 loans (Alpha Bank) as 'exh 102', and none of them is among the 1 loan "
        "(Beta Bank) of exh_102.xml: if that is another trust, name it by --deal"
    ) in refused
    with connect(tmp_path / "store") as atlas:
        assert atlas.loans()["book_value"].sum() == 52_000_000
    assert "11 Mar 2026" in said("status", *store)
    listed = said("periods", "list", *store)
    assert "2026-03-11" in listed
    assert "2026-02-11" not in listed
    said("import", "sec-absee", other, "--deal", "Beta 2026", *store)
    with connect(tmp_path / "store") as atlas:
        assert atlas.loans()["book_value"].sum() == 78_000_000
    together = ("--store", tmp_path / "together")
    assert "name it by --deal" in said("import", "sec-absee", one, other, *together, code=2)
    said("import", "sec-absee", one, *store)  # the same trust again


@pytest.mark.parametrize("stopped", [True, False])
def test_nor_does_it_after_an_import_of_both_that_was_stopped_between_them(tmp_path, stopped):
    """D274. What was read before is not read again, and is compared all the same."""
    one = exhibit(tmp_path / "a/exh_102.xml", [loan()])
    other = exhibit(tmp_path / "b/exh_102.xml", [loan(originalLoanAmount="9000000")])
    if stopped:

        def stop(*_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            load_filings(
                histories([one]),
                into=SnapshotPublisher(tmp_path / "store"),
                scoring=Scoring(Assumptions.packaged()),
                arrived=stop,
            )
    store = ("--store", tmp_path / "store")
    assert "name it by --deal" in said("import", "sec-absee", one, other, *store, code=2)


def test_an_older_month_does_not_turn_the_book_back(tmp_path):
    new = exhibit(tmp_path / "DEAL_9__new.xml", [loan()])
    past = {"reportingPeriodEndDate": "03-11-2025"}
    past |= {"reportPeriodEndActualBalanceAmount": "27000000.00"}
    old = exhibit(tmp_path / "DEAL_9__old.xml", [loan(**past)])
    store = ("--store", tmp_path / "store")
    said("import", "sec-absee", new, *store)
    assert "11 Mar 2025" in said("import", "sec-absee", old, *store)
    assert "11 Mar 2026" in said("status", *store)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder of public data is not here")
def test_gs_2017_gs6_as_it_was_filed(graded):
    [found] = portfolio([GS6])
    assert (found.loans.num_rows, found.properties.num_rows) == (33, 33)
    exact = found.loans["book_value"].to_pylist()
    assert sum(exact) == pytest.approx(826_774_574.65, abs=len(exact) / 2)
    by_number = graded(found)
    ways = {number: one["disposition"] for number, (one, _) in by_number.items()}
    defeased = {number for number, way in ways.items() if way == "defeased in full"}
    assert defeased == {"7", "8", "15", "17", "25"}
    assert ways["4"] == "paid off before maturity"  # defeased, then prepaid
    for number in defeased:
        assert by_number[number][1].keys().isdisjoint({"rate_pressure", "maturity_timing"})
