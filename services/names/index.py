"""Fuzzy search over names: tantivy finds candidates by trigrams, rapidfuzz orders them.

A folder holds the trigram index (`grams/`), the names as given (`names.npy`, `offsets.npy`), the id
of each (`ids.npy`: further spellings stand after the names), and `index.json`, which is written
last: a folder without it was never finished.
"""

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import tantivy
from rapidfuzz import fuzz

from services.contract.errors import StoreDamaged, StoreMissing
from services.names.likeness import likeness
from services.names.normalise import folded
from services.names.search_text import spoken_words, trigrams

#: House value: a name is an answer from this score on. A whole name misspelt in one or two places
#: scores lower once in a thousand times; of two unrelated banks' names one pair in 25 reaches it.
CUTOFF = 0.75
#: A question is read up to here; no name that anyone types is longer.
LONGEST_QUESTION = 200

#: Changes whenever folders written before can no longer be searched.
_FORMAT = 2
#: What tantivy leaves beside an index.
_LOCK = ".lock"
#: How often, and seconds apart, removing a folder is tried that tantivy may still write to.
_REMOVED_BY = 20
_REMOVED_EVERY = 0.01
#: How many candidates are compared letter by letter.
_CANDIDATES = 300
#: The rarest trigrams of a question that are looked up; common ones cost time and tell little.
_LOOKED_UP = 24
#: Memory of the writer. One thread and one buffer give one segment, which searches fastest.
_HEAP_BYTES = 400_000_000
#: Scores are rounded to four digits; the highest one short of "the same name".
_ALMOST = 0.9999
#: Weight of the name as written, legal form included, next to what it says.
_AS_WRITTEN = 0.01


class Match(NamedTuple):
    """One answer: the position of the name in what was built, and its score, 0 to 1."""

    id: int
    score: float


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    # Not an unsigned field: tantivy panics on Python's ints there.
    builder.add_integer_field("id", fast=True)
    builder.add_text_field("grams", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("whole", tokenizer_name="raw", index_option="basic")
    return builder.build()


def _whole(name: str) -> str:
    """What makes two names the same: their words, or the text itself where it has none."""
    text = " ".join(folded(name[:LONGEST_QUESTION])) or name[:LONGEST_QUESTION].strip()
    return text.encode("utf-8", "replace").decode("utf-8")


def build(folder: Path, names: Sequence[str], further: Sequence[tuple[str, int]] = ()) -> None:
    """Write the index of `names` to `folder`; the position of a name is its id. `further` are other
    spellings, each with the id that it stands for.

    Replaces an index that the folder holds. Complete and readable when it returns. Raises OSError.
    """
    grams = folder / "grams"
    (folder / "index.json").unlink(missing_ok=True)
    shutil.rmtree(grams, ignore_errors=True)
    grams.mkdir(parents=True)
    ids = [*range(len(names)), *(at for _, at in further)]
    np.save(folder / "ids.npy", np.array(ids, dtype=np.int32))
    names = [*names, *(spelling for spelling, _ in further)]
    _write_names(folder, names)
    index = tantivy.Index(_schema(), path=str(grams))
    try:
        _write_grams(index, names)
    except ValueError as error:  # tantivy's word for all that can go wrong, a full disk too
        raise OSError(str(error)) from error
    for lock in grams.glob(f"*{_LOCK}"):
        lock.unlink()
    facts = {"format": _FORMAT, "names": len(names)}
    (folder / "index.json").write_text(json.dumps(facts), encoding="utf-8")


def _write_grams(index: tantivy.Index, names: Sequence[str]) -> None:
    writer = index.writer(heap_size=_HEAP_BYTES, num_threads=1)
    for position, name in enumerate(names):
        document = tantivy.Document()
        document.add_integer("id", position)
        document.add_text("whole", _whole(name))
        document.add_text("grams", trigrams(spoken_words(name[:LONGEST_QUESTION])))
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def _write_names(folder: Path, names: Sequence[str]) -> None:
    """Write the names one after another, and where each begins."""
    encoded = [name.encode("utf-8", "surrogatepass") for name in names]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(name) for name in encoded], out=offsets[1:])
    np.save(folder / "offsets.npy", offsets)
    np.save(folder / "names.npy", np.frombuffer(b"".join(encoded), dtype=np.uint8))


@contextmanager
def _folder_of_links() -> Iterator[Path]:
    """A folder that is gone afterwards, even where tantivy writes to it meanwhile.

    `Index.open` starts a watch of its own that looks at the folder once, from another thread, and
    locks it for that: the lock may appear while the folder is being removed.
    """
    folder = Path(mkdtemp(prefix="creditatlas-names-"))
    try:
        yield folder
    finally:
        for _ in range(_REMOVED_BY):
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                break
            time.sleep(_REMOVED_EVERY)


def _opened(grams: Path) -> tuple[tantivy.Index, tantivy.Searcher]:
    """The trigram index, all its files open.

    tantivy makes a lock file beside the files that it opens. So it is shown links to them in a
    folder of our own: the index itself may lie where nobody may write.
    """
    with _folder_of_links() as links:
        for file in grams.resolve().iterdir():
            if file.suffix != _LOCK:
                (links / file.name).symlink_to(file)
        index = tantivy.Index.open(str(links))
        # Snapshots never change: no thread has to watch the folder.
        index.config_reader(reload_policy="manual")
        index.reload()
        searcher = index.searcher()
        searcher.doc_freq("grams", "")  # opens the files that are else opened by a search
    return index, searcher


