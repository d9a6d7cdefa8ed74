"""One run of a session at a time: the next waits until the one before has ended."""

import threading

import pytest

from components.frame import turns
from components.frame.turns import turn


def test_the_run_of_a_page_waits_for_that_of_the_page_before_and_of_no_other_session():
    said, begun, go_on = [], threading.Event(), threading.Event()

    def before():
        with turn("one"):
            begun.set()
            go_on.wait(30)
            said.append("the page before")

    def after():
        with turn("one"):
            said.append("this page")

    first, second = threading.Thread(target=before), threading.Thread(target=after)
    first.start()
    begun.wait(30)
    second.start()
    with turn("another"):
        said.append("another session")
    second.join(0.2)
    assert second.is_alive()
    go_on.set()
    first.join(30)
    second.join(30)
    assert said == ["another session", "the page before", "this page"]


def test_a_run_that_ends_by_what_is_raised_lets_the_next_one_on():
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), turn("one"):
            raise KeyboardInterrupt
    assert "one" not in turns._locks


def test_a_run_that_does_not_end_is_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr(turns, "LONGEST_SECONDS", 0.05)
    with turn("one"):
        done = threading.Thread(target=lambda: turn("one").__enter__())
        done.start()
        done.join(30)
        assert not done.is_alive()
