"""The wire's two spellings (spec 2, D1), both translated here and nowhere else.

One table per record: canonical name, its key in each variant, and how the word is written there.
The variant of a payload is told per record, by the keys that only one variant has; `confidence` is
a number in an A entity and a tier word in a B entity, so there is no global rename.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from .errors import BadPayload
from .records import (
    ChainElement,
    Edge,
    Entity,
    GraphPath,
    GraphResult,
    Hub,
    Loan,
    LoanDetail,
    OwnershipChain,
    Page,
    Record,
    Signal,
    SignalComponent,
)
from .wire_field import Field, Variant
from .wire_over_time import INSIDE, OVER_TIME, OWN, Inside, listed

__all__ = ["FIELDS", "Field", "Variant", "decode", "encode", "variant_of"]

R = TypeVar("R", bound=Record)


_LOAN: Final = (
    Field("loan_number", required=True),
    Field("book_value", "int"),
    Field("interest_rate", "number"),
    Field("property_type", "word", b_case="capital"),
    Field("property_city", b="city"),
    Field("property_state", b="state"),
    Field("lender_normalized", b="lender"),
    Field("maturity_date", "day"),
    Field("rate_pressure", "word", b_case="upper"),
    Field("confidence_tier", "word", b="confidence", b_case="upper"),
)
FIELDS: Final[dict[type[Record], tuple[Field, ...]]] = {
    Loan: _LOAN,
    LoanDetail: (*_LOAN, Field("origination_date", "day")),
    Entity: (
        Field("entity_name", required=True),
        Field("confidence", "number", b="confidence_score"),
        Field("confidence_tier", "word", b="confidence", b_case="upper"),
        Field("related_loan_count", "int", b="linked_loans"),
    ),
    ChainElement: (
        Field("entity_name", required=True),
        Field("role", "word"),
        Field("confidence", "number", b="confidence_score"),
    ),
    OwnershipChain: (
        Field("loan_number", required=True),
        Field("confidence_tier", "word", b="confidence", b_case="upper"),
    ),
    Edge: (
        Field("source", a="from", b="from", required=True),
        Field("target", a="to", b="to", required=True),
        Field("relation"),
        Field("confidence", "number", b="confidence_score"),
    ),
    GraphResult: (
        Field("root", required=True),
        Field("depth_reached", "int"),
        Field("stopped_by"),
        Field("next_level_edges", "int"),
    ),
    Signal: (
        Field("signal_type", required=True),
        Field("severity", "word"),
        Field("loan_number", required=True),
        Field("property_state", b="state"),
        Field("property_city", b="city"),
        Field("property_type", "word", b_case="capital"),
        Field("book_value", "int"),
        Field("maturity_date", "day"),
        Field("lender_normalized", b="lender"),
        Field("description"),
    ),
    **OVER_TIME,
}


def encode(record: Record, variant: Variant = "a") -> dict[str, Any]:
    """A record as the wire has it in `variant`: ISO dates, null for what is not known."""
    kind = type(record)
    body: dict[str, Any] = {}
    for spec in FIELDS[kind]:
        value = getattr(record, spec.name)
        if isinstance(value, date):
            value = value.isoformat()
        elif isinstance(value, tuple):
            value = listed(value)
        elif variant == "b" and spec.b_case and value is not None:
            value = value.upper() if spec.b_case == "upper" else value.capitalize()
        body[spec.key(variant)] = value
    match record:
        case OwnershipChain():
            body["chain"] = [encode(element, variant) for element in record.chain]
        case GraphResult():
            body["paths"] = [
                {"edges": [encode(edge, variant) for edge in path.edges]} for path in record.paths
            ]
            body["hubs"] = [hub.model_dump() for hub in record.hubs]
        case Signal():
            body["components"] = [part.model_dump() for part in record.components]
        case LoanDetail():
            body |= {k: v for k, v in record.extended.items() if k not in body}
    body |= {part.key: _held(part, record, variant) for part in INSIDE.get(kind, ())}
    return {**getattr(record, "extra", {}), **body}


def _held(part: Inside, record: Record, variant: Variant) -> object:
    held = getattr(record, part.name)
    if not part.many:
        return encode(held, variant)
    return [encode(one, variant) for one in (held.items if part.paged else held)]


def variant_of(kind: type[Record], payload: Mapping[str, Any]) -> Variant:
    """Which spelling a payload has: the one with more keys that the other lacks. In a tie it is A,
    unless `confidence` is a word, as only B has it.
    """
    keys = {v: {spec.key(v) for spec in FIELDS[kind]} for v in ("a", "b")}
    only_a = len((keys["a"] - keys["b"]) & payload.keys())
    only_b = len((keys["b"] - keys["a"]) & payload.keys())
    word = isinstance(payload.get("confidence"), str)
    return "b" if (only_b, word) > (only_a, False) else "a"


def decode(kind: type[R], payload: object, path: str) -> R:
    """A record from either spelling; unknown keys are kept (D19).

    `path` names the request, for errors. Raises BadPayload naming path and key when an identity
    key is missing or a value is of another type than promised.
    """
    if not isinstance(payload, Mapping):
        raise BadPayload(f"{path}: expected an object, got {_named(payload)}", path=path)
    variant = variant_of(kind, payload)
    values: dict[str, Any] = {}
    for spec in FIELDS[kind]:
        if spec.derived:
            continue
        key = spec.key(variant)
        value = payload.get(key)
        if value is None and spec.required:
            raise BadPayload(f"{path}: a record has no '{key}'", path=path, key=key)
        values[spec.name] = None if value is None else _value(spec, value, path, key)
    known = {spec.key(variant) for spec in FIELDS[kind]} | _NESTED.get(kind, frozenset())
    rest = {key: value for key, value in payload.items() if key not in known}
    if kind not in OVER_TIME:  # what is ours holds nothing beyond what it is
        values["extended" if kind is LoanDetail else "extra"] = rest
    values |= _nested(kind, payload, path)
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = str(fault["loc"][0])
        key = next((spec.key(variant) for spec in FIELDS[kind] if spec.name == name), name)
        said = f"{path}: '{key}' is wrong: {fault['msg'].lower()}"
        raise BadPayload(said, path=path, key=key) from None


_NESTED: Final[dict[type[Record], frozenset[str]]] = {
    OwnershipChain: frozenset({"chain"}),
    GraphResult: frozenset({"paths", "hubs"}),
    Signal: frozenset({"components"}),
}


def _nested(kind: type[Record], payload: Mapping[str, Any], path: str) -> dict[str, Any]:
    if kind is OwnershipChain:
        chain = _list(payload, "chain", path)
        return {"chain": tuple(decode(ChainElement, one, path) for one in chain)}
    if kind is Signal:
        return {"components": _extension(SignalComponent, payload, "components", path)}
    if kind is GraphResult:
        found = []
        for one in _list(payload, "paths", path):
            if not isinstance(one, Mapping):
                said = f"{path}: 'paths' holds {_named(one)}, not an object"
                raise BadPayload(said, path=path, key="paths")
            edges = tuple(decode(Edge, edge, path) for edge in _list(one, "edges", path))
            found.append(GraphPath(edges=edges))
        return {"paths": tuple(found), "hubs": _extension(Hub, payload, "hubs", path)}
    return {part.name: _inner(part, payload, path) for part in INSIDE.get(kind, ())}


def _inner(part: Inside, payload: Mapping[str, Any], path: str) -> object:
    if not part.many:
        return decode(part.record, payload.get(part.key), f"{path} {part.key}")
    items = tuple(
        decode(part.record, one, f"{path} {part.key}[{at}]")
        for at, one in enumerate(_list(payload, part.key, path))
    )
    if not part.paged:
        return items
    # Which page it is, the envelope says.
    return Page(items=items, page=1, per_page=max(1, len(items)), total=len(items))


def _extension(kind: type[R], payload: Mapping[str, Any], key: str, path: str) -> tuple[R, ...]:
    """Our own records beside the specification's; another service need not send them."""
    if payload.get(key) is None:
        return ()
    try:
        return tuple(kind.model_validate(one) for one in _list(payload, key, path))
    except ValidationError:
        raise BadPayload(f"{path}: '{key}' is not as promised", path=path, key=key) from None


