"""The commands `serve` and `keys`. Heavy libraries are imported where a command needs them."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from pydantic import SecretStr, ValidationError

from services.contract.audit import AuditAction, Deed
from services.contract.endpoints import LicenceTier
from services.contract.errors import (
    CreditAtlasError,
    DeskUnavailable,
    NotFound,
    SettingsInvalid,
)
from services.contract.wire import Variant
from services.settings import place

from .keys import Environment, Key, KeyFile
from .opening import open_keys

if TYPE_CHECKING:
    from .shared.keys import PostgresKeys

keys = typer.Typer(
    no_args_is_help=True, help="Keys of the API service: add, list, revoke, migrate."
)

#: What the API beside the pages is set by.
_OF_PLAN: Final = ("keys", "rate_per_minute", "daily_quota", "limits_storage", "quotas")

Keys = Annotated[
    str,
    typer.Option(
        "--keys",
        envvar="CREDIT_ATLAS_KEYS",
        help="The key file (JSON), or postgresql://USER:PASSWORD@HOST/DATABASE.",
    ),
]
Quotas = Annotated[
    str | None,
    typer.Option(
        "--quotas",
        envvar="CREDIT_ATLAS_QUOTAS",
        help="Where several nodes count requests a day: postgresql://USER:PASSWORD@HOST/DATABASE.",
    ),
]


def serve(
    keys: Keys,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = 8_000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    variant: Annotated[
        Variant, typer.Option(case_sensitive=False, help="Spelling of the answers.")
    ] = "a",
    store: Annotated[
        Path | None,
        typer.Option(
            help="Store that production keys read.", show_default=".store or CREDIT_ATLAS_STORE"
        ),
    ] = None,
    sandbox_store: Annotated[
        Path | None,
        typer.Option(
            help="Store that sandbox keys read.", show_default="a demonstration store in the other"
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes.")] = 1,
    rate_per_minute: Annotated[
        int | None,
        typer.Option(
            envvar="CREDIT_ATLAS_RATE_PER_MINUTE", min=1, help="Requests a minute, of every tier."
        ),
    ] = None,
    daily_quota: Annotated[
        int | None,
        typer.Option(
            envvar="CREDIT_ATLAS_DAILY_QUOTA", min=1, help="Requests a day, of every tier."
        ),
    ] = None,
    limits_storage: Annotated[
        str | None,
        typer.Option(
            envvar="CREDIT_ATLAS_LIMITS_STORAGE",
            help="Where several workers count requests, such as redis://localhost:6379.",
        ),
    ] = None,
    quotas: Quotas = None,
    trusted_proxy: Annotated[
        str | None,
        typer.Option(help="Addresses of proxies whose X-Forwarded-For is believed, by comma."),
    ] = None,
    *,
    upstream: Annotated[
        bool, typer.Option("--upstream", help="Serve the API of CREDIT_ATLAS_API_URL again.")
    ] = False,
) -> None:
    """Serve the API: six reads over a store, by key."""
    from .serving import Plan, bound, prepared, run

    _shared(workers, limits_storage)
    plan = prepared(
        Plan(
            keys=_place(keys),
            variant=variant,
            store=store,
            sandbox_store=sandbox_store,
            upstream=upstream,
            rate_per_minute=rate_per_minute,
            daily_quota=daily_quota,
            limits_storage=SecretStr(limits_storage) if limits_storage else None,
            quotas=_database("CREDIT_ATLAS_QUOTAS", quotas) if quotas else None,
        )
    )
    listener = bound(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}"
    typer.echo(f"Serving on {address}, described at {address}/openapi.json", err=True)
    run(plan, listener, workers=workers, trusted_proxy=trusted_proxy)


def plan_beside_pages(processes: int) -> None:
    """Leaves the plan of the API in the environment, where every process of the dashboard finds it.

    It is what `serve` takes of the environment. Raises SettingsInvalid, StoreMissing.
    """
    from .serving import Plan, handed_on, prepared

    said = {name: os.environ.get(f"CREDIT_ATLAS_{name.upper()}") or None for name in _OF_PLAN}
    if said["keys"] is None:
        raise SettingsInvalid("--api needs CREDIT_ATLAS_KEYS: the file of keys, or their database")
    _shared(processes, said["limits_storage"])
    try:
        plan = Plan.model_validate(said)
    except ValidationError as error:
        name = str(error.errors(include_input=False)[0]["loc"][0])
        raise SettingsInvalid(f"CREDIT_ATLAS_{name.upper()} must be a whole number") from None
    handed_on(prepared(plan))


def _shared(processes: int, storage: str | None) -> None:
    """Raises SettingsInvalid where several processes would each count requests on their own."""
    if processes > 1 and (not storage or storage.startswith("memory:")):
        raise SettingsInvalid(
            f"{processes} processes would each count requests on their own; set "
            "CREDIT_ATLAS_LIMITS_STORAGE to a storage they share, or serve with one"
        )


@keys.command()
def add(
    keys: Keys,
    tier: Annotated[LicenceTier, typer.Option(help="Licence tier.")],
    environment: Annotated[Environment, typer.Option(help="Which store the key reads.")],
) -> None:
    """Add a key and print it, this once: only its hash is kept."""
    ring = _opened(keys)
    secret = ring.add(tier, environment)
    key = ring.find(secret)
    try:
        _record("add_key", key)
    except CreditAtlasError as error:
        # A key that was never shown is good for nothing.
        if key:
            ring.revoke(key.id)
        raise DeskUnavailable(f"No key was added, for it could not be recorded: {error}") from None
    typer.echo(secret)


@keys.command("list")
def listed(keys: Keys) -> None:
    """List the keys, without what they are."""
    for key in _opened(keys).all():
        state = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else "valid"
        typer.echo(
            f"{key.id}  {key.tier:<13}  {key.environment:<10}  added {key.created_at:%Y-%m-%d}"
            f"  {state}"
        )


@keys.command()
def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As 'keys list' shows it.")],
    keys: Keys,
) -> None:
    """Revoke a key: of a file from its next request on, of a database within a second."""
    key = _opened(keys).revoke(key_id)
    typer.echo(f"Revoked {key.id} ({key.tier}, {key.environment})")
    try:
        _record("revoke_key", key)
    except CreditAtlasError as error:
        raise DeskUnavailable(
            f"The key is revoked, but this could not be recorded: {error}"
        ) from None


def _record(action: AuditAction, key: Key | None) -> None:
    """Records a change of the keys in the audit of the settings' desk.

    Raises DeskUnavailable, SettingsInvalid; NotFound for a key that is not good any more.
    """
    from services.desk.opening import opened
    from services.settings import load
    from services.sign_in import local_user

    if key is None:
        raise NotFound("The key was revoked meanwhile")
    user = local_user()
    deed = Deed(action=action, kind="key", name=key.id, detail=f"{key.tier}, {key.environment}")
    opened(load()).acting(user.role).record(user.name, deed)


@keys.command()
def migrate(
    keys: Keys,
    quotas: Quotas = None,
    grant: Annotated[
        str | None,
        typer.Option(help="Role that may then count requests, and only read keys."),
    ] = None,
) -> None:
    """Bring the tables of keys and quotas in PostgreSQL up to date."""
    addresses = [_database("CREDIT_ATLAS_KEYS", keys)]
    if quotas and quotas != keys:
        addresses.append(_database("CREDIT_ATLAS_QUOTAS", quotas))
    from .shared.database import migrate as migrated

    for address in addresses:
        before, now = migrated(address, grant)
        typer.echo(
            f"The tables are up to date, at migration {now}"
            + ("" if before == now else f"; they were at {before}")
        )


def _opened(keys: str) -> "KeyFile | PostgresKeys":
    return open_keys(_place(keys))


def _place(keys: str) -> Path | SecretStr:
    try:
        found = place(keys)
    except ValueError as error:
        raise SettingsInvalid(f"CREDIT_ATLAS_KEYS cannot be used: {error}") from None
    if not isinstance(found, Path | SecretStr):
        raise SettingsInvalid("CREDIT_ATLAS_KEYS names nothing; name a file or a database")
    return found


def _database(setting: str, text: str) -> SecretStr:
    """The address of a database. Raises SettingsInvalid, never quoting what was given."""
    with suppress(ValueError):
        if isinstance(found := place(text), SecretStr):
            return found
    raise SettingsInvalid(
        f"{setting} is no address of a PostgreSQL database; write "
        "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
    )
