"""The commands `serve` and `keys`. Heavy libraries are imported where a command needs them."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import SecretStr

from services.contract.access import LicenceTier
from services.contract.audit import AuditAction, Deed
from services.contract.errors import CreditAtlasError, DeskUnavailable, NotFound, SettingsInvalid
from services.contract.wire import Variant
from services.settings import Settings, load
from services.terminal import folder

from .keys import Environment, Key, KeyFile
from .opening import open_keys

if TYPE_CHECKING:
    from .shared.keys import PostgresKeys

keys = typer.Typer(
    no_args_is_help=True, help="Keys of the API service: add, list, revoke, migrate."
)

Keys = Annotated[
    str | None,
    typer.Option(
        "--keys",
        help="The key file (JSON), or postgresql://USER:PASSWORD@HOST/DATABASE.",
        show_default="CREDIT_ATLAS_KEYS",
    ),
]
Quotas = Annotated[
    str | None,
    typer.Option(
        "--quotas",
        help="Where several nodes count requests a day: postgresql://USER:PASSWORD@HOST/DATABASE.",
        show_default="CREDIT_ATLAS_QUOTAS",
    ),
]


def serve(
    keys: Keys = None,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="0 takes a free one.")] = 8_000,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    variant: Annotated[
        Variant, typer.Option(case_sensitive=False, help="Spelling of the answers.")
    ] = "a",
    store: Annotated[
        Path | None,
        typer.Option(
            help="Store that production keys read.",
            parser=folder,
            metavar="PATH",
            show_default=".store or CREDIT_ATLAS_STORE",
        ),
    ] = None,
    sandbox_store: Annotated[
        Path | None,
        typer.Option(
            help="Store that sandbox keys read.",
            parser=partial(folder, option="--sandbox-store"),
            metavar="PATH",
            show_default="a demonstration store in the other",
        ),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes.")] = 1,
    rate_per_minute: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Requests a minute, of every tier.",
            show_default="CREDIT_ATLAS_RATE_PER_MINUTE",
        ),
    ] = None,
    daily_quota: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Requests a day, of every tier.",
            show_default="CREDIT_ATLAS_DAILY_QUOTA",
        ),
    ] = None,
    limits_storage: Annotated[
        str | None,
        typer.Option(
            help="Where several workers count requests, such as redis://localhost:6379.",
            show_default="CREDIT_ATLAS_LIMITS_STORAGE",
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
    """Serve the API over a store, by key."""
    from services.sources import open_api

    from .serving import Plan, bound, prepared, run

    settings = load(
        keys=keys,
        store=store,
        rate_per_minute=rate_per_minute,
        daily_quota=daily_quota,
        limits_storage=limits_storage,
        quotas=quotas,
    )
    _shared(workers, settings.limits_storage)
    if upstream:
        open_api(settings).close()
    plan = prepared(
        Plan(
            **_counting(settings),
            variant=variant,
            store=store,
            sandbox_store=sandbox_store,
            upstream=upstream,
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

    settings = load()
    if settings.keys is None:
        raise SettingsInvalid("--api needs CREDIT_ATLAS_KEYS: the file of keys, or their database")
    _shared(processes, settings.limits_storage)
    handed_on(prepared(Plan(**_counting(settings))))


def _counting(settings: Settings) -> dict[str, Any]:
    """What a plan has of the settings. Raises SettingsInvalid."""
    names = ("rate_per_minute", "daily_quota", "limits_storage", "quotas")
    return {"keys": _place(settings), **{name: getattr(settings, name) for name in names}}


def _shared(processes: int, storage: SecretStr | None) -> None:
    """Raises SettingsInvalid where several processes would each count requests on their own."""
    if processes > 1 and (not storage or storage.get_secret_value().startswith("memory:")):
        raise SettingsInvalid(
            f"{processes} processes would each count requests on their own; set "
            "CREDIT_ATLAS_LIMITS_STORAGE to a storage they share, or serve with one"
        )


@keys.command()
def add(
    tier: Annotated[LicenceTier, typer.Option(help="Licence tier.")],
    environment: Annotated[Environment, typer.Option(help="Which store the key reads.")],
    keys: Keys = None,
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
def listed(keys: Keys = None) -> None:
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
    keys: Keys = None,
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
    from services.sign_in import local_user

    if key is None:
        raise NotFound("The key was revoked meanwhile")
    user = local_user()
    deed = Deed(action=action, kind="key", name=key.id, detail=f"{key.tier}, {key.environment}")
    opened(load()).record(user.name, deed)


@keys.command()
def migrate(
    keys: Keys = None,
    quotas: Quotas = None,
    grant: Annotated[
        str | None,
        typer.Option(help="Role that may then count requests, and only read keys."),
    ] = None,
) -> None:
    """Bring the tables of keys and quotas in PostgreSQL up to date."""
    settings = load(keys=keys, quotas=quotas)
    address = _place(settings)
    if isinstance(address, Path):
        raise SettingsInvalid(
            "CREDIT_ATLAS_KEYS names a file, which needs no migration; name a PostgreSQL database"
        )
    addresses = [address]
    if settings.quotas and settings.quotas != address:
        addresses.append(settings.quotas)
    from .shared.database import migrate as migrated

    for address in addresses:
        before, now = migrated(address, grant)
        typer.echo(
            f"The tables are up to date, at migration {now}"
            + ("" if before == now else f"; they were at {before}")
        )


def _opened(keys: str | None) -> "KeyFile | PostgresKeys":
    return open_keys(_place(load(keys=keys)))


def _place(settings: Settings) -> Path | SecretStr:
    if settings.keys is None:
        raise SettingsInvalid(
            "CREDIT_ATLAS_KEYS names nothing; name a file or a database, there or by --keys"
        )
    return settings.keys
