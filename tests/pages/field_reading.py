"""The fields of a page under test, as it is sent to the browser."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.screen import components, tell

#: The choice of filters to add has no parameter.
ADD = ""


def fields(app: AppTest) -> dict[str, dict[str, Any]]:
    """What is sent of each field, of all bars, by its parameter."""
    return {field["name"]: field for bar in _bars(app) for field in _sent(bar)}


def value(app: AppTest, name: str) -> str:
    """What stands in a field: the word chosen, or what is written in it."""
    field = fields(app)[name]
    if "chosen" not in field:
        return str(field["value"])
    (word,) = field["chosen"]
    return str(word)


def filled(app: AppTest, name: str, given: object) -> AppTest:
    """The page after a field was filled in, as its bar tells the server."""
    (bar,) = (one for one in _bars(app) if any(field["name"] == name for field in _sent(one)))
    return tell(app, bar, "changed", {"name": name, "value": given})


def press(app: AppTest, label: str) -> AppTest:
    """The page after the one button of this label was pressed."""
    [button] = [one for one in app.button if one.label == label]
    return button.click().run()


def _bars(app: AppTest) -> list[Any]:
    return components(app, "atlas_fields")


def _sent(bar: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(bar.json)["fields"]
    return found


def options(app: AppTest, name: str) -> list[str]:
    """What can be chosen in a field, as it reads, with how many records each would find."""
    offered = fields(app)[name]["options"]
    return [f"{one['label']} · {one['count']}" if one["count"] else one["label"] for one in offered]
