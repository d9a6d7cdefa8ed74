"""What a browser makes of Streamlit's elements: pages/sheet.py of the site."""

import pytest

from tests.browser.conftest import PATIENCE, SETTLED

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def sheet(site, browser):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site}/")
    page.goto(f"{site}/sheet")
    page.get_by_text("after the popover").wait_for()
    page.evaluate(SETTLED.replace(".st-key-page-end", ".st-key-second"))
    yield page
    context.close()


def box(sheet, key):
    return sheet.locator(f".st-key-{key}")


@pytest.mark.parametrize(
    ("key", "selector"),
    [("address", "a[href*='www.example.com']"), ("mail", "a[href^='mailto:']")],
)
def test_after_escapes_are_gone_addresses_are_read_again(sheet, key, selector):
    """S1."""
    assert box(sheet, key).locator(selector).count() == 1


def test_so_are_pictures_and_arrows_and_an_empty_colour_keeps_them_apart(sheet):
    """S1."""
    assert box(sheet, "picture").locator("img").count() == 1
    assert box(sheet, "arrow").inner_text().strip() == "a \N{RIGHTWARDS ARROW} b"
    apart = box(sheet, "kept-apart")
    assert (apart.locator("a").count(), apart.inner_text().strip()) == (0, "www.example.com")


def test_an_icons_name_is_changed_in_code_too(sheet):
    """S2."""
    assert box(sheet, "icon").inner_text().strip() == ":material_home"


def test_dollar_signs_are_a_formula_unless_they_are_escaped(sheet):
    """S3."""
    box(sheet, "dollars").locator(".katex").first.wait_for()
    assert box(sheet, "one-dollar").locator(".katex").count() == 0


def test_html_keeps_tags_classes_and_text_and_no_script(sheet):
    """S4."""
    kept = box(sheet, "html").locator("p.ours")
    assert kept.inner_text() == "kept"
    assert kept.get_attribute("onclick") is None
    assert box(sheet, "html").locator("script").count() == 0


def test_an_input_is_called_by_its_labels_source(sheet):
    """S5."""
    assert box(sheet, "input").locator("input").get_attribute("aria-label") == r"A \* B"


def test_a_popover_lies_at_the_end_of_the_document(sheet):
    """S16."""
    sheet.get_by_role("button", name="More").click()
    inside = sheet.get_by_text("in the popover")
    inside.wait_for()
    assert inside.evaluate("one => !one.closest('[data-testid=stMain]')")
    sheet.keyboard.press("Escape")


def words(sheet):
    return [box(sheet, key).locator("span").inner_text().split() for key in ("first", "second")]


def test_a_components_script_is_one_module_and_is_called_when_its_data_change(sheet):
    """S17, S18, S19, S22: from a blob, shared by both, in the page's own text; a rerun with
    the same data calls nobody, another word calls each on the element that it had.
    """
    before = words(sheet)
    assert {one[1] for one in before} == {"blob"}
    assert max(int(one[2]) for one in before) >= 2
    sheet.get_by_role("button", name="Again").click()
    sheet.evaluate(SETTLED.replace(".st-key-page-end", ".st-key-second"))
    assert words(sheet) == before
    sheet.get_by_role("radio", name="blue").or_(sheet.get_by_role("button", name="blue")).click()
    sheet.wait_for_function("document.body.innerText.includes('blue blob')")
    sheet.evaluate(SETTLED.replace(".st-key-page-end", ".st-key-second"))
    after = words(sheet)
    assert {one[0] for one in after} == {"blue"}
    assert [int(b[3]) > int(a[3]) for a, b in zip(before, after, strict=True)] == [True, True]
