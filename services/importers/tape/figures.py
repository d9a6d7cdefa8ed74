"""Figures of tapes: "$27,000,000", "(1,000)", "12.4M", "5.25 %", "1.51x", "1.234,56".

A whole column at once, for a tape has millions of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

#: What stands between whole and part: "1,234.5" or "1.234,5".
Mark = Literal[".", ","]
#: RE2, as Arrow has it: names of what is found, no look-behind.
_FIGURE: Final = (
    r"(?i)^(?P<open>\()?\s*(?P<sign>[-+\x{2212}])?\s*(?:US\$|USD|[$\x{20ac}\x{a3}])?\s*"
    r"(?P<late>[-\x{2212}])?\s*(?P<digits>[.,]?\d[\d.,'\x{2019}\x{a0} ]*?)"
    r"(?:E(?P<power>[+-]?\d{1,2}))?\s*"
    r"(?P<unit>%|bps?|x|k|m|mm|mn|mil|million|b|bn|billion|thousand|sf|sq\.? ?ft\.?)?\s*"
    r"(?:USD)?\s*(?P<minus>-)?\s*(?P<close>\))?$"
)
_SCALES: Final = {
    **dict.fromkeys(("k", "thousand"), 1e3),
    **dict.fromkeys(("m", "mm", "mn", "mil", "million"), 1e6),
    **dict.fromkeys(("b", "bn", "billion"), 1e9),
}
_BY_MARK: Final[dict[Mark, str]] = {
    ".": r"^(?:\d{1,3}(?:[,'\x{2019}\x{a0} ]\d{3})+|\d+)?(?:\.\d*)?\s*$",
    ",": r"^(?:\d{1,3}(?:[.'\x{2019}\x{a0} ]\d{3})+|\d+)?(?:,\d*)?\s*$",
}
_LONGEST: Final = 40
#: Decimals to which a scaled figure is the one that was written: 1.0005K is 1000.5.
_EXACT: Final = 8

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """Figures of texts, in their order."""

    #: NaN where a text is no figure.
    amount: Floats
    #: Those written with a "%", and those in basis points.
    percent: Flags
    points: Flags

    @property
    def unsigned(self) -> Flags:
        """Figures that do not say their unit."""
        return ~np.isnan(self.amount) & ~self.percent & ~self.points


def figures(texts: Sequence[str], mark: Mark = ".") -> Figures:
    """What texts say, with that mark before their decimals."""
    found = _found(texts)
    digits = pc.struct_field(found, "digits")
    reads = pc.and_(
        pc.match_substring_regex(digits, _BY_MARK[mark]),
        pc.equal(_there(found, "open"), _there(found, "close")),
    )
    plain = pc.replace_substring_regex(digits, "[^0-9.]" if mark == "." else "[^0-9,]", "")
    plain = pc.replace_substring(plain, ",", ".")
    power = pc.struct_field(found, "power")
    raised = pc.if_else(pc.equal(power, ""), plain, pc.binary_join_element_wise(plain, power, "e"))
    reads = pc.fill_null(reads, False)
    written = pc.if_else(reads, raised, pa.scalar(None, pa.string()))
    amount = pc.cast(written, pa.float64()).fill_null(np.nan).to_numpy(zero_copy_only=False).copy()
    unit = pc.utf8_lower(pc.struct_field(found, "unit")).fill_null("").dictionary_encode()
    words = unit.dictionary.to_pylist()
    of = unit.indices.to_numpy()
    scales = np.array([_SCALES.get(word, 1.0) for word in words])[of] if len(texts) else np.ones(0)
    scaled = scales != 1.0
    amount[scaled] = np.round(amount[scaled] * scales[scaled], _EXACT)
    below = [
        pc.is_in(pc.struct_field(found, name), pa.array(["-", "\u2212"]))
        for name in ("sign", "late", "minus")
    ]
    negative = _there(found, "open")
    for one in below:
        negative = pc.or_(negative, one)
    amount[negative.fill_null(False).to_numpy(zero_copy_only=False)] *= -1

    def has(*which: str) -> Flags:
        return (
            np.array([word in which for word in words], bool)[of]
            if len(texts)
            else np.zeros(0, bool)
        )

    return Figures(amount, has("%"), has("bp", "bps"))


def _found(texts: Sequence[str]) -> pa.Array:
    given = pa.array(texts, pa.string())
    short = pc.less_equal(pc.utf8_length(given), _LONGEST)
    return pc.extract_regex(pc.if_else(short, given, ""), _FIGURE)


def _there(found: pa.Array, name: str) -> pa.Array:
    return pc.not_equal(pc.struct_field(found, name), "")


class Marks(NamedTuple):
    """How many cells can be read with a point before their decimals alone, and with a comma alone,
    and how many with both, each a figure of its own.
    """

    point: int
    comma: int
    either: int


def marks(texts: Sequence[str], times: NDArray[np.int64]) -> Marks:
    """Evidence of a column: texts, and how often each stands in it."""
    digits = pc.struct_field(_found(texts), "digits")
    parted = pc.match_substring_regex(digits, "[.,]")

    def fits(mark: Mark) -> Flags:
        found = pc.and_(parted, pc.match_substring_regex(digits, _BY_MARK[mark]))
        return np.asarray(found.fill_null(False).to_numpy(zero_copy_only=False), bool)

    point, comma = fits("."), fits(",")
    return Marks(
        int(times[point & ~comma].sum()),
        int(times[comma & ~point].sum()),
        int(times[point & comma].sum()),
    )
