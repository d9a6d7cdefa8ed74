"""What an analyst comes for, each done from the page on which they would begin, with the fewest
clicks: 28 jobs, none of which takes more than four.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from services.contract.loan_filter import LoanFilter
from services.store.leases import Store
from tests.browser.conftest import own_desk
from tests.browser.test_explore import draw
from tests.patience import until
from tests.servers import dashboard

pytestmark = [pytest.mark.browser, pytest.mark.long]

#: Clicks that a job may take.
MOST = 4


class Click(NamedTuple):
    """Presses the first part of the page with a role and a name."""

    role: str
    name: str


class Fill(NamedTuple):
    """Types into a field, which takes a click, and presses Enter."""

    role: str
    name: str
    text: str


class Type(NamedTuple):
    """Types where the cursor is."""

    text: str


class Press(NamedTuple):
    """Presses a key."""

    key: str


class Drag(NamedTuple):
    """Draws a box in a chart, between two shares of its width and height."""

    start: tuple[float, float]
    end: tuple[float, float]


class Take(NamedTuple):
    """Presses a button that gives a file of a kind."""

    name: str
    suffix: str


class Row(NamedTuple):
    """Opens a row of the first table by its link; `box` ticks it."""

    at: int
    box: bool = False


Step = Click | Fill | Type | Press | Drag | Take | Row


class Job(NamedTuple):
    """Where it begins, what is done, then what the address and the page say."""

    start: str
    steps: tuple[Step, ...]
    address: str = ""
    said: str = ""


SEARCH = Press("/")
#: `{worst}` is the worst loan, `{called}` its property, `{short}` its number without zeros,
#: `{sponsor}` its sponsor.
JOBS = {
    "which loan is the worst": Job("/", (), said="Worst loan: {called} "),
    "open the worst loan": Job(
        "/", (Click("link", "^Worst loan: "),), address=r"/loan\?loan_number={worst}"
    ),
    "why is it critical": Job(
        "/loan?loan_number={worst}", (), said="Signals and the rules behind them.*limit "
    ),
    "critical offices in Texas": Job(
        "/", (SEARCH, Type("critical office in TX"), Press("Enter")),
        address=r"/loans\?.*severity=critical",
    ),
    "what matures in 12 months": Job(
        "/", (Click("link", "^Matures in 12 months"),), address=r"/loans\?matures_within=12"
    ),
    "a loan by its name": Job(
        "/", (SEARCH, Type("{called}"), Click("option", "{called}")),
        address=r"/loan\?loan_number={worst}",
    ),
    "a loan by the end of its number": Job(
        "/", (SEARCH, Type("{short}"), Click("option", "{worst}")),
        address=r"/loan\?loan_number={worst}",
    ),
    "short of the note and of the whole loan": Job(
        "/loan?loan_number={parted}", (Click("switch", "^The whole loan"),),
        said="Amounts are those of the whole loan",
    ),
    "what if rates rise by 100 bp and NOI falls by 10 %": Job(
        "/what_if",
        (Fill("spinbutton", "^Rates in bp", "100"), Fill("spinbutton", "^NOI in percent", "-10")),
        address=r"/what_if\?rates=100&noi=-10",
    ),
    "loans of the largest sponsor": Job(
        "/", (Click("button", "^Parties"), Click("link", "^Sponsors"), Row(0)),
        address=r"/family\?entity_name=", said="Loans",
    ),
    "who owns the borrower": Job(
        "/loan?loan_number={worst}", (Click("link", "^Ownership"),), said="Ownership.*{sponsor}"
    ),
    "lenders of a sponsor as a graph": Job(
        "/family?entity_name={sponsor}", (Click("link", "capital graph|Capital graph"),),
        address=r"/capital_graph\?entity_name=",
    ),
    "how two parties are connected": Job(
        "/connection?from_loan={worst}",
        (Fill("textbox", "^connected to", "{sponsor}"), Click("link", "^{sponsor}")),
        address=r"/connection\?from_loan={worst}&to_entity=", said="connections? within 6 edges",
    ),
    "critical loans on the map, and one of them": Job(
        "/map?severity=critical", (Row(0),), address=r"/loan\?loan_number="
    ),
    "from a state to its loans": Job(
        "/signals", (Click("link", "^Texas;"), Click("link", r"CA-\d+$")),
        address=r"/loan\?loan_number=",
    ),
    "compare three loans": Job(
        "/loans",
        (Row(0, box=True), Row(1, box=True), Row(2, box=True),
         Click("link", "^Compare")),
        address=r"/compare\?",
    ),
    "watch a loan": Job(
        "/loan?loan_number={worst}",
        (Click("switch", "^Watch"), Click("button", "^Work"), Click("link", "^Watchlist")),
        said="Watched loans, worst first: 1",
    ),
    "write a note": Job(
        "/loan?loan_number={worst}",
        (Click("button", "^Notes"), Fill("textbox", "^New note", "Call them."),
         Click("button", "^Add note")),
        said="Notes · 1",
    ),
    "take a list as a workbook": Job("/loans?state=TX", (Take("XLSX", ".xlsx"),)),
    "save a search": Job(
        "/loans?state=TX",
        (Click("button", "^Save this search"), Fill("textbox", "^Name", "Of the Lone Star"),
         SEARCH, Type("lone star")),
        said="Saved searches and sets.*Of the Lone Star",
    ),
    "from a box in a plot to a list": Job(
        "/explore", (Drag((0.5, 0.4), (0.9, 0.9)), Click("link", "as result$")),
        address=r"/loans\?set=",
    ),
    "a loan among its peers": Job(
        "/loan?loan_number={worst}", (Click("link", "^See them, with this loan"),),
        address=r"/explore\?.*loan={worst}",
    ),
    "leases that expire within 18 months": Job(
        "/tenants", (Fill("spinbutton", "^Leases expiring within", "18"),),
        address=r"/tenants\?.*leases_within=18",
    ),
    "states against severities": Job(
        "/loans",
        (Click("combobox", "^Group by"), Click("option", "^State"),
         Click("combobox", "^Group by, across"), Click("option", "^Worst signal")),
        address=r"/loans\?by=state&across=severity",
    ),
    "a report as PDF": Job("/", (Take("Report", ".pdf"),)),
    "loans by pasted numbers": Job(
        "/loans",
        (Click("button", "^Look up numbers"), Fill("textbox", "^Loan numbers", "{worst}, {parted}"),
         Press("Control+Enter")),
        said="2 of 2 numbers found",
    ),
    "what a term means": Job(
        "/", (SEARCH, Type("debt yield"), Click("option", "^Debt yield")),
        address=r"/glossary\?find=",
    ),
    "where a figure comes from": Job(
        "/loan?loan_number={worst}",
        (Click("button", "^Sources"), Fill("combobox", "^Figure", "DSCR")),
        said="Made by.*importer",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def own_server(demo_store, tmp_path_factory) -> Iterator[str]:
    """On the demonstration with a desk of its own, for what is watched, noted and saved."""
    with dashboard(own_desk(demo_store, tmp_path_factory.mktemp("jobs") / "store")) as address:
        yield address


@pytest.fixture(scope="module")
def named(demo_store) -> dict[str, str]:
    """What jobs are about: the worst loan with a sponsor, and a note of a larger loan."""
    columns = ("sponsor", "property_name", "whole_loan_debt", "book_value")
    worst_first = LoanFilter(order="-worst_severity", per_page=100)
    store = Store(demo_store)
    with store.lease() as source:
        listed = source.loans_found(worst_first, columns).items
    store.close()
    worst = listed[0]
    parted = next(
        one.loan_number
        for one in listed
        if (one.values["whole_loan_debt"] or 0) > one.values["book_value"]
    )
    return {
        "worst": worst.loan_number,
        "short": worst.loan_number.removeprefix("CA-").lstrip("0"),
        "called": worst.values["property_name"],
        "sponsor": worst.values["sponsor"],
        "parted": parted,
    }


def _pattern(shape: str, of: dict[str, str]) -> str:
    """A pattern with names as they are written: a sponsor is called "... Development (NV)"."""
    return shape.format(**{name: re.escape(one) for name, one in of.items()})


def done(tab, step: Step, of: dict[str, str]) -> int:
    """Takes a step; gives the clicks that it took."""
    page = tab.page
    match step:
        case Click(role, name):
            named = page.get_by_role(role, name=re.compile(_pattern(name, of)))
            # A switch is an unseen box within its label.
            at = page.locator("label", has=named) if role == "switch" else named
            at.first.click()
        case Fill(role, name, text):
            box = page.get_by_role(role, name=re.compile(name)).first
            box.fill(text.format(**of))
            box.press("Enter")
        case Row(at, box):
            page.locator(f"[data-testid=stMain] tbody {'input' if box else 'a'}").nth(at).click()
        case Drag(start, end):
            draw(tab, [start, end])
        case Take(name, suffix):
            with page.expect_download() as taken:
                page.get_by_role("button", name=name, exact=True).click()
            assert taken.value.suggested_filename.endswith(suffix)
        case Type(text):
            page.keyboard.type(text.format(**of))
            return 0
        case Press(key):
            page.keyboard.press(key)
            return 0
    return 1


@pytest.mark.parametrize("name", JOBS)
def test_a_job_is_done_in_few_clicks(name, named, own_server, open_tab):
    job, tab = JOBS[name], open_tab(own_server)
    tab.go(job.start.format(**named))
    clicks = 0
    for step in job.steps:
        clicks += done(tab, step, named)
        tab.settled()
    address, said = (_pattern(one, named) for one in (job.address, job.said))
    until(lambda: re.search(address, tab.page.evaluate("location.href")))
    until(lambda: re.search(said, tab.page.inner_text("body"), re.DOTALL))
    assert clicks <= MOST
    assert tab.faults == []
