"""X-RateLimit headers and Retry-After, read leniently (spec 8.2, 8.3, D15)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.client.budget import Budget, retry_after

NOW = 1_791_200_000.0


def headers(**named: str) -> dict[str, str]:
    return {"x-ratelimit-" + name.replace("_", "-"): value for name, value in named.items()}


def test_the_three_headers_become_a_budget():
    budget = Budget().after(headers(remaining="57", reset="41", daily_remaining="4990"), NOW)
    assert budget == Budget(57, 4990, NOW + 41, 57, 4990, NOW)
    assert budget.resets_in(NOW) == 41
    assert budget.resets_in(NOW + 40.2) == 1
    assert budget.resets_in(NOW + 100) == 0


@pytest.mark.parametrize(
    ("text", "resets_in"),
    [
        ("0", 0),
        ("41", 41),
        (" 41 ", 41),
        ("40.5", 41),
        ("41;w=60", 41),
        ("86400", 86_400),
        ("86401", None),
        ("1791200030", 30),
        ("1791200030000", 30),
        ("1791199990", 0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("4e1", None),
        ("12ab", None),
        ("٤١", None),
        ("9" * 400, None),
        ("inf", None),
        ("nan", None),
    ],
)
def test_reset_is_seconds_or_an_epoch_time_and_garbage_is_not_known(text, resets_in):
    assert Budget().after(headers(reset=text), NOW).resets_in(NOW) == resets_in


def test_what_an_answer_does_not_say_stays_as_it_was():
    first = Budget().after(headers(remaining="57", daily_remaining="4990", reset="9"), NOW)
    assert first.after({}, NOW + 1) is first
    assert first.after(headers(remaining="junk"), NOW + 1) is first
    second = first.after(headers(remaining="56"), NOW + 1)
    assert (second.remaining, second.daily_remaining) == (56, 4990)
    assert second.told_at == NOW + 1


def test_the_most_ever_left_is_kept_as_the_full_mark_of_the_meter():
    budget = Budget()
    for left in ("58", "60", "12"):
        budget = budget.after(headers(remaining=left), NOW)
    assert (budget.remaining, budget.most_remaining) == (12, 60)
    assert budget.most_daily_remaining is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("17", 17),
        ("0", 1),
        ("1.2", 2),
        ("86400", 86_400),
        ("999999", 86_400),
        ("Mon, 05 Oct 2026 12:00:30 GMT", 30),
        ("Mon, 05 Oct 2026 11:00:00 GMT", 1),
        ("Mon, 05 Oct 2026 14:00:30 +0200", 30),
        ("Mon, 05 Oct 2026 12:00:30", 30),
        ("Mon, 45 Oct 2026 12:00:30 GMT", None),
        ("Thu, 01 Jan 99999 00:00:00 GMT", None),
        ("-3", None),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_an_http_date(text, seconds):
    sent = {"date": "Mon, 05 Oct 2026 12:00:00 GMT", "retry-after": text}
    assert retry_after(sent, NOW) == seconds


def test_a_date_is_measured_by_the_clock_here_when_the_answer_has_none():
    # 1791201600 is Mon, 05 Oct 2026 12:00:00 GMT.
    sent = {"retry-after": "Mon, 05 Oct 2026 12:00:30 GMT"}
    assert retry_after(sent, 1_791_201_600.0) == 30
    assert retry_after(sent, 1_791_201_600.4) == 30
    assert retry_after({}, NOW) is None


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_header_text_raises_or_yields_nonsense(remaining, reset, wait):
    budget = Budget().after(headers(remaining=remaining, reset=reset), NOW)
    assert budget.remaining is None or budget.remaining >= 0
    assert (retry_after({"retry-after": wait, "date": reset}, NOW) or 1) >= 1
