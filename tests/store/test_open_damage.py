"""Bytes that change while a snapshot is open: a read that fails over them says so in a sentence,
and the background finds them without one (D104).
"""

import random
import threading

import pytest

from services.contract.errors import NotFound, StoreDamaged
from services.store import checksums
from services.store.checksums import Checksums
from services.store.leases import Store
from services.store.snapshot import DATABASE, DETAILS, GRAPH, NAMES, current_id, folder_of
from tests.patience import until
from tests.publishing import load_once
from tests.store.test_damage import READS, lease_until_refused, sentence
from tests.tiers import amounts
from tests.world import BOTH, RATES

#: What is read through memory maps, or by a library, after it was checked.
MAPPED = (f"{DETAILS}/rows.lz4", f"{DETAILS}/blocks.npy", f"{GRAPH}/*.npy", f"{NAMES}/**/*")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("open")
    load_once(made, BOTH, rates=RATES)
    return made


@pytest.fixture(scope="module")
def snapshot(folder):
    return folder_of(folder, current_id(folder))


def scrambled(file, draw):
    """Other bytes in some places of a file, which stays as long as it is; what it was."""
    whole = file.read_bytes()
    with file.open("r+b") as opened:
        for _ in range(draw.choice([1, 8, 200])):
            at = draw.randrange(len(whole))
            opened.seek(at)
            opened.write(bytes([whole[at] ^ 1 << draw.randrange(8)]))
    return whole


def back(file, whole):
    with file.open("r+b") as opened:
        opened.write(whole)


def failures(source):
    """What every read raises, that fails. Another answer is none, "not found" included: those the
    next round of the background ends.
    """
    found = {}
    for name, read in READS.items():
        try:
            read(source)
        except NotFound:
            pass
        except BaseException as error:  # noqa: BLE001 - the name index panics
            found[name] = error
    return found


@pytest.mark.parametrize("flips", amounts(30, 60))
def test_flips_in_an_open_snapshot_end_in_a_sentence_wherever_a_read_fails(folder, snapshot, flips):
    draw = random.Random(20261123)
    files = sorted(
        {
            file
            for part in MAPPED
            for file in snapshot.glob(part)
            if file.is_file() and file.stat().st_size
        }
        | {snapshot / DATABASE}
    )
    refused = 0
    for at in range(flips):
        file = files[at % len(files)]
        store = Store(folder, checked_at_once=10**12 * (at % 2))
        with store.lease() as source:
            if draw.random() < 0.5:
                assert failures(source) == {}  # so that it is read before, and after
                source.reader.clear()
            whole = scrambled(file, draw)
            try:
                for error in failures(source).values():
                    assert isinstance(error, StoreDamaged), (file.name, repr(error))
                    sentence(error, file.relative_to(snapshot).as_posix())
                    refused += 1
            finally:
                back(file, whole)
        store.close()
    assert refused > flips // 2


def test_a_read_that_fails_over_bytes_that_did_not_change_raises_what_it_raised(
    folder, monkeypatch
):
    store = Store(folder)

    def broken(*_):
        raise KeyError("an internal error")

    monkeypatch.setattr("services.store.loans.loan", broken)
    monkeypatch.setattr(
        "services.store.loan_results.loan_batches", lambda *_: (broken() for _ in "x")
    )
    with store.lease() as source:
        with pytest.raises(KeyError, match="an internal error"):
            source.loan("diamond")
        with pytest.raises(KeyError, match="an internal error"):
            list(source.loan_batches(None, ()))
    with store.lease():
        pass
    store.close()


def test_a_fault_of_ours_does_not_read_a_whole_snapshot_each_time(folder, monkeypatch):
    opened = Checksums.open(folder_of(folder, current_id(folder)))
    opened.check_again()
    monkeypatch.setattr(Checksums, "_check_block", lambda *_: pytest.fail("read again"))
    opened.check_again()
    monkeypatch.undo()
    opened.close()


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("part", [f"{DETAILS}/rows.lz4", f"{GRAPH}/edge_share.npy", DATABASE])
def test_the_background_goes_round_again_and_no_later_lease_is_given(
    folder, snapshot, monkeypatch, large, part
):
    monkeypatch.setattr(checksums, "ROUND_EVERY", 0.05)
    rounds, go_round = [], Checksums._go_round
    monkeypatch.setattr(
        Checksums, "_go_round", lambda *given: (go_round(*given), rounds.append(given))
    )
    store = Store(folder, **({"checked_at_once": 0} if large else {}))
    file = snapshot / part
    with store.lease():
        until(lambda: rounds)  # a first one has seen all of it as it was written
        with store.lease():
            pass
        whole = file.read_bytes()
        with file.open("r+b") as opened:
            opened.seek(len(whole) // 2)
            opened.write(bytes([whole[len(whole) // 2] ^ 1]))
        try:
            with pytest.raises(StoreDamaged) as fault:
                lease_until_refused(store)
        finally:
            back(file, whole)
    sentence(fault.value, part)
    store.close()


def test_an_open_snapshot_keeps_the_size_of_its_blocks(folder, monkeypatch):
    opened = Checksums.open(folder_of(folder, current_id(folder)))
    monkeypatch.setattr(checksums, "BLOCK", 64)
    opened.check_all()
    opened.check_again()
    opened.raise_damage()
    opened.close()


def test_a_round_reads_no_faster_than_it_may(folder, monkeypatch):
    monkeypatch.setattr(checksums, "ROUND_EVERY", 0.0)
    monkeypatch.setattr(checksums, "BYTES_A_SECOND", 1)  # so it never gets past the first file
    seen, rests = [], []
    opened = Checksums.open(folder_of(folder, current_id(folder)))
    opened.check_all()
    monkeypatch.setattr(opened, "_check_block", lambda name, *_: seen.append(name))

    class Noting(threading.Event):
        """Notes how long the background is to rest; it rests until the snapshot is closed."""

        def wait(self, timeout=None):
            rests.append(timeout)
            return super().wait() if timeout else self.is_set()

    opened._stopped = Noting()
    opened.check_in_background()
    until(lambda: rests[1:])
    opened.close()
    # Before its first round, and after the first block of it: a second for each byte.
    assert rests[:2] == [0.0, opened._files[seen[0]].size]
    assert len(seen) == 1
