"""The files of a team's installation name what there is, and backup and restore work."""

import os
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

from services.cli import app
from services.settings import PREFIX, Settings
from services.store.snapshot import current_id
from tests.shelf.small import contents, opened, published, put, turned
from tests.shown_alone import shown_alone

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "services" / "shelf" / "deploy"
PROXY = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
README = (DEPLOY.parent / "README.md").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
COMMANDS = get_command(app).commands


@pytest.fixture
def small_pieces():
    """Of the usual size: commands in processes of their own read what is written here."""


def refuse_unknown(words):
    """Fails for words that the command line does not know."""
    assert words[0] in COMMANDS, words
    command, rest = COMMANDS[words[0]], words[1:]
    if hasattr(command, "commands"):
        command, rest = command.commands[words[1]], words[2:]
    known = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= known, words


def started(unit):
    """What a unit starts: words after the program."""
    text = unit.read_text(encoding="utf-8")
    lines = re.findall(r"^ExecStart(?:Pre)?=-?(.+)$", text, re.MULTILINE)
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_systemd_unit_starts_commands_that_there_are(unit):
    assert started(unit)
    for program, *words in started(unit):
        assert program == "/opt/creditatlas/.venv/bin/creditatlas"
        refuse_unknown(words)


def test_there_is_a_unit_for_each_process_of_a_node():
    last = {started(unit)[-1][1] for unit in UNITS}
    assert last == {"follow", "up", "serve"}


def test_the_compose_file_starts_commands_that_there_are():
    ours = [one for one in COMPOSE["services"].values() if "build" in one]
    assert len(ours) == 5
    for service in ours:
        refuse_unknown(shlex.split(service["command"]))
        assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()


def test_the_environment_s_settings_are_ours_or_of_what_we_stand_on():
    text = (DEPLOY / "systemd" / "environment").read_text(encoding="utf-8")
    names = set(re.findall(r"^([A-Z_]+)=", text, re.MULTILINE))
    names |= set(COMPOSE["x-node"]["environment"])
    ours = {name.removeprefix(PREFIX).lower() for name in names if name.startswith(PREFIX)}
    by_option = {
        parameter.envvar.removeprefix(PREFIX).lower()
        for command in COMMANDS.values()
        for parameter in command.params
        if isinstance(parameter.envvar, str)
    }
    assert ours <= {*Settings.model_fields, *by_option}
    others = {name for name in names if not name.startswith(PREFIX)}
    assert {name.partition("_")[0] for name in others} == {"AWS", "STREAMLIT"}


def test_the_readme_names_commands_that_there_are():
    written = re.findall(r"^ *creditatlas ([a-z].*?)(?: #.*)?$", README, re.MULTILINE)
    assert len(written) > 8
    for line in written:
        refuse_unknown(shlex.split(line))


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_a_link_of_the_readme_leads_to_a_file(link):
    assert (DEPLOY.parent / link).exists()


def test_the_proxy_takes_tls_1_2_or_newer_and_tells_browsers_to_come_by_it_for_a_year():
    """HAProxy ends TLS; on plain HTTP a browser ignores the header."""
    (bind,) = re.findall(r"^ +#tls bind .*$", PROXY, re.MULTILINE)
    assert "ssl-min-ver TLSv1.2" in bind
    found = re.search(r'#tls .*Strict-Transport-Security "max-age=(\d+); includeSubDomains"', PROXY)
    assert int(found[1]) >= 365 * 24 * 3600


def test_the_proxys_cookie_is_for_this_site_and_kept_from_scripts():
    (options,) = re.findall(r"^    cookie \S+ (.*)$", PROXY, re.MULTILINE)
    assert options == 'insert indirect nocache httponly attr "SameSite=Lax"'


def test_a_server_that_is_starting_says_what_a_browser_may_do_too():
    """HAProxy says it, for a team and before several processes alike."""
    found = re.search(r'^    http-error status 503 .* string "[^"]+" (.*)$', PROXY, re.MULTILINE)
    headers = re.findall(r'hdr (\S+) (?:"([^"]+)"|(\S+))', found[1])
    shown_alone({name: a or b for name, a, b in headers})


@pytest.mark.parametrize(
    "path", sorted(one for one in DEPLOY.rglob("*") if one.is_file()), ids=lambda one: one.name
)
def test_nothing_that_ships_has_a_password(path):
    """Where one belongs the files to deploy say PASSWORD, SECRET or nothing."""
    text = path.read_text(encoding="utf-8")
    for password in re.findall(r"://[\w.-]*:([^@\s/]+)@", text):
        assert password in {"PASSWORD", "..."} or password.startswith("$")
    for secret in re.findall(r"(?:SECRET|PASSWORD|API_KEY)[ \t]*[=:][ \t]*(\S*)", text):
        assert re.fullmatch(r"[\"']?(\$.*|\.\.\.|PASSWORD)?[\"']?", secret)
    assert not re.search(r"ca_(live|test)_[A-Za-z0-9_-]{43}", text)
    assert not re.search(r"password \$5\$(?!salt\$hash)", text)


def script(name, *words, **environment):
    """One of our shell scripts, to its end."""
    program = Path(environment["HOME"], "creditatlas")
    program.write_text(f'#!/bin/sh\ncd "{ROOT}" && exec "{sys.executable}" -m services "$@"\n')
    program.chmod(0o700)
    return subprocess.run(
        [DEPLOY / name, *map(str, words)],
        env={**os.environ, "CREDIT_ATLAS": str(program), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_was_backed_up_is_restored(tmp_path):
    builder, backup, desk = (tmp_path / name for name in ("builder", "backup", "desk.sqlite"))
    put(builder, {"a": os.urandom(5_000)})
    with sqlite3.connect(desk) as written:
        written.execute("CREATE TABLE notes (body TEXT)")
        written.execute("INSERT INTO notes VALUES ('never lost')")
    written.close()
    here = {"HOME": str(tmp_path), "CREDIT_ATLAS_DESK": str(desk), "PYTHON": sys.executable}
    published(opened(tmp_path / "shelf"), builder)
    done = script("backup.sh", tmp_path / "shelf", backup, **here)
    assert done.returncode == 0, done.stderr
    (saved,) = backup.glob("desk-*.sqlite")
    refused = script("restore.sh", backup, tmp_path / "new", saved, **here)
    assert refused.returncode == 2
    assert "is there already" in refused.stderr
    desk.unlink()
    done = script("restore.sh", backup, tmp_path / "new", saved, **here)
    assert done.returncode == 0, done.stderr
    turned(opened(tmp_path / "new"), tmp_path / "node")
    snapshot_id = current_id(builder)
    assert contents(tmp_path / "node", snapshot_id) == contents(builder, snapshot_id)
    read = sqlite3.connect(desk)
    assert read.execute("SELECT body FROM notes").fetchall() == [("never lost",)]
    read.close()
