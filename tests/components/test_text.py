"""The door for words: what is sent shows the words as they were written, and nothing else."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from components.kit import text
from tests.hostile import WORDS
from tests.pages.screen import badges, bodies, headlines, markdown, plain, shown, tables
from tests.pages.screen import said as said_of


@pytest.mark.parametrize("words", WORDS)
def test_every_sign_of_a_label_is_escaped_and_none_is_lost(words):
    source = text.label(words)
    assert shown(source) == words
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", source.replace(":color[]{}", ""))
    assert not re.search(r"[!-/:-@\[-`{-~]", bare)


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("Book value", "Book value"),
        ("snake_case", r"snake\_case"),
        ("www.x.com", r"w:color[]{}ww\.x\.com"),
        ("WWW.x", r"W:color[]{}WW\.x"),
        ("http://x", r"http\::color[]{}\/\/x"),
        ("a@b.c", r"a\@:color[]{}b\.c"),
        (":material/home:", r"\:material\/home\:"),
        (":material_home:", r"\::color[]{}material\_home\:"),
        ("a <-> b", r"a \<:color[]{}\-:color[]{}\> b"),
        ("a -- b ~= c", r"a \-:color[]{}\- b \~:color[]{}\= c"),
        ("host:8000 at 9: end", r"host\:8000 at 9\: end"),
        ("two\n  lines\tand \x07 \u202e", "two lines and \ufffd \ufffd"),
        ("", ""),
        (None, None),
    ],
)
def test_text_that_is_read_again_after_escapes_is_drawn_in_two_parts(words, source):
    assert text.label(words) == source


def test_escaped_text_holds_no_markup_and_no_placeholder():
    assert text.escaped("<b> &amp; \"q\" 'r' {a}\n%{x}") == (
        "&lt;b&gt; &amp;amp; &#34;q&#34; &#39;r&#39; &#123;a&#125; %&#123;x&#125;"
    )


def test_each_way_of_saying_something_shows_it_as_written():
    def script(words):
        from components.kit import badge, tables, text
        from components.kit.card import card
        from components.kit.figure import figure

        text.title(words)
        text.heading(words)
        text.lead(words, words)
        text.caption(words)
        text.sentence(words, help_text=words)
        text.notice("error", words, "error")
        badge.row([badge.Badge(words, "blue", f"{words} help", glyph="▲")])
        text.folded([("Folded", [words, "end"])])
        figure(words, words, words, words)
        tables.plain([{words: words, "Figure": words}], words, figures=("Figure",), scrolls=True)
        tables.facts([(words, words)], "Facts")
        with card(words, level=2):
            pass

    for words in (" ".join(WORDS[::2]), " ".join(WORDS[1::2])):
        app = AppTest.from_function(script, args=(words,)).run()
        assert not app.exception
        kinds = ["h1", "h3", "p", "p", "h2"]
        assert [re.match(r"<(\w+) ", body)[1] for body in bodies(app)] == kinds
        said = [words, words, f"{words} {words}", words, words]
        assert [plain(body) for body in bodies(app)] == said
        assert app.text[0].value == words
        assert shown(app.error[0].value) == words
        assert badges(app) == {f"▲ {words}": f"{words} help"}
        assert f"Folded\n{words}\nend" in said_of(app)
        assert headlines(app) == {words: (words, words, words)}
        found = tables(app)
        assert found == {
            words: [{words: words, "Figure": words}],
            "Facts": [{"Fact": words, "Value": words}],
        }
        helped = app.text[0].proto.help
        assert shown(helped) == words
        assert not any(words in source for source in (*markdown(app), helped))


def test_an_element_escapes_words_and_values_and_keeps_elements():
    inner = text.element("b", "<i>&amp;</i>")
    assert inner == "<b>&lt;i&gt;&amp;amp;&lt;/i&gt;</b>"
    made = text.element("p", "1 < 2 ", inner, class_='a" onclick="x', aria_label="{'}")
    assert made == (
        '<p class="a&#34; onclick=&#34;x" aria-label="&#123;&#39;&#125;">'
        "1 &lt; 2<b>&lt;i&gt;&amp;amp;&lt;/i&gt;</b></p>"
    )


def test_a_table_sets_figures_to_the_right_and_names_its_rows():
    def script():
        from components.kit import tables

        tables.sheet([{"Case": "a", "Dollars": "$1", "Remark": "x"}], "Cases", prose=("Remark",))
        tables.plain([], "None")
        tables.sheet([], "None")
        tables.facts([], "None")

    (body,) = [one.proto.body for one in AppTest.from_function(script).run().get("html")]
    assert body == (
        '<div class="atlas-table" tabindex="0" role="region" aria-label="Cases">'
        "<table><caption>Cases</caption><thead><tr>"
        '<th scope="col" class="words">Case</th><th scope="col" class="figure">Dollars</th>'
        '<th scope="col" class="words">Remark</th></tr></thead><tbody><tr>'
        '<th scope="row" class="words">a</th><td class="figure">$1</td>'
        '<td class="words">x</td></tr></tbody></table></div>'
    )


def test_sentences_keep_their_lines():
    def script():
        from components.kit import text

        text.sentence("one  two\n\nthree\x07")

    assert AppTest.from_function(script).run().text[0].value == "one two\n\nthree\ufffd"
