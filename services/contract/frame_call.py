"""A question as the line of Python that gives its answer as a DataFrame (services/frames). Pure."""

from datetime import date
from typing import Final

from .queries import Query

#: Parameters that say which slice: a frame holds every row.
_PAGING: Final = frozenset({"page", "per_page"})


_OF_A_SET: Final = (
    "# The page shows some loans of these alone: add numbers=[...] with their numbers.\n"
)


def frame_of(method: str, query: Query, **further: object) -> str:
    """The call of a method of services.frames that asks the same, all pages of it.

    `further` are arguments beside the query's; None is left out.
    """
    asked = {
        name: value
        for name, spec in type(query).model_fields.items()
        if name not in _PAGING and (value := getattr(query, name)) != spec.default
    }
    scope = asked.pop("scope", None)
    if scope is None or scope.numbers is None:
        return frame_call(method, **further, **asked, scope=scope and str(scope))
    # Thousands of numbers are not written down: only a page looks up a saved set.
    return frame_call(method, **further, **asked) + _OF_A_SET


def frame_call(method: str, *given: str, **named: object) -> str:
    """The line, with the import that it needs: `connect().loans(state="TX")`."""
    parts = [_written(one) for one in given]
    parts += [f"{name}={_written(one)}" for name, one in named.items() if one is not None]
    return f"from services.frames import connect\n\nconnect().{method}({', '.join(parts)})\n"


def _written(value: object) -> str:
    if isinstance(value, tuple):
        few = len(value) == 1 and "," not in str(value[0])
        return _written(value[0]) if few else f"[{', '.join(map(_written, value))}]"
    if isinstance(value, date):
        return _written(value.isoformat())
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    said = repr(value)
    plain = isinstance(value, str) and said.startswith("'") and '"' not in said
    return f'"{said[1:-1]}"' if plain else said
