"""The cells of one column of a tape, each text once."""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from services.importers.tape import units


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A column, each text once."""

    texts: list[str]
    times: NDArray[np.int64]
    #: Of each row, its place in `texts`.
    at: NDArray[np.int32]
    #: Places of the texts that say something.
    said: NDArray[np.int64]
    #: Of each text, what it was read as, None where it says nothing; what does not read and why.
    values: list[object] = field(default_factory=list)
    unread: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> "Cells":
        """Those of a column, not read yet."""
        coded = column.combine_chunks().dictionary_encode()
        at = coded.indices.to_numpy().astype(np.int32)
        texts = coded.dictionary.to_pylist()
        said = np.flatnonzero(~units.empty(coded.dictionary))
        return cls(texts, np.bincount(at, minlength=len(texts)), at, said)

    def told(self, most: int | None = None) -> tuple[list[str], NDArray[np.int64]]:
        """Texts that say something, the first `most` of them, with how often each stands there."""
        which = self.said[:most]
        return [self.texts[at] for at in which.tolist()], self.times[which]

    def read(self, unit: str, reading: str, scale: str, *, strict: bool) -> None:
        """Fills `values` and `unread`."""
        values, wrong = units.read_all(unit, reading, scale, self.told()[0], strict=strict)
        found = np.full(len(self.texts), None, object)
        found[self.said] = values
        self.values[:] = found.tolist()
        self.unread.update({int(self.said[at]): why for at, why in wrong.items()})

    def array(self, kind: pa.DataType) -> pa.Array:
        """The values, row by row."""
        return pa.array(self.values, kind).take(pa.array(self.at))

    def of_rows(self) -> list[object]:
        """The values, row by row, as they are."""
        return list(map(self.values.__getitem__, self.at.tolist()))
