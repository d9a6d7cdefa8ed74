"""The loan page (D262) on seven loans that it must tell apart, and its sizing calculator."""

import pytest

from components.frame.routes import LOAN
from components.loans.lookup import LoanPageView
from services.contract.queries import parse
from services.importers.sec_absee import portfolio
from services.rates.reference import ReferenceRates
from tests.filed_loans import exhibit, house, loan
from tests.pages.conftest import NOTHING
from tests.pages.dossier_stage import book
from tests.pages.field_reading import fields, filled, value
from tests.pages.screen import facts, headings, headlines, links, metrics, said, shown, tables
from tests.publishing import load, load_once

#: The calculator is open.
OPENED = {"sizing": "yes"}
#: The worked check of the calculator, as an address writes it.
WORKED = {
    "noi": "500000",
    "min_dscr": "1.25",
    "min_debt_yield": "9",
    "max_ltv": "60",
    "cap_rate": "5.5",
    "refi_rate": "6.5",
    "amortisation_years": "30",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dossier")
    load_once(folder, [book()])
    return folder


@pytest.fixture
def dossier(store, visit):
    """The page of a loan, with further parameters, and what the session holds beforehand."""

    def run(number, held=NOTHING, /, **params):
        app = visit("pages/loan.py", store, {"loan_number": number, **params}, held)
        assert not app.exception
        assert "could not be drawn" not in said(app)
        return app

    return run


def sheet(app, corner):
    """A table by the head of its first column: row -> column -> cell, as a reader sees them."""
    for rows in tables(app).values():
        if next(iter(rows[0])) == corner:
            return {row.pop(corner): row for row in rows}
    return None


def test_income_stands_beside_underwriting_with_its_period_and_change(dossier):
    app = dossier("PARTIAL-IO")
    assert "Income: DSCR 1.43x, NOI 10.6% below underwriting" in headings(app, 3)
    filed = "Oct 2025–Jun 2026, 9 mo"
    rows = sheet(app, "Figure")
    assert rows["NOI, a year"] == {
        "Underwritten": "$4,350,000", filed: "$3,890,000", "Change": "−10.6%"}  # fmt: skip
    assert rows["DSCR"] == {"Underwritten": "1.62x", filed: "1.43x", "Change": "−11.7%"}
    assert rows["Occupancy"]["Change"] == "−7.0 points"
    text = said(app)
    assert "9 months, annualised" in text
    assert "DSCR is that of these months, as filed." in text
    assert "Appraised 15 Mar 2022, 4.5 y ago: stale, over 24 months." in text
    assert "stale, over 12 months" not in text


def test_leases_come_by_expiry_and_names_are_shown_as_written(dossier):
    leases = sheet(dossier("PARTIAL-IO"), "Tenant")
    assert list(leases) == [
        "Alder & Finch LLP", "[Kestrel](//example.com) Advisers", "Northbridge Insurance Company"
    ]  # fmt: skip
    assert leases["Alder & Finch LLP"] == {
        "Square feet": "64,000", "Of the area": "30.2%", "Expires": "31 May 2027", "Due": "in 8 mo"
    }  # fmt: skip
    assert sheet(dossier("NO-INCOME"), "Tenant") is None


def test_a_partial_interest_only_loan_is_no_note_of_a_larger_one(dossier):
    """By hand: 59 payments of 204,102 from June 2027, interest by actual/360."""
    app = dossier("PARTIAL-IO")
    owed = sheet(app, "Owed")
    assert owed["Balance"] == {
        "Dollars": "$41,000,000",
        "Of what": "interest only, amortises Jun 2027",
    }
    assert owed["Balance at maturity"] == {
        "Dollars": "$37,487,992",
        "Of what": "6 May 2032, in 5.6 y",
    }
    assert "Whole loan" not in owed
    both = sheet(app, "A year at the refi rate")
    assert list(both["DSCR"]) == ["Interest only, graded", "Amortising"]


def test_refinance_names_rate_gap_and_what_binds(dossier):
    app = dossier("SPECIAL-SERVICING")
    assert "Refinance at 7.20%: $26.2M short" in headings(app, 3)
    # With the $6.0M of mezzanine debt behind it, which is repaid last.
    of_all = "Amounts are those of all debt due with the loan; the loan's own share: $20.2M short."
    assert of_all in said(app)
    assert sheet(app, "Owed")["Mezzanine behind it"]["Dollars"] == "$6,000,000"
    assert sheet(app, "A year at the refi rate")["DSCR"] == {
        "Interest only": "0.45x", "Amortising, graded": "0.40x"}  # fmt: skip
    proceeds = sheet(app, "Largest new loan")
    assert proceeds["By DSCR, binds"] == {
        "Lender asks": "at least 1.35x on NCF",
        "Proceeds": "$11,003,632",
        "Less what is due": "−$26.2M",
    }  # fmt: skip
    # NCF of 1,210,000 / 1.35 / the constant of 7.20 % over 30 years, 0.0814546.
    assert proceeds["By debt yield"]["Lender asks"] == "at least 10.0% on NOI"
    assert proceeds["By LTV"]["Lender asks"].endswith(" of the value")
    assert "Sized on NOI and NCF of Jan–Dec 2025, 12 mo." in said(app)
    assert "12 mo, stale" not in said(app)
    assert "Refi rate 7.20%: 10-year Treasury" in said(app)
    assert "the spread of the property type" in said(app)
    assert metrics(app)["At refinance"] == "$26.2M short"


def test_sensitivity_runs_from_100_bp_below_to_200_above_and_noi_20_percent_down(dossier):
    grid = sheet(dossier("PARTIAL-IO"), "Refi rate")
    assert list(grid) == ["NOI as it is", "NOI −5%", "NOI −10%", "NOI −15%", "NOI −20%"]
    assert list(grid["NOI −20%"]) == [
        "6.40%", "6.90%", "7.40% now", "7.90%", "8.40%", "8.90%", "9.40%"]  # fmt: skip
    # NCF over interest on what is due, 9.2 million of mezzanine debt included; 1.28x without it.
    assert grid["NOI as it is"]["7.40% now"] == "1.03x"


def test_a_part_of_a_larger_loan_shows_the_whole_and_its_own_share(dossier):
    """16.2 million / 1.85 / 6.73 % is 130 million lent on all notes, of which 3 % is repaid."""
    app = dossier("PART-OF-LARGER")
    owed = sheet(app, "Owed")
    assert owed["This note"]["Dollars"] == "$48,500,000"
    assert owed["Whole loan"] == {"Dollars": "$130,074,361", "Of what": "implied by underwriting"}
    assert "Amounts are those of the whole loan; this note's share: $11.6M short." in said(app)
    assert "Lodging is seasonal" in said(app)
    stack = sheet(app, "Layer")
    assert stack["Other notes"]["LTV to its rank"] == "56.3%"
    assert metrics(app)["At refinance"] == "$11.6M short"


@pytest.mark.parametrize(
    ("number", "why"),
    [
        ("DEFEASED", "The loan is fully defeased: Treasuries pay it to maturity."),
        ("SELF-AMORTISING", "its schedule repays it in full"),
        # Lenders that are no trust take properties over too.
        ("TAKEN-OVER", "The lender has taken the property over and is to sell it"),
    ],
)
def test_an_exempt_loan_says_so_in_place_of_the_tables(number, why, dossier):
    app = dossier(number, sizing="yes")
    assert why in said(app)
    assert sheet(app, "A year at the refi rate") is None
    assert sheet(app, "Refi rate") is None
    assert "At refinance" not in metrics(app)
    assert "Nothing is to be refinanced" in said(app)
    assert headlines(app)["DSCR at the refi rate"].of_what.startswith("exempt: ")
    assert (headlines(app)["LTV"].value == "—") == (number == "DEFEASED")
    told = facts(app, "Performance and refinancing")
    assert not {"Refinance gap", "New proceeds at most", "DSCR at the refi rate"} & set(told)
    released = "The property is released: Treasuries secure and pay the loan." in said(app)
    assert released == (number == "DEFEASED")
    assert ("LTV" in told) == (number != "DEFEASED")
    assert ("No rule tests a loan that is defeased." in said(app)) == (number == "DEFEASED")


def test_special_servicing_and_the_anticipated_repayment_date_are_said(dossier):
    app = dossier("SPECIAL-SERVICING")
    assert "Special servicing since 17 Mar 2026" in said(app)
    assert "repayment anticipated 1 Oct 2026, in 1 d" in said(app)
    assert sheet(app, "Owed")["Balance at maturity"]["Of what"] == (
        "ARD 1 Oct 2026, in 1 d; matures 1 Oct 2036"
    )
    assert "Special servicing" not in said(dossier("PARTIAL-IO"))


def test_a_floating_coupon_is_described(dossier):
    text = said(dossier("LOSS"))
    assert "The coupon floats with 1-month term SOFR + 285 bp; cap 7.00%, where it is now." in text
    assert "The coupon floats" not in said(dossier("PARTIAL-IO"))


def test_without_income_figures_say_what_they_lack(dossier):
    app = dossier("NO-INCOME")
    assert "Income: not known" in headings(app, 3)
    assert "Refinance at 6.70%, not testable: no NOI" in headings(app, 3)
    both = sheet(app, "A year at the refi rate")
    assert set(both["DSCR"].values()) == {"not testable: no NOI"}
    assert both["Debt service"]["Amortising, graded"] == "$527,339"
    assert sheet(app, "Refi rate") is None
    assert metrics(app)["At refinance"] == "—"
    assert sheet(app, "Layer")["Senior · Bank"]["LTV to its rank"] == (
        "not testable: no appraised value"
    )


def test_a_loss_has_no_break_even_rate_and_carries_no_debt(dossier):
    app = dossier("LOSS")
    rates = sheet(app, "A year at the refi rate")["Break-even rate, 1.00x"]
    assert set(rates.values()) == {"none: income is not above zero"}
    assert metrics(app)["At refinance"] == "$18.0M short"
    assert metrics(app)["DSCR"] == "−0.31x"


def test_the_calculator_is_closed_until_it_is_opened_or_an_input_is_given(dossier):
    assert fields(dossier("PARTIAL-IO")) == {}
    assert len(fields(dossier("PARTIAL-IO", noi="4000000"))) == 8


def test_the_calculator_starts_from_the_loans_own_figures(dossier):
    app = dossier("PARTIAL-IO", **OPENED)
    held = {name: field["value"] for name, field in fields(app).items()}
    assert (held["noi"], held["ncf"]) == ("3,890,000", "3,610,000")
    assert (held["min_dscr"], held["min_debt_yield"]) == ("1.40", "11.00")
    assert (held["amortisation_years"], held["cap_rate"]) == ("30", "6.33")
    # 3,890,000 of 61,500,000; sized by the whole figure.
    assert app.session_state["cap_rate"] == pytest.approx(100 * 3_890_000 / 61_500_000)
    assert app.query_params == {"loan_number": "PARTIAL-IO", **OPENED}
    rows = sheet(app, "Proceeds")
    assert (
        rows["By DSCR, binds"]["Dollars"]
        == sheet(app, "Largest new loan")["By DSCR, binds"]["Proceeds"]
    )


def test_half_a_million_of_noi_is_sized_as_the_worked_check(dossier):
    app = dossier("NO-INCOME", **WORKED)
    rows = sheet(app, "Proceeds")
    assert {name: row["Dollars"] for name, row in rows.items()} == {
        "By DSCR, binds": "$5,273,694",
        "By debt yield": "$5,555,556",
        "By LTV": "$5,454,545",
    }
    assert rows["By DSCR, binds"]["Limit"] == "1.25x on NOI at 6.50%"
    assert "at the cap rate and no NCF; DSCR is on NOI." in said(app)
    assert "$5,273,694: DSCR binds · shortfall of $1,536,535" in said(app)  # of 6,810,229
    assert rows["By DSCR, binds"]["Less what is due"] == "−$1,536,535"


def test_an_ncf_is_what_the_dscr_is_sized_on(dossier):
    """480,000 / 1.25 / the constant of 6.50 % over 30 years, 0.0758482."""
    app = dossier("NO-INCOME", **WORKED, ncf="480000")
    rows = sheet(app, "Proceeds")
    assert rows["By DSCR, binds"]["Dollars"] == "$5,062,746"
    assert rows["By DSCR, binds"]["Limit"] == "1.25x on NCF at 6.50%"
    assert (rows["By debt yield"]["Dollars"], rows["By debt yield"]["Limit"]) == (
        "$5,555,556", "9.00% on NOI")  # fmt: skip
    assert "at the cap rate, NCF of $480,000." in said(app)


def shown_before(number, **changed):
    """A session that has shown a loan, before a widget takes another value."""
    held = LoanPageView(loan_number=number, sizing=True, **changed)
    return {"held": held, "here": LOAN, "sizing": True, **changed}


def test_a_changed_input_stands_in_the_address(dossier):
    typed = {**shown_before("PARTIAL-IO"), "min_dscr": 1.25, "noi": 4_000_000}
    app = dossier("PARTIAL-IO", typed, **OPENED)
    assert app.query_params == {
        "loan_number": "PARTIAL-IO", "noi": "4000000", "min_dscr": "1.25", **OPENED}  # fmt: skip
    again = dossier("PARTIAL-IO", noi="4000000", min_dscr="1.25")
    assert sheet(again, "Proceeds") == sheet(app, "Proceeds")
    assert sheet(again, "Proceeds") != sheet(dossier("PARTIAL-IO", **OPENED), "Proceeds")


def test_what_is_typed_is_sized_at_once_and_what_is_deleted_is_the_loans_own_again(dossier):
    app = dossier("PARTIAL-IO", **OPENED)
    own = sheet(app, "Proceeds")
    app = filled(app, "noi", 4_000_000)
    assert (value(app, "noi"), app.query_params["noi"]) == ("4,000,000", "4000000")
    assert sheet(app, "Proceeds") == sheet(dossier("PARTIAL-IO", noi="4000000"), "Proceeds") != own
    app = filled(app, "noi", None)
    assert (value(app, "noi"), sheet(app, "Proceeds")) == ("3,890,000", own)
    assert "noi" not in app.query_params


@pytest.mark.parametrize("typed", [1.40, None], ids=["the loan's own", "emptied"])
def test_an_input_that_is_the_loans_own_again_leaves_the_address(typed, dossier):
    held = {**shown_before("PARTIAL-IO", min_dscr=1.25), "min_dscr": typed}
    app = dossier("PARTIAL-IO", held, min_dscr="1.25")
    assert app.query_params == {"loan_number": "PARTIAL-IO", **OPENED}
    assert value(app, "min_dscr") == "1.40"


def test_another_loan_brings_its_own_figures(dossier):
    app = dossier("LOSS", shown_before("PARTIAL-IO", min_dscr=2.0), **OPENED)
    assert value(app, "min_dscr") == "1.50"
    assert value(app, "noi") == "-310,000"


def test_a_link_leads_back_to_the_loans_own_figures(dossier):
    again = "Back to the loan's own figures"
    changed = dossier("PARTIAL-IO", cap_rate="7.25")
    (link,) = [one for one in changed.get("page_link") if shown(one.proto.label) == again]
    assert "loan_number=PARTIAL-IO" in link.proto.query_string
    assert "cap_rate" not in link.proto.query_string
    assert again not in links(dossier("PARTIAL-IO"))


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"refi_rate": "0"}, "'refi_rate' is '0' but must lie from 0.1 to 25"),
        ({"page": "2"}, "Unknown parameter 'page'; one loan has no pages"),
    ],
)
def test_an_input_at_fault_gives_a_sentence_and_nothing_else(params, sentence, dossier):
    """What else is at fault: tests/components/test_addresses.py."""
    app = dossier("PARTIAL-IO", **params)
    assert sentence in shown(app.error[0].value)
    assert len(tables(app)) == len(fields(app)) == 0
    assert "Show all" in links(app)


