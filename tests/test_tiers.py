"""What the merge tries is the same in every run."""

import sys
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tiers import LONG, examples


@pytest.mark.skipif(LONG, reason="the long tier draws new examples each time")
def test_examples_of_the_merge_are_the_same_whatever_was_loaded_before(tmp_path, monkeypatch):
    drawn = []

    @examples(60, 60)
    @given(st.integers(), st.text())
    def tried(number, text):
        drawn.append((number, text))

    tried()
    before, drawn[:] = list(drawn), []
    path = tmp_path / "loaded_by_another.py"
    path.write_text("NAMES = " + repr([f"a name {at}" for at in range(200)]), encoding="utf-8")
    loaded = module_from_spec(spec_from_file_location(path.stem, path))
    monkeypatch.setitem(sys.modules, path.stem, loaded)
    tried()
    assert drawn == before
