"""Reference rates by date: Treasury constant maturities and SOFR, packaged or from a user's CSV.

Packaged figures: Federal Reserve H.15 and New York Fed, public facts. Tenor rule and the meaning
of "newest": services/signals/README.md, D26.
"""

import csv
import io
import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from services.contract.errors import ImportRefused
from services.contract.vocabulary import SERIES

_COLUMNS: Final = ["date", "series", "percent"]
_PLAUSIBLE_PCT: Final = (-5.0, 30.0)
_MAX_BYTES: Final = 16 * 1024 * 1024
#: A tenor quoted so many days before the newest 10-year is not quoted at that date: month-end
#: tables skip up to five weeks, and a rate of last summer is not today's.
_STALE_DAYS: Final = 45


@dataclass(frozen=True, slots=True)
class Quote:
    """One published rate."""

    series: str
    date: date
    #: Percent figure: 4.12 is 4.12 %.
    percent: float


@dataclass(frozen=True, slots=True, eq=False)
class RefiBases:
    """The reference rate of each loan: `code` is a row's index into `quotes`, -1 without one."""

    #: A quote that is in use at several as-of dates stands here once for each.
    quotes: tuple[Quote, ...]
    #: The as-of date at which each quote is in use.
    as_of: tuple[date, ...]
    code: NDArray[np.integer]

    def percent(self) -> NDArray[np.float64]:
        """Percent figure of each row, NaN where there is no quote."""
        percents = np.array([*(quote.percent for quote in self.quotes), math.nan])
        found: NDArray[np.float64] = percents[self.code]
        return found


def tenor_of(original_term_months: float | None) -> str:
    """Series that a loan of this ORIGINAL term is priced over.

    Above 8 years DGS10, above 6 years DGS7, else DGS5. An unknown term (None, NaN, not above
    zero) takes DGS10.
    """
    if original_term_months is None or not original_term_months > 0:
        return "DGS10"
    if original_term_months > 8 * 12:
        return "DGS10"
    return "DGS7" if original_term_months > 6 * 12 else "DGS5"


@dataclass(frozen=True, slots=True)
class ReferenceRates:
    """A dated table of reference rates; immutable and hashable, so that it can key a cache."""

    #: "packaged", or the name of the user's file (never its path).
    origin: str
    #: Ordered by series, then date; no two of one series and date.
    quotes: tuple[Quote, ...]

    @classmethod
    def packaged(cls) -> "ReferenceRates":
        """The table that ships with the program."""
        text = files("services.rates").joinpath("reference_rates.csv").read_text(encoding="utf-8")
        return _parse(text, "packaged")

    @classmethod
    def read(cls, path: Path) -> "ReferenceRates":
        """A user's table: UTF-8 CSV with the header `date,series,percent`.

        Raises ImportRefused, in one sentence naming file and line, for a file that does not read, a
        value that is not what its column says, a date and series given twice, or no DGS10 at all.
        """
        try:
            with path.open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
            text = data.decode("utf-8-sig")
        except OSError as error:
            reason = error.strerror or "it cannot be opened"
            raise ImportRefused(f"Reference rates {path.name} do not read: {reason}.") from error
        except UnicodeDecodeError as error:
            raise ImportRefused(
                f"Reference rates {path.name} are not UTF-8 text; save the file as CSV UTF-8."
            ) from error
        if len(data) > _MAX_BYTES:
            raise ImportRefused(
                f"Reference rates {path.name} exceed {_MAX_BYTES // 1024**2} MiB; "
                "give one row a date and series."
            )
        return _parse(text, path.name)

    def on(self, series: str, day: date) -> Quote | None:
        """The newest quote of `series` not after `day` (D26), None where there is none.

        Raises ValueError for a series that no table holds.
        """
        if series not in SERIES:
            raise ValueError(f"no such series: {series}")
        after = bisect_right(
            self.quotes, (series, day), key=lambda quote: (quote.series, quote.date)
        )
        quote = self.quotes[after - 1] if after else None
        return quote if quote and quote.series == series else None

    def refi_base(self, original_term_months: float | None, day: date) -> Quote | None:
        """The reference rate that a loan of this original term would be refinanced over on `day`.

        Tenor by `tenor_of`; where the date lacks one, DGS10. It lacks one where there is none on
        or before `day`, and where the newest is over 45 days older than the newest DGS10. None
        only where the table has no DGS10 either: then a refi rate is not testable, not an error.
        """
        return self.quoted(tenor_of(original_term_months), day) or self.on("DGS10", day)

    def quoted(self, series: str, day: date) -> Quote | None:
        """The newest quote of `series` not after `day`, unless it is stale beside DGS10."""
        quote, ten_year = self.on(series, day), self.on("DGS10", day)
        if quote and ten_year and (ten_year.date - quote.date).days > _STALE_DAYS:
            return None
        return quote

    def refi_bases(
        self, original_term_months: NDArray[np.float64], as_of: date | NDArray[np.datetime64]
    ) -> RefiBases:
        """`refi_base` of many loans at once, in their order; NaN is an unknown original term.

        `as_of` is the date of all of them, or the date of each (datetime64[D]).
        """
        terms = original_term_months
        conditions = [terms > 8 * 12, terms > 6 * 12, terms > 0]
        tenor = np.select(conditions, [0, 1, 2], default=0)
        when = np.asarray(as_of, "datetime64[D]")
        each, at = np.unique(when, return_inverse=True)
        days: list[date] = each.tolist()
        found = [
            [(self.refi_base(months, day), day) for months in (120.0, 84.0, 60.0)] for day in days
        ]
        known = dict.fromkeys((quote, day) for row in found for quote, day in row if quote)
        place = {one: code for code, one in enumerate(known)}
        few = len(place) <= np.iinfo(np.int8).max
        codes = np.array(
            [[place[quote, day] if quote else -1 for quote, day in row] for row in found],
            dtype=np.int32,
        ).reshape(-1, 3)
        return RefiBases(
            tuple(quote for quote, _ in known),
            tuple(day for _, day in known),
            (codes.astype(np.int8) if few else codes)[at.reshape(when.shape), tenor],
        )

    def refi_quotes(self, day: date) -> dict[str, Quote]:
        """Treasury series -> the quote in use on `day`: what "reference rates as of" names."""
        found = ((series, self.quoted(series, day)) for series in ("DGS5", "DGS7", "DGS10"))
        return {series: quote for series, quote in found if quote}


