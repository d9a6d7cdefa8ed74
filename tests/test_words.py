"""Plain modern English: phrases that a reader would stumble over (CONTRIBUTING.md, Words)."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BANNED = (
    r"\banew\b",
    r"\bheed(s|ed)?\b",
    r"\bof equals\b",
    r"\bbelieved in\b",
    r"\bhangs? together\b",
    r"\btrouble of (its|their) own\b",
    r"\bfaults? of ours\b",
    r"\bof one's own\b",
    r"\bnobody waits\b",
)
#: Of Python alone: there it is None.
IN_PYTHON = (r"\b[Nn]ull (where|wherever|when|without)\b",)
KINDS = (".py", ".md", ".js", ".css", ".toml", ".typ", ".html", ".sql", "Makefile")
#: They name the phrases, or what JSON holds.
EXCEPT = {"tests/test_words.py", "CONTRIBUTING.md"}
OF_JSON = ("services/api/document/", "services/contract/wire.py")


def texts():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\n")  # fmt: skip
    return [name for name in listed if name.endswith(KINDS) and name not in EXCEPT]


@pytest.mark.parametrize("phrase", [*BANNED, *IN_PYTHON])
def test_a_phrase_that_nobody_says_today_stands_nowhere(phrase):
    found = []
    for name in texts():
        if phrase in IN_PYTHON and (not name.endswith(".py") or name.startswith(OF_JSON)):
            continue
        path = ROOT / name
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines()
            found += [f"{name}:{at}" for at, line in enumerate(lines, 1) if re.search(phrase, line)]
    assert found == []
