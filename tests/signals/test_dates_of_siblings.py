"""Contagion over sources of several dates: siblings of one time count (D213)."""

import numpy as np

from services.contract.vocabulary import SEVERITIES
from services.signals.book_rules import Families, siblings

CRITICAL, SEVERE = SEVERITIES.index("critical"), SEVERITIES.index("severe")
#: Five loans of one owner: two of early 2018, one of a year after, two of December 2025.
DAYS = np.array(
    ["2018-01-12", "2018-01-31", "2019-02-02", "2025-12-11", "2025-12-17"], "datetime64[D]"
)


def ranks(severity, days=DAYS):
    loans = np.arange(len(days))
    owner = np.zeros(len(days), np.int64)
    among = Families(loans, owner, np.ones(1), owner, owner, np.zeros(1, np.int64))
    return siblings(among, np.array(severity, np.int8), days).rank.tolist()


def test_a_finding_of_2018_says_nothing_of_a_loan_of_2025():
    """367 days lie between the second date and the third: neither counts for the other."""
    assert ranks([CRITICAL, SEVERE, 0, 0, 0]) == [1, 2, 0, 0, 0]


def test_a_finding_of_2025_says_nothing_of_a_loan_of_2018():
    assert ranks([0, 0, 0, CRITICAL, 0]) == [0, 0, 0, 0, 2]


def test_of_one_year_all_count_as_of_one_date():
    one_date = np.full(5, DAYS[0])
    of_a_year = DAYS[0] + np.array([0, 30, 100, 200, 366])
    severity = [CRITICAL, SEVERE, 0, SEVERE, 0]
    assert ranks(severity, of_a_year) == ranks(severity, one_date) == [2, 2, 2, 2, 2]
