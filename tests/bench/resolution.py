"""How well parties are recognised, on genuine names: precision, recall, false merges by name.

    python -m tests.bench.resolution            # the figures of the test half
    python -m tests.bench.resolution --write    # learns the weights again, on the training half

Each record belongs to the half that a hash of its truth (bank, group of names, operator) says; the
weights, and the limits in services/resolution/pairs.py, were chosen on the training half alone.
"""

import argparse
import csv
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import services.resolution
from services.contract.vocabulary import CONFIRMED_FROM, PROBABLE_FROM
from services.resolution.addresses import Address, parted
from services.resolution.joining import joined
from services.resolution.pairs import HUB, Party, hubs, pairs
from services.resolution.scoring import Side, trained
from services.resolution.spelling import spelled
from tests.genuine import SHARED

TIERS = {"confirmed": CONFIRMED_FROM, "probable": PROBABLE_FROM, "proposed": 0.0}


@dataclass(frozen=True)
class Known:
    """A party, and who it truly is; "" where nobody knows."""

    name: str
    address: str
    truth: str

    @property
    def training(self) -> bool:
        return sha256((self.truth or self.name).encode()).digest()[0] % 2 == 0


def rows(path: str) -> list[dict[str, str]]:
    with (SHARED / path).open(encoding="utf-8-sig", newline="") as opened:
        return list(csv.DictReader(opened))


def banks() -> tuple[list[Known], list[Known]]:
    """The two registers, row by row."""
    listed = rows("names/bank_name_pairs.csv")
    return (
        [Known(r["occ_name"], f", {r['occ_city']}, {r['occ_state']}", r["rssd"]) for r in listed],
        [
            Known(r["ffiec2014_name"], f", {r['ffiec_city']}, {r['ffiec_state']}", r["rssd"])
            for r in listed
        ],
    )


def named_pairs() -> list[tuple[str, str, bool, str, bool]]:
    """(name, name, whether they are one, the trap, whether it is for training)."""
    return [
        (r["name1"], r["name2"], r["is_match"] == "true", r["notes"] or r["category"],
         sha256("|".join(sorted((r["name1"], r["name2"]))).encode()).digest()[0] % 2 == 0)
        for r in rows("names/organisation_pairs.csv")
    ]  # fmt: skip


def owners() -> list[Known]:
    """Owners of Hoboken by name and mailing address, each once, with the operator where known."""
    found = {
        (r["owner"], f"{r['owner_mailing_address']}, {r['owner_city_state_zip']}"): r["operator"]
        for r in sorted(rows("owners-hoboken/companies.csv"), key=lambda r: r["operator"])
    }
    return [Known(name, address, truth) for (name, address), truth in sorted(found.items())]


def borrowers() -> list[Known]:
    """Borrowers of Nashville, each once, with the parent; "Other" is nobody."""
    found = {r["borrower"]: r["parent"] for r in rows("mortgages-nashville/recorded_mortgages.csv")}
    unknown = {"Other", "SFR securitization (unattributed)"}
    return [Known(n, "", "" if t in unknown else t) for n, t in sorted(found.items())]


def side(name: str, address: str) -> Side:
    spelling = spelled(name)
    at = parted(address) if address else Address("", "", "")
    return Side(spelling.words, spelling.letters, spelling.numbers, at.street or None,
                at.place or None, at.state or None)  # fmt: skip


def learn() -> None:
    """Writes the weights that the training half gives."""
    sides: list[Side] = []
    whose: list[str | None] = []
    for register in banks():
        for one in register:
            if one.training:
                sides.append(side(one.name, one.address))
                whose.append(one.truth)
    for at, (first, second, match, _, training) in enumerate(named_pairs()):
        if training:
            for name in (first, second):
                sides.append(side(name, ""))
                whose.append(f"pair {at}" if match else None)
    for one in (*owners(), *borrowers()):
        if one.training:
            sides.append(side(one.name, one.address))
            whose.append(None)
    path = Path(services.resolution.__file__).with_name("weights.json")
    path.write_text(json.dumps(trained(sides, whose), indent=1, sort_keys=True) + "\n")
    print(f"learnt from {len(sides):,} records, written to {path.name}")


def said(what: str, found: int, right: int, there: int) -> None:
    precision = f"{right / found:.3f}" if found else "-"
    print(f"  {what:<44} precision {precision} ({right}/{found}), recall "
          f"{right / there if there else 0:.3f} ({right}/{there})")  # fmt: skip


