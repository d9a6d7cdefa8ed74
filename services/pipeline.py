"""From portfolios to a published snapshot: joins the sources, scores their loans."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from services.carried_endings import with_endings
from services.contract import disposition
from services.contract.book import Book, Build, Progress, Publisher, Scores, SourceScores
from services.contract.errors import ImportRefused, StoreDamaged
from services.contract.period import Arrival, Filing, KeptPeriod, ScoredBy, ScoredPeriod
from services.contract.portfolio import TABLES, Portfolio
from services.contract.resolution import Pair, Verdict
from services.contract.schedule_al import FULL_DEFEASANCE
from services.contract.snapshot_info import Snapshot
from services.contract.vocabulary import tier_of
from services.names.trusts import check_replaced, check_trusts
from services.rates.reference import ReferenceRates
from services.resolution.applied import resolved
from services.resolution.same_name import one_a_name
from services.signals import engine
from services.signals.assumptions import Assumptions
from services.signals.maturity import AsOf
from services.signals.period_rows import scored_by, scored_by_source, scored_period
from services.signals.rule import Rule

#: Nobody has said anything of parties that may be one.
NO_VERDICTS: Final[Mapping[Pair, Verdict]] = {}
#: Hears what became of a filing: its date, and what was read of it where it was read.
Arrived = Callable[[Filing, date, Arrival, Portfolio | None], None]


def silent(stage: str, fraction: float) -> None:
    """Progress that nobody watches."""
    del stage, fraction


def load(
    portfolios: Sequence[Portfolio],
    *,
    into: Publisher,
    assumptions: Assumptions | None = None,
    rates: ReferenceRates | None = None,
    rules: Sequence[Rule] | None = None,
    source_scores: SourceScores | None = None,
    alone: bool = False,
    verdicts: Mapping[Pair, Verdict] = NO_VERDICTS,
    progress: Progress = silent,
) -> Snapshot:
    """Publishes a snapshot of `portfolios` and of the reported sources already there (D27).

    Each portfolio is a period of its own, scored by itself at its own date; the newest of its
    source is today's, in the place of that source's portfolio until then (D163). The first reported
    source replaces made-up data, and made-up data replaces everything, as `alone` does. A source
    that scores its own loans (`source_scores`) stands alone, and no rule is run over it. Whatever
    fails, or is killed, leaves the old snapshot as it was.
    Raises ImportRefused when loan numbers collide, or made-up and reported sources come together;
    StoreBusy, StoreDamaged, StoreFull.
    """
    resting = assumptions or Assumptions.packaged()
    if rates is not None:
        resting = replace(resting, rates=rates)
    return load_filings(
        [Filing.of(one) for one in portfolios],
        into=into,
        scoring=Scoring(resting, rules, source_scores),
        alone=alone or source_scores is not None,
        verdicts=verdicts,
        progress=progress,
    )


@dataclass(frozen=True, slots=True)
class Scoring:
    """How loans are scored: by rules and tables, or as their source did."""

    assumptions: Assumptions
    rules: Sequence[Rule] | None = None
    source_scores: SourceScores | None = None

    def scores(self, tables: Mapping[str, pa.Table], as_of: AsOf) -> Scores:
        """What is found on loans, all as of one date or each as of its own."""
        if self.source_scores is None:
            return engine.evaluate(tables, as_of, self.assumptions, self.rules)
        return engine.as_scored(self.source_scores, tables, as_of, self.assumptions)

    def by(self, source: str, as_of: date) -> ScoredBy:
        """What it rests on."""
        if self.source_scores is None:
            return scored_by(self.assumptions, as_of)
        return scored_by_source(source)

    def period(self, source: Portfolio) -> tuple[ScoredPeriod, Scores]:
        """A portfolio as a period, and the scores that it has by itself."""
        info = source.info
        scores = self.scores({name: getattr(source, name) for name in TABLES}, info.as_of)
        return scored_period(source, scores, self.by(info.key, info.as_of)), scores


@dataclass(frozen=True, slots=True)
class _Came:
    """What came of a source last: its period, read already or not."""

    as_of: date
    kept: KeptPeriod | None
    source: Portfolio | None = None
    scores: Scores | None = None


def load_filings(
    filings: Sequence[Filing],
    *,
    into: Publisher,
    scoring: Scoring,
    alone: bool = False,
    verdicts: Mapping[Pair, Verdict] = NO_VERDICTS,
    arrived: Arrived = lambda *_: None,
    progress: Progress = silent,
) -> Snapshot:
    """As `load`, each filing read when its turn comes; `arrived` hears what became of it.
    `verdicts` is what users said of parties that may be one (D228).

    What became a period in an import that was interrupted is neither read nor scored again.
    """
    with into.build() as build:
        if not filings:
            raise ImportRefused("There is no source to load; name at least one")
        newest = _add(build, filings, scoring, arrived, lambda s, part: progress(s, 0.5 * part))
        book = _book(build, newest, scoring, verdicts, alone=alone, progress=progress)
        snapshot = build.publish(book, lambda stage, part: progress(stage, 0.55 + 0.45 * part))
        progress("done", 1.0)
        return snapshot


def _add(
    build: Build,
    filings: Sequence[Filing],
    scoring: Scoring,
    arrived: Arrived,
    progress: Progress,
) -> dict[str, _Came]:
    """Makes a period of each filing; the newest of each source, of two of one date the later."""
    staged = {(one.source, one.sha256): one for one in build.staged() if one.sha256}
    newest: dict[str, _Came] = {}
    arrival: Arrival
    for at, filing in enumerate(filings):
        progress(f"reading {filing.name}", at / len(filings))
        kept = staged.get((filing.source, filing.sha256))
        if kept and kept.mark == scoring.by(kept.source, kept.as_of).mark:
            came, arrival = _Came(kept.as_of, kept), build.add(kept)
        else:

            def reading(stage: str, part: float, before: int = at) -> None:
                progress(stage, (before + part / 2) / len(filings))

            source = filing.read(progress=reading)
            progress(f"scoring {filing.name}", (at + 0.5) / len(filings))
            if _of_parties_alone(source):  # which has nothing to be scored (D203)
                came, arrival = _Came(source.info.as_of, None, source), "new"
            else:
                _check_numbers(source.loans["loan_number"])
                period, scores = scoring.period(source)
                came, arrival = _Came(source.info.as_of, None, source, scores), build.add(period)
        before = newest.get(filing.source)
        if before and (before.source or came.source):  # else they were compared when read
            check_replaced(_portfolio(build, before), _portfolio(build, came))
        if before is None or came.as_of >= before.as_of:
            newest[filing.source] = came
        arrived(filing, came.as_of, arrival, came.source)
    return newest


def _book(
    build: Build,
    newest: Mapping[str, _Came],
    scoring: Scoring,
    verdicts: Mapping[Pair, Verdict],
    *,
    alone: bool,
    progress: Progress,
) -> Book | None:
    """Today's book where what came changes it; None where all of it is older than what is there,
    and says nothing of how loans ended.
    """
    made_up = _made_up(newest)
    staying = [] if alone or made_up else build.reported()
    was = {one.info.key: one for one in staying}
    read = {key: _portfolio(build, one) for key, one in newest.items()}
    for key in was.keys() & read.keys():  # those that are older too: they become its history
        check_replaced(was[key], read[key])
    new = [key for key in read if key not in was or newest[key].as_of >= was[key].info.as_of]
    if not new and not build.endings(came=True).num_rows:
        return None
    kept = [one for one in staying if one.info.key not in new]
    sources = [*kept, *(read[key] for key in new)]
    # The same book whichever came first.
    sources.sort(key=lambda one: one.info.key)
    if len({one.info.provenance == "synthetic" for one in sources}) > 1:  # D27
        raise ImportRefused("Made-up and reported sources do not mix; load one or the other")
    check_trusts(sources)
    progress("joining sources", 0.5)
    recognised = resolved(_settled(sources), verdicts)
    settled = recognised.sources
    tables = _joined(settled)
    # Windows count from the newest date of loans, whatever the day of a register.
    as_of = max(one.info.as_of for one in sources if one.loans.num_rows)
    tables["loans"] = with_endings(tables["loans"], build.endings(came=made_up))
    # One source by itself was scored already.
    as_read = len(sources) == 1 and settled[0] is sources[0]
    known = newest[new[0]].scores if new and as_read else None
    rows = np.arange(len(sources), dtype=np.int16)
    of_loan = np.repeat(rows, [one.loans.num_rows for one in sources])
    dates = np.array([one.info.as_of for one in sources], "datetime64[D]")[of_loan]
    return Book(
        as_of=as_of,
        sources=tuple(sources),
        tables=tables,
        source_of_loan=of_loan,
        source_of_reject=np.repeat(rows, [one.rejects.num_rows for one in settled]),
        scores=known or scoring.scores(tables, dates),
        counted_by_source=scoring.source_scores.counted if scoring.source_scores else {},
        settled=tuple(settled),
        matches=recognised.matches,
    )


def _made_up(newest: Mapping[str, _Came]) -> bool:
    return any(one.source and one.source.info.provenance == "synthetic" for one in newest.values())


def _portfolio(build: Build, came: _Came) -> Portfolio:
    found = came.source or (came.kept and build.portfolio(came.kept))
    if not found:
        raise StoreDamaged("A filing that was read before is gone; import its file again")
    return found


def _of_parties_alone(source: Portfolio) -> bool:
    return not source.loans.num_rows and bool(source.entities.num_rows)


def _settled(sources: list[Portfolio]) -> list[Portfolio]:
    """The sources with each edge from a loan of another one at that loan; one whose loan is in
    none of them is a reject (D203).
    """
    if not any(one.loans_elsewhere.num_rows for one in sources):
        return sources
    numbers = pa.concat_arrays([one.loans["loan_number"].combine_chunks() for one in sources])
    before, settled = 0, []
    for source in sources:
        settled.append(_settled_one(source, numbers, before))
        before += source.loans.num_rows
    return settled


def _settled_one(source: Portfolio, numbers: pa.Array, before: int) -> Portfolio:
    """`numbers` are of all loans, of which `before` come before those of this source."""
    named, edges = source.loans_elsewhere, source.edges
    at = named["edge"].to_numpy()
    row = pc.index_in(named["loan_number"].combine_chunks(), numbers)
    starts = edges["from_loan"].to_pylist()
    for edge, loan in zip(at.tolist(), row.to_pylist(), strict=True):
        # Counted from this source's first loan, as all its rows are until they are joined.
        starts[edge] = None if loan is None else loan - before
    column = edges.schema.get_field_index("from_loan")
    edges = edges.set_column(
        column, edges.schema.field(column), pa.array(starts, edges.schema.field(column).type)
    )
    there = np.ones(edges.num_rows, np.bool_)
    there[at[pc.is_null(row).to_numpy(zero_copy_only=False)]] = False
    new = pa.array(np.cumsum(there) - 1, pa.int32(), mask=~there)
    lost = named.filter(pc.is_null(row))["loan_number"].to_pylist()
    rejects = [
        {"record": f"loan {number}", "reason": "No source here has a loan of this number."}
        for number in dict.fromkeys(lost)
    ]
    witnesses = _renumbered(source.witnesses, "edge", new)
    return replace(
        source,
        edges=edges.filter(pa.array(there)),
        witnesses=witnesses.filter(pc.is_valid(witnesses["edge"])),
        loans_elsewhere=TABLES["loans_elsewhere"].empty_table(),
        rejects=pa.concat_tables(
            [source.rejects, pa.Table.from_pylist(rejects, schema=TABLES["rejects"])]
        ),
    )


def _graded(loans: pa.Table, edges: pa.Table) -> pa.Table:
    """The loans with the tier of their chain's weakest link (D29), where other sources may have
    named its borrower or gone on from it.
    """
    above: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for row in edges.filter(
        pc.is_in(edges["relation"], pa.array(["borrower", "owned_by"]))
    ).to_pylist():
        kind = "from_loan" if row["relation"] == "borrower" else "from_entity"
        if row[kind] is not None:
            above.setdefault((kind, row[kind]), []).append((row["to_entity"], row["confidence"]))
    tiers = loans["confidence_tier"].to_pylist()
    for kind, loan in list(above):
        if kind == "from_loan":
            tiers[loan] = tier_of(_weakest(above, loan))
    at = loans.schema.get_field_index("confidence_tier")
    return loans.set_column(at, loans.schema.field(at), pa.array(tiers, pa.string()))


def _weakest(above: Mapping[tuple[str, int], list[tuple[int, float]]], loan: int) -> float:
    """Confidence of the weakest link of a loan's chain."""
    links, seen, weakest = above[("from_loan", loan)], set[int](), 1.0
    while links:
        weakest = min(weakest, *(sure for _, sure in links))
        fresh = {node for node, _ in links} - seen
        seen |= fresh
        links = [link for node in fresh for link in above.get(("from_entity", node), ())]
    return weakest


