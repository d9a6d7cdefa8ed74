"""The OpenAPI 3.1 document: schemas out of the contract, in the variant that is served.

Field names come from `wire.FIELDS` and bounds from the queries, so that the document cannot say
what the service does not do.
"""

from datetime import date
from functools import cache
from http import HTTPStatus
from typing import Any, Final

from services.contract.queries import MAX_TEXT, PathQuery, Query
from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphPath,
    GraphResult,
    Hub,
    Loan,
    LoanDetail,
    OwnershipChain,
    Record,
    Signal,
    SignalComponent,
)
from services.contract.vocabulary import STATES
from services.contract.wire import FIELDS, Variant, encode

from .document_text import ABOUT, ENDPOINT_TEXT, FIELD_TEXT, PARAMETER_TEXT, TAGS, TITLE
from .endpoints import Endpoint

__all__ = ["ABOUT", "TITLE", "VERSION", "complete", "operation"]

Schema = dict[str, Any]
VERSION: Final = "1"
_BMP: Final = 0xFFFF
#: Below it every sign is in the pattern of readable text.
_COMMON: Final = 0x0250
#: Generators take a whole block for marks, which at its end holds signs that are not assigned.
_UNASSIGNED: Final = r"\u20f1-\u20ff"
_KINDS: Final[dict[str, Schema]] = {
    "text": {"type": "string"},
    "word": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "day": {"type": "string", "format": "date"},
}
_ROOTS: Final = ("loan_number", "entity_name")
_ERRORS: Final = {
    400: (
        "Bad Request",
        "invalid_request",
        "Parameter 'per_page' is '500' but must be at most 100",
    ),
    401: ("Unauthorized", "unauthorized", "No API key was given"),
    403: (
        "Forbidden",
        "forbidden",
        "The licence tier Base of this key does not cover this endpoint",
    ),
    404: ("Not Found", "not_found", "No loan has the number 'CA-999999'"),
    405: ("Method Not Allowed", "method_not_allowed", "/v1/loans is read with GET"),
    414: ("URI Too Long", "invalid_request", "Path and query are longer than 16,384 bytes"),
    429: ("Rate Limited", "rate_limited", "The rate per minute of this key is used up"),
    431: ("Headers Too Large", "invalid_request", "The headers are larger than 32,768 bytes"),
    500: ("Internal Error", "internal_error", "The service could not answer; try again"),
}


def operation(endpoint: Endpoint, variant: Variant) -> dict[str, Any]:
    """What FastAPI is told of a route: words, parameters, answers."""
    tag, summary, description, success = ENDPOINT_TEXT[endpoint.name]
    listed = endpoint.query is not None
    one: Schema = _ref(endpoint.record.__name__)
    many = listed and endpoint.query is not PathQuery
    envelope: Schema = {
        "type": "object",
        "required": ["data", "meta", *(["pagination"] if listed else [])],
        "properties": {
            "data": {"type": "array", "items": one} if many else one,
            **({"pagination": _ref("Pagination")} if listed else {}),
            "meta": _ref("Meta"),
        },
    }
    sample = encode(_EXAMPLES[endpoint.record], variant)
    example: Schema = {"data": [sample] if many else sample}
    if listed:
        example["pagination"] = {"page": 1, "per_page": 25, "total": 1}
    example["meta"] = {"request_id": "req_5f0c1d2e3a4b5c6d"}
    answers: dict[int | str, dict[str, Any]] = {
        200: {
            "description": success,
            "headers": _headers(),
            "content": {"application/json": {"schema": envelope, "example": example}},
        },
        **{status: _ref(f"Error{status}", "responses") for status in _ERRORS},
    }
    return {
        "tags": [tag],
        "summary": summary,
        "description": description,
        "responses": answers,
        "openapi_extra": {"parameters": _parameters(endpoint.query), "security": [{"key": []}]},
    }


def complete(document: Schema, variant: Variant) -> Schema:
    """FastAPI's document with our schemas, error responses and the security scheme."""
    records = (Loan, LoanDetail, Entity, ChainElement, OwnershipChain, Edge, GraphResult, Signal)
    schemas: Schema = {kind.__name__: _record(kind, variant) for kind in records}
    schemas["GraphPath"] = _object(edges=_list("Edge"))
    schemas["Hub"] = _own(Hub, "A party in which so many edges meet that paths end there.")
    schemas["SignalComponent"] = _own(SignalComponent, "One rule that fired within a signal.")
    schemas["ReadableText"] = {
        "type": "string",
        "maxLength": MAX_TEXT,
        "pattern": _readable(),
        "description": "Text of any script, without control characters, and not only spaces.",
    }
    schemas["Pagination"] = _object(
        page={"type": "integer", "minimum": 1},
        per_page={"type": "integer", "minimum": 1},
        total={"type": "integer", "minimum": 0, "description": "Of all pages together."},
    )
    schemas["Meta"] = _object(request_id={"type": "string", "description": "Name it to support."})
    text: Schema = {"type": "string"}
    schemas["Error"] = _object(error=_object(code=text, message=text, request_id=text))
    document["components"] = {
        "schemas": schemas,
        "responses": {f"Error{status}": _error(status) for status in _ERRORS},
        "securitySchemes": {
            "key": {
                "type": "http",
                "scheme": "bearer",
                "description": "The API key, as `Authorization: Bearer <API_KEY>`.",
            }
        },
    }
    document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
    return document


