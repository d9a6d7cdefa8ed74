"""From options to a running server: sources opened, socket bound, workers started."""

import errno
import gc
import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import uvicorn
from pydantic import BaseModel, ConfigDict, SecretStr, field_serializer, field_validator
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from services.client.source import ApiSource
from services.contract.errors import CreditAtlasError, SettingsInvalid, StoreDamaged, StoreMissing
from services.contract.wire import Variant
from services.settings import load, naming, place
from services.sources import StoreWorkspace, Workspace, open_api, open_workspace

from .keys import Environment
from .limiting import allowances
from .log import write_logs
from .opening import open_keys, open_quotas, open_rates
from .protocol import BoundedProtocol

_PLAN: Final = "CREDIT_ATLAS_SERVE_PLAN"
_FACTORY: Final = "services.api.serving:app_of_worker"
_BACKLOG: Final = 2_048
#: How long a connection stays open without a request. Clients keep one for 5 to 30 seconds: one
#: that the server closes first loses a request that is on its way.
_IDLE_SECONDS: Final = 40
#: Loans of the demonstration store that sandbox keys read by default.
SANDBOX_LOANS: Final = 1_000


class Plan(BaseModel):
    """What to serve and to whom. A worker process gets it as JSON in its environment."""

    model_config = ConfigDict(frozen=True)

    #: A file, or the address of a database.
    keys: Path | SecretStr
    variant: Variant = "a"
    #: Folder that production keys read; by the settings when not given.
    store: Path | None = None
    #: Folder that sandbox keys read; a demonstration store beside the other when not given.
    sandbox_store: Path | None = None
    #: Serve the API that the settings name instead of `store`.
    upstream: bool = False
    rate_per_minute: int | None = None
    daily_quota: int | None = None
    limits_storage: SecretStr | None = None
    quotas: SecretStr | None = None

    @field_serializer("keys", "limits_storage", "quotas", when_used="json-unless-none")
    def _written_out(self, value: Path | SecretStr) -> str:
        """Passwords too: a worker process needs them."""
        return str(value) if isinstance(value, Path) else value.get_secret_value()

    @field_validator("keys", mode="plain")
    @classmethod
    def _place(cls, value: object) -> object:
        return place(value)


def prepared(plan: Plan) -> Plan:
    """The plan with every file and server that it needs, checked.

    Raises SettingsInvalid, StoreMissing, ServiceUnavailable.
    """
    keys = open_keys(plan.keys)
    try:
        with naming("keys"):
            keys.all()
    finally:
        keys.close()
    if plan.limits_storage:
        open_rates(plan.limits_storage)
    if plan.quotas:
        with naming("quotas"):
            open_quotas(plan.quotas).close()
    settings = load(store=plan.store)
    store = settings.store
    sandbox = plan.sandbox_store or store / "sandbox"
    if plan.sandbox_store is None:
        _demonstration(sandbox)
    plan = plan.model_copy(update={"store": store, "sandbox_store": sandbox})
    for folder in (sandbox,) if plan.upstream else (store, sandbox):
        _check(folder)
    return plan


def _check(folder: Path) -> None:
    workspace = open_workspace(load(store=folder), "store")
    try:
        with workspace.lease():
            return
    finally:
        workspace.close()


def _demonstration(folder: Path) -> None:
    """A demonstration store, made where there is none, and rebuilt where this version does not
    read it.
    """
    from services.importers import demo
    from services.pipeline import load as publish
    from services.rebuilding import rebuild
    from services.signals.assumptions import Assumptions
    from services.store.publisher import SnapshotPublisher
    from services.store.snapshot import there

    try:
        try:
            _check(folder)
        except (StoreMissing, StoreDamaged) as fault:
            if isinstance(fault, StoreDamaged) and there(folder):
                rebuild(folder, keep=2, assumptions=Assumptions.packaged())
            else:
                publish([demo.portfolio(loans=SANDBOX_LOANS)], into=SnapshotPublisher(folder))
    except CreditAtlasError as error:
        raise SettingsInvalid(
            f"The demonstration store for sandbox keys cannot be made ({error.message}); "
            "name another folder with --sandbox-store"
        ) from None


