"""Who somebody is: the user of this machine, or whom a sign-in proxy names, and their role."""

import getpass
import hmac
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from services.contract.access import ROLES, UserRole
from services.contract.errors import NotPermitted, SettingsInvalid
from services.contract.users import LONGEST_USER, User, name_key, user_name
from services.settings import Settings, naming

#: Carries the secret that the proxy and this server share.
PROXY_HEADER: Final = "X-Credit-Atlas-Proxy"
#: A longer header is none of a person.
_LONGEST_HEADER: Final = 2_000


class Roles:
    """Which role a user has: by name, else the widest of their groups', else the default."""

    def __init__(
        self,
        users: Mapping[str, UserRole],
        groups: Mapping[str, UserRole],
        default: UserRole | None,
    ) -> None:
        self._users = {name_key(name): role for name, role in users.items()}
        self._groups = {name_key(name): role for name, role in groups.items()}
        self._default = default

    @classmethod
    def read(cls, path: Path) -> "Roles":
        """The roles of a file: tables [users] and [groups], name = "role"; and default = "role".

        Raises SettingsInvalid.
        """
        where = f"The file of roles '{path}'"
        if not path.is_file():
            raise SettingsInvalid(f"{where} cannot be read (there is no such file)")
        try:
            said = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsInvalid(f"{where} cannot be read ({error.strerror})") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsInvalid(f"{where} is not readable as TOML: {error}") from None
        if unknown := said.keys() - {"users", "groups", "default"}:
            raise SettingsInvalid(
                f"{where} has '{min(unknown)}'; it may have users, groups and default"
            )
        users, groups = (_table(said.get(name, {}), where, name) for name in ("users", "groups"))
        default = said.get("default")
        if default is not None:
            _check(default, f"{where}: default")
        if not (users or groups or default):
            raise SettingsInvalid(f"{where} gives nobody a role")
        return cls(users, groups, default)

    def of(self, name: str, groups: tuple[str, ...]) -> UserRole | None:
        """The role; None for somebody who has none."""
        if role := self._users.get(name_key(name)):
            return role
        known = [self._groups[key] for key in map(name_key, groups) if key in self._groups]
        return max(known, key=ROLES.index, default=self._default)


def _table(table: object, where: str, name: str) -> dict[str, UserRole]:
    if not isinstance(table, dict):
        raise SettingsInvalid(f"{where}: '{name}' must be a table")
    for key, role in table.items():
        _check(role, f"{where}: [{name}] {key}")
    if len({name_key(key) for key in table}) < len(table):
        raise SettingsInvalid(f"{where}: [{name}] has a name twice; keep one of them")
    return table


def _check(role: object, where: str) -> None:
    if role not in ROLES:
        raise SettingsInvalid(f"{where} is '{role}' but must be {', '.join(ROLES[:-1])} or admin")


def local_user() -> User:
    """Whoever runs this on one machine without sign-in: the login name, "local" where there is
    none; may do everything.
    """
    try:
        name = user_name(getpass.getuser()) or "local"
    except (OSError, KeyError, ImportError):  # a container may run as a user without an entry
        name = "local"
    return _user(name, "admin", "This machine")


def _user(name: str, role: UserRole, by: str) -> User:
    """Raises NotPermitted for a name that is too long: cut short it could be somebody else's."""
    if len(name) > LONGEST_USER:
        raise NotPermitted(
            f"{by} names a user with {len(name):,} characters, and a name has at most "
            f"{LONGEST_USER}; have a shorter one sent"
        )
    return User(name=name, role=role)


def check(settings: Settings) -> None:
    """Raises SettingsInvalid where users cannot be known by the settings as they stand."""
    _check_headers(settings)
    if settings.roles is not None:
        _roles(settings.roles)
    if settings.sign_in == "proxy":
        _check_named(settings)


def _check_headers(settings: Settings) -> None:
    named = (PROXY_HEADER, settings.user_header, settings.groups_header)
    if len({name.lower() for name in named}) < len(named):
        raise SettingsInvalid(
            "CREDIT_ATLAS_USER_HEADER, CREDIT_ATLAS_GROUPS_HEADER and the header of the proxy's "
            f"secret, {PROXY_HEADER}, must be three different headers; correct the settings"
        )


def _roles(path: Path) -> Roles:
    with naming("roles", "correct it, or name another file in"):
        return Roles.read(path)


def _check_named(settings: Settings) -> None:
    for name in ("proxy_secret", "roles"):
        if getattr(settings, name) is None:
            raise SettingsInvalid(
                f"CREDIT_ATLAS_SIGN_IN is 'proxy' but CREDIT_ATLAS_{name.upper()} is not set; "
                "without it nobody can be told from anybody else"
            )


def user_of(headers: Mapping[str, str], settings: Settings) -> User:
    """The user whom a request's headers name. Raises NotPermitted, SettingsInvalid.

    `headers` are looked up whatever their case; they are believed only beside the proxy's secret.
    """
    if settings.sign_in == "none":
        return local_user()
    _check_headers(settings)
    _check_named(settings)
    if not from_proxy(headers.get(PROXY_HEADER), settings):
        raise NotPermitted("This server is reached through its sign-in proxy only")
    name = user_name(_text(headers.get(settings.user_header)) or "")
    if not name:
        raise NotPermitted("The sign-in proxy named no user")
    user = _user(name, "reader", "The sign-in proxy")
    sent = _text(headers.get(settings.groups_header)) or ""
    groups = tuple(one.strip() for one in sent.split(",") if one.strip())
    role = _roles(settings.roles).of(name, groups) if settings.roles else None
    if role is None:
        raise NotPermitted(f"{name} has no role in Credit Atlas; ask its administrator for one")
    return user.model_copy(update={"role": role})


def user_by_name(name: str, settings: Settings) -> User | None:
    """A user who is not there to ask, such as the owner of a calendar feed, with their role of now.

    None for somebody who is no user, also where their role is only their groups': a proxy names
    those with a request of theirs alone. Raises SettingsInvalid.
    """
    if settings.sign_in == "none":
        mine = local_user()
        return mine if name_key(mine.name) == name_key(name) else None
    role = _roles(settings.roles).of(name, ()) if settings.roles else None
    return User(name=name, role=role) if role else None


def from_proxy(secret: str | None, settings: Settings) -> bool:
    """Whether this is what the proxy shares with this server."""
    if settings.proxy_secret is None or secret is None:
        return False
    expected = settings.proxy_secret.get_secret_value().encode()
    return hmac.compare_digest(secret.encode("utf-8", "surrogateescape"), expected)


def _text(sent: str | None) -> str | None:
    """A header as people read it: proxies send UTF-8, which arrives as Latin-1. None where it is
    no name.
    """
    if sent is None or len(sent) > _LONGEST_HEADER:
        return None
    try:
        read = sent.encode("latin-1").decode()
    except UnicodeError:
        read = sent
    read = read.strip()
    return read if read.isprintable() and 0 < len(read) <= _LONGEST_HEADER else None
