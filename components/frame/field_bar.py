"""Fields side by side, each with its value: the filters of a page, the inputs of a scenario.

One component, drawn by components/assets/fields.js. Nine widgets of Streamlit's in its
place, with the forty scripts behind them, took a browser longer than all else on a page.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st

from components.frame.fields import Counts, Field, One, Several
from components.kit import text
from components.kit.component import component

_draw: Final = component("fields", ["fields.css"], ["listbox.js", "fields.js"])


@dataclass(frozen=True, slots=True)
class Further:
    """Fields that can be added, by name; `on_add` is called with one before the page runs again.

    None can be where `why_not` says so.
    """

    label: str
    names: Sequence[str]
    on_add: Callable[[str], None]
    why_not: str = ""


def draw(
    fields: Mapping[str, Field[Any]],
    *,
    key: str,
    label: str,
    on_fill: Callable[[], None] | None = None,
    counts: Mapping[str, Counts] | None = None,
    closed: Container[str] = (),
    further: Further | None = None,
    folds: bool = False,
    width: int | Literal["stretch"] = "stretch",
) -> dict[str, Any]:
    """Draws the fields; their values, by name, None where there is none.

    The values stand in the session's state under the same names: seeded by the address, or filled
    in since. `on_fill` is called after one was, before the page runs again. `counts` says of words
    how many records each would find; nothing can be filled in where a field is `closed`. Where the
    bar `folds`, a narrow page shows the fields that are set, and a button for all of them.
    """
    known = values(fields)
    sent = [
        _sent(name, field, known, (counts or {}).get(name, {}), closed=name in closed)
        for name, field in fields.items()
    ]
    if further:
        sent.append(_choice_of(further))
    usable = {name: field for name, field in fields.items() if name not in closed}
    _draw(
        key=key,
        data={"label": label, "fields": sent, "folds": folds},
        width=width,
        on_changed_change=lambda: _fill(key, usable, on_fill),
        on_added_change=lambda: _add(key, further),
    )
    return known


def values(names: Mapping[str, Field[Any]]) -> dict[str, Any]:
    """What stands in the fields, as a query has it: words in their order, None for nothing."""
    return {name: _settled(st.session_state.get(name)) for name in names}


def _settled(value: object) -> object:
    if isinstance(value, list | tuple):
        value = tuple(sorted(value))
    return None if value in ("", ()) else value


def _sent(
    name: str, field: Field[Any], known: Mapping[str, Any], counts: Counts, *, closed: bool
) -> dict[str, Any]:
    value = known[name]
    found = {
        "name": name,
        "label": field.label,
        "empty": field.empty,
        "help": field.help,
        "bare": field.bare,
        "required": field.required,
        "disabled": closed,
        **field.sent(value),
    }
    if isinstance(field, Several | One):
        found["options"] = field.offered(value, counts)
    return found


def _choice_of(further: Further) -> dict[str, Any]:
    options = [{"word": name, "label": text.line(name), "count": ""} for name in further.names]
    return {
        "name": "",
        "kind": "add",
        "label": further.label,
        "empty": further.why_not or further.label,
        "help": "",
        "bare": False,
        "required": False,
        "disabled": further.why_not != "",
        "chosen": [],
        "options": options,
    }


def _fill(key: str, usable: Mapping[str, Field[Any]], on_fill: Callable[[], None] | None) -> None:
    # The browser is trusted with nothing but a value that the field can hold.
    match st.session_state[key].get("changed"):
        case {"name": str(name), "value": value} if name in usable:
            try:
                st.session_state[name] = usable[name].read(value)
            except (TypeError, ValueError):
                return
            if on_fill:
                on_fill()


def _add(key: str, further: Further | None) -> None:
    sent = st.session_state[key].get("added")
    if further and not further.why_not and sent in further.names:
        further.on_add(sent)
