"""A small index of generated names, and real pairs of names where the shared data is there."""

import csv
import importlib.util
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from services.names.index import NameIndex, build

_TESTS = Path(__file__).parents[1]
_SHARED = Path(__file__).parents[2].parent / "shared/data/names"

#: Names that the questions of the tests are about, among thousands of near-duplicates.
KNOWN = [
    "Harbor Point Tower 214 LLC",
    "1420 Lakeshore Drive Owner LP",
    "Alder Ridge Capital Partners",
    "Maria K. Delgado",
    "St. Louis Industrial Properties, L.P.",
    "Société Immobilière du Québec Inc.",
]


@pytest.fixture(scope="session")
def spelling() -> ModuleType:
    """tests/bench/name_variants.py: names as portfolios have them, and their misspellings."""
    path = _TESTS / "bench/name_variants.py"
    spec = importlib.util.spec_from_file_location("name_variants", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def names(spelling: ModuleType) -> list[str]:
    made = spelling.names(random.Random(11), 5_000)
    return KNOWN + [name for name in made if name not in KNOWN]


@pytest.fixture(scope="session")
def index(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[NameIndex]:
    folder = tmp_path_factory.mktemp("names")
    build(folder, names)
    opened = NameIndex.open(folder)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def pairs() -> Callable[[str], list[dict[str, str]]]:
    """Rows of a file of name pairs; skips the test where the shared data is absent."""

    def read(file: str) -> list[dict[str, str]]:
        if not (_SHARED / file).is_file():
            pytest.skip(f"the shared data has no names/{file} here")
        with (_SHARED / file).open(encoding="utf-8-sig", newline="") as lines:
            return list(csv.DictReader(lines))

    return read
