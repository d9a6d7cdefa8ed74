"""The two ends that the Connection page asks about: its address, and the boxes to find them in."""

from typing import ClassVar, Final, Literal, Self

import streamlit as st
from pydantic import model_validator

from components.frame import address, licence, links
from components.frame.routes import CONNECTION
from components.graph import lookup
from components.kit import text
from services.contract.connections import ConnectionQuery
from services.contract.endpoints import PATHS
from services.contract.queries import YesNo

End = Literal["from", "to"]
_ENDS: Final[tuple[tuple[End, str], ...]] = (("from", "How is"), ("to", "connected to"))


class ConnectionView(ConnectionQuery):
    """A question whose ends may still be missing."""

    #: Whether it is shown what the steps rest on.
    evidence: YesNo = False

    slicing: ClassVar[frozenset[str]] = frozenset({*ConnectionQuery.slicing, "evidence"})

    @model_validator(mode="after")
    def _two_ends(self) -> Self:
        for end, _ in _ENDS:
            if self.loan(end) is not None and self.party(end) is not None:
                raise ValueError(f"give exactly one of '{end}_loan' and '{end}_entity'")
        if self.whole and self.name("from") == self.name("to") and self.same_kind:
            raise ValueError("give two different ends")
        return self

    def query(self) -> ConnectionQuery:
        """What is asked of the source, once the view is `whole`."""
        return self.part(ConnectionQuery)

    def loan(self, end: End) -> str | None:
        """The loan at an end."""
        return self.from_loan if end == "from" else self.to_loan

    def party(self, end: End) -> str | None:
        """The party at an end."""
        return self.from_entity if end == "from" else self.to_entity

    def name(self, end: End) -> str | None:
        """What stands at an end."""
        return self.party(end) if self.loan(end) is None else self.loan(end)

    @property
    def whole(self) -> bool:
        """Whether both ends are there."""
        return self.name("from") is not None and self.name("to") is not None

    @property
    def same_kind(self) -> bool:
        """Whether both ends are loans, or both are parties."""
        return (self.from_loan is None) == (self.to_loan is None)

    def other(self, end: End) -> dict[str, str]:
        """URL parameters of the end that is not this one."""
        return {name: value for name, value in self.params().items() if not name.startswith(end)}

    def turned(self) -> dict[str, str]:
        """URL parameters of the same question from the other end."""
        turn = {"from": "to", "to": "from"}
        return {
            f"{turn[first]}_{rest}" if rest else first: value
            for name, value in self.params().items()
            for first, _, rest in [name.partition("_")]
            if first in turn
        }


def asked() -> ConnectionView | None:
    """What the address asks for; None after showing what is wrong with it."""
    view = address.asked(ConnectionView, CONNECTION)
    if view:
        view = view.model_copy(update={"evidence": st.session_state["evidence"]})
        address.settle(view)
    return view


def boxes(view: ConnectionView) -> None:
    """Two boxes to look for the ends in, each with the end that is chosen; none where the tier that
    pages are seen as opens no graph (D82).
    """
    if not licence.opens(PATHS):
        return
    with st.container(border=True):
        for (end, label), column in zip(_ENDS, st.columns(2), strict=True):
            with column:
                lookup.box(
                    label,
                    f"connection_{end}",
                    view,
                    lambda kind, name, end=end: (  # type: ignore[misc]
                        CONNECTION,
                        view.other(end) | {f"{end}_{kind}": name},
                    ),
                )
                name = view.name(end)
                if name is not None:
                    kind = "Loan" if view.loan(end) is not None else "Party"
                    text.caption(f"{kind} {name}")
        if view.whole:
            links.link(CONNECTION, "The other way round", "swap_horiz", view.turned())
