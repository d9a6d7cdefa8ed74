"""No command removes what it has not understood (D99, D100, D103): 200 damages of a store and of
what names its snapshots, each followed by every command that writes.
"""

import os
import random
import shutil
from contextlib import suppress
from functools import cache

import pytest

from services.contract.errors import CreditAtlasError
from services.shelf.objects import Objects
from services.shelf.publishing import publish
from services.shelf.shelf import Environment, Shelf
from services.signals.assumptions import Assumptions
from services.store import archive, overview, snapshot, writer
from services.store.snapshot import CURRENT, LEAVING, SUMMARY, current_id, folder_of
from tests.commands import inside
from tests.publishing import load
from tests.test_cli import SAMPLE
from tests.tiers import amounts
from tests.world import Sketch, info_of

WRITING = {
    "demo": ("demo", "--loans", 3),
    "demo --if-empty": ("demo", "--loans", 3, "--if-empty"),
    "demo --replace": ("demo", "--loans", 3, "--replace"),
    "import": ("import", "sec-absee", SAMPLE, "--deal", "another"),
    "use": ("snapshots", "use", "OLDER"),
    "gc": ("snapshots", "gc", "--keep", 1),
    "rebuild": ("rebuild",),
    "follow": ("follow", "--from", "SHELF", "--once"),
}
READING = {"status": ("status",), "verify": ("verify",), "list": ("snapshots", "list")}


def tape(key):
    sketch = Sketch(info_of(key))
    sketch.loan(f"{key}-1")
    return sketch.portfolio()


class World:
    """A store of two reported deals and the snapshot before it, and a shelf that has both."""

    def __init__(self, folder):
        self.store, self.shelf = folder / "store", folder / "shelf"
        self.older = load(self.store, [tape("first")]).snapshot_id
        self.newer = load(self.store, [tape("second")]).snapshot_id
        builder = folder / "builder"
        shutil.copytree(self.store, builder)
        load(builder, [tape("third")])
        place = Environment(Shelf(Objects.at(str(self.shelf), create=True)), "production")
        publish(place, builder, progress=lambda *_: None)

    def words(self, command):
        """A command as it is typed."""
        meant = {"OLDER": self.older, "SHELF": self.shelf}
        return [str(meant.get(word, word)) for word in (WRITING | READING)[command]]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return World(tmp_path_factory.mktemp("lost"))


@pytest.fixture
def swift(world, monkeypatch):
    """Writes the files that answers are made of from those of another snapshot: what is lost, or
    not, are archives and snapshots.
    """
    template = folder_of(world.store, world.newer)
    kinds = (snapshot.DATABASE, snapshot.DETAILS, snapshot.GRAPH, snapshot.NAMES, snapshot.TABLES)

    def written(folder, *_):
        for kind in kinds:
            made = shutil.copytree if (template / kind).is_dir() else shutil.copy
            made(template / kind, folder / kind)

    def overviewed(folder, _):
        shutil.copy(template / snapshot.OVERVIEW, folder / snapshot.OVERVIEW)

    monkeypatch.setattr(writer, "write", written)
    monkeypatch.setattr(overview, "write", overviewed)
    monkeypatch.setattr(Assumptions, "of", cache(Assumptions.of))
    monkeypatch.setattr(snapshot, "sync", lambda _: None)


def linked(store, to):
    """A copy of a store whose snapshots take no room."""
    shutil.copytree(
        store,
        to,
        copy_function=lambda a, b: os.link(a, b) if "/snap-" in str(a) else shutil.copy(a, b),
    )
    return to


def rewritten(file, content):
    """As disks and hands do it; the file that it was linked to stays."""
    file.unlink()
    file.write_bytes(content)


def flipped(draw, content):
    at = draw.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << draw.randrange(8)]) + content[at + 1 :]


#: What may become of `current`: what it then holds; None where it is gone.
POINTER = {
    "gone": lambda *_: None,
    "empty": lambda *_: b"",
    "cut": lambda draw, was, _: was[: draw.randrange(len(was) - 1)],
    "flipped": lambda draw, was, _: flipped(draw, was),
    "garbage": lambda draw, *_: draw.randbytes(40),
    "of another": lambda *_: b"20240101-000000-abcdef\n",
    "of another beside one": lambda _, was, __: b"20240101-000000-abcdef\n" + was,
    "older": lambda _draw, _was, world: f"{world.older}\n".encode(),
    "without the older": lambda _draw, _was, world: f"{world.newer}\n".encode(),
}


