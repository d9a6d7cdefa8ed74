"""Values that no setting can have: each is refused when a server starts, in one sentence (D118)."""

import os
import traceback
from pathlib import Path

import pytest

from services.api.commands import plan_beside_pages
from services.api.keys import KeyFile
from services.contract.errors import CreditAtlasError
from services.startup_checks import checked
from tests.commands import command, process

SECRET = "hunter2-and-more"
NOWHERE = f"postgresql://ann:{SECRET}@127.0.0.1:1/x"
PROXY = {
    "SIGN_IN": "proxy",
    "PROXY_SECRET": "32 letters and some of them more",
    "ROLES": "roles.toml",
}
API = {"SOURCE": "api", "API_URL": "https://api.example.test", "API_KEY": SECRET}
SERVED = {"KEYS": "keys.json"}
UNKNOWN = "There is no setting CREDIT_ATLAS_"

#: Setting, bad value, words of the sentence, and what else is set.
BAD = [
    # Folders and files.
    ("STORE", "a file", "'a file' is not a folder; name a folder"),
    ("STORE", "/dev/null", "'/dev/null' is not a folder; name a folder"),
    ("STORE", "no/such/place", "There is no folder 'no/such/place'"),
    ("STORE", "a file/store", "There is no folder 'a file/store'"),
    ("STORE", "~nobody-of-that-name/store", "no user of this machine has the home folder"),
    ("STORE", "two\nlines", "no control character"),
    ("HOSTS", "https://atlas.example", "is no name of a host; write atlas.example"),
    ("HOSTS", "atlas.example:8501", "without a port"),
    ("HOSTS", ",", "it names no host"),
    ("HOSTS", ".", "'.' is no name of a host"),
    ("HOSTS", "a..b", "'a..b' is no name of a host"),
    ("HOSTS", "exämple", "'exämple' is no name of a host"),
    ("HOSTS", "atlas.example, b/c", "'b/c' is no name of a host"),
    ("DASHBOARD_URL", "ftp://atlas.example", "write an address such as https://"),
    ("SERVICE_URL", "atlas.example", "write an address such as https://"),
    ("SIGN_OUT", "oauth2/sign_out", "write a path such as /oauth2/sign_out"),
    ("SIGN_OUT", "//evil.example/", "write a path such as"),
    ("SIGN_OUT", "javascript:alert(1)", "write a path such as"),
    ("SIGN_OUT", "http://proxy.example/out", "with https://"),
    ("WRITES_PER_MINUTE", "0", "greater than or equal to 1"),
    ("WRITES_PER_MINUTE", "many", "valid integer"),
    ("DESK", "no/such/desk.sqlite", "there is no such folder"),
    ("DESK", "a file/desk.sqlite", "there is no such folder"),
    ("DESK", "folder", "it is a folder"),
    ("DESK", "a file", "file is not a database"),
    ("DESK", "~nobody-of-that-name/desk", "no user of this machine has the home folder"),
    ("DESK", "desk\t.sqlite", "no control character"),
    ("DESK", f"mysql://ann:{SECRET}@h/x", "begins with postgresql://"),
    ("DESK", f"Postgresql://ann:{SECRET}@h/x", "begins with postgresql://"),
    ("DESK", f"postgresql://ann:{SECRET}@[no:host", "no address of a PostgreSQL database"),
    ("DESK", f"postgresql://ann:p@{SECRET}@h/x", "@ is %40"),
    ("DESK", f"postgresql://ann:p/{SECRET}@h/x", "/ is %2F"),
    ("DESK", f"postgresql://ann:{SECRET} @h/x", "a space or another character"),
    # Who signs in.
    ("SIGN_IN", "", "should be 'none' or 'proxy'"),
    ("SIGN_IN", "Proxy", "should be 'none' or 'proxy'"),
    ("SIGN_IN", "ldap", "should be 'none' or 'proxy'"),
    ("SIGN_IN", "proxy", "CREDIT_ATLAS_PROXY_SECRET is not set"),
    ("PROXY_SECRET", "", "at least 32"),
    ("PROXY_SECRET", "x" * 31, "at least 32"),
    ("PROXY_SECRET", "short", "at least 32"),
    ("PROXY_SECRET", " " * 20, "no space at its ends"),
    ("PROXY_SECRET", f"{SECRET}\n", "no space at its ends"),
    ("PROXY_SECRET", f"{SECRET}\x07", "printable ASCII only"),
    ("PROXY_SECRET", f"{SECRET} för alle", "printable ASCII only"),
    ("USER_HEADER", "", "it is no name of a header"),
    ("USER_HEADER", " ", "it is no name of a header"),
    ("USER_HEADER", "X User", "it is no name of a header"),
    ("USER_HEADER", "X-User:", "it is no name of a header"),
    ("USER_HEADER", "X-Benützer", "it is no name of a header"),
    ("USER_HEADER", "X-User\r\nX-Role", "it is no name of a header"),
    ("USER_HEADER", "X" * 101, "it is no name of a header"),
    ("USER_HEADER", "Cookie", "Cookie has a meaning of its own"),
    ("USER_HEADER", "host", "host has a meaning of its own"),
    ("USER_HEADER", "Authorization", "Authorization has a meaning of its own"),
    ("USER_HEADER", "Sec-WebSocket-Key", "has a meaning of its own"),
    ("USER_HEADER", "X-Forwarded-For", "has a meaning of its own"),
    ("USER_HEADER", "x-forwarded-groups", "must be three different headers"),
    ("USER_HEADER", "X-Credit-Atlas-Proxy", "must be three different headers"),
    ("GROUPS_HEADER", "", "it is no name of a header"),
    ("GROUPS_HEADER", "a, b", "it is no name of a header"),
    ("GROUPS_HEADER", "Connection", "Connection has a meaning of its own"),
    ("GROUPS_HEADER", "X-Credit-Atlas-Proxy", "must be three different headers"),
    ("ROLES", "", "CREDIT_ATLAS_ROLES is not set", PROXY),
    ("ROLES", "nothing.toml", "there is no such file); correct it"),
    ("ROLES", "folder", "there is no such file"),
    ("ROLES", "a file", "is not readable as TOML", PROXY),
    ("ROLES", "empty", "gives nobody a role", PROXY),
    ("ROLES", "owner.toml", "ann is 'owner' but must be", PROXY),
    ("ROLES", "twice.toml", "has a name twice", PROXY),
    ("ROLES", "user.toml", "has 'user'; it may have", PROXY),
    ("ROLES", "bytes", "is not readable as TOML", PROXY),
    ("SESSION_HOURS", "", "valid number"),
    ("SESSION_HOURS", "0", "greater than or equal to 0.001"),
    ("SESSION_HOURS", "-1", "greater than or equal to 0.001"),
    ("SESSION_HOURS", "1e-9", "greater than or equal to 0.001"),
    ("SESSION_HOURS", "inf", "less than or equal to 168"),
    ("SESSION_HOURS", "nan", "CREDIT_ATLAS_SESSION_HOURS"),
    ("SESSION_HOURS", "twelve", "valid number"),
    # The vendor's API.
    ("SOURCE", "", "should be 'store' or 'api'"),
    ("SOURCE", "database", "should be 'store' or 'api'"),
    ("SOURCE", "api", "CREDIT_ATLAS_API_URL must be set"),
    ("API_URL", "", "CREDIT_ATLAS_API_URL must be set", API),
    ("API_URL", "api.example.test", "must begin with https://"),
    ("API_URL", "ftp://api.example.test", "must begin with https://"),
    ("API_URL", "https://", "name a host"),
    ("API_URL", "https://api.example.test:0", "name a host"),
    ("API_URL", "https://api.example.test:99999", "is not a web address"),
    ("API_URL", "https://[::1", "is not a web address"),
    ("API_URL", "https://api.example.test/a b", "holds a space"),
    ("API_URL", f"https://ann:{SECRET}@api.example.test", "user name or password"),
    ("API_URL", f"https://api.example.test?key={SECRET}", "before any '?' or '#'"),
    ("API_URL", "https://api.example.test#part", "before any '?' or '#'"),
    ("API_URL", "https://api.example.test/v1", "must not hold the version"),
    ("API_URL", "http://api.example.test", "is plain http"),
    ("API_KEY", "", "CREDIT_ATLAS_API_KEY must be set", API),
    ("API_KEY", f"{SECRET} {SECRET}", "CREDIT_ATLAS_API_KEY must be printable ASCII", API),
    ("API_KEY", f"{SECRET}ü", "CREDIT_ATLAS_API_KEY must be printable ASCII", API),
    ("API_ENVIRONMENT", "staging", "should be 'production' or 'sandbox'"),
    ("API_TIMEOUT_SECONDS", "0", "greater than or equal to 0.1"),
    ("API_TIMEOUT_SECONDS", "1e-6", "greater than or equal to 0.1"),
    ("API_TIMEOUT_SECONDS", "inf", "less than or equal to 300"),
    ("API_TIMEOUT_SECONDS", "nan", "CREDIT_ATLAS_API_TIMEOUT_SECONDS"),
    ("API_RETRY_AFTER_CAP_SECONDS", "-1", "greater than or equal to 0"),
    ("API_RETRY_AFTER_CAP_SECONDS", "nan", "CREDIT_ATLAS_API_RETRY_AFTER_CAP_SECONDS"),
    ("API_MAX_BYTES", "9999", "greater than or equal to 10000"),
    ("API_MAX_BYTES", "10MB", "valid integer"),
    ("API_MAX_BYTES", "1" + "0" * 30, "less than or equal to 1000000000"),
    ("EDGAR_USER_AGENT", "Example Bank", "name your firm and an e-mail address"),
    ("EDGAR_USER_AGENT", "Bänk a@b.example", "in printable ASCII"),
    ("EDGAR_USER_AGENT", "a@b.example\r\nX-Evil: 1", "in printable ASCII"),
    ("API_TRUST_ENV", "maybe", "valid boolean"),
    ("API_TRUST_ENV", "", "valid boolean"),
    ("API_PLAIN_HTTP", "2", "valid boolean"),
    # A user's own tables.
    ("LIMITS", "nothing.toml", "There is no file 'nothing.toml'"),
    ("LIMITS", "folder", "There is no file 'folder'"),
    ("LIMITS", "/dev/zero", "There is no file '/dev/zero'"),
    ("LIMITS", "a file", "is not TOML: "),
    ("LIMITS", "empty", "must be a whole number"),
    ("LIMITS", "bytes", "is not UTF-8 text"),
    ("SPREADS", "nothing.toml", "There is no file 'nothing.toml'"),
    ("SPREADS", "a file", "is not TOML: "),
    ("SPREADS", "version.toml", "must be a table of figures"),
    ("RATES", "nothing.csv", "There is no file 'nothing.csv'"),
    ("RATES", "a file", "the header is not date,series,percent"),
    ("RATES", "empty", "the header is not date,series,percent"),
    ("RATES", "pipe", "There is no file 'pipe'"),
    # Counts.
    ("KEEP_SNAPSHOTS", "0", "greater than or equal to 1"),
    ("KEEP_SNAPSHOTS", "1.5", "valid integer"),
    ("KEEP_SNAPSHOTS", "1000", "less than or equal to 100"),
    ("HUB_EDGES", "0", "greater than or equal to 1"),
    ("HUB_EDGES", "1" + "0" * 30, "less than or equal to 1000000000"),
    ("BUDGET_EDGES", "-5", "greater than or equal to 1"),
    ("BUDGET_EDGES", "", "valid integer"),
    # The API that is served.
    ("KEYS", "", "needs CREDIT_ATLAS_KEYS"),
    ("KEYS", "nothing.json", "There is no key file 'nothing.json'"),
    ("KEYS", "nothing.json", "--keys nothing.json'; check CREDIT_ATLAS_KEYS"),
    ("KEYS", "folder", "cannot be read"),
    ("KEYS", "a file", "is damaged"),
    ("KEYS", f"mysql://ann:{SECRET}@h/x", "begins with postgresql://"),
    ("KEYS", NOWHERE, "Connection refused); start it, or correct CREDIT_ATLAS_KEYS"),
    ("RATE_PER_MINUTE", "0", "greater than or equal to 1", SERVED),
    ("RATE_PER_MINUTE", "-5", "greater than or equal to 1", SERVED),
    ("RATE_PER_MINUTE", "many", "valid integer", SERVED),
    ("RATE_PER_MINUTE", "1" + "0" * 30, "less than or equal to 1000000000", SERVED),
    ("DAILY_QUOTA", "0", "greater than or equal to 1", SERVED),
    ("DAILY_QUOTA", "", "valid integer", SERVED),
    ("LIMITS_STORAGE", "redis", "no address of a storage", SERVED),
    ("LIMITS_STORAGE", f"redis://:{SECRET}@h:x", "names no storage that can be opened", SERVED),
    ("LIMITS_STORAGE", f"http://:{SECRET}@h", "names no storage that can be opened", SERVED),
    ("LIMITS_STORAGE", f"redis://:{SECRET}@127.0.0.1:1", "does not answer; start it", SERVED),
    ("LIMITS_STORAGE", "redis+cluster://127.0.0.1:1", "names no storage that can be", SERVED),
    ("QUOTAS", f"redis://:{SECRET}@h", "begins with postgresql://", SERVED),
    ("QUOTAS", "quotas.sqlite", "no address of a PostgreSQL database", SERVED),
    ("QUOTAS", NOWHERE, "start it, or correct CREDIT_ATLAS_QUOTAS", SERVED),
    # Names.
    ("STOER", "/store", UNKNOWN + "STOER; did you mean CREDIT_ATLAS_STORE?"),
    ("SIGNIN", "proxy", UNKNOWN + "SIGNIN; did you mean CREDIT_ATLAS_SIGN_IN?"),
    ("API_ADDRESS", "https://h", UNKNOWN + "API_ADDRESS; did you mean CREDIT_ATLAS_API_"),
    ("", "x", UNKNOWN),
    ("WHATEVER_THIS_IS", "1", UNKNOWN + "WHATEVER_THIS_IS; "),
]  # fmt: skip


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """A folder of its own to be in, with what values name, and no setting from outside."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.upper().startswith("CREDIT_ATLAS_")]:
        monkeypatch.delenv(name)
    files = {
        "a file": "this is no TOML, CSV, JSON or database " * 10,
        "empty": "",
        "version.toml": "version = 2\n",
        "roles.toml": 'default = "reader"\n',
        "owner.toml": '[users]\nann = "owner"\n',
        "twice.toml": '[users]\nann = "reader"\nAnn = "admin"\n',
        "user.toml": '[user]\nann = "reader"\n',
    }
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("bytes").write_bytes(b"\xff\xfe\x00")
    Path("folder").mkdir()
    os.mkfifo("pipe")
    KeyFile(Path("keys.json")).add("base", "production")


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    """What the API beside the pages needs of a store is another's test."""
    monkeypatch.setattr("services.api.serving._demonstration", lambda _: None)
    monkeypatch.setattr("services.api.serving._check", lambda _: None)


