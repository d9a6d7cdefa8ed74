"""An address taken apart into what is compared of it."""

import re
from dataclasses import dataclass
from typing import Final

from services.contract.vocabulary import STATES
from services.names.normalise import folded
from services.names.search_text import spoken_words

_UNIT: Final = re.compile(
    r"\b\d+(?:st|nd|rd|th)\s+(?:flr?|floor)\b"
    r"|\b(?:suite|ste|unit|apt|apartment|room|rm|floor|flr?)(?=[\s.#\d])[\s.#]*[\w-]*|\s*#\s*[\w-]*",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_ZIP: Final = re.compile(r"\b(\d{5})(?:-\d{4})?\b(?!.*\b\d{5}\b)")
#: Of other countries what holds letters and digits at the end: "EC1A 1BB".
_POSTCODE: Final = re.compile(r"\b([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})\b")
_STATE: Final = re.compile(r"\b([A-Z]{2})\b")
_BY_NAME: Final = {name.lower(): code for code, name in STATES.items()}


@dataclass(frozen=True, slots=True)
class Address:
    """What of an address is compared; "" what it does not say."""

    #: House and street, or post office box, abbreviations written out, without suite or floor.
    street: str
    #: ZIP or postcode; else the rest of the address.
    place: str
    #: US state by its letters.
    state: str

    @property
    def whole(self) -> str:
        """Street and place; "" unless both are known."""
        return f"{self.street} | {self.place}" if self.street and self.place else ""


def parted(text: str) -> Address:
    """An address as it is compared; its street comes first: "1 Main St #5, Reno, NV 89501"."""
    street, _, rest = text.partition(",")
    zipped = _ZIP.search(rest) or _POSTCODE.search(rest.upper())
    spoken = spoken_words(_UNIT.sub(" ", street).replace(".", ""))
    place = zipped[1].lower().replace(" ", "") if zipped else " ".join(folded(rest))
    return Address(_ORDINAL.sub(r"\1", " ".join(spoken)), place, _state(rest))


def _state(text: str) -> str:
    for found in reversed(_STATE.findall(text)):
        if found in STATES:
            return str(found)
    words = text.lower()
    return next((code for name, code in _BY_NAME.items() if name in words), "")