def _joined(sources: list[Portfolio]) -> dict[str, pa.Table]:
    """All sources in one set of tables: rows shifted, parties of one name or identifier made one
    (D30, D199).
    """
    entities, entity_of = one_a_name(sources)
    tables: dict[str, list[pa.Table]] = {name: [] for name in TABLES if name != "entities"}
    loans_before = edges_before = 0
    for source, ids in zip(sources, entity_of, strict=True):
        for name in ("layers", "properties", "leases"):
            tables[name].append(_shifted(getattr(source, name), "loan", loans_before))
        edges = _shifted(source.edges, "from_loan", loans_before)
        for column in ("from_entity", "to_entity"):
            edges = _renumbered(edges, column, ids)
        tables["edges"].append(edges)
        tables["witnesses"].append(_shifted(source.witnesses, "edge", edges_before))
        tables["loans_elsewhere"].append(_shifted(source.loans_elsewhere, "edge", edges_before))
        tables["particulars"].append(_renumbered(source.particulars, "entity", ids))
        tables["loans"].append(_standing(source.loans))
        tables["rejects"].append(source.rejects)
        loans_before += source.loans.num_rows
        edges_before += source.edges.num_rows
    joined = {name: pa.concat_tables(listed) for name, listed in tables.items()}
    joined["entities"] = entities
    if any(map(_of_parties_alone, sources)):
        joined["loans"] = _graded(joined["loans"], joined["edges"])
    _check_numbers(joined["loans"]["loan_number"])
    return joined


