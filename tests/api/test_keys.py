"""The key file: hashes only, 0600, atomic, read again when it changes."""

import hashlib
import json
import re
import stat
import threading

import pytest

from services.api.keys import KEY_SHAPE, KeyFile, digest_of, new_secret
from services.contract.errors import NotFound, SettingsInvalid


@pytest.fixture
def file(tmp_path):
    return KeyFile(tmp_path / "deep" / "keys.json")


def test_a_key_is_returned_once_and_only_its_hash_is_kept(file):
    secret = file.add("base", "production")
    assert re.fullmatch(r"ca_live_[A-Za-z0-9_-]{43}", secret)
    text = file.path.read_text()
    assert secret not in text
    assert secret.removeprefix("ca_live_") not in text
    assert hashlib.sha256(secret.encode()).hexdigest() in text


@pytest.mark.parametrize("environment", ["production", "sandbox"])
def test_a_key_has_256_random_bits_and_no_two_are_alike(environment):
    made = [new_secret(environment) for _ in range(1_000)]
    assert len(set(made)) == 1_000
    for one in made:
        assert KEY_SHAPE.fullmatch(one)
        assert len(one.split("_", 2)[2]) == 43  # of 64 letters: 256 bits and two more
    assert re.fullmatch(r"[0-9a-f]{64}", digest_of(made[0]))


def test_a_sandbox_key_says_so(file):
    assert file.add("base", "sandbox").startswith("ca_test_")


def test_a_key_is_found_by_its_whole_text_only(file):
    secret = file.add("resolution", "sandbox")
    found = file.find(secret)
    assert (found.tier, found.environment) == ("resolution", "sandbox")
    for other in ("", secret[:-1], secret + "x", secret.upper(), found.sha256, "\udcff" * 9):
        assert file.find(other) is None


def test_the_file_is_for_its_owner_only(file):
    file.add("base", "production")
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert [path.name for path in file.path.parent.iterdir()] == ["keys.json"]


def test_keys_are_listed_in_the_order_they_were_added(file):
    file.add("base", "production")
    file.add("complete", "sandbox")
    assert [(key.tier, key.environment) for key in file.all()] == [
        ("base", "production"),
        ("complete", "sandbox"),
    ]
    assert len({key.id for key in file.all()}) == 2


def test_a_revoked_key_is_known_but_opens_nothing(file):
    secret = file.add("base", "production")
    gone = file.revoke(file.find(secret).id)
    assert gone.revoked_at is not None
    assert file.find(secret) is None
    assert file.revoke(gone.id).revoked_at == gone.revoked_at
    with pytest.raises(NotFound, match="no key with the id 'nope'"):
        file.revoke("nope")


def test_a_key_added_by_another_process_is_known_at_once(file):
    file.add("base", "production")
    assert file.find("x") is None
    secret = KeyFile(file.path).add("base", "production")
    assert file.find(secret) is not None


def test_keys_added_at_the_same_time_are_all_kept(file):
    threads = [
        threading.Thread(target=KeyFile(file.path).add, args=("base", "production"))
        for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(file.all()) == 12


def test_a_missing_file_says_how_to_make_one(file):
    with pytest.raises(SettingsInvalid, match="creditatlas keys add --tier complete"):
        file.all()
    with pytest.raises(SettingsInvalid, match="There is no key file"):
        file.find("x")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"version": 2}', '{"keys": [{"id": "1"}]}', "\x00", '{"secret": 1}'],
)
def test_a_damaged_file_says_where(file, text):
    file.path.parent.mkdir()
    file.path.write_text(text)
    with pytest.raises(SettingsInvalid, match="is damaged at"):
        file.all()


def test_a_damaged_file_is_not_overwritten(file):
    file.path.parent.mkdir()
    file.path.write_text("mine")
    with pytest.raises(SettingsInvalid):
        file.add("base", "production")
    assert file.path.read_text() == "mine"


def test_the_message_of_damage_repeats_nothing_of_the_file(file):
    file.path.parent.mkdir()
    file.path.write_text(json.dumps({"keys": [{"id": "hunter2"}]}))
    with pytest.raises(SettingsInvalid) as caught:
        file.all()
    assert "hunter2" not in str(caught.value)


def test_a_folder_is_no_key_file(tmp_path):
    with pytest.raises(SettingsInvalid, match="cannot be read: Is a directory"):
        KeyFile(tmp_path).all()
