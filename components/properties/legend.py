"""What the colours of a map mean, under it."""

from collections.abc import Sequence

from components.kit import text
from components.kit.formatting import count
from components.kit.text import element
from components.properties.classes import Class


def legend(classes: Sequence[Class]) -> None:
    """Each class with its colour, its words and how many are in it."""
    rows = (
        element(
            "li",
            element(
                "span", class_=f"swatch{' hollow' * one.hollow}", style=f"--fill: {one.colour}"
            ),
            element("span", f"{one.label} ({count(len(one.members))})"),
        )
        for one in classes
    )
    text.show(element("ul", *rows, class_="atlas-legend"))