def _ids(searcher: tantivy.Searcher, query: tantivy.Query, limit: int) -> list[int]:
    """Ids of the best `limit` answers. Without a count tantivy skips hopeless blocks."""
    hits = searcher.search(query, limit, count=False).hits
    found = searcher.fast_field_values("id", [address for _, address in hits])
    return [int(value) for value in found if value is not None]


class NameIndex:
    """An index that `build` wrote, open for searching; safe to share between threads."""

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        names: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        ids: npt.NDArray[np.int32],
    ) -> None:
        self._searcher: tantivy.Searcher | None = searcher
        self._schema = schema
        self._names = names
        self._offsets = offsets
        self._ids = ids

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the index in `folder`.

        Raises StoreMissing when there is none, StoreDamaged when it does not read.
        """
        if not (folder / "index.json").is_file():
            raise StoreMissing(f"There is no finished name index in {folder.name}: import again.")
        try:
            facts = json.loads((folder / "index.json").read_text(encoding="utf-8"))
            names = np.load(folder / "names.npy", mmap_mode="r")
            offsets = np.load(folder / "offsets.npy", mmap_mode="r")
            whose = np.load(folder / "ids.npy", mmap_mode="r")
            index, searcher = _opened(folder / "grams")
        except (OSError, ValueError, EOFError) as damage:
            raise StoreDamaged(
                f"The name index in {folder.name} does not read ({damage}): import again."
            ) from damage
        if facts != {"format": _FORMAT, "names": searcher.num_docs} or (
            not len(offsets) - 1 == len(whose) == searcher.num_docs or offsets[-1] != len(names)
        ):
            raise StoreDamaged(
                f"The name index in {folder.name} is of another version or incomplete: "
                "import again."
            )
        return cls(searcher, index.schema, names, offsets, whose)

    def close(self) -> None:
        """Let go of the files; searching afterwards raises ValueError."""
        self._searcher = None
        self._names = np.zeros(0, dtype=np.uint8)
        self._offsets = np.zeros(1, dtype=np.int64)
        self._ids = np.zeros(0, dtype=np.int32)

    def search(self, text: str, k: int = 200, *, cutoff: float = CUTOFF) -> list[Match]:
        """Names most like `text`: at most `k`, by score descending, then id; of several spellings
        of one the likest counts.

        Only scores from `cutoff` on, rounded to four digits. 1.0 means the same name but for
        case, accents and punctuation; where one is spelt exactly as asked, only that one has it.
        Any text is allowed: it is plain text, never query syntax; without a letter, digit or
        sign that a name has, the answer is empty.
        """
        searcher = self._open_searcher()
        whole = _whole(text)
        if not whole or k < 1:
            return []
        asked = spoken_words(text[:LONGEST_QUESTION])
        wanted = max(k, _CANDIDATES)
        same = tantivy.Query.term_query(self._schema, "whole", whole, "basic")
        alike = self._alike(searcher, asked)
        ids = list(dict.fromkeys(_ids(searcher, same, wanted) + _ids(searcher, alike, wanted)))
        matches = self._scored(text, whole, asked, ids)
        best: dict[int, float] = {}
        for at, score in matches:
            if score >= cutoff:
                whose = int(self._ids[at])
                best[whose] = max(score, best.get(whose, 0.0))
        kept = (Match(whose, score) for whose, score in best.items())
        return sorted(kept, key=lambda match: (-match.score, match.id))[:k]

    def _open_searcher(self) -> tantivy.Searcher:
        if self._searcher is None:
            raise ValueError("The name index is closed: open it again before searching.")
        return self._searcher

    def _alike(self, searcher: tantivy.Searcher, asked: list[str]) -> tantivy.Query:
        """Any of the rarest trigrams of the question."""
        grams = dict.fromkeys(trigrams(asked).split())
        found = sorted((searcher.doc_freq("grams", gram), gram) for gram in grams)
        rare = [gram for count, gram in found if count][:_LOOKED_UP]
        terms = [tantivy.Query.term_query(self._schema, "grams", gram, "freq") for gram in rare]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])

    def _name(self, at: int) -> str:
        begin, end = self._offsets[at], self._offsets[at + 1]
        return self._names[begin:end].tobytes().decode("utf-8", "surrogatepass")

    def _scored(self, text: str, whole: str, asked: list[str], ids: list[int]) -> list[Match]:
        names = [self._name(at) for at in ids]
        says = likeness(asked, [spoken_words(name[:LONGEST_QUESTION]) for name in names])
        spelt_so = text in names
        matches = []
        for at, name, score in zip(ids, names, says.tolist(), strict=True):
            written = _whole(name)
            same = name == text if spelt_so else written == whole
            as_written = fuzz.ratio(written, whole) / 100
            mixed = min((1 - _AS_WRITTEN) * score + _AS_WRITTEN * as_written, _ALMOST)
            matches.append(Match(at, 1.0 if same else round(mixed, 4)))
        return matches