def harm_pointer(draw, store, world):
    how = draw.choice(sorted(POINTER))
    content = POINTER[how](draw, (store / CURRENT).read_bytes(), world)
    (store / CURRENT).unlink()
    if content is not None:
        (store / CURRENT).write_bytes(content)
    return how


def harm_pointer_beyond_a_file(draw, store, world):
    how = draw.choice(["a folder", "new beside", "leaving", "leaving, and gone"])
    if how == "a folder":
        (store / CURRENT).unlink()
        (store / CURRENT).mkdir()
    elif how == "new beside":
        (store / f"{CURRENT}.new").write_text(f"{world.older[:9]}")
    else:
        (store / LEAVING).write_text(f"{world.newer}\n{world.older}\n")
        if how != "leaving":
            (store / CURRENT).unlink()
    return how


def harm_snapshot(draw, store, world):
    folder = folder_of(store, draw.choice([world.newer, world.newer, world.older]))
    how = draw.choice(["flip", "flip", "cut", "gone", "summary", "checksums", "all"])
    if how == "all":
        shutil.rmtree(folder)
        return f"{folder.name} gone"
    named = {"summary": SUMMARY, "checksums": "checksums.json"}
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    file = folder / named[how] if how in named else draw.choice(files)
    content = file.read_bytes()
    if how == "flip":
        rewritten(file, flipped(draw, content))
    elif how == "cut":
        rewritten(file, content[: draw.randrange(len(content))])
    else:
        file.unlink()
    return f"{how} of {file.relative_to(store)}"


def harmed(draw, store, world):
    harms = draw.choice(
        [
            [harm_pointer],
            [harm_pointer],
            [harm_pointer_beyond_a_file],
            [harm_snapshot],
            [harm_snapshot],
            [harm_snapshot, harm_pointer],
        ]
    )
    return [harm(draw, store, world) for harm in harms]


def files_of(folder):
    """Every file, and which bytes it has."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "lock":
            status = path.stat()
            found[path.relative_to(folder)] = (status.st_ino, status.st_size, status.st_mtime_ns)
    return found


def snapshots_of(files):
    """Those of them that belong to a snapshot."""
    return {path: file for path, file in files.items() if path.parts[0].startswith("snap-")}


class Archives:
    """What archives hold, each read once."""

    def __init__(self):
        self._read = {}

    def of(self, store):
        """Keys of all deals of which an archive in a store is whole, of whatever snapshot."""
        found = set()
        for folder in store.glob("snap-*"):
            files = frozenset(files_of(folder).values())
            if files not in self._read:
                self._read[files] = set()
                with suppress(CreditAtlasError):
                    self._read[files] = {one.info.key for one in archive.load(folder)}
            found |= self._read[files]
        return found


def current_deals(store):
    return {one.info.key for one in archive.load(folder_of(store, current_id(store)))}


def faults_of(command, store, done, deals, *, changed, left):
    """What a command did that none may: `deals` were there before it, and `left` are."""
    code, out, err = done.returncode, done.stdout, done.stderr
    if "Traceback" in err or code not in {0, 2}:
        yield "traceback"
    elif code == 2:
        if err.count("\n") != 1 or not err.startswith("creditatlas: "):
            yield "no sentence"
        if changed:
            yield "refused and changed"
    if not deals <= left:
        yield "lost"
    if code == 0 and command in {"demo", "import", "gc", "follow"} and not out:
        yield "silent"
    if code == 0 and command in {"import", "follow"} and not deals <= current_deals(store):
        yield "dropped from what is read"
    if code == 0 and command == "demo":  # the store held reported data, whole or not
        yield "replaced"


@pytest.mark.usefixtures("swift")
@pytest.mark.parametrize("damages", amounts(12, 200))
def test_whatever_became_of_a_store_no_command_loses_what_was_reported(world, tmp_path, damages):
    draw, archives, bad = random.Random(20261124), Archives(), []
    store = tmp_path / "tried"
    for case in range(damages):
        damaged = linked(world.store, tmp_path / f"{case}")
        harms = harmed(draw, damaged, world)
        deals = archives.of(damaged)
        for command in (*WRITING, *READING):
            if not store.exists():
                linked(damaged, store)
            before = files_of(store)
            done = inside(*world.words(command), store=store)
            after = files_of(store)
            changed = snapshots_of(before) != snapshots_of(after)
            left = archives.of(store) if changed else deals
            bad += [
                (harms, command, fault, done)
                for fault in faults_of(command, store, done, deals, changed=changed, left=left)
            ]
            if before != after:
                shutil.rmtree(store)
        shutil.rmtree(store, ignore_errors=True)
    assert bad == [], [one[:3] for one in bad]
