"""Who a request's headers name, and which role a file of roles gives them (D81)."""

from itertools import pairwise

import pytest
from pydantic import SecretStr, ValidationError
from streamlit.runtime.context import StreamlitHeaders

from services.contract.access import MAY, ROLES
from services.contract.errors import NotPermitted, SettingsInvalid
from services.contract.users import User, name_key
from services.settings import Settings
from services.sign_in import PROXY_HEADER, Roles, check, local_user, user_of

SECRET = "a secret of thirty-two letters and some"
FILE = """
default = "reader"
[users]
"Ann@Bank.example" = "admin"
[groups]
"CRE Analysts" = "analyst"
"CRE Admins" = "admin"
"""


@pytest.fixture
def settings(tmp_path):
    """As a team sets them: a proxy that signs in, and a file of roles."""
    roles = tmp_path / "roles.toml"
    roles.write_text(FILE, encoding="utf-8")
    return Settings(sign_in="proxy", proxy_secret=SecretStr(SECRET), roles=roles)


def sent(user=None, groups=None, secret=SECRET):
    pairs = {PROXY_HEADER: secret, "X-Forwarded-User": user, "X-Forwarded-Groups": groups}
    return StreamlitHeaders([(name, value) for name, value in pairs.items() if value is not None])


@pytest.mark.parametrize(
    ("user", "groups", "role"),
    [
        ("ben@bank.example", None, "reader"),
        ("ben@bank.example", "Treasury", "reader"),
        ("ben@bank.example", "Treasury, CRE Analysts", "analyst"),
        ("ben@bank.example", "cre analysts,CRE ADMINS", "admin"),
        ("ann@bank.example", None, "admin"),
        ("ann@bank.example", "CRE Analysts", "admin"),
    ],
)
def test_the_role_is_of_the_user_or_the_widest_of_their_groups_or_the_default(
    settings, user, groups, role
):
    assert user_of(sent(user, groups), settings) == User(name=user, role=role)


@pytest.mark.parametrize("now", ['[users]\nada = "admin"\n', '[groups]\nothers = "analyst"\n'])
def test_who_is_taken_out_of_the_roles_is_no_user_at_the_next_question(settings, now):
    """Each run of a page, each file and each write asks again, so an admin ends sessions by it."""
    assert user_of(sent("ann@bank.example", "staff"), settings).role == "admin"
    settings.roles.write_text(now, encoding="utf-8")
    with pytest.raises(NotPermitted, match=r"ann@bank\.example has no role"):
        user_of(sent("ann@bank.example", "staff"), settings)


def test_without_a_default_somebody_of_no_group_is_no_user(settings):
    settings.roles.write_text(FILE.replace('default = "reader"', ""), encoding="utf-8")
    with pytest.raises(NotPermitted, match=r"^ben has no role in Credit Atlas; ask its admin"):
        user_of(sent("ben"), settings)


@pytest.mark.parametrize("secret", [None, "", "another", SECRET[:-1], SECRET + "x", "ä"])
def test_nobody_is_believed_without_the_proxys_secret(settings, secret):
    with pytest.raises(NotPermitted, match="through its sign-in proxy only") as refused:
        user_of(sent("ann@bank.example", secret=secret), settings)
    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("name", [None, "", "   ", "a\nb", "x" * 3000, "\x00"])
def test_a_name_that_is_none_is_no_user(settings, name):
    with pytest.raises(NotPermitted, match="named no user"):
        user_of(sent(name), settings)


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\x1b[2Jb", "a\u2028b", "a\x00b", "a\x85b"])
def test_a_user_whose_name_would_forge_a_line_is_no_user(settings, name):
    try:
        found = user_of(sent(name.encode().decode("latin-1")), settings).name
    except Exception as error:  # noqa: BLE001 - whichever says so
        found = str(error)
    assert found.isprintable()


def test_a_name_that_the_proxy_sends_in_utf_8_is_read_so(settings):
    assert user_of(sent("Zoë Åberg".encode().decode("latin-1")), settings).name == "Zoë Åberg"


def test_on_one_machine_whoever_runs_it_may_do_everything():
    assert user_of({"X-Forwarded-User": "eve"}, Settings(sign_in="none")) == local_user()
    assert local_user().role == "admin"


@pytest.mark.parametrize("missing", ["proxy_secret", "roles"])
def test_a_proxy_without_a_secret_or_roles_is_refused_at_once(settings, missing):
    without = settings.model_copy(update={missing: None})
    with pytest.raises(SettingsInvalid, match=f"CREDIT_ATLAS_{missing.upper()} is not set"):
        check(without)


def test_a_short_secret_is_refused_and_a_secret_is_never_shown(settings):
    with pytest.raises(ValidationError) as refused:
        Settings(proxy_secret=SecretStr("short"))
    assert "short'" not in str(refused.value)
    assert SECRET not in repr(settings)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            "[users]\nann = 'owner'",
            r"\[users\] ann is 'owner' but must be reader, analyst or admin",
        ),
        ("default = 1", "default is '1' but must be"),
        ("users = 1", "'users' must be a table"),
        ("[user]\nann = 'admin'", "has 'user'; it may have users, groups and default"),
        ("[users", "is not readable as TOML"),
    ],
)
def test_a_file_of_roles_that_cannot_be_used_is_one_sentence(tmp_path, said, sentence):
    (tmp_path / "roles.toml").write_text(said, encoding="utf-8")
    with pytest.raises(SettingsInvalid, match=sentence):
        Roles.read(tmp_path / "roles.toml")
    with pytest.raises(SettingsInvalid, match="cannot be read"):
        Roles.read(tmp_path / "nothing.toml")


def test_a_wider_role_may_all_that_a_narrower_one_may():
    for narrower, wider in pairwise(ROLES):
        assert MAY[narrower] < MAY[wider]


def test_what_a_role_may_not_do_is_a_sentence_that_names_who_may():
    with pytest.raises(NotPermitted, match=r"^The role reader may not write notes; analyst and ad"):
        User(name="ben", role="reader").require("note")


@pytest.mark.parametrize("letters", [201, 500, 2000])
def test_a_name_of_too_many_letters_is_one_sentence(settings, letters):
    """D115."""
    with pytest.raises(NotPermitted, match=f"{letters:,} characters, and a name has at most 200"):
        user_of(sent("x" * letters), settings)
    assert user_of(sent("x" * 200), settings).name == "x" * 200


def test_the_user_of_a_machine_is_never_cut_short(monkeypatch):
    monkeypatch.setattr("services.sign_in.getpass.getuser", lambda: "x" * 201)
    with pytest.raises(NotPermitted, match="201 characters"):
        local_user()


@pytest.mark.parametrize(
    "spelled",
    ["Ann@Bank.example", " ANN@bank.example ", "ＡＮＮ＠bank.example", "ann@BANK.EXAMPLE"],
)
def test_a_role_is_found_however_a_name_is_spelled(settings, spelled):
    """D115."""
    found = user_of(sent(spelled.encode().decode("latin-1")), settings)
    assert found.role == "admin"
    assert name_key(found.name) == "ann@bank.example"


def test_names_that_look_alike_are_one():
    assert name_key("Zoe\u0308") == name_key(" ZOË\u3000") == name_key("ｚｏë")
    assert name_key(name_key("İẞ\u0345Σ")) == name_key("İẞ\u0345Σ")
    assert name_key("ana") != name_key("anna")
