"""Files that are, and are not, an Exhibit 102: deals, folders, hostile bytes, the real one."""

import io
import json
import re
import zipfile
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from services.contract.errors import ImportRefused, InvalidRequest
from services.importers.sec_absee import deal_of, histories, portfolio
from services.importers.sec_absee import xml as sec_absee_xml
from tests.genuine import BANK5 as REAL

SAMPLE = Path(__file__).with_name("sample_2025-1__mixed.xml")
NAMESPACE = "http://www.sec.gov/edgar/document/absee/cmbs/assetdata"
OPEN = f'<assetData xmlns="{NAMESPACE}">'

LAUGHS = (
    '<!DOCTYPE assetData [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + f"]>{OPEN}<assets><assetNumber>&i;</assetNumber></assets></assetData>"
)
EXTERNAL = (
    '<!DOCTYPE assetData [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    f"{OPEN}<assets><assetNumber>&x;</assetNumber></assets></assetData>"
)


def zipped():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.write(SAMPLE, SAMPLE.name)
    return held.getvalue()


def refused(tmp_path, content, name="file.xml"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ImportRefused) as caught:
        portfolio([path])
    message = str(caught.value)
    assert name in message
    assert str(tmp_path) not in message
    return message


HOSTILE = {
    "laughs": (LAUGHS, "document type .DOCTYPE. at line 1"),
    "external": (EXTERNAL, "document type"),
    "external subset": (f'<!DOCTYPE assetData SYSTEM "http://192.0.2.1/x">{OPEN}', "document type"),
    "utf-16": (("\ufeff" + LAUGHS).encode("utf-16-le"), "document type"),
    "undefined entity": (
        f"{OPEN}<assets>&foo;</assets></assetData>",
        "not well-formed XML at line 1 .*nothing defines",
    ),
    "empty": ("", "is empty"),
    "blank": (" \n ", "is empty"),
    "page": ("<!DOCTYPE html><html><body>Busy</body></html>", "HTML page"),
    "old page": ("<html><body>Busy</body></html>", "HTML page"),
    "zip": (zipped(), "zip archive"),
    "gzip": (b"\x1f\x8b\x08\x00rest", "gzip archive"),
    "junk": (bytes(range(1, 256)) * 4112, "is not XML"),
    "text": ("loan,balance\n1,2\n", "is not XML"),
    "nothing but a remark": ("<!-- x -->", "is not XML"),
    "endless remark": ("<!-- " + "x" * (1 << 20), "no element in its first megabyte"),
    "other root": ("<loans/>", 'the element "loans"'),
    "no namespace": ("<assetData><assets/></assetData>", 'the element "assetData"'),
    "car loans": (OPEN.replace("cmbs", "autoloan") + "</assetData>", 'asset class "autoloan"'),
    "no record": (f"{OPEN}</assetData>", "holds no assets record"),
    "nested": (OPEN + "<assets>" * 100_000, "not well-formed|nested too deeply"),
    "deep": (OPEN + "<assets>" * 20 + "</assets>" * 20 + "</assetData>", "nested too deeply"),
    "second root": (f"{OPEN}</assetData><more/>", "not well-formed"),
    "unknown encoding": ('<?xml version="1.0" encoding="klingon"?><a/>', "is not XML"),
    "properties only": (
        f"{OPEN}<assets><assetNumber>1.01</assetNumber></assets></assetData>",
        "no usable",
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_that_is_no_exhibit_is_refused_in_one_sentence(tmp_path, kind):
    content, said = HOSTILE[kind]
    message = refused(tmp_path, content)
    assert len(message) < 400
    assert re.search(said, message), message


def test_a_truncated_file_is_refused_with_its_line_wherever_it_breaks(tmp_path):
    whole = SAMPLE.read_bytes()
    for cut in range(300, len(whole) - 20, 997):
        assert "complete?" in refused(tmp_path, whole[:cut])
    assert "at line 7" in refused(tmp_path, b"\n".join(whole.split(b"\n")[:7]))


def test_an_undefined_entity_never_hides_the_records_before_it(tmp_path):
    head = f"{OPEN}\n<assets><assetNumber>1</assetNumber>&foo;</assets>".ljust(1 << 16)
    second = SAMPLE.read_text(encoding="utf-8").partition("?>")[2]
    assert "line 2 " in refused(tmp_path, head + second)


def test_a_record_of_too_many_elements_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sec_absee_xml, "_MOST_ELEMENTS", 10)
    assert "record at line 4" in refused(tmp_path, SAMPLE.read_bytes())


def test_a_missing_file_and_a_folder_without_xml_are_refused(tmp_path):
    with pytest.raises(ImportRefused, match=r"^gone\.xml: there is no such file"):
        portfolio([tmp_path / "gone.xml"])
    with pytest.raises(ImportRefused, match="holds no"):
        portfolio([tmp_path])
    with pytest.raises(ImportRefused, match="cannot be read"):
        portfolio([tmp_path / ("x" * 300 + ".xml")])


def test_a_flood_of_unknown_names_is_counted_under_few(tmp_path):
    path = tmp_path / "flood.xml"
    flood = "".join(f"<n{number}/>" for number in range(3000))
    text = SAMPLE.read_text(encoding="utf-8").replace("</assetData>", f"{flood}</assetData>")
    path.write_text(text, encoding="utf-8")
    unmapped = portfolio([path])[0].info.unmapped
    assert len(unmapped) < 510
    assert sum(unmapped.values()) == 3002


def test_one_bad_file_of_several_returns_nothing(tmp_path):
    (tmp_path / "bad.xml").write_text("<loans/>")
    with pytest.raises(ImportRefused, match=r"bad\.xml"):
        portfolio([SAMPLE, tmp_path / "bad.xml"])


def test_a_file_without_a_reporting_date_is_refused(tmp_path):
    dated = b"<reportingPeriodEndDate>12-11-2025</reportingPeriodEndDate>"
    assert "reportingPeriodEndDate" in refused(tmp_path, SAMPLE.read_bytes().replace(dated, b""))


def test_an_import_is_cancelled_between_records():
    asked = []

    def cancelled():
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(ImportRefused, match="nothing was changed"):
        portfolio([SAMPLE], cancelled=cancelled)
    assert len(asked) == 3


def test_progress_runs_to_one():
    told = []
    portfolio([SAMPLE], progress=lambda stage, fraction: told.append((stage, fraction)))
    assert told[-1] == ("reading sample_2025-1__mixed.xml", 1.0)
    assert [fraction for _, fraction in told] == sorted(fraction for _, fraction in told)


def test_stray_elements_and_attributes_are_counted(tmp_path):
    path = tmp_path / "odd.xml"
    text = SAMPLE.read_text(encoding="utf-8")
    text = text.replace("</assetData>", "<trailer>x</trailer></assetData>")
    text = text.replace("<assetNumber>1<", '<assetNumber kind="new">1<', 1)
    text = text.replace("<assetNumber>3<", "<o:a xmlns:o='urn:o'>1</o:a><assetNumber>3<", 1)
    path.write_text(text, encoding="utf-8")
    unmapped = portfolio([path])[0].info.unmapped
    assert (unmapped["trailer"], unmapped["assetNumber/@kind"], unmapped["{urn:o}a"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "deal"),
    [
        ("BANK5_2025-5YR19__rpt_2025-12-11.xml", "BANK5 2025-5YR19"),
        ("plain.xml", "plain"),
        ("a_b_c.xml", "a b c"),
    ],
)
def test_the_deal_is_told_by_the_files_name(name, deal):
    # D23
    assert deal_of(Path(name)) == deal


def test_a_deal_given_is_that_of_all_files(tmp_path):
    # D23
    assert portfolio([SAMPLE], deal=" My  Deal ")[0].info.title == "My Deal"
    other = tmp_path / "other.xml"
    other.write_bytes(SAMPLE.read_bytes())
    found = portfolio([SAMPLE, other], deal="My Deal")
    assert [one.info.title for one in found] == ["My Deal", "My Deal"]
    with pytest.raises(InvalidRequest, match="name at least one file"):
        portfolio([])
    with pytest.raises(InvalidRequest, match="printable"):
        portfolio([SAMPLE], deal=" ")


def test_a_folder_means_its_xml_files_each_a_portfolio_of_its_deal(tmp_path):
    for name in ("b__1.xml", "a__1.XML", "notes.txt"):
        (tmp_path / name).write_bytes(SAMPLE.read_bytes())
    assert [one.info.title for one in portfolio([tmp_path])] == ["a", "b"]
    (tmp_path / "a__2.xml").write_bytes(SAMPLE.read_bytes())
    assert [one.info.title for one in portfolio([tmp_path])] == ["a", "a", "b"]
    assert {one.info.title for one in portfolio([tmp_path], deal="My Deal")} == {"My Deal"}


def test_a_filing_is_read_in_its_turn_and_knows_its_file(tmp_path):
    file = tmp_path / "a__1.xml"
    file.write_bytes(SAMPLE.read_bytes())
    (found,) = histories([tmp_path])
    read = found.read()
    assert (found.source, found.sha256) == (read.info.key, read.info.sha256)
    with pytest.raises(ImportRefused, match="no such file or folder"):
        histories([tmp_path / "none.xml"])


def real():
    if not REAL.exists():
        pytest.skip("the SEC file is not beside the project")
    return portfolio([REAL])[0]


def test_the_real_file_gives_its_known_totals():
    found = real()
    assert found.info.title == "BANK5 2025-5YR19"
    assert (found.info.as_of, found.info.records_read) == (date(2025, 12, 11), 94)
    assert (found.info.unmapped, found.rejects.num_rows) == ({}, 0)
    assert (found.loans.num_rows, found.properties.num_rows) == (35, 85)
    rows = found.loans.to_pylist()
    balance = sum(row["book_value"] for row in rows)
    assert abs(balance - 949_066_382.67) < 35
    weighted = sum(row["book_value"] * row["interest_rate"] for row in rows) / balance
    assert round(weighted, 4) == 6.3181
    by_number = {row["loan_number"].rpartition(":")[2]: row for row in rows}
    assert (by_number["14"]["property_state"], by_number["16"]["interest_rate"]) == ("D0", 4.913331)
    assert [number for number, row in by_number.items() if row["multi_state"]] == ["8", "19"]
    underwritten = [n for n, row in by_number.items() if row["income_basis"] == "NCF, underwritten"]
    assert underwritten == ["7"]
    assert all(row["servicer"] for row in found.layers.to_pylist())
    assert by_number["4"]["property_name"] == "Badger Portfolio"
    assert by_number["2"]["lender_normalized"] == "Wells Fargo Bank"


def test_the_real_file_agrees_with_a_plain_reading_of_it():
    found = real()
    tree = ET.parse(REAL).getroot()  # noqa: S314 (an oracle on our own file)
    space = {"a": NAMESPACE}
    filed = [
        one
        for one in tree.findall("a:assets", space)
        if one.find("a:originatorName", space) is not None
    ]
    for row, asset in zip(found.loans.to_pylist(), filed, strict=True):
        further = json.loads(row["further"])
        assert row["loan_number"].endswith(":" + asset.findtext("a:assetNumber", None, space))
        assert row["structure"] == asset.findtext("a:loanStructureCode", None, space)
        owed = float(asset.findtext("a:reportPeriodEndActualBalanceAmount", None, space))
        assert further["actual_balance_at_period_end"] == owed
        value = float(asset.findtext("a:property/a:valuationSecuritizationAmount", None, space))
        assert row["value"] == round(value)
        count = int(asset.findtext("a:NumberProperties", None, space))
        assert further["properties_in_file"] == count
    dscr = [
        float(asset.findtext(f"a:property/a:{name}", None, space))
        for asset in filed
        for name in ["debtServiceCoverageNetCashFlowSecuritizationPercentage"]
    ]
    balances = [row["book_value"] for row in found.loans.to_pylist()]
    weighted = sum(x * y for x, y in zip(dscr, balances, strict=True)) / sum(balances)
    assert round(weighted, 2) == 1.63
