"""Properties on a map: one point a place, each a link."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from components.frame import links, loan_names
from components.frame.routes import LOAN, MAP
from components.kit import severity, text
from components.kit.formatting import MISSING, count, money, place
from components.maps.points import MOST, MapPoint, points
from components.maps.states import DRAWN
from services.contract.properties import PropertyFilter

#: Degrees around a place of several loans, as the Map page opens on it.
_AROUND: Final = 0.2
#: Loans that a place names, and places that are not drawn.
_NAMED: Final = 5
Property = dict[str, Any]


def drawing(found: Sequence[Property], every: int, key: str) -> None:
    """The places of properties as `Properties.property_batches` has them: the worst of `every`."""
    listed = marks(on_map(found))
    points(listed, key=key, caption="Map of the properties by place; the table lists them")
    said = ["Area is book value divided among the properties of a loan, colour the worst signal"]
    if every > len(found):
        said.append(f"The {count(len(found))} worst of {count(every)} are drawn")
    if len(listed) > MOST:
        said.append(f"The {count(MOST)} worst of {count(len(listed))} places are drawn")
    text.caption(f"{'. '.join(said + _lacking(found))}.")


def on_map(found: Sequence[Property]) -> list[Property]:
    """Those that have a place on the map."""
    return [one for one in found if _is_placed(one)]


def _is_placed(one: Property) -> bool:
    return one["longitude"] is not None and one["state"] in DRAWN


def marks(found: Sequence[Property]) -> list[MapPoint]:
    """One point a place: its properties' parts of book value, by the worst signal of their loans.
    The worst first, then the largest.
    """
    names = loan_names.of({one["loan_number"] for one in found})
    at: dict[tuple[str, float, float], list[Property]] = defaultdict(list)
    for one in found:
        at[one["state"], one["longitude"], one["latitude"]].append(one)
    drawn = [_mark(where, of, names) for where, of in at.items()]
    return sorted(drawn, key=lambda one: (-severity.rank(one.worst), -one.dollars))


def _mark(
    where: tuple[str, float, float], of: list[Property], names: Mapping[str, str]
) -> MapPoint:
    state, longitude, latitude = where
    of = sorted(of, key=lambda one: (-severity.rank(one["worst"]), -(one["dollars"] or 0)))
    first, loans = of[0], {one["loan_number"]: one["worst"] for one in of}
    dollars = sum(one["dollars"] or 0 for one in of)
    called = [loan_names.beside(number, names) for number in loans]
    graded = [
        f"{name}: {severity.label(worst)}" if worst else name
        for name, worst in zip(called, loans.values(), strict=True)
    ]
    more = [f"and {count(len(graded) - _NAMED)} more"] if len(graded) > _NAMED else []
    href = links.address(LOAN, first["loan_number"]) if len(loans) == 1 else _around(where)
    bad = severity.rank(first["worst"]) >= severity.rank("elevated")
    return MapPoint(
        state,
        longitude,
        latitude,
        dollars,
        first["worst"],
        names.get(first["loan_number"], "") if bad else first["city"] or "",
        (f"{place(first['city'], state)}, {money(dollars)}", *graded[:_NAMED], *more),
        href,
        first=bad,
    )


def _around(where: tuple[str, float, float]) -> str:
    """The Map page on this place; insets have no view of their own."""
    state, longitude, latitude = where
    if state in {"AK", "HI"}:
        return links.address(MAP, {"state": state})
    sides = (longitude - _AROUND, latitude - _AROUND, longitude + _AROUND, latitude + _AROUND)
    return links.address(MAP, PropertyFilter(view=sides).params())


def _lacking(found: Sequence[Property]) -> list[str]:
    """How many are not drawn, and where they are."""
    lacking = [one for one in found if not _is_placed(one)]
    if not lacking:
        return []
    places = sorted({place(one["city"], one["state"]) for one in lacking} - {MISSING})
    more = f" and {count(len(places) - _NAMED)} more places" if len(places) > _NAMED else ""
    where = f": {'; '.join(places[:_NAMED])}{more}" if places else ""
    return [f"{count(len(lacking))} not drawn{where}"]
