"""What a walk saw, where it ended, and a path as a line: the capital graph in words. Pure."""

from collections.abc import Sequence
from typing import Final

from components.kit.formatting import count
from services.contract.records import GraphPath, GraphResult, Hub
from services.contract.rounding import number_of

#: Hubs that the sentence names.
_HUBS: Final = 3


def loaded_in_words(paths: int, total: int) -> str:
    """25 of 212 paths loaded."""
    return f"{count(paths)} of {number_of(total, 'path')} loaded"


def end_in_words(result: GraphResult, depth: int) -> str:
    """Why the walk ended where it did."""
    reached = depth if result.depth_reached is None else result.depth_reached
    if result.stopped_by == "budget":
        wide = result.next_level_edges
        rest = "is wider than one walk reads" if wide is None else f"has {number_of(wide, 'edge')}"
        return f"stopped at depth {reached} of {depth}: the next level {rest}"
    if result.stopped_by == "depth":
        return f"stopped at depth {reached}: more lies beyond"
    if result.stopped_by is None and result.depth_reached is not None:
        return f"nothing further within the rules of the walk: it ended at depth {reached}"
    return f"walked to depth {reached}"


def hubs_in_words(found: Sequence[Hub]) -> str:
    """The nodes that ended paths because too many edges meet in them; empty without any."""
    named = [f"{hub.name} ({number_of(hub.edges, 'edge')})" for hub in found[:_HUBS]]
    rest = len(found) - len(named)
    more = f" and {count(rest)} more" if rest else ""
    return f"ends at {', '.join(named)}{more}" if named else ""


def extent_in_words(result: GraphResult, paths: int, total: int, depth: int) -> str:
    """All of it: 25 of 212 paths loaded; stopped at depth 3: more lies beyond; ends at ..."""
    if not total:
        return (
            f"The sources record no edge at {result.root}. That is not a statement that it stands"
            " alone."
        )
    parts = (
        loaded_in_words(paths, total),
        end_in_words(result, depth),
        hubs_in_words(result.hubs),
    )
    return "; ".join(part for part in parts if part) + "."


def path_in_words(start: str, path: GraphPath) -> str:
    """A path as a line: CA-1 → borrower → Oak LP ← borrower ← CA-2."""
    text, at = start, start
    for edge in path.edges:
        relation = (edge.relation or "relation not given").replace("_", " ")
        if edge.source == at:
            text, at = f"{text} → {relation} → {edge.target}", edge.target
        else:
            text, at = f"{text} ← {relation} ← {edge.source}", edge.source
    return text
