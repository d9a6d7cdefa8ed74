"""A trust's filings from a mirror on a real socket, and all that may go wrong (D224 to D226)."""

import gzip
import json
from datetime import date

import pytest

from services.contract.errors import (
    BadPayload,
    ImportRefused,
    InternalError,
    RateLimited,
    Unreachable,
)
from services.edgar import Folder, Web, fetch
from services.importers import sec_absee
from tests.client.fault_server import cut, drop, gzip_bomb, head, html_reply, reply
from tests.edgar.mirror import (
    CIK,
    FILED,
    OLD,
    PAGE,
    SUBMISSIONS,
    Mirror,
    complete,
    exhibit,
    folder,
    index,
    record,
    tree,
    written,
)
from tests.genuine import SHARED

AGENT = "Example Bank credit@bank.example"
ORDER = [OLD, *reversed(FILED)]
NEWEST = folder(FILED[0][0])
EXHIBIT = f"{NEWEST}/exh_102.xml"


@pytest.fixture
def mirror():
    with Mirror() as server:
        yield server


class Clock:
    """Time that only passes while somebody sleeps."""

    def __init__(self):
        self.now, self.slept = 0.0, []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        self.slept.append(seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def web(mirror, clock):
    with Web(AGENT, mirror.url, clock=clock, sleep=clock.sleep) as one:
        yield one


@pytest.fixture
def kept(tmp_path):
    return Folder(tmp_path / "kept")


def days(paths):
    """As-of dates of exhibits, each read by the importer."""
    return [f"{one.info.as_of}" for one in sec_absee.portfolio(paths, deal="Alder")]


def test_all_months_come_in_the_order_in_which_they_were_filed(mirror, web, kept):
    found = fetch(CIK, web, kept)
    assert days(found.exhibits) == [day for _, _, day in ORDER]
    assert [path.name for path in found.exhibits] == [f"{number}.xml" for number, _, _ in ORDER]
    assert found.registrant.deal == "Alder 2026-B42"
    assert {one.headers["user-agent"] for one in mirror.requests} == {AGENT}
    # What is not needed is not asked for: other forms, XML beside the exhibit, texts.
    second = folder(FILED[1][0])
    assert sorted(mirror.asked()) == sorted([
        SUBMISSIONS, f"submissions/{PAGE}",
        *(f"{folder(one[0])}/{name}" for one in (FILED[0], FILED[2], OLD)
          for name in ("index.json", "exh_102.xml")),
        f"{second}/index.json", f"{second}/{FILED[1][0]}.txt",
    ])  # fmt: skip


def test_never_ten_requests_in_a_second(mirror, web, kept, clock):
    fetch(CIK, web, kept)
    assert len(mirror.requests) == 10
    assert clock.now == pytest.approx(9 * 0.125)


def test_a_folder_in_the_same_layout_gives_the_same_files(web, kept, tmp_path):
    from_web = [path.read_bytes() for path in fetch(CIK, web, kept).exhibits]
    own = written(tmp_path / "own", tree())
    found = fetch(CIK, Folder(own), Folder(tmp_path / "other"))
    assert [path.read_bytes() for path in found.exhibits] == from_web
    # What was kept is such a folder itself.
    again = fetch(CIK, kept, Folder(tmp_path / "third"))
    assert [path.read_bytes() for path in again.exhibits] == from_web


def test_only_what_was_filed_since_a_day(mirror, web, kept):
    found = fetch(CIK, web, kept, since=date(2026, 7, 30))
    assert days(found.exhibits) == ["2026-07-17", "2026-08-17"]
    assert f"submissions/{PAGE}" not in mirror.asked()
    with pytest.raises(ImportRefused, match=r"has filed no asset data \(ABS-EE\) since 1 Jan 2027"):
        fetch(CIK, web, kept, since=date(2027, 1, 1))


def test_a_run_that_was_stopped_goes_on_and_a_later_one_asks_for_what_is_new(mirror, web, kept):
    stops = iter([False, False, True])
    with pytest.raises(ImportRefused, match="import cancelled; what was fetched is kept"):
        fetch(CIK, web, kept, cancelled=lambda: next(stops))
    before = mirror.asked()
    mirror.requests.clear()
    said = []
    found = fetch(CIK, web, kept, progress=lambda stage, part: said.append((stage, part)))
    assert len(found.exhibits) == 4
    assert set(mirror.asked()) & set(before) == {SUBMISSIONS, f"submissions/{PAGE}"}
    assert said[-1] == ("fetched", 1.0)
    assert [part for _, part in said] == sorted(part for _, part in said)
    mirror.requests.clear()
    new = fetch(CIK, web, kept, known={path.name for path in found.exhibits[1:]})
    assert (len(new.exhibits), new.known) == (1, 3)
    assert mirror.asked() == [SUBMISSIONS, f"submissions/{PAGE}"]


def test_a_429_is_waited_out_as_it_asks(mirror, web, kept, clock):
    mirror.first[SUBMISSIONS] = [reply(429, headers={"Retry-After": "120"}), reply(429)]
    mirror.first[EXHIBIT] = [reply(429, headers={"Retry-After": "7"}), reply(503)]
    assert len(fetch(CIK, web, kept).exhibits) == 4
    # Without a Retry-After a minute; after a failure a second at most.
    assert [wait for wait in clock.slept if wait > 1] == [120.0, 60.0, 7.0]
    assert mirror.asked().count(EXHIBIT) == 3


def test_what_fails_three_times_is_said(mirror, web, kept):
    mirror.first[EXHIBIT] = [reply(503), drop(), reply(503)]
    with pytest.raises(InternalError, match=r"exh_102\.xml failed \(status 503\)"):
        fetch(CIK, web, kept)


def test_a_wait_beyond_ten_minutes_is_said_and_not_waited(mirror, web, kept, clock):
    mirror.first[SUBMISSIONS] = [reply(429, headers={"Retry-After": "3600"})]
    with pytest.raises(RateLimited, match="run the command again in 3600 s"):
        fetch(CIK, web, kept)
    assert sum(clock.slept) == 0


@pytest.mark.parametrize("broken", [cut(exhibit("2026-08-17"), 5_000), drop()])
def test_a_broken_answer_is_asked_for_again_and_never_kept(mirror, web, kept, broken):
    mirror.first[EXHIBIT] = [broken] * 3
    with pytest.raises(Unreachable, match="broke off"):
        fetch(CIK, web, kept)
    assert not list(kept.root.rglob(f"{FILED[0][0]}*"))
    mirror.first[EXHIBIT] = [broken] * 2
    assert len(fetch(CIK, web, kept).exhibits) == 4


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        (EXHIBIT, exhibit("2026-08-17")[:9_000], "is broken off"),
        (EXHIBIT, b"<!DOCTYPE html><html>Sign in</html>", "is an HTML page"),
        (f"{NEWEST}/index.json", b"<html>Sign in</html>", "is an HTML page; check the address"),
        (f"{NEWEST}/index.json", b"[1]", "is no JSON object"),
        (f"{NEWEST}/index.json", b'{"directory": {}}', "is not the index of a filing: it lacks"),
        (SUBMISSIONS, b"", "is no JSON"),
        (SUBMISSIONS, b'{"cik": "7"}', "is the record of CIK 7, not of 2110410"),
        (SUBMISSIONS, b'{"cik": "2110410"}', "is not a submissions record: it lacks 'name'"),
        (f"submissions/{PAGE}", b'{"form": []}', "is not a page of a submissions record"),
    ],
)
def test_wrong_content_is_named_and_not_kept(mirror, web, kept, path, content, said):
    mirror.files[path] = content
    with pytest.raises(BadPayload, match=said) as wrong:
        fetch(CIK, web, kept)
    assert path in str(wrong.value)
    assert not (kept.root / path).exists()
    assert not list(kept.root.rglob(f"{FILED[0][0]}*"))