def start():
    """As `creditatlas up --api` does it, until it would listen."""
    if "CREDIT_ATLAS_KEYS" in os.environ:
        plan_beside_pages(1)
    return checked()


def refused(settings, monkeypatch):
    """The sentence; nothing around it shows a secret."""
    for name, value in settings.items():
        monkeypatch.setenv(f"CREDIT_ATLAS_{name}", value)
    with pytest.raises(CreditAtlasError) as caught:
        start()
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert SECRET not in shown
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 400
    return said


@pytest.mark.parametrize("row", BAD, ids=lambda row: f"{row[0]}={row[1]}"[:60])
def test_a_bad_value_is_refused_at_the_start_in_a_sentence_that_names_it(row, monkeypatch):
    name, value, words, *beside = row
    said = refused({**(beside[0] if beside else {}), name: value}, monkeypatch)
    assert words in said
    # Of some that lack another the sentence names that one.
    assert f"CREDIT_ATLAS_{name}" in said or words.startswith("CREDIT_ATLAS_")


def test_the_table_is_long_and_has_every_setting():
    from services.settings import Settings

    assert len(BAD) >= 89
    assert set(Settings.model_fields) <= {row[0].lower() for row in BAD}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("STORE = 5", "CREDIT_ATLAS_STORE cannot be used"),
        ('STORE = "a\\u0000b"', "no control character"),
        ("KEEP_SNAPSHOTS = true", "true and false are no value of it"),
        ("SESSION_HOURS = nan", "CREDIT_ATLAS_SESSION_HOURS cannot be used"),
        ("USER_HEADER = 7", "CREDIT_ATLAS_USER_HEADER cannot be used"),
        (f'API_KEY = ["{SECRET}"]', "CREDIT_ATLAS_API_KEY cannot be used"),
        (f'PROXY_SECRET = {{ is = "{SECRET}" }}', "CREDIT_ATLAS_PROXY_SECRET cannot be used"),
        ("SOURCE = false", "CREDIT_ATLAS_SOURCE cannot be used"),
        ('STOER = "x"', "did you mean CREDIT_ATLAS_STORE?"),
        (f'KEYS = "mysql://{SECRET}"', "begins with postgresql://"),
    ],
)
def test_a_bad_value_of_the_secrets_file_is_refused_likewise(line, words, monkeypatch):
    Path(".streamlit").mkdir()
    Path(".streamlit/secrets.toml").write_text(f"CREDIT_ATLAS_{line}\n", encoding="utf-8")
    assert words in refused({}, monkeypatch)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        PROXY,
        API,
        PROXY | {"USER_HEADER": "X-Auth-Request-Email", "GROUPS_HEADER": "x_groups"},
        {"DESK": "", "LIMITS": "", "SPREADS": " ", "RATES": "", "API_URL": "", "API_KEY": ""},
        {"DESK": "desk.sqlite", "STORE": "folder/new"},
        {"API_URL": "http://127.0.0.1:9", "API_KEY": SECRET, "SOURCE": "store"},
        # Kubernetes' words for a service that is called credit-atlas.
        {"SERVICE_HOST": "10.0.0.1", "SERVICE_PORT": "80", "PORT": "tcp://10.0.0.1:80",
         "PORT_80_TCP_PROTO": "tcp"},
        {"SHELF": "/shelf"},
    ],
)  # fmt: skip
def test_what_can_be_used_starts(settings, monkeypatch):
    for name, value in settings.items():
        monkeypatch.setenv(f"CREDIT_ATLAS_{name}", value)
    assert start()


