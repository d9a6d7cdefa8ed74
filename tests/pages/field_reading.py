"""The fields of a page under test, as it is sent to the browser."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

#: The choice of filters to add has no parameter.
ADD = ""


def fields(app: AppTest) -> dict[str, dict[str, Any]]:
    """What is sent of each field, of all bars, by its parameter."""
    bars = [
        json.loads(one.proto.json)
        for one in app.get("bidi_component")
        if one.proto.component_name == "atlas_fields"
    ]
    return {field["name"]: field for bar in bars for field in bar["fields"]}


def options(app: AppTest, name: str) -> list[str]:
    """What can be chosen in a field, as it reads, with how many records each would find."""
    offered = fields(app)[name]["options"]
    return [f"{one['label']} · {one['count']}" if one["count"] else one["label"] for one in offered]
