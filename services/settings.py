"""What can be set from outside: the environment, or the same names in .streamlit/secrets.toml."""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from services.contract.errors import SettingsInvalid

SECRETS = Path(".streamlit") / "secrets.toml"
PREFIX = "CREDIT_ATLAS_"


def _home(path: Path | None) -> Path | None:
    """The path with ~ written out."""
    return None if path is None else path.expanduser()


def _named(path: object) -> object:
    """None where a setting is there and names nothing."""
    return None if isinstance(path, str) and not path.strip() else path


def _hosts(named: object) -> object:
    """Names of hosts with commas between, each without scheme, port or path."""
    if not isinstance(named, str):
        return named
    hosts = tuple(one.strip().strip("[]").lower() for one in named.split(",") if one.strip())
    if wrong := [one for one in hosts if re.search(r"[^\w.:-]|[^:]*[.\w]:[0-9]+$", one)]:
        raise ValueError(f"'{wrong[0]}' is no name of a host; write atlas.example, without a port")
    return hosts


#: A user's own file; none is the packaged one.
_OwnFile = Annotated[Path | None, BeforeValidator(_named), AfterValidator(_home)]


_DATABASES: Final = ("postgresql://", "postgres://")


def place(value: object) -> object:
    """An address of a database, which holds a password, a path, or None where nothing is named."""
    named = _named(value)
    if not isinstance(named, str):
        return named
    if named.startswith(_DATABASES):
        return SecretStr(named)
    if "://" in named:
        # Never quoted: it may hold a password.
        raise ValueError("an address of a database begins with postgresql://, and this does not")
    return Path(named).expanduser()


class _SecretsFile(PydanticBaseSettingsSource):
    """CREDIT_ATLAS_* entries of .streamlit/secrets.toml, beneath the environment."""

    def get_field_value(self, field: object, field_name: str) -> tuple[object, str, bool]:
        del field
        return None, field_name, False

    def __call__(self) -> dict[str, object]:
        try:
            entries = tomllib.loads(SECRETS.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
            # The text of the fault may quote the line, and the line may be a key.
            raise SettingsInvalid(f"{SECRETS} is not readable as TOML; correct it") from None
        return {
            key.removeprefix(PREFIX).lower(): value
            for key, value in entries.items()
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
    store: Annotated[Path, AfterValidator(Path.expanduser)] = Path(".store")
    #: Where users write: a file, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE; none is
    #: desk.sqlite in the store's folder.
    desk: Annotated[SecretStr | Path | None, BeforeValidator(place)] = None
    #: Names of the dashboard beside this machine's own, such as the one at which a proxy serves it.
    hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_hosts)] = ()
    #: How users of the dashboard are known: not at all, or by the headers of a sign-in proxy.
    sign_in: Literal["none", "proxy"] = "none"
    #: What the proxy sends in the header X-Credit-Atlas-Proxy, so that nobody else is believed.
    proxy_secret: SecretStr | None = Field(default=None, min_length=16)
    #: Headers in which the proxy names the user, and their groups with commas between.
    user_header: str = "X-Forwarded-User"
    groups_header: str = "X-Forwarded-Groups"
    #: Which user, and which group, has which role (TOML).
    roles: _OwnFile = None
    #: After so many hours a session ends, and its browser signs in anew.
    session_hours: float = Field(default=12, gt=0, le=168)
    #: Where the dashboard reads from.
    source: Literal["store", "api"] = "store"
    api_url: str | None = None
    api_key: SecretStr | None = None
    #: Which of the vendor's environments the key is for; sandbox is always shown.
    api_environment: Literal["production", "sandbox"] = "production"
    #: Longest wait for the network, and for one whole answer, seconds.
    api_timeout_seconds: float = Field(default=20, gt=0, le=300)
    #: Longest Retry-After that a page waits out; beyond it the page counts down.
    api_retry_after_cap_seconds: float = Field(default=5, ge=0, le=3600)
    #: Largest answer, bytes, packed or unpacked.
    api_max_bytes: int = Field(default=10_000_000, ge=10_000)
    #: Take proxy and certificates from the environment (HTTPS_PROXY, SSL_CERT_FILE).
    api_trust_env: bool = False
    #: Allow plain http to another machine; the key is then readable on the way.
    api_plain_http: bool = False
    #: A user's own limits of rules, spreads by property type, reference rates.
    limits: _OwnFile = None
    spreads: _OwnFile = None
    rates: _OwnFile = None
    #: Snapshots kept after an import, the newest included.
    keep_snapshots: int = Field(default=2, ge=1, le=100)
    #: A node with more edges ends a path of the capital graph (D12).
    hub_edges: int = Field(default=1_000, ge=1)
    #: A level of the walk that would read more edges is not begun (D12).
    budget_edges: int = Field(default=50_000, ge=1)

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


def load(**given: object) -> Settings:
    """Settings of this process. Raises SettingsInvalid with one sentence, never with a value."""
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        name = PREFIX + ".".join(str(part) for part in fault["loc"]).upper()
        said = fault["msg"].removeprefix("Value error, ")
        reason = said[0].lower() + said[1:]
        raise SettingsInvalid(f"Setting {name} cannot be used: {reason}") from None
