"""Settings from the environment and the secrets file; a key that never shows."""

import os
import traceback
from pathlib import Path

import pytest
from pydantic import ValidationError

from services.contract.errors import SettingsInvalid
from services.settings import load
from services.sources import open_desk, open_workspace

KEY = "sk-live-4f9a1c77"


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """A folder of its own to be in, and no setting from outside."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.upper().startswith("CREDIT_ATLAS_")]:
        monkeypatch.delenv(name)


def secrets(text):
    Path(".streamlit").mkdir(exist_ok=True)
    Path(".streamlit/secrets.toml").write_text(text, encoding="utf-8")


def refused(**given):
    """The sentence of the refusal, after checking that nothing around it shows the key."""
    with pytest.raises(SettingsInvalid) as caught:
        load(**given)
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert KEY not in shown
    # Faults of the file and of values may quote them, in this Python or the next.
    assert caught.value.__suppress_context__
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_is_not_set_has_a_default():
    found = load()
    assert found.store == Path(".store")
    assert found.source == "store"
    assert (found.api_url, found.api_key) == (None, None)
    assert found.keep_snapshots == 2


def test_a_users_own_files_are_paths_and_none_is_the_packaged_one(monkeypatch):
    """D59."""
    found = load()
    assert (found.limits, found.spreads, found.rates) == (None, None, None)
    monkeypatch.setenv("CREDIT_ATLAS_LIMITS", "~/house.toml")
    monkeypatch.setenv("CREDIT_ATLAS_SPREADS", " ")
    secrets('CREDIT_ATLAS_RATES = "ours.csv"')
    found = load()
    assert found.limits == Path("~/house.toml").expanduser()
    assert found.spreads is None
    assert found.rates == Path("ours.csv")


def test_the_secrets_file_is_read():
    secrets(f'CREDIT_ATLAS_API_KEY = "{KEY}"\nCREDIT_ATLAS_KEEP_SNAPSHOTS = 5\nother = 1\n')
    found = load()
    assert found.api_key.get_secret_value() == KEY
    assert found.keep_snapshots == 5


def test_the_environment_beats_the_secrets_file(monkeypatch):
    secrets('CREDIT_ATLAS_STORE = "from-file"\nCREDIT_ATLAS_KEEP_SNAPSHOTS = 5\n')
    monkeypatch.setenv("CREDIT_ATLAS_STORE", "from-environment")
    found = load()
    assert found.store == Path("from-environment")
    assert found.keep_snapshots == 5


def test_an_argument_beats_both(monkeypatch):
    secrets('CREDIT_ATLAS_STORE = "from-file"\n')
    monkeypatch.setenv("CREDIT_ATLAS_STORE", "from-environment")
    assert load(store="given").store == Path("given")


def test_names_without_our_prefix_are_nobodys_setting(monkeypatch):
    secrets('STORE = "elsewhere"\n[CREDIT_ATLAS]\nSTORE = "elsewhere"\n')
    monkeypatch.setenv("STORE", "elsewhere")
    assert load().store == Path(".store")


def test_a_store_in_the_home_folder_may_be_written_with_a_tilde(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load(store="~/atlas").store == tmp_path / "atlas"


def test_the_key_shows_in_no_text_of_the_settings():
    found = load(api_key=KEY)
    for text in (repr(found), str(found), f"{found.model_dump()}", found.model_dump_json()):
        assert KEY not in text


@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
def test_the_desk_is_a_file_or_a_database_whose_password_never_shows(monkeypatch, scheme):
    assert load().desk is None
    assert load(desk=" ").desk is None
    assert load(desk="~/desk.sqlite").desk == Path("~/desk.sqlite").expanduser()
    address = f"{scheme}://ana:{KEY}@db.example/desk"
    monkeypatch.setenv("CREDIT_ATLAS_DESK", address)
    found = load()
    assert found.desk.get_secret_value() == address
    for text in (repr(found), str(found), f"{found.model_dump()}", found.model_dump_json()):
        assert KEY not in text
    assert KEY not in repr(open_desk(found))


def test_settings_cannot_be_changed():
    found = load()
    with pytest.raises(ValidationError, match="frozen"):
        found.source = "api"


@pytest.mark.parametrize(
    "text",
    [
        f"CREDIT_ATLAS_API_KEY = {KEY}\n",
        f'CREDIT_ATLAS_API_KEY = "{KEY}\n',
        f'CREDIT_ATLAS_API_KEY = "{KEY}"\nCREDIT_ATLAS_API_KEY = "{KEY}"\n',
        f'CREDIT_ATLAS_API_KEY = "{KEY}"\n]]]',
    ],
)
def test_a_secrets_file_that_is_no_toml_is_named_without_its_text(text):
    secrets(text)
    assert refused() == ".streamlit/secrets.toml is not readable as TOML; correct it"


def test_a_secrets_file_that_is_no_text_is_named():
    secrets("")
    Path(".streamlit/secrets.toml").write_bytes(b"\xff\xfe\x00")
    assert refused() == ".streamlit/secrets.toml is not readable as TOML; correct it"


def test_a_folder_in_the_place_of_the_secrets_file_is_named():
    Path(".streamlit/secrets.toml").mkdir(parents=True)
    assert refused() == ".streamlit/secrets.toml is not readable as TOML; correct it"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SOURCE", "database", "input should be 'store' or 'api'"),
        ("SOURCE", "Store", "input should be 'store' or 'api'"),
        ("SOURCE", "", "input should be 'store' or 'api'"),
        ("KEEP_SNAPSHOTS", "0", "input should be greater than or equal to 1"),
        ("KEEP_SNAPSHOTS", "101", "input should be less than or equal to 100"),
        (
            "KEEP_SNAPSHOTS",
            "two",
            "input should be a valid integer, unable to parse string as an integer",
        ),
    ],
)
def test_a_value_that_cannot_be_used_is_one_sentence_with_its_name(
    monkeypatch, name, value, sentence
):
    secrets(f'CREDIT_ATLAS_API_KEY = "{KEY}"\n')
    monkeypatch.setenv(f"CREDIT_ATLAS_{name}", value)
    assert refused() == f"Setting CREDIT_ATLAS_{name} cannot be used: {sentence}"


def test_a_key_of_another_type_is_refused_without_showing_it():
    secrets(f'CREDIT_ATLAS_API_KEY = ["{KEY}"]\n')
    assert refused().startswith("Setting CREDIT_ATLAS_API_KEY cannot be used: ")


def test_a_key_where_another_setting_belongs_is_not_shown(monkeypatch):
    monkeypatch.setenv("CREDIT_ATLAS_SOURCE", KEY)
    monkeypatch.setenv("CREDIT_ATLAS_KEEP_SNAPSHOTS", KEY)
    assert refused().startswith("Setting CREDIT_ATLAS_")


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, "CREDIT_ATLAS_API_URL"),
        ({"api_key": KEY}, "CREDIT_ATLAS_API_URL"),
        ({"api_url": "https://api.example.test"}, "CREDIT_ATLAS_API_KEY"),
    ],
)
def test_an_api_without_address_or_key_is_one_sentence_that_names_what_is_missing(given, missing):
    with pytest.raises(SettingsInvalid) as caught:
        open_workspace(load(source="api", **given))
    assert str(caught.value) == (
        f"To read the API, {missing} must be set, in the environment or in"
        " .streamlit/secrets.toml; it is not"
    )


@pytest.mark.parametrize(
    "address", ["", "example.test", "ftp://example.test", "http://example.test", "https://"]
)
def test_an_address_that_cannot_be_used_is_refused_without_showing_the_key(address):
    with pytest.raises(SettingsInvalid) as caught:
        open_workspace(load(source="api", api_url=address, api_key=KEY))
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    ["mysql://ann:secret@host/x", "Postgresql://a:secret@h/x", "postgresql+psycopg://a:secret@h/x"],
)
def test_an_address_of_no_database_that_is_known_is_no_file_and_is_never_shown(address):
    with pytest.raises(SettingsInvalid, match="begins with postgresql://") as refused:
        load(desk=address)
    assert "secret" not in str(refused.value)
