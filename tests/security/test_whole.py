"""Each requirement of the standard is answered, and what an answer names is there."""

import ast
import re

import pytest

from tests.security.standard import HERE, ROOT, TABLES, chapters, requirements, shown_here

CHAPTERS = chapters()


def table(chapter, name):
    return getattr(chapter, name, {})


def whole(name):
    return {number: said for one in CHAPTERS for number, said in table(one, name).items()}


def references():
    for number, named in whole("SHOWN_BY").items():
        for one in named if isinstance(named, tuple) else (named,):
            yield number, one


def test_every_requirement_of_both_levels_is_answered_and_no_other():
    """253 is what the standard counts: 70 of level 1 and 183 of level 2."""
    levels = requirements()
    assert [list(levels.values()).count(level) for level in (1, 2)] == [70, 183]
    answered = {number for one in CHAPTERS for number in shown_here(one)}
    answered.update(*(whole(name) for name in TABLES))
    assert answered == levels.keys()


def test_a_requirement_is_answered_in_one_way():
    """By tests, here or elsewhere; or by one sentence."""
    here = {number for one in CHAPTERS for number in shown_here(one)}
    ways = [here | whole("SHOWN_BY").keys(), *(whole(name).keys() for name in TABLES[1:])]
    twice = [number for number in requirements() if sum(number in way for way in ways) > 1]
    assert twice == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda one: one.__name__.rpartition(".")[2])
def test_a_chapter_answers_its_own_requirements(chapter):
    mine = "V" + str(int(re.search(r"test_v(\d\d)", chapter.__name__)[1])) + "."
    numbers = [*shown_here(chapter), *(n for name in TABLES for n in table(chapter, name))]
    assert numbers
    assert [number for number in numbers if not number.startswith(mine)] == []


def test_a_test_that_is_named_exists():
    missing = []
    for number, named in references():
        path, _, name = named.partition("::")
        file = ROOT / path
        tests = file.is_file() and {
            one.name
            for one in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(one, ast.FunctionDef)
        }
        if not tests or name not in tests:
            missing.append((number, named))
    assert missing == []


def test_what_is_written_stands_there():
    missing = []
    for number, (path, words) in whole("WRITTEN").items():
        text = " ".join((ROOT / path).read_text(encoding="utf-8").split())
        if words not in text:
            missing.append((number, path, words))
    assert missing == []


def test_the_readme_names_what_is_not_met_and_nothing_else():
    text = (HERE / "README.md").read_text(encoding="utf-8")
    part = text.partition("## Not met")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| (V[0-9.]+) ", part, re.MULTILINE)) == whole("NOT_MET").keys()
