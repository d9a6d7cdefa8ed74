"""What the income of a loan is of, as data; the fact `income_basis` is the same in words (D52)."""

from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

#: What DSCR rests on.
Measure = Literal["NCF", "NOI"]
#: What else is so of the amounts of a filed period, in the order in which it is said.
Remark = Literal[
    "some statements missing",
    # Scaled to a year from another period.
    "annualised",
    # By a trade that earns by the season.
    "seasonal",
    # As filed, though the dates are those of a part of a year.
    "amounts of a year",
    # By the debt service of the same statement, where no DSCR is filed.
    "DSCR computed",
]
_MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)
_REMARKS: Final[tuple[Remark, ...]] = get_args(Remark)
_UNDERWRITTEN: Final = "underwritten"


@dataclass(frozen=True, slots=True)
class IncomeBasis:
    """The basis of NOI, NCF and DSCR in place."""

    #: None where a source's own words name neither.
    measure: Measure | None
    #: The filed period: "1 Jan to 30 Sep 2025, 9 months"; empty where it is not said.
    period: str = ""
    #: The figures are those of underwriting, and no period is filed.
    underwritten: bool = False
    remarks: tuple[Remark, ...] = ()

    @property
    def of(self) -> str:
        """Of when the income is and how it was made a year's, without the measure."""
        listed = (self.period or (_UNDERWRITTEN if self.underwritten else ""), *self.remarks)
        return ", ".join(part for part in listed if part)

    @property
    def of_a_year(self) -> bool:
        """Whether the amounts are those of a year, whatever the dates of the period."""
        return "amounts of a year" in self.remarks

    @property
    def of_dscr(self) -> str:
        """What DSCR is of, which is not made a year's: "NCF, ..., 9 months, as filed"."""
        kept = replace(self, remarks=tuple(one for one in self.remarks if one != "annualised"))
        filed = kept != self and "DSCR computed" not in kept.remarks
        return f"{kept.words}, as filed" if filed else kept.words

    @property
    def words(self) -> str:
        """The fact: "NCF, 1 Jan to 30 Sep 2025, 9 months, annualised"."""
        # Of another source, whose own words begin with the measure.
        if self.measure and self.of.startswith(self.measure):
            return self.of
        return ", ".join(part for part in (self.measure, self.of) if part)

    @classmethod
    def read(cls, words: str) -> "IncomeBasis":
        """The basis that `words` say; what is not in our own words is the period."""
        measure = next((one for one in _MEASURES if words.startswith(one)), None)
        said = [part for part in words.split(", ") if part != measure]
        return cls(
            measure,
            ", ".join(one for one in said if one not in _REMARKS and one != _UNDERWRITTEN),
            underwritten=_UNDERWRITTEN in words.casefold(),
            remarks=tuple(remark for remark in _REMARKS if remark in said),
        )
