"""What the rules could not test, and why: silence is not health."""

from collections.abc import Sequence

from components.frame import links, scope
from components.frame.routes import SOURCES
from components.kit import tables, text
from components.kit.card import card
from components.kit.formatting import count, share
from services.contract.snapshot_info import RuleCoverage


def panel(coverage: Sequence[RuleCoverage], loans: int) -> None:
    """Rules by how many loans they could not be tested on, each with its commonest reason."""
    with card("What the rules could not test", level=2):
        if scope.chosen():
            text.caption("Of all loans that are loaded, whatever the scope.")
        lacking = sorted(
            (one for one in coverage if one.not_testable),
            key=lambda one: (-one.not_testable, one.rule),
        )
        if not lacking:
            text.caption("Every rule could be tested on every loan that it is about.")
            return
        tables.plain(
            [
                {
                    "Rule": f"{one.rule} {one.title}",
                    "Not testable": count(one.not_testable),
                    "Of the loans": share(one.not_testable, loans),
                    "Mostly because": max(
                        one.reasons.items(), key=lambda why: why[1], default=("",)
                    )[0],
                }
                for one in lacking
            ],
            "Rules and the loans on which they could not be tested",
            figures=("Not testable", "Of the loans"),
        )
        links.link(SOURCES, "Rules, their limits and all reasons", "arrow_forward")
