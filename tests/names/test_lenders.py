import csv
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from services.contract.vocabulary import LAYER_KINDS
from services.names.lenders import canonical_lender, lender_kind, lenders
from services.names.normalise import folded, key


@pytest.mark.parametrize(
    ("raw", "display"),
    [
        ("WFB", "Wells Fargo Bank"),
        ("Wells Fargo Bank, National Association", "Wells Fargo Bank"),
        ("WELLS FARGO", "Wells Fargo Bank"),
        ("  wells   fargo bank n.a. ", "Wells Fargo Bank"),
        ("JPMCB", "JPMorgan Chase Bank"),
        ("JPMorgan Chase Bank, National Association", "JPMorgan Chase Bank"),
        ("CREFI", "Citi Real Estate Funding"),
        ("Citi Real Estate Funding Inc.", "Citi Real Estate Funding"),
        ("BANA", "Bank of America"),
        ("BANK OF AMERICA NATL ASSOC", "Bank of America"),
        ("MSBNA", "Morgan Stanley Bank"),
        ("MSMCH", "Morgan Stanley Mortgage Capital Holdings"),
        (
            "Morgan Stanley Mortgage Capital Holdings LLC",
            "Morgan Stanley Mortgage Capital Holdings",
        ),
        ("GSMC", "Goldman Sachs Mortgage Company"),
        ("Goldman Sachs Mortgage Company", "Goldman Sachs Mortgage Company"),
        ("GSBI", "Goldman Sachs Bank USA"),
        ("DBNY", "Deutsche Bank"),
        ("Deutsche Bank AG, New York Branch", "Deutsche Bank"),
        ("DBRI", "DBR Investments"),
        ("GACC", "German American Capital"),
        ("BMO", "Bank of Montreal"),
        ("UBS AG", "UBS"),
        ("Société Générale", "Societe Generale"),
        ("SocGen", "Societe Generale"),
        ("AREF", "Argentic Real Estate Finance"),
        ("SMC", "Starwood Mortgage Capital"),
        ("3650 REIT", "3650 REIT"),
        ("BSPRT", "BSPRT CMBS Finance"),
        ("Midland", "Midland Loan Services"),
        ("Berkadia Commercial Mortgage LLC", "Berkadia"),
        ("Trimont LLC", "Trimont"),
        # Two banks whose keys are one word
        ("Column Financial, Inc.", "Column Financial"),
        ("Column", "Column Financial"),
        ("Column National Association", "Column Bank"),
        ("Column, N.A.", "Column Bank"),
    ],
)
def test_spellings_of_a_lender_have_one_display_name(raw: str, display: str) -> None:
    assert canonical_lender(raw) == display


def test_an_unknown_lender_keeps_its_name_with_tidy_spaces() -> None:
    assert canonical_lender("  First  Bank of\tNowhere, N.A. ") == "First Bank of Nowhere, N.A."
    assert canonical_lender("") == ""


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("", []),
        (" ; ", []),
        ("JPMCB", ["JPMorgan Chase Bank"]),
        ("JPMCB;BANA", ["JPMorgan Chase Bank", "Bank of America"]),
        ("WFB; Wells Fargo ;BANA", ["Wells Fargo Bank", "Bank of America"]),
        ("JPMCB/DBNY / GSMC", [
            "JPMorgan Chase Bank", "Deutsche Bank", "Goldman Sachs Mortgage Company",
        ]),
        ("JPMCB/Acme Lending", ["JPMCB/Acme Lending"]),
        ("A/B Holdings", ["A/B Holdings"]),
        ("5/3 Bank", ["Fifth Third Bank"]),
        ("PNC/Midland;KeyBank", ["Midland Loan Services", "KeyBank"]),
        ("JPMCB/", ["JPMorgan Chase Bank"]),
        ("Acme/", ["Acme/"]),
    ],
)  # fmt: skip
def test_a_field_of_several_lenders_is_split(raw: str, expected: list[str]) -> None:
    assert lenders(raw) == expected


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("WFB", "bank"),
        ("Metropolitan Life Insurance Company", "insurance"),
        ("Blackstone Mortgage Trust, Inc.", "private credit"),
        ("Trimont", "cmbs servicer"),
        ("Fannie Mae", None),
        # By telling words
        ("First Bank of Nowhere, N.A.", "bank"),
        ("Bankers Life", "insurance"),
        ("Nowhere Life Insurance Co.", "insurance"),
        ("Bank Street Credit Fund II LP", "private credit"),
        ("Alder Mezzanine Partners", "private credit"),
        ("Nowhere Loan Servicing LLC", "cmbs servicer"),
        ("Nowhere Credit Union", "bank"),
        # Words within words tell nothing
        ("Riverbank Capital", None),
        ("Lifetime Capital", None),
        ("Nowhere Wildlife", None),
        ("Life Sciences Capital", None),
        ("Alder Ridge Capital Partners", None),
        ("", None),
    ],
)
def test_kinds_come_from_known_names_then_from_telling_words(name: str, kind: str | None) -> None:
    assert lender_kind(name) == kind


