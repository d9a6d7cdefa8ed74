"""Badges: a few words on a coloured ground, each with what it means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from components.kit import text
from components.kit.text import Markup, element


@dataclass(frozen=True, slots=True)
class Badge:
    """One badge; the help stands below it while it is pointed at or in focus."""

    body: str
    colour: Literal["blue", "green", "orange", "violet", "gray"]
    help_text: str
    #: A sign before the words.
    glyph: str = ""


def row(badges: Sequence[Badge]) -> None:
    """Badges side by side, as wide as their words."""
    if badges:
        drawn = element("div", *map(_drawn, badges), class_="atlas-badges")
        text.show(drawn, width="content")


def _drawn(one: Badge) -> Markup:
    body = f"{one.glyph} {one.body}" if one.glyph else one.body
    tip = element("span", one.help_text, class_="tip")
    return element("span", body, tip, class_=f"badge {one.colour}", tabindex="0")
