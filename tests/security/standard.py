"""The requirements that apply, and the ways in which a chapter answers them.

A chapter is a file test_vNN_*.py. Its tests say with `shows` what they show; beside them stand,
each by the number of a requirement:

    SHOWN_BY        tests elsewhere that show it
    WRITTEN         a requirement of documents: the file, and words that stand in it
    LEFT_TO         somebody else has to see to it: who, and what they do
    DOES_NOT_APPLY  why there is nothing to show
    NOT_MET         what is missing today
"""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
TABLES: Final = ("SHOWN_BY", "WRITTEN", "LEFT_TO", "DOES_NOT_APPLY", "NOT_MET")
T = TypeVar("T", bound=Callable[..., object])


def shows(*numbers: str) -> Callable[[T], T]:
    """Says of a test which requirements it shows."""

    def marked(test: T) -> T:
        test.__dict__["shows"] = numbers
        return test

    return marked


def requirements() -> dict[str, int]:
    """Every requirement by its number, with its level."""
    lines = (HERE / "asvs_5.0_level_2.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" ", 2) for line in lines if not line.startswith("#")]
    return {number: int(level) for number, level, _ in rows}


def chapters() -> list[ModuleType]:
    """The files that answer them."""
    found = sorted(path.stem for path in HERE.glob("test_v[0-9]*.py"))
    return [importlib.import_module(f"tests.security.{name}") for name in found]


def shown_here(chapter: ModuleType) -> Iterator[str]:
    """What the tests of a chapter show."""
    for one in vars(chapter).values():
        yield from getattr(one, "shows", ()) if callable(one) else ()
