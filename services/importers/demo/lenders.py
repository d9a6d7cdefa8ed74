"""The lending parties: insurers, banks, private lenders and their funds, trusts, servicers."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from services.contract.vocabulary import LAYER_KINDS
from services.importers.demo.assumptions import Assumptions, Ints
from services.importers.demo.draws import (
    Generator,
    chance,
    hundredths,
    runs,
    scaled,
    weighted,
    zipf,
)
from services.importers.demo.names import coined, combined, drawn, figures, joined, picked
from services.importers.demo.register import Register
from services.importers.demo.securitisations import CMBS, MONTHS

INSURANCE, PRIVATE = LAYER_KINDS.index("insurance"), LAYER_KINDS.index("private credit")
SHELVES = 8  # names that trusts are issued under
QUARTERS = 4  # of a year
FUND_WEIGHTS = np.array([0.45, 0.35, 0.20])  # one, two or three funds to a private lender


@dataclass(frozen=True, slots=True)
class Lenders:
    """Rows of the register by layer kind (none for trusts), and the private lenders' funds."""

    first: Ints
    count: Ints
    first_fund: Ints  # by private lender
    funds: Ints


def lenders(rng: Generator, data: Assumptions, register: Register, *, loans: int) -> Lenders:
    """Enter insurers, banks and private lenders, then the funds and what stands behind them."""
    total = scaled(data, "lenders", loans)
    count = np.rint(total * data.of_layer["share"]).astype(np.int64)
    count = np.where(data.of_layer["share"] > 0, np.maximum(count, 1), 0)
    first = np.zeros(len(LAYER_KINDS), dtype=np.int64)
    stems = []
    for kind, forms in enumerate(data.lender_forms):
        rows = int(count[kind])
        stem, form = combined(rng, rows, coined(data.words), pa.array(forms))
        stems.append(stem)
        sure = hundredths(rng, 93, 100, rows)
        first[kind] = register.enter("lender", joined(stem, " ", form), sure)
    funds = 1 + weighted(rng, FUND_WEIGHTS, int(count[PRIVATE]))
    first_fund = _funds(rng, data, register, stems[PRIVATE], funds)
    _sources(
        rng,
        data,
        register,
        funds=first_fund + np.arange(funds.sum()),
        insurers=first[INSURANCE] + np.arange(count[INSURANCE]),
    )
    return Lenders(first, count, first_fund + np.cumsum(funds) - funds, funds)


def _funds(
    rng: Generator, data: Assumptions, register: Register, stems: pa.Array, funds: Ints
) -> int:
    """Funds named for their lender, "Wexendale Senior Loan Fund II LP"."""
    owner, place = runs(funds)
    form = drawn(rng, data.words["debt_fund_form"], len(funds))
    numeral = picked(data.words["numeral"], place)
    names = joined(picked(stems, owner), " ", picked(form, owner), numeral, " LP")
    return register.enter("fund", names, hundredths(rng, 85, 99, len(owner)))


def _sources(
    rng: Generator, data: Assumptions, register: Register, *, funds: Ints, insurers: Ints
) -> None:
    """An institution, an insurer or both behind each fund (D28)."""
    rows = len(funds)
    count = max(2, rows // 3)
    stem, form = combined(rng, count, coined(data.words), data.words["source_form"])
    first = register.enter("fund", joined(stem, " ", form), hundredths(rng, 85, 99, count))
    insured = chance(rng, 0.4, rows)
    backed = np.flatnonzero(~insured | chance(rng, 0.6, rows))
    backer = first + weighted(rng, zipf(count, power=0.7, offset=1), len(backed))
    sure = hundredths(rng, 58, 96, len(backed))
    register.tie("capital_source", backer, sure, entity=funds[backed])
    covered = np.flatnonzero(insured)
    insurer = insurers[rng.integers(0, len(insurers), len(covered))]
    sure = hundredths(rng, 60, 96, len(covered))
    register.tie("capital_source", insurer, sure, entity=funds[covered])


def trusts(
    rng: Generator, data: Assumptions, register: Register, quarters: Ints, trust: Ints
) -> Ints:
    """Row of the register of each securitised loan's trust, "Norrenkeld ... Trust 2019-C3".

    `trust` are rows of `quarters`, the first months of their quarters in order of time. A trust is
    numbered by its quarter; where a year has more of them than shelves, numbers go on from there.
    """
    used, holder = np.unique(trust, return_inverse=True)
    month = quarters[used]
    years, of_year, made = np.unique(month // 12, return_inverse=True, return_counts=True)
    _, place = runs(made)
    (shelf,) = combined(rng, SHELVES, coined(data.words))
    turn = rng.integers(0, SHELVES, len(years))[of_year]  # each year begins with another shelf
    form = data.lender_forms[CMBS][0]
    names = joined(
        picked(shelf, (place + turn) % SHELVES),
        f" {form} ",
        figures(month // 12 + 1970),
        "-C",
        figures(month % 12 // MONTHS + 1 + QUARTERS * (place // SHELVES)),
    )
    first = register.enter("trust", names, hundredths(rng, 96, 100, len(used)))
    return first + holder


def parties(
    rng: Generator, data: Assumptions, register: Register, kind: str, *, loans: int
) -> tuple[int, int]:
    """Enter servicers or originators; row of the first, and how many."""
    count = scaled(data, f"{kind}s", loans)
    stem, form = combined(rng, count, coined(data.words), data.words[f"{kind}_form"])
    return register.enter(kind, joined(stem, " ", form), hundredths(rng, 92, 100, count)), count
