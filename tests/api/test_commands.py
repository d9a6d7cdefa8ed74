"""The commands `keys` and `serve`: what they print, and what they say when something is missing."""

import socket
import stat

import pytest
import typer
from typer.testing import CliRunner

from services.api import commands, serving
from services.api.keys import KeyFile
from services.api.serving import Plan, app_of, bound, prepared
from services.contract.audit import AuditFilter
from services.contract.errors import DeskUnavailable, NotFound, SettingsInvalid, StoreMissing
from services.desk.sqlite import SqliteDesk
from services.sign_in import local_user
from tests.publishing import load
from tests.servers import application
from tests.world import quay

app = typer.Typer()
app.command("serve")(commands.serve)
app.add_typer(commands.keys, name="keys")


def said(*words):
    """What a command prints; its own errors come out as they were raised."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def keys(tmp_path):
    return tmp_path / "keys.json"


@pytest.fixture(autouse=True)
def no_settings(monkeypatch, tmp_path):
    for name in (
        "KEYS",
        "STORE",
        "RATE_PER_MINUTE",
        "DAILY_QUOTA",
        "LIMITS_STORAGE",
        "SOURCE",
        "DESK",
    ):
        monkeypatch.delenv(f"CREDIT_ATLAS_{name}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_adding_a_key_prints_just_the_key(keys):
    printed = said("keys", "add", "--tier", "base", "--environment", "sandbox", "--keys", keys)
    assert printed.exit_code == 0
    secret = printed.stdout.removesuffix("\n")
    assert KeyFile(keys).find(secret).tier == "base"
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600


def test_keys_are_listed_and_revoked_by_their_id(keys):
    secret = KeyFile(keys).add("capital_graph", "production")
    (key,) = KeyFile(keys).all()
    line = said("keys", "list", "--keys", keys).stdout
    assert line.startswith(f"{key.id}  capital_graph  production  added ")
    assert line.endswith("  valid\n")
    assert said("keys", "revoke", key.id, "--keys", keys).exit_code == 0
    assert "revoked" in said("keys", "list", "--keys", keys).stdout
    assert KeyFile(keys).find(secret) is None
    with pytest.raises(NotFound):
        said("keys", "revoke", "nope", "--keys", keys)


def test_who_added_and_revoked_a_key_is_recorded_and_never_the_key(keys, tmp_path):
    """D93."""
    given = ("--tier", "base", "--environment", "sandbox", "--keys", keys)
    secret = said("keys", "add", *given).stdout.strip()
    (key,) = KeyFile(keys).all()
    said("keys", "revoke", key.id, "--keys", keys)
    desk = SqliteDesk(tmp_path / ".store" / "desk.sqlite")
    revoked, added = desk.every_entry(AuditFilter())
    assert (added.action, revoked.action) == ("add_key", "revoke_key")
    assert (added.by, added.role) == (local_user().name, "admin")
    for entry in (added, revoked):
        assert (entry.kind, entry.name, entry.detail) == ("key", key.id, "base, sandbox")
        assert secret not in entry.model_dump_json()
        assert key.sha256 not in entry.model_dump_json()


def test_a_key_that_cannot_be_recorded_is_not_printed_and_opens_nothing(keys, monkeypatch):
    """D93."""
    monkeypatch.setenv("CREDIT_ATLAS_DESK", str(keys.parent / "no" / "folder"))
    (keys.parent / "no").touch()
    shown = []
    monkeypatch.setattr(commands.typer, "echo", shown.append)
    given = ("--tier", "base", "--environment", "sandbox", "--keys", keys)
    with pytest.raises(DeskUnavailable, match="No key was added, for it could not be recorded"):
        said("keys", "add", *given)
    assert shown == []
    assert all(key.revoked_at for key in KeyFile(keys).all())


def test_a_key_is_revoked_though_that_cannot_be_recorded(keys, monkeypatch):
    """D93."""
    secret = KeyFile(keys).add("base", "sandbox")
    (key,) = KeyFile(keys).all()
    monkeypatch.setenv("CREDIT_ATLAS_DESK", str(keys.parent / "no" / "folder"))
    (keys.parent / "no").touch()
    with pytest.raises(DeskUnavailable, match="The key is revoked, but"):
        said("keys", "revoke", key.id, "--keys", keys)
    assert KeyFile(keys).find(secret) is None


@pytest.mark.parametrize("words", [("--tier", "gold"), ("--environment", "test"), ()])
def test_an_unknown_tier_or_environment_is_refused(keys, words):
    options = {"--tier": "base", "--environment": "sandbox"} | dict([words] if words else [])
    if not words:
        del options["--tier"]
    given = [word for pair in options.items() for word in pair]
    assert said("keys", "add", *given, "--keys", keys).exit_code == 2
    assert not keys.exists()


def test_serving_without_a_key_file_says_how_to_make_one(keys, demo_store):
    with pytest.raises(SettingsInvalid, match=r"There is no key file .*creditatlas keys add"):
        said("serve", "--keys", keys, "--store", demo_store)


@pytest.mark.parametrize("option", ["--store", "--sandbox-store"])
@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_folder_is_never_the_one_the_process_stands_in(option, blank, keys):
    with pytest.raises(SettingsInvalid, match=f"^{option} is blank; name a folder"):
        said("serve", "--keys", keys, option, blank)


def test_serving_an_empty_store_says_how_to_fill_it(keys, tmp_path, demo_store):
    KeyFile(keys).add("base", "production")
    with pytest.raises(StoreMissing, match="creditatlas demo"):
        said("serve", "--keys", keys, "--store", tmp_path / "x", "--sandbox-store", demo_store)


def test_a_port_that_is_taken_is_named(keys, demo_store):
    KeyFile(keys).add("base", "production")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        stores = ("--store", demo_store, "--sandbox-store", demo_store)
        with pytest.raises(SettingsInvalid, match=f"Port {port} on 127.0.0.1 is taken"):
            said("serve", "--keys", keys, *stores, "--port", port)


def test_a_host_that_is_not_ours_is_named():
    with pytest.raises(SettingsInvalid, match="cannot be used"):
        bound("192.0.2.1", 0)
    with pytest.raises(SettingsInvalid, match="correct --host"):
        bound("no host", 0)


@pytest.mark.parametrize("storage", [(), ("--limits-storage", "memory://")])
def test_several_workers_need_one_place_to_count(keys, storage):
    with pytest.raises(SettingsInvalid, match="CREDIT_ATLAS_LIMITS_STORAGE"):
        said("serve", "--keys", keys, "--workers", "2", *storage)


def test_a_storage_that_does_not_open_is_said_before_anything_is_served(keys, demo_store):
    KeyFile(keys).add("base", "production")
    with pytest.raises(SettingsInvalid, match="CREDIT_ATLAS_LIMITS_STORAGE names no storage"):
        said("serve", "--keys", keys, "--store", demo_store, "--limits-storage", "x://y")


def test_a_sandbox_that_this_version_does_not_read_is_made_again(keys, tmp_path, monkeypatch):
    monkeypatch.setattr(serving, "SANDBOX_LOANS", 20)
    KeyFile(keys).add("base", "sandbox")
    sandbox = tmp_path / "sandbox"
    sandbox.mkdir()
    (sandbox / "current").write_text("from another time")
    plan = prepared(Plan(keys=keys, store=tmp_path, upstream=True))
    assert plan.sandbox_store == sandbox
    assert (sandbox / "current").read_text() != "from another time"


def test_a_sandbox_that_lost_its_name_keeps_what_it_held(keys, tmp_path):
    # D103
    KeyFile(keys).add("base", "sandbox")
    sandbox = tmp_path / "sandbox"
    made = load(sandbox, [quay()]).snapshot_id
    (sandbox / "current").unlink()
    prepared(Plan(keys=keys, store=tmp_path, upstream=True))
    assert (sandbox / "current").read_text() == f"{made}\n"


def test_the_options_and_the_environment_reach_the_server(keys, demo_store, monkeypatch):
    KeyFile(keys).add("base", "production")
    ran = []
    monkeypatch.setattr(serving, "run", lambda *given, **_: ran.append(given))
    monkeypatch.setenv("CREDIT_ATLAS_RATE_PER_MINUTE", "7")
    monkeypatch.setenv("CREDIT_ATLAS_DAILY_QUOTA", "70")
    stores = ("--store", demo_store, "--sandbox-store", demo_store)
    printed = said("serve", "--keys", keys, *stores, "--port", "0", "--variant", "b")
    (plan, listener) = ran[0]
    port = listener.getsockname()[1]
    assert listener.proto == socket.IPPROTO_TCP
    listener.close()
    assert f"http://127.0.0.1:{port}/openapi.json" in printed.stderr
    assert (plan.variant, plan.rate_per_minute, plan.daily_quota) == ("b", 7, 70)
    assert plan.store == demo_store


def test_sandbox_keys_read_a_demonstration_store_by_default(
    keys, tmp_path, demo_store, monkeypatch, service_at
):
    monkeypatch.setattr(serving, "SANDBOX_LOANS", 50)
    secret = KeyFile(keys).add("base", "sandbox")
    store = tmp_path / "store"
    store.mkdir()
    for path in demo_store.iterdir():
        (store / path.name).symlink_to(path)
    plan = prepared(Plan(keys=keys, store=store, rate_per_minute=3))
    assert plan.sandbox_store == store / "sandbox"
    assert prepared(Plan(keys=keys, store=store)).sandbox_store == plan.sandbox_store
    with application(app_of(plan)) as port:
        service = service_at(port, KeyFile(keys))
        answer = service.get("/v1/loans", secret)
        production = service.get("/v1/loans", KeyFile(keys).add("base", "production"))
    assert answer.body["pagination"]["total"] == 50
    assert answer.headers["x-ratelimit-remaining"] == "2"
    assert production.body["pagination"]["total"] == 200


def test_the_upstream_api_needs_its_address(keys, tmp_path, demo_store):
    KeyFile(keys).add("base", "production")
    plan = prepared(Plan(keys=keys, store=tmp_path, sandbox_store=demo_store, upstream=True))
    with pytest.raises(SettingsInvalid, match="CREDIT_ATLAS_API_"):
        app_of(plan)
