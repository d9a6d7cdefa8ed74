import json
import os
import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.contract.errors import StoreDamaged, StoreMissing
from services.names.index import CUTOFF, LONGEST_QUESTION, Match, NameIndex, build
from services.names.likeness import likeness
from services.names.search_text import spoken_words
from tests.tiers import examples

HOSTILE = [
    "", " ", "\x00", "\x00Alder", "!!!", "🏢", "👩‍👩‍👧", "a" * 10_000, "Alder " * 2_000, "()",
    "AND OR NOT", '"Alder', "id:1 OR grams:*", "whole:x", "[a TO z]", "^^^", "Alder~9", "\\",
    "\ud800", "%_%", "'; --", "\uff21lder", "\u202eredla", "\n\t", "1" * 300, "*", "a", "-",
]  # fmt: skip


def _opened(folder: Path, names: list[str]) -> NameIndex:
    build(folder, names)
    return NameIndex.open(folder)


def test_every_exact_name_is_first_with_score_one(index: NameIndex, names: list[str]) -> None:
    for at in [*range(6), *random.Random(1).sample(range(len(names)), 60)]:
        assert index.search(names[at], 5)[0] == Match(at, 1.0)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("harbor point tower 214 llc", "Harbor Point Tower 214 LLC"),
        ("Harbro Point Towr 214", "Harbor Point Tower 214 LLC"),
        ("214 Tower Harbor Point", "Harbor Point Tower 214 LLC"),
        ("Hbr Pt Twr 214", "Harbor Point Tower 214 LLC"),
        ("1420 Lakeshore Dr Owner", "1420 Lakeshore Drive Owner LP"),
        ("1420 Lakehsore Drive Ownr LP", "1420 Lakeshore Drive Owner LP"),
        ("ALDER RIDGE CAP PTRS", "Alder Ridge Capital Partners"),
        ("Alderridge Capital Partners", "Alder Ridge Capital Partners"),
        ("Delgado, Maria K", "Maria K. Delgado"),
        ("Maria Delagdo", "Maria K. Delgado"),
        ("Saint Louis Ind Props LP", "St. Louis Industrial Properties, L.P."),
        ("societe immobiliere du quebec", "Société Immobilière du Québec Inc."),
    ],
)
def test_misspelt_names_are_found_among_near_duplicates(
    index: NameIndex, names: list[str], asked: str, found: str
) -> None:
    answers = [names[match.id] for match in index.search(asked, 10)]
    assert found in answers


def test_nearly_every_variant_of_a_name_is_in_the_first_ten(
    index: NameIndex, names: list[str], spelling
) -> None:
    asked = list(spelling.questions(random.Random(5), names, 25))
    found = [at in {m.id for m in index.search(text, 10)} for at, _, text in asked]
    assert len(asked) > 200
    assert sum(found) / len(found) >= 0.98


def test_no_good_answer_escapes_the_candidates(
    index: NameIndex, names: list[str], spelling
) -> None:
    # Oracle: every name compared letter by letter.
    spoken = [spoken_words(name) for name in names]
    for _, _, text in list(spelling.questions(random.Random(9), names, 40))[::40]:
        scores = likeness(spoken_words(text), spoken)
        best = {at for at, score in enumerate(scores) if score >= 0.9}
        assert len(best) < 200
        assert best <= {match.id for match in index.search(text, 300)}


def test_answers_come_by_score_then_id_and_reach_the_cutoff(index: NameIndex) -> None:
    matches = index.search("Harbor Point", 200)
    assert len(matches) > 3
    assert matches == sorted(matches, key=lambda match: (-match.score, match.id))
    assert len({match.id for match in matches}) == len(matches)
    for _, score in matches:
        assert CUTOFF <= score <= 1
        assert score == round(score, 4)


def test_k_bounds_the_answers(index: NameIndex) -> None:
    everything = index.search("Harbor", 200)
    assert index.search("Harbor", 3) == everything[:3]
    assert index.search("Harbor", 0) == []
    assert index.search("Harbor", -1) == []


def test_the_house_asks_for_the_best_two_hundred_from_three_quarters_on(tmp_path: Path) -> None:
    # D37
    assert CUTOFF == 0.75
    build(tmp_path, [f"Harbor Point {number}" for number in range(210)])
    opened = NameIndex.open(tmp_path)
    assert len(opened.search("Harbor Point 7")) == 200
    opened.close()


def test_a_cutoff_given_replaces_the_house_value(index: NameIndex) -> None:
    everything = index.search("Harbor Point Twr 214", 300, cutoff=0.0)
    assert min(match.score for match in everything) < CUTOFF
    assert index.search("Harbor Point Twr 214", 300, cutoff=0.9) == [
        match for match in everything if match.score >= 0.9
    ]


def test_strangers_are_no_answer(index: NameIndex) -> None:
    assert index.search("zzqx vvkw") == []


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_may_be_asked(index: NameIndex, text: str) -> None:
    assert all(0 <= match.score <= 1 for match in index.search(text))


@examples(20, 60)
@given(st.text(st.characters(), max_size=60))
def test_no_text_breaks_the_search(index: NameIndex, text: str) -> None:
    index.search(text, 5)


