"""`creditatlas import edgar` against a mirror and a folder, killed and refused (D224, D225)."""

import subprocess
import sys

import pytest

from services.edgar_command import KEPT
from services.store.leases import Store
from tests.client.fault_server import reply, silence
from tests.commands import REFUSED, inside
from tests.edgar.mirror import CIK, FILED, OLD, SUBMISSIONS, Mirror, folder, tree, written
from tests.patience import until
from tests.test_cli import ROOT, sentence

AGENT = "Example Bank credit@bank.example"
#: What the list of SEC numbers calls the trust, whatever the record does.
SPELT = "Benchmark 2026-B42"


@pytest.fixture
def mirror():
    with Mirror() as server:
        yield server


@pytest.fixture(autouse=True)
def agent(monkeypatch):
    monkeypatch.setenv("CREDIT_ATLAS_EDGAR_USER_AGENT", AGENT)


def periods(store):
    """(as-of date, file) of the periods of a store, and its loans of today."""
    snapshots = Store(store)
    with snapshots.lease() as source:
        found = [(f"{one.as_of}", *one.files) for one in source.periods()]
        title = source.snapshot().sources[0].title
    snapshots.close()
    return sorted(found), title


WANTED = sorted((day, f"{number}.xml") for number, _, day in [*FILED, OLD])


def test_a_whole_history_from_a_mirror_and_then_only_what_is_new(mirror, tmp_path):
    store = tmp_path / "store"
    newest = mirror.files
    mirror.files = {path: one for path, one in newest.items() if folder(FILED[0][0]) not in path}
    done = inside("import", "edgar", "--cik", CIK, "--base", mirror.url, store=store)
    assert done.returncode == 0, done.stderr
    assert "no Exhibit 102 was found in 0001888524-26-014162, filed on 28 Aug 2026" in done.stdout
    assert f"{SPELT}: 3 filings, as of 15 May 2026 to 17 Jul 2026" in done.stdout
    mirror.files = newest
    mirror.requests.clear()
    done = inside("import", "edgar", "--cik", CIK, "--base", mirror.url, store=store)
    assert f"{SPELT}: 7 loans, " in done.stdout
    assert periods(store) == (WANTED, SPELT)
    assert sum("Archives" in path for path in mirror.asked()) == 2
    done = inside("import", "edgar", "--cik", CIK, "--base", mirror.url, store=store)
    assert done.stdout == "Alder 2026-B42 Mortgage Trust: nothing new, 4 filings are there\n"


def test_a_folder_needs_no_name_of_who_asks(monkeypatch, tmp_path):
    monkeypatch.delenv("CREDIT_ATLAS_EDGAR_USER_AGENT")
    own, store = written(tmp_path / "own", tree()), tmp_path / "store"
    done = inside("import", "edgar", "--cik", CIK, "--base", own, "--deal", "Own", store=store)
    assert done.returncode == 0, done.stderr
    assert periods(store) == (WANTED, "Own")


def test_it_is_the_same_as_an_import_of_the_files(tmp_path):
    """Same key, same loans: the trust may be filled by either command."""
    own, store, other = written(tmp_path / "own", tree()), tmp_path / "a", tmp_path / "b"
    inside("import", "edgar", "--cik", CIK, "--base", own, store=store)
    kept = sorted((store / KEPT).rglob("*.xml"))
    inside("import", "sec-absee", *kept, "--deal", SPELT, store=other)
    assert periods(store) == periods(other)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Set CREDIT_ATLAS_EDGAR_USER_AGENT to your firm and an e-mail address"),
        (("--base", "https://mirror.example"), "Set CREDIT_ATLAS_EDGAR_USER_AGENT"),
        (("--base", "no such folder"), "'no such folder', which is no folder here and no address"),
        (("--since", "June"), "--since is 'June' but must be a day written as YYYY-MM-DD"),
    ],
)
def test_what_is_refused_before_anybody_is_asked(monkeypatch, tmp_path, words, said):
    monkeypatch.delenv("CREDIT_ATLAS_EDGAR_USER_AGENT")
    done = inside("import", "edgar", "--cik", CIK, *words, store=tmp_path / "store")
    sentence(done)
    assert said in done.stderr
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    ("base", "said"),
    [
        ("http://mirror.example", "plain http, over which anyone on the way can change the filing"),
        ("https://ann:secret@mirror.example", "must not hold a user name or password"),
        ("ftp://mirror.example", "must begin with https:// or http://"),
        ("https://mirror.example/?a=b", "must end before any"),
    ],
)
def test_an_address_that_cannot_be_trusted_is_refused(tmp_path, base, said):
    done = inside("import", "edgar", "--cik", CIK, "--base", base, store=tmp_path / "store")
    sentence(done)
    assert said in done.stderr
    assert "secret" not in done.stderr


def test_a_broken_mirror_leaves_the_store_as_it_was(mirror, tmp_path):
    store = tmp_path / "store"
    inside("import", "edgar", "--cik", CIK, "--base", mirror.url, "--since", "2026-08-01",
           store=store)  # fmt: skip
    before = periods(store)
    mirror.files[f"{folder(OLD[0])}/exh_102.xml"] = b"<html>Sign in</html>"
    done = inside("import", "edgar", "--cik", CIK, "--base", mirror.url, store=store)
    assert done.returncode == REFUSED
    assert "is an HTML page" in done.stderr
    assert periods(store) == before


def test_a_run_that_is_killed_goes_on(mirror, tmp_path):
    store = tmp_path / "store"
    last = f"{folder(FILED[0][0])}/index.json"
    mirror.first[last] = [silence(60)]
    words = ["import", "edgar", "--cik", CIK, "--base", mirror.url, "--store", store]
    with subprocess.Popen(
        [sys.executable, "-m", "services", *map(str, words)], cwd=ROOT, stderr=subprocess.PIPE
    ) as process:
        until(lambda: last in mirror.asked() or process.poll() is not None)
        process.kill()
        process.stderr.read()
    assert len(list((store / KEPT).rglob("*.xml"))) == 3
    mirror.requests.clear()
    done = inside("import", "edgar", "--cik", CIK, "--base", mirror.url, store=store)
    assert done.returncode == 0, done.stderr
    assert sum("Archives" in path for path in mirror.asked()) == 2
    assert periods(store)[0] == WANTED


def test_a_number_that_nobody_has_is_said(mirror, tmp_path):
    mirror.first[SUBMISSIONS] = [reply(404)]
    done = inside("import", "edgar", "--cik", CIK, "--base", mirror.url, store=tmp_path / "store")
    sentence(done)
    assert f"is {CIK} the CIK of a trust?" in done.stderr
