"""Genuine filings of the shared data folder that tests read; none of it lies in this project."""

from pathlib import Path
from typing import Final

from services.importers.sec_absee import portfolio
from tests.publishing import built_once, load

SHARED: Final = Path(__file__).parents[2] / "shared/data"
#: UBS 2017-C1 from July 2017 to June 2024, a file a month: the packaged track record ran over them.
SEVEN_YEARS: Final = sorted(SHARED.glob("sec-absee-history/UBS_2017-C1__rpt_*.xml"))
#: One filing each of two other trusts: made two months before, and with five defeased loans.
BANK5: Final = SHARED / "sec-absee/BANK5_2025-5YR19__rpt_2025-12-11.xml"
GS6: Final = SHARED / "sec-absee-retyped/GS_2017-GS6__rpt_2026-06.xml"
#: Those from January 2019 to December 2021, of which figures were typed by hand.
THREE_YEARS: Final = [path for path in SEVEN_YEARS if path.stem[-7:-3] in {"2019", "2020", "2021"}]


def seven_years(folder: Path) -> None:
    """Loads them all into a new folder."""
    built_once(folder, b"seven years", lambda made: load(made, portfolio(SEVEN_YEARS)))
