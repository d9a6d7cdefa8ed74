"""Portfolios as a snapshot of a folder, in one call."""

import fcntl
import hashlib
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

from services import pipeline
from services.store.publisher import SnapshotPublisher

#: Stores that were built once, for all workers of this run; tests/conftest.py says where.
SHARED: Path | None = None


def load(folder, portfolios, *, keep=2, **how):
    """What `pipeline.load` publishes in a store's folder."""
    return pipeline.load(portfolios, into=SnapshotPublisher(folder, keep=keep), **how)


def load_once(folder, portfolios, **how):
    """The same, as a copy where any worker of this run has loaded it into a new folder before.

    For fixtures of a module or a session: what a test has patched must not be there for others.
    """
    portfolios = list(portfolios)
    if folder.exists() and any(folder.iterdir()):
        load(folder, portfolios, **how)
        return
    given = pickle.dumps((portfolios, sorted(how.items())))
    built_once(folder, given, lambda made: load(made, portfolios, **how))


def built_once(folder: Path, of: bytes, build: Callable[[Path], object]) -> None:
    """Fills a new folder with what `build` makes in one, or with a copy of it."""
    if SHARED is None:  # outside pytest
        build(folder)
        return
    kept = SHARED / hashlib.sha256(of).hexdigest()
    SHARED.mkdir(exist_ok=True)
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            made = kept.with_suffix(".made")
            shutil.rmtree(made, ignore_errors=True)
            build(made)
            made.rename(kept)
    shutil.copytree(kept, folder, dirs_exist_ok=True)