def test_a_text_that_is_no_whole_submission_is_refused(mirror, web, kept):
    path = f"{folder(FILED[1][0])}/{FILED[1][0]}.txt"
    mirror.files[path] = mirror.files[path][:-40]
    with pytest.raises(BadPayload, match="is no whole submission"):
        fetch(CIK, web, kept)


def test_filings_without_an_exhibit_are_named_and_the_others_come(mirror, web, kept):
    number = FILED[1][0]
    mirror.files[f"{folder(number)}/{number}.txt"] = complete(number, ("ABS-EE", b"<p/>"))
    del mirror.files[f"{folder(OLD[0])}/index.json"]
    found = fetch(CIK, web, kept)
    assert [one.accession for one in found.without] == [OLD[0], number]
    assert days(found.exhibits) == ["2026-06-17", "2026-08-17"]


def test_the_genuine_record_and_index(web, mirror, kept):
    if not SHARED.is_dir():
        pytest.skip("the folder of public data is not here")
    number = "0001888524-26-010373"
    mirror.files = {
        SUBMISSIONS: (SHARED / "edgar/submissions_CIK0002110410.json").read_bytes(),
        f"{folder(number)}/index.json": (SHARED / "edgar/index_without_exhibit.json").read_bytes(),
        f"{folder(number)}/{number}.txt": complete(number, ("EX-102", exhibit("2026-05-15"))),
    }
    found = fetch(CIK, web, kept)
    assert found.registrant.name == "Benchmark 2026-B42 Mortgage Trust"
    assert days(found.exhibits) == ["2026-05-15"]
    assert [one.accession for one in found.without] == [
        "0001888524-26-012270",
        "0001888524-26-014162",
    ]


