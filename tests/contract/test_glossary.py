"""The terms of the pages (D267): every figure with a bad end has one, and each rule grades one."""

from services.contract.facts import FACT, FACTS
from services.contract.glossary import TERMS, called
from services.signals.limits import Limits
from services.signals.rules import rules

EVERY = [one for terms in TERMS.values() for one in terms]


def test_each_term_is_once_there_and_is_a_sentence():
    assert len({one.name for one in EVERY}) == len(EVERY)
    for one in EVERY:
        assert one.meaning.endswith("."), one.name
        assert one.meaning[0].isupper() or not one.meaning[0].isalpha(), one.name


def test_a_figure_of_which_one_end_is_bad_has_a_term():
    told = {one.fact for one in EVERY}
    graded = {one.name for one in FACTS if one.worse}
    # One term has the gap and its dollars, one the loss and its parts.
    assert graded - told == {"refinance_gap", "loss_of_owed"}
    assert told - {""} <= FACT.keys()


def test_each_rule_grades_a_term_and_each_rule_named_is_one():
    assert {rule for one in EVERY for rule in one.rules} == {
        one.id for one in rules(Limits.packaged())
    }


def test_a_search_reads_names_and_what_else_a_term_is_called():
    def names(words):
        return [one.name for one in called(words)]

    assert names("ltv") == ["LTV"]
    assert names("Loan To Value") == ["LTV"]
    assert names("balloon") == ["Balance at maturity"]
    assert names("treasury") == []
    assert [one.name for one in EVERY if one.speaks_of("treasury")] == ["Defeased", "Refi rate"]
