"""Small snapshots for tests of the shelf: any files at all, with the checksums of a real one."""

import json
from datetime import timedelta

from services.shelf.following import Node
from services.shelf.objects import Objects
from services.shelf.publishing import publish
from services.shelf.shelf import Environment, Shelf
from services.store import checksums, snapshot

#: Of the pieces that these tests cut files into: small ones have several.
PIECE = 1_000
LONG_AGO = timedelta(days=3)


def silent(*_):
    """Progress that nobody watches."""


def put(store, files, *, file_format=snapshot.FILE_FORMAT, keep=2):
    """Publishes files in a store's folder as a snapshot; its id."""
    with snapshot.writing(store) as (snapshot_id, build):
        for name, content in files.items():
            (build / name).parent.mkdir(parents=True, exist_ok=True)
            (build / name).write_bytes(content)
        facts = {
            "snapshot_id": snapshot_id,
            "file_format": file_format,
            "as_of": "2026-09-30",
            "built_at": "2026-10-01T00:00:00Z",
            "loans": len(files),
            "sources": [{"title": "Small"}],
        }
        (build / snapshot.SUMMARY).write_text(json.dumps(facts), encoding="utf-8")
        checksums.write(build)
        snapshot.publish(store, snapshot_id, build, keep=keep)
    return snapshot_id


def opened(folder, name="production"):
    """An environment of the shelf in a folder, which is made when it is not there."""
    return Environment(Shelf(Objects.at(str(folder), create=True)), name)


def published(environment, store, **how):
    """What a publisher did, without progress."""
    return publish(environment, store, progress=silent, **how)


def node(environment, store, name="n1", *, keep=2):
    """A follower that may be asked for its next turn."""
    return Node(environment, store, name, keep=keep, every=1)


def turned(environment, store, name="n1", **how):
    """One turn of a new follower."""
    return node(environment, store, name, **how).turn(silent)


def contents(store, snapshot_id):
    """Every file of a snapshot."""
    folder = snapshot.folder_of(store, snapshot_id)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def objects(folder):
    """Files of the shelf that hold pieces."""
    return sorted(path for path in (folder / "objects").rglob("*") if path.is_file())