def test_the_address_of_a_view_is_parsed_to_the_same_view():
    view = LoanPageView(loan_number="A/1 & Co", noi=-5, refi_rate=6.125, amortisation_years=0)
    assert view.params() == {
        "loan_number": "A/1 & Co", "noi": "-5", "refi_rate": "6.125", "amortisation_years": "0",
        **OPENED,
    }  # fmt: skip
    assert parse(LoanPageView, view.params()) == view


def test_six_figures_stand_beside_what_was_underwritten_and_the_severity_of_their_rule(dossier):
    """1,210,000 of NCF on 7.20 % interest is 0.45x; an anticipated repayment date is tomorrow."""
    told = headlines(dossier("SPECIAL-SERVICING"))
    assert list(told)[:6] == [
        "Book value", "DSCR", "DSCR at the refi rate", "LTV", "Debt yield", "Occupancy"
    ]  # fmt: skip
    assert told["DSCR at the refi rate"].value == "0.40x"
    assert told["DSCR at the refi rate"].of_what == "at 7.20%, amortising · under 1.00x"
    assert "10.0% asked today" in told["Debt yield"].of_what
    told = headlines(dossier("PARTIAL-IO"))
    assert told["DSCR"].value == "1.43x"
    assert told["DSCR"].of_what == "1.62x underwritten · NOI may fall 27.9% to 1.00x"
    assert told["DSCR at the refi rate"].of_what == "at 7.40%, interest only"


