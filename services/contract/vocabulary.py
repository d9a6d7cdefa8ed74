"""Words with a known rank or meaning. The sets stay open: an unknown word is shown as it came."""

from typing import Final

#: rate_pressure and severity, mildest first (D2).
SEVERITIES: Final = ("low", "moderate", "elevated", "severe", "critical")
#: Severities that a signal can have: `low` is none.
GRADED: Final = SEVERITIES[1:]
#: Those that every page, ranking and map counts as trouble, the milder first.
SEVERE_OR_WORSE: Final = SEVERITIES[SEVERITIES.index("severe") :]
#: Words for loans without a signal (D97, D278): they owe nothing, or are defeased in full, so that
#: no rule is about them; or no rule fired.
NOTHING_OWED: Final = "nothing owed"
IS_DEFEASED: Final = "defeased"
NO_SIGNAL: Final = "none"
#: No rule is about these.
SETTLED: Final = (NOTHING_OWED, IS_DEFEASED)
UNGRADED: Final = (*SETTLED, NO_SIGNAL)
#: confidence_tier, weakest first (D2).
TIERS: Final = ("inferred", "probable", "confirmed")
#: signal_type (spec 2.6).
SIGNAL_TYPES: Final = (
    "rate_pressure",
    "maturity_timing",
    "concentration_risk",
    "stress_indicator",
)
#: The rule that grades a loan by its siblings. It says nothing of the loan itself: a lead, which no
#: worst signal counts (D279).
CONTAGION: Final = "CT-1"
#: Debt layers that spec 4.1 names.
LAYER_KINDS: Final = ("insurance", "bank", "private credit", "cmbs servicer")
#: Reference rates, and how a sentence names them.
SERIES: Final = {
    "DGS5": "5-year Treasury",
    "DGS7": "7-year Treasury",
    "DGS10": "10-year Treasury",
    "SOFR": "SOFR",
}
#: Places in the capital stack, paid first to last.
POSITIONS: Final = ("senior", "mezzanine", "preferred")

#: What a `state` filter accepts (D10): the states, DC and the five territories.
STATES: Final[dict[str, str]] = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California",
    "CO": "Colorado", "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia",
    "FL": "Florida", "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois",
    "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana",
    "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota",
    "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
    "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York",
    "NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon",
    "PA": "Pennsylvania", "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota",
    "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont", "VA": "Virginia",
    "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
    "AS": "American Samoa", "GU": "Guam", "MP": "Northern Mariana Islands", "PR": "Puerto Rico",
    "VI": "U.S. Virgin Islands",
}  # fmt: skip


#: Scores from which a tier begins (D29).
CONFIRMED_FROM: Final = 0.90
PROBABLE_FROM: Final = 0.70


def tier_of(confidence: float) -> str:
    """Confidence tier of a score from 0 to 1 (D29)."""
    if confidence >= CONFIRMED_FROM:
        return "confirmed"
    return "probable" if confidence >= PROBABLE_FROM else "inferred"


def rank(severity: str | None) -> int:
    """0 for low to 4 for critical; -1 for missing or unranked."""
    return SEVERITIES.index(severity) if severity in SEVERITIES else -1


def or_worse(severity: str) -> tuple[str, ...]:
    """A severity and those that are worse, the milder first."""
    return SEVERITIES[SEVERITIES.index(severity) :]
