"""The Map page over the whole book: its first picture, changes of view and filter, its messages.

As screens.py measures pages: Streamlit's own script runner, no browser, and nothing remembered of
any answer; the columns that answers are made of are, as in use.
"""

import gc
import json
import logging
import os
import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from streamlit.testing.v1 import AppTest

from components.properties.filters import COLOURS
from services.contract.cells import SIZES
from services.contract.properties import PropertyFilter
from services.contract.vocabulary import SEVERITIES
from services.store.source import StoreSource
from tests.bench.figures import Figure, Run, spread
from tests.bench.questions import Questions
from tests.bench.screens import PATIENCE_S, checked, clock, forgetting
from tests.bench.stores import ROOT

FIRST_S, CHANGE_MS, MESSAGE_MB = 3, 200, 1.5
MOST_POINTS, MOST_CELLS = 10_000, 3_000
_MB: Final = 1_000_000
#: The marks of a picture, not what lies under or around them.
_MARKS: Final = "class-"

Params = dict[str, str]


def figures(store: Path, source: StoreSource, pool: Questions, runs: int) -> Iterator[Figure]:
    """Those of the page, then the largest message and the most marks of each layer."""
    os.environ |= {"CREDIT_ATLAS_STORE": str(store), "CREDIT_ATLAS_SOURCE": "store"}
    logging.disable(logging.WARNING)  # else Streamlit tells at every run that it is no server
    rng = random.Random(20_261_123)
    drawn: dict[str, list[tuple[int, int]]] = defaultdict(list)
    with ExitStack() as around:
        scripts, forget = around.enter_context(clock()), around.enter_context(forgetting())
        app = AppTest.from_file(ROOT / "app.py", default_timeout=PATIENCE_S)
        checked(app.run(), "pages/overview.py")
        app.switch_page("pages/map.py")

        def shown(params: Params) -> Run:
            forget()
            scripts.clear()
            app.query_params = params
            checked(app.run(), str(params))
            drawn[_layer(params)].append(_sent(app))
            return Run(*map(sum, zip(*scripts, strict=True)))

        first = shown({})
        yield Figure("map", "first picture, no position read yet", first.wall / 1000, "s", FIRST_S,
                     detail={"cpu": first.cpu, "runs": 1})  # fmt: skip
        whole = [_look(colour=colour) for colour in COLOURS]
        whole += [{"layer": layer, "size": size}
                  for layer in ("hexagons",) for size in SIZES]  # fmt: skip
        largest = source.property_cells(PropertyFilter(), "middle", 1).cells[0].cell
        whole += [{**_look(colour=colour), "cell": largest} for colour in COLOURS]
        for params in whole:  # every look reads its columns once, as in the first minutes of use
            shown(params)
        gc.collect()  # as a server does once its pages are warm
        gc.freeze()
        taken = [shown(_change(rng, pool, largest)) for _ in range(runs)]
        yield spread("map", "a change of view or filter", taken, target=CHANGE_MS)
    for name, sent in sorted(drawn.items()):
        size = max(size for size, _ in sent) / _MB
        yield Figure("map", f"{name}: largest message", size, "MB", MESSAGE_MB)
    for kind, most in (("points", MOST_POINTS), ("cells", MOST_CELLS)):
        marks = max(marks for name, sent in drawn.items() for _, marks in sent
                    if name.startswith("points") == (kind == "points"))  # fmt: skip
        yield Figure("map", f"most {kind} at once", marks, kind, most + 1)


def _look(**params: str) -> Params:
    """Points, which the address need not say, or what it says."""
    return {name: word for name, word in params.items() if word not in {"points", "severity"}}


def _change(rng: random.Random, pool: Questions, cell: str) -> Params:
    """The next thing that somebody asks of the map: a look, up to two filters, or a cell."""
    asked = rng.choice(
        [
            _look(colour=rng.choice(list(COLOURS))),
            {"layer": "hexagons", "size": rng.choice(list(SIZES))},
        ]
    )
    draws: dict[str, Any] = {
        "state": lambda: ",".join(sorted(rng.sample(pool.states[:12], 2))),
        "property_type": lambda: rng.choice(("office", "retail", "multifamily")),
        "severity": lambda: rng.choice(SEVERITIES[1:]),
        "min_balance": lambda: str(rng.choice((1, 5, 20)) * 1_000_000),
        "lender": pool.lender,
    }
    asked |= {name: draws[name]() for name in rng.sample(sorted(draws), rng.randrange(3))}
    if "layer" not in asked and rng.random() < 0.3:
        asked["cell"] = cell
    return asked


def _layer(params: Params) -> str:
    """What a picture is, in words."""
    return f"{params['layer']}, {params['size']}" if "layer" in params else "points"


def _sent(app: AppTest) -> tuple[int, int]:
    """Bytes of what deck.gl is sent, and the marks in it; none where nothing matches."""
    charts = app.get("deck_gl_json_chart")
    if not charts:
        return 0, 0
    sent = charts[0].proto.SerializeToString()
    layers = json.loads(charts[0].proto.json)["layers"]
    marks = sum(len(one["data"]) for one in layers if one["id"].startswith(_MARKS))
    return len(sent), marks