def test_a_switch_shows_the_whole_loan_in_place_of_a_note(dossier):
    """130 million on all notes, of which the record is 48.5."""
    own = dossier("PART-OF-LARGER")
    whole = dossier("PART-OF-LARGER", whole="yes")
    assert whole.query_params["whole"] == "yes"
    of_note, of_loan = (headlines(one) for one in (own, whole))
    (title,) = (one for one in headings(own, 3) if one.startswith("Refinance at "))
    assert title.endswith(": $11.6M short on this note, $31.2M short on the whole loan")
    assert title in headings(whole, 3)
    assert of_note["At refinance"].value == "$11.6M short"
    assert of_note["At refinance"].of_what.startswith(
        f"whole loan {of_loan['At refinance'].value} · "
    )
    for name in ("Due at maturity", "New loan at most"):
        assert of_loan[name].value != of_note[name].value
    assert "The whole loan, not this note" not in [one.label for one in dossier("LOSS").toggle]


def test_nothing_is_sized_on_the_rent_of_a_cooperative(tmp_path, visit):
    """NCF of 2.8 million would lend far more than the 26 million that are owed."""
    path = exhibit(tmp_path / "C_2026.xml", [loan("1", house(propertyTypeCode="CH"))])
    load(tmp_path / "store", portfolio([path]), rates=ReferenceRates.packaged())
    app = visit("pages/loan.py", tmp_path / "store", {"loan_number": "C 2026:1", **OPENED})
    assert "Imputed rent covers 154% of debt service" in said(app)
    assert "to spare" not in said(app)
    assert any(one.endswith(", n.m.: imputed rent") for one in headings(app, 3))
    assert sheet(app, "A year at the refi rate")["Required NCF"]
    lent = sheet(app, "Largest new loan")
    assert {row["Proceeds"] for row in lent.values()} == {"n.m.: imputed rent"}
    assert lent["By DSCR"]["Lender asks"] == "at least 1.25x on NCF"
    # The calculator waits for a rent that is paid.
    assert "type a NOI to size a loan on it" in said(app)
    assert (value(app, "noi"), value(app, "min_dscr")) == ("", "1.25")


def test_a_vacant_building_has_an_occupancy_of_0(tmp_path, visit):
    vacant = house(
        mostRecentPhysicalOccupancyPercentage="0.00",
        mostRecentRevenueAmount="0.00",
        mostRecentNetOperatingIncomeAmount="-450000",
    )
    store = tmp_path / "store"
    load(store, portfolio([exhibit(tmp_path / "V_2026.xml", [loan("1", vacant)])]))
    app = visit("pages/loan.py", store, {"loan_number": "V 2026:1"})
    assert headlines(app)["Occupancy"].value == "0.0%"
    assert sheet(app, "Figure")["Occupancy"]["Change"] == "−95.0 points"
    assert sheet(app, "Property")["Example Plaza"]["Occupancy"] == "0.0%"