def _standing(loans: pa.Table) -> pa.Table:
    """The loans with a disposition wherever a balance is known: a source that states no endings,
    as an API's lists, and the archives of older snapshots have none.
    """
    at = loans.schema.get_field_index("disposition")
    stated, owed = loans["disposition"], loans["book_value"]
    if not stated.null_count:
        return loans
    defeased = pc.fill_null(pc.equal(loans["defeasance"], FULL_DEFEASANCE), False)
    owing = pc.if_else(defeased, disposition.DEFEASED, disposition.OUTSTANDING)
    known = pc.if_else(pc.equal(owed, 0), disposition.ENDED, owing)  # None without a balance
    return loans.set_column(at, loans.schema.field(at), pc.coalesce(stated, known))


def _renumbered(table: pa.Table, column: str, ids: pa.Array) -> pa.Table:
    """The table with the new rows in place of a column's."""
    at = table.schema.get_field_index(column)
    return table.set_column(at, table.schema.field(at), ids.take(table[column].combine_chunks()))


def _shifted(table: pa.Table, column: str, by: int) -> pa.Table:
    if not by:
        return table
    at = table.schema.get_field_index(column)
    moved = pc.add(table[column], pa.scalar(by, pa.int32()))
    return table.set_column(at, table.schema.field(at), moved)


def _check_numbers(numbers: pa.ChunkedArray) -> None:
    if not len(numbers):
        raise ImportRefused("There is no loan in what was to be loaded; nothing was changed")
    if pc.count_distinct(numbers).as_py() == len(numbers):
        return
    counts = Counter(numbers.to_pylist())
    double = next(number for number, count in counts.items() if count > 1)
    raise ImportRefused(
        f"Loan number '{double}' occurs in two sources; load one of them under another --deal name"
    )
