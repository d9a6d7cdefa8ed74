"""The commands `serve` and `keys`. Heavy libraries are imported where a command needs them."""

from pathlib import Path
from typing import Annotated

import typer

from services.contract.audit import AuditAction, Deed
from services.contract.endpoints import LicenceTier
from services.contract.errors import (
    CreditAtlasError,
    DeskUnavailable,
    NotFound,
    SettingsInvalid,
)
from services.contract.wire import Variant

from .keys import Environment, Key, KeyFile

keys = typer.Typer(no_args_is_help=True, help="Keys of the API service: add, list, revoke.")

Keys = Annotated[
    Path, typer.Option("--keys", envvar="CREDIT_ATLAS_KEYS", help="The key file (JSON).")
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

    if workers > 1 and (not limits_storage or limits_storage.startswith("memory:")):
        raise SettingsInvalid(
            f"{workers} workers would each count requests on their own; set "
            "CREDIT_ATLAS_LIMITS_STORAGE to a storage they share, or serve with one worker"
        )
    plan = prepared(
        Plan(
            keys=keys,
            variant=variant,
            store=store,
            sandbox_store=sandbox_store,
            upstream=upstream,
            rate_per_minute=rate_per_minute,
            daily_quota=daily_quota,
            limits_storage=limits_storage,
        )
    )
    listener = bound(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listener.getsockname()[1]}"
    typer.echo(f"Serving on {address}, described at {address}/openapi.json", err=True)
    run(plan, listener, workers=workers, trusted_proxy=trusted_proxy)


@keys.command()
def add(
    keys: Keys,
    tier: Annotated[LicenceTier, typer.Option(help="Licence tier.")],
    environment: Annotated[Environment, typer.Option(help="Which store the key reads.")],
) -> None:
    """Add a key and print it, this once: only its hash is kept."""
    ring = KeyFile(keys)
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
    for key in KeyFile(keys).all():
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
    """Revoke a key, from its next request on."""
    key = KeyFile(keys).revoke(key_id)
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
