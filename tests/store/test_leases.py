"""Snapshots on disk while they are read, replaced, kept, locked and damaged."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pytest

from services.contract.errors import NotFound, StoreBusy, StoreDamaged, StoreMissing
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.store import leases
from services.store.leases import Store
from services.store.snapshot import ARCHIVE, CURRENT, current_id, folder_of, listed
from tests.publishing import load
from tests.world import BOTH, RATES, SHOW, Sketch, info_of, quay

#: Takes the writer's lock in another process until its input ends.
HOLD = (
    "import fcntl, sys; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX);"
    " print('held', flush=True); sys.stdin.read()"
)


def book(number):
    sketch = Sketch(info_of("one"))
    sketch.loan(number)
    return sketch.portfolio()


def numbers(source):
    return [loan.loan_number for loan in source.loans(LoanQuery(per_page=100)).items]


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path)
    yield opened
    opened.close()


def snapshots(folder):
    return {path.name.removeprefix("snap-") for path in folder.glob("snap-*")}


def test_the_newest_snapshots_are_kept_and_no_older_ones(tmp_path):
    made = []
    for at, keep in enumerate((3, 3, 3, 3, 2, 1)):
        made.append(load(tmp_path, [book(str(at))], keep=keep).snapshot_id)
        assert snapshots(tmp_path) == set(made[-keep:])
        assert current_id(tmp_path) == made[-1]


def test_a_held_lease_answers_from_the_old_snapshot_after_it_was_deleted(store):
    load(store.folder, BOTH, rates=RATES)
    with store.lease() as old:
        old_id = old.snapshot().snapshot_id
        load(store.folder, [SHOW], keep=1)
        assert snapshots(store.folder) == {current_id(store.folder)} != {old_id}
        # Reads that were not asked before, so that nothing of them was kept in memory.
        assert old.loans(LoanQuery()).total == 159
        assert old.loan("diamond").extended["payment_status"] == "3"
        assert old.ownership("diamond").chain
        assert old.paths(PathQuery(entity_name="Ada Quill", depth=6))[1].total > 4
        assert old.entities(EntityQuery(name="oak street holding")).total >= 3
        assert old.signals(SignalQuery(severity="critical")).items
        assert old.snapshot().snapshot_id == old_id
        with store.lease() as new:
            assert numbers(new) == ["S-1", "S-2", "S-3"]
            with pytest.raises(NotFound):
                new.loan("diamond")
        assert old.totals().book.loans == 159
    with store.lease() as new:
        assert numbers(new) == ["S-1", "S-2", "S-3"]


def test_an_old_snapshot_closes_when_its_last_lease_ends(store):
    load(store.folder, [book("old")])
    with store.lease() as one:
        with store.lease() as other:
            load(store.folder, [book("new")])
            with store.lease() as new:
                assert numbers(new) == ["new"]
            assert numbers(other) == ["old"]
        assert numbers(one) == ["old"]
    with pytest.raises(duckdb.ConnectionException):
        numbers(one)


def test_snapshots_are_leased_by_id_several_at_once_while_others_are_published(store):
    ids = [load(store.folder, [book(str(at))], keep=3).snapshot_id for at in range(3)]
    assert store.snapshot_ids() == ids[::-1]
    with store.lease(ids[0]) as first, store.lease(ids[1]) as second, store.lease() as current:
        assert [numbers(one) for one in (first, second, current)] == [["0"], ["1"], ["2"]]
        newest = load(store.folder, [book("3")], keep=2).snapshot_id
        assert snapshots(store.folder) == {ids[2], newest}
        # What is leased stays open after its files were removed ...
        assert [numbers(one) for one in (first, second, current)] == [["0"], ["1"], ["2"]]
        with store.lease() as fresh, store.lease(ids[2]) as previous:
            assert (numbers(fresh), numbers(previous)) == (["3"], ["2"])
        # ... but is not lent again.
        with pytest.raises(NotFound, match=f"no snapshot '{ids[0]}'; it has {newest}, {ids[2]}"):
            store.lease(ids[0]).__enter__()
    for one in (first, second, current, previous):
        with pytest.raises(duckdb.ConnectionException):
            numbers(one)
    assert numbers(fresh) == ["3"]  # the current one stays open


def test_a_snapshot_that_two_leases_hold_closes_with_the_last_of_them(store):
    old = load(store.folder, [book("old")]).snapshot_id
    with store.lease() as by_default:
        with store.lease(old) as by_id:
            load(store.folder, [book("new")])
            with store.lease() as new:
                assert numbers(new) == ["new"]
            assert numbers(by_default) == numbers(by_id) == ["old"]
        assert numbers(by_default) == ["old"]
    with pytest.raises(duckdb.ConnectionException):
        numbers(by_id)
    with store.lease(old) as again:  # its files are still there
        assert numbers(again) == ["old"]


@pytest.mark.parametrize("snapshot_id", ["", "20240101-000000-abcdef", "../snap-x", "current"])
def test_an_id_that_the_store_does_not_hold_is_not_found(store, snapshot_id):
    with pytest.raises(NotFound, match="it has none yet"), store.lease(snapshot_id):
        pass
    kept = load(store.folder, [book("x")]).snapshot_id
    with pytest.raises(NotFound, match=f"it has {kept}"), store.lease(snapshot_id):
        pass


def test_a_closed_store_lets_leases_end_and_opens_again(store):
    load(store.folder, [book("x")])
    with store.lease() as source:
        store.close()
        assert numbers(source) == ["x"]
    with pytest.raises(duckdb.ConnectionException):
        numbers(source)
    with store.lease() as source:
        assert numbers(source) == ["x"]


def test_an_error_within_a_lease_gives_it_back(store):
    load(store.folder, [book("x")])
    with pytest.raises(NotFound), store.lease() as source:
        source.loan("y")
    store.close()
    with pytest.raises(duckdb.ConnectionException):
        numbers(source)


def test_two_readers_share_a_folder_and_each_follows_the_newest(store):
    load(store.folder, [book("old")])
    other = Store(store.folder)
    with store.lease() as one, other.lease() as two:
        assert numbers(one) == numbers(two) == ["old"]
        load(store.folder, [book("new")])
        with other.lease() as newer:
            assert (numbers(one), numbers(newer)) == (["old"], ["new"])
    with store.lease() as one:
        assert numbers(one) == ["new"]
    other.close()


def test_many_threads_read_while_a_snapshot_is_replaced(store):
    load(store.folder, [book("0")])

    def ask(_):
        with store.lease() as source:
            first = numbers(source)
            assert source.loan(first[0]).loan_number == first[0]
            assert numbers(source) == first
            return first[0]

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(ask, at) for at in range(60)]
        for at in range(1, 4):
            load(store.folder, [book(str(at))])
        asked += [pool.submit(ask, at) for at in range(20)]
        found = [one.result() for one in asked]
    assert set(found) <= {"0", "1", "2", "3"}
    assert found[-1] == "3"


def test_an_import_beside_another_is_refused_and_changes_nothing(store):
    before = load(store.folder, [book("x")])
    command = [sys.executable, "-c", HOLD, str(store.folder / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        build = store.folder / "build-20240101-000000-abcdef"
        build.mkdir()  # the other's: not ours to remove
        with pytest.raises(StoreBusy):
            load(store.folder, [book("y")])
        assert build.is_dir()
        with store.lease() as source:  # readers do not wait
            assert source.snapshot().snapshot_id == before.snapshot_id
        holder.stdin.close()
    load(store.folder, [book("y")])
    with store.lease() as source:
        assert numbers(source) == ["y"]


@pytest.mark.parametrize("name", ["", "none", "deep/er"])
def test_a_store_without_a_snapshot_is_missing_until_one_is_loaded(tmp_path, name):
    folder = tmp_path / name
    with pytest.raises(StoreMissing), Store(folder).lease():
        pass
    assert load(folder, [book("x")]).loans == 1


def test_a_file_in_place_of_the_store_is_no_store(tmp_path):
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(StoreMissing), Store(file).lease():
        pass
    with pytest.raises(StoreDamaged):
        load(file, [book("x")])
    assert file.read_text() == "x"


def test_a_broken_manifest_is_damage_and_no_import_forgets_what_was_there(store):
    load(store.folder, [book("x")])
    for text in ("", "\n", "nonsense", "../../etc", "20240101-000000-abcdef", "é", "\x00" * 22):
        (store.folder / CURRENT).write_text(text, encoding="utf-8")
        with pytest.raises(StoreDamaged) as fault, store.lease():
            pass
        assert str(store.folder) in str(fault.value)
        with pytest.raises(StoreDamaged):
            load(store.folder, [quay()])


def test_a_snapshot_that_was_removed_is_damage(store):
    snapshot = load(store.folder, [book("x")])
    shutil.rmtree(folder_of(store.folder, snapshot.snapshot_id))
    with pytest.raises(StoreDamaged), store.lease():
        pass


def test_a_snapshot_whose_folder_is_gone_is_listed_and_not_offered(store):
    kept = [load(store.folder, [book(str(at))], keep=3).snapshot_id for at in range(3)][::-1]
    shutil.rmtree(folder_of(store.folder, kept[1]))
    assert listed(store.folder) == kept
    assert store.snapshot_ids() == [kept[0], kept[2]]
    with store.lease(kept[2]) as oldest:
        assert numbers(oldest) == ["0"]


def test_a_snapshot_removed_while_it_is_opened_is_followed_by_the_next(store, monkeypatch):
    names = [load(store.folder, [book(str(at))], keep=1).snapshot_id for at in range(2)]
    monkeypatch.setattr(leases, "current_id", lambda _: names.pop(0))
    with store.lease() as source:
        assert numbers(source) == ["1"]


def files_of(folder):
    """The files that readers open, relative to the snapshot."""
    found = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path for path in found if path.parts[0] != ARCHIVE and not path.name.startswith(".")]


@pytest.mark.parametrize("harm", ["missing", "cut", "emptied"])
def test_a_snapshot_with_a_bad_file_is_damage_and_mended_by_importing_again(tmp_path, harm):
    kept = folder_of(tmp_path, load(tmp_path, [quay()]).snapshot_id)
    copy = tmp_path / "kept"
    shutil.copytree(kept, copy)
    store = Store(tmp_path)
    for file in files_of(copy):
        if harm == "missing":
            (kept / file).unlink()
        else:
            whole = (copy / file).read_bytes()
            (kept / file).write_bytes(whole[: len(whole) // 2] if harm == "cut" else b"")
        try:
            with store.lease() as source:
                read_all(source)
        except StoreDamaged:
            pass
        else:
            pytest.fail(f"{file} {harm} was not noticed")
        store.close()
        shutil.copy(copy / file, kept / file)
    (kept / "atlas.duckdb").unlink()
    load(tmp_path, [book("again")])
    with store.lease() as source:
        assert numbers(source) == ["Q/1", "Q/2", "Q/3", "Q/4", "again"]
    store.close()


def read_all(source):
    """Reads something of every file."""
    source.loans(LoanQuery())
    source.ownership("Q/2")
    source.paths(PathQuery(loan_number="Q/2", depth=6))
    source.entities(EntityQuery(name="Quay Owner"))
    source.signals(SignalQuery())
