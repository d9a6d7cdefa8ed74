"""Files of counties to portfolios, one a county: recorded documents and owners of record."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from services.contract.portfolio import LAYERS, LOANS, PROPERTIES, REJECTS, Portfolio, SourceInfo
from services.importers.base import Facts
from services.importers.county import recordings, roll
from services.importers.county.profile import FileKind, Profile, load, packaged
from services.importers.county.recordings import Recording
from services.importers.records import Records, records
from services.importers.ties import Place, Rejects, Ties, table, without_loans


def portfolios(
    paths: Sequence[Path], *, as_of: date, profile: Path | None = None
) -> list[Portfolio]:
    """The loans, parties and owners of files or folders, a portfolio a county. `profile` says what
    the columns of their files are; by default one of those that we ship, by the header.

    A row that cannot be used is a row of `rejects`. Raises ImportRefused for a profile that is
    none, a file of no kind, or where no row of a county can be used.
    """
    known = [load(profile)] if profile else packaged()
    kinds = {
        (f"{one.name}: {name}"): (one, file) for one in known for name, file in one.files.items()
    }
    blanks = {blank for one in known for blank in one.blanks}
    needs = {name: tuple(file.fields) for name, (_, file) in kinds.items()}
    fields = {name: file.fields for name, (_, file) in kinds.items()}
    found: dict[str, _County] = {}
    for given in records(paths, fields, needs, blanks=blanks):
        one, file = kinds[given.kind]
        found.setdefault(one.name, _County(one, as_of)).read(given, file)
    return [one.portfolio() for one in found.values()]


class _County:
    """Rows of a county as they are read, then joined."""

    def __init__(self, profile: Profile, as_of: date) -> None:
        self._profile = profile
        self._as_of = as_of
        self._rejects = Rejects()
        self._unmapped: Counter[str] = Counter()
        self._files: list[Records] = []
        self._recordings: dict[str, Recording] = {}
        self._roll: dict[str, list[roll.OnRoll]] = {}

    def read(self, given: Records, file: FileKind) -> None:
        """Takes the rows of one file."""
        self._files.append(given)

        def recorded(facts: Facts, place: Place) -> None:
            number = recordings.number_of(facts, file)
            one = self._recordings.get(number) or Recording(number)
            recordings.add(one, facts, file, self._profile, place)
            self._recordings[number] = one

        given.read(
            file.fields,
            file.ignored,
            self._on_roll if file.of == "roll" else recorded,
            rejects=self._rejects,
            unmapped=self._unmapped,
        )

    def _on_roll(self, facts: Facts, place: Place) -> None:
        if facts.text("owner") is None:
            raise ValueError("names no owner")
        if not (parcel := recordings.parcel_of(facts)):
            raise ValueError("names no parcel")
        sold = facts.day("sale_date")
        if sold is not None and sold > self._as_of:  # a year of two digits: 66 is 1966
            facts["sale_date"] = sold.replace(year=sold.year - 100)
        self._roll.setdefault(parcel, []).append(roll.OnRoll(facts, place))

    def portfolio(self) -> Portfolio:
        """Raises ImportRefused where there is neither a loan nor a party."""
        ties = Ties()
        mortgages = self._mortgages()
        tied = [recordings.tie(ties, at, one) for at, one in enumerate(mortgages)]
        deeds = [one for one in self._recordings.values() if one.kind == "deed"]
        recordings.tie_deeds(ties, deeds, self._profile)
        for parcel, rows in self._roll.items():
            roll.tie_parcel(ties, parcel, rows, self._profile)
        info = self._info()
        if not mortgages:
            return without_loans(info, ties, self._rejects)
        pairs = list(enumerate(zip(mortgages, tied, strict=True)))
        return Portfolio(
            info=info,
            loans=table(
                LOANS, [recordings.loan_values(one, self._profile, by) for _, (one, by) in pairs]
            ),
            layers=table(LAYERS, [recordings.layer(one, at, by) for at, (one, by) in pairs]),
            properties=table(
                PROPERTIES,
                [row for at, (one, _) in pairs
                 for row in recordings.properties(one, at, self._profile)],
            ),
            rejects=table(
                REJECTS, [{"record": where, "reason": why} for where, why in self._rejects]
            ),
            **ties.tables(),
        )  # fmt: skip

    def _mortgages(self) -> list[Recording]:
        """In the files' order, each with its assignments and satisfaction; rejects the rest."""
        for one in self._recordings.values():
            if why := recordings.unusable(one):
                self._reject(one, why)
        found = {
            number: one
            for number, one in self._recordings.items()
            if one.kind == "mortgage" and not recordings.unusable(one)
        }
        later = [
            one for one in self._recordings.values() if one.kind in {"assignment", "satisfaction"}
        ]
        for one in sorted(later, key=lambda each: (each.recorded_on or date.min, each.number)):
            of = [found[number] for number in one.refers_to if number in found]
            if not of:
                self._reject(one, "It refers to no mortgage that is here.")
            for mortgage in of:
                if one.kind == "assignment":
                    mortgage.assigned.append(one)
                else:
                    mortgage.satisfied = one
        return list(found.values())

    def _reject(self, one: Recording, why: str) -> None:
        self._rejects += [(f"{place.file}, {place.record}", why) for place in one.places]

    def _info(self) -> SourceInfo:
        profile = self._profile
        return SourceInfo(
            key=f"county:{profile.name}",
            importer="county",
            title=profile.title,
            publisher=f"{profile.county}, {profile.state}",
            terms=profile.terms,
            as_of=self._as_of,
            provenance="reported",
            files=tuple(one.file for one in self._files),
            sha256=tuple(one.sha256 for one in self._files),
            records_read=sum(len(one.lines) for one in self._files),
            unmapped=dict(sorted(self._unmapped.items())),
        )
