"""A TOML table of figures, packaged or a user's own, that refuses a bad entry by file and line."""

import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Self

from services.contract.errors import SettingsInvalid

_MAX_BYTES: Final = 1024 * 1024
_HEADER: Final = re.compile(r"\s*\[([^\[\]]+)\]")
_ENTRY: Final = re.compile(r"\s*((?:\"[^\"]*\"|'[^']*'|[\w.-])+)\s*=")
_WORD: Final = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")


@dataclass(frozen=True, slots=True)
class TomlFile:
    """The text of one file, and what to call it."""

    #: What it holds, as a refusal begins: "Limits".
    holds: str
    #: "packaged", or the name of the user's file (never its path).
    origin: str
    text: str

    @classmethod
    def packaged(cls, holds: str, package: str, name: str) -> Self:
        """A file that ships with the program."""
        return cls(holds, "packaged", files(package).joinpath(name).read_text(encoding="utf-8"))

    @classmethod
    def read(cls, holds: str, path: Path) -> Self:
        """A user's file. Raises SettingsInvalid where it does not read."""
        name = path.name or str(path)
        try:
            with path.open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
            text = data.decode("utf-8-sig")
        except OSError as error:
            reason = error.strerror or "it cannot be opened"
            raise SettingsInvalid(f"{holds} {name} cannot be read: {reason}") from None
        except UnicodeDecodeError:
            raise SettingsInvalid(f"{holds} {name} is not UTF-8 text; save it as UTF-8") from None
        if len(data) > _MAX_BYTES:
            raise SettingsInvalid(f"{holds} {name} is larger than 1 MiB; name another file")
        return cls(holds, name, text)

    def content(self) -> dict[str, Any]:
        """The tables. Raises SettingsInvalid, naming the line, for what is not TOML."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            said = str(error)[:1].lower() + str(error)[1:]
            raise SettingsInvalid(f"{self.holds} {self.origin} is not TOML: {said}") from None

    def version_of(self, content: dict[str, Any]) -> int:
        """The file's version. Raises SettingsInvalid where it is not a whole number from 1."""
        version = content.get("version")
        if not isinstance(version, int) or isinstance(version, bool):
            raise self.refused(("version",), "must be a whole number")
        if not 1 <= version <= 2**15 - 1:
            raise self.refused(("version",), f"is {version} but must lie from 1 to 32767")
        return version

    def refused(self, entry: tuple[str, ...], reason: str) -> SettingsInvalid:
        """What is wrong with an entry, named by its tables and key, and on which line it stands."""
        named = ".".join(entry)
        return SettingsInvalid(
            f"{self.holds} {self.origin}, line {self.line_of(entry)}: {named} {reason}"
        )

    def line_of(self, entry: tuple[str, ...]) -> int:
        """Where an entry begins, or else the table which should hold it; 1 where neither does."""
        lines = self._lines()
        for end in range(len(entry), 0, -1):
            within = [at for name, at in lines.items() if name[:end] == entry[:end]]
            if within:
                return min(within)
        return 1

    def _lines(self) -> dict[tuple[str, ...], int]:
        found: dict[tuple[str, ...], int] = {}
        table: tuple[str, ...] = ()
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := _HEADER.match(line):
                table = _words(header[1])
                found.setdefault(table, number)
            elif entry := _ENTRY.match(line):
                found.setdefault((*table, *_words(entry[1])), number)
        return found


def _words(dotted: str) -> tuple[str, ...]:
    """The parts of a dotted name: `RP-1."a b"` is RP-1 and a b."""
    return tuple("".join(parts) for parts in _WORD.findall(dotted))
