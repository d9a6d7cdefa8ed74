"""What can be set from outside: the environment, or the same names in .streamlit/secrets.toml."""

import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from services.contract.errors import (
    CreditAtlasError,
    DeskUnavailable,
    ServiceUnavailable,
    SettingsInvalid,
)
from services.contract.queries import shortened

SECRETS = Path(".streamlit") / "secrets.toml"
PREFIX = "CREDIT_ATLAS_"


#: Names with our prefix that are no field of Settings: an option's, and what a server leaves to
#: its processes.
BESIDE: Final = ("SHELF", "SERVE_PLAN")
#: What Kubernetes puts into the environment for a service that is called credit-atlas.
_OF_PLATFORM: Final = re.compile(r"SERVICE_(HOST|PORT\w*)|PORT_\d+_\w+")
#: Beyond any count.
_MOST: Final = 1_000_000_000
_LABEL: Final = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST: Final = re.compile(rf"(?:{_LABEL}\.)*(?!\d+$){_LABEL}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_DATABASES: Final = ("postgresql://", "postgres://")
#: A name as RFC 9110, 5.6.2 has it.
_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
#: What browsers, proxies and servers say to each other, whoever is signed in.
_RESERVED: Final = re.compile(
    r"(sec|proxy|access-control|if|content|accept)-.*"
    r"|accept|authorization|cache-control|connection|cookie|date|expect|forwarded|host|keep-alive"
    r"|origin|pragma|range|referer|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via"
    r"|x-forwarded-(for|host|port|proto)|x-real-ip",
    re.IGNORECASE,
)


def _home(path: Path | None) -> Path | None:
    """The path with ~ written out."""
    if path is None:
        return None
    if _CONTROL.search(str(path)):
        raise ValueError("a path holds no control character, such as the end of a line")
    try:
        return path.expanduser()
    except RuntimeError:
        raise ValueError("no user of this machine has the home folder after its ~") from None


def _named(value: object) -> object:
    """None where a setting is there and names nothing."""
    return None if isinstance(value, str) and not value.strip() else value


def _hosts(named: object) -> object:
    """Names of hosts with commas between, each without scheme, port or path."""
    if not isinstance(named, str):
        return named
    hosts = tuple(one.strip().strip("[]").lower() for one in named.split(",") if one.strip())
    if wrong := [one for one in hosts if not _is_host(one)]:
        raise ValueError(f"'{wrong[0]}' is no name of a host; write atlas.example, without a port")
    if named.strip() and not hosts:
        raise ValueError("it names no host; write atlas.example, or leave it out")
    return hosts


def _is_host(name: str) -> bool:
    """Whether browsers can send it: an address, or a name in ASCII, as "xn--exmple-cua"."""
    try:
        ip_address(name)
    except ValueError:
        return _HOST.fullmatch(name) is not None
    return True


def _site(address: str | None) -> str | None:
    """Scheme and host, perhaps a port and a path; without a slash at its end."""
    if address is None or re.fullmatch(r"https?://[\w.-]+(:\d+)?(/[\w./~-]*)?", address):
        return address and address.rstrip("/")
    raise ValueError("write an address such as https://atlas.bank.example")


def _sign_out(place: str | None) -> str | None:
    """A path of this site, or an address with https."""
    if place is None or (re.fullmatch(r"(/(?!/)|https://[\w.-]+(:\d+)?)[!-~]*", place)):
        return place
    raise ValueError("write a path such as /oauth2/sign_out, or an address with https://")


def _not_blank(path: object) -> object:
    """Refuses what would be the folder that the process happens to stand in."""
    if _named(path) is None:
        raise ValueError("it is blank; name a folder, or leave it out for .store")
    return path


def _folder(path: Path) -> Path:
    if path.exists() and not path.is_dir():
        raise ValueError(f"'{path}' is not a folder; name a folder")
    return path


def place(value: object) -> object:
    """An address of a database, which holds a password, a path, or None where nothing is named."""
    named = _named(value.get_secret_value() if isinstance(value, SecretStr) else value)
    if not isinstance(named, str):
        return named
    if named.startswith(_DATABASES):
        return _address(named)
    if "://" in named:
        # Never quoted: it may hold a password.
        raise ValueError("an address of a database begins with postgresql://, and this does not")
    return _home(Path(named))


def _address(text: str) -> SecretStr:
    """Refuses what would be read as another user, password or host than was meant, and be shown."""
    if _CONTROL.search(text) or " " in text:
        raise ValueError("it holds a space or another character that no address has")
    before_options = text.partition("://")[2].partition("?")[0]
    signs = before_options.count("@")
    if signs > 1 or (signs and "@" not in before_options.partition("/")[0]):
        raise ValueError(
            "its user name or password holds a character that must be written another way: "
            "@ is %40, / is %2F, : is %3A"
        )
    return SecretStr(text)


def _database(value: object) -> object:
    found = place(value)
    if found is None or isinstance(found, SecretStr):
        return found
    raise ValueError(
        "it is no address of a PostgreSQL database; write "
        "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
    )


def _storage(value: object) -> object:
    named = _named(value)
    if isinstance(named, str) and ("://" not in named or _CONTROL.search(named) or " " in named):
        raise ValueError("it is no address of a storage; write redis://HOST:6379")
    return named


def _header(name: str) -> str:
    if not _HEADER.fullmatch(name):
        raise ValueError(
            "it is no name of a header; write up to 100 letters, digits and hyphens, "
            "such as X-Forwarded-User"
        )
    if _RESERVED.fullmatch(name):
        raise ValueError(
            f"the header {name} has a meaning of its own; name one that only the proxy sends"
        )
    return name


def _user_agent(text: str | None) -> str | None:
    if text is None or (text.isascii() and text.isprintable() and "@" in text):
        return text
    raise ValueError(
        "name your firm and an e-mail address in printable ASCII, such as 'Example Bank "
        "credit@bank.example'"
    )


def _sendable(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value()
    if not (text.isascii() and text.isprintable() and text == text.strip()):
        raise ValueError(
            "a header carries it, so it holds printable ASCII only, and no space at its ends"
        )
    return secret


_Path = Annotated[Path, AfterValidator(_home)]
_Folder = Annotated[
    Path, BeforeValidator(_not_blank), AfterValidator(_home), AfterValidator(_folder)
]
#: A user's own file; none is the packaged one.
_OwnFile = Annotated[Path | None, BeforeValidator(_named), AfterValidator(_home)]
_Header = Annotated[str, AfterValidator(_header)]
_Site = Annotated[str | None, BeforeValidator(_named), AfterValidator(_site)]


def _entries() -> dict[str, object]:
    """The secrets file's. Raises SettingsInvalid."""
    try:
        return tomllib.loads(SECRETS.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
        # The text of the fault may quote the line, and the line may be a key.
        raise SettingsInvalid(f"{SECRETS} is not readable as TOML; correct it") from None


class _SecretsFile(PydanticBaseSettingsSource):
    """CREDIT_ATLAS_* entries of .streamlit/secrets.toml, beneath the environment."""

    def get_field_value(self, field: object, field_name: str) -> tuple[object, str, bool]:
        del field
        return None, field_name, False

    def __call__(self) -> dict[str, object]:
        return {
            key.removeprefix(PREFIX).lower(): value
            for key, value in _entries().items()
            if key.startswith(PREFIX)
        }


class Settings(BaseSettings):
    """Frozen settings; `api_key`, and a password in `desk`, never show in a repr, a log or an
    error.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="ignore", hide_input_in_errors=True
    )

    #: Folder of the embedded store.
    store: _Folder = Path(".store")
    #: Where users write: a file, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE; none is
    #: desk.sqlite in the store's folder.
    desk: Annotated[SecretStr | Path | None, BeforeValidator(place)] = None
    #: Names of the dashboard beside this machine's own, such as the one at which a proxy serves it.
    hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_hosts)] = ()
    #: Where browsers reach the dashboard: what links in answers to assistants begin with.
    dashboard_url: _Site = None
    #: Where programs reach the API that is served: what API calls on pages name.
    service_url: _Site = None
    #: How users of the dashboard are known: not at all, or by the headers of a sign-in proxy.
    sign_in: Literal["none", "proxy"] = "none"
    #: What the proxy sends in the header X-Credit-Atlas-Proxy, so that nobody else is believed.
    proxy_secret: Annotated[SecretStr, AfterValidator(_sendable)] | None = Field(
        default=None, min_length=32
    )
    #: Headers in which the proxy names the user, and their groups with commas between.
    user_header: _Header = "X-Forwarded-User"
    groups_header: _Header = "X-Forwarded-Groups"
    #: Which user, and which group, has which role (TOML).
    roles: _OwnFile = None
    #: After so many hours a session ends, and its browser signs in again.
    session_hours: float = Field(default=12, ge=0.001, le=168)
    #: Writes, and files taken away, that one user may make in a minute.
    writes_per_minute: int = Field(default=120, ge=1, le=1_000_000)
    #: Where the sign-in proxy signs out: a path of the site, or an address.
    sign_out: Annotated[str | None, BeforeValidator(_named), AfterValidator(_sign_out)] = None
    #: Where the dashboard reads from.
    source: Literal["store", "api"] = "store"
    api_url: Annotated[str | None, BeforeValidator(_named)] = None
    api_key: Annotated[SecretStr | None, BeforeValidator(_named)] = None
    #: Which of the vendor's environments the key is for; sandbox is always shown.
    api_environment: Literal["production", "sandbox"] = "production"
    #: Longest wait for the network, and for one whole answer, seconds.
    api_timeout_seconds: float = Field(default=20, ge=0.1, le=300)
    #: Longest Retry-After that a page waits out; beyond it the page counts down.
    api_retry_after_cap_seconds: float = Field(default=5, ge=0, le=3600)
    #: Largest answer, bytes, packed or unpacked.
    api_max_bytes: int = Field(default=10_000_000, ge=10_000, le=1_000_000_000)
    #: Take proxy and certificates from the environment (HTTPS_PROXY, SSL_CERT_FILE).
    api_trust_env: bool = False
    #: Allow plain http to another machine; the key is then readable on the way.
    api_plain_http: bool = False
    #: Who asks EDGAR, as the SEC demands: a firm and an e-mail address.
    edgar_user_agent: Annotated[
        str | None, BeforeValidator(_named), AfterValidator(_user_agent)
    ] = None
    #: A user's own limits of rules, spreads by property type, reference rates.
    limits: _OwnFile = None
    spreads: _OwnFile = None
    rates: _OwnFile = None
    #: Snapshots kept after an import, the newest included.
    keep_snapshots: int = Field(default=2, ge=1, le=100)
    #: A node with more edges ends a path of the capital graph (D12).
    hub_edges: int = Field(default=1_000, ge=1, le=_MOST)
    #: A level of the walk that would read more edges is not begun (D12).
    budget_edges: int = Field(default=50_000, ge=1, le=_MOST)
    #: Keys of the API that is served: a file, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE.
    keys: Annotated[SecretStr | Path | None, BeforeValidator(place)] = None
    #: Requests a minute and a day, of every tier; none are each tier's own.
    rate_per_minute: int | None = Field(default=None, ge=1, le=_MOST)
    daily_quota: int | None = Field(default=None, ge=1, le=_MOST)
    #: Where several processes and nodes count them.
    limits_storage: Annotated[SecretStr | None, BeforeValidator(_storage)] = None
    quotas: Annotated[SecretStr | None, BeforeValidator(_database)] = None

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth_for_a_number(cls, value: object, about: ValidationInfo) -> object:
        if (
            isinstance(value, bool)
            and cls.model_fields[str(about.field_name)].annotation is not bool
        ):
            raise ValueError("true and false are no value of it")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments first, then the environment, then the secrets file."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, _SecretsFile(settings_cls)


@contextmanager
def naming(setting: str, remedy: str = "check") -> Iterator[None]:
    """Says with whatever is wrong in the block which setting it is of and what to do; a server that
    does not answer is to be started.

    Raises SettingsInvalid, or ServiceUnavailable and DeskUnavailable as they came.
    """
    try:
        yield
    except CreditAtlasError as error:
        down = isinstance(error, ServiceUnavailable | DeskUnavailable)
        kind = type(error) if down else SettingsInvalid
        said = error.message.rstrip(".")
        name = PREFIX + setting.upper()
        does = "start it, or correct" if down else remedy
        raise kind(said if name in said else f"{said}; {does} {name}") from None


def load(**given: object) -> Settings:
    """Settings of this process. Raises SettingsInvalid with one sentence, never with a value.

    What is `given`, as options of a command are, comes first; None is not given.
    """
    try:
        found = Settings(**{name: one for name, one in given.items() if one is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        name = PREFIX + str(fault["loc"][0]).upper()
        said = fault["msg"].removeprefix("Value error, ")
        reason = said[0].lower() + said[1:]
        raise SettingsInvalid(f"Setting {name} cannot be used: {reason}") from None
    _refuse_unknown()
    return found


def _refuse_unknown() -> None:
    """A name that is misspelt would leave its setting at the default, and nobody would know."""
    known = [PREFIX + name.upper() for name in (*Settings.model_fields, *BESIDE)]
    for name in sorted({**os.environ, **_entries()}):
        plain = name.upper()
        if not plain.startswith(PREFIX) or plain in known:
            continue
        if name in os.environ and (
            _OF_PLATFORM.fullmatch(plain.removeprefix(PREFIX))
            or os.environ[name].startswith(("tcp://", "udp://"))
        ):
            continue
        near = get_close_matches(plain, known, n=1)
        hint = (
            f"did you mean {near[0]}?"
            if near
            else "take it out; services/README.md lists the settings"
        )
        raise SettingsInvalid(f"There is no setting {shortened(name)}; {hint}")
