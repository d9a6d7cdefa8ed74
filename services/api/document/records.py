"""The records of the OpenAPI document: field names out of the contract, and what each means."""

from typing import Any, Final

from services.contract.compared import DealSpan
from services.contract.events import EVENT_KINDS, STAGES, Event
from services.contract.happened import ChangeCount
from services.contract.history import ChangedLoan, Changes, HistoryRow, LoanHistory, Move
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
from services.contract.wire_over_time import INSIDE
from services.tables.schema import EVENTS, HISTORY, OpenTable

Schema = dict[str, Any]
_KINDS: Final[dict[str, Schema]] = {
    "text": {"type": "string"},
    "word": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "day": {"type": "string", "format": "date"},
    "flag": {"type": "boolean"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "days": {"type": "array", "items": {"type": "string", "format": "date"}},
    "words": {"type": "object", "additionalProperties": {"type": "string"}},
    "either": {"type": ["string", "number", "null"]},
    "dated": {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["deal", "as_of"],
            "properties": {
                "deal": {"type": "string"},
                "as_of": {"type": "string", "format": "date"},
            },
        },
    },
}


_PLAIN: Final = {"text", "word", "date", "true or false"}


def _told(table: OpenTable) -> dict[str, str]:
    """What the columns of an open table are, with their units where the type does not say it."""
    return {
        one.name: one.description + ("" if one.unit in _PLAIN else f" Unit: {one.unit}.")
        for one in table.columns
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
    HistoryRow: {
        **_told(HISTORY),
        "as_of": "As-of date of the filing.",
        "rules_version": "Rules, limits and spreads that scored it, at the rates of its date.",
        "stage": f"Stage of delinquency: {', '.join(STAGES)}; null where the status is not ranked.",
        "worst": "Worst severity of its signals, if any; contagion (CT-1) is left out.",
        "signals": "Severity by type of signal; only those that it has.",
        "rules": "Ids of the rules that fired, in order.",
        "sponsor": "Sponsor; null unless `sponsors` is yes.",
    },
    Event: {
        **_told(EVENTS),
        "kind": f"What happened: {', '.join(kind.name for kind in EVENT_KINDS)}.",
        "as_of": "As-of date of the filing that shows it first.",
        "since": "As-of date of the filing before.",
        "sentence": "All of it in a sentence, without the loan's name.",
    },
    LoanHistory: {
        "loan_number": "The loan whose history this is.",
        "property_name": "Name of its property.",
        "source": "Key of its source, by which changes can be asked for (`deal`).",
        "title": "Title of its source.",
        "missing": "Dates of its source that lack the loan, from its first one on.",
    },
    ChangeCount: {
        "kind": "The kind, or the direction of the kinds: worse or better.",
        "loans": "Loans to which it happened.",
        "dollars": "Their balances, whole US dollars; what they were where nothing is owed.",
    },
    Move: {
        "before": "Worst signal at the earlier date; without one `none`, `defeased`, `nothing owed`"
        " or `not in the file`.",
        "after": "The same at the later date.",
        "loans": "Loans that went from the one to the other.",
        "dollars": "Their balances, whole US dollars; what they were where nothing is owed.",
    },
    DealSpan: {
        "title": "Title of the deal.",
        "since": "As-of date of its filing that stands for the earlier date.",
        "until": "As-of date of the one that stands for the later date.",
    },
    ChangedLoan: {
        "loan_number": "Identifier of the loan.",
        "property_name": "Name of its property.",
        "property_type": _LOAN["property_type"],
        "city": _LOAN["property_city"],
        "state": _LOAN["property_state"],
        "lender": _LOAN["lender_normalized"],
        "deal": "Title of its source.",
        "dollars": "Its balance, whole US dollars; what it was where nothing is owed.",
        "severity_before": "Its worst signal at the earlier date, as in the moves.",
        "severity_after": "The same at the later date.",
    },
    Changes: {
        "since": "The earlier date that was compared.",
        "until": "The later date.",
        "compared": "Loans that meet the conditions on loans, a loan and its notes once.",
        "loans": "Loans among the records on all pages, each once.",
        "notes": "Records among them that are no sums of others.",
        "dollars": "Of these loans, whole US dollars, each once.",
        "not_compared": "Titles of deals without a filing at or before the earlier date.",
        "silent": "Deals that filed nothing after the earlier date, with their newest date.",
        "rules_changed": "Whether other rules, limits or spreads scored the two dates.",
    },
}


def schemas(variant: Variant) -> Schema:
    """Every record and what the envelopes hold beside records, by name."""
    found: Schema = {kind.__name__: _record(kind, variant) for kind in FIELD_TEXT}
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
        if not spec.required and isinstance(schema["type"], str):
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
            nested = {
                part.key: _list(part.record.__name__) if part.many else ref(part.record.__name__)
                for part in INSIDE.get(kind, ())
            }
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
