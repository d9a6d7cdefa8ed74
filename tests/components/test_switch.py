"""Words side by side: of what a browser sends only a word that was offered is chosen."""

import pytest

from components.frame import switch


@pytest.mark.parametrize(
    ("sent", "chosen"),
    [("cities", "cities"), *((odd, "states") for odd in ("odd", None, ["cities"], 1, ""))],
)
def test_only_a_word_that_was_offered_is_chosen(monkeypatch, sent, chosen):
    state, drawn, called = {"map": "states"}, [], []
    monkeypatch.setattr(switch.st, "session_state", state)
    monkeypatch.setattr(switch, "_draw", lambda **given: drawn.append(given))
    options = {"states": "Map of states", "cities": "Map of cities"}
    switch.switch("map", "Map of", options, lambda: called.append(True))
    (given,) = drawn
    assert given["data"]["chosen"] == "states"
    assert given["data"]["options"] == [("states", "Map of states"), ("cities", "Map of cities")]
    state[given["key"]] = {"chosen": sent}
    given["on_chosen_change"]()
    assert state["map"] == chosen
    assert bool(called) == (chosen == sent)
