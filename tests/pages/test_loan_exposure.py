"""The page of a loan in trouble: what is out on it, against what the property is worth (D276)."""

import pytest

from components.kit.fields import written
from components.memo.contents import memo
from services.importers.sec_absee import portfolio
from services.rates.reference import ReferenceRates
from services.signals.rescoring import RulesRescorer
from services.store.leases import Store
from tests.pages.ledger_reading import rows
from tests.pages.screen import badges, headings, headlines, said, table
from tests.publishing import load
from tests.store.test_notes import exhibit
from tests.store.test_trust_exposure import BOSTON_CREEK, HAVEN
from tests.world import Sketch, info_of

NUMBER = "UBS 2017-C1:{}"
#: Figure -> what it is, and of what.
CARD = {
    "Paid through": ("5 Mar 2019", "unpaid for 63 months"),
    "Exposure": ("$20.2M", "$14.9M and $5.3M advanced"),
    "LTV on exposure": ("108.5%", ""),
    "Appraised value": ("$18.7M", "appraised 5 Oct 2023"),
    "Computed reduction": ("$3.4M", "over 90% of the value"),
    "Expected loss": ("$6.1M", "value less 24%"),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Both at the date of the first."""
    paying = HAVEN | {"reportingPeriodEndDate": BOSTON_CREEK["reportingPeriodEndDate"]}
    return filed(tmp_path_factory.mktemp("exposure"), BOSTON_CREEK, paying)


def filed(folder, *records):
    """A store of these records."""
    path = exhibit(folder / "UBS_2017-C1__06.xml", records)
    load(folder / "store", portfolio([path]), rates=ReferenceRates.packaged())
    return folder / "store"


def alone(visit, folder, **changes):
    """The page of Boston Creek Apartments, filed with these changes."""
    return page(visit, filed(folder, BOSTON_CREEK | changes), "24")


def page(visit, store, number):
    return visit("pages/loan.py", store, {"loan_number": NUMBER.format(number)})


def test_a_loan_in_trouble_has_a_card_of_its_exposure(visit, store):
    app = page(visit, store, "24")
    assert "Exposure: $20.2M, expected loss $6.1M" in headings(app, 3)
    assert (
        "REO, unpaid for 63 months; the exposure is 108% of the property's value of Oct 2023."
        in said(app)
    )
    assert "matures" not in said(app)
    assert "▼ REO" in badges(app)  # one filing does not say since when
    found = headlines(app)
    assert {name: (found[name].value, found[name].of_what) for name in CARD} == CARD
    assert found["LTV"].of_what.startswith("on exposure, appraised Oct 2023")
    assert table(app, "Exposure") == [
        {"Exposure": "Scheduled balance", "Dollars": "$14,900,389"},
        {"Exposure": "Principal and interest advances", "Dollars": "$4,406,844"},
        {"Exposure": "Tax and insurance advances", "Dollars": "$0"},
        {"Exposure": "Other advances", "Dollars": "$919,912"},
        {"Exposure": "Exposure", "Dollars": "$20,227,145"},
    ]


@pytest.mark.parametrize(
    ("workouts", "badge"),
    [
        (("2", "7", "7"), "REO since 13 May 2024"),
        (("7", "2", "7"), "REO since 11 Jun 2024"),
        (("7", "7", "7"), "REO since 11 Apr 2024 or before"),
    ],
)
def test_earlier_filings_say_since_when_it_is_reo(visit, tmp_path, workouts, badge):
    """D281: no element of a filing is the date."""
    days = ("04-11-2024", "05-13-2024", "06-11-2024")
    books = []
    for day, workout in zip(days, workouts, strict=True):
        path = tmp_path / day / "UBS_2017-C1__06.xml"
        one = BOSTON_CREEK | {"reportingPeriodEndDate": day, "workoutStrategyCode": workout}
        books += portfolio([exhibit(path, [one])])
    load(tmp_path / "store", books, rates=ReferenceRates.packaged())
    assert f"▼ {badge}" in badges(page(visit, tmp_path / "store", "24"))


def test_what_was_advanced_stands_first_in_its_stack(visit, store):
    """20,227,145 less the balance of 16,460,685."""
    app = page(visit, store, "24")
    layers = table(app, "Layer")
    assert [(row["Layer"], row["Amount"], row["LTV to its rank"]) for row in layers] == [
        ("Advances", "$3,766,460", "20.2%"),
        ("Senior · CMBS servicer", "$16,460,685", "108.5%"),
    ]
    assert "Advances: those filed, less the principal that they have paid" in said(app)


def test_one_that_pays_has_none(visit, store):
    app = page(visit, store, "47")
    assert not set(CARD) & set(headlines(app))
    assert not any(one.startswith("Exposure") for one in headings(app, 3))
    assert "unpaid" not in said(app)


def test_where_advances_are_not_filed_there_is_no_card(visit, tmp_path):
    app = alone(visit, tmp_path, **{name: "" for name in BOSTON_CREEK if "Advance" in name})
    assert not set(CARD) & set(headlines(app))
    assert "unpaid for 63 months" in said(app)
    assert headlines(app)["LTV"].of_what.startswith("appraised Oct 2023")


def test_a_loan_that_treasuries_pay_is_in_no_trouble(visit, tmp_path):
    """Though its payments are late."""
    app = alone(visit, tmp_path, property=BOSTON_CREEK["property"] | {"DefeasedStatusCode": "F"})
    assert not set(CARD) & set(headlines(app))


def test_without_a_scheduled_balance_the_book_value_counts(visit, tmp_path):
    app = alone(visit, tmp_path, reportPeriodEndScheduledLoanBalanceAmount="")
    found = headlines(app)["Exposure"]
    assert (found.value, found.of_what) == ("$21.8M", "$16.5M and $5.3M advanced")
    assert table(app, "Exposure")[0] == {"Exposure": "Book value", "Dollars": "$16,460,685"}


def test_mezzanine_behind_it_is_named_and_a_note_has_its_formulas(visit, tmp_path):
    """10 of 40 million, late: 42.4 million are out on the whole loan, 10.9 of it on the note.

    90 % of the value is 36 million: the note has 10.9 / 42.4 of the 6.4 over it, 1,645,283. A sale
    brings 30.4: it loses 10.9 / 42.4 of 12 million, 3,084,906.
    """
    s = Sketch(info_of("late"))
    s.loan(
        "A-1", book_value=10_000_000, original_amount=10_000_000, interest_rate=5.0,
        value=40_000_000, structure="PP", payment_status="3", payment_type="3",
        underwritten_ncf=4_000_000.0, underwritten_dscr=2.0, scheduled_balance=10_000_000,
        payment_advances=500_000, tax_advances=400_000,
    )  # fmt: skip
    s.layer("A-1", 1, "Alder Bank", amount=10_000_000)
    s.layer("A-1", 2, "Mezz Fund", amount=6_000_000)
    load(tmp_path / "store", [s.portfolio()], rates=ReferenceRates.packaged())
    app = visit("pages/loan.py", tmp_path / "store", {"loan_number": "A-1"})
    found = headlines(app)
    assert found["LTV on exposure"].of_what == "of the whole loan, with mezzanine"
    assert found["LTV on exposure"].value == "121.0%"
    assert found["Computed reduction"].value == "$1.6M"
    assert found["Expected loss"].value == "$3.1M"
    opened = Store(tmp_path / "store", rescorer=RulesRescorer())
    with opened.lease() as source:
        filled = {one.key: one.filled for one in source.citations("A-1").citations}
    opened.close()
    every = "(40000000 × (10000000 + 500000) / 10000000 + 400000)"
    assert filled["computed_reduction"] == f"10900000 × (1 − 0.9 × 40000000 / {every})"
    assert filled["expected_loss"] == f"10900000 × (1 − (1 − 0.24) × 40000000 / {every})"


def test_the_list_has_them_in_a_set_of_columns(visit, store):
    app = visit("pages/loans.py", store, {"columns": "exposure", "order": "-expected_loss"})
    worst, paying = rows(app, "Unpaid for", "Expected loss")
    heads = ("Unpaid for", "Exposure", "LTV", "Computed reduction", "Expected loss")
    assert [worst[head] for head in heads] == ["63 months", "$20.2M", "108.5%", "$3.4M", "$6.1M"]
    assert [paying[head] for head in heads] == ["—", "$6.7M", "52.0%", "—", "—"]


def test_its_memo_has_a_section_of_it(store):
    """Though nobody refinances an REO."""
    opened = Store(store, rescorer=RulesRescorer())
    with opened.lease() as source:
        made = memo(source, source, source.loan(NUMBER.format(24)))
        paying = memo(source, source, source.loan(NUMBER.format(47)))
    opened.close()
    (section,) = (one for one in made.sections if one.title == "Exposure")
    cells = [cell.text for row in section.tables[0].rows for cell in row]
    for one in ("5 Mar 2019", "$14,900,389", "$4,406,844", "$20,227,145", "$6,053,145"):
        assert any(one in cell for cell in cells), one
    sources = {one.key: one.filled for one in made.sources}
    assert sources["exposure"] == "14900389 + 4406844 + 0 + 919912"
    assert sources["computed_reduction"] == "20227145 − 0.9 × 18650000"
    assert sources["expected_loss"] == "20227145 − (1 − 0.24) × 18650000"
    assert "Exposure" not in [one.title for one in paying.sections]
    assert "Refinance" not in [one.title for one in made.sections]


def test_one_month_is_singular():
    assert [written("months_unpaid", months) for months in (1, 2)] == ["1 month", "2 months"]
