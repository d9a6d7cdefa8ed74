"""Every sentence that scoring stores, over made-up books, samples and genuine filings: what none of
them may say.
"""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from services.contract.portfolio import TABLES
from services.importers import demo, sec_absee
from services.signals.assumptions import Assumptions
from services.signals.cards import rule_cards
from services.signals.engine import evaluate
from services.signals.limits import Limits
from services.signals.rules import RULES
from tests.genuine import SEVEN_YEARS, SHARED
from tests.world import harbour, quay, show

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "tests/importers").glob("sample_*.xml"))
GENUINE = [*SHARED.glob("sec-absee/BANK5*.xml"), *SEVEN_YEARS[29::24]]
MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
DAY = re.compile(rf"\b\d{{1,2}} (?:{MONTHS}) \d{{4}}\b")
#: What no sentence may hold -> why.
NEVER = {
    r"DSCR [^(]{1,20}\([^)]*annualised": "a DSCR is of its own months",
    r"\d\.\d+ months": "months are whole ones",
    r"\b[01] months?\b(?! limit)": "under two months it is days",
    r"\b1 (?:days|months|loans)\b": "one is one",
    r"\.\.|,,|  | ,| \.|;;": "marks stand once and without a space",
    r"\bD\d{1,3}\b": "decisions are ours",
    r"\b(?:nan|None|inf|NaT|null)\b": "what is missing is said in words",
    r"\d\.\d{5,}": "nobody reads five decimals",
    r"(?:under [^,.]+|,| and) \d+ (?:is|are) (?:critical|severe)": "siblings have names",
}


def portfolios():
    yield "demonstration", lambda: [demo.portfolio(loans=2_000)]
    yield "world", lambda: [harbour(), quay(), show()]
    for path in (*SAMPLES, *GENUINE):
        yield path.stem, lambda path=path: sec_absee.portfolio([path])


@pytest.fixture(scope="module", params=[make for _, make in portfolios()],
                ids=[name for name, _ in portfolios()])  # fmt: skip
def sentences(request):
    found = []
    for one in request.param():
        tables = {name: getattr(one, name) for name in TABLES}
        scored = evaluate(tables, one.info.as_of, Assumptions.packaged())
        found += scored.signals["description"].to_pylist()
    return found


def test_no_sentence_says_what_it_should_not(sentences):
    wrong = [
        (why, said) for said in sentences for rule, why in NEVER.items() if re.search(rule, said)
    ]
    assert wrong == []


def test_no_sentence_says_a_date_twice(sentences):
    for said in sentences:
        for sentence in re.split(r"(?<=[a-z0-9%x)])\. (?=[A-Z0-9])", said):
            twice = [day for day, times in Counter(DAY.findall(sentence)).items() if times > 1]
            assert twice == [], sentence


def test_every_sentence_ends_with_its_day(sentences):
    assert all(re.search(rf"\. As of {DAY.pattern[2:-2]}\.$", said) for said in sentences)


def test_no_card_of_a_rule_names_a_decision():
    for card in rule_cards(RULES, Limits.packaged()):
        assert not re.search(r"\bD\d{1,3}\b", str(card.model_dump()))


def test_no_text_of_the_product_names_a_decision():
    """Comments and docstrings may: nobody meets them on a page."""
    named = []
    for folder in ("components", "pages", "services"):
        for path in (ROOT / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            said = {
                id(node.body[0].value)
                for node in ast.walk(tree)
                if isinstance(
                    node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
                )
                and node.body
                and isinstance(node.body[0], ast.Expr)
            }
            named += [
                (path.name, node.value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in said
                and re.search(r"\bD\d{1,3}\b", node.value)
            ]
    assert named == []
