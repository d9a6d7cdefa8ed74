"""A store that is damaged, or of another version, is rebuilt from what it was built of (D76)."""

import json
from datetime import date

import pytest

from services.contract.errors import StoreDamaged, StoreMissing
from services.contract.queries import EntityQuery, LoanQuery, SignalQuery
from services.importers import demo
from services.pipeline import Scoring, load_filings
from services.rebuilding import rebuild
from services.signals.assumptions import Assumptions
from services.store import checksums
from services.store.leases import Store
from services.store.publisher import SnapshotPublisher
from services.store.snapshot import ARCHIVE, CURRENT, DATABASE, SUMMARY, current_id, folder_of
from tests.publishing import load
from tests.world import BOTH, Sketch, info_of


def newest(store):
    return folder_of(store, current_id(store))


def rebuilt(store):
    return rebuild(store, keep=2, assumptions=Assumptions.packaged())


def made_older(store, **changed):
    """As an older version wrote it: another format, no checksums, no seed."""
    summary = newest(store) / SUMMARY
    said = json.loads(summary.read_text(encoding="utf-8"))
    for source in said["sources"]:
        del source["seed"]
    summary.write_text(json.dumps({**said, "file_format": 9, **changed}), encoding="utf-8")
    (summary.parent / checksums.FILE).unlink()


def answers(store):
    opened = Store(store)
    with opened.lease() as source:
        found = (
            [source.loans(LoanQuery(page=page, per_page=100)) for page in (1, 2)],
            source.signals(SignalQuery(per_page=100)),
            source.entities(EntityQuery(per_page=100)),
            source.totals(),
        )
    opened.close()
    return found


def reported(store):
    load(store, BOTH)


def made_up(store):
    load(store, [demo.portfolio(loans=40, seed=7, as_of=date(2025, 6, 30))])


def older(store):
    made_older(store)


def damaged(store):
    (newest(store) / DATABASE).write_bytes(b"")


def without_manifest(store):
    (store / CURRENT).write_text("nonsense")


@pytest.mark.parametrize("harm", [older, damaged, without_manifest])
def test_reported_loans_come_from_the_archive(tmp_path, harm):
    reported(tmp_path)
    right = answers(tmp_path)
    harm(tmp_path)
    with pytest.raises(StoreDamaged, match="run 'creditatlas rebuild'"):
        answers(tmp_path)
    assert rebuilt(tmp_path).loans == right[0][0].total
    assert answers(tmp_path) == right


@pytest.mark.parametrize("harm", [damaged, without_manifest])
def test_made_up_loans_are_made_again_by_their_seed(tmp_path, harm):
    made_up(tmp_path)
    right = answers(tmp_path)
    harm(tmp_path)
    rebuilt(tmp_path)
    assert answers(tmp_path) == right


def quarters_of(store):
    opened = Store(store)
    with opened.lease() as source:
        found = source.periods()
    opened.close()
    return [(one.name, one.counts) for one in found]


@pytest.mark.parametrize("count", [1, 4])
def test_as_many_quarters_are_made_again(tmp_path, count):
    """And the same book made once more keeps its quarters (D162)."""
    made = demo.filings(loans=40, seed=7, as_of=date(2025, 6, 30), count=count)
    for _ in range(2):
        load_filings(
            made, into=SnapshotPublisher(tmp_path), scoring=Scoring(Assumptions.packaged())
        )
        before = quarters_of(tmp_path)
        assert len(before) == count
    rebuilt(tmp_path)
    assert quarters_of(tmp_path) == before
    damaged(tmp_path)
    rebuilt(tmp_path)
    assert quarters_of(tmp_path) == before


def test_made_up_loans_that_do_not_name_their_seed_are_as_many_on_the_same_day(tmp_path):
    load(tmp_path, [demo.portfolio(loans=40, as_of=date(2025, 6, 30))])
    right = answers(tmp_path)
    made_older(tmp_path)
    rebuilt(tmp_path)
    assert answers(tmp_path) == right


def test_an_older_archive_may_lack_what_is_younger(tmp_path):
    reported(tmp_path)
    right = answers(tmp_path)
    made_older(tmp_path)
    for info in newest(tmp_path).glob(f"{ARCHIVE}/*/info.json"):
        said = json.loads(info.read_text(encoding="utf-8"))
        del said["seed"]
        info.write_text(json.dumps(said), encoding="utf-8")
    rebuilt(tmp_path)
    assert answers(tmp_path) == right


@pytest.mark.parametrize("harm", ["cut", "gone", "of another layout"])
def test_an_archive_that_does_not_read_names_the_files_to_import_again(tmp_path, harm):
    reported(tmp_path)
    made_older(tmp_path)
    file = next(newest(tmp_path).glob(f"{ARCHIVE}/*/loans.parquet"))
    if harm == "cut":
        file.write_bytes(file.read_bytes()[:100])
    elif harm == "gone":
        file.unlink()
    else:
        (file.parent / "info.json").write_text("{}")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(StoreDamaged, match=r"archive does not read .* import a.xml, b.xml again"):
        rebuilt(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_an_archive_without_one_of_its_sources_is_not_taken_for_whole(tmp_path):
    reported(tmp_path)
    made_older(tmp_path)
    folder = max(newest(tmp_path).glob(f"{ARCHIVE}/*"))
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(StoreDamaged, match="archive is incomplete"):
        rebuilt(tmp_path)


def test_a_number_of_made_up_loans_that_changed_on_disk_is_not_believed(tmp_path):
    made_up(tmp_path)
    summary = newest(tmp_path) / SUMMARY
    text = summary.read_text(encoding="utf-8")
    assert '"records_read": 40' in text
    summary.write_text(text.replace('"records_read": 40', '"records_read": 41'), encoding="utf-8")
    with pytest.raises(StoreDamaged, match="does not say what it was built of"):
        rebuilt(tmp_path)


def test_a_mirror_is_filled_again_by_its_own_command(tmp_path):
    sketch = Sketch(info_of("api", importer="mirror"))
    sketch.loan("1")
    load(tmp_path, [sketch.portfolio()])
    with pytest.raises(StoreDamaged, match="run 'creditatlas mirror'"):
        rebuilt(tmp_path)


def test_a_store_that_holds_nothing_is_missing(tmp_path):
    with pytest.raises(StoreMissing):
        rebuilt(tmp_path)
