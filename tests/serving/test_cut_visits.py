"""Pages that are left before they are drawn: no page is ever drawn by what was asked of another.

Pins S11 of components/README.md.
"""

import random
import time

import pytest

from tests.tiers import amounts
from tests.visitors import session

#: Page changes that are cut short, and how long after, in seconds: before the page has read its
#: address, while it does, and once it draws.
SOONEST, LATEST = 0.001, 0.040
#: Pages whose addresses share parameters, each with what its address may ask for.
LEFT = ["signals?state=TX", "sponsors?state=TX&order=name", "what_if?noi=-10&state=CA", "watchlist"]


def addresses(found):
    """What the browser's address was made, in order."""
    return [
        one.page_info_changed.query_string
        for one in found.messages
        if one.WhichOneof("type") == "page_info_changed"
    ]


@pytest.mark.parametrize("cuts", amounts(40, 200))
def test_a_page_that_was_left_before_it_was_drawn_leaves_nothing_to_the_next(server, cuts):
    moments = random.Random(20)
    broken, changed = [], []
    ahead = [(LEFT[number % len(LEFT)], moments.uniform(SOONEST, LATEST)) for number in range(cuts)]
    while ahead:
        with session(server) as browser:
            browser.waits("loans")
            while ahead:
                left, after = ahead.pop()
                browser.asks(left)
                time.sleep(after)
                found = browser.waits("loans")
                if found.fault():
                    broken.append((left, after))
                    break
                if "All loans" not in found.words or any(addresses(found)):
                    changed.append((left, after, addresses(found)))
                    break
    said = f"of {cuts}, {len(broken)} are broken and {len(changed)} show another page's filter"
    assert not broken, said
    assert not changed, said
