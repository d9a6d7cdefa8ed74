"""How one field of a record stands on the wire, in each of its two spellings (D1)."""

from dataclasses import dataclass
from typing import Literal

Variant = Literal["a", "b"]


@dataclass(frozen=True, slots=True)
class Field:
    """How one field stands on the wire."""

    name: str
    #: "either" is text, a number or a date; "words" an object of words by name; "dated" a list of
    #: titles, each with a date.
    kind: Literal[
        "text",
        "word",
        "int",
        "number",
        "day",
        "flag",
        "texts",
        "days",
        "words",
        "either",
        "dated",
    ] = "text"
    a: str = ""
    b: str = ""
    #: How Variant B writes the word: "capital" (Office) or "upper" (SEVERE).
    b_case: Literal["", "capital", "upper"] = ""
    required: bool = False
    #: Told beside the fields of the record, and not read back.
    derived: bool = False

    def key(self, variant: Variant) -> str:
        """Its key in a variant."""
        return (self.a if variant == "a" else self.b) or self.name
