"""Words reach the screen by one door: components/kit/text.py shows them as written.

Everywhere else in components and pages, what Streamlit reads as Markdown or HTML may only be

- a constant text, or nothing;
- `text.label(...)`, the door's own escape, or another function of the door;
- `count`, `day` or `percent`, which give nothing but digits and our own words, alone or as the
  placeholders of an f-string. Money is not among them: two dollar signs make a formula;
- a sum of such, or a choice between such;
- one of our documents: the style sheet, the decisions, the files of a component, which
  `asset(...)` reads by their names.

What one of our components is sent as data is no markup to Streamlit: its script sets it as text, as
tests/components/test_ledger.py keeps.

A call of Streamlit that this file does not know fails too: put it where it belongs.
"""

import ast

import pytest

from tests.test_architecture import SCREEN

DOOR = "components/kit/text.py"

BODIES = {
    *("title", "header", "subheader", "caption", "markdown", "html", "write"),
    *("info", "success", "warning", "error", "toast", "exception"),
}
LABELS = {
    *("button", "download_button", "form_submit_button", "link_button", "menu_button"),
    *("checkbox", "toggle", "radio", "pills", "segmented_control", "selectbox", "multiselect"),
    *("text_input", "text_area", "number_input", "date_input", "time_input", "file_uploader"),
    *("slider", "select_slider", "badge", "expander", "popover", "status"),
}
#: Calls that read markup -> which of their arguments do: by place, and by name.
MARKUP = {
    **{name: {0: "body"} for name in BODIES},
    **{name: {0: "label"} for name in LABELS},
    "metric": {0: "label", 1: "value", 2: "delta"},
    "page_link": {1: "label"},
    "image": {1: "caption"},
    "progress": {1: "text"},
    "spinner": {0: "text"},
    "dialog": {0: "title"},
    "components.v2.component": {1: "html", 2: "css", 3: "js"},
}
#: Their options are labels too.
CHOICES = {"radio", "pills", "segmented_control"}
#: Calls that read none, but for `help`, which every call that has one reads as Markdown.
PLAIN = {
    *("columns", "container", "empty", "form", "fragment", "rerun", "space", "switch_page"),
    *("navigation", "Page", "App", "get_option"),
    *("set_page_config", "cache_data", "cache_resource", "cache_data.clear"),
    *("text", "code", "dataframe", "pagination"),
    *("plotly_chart", "graphviz_chart", "pydeck_chart"),
    *("column_config.TextColumn", "column_config.NumberColumn"),
    *("session_state.get", "session_state.pop", "session_state.setdefault"),
    *("user.to_dict", "query_params.to_dict", "query_params.from_dict", "query_params.get_all"),
}
FIGURES = {"count", "day", "percent"}
DOCUMENTS = {"decisions_text", "STYLE", "HTML", "CSS", "JS"}


def dotted(node):
    """What a name or attribute is called: st.column_config.TextColumn; None for other syntax."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return before and f"{before}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else None


def imported(tree):
    """Where each imported name comes from: text -> components.kit.text."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.asname or one.name.split(".")[0]: one.name for one in node.names}
        if isinstance(node, ast.ImportFrom):
            found |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return found


def harmless(node, names):
    """Whether an expression can only be our own words, or words that the door has escaped."""
    match node:
        case None | ast.Constant():
            return True
        case ast.Call(func=func):
            return safe_function(func, names)
        case ast.Name(id=name):
            return name in DOCUMENTS
    inner = parts(node)
    return bool(inner) and all(harmless(part, names) for part in inner)


def parts(node):
    """What the words of an expression are made of; empty when nobody can tell."""
    match node:
        case ast.JoinedStr(values=inner) | ast.BoolOp(values=inner):
            return inner
        case ast.FormattedValue(value=ast.Call() as inner, format_spec=None):
            return [inner]
        case ast.Lambda(body=inner):
            return [inner]
        case ast.BinOp(op=ast.Add(), left=one, right=other):
            return [one, other]
        case ast.IfExp(body=one, orelse=other):
            return [one, other]
    return []


def safe_function(node, names):
    """Whether this names a function whose answer is harmless."""
    first, *rest = (dotted(node) or "").split(".")
    path = ".".join((names.get(first, ""), *rest))
    module, _, name = path.rpartition(".")
    return (
        module == "components.kit.text"
        or path == "components.kit.asset.asset"
        or (module == "components.kit.formatting" and name in FIGURES)
        or (module == "services.contract" and name in DOCUMENTS)
    )


