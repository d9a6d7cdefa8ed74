"""The links from a loan up to the head of its family (D71)."""

from typing import Final, NamedTuple

from services.contract.families import OF_LOANS, FamilyLink
from services.contract.vocabulary import PROBABLE_FROM

from .adjacency import Adjacency
from .ownership import MAX_LEVELS


class _Way(NamedTuple):
    """A way up from a loan; of ways of as many links the smallest is chosen."""

    #: The product of the confidences, negative: the highest comes first.
    product: float
    names: tuple[str, ...]
    links: tuple[FamilyLink, ...]


_OWNS: Final = ("owned_by",)
_START: Final = _Way(-1.0, (), ())


class Ways:
    """Ways up to one head; what stands above a party is looked for once."""

    def __init__(self, graph: Adjacency, head: int) -> None:
        self._graph = graph
        self._head = head
        self._above: dict[int, list[tuple[int, str, FamilyLink]]] = {}

    def up(self, loan: int) -> tuple[FamilyLink, ...]:
        """From a loan over links of 0.70 or better: the fewest links, then the highest product of
        confidences, then the smallest names. Empty where none leads to the head.
        """
        level, seen = {loan: _START}, {loan}
        for number in range(MAX_LEVELS):
            ahead: dict[int, _Way] = {}
            for node, way in level.items():
                for owner, name, link in self._links(node, _OWNS if number else OF_LOANS):
                    if owner in seen:
                        continue
                    product = way.product * link.confidence
                    if owner in ahead and product > ahead[owner].product:
                        continue
                    longer = _Way(product, (*way.names, name), (*way.links, link))
                    if owner not in ahead or longer[:2] < ahead[owner][:2]:
                        ahead[owner] = longer
            if self._head in ahead:
                return ahead[self._head].links
            seen |= set(ahead)
            level = ahead
        return ()

    def _links(self, node: int, relations: tuple[str, ...]) -> list[tuple[int, str, FamilyLink]]:
        """Who stands right above a node, over sure links."""
        if node not in self._above:
            below, graph = self._graph.name(node), self._graph
            self._above[node] = [
                (
                    owner,
                    (name := graph.name(owner)),
                    FamilyLink.model_construct(below=below, above=name, confidence=sure),
                )
                for relation in relations
                for edge, owner in graph.step(node, relation)
                if (sure := float(graph.edge_confidence[edge])) >= PROBABLE_FROM
            ]
        return self._above[node]
