"""Parties of an Exhibit 102 and what says so (D196, D197, D200), typed by hand from the samples."""

from collections import Counter
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from services.contract.evidence import confidence
from services.importers.sec_absee import portfolio
from services.names.sec_numbers import sec_number
from tests.genuine import SEVEN_YEARS

SAMPLE = Path(__file__).with_name("sample_2026-1__terms.xml")


def named(one):
    """Edges as (loan, relation, party), with the witnesses of each."""
    names = one.entities["entity_name"].to_pylist()
    numbers = one.loans["loan_number"].to_pylist()
    found = [
        ((numbers[row["from_loan"]], row["relation"], names[row["to_entity"]]), row, [])
        for row in one.edges.to_pylist()
    ]
    for row in one.witnesses.to_pylist():
        found[row["edge"]][2].append(row)
    return found


def test_tenants_are_parties_with_their_leases():
    one = portfolio([SAMPLE])[0]
    tenants = [(edge, said) for edge, _, said in named(one) if edge[1] == "tenant"]
    assert [(edge[0][-1], edge[2]) for edge, _ in tenants] == [
        ("2", "Grocer"), ("2", "Chemist"), ("4", "Kiosk"),
    ]  # fmt: skip
    [grocer] = tenants[0][1]
    assert grocer == {
        "edge": grocer["edge"],
        "method": "stated in the filing",
        "match": None,
        "said": "Grocer, 27,650 square feet",
        "since": None,
        "until": date(2035, 12, 31),
        "file": SAMPLE.name,
        "record": "asset 2",
        "element": "largestTenant",
    }
    assert tenants[1][1][0]["said"] == "Chemist"  # an area of 0 is not published
    kinds = dict(one.entities.select(["entity_name", "kind"]).to_pandas().values)
    assert {kinds[name] for name in ("Grocer", "Chemist", "Kiosk")} == {"tenant"}


def test_vacant_area_is_neither_a_tenant_nor_a_lease(tmp_path):
    path = tmp_path / SAMPLE.name
    path.write_text(SAMPLE.read_text("utf-8").replace(">Grocer<", ">VACANT<"), "utf-8")
    before, after = portfolio([SAMPLE])[0], portfolio([path])[0]
    assert "Grocer" in before.leases["tenant"].to_pylist()
    assert after.leases.num_rows == before.leases.num_rows - 1
    assert {"VACANT", "Grocer"}.isdisjoint(after.leases["tenant"].to_pylist())
    assert {"VACANT", "Grocer"}.isdisjoint(after.entities["entity_name"].to_pylist())


def test_every_edge_is_as_sure_as_what_says_so():
    for _, edge, said in named(portfolio([SAMPLE])[0]):
        assert said
        assert edge["confidence"] == max(confidence(w["method"], w["match"]) for w in said)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("UBS 2017-C1", "1706060"),
        ("UBS Commercial Mortgage Trust 2017-C1", "1706060"),
        ("WFCM 2017-C42", "1723291"),
        ("Wells Fargo Bank", "740906"),
        ("Wells Fargo Bank, National Association", "740906"),
        ("UBS", "1685185"),
        ("UBS 2017-C2", None),
        ("Wells Fargo", None),
    ],
)
def test_numbers_of_the_sec(name, number):
    found = sec_number(name)
    assert (found and found.cik) == number


@pytest.mark.skipif(not SEVEN_YEARS, reason="the shared data folder is not on this machine")
def test_genuine_parties_against_a_count_of_the_file():
    path = SEVEN_YEARS[-1]
    one = portfolio([path])[0]
    edges = Counter(edge[1] for edge, *_ in named(one))
    root = ET.parse(path).getroot()  # noqa: S314 (a public file, read by a test)
    stated = {}
    for asset in root:
        names = (e.text or "" for e in asset.iter() if e.tag.lower().endswith("largesttenant"))
        words = {" ".join(name.split()).casefold() for name in names}
        stated[asset.find("{*}assetNumber").text] = words - {""}
    for note in ("10A", "10B"):  # filed without their property (D55)
        assert not stated[note]
        stated[note] = stated["10"]
    found = {}
    for (number, relation, name), *_ in named(one):
        if relation == "tenant":
            found.setdefault(number.rpartition(":")[2], set()).add(name.casefold())
    assert found == {number: names for number, names in stated.items() if names}
    assert edges["capital_source"] == len(root) == 58
    assert edges["tenant"] == 75
    ciks = [row["value"] for row in one.particulars.to_pylist() if row["scheme"] == "SEC CIK"]
    assert {"1706060", "1685185", "740906", "1592182", "1542256", "1238163", "1548567"} <= set(ciks)
