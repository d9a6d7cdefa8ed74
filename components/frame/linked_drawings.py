"""Drawings whose parts are links: bars, maps, matrices.

Real links, so that a keyboard walks them, a screen reader reads them and a click with Ctrl opens a
tab. Plotly's scripts take longer to run than all else on a page, and run in every tab again.
components/assets/linked.js has what the drawings share, sized.js how wide they are; each is drawn
by a script of its own, as text only.
"""

from collections.abc import Callable

from components.kit.component import component


def scripts(*names: str) -> list[str]:
    """The scripts of a drawing, after those that all share."""
    return [f"{name}.js" for name in ("sized", "linked", *names)]


def drawing(name: str, *before: str, html: str = "linked.html") -> Callable[..., object]:
    """Draws what it is sent by the script of that name, after those that it needs `before`."""
    return component(name, ["linked.css"], scripts(*before, name), html)
