"""The basis of income as data, and the words that stand for it on the wire (D52, D140)."""

import pytest

from services.contract.income_basis import IncomeBasis

WRITTEN = {
    "NCF, underwritten": IncomeBasis("NCF", underwritten=True),
    "NOI, underwritten": IncomeBasis("NOI", underwritten=True),
    "NCF, 1 Oct 2024 to 30 Sep 2025, 12 months": IncomeBasis(
        "NCF", "1 Oct 2024 to 30 Sep 2025, 12 months"
    ),
    "NCF, 1 Jan to 31 Mar 2026, 3 months, annualised, seasonal": IncomeBasis(
        "NCF", "1 Jan to 31 Mar 2026, 3 months", remarks=("annualised", "seasonal")
    ),
    "NOI, 1 Jan to 31 Mar 2026, 3 months, amounts of a year": IncomeBasis(
        "NOI", "1 Jan to 31 Mar 2026, 3 months", remarks=("amounts of a year",)
    ),
    "NCF, no single period, some statements missing": IncomeBasis(
        "NCF", "no single period", remarks=("some statements missing",)
    ),
}


@pytest.mark.parametrize("words", WRITTEN)
def test_words_and_data_are_one(words):
    assert WRITTEN[words].words == words
    assert IncomeBasis.read(words) == WRITTEN[words]


@pytest.mark.parametrize(
    ("words", "of_dscr"),
    [
        ("NCF, underwritten", "NCF, underwritten"),
        ("NCF, 3 months, annualised", "NCF, 3 months, as filed"),
        ("NCF, 3 months, annualised, seasonal", "NCF, 3 months, seasonal, as filed"),
        ("NOI, 3 months, annualised, DSCR computed", "NOI, 3 months, DSCR computed"),
        ("NOI, 3 months, amounts of a year", "NOI, 3 months, amounts of a year"),
        ("trailing twelve months", "trailing twelve months"),
        ("", ""),
    ],
)
def test_a_dscr_is_never_made_a_year_s(words, of_dscr):
    assert IncomeBasis.read(words).of_dscr == of_dscr


@pytest.mark.parametrize("words", ["", "trailing twelve months", "Underwritten NCF", "NOI of 2025"])
def test_words_of_another_source_are_kept_as_they_are(words):
    found = IncomeBasis.read(words)
    assert found.words == words
    assert found.underwritten == (words == "Underwritten NCF")
    assert found.measure == ("NOI" if words == "NOI of 2025" else None)