def test_a_correction_comes_after_what_it_corrects_and_a_depositor_is_refused(mirror, web, kept):
    rows = record(FILED)
    recent = rows["filings"]["recent"]
    for name, value in (("accessionNumber", "0000000001-26-000001"), ("form", "ABS-EE/A"),
                        ("filingDate", "2026-08-28"), ("reportDate", "2026-08-17")):  # fmt: skip
        recent[name].insert(0, value)
    recent["acceptanceDateTime"] = [f"2026-08-28T{20 - at:02}:00:00Z" for at in range(5)]
    mirror.files[SUBMISSIONS] = json.dumps(rows).encode()
    number = folder("0000000001-26-000001")
    mirror.files |= {
        f"{number}/index.json": index("a.xml"),
        f"{number}/a.xml": exhibit("2026-08-17"),
    }
    found = fetch(CIK, web, kept)
    assert [path.name for path in found.exhibits][-2:] == [
        "0001888524-26-014162.xml",
        "0000000001-26-000001.xml",
    ]
    recent["form"] = ["ABS-EE" for _ in recent["form"]]
    recent["reportDate"] = ["2026-08-17", "2026-08-17", "2026-07-17", "2026-07-17", "2026-06-17"]
    mirror.files[SUBMISSIONS] = json.dumps(rows).encode()
    with pytest.raises(ImportRefused, match="Of 3 periods 2 have several ABS-EE filings"):
        fetch(CIK, web, kept)


def test_a_redirect_to_another_host_is_refused_and_the_host_hears_nothing(mirror, web, kept):
    with Mirror() as other:
        where = {"Location": f"{other.url}/{SUBMISSIONS}"}
        mirror.first[SUBMISSIONS] = [reply(302, headers=where)]
        with pytest.raises(ImportRefused, match=r"sends the request to 127\.0\.0\.1"):
            fetch(CIK, web, kept)
        assert other.requests == []


def test_a_refusal_says_what_the_sec_wants_and_a_wrong_number_is_said(mirror, web, kept):
    mirror.first[SUBMISSIONS] = [html_reply(403), reply(404)]
    with pytest.raises(ImportRefused, match="CREDIT_ATLAS_EDGAR_USER_AGENT must name your firm"):
        fetch(CIK, web, kept)
    with pytest.raises(ImportRefused, match="is not there; is 2110410 the CIK of a trust"):
        fetch(CIK, web, kept)


def test_gzip_is_unpacked_and_bounded(mirror, clock, kept):
    packed = {"Content-Encoding": "gzip"}
    mirror.first[EXHIBIT] = [reply(200, gzip.compress(mirror.files[EXHIBIT]), packed)]
    with Web(AGENT, mirror.url, most_bytes=2**20, clock=clock, sleep=clock.sleep) as web:
        assert len(fetch(CIK, web, kept).exhibits) == 4
        mirror.first[SUBMISSIONS] = [gzip_bomb(2**26)]
        with pytest.raises(BadPayload, match="larger than 1,048,576 bytes and was not read"):
            fetch(CIK, web, kept)


def test_two_gigabytes_are_refused_when_they_are_announced(mirror, web, kept):
    def huge(wire):
        wire.send(head(200, {"Content-Length": str(2**31)}) + b"{")
        wire.wait(30)
        return False

    mirror.first[SUBMISSIONS] = [huge]
    with pytest.raises(BadPayload, match="larger than 134,217,728 bytes"):
        fetch(CIK, web, kept)


@pytest.mark.parametrize(
    "name", ["../../../../etc/passwd.xml", "/etc/passwd.xml", "a/b_102.xml", "..", "%2e%2e/x.xml",
             "x\r\nHost: evil.xml", "http://evil.example/102.xml", 7]
)  # fmt: skip
def test_a_name_with_a_path_is_neither_asked_for_nor_written(mirror, web, kept, name):
    items = {"directory": {"item": [{"name": name}, {"name": "exh_102.xml"}]}}
    mirror.files[f"{NEWEST}/index.json"] = json.dumps(items).encode()
    assert len(fetch(CIK, web, kept).exhibits) == 4
    assert sum(NEWEST in path for path in mirror.asked()) == 2
    assert {path.name for path in kept.root.rglob("*.xml")} == {f"{one[0]}.xml" for one in ORDER}


@pytest.mark.parametrize("bad", ["../../x", "0001888524-26-01416", "0001888524-26-0141 62"])
def test_a_number_of_a_filing_that_is_none_is_refused(mirror, web, kept, bad):
    rows = record([(bad, "2026-08-28", "2026-08-17")])
    mirror.files[SUBMISSIONS] = json.dumps(rows).encode()
    with pytest.raises(BadPayload, match="the accession number"):
        fetch(CIK, web, kept)
    older = {"name": "../evil.json", "filingTo": "2026-05-31"}
    mirror.files[SUBMISSIONS] = json.dumps(record(FILED, [older])).encode()
    with pytest.raises(BadPayload, match=r"a page called '\.\./evil\.json'"):
        fetch(CIK, web, kept)


def test_entities_are_refused_by_the_reader_of_exhibits(mirror, web, kept):
    bomb = b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
    plain = exhibit("2026-08-17")
    at = plain.index(b"<assetData")
    mirror.files[EXHIBIT] = plain[:at] + bomb + plain[at:]
    found = fetch(CIK, web, kept)
    with pytest.raises(ImportRefused, match="declares a document type"):
        sec_absee.portfolio([found.exhibits[-1]], deal="Alder")
