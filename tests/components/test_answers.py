"""What the screen remembers of answers: by all that they depend on, up to so many bytes (D142)."""

import pytest
import streamlit as st

from components.frame import session
from services.contract.loan_filter import LoanFilter


@pytest.fixture
def asked():
    """Asks for an answer of so many bytes; which answers were made."""
    st.cache_data.clear()
    made = []

    def ask(name, size=1, snapshot="snap-1", query="{}"):
        def make():
            made.append(name)
            return {"name": name, "bytes": bytes(size)}

        return session._remembered("store", snapshot, name, ("LoanFilter", query), make)

    ask.made = made
    yield ask
    st.cache_data.clear()


def test_an_answer_is_made_once_for_each_snapshot_and_question(asked):
    for _ in range(3):
        assert asked("a")["name"] == "a"
    asked("a", snapshot="snap-2")
    asked("a", query='{"state":["TX"]}')
    asked("a")
    assert asked.made == ["a", "a", "a"]
    assert session._plain(LoanFilter(min_balance=1)) != session._plain(LoanFilter(min_balance=2))


def test_who_changes_an_answer_changes_it_for_nobody_else(asked):
    asked("a")["name"] = "spoiled"
    assert asked("a")["name"] == "a"
    assert asked.made == ["a"]


def test_the_least_recently_asked_go_first_once_the_bytes_are_full(asked):
    size = session.ANSWER_BYTES * 2 // 5
    asked("small")
    asked("first", size)
    asked("second", size)
    asked("small")
    asked("third", size)  # two fifths more than fit: the first goes
    asked("small")
    asked("second", size)
    asked("third", size)
    assert asked.made == ["small", "first", "second", "third"]
    asked("first", size)
    assert asked.made[-1] == "first"


def test_a_thousand_small_answers_are_all_kept(asked):
    for _ in range(2):
        for at in range(1_000):
            asked(str(at))
    assert len(asked.made) == 1_000