def test_a_dashboard_whose_database_is_away_starts_and_says_so(monkeypatch, caplog):
    # D87: pages are read while notes cannot be written, also by a node that starts meanwhile.
    monkeypatch.setenv("CREDIT_ATLAS_DESK", NOWHERE)
    assert checked().desk
    (said,) = [one.getMessage() for one in caplog.records if one.name == "credit_atlas"]
    assert "Connection refused); start it, or correct CREDIT_ATLAS_DESK" in said
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("words", "settings", "said"),
    [
        (["up", "--port", "1"], {"STOER": "x"}, "did you mean CREDIT_ATLAS_STORE?"),
        (["up", "--port", "1"], {"USER_HEADER": ""}, "no name of a header"),
        (["desk", "dump", "x"], {"DESK": NOWHERE}, "correct CREDIT_ATLAS_DESK"),
        (["up", "--port", "1", "--processes", "2"], {"SOURCE": "api"}, "API_URL must be set"),
        (["up", "--api"], {"KEYS": NOWHERE}, "correct CREDIT_ATLAS_KEYS"),
        (["serve"], {"KEYS": "keys.json", "QUOTAS": NOWHERE}, "correct CREDIT_ATLAS_QUOTAS"),
        (["serve"], {"KEYS": "keys.json", "RATE_PER_MINUTE": "x"}, "_RATE_PER_MINUTE cannot be"),
        (["demo", "--loans", "5"], {"RATES": "none.csv"}, "another one in CREDIT_ATLAS_RATES"),
        (["import", "sec-absee", "a file"], {"LIMITS": "a file"}, "file in CREDIT_ATLAS_LIMITS"),
        (["desk", "dump", "x"], {"DESK": "no/such/desk.sqlite"}, "there is no such folder"),
        (["status"], {"STORE": "a file"}, "name a folder"),
    ],
)
def test_a_command_ends_with_one_line_and_no_traceback(words, settings, said):
    given = {f"CREDIT_ATLAS_{name}": value for name, value in settings.items()}
    done = (process if words[0] == "up" else command)(*words, **given)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("creditatlas: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert SECRET not in done.stderr
