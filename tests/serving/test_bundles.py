"""Compressed bundles: what they hold, what a cache folder may do to them, who is sent them."""

import gzip

import pytest

from components.platform.bundles import Bundles, takes_gzip

SCRIPT = b"export const name = 'Credit Atlas';\n" * 100


@pytest.fixture
def served(tmp_path):
    """A folder like Streamlit's: a script, a script too small to compress, a font."""
    folder = tmp_path / "streamlit" / "static"
    (folder / "js").mkdir(parents=True)
    (folder / "js" / "large.abc.js").write_bytes(SCRIPT)
    (folder / "js" / "small.abc.js").write_bytes(b"export {}")
    (folder / "font.woff2").write_bytes(SCRIPT)
    return folder.parent


def loaded(served, cache):
    bundles = Bundles(served)
    bundles.load(cache)
    return bundles


def test_a_bundle_is_compressed_and_typed_and_unpacks_to_what_streamlit_has(served, tmp_path):
    bundle = loaded(served, tmp_path / "cache").at("/static/js/large.abc.js")
    assert gzip.decompress(bundle.packed) == SCRIPT
    assert len(bundle.packed) < len(SCRIPT) / 10
    assert bundle.media_type in {"application/javascript", "text/javascript"}


@pytest.mark.parametrize(
    "name", ["js/small.abc.js", "font.woff2", "js", "../static/js/large.abc.js"]
)
def test_what_gains_nothing_or_is_no_bundle_is_left_to_streamlit(served, tmp_path, name):
    assert loaded(served, tmp_path / "cache").at(f"/static/{name}") is None


def test_a_second_start_reads_what_the_first_wrote(served, tmp_path):
    first = loaded(served, tmp_path / "cache").at("/static/js/large.abc.js")
    kept = tmp_path / "cache/static/js/large.abc.js.gz"
    assert kept.read_bytes() == first.packed
    written = kept.stat().st_mtime_ns
    second = loaded(served, tmp_path / "cache").at("/static/js/large.abc.js")
    assert (second, kept.stat().st_mtime_ns) == (first, written)


@pytest.mark.parametrize(
    "damage",
    [
        lambda packed: packed[:-9],
        lambda _: b"",
        lambda packed: packed[:20] + bytes([packed[20] ^ 255]) + packed[21:],
        lambda _: gzip.compress(b"alert(1)"),
        lambda _: SCRIPT,
    ],
    ids=["cut", "empty", "flipped", "another script", "not compressed"],
)
def test_a_damaged_file_of_the_cache_is_made_anew_and_never_sent(served, tmp_path, damage):
    loaded(served, tmp_path / "cache")
    kept = tmp_path / "cache/static/js/large.abc.js.gz"
    kept.write_bytes(damage(kept.read_bytes()))
    bundle = loaded(served, tmp_path / "cache").at("/static/js/large.abc.js")
    assert gzip.decompress(bundle.packed) == SCRIPT
    assert kept.read_bytes() == bundle.packed


def test_a_cache_folder_that_cannot_be_written_is_no_fault(served, tmp_path):
    (tmp_path / "cache").write_text("a file, not a folder")
    bundle = loaded(served, tmp_path / "cache").at("/static/js/large.abc.js")
    assert gzip.decompress(bundle.packed) == SCRIPT


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.8", True),
        ("*", True),
        ("GZIP", True),
        ("", False),
        ("identity", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("*;q=0", False),
    ],
)
def test_only_a_client_that_takes_gzip_is_sent_it(accepted, taken):
    assert takes_gzip(accepted) is taken
