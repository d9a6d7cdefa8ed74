"""What is looked at before anything is served or loaded: every file and server of the settings."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import SecretStr

from services.client.address import base_address
from services.contract.errors import DeskUnavailable, SettingsInvalid
from services.desk.opening import checked as check_desk
from services.rates.reference import ReferenceRates
from services.rates.spreads import Sizings
from services.settings import PREFIX, Settings, load, naming
from services.sign_in import check as check_sign_in
from services.signals.assumptions import Assumptions
from services.signals.limits import Limits
from services.sources import open_api

log = logging.getLogger("credit_atlas")

T = TypeVar("T")


def checked() -> Settings:
    """The settings of a dashboard that starts, each found usable.

    Raises SettingsInvalid, StoreDamaged; DeskUnavailable for a file.
    """
    settings = load()
    check_sign_in(settings)
    assumptions(settings)
    _check_api(settings)
    if settings.source == "store" and not settings.store.absolute().parent.is_dir():
        raise SettingsInvalid(
            f"There is no folder '{settings.store}', nor one in which it could be made; correct "
            f"{PREFIX}STORE"
        )
    _check_desk(settings)
    return settings


def _check_desk(settings: Settings) -> None:
    try:
        check_desk(settings)
    except DeskUnavailable as error:
        if not isinstance(settings.desk, SecretStr):
            raise
        # A node that starts while its database is away is read, and written once that is back.
        log.warning("%s", error)


def assumptions(settings: Settings) -> Assumptions:
    """Rates, limits and spreads that the settings name, else the packaged ones.

    Raises SettingsInvalid, naming file, line and setting.
    """
    return Assumptions(
        rates=_own("rates", settings.rates, ReferenceRates.read) or ReferenceRates.packaged(),
        limits=_own("limits", settings.limits, Limits.read) or Limits.packaged(),
        sizings=_own("spreads", settings.spreads, Sizings.read) or Sizings.packaged(),
    )


def _own(setting: str, path: Path | None, read: Callable[[Path], T]) -> T | None:
    if path is None:
        return None
    # What is no plain file may never end, or never begin.
    if not path.is_file():
        raise SettingsInvalid(
            f"There is no file '{path}'; name another one in {PREFIX}{setting.upper()}"
        )
    with naming(setting, "correct it, or name another file in"):
        return read(path)


def _check_api(settings: Settings) -> None:
    if settings.source == "api" or (settings.api_url and settings.api_key):
        open_api(settings).close()
    elif settings.api_url:
        base_address(settings.api_url, allow_plain_http=settings.api_plain_http)
