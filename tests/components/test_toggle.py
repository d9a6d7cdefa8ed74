"""A toggle: of what a browser sends only on and off are heeded, and nothing where it is shut."""

import pytest

from components.frame import toggle


@pytest.fixture
def drawn(monkeypatch):
    state, given = {"watch": False}, []
    monkeypatch.setattr(toggle.st, "session_state", state)
    monkeypatch.setattr(toggle, "_draw", lambda **told: given.append(told))

    def draw(**further):
        on = toggle.toggle("watch", "Watch", **further)
        return state, on, given[-1]

    return draw


@pytest.mark.parametrize(
    ("sent", "on"), [(True, True), (False, False), *((odd, False) for odd in (1, "true", None, []))]
)
def test_only_on_and_off_are_heeded(sent, on, drawn):
    called = []
    state, before, given = drawn(on_turn=lambda: called.append(True))
    assert before is given["data"]["on"] is False
    state[given["key"]] = {"turned": sent}
    given["on_turned_change"]()
    assert state["watch"] is on
    assert bool(called) == isinstance(sent, bool)
    assert drawn()[1] is on


def test_what_is_shut_is_not_turned(drawn):
    called = []
    state, _, given = drawn(disabled=True, on_turn=lambda: called.append(True))
    state[given["key"]] = {"turned": True}
    given["on_turned_change"]()
    assert (state["watch"], called) == (False, [])