def faults(source):
    """What is wrong with a file, as "line: what"."""
    tree = ast.parse(source)
    names = imported(tree)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {id(node.func) for node in calls}
    found = [
        f"{node.lineno}: {dotted(node)} is no call"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and id(node) not in called
        if (dotted(node) or "").removeprefix("st.") in MARKUP and dotted(node).startswith("st.")
    ]
    if any(path.startswith("streamlit.") and path.count(".") == 1 for path in names.values()):
        found.append("1: a name is imported from streamlit; write st.name")
    for call in calls:
        found += [f"{call.lineno}: {fault}" for fault in faults_of(call, names)]
    return sorted(found)


def faults_of(call, names):
    """What is wrong with one call."""
    of_streamlit = (dotted(call.func) or "").startswith("st.")
    if of_streamlit:
        name = dotted(call.func).removeprefix("st.")
        if name not in MARKUP and name not in PLAIN:
            yield f"st.{name} is not known here: what does it read?"
    elif isinstance(call.func, ast.Attribute) and dotted(call.func.value) not in names:
        # A method of a container, as left.caption or bar.progress.
        name = call.func.attr
    else:
        return
    given = {word.arg: word.value for word in call.keywords}
    for place, word in MARKUP.get(name, {}).items() if name != "write" or of_streamlit else ():
        value = call.args[place] if place < len(call.args) else given.get(word)
        if not harmless(value, names):
            yield f"{word} of {name} does not come by the door"
    if of_streamlit and not harmless(given.get("help"), names):
        yield f"help of {name} does not come by the door"
    if name in CHOICES and of_streamlit:
        write = given.get("format_func")
        options = call.args[1] if len(call.args) > 1 else given.get("options")
        ours = isinstance(options, ast.List) and all(
            isinstance(one, ast.Constant) for one in options.elts
        )
        if not (ours if write is None else safe_function(write, names) or harmless(write, names)):
            yield f"options of {name} do not come by the door"


@pytest.mark.parametrize("name", [name for name in SCREEN if name != DOOR])
def test_words_that_streamlit_reads_as_markup_come_by_the_door(name):
    assert faults(SCREEN[name]) == []


HEAD = """
import streamlit as st
from components.kit import text
from components.kit.asset import asset
from components.kit.formatting import count, money
from components.loans import table
"""


@pytest.mark.parametrize(
    "line",
    [
        "st.markdown(name)",
        "st.caption(f'Loans of {name}')",
        "st.caption(body=name)",
        "st.info('Loans of ' + name)",
        "st.info(f'{count(1):>{width}} {name}')",
        "st.error(str(error))",
        "st.metric('Loans', count(1), f'{money(1)} and {money(2)}')",
        "st.badge(name, help='x')",
        "st.badge('x', help=name)",
        "st.page_link('loans', label=name)",
        "st.page_link('loans', name)",
        "st.expander(name or 'none')",
        "st.expander('none' if name else name)",
        "st.html(f'<p>{name}</p>')",
        "st.pills('Kind', kinds)",
        "st.pills('Kind', kinds, format_func=str)",
        "st.pills('Kind', kinds, format_func=lambda kind: kind)",
        "st.radio('Kind', options=['a', name])",
        "st.column_config.TextColumn('Loan', help=name)",
        "st.write(name)",
        "st.new_thing('x')",
        "st.components.v2.component('x', html=name)",
        "st.components.v2.component('x', js=f'alert({name})')",
        "st.components.v2.component('x', js=asset('x.js') + name)",
        "st.markdown(asset.svg(1, 1, [name]))",
        "left.caption(name)",
        "bar.progress(0.5, text=name)",
        "columns[0].markdown(name)",
        "draw = st.markdown",
        "from streamlit import markdown",
        "label(name) and st.caption(label(name))",
    ],
)
def test_words_that_do_not_come_by_the_door_are_found(line):
    assert faults(HEAD + line) != []


@pytest.mark.parametrize(
    "line",
    [
        "st.markdown('**Loans**', help=None)",
        "st.button(text.label(name), help=text.label(name) if name else 'none')",
        "st.button(f'Load {count(n)} more' + ' loans')",
        "st.expander(text.label(f'{name} {money(n)}'))",
        "st.pills('Kind', kinds, format_func=text.label)",
        "st.pills('Kind', kinds, format_func=lambda kind: text.label(NAMES[kind]))",
        "st.segmented_control('Depth', DEPTHS, format_func=count)",
        "st.segmented_control('Show as', ['points', 'hexagons'])",
        "st.dataframe(rows, column_config={'x': st.column_config.TextColumn(name)})",
        "st.selectbox('Node', names, placeholder=name)",
        "text.caption(name)",
        "table.caption(name)",
        "out.write(name)",
        "name.title()",
        "bar.progress(0.5, text=text.label(name))",
        "st.text(name)",
        "st.components.v2.component('x', html=HTML, css=CSS, js=JS)",
        "st.components.v2.component('x', html=asset('x.html'), js=asset(*scripts))",
    ],
)
def test_words_that_come_by_the_door_pass(line):
    assert faults(HEAD + line) == []
