"""How alike two names are, from 0 to 1, for many candidates at a time."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

#: Words less alike than this are different words, not one word misspelt.
_ONE_WORD = 0.55
#: A question whose words all occur in a name scores at least this, however long the name.
_CONTAINED = 0.80
#: What a word typed only in part is worth ("lakes" for "lakeshore").
_BEGUN = 0.9
_BEGUN_LETTERS = 3
#: What is left of the likeness of letters when both names are numbered, and differently.
_OTHER_NUMBER = 0.85

_NUMBER = re.compile(r"\d+")
_Floats = npt.NDArray[np.float32]


def _word_likeness(asked: Sequence[str], known: Sequence[str]) -> _Floats:
    """Likeness of every asked word (rows) to every known word (columns)."""
    alike: _Floats = process.cdist(
        asked, known, scorer=OSA.normalized_similarity, score_cutoff=_ONE_WORD, dtype=np.float32
    )
    for row, word in enumerate(asked):
        for column, other in enumerate(known):
            if word == other:
                continue
            if not word.isalpha() and not other.isalpha():
                alike[row, column] = 0.0
            elif len(word) >= _BEGUN_LETTERS and other.startswith(word):
                alike[row, column] = max(alike[row, column], _BEGUN)
    return alike


def _letter_likeness(asked: str, texts: Sequence[str]) -> _Floats:
    """Likeness of the text asked to each text, letter by letter."""
    alike: _Floats = process.cdist(
        [asked], texts, scorer=OSA.normalized_similarity, dtype=np.float32
    )[0]
    if numbers := set(_NUMBER.findall(asked)):
        for row, text in enumerate(texts):
            others = set(_NUMBER.findall(text))
            # Building 214 is not building 215, however alike they are written.
            if numbers - others and others - numbers:
                alike[row] *= _OTHER_NUMBER
    return alike


def _padded(
    candidates: Sequence[Sequence[str]], columns: dict[str, int]
) -> tuple[npt.NDArray[np.int32], _Floats]:
    """Column of each candidate's words, one row a candidate, and the words' lengths (0: none)."""
    width = max(map(len, candidates), default=0)
    places = np.zeros((len(candidates), max(width, 1)), dtype=np.int32)
    lengths = np.zeros(places.shape, dtype=np.float32)
    for row, words in enumerate(candidates):
        places[row, : len(words)] = [columns[word] for word in words]
        lengths[row, : len(words)] = [len(word) for word in words]
    return places, lengths


def likeness(asked: Sequence[str], candidates: Sequence[Sequence[str]]) -> _Floats:
    """Likeness of the words `asked` to each of `candidates` (words each), 0 to 1, in their order.

    The best of three readings: letter by letter (finds joined and split words), word by word in
    any order (finds moved words), and how much of the question the name contains (finds names by
    a part of them).
    """
    if not asked or not candidates:
        return np.zeros(len(candidates), dtype=np.float32)
    texts = [" ".join(words) for words in candidates]
    letters = _letter_likeness(" ".join(asked), texts)
    columns = {w: at for at, w in enumerate(dict.fromkeys(w for c in candidates for w in c))}
    if not columns:
        return letters
    alike = _word_likeness(asked, list(columns))
    places, lengths = _padded(candidates, columns)
    pairs = np.where(lengths > 0, alike[:, places], 0.0)  # asked word, candidate, its word
    weights = np.array([len(word) for word in asked], dtype=np.float32)
    found = weights @ pairs.max(axis=2)
    answered = (pairs.max(axis=0) * lengths).sum(axis=1)
    by_word = (found + answered) / (weights.sum() + lengths.sum(axis=1))
    whole = np.maximum(letters, by_word)
    contained = found / weights.sum() * (_CONTAINED + (1 - _CONTAINED) * whole)
    return np.asarray(np.clip(np.maximum(whole, contained), 0.0, 1.0), dtype=np.float32)