def _record(kind: type[Record], variant: Variant) -> Schema:
    fields = {}
    for spec in FIELDS[kind]:
        schema = dict(_KINDS[spec.kind])
        if not spec.required:
            schema["type"] = [schema["type"], "null"]
        fields[spec.key(variant)] = {**schema, "description": FIELD_TEXT[kind][spec.name]}
    nested: Schema = {}
    match kind.__name__:
        case "OwnershipChain":
            nested = {"chain": _list("ChainElement")}
        case "GraphResult":
            nested = {"paths": _list("GraphPath"), "hubs": _list("Hub")}
        case "Signal":
            nested = {"components": _list("SignalComponent")}
        case "LoanDetail":
            return {
                **_object(**fields),
                "description": "A loan with whatever further fields its source gives, such as "
                "property_name, debt_layers, properties, dscr, ltv, noi and provenance.",
                "additionalProperties": True,
            }
        case _:
            nested = {}
    return _object(**fields, **nested)


def _own(kind: type[Record], description: str) -> Schema:
    schema = kind.model_json_schema()
    fields = {
        name: {key: value for key, value in field.items() if key not in {"title", "default"}}
        for name, field in schema["properties"].items()
    }
    return {**_object(**fields), "description": description}


def _object(**fields: Schema) -> Schema:
    return {"type": "object", "required": list(fields), "properties": fields}


def _list(name: str) -> Schema:
    return {"type": "array", "items": _ref(name)}


def _ref(name: str, part: str = "schemas") -> Schema:
    return {"$ref": f"#/components/{part}/{name}"}


def _headers(status: int = 200) -> Schema:
    def whole(description: str, least: int) -> Schema:
        schema = {"type": "integer", "minimum": least}
        return {"description": description, "required": True, "schema": schema}

    headers = {
        "X-RateLimit-Remaining": whole("Requests left in this minute.", 0),
        "X-RateLimit-Reset": whole("Seconds until the minute ends.", 1),
        "X-RateLimit-Daily-Remaining": whole("Requests left today.", 0),
    }
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        headers["Retry-After"] = whole("Seconds until the next request is let through.", 1)
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = {"required": True, "schema": {"type": "string", "const": "GET"}}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = {
            "required": True,
            "schema": {"type": "string", "const": "Bearer"},
        }
    return headers


def _error(status: int) -> Schema:
    title, code, message = _ERRORS[status]
    body = {"code": code, "message": message, "request_id": "req_5f0c1d2e3a4b5c6d"}
    return {
        "description": title,
        "headers": _headers(status),
        "content": {"application/json": {"schema": _ref("Error"), "example": {"error": body}}},
    }


def _parameters(query: type[Query] | None) -> list[Schema]:
    if query is None:
        return [
            {
                "name": "loan_number",
                "in": "path",
                "required": True,
                "description": "Loan number, percent-encoded.",
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
        return _ref("ReadableText")
    return schema


@cache
def _readable() -> str:
    r"""Readable text (contract: Word) as a pattern.

    Test generators know few of the signs of \p{L} and its like, and walk every sign of a range:
    common ones are spelt out, the rest is left to the classes.
    """
    spaces = "".join(f"\\u{code:04x}" for code in range(_BMP) if chr(code).isspace())
    common = "".join(f"\\u{code:04x}" for code in range(_COMMON) if chr(code).isprintable())
    signs = r"\p{L}\p{M}\p{N}\p{P}\p{S}"
    return rf"^(?![\s\S]*[{_UNASSIGNED}])(?![{spaces}]*$)[{spaces}{common}{signs}]+$"


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


_SHOWN: Final[dict[str, Any]] = {
    "loan_number": "CA-000001",
    "book_value": 7_175_476,
    "interest_rate": 4.32,
    "property_type": "lodging",
    "property_city": "Newark",
    "property_state": "NJ",
    "lender_normalized": "Caldergate Life Assurance",
    "maturity_date": date(2029, 5, 1),
    "rate_pressure": "critical",
    "confidence_tier": "probable",
}
_EXAMPLES: Final[dict[type[Record], Record]] = {
    Loan: Loan.model_validate(_SHOWN),
    LoanDetail: LoanDetail(
        **_SHOWN,
        origination_date=date(2019, 5, 1),
        extended={"dscr": 1.38, "ltv": 0.61, "noi": 655_300, "provenance": "synthetic"},
    ),
    Entity: Entity(
        entity_name="Walnut Knoll Investment Partners",
        confidence=0.93,
        confidence_tier="confirmed",
        related_loan_count=8,
    ),
    OwnershipChain: OwnershipChain(
        loan_number="CA-000001",
        chain=(
            ChainElement(entity_name="Canyon Ledge LP", role="borrower", confidence=0.94),
            ChainElement(entity_name="Walnut Knoll LLC", role="sponsor", confidence=0.93),
            ChainElement(entity_name="Adrian Donovan", role="owner", confidence=0.79),
        ),
        confidence_tier="probable",
    ),
    GraphResult: GraphResult(
        root="CA-000001",
        depth_reached=1,
        paths=(
            GraphPath(
                edges=(
                    Edge(
                        source="CA-000001",
                        target="Canyon Ledge LP",
                        relation="borrower",
                        confidence=0.94,
                    ),
                )
            ),
        ),
    ),
    Signal: Signal.model_validate(
        {
            **{k: v for k, v in _SHOWN.items() if k in Signal.model_fields},
            "signal_type": "rate_pressure",
            "severity": "critical",
            "description": "Refi rate 7.95 % is 363.5 bp above the 4.32 % coupon",
            "components": [{"rule": "RP-1", "severity": "critical", "value": 363.5, "limit": 300}],
        }
    ),
}
