"""The JSON schemas of tools, made of the contract's models: short, for assistants pay by length."""

from typing import Any, Final

from .tools import Tool
from .words import WORDS

Schema = dict[str, Any]
#: Bounds behind a validator stand under pydantic's own names.
_BOUNDS: Final = {"ge": "minimum", "le": "maximum"}
#: Where pydantic looks through a validator it takes an array's bounds for those of a text.
_ITEMS: Final = {"minLength": "minItems", "maxLength": "maxItems"}


def input_schema(tool: Tool[Any]) -> Schema:
    """What a tool takes. What is left out and what is null are the same."""
    schema = _plain(tool.question.model_json_schema())
    words = WORDS.get(tool.question, {})
    schema["properties"] = {
        name: {**one, "description": words[name]} if name in words else one
        for name, one in schema["properties"].items()
        if name not in tool.unused and name != "scope"  # sets are a reader's own, kept on pages
    }
    schema.pop("description", None)
    schema.pop("$defs", None)  # of the scope alone
    return schema


def output_schema(tool: Tool[Any]) -> Schema:
    """What a tool answers."""
    schema = tool.answer.model_json_schema(mode="serialization")
    for one in (schema, *schema.get("$defs", {}).values()):
        one.pop("title", None)
        one.pop("description", None)
        one["properties"] = {
            name: {key: said for key, said in field.items() if key not in {"title", "default"}}
            for name, field in one.get("properties", {}).items()
        }
    return schema


def _plain(schema: Schema) -> Schema:
    """Without titles, nulls and names that JSON Schema does not have."""
    ways = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
    if len(ways) == 1:
        return _plain({key: one for key, one in schema.items() if key != "anyOf"} | ways[0])
    renamed = _BOUNDS | (_ITEMS if schema.get("type") == "array" else {})
    plain: Schema = {}
    for key, one in schema.items():
        if key == "title" or (key == "default" and one is None):
            continue
        if key == "properties":
            plain[key] = {name: _plain(field) for name, field in one.items()}
        elif key == "items":
            plain[key] = _plain(one)
        else:
            plain[renamed.get(key, key)] = one
    return plain
