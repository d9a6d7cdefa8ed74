"""What the parameters of the endpoints mean, in words, with an example of each."""

from typing import Final

from .history import ChangeQuery, HistoryQuery
from .queries import EntityQuery, LoanQuery, PathQuery, Question, SignalQuery

_PAGING: Final = {
    "page": ("The page wanted, from 1.", 1),
    "per_page": ("Records on a page.", 25),
}
_SPONSORS: Final = (
    "Whether sponsors and changes of them are told; needs the tier Complete.",
    "yes",
)
#: Query -> parameter -> what it does, an example.
PARAMETER_TEXT: Final[dict[type[Question], dict[str, tuple[str, object]]]] = {
    LoanQuery: {
        "state": ("Two-letter US state code, upper or lower case.", "TX"),
        "lender": (
            (
                "Lender by name or normalized key, in any debt layer. Case, accents, punctuation "
                "and legal suffixes do not count."
            ),
            "Caldergate Life",
        ),
        "min_balance": ("Least book value, whole US dollars, inclusive.", 5_000_000),
        "max_balance": ("Most book value, whole US dollars, inclusive.", 50_000_000),
        "maturity_before": ("Loans that fall due before this day, exclusive.", "2028-01-01"),
        "maturity_after": ("Loans that fall due after this day, exclusive.", "2026-12-31"),
        "rate_pressure": ("Rate pressure word, in any case.", "elevated"),
        **_PAGING,
    },
    EntityQuery: {
        "name": ("Fuzzy search: word order and typing errors are forgiven.", "walnut knoll"),
        "confidence_min": ("Least confidence of the resolution.", 0.7),
        **_PAGING,
    },
    PathQuery: {
        "loan_number": ("Loan at which the walk begins.", "CA-000001"),
        "entity_name": ("Entity at which the walk begins, by its exact name.", "Walnut Knoll LLC"),
        "depth": ("Most edges of a path.", 3),
        "page": _PAGING["page"],
        "per_page": ("Paths on a page.", 25),
    },
    SignalQuery: {
        "state": ("Two-letter US state code, upper or lower case.", "TX"),
        "signal_type": ("Signal category, in any case.", "rate_pressure"),
        "severity": ("Severity word, in any case.", "critical"),
        **_PAGING,
    },
    HistoryQuery: {
        "since": ("The first day wanted, inclusive.", "2026-01-01"),
        "until": ("The last day wanted, inclusive; not before `since`.", "2026-09-30"),
        "sponsors": _SPONSORS,
    },
    ChangeQuery: {
        "since": (
            (
                "The earlier date. The book as of a date is the newest filing of each deal that is "
                "not after it. By default the newest of an earlier month than `until`; not before "
                "the first one."
            ),
            "2026-08-31",
        ),
        "until": ("The later date, not before `since`. By default the newest.", "2026-09-30"),
        "kind": ("Loans to which something of one of these kinds happened.", "special_in,matured"),
        "state": ("Two-letter US state codes, upper or lower case.", "TX,NY"),
        "property_type": ("Property types, in any case.", "office,retail"),
        "lender": ("The loan's own lender, by its exact normalized name.", "Caldergate Life"),
        "min_balance": ("Least dollars at stake, whole US dollars, inclusive.", 5_000_000),
        "max_balance": ("Most dollars at stake, whole US dollars, inclusive.", 50_000_000),
        "maturity_before": ("Loans that fall due before this day, exclusive.", "2028-01-01"),
        "maturity_after": ("Loans that fall due after this day, exclusive.", "2026-12-31"),
        "deal": ("Deals, each by the `source` of its loans' histories.", "sec-absee:UBS 2017-C1"),
        "numbers": ("These loan numbers and no others.", "CA-000001,CA-000002"),
        "severity_before": (
            (
                "Worst signal at the earlier date: a severity, `none`, `defeased`, "
                "`nothing owed` or `not in the file`. Without `kind` loans to which nothing "
                "happened are listed too."
            ),
            "moderate,none",
        ),
        "severity_after": ("The same at the later date.", "critical,nothing owed"),
        "sponsors": _SPONSORS,
        "order": (
            (
                "By the most important change, then dollars (`importance`), by dollars, the most "
                "first (`-dollars`), or by loan number."
            ),
            "importance",
        ),
        **_PAGING,
    },
}
