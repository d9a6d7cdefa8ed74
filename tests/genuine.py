"""Genuine filings of the shared data folder that tests read; none of it lies in this project."""

from pathlib import Path
from typing import Final

from services.importers.sec_absee import portfolio
from tests.publishing import built_once, load

SHARED: Final = Path(__file__).parents[2] / "shared/data"
#: UBS 2017-C1 from July 2017 to June 2024, a file a month: the packaged track record ran over them.
SEVEN_YEARS: Final = sorted(SHARED.glob("sec-absee-history/UBS_2017-C1__rpt_*.xml"))
#: Those from January 2019 to December 2021, of which figures were typed by hand.
THREE_YEARS: Final = [path for path in SEVEN_YEARS if path.stem[-7:-3] in {"2019", "2020", "2021"}]


def seven_years(folder: Path) -> None:
    """Loads them all into a new folder."""
    built_once(folder, b"seven years", lambda made: load(made, portfolio(SEVEN_YEARS)))
