"""The records of the OpenAPI document: fields and their names out of the contract."""

from typing import Any, Final

from services.contract.records import (
    ChainElement,
    Edge,
    Entity,
    GraphResult,
    Hub,
    Loan,
    LoanDetail,
    OwnershipChain,
    Record,
    Signal,
    SignalComponent,
)
from services.contract.wire import FIELDS, Variant

from .document_text import FIELD_TEXT

Schema = dict[str, Any]
_KINDS: Final[dict[str, Schema]] = {
    "text": {"type": "string"},
    "word": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "day": {"type": "string", "format": "date"},
}


def schemas(variant: Variant) -> Schema:
    """Every record and what the envelopes hold beside records, by name."""
    kinds = (Loan, LoanDetail, Entity, ChainElement, OwnershipChain, Edge, GraphResult, Signal)
    found: Schema = {kind.__name__: _record(kind, variant) for kind in kinds}
    found["GraphPath"] = shape(edges=_list("Edge"))
    found["Hub"] = _own(Hub, "A party in which so many edges meet that paths end there.")
    found["SignalComponent"] = _own(SignalComponent, "One rule that fired within a signal.")
    found["Pagination"] = shape(
        page={"type": "integer", "minimum": 1},
        per_page={"type": "integer", "minimum": 1},
        total={"type": "integer", "minimum": 0, "description": "Of all pages together."},
    )
    found["Meta"] = shape(request_id={"type": "string", "description": "Name it to support."})
    text: Schema = {"type": "string"}
    found["Error"] = shape(error=shape(code=text, message=text, request_id=text))
    return found


def shape(**fields: Schema) -> Schema:
    """An object that has at least these fields."""
    return {"type": "object", "required": list(fields), "properties": fields}


def ref(name: str, part: str = "schemas") -> Schema:
    """A reference to a component."""
    return {"$ref": f"#/components/{part}/{name}"}


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
                **shape(**fields),
                "description": "A loan with whatever further fields its source gives, such as "
                "property_name, debt_layers, properties, dscr, ltv, noi and provenance.",
                "additionalProperties": True,
            }
        case _:
            nested = {}
    return shape(**fields, **nested)


def _own(kind: type[Record], description: str) -> Schema:
    schema = kind.model_json_schema()
    fields = {
        name: {key: value for key, value in field.items() if key not in {"title", "default"}}
        for name, field in schema["properties"].items()
    }
    return {**shape(**fields), "description": description}


def _list(name: str) -> Schema:
    return {"type": "array", "items": ref(name)}
