"""Pages that are left before they are drawn: no page is ever drawn by what was asked of another.

Pins S11 of components/README.md, and D256.
"""

import random
import time
from urllib.parse import parse_qs

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from components.platform.runtime import TitlesKept
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


def test_what_a_cut_run_said_of_itself_stays_before_its_query():
    queue = TitlesKept()
    title, query, drawn, finished = (ForwardMsg() for _ in range(4))
    title.page_config_changed.title = "Credit Atlas\t/signals?state=TX\t/signals"
    query.page_info_changed.query_string = "state=TX"
    drawn.delta.new_element.empty.SetInParent()
    finished.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
    for one in (title, drawn, query, finished):
        queue.enqueue(one)
    queue.clear(retain_lifecycle_msgs=True)
    kept = queue.flush()
    assert kept[:2] == [title, query]
    assert [one.script_finished for one in kept[2:]] == [ForwardMsg.FINISHED_EARLY_FOR_RERUN]
    for one in (title, drawn):
        queue.enqueue(one)
    queue.clear()
    assert queue.is_empty()


def strays(messages):
    """Queries that come behind the title of a run for another page."""
    asked_of = {page: parse_qs(query) for page, _, query in (one.partition("?") for one in LEFT)}
    found, title = [], ""
    for one in messages:
        kind = one.WhichOneof("type")
        if kind == "page_config_changed" and "\t" in one.page_config_changed.title:
            title = one.page_config_changed.title
        query = parse_qs(one.page_info_changed.query_string)
        if kind == "page_info_changed" and query:
            page = title.partition("\t/")[2].partition("?")[0]
            if query != asked_of.get(page):
                found.append((title, query))
    return found


@pytest.mark.parametrize("cuts", amounts(40, 200))
def test_a_query_of_a_page_that_was_left_comes_behind_its_own_title(server, cuts):
    """By the title the browser knows what a query is for (D256)."""
    moments = random.Random(21)
    strayed = []
    with session(server) as browser:
        browser.waits("loans")
        for number in range(cuts):
            left = LEFT[number % len(LEFT)]
            browser.asks(left)
            time.sleep(moments.uniform(SOONEST, LATEST))
            strayed += strays(browser.waits("loans").all_messages)
    assert not strayed, strayed
