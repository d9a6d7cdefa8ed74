"""Who is behind the loans: borrowers, operating entities, sponsors, owners, and how sure we are."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from services.contract.vocabulary import TIERS, tier_of
from services.importers.demo.assumptions import Assumptions, Bools, Floats, Ints
from services.importers.demo.draws import (
    Generator,
    by_group,
    chance,
    distinct,
    evenly,
    hundredths,
    runs,
    scaled,
    zipf,
)
from services.importers.demo.market import Debt
from services.importers.demo.names import joined, one_of, picked
from services.importers.demo.properties import Sites
from services.importers.demo.property_names import Addresses, Named, borrower_names
from services.importers.demo.register import NONE, Register
from services.importers.demo.sponsor_names import Companies, companies, further_owners

MOST_OPERATING = 8  # operating entities of one sponsor
OWNER_WEIGHTS = np.array([0.55, 0.30, 0.15])  # one, two or three owners
# Edges to owners: what the evidence is like, sponsor by sponsor, weakest last (hundredths).
EVIDENCE = ((92, 99), (73, 88), (50, 68))
EVIDENCE_WEIGHTS = np.array([[0.52, 0.30, 0.18], [0.80, 0.15, 0.05]])  # small, large sponsors
NEAR_TROUBLE = 0.22  # troubled loans stand in this first part of their state
# So many troubled borrowers go to this part of the sponsors, and so many of the others.
WITH_TROUBLED, TROUBLED_PART, OTHERS_THERE = 0.75, 0.12, 0.05
ALONE = 0.85  # of troubled borrowers are their sponsor's only one
LARGE = 12  # borrowers that make a sponsor well known
NEXT_LARGEST = (0.60, 0.40, 0.28, 0.20, 0.12)  # so many as the largest sponsor have the next ones


@dataclass(frozen=True, slots=True)
class Sponsors:
    """Sponsors: row of the first in the register, home states, what they are called."""

    first: int
    state: Ints
    called: Companies


def ownership(
    rng: Generator,
    large: Generator,
    data: Assumptions,
    debt: Debt,
    at: Sites,
    register: Register,
    *,
    troubled: Bools,
) -> Ints:
    """Enter and tie every chain; by loan its weakest edge in hundredths, NONE if unresolved.

    Troubled loans stand a little closer together than others. `large` draws what the sponsors next
    to the largest one have.
    """
    loans = len(debt.kind)
    weakest = np.full(loans, NONE)
    resolved = np.flatnonzero(~chance(rng, data.chances["unresolved"], loans))
    if not len(resolved):
        return weakest
    borrower, lead = _grouped(rng, data, resolved, debt.state, troubled)
    first = _enter_borrowers(rng, data, at, register, lead, debt.state[lead], np.bincount(borrower))
    sure = hundredths(rng, 90, 100, len(resolved))
    register.tie("borrower", first + borrower, sure, loan=resolved)
    lent = np.bincount(borrower, weights=debt.balance[resolved]) / np.bincount(borrower)
    ill = np.bincount(borrower, weights=troubled[resolved]) > 0
    sponsor, sponsors = _sponsors(
        rng, large, data, register, debt.state[lead], lent=lent, ill=ill, loans=loans
    )
    up = _tie_up(rng, data, register, sponsors, sponsor=sponsor, first=first)
    top = _owners(rng, data, register, sponsors, held=np.bincount(sponsor), loans=loans)
    weakest[resolved] = np.minimum(sure, np.minimum(up, top[sponsor])[borrower])
    vouched = np.flatnonzero(chance(rng, data.chances["guarantor"], len(resolved)))
    guarantor = sponsors.first + sponsor[borrower[vouched]]
    sure = hundredths(rng, 72, 99, len(vouched))
    register.tie("guarantor", guarantor, sure, loan=resolved[vouched])
    return weakest


def tiers(weakest: Ints) -> pa.Array:
    """Confidence tier of each loan (D29) from its weakest edge, None where there is no chain."""
    table = np.array([TIERS.index(tier_of(score / 100)) for score in range(101)])
    return pa.array(TIERS).take(pa.array(table[np.maximum(weakest, 0)], mask=weakest == NONE))


def _grouped(
    rng: Generator, data: Assumptions, resolved: Ints, state: Ints, troubled: Bools
) -> tuple[Ints, Ints]:
    """Borrower number of each resolved loan, and each borrower's first loan; states don't mix."""
    # States are whole numbers, the place within one is a fraction: one key sorts by both.
    place = rng.random(len(resolved)) * np.where(troubled[resolved], NEAR_TROUBLE, 1.0)
    order = np.argsort(state[resolved] + place, kind="stable")
    there = state[resolved][order]
    new = chance(rng, data.chances["new_borrower"], len(resolved))
    new[0] = True
    new[1:] |= there[1:] != there[:-1]
    borrower = np.empty(len(resolved), dtype=np.int64)
    borrower[order] = np.cumsum(new) - 1
    return borrower, resolved[order[new]]


def _enter_borrowers(
    rng: Generator,
    data: Assumptions,
    at: Sites,
    register: Register,
    lead: Ints,
    state: Ints,
    loans: Ints,
) -> int:
    site = pa.array(at.first[lead])
    names = borrower_names(
        rng,
        data,
        Named(at.named.stem.take(site), at.named.name.take(site)),
        Addresses(at.where.house.take(site), at.where.street.take(site)),
        town=picked(pa.array(data.places.city), at.city[at.first[lead]]),
        several=loans > 1,
    )
    states = picked(pa.array(data.places.states), state)
    return register.enter("borrower", names, hundredths(rng, 86, 100, len(lead)), states)


def _sponsors(
    rng: Generator,
    large: Generator,
    data: Assumptions,
    register: Register,
    state: Ints,
    *,
    lent: Floats,
    ill: Bools,
    loans: int,
) -> tuple[Ints, Sponsors]:
    """Sponsor number of each borrower: heavy-tailed, mostly one at home in the property's state.

    A few sound sponsors have many of the largest loans; some have most of the troubled.
    """
    places, counts = data.places, data.counts
    count = max(1, round(counts["sponsor_factor"] * loans ** counts["sponsor_growth"]))
    market = np.bincount(places.state, weights=places.weight).astype(np.float64)
    home = np.sort(evenly(rng, market, count))
    running = np.r_[0.0, np.cumsum(rng.permutation(zipf(count, power=0.5, offset=20)))]
    edge = running[np.searchsorted(home, np.arange(len(places.states) + 1))]
    low, high = edge[state], edge[state + 1]
    near = chance(rng, data.chances["home_state"], len(state)) & (high > low)
    point = rng.random(len(state))
    there = chance(rng, np.where(ill, WITH_TROUBLED, OTHERS_THERE), len(state))
    point = np.where(there, point * TROUBLED_PART, TROUBLED_PART + point * (1 - TROUBLED_PART))
    point = np.where(near, low + point * (high - low), point * running[-1])
    chosen = np.clip(np.searchsorted(running, point, side="right") - 1, 0, count - 1)
    unhurt = np.flatnonzero(np.bincount(chosen, weights=ill, minlength=count) == 0)
    giant = min(scaled(data, "giant", loans), len(state) // 20)
    if giant and not ill.all():
        _have_the_largest(rng, large, chosen, unhurt, lent=lent, ill=ill, giant=giant)
    alone = np.flatnonzero(ill & chance(rng, ALONE, len(state)))
    chosen[alone] = count + np.arange(len(alone))
    home = np.concatenate([home, state[alone]])
    used, sponsor = np.unique(chosen, return_inverse=True)
    city = places.first_city[home[used]] + np.floor(
        rng.random(len(used)) * np.diff(places.first_city)[home[used]]
    ).astype(np.int64)
    called = companies(rng, data, picked(pa.array(places.city), city))
    states = picked(pa.array(places.states), home[used])
    sure = hundredths(rng, 74, 100, len(used))
    first = register.enter("sponsor", called.name, sure, states)
    return sponsor, Sponsors(first, home[used], called)


def _have_the_largest(
    rng: Generator,
    large: Generator,
    chosen: Ints,
    unhurt: Ints,
    *,
    lent: Floats,
    ill: Bools,
    giant: int,
) -> None:
    """In `chosen`, sponsors of borrowers: `giant` sound borrowers of large loans to one of the
    sponsors `unhurt`, and others to a few more of them, to each fewer than to the one before.
    """
    sound = np.flatnonzero(~ill)
    largest = sound[np.argsort(-lent[sound], kind="stable")]
    own = rng.permutation(largest[: 2 * giant])[:giant]
    chosen[own] = unhurt[rng.integers(0, len(unhurt))]
    following = large.permutation(np.setdiff1d(unhurt, chosen[own]))[: len(NEXT_LARGEST)]
    sizes = np.rint(giant * np.array(NEXT_LARGEST[: len(following)])).astype(np.int64)
    sponsor = np.repeat(following, sizes)
    borrower = large.permutation(np.setdiff1d(largest[: 3 * giant], own))[: len(sponsor)]
    chosen[borrower] = sponsor[: len(borrower)]


def _tie_up(
    rng: Generator,
    data: Assumptions,
    register: Register,
    sponsors: Sponsors,
    *,
    sponsor: Ints,
    first: int,
) -> Ints:
    """Borrowers to sponsors, some through operating entities; weakest edge of each borrower."""
    rows = len(sponsor)
    through = np.flatnonzero(chance(rng, data.chances["through_operating"], rows))
    held = np.bincount(sponsor)
    several = np.minimum(1 + held // 4, MOST_OPERATING)[sponsor[through]]
    place = np.floor(rng.random(len(through)) * several).astype(np.int64)
    key, operating = np.unique(sponsor[through] * MOST_OPERATING + place, return_inverse=True)
    owner, place = np.divmod(key, MOST_OPERATING)
    numeral = picked(data.words["numeral"], place)
    names = joined(picked(sponsors.called.operating, owner), numeral, " LLC")
    states = picked(pa.array(data.places.states), sponsors.state[owner])
    sure = hundredths(rng, 80, 100, len(key))
    above = register.enter("operating entity", names, sure, states)
    parent = sponsors.first + sponsor
    parent[through] = above + operating
    near = hundredths(rng, np.where(chance(rng, 0.1, rows), 80, 91), 100, rows)
    register.tie("owned_by", parent, near, entity=first + np.arange(rows))
    far = hundredths(rng, np.where(chance(rng, 0.25, len(key)), 68, 90), 100, len(key))
    entity = above + np.arange(len(key))
    register.tie("owned_by", sponsors.first + owner, far, entity=entity)
    near[through] = np.minimum(near[through], far[operating])
    return near


def _owners(
    rng: Generator,
    data: Assumptions,
    register: Register,
    sponsors: Sponsors,
    *,
    held: Ints,
    loans: int,
) -> Ints:
    """Owners of the sponsors, the founder first, some joint (D31); weakest edge by sponsor.

    Sponsors that do not bear their founder's name may belong to the founder of another.
    """
    count = len(held)
    owners = 1 + by_group(rng, OWNER_WEIGHTS[None, :], np.zeros(count, dtype=np.int64))
    sponsor, place = runs(owners)
    alien = chance(rng, data.chances["known_owner"], len(sponsor))
    fresh = (place > 0) | sponsors.called.personal[sponsor] | ~alien
    fresh |= not (fresh & (place == 0)).any()
    known = np.flatnonzero(fresh & (place == 0))
    owner = np.cumsum(fresh) - 1
    again = np.flatnonzero(~fresh)
    owner[again] = owner[known[rng.integers(0, len(known), len(again))]]
    states = picked(pa.array(data.places.states), sponsors.state[sponsor[fresh]])
    others = further_owners(rng, data, sponsors.called, sponsor[fresh])
    founder = picked(sponsors.called.founder, sponsor[fresh])
    names = one_of(place[fresh] == 0, founder, others)
    first = register.enter("owner", names, hundredths(rng, 55, 99, len(names)), states)
    evidence = by_group(rng, EVIDENCE_WEIGHTS, (held >= LARGE).astype(np.int64))[sponsor]
    low, high = np.array(EVIDENCE)[evidence].T
    sure = hundredths(rng, low, high, len(sponsor))
    register.tie(
        "owned_by",
        first + owner,
        sure,
        entity=sponsors.first + sponsor,
        share=_shares(rng, owners),
    )
    weakest = np.minimum.reduceat(sure, np.cumsum(owners) - owners)
    return _crossed(rng, data, register, sponsors.first, weakest, loans=loans)


def _shares(rng: Generator, owners: Ints) -> Ints:
    """Hundredths by owner, 100 in all for a sponsor whose shares are known, else NONE."""
    sponsor, place = runs(owners)
    weight = rng.uniform(0.2, 1.0, len(sponsor))
    part = np.floor(100 * weight / np.bincount(sponsor, weights=weight)[sponsor]).astype(np.int64)
    part[place == 0] = 0
    part[place == 0] = 100 - np.bincount(sponsor, weights=part).astype(np.int64)
    known = chance(rng, np.where(owners > 1, 0.75, 0.40), len(owners))
    return np.where(known[sponsor], part, NONE)


def _crossed(
    rng: Generator, data: Assumptions, register: Register, first: int, weakest: Ints, *, loans: int
) -> Ints:
    """A few pairs of sponsors that own each other, as real registers have them."""
    pairs = min(loans // int(data.counts["loans_per_cycle"]), len(weakest) // 2)
    one, other = distinct(rng, len(weakest), 2 * pairs).reshape(2, pairs)
    there, back = hundredths(rng, 62, 95, pairs), hundredths(rng, 62, 95, pairs)
    register.tie("owned_by", first + other, there, entity=first + one)
    register.tie("owned_by", first + one, back, entity=first + other)
    both = np.minimum.reduce([weakest[one], weakest[other], there, back])
    weakest[one] = weakest[other] = both
    return weakest
