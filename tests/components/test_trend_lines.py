"""Lines of trends: nothing is drawn over months of which no filing is loaded."""

from datetime import date

import pytest

from components.overview.trend_charts import lines
from components.overview.trend_lines import Line


@pytest.mark.parametrize(
    ("months", "breaks"),
    [
        ([(2024, 4), (2024, 5), (2024, 6), (2025, 12)], [3]),  # one deal, then another
        ([(2024, 3), (2024, 6), (2024, 9), (2024, 12)], []),  # a book by quarters
        ([(2024, 1), (2024, 2), (2024, 4), (2024, 5), (2024, 6), (2024, 9)], [2, 6]),
        ([(2024, 1)], []),
    ],
)
def test_a_line_breaks_where_months_are_missing(months, breaks):
    days = tuple(date(*one, 1) for one in months)
    line = Line("All", days, tuple(float(at) for at in range(len(days))), ("said",) * len(days), 0)
    (drawn,) = lines([line], "%").data
    assert [at for at, value in enumerate(drawn.y) if value is None] == breaks
    assert [value for value in drawn.y if value is not None] == list(line.values)
    assert len(drawn.x) == len(drawn.y) == len(drawn.customdata)
