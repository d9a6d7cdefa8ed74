"""Our two endpoints (D187, D188), as raw JSON: keys and figures typed by hand.

The book is that of tests/history_book.py, filed seven times.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.api.limiting import allowances
from services.contract.errors import NoHistory
from services.contract.history import HistoryQuery
from services.contract.records import LoanDetail
from services.settings import load as settings_of
from services.sources import open_workspace
from tests.history_book import FAMILY, HOSTILE, LOSS, RATES, portfolios
from tests.publishing import load_once
from tests.tiers import examples

HISTORY, CHANGES = "/v1/loans/L1/history", "/v1/changes"
ROW = {
    "as_of", "file", "rules_version", "book_value", "interest_rate", "rate_type", "maturity_date",
    "effective_maturity", "amortization_months", "payment_status", "stage", "workout",
    "modification", "modified_on", "defeasance", "special_servicing", "disposition",
    "realized_loss", "dscr", "income_basis", "income_months", "income_to", "noi", "ncf",
    "underwritten_dscr", "underwritten_noi", "occupancy", "ltv", "value", "value_date",
    "debt_yield", "dollars_short", "sponsor", "tenant", "tenant_expires", "worst_severity",
    "signals", "rules",
}  # fmt: skip
EVENT = {
    "kind", "as_of", "since", "signal_type", "before", "after", "dollars", "sentence",
}  # fmt: skip
CHANGED = {
    "a": {
        "loan_number", "property_name", "property_type", "property_city", "property_state",
        "lender_normalized", "deal", "dollars", "severity_before", "severity_after", "events",
    },
    "b": {
        "loan_number", "property_name", "property_type", "city", "state", "lender", "deal",
        "dollars", "severity_before", "severity_after", "events",
    },
}  # fmt: skip
#: As-of date, balance, status, stage, special servicing, DSCR, occupancy of L1 in deal one.
LINE = [
    ("2024-01-31", 10_000_000, "0", "current", False, 1.40, 0.90),
    ("2024-02-29", 9_990_000, "1", "30 days", False, 1.40, 0.90),
    ("2024-03-31", 9_980_000, "3", "90 days", True, 1.40, 0.75),
    ("2024-05-31", 9_980_000, "3", "90 days", True, 0.80, 0.75),
    ("2024-06-30", 9_980_000, "3", "90 days", True, 0.80, 0.75),
    ("2024-07-31", 0, "0", "ended", False, None, 0.75),
]
VARIANTS = pytest.mark.parametrize("variant", ["a", "b"])


@pytest.fixture(scope="module")
def filed(tmp_path_factory):
    """The store of the book, open."""
    folder = tmp_path_factory.mktemp("filed")
    load_once(folder, portfolios(), rates=RATES)
    found = open_workspace(settings_of(store=folder), "store")
    yield found
    found.close()


@pytest.fixture(scope="module")
def over_time(filed, tmp_path_factory, open_service):
    """The service over it in both variants, by variant."""
    sources = {"production": filed}
    with (
        open_service(tmp_path_factory.mktemp("a"), sources) as a,
        open_service(tmp_path_factory.mktemp("b"), sources, variant="b") as b,
    ):
        yield {"a": a, "b": b}


@pytest.fixture(scope="module")
def ours(over_time):
    """It in Variant A."""
    return over_time["a"]


@VARIANTS
def test_the_line_of_a_loan_is_what_was_filed(over_time, variant, assert_headers):
    answer = over_time[variant].get(HISTORY)
    assert answer.status == 200
    assert_headers(answer)
    assert list(answer.body) == ["data", "meta"]
    data = answer.body["data"]
    assert {name: data[name] for name in ("loan_number", "property_name", "source", "deal")} == {
        "loan_number": "L1", "property_name": HOSTILE, "source": "one", "deal": "Deal one",
    }  # fmt: skip
    assert data["missing"] == []
    names = ("as_of", "book_value", "payment_status", "stage", "special_servicing", "dscr")
    assert [tuple(row[name] for name in (*names, "occupancy")) for row in data["rows"]] == LINE
    assert all(set(row) == ROW for row in data["rows"])
    assert [row["realized_loss"] for row in data["rows"]] == [None] * 5 + [LOSS]
    assert data["rows"][0]["file"] == f"one 2024-01-31 {HOSTILE}.xml"


@VARIANTS
def test_its_events_have_kind_dates_evidence_and_a_sentence(over_time, variant):
    events = over_time[variant].get(HISTORY).body["data"]["events"]
    assert all(set(one) == EVENT for one in events)
    (into,) = [one for one in events if one["kind"] == "special_in"]
    assert into == {
        "kind": "special_in", "as_of": "2024-03-31", "since": "2024-02-29", "signal_type": None,
        "before": "no", "after": "yes", "dollars": 9_980_000,
        "sentence": "The loan went into special servicing.",
    }  # fmt: skip
    (fell,) = [one for one in events if one["kind"] == "dscr_below_100"]
    assert (fell["as_of"], fell["before"], fell["after"]) == ("2024-05-31", 1.40, 0.80)
    (end,) = [one for one in events if one["kind"] == "liquidated"]
    assert (end["as_of"], end["after"]) == ("2024-07-31", LOSS)
    assert end["sentence"] == "The loan was liquidated with a loss of $2,500,000."


def test_a_part_of_a_line_has_both_of_its_dates(ours):
    data = ours.get(f"{HISTORY}?since=2024-02-29&until=2024-05-31").body["data"]
    assert [row["as_of"] for row in data["rows"]] == ["2024-02-29", "2024-03-31", "2024-05-31"]
    assert {one["as_of"] for one in data["events"]} == {"2024-03-31", "2024-05-31"}
    nothing = ours.get(f"{HISTORY}?since=2030-01-01").body["data"]
    assert (nothing["rows"], nothing["events"], nothing["source"]) == ([], [], "one")


def test_dates_of_the_source_that_lack_the_loan_are_named(ours):
    assert ours.get("/v1/loans/M1/history").body["data"]["missing"] == []
    assert ours.get("/v1/loans/alone/history").body["data"]["loan_number"] == "alone"


@VARIANTS
def test_changes_are_those_of_the_two_newest_dates_by_default(over_time, variant, assert_headers):
    answer = over_time[variant].get(CHANGES)
    assert answer.status == 200
    assert_headers(answer)
    assert list(answer.body) == ["data", "pagination", "meta"]
    data = answer.body["data"]
    assert (data["since"], data["until"]) == ("2024-06-30", "2024-07-31")
    assert (data["compared"], data["not_compared"], data["rules_changed"]) == (3, [], False)
    assert data["silent"] == [{"deal": "Deal two", "as_of": "2024-06-15"}]
    assert data["spans"] == [{"deal": "Deal one", "since": "2024-06-30", "until": "2024-07-31"}]
    assert (data["loans"], data["notes"]) == (2, 2) == (len(data["changed_loans"]),) * 2
    # L1 was liquidated; L2 of which 100,000 was repaid is no smaller trouble than before.
    assert data["counts"][0] == {"kind": "liquidated", "loans": 1, "dollars": 9_980_000}
    assert data["worse"] == {"kind": "worse", "loans": 1, "dollars": 9_980_000}
    assert sum(one["loans"] for one in data["moves"]) == 3
    assert {"before": "critical", "after": "nothing owed", "loans": 1, "dollars": 9_980_000} in (
        data["moves"]
    )
    first = data["changed_loans"][0]
    assert set(first) == CHANGED[variant]
    assert (first["loan_number"], first["deal"], first["dollars"]) == ("L1", "Deal one", 9_980_000)
    assert first["property_type"] == ("office" if variant == "a" else "Office")
    assert [one["kind"] for one in first["events"]] == ["liquidated"]
    assert answer.body["pagination"] == {
        "page": 1,
        "per_page": 25,
        "total": len(data["changed_loans"]),
    }


def test_a_deal_without_an_earlier_filing_is_named(ours):
    data = ours.get(f"{CHANGES}?since=2024-01-31").body["data"]
    assert (data["not_compared"], data["compared"]) == (["Deal two"], 3)


def test_pages_of_changes_partition_the_loans_and_totals_stay(ours):
    asked = f"{CHANGES}?since=2024-02-29&until=2024-06-30"
    whole = ours.get(asked).body
    numbers = [one["loan_number"] for one in whole["data"]["changed_loans"]]
    assert len(numbers) == len(set(numbers)) == whole["pagination"]["total"] > 1
    listed = []
    for page in range(1, len(numbers) + 1):
        part = ours.get(f"{asked}&per_page=1&page={page}").body
        assert part["pagination"] == {"page": page, "per_page": 1, "total": len(numbers)}
        listed += [one["loan_number"] for one in part["data"].pop("changed_loans")]
        assert part["data"] == {k: v for k, v in whole["data"].items() if k != "changed_loans"}
    assert listed == numbers
    beyond = ours.get(f"{asked}&page=99").body
    assert (beyond["data"]["changed_loans"], beyond["pagination"]["total"]) == ([], len(numbers))


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("kind=special_in&since=2024-02-29&until=2024-03-31", {"L1", "M1"}),
        ("kind=special_in&since=2024-02-29&until=2024-03-31&deal=two", {"M1"}),
        ("kind=special_in&since=2024-02-29&until=2024-03-31&numbers=L1,L2", {"L1"}),
        ("kind=special_in,liquidated&since=2024-02-29", {"L1", "M1"}),
        ("kind=liquidated&state=NY", set()),
        ("kind=liquidated&state=ny,tx&property_type=OFFICE,retail", {"L1"}),
        ("kind=liquidated&lender=Harbour%20Bank", {"L1"}),
        ("kind=liquidated&lender=Harbour", set()),
        ("severity_after=nothing%20owed", {"L1"}),
    ],
)
def test_filters_of_changes(ours, asked, numbers):
    answer = ours.get(f"{CHANGES}?{asked}")
    assert {one["loan_number"] for one in answer.body["data"]["changed_loans"]} == numbers
    assert answer.body["pagination"]["total"] == len(numbers)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        (f"{HISTORY}?page=1", "Unknown parameter 'page'; known are since, until, sponsors"),
        (f"{HISTORY}?since=soon", "Parameter 'since' is 'soon' but must be a date written as"),
        (f"{HISTORY}?since=2024-02-30", "is not a day of the calendar"),
        (f"{HISTORY}?since=2024-03-01&until=2024-02-01", "'since' must not be after 'until'"),
        (f"{HISTORY}?since=2024-03-01&since=2024-03-01", "'since' is given more than once"),
        (f"{HISTORY}?sponsors=1", "Parameter 'sponsors' is '1' but must be yes or no"),
        (f"{CHANGES}?since=2024-03-01&until=2024-02-01", "'since' must not be after 'until'"),
        (f"{CHANGES}?since=2023-12-31", "but the first period is of 2024-01-31"),
        (f"{CHANGES}?kind=weather", "Parameter 'kind' is 'weather' but must be one of liquidated"),
        (f"{CHANGES}?kind=,", "Parameter 'kind' is ',' but must be readable text"),
        (f"{CHANGES}?deal=none", "No period is of the deal that was asked for"),
        (f"{CHANGES}?severity_after=bad", "Parameter 'severity_after' is 'bad' but must be one of"),
        (f"{CHANGES}?state=TX,Texas", "must be a two-letter US state code; write 'TX'"),
        (f"{CHANGES}?order=weight", "Parameter 'order' is 'weight' but must be 'importance'"),
        (f"{CHANGES}?per_page=101", "Parameter 'per_page' is '101' but must be at most 100"),
        (f"{CHANGES}?page=0", "Parameter 'page' is '0' but must be at least 1"),
        (f"{CHANGES}?kinds=new", "Unknown parameter 'kinds'; did you mean 'kind'?"),
        (f"{CHANGES}?api_key=x", "does not belong in a URL"),
        (f"{HISTORY}?token=x", "does not belong in a URL"),
    ],
)
def test_what_is_wrong_with_a_parameter_is_one_sentence(ours, path, says, assert_error_shape):
    assert_error_shape(ours.get(path), 400, says)


@pytest.mark.parametrize("tier", ["base", "resolution", "capital_graph", "complete"])
@pytest.mark.parametrize("path", [HISTORY, CHANGES])
def test_base_and_complete_open_them(ours, path, tier, assert_error_shape):
    # D188
    answer = ours.get(path, tier)
    if tier in {"base", "complete"}:
        assert answer.status == 200
    else:
        assert_error_shape(answer, 403, "does not cover this endpoint; Base and Complete do")


@pytest.mark.parametrize("path", [HISTORY, CHANGES])
def test_sponsors_need_the_tier_that_opens_parties(ours, path, assert_error_shape):
    # D188, D141
    told = assert_error_shape(ours.get(f"{path}?sponsors=yes", "base"), 403)
    assert told == (
        "The licence tier Base of this key does not cover parties; leave 'sponsors' out, or use a "
        "key of Complete"
    )
    assert ours.get(f"{path}?sponsors=no", "base").status == 200
    assert ours.get(f"{path}?sponsors=yes").status == 200


def test_sponsors_are_told_where_they_are_asked_for_alone(ours):
    rows = ours.get(f"{HISTORY}?sponsors=yes").body["data"]["rows"]
    assert {row["sponsor"] for row in rows} == {FAMILY}
    for plain in ("", "?sponsors=no"):
        rows = ours.get(HISTORY + plain).body["data"]["rows"]
        assert {row["sponsor"] for row in rows} == {None}
    assert FAMILY.encode() not in ours.get(f"{CHANGES}?since=2024-01-31").raw


@pytest.mark.parametrize("path", [HISTORY, CHANGES])
def test_without_a_good_key_the_answer_is_401(ours, path, assert_error_shape):
    assert_error_shape(ours.get(path, None), 401)
    assert_error_shape(ours.get(path, "ca_live_" + "x" * 43), 401)


@pytest.mark.parametrize("path", [HISTORY, CHANGES])
def test_they_are_read_with_get_and_head(ours, path, assert_error_shape):
    assert ours.get(path, method="HEAD").status == 200
    assert_error_shape(ours.get(path, method="POST"), 405)


def test_they_count_against_the_limits_of_a_key(filed, tmp_path, open_service, assert_error_shape):
    still = {"allowances": allowances(3), "clock": lambda: 1_800_000_000.25}
    with open_service(tmp_path, {"production": filed}, **still) as service:
        left = [
            service.get(path, "base").headers["x-ratelimit-remaining"]
            for path in (HISTORY, CHANGES, "/v1/loans")
        ]
        assert left == ["2", "1", "0"]
        assert_error_shape(service.get(CHANGES, "base"), 429)
        assert_error_shape(service.get(HISTORY, "base"), 429)


def test_an_unknown_loan_is_a_404(ours, assert_error_shape):
    assert_error_shape(ours.get("/v1/loans/nix/history"), 404, "No period has a loan 'nix'")


class Old:
    """A source that knows today alone, of a loan of any number."""

    def loan(self, loan_number):
        return LoanDetail(loan_number=loan_number)


class Empty(Old):
    """A snapshot without periods."""

    def history(self, *_):
        raise NoHistory("No period is kept; import the files of each date")

    def changes(self, _):
        raise NoHistory("No period is kept; import the files of each date")


@pytest.mark.parametrize("path", [HISTORY, CHANGES])
def test_where_nothing_is_known_of_earlier_dates_it_is_an_error(serve, path, assert_error_shape):
    # D188
    with serve(Empty()) as service:
        assert_error_shape(service.get(path), 404, "No period is kept")
    with serve(Old()) as service:
        assert_error_shape(service.get(path), 404, "which is an extension")


@pytest.mark.parametrize("number", ["A/history", "history", "history/history", "x//history"])
def test_a_loan_whose_number_ends_as_the_path_does_is_still_that_loan(serve, number):
    # D187
    with serve(Old()) as service:
        path = "/v1/loans/" + quote(number, safe="")
        assert service.get(path).body["data"]["loan_number"] == number
        assert service.get(f"{path}/history").status == 404


class Echo(Old):
    """A source that has the history of every loan, under its number."""

    def __init__(self, one):
        self.one = one

    def history(self, loan_number, _):
        return self.one.model_copy(update={"loan_number": loan_number})


@pytest.fixture(scope="module")
def echo(filed, tmp_path_factory, open_service):
    with filed.lease() as held:
        one = held.source.history("L1", HistoryQuery())
    with open_service(tmp_path_factory.mktemp("echo"), {"production": Echo(one)}) as service:
        yield service


@examples(15, 40)
@given(st.text(min_size=1, max_size=30).filter(lambda text: "\x00" not in text))
def test_any_text_is_the_loan_number_that_it_was(echo, number):
    try:
        path = quote(number, safe="")
    except UnicodeEncodeError:
        return
    assert echo.get(f"/v1/loans/{path}/history").body["data"]["loan_number"] == number


@examples(35, 100)
@given(
    st.sampled_from([HISTORY, CHANGES]),
    st.sampled_from(["", "kind=", "state=", "deal=", "numbers=", "lender=", "since=", "order="]),
    st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=60),
)
def test_no_query_is_answered_with_a_500(ours, path, name, query):
    answer = ours.get(f"{path}?{name}{query}")
    assert answer.status in {200, 400, 404}, answer.raw
    assert set(answer.body) in ({"error"}, {"data", "meta"}, {"data", "meta", "pagination"})


def test_sixty_four_clients_at_once_get_what_one_gets(ours):
    paths = [HISTORY, CHANGES, f"{CHANGES}?since=2024-01-31&kind=special_in", "/v1/loans/L1"]
    alone = {path: ours.get(path).body["data"] for path in paths}
    together = threading.Barrier(64)

    def client(at):
        together.wait(30)
        path = paths[at % len(paths)]
        return ours.get(path).body["data"] == alone[path]

    with ThreadPoolExecutor(64) as pool:
        assert all(pool.map(client, range(64)))
