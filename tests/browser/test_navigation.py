"""The band at the top of every page, in a real browser: links, menus, theme, tour (D267)."""

import re

import pytest
from playwright.sync_api import expect

from components.frame.routes import GROUPS, IN_NAVIGATION

pytestmark = pytest.mark.browser

PAGES = [route.title for route in IN_NAVIGATION]
GROUP_OF = {route.title: group for group, pages in GROUPS.items() for route in pages}


def band(tab):
    return tab.page.get_by_role("navigation", name="Pages")


def menu(tab, group):
    return band(tab).get_by_role("button", name=group, exact=True)


def link(tab, title):
    """The link of a page, its group opened."""
    if menu(tab, GROUP_OF[title]).get_attribute("aria-expanded") == "false":
        menu(tab, GROUP_OF[title]).click()
    return band(tab).get_by_role("link", name=title, exact=True)


def shortcuts(tab):
    """The list of keys, opened."""
    tab.page.keyboard.press("?")
    return tab.page.get_by_role("dialog", name="Keyboard shortcuts")


def current(tab):
    return band(tab).locator("[aria-current=page]").all_text_contents()


def test_its_links_lead_round_all_pages_without_reloading(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loan?loan_number=CA-000012")
    assert band(tab).locator("a").all_text_contents() == PAGES
    assert current(tab) == []
    tab.page.evaluate("() => { window.untouched = true; }")
    for title in reversed(PAGES):
        link(tab, title).click()
        expect(tab.page.locator("h1")).to_have_text(title)
        tab.settled()
        assert current(tab) == [title]
    assert tab.page.url == f"{demo_server}/"
    assert tab.page.evaluate("() => window.untouched")
    assert tab.faults == []


def test_a_page_opens_without_the_parameters_of_the_one_before_and_back_brings_them(
    demo_server, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX&page=2")
    tab.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 400)")
    link(tab, "Signals").click()
    expect(tab.page.locator("h1")).to_have_text("Signals")
    tab.settled()
    assert tab.page.url == f"{demo_server}/signals"
    assert tab.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop") == 0
    tab.page.go_back()
    expect(tab.page.locator("h1")).to_have_text("Loans")
    tab.settled()
    assert re.search(r"/loans\?(state=TX&page=2|page=2&state=TX)$", tab.page.url)
    assert "26 to 50 of" in tab.text()
    # The page that stands already, again.
    link(tab, "Loans").click()
    tab.page.wait_for_url("**/loans")
    tab.page.get_by_text("All loans:").wait_for()
    tab.page.go_back()
    tab.page.get_by_text("Loans in Texas:").wait_for()
    assert tab.faults == []


@pytest.mark.parametrize("after", [4, 10, 16, 28])
def test_pages_that_are_left_before_they_are_drawn_change_neither_the_next_nor_its_address(
    after, demo_server, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/loans")
    # As the browser's Back and Forward do.
    tab.page.evaluate(
        """async after => {
          for (const address of ["signals?state=TX", "loans"]) {
            history.pushState(null, "", address);
            dispatchEvent(new PopStateEvent("popstate"));
            await new Promise(resolve => setTimeout(resolve, after));
          }
        }""",
        after,
    )
    tab.page.get_by_text("All loans:").wait_for()
    tab.settled()
    assert tab.page.url == f"{demo_server}/loans"
    assert current(tab) == ["Loans"]
    # What is asked next is asked of this page alone.
    tab.page.get_by_role("columnheader", name="Book value").get_by_role("button").click()
    tab.page.wait_for_url("**/loans?order=*")
    assert tab.page.url == f"{demo_server}/loans?order=-book_value"
    assert tab.faults == []


def test_a_click_with_ctrl_opens_a_tab(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX")
    with tab.page.context.expect_page() as coming:
        link(tab, "Signals").click(modifiers=["Control"])
    coming.value.wait_for_selector("h1 >> text=Signals")
    assert tab.page.url == f"{demo_server}/loans?state=TX"


def test_the_mark_and_the_pages_are_the_first_of_a_page_that_a_keyboard_reaches(
    demo_server, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/loans")
    focused = """() => {
      const one = document.activeElement;
      return one.closest(".atlas-navigation") && (one.ariaLabel || one.textContent);
    }"""
    reached = []
    # Streamlit's link past its own navigation comes first, and what scrolls has the focus too.
    for _ in range(len(GROUPS) + 10):
        tab.page.keyboard.press("Tab")
        reached.append(tab.page.evaluate(focused))
    searched = (
        "Search  ( / )", "On this page", "Copy link", "Take the tour", "Light or dark",
        "Keyboard shortcuts",
    )  # fmt: skip
    ways = ["Skip to the table", "Credit Atlas", *GROUPS, *searched]
    assert [one for one in reached if one] == ways


def test_arrow_keys_walk_through_the_groups_and_their_pages(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    focused = "() => document.activeElement.textContent"

    def after(key):
        tab.page.keyboard.press(key)
        return tab.page.evaluate(focused)

    menu(tab, "Portfolio").focus()
    assert [after(key) for key in ("ArrowLeft", "ArrowRight", "ArrowRight")] == [
        "Data",
        "Portfolio",
        "Signals",
    ]
    assert [after(key) for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp")] == [
        "Signals",
        "Changes",
        "Track record",
        "Changes",
    ]
    expect(menu(tab, "Signals")).to_have_attribute("aria-expanded", "true")
    assert after("Escape") == "Signals"
    expect(menu(tab, "Signals")).to_have_attribute("aria-expanded", "false")
    # Another menu closes the one that is open, and a click elsewhere closes it too.
    menu(tab, "Data").click()
    menu(tab, "Work").click()
    expect(menu(tab, "Data")).to_have_attribute("aria-expanded", "false")
    tab.page.mouse.click(700, 860)
    expect(menu(tab, "Work")).to_have_attribute("aria-expanded", "false")
    menu(tab, "Data").press("Enter")
    menu(tab, "Data").press("ArrowDown")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("h1")).to_have_text("Sources")
    tab.settled()
    assert tab.faults == []


def test_on_a_narrow_window_the_pages_are_a_list_that_opens_and_closes(demo_server, open_tab):
    tab = open_tab(demo_server, width=420)
    tab.go("/loans")
    link = band(tab).get_by_role("link", name="Signals")
    button = tab.page.get_by_role("button", name=re.compile("^Pages"))
    expect(link).to_be_hidden()
    button.click()
    expect(link).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    button.click()
    expect(link).to_be_visible()
    tab.page.mouse.click(400, 850)
    expect(link).to_be_hidden()
    button.press("Enter")
    link.click()
    expect(tab.page.locator("h1")).to_have_text("Signals")
    expect(link).to_be_hidden()
    assert tab.page.evaluate("() => document.documentElement.scrollWidth") <= 420
    assert tab.faults == []


def test_slash_lists_the_actions_and_question_mark_the_shortcuts(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    dialog = shortcuts(tab)
    expect(dialog).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    tab.page.keyboard.press("/")
    options = tab.page.get_by_role("listbox", name="What is found").get_by_role("option")
    expect(options.first).to_have_text("Copy the link to this page")
    # There is nothing to watch on a list.
    assert "Watch what is on this page" not in options.all_text_contents()
    tab.page.keyboard.type("export this")
    expect(options).to_have_text(["Export this result"])
    tab.page.keyboard.press("Enter")
    assert tab.page.evaluate("() => document.activeElement.closest('[class*=-export]') !== null")
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("critical office in TX")
    expect(options).to_have_text(["Loanscritical office in TX"])
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**/loans?*severity=critical*")
    tab.settled()
    assert "property_type=office" in tab.page.url
    assert "state=TX" in tab.page.url
    assert tab.faults == []


def scheme(tab):
    return tab.page.evaluate("() => getComputedStyle(document.querySelector('.stApp')).colorScheme")


def other_scheme(tab, before):
    """That of the page once it is loaded again in the other colours."""
    tab.page.wait_for_function(
        "was => getComputedStyle(document.querySelector('.stApp')).colorScheme !== was", arg=before
    )
    tab.settled()
    return scheme(tab)


def test_the_theme_that_is_chosen_holds_on_every_page_and_back_at_the_system_s_follows_it(
    demo_server, open_tab
):
    tab = open_tab(demo_server)
    tab.go("/loans?state=TX")
    before = scheme(tab)
    button = tab.page.get_by_role("button", name="Light or dark")
    button.click()
    after = other_scheme(tab, before)
    assert {before, after} == {"light", "dark"}
    # The same result, in the other colours.
    assert tab.page.url == f"{demo_server}/loans?state=TX"
    tab.go("/signals")
    assert scheme(tab) == after
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("switch between")
    tab.page.get_by_role("option", name="Switch between light and dark").click()
    other_scheme(tab, after)
    kept = tab.page.evaluate("() => Object.entries(localStorage).map(one => one.join(' '))")
    kept = [one for one in kept if one.startswith("stActiveTheme")]
    assert len(kept) > len(PAGES)
    assert all(one.endswith('"System"') for one in kept), kept
    assert tab.faults == []


def test_the_first_visit_offers_a_tour_of_five_stops_once(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/")
    tour = tab.page.get_by_role("dialog").filter(has_text=" of 5")
    offer = tab.page.locator(".atlas-navigation > .tour")
    offer.click()
    for stop in range(1, 6):
        expect(tour).to_contain_text(f"{stop} of 5")
        # A place of the page is marked, and the words are beside it.
        assert tab.page.locator(".toured").count() == 1
        assert tab.page.evaluate(
            """() => {
              const box = document.querySelector(".atlas-tour").getBoundingClientRect();
              return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
            }"""
        )
        tab.page.keyboard.press("Enter")
    expect(tour).to_be_hidden()
    expect(tab.page.locator(".toured")).to_have_count(0)
    expect(offer).to_be_hidden()
    # Later it is offered no more; the shortcuts have it, and Escape ends it.
    tab.go("/loans")
    expect(offer).to_be_hidden()
    dialog = shortcuts(tab)
    dialog.get_by_role("button", name="Take the tour").click()
    expect(dialog).to_be_hidden()
    # This page has no sentence over its figures.
    tour = tab.page.get_by_role("dialog").filter(has_text="1 of 4")
    expect(tour).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tour).to_be_hidden()
    expect(tab.page.locator(".toured")).to_have_count(0)
    assert tab.faults == []


def test_the_shortcuts_lead_to_the_glossary(demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go("/loans")
    dialog = shortcuts(tab)
    dialog.get_by_role("link", name="Glossary").click()
    expect(dialog).to_be_hidden()
    expect(tab.page.locator("h1")).to_have_text("Glossary")
    tab.settled()
    assert tab.page.url == f"{demo_server}/glossary"
    assert tab.faults == []


@pytest.mark.parametrize("path", ["/loans", "/tenants", "/changes"])
def test_every_stop_of_the_tab_key_has_the_focus(path, demo_server, open_tab):
    tab = open_tab(demo_server)
    tab.go(path)
    stops = []
    while not tab.page.evaluate("() => !!document.activeElement.closest('.atlas-ledger tbody')"):
        assert len(stops) < 90, stops
        tab.page.keyboard.press("Tab")
        stops.append(tab.page.evaluate("() => document.activeElement.tagName"))
    assert "BODY" not in stops
    assert tab.faults == []
