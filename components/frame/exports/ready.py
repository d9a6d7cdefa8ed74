"""A file that was built and waits to be taken: in a folder of its own, for as long as needed."""

import shutil
import tempfile
import weakref
from pathlib import Path

from components.frame import recording
from components.kit.formatting import count
from services.contract.audit import Deed

from .export import Export
from .formats import Format

#: A file, and what is recorded when it is taken.
Given = tuple[bytes, Deed]


class Ready:
    """A file that is ready. Its folder goes with it: at the session's end at the latest."""

    def __init__(self, asked: tuple[object, ...], form: Format, stem: str, deed: Deed) -> None:
        folder = Path(tempfile.mkdtemp(prefix="credit-atlas-"))
        self._gone = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        #: What it was asked for: another result, or another snapshot, is another file.
        self.asked = asked
        self.format = form
        #: What is recorded when it is taken.
        self.deed = deed
        self.path = folder / f"{stem}{form.suffix}"

    def given(self) -> Given:
        """Its contents, and what is recorded."""
        return self.path.read_bytes(), self.deed

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return self.path.stat().st_size

    def remove(self) -> None:
        """Removes it and its folder."""
        self._gone()


def deed(export: Export, form: Format, stem: str) -> Deed:
    """What is recorded of a file of these rows when it is taken."""
    return recording.file(
        "export",
        f"{stem}{form.suffix}",
        form=f"{form.name}, {count(export.rows)} rows of {export.what}",
        shown=export.shown,
        of=export.origin,
    )


def contents(export: Export, form: Format, stem: str) -> Given:
    """A whole file at once, and what is recorded; for few rows."""
    ready = Ready((), form, stem, deed(export, form, stem))
    try:
        form.write(ready.path, export, lambda _: None)
        return ready.given()
    finally:
        ready.remove()
