"""Genuine filings of the shared data folder that tests read; none of it lies in this project."""

from pathlib import Path
from typing import Final

SHARED: Final = Path(__file__).parents[2] / "shared/data"
#: UBS 2017-C1 from January 2019 to December 2021, a file a month: the months over which the
#: packaged track record ran, and of which figures were typed by hand.
THREE_YEARS: Final = sorted(
    path
    for year in (2019, 2020, 2021)
    for path in SHARED.glob(f"sec-absee-history/UBS_2017-C1__rpt_{year}-*.xml")
)
