"""The operations of the OpenAPI document, and the parts that they share."""

from http import HTTPStatus
from typing import Any, Final

from services.contract.endpoints import ENDPOINTS, EXTENSIONS, Endpoint
from services.contract.history import Changes
from services.contract.queries import MAX_TEXT
from services.contract.records import GraphResult
from services.contract.wire import Variant, encode

from .about import SECTIONS
from .examples import EXAMPLES
from .parameters import parameters, readable
from .records import Schema, ref, schemas

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
    503: (
        "Service Unavailable",
        "service_unavailable",
        "API keys cannot be checked just now; try again in some seconds",
    ),
}


def operation(endpoint: Endpoint[Any, Any], variant: Variant) -> dict[str, Any]:
    """How one endpoint is described, as options of FastAPI's route: words, parameters, answers."""
    listed = endpoint.paged
    one: Schema = ref(endpoint.record.__name__)
    many = listed and endpoint.record not in {GraphResult, Changes}
    envelope: Schema = {
        "type": "object",
        "required": ["data", "meta", *(["pagination"] if listed else [])],
        "properties": {
            "data": {"type": "array", "items": one} if many else one,
            **({"pagination": ref("Pagination")} if listed else {}),
            "meta": ref("Meta"),
        },
    }
    sample = encode(EXAMPLES[endpoint.record], variant)
    example: Schema = {"data": [sample] if many else sample}
    if listed:
        example["pagination"] = {"page": 1, "per_page": 25, "total": 1}
    example["meta"] = {"request_id": "req_5f0c1d2e3a4b5c6d"}
    answers: dict[int | str, dict[str, Any]] = {
        200: {
            "description": endpoint.success,
            "headers": _headers(),
            "content": {"application/json": {"schema": envelope, "example": example}},
        },
        **{status: ref(f"Error{status}", "responses") for status in _ERRORS},
    }
    return {
        "tags": [endpoint.section],
        "summary": endpoint.title,
        "description": endpoint.description,
        "responses": answers,
        "openapi_extra": {"parameters": parameters(endpoint), "security": [{"key": []}]},
    }


def complete(document: Schema, variant: Variant) -> Schema:
    """FastAPI's document with our schemas, error responses and the security scheme."""
    found = schemas(variant)
    told = "Text of any script, without control characters, and not only spaces"
    found["ReadableText"] = {
        "type": "string",
        "maxLength": MAX_TEXT,
        "pattern": readable(),
        "description": f"{told}.",
    }
    found["ReadableTexts"] = {
        "type": "string",
        "maxLength": MAX_TEXT,
        "pattern": readable(","),
        "description": f"{told}: one, or several with commas between, of which one will do.",
    }
    paths = document["paths"]
    document["paths"] = {one.path: paths[one.path] for one in (*ENDPOINTS, *EXTENSIONS)}
    document["components"] = {
        "schemas": found,
        "responses": {f"Error{status}": _error(status) for status in _ERRORS},
        "securitySchemes": {
            "key": {
                "type": "http",
                "scheme": "bearer",
                "description": "The API key, as `Authorization: Bearer <API_KEY>`.",
            }
        },
    }
    document["tags"] = [{"name": name, "description": text} for name, text in SECTIONS.items()]
    return document


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
        "content": {"application/json": {"schema": ref("Error"), "example": {"error": body}}},
    }
