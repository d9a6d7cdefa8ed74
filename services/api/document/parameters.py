"""The parameters of the OpenAPI document: bounds and words out of the contract."""

import sys
from functools import cache
from typing import Any, Final

from services.contract.endpoints import Endpoint
from services.contract.events import EVENT_KINDS
from services.contract.history import SIDES, ChangeQuery
from services.contract.parameter_words import PARAMETER_TEXT
from services.contract.queries import PathQuery, Question
from services.contract.vocabulary import STATES

from .records import Schema, ref

_ROOTS: Final = ("loan_number", "entity_name")
_BMP: Final = 0xFFFF
#: No text that came as UTF-8 holds one.
_SURROGATES: Final = range(0xD800, 0xE000)

#: Parameters of changes that take several values, with commas between -> the words there are;
#: nothing where they are not listed.
_SEVERAL: Final[dict[str, tuple[str, ...]]] = {
    "kind": tuple(kind.name for kind in EVENT_KINDS),
    "severity_before": SIDES,
    "severity_after": SIDES,
    "property_type": (),
    "deal": (),
    "numbers": (),
}


def parameters(endpoint: Endpoint[Any, Any]) -> list[Schema]:
    """The parameters of an endpoint: the loan number of its path, then those of its query."""
    query = endpoint.query
    listed: list[Schema] = []
    if endpoint.of_loan:
        listed.append(
            {
                "name": "loan_number",
                "in": "path",
                "required": True,
                "description": "Loan number, percent-encoded: it may hold slashes, spaces and any "
                "script.",
                "schema": _exact(),
                "example": "CA-000001",
            }
        )
    if query is None:
        return listed
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


def _bounds(query: type[Question], name: str) -> Schema:
    """The schema of a parameter, by the bounds of the query's own field."""
    if query is ChangeQuery and (own := _of_changes(name)):
        return own
    field = query.model_json_schema()["properties"][name]
    schema = next((way for way in field.get("anyOf", [field]) if way.get("type") != "null"), field)
    # Behind a validator pydantic leaves bounds under its own names.
    named = {"ge": "minimum", "le": "maximum"} | {key: key for key in ("type", "format", "enum")}
    schema = {named[key]: value for key, value in schema.items() if key in named}
    if field.get("default") is not None:
        schema["default"] = field["default"]
    if name == "state":
        return {"type": "string", "pattern": _state_pattern()}
    if schema["type"] == "boolean":
        return {"type": "string", "enum": ["yes", "no"]}
    if schema["type"] == "string" and not {"format", "enum"} & schema.keys():
        return ref("ReadableText")
    return schema


def _of_changes(name: str) -> Schema | None:
    """The schema of what the query of changes reads otherwise; several values have commas."""
    if name == "lender":
        return _exact()
    if name == "state":
        return {"type": "string", "pattern": _state_pattern(several=True)}
    if name in _SEVERAL:
        words = _SEVERAL[name]
        return {"type": "string", "pattern": _several(words)} if words else ref("ReadableTexts")
    return None


@cache
def readable(between: str = "") -> str:
    """Readable text (contract: Word) as a pattern: not blank, and no sign that does not show.
    `between` may separate several, and is no text by itself.

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
    return rf"^(?![{spaces}{between}]*$)(?![\s\S]*[{signs}])[ -~]*"


def _several(words: tuple[str, ...]) -> str:
    way = f"({'|'.join(words)})"
    return f"^{way}(,{way})*$"


def _state_pattern(*, several: bool = False) -> str:
    """The codes in either case, grouped by their first letter; one, or several."""
    by_first: dict[str, list[str]] = {}
    for code in sorted(STATES):
        by_first.setdefault(code[0], []).append(code[1])
    ways = [
        f"[{first}{first.lower()}][{''.join(seconds)}{''.join(seconds).lower()}]"
        for first, seconds in by_first.items()
    ]
    return _several(tuple(ways)) if several else f"^({'|'.join(ways)})$"
