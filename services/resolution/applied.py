"""Parties of all sources of a book recognised, and what is one made one in each source."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from services.contract.evidence import PARTICULARS
from services.contract.portfolio import EDGES, ENTITIES, Portfolio
from services.contract.resolution import MATCHES, Pair, Verdict
from services.resolution.joining import joined
from services.resolution.pairs import Found, Party, pairs


@dataclass(frozen=True, slots=True)
class Resolved:
    """The sources with parties that are one under one name, and every pair that was looked at."""

    sources: list[Portfolio]
    #: As MATCHES.
    matches: pa.Table


def resolved(sources: Sequence[Portfolio], verdicts: Mapping[Pair, Verdict]) -> Resolved:
    """Recognises parties over all sources. Made-up parties are what they were made up as."""
    if any(one.info.provenance == "synthetic" for one in sources):
        return Resolved(list(sources), MATCHES.empty_table())
    parties = _parties(sources)
    at = {one.name: row for row, one in enumerate(parties)}
    found = pairs(parties, _owned(sources, at))
    heads = joined(parties, found, verdicts)
    sure = _sureness(heads, found, parties, verdicts)
    names = {parties[row].name: parties[head].name for row, head in heads.items()}
    said = [_match(one, parties, heads) for one in found]
    known = {(one["first"], one["second"]) for one in said}
    said += [
        _accepted(pair, parties, at, heads)
        for pair, verdict in sorted(verdicts.items())
        if pair.kind == "party" and pair.first in at and pair.second in at
        and (pair.first, pair.second) not in known
    ]  # fmt: skip
    return Resolved(
        [_renamed(one, names, sure) for one in sources] if names else list(sources),
        pa.Table.from_pylist(said, schema=MATCHES),
    )


def _parties(sources: Sequence[Portfolio]) -> list[Party]:
    """Each name once (D30), in the order of the sources."""
    found: dict[str, Party] = {}
    for source in sources:
        names = source.entities["entity_name"].to_pylist()
        for name in names:
            found.setdefault(name, Party(name)).sources.add(source.info.title)
        for row in source.particulars.select(["entity", "about", "scheme", "value"]).to_pylist():
            party = found[names[row["entity"]]]
            if row["about"] == "address":
                party.addresses.add(row["value"])
            elif row["about"] == "identifier":
                party.identifiers.add((row["scheme"], row["value"]))
    return list(found.values())


def _owned(sources: Sequence[Portfolio], at: Mapping[str, int]) -> set[tuple[int, int]]:
    """Parties of which one is tied to the other: two, whatever their names."""
    found = set()
    for source in sources:
        names = source.entities["entity_name"].to_pylist()
        ties = source.edges.filter(pc.is_valid(source.edges["from_entity"]))
        for start, end in zip(
            ties["from_entity"].to_pylist(), ties["to_entity"].to_pylist(), strict=True
        ):
            first, second = sorted((at[names[start]], at[names[end]]))
            found.add((first, second))
    return found


def _sureness(
    heads: Mapping[int, int],
    found: Sequence[Found],
    parties: Sequence[Party],
    verdicts: Mapping[Pair, Verdict],
) -> dict[str, float]:
    """How sure it is that a party is the one that it became: the best pair by which it came into
    the group; 1.0 by a user's word.
    """
    best: dict[str, float] = {}
    for one in found:
        group = heads.get(one.first, one.first)
        if group == heads.get(one.second, one.second):
            for row in (one.first, one.second):
                name = parties[row].name
                best[name] = max(best.get(name, 0.0), one.score)
    for pair, verdict in verdicts.items():
        if verdict == "accepted":
            best |= {pair.first: 1.0, pair.second: 1.0}
    return best


def _match(one: Found, parties: Sequence[Party], heads: Mapping[int, int]) -> dict[str, object]:
    first, second = parties[one.first], parties[one.second]
    pair = Pair.of("party", first.name, second.name)
    return {
        **pair._asdict(),
        "score": one.score,
        "joined": heads.get(one.first, one.first) == heads.get(one.second, one.second),
        "reasons": list(one.reasons),
        "sources": sorted(first.sources | second.sources),
    }


def _accepted(
    pair: Pair, parties: Sequence[Party], at: Mapping[str, int], heads: Mapping[int, int]
) -> dict[str, object]:
    """A pair that is known by a user's word alone."""
    found = Found(at[pair.first], at[pair.second], 0.0, ("Nothing in the sources says so today.",))
    return _match(found, parties, heads)


def _renamed(source: Portfolio, names: Mapping[str, str], sure: Mapping[str, float]) -> Portfolio:
    """The source with the names that its parties have in the book; each keeps its own spelling
    among its names, and edges that rest on the recognition are as sure as that.
    """
    own = source.entities["entity_name"].to_pylist()
    moved = {row: name for row, name in enumerate(own) if name in names}
    if not moved:
        return source
    entities = _with(source.entities, ENTITIES, "entity_name", [names.get(n, n) for n in own])
    spelt = [
        {"entity": row, "about": "name", "value": name, "file": _first(source.info.files)}
        for row, name in moved.items()
    ]
    # From rows of parties to how sure their recognition is; 1.0 for all others.
    part = [sure.get(name, 1.0) if row in moved else 1.0 for row, name in enumerate(own)]
    edges = source.edges
    ends = zip(edges["from_entity"].to_pylist(), edges["to_entity"].to_pylist(), strict=True)
    of_edge = [(1.0 if start is None else part[start]) * part[end] for start, end in ends]
    lowered = [a * b for a, b in zip(edges["confidence"].to_pylist(), of_edge, strict=True)]
    witnesses = source.witnesses
    matches = [
        match if of_edge[edge] == 1.0 else (1.0 if match is None else match) * of_edge[edge]
        for edge, match in zip(
            witnesses["edge"].to_pylist(), witnesses["match"].to_pylist(), strict=True
        )
    ]
    return replace(
        source,
        entities=entities,
        particulars=pa.concat_tables(
            [source.particulars, pa.Table.from_pylist(spelt, schema=PARTICULARS)]
        ),
        edges=_with(edges, EDGES, "confidence", lowered),
        witnesses=_with(witnesses, witnesses.schema, "match", matches),
    )


def _first(files: Sequence[str]) -> str | None:
    return files[0] if files else None


def _with(table: pa.Table, schema: pa.Schema, column: str, values: list[object]) -> pa.Table:
    at = schema.get_field_index(column)
    return table.set_column(at, schema.field(at), pa.array(values, schema.field(at).type))
