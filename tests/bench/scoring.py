"""How long a book takes to score, and how its severities are spread.

    python -m tests.bench.scoring LOANS

prints, as JSON, the seconds of scoring and the share of loans by worst severity.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from services.contract.portfolio import TABLES
from services.contract.vocabulary import SEVERITIES
from services.importers import demo
from services.signals.assumptions import Assumptions
from services.signals.engine import evaluate
from services.signals.period_rows import worst_ranks
from tests.bench.figures import Figure
from tests.oracle_notes import ungraded

ROOT = Path(__file__).parents[2]
#: What a book looks like where severities mean something: about a quarter of public CMBS loans are
#: on a watch list, about a tenth in special servicing.
BANDS = {"no signal": (40, 60), "elevated or worse": (15, 25), "severe or critical": (8, 14)}
SECONDS = 30


def figures(small: int, large: int) -> list[Figure]:
    """Calibration of the demonstration book; how long the large one takes to score."""
    shares = _scored(small)
    seconds = _scored(large)["seconds"]
    target = SECONDS if large >= 1_000_000 else None
    return [
        *(
            Figure("scoring", f"{small:,} loans: {name}", shares[name], "%", most, least=least)
            for name, (least, most) in BANDS.items()
        ),
        Figure("scoring", f"{large:,} loans: time to score", seconds, "s", target),
    ]


def _scored(loans: int) -> dict[str, float]:
    """In a process of its own, so that its memory is not that of what is measured next."""
    command = [sys.executable, "-m", "tests.bench.scoring", str(loans)]
    answer = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def _measured(loans: int) -> dict[str, float]:
    portfolio = demo.portfolio(loans=loans)
    tables = {name: getattr(portfolio, name) for name in TABLES}
    assumptions = Assumptions.packaged()
    start = time.perf_counter()
    scores = evaluate(tables, portfolio.info.as_of, assumptions)
    seconds = time.perf_counter() - start
    worst = worst_ranks(scores, loans)
    owing = np.array([ungraded(row) == "none" for row in portfolio.loans.to_pylist()])
    return {
        "seconds": seconds,
        "no signal": 100 * float(np.mean((worst < 0) & owing)),
        "elevated or worse": 100 * float(np.mean(worst >= SEVERITIES.index("elevated"))),
        "severe or critical": 100 * float(np.mean(worst >= SEVERITIES.index("severe"))),
    }


if __name__ == "__main__":
    json.dump(_measured(int(sys.argv[1])), sys.stdout)