def _parse(text: str, origin: str) -> ReferenceRates:
    quotes: dict[tuple[str, date], Quote] = {}
    for line, quote in _rows(text, origin):
        key = (quote.series, quote.date)
        if key in quotes:
            raise ImportRefused(
                f"Reference rates {origin}, line {line}: {quote.series} of {quote.date} is given "
                "twice; keep one."
            )
        quotes[key] = quote
    if not any(series == "DGS10" for series, _ in quotes):
        raise ImportRefused(
            f"Reference rates {origin} hold no DGS10 row; add the 10-year Treasury, on which every "
            "other tenor falls back."
        )
    return ReferenceRates(origin, tuple(quotes[key] for key in sorted(quotes)))


def _rows(text: str, origin: str) -> Iterator[tuple[int, Quote]]:
    """Line number and quote of each row; blank lines are skipped. Raises ImportRefused."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        if header != _COLUMNS:
            raise ImportRefused(
                f"Reference rates {origin}, line 1: the header is not date,series,percent; name "
                "the three columns so."
            )
        for row in reader:
            if any(cell.strip() for cell in row):
                try:
                    yield reader.line_num, _quote(row)
                except ValueError as error:
                    raise ImportRefused(
                        f"Reference rates {origin}, line {reader.line_num}: {error}."
                    ) from error
    except csv.Error as error:
        raise ImportRefused(
            f"Reference rates {origin}, line {reader.line_num}: not readable as CSV ({error})."
        ) from error


def _quote(row: list[str]) -> Quote:
    """One row's quote. Raises ValueError with the clause that says what is wrong."""
    if len(row) != len(_COLUMNS):
        raise ValueError(f"{len(row)} values where date,series,percent are three")
    day, series, percent = (cell.strip() for cell in row)
    if series not in SERIES:
        near = get_close_matches(series.upper()[:16], SERIES, n=1)
        hint = f"; did you mean {near[0]}" if near else f"; known are {', '.join(SERIES)}"
        raise ValueError(f"unknown series {series[:32]!r}{hint}")
    try:
        when = date.fromisoformat(day)
    except ValueError:
        raise ValueError(f"{day[:32]!r} is not a date such as 2026-08-31") from None
    try:
        rate = float(percent)
    except ValueError:
        raise ValueError(f"{percent[:32]!r} is not a percent figure such as 4.12") from None
    low, high = _PLAUSIBLE_PCT
    if not low <= rate <= high:
        raise ValueError(f"{percent[:32]!r} lies outside {low:g} to {high:g} percent")
    return Quote(series, when, rate)
