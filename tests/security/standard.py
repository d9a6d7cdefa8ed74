"""The requirements that apply, and how each is answered.

A row of answers.tsv is a requirement, how it is answered, and by what:

    shown           by tests, rules of ruff and contracts of import-linter, with `; ` between
    written         in a document: the file, and words that stand in it
    left to         somebody else: who, and what they do
    does not apply  why there is nothing to show
    not met         what is missing today
"""

import csv
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
WAYS: Final = ("shown", "written", "left to", "does not apply", "not met")


class Answer(NamedTuple):
    """One row."""

    number: str
    way: str
    said: str


def requirements() -> dict[str, int]:
    """Every requirement by its number, with its level."""
    lines = (HERE / "asvs_5.0_level_2.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" ", 2) for line in lines if not line.startswith("#")]
    return {number: int(level) for number, level, _ in rows}


def answers() -> list[Answer]:
    """Every row."""
    with (HERE / "answers.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Answer(*row) for row in rows[1:]]
