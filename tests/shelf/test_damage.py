"""Whatever happens to an object of a shelf, a node says so in a sentence and keeps what it has, or
has exactly what was published (D83, D190).
"""

import os
import tempfile
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from services.contract.errors import CreditAtlasError, ShelfDamaged, StoreDamaged
from services.shelf.manifest import FileListed, Manifest, object_name
from services.shelf.sealed import Move, NodeReport, Offer
from services.store.snapshot import current_id
from tests.shelf.small import contents, objects, opened, published, put, turned
from tests.tiers import examples


def damage(path, how, at):
    """Flips a bit of a file, cuts it, or takes it away."""
    content = path.read_bytes()
    at %= max(len(content), 1)
    if how == "missing":
        path.unlink()
    elif how == "cut" or not content:
        path.write_bytes(content[:at])
    else:
        path.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])


def attempted(shelf, follower):
    """What a node says in its turn; nothing when all is well."""
    try:
        turned(shelf, follower)
    except CreditAtlasError as error:
        return str(error)
    return ""


@examples(20, 50)
@given(
    which=st.integers(0, 10**6), how=st.sampled_from(["flip", "cut", "missing"]), at=st.integers(0)
)
def test_a_shelf_that_was_damaged_anywhere(which, how, at):
    with tempfile.TemporaryDirectory() as folder:
        builder, follower = Path(folder, "builder"), Path(folder, "follower")
        shelf = opened(Path(folder, "shelf"))
        old = put(builder, {"a": b"old", "b": bytes(3_000)})
        published(shelf, builder)
        turned(shelf, follower)
        new = put(builder, {"a": b"new" * 900, "deep/c": b"c" * 1_500})
        published(shelf, builder)
        files = sorted(path for path in Path(folder, "shelf").rglob("*") if path.is_file())
        damage(files[which % len(files)], how, at)
        said = attempted(shelf, follower)
        assert said.isprintable()
        assert len(said) < 1_000
        reads = current_id(follower)
        assert reads in {old, new}
        assert contents(follower, reads) == contents(builder, reads)
        # Whatever it was, publishing again with --mend and one more look put it right.
        published(shelf, builder, mend=True)
        assert turned(shelf, follower).reads == new
        assert contents(follower, new) == contents(builder, new)


@pytest.mark.parametrize("how", ["flip", "cut", "missing"])
def test_an_object_that_is_not_what_was_published_is_named_with_what_to_do(
    builder, shelf, follower, how
):
    published(shelf, builder)
    turned(shelf, follower)
    before = current_id(follower)
    put(builder, {"a": os.urandom(900)})
    old = objects(shelf.shelf.objects.folder)
    published(shelf, builder)
    (path,) = [
        one
        for one in objects(shelf.shelf.objects.folder)
        if one not in old and one.stat().st_size == 900
    ]
    damage(path, how, 5)
    with pytest.raises(ShelfDamaged) as fault:
        turned(shelf, follower)
    said = str(fault.value)
    assert path.relative_to(shelf.shelf.objects.folder).as_posix() in said
    words = {
        "flip": "is not as it was published",
        "cut": "has 5 bytes where 900",
        "missing": "is mi",
    }
    assert words[how] in said
    assert "creditatlas publish --to" in said
    assert current_id(follower) == before
    (report,) = shelf.reports()
    assert report.problem is not None


def test_a_shelf_is_not_trusted_further_than_the_snapshot_s_own_checksums(builder, shelf, follower):
    """Objects and a manifest that fit each other, and are not what was built."""
    manifest = shelf.shelf.manifest(published(shelf, builder).snapshot_id)
    forged = b"b" * 500
    digest = sha256(sha256(forged).digest()).hexdigest()
    shelf.shelf.objects.write(object_name(digest), forged)
    files = tuple(
        one.model_copy(update={"pieces": (*one.pieces[:-1], digest)}) if one.path == "a" else one
        for one in manifest.files
    )
    name = f"snapshots/{manifest.snapshot_id}.json"
    shelf.shelf.objects.write(name, manifest.model_copy(update={"files": files}).sealed())
    with pytest.raises(StoreDamaged, match=r"'a' of snapshot .* is not as it was written"):
        turned(shelf, follower)
    assert list(follower.glob("snap-*")) == []


@pytest.mark.parametrize("kind", [Move, Offer, NodeReport])
def test_what_is_no_sealed_object_is_damage(kind):
    for content in (b"", b"{}", b"[]", b"null", b'{"sha256": 1}', b"\xff", None):
        with pytest.raises(ShelfDamaged):
            kind.opened(content, "x", "shelf")


@pytest.mark.parametrize("path", ["../a", "/etc/passwd", "a/../../b", "", ".", "a//b", "./a"])
def test_a_manifest_that_leads_out_of_its_snapshot_is_refused(builder, shelf, path):
    """Sealed, so that only a hand could have made it."""
    done = published(shelf, builder)
    manifest = shelf.shelf.manifest(done.snapshot_id)
    with pytest.raises(ValidationError):
        FileListed(path=path, bytes=0, pieces=())
    harmful = FileListed.model_construct(path=path, bytes=0, pieces=())
    sealed = Manifest.model_construct(
        **{**manifest.__dict__, "files": (*manifest.files, harmful)}
    ).sealed()
    with pytest.raises(ShelfDamaged):
        Manifest.opened(sealed, "snapshots/x.json", "shelf")
