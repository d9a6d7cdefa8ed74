"""The words of the OpenAPI document, for people: what each field and parameter means."""

from typing import Final

from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphResult,
    Loan,
    LoanDetail,
    OwnershipChain,
    Record,
    Signal,
)

TITLE: Final = "Commercial Real Estate Credit Intelligence"
ABOUT: Final = """\
Read-only JSON over commercial real estate loans: the loan coverage, the parties behind the loans,
their ownership chains, the capital graph, and scored signals.

**Keys.** Every request carries `Authorization: Bearer <API_KEY>`. A key belongs to a licence tier
and to one environment, production or sandbox. A key in a URL is refused.

| Tier | Opens |
|---|---|
| Base | `/v1/loans`, `/v1/loans/{loan_number}`, `/v1/signals` |
| Resolution | `/v1/entities`, `/v1/entities/{loan_number}/ownership` |
| Capital Graph | `/v1/graph/paths` |
| Complete | all of them |

**Limits.** Each key has a rate per minute and a daily quota. Every answer, an error too, says what
is left: `X-RateLimit-Remaining` requests in this minute, which ends in `X-RateLimit-Reset` seconds,
and `X-RateLimit-Daily-Remaining` today. Over a limit the answer is 429, and `Retry-After` says in
how many seconds to ask again. Requests without a valid key are counted by client address.

**Envelope.** Success is `{data, pagination, meta}`, pagination where there are pages. Stop when
`page` times `per_page` reaches `total`; a page beyond the last is empty. An error is
`{error: {code, message, request_id}}`; depend on the status, show the message, and name the
request_id to support.

**Values.** Null means that the source does not say, never zero. Dates are ISO 8601, amounts whole
US dollars, rates percent figures (6.055 is 6.055 %). Sets of words are open: expect new ones.
Nothing is clamped: a parameter that is unknown, given twice or out of bounds is a 400 that names
it.
"""

#: Endpoint name -> tag, summary, description, what success is.
ENDPOINT_TEXT: Final[dict[str, tuple[str, str, str, str]]] = {
    "search_loans": (
        "Loans",
        "Search loans",
        "Loans that match every filter given, by loan number.",
        "A page of loans",
    ),
    "get_loan": (
        "Loans",
        "Get one loan",
        (
            "One loan, with its origination date and every extended field that its source gives. "
            "Percent-encode the loan number: it may hold slashes, spaces and any script."
        ),
        "The loan",
    ),
    "search_entities": (
        "Entities",
        "Search entities",
        (
            "Resolved borrowers, sponsors, owners and capital sources. By match with `name`, the "
            "exact name first; by name when no name is asked for."
        ),
        "A page of entities",
    ),
    "get_ownership": (
        "Entities",
        "Get the ownership chain of a loan",
        (
            "From the borrower up to the ultimate beneficial owner, level by level, joint "
            "owners side by side. The chain is empty when none is resolved. Percent-encode the "
            "loan number."
        ),
        "The ownership chain",
    ),
    "find_paths": (
        "Capital graph",
        "Find paths of the capital graph",
        (
            "Paths from one root, a loan or an entity: give exactly one of the two. Shorter paths "
            "come first. `pagination.total` counts paths."
        ),
        "The walk, and a page of its paths",
    ),
    "search_signals": (
        "Signals",
        "Search signals",
        (
            "Scored conditions of loans that match every filter given, by loan number and signal "
            "type; a loan has at most one signal of a type."
        ),
        "A page of signals",
    ),
}
TAGS: Final = {
    "Loans": "Normalized loan coverage.",
    "Entities": "Resolved parties and who owns whom.",
    "Capital graph": "How loans, borrowers, owners and capital sources hang together.",
    "Signals": "What a credit desk should look at, and why.",
}

_LOAN: Final = {
    "loan_number": "Identifier of the loan.",
    "book_value": "Carrying amount, whole US dollars.",
    "interest_rate": "Coupon, a percent figure: 6.055 is 6.055 %.",
    "property_type": "Property type, such as office or industrial.",
    "property_city": "City of the most valuable property.",
    "property_state": "Two-letter state code of the most valuable property.",
    "lender_normalized": "Normalized name of the senior lender.",
    "maturity_date": "Day on which the loan falls due.",
    "rate_pressure": "Rate pressure: low, moderate, elevated, severe or critical.",
    "confidence_tier": "Tier of the ownership chain's weakest link: inferred, probable, confirmed.",
}
FIELD_TEXT: Final[dict[type[Record], dict[str, str]]] = {
    Loan: _LOAN,
    LoanDetail: {**_LOAN, "origination_date": "Day on which the loan was made."},
    Entity: {
        "entity_name": "Resolved name.",
        "confidence": "Confidence of the resolution, 0.0 to 1.0.",
        "confidence_tier": "The same as a word: inferred, probable or confirmed.",
        "related_loan_count": "Distinct loans that it stands behind or lends to.",
    },
    ChainElement: {
        "entity_name": "Resolved name.",
        "role": "Borrower, operating entity, sponsor or owner.",
        "confidence": "Confidence of the link to this party, 0.0 to 1.0.",
    },
    OwnershipChain: {
        "loan_number": "The loan whose chain this is.",
        "confidence_tier": "Tier of the weakest link; null when the chain is empty.",
    },
    Edge: {
        "source": "Loan number or name at which the edge begins.",
        "target": "Loan number or name at which it ends.",
        "relation": "How the two are related, such as borrower, owned_by or capital_source.",
        "confidence": "Confidence of the relation, 0.0 to 1.0.",
    },
    GraphResult: {
        "root": "Loan number or entity name at which the walk began.",
        "depth_reached": "Edges of the longest path.",
        "stopped_by": "Why the walk ended early: depth, budget, or null.",
        "next_level_edges": "Edges that the next level would have read.",
    },
    Signal: {
        "signal_type": "Category: rate_pressure, maturity_timing, concentration_risk and so on.",
        "severity": "low, moderate, elevated, severe or critical.",
        **{name: text for name, text in _LOAN.items() if name != "interest_rate"},
        "description": "Why the signal stands, in a sentence.",
    },
}

_PAGING: Final = {
    "page": ("The page wanted, from 1.", 1),
    "per_page": ("Records on a page.", 25),
}
#: Query -> parameter -> what it does, an example.
PARAMETER_TEXT: Final[dict[type[Query], dict[str, tuple[str, object]]]] = {
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
}