#: Every spelling that is known, with its lender and kind: typed apart from lenders.toml.
SPELLINGS = list(
    csv.DictReader(Path(__file__).with_name("lender_spellings.csv").read_text("utf-8").splitlines())
)


@pytest.mark.parametrize("row", SPELLINGS, ids=lambda row: row["spelling"])
def test_a_known_spelling_is_of_its_lender_and_kind(row: dict[str, str]) -> None:
    assert canonical_lender(row["spelling"]) == row["lender"]
    assert canonical_lender(row["spelling"].upper()) == row["lender"]
    assert lender_kind(row["spelling"]) == (row["kind"] or None)


def test_no_spelling_is_known_that_is_not_pinned() -> None:
    known = {
        (spelling, display)
        for table in _table().values()
        for display, aliases in table.items()
        for spelling in (display, *aliases)
    }
    assert known == {(row["spelling"], row["lender"]) for row in SPELLINGS}


#: Invented names, one for each word that tells a kind; the last tell nothing.
TELLING = {
    "insurance": """
        Alder Insurance; Alder Assurance; Alder Annuity; Alder Reinsurance; Alder Life
        Insurance Group; Alder Life and Casualty; Life of Alder; Alder Mutual Life
        Society; Alder Life Assurance Society; Alder Life
    """,
    "private credit": """
        Alder Credit Fund; Alder Debt Fund; Alder Credit Partners; Alder Debt Partners;
        Alder Private Credit Vehicle; Alder Mezzanine Group; Alder Mezz Group; Alder Real
        Estate Credit Group; Alder Real Estate Debt Group; Alder Credit Opportunities;
        Alder Debt Strategies; Alder Credit Strategies; Alder Lending Fund; Alder Bridge
        Lending Group; Alder Bridge Loan Group; Alder Direct Lending Group; Alder Credit
        Income; Alder Mortgage Fund; Alder Loan Fund; Alder Specialty Finance; Alder
        Lending; Alder Credit
    """,
    "cmbs servicer": """
        Alder Loan Services; Alder Loan Servicing Group; Alder Special Servicing Group;
        Alder Special Servicer Group; Alder Mortgage Servicing Group; Alder CMBS Group;
        Alder Mortgage Securities Trust; Alder Commercial Mortgage Trust 2025-1; Alder
        Commercial Mortgage Securities; Alder Servicing; Alder Servicer
    """,
    "bank": """
        Bank Alder; Alder Banks; Banco Alder; Banque Alder; Alder Bancorp; Alder
        Bancorporation; Alder Bancshares; Alder Banking; Alder Credit Union; Alder
        Savings; Alder Bank and Trust; Landesbank Alder; Alder Pfandbriefbank; Sparkasse
        Alder
    """,
    None: """
        Alder Lending Group; Alder Credit Group; Alder Servicing Group; Alder Life Group;
        Alder Fund; Alder Finance; Alder Mortgage Trust; Alder Loan; Alder Debt
    """,
}


@pytest.mark.parametrize("kind", TELLING, ids=str)
def test_each_telling_word_tells(kind: str | None) -> None:
    names = " ".join(TELLING[kind].split()).split("; ")
    assert {name: lender_kind(name) for name in names} == dict.fromkeys(names, kind)


def _table() -> dict[str, dict[str, list[str]]]:
    data = tomllib.loads((files("services.names") / "lenders.toml").read_text(encoding="utf-8"))
    return {kind: data[kind] for kind in (*LAYER_KINDS, "other")}


def test_no_spelling_belongs_to_two_lenders() -> None:
    owners: dict[str, set[str]] = {}
    for table in _table().values():
        for display, aliases in table.items():
            for spelling in (display, *aliases):
                assert folded(spelling), f"{display} has an alias without a word"
                owners.setdefault(" ".join(folded(spelling)), set()).add(display)
                owners.setdefault(key(spelling), set()).add(display)
    shared = {spelling for spelling, displays in owners.items() if len(displays) > 1}
    assert shared == {"column"}


def test_a_display_name_stands_for_itself() -> None:
    for table in _table().values():
        for display, aliases in table.items():
            assert canonical_lender(display) == display
            assert all(canonical_lender(alias) == display for alias in aliases)


def test_kinds_are_those_of_the_specification() -> None:
    rules = tomllib.loads((files("services.names") / "lenders.toml").read_text("utf-8"))["telling"]
    assert {rule["kind"] for rule in rules} == set(LAYER_KINDS)
