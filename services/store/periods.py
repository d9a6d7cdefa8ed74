"""The periods of a snapshot: files that are never changed again, and that snapshots share.

    periods.json               what each period says of itself, in the order in which they came
    history.duckdb             those that count as tables, for reads (history_tables.py)
    periods/<name>/
      period.json              the same of one: whoever finds it staged reads it
      rows.parquet             one row a loan (contract/period.py)
      said/                    what a reported source said, as in archive/, to be scored again

A name is made of source, as-of date, the hash of what was filed and the hash of what scored it. A
new snapshot has links to the same files, so that they lie on the disk once, and stay until the
last snapshot that names them goes. Until its snapshot is published a period lies in `staged/` of
the store, whole: an import that is interrupted goes on with what lies there.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, fields
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from services.contract.errors import StoreDamaged
from services.contract.period import ENDINGS, HISTORY, KeptPeriod, ScoredPeriod
from services.contract.portfolio import Portfolio
from services.contract.vocabulary import SEVERITIES, SIGNAL_TYPES

from . import archive
from .links import linked_tree
from .snapshot import PERIODS, PERIODS_LISTED, REBUILD, sync

_CARD: Final = "period.json"
_ROWS: Final = "rows.parquet"
_SAID: Final = "said"
#: Where a period is written until it is whole.
_HALF: Final = "half_written"
#: Texts that hardly two loans share, in order or nearly so: as what differs from the one before.
_OWN_TEXTS: Final = ("loan_number", "property_name")
#: Dollars that hardly two loans share: a dictionary of them takes half as much room again.
_OWN_DOLLARS: Final = ("balance", "noi", "ncf", "underwritten_noi")
_ENCODED: Final = {
    **dict.fromkeys(_OWN_TEXTS, "DELTA_BYTE_ARRAY"),
    **dict.fromkeys(_OWN_DOLLARS, "DELTA_BINARY_PACKED"),
}
_ODD: Final = re.compile(r"[^A-Za-z0-9]+")


def _name(period: ScoredPeriod, rows_file: Path) -> str:
    """The name of a period: source, date, what was filed and read of it, what scored it."""
    info = period.source.info
    said = json.dumps({**asdict(info), "as_of": info.as_of.isoformat()}, sort_keys=True)
    word = _ODD.sub("-", info.title)[:40].strip("-") or "source"
    filed = _hash(said.encode() + rows_file.read_bytes())
    return f"{word}-{_hash(info.key.encode())}_{info.as_of}_{filed}_{period.by.mark}"


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:8]


def write(folder: Path, period: ScoredPeriod) -> KeptPeriod:
    """Writes a period into `folder`, under its name; it is there whole or not at all."""
    info = period.source.info
    own = folder / _HALF
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    pq.write_table(
        period.rows,
        own / _ROWS,
        compression="zstd",
        use_dictionary=[name for name in HISTORY.names if name not in _ENCODED],
        column_encoding=_ENCODED,
    )
    name = _name(period, own / _ROWS)
    kept = KeptPeriod(
        name=name,
        source=info.key,
        title=info.title,
        importer=info.importer,
        as_of=info.as_of,
        provenance=info.provenance,
        loans=_loans(period.rows),
        balance=_owed(period.rows),
        files=info.files,
        sha256=info.sha256,
        rules_version=period.by.rules_version,
        mark=period.by.mark,
    )
    if info.provenance != "synthetic":
        archive.save_one(own / _SAID, period.source)
    (own / _CARD).write_text(json.dumps(_card(kept)), encoding="utf-8")
    for path in filter(Path.is_file, own.rglob("*")):
        sync(path)
    shutil.rmtree(folder / name, ignore_errors=True)
    own.rename(folder / name)
    sync(folder)
    return kept


def _loans(rows: pa.Table) -> int:
    """Notes of one loan are one (D181)."""
    return int(pc.count_distinct(pc.coalesce(rows["whole_loan"], rows["loan_number"])).as_py())


def _owed(rows: pa.Table) -> int:
    adds = pc.invert(pc.fill_null(rows["sums_notes"], False))
    return int(pc.sum(rows["balance"].filter(adds)).as_py() or 0)


def staged(folder: Path) -> list[KeptPeriod]:
    """The whole periods in a folder, by name; what was half-written is passed over."""
    found = []
    for own in sorted(folder.glob("*_*")):
        if own.name != _HALF:
            with suppress(OSError, ValueError, LookupError, TypeError):
                found.append(_kept(json.loads((own / _CARD).read_bytes())))
    return found


def read(snapshot: Path, passed_over: Callable[[str], None] | None) -> list[KeptPeriod]:
    """The periods of a snapshot whose files are as they were written, in the order in which they
    came. `passed_over` hears of any other in a sentence; without it that raises StoreDamaged.
    """
    found = []
    for one in listed(snapshot):
        try:
            archive.check(snapshot, f"{PERIODS}/{one.name}")
        except StoreDamaged:
            if passed_over is None:
                raise
            passed_over(
                f"The period of {one.title} as of {one.as_of} does not read and was passed over;"
                f" it was read of {', '.join(one.files) or 'no file'}"
            )
        else:
            found.append(one)
    return found


def listed(snapshot: Path) -> list[KeptPeriod]:
    """The periods of a snapshot in the order in which they came. Raises StoreDamaged."""
    try:
        return [_kept(said) for said in json.loads((snapshot / PERIODS_LISTED).read_bytes())]
    except FileNotFoundError:
        return []  # of a snapshot of before there were periods
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise StoreDamaged(
            f"'{PERIODS_LISTED}' of {snapshot.name} does not read ({type(error).__name__});"
            f" {REBUILD}"
        ) from None


def _kept(said: dict[str, Any]) -> KeptPeriod:
    said["as_of"] = date.fromisoformat(said["as_of"])
    said |= {name: tuple(said[name]) for name in ("files", "sha256")}
    return KeptPeriod(**{spec.name: said[spec.name] for spec in fields(KeptPeriod)})


def _card(kept: KeptPeriod) -> dict[str, Any]:
    return {**asdict(kept), "as_of": kept.as_of.isoformat()}


def counting(kept: Iterable[KeptPeriod]) -> list[KeptPeriod]:
    """Of each source and date the period that came last, by date, then source."""
    last = {one.filed: one for one in kept}
    return sorted(last.values(), key=lambda one: (one.as_of, one.source))


def rows(own: Path) -> pa.Table:
    """The rows of a period. In one that was written before contagion was a lead (D279) the worst
    signal is the worst of them all.
    """
    table = pq.read_table(own / _ROWS, schema=HISTORY, memory_map=False)
    if "worst" in pq.read_schema(own / _ROWS, memory_map=False).names:
        return table
    words = pa.array(SEVERITIES)
    ranks = [pc.index_in(table[kind], value_set=words) for kind in SIGNAL_TYPES]
    worst = words.take(pc.max_element_wise(*ranks).combine_chunks())
    return table.set_column(table.num_columns - 1, HISTORY.field("worst"), worst)


def endings(own: Path, as_of: date) -> pa.Table:
    """As ENDINGS, of the loans of which a period says what was owed before they ended."""
    found = pq.read_table(
        own / _ROWS,
        schema=HISTORY,
        columns=[name for name in ENDINGS.names if name != "as_of"],
        filters=pc.field("owed_before").is_valid(),
        memory_map=False,
    )
    days = pa.array([as_of] * found.num_rows, pa.date32())
    return found.add_column(0, ENDINGS.field("as_of"), days).cast(ENDINGS)


def portfolio(own: Path) -> Portfolio | None:
    """What its source said; None where that is not kept."""
    return archive.load_one(folder) if (folder := said(own)) else None


def said(own: Path) -> Path | None:
    """The folder of what its source said; None where that is not kept."""
    return own / _SAID if (own / _SAID).is_dir() else None


def link(own: Path, into: Path) -> None:
    """Puts a period into a snapshot's folder: the same files, by links where the disk has them."""
    (into / PERIODS).mkdir(exist_ok=True)
    linked_tree(own, into / PERIODS / own.name)


def write_list(snapshot: Path, kept: Iterable[KeptPeriod]) -> None:
    """Says which periods a snapshot has, in the order in which they came."""
    text = json.dumps([_card(one) for one in kept], indent=0)
    (snapshot / PERIODS_LISTED).write_text(text, encoding="utf-8")
