"""Each requirement of the standard is answered once, and what an answer names is there."""

import ast
import json
import re
import subprocess
import sys
import tomllib

from tests.security.standard import HERE, ROOT, WAYS, answers, requirements

ANSWERS = answers()
SHOWN = [(one.number, by) for one in ANSWERS if one.way == "shown" for by in one.said.split("; ")]
#: What ruff has to refuse in the product, by the rule, and for TID251 by what is banned.
REFUSED = {
    "S102": "exec(WORD)",
    "S307": "eval(WORD)",
    "S324": "import hashlib\nhashlib.md5(WORD)",
    "S602": "import subprocess\nsubprocess.run(WORD, shell=True)",
    "S605": "import os\nos.system(WORD)",
    "S606": "import os\nos.spawnl(os.P_WAIT, WORD)",
    "T100": "breakpoint()",
    "DTZ003": "import datetime\ndatetime.datetime.utcnow()",
    "DTZ004": "import datetime\ndatetime.datetime.utcfromtimestamp(WORD)",
    "DTZ005": "import datetime\ndatetime.datetime.now()",
}


def of(way):
    return {one.number: one.said for one in ANSWERS if one.way == way}


def test_every_requirement_of_both_levels_is_answered_once_and_no_other():
    """253 is what the standard counts: 70 of level 1 and 183 of level 2."""
    levels = requirements()
    assert [list(levels.values()).count(level) for level in (1, 2)] == [70, 183]
    assert [one.number for one in ANSWERS] == list(levels)
    assert {one.way for one in ANSWERS} == set(WAYS)
    assert all(one.said.strip() for one in ANSWERS)


def test_a_test_that_is_named_exists():
    tests = {}
    for _, by in SHOWN:
        path, _, name = by.partition("::")
        if name and path not in tests:
            file = ROOT / path
            tree = ast.parse(file.read_text(encoding="utf-8") if file.is_file() else "")
            tests[path] = {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
    missing = [
        (number, by)
        for number, by in SHOWN
        if not by.startswith(("ruff ", "import-linter: "))
        and by.partition("::")[2] not in tests.get(by.partition("::")[0], ())
    ]
    assert missing == []


def test_a_contract_that_is_named_is_kept():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    kept = {f"import-linter: {one['name']}" for one in project["tool"]["importlinter"]["contracts"]}
    named = {by for _, by in SHOWN if by.startswith("import-linter: ")}
    assert named
    assert named <= kept


def test_what_a_rule_of_ruff_is_named_for_is_refused_in_each_part_of_the_product():
    named = {by.removeprefix("ruff ") for _, by in SHOWN if by.startswith("ruff ")}
    banned = {one.removeprefix("TID251: ") for one in named if one.startswith("TID251: ")}
    assert named == REFUSED.keys() | {f"TID251: {one}" for one in banned}
    lines = [*REFUSED.values(), *(f"import {one.partition('.')[0]}\n{one}" for one in banned)]
    for folder in ("services", "components", "pages"):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--output-format", "json",
             "--stdin-filename", f"{folder}/any.py", "-"],
            cwd=ROOT, input="\n".join(lines), check=False, capture_output=True, text=True,
        )  # fmt: skip
        found = json.loads(done.stdout)
        assert REFUSED.keys() <= {one["code"] for one in found}, folder
        said = " ".join(one["message"] for one in found if one["code"] == "TID251")
        assert [one for one in sorted(banned) if f"`{one}` is banned" not in said] == [], folder


def test_what_is_written_stands_there():
    missing = []
    for number, said in of("written").items():
        path, _, words = said.partition(": ")
        text = " ".join((ROOT / path).read_text(encoding="utf-8").split())
        if words not in text:
            missing.append((number, path, words))
    assert missing == []


def test_the_readme_names_what_is_not_met_and_nothing_else():
    text = (HERE / "README.md").read_text(encoding="utf-8")
    part = text.partition("## Not met")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| (V[0-9.]+) ", part, re.MULTILINE)) == of("not met").keys()
