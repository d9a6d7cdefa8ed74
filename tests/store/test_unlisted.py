"""What is there, and what `current` lists: nothing that it does not account for goes (D99-D102)."""

import shutil
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from services.contract.errors import SettingsInvalid, StoreDamaged, StoreFull, StoreMissing
from services.rebuilding import rebuild
from services.signals.assumptions import Assumptions
from services.sources import Upstream
from services.store import snapshot
from services.store.checksums import verify
from services.store.leases import Store
from services.store.snapshot import (
    ARCHIVE,
    CURRENT,
    DATABASE,
    INCOMING,
    LEAVING,
    SUMMARY,
    accounted,
    adopt,
    current_id,
    folder_of,
    go_back,
    published,
    there,
    tidy,
)
from tests.publishing import load
from tests.shelf.small import put
from tests.world import Sketch, info_of


def tape(key):
    sketch = Sketch(info_of(key, files=(f"{key}.xml",)))
    sketch.loan(f"{key}-1")
    return sketch.portfolio()


@pytest.fixture
def small(tmp_path):
    """A store of two small snapshots, the newer first, and their ids."""
    older = put(tmp_path, {"a": b"older"})
    return tmp_path, put(tmp_path, {"a": b"newer"}), older


def everything(store):
    return {path: path.read_bytes() for path in store.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "harm",
    [
        lambda current: current.unlink(),
        lambda current: current.write_text(""),
        lambda current: current.write_text("nonsense"),
        lambda current: current.write_text(current.read_text()[:-9]),
        lambda current: current.write_text(current.read_text().replace("\n", "\x0b")),
        lambda current: (current.unlink(), current.mkdir()),
        lambda current: (current.unlink(), current.symlink_to("gone")),
    ],
)
def test_without_a_current_that_reads_no_writer_begins_and_nothing_goes(small, harm):
    store, newer, _ = small
    harm(store / CURRENT)
    before = everything(store)
    for write in (
        lambda: put(store, {"a": b"x"}, keep=1),
        lambda: adopt(store, newer, store, keep=1),
        lambda: go_back(store, newer, keep=1, check=verify),
        lambda: tidy(store, keep=1),
        lambda: current_id(store),
    ):
        with pytest.raises(StoreDamaged, match="run 'creditatlas rebuild'"):
            write()
    del before[store / "lock"]
    assert {path: file for path, file in everything(store).items() if path.name != "lock"} == before


def test_a_snapshot_that_an_older_current_does_not_list_stays_and_is_said(small):
    store, newer, older = small
    (store / CURRENT).write_text(f"{older}\n")
    assert current_id(store) == older  # readers read on
    with pytest.raises(StoreDamaged, match=f"does not list snapshot {newer}; run 'creditatlas r"):
        put(store, {"a": b"x"}, keep=1)
    assert there(store) == [newer, older]


@pytest.mark.parametrize("listed", ["{0}\n{1}", "{0}\n{0}\n{1}\n"])
def test_a_current_that_a_hand_wrote_is_read(small, listed):
    store, newer, older = small
    (store / CURRENT).write_text(listed.format(newer, older))
    assert published(store) == accounted(store) == [newer, older]


def test_what_leaves_is_removed_by_the_next_writer_unless_it_is_listed(small):
    store, newer, older = small
    left = folder_of(store, "20200101-000000-abcdef")
    shutil.copytree(folder_of(store, older), left)
    (store / LEAVING).write_text(f"{left.name[5:]}\n{newer}\n{older}\n2020")
    go_back(store, older, keep=2, check=verify)
    assert there(store) == [newer, older]
    assert not (store / LEAVING).exists()


def test_what_cannot_be_removed_is_tried_again_by_the_next_writer(small, monkeypatch):
    store, _, _ = small
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    newest = put(store, {"a": b"x"}, keep=1)
    assert published(store) == [newest]
    assert len(accounted(store)) == 1
    monkeypatch.undo()
    go_back(store, newest, keep=1, check=verify)
    assert there(store) == [newest]
    assert not (store / LEAVING).exists()


def test_only_a_very_first_snapshot_that_leaves_makes_an_empty_store(small):
    store, newer, older = small
    (store / CURRENT).unlink()
    (store / LEAVING).write_text(f"{newer}\n{older}\n")
    with pytest.raises(StoreDamaged):
        current_id(store)
    shutil.rmtree(folder_of(store, older))
    with pytest.raises(StoreDamaged):  # the older was being removed: the newer was published
        current_id(store)
    (store / LEAVING).write_text(f"{newer}\n")
    with pytest.raises(StoreMissing):
        current_id(store)


def test_folders_that_are_not_ours_stay_whatever_they_are_named(small):
    store, _, _ = small
    theirs = [store / "snap-mine", store / "build-output", store / INCOMING / "2024-reports"]
    for folder in theirs:
        folder.mkdir(parents=True)
        (folder / "file").write_text("x")
    put(store, {"a": b"x"}, keep=1)
    tidy(store, keep=1)
    assert all((folder / "file").exists() for folder in theirs)
    assert len(there(store)) == 1


def test_a_mirror_that_lost_its_name_is_refused_before_a_request_is_spent(small):
    store, _, _ = small
    (store / CURRENT).unlink()
    api = SimpleNamespace(base_url="https://vendor.example/v1")  # which is asked nothing
    with pytest.raises(StoreDamaged, match="run 'creditatlas rebuild'"):
        Upstream(api, store, clock=time.time).fill_mirror(progress=print)


