"""Our scripts in the browser: what they may do, and what counts of what they send."""

import re
from pathlib import Path

import pytest

from components.frame import linked_drawings, links
from components.kit.asset import ASSETS, asset

SCRIPTS = sorted(path.name for path in ASSETS.glob("*.js"))
SINKS = (
    r"innerHTML|outerHTML|insertAdjacent|document\.write|createContextual|DOMParser|srcdoc"
    r"|setHTML|\beval\b|Function\b|import\(|fetch|XMLHttp|@import|url\((?!#)"
    # Words of other windows, and what would stay in the browser.
    r"|javascript:|postMessage|[\"']message[\"']"
    r"|localStorage|sessionStorage|indexedDB|document\.cookie|caches\.|serviceWorker"
    # Names of parties are keys of a Map or of nothing; `__proto__` is a word like any other. A copy
    # by spread or assign takes own fields of objects that Python sent, by fixed names.
    r"|__proto__|\bfor \((?:const|let|var) \w+ in |\.prototype\b"
    r"|(?:deepMerge|merge|extend|defaultsDeep)\("
)


def test_every_script_is_known():
    assert SCRIPTS == [
        "address.js", "bars.js", "fields.js", "graph.js", "ledger.js",
        "linked.js", "listbox.js", "matrix.js", "navigation.js", "picture.js", "places.js",
        "player.js", "search.js", "sized.js", "states.js", "tour.js", "viewing.js", "webgl.js",
    ]  # fmt: skip


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_reads_words_as_code_hears_another_window_or_keeps_anything(name):
    text = (ASSETS / name).read_text(encoding="utf-8")
    assert re.findall(SINKS, text) == []
    # The namespace of SVG is a name, and nothing is asked of it.
    assert set(re.findall(r"https?:[^\"'`\s]*", text)) <= {"http://www.w3.org/2000/svg"}


def test_the_one_script_that_keeps_anything_keeps_fixed_words():
    text = (ASSETS.parent / "platform" / "kept.js").read_text(encoding="utf-8")
    assert set(re.findall(SINKS, text)) == {"localStorage", "sessionStorage"}
    assert re.findall(r"setItem\((.*)\);", text) == [
        '`stActiveTheme-${root}${path}-v2`, JSON.stringify(wanted === system ? "System" : wanted)',
        '"atlas-tour", "offered"',
        '"atlas-tour", "offered"',
    ]


@pytest.mark.parametrize("name", ["bars", "matrix", "places", "states"])
def test_a_drawing_is_the_shared_script_and_its_own(name):
    shared = "".join(
        (ASSETS / one).read_text(encoding="utf-8") for one in ("sized.js", "linked.js")
    )
    own = (ASSETS / f"{name}.js").read_text(encoding="utf-8")
    assert asset(*linked_drawings.scripts(name)) == shared + own
    assert f'drawing(parentElement, "{name}")' in own
    assert Path(ASSETS / "linked.css").read_text(encoding="utf-8").count(f".atlas-{name}") > 0


@pytest.mark.parametrize(
    "sent",
    [None, 7, ["loans?state=TX"], "", "loans?state=NY", "//evil.example", "javascript:alert(1)"],
)
def test_an_address_that_was_not_offered_opens_nothing(monkeypatch, sent):
    opened = []
    monkeypatch.setattr(links, "open_page", lambda *page: opened.append(page))
    links.follow(sent, {"loans?state=TX", "//evil.example"})
    assert opened == []
    links.follow("loans?state=TX", {"loans?state=TX"})
    assert [(route.title, params) for route, params in opened] == [("Loans", {"state": "TX"})]
