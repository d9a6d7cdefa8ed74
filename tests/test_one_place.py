"""What is written once: the facts of a loan with their labels, and Schedule AL's codes."""

import ast
import re
import tomllib

import pytest

from services.contract import schedule_al
from services.contract.facts import FACT
from tests.test_architecture import ROOT, syntax

FACTS_FILE = "services/contract/facts.py"
CODES_FILE = "services/contract/schedule_al.py"
#: Labels that are also headings of tables, of figures or of rules.
HEADINGS = {"As of", "Book value", "Debt yield", "Further fields", "Ownership chain",
            "Payment status", "Property type", "Rate pressure", "Refinance gap"}  # fmt: skip
#: Lists that happen to name several facts, each with the reason.
LISTS = {
    "components/desk/drawer.py": "what is shown of a loan beside a list",
    "components/loans/columns.py": "sets of columns to choose from",
    "components/memo/dossier.py": "the terms that a memo says, and the figures of its refinance",
    "components/signals/table.py": "sets of columns of a signal's loan",
    "services/contract/columns.py": "what a result of loans can show, the columns of exports",
    "services/contract/distributions.py": "the figures that loans are laid out by",
}
LISTED = {
    name: codes
    for name, codes in vars(schedule_al).items()
    if name.isupper() and isinstance(codes, dict)
}


def found(kind, holds):
    """Files that have a piece of syntax of this kind for which `holds`."""
    return sorted({file for file, node in syntax()[kind] if holds(node)})


def lists(holds):
    """Files that have a tuple, a list or a set for which `holds`."""
    return sorted({file for kind in (ast.Tuple, ast.List, ast.Set) for file in found(kind, holds)})


def constants(nodes):
    """Texts among the nodes, in order."""
    return [node.value for node in nodes if isinstance(node, ast.Constant)]


def test_a_label_is_written_in_one_place():
    labels = {fact.label for fact in FACT.values() if " " in fact.label} - HEADINGS
    assert len(labels) > 15
    assert found(ast.Constant, lambda node: node.value in labels) == [FACTS_FILE]


def test_no_second_table_says_what_facts_are_called():
    def called(key, value):
        fact = FACT.get(key)
        return fact and str(value).casefold() in {fact.label.casefold(), fact.in_a_sentence}

    def labels(node):
        pairs = (constants(filter(None, pair)) for pair in zip(node.keys, node.values, strict=True))
        return sum(len(pair) == 2 and bool(called(*pair)) for pair in pairs) > 2

    assert found(ast.Dict, labels) == []


def test_no_second_list_names_the_facts():
    def names_facts(node):
        return len(set(constants(node.elts)) & set(FACT)) > 5

    assert lists(names_facts) == sorted(LISTS)


@pytest.mark.parametrize("name", LISTED)
def test_codes_are_put_into_words_in_one_place(name):
    codes = LISTED[name]

    def coded(node):
        keys, values = constants(filter(None, node.keys)), constants(node.values)
        both = len(set(keys) & set(codes)) > 2 and len(keys) == len(values)
        return both or len(set(values) & set(codes.values())) > 2

    assert found(ast.Dict, coded) == [CODES_FILE]


def test_no_rules_of_an_importer_put_those_codes_into_words_again():
    for path in (ROOT / "services/importers").rglob("*.toml"):
        for name, codes in tomllib.loads(path.read_text("utf-8")).get("codes", {}).items():
            for listed, ours in LISTED.items():
                same = {code for code in codes if codes[code] == ours.get(code)} - {"98"}
                assert len(same) < 3, f"{path.name}: {name} repeats {listed}"


#: Coordinates of a drawing, no figures.
PLACED = {
    "components/kit/axis.py",
    "components/memo/drawing.py",
    "components/properties/paper.py",
    "components/report/drawing.py",
}


def test_figures_of_pages_are_rounded_in_one_place():
    """A format of Python's own rounds 4.305 down and writes a hyphen for a minus."""

    def rounds(node):
        spec = node.format_spec
        return spec is not None and any(text.endswith("f") for text in constants(spec.values))

    pages = {name for name in found(ast.FormattedValue, rounds) if not name.startswith("services")}
    assert pages == PLACED


def test_severe_or_worse_is_said_in_one_place():
    """No list of the worst two, in whichever order, and no slice of the ladder (D140)."""
    pair = {"severe", "critical"}
    listed = lists(lambda node: set(constants(node.elts)) == pair)
    assert listed == []
    joined = found(ast.Constant, lambda node: node.value in {"severe,critical", "critical,severe"})
    assert joined == []

    def sliced(node):
        named = isinstance(node.value, ast.Name) and node.value.id == "SEVERITIES"
        return named and isinstance(node.slice, ast.Slice)

    ladder = ["services/contract/track_record.py", "services/contract/vocabulary.py"]
    assert found(ast.Subscript, sliced) == ladder


def test_who_is_in_special_servicing_is_said_in_one_place():
    """A comparison of the day of return with the day of transfer (D140)."""

    def compares(node):
        return {"returned", "since"} <= {
            one.id for one in ast.walk(node) if isinstance(one, ast.Name)
        }

    assert found(ast.Compare, compares) == ["services/signals/servicing.py"]


def test_the_words_of_an_income_basis_are_read_in_one_place():
    """What a basis says is data from IncomeBasis, never a search in its words (D140)."""
    words = {"amounts of a year", "annualised", "seasonal", "underwritten"}
    files = found(ast.Compare, lambda node: set(constants([node.left])) & words)
    assert files == ["services/contract/income_basis.py"]  # a remark among remarks
    with_starts = found(
        ast.Call,
        lambda node: (
            isinstance(node.func, ast.Attribute)
            and node.func.attr == "startswith"
            and set(constants(node.args)) & {"NOI", "NCF"}
        ),
    )
    assert with_starts == []


def test_no_sentence_names_a_decision():
    """Numbers of DECISIONS.md are for who works here: on a page they tell nobody anything."""
    docstrings = {
        node.body[0].value
        for kind in (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        for _, node in syntax()[kind]
        if node.body and isinstance(node.body[0], ast.Expr)
    }
    said = {
        f"{file}: {node.value}"
        for file, node in syntax()[ast.Constant]
        if isinstance(node.value, str)
        and re.search(r"\bD[1-9]\d*\b", node.value)
        and node not in docstrings
    }
    assert said == set()
