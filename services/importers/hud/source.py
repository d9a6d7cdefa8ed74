"""HUD's list of insured multifamily mortgages and a catalogue of assisted housing to a portfolio.

Files are told apart by their columns and joined by project number, without which the list names no
owner and the catalogue no lender. Every row is loaded or stands among the rejects.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import pyarrow as pa

from services.contract.errors import ImportRefused
from services.contract.evidence import confidence
from services.contract.portfolio import LAYERS, LOANS, PROPERTIES, REJECTS, Portfolio, SourceInfo
from services.contract.vocabulary import tier_of
from services.importers.hud import parties
from services.importers.hud.mortgages import (
    KINDS,
    RULES,
    Entry,
    Mortgage,
    further,
    loan_values,
    project_number,
    property_values,
    stacks,
)
from services.importers.records import Records, records
from services.importers.ties import Rejects, Ties, table
from services.names.lenders import lender_kind

_PUBLISHER: Final = "U.S. Department of Housing and Urban Development, and local catalogues"
_TERMS: Final = "HUD: public domain; a catalogue: as its publisher says"
_NEEDS: Final = {
    "insured": ("HUD PROJECT NUMBER", "HOLDER NAME"),
    "projects": ("Nlihc_id", "Proj_Name"),
    "subsidies": ("nlihc_id", "poa_end", "portfolio"),
}
#: How the catalogue says that a subsidy is an insured mortgage.
_INSURED: Final = "HUD-insured mortgage"

#: Files of a kind that an earlier import read.
Earlier = Callable[[str], Iterable[Path]]


def portfolio(
    paths: Sequence[Path], *, as_of: date, earlier: Earlier = lambda _: ()
) -> tuple[Portfolio, dict[str, list[Path]]]:
    """The mortgages, parties and ties of files or folders, and which file is of which kind.

    Kinds of which no file is given come from `earlier`. A row that cannot be used is a row of
    `rejects`. Raises ImportRefused for a file of no kind, or where no mortgage is in any.
    """
    given = records(paths, RULES.fields, _NEEDS)
    kinds = {one.kind for one in given}
    before = [path for kind in KINDS if kind not in kinds for path in earlier(kind)]
    kept = records(before, RULES.fields, _NEEDS) if before else []
    found = _Import(as_of)
    for one in sorted([*given, *kept], key=lambda each: KINDS.index(each.kind)):
        found.read(one)
    brought: dict[str, list[Path]] = {}
    for one in given:
        brought.setdefault(one.kind, []).append(one.path)
    return found.portfolio([*given, *kept]), brought


class _Import:
    """Rows as they are read, then joined."""

    def __init__(self, as_of: date) -> None:
        self._as_of = as_of
        self._ties = Ties()
        self._rejects = Rejects()
        self._unmapped: Counter[str] = Counter()
        self._mortgages: dict[str, Mortgage] = {}
        self._projects: dict[str, Entry] = {}
        self._assistance: dict[str, list[Entry]] = {}

    def read(self, given: Records) -> None:
        """Takes the rows of one file."""
        kinds = {"insured": self._insured, "projects": self._project, "subsidies": self._subsidy}
        given.read(
            RULES.fields[given.kind],
            RULES.ignored,
            lambda facts, place: kinds[given.kind](Entry(place, facts)),
            rejects=self._rejects,
            unmapped=self._unmapped,
        )

    def _insured(self, entry: Entry) -> None:
        number = project_number(entry.facts.text("project_number") or "")
        if number in self._mortgages:
            raise ValueError(f"has the project number {number}, which was there before")
        self._mortgages[number] = Mortgage(number, listed=entry)

    def _project(self, entry: Entry) -> None:
        if self._projects.setdefault(_property_id(entry), entry) is not entry:
            raise ValueError("has an id that was there before")

    def _subsidy(self, entry: Entry) -> None:
        facts, project = entry.facts, self._projects.get(_property_id(entry))
        if project is None:
            raise ValueError("is of a property that no file of projects has")
        if facts.text("kind") != _INSURED:
            self._assistance.setdefault(_property_id(entry), []).append(entry)
            return
        if (raw := facts.text("source_id")) is None:
            raise ValueError("is an insured mortgage without a project number")
        number = project_number(raw)
        one = self._mortgages.setdefault(number, Mortgage(number))
        if one.subsidy is not None:
            raise ValueError(f"has the project number {number}, which was there before")
        one.subsidy, one.project = entry, project

    def portfolio(self, files: Sequence[Records]) -> Portfolio:
        """Raises ImportRefused where there is no mortgage."""
        mortgages = list(self._mortgages.values())
        if not mortgages:
            first = f" The first reason: {self._rejects[0][1]}" if self._rejects else ""
            raise ImportRefused(
                f"{', '.join(one.file for one in files)} holds no insured mortgage.{first}"
            )
        loans_on: dict[str, list[int]] = {}
        for at, one in enumerate(mortgages):
            if one.project is not None:
                loans_on.setdefault(_property_id(one.project), []).append(at)
        tables = self._tables(mortgages, loans_on)
        return Portfolio(
            info=SourceInfo(
                key="hud",
                importer="hud",
                title="HUD insured multifamily mortgages",
                publisher=_PUBLISHER,
                terms=_TERMS,
                as_of=self._as_of,
                provenance="reported",
                files=tuple(one.file for one in files),
                sha256=tuple(one.sha256 for one in files),
                records_read=sum(len(one.lines) for one in files),
                unmapped=dict(sorted(self._unmapped.items())),
            ),
            **tables,
        )

    def _tables(
        self, mortgages: Sequence[Mortgage], loans_on: dict[str, list[int]]
    ) -> dict[str, pa.Table]:
        named = [parties.tie_lenders(self._ties, at, one) for at, one in enumerate(mortgages)]
        borrowed = [parties.tie_owner(self._ties, at, one) for at, one in enumerate(mortgages)]
        self._tie_properties(mortgages, loans_on)
        tier = tier_of(confidence("registered"))
        stood = stacks(mortgages)
        loans = [
            {
                "loan_number": f"FHA:{one.number}",
                **loan_values(one),
                "lender_normalized": named[at][0],
                "confidence_tier": tier if borrowed[at] else None,
                "further": further(one, _beside(at, stood, mortgages)),
            }
            for at, one in enumerate(mortgages)
        ]
        return {
            "loans": table(LOANS, loans),
            "layers": table(
                LAYERS,
                [
                    row
                    for at in range(len(loans))
                    for row in _layers(at, stood, mortgages, named, loans)
                ],
            ),
            "properties": table(
                PROPERTIES, [property_values(one, at) for at, one in enumerate(mortgages)]
            ),
            "rejects": table(
                REJECTS, [{"record": where, "reason": why} for where, why in self._rejects]
            ),
            **self._ties.tables(),
        }

    def _tie_properties(
        self, mortgages: Sequence[Mortgage], loans_on: dict[str, list[int]]
    ) -> None:
        """Owners, managers and assistance of every property, also of those without a mortgage."""
        for key, project in self._projects.items():
            if not parties.tie_managed(self._ties, project) and key not in loans_on:
                self._reject(project, "It names no owner and no manager, and has no mortgage.")
        for key, subsidies in self._assistance.items():
            standing = [at for at in loans_on.get(key, ()) if not mortgages[at].ended]
            owner = parties.owner_of(self._projects[key])
            today = [one for one in subsidies if self._assisted(one, standing, owner)]
            for at in standing:
                mortgages[at].assistance = today

    def _assisted(self, subsidy: Entry, standing: Sequence[int], owner: str | None) -> bool:
        """Ties the mortgages that stand on a property, and its owner, to who assists it; whether
        the subsidy is one of today.
        """
        why = parties.ended(subsidy.facts, self._as_of)
        if why is None and not standing and owner is None:
            why = "Its property names no owner, and has no mortgage that stands."
        if why is None:
            starts: list[int | str] = [*standing, *([] if owner is None else [owner])]
            if not parties.tie_assistance(self._ties, starts, subsidy) and not standing:
                why = "It names no agency, and its property has no mortgage that stands."
        if why is not None:
            self._reject(subsidy, why)
        return why is None

    def _reject(self, entry: Entry, why: str) -> None:
        self._rejects.append((f"{entry.place.file}, {entry.place.record}", why))


def _property_id(entry: Entry) -> str:
    return str(entry.facts["property_id"])


def _beside(
    at: int, stood: dict[int, list[int]], mortgages: Sequence[Mortgage]
) -> dict[str, object]:
    """The other mortgages on the property."""
    others = [f"FHA:{mortgages[one].number}" for one in stood.get(at, ()) if one != at]
    return {"other_mortgages_on_the_property": others or None}


def _layers(
    at: int,
    stood: dict[int, list[int]],
    mortgages: Sequence[Mortgage],
    named: Sequence[tuple[str | None, str | None]],
    loans: Sequence[dict[str, object]],
) -> list[dict[str, object]]:
    """The stack of a property as each of its mortgages shows it. The layer of another mortgage
    bears its number and holder as its kind, and no lender: that one's dollars count there (D216).
    """
    rows = []
    for rank, other in enumerate(stood.get(at, [at]), 1):
        lender, servicer = named[other]
        own = other == at
        kind = (lender_kind(lender) if lender else None) or "other"
        held = f", {lender}" if lender else ""
        rows.append({
            "loan": at,
            "rank": rank,
            "position": "senior" if rank == 1 else "junior note",
            "layer": kind if own else f"FHA:{mortgages[other].number}{held}",
            "lender": lender if own else None,
            "servicer": servicer if own else None,
            "amount": loans[other]["book_value"],
            "interest_rate": loans[other]["interest_rate"],
        })  # fmt: skip
    return rows
