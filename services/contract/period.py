"""A period as it is made and written: one source's portfolio, and one narrow row a loan.

`services/pipeline` makes them, `services/store` keeps them; the reads are in history.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, Protocol

import pyarrow as pa

from .portfolio import Portfolio
from .vocabulary import SIGNAL_TYPES

#: One row a loan, by loan_number: what of a loan is kept of every period. Units as in
#: history.HistoryRow, but LTV to 0.01 % and debt yield to 0.001 %. Of each type of signal the
#: severity, None without one.
HISTORY: Final = pa.schema(
    [
        pa.field("loan_number", pa.string(), nullable=False),
        # The record that stands for the loan, None where the record is alone, and whether the
        # record is the sum of others: both among the records of its own filing.
        pa.field("whole_loan", pa.string()),
        pa.field("sums_notes", pa.bool_()),
        pa.field("property_name", pa.string()),
        pa.field("property_type", pa.string()),
        pa.field("city", pa.string()),
        pa.field("state", pa.string()),
        pa.field("lender", pa.string()),
        pa.field("vintage", pa.int16()),
        pa.field("balance", pa.int64()),
        pa.field("interest_rate", pa.float64()),
        pa.field("rate_type", pa.string()),
        pa.field("maturity_date", pa.date32()),
        pa.field("effective_maturity", pa.date32()),
        pa.field("amortization_months", pa.int16()),
        pa.field("payment_status", pa.string()),
        pa.field("workout", pa.string()),
        pa.field("modification", pa.string()),
        pa.field("modified_on", pa.date32()),
        pa.field("defeasance", pa.string()),
        pa.field("special_servicing", pa.bool_()),
        pa.field("disposition", pa.string()),
        pa.field("realized_loss", pa.int64()),
        # Stated by the filing of the period in which the loan ended alone.
        pa.field("owed_before", pa.int64()),
        pa.field("principal_received", pa.int64()),
        pa.field("dscr", pa.float64()),
        pa.field("income_basis", pa.string()),
        pa.field("income_months", pa.int8()),
        pa.field("income_to", pa.date32()),
        pa.field("noi", pa.int64()),
        pa.field("ncf", pa.int64()),
        pa.field("underwritten_dscr", pa.float64()),
        pa.field("underwritten_noi", pa.int64()),
        pa.field("occupancy", pa.float64()),
        pa.field("value", pa.int64()),
        pa.field("value_date", pa.date32()),
        pa.field("ltv", pa.float64()),
        pa.field("debt_yield", pa.float64()),
        pa.field("dollars_short", pa.int64()),
        *(pa.field(name, pa.string()) for name in SIGNAL_TYPES),
        pa.field("rules", pa.string()),  # ids with spaces between, in order
        pa.field("sponsor", pa.string()),
        pa.field("tenant", pa.string()),
        pa.field("tenant_expires", pa.date32()),
        pa.field("worst", pa.string()),  # severity of the worst signal, contagion left out (D279)
    ]
)


#: What the period in which a loan ended says of it, by loan_number: `as_of` is its date.
ENDINGS: Final = pa.schema(
    [
        pa.field("as_of", pa.date32(), nullable=False),
        *(
            HISTORY.field(name)
            for name in ("loan_number", "owed_before", "principal_received", "value", "value_date")
        ),
    ]
)

#: What becomes of a filing among the periods of its store: it is new, it takes the place of the
#: same filing, it counts from now on where an earlier filing of its date did, or it is there as it
#: is already.
Arrival = Literal["new", "replaced", "corrected", "there"]


@dataclass(frozen=True, slots=True)
class ScoredBy:
    """What scored a period."""

    #: Rules, limits and spreads in words; the same words, the same of all three.
    rules_version: str
    #: Hash of these and of the reference rates of its date.
    mark: str


@dataclass(frozen=True, slots=True)
class ScoredPeriod:
    """What one source said as of one date, scored at that date's rates."""

    source: Portfolio
    #: As HISTORY, by loan_number.
    rows: pa.Table
    by: ScoredBy


@dataclass(frozen=True, slots=True)
class KeptPeriod:
    """A period of a store, as it says itself."""

    name: str
    source: str
    title: str
    importer: str
    as_of: date
    provenance: str
    loans: int
    balance: int
    files: tuple[str, ...]
    sha256: tuple[str, ...]
    rules_version: str
    mark: str

    @property
    def filed(self) -> tuple[str, date]:
        """Source and date, of which several filings may be kept."""
        return self.source, self.as_of


class Reads(Protocol):
    """Reads what a filing holds."""

    def __call__(self, *, progress: Callable[[str, float], None] = ...) -> Portfolio:
        """`progress` gets a stage and the fraction read, of what takes long."""
        ...


@dataclass(frozen=True, slots=True)
class Filing:
    """What may become a period: a source's portfolio that is read when it is needed."""

    #: Key of its source, and hashes of its files.
    source: str
    sha256: tuple[str, ...]
    #: What a sentence calls it.
    name: str
    read: Reads

    @classmethod
    def of(cls, portfolio: Portfolio) -> "Filing":
        """One that was read already."""
        info = portfolio.info
        return cls(info.key, info.sha256, info.title, lambda **_: portfolio)
