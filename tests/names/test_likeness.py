import numpy as np
import pytest

from services.names.likeness import likeness
from services.names.search_text import spoken_words, trigrams


def _alike(one: str, other: str) -> float:
    return float(likeness(spoken_words(one), [spoken_words(other)])[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alder Props LLC", "Alder Properties LP"),
        ("St. Louis Hldgs", "Saint Louis Holdings"),
        ("100 N Main St", "100 North Main Street"),
        ("First Int'l Bk", "1st International Bank"),
        ("Lakeshore Apts Mgmt", "Lakeshore Apartments Management"),
        ("Alder RE Ptrs", "Alder Real Estate Partners"),
        ("Harbour Ctr", "Harbor Centre"),
    ],
)
def test_abbreviations_read_as_the_words_they_stand_for(one: str, other: str) -> None:
    assert spoken_words(one) == spoken_words(other)
    assert _alike(one, other) == 1.0


def test_word_order_costs_nothing() -> None:
    assert _alike("Delgado Maria", "Maria Delgado") == 1.0


def test_joined_words_cost_one_letter() -> None:
    assert _alike("HarborPoint Tower", "Harbor Point Tower") == pytest.approx(1 - 1 / 18)


def test_another_number_costs_more_than_a_misspelt_word() -> None:
    asked = "Harbro Point Tower 214"
    assert _alike(asked, "Harbor Point Tower 214") > _alike(
        "Harbor Point Tower 214", asked[:-1] + "5"
    )
    assert _alike("214 Harbor", "214 Harbro") > _alike("214 Harbor", "215 Harbor")


def test_part_of_a_name_is_an_answer_however_long_the_name() -> None:
    # 0.80 + 0.20 of the whole: both words of four found, by letters 10 + 10 of 10 + 25.
    assert _alike("Alder Ridge", "Alder Ridge Capital Partners") == pytest.approx(
        0.8 + 0.2 * 20 / 35
    )


def test_strangers_score_low() -> None:
    assert _alike("Empire State Building", "Copper Gate Building") < 0.75
    assert _alike("Blackstone", "Maria K. Delgado") < 0.3


def test_scores_keep_the_order_of_the_candidates() -> None:
    asked = spoken_words("Alder Ridge")
    candidates = [spoken_words(name) for name in ("Cedar Point", "Alder Ridge", "!", "Alder")]
    scores = likeness(asked, candidates)
    assert scores.shape == (4,)
    assert scores[1] == 1.0
    assert scores[2] == 0.0
    assert scores[1] > scores[3] > scores[0]
    alone = [float(likeness(asked, [candidate])[0]) for candidate in candidates]
    assert np.allclose(scores, alone)


def test_nothing_asked_is_like_nothing() -> None:
    assert likeness([], [["alder"]]).tolist() == [0.0]
    assert likeness(["alder"], []).tolist() == []
    assert likeness(["alder"], [[]]).tolist() == [0.0]


def test_trigrams_mark_where_words_begin_and_end() -> None:
    assert trigrams(["alder", "k"]) == "^al ald lde der er$ ^k$"
    assert trigrams([]) == ""
