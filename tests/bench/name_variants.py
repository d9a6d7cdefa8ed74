"""Names as a portfolio has them, and the ways in which people misspell them when they search."""

import random
from collections.abc import Callable, Iterator

_PLACES = [
    "Harbor", "Alder", "Cedar", "Maple", "Lakeshore", "Summit", "Granite", "Willow", "Juniper",
    "Copper", "Sterling", "Meridian", "Prairie", "Cypress", "Magnolia", "Beacon", "Liberty",
    "Monument", "Orchard", "Riverside", "Sycamore", "Birch", "Canyon", "Ashford", "Kensington",
    "Windsor", "Brookfield", "Stonegate", "Fairview", "Lincoln", "Madison", "Jefferson", "Hudson",
    "Piedmont", "Sequoia", "Palmetto", "Chestnut", "Laurel", "Hawthorne", "Bayview", "Northgate",
    "Eastlake",
]  # fmt: skip
_FEATURES = [
    "Point", "Ridge", "Grove", "Creek", "Park", "Hill", "Crossing", "Landing", "Valley", "Springs",
    "Harbor", "Bluff", "Meadow", "Run", "Heights", "Terrace", "Bend", "Glen", "Shore", "Trace",
    "Field", "Brook", "Bridge", "Gate", "Square",
]  # fmt: skip
_BUILDINGS = [
    "Tower", "Plaza", "Center", "Commons", "Apartments", "Logistics|Center", "Business|Park",
    "Mall", "Lofts", "Office|Park", "Warehouse", "Marketplace", "Building", "Gardens", "Village",
    "Self|Storage", "Hotel", "Medical|Center",
]  # fmt: skip
_FORMS = (
    "LLC", "LP", "Owner LLC", "Owner LP", "Holdings LLC", "Property LLC", "Partners LP",
    "Associates LLC", "Realty LLC", "Borrower LLC", "SPE LLC", "Operating LLC",
)  # fmt: skip
_FIRMS = (
    "Capital Partners", "Real Estate Partners", "Realty Advisors", "Investment Management",
    "Equity Group", "Property Holdings", "Credit Fund", "Asset Management", "Development Group",
    "Capital Management", "Realty Trust", "Mortgage Trust",
)  # fmt: skip
_STREETS = ("Street", "Avenue", "Drive", "Boulevard", "Road", "Parkway", "Lane")
_FIRST = [
    "Maria", "James", "Elena", "Robert", "Linda", "Michael", "Susan", "David", "Karen", "Thomas",
    "Nancy", "Daniel", "Laura", "Kevin", "Angela", "Brian", "Teresa", "Steven", "Monica", "Patrick",
    "Denise", "Gregory", "Yolanda", "Victor", "Priya", "Wei", "Omar", "Ingrid",
]  # fmt: skip
_LAST = [
    "Delgado", "Whitaker", "Nakamura", "Rosenberg", "O'Connor", "Patel", "Kowalski", "Fernandez",
    "Thornton", "Abernathy", "Castellano", "Lindqvist", "Okafor", "Marchetti", "Haverford",
    "Goldstein", "Beaumont", "Vasquez", "Sullivan", "Chandra", "Petrov", "Eriksson", "Donnelly",
    "Hargrove", "Kessler", "Montgomery", "Ibarra", "Zimmerman", "Yamamoto", "Bernhardt",
]  # fmt: skip

#: Short forms as people write them; the index knows them from its own table.
_SHORT = {
    "Properties": "Props", "Property": "Prop", "Holdings": "Hldgs", "Management": "Mgmt",
    "Partners": "Ptrs", "Apartments": "Apts", "Street": "St", "Avenue": "Ave", "Drive": "Dr",
    "Boulevard": "Blvd", "Road": "Rd", "Parkway": "Pkwy", "International": "Intl",
    "Center": "Ctr", "Investment": "Invt", "Development": "Dev", "Associates": "Assoc",
    "Capital": "Cap", "Group": "Grp", "Plaza": "Plz", "Building": "Bldg", "Mortgage": "Mtg",
    "Realty": "Rlty", "Village": "Vlg", "Tower": "Twr", "Heights": "Hts", "Lane": "Ln",
    "Square": "Sq", "Springs": "Spgs", "Point": "Pt", "Business": "Bus", "National": "Natl",
}  # fmt: skip
_LEGAL = {"LLC", "LP", "L.P.", "Inc", "Inc.", "Corp", "Ltd"}


def names(rng: random.Random, count: int) -> list[str]:
    """`count` different names: borrowers of one property, addresses, firms, trusts, people."""
    made: dict[str, None] = {}
    while len(made) < count:
        made[_name(rng)] = None
    return list(made)


