"""A byte that changed on disk is one sentence, or changes no answer (D74)."""

import random

import pytest

from services.contract.errors import StoreDamaged
from services.contract.loan_filter import LoanFilter
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from services.contract.signal_filter import SignalFilter
from services.store import checksums
from services.store.checksums import Checksums
from services.store.leases import Store
from services.store.snapshot import ARCHIVE, DETAILS, SUMMARY, current_id, folder_of
from tests.patience import until
from tests.publishing import load, load_once
from tests.world import BOTH, RATES, SHOW, Sketch, info_of

HARMS = 200
READS = {
    "loans": lambda source: source.loans(LoanQuery(page=2, per_page=50)),
    "loans of a state": lambda source: source.loans(LoanQuery(state="TX")),
    "loan": lambda source: source.loan("diamond"),
    "loan as JSON": lambda source: source.encoded_loan("healthy", "b"),
    "ownership": lambda source: source.ownership("diamond"),
    "paths": lambda source: source.paths(PathQuery(entity_name="Ada Quill", depth=6)),
    "entities": lambda source: source.entities(EntityQuery(name="oak street holding")),
    "all entities": lambda source: source.entities(EntityQuery(per_page=100)),
    "signals": lambda source: source.signals(SignalQuery(severity="critical")),
    "totals": lambda source: source.totals(),
    "maturity wall": lambda source: source.maturity_wall(),
    "rule coverage": lambda source: source.rule_coverage(),
    "loans found": lambda source: source.loans_found(LoanFilter(order="-dscr"), ("dscr", "ltv")),
    "loan totals": lambda source: source.loan_totals(LoanFilter()),
    "signal states": lambda source: source.signal_states(SignalFilter()),
    "entity": lambda source: source.entity("Ada Quill"),
    "matches": lambda source: source.matches("quil", 10),
    "fill rates": lambda source: source.fill_rates(),
    "rejects": lambda source: source.rejects(),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("damaged")
    load_once(made, BOTH, rates=RATES)
    return made


@pytest.fixture(scope="module")
def snapshot(folder):
    return folder_of(folder, current_id(folder))


@pytest.fixture(scope="module")
def right(folder):
    store = Store(folder)
    with store.lease() as source:
        answers = {name: read(source) for name, read in READS.items()}
    store.close()
    return answers


def answers(folder, **how):
    """What every read answers; the sentence where it, or the lease, is refused."""
    store = Store(folder, **how)
    found = {}
    try:
        with store.lease() as source:
            for name, read in READS.items():
                try:
                    found[name] = read(source)
                except StoreDamaged as error:
                    found[name] = error
    except StoreDamaged as error:
        found = dict.fromkeys(READS, error)
    store.close()
    return found


def harmed(draw, file):
    """Changes a file as disks do: a bit, a cut, or nothing left."""
    kind, whole = draw.choice(["flip", "flip", "cut", "gone"]), file.read_bytes()
    if kind == "gone":
        file.unlink()
    elif kind == "cut":
        file.write_bytes(whole[: draw.randrange(len(whole))])
    else:
        at = draw.randrange(len(whole))
        bit = bytes([whole[at] ^ 1 << draw.randrange(8)])
        file.write_bytes(whole[:at] + bit + whole[at + 1 :])
    return kind, whole


def sentence(error, file):
    text = str(error)
    assert f"'{file}'" in text, text
    assert "run 'creditatlas rebuild', or copy the store back" in text
    assert "\n" not in text


@pytest.mark.parametrize("large", [False, True], ids=["checked at once", "before its first use"])
def test_a_flip_a_cut_or_a_missing_file_is_a_sentence_or_changes_no_answer(
    folder, snapshot, right, monkeypatch, large
):
    if large:  # what stands between a large snapshot and another number until the background ends
        monkeypatch.setattr(Checksums, "check_in_background", lambda _: None)
    draw = random.Random(20261122 + large)
    files = sorted(path for path in snapshot.rglob("*") if path.is_file())
    for at in range(HARMS // 2):
        file = files[at % len(files)] if at < len(files) else draw.choice(files)
        name = file.relative_to(snapshot).as_posix()
        kind, whole = harmed(draw, file)
        found = answers(folder, **({"checked_at_once": 0} if large else {}))
        refused = {read: said for read, said in found.items() if isinstance(said, StoreDamaged)}
        alike = [one for one in files if kind != "gone" and one.exists() and one.samefile(file)]
        for error in refused.values():
            # A period and the archive share their files; without its summary a snapshot is gone.
            said = next(
                (one for one in alike if f"'{one.relative_to(snapshot)}'" in str(error)), file
            )
            if (kind, name) == ("gone", SUMMARY):
                assert f"Snapshot {snapshot.name.removeprefix('snap-')} of" in str(error)
            else:
                sentence(error, said.relative_to(snapshot).as_posix())
        for read in found.keys() - refused.keys():
            assert found[read] == right[read], (kind, name, read)
        if kind != "flip" or not large:
            assert len(refused) == len(READS), (kind, name)
        file.write_bytes(whole)
    assert answers(folder) == right


def lease_until_refused(store):
    """Raises what a lease is refused with in the end."""

    def leased():
        with store.lease():
            pass

    until(leased)


def test_the_background_finds_damage_that_no_read_met_and_no_later_lease_is_given(folder, snapshot):
    file = next(snapshot.glob(f"{ARCHIVE}/*/loans.parquet"))
    whole = file.read_bytes()
    file.write_bytes(b"\x00" + whole[1:])
    store = Store(folder, checked_at_once=0)
    try:
        with pytest.raises(StoreDamaged) as fault:
            lease_until_refused(store)
        sentence(fault.value, file.relative_to(snapshot).as_posix())
    finally:
        store.close()
        file.write_bytes(whole)


def test_a_large_snapshot_stays_readable_while_it_is_checked_after_its_removal(tmp_path, right):
    load(tmp_path, BOTH, rates=RATES)
    store = Store(tmp_path, checked_at_once=0)
    with store.lease() as old:
        load(tmp_path, [SHOW], keep=1)
        assert {name: read(old) for name, read in READS.items()} == right
    store.close()


def test_an_import_refuses_an_archive_that_changed_and_names_the_files_to_import(folder, snapshot):
    another = Sketch(info_of("another"))
    another.loan("X")
    for file in snapshot.glob(f"{ARCHIVE}/*/*"):
        whole = file.read_bytes()
        file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        with pytest.raises(StoreDamaged, match=f"{file.name}' .* not as it was .* import .* again"):
            load(folder, [another.portfolio()])
        file.write_bytes(whole)


def test_a_file_longer_than_a_block_is_checked_where_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(checksums, "BLOCK", 64)
    (tmp_path / DETAILS).mkdir()
    file = tmp_path / DETAILS / "rows.lz4"
    file.write_bytes(bytes(range(200)))
    checksums.write(tmp_path)
    file.write_bytes(bytes(range(130)) + b"x" + bytes(range(131, 200)))  # in the third block
    opened = Checksums.open(tmp_path)
    check = opened.of(f"{DETAILS}/rows.lz4")
    check(0, 128)
    check(0, 0)
    check(192, 200)
    for start, end in ((128, 129), (100, 150), (191, 192), (0, 200)):
        with pytest.raises(StoreDamaged, match="from byte 128 on"):
            check(start, end)
    with pytest.raises(StoreDamaged):
        opened.raise_damage()
    opened.close()
