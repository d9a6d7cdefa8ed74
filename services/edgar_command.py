"""The command `import edgar`: a trust's filings, fetched by its CIK."""

from contextlib import AbstractContextManager, closing, nullcontext
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from services.contract.errors import ImportRefused, InvalidRequest, SettingsInvalid, StoreMissing
from services.contract.queries import shortened
from services.periods import load_and_say
from services.settings import PREFIX, Settings, load
from services.terminal import StoreFolder, progress_bar

if TYPE_CHECKING:
    from services.edgar import Fetched, Folder, Web

#: Where exhibits are kept within the store's folder.
KEPT: Final = "edgar"
_MOST_CIK: Final = 10**10
#: Filings that are named where no exhibit was found.
_SHOWN: Final = 10


def edgar(
    cik: Annotated[
        int, typer.Option("--cik", min=1, max=_MOST_CIK - 1, help="The SEC's number of the trust.")
    ],
    since: Annotated[
        str | None,
        typer.Option(help="Only what was filed on this day or later, YYYY-MM-DD.", metavar="DATE"),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            help="A mirror's address, or a folder in EDGAR's layout.", show_default="sec.gov"
        ),
    ] = None,
    deal: Annotated[
        str | None, typer.Option(help="Name of the deal.", show_default="as EDGAR names the trust")
    ] = None,
    store: StoreFolder = None,
) -> None:
    """Fetch a trust's ABS-EE filings from EDGAR and import them, each a period of its deal. What
    was fetched is kept: the next run asks for what is new, one that was stopped goes on.
    """
    from services.edgar import Folder, fetch
    from services.importers import sec_absee
    from services.names.sec_numbers import short_name
    from services.startup_checks import assumptions
    from services.store import filed

    settings = load(store=store)
    assumptions(settings)
    day = _day(since)
    with _base(base, settings) as asked, progress_bar() as report:
        found = fetch(
            cik,
            asked,
            Folder(settings.store / KEPT),
            since=day,
            known=_known(settings),
            progress=report,
        )
    _say_missing(found)
    if not found.exhibits:
        if not found.known:
            raise ImportRefused(f"No filing of {found.registrant.name} has an Exhibit 102")
        typer.echo(f"{found.registrant.name}: nothing new, {found.known:,} filings are there")
        return
    name = deal or short_name(cik) or found.registrant.deal
    load_and_say(sec_absee.histories(found.exhibits, deal=name), settings)
    filed.keep_all(settings.store, "sec-absee", found.exhibits)


def _base(text: str | None, settings: Settings) -> "AbstractContextManager[Web | Folder]":
    """What `--base` names. Raises InvalidRequest, and SettingsInvalid where a host would not know
    who asks.
    """
    from services.client.address import base_address
    from services.edgar import Folder, Web

    if text is not None and "://" not in text:
        if not Path(text).is_dir():
            raise InvalidRequest(
                f"--base is '{shortened(text)}', which is no folder here and no address",
                parameter="base",
            )
        return nullcontext(Folder(Path(text)))
    if settings.edgar_user_agent is None:
        raise SettingsInvalid(
            f"Set {PREFIX}EDGAR_USER_AGENT to your firm and an e-mail address, such as 'Example "
            "Bank credit@bank.example': the SEC answers nobody who does not say who asks"
        )
    address = text and base_address(
        text,
        name="--base",
        risk="change the filings",
        allow_plain_http=settings.api_plain_http,
    )
    return Web(settings.edgar_user_agent, address, trust_env=settings.api_trust_env)


def _known(settings: Settings) -> set[str]:
    """Names of the files that periods of the store were read from."""
    from services.store.leases import Store as Snapshots

    with closing(Snapshots(settings.store)) as snapshots:
        try:
            with snapshots.lease() as source:
                return {name for one in source.periods() for name in one.files}
        except StoreMissing:
            return set()


def _say_missing(found: "Fetched") -> None:
    for one in found.without[:_SHOWN]:
        typer.echo(f"no Exhibit 102 was found in {one.accession}, filed on {one.filed:%-d %b %Y}")
    if (more := len(found.without) - _SHOWN) > 0:
        typer.echo(f"and in {more:,} more")


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(
            f"--since is '{shortened(text or '')}' but must be a day written as YYYY-MM-DD",
            parameter="since",
        ) from None