def of_banks(training: bool) -> None:
    print("Banks, two registers (name, city, state)")
    first, second = ([k for k in r if k.training == training] for r in banks())
    parties = [Party(k.name, {k.address}) for k in (*first, *second)]
    truth = [k.truth for k in (*first, *second)]
    found = [one for one in pairs(parties) if (one.first < len(first)) != (one.second < len(first))]
    for tier, limit in TIERS.items():
        picked = [one for one in found if one.score >= limit]
        right = sum(truth[one.first] == truth[one.second] for one in picked)
        said(f"{tier} or better", len(picked), right, len(first))
        if tier == "probable":
            wrong = [one for one in picked if truth[one.first] != truth[one.second]]
            for one in wrong[:20]:
                a, b = (first + second)[one.first], (first + second)[one.second]
                print(f"    wrong: {a.name}{a.address} = {b.name}{b.address} {one.score}")


def of_names(training: bool) -> None:
    print("Pairs of names alone (no address: nothing is confirmed)")
    chosen = [one for one in named_pairs() if one[4] == training]
    for tier, limit in TIERS.items():
        picked = []
        for first, second, match, trap, _ in chosen:
            scores = [one.score for one in pairs([Party(first), Party(second)])]
            if scores and scores[0] >= limit:
                picked.append((first, second, match, trap))
        right = sum(one[2] for one in picked)
        said(f"{tier} or better", len(picked), right, sum(one[2] for one in chosen))
        if tier == "proposed":
            for one in picked:
                if not one[2]:
                    print(f"    wrong: {one[0]} = {one[1]} ({one[3]})")


def of_owners(training: bool) -> None:
    print("Owners of Hoboken")
    listed = [k for k in owners() if k.training == training]
    at: dict[str, Party] = {}
    operator: dict[str, str] = {}
    for k in listed:
        at.setdefault(k.name, Party(k.name)).addresses.add(k.address)
        operator[k.name] = operator.get(k.name) or k.truth
    parties = list(at.values())
    found = pairs(parties)
    heads = joined(parties, found, {})
    merged = [(parties[a].name, parties[b].name) for a, b in sorted(heads.items())]
    print(f"  {len(parties)} names, {len(merged)} joined, {len(found)} proposed or better")
    for one, other in merged:
        print(f"    joined: {one} -> {other}")
    known = [name for name in at if operator[name]]
    truth = {p for p in combinations(sorted(known), 2) if operator[p[0]] == operator[p[1]]}
    print("  as a guess at who operates them (pairs of one operator, both known):")
    scores = {tuple(sorted((parties[f.first].name, parties[f.second].name))): f for f in found}
    bare = {
        tuple(sorted((parties[f.first].name, parties[f.second].name)))
        for f in pairs([Party(p.name) for p in parties])
    }

    def judged(what: str, picked: set[tuple[str, str]]) -> None:
        both = {p for p in picked if operator[p[0]] and operator[p[1]]}
        said(what, len(both), len(both & truth), len(truth))
        half = [p for p in picked if bool(operator[p[0]]) != bool(operator[p[1]])]
        print(f"      and {len(half)} pairs of which one operator is unknown")

    judged("by name", bare)
    judged(
        "by name and address, as pairs are confirmed",
        {p for p, f in scores.items() if f.score >= CONFIRMED_FROM},
    )
    places: dict[str, set[str]] = defaultdict(set)
    for k in listed:
        if whole := parted(k.address).whole:
            places[whole].add(k.name)
    spellings = [spelled(p.name) for p in parties]
    where = [[parted(a) for a in p.addresses] for p in parties]
    for most in (5, 10, HUB, 100):
        crowd = hubs(spellings, where, most)
        shared = {p for whole, names in places.items() if whole not in crowd
                  for p in combinations(sorted(names), 2)}  # fmt: skip
        judged(f"by address alone, hubs from {most + 1} names ({len(crowd)} of them)", shared)


def of_borrowers() -> None:
    print("Borrowers of Nashville (each is a company of its own: none may be joined)")
    listed = borrowers()
    parties = [Party(k.name) for k in listed]
    found = pairs(parties)
    heads = joined(parties, found, {})
    print(f"  {len(parties)} names, {len(heads)} joined, {len(found)} proposed")
    for one in found:
        print(f"    proposed: {listed[one.first].name} = {listed[one.second].name} {one.score}")
    stems = Counter()
    known = [k for k in listed if k.truth]
    truth = {(a, b) for a, b in combinations(known, 2) if a.truth == b.truth}
    picked = {
        (a, b)
        for a, b in combinations(known, 2)
        if spelled(a.name).letters == spelled(b.name).letters
    }
    stems.update(spelled(k.name).letters for k in known)
    said("parents by the name without its numbers", len(picked), len(picked & truth), len(truth))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--write", action="store_true", help="learn the weights again")
    asked.add_argument("--training", action="store_true", help="figures of the training half")
    given = asked.parse_args()
    if given.write:
        learn()
    of_banks(given.training)
    of_names(given.training)
    of_owners(given.training)
    of_borrowers()


if __name__ == "__main__":
    main()
