"""Resources: rule cards as they scored the book, the glossary of facts, our decisions."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from services.contract import decisions_text
from services.contract.errors import NotFound
from services.contract.queries import shortened
from services.contract.source import Inventory

from .asking import Asking, Caller
from .words import glossary

ROOT: Final = "creditatlas://"
#: Address of a list -> title, description.
LISTS: Final[Mapping[str, tuple[str, str]]] = {
    f"{ROOT}rules": ("Rules", "The rules that scored the book: ids, titles, signals."),
    f"{ROOT}glossary": ("Glossary", "Every fact of a loan: label, unit, codes."),
    f"{ROOT}decisions": ("Decisions", "What figures mean where the specification is silent."),
}
#: Template of one entry -> title, description.
ENTRIES: Final[Mapping[str, tuple[str, str]]] = {
    f"{ROOT}rules/{{id}}": ("Rule card", "One rule: inputs, ladder of limits, source."),
    f"{ROOT}decisions/{{number}}": ("Decision", "One decision, by its number."),
}
_ADDRESS: Final = re.compile(rf"{ROOT}(rules|glossary|decisions)(?:/([^/]{{1,60}}))?")
#: Number, gap, decision, reason, tests.
_COLUMNS: Final = ("number", "gap", "decision", "why", "pinned_by")


def resource(caller: Caller, uri: str) -> list[dict[str, Any]]:
    """The entries of a list, or the one that an address names. Raises NotFound."""
    match = _ADDRESS.fullmatch(uri)
    if match is None:
        raise NotFound(f"There is no resource '{shortened(uri)}'; list the resources")
    kind, name = match.groups()
    entries = _READS[kind](caller)
    if name is None:
        return [_brief(kind, one) for one in entries]
    key = "id" if kind == "rules" else "number" if kind == "decisions" else "name"
    found = [one for one in entries if one[key] == name]
    if not found:
        raise NotFound(f"There is no resource '{shortened(uri)}'; {ROOT}{kind} lists those there")
    return found


def _brief(kind: str, entry: dict[str, Any]) -> dict[str, Any]:
    """An entry as its list says it: enough to choose by."""
    named = {"rules": ("id", "title", "signal_type"), "decisions": ("number", "gap")}.get(kind)
    return entry if named is None else {name: entry[name] for name in named}


def _rules(caller: Caller) -> list[dict[str, Any]]:
    with caller.source.lease() as lease:
        cards = Asking(lease, caller.tier).ask(Inventory.rules)
    return [card.model_dump(mode="json") for card in cards]


@cache
def _decisions() -> list[dict[str, Any]]:
    rows = (line for line in decisions_text().splitlines() if line.startswith("| D"))
    cells = ([cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows)
    return [dict(zip(_COLUMNS, row, strict=True)) for row in cells]


_READS: Final[Mapping[str, Callable[[Caller], list[dict[str, Any]]]]] = {
    "rules": _rules,
    "glossary": lambda _: [dict(one) for one in glossary()],
    "decisions": lambda _: _decisions(),
}