def test_a_folder_of_somebody_s_is_no_store(tmp_path):
    (tmp_path / "letter.txt").write_text("x")
    with pytest.raises(SettingsInvalid, match=r"is no store and holds other files \(letter.txt\)"):
        put(tmp_path, {"a": b"x"})
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_what_lies_in_a_store_before_its_first_snapshot_is_let_be(tmp_path):
    names = ("keys.json", "desk.sqlite", "desk.sqlite-wal", "track_record.json", ".hidden", "lock")
    for name in (*names, "current.new"):
        (tmp_path / name).write_text("x")
    for name in ("lost+found", "incoming", "sandbox", "mirror-0123456789ab", "partial"):
        (tmp_path / name).mkdir()
    put(tmp_path, {"a": b"x"})
    (tmp_path / "letter.txt").write_text("x")  # a store may hold more once it is one
    put(tmp_path, {"a": b"y"})
    assert all((tmp_path / name).exists() for name in names)


def test_ids_ascend_though_the_clock_was_set_back(tmp_path, monkeypatch):
    # D101
    made = [put(tmp_path, {"a": b"x"}, keep=9)]

    class Yesterday(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) - timedelta(days=1)

    monkeypatch.setattr(snapshot, "datetime", Yesterday)
    made += [put(tmp_path, {"a": b"x"}, keep=9) for _ in range(2)]
    assert made == sorted(made) == published(tmp_path)[::-1]
    assert made[0][:8] == f"{datetime.now(UTC):%Y%m%d}"


def test_a_snapshot_that_is_adopted_in_place_of_itself_comes_back_where_that_fails(
    small, monkeypatch
):
    store, newer, _ = small
    before = everything(folder_of(store, newer))
    fetched = store / INCOMING / newer
    shutil.copytree(folder_of(store, newer), fetched)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshot, "_write", full)
    with pytest.raises(StoreFull):
        adopt(store, newer, fetched, keep=2)
    assert everything(folder_of(store, newer)) == before


# `rebuild` where `current` is damaged (D76).


@pytest.fixture
def deals(tmp_path):
    """A store of one deal, then of two; its ids, the newer first."""
    older = load(tmp_path, [tape("first")]).snapshot_id
    return tmp_path, load(tmp_path, [tape("second")]).snapshot_id, older


def again(store):
    said = []
    made = rebuild(store, keep=2, assumptions=Assumptions.packaged(), say=said.append)
    return made, said


def loans(store):
    opened = Store(store)
    with opened.lease() as source:
        found = source.snapshot().loans
    opened.close()
    return found


@pytest.mark.parametrize("current", [None, "", "nonsense", "20240101-000000-abcdef", "{older}"])
def test_the_newest_snapshot_that_is_as_it_was_written_is_made_current_again(deals, current):
    store, newer, older = deals
    (store / CURRENT).unlink()
    if current is not None:
        (store / CURRENT).write_text(current.format(older=older))
    before = there(store)
    made, said = again(store)
    assert (made.snapshot_id, said) == (newer, [])
    assert published(store) == there(store) == before == [newer, older]
    assert loans(store) == 2


def test_a_snapshot_that_lost_its_folder_is_followed_by_the_one_before(deals):
    store, newer, older = deals
    shutil.rmtree(folder_of(store, newer))
    with pytest.raises(StoreDamaged):
        load(store, [tape("third")])
    assert again(store)[0].snapshot_id == older
    assert loans(store) == 1


def test_the_newest_is_built_anew_from_its_archive_where_it_does_not_read(deals):
    store, newer, older = deals
    (folder_of(store, newer) / DATABASE).write_bytes(b"")
    (store / CURRENT).unlink()
    made, said = again(store)
    assert (made.loans, said) == (2, [])
    assert published(store) == there(store) == [made.snapshot_id, newer, older]


def test_what_does_not_read_at_all_is_passed_over_and_said(deals):
    store, newer, older = deals
    next(folder_of(store, newer).glob(f"{ARCHIVE}/*/loans.parquet")).unlink()
    (store / CURRENT).unlink()
    made, said = again(store)
    assert made.snapshot_id == older
    assert said == [
        f"Snapshot {newer} does not read and was passed over; it was built of first.xml, second.xml"
    ]
    assert published(store) == [older, newer]


def test_where_nothing_can_be_used_nothing_is_done(deals):
    store, _, _ = deals
    for file in store.glob(f"snap-*/{ARCHIVE}/*/loans.parquet"):
        file.unlink()
    (store / CURRENT).unlink()
    before = everything(store)
    with pytest.raises(StoreDamaged, match=r"import first.xml, second.xml again"):
        again(store)
    assert everything(store) == before
    for folder in store.glob("snap-*"):
        shutil.rmtree(folder)
    (store / CURRENT).write_text("nonsense")
    with pytest.raises(StoreDamaged, match="no snapshot is left; move 'current'"):
        again(store)


@pytest.mark.parametrize("name", [SUMMARY, "checksums.json"])
def test_an_import_over_a_snapshot_that_lost_what_it_says_of_itself_is_refused(deals, name):
    store, newer, _ = deals
    (folder_of(store, newer) / name).unlink()
    before = everything(store)
    with pytest.raises(StoreDamaged):
        load(store, [tape("third")])
    assert everything(store) == before