def _name(rng: random.Random) -> str:
    pick, draw = rng.choice, rng.random()
    place = f"{pick(_PLACES)} {pick(_FEATURES)}"
    if draw < 0.45:
        number = f" {rng.randint(1, 999)}" if rng.random() < 0.8 else ""
        return f"{place} {pick(_BUILDINGS).replace('|', ' ')}{number} {pick(_FORMS)}"
    if draw < 0.70:
        street = pick(_PLACES) if rng.random() < 0.6 else place
        return f"{rng.randint(1, 9999)} {street} {pick(_STREETS)} {pick(_FORMS)}"
    if draw < 0.85:
        numeral = f" {pick(('II', 'III', 'IV', 'V', 'VI', 'VII'))}" if rng.random() < 0.5 else ""
        form = pick((" LLC", " LP", ", L.P.", " Inc.", ""))
        firm = place if rng.random() < 0.7 else f"{pick(_LAST)} {pick(_PLACES)}"
        return f"{firm} {pick(_FIRMS)}{numeral}{form}"
    if draw < 0.90:
        series = f"{rng.randint(2012, 2026)}-{pick('BCK')}{rng.randint(1, 99)}"
        return f"{pick(_PLACES)} Commercial Mortgage Trust {series}"
    middle = f" {pick('ABCDEFGHJKLMNPRSTW')}."
    last = pick(_LAST) if rng.random() < 0.7 else f"{pick(_LAST)}-{pick(_LAST)}"
    return f"{pick(_FIRST)}{middle if rng.random() < 0.8 else ''} {last}"


def variants(rng: random.Random, name: str) -> list[tuple[str, str]]:
    """Misspellings of `name` as (kind, text); only kinds that change this name are returned.

    Letters only: a mistyped digit in "Tower 214" names another building, which no search can
    guess.
    """
    made = [(kind, make(rng, name)) for kind, make in _KINDS.items()]
    return [(kind, text) for kind, text in made if text != name]


def _spots(name: str, room: int = 1) -> list[int]:
    """Where `room` letters stand in a row, in words of four letters or more."""
    spots, start = [], 0
    for word in name.split(" "):
        if len(word) >= 4 and word.isalpha():
            spots += range(start, start + len(word) - room + 1)
        start += len(word) + 1
    return spots


def _edit(rng: random.Random, name: str) -> str:
    return rng.choice((_replaced, _missing, _doubled, _swapped))(rng, name)


def _replaced(rng: random.Random, name: str) -> str:
    if not (spots := _spots(name)):
        return name
    at = rng.choice(spots)
    return name[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + name[at + 1 :]


def _missing(rng: random.Random, name: str) -> str:
    if not (spots := _spots(name)):
        return name
    at = rng.choice(spots)
    return name[:at] + name[at + 1 :]


def _doubled(rng: random.Random, name: str) -> str:
    if not (spots := _spots(name)):
        return name
    at = rng.choice(spots)
    return name[:at] + name[at] + name[at:]


def _swapped(rng: random.Random, name: str) -> str:
    if not (spots := _spots(name, room=2)):
        return name
    at = rng.choice(spots)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _two_edits(rng: random.Random, name: str) -> str:
    return _edit(rng, _edit(rng, name))


def _abbreviated(_rng: random.Random, name: str) -> str:
    return " ".join(_SHORT.get(word, word) for word in name.split(" "))


def _without_form(_rng: random.Random, name: str) -> str:
    return " ".join(w for w in name.split(" ") if w.rstrip(",") not in _LEGAL).rstrip(",")


def _reordered(rng: random.Random, name: str) -> str:
    parts = name.split(" ")
    rng.shuffle(parts)
    return " ".join(parts)


def _last_first(_rng: random.Random, name: str) -> str:
    first, *rest = name.split(" ")
    return " ".join([*rest, first])


def _plain(_rng: random.Random, name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum() or c == " ")


def _joined(rng: random.Random, name: str) -> str:
    parts = name.split(" ")
    if len(parts) < 3:
        return name
    at = rng.randrange(len(parts) - 2)
    return " ".join([*parts[:at], parts[at] + parts[at + 1], *parts[at + 2 :]])


def _both(rng: random.Random, name: str) -> str:
    return _edit(rng, _without_form(rng, _abbreviated(rng, name)))


_KINDS: dict[str, Callable[[random.Random, str], str]] = {
    "exact, lower case": _plain,
    "letter replaced": _replaced,
    "letter missing": _missing,
    "letter doubled": _doubled,
    "letters swapped": _swapped,
    "two edits": _two_edits,
    "abbreviated": _abbreviated,
    "legal form dropped": _without_form,
    "words shuffled": _reordered,
    "first word last": _last_first,
    "words joined": _joined,
    "abbreviated, form dropped, one edit": _both,
}


def questions(rng: random.Random, among: list[str], count: int) -> Iterator[tuple[int, str, str]]:
    """`count` names drawn from `among`, each with its variants: (position, kind, text)."""
    for position in rng.sample(range(len(among)), min(count, len(among))):
        for kind, text in variants(rng, among[position]):
            yield position, kind, text
