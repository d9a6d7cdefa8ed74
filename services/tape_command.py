"""The command `import tape`: what it is asked, and what it says."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from services.contract.errors import ImportRefused, InvalidRequest
from services.contract.queries import shortened
from services.contract.rounding import number_of
from services.settings import load
from services.terminal import StoreFolder, progress_bar

if TYPE_CHECKING:
    from services.tapes import Added, Choice, Tape

#: Reasons and loans that are printed; a file of rejects has all rows.
_SHOWN: Final = 10


def tape(
    file: Annotated[Path, typer.Argument(help="Loan tape: CSV or XLSX, any columns.")],
    profile: Annotated[
        Path | None, typer.Option(help="Profile (TOML) that says what its columns are.")
    ] = None,
    save_profile: Annotated[
        Path | None, typer.Option(help="Write the profile that was used, for the next tape.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option(help="Day of its figures, YYYY-MM-DD.", metavar="DATE")
    ] = None,
    book: Annotated[
        str | None,
        typer.Option(help="Name of the book that it is a tape of.", show_default="My book"),
    ] = None,
    rejects: Annotated[
        Path | None, typer.Option(help="Write rejected rows here (CSV), each with its reason.")
    ] = None,
    lender: Annotated[str | None, typer.Option(help="Who lends, where no column says it.")] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", help="What a column is: 'COLUMN=field'.", metavar="TEXT"),
    ] = None,
    reads: Annotated[
        list[str] | None,
        typer.Option(
            "--read", help="How a column is read: 'COLUMN=D/M/Y', 'COLUMN=percent'.", metavar="TEXT"
        ),
    ] = None,
    number: Annotated[
        list[str] | None, typer.Option(help="Column that tells rows apart; may be given again.")
    ] = None,
    sheet: Annotated[str | None, typer.Option(help="Sheet of a workbook.")] = None,
    header_row: Annotated[int | None, typer.Option(min=1, help="Row of the column names.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Encoding of a CSV file.")] = None,
    store: StoreFolder = None,
    *,
    preview: Annotated[
        bool, typer.Option("--preview", help="Say what each column is taken for, and load nothing.")
    ] = False,
) -> None:
    """Import your own loan tape. Columns, dates and units are found out from names and values; what
    they do not tell is asked. A later tape of the same book is a period of it.
    """
    from services import tapes
    from services.startup_checks import assumptions

    settings = load(store=store)
    said = tapes.load(profile) if profile else tapes.Profile()
    shape = replace(
        said.shape,
        **{  # type: ignore[arg-type]
            name: one
            for name, one in (("sheet", sheet), ("header_row", header_row), ("encoding", encoding))
            if one is not None
        },
    )
    said = replace(
        said,
        book=tapes.check_book(book) if book is not None else said.book,
        lender=lender or said.lender,
        number=tuple(number) if number else said.number,
        shape=shape,
    )
    resting = assumptions(settings)
    found = tapes.tape(file, said, as_of=_day(as_of), columns=_choices(columns or (), reads or ()))
    if save_profile:
        save_profile.write_text(tapes.written(tapes.saved(found.plan)), encoding="utf-8")
    if rejects:
        found.write_rejects(rejects)
    if preview:
        _preview(found)
        return
    if asks := found.plan.asks:
        more = f" ({len(asks) - 1} more to say; --preview lists them)" if len(asks) > 1 else ""
        raise ImportRefused(asks[0] + more)
    with progress_bar() as report:
        added = tapes.add(found, settings, resting, report)
    for line in _lines(found, added):
        typer.echo(line)
    typer.echo(f"The store {settings.store} now holds {number_of(added.snapshot.loans, 'loan')}")


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(
            f"--as-of is '{shortened(text)}' but must be a day written as YYYY-MM-DD",
            parameter="as-of",
        ) from None


def _choices(fields: Sequence[str], reads: Sequence[str]) -> "dict[str, Choice]":
    from services import tapes

    found: dict[str, Choice] = {}
    for option, given in (("--map", fields), ("--read", reads)):
        for one in given:
            name, equals, said = one.rpartition("=")
            if not equals or not name:
                raise InvalidRequest(
                    f"{option} is '{shortened(one)}' but must be COLUMN=WORD", parameter="map"
                )
            before = found.get(name, tapes.Choice())
            try:
                known = tapes.choice(name, said) if option == "--map" else tapes.Choice(read=said)
            except ValueError as wrong:
                raise InvalidRequest(str(wrong), parameter="map") from None
            found[name] = tapes.Choice(
                known.field if known.field is not None else before.field, known.read or before.read
            )
    return found


def _preview(found: "Tape") -> None:
    plan = found.plan
    title = f", {plan.dialect.title}" if plan.dialect else ""
    typer.echo(
        f"{plan.sheet.file}: {plan.sheet.form}, header in row {plan.sheet.header_row}{title}"
    )
    for one in plan.columns:
        field = one.field or ("kept" if one.taken else "kept as text")
        how = ", ".join(
            word
            for word in (one.unit, one.reading, "" if one.scale == "dollars" else one.scale)
            if word
        )
        typer.echo(
            f"{one.name} -> {field}{'' if one.taken else '?'} ({how}; {one.confidence:.2f},"
            f" {one.ask or one.why}); {one.parsed:,} read, {one.empty:,} empty, {one.unread:,} not"
            f" read: {shortened(' | '.join(one.examples), 100)}"
        )
    typer.echo(
        f"{number_of(len(plan.sheet.rows), 'row')}: {found.loaded:,} would be loaded,"
        f" {found.rejected:,} rejected; {plan.mapped:.0%} of the columns are known"
    )
    for line in _reasons(found):
        typer.echo(line)
    for ask in plan.asks:
        typer.echo(f"to say: {ask}")


def _lines(found: "Tape", added: "Added") -> Iterator[str]:
    plan = found.plan
    rows = len(plan.sheet.rows)
    kind = f" ({plan.dialect.title})" if plan.dialect else ""
    yield (
        f"{plan.sheet.file}{kind}, as of {plan.as_of:%-d %b %Y}: {number_of(rows, 'row')},"
        f" {added.loaded:,} loaded as {number_of(len(found.rows.loans), 'loan')} of"
        f" '{plan.profile.book}',"
        f" {added.rejected:,} rejected"
    )
    yield from _reasons(found)
    for name, count in found.unmapped().items():
        yield f"not mapped: {shortened(name)} ({number_of(count, 'time')})"
    if added.missing:
        first = ", ".join(map(shortened, added.missing[:_SHOWN]))
        more = f" and {len(added.missing) - _SHOWN:,} more" if len(added.missing) > _SHOWN else ""
        yield (
            f"{number_of(len(added.missing), 'loan')} of the tape before not on this one, kept in"
            f" its period: {first}{more}"
        )


def _reasons(found: "Tape") -> Iterator[str]:
    """The first rejected rows, and how many more there are."""
    listed = sorted(found.rows.rejected.items())
    for at, why in listed[:_SHOWN]:
        yield f"rejected row {found.plan.sheet.rows[at]:,}: {why}"
    if len(listed) > _SHOWN:
        yield f"and {len(listed) - _SHOWN:,} more rejected rows; --rejects FILE writes them all"
