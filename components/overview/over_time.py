"""What the book's earlier filings tell: which loans that came due were repaid, and trends."""

from components.frame import address, periods
from components.frame.routes import OVERVIEW
from components.overview import repaid, trends
from components.overview.view import OverviewView


def panels() -> None:
    """Both panels; nothing where fewer than two months are kept. While they are closed they ask
    for nothing but which months there are.
    """
    if not periods.over_time() or (asked := address.asked(OverviewView, OVERVIEW)) is None:
        return
    view = address.settled(asked, {}, OverviewView.model_fields)
    repaid.panel(view)
    trends.panel(view)
