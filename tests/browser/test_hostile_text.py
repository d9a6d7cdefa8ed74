"""Hostile names in every field of a store and in the address: shown as written, and nothing more.

One sheet says each of tests/hostile.py in every way that the door for words has; then the pages of
the app are opened where such names stand. There must be no foreign request, no exception and no
dialog, and no link, picture, heading, formula, colour or icon that is not ours.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote, urlencode
from xml.etree import ElementTree as ET

import pytest

from components.frame.routes import ROUTES
from services.contract.portfolio import REJECTS, Portfolio, shaped
from services.contract.track_record import TrackRecord
from services.track_record.saved import FILE, packaged_run, save
from tests.browser.conftest import Tab, watched
from tests.hostile import WORDS
from tests.publishing import load_once
from tests.servers import dashboard
from tests.world import NEEDY, RATES, Sketch, info_of

pytestmark = pytest.mark.browser

#: All of them in two names, each short enough for an address; and what fits into a search.
LONG = (" ".join(WORDS[::2]), " ".join(WORDS[1::2]))
OWNERS = (f"# {LONG[0]}", f"- {LONG[1]}")
#: Stands above all of the borrowers.
HEAD = "<b>Head</b> & Co [x](//evil.example)"
SHORT = " ".join(WORDS[:9])[:200].strip()
#: Lends to a loan in a city that is on the map.
LENDER = "![Mutual](//mutual.life)"
CITY = "@@#<Dallas>"
PATHS = ("", *(one.path for one in ROUTES))

#: Everything in the page that is not ours. In Streamlit's Markdown words make one paragraph;
#: spans without content keep them apart.
STRAYS = r"""paths => {
  const found = [];
  const stray = (what, one) => found.push(`${what}: ${one.outerHTML.slice(0, 200)}`);
  // Our own document of decisions is Markdown, and meant to be.
  const all = selector => [...document.querySelectorAll(selector)]
    .filter(one => !one.closest('.st-key-decisions'));
  for (const one of all('a')) {
    const href = one.href.baseVal ?? one.href;
    if (!href) continue;
    const to = new URL(href, location.href);
    if (to.origin !== location.origin || !paths.includes(to.pathname.slice(1))) stray('link', one);
  }
  all('img, image, iframe, object, embed, video, audio, math, .katex')
    .forEach(one => stray('picture or formula', one));
  all('h1, h2, h3, h4, h5, h6').filter(one => !/^atlas-(title|heading|hero)$/.test(one.className))
    .forEach(one => stray('heading', one));
  const chip = '(<span class="grade \\w+">[^<]*</span>)?';
  const words = new RegExp(
    `^<(h[123]|p) class="atlas-\\w+"( tabindex="0")?( id="[a-z]+")?>`
    + `${chip}(<strong>[^<]*</strong>)?[^<]*</\\1>$`);
  const boxes = '.atlas-table, .atlas-figures, .atlas-folded, .atlas-badges, .atlas-beside, '
    + '.atlas-closed, .atlas-parts, .atlas-proceeds, .atlas-stack, .atlas-legend, .atlas-preview, '
    + '[class^=atlas-severities]';
  all('[data-testid=stHtml] > :not(style)')
    .filter(one => !words.test(one.outerHTML) && !one.matches(boxes))
    .filter(one => one.outerHTML !== '<span></span>')
    .forEach(one => stray('html', one));
  const tags = new RegExp('^(div|p|h[234]|span|strong|nav|a|table|caption|thead|tbody|tr|th|td'
    + '|details|summary|ul|li)$', 'i');
  // A style says nothing but parts of a bar and colours; where links lead is looked at above.
  const attributes = /^(class|scope|role|tabindex|aria-label|aria-hidden|open|id|href|title)$/;
  const bar = /^(--[a-z]+: ?(\d+%|#[0-9a-f]{6});? ?)+$/;
  all(boxes).flatMap(one => [one, ...one.querySelectorAll('*')])
    .filter(one => !tags.test(one.tagName)
      || [...one.attributes].some(each => !attributes.test(each.name)
        && !(each.name === 'style' && bar.test(each.value))))
    .forEach(one => stray('html', one));
  all('[data-testid=stMarkdownContainer] *, [data-testid=stCaptionContainer] *').filter(one =>
      !(one.tagName === 'P' && !one.attributes.length)
      && !(one.tagName === 'SPAN' && !one.attributes.length && !one.childNodes.length))
    .forEach(one => stray('markdown', one));
  return found;
}"""


def book() -> Portfolio:
    """Every field that a source fills holds a hostile word; two loans and their owners hold all."""
    told = {"title": LONG[0], "publisher": LONG[1], "files": WORDS}
    s = Sketch(replace(info_of("hostile", **told), terms=LONG[0], unmapped=dict.fromkeys(WORDS, 1)))
    for at, number in enumerate((*WORDS, *LONG)):
        one, two, three, four = (WORDS[(at + by) % len(WORDS)] for by in (1, 2, 3, 4))
        words = {"property_name": one, "address": two, "property_type": three}
        codes = {"payment_status": one, "workout": two, "structure": three, "income_basis": four}
        where = {"property_city": four, "property_state": one if at % 2 else "TX"}
        further = json.dumps({one: two, three: [four, {one: two}]})
        s.loan(number, **words, **codes, **where, **NEEDY, lender_normalized=four, further=further)
        s.layer(number, 1, one, two, layer=three, amount=1)
        s.layer(number, 2, LENDER, four, layer=one)
        s.place(number, **words, city=three, state=four, further=further)
        own = OWNERS[at % 2] if number in LONG else f"{one} & Co {at}"
        s.lease(number, one)
        s.party(own, three)
        s.tie(number, "borrower", own, 0.9)
        s.link(own, "owned_by", s.party(f"{two} & Co {at + 100}", four), 0.8, 0.5)
        s.link(own, "owned_by", s.party(HEAD, "sponsor"), 0.8)
        s.tie(number, two, s.party(f"{three} & Co {at + 200}", one), 0.6)
    s.loan("mapped", property_city=CITY, lender_normalized=LENDER, property_type="state")
    rejects = {"record": [*WORDS, LONG[0]], "reason": [*WORDS[::-1], LONG[1]]}
    return replace(s.portfolio(), rejects=shaped(REJECTS, rejects))


def track_record() -> TrackRecord:
    """A run over a trust and loans of hostile names."""
    run = packaged_run()
    trusts = tuple(run.trusts[0].model_copy(update={"trust": name}) for name in LONG)
    distressed = tuple(
        run.distressed[0].model_copy(
            update={"loan_number": word, "property_name": word, "property_type": LONG[0]}
        )
        for word in WORDS
    )
    return run.model_copy(update={"trusts": trusts, "distressed": distressed})


@pytest.fixture(scope="module")
def hostile_tab(tmp_path_factory, browser) -> Iterator[Tab]:
    """One tab for all pages on a server of its own: what it has loaded once, it keeps."""
    folder = tmp_path_factory.mktemp("hostile") / "store"
    load_once(folder, [book()], rates=RATES)
    save(track_record(), folder / FILE)
    with dashboard(folder) as address:
        tab = wary(watched(browser.new_context(), address))
        yield tab
        tab.page.context.close()


@pytest.fixture
def tab(hostile_tab) -> Tab:
    hostile_tab.faults.clear()
    return hostile_tab


def wary(tab: Tab) -> Tab:
    """The tab, which now notes dialogs too."""
    tab.page.on("dialog", lambda one: (tab.faults.append(f"dialog: {one}"), one.dismiss()))
    return tab


def strays(tab: Tab) -> list[str]:
    """What is in the page, or happened to it, that is not ours."""
    assert tab.page.locator("[data-testid=stException]").count() == 0
    assert "could not be drawn" not in tab.text()
    return tab.page.evaluate(STRAYS, list(PATHS)) + tab.faults


def shows(tab: Tab, *words: str) -> None:
    """Waits until the page has all of these words, cells of tables too."""
    said = "words => words.every(one => document.body.textContent.includes(one))"
    tab.page.wait_for_function(said, arg=list(words))


def test_every_word_is_shown_as_written_in_every_way_of_saying_it(tmp_path, open_tab):
    with dashboard(tmp_path, "tests/browser/words_sheet.py") as address:
        tab = wary(open_tab(address))
        tab.go("/")
        pills = tab.page.locator("[data-testid=stButtonGroup] [data-testid=stMarkdownContainer]")
        pills.last.wait_for()
        legend = tab.page.locator(".atlas-bars .legend li")
        legend.last.wait_for()
        said = tab.page.evaluate(
            """() => [...document.querySelectorAll('[class*=st-key-markdown-]')].map(words =>
              [...words.querySelectorAll('[data-testid=stMarkdownContainer]')]
                .map(one => one.textContent))"""
        )
        assert said == [[words] * 2 for words in WORDS]
        said = tab.page.locator(".st-key-not-markdown [data-testid=stElementContainer]")
        assert said.all_text_contents() == [" ".join(WORDS)] * 9
        assert pills.all_text_contents() == ["Words", *WORDS]
        assert sorted(legend.all_text_contents()) == sorted(WORDS)
        assert strays(tab) == []


PAGES = {
    "/": (),
    "/signals?measure=loans&severity=any": ("All signals: 144", WORDS[0]),
    f"/calendar?find={quote(WORDS[2])}&date_before=2099-01-01": (WORDS[2],),
    "/calendar?look=month": (),
    "/sources": (LONG[0], LONG[1]),
    "/check_sheet": (LONG[0],),
    "/track_record": (LONG[0], LONG[1]),
    f"/loans?lender={quote(SHORT)}": (f"No results. Loans lent by or serviced by “{SHORT}”",),
    f"/what_if?rates=100&noi=-10&sponsor={quote(OWNERS[0])}": (f"of the sponsor “{OWNERS[0]}”",),
    f"/entities?name={quote(SHORT)}": (f"“{SHORT}”",),
    **{f"/loan?loan_number={quote(name)}": (name,) for name in LONG},
    **{f"/entity?entity_name={quote(name)}": (name,) for name in OWNERS},
    "/sponsors": (HEAD,),
    "/explore?x=book_value&y=dscr&clip=no&colour=property_type": ("DSCR by Book value: All loans",),
    f"/explore?x=book_value&y=dscr&clip=no&loan={quote(WORDS[3])}": (WORDS[3],),
    "/explore?show=boxes&x=book_value&by=property_type": (WORDS[2], WORDS[40]),
    "/explore?show=histogram&x=book_value&by=lender": (LENDER,),
    **{
        f"/family?entity_name={quote(HEAD)}&lanes=lender&loan={quote(name)}": (name, HEAD, WORDS[3])
        for name in LONG
    },
    "/map": (WORDS[0], WORDS[3]),
    f"/map?layer=hexagons&find={quote(WORDS[2])}": (WORDS[2],),
    f"/map?lender={quote(LENDER)}": (f"Loans lent by or serviced by “{LENDER}”", WORDS[0]),
    f"/family?entity_name={quote(HEAD)}&on_map=yes": (HEAD, "Show the map"),
    f"/loan?loan_number={quote(LONG[0])}&on_map=yes": (LONG[0], "Show the map"),
    f"/capital_graph?entity_name={quote(OWNERS[0])}": (f"Capital around {OWNERS[0]}",),
    f"/connection?from_entity={quote(OWNERS[0])}&to_loan={quote(LONG[0])}": (
        f"{OWNERS[0]} and ",
        f" ({LONG[0]})",
    ),
    f"/capital_graph?loan_number={quote(LONG[1])}&relation={quote(WORDS[3])}": (
        f"Paths from {LONG[1]}",
        f"relation {WORDS[3]}",
    ),
    f"/loan?loan_number={quote(WORDS[0] + 'x')}": (f"'{WORDS[0]}x'", "Numbers written like it"),
    f"/entity?entity_name={quote(WORDS[9] + ' & Ca')}": ("Names written like it", "& Co"),
    f"/capital_graph?entity_name={quote(WORDS[13] + ' & Ca')}": (f"'{WORDS[13]} & Ca'", "& Co"),
    **{
        f"/{path}?{urlencode({name: value})}": (f"'{said}'",)
        for path, name, value, said in (
            ("loans", LENDER, "1", LENDER),
            ("signals", "severity", "[x](//evil.example)", "[x](//evil.example)"),
            ("entities", "page", ":material/home: $x$", ":material/home: $x$"),
            ("capital_graph", "www.evil.example a@b.c", "1", "www.evil.example a@b.c"),
        )
    },
}


@pytest.mark.parametrize("path", PAGES, ids=[f"{at} {path[:24]}" for at, path in enumerate(PAGES)])
def test_a_page_shows_hostile_names_as_written(path, tab):
    tab.go(path)
    shows(tab, *PAGES[path])
    assert strays(tab) == []


def test_a_place_on_the_map_of_a_pool_is_named_by_its_tooltip(tab):
    tab.go("/")
    point = tab.page.locator(".atlas-places a").first
    point.hover()
    said = tab.page.locator(".atlas-places .tip p").all_text_contents()
    assert said[0].startswith(f"{CITY}, TX, $")
    assert point.get_attribute("aria-label") == "; ".join(said)
    assert strays(tab) == []


def test_the_map_of_hostile_names_is_taken_away(tab, tmp_path):
    tab.go(f"/map?lender={quote(LENDER)}")
    for form, head in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name=form, exact=True).click()
        download.value.save_as(tmp_path / form)
        assert (tmp_path / form).read_bytes().startswith(head)
    assert strays(tab) == []


def test_hostile_names_without_webgl(hostile_tab, chromium, browser):
    flags = ["--headless", "--no-sandbox", "--disable-quic", "--disable-webgl", "--disable-3d-apis"]
    with browser.browser_type.launch(executable_path=chromium, args=flags) as without:
        tab = wary(watched(without.new_context(), hostile_tab.address))
        tab.page.goto(f"{tab.address}/map?lender={quote(LENDER)}")
        tab.page.get_by_text("This browser has no WebGL").wait_for()
        tab.settled()
        tab.page.locator(".atlas-places a").first.wait_for()
        shows(tab, f"Loans lent by or serviced by “{LENDER}”", CITY)
        # Where the drawing came before the answer that there is no WebGL, deck.gl says so too.
        assert [one for one in strays(tab) if "WebGL context" not in one] == []


def test_a_node_of_the_graph_is_named_by_its_tooltip(tab):
    tab.go(f"/capital_graph?entity_name={quote(OWNERS[1])}&depth=1")
    node = tab.page.locator(".atlas-graph .node[tabindex='0']")
    node.scroll_into_view_if_needed()
    node.hover()
    tip = tab.page.locator(".atlas-graph .tip")
    assert tip.locator("p").first.text_content() == OWNERS[1]
    assert set(tip.evaluate("one => [...one.querySelectorAll('*')].map(a => a.tagName)")) == {"P"}
    assert node.get_attribute("aria-label").startswith(OWNERS[1])
    assert strays(tab) == []


def test_the_saved_drawing_holds_no_more_than_ours(tab, tmp_path):
    tab.go(f"/capital_graph?entity_name={quote(OWNERS[1])}&depth=1")
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="as SVG").click()
    download.value.save_as(tmp_path / "drawing.svg")
    tags = {one.tag.partition("}")[2] for one in ET.parse(tmp_path / "drawing.svg").iter()}  # noqa: S314
    assert tags <= {"svg", "title", "rect", "text", "clipPath", "g", "path", "circle", "line",
                    "defs", "marker"}  # fmt: skip
    assert strays(tab) == []


def test_the_sources_are_named_by_the_tooltip_of_their_badge(tab):
    tab.go("/")
    badge = tab.page.locator(".badge", has_text="Reported data")
    tip = badge.locator(".tip")
    assert not tip.is_visible()
    badge.hover()
    assert tip.inner_text() == f"Loaded: {LONG[0]}"
    tab.page.mouse.move(0, 0)
    badge.focus()
    assert tip.is_visible()
    assert strays(tab) == []


def test_what_a_search_finds_is_named_by_links(tab):
    tab.go("/capital_graph")
    box = tab.page.get_by_role("textbox", name="Loan number or name")
    box.fill("evil example & Co")
    box.press("Enter")
    tab.page.locator("[data-testid=stPageLink]").nth(7).wait_for()
    tab.settled()
    labels = tab.page.locator("[data-testid=stPageLink]").all_text_contents()
    assert len([one for one in labels if "evil" in one]) == 8
    assert strays(tab) == []
