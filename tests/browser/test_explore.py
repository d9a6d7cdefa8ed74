"""Explore in a real Chromium: a plot is drawn, and a box drawn in it lists its loans."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

from tests.browser.conftest import Tab, watched
from tests.publishing import load_once
from tests.servers import dashboard
from tests.tiers import turns
from tests.world import NEEDY, RATES, Sketch, info_of

pytestmark = pytest.mark.browser

#: How many loans Plotly itself holds for selected; the arrows of a plot are no loans.
SELECTED = """() => document.querySelector('.js-plotly-plot').data.filter(trace => trace.customdata)
    .reduce((sum, trace) => sum + (trace.selectedpoints || []).length, 0)"""
LEFT, TOP, RIGHT, BOTTOM = 0.3, 0.3, 0.8, 0.9


def draw(tab, corners):
    """Drags the mouse over the plot, from corner to corner in parts of its width and height."""
    box = tab.page.locator(".nsewdrag").first.bounding_box()
    points = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners]
    tab.drag(*points, steps=12)


@pytest.mark.parametrize(("tool", "axes"), turns(["box", "lasso"], ["", "&x=book_value&log=x"]))
def test_what_is_drawn_around_loans_lists_them_and_opens_them(tool, axes, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(f"/explore?state=TX,CA,NY{axes}")
    tab.page.wait_for_selector(".js-plotly-plot .scatterlayer .point")
    corners = [(LEFT, TOP), (RIGHT, BOTTOM)]
    if tool == "lasso":
        tab.page.locator('[data-attr="dragmode"][data-val="lasso"]').click()
        corners = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM), (LEFT, TOP + 0.01)]
    draw(tab, corners)
    heading = tab.page.get_by_role("heading", name="Chosen in the plot")
    heading.wait_for()
    tab.settled()
    chosen = tab.page.evaluate(SELECTED)
    assert chosen > 10
    assert heading.inner_text() == f"Chosen in the plot: {chosen} loans"
    assert f"{tool}=" in tab.page.url
    # The link alone draws it again.
    other = open_tab(demo_server)
    other.go(tab.page.url.removeprefix(demo_server))
    other.page.wait_for_function(f"() => ({SELECTED})() === {chosen}")
    again = other.page.get_by_role("heading", name="Chosen in the plot")
    assert again.inner_text() == f"Chosen in the plot: {chosen} loans"
    assert other.faults == []
    assert tab.page.locator("table caption", has_text="Loans").count() >= 1
    tab.page.get_by_role("link", name="Open as result").click()
    tab.page.get_by_text(f"Loans of a set of {chosen} numbers: {chosen}").wait_for()
    assert tab.faults == []


def test_a_box_that_is_taken_away_leaves_the_address_and_back_brings_it_again(
    demo_server, open_tab
):
    """D137."""
    tab = open_tab(demo_server)
    tab.go("/explore?state=TX,CA,NY&box=0.4,0.7,1,2")
    heading = tab.page.get_by_role("heading", name="Chosen in the plot")
    heading.wait_for()
    first = heading.inner_text()
    tab.page.get_by_role("button", name="Clear the selection").click()
    tab.page.wait_for_function("() => !location.search.includes('box=')")
    heading.wait_for(state="detached")
    tab.page.wait_for_function(f"() => ({SELECTED})() === 0")
    tab.page.go_back()
    heading.wait_for()
    assert heading.inner_text() == first
    tab.page.wait_for_function(f"() => ({SELECTED})() > 10")
    assert tab.faults == []


def test_a_click_on_a_mark_shows_its_loan_and_leaves_the_box(demo_server, open_tab):
    """D258."""
    tab = open_tab(demo_server)
    tab.go("/explore?state=TX&box=0,4,-5,9")
    marks = tab.page.locator(".js-plotly-plot .scatterlayer .point")
    marks.last.wait_for()
    tab.page.wait_for_function(f"() => ({SELECTED})() > 10")
    tab.settled()
    box = marks.first.bounding_box()
    tab.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tab.page.wait_for_function("() => location.search.includes('loan=')")
    tab.page.get_by_role("button", name="Close", exact=True).wait_for()
    tab.settled()
    number = tab.page.evaluate("() => new URLSearchParams(location.search).get('loan')")
    assert number in tab.page.locator(".st-key-drawer").inner_text()
    assert "box=" in tab.page.url
    tab.page.wait_for_function(f"() => ({SELECTED})() > 10")
    assert tab.page.get_by_role("heading", name="Chosen in the plot").count() == 1
    assert tab.faults == []


def test_on_a_narrow_page_fields_are_behind_a_button_but_for_those_that_are_set(
    demo_server, open_tab
):
    tab = open_tab(demo_server, width=420)
    tab.go("/explore?state=TX")
    fields = tab.page.locator(".atlas-fields .field:visible")
    assert fields.evaluate_all("all => all.map(one => one.dataset.name)") == ["state"]
    opens = tab.page.get_by_role("button", name="Filters (1)")
    opens.press("Enter")
    tab.page.get_by_role("combobox", name="Property type").wait_for()
    assert opens.get_attribute("aria-expanded") == "true"
    opens.press("Enter")
    assert fields.count() == 1
    assert tab.page.get_by_role("combobox", name="Show").count() == 0
    tab.page.get_by_role("button", name="Look", exact=True).click()
    tab.page.get_by_role("combobox", name="Show").wait_for()
    assert tab.faults == []


def test_another_look_brings_its_fields_closed(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/explore")
    tab.page.get_by_role("combobox", name="Show").click()
    tab.page.get_by_role("option", name="One figure, as boxes").click()
    tab.page.get_by_role("combobox", name="Split by").wait_for()
    tab.settled()
    assert tab.page.locator(".atlas-fields [role=listbox]:not([hidden])").count() == 0
    assert tab.faults == []


def test_a_chart_is_saved_as_a_picture_with_its_title_and_source(demo_server, open_tab, tmp_path):
    """D138."""
    tab = open_tab(demo_server)
    tab.go("/explore?property_type=office&state=TX")
    tab.page.wait_for_selector(".js-plotly-plot .scatterlayer .point")
    files = {}
    for form in ("PNG", "SVG"):
        with tab.page.expect_download() as download:
            tab.page.get_by_role("group", name="Picture of the chart").get_by_text(form).press(
                "Enter"
            )
        name = download.value.suggested_filename
        assert name == f"credit-atlas-dscr-by-ltv-office-loans-in-texas.{form.lower()}"
        download.value.save_as(tmp_path / name)
        files[form] = (tmp_path / name).read_bytes()
    assert files["PNG"].startswith(b"\x89PNG")
    assert int.from_bytes(files["PNG"][16:20], "big") > 1_500  # pixels across, two for each
    words = ["".join(one.itertext()) for one in ET.fromstring(files["SVG"]).iter()]  # noqa: S314
    assert "DSCR by LTV: Office loans in Texas" in words
    assert "As of 2026-09-30; Demonstration portfolio (synthetic)" in words
    # On the page it is as before.
    assert "As of 2026-09-30" not in tab.page.locator(".js-plotly-plot").inner_text()
    assert tab.faults == []


@pytest.mark.parametrize(
    ("path", "draws"),
    [("/", False), ("/loans?state=TX", False), ("/signals", False), ("/entities", False),
     ("/explore", True)],
)  # fmt: skip
def test_plotly_is_loaded_only_where_a_chart_is_seen(path, draws, demo_server, open_tab):
    tab = open_tab(demo_server)
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.go(path)
    if draws:
        tab.page.wait_for_selector(".js-plotly-plot")
    assert any("Plotly" in url for url in asked) == draws


def test_lists_of_loans_lead_to_their_plot(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX&min_ltv=60&order=-dscr&page=2")
    tab.page.get_by_role("link", name="Plot these").click()
    tab.page.get_by_role("heading", name="of at least 60.00%").wait_for()
    assert tab.page.url.endswith("/explore?state=TX&min_ltv=60")
    tab.page.get_by_role("link", name="List these loans").click()
    tab.page.get_by_text("of at least 60.00%: ").wait_for()
    assert tab.page.url.endswith("/loans?state=TX&min_ltv=60")
    tab.go("/entity?entity_name=Ellerdale%20Bank%20and%20Trust")
    heading = tab.page.get_by_role("heading", name="Its loans, the worst first:")
    listed = heading.inner_text().split(": ")[1]
    tab.page.get_by_role("button", name="Plot these").click()
    tab.page.get_by_role("heading", name=f"of a set of {listed} numbers").wait_for()
    assert tab.faults == []


HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=//evil.example/c.png onerror=alert(1)>",
    "@@=alert(1)",
    "=cmd|' /C calc'!A0",
    "%{x} %{customdata[0]} {y}",
    "<a href=//evil.example>x</a>",
    "שלום <b>עולם</b>",
    "x" * 190,
)


@pytest.fixture(scope="module")
def hostile_tab(tmp_path_factory, browser) -> Iterator[Tab]:
    folder = tmp_path_factory.mktemp("hostile explore")
    s = Sketch(info_of("hostile"))
    for at, word in enumerate(HOSTILE):
        further = {"property_name": word, "property_city": word, "lender_normalized": word}
        s.loan(word, **NEEDY | further, book_value=1_000_000 * (at + 1), property_type=word)
    load_once(folder, [s.portfolio()], rates=RATES)
    with dashboard(folder) as address:
        tab = watched(browser.new_context(), address)
        tab.page.on("dialog", lambda one: (tab.faults.append(f"dialog: {one}"), one.dismiss()))
        yield tab
        tab.page.context.close()


def test_hover_cards_and_legends_show_hostile_names_as_written(hostile_tab):
    tab = hostile_tab
    tab.go("/explore?x=book_value&y=dscr&clip=no&colour=property_type")
    points = tab.page.locator(".js-plotly-plot .scatterlayer .point")
    points.nth(len(HOSTILE) - 1).wait_for()
    seen = set()
    for at in range(len(HOSTILE)):
        box = points.nth(at).bounding_box()
        tab.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        card = tab.page.locator(".hoverlayer .hovertext").first
        card.wait_for()
        seen.add(card.locator("tspan").first.text_content())
        tab.page.mouse.move(0, 0)
        card.wait_for(state="detached")
    assert seen == {name if len(name) <= 60 else f"{name[:60]}…" for name in HOSTILE}
    said = tab.page.locator(".js-plotly-plot").text_content()
    assert all(word in said for word in HOSTILE[:7])
    assert tab.page.locator(".js-plotly-plot a[href], .js-plotly-plot image").count() == 0
    assert tab.faults == []


@pytest.mark.parametrize("show", ["boxes", "histogram", "vintages"])
def test_groups_of_hostile_names_are_shown_as_written(hostile_tab, show):
    hostile_tab.go(f"/explore?show={show}&x=book_value&by=lender")
    hostile_tab.page.wait_for_selector(".js-plotly-plot .main-svg")
    said = hostile_tab.text()
    assert "<script>alert(1)</script>".casefold() in said.casefold()
    assert hostile_tab.page.locator("a[href*=evil], img[src*=evil]").count() == 0
    assert hostile_tab.faults == []


#: Loans inside the lasso, and the filter that says the same of them.
IN_IT, FILTER = 30, "min_dscr=1.7&min_balance=15000000"
#: Corners of the lasso in the plot's own figures: book value across, DSCR up.
AROUND = [(1.5e7, 1.7), (3.0e7, 1.6), (6.5e7, 1.7), (6.5e7, 2.6), (3.0e7, 2.7), (1.5e7, 2.6)]
#: Where figures are on the screen.
PLACES = """figures => {
    const plot = document.querySelector('.js-plotly-plot')._fullLayout;
    const box = document.querySelector('.nsewdrag').getBoundingClientRect();
    return figures.map(([x, y]) => [box.x + plot.xaxis.d2p(x), box.y + plot.yaxis.d2p(y)]);
}"""
NUMBERS = """links => [...new Set(links.map(
    one => new URL(one.href).searchParams.get('loan_number')))].sort()"""


@pytest.fixture(scope="module")
def grouped_tab(tmp_path_factory, browser) -> Iterator[Tab]:
    """Thirty loans apart from forty others: those are smaller, or earn less."""
    folder = tmp_path_factory.mktemp("grouped explore")
    s = Sketch(info_of("grouped"))
    for at in range(IN_IT):
        s.loan(f"in-{at:02}", book_value=20_000_000 + 1_200_000 * at, dscr=1.9 + at * 17 % 30 / 60)
    for at in range(20):
        s.loan(f"a small {at:02}", book_value=1_000_000 + 300_000 * at, dscr=1.9 + at / 40)
        s.loan(f"a weak {at:02}", book_value=20_000_000 + 1_900_000 * at, dscr=0.9 + at / 50)
    load_once(folder, [s.portfolio()], rates=RATES)
    with dashboard(folder) as address:
        tab = watched(browser.new_context(), address)
        yield tab
        tab.page.context.close()


def listed(tab):
    """Numbers of the loans that a result lists."""
    return tab.page.locator('a[href*="loan?loan_number="]').evaluate_all(NUMBERS)


def test_a_lasso_of_thirty_points_is_what_the_filter_answers(grouped_tab):
    tab = grouped_tab
    tab.go("/explore?x=book_value&y=dscr&clip=no")
    tab.page.locator(".js-plotly-plot .scatterlayer .point").nth(IN_IT + 39).wait_for()
    tab.page.locator('[data-attr="dragmode"][data-val="lasso"]').click()
    places = tab.page.evaluate(PLACES, AROUND)
    tab.drag(*places, places[0], steps=12)
    tab.page.get_by_role("heading", name=f"Chosen in the plot: {IN_IT} loans").wait_for()
    assert tab.page.evaluate(SELECTED) == IN_IT
    tab.page.get_by_role("link", name="Open as result").click()
    tab.page.get_by_text(f"Loans of a set of {IN_IT} numbers: {IN_IT}").wait_for()
    tab.settled()
    # A page of them, by number: any of the others would stand before.
    first = [f"in-{at:02}" for at in range(25)]
    assert listed(tab) == first
    tab.go(f"/loans?{FILTER}")
    tab.page.get_by_text(f": {IN_IT}").first.wait_for()
    tab.settled()
    assert listed(tab) == first
    assert tab.faults == []
