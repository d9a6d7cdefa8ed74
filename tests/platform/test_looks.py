"""Names that our style sheets and scripts look for are Streamlit's still (S4, S37, S39)."""

import re
from pathlib import Path

import pytest
import streamlit

from components.platform.looks import LOOKS, PAPER, SCRIPTS

SENT = Path(streamlit.__file__).parent / "static" / "static" / "js"
NAMES = sorted(set(re.findall(r"\bst[A-Z]\w+|data-tag", LOOKS + PAPER + SCRIPTS)))


@pytest.fixture(scope="module")
def scripts():
    return "".join(path.read_text(encoding="utf-8") for path in SENT.glob("*.js"))


def test_there_are_names_to_look_for():
    assert len(NAMES) == 39


@pytest.mark.parametrize("name", NAMES)
def test_streamlits_scripts_still_give_the_name(name, scripts):
    assert re.search(rf"\b{name}\b", scripts)
