"""The parameters of the OpenAPI document: bounds out of the contract's queries, and words."""

import sys
from functools import cache
from typing import Final

from services.contract.queries import EntityQuery, LoanQuery, PathQuery, Query, SignalQuery
from services.contract.vocabulary import STATES

from .records import Schema, ref

_ROOTS: Final = ("loan_number", "entity_name")
_BMP: Final = 0xFFFF
#: No text that came as UTF-8 holds one.
_SURROGATES: Final = range(0xD800, 0xE000)

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


def parameters(query: type[Query] | None) -> list[Schema]:
    """The parameters of a query, or the loan number of a path when there is none."""
    if query is None:
        return [
            {
                "name": "loan_number",
                "in": "path",
                "required": True,
                "description": "Loan number, percent-encoded: it may hold slashes, spaces and any "
                "script.",
                "schema": _exact(),
                "example": "CA-000001",
            }
        ]
    listed = []
    for name, (description, example) in PARAMETER_TEXT[query].items():
        if query is PathQuery and name in _ROOTS:
            continue
        listed.append(
            {
                "name": name,
                "in": "query",
                "description": description,
                "allowEmptyValue": True,
                "schema": _bounds(query, name),
                "example": example,
            }
        )
    return [*([_root()] if query is PathQuery else []), *listed]


def _root() -> Schema:
    """Exactly one of two parameters (D6), which OpenAPI says with an exploded object."""
    texts = PARAMETER_TEXT[PathQuery]
    ways = [
        {
            "title": name,
            "type": "object",
            "required": [name],
            "properties": {name: {**_exact(), "description": texts[name][0]}},
            "additionalProperties": False,
        }
        for name in _ROOTS
    ]
    return {
        "name": "root",
        "in": "query",
        "required": True,
        "style": "form",
        "explode": True,
        "description": "Where the walk begins: exactly one of `loan_number` and `entity_name`.",
        "schema": {"type": "object", "oneOf": ways},
        "examples": {name: {"value": {name: texts[name][1]}} for name in _ROOTS},
    }


def _exact() -> Schema:
    return {"type": "string", "minLength": 1, "maxLength": 1000, "pattern": r"^[^\x00]+$"}


def _bounds(query: type[Query], name: str) -> Schema:
    """The schema of a parameter, by the bounds of the query's own field."""
    field = query.model_json_schema()["properties"][name]
    schema = next((way for way in field.get("anyOf", [field]) if way.get("type") != "null"), field)
    # Behind a validator pydantic leaves bounds under its own names.
    words = {"ge": "minimum", "le": "maximum", "type": "type", "format": "format"}
    schema = {words[key]: value for key, value in schema.items() if key in words}
    if field.get("default") is not None:
        schema["default"] = field["default"]
    if name == "state":
        return {"type": "string", "pattern": _state_pattern()}
    if schema["type"] == "string" and "format" not in schema:
        return ref("ReadableText")
    return schema


@cache
def readable() -> str:
    """Readable text (contract: Word) as a pattern: not blank, and no sign that does not show.

    The signs are spelt out, because tools differ on what a class of Unicode holds, and ruled out
    ahead of the text, because test generators walk every sign of a range that they may use.
    """

    def written(code: int) -> str:
        return f"\\u{code:04x}" if code <= _BMP else chr(code)

    spaces = "".join(written(code) for code in range(_BMP) if chr(code).isspace())
    hidden: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        sign = chr(code)
        if sign.isprintable() or sign.isspace() or code in _SURROGATES:
            continue
        if hidden and hidden[-1][1] == code - 1:
            hidden[-1][1] = code
        else:
            hidden.append([code, code])
    signs = "".join(f"{written(first)}-{written(last)}" for first, last in hidden)
    return rf"^(?![{spaces}]*$)(?![\s\S]*[{signs}])[ -~]*"


def _state_pattern() -> str:
    """The codes in either case, grouped by their first letter."""
    by_first: dict[str, list[str]] = {}
    for code in sorted(STATES):
        by_first.setdefault(code[0], []).append(code[1])
    ways = [
        f"[{first}{first.lower()}][{''.join(seconds)}{''.join(seconds).lower()}]"
        for first, seconds in by_first.items()
    ]
    return f"^({'|'.join(ways)})$"
