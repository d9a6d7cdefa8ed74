"""Parties and their ties while a source is read: who they are, and what says so (D196)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import pyarrow as pa

from services.contract.errors import ImportRefused
from services.contract.evidence import PARTICULARS, WITNESSES, Method, confidence
from services.contract.portfolio import (
    EDGES,
    ENTITIES,
    LAYERS,
    LOANS,
    LOANS_ELSEWHERE,
    PROPERTIES,
    REJECTS,
    Portfolio,
    SourceInfo,
    shaped,
)

_Row = dict[str, object]
_LONGEST_NAME: Final = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a source something is said."""

    file: str | None = None
    record: str | None = None
    element: str | None = None

    def cited(self, **facts: object) -> _Row:
        """Columns of a witness or a particular."""
        return {"file": self.file, "record": self.record, "element": self.element, **facts}


@dataclass(frozen=True, slots=True)
class LoanElsewhere:
    """A loan of another source, by its number."""

    number: str


@dataclass(slots=True)
class Ties:
    """Entities, edges, witnesses and particulars in the making; a party goes by its name."""

    _parties: dict[str, _Row] = field(default_factory=dict)
    _at: dict[str, int] = field(default_factory=dict)
    _who: dict[str, str] = field(default_factory=dict)
    #: Confidences of parties by name, of edges by key.
    _sure: dict[object, float] = field(default_factory=dict)
    _edges: dict[tuple[object, ...], _Row] = field(default_factory=dict)
    _edge_at: dict[tuple[object, ...], int] = field(default_factory=dict)
    _witnesses: list[_Row] = field(default_factory=list)
    _particulars: dict[tuple[object, ...], _Row] = field(default_factory=dict)
    _elsewhere: dict[int, str] = field(default_factory=dict)

    def party(self, name: str, kind: str, match: float = 1.0) -> str:
        """Enters a party with the kind that it is first met in; `match`: how sure it is one."""
        self._at.setdefault(name, len(self._at))
        row = self._parties.setdefault(name, {"entity_name": name, "kind": kind})
        self._sure[name] = row["confidence"] = max(self._sure.get(name, 0.0), match)
        return name

    def called(self, name: str, who: str, told_apart: str) -> str:
        """The name of a party that is `who`, whatever identifies it: as it is, or with something in
        brackets where another one of this source bears it (D30). Raises ValueError as `fitting`.
        """
        holder = self._who.setdefault(fitting(name), who)
        return name if holder == who else f"{name} ({told_apart})"

    def know(
        self,
        name: str,
        about: str,
        value: str,
        place: Place = Place(),
        scheme: str | None = None,
        **when: object,
    ) -> None:
        """A fact of a party, once a value; `when`: since, until."""
        row: _Row = {"entity": self._at[name], "about": about, "scheme": scheme, "value": value}
        self._particulars.setdefault(tuple(row.values()), {**row, **place.cited(**when)})

    def tie(
        self,
        start: int | str | LoanElsewhere,
        relation: str,
        name: str,
        method: Method,
        place: Place,
        *,
        share: float | None = None,
        match: float | None = None,
        **said: object,
    ) -> None:
        """An edge from a loan's row, another source's loan or a party's name to a party, or one
        more witness of it.

        Shares that differ are edges that differ. `said`: what, since, until.
        """
        loan = start if isinstance(start, int) else None
        below = self._at[start] if isinstance(start, str) else None
        ends = {"from_loan": loan, "from_entity": below, "to_entity": self._at[name]}
        elsewhere = start.number if isinstance(start, LoanElsewhere) else None
        key = (*ends.values(), elsewhere, relation, share)
        self._edge_at.setdefault(key, len(self._edge_at))
        if elsewhere is not None:
            self._elsewhere[self._edge_at[key]] = elsewhere
        edge = self._edges.setdefault(key, {**ends, "relation": relation, "share": share})
        best = max(self._sure.get(key, 0.0), confidence(method, match))
        self._sure[key] = edge["confidence"] = best
        row = {"edge": self._edge_at[key], "method": method, "match": match}
        self._witnesses.append({**row, **place.cited(**said)})

    def tables(self) -> dict[str, pa.Table]:
        """ENTITIES, EDGES and what belongs to them, by their names in a Portfolio."""
        return {
            "entities": table(ENTITIES, list(self._parties.values())),
            "edges": table(EDGES, list(self._edges.values())),
            "witnesses": table(WITNESSES, self._witnesses),
            "particulars": table(PARTICULARS, list(self._particulars.values())),
            "loans_elsewhere": shaped(
                LOANS_ELSEWHERE,
                {"edge": list(self._elsewhere), "loan_number": list(self._elsewhere.values())},
            ),
        }


def table(schema: pa.Schema, rows: Sequence[Mapping[str, object]]) -> pa.Table:
    """Rows as a table of a schema; what a row lacks is None. Raises ValueError for a column that
    the schema does not have.
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return shaped(schema, {name: [row.get(name) for row in rows] for name in names})


def without_loans(info: SourceInfo, ties: Ties, rejects: Sequence[tuple[str, str]]) -> Portfolio:
    """A source of parties alone (D203); `rejects` are (record, reason). Raises ImportRefused where
    there is none.
    """
    tables = ties.tables()
    if not tables["entities"].num_rows:
        first = f" The first reason: {rejects[0][1]}" if rejects else ""
        raise ImportRefused(f"{', '.join(info.files)} holds no usable party or link.{first}")
    return Portfolio(
        info=info,
        loans=LOANS.empty_table(),
        layers=LAYERS.empty_table(),
        properties=PROPERTIES.empty_table(),
        rejects=shaped(
            REJECTS, {"record": [one for one, _ in rejects], "reason": [why for _, why in rejects]}
        ),
        **tables,
    )


def fitting(name: str) -> str:
    """A name that a page can be asked for. Raises ValueError for a longer one, or none."""
    if not 0 < len(name) <= _LONGEST_NAME:
        raise ValueError(f"has a name that is empty or longer than {_LONGEST_NAME:,} characters")
    return name


def check_held(until: date | None, as_of: date) -> None:
    """Raises ValueError for a link that was over on the day of its source."""
    if until is not None and until <= as_of:
        raise ValueError(f"ended on {until:%-d %b %Y}")


class Rejects(list[tuple[str, str]]):
    """Records that cannot be used, each with its reason."""

    @contextmanager
    def of(self, record: str) -> Iterator[None]:
        """Notes what a block raises as ValueError, or for want of a value; what it says follows
        "It".
        """
        try:
            yield
        except (LookupError, TypeError, AttributeError):
            self.append((record, "It lacks a value, or has one of another kind."))
        except ValueError as wrong:
            self.append((record, f"It {wrong}."))