def _list(payload: Mapping[str, Any], key: str, path: str) -> list[Any]:
    value = payload.get(key)
    if not isinstance(value, list):
        raise BadPayload(f"{path}: '{key}' is {_named(value)}, not a list", path=path, key=key)
    return value


#: Where the whole numbers of the store end.
_BEYOND: Final = 2**63
_PROMISED: Final = {
    **dict.fromkeys(("int", "number"), "a usable number"),
    "day": "an ISO date",
    "flag": "true or false",
    "either": "text, a number or a date",
    "texts": "a list of text",
    "days": "a list of ISO dates",
    "words": "an object of words",
    "dated": "a list of deals and dates",
}


def _value(spec: Field, value: object, path: str, key: str) -> object:
    """A value as its field promises it. Raises BadPayload."""
    match spec.kind:
        case "text" if isinstance(value, str):
            return value
        case "word" if isinstance(value, str):
            return " ".join(value.replace("_", " ").split()).lower()
        case "int" | "number" if isinstance(value, int | float) and not isinstance(value, bool):
            if abs(value) < _BEYOND:  # as NaN is not
                return round(value) if spec.kind == "int" else float(value)
        case "day" if isinstance(value, str) and value[10:11] in {"", "T"}:
            # A time of day after it is left out; anything else is no date.
            with suppress(ValueError):
                return date.fromisoformat(value[:10])
        case kind if kind in OWN and (found := OWN[kind](value)) is not None:
            return found
    said = f"{path}: '{key}' is {_named(value)}, not {_PROMISED.get(spec.kind, 'text')}"
    raise BadPayload(said, path=path, key=key)


def _named(value: object) -> str:
    names = {"NoneType": "missing", "str": "text", "dict": "an object", "list": "a list"}
    return names.get(type(value).__name__, f"{type(value).__name__} {str(value)[:40]}")
