"""Files to take away: raw values, what was asked, as of when, from where; safe in a spreadsheet."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from components.frame import session
from components.kit import text
from services.contract.facts import FACT
from services.contract.loaded import Snapshot

if TYPE_CHECKING:
    import pyarrow as pa

#: A cell that begins with one of these is run as a formula by spreadsheets.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a file come from, as its header says it."""

    as_of: str
    source: str
    provenance: str
    snapshot: str = ""


def origin(*, live: bool = False) -> Origin:
    """Where rows come from: the snapshot that answers, or with `live` what answers the six reads.

    Over an API the six reads are live answers, whatever its mirror holds.
    """
    if live and (upstream := session.workspace().upstream):
        asked = f"asked on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        return Origin(asked, upstream.label, "as the API gives it")
    return of_snapshot(session.analytics().snapshot())


def of_snapshot(snapshot: Snapshot) -> Origin:
    """The origin of rows that a snapshot holds."""
    return Origin(
        snapshot.as_of.isoformat(),
        "; ".join(source.title for source in snapshot.sources),
        ", ".join(sorted({source.provenance for source in snapshot.sources})),
        snapshot.snapshot_id,
    )


def as_csv(what: str, shown: str, table: "pa.Table", of: Origin) -> bytes:
    """CSV (UTF-8) of a table: a header that says what it is, then rows.

    Integers, percent figures and ISO dates as they are; empty where not known (D18).
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv as pa_csv

    columns = []
    for column in table.columns:
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            risky = pc.match_substring_regex(column, r"^[=+\-@\t\r\n]")
            column = pc.if_else(risky, pc.binary_join_element_wise("'", column, ""), column)  # noqa: PLW2901
        columns.append(column)
    names = [FACT[name].header if name in FACT else name for name in table.column_names]
    facts = (
        ("Credit Atlas", what),
        ("Shown", shown),
        ("Rows", str(table.num_rows)),
        ("As of", of.as_of),
        ("Source", of.source),
        ("Provenance", of.provenance),
        ("Snapshot", of.snapshot),
    )
    out = io.BytesIO()
    out.write(_head([(name, value) for name, value in facts if value]))
    pa_csv.write_csv(
        pa.table(columns, names=names), out, pa_csv.WriteOptions(quoting_style="needed")
    )
    return out.getvalue()


def _head(facts: Sequence[tuple[str, str]]) -> bytes:
    head = io.StringIO()
    writer = csv.writer(head, lineterminator="\n")
    for name, value in facts:
        writer.writerow((f"# {name}", safe(value)))
    return head.getvalue().encode()


def safe(value: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{value}" if value.startswith(_FORMULA) else value


def download(label: str, make: Callable[[], bytes], file_name: str, *, live: bool = False) -> None:
    """A button that builds its file only when it is pressed, from the source now on screen.

    All rows come from a snapshot, and over an API without its mirror the button says so (D33);
    with `live` they are answers of the six reads, which need none.
    """
    if not live and not session.mirrored():
        st.button(
            text.label(label), disabled=True, icon=":material/download:", help="Needs the mirror."
        )
        return
    of = session.workspace()

    def build() -> bytes:
        with session.lease(of):
            return make()

    st.download_button(
        text.label(label),
        data=build,
        file_name=file_name,
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
    )