@settings(max_examples=15)
@given(st.lists(st.text(st.characters(), min_size=1, max_size=20), min_size=1, max_size=8))
def test_any_names_are_found_by_themselves(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    opened = _opened(tmp_path_factory.mktemp("any"), names)
    for name in names:
        if not name.strip():
            continue
        first = opened.search(name)[0]
        assert first == Match(names.index(name), 1.0)
    opened.close()


def test_of_two_spellings_the_one_asked_for_comes_first(tmp_path: Path) -> None:
    opened = _opened(tmp_path, ["ALDER RIDGE LLC", "Alder Ridge, LLC", "Alder Ridge LP"])
    assert opened.search("Alder Ridge, LLC")[:2] == [Match(1, 1.0), Match(0, 0.9999)]
    # Asked in a third spelling, both are that name.
    assert opened.search("alder ridge llc")[:2] == [Match(0, 1.0), Match(1, 1.0)]
    lp = opened.search("alder ridge llc")[2]
    assert lp.id == 2
    assert 0.99 < lp.score < 1.0


def test_names_longer_than_a_question_are_told_apart(tmp_path: Path) -> None:
    long = "Alder Ridge " * 40
    names = [long + "North", long + "South"]
    opened = _opened(tmp_path, names)
    assert len(names[0]) > LONGEST_QUESTION
    assert opened.search(names[1])[0] == Match(1, 1.0)


def test_words_that_most_names_share_still_find_the_exact_one(tmp_path: Path) -> None:
    names = [f"Alder Ridge {number}" for number in range(2_000)] + ["Alder Ridge"] * 3
    opened = _opened(tmp_path, names)
    assert opened.search("Alder Ridge", 4)[:3] == [Match(at, 1.0) for at in (2000, 2001, 2002)]


def test_an_index_of_no_names_answers_nothing(tmp_path: Path) -> None:
    opened = _opened(tmp_path, [])
    assert opened.search("Alder") == []
    opened.close()


def test_building_again_replaces_the_names(tmp_path: Path) -> None:
    build(tmp_path, ["Alder Ridge", "Cedar Point"])
    opened = _opened(tmp_path, ["Maple Grove"])
    assert opened.search("Maple Grove") == [Match(0, 1.0)]
    assert opened.search("Alder Ridge") == []


def test_a_closed_index_says_so(tmp_path: Path) -> None:
    opened = _opened(tmp_path, ["Alder Ridge"])
    opened.close()
    with pytest.raises(ValueError, match="closed"):
        opened.search("Alder")


def test_a_folder_without_a_finished_index_is_missing(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing):
        NameIndex.open(tmp_path)
    build(tmp_path, ["Alder Ridge"])
    (tmp_path / "index.json").unlink()
    with pytest.raises(StoreMissing):
        NameIndex.open(tmp_path)


@pytest.mark.parametrize("file", ["names.npy", "offsets.npy", "grams/meta.json", "index.json"])
def test_a_damaged_file_is_named_as_damage(tmp_path: Path, file: str) -> None:
    build(tmp_path, ["Alder Ridge", "Cedar Point"])
    (tmp_path / file).write_bytes(b"\x00damaged")
    with pytest.raises(StoreDamaged, match="import again"):
        NameIndex.open(tmp_path)


def test_an_index_of_another_version_is_not_read(tmp_path: Path) -> None:
    build(tmp_path, ["Alder Ridge"])
    (tmp_path / "index.json").write_text(json.dumps({"format": 0, "names": 1}))
    with pytest.raises(StoreDamaged, match="another version"):
        NameIndex.open(tmp_path)


def test_a_lock_that_tantivy_leaves_late_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # tantivy's own watch may lock the folder of links while that is being removed.
    build(tmp_path / "index", ["Alder Ridge LLC"])
    links = tmp_path / "links"
    links.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(links))
    rmdir = os.rmdir
    late = iter([True])

    def locked_meanwhile(path: str, *, dir_fd: int | None = None) -> None:
        if next(late, False):
            next(links.iterdir()).joinpath(".tantivy-meta.lock").touch()
        rmdir(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "rmdir", locked_meanwhile)
    opened = NameIndex.open(tmp_path / "index")
    assert opened.search("Alder Ridge LLC") == [Match(0, 1.0)]
    assert next(late, None) is None
    assert list(links.iterdir()) == []
    opened.close()


def test_scores_separate_real_matches_from_strangers(pairs) -> None:
    rows = pairs("bank_name_pairs.csv")
    true = [
        likeness(spoken_words(row["occ_name"]), [spoken_words(row["ffiec2014_name"])])[0]
        for row in rows
    ]
    others = [row["ffiec2014_name"] for row in rows[186:] + rows[:186]]
    false = [
        likeness(spoken_words(row["occ_name"]), [spoken_words(other)])[0]
        for row, other in zip(rows, others, strict=True)
    ]
    assert sum(score >= CUTOFF for score in true) / len(true) >= 0.90
    # Banks' names share most of their words ("First National Bank of ...").
    assert sum(score >= CUTOFF for score in false) / len(false) <= 0.10
