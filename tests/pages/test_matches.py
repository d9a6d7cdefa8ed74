"""Parties that may be one, on Sources: accepted there, held as one by the next build (D229)."""

from datetime import date

from services.contract.resolution import Pair
from services.desk.sqlite import SqliteDesk
from services.importers.parties import portfolio
from services.rebuilding import rebuild
from services.signals.assumptions import Assumptions
from tests.pages.screen import said
from tests.publishing import load
from tests.world import Sketch, info_of

ONE, OTHER = "ELM HOLDINGS, L.L.C.", "Elm Holdings LLC"
ROWS = f"""record,name,relation,deal,loan
link,{OTHER},borrower,Deal 1,10
link,"{ONE}",borrower,Deal 1,12
"""


def test_what_is_accepted_is_one_after_the_next_build(visit, tmp_path):
    s = Sketch(info_of("sec-absee:Deal 1", date(2024, 1, 31), title="Deal 1"))
    for number in ("10", "12"):
        s.loan(f"Deal 1:{number}", confidence_tier=None)
    typed = tmp_path / "typed.csv"
    typed.write_text(ROWS)
    store = tmp_path / "store"
    load(store, [s.portfolio(), portfolio(typed, as_of=date(2024, 1, 31))])
    app = visit("pages/sources.py", store, {})
    assert not app.exception
    assert "Parties that may be one: 1" in said(app)
    assert app.button(key="match Accept").disabled

    desk = SqliteDesk(store / "desk.sqlite")
    desk.decide("ana", Pair.of("party", ONE, OTHER), "accepted")
    (word,) = desk.decided()
    assert (word.first, word.second, word.verdict) == (ONE, OTHER, "accepted")
    before = rebuild(store, keep=3, assumptions=Assumptions.packaged())
    after = rebuild(store, keep=3, assumptions=Assumptions.packaged(),
                    verdicts={word.pair: word.verdict})  # fmt: skip
    assert (before.entities, after.entities) == (2, 1)

    assert not visit("pages/sources.py", store, {}).exception