def app_of(plan: Plan) -> ASGIApp:
    """The application of a prepared plan."""
    places: dict[Environment, Path | None] = {
        "production": plan.store,
        "sandbox": plan.sandbox_store,
    }
    sources: dict[Environment, Workspace | ApiSource] = {}
    if plan.upstream:
        settings = load()
        del places["production"]
        sources[settings.api_environment] = open_api(settings)
    for environment, folder in places.items():
        if environment not in sources:
            sources[environment] = open_workspace(load(store=folder), "store")
    # Here, for the dashboard without --api takes from this module what needs no FastAPI.
    from .app import create_app

    keys = open_keys(plan.keys)
    rates = open_rates(plan.limits_storage) if plan.limits_storage else None
    quotas = open_quotas(plan.quotas) if plan.quotas else None
    _settle(source for source in sources.values() if isinstance(source, StoreWorkspace))
    return create_app(
        sources,
        keys=keys,
        variant=plan.variant,
        allowances=allowances(plan.rate_per_minute, plan.daily_quota),
        rates=rates,
        quotas=quotas,
        dashboard=load(store=plan.store).dashboard_url,
        on_close=[
            *(source.close for source in sources.values()),
            keys.close,
            *([quotas.close] if quotas else []),
        ],
    )


def _settle(stores: Iterable[StoreWorkspace]) -> None:
    """Opens what there is to read, and looks through it for garbage for the last time: that
    held up one request in a hundred for 50 ms and more at a million loans.
    """
    for store in stores:
        with suppress(CreditAtlasError), store.lease():
            pass  # what is wrong with it is said to who asks
    gc.collect()
    gc.freeze()


def handed_on(plan: Plan) -> None:
    """Leaves a prepared plan for the processes that this one starts, or becomes."""
    os.environ[_PLAN] = plan.model_dump_json()


def beside_pages() -> bool:
    """Whether this process, or one that it comes from, serves the API by a plan."""
    return _PLAN in os.environ


def app_of_worker() -> ASGIApp:
    """The application in a worker process."""
    write_logs()
    return app_of(Plan.model_validate_json(os.environ[_PLAN]))


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens on an address. Raises SettingsInvalid."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError):
        raise SettingsInvalid(f"'{host}' is no address of this machine; correct --host") from None
    # Named, because asyncio sends small answers at once only where the protocol is known.
    listener = socket.socket(family, kind, proto=socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise SettingsInvalid(
                f"Port {port} on {host} is taken; stop what listens there or choose another --port"
            ) from None
        raise SettingsInvalid(
            f"Port {port} on {host} cannot be used: {error.strerror}; choose another --port"
        ) from None
    return listener


def config_of(
    app: ASGIApp | str, *, workers: int = 1, trusted_proxy: str | None = None, **options: object
) -> uvicorn.Config:
    """How uvicorn runs the application, or the factory of that name; `options` are its own."""
    plain: dict[str, Any] = {
        "factory": isinstance(app, str),
        "workers": workers,
        "http": BoundedProtocol,
        "ws": "none",
        "lifespan": "on",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "proxy_headers": trusted_proxy is not None,
        "forwarded_allow_ips": trusted_proxy,
        "timeout_keep_alive": _IDLE_SECONDS,
        "timeout_graceful_shutdown": 10,
    }
    return uvicorn.Config(app, **plain | options)


def run(
    plan: Plan, listener: socket.socket, *, workers: int = 1, trusted_proxy: str | None = None
) -> None:
    """Serves a prepared plan until the process is told to stop."""
    if workers == 1:
        write_logs()
        config = config_of(app_of(plan), trusted_proxy=trusted_proxy)
        uvicorn.Server(config).run(sockets=[listener])
        return
    handed_on(plan)
    config = config_of(_FACTORY, workers=workers, trusted_proxy=trusted_proxy)
    Multiprocess(config, sockets=[listener]).run()
