"""V1: words stay words, wherever they are put."""

import ast
import io
import re
import time
import zipfile

import openpyxl
import pytest

from components.loans import bulk
from services.contract.errors import InvalidRequest, NotFound
from services.contract.loan_filter import LoanFilter
from services.contract.queries import EntityQuery, LoanQuery, PathQuery, SignalQuery
from tests.security.source import PRODUCT, calls, constants, named
from tests.security.standard import shows

SHOWN_BY = {
    "V1.1.1": (
        "tests/client/test_requests.py::test_any_loan_number_comes_back_from_its_segment",
        "tests/api/test_hostile.py::test_any_text_comes_back_as_the_loan_number_it_was",
    ),
    "V1.1.2": "tests/test_door_for_words.py::test_words_that_come_by_the_door_pass",
    "V1.2.1": (
        "tests/browser/test_hostile_text.py::test_a_page_shows_hostile_names_as_written",
        "tests/components/test_text.py::test_an_element_escapes_words_and_values_and_keeps_elements",
        "tests/components/test_graph_files.py::test_graphml_reads_back_with_kinds_confidences_and_shares",
    ),
    "V1.2.2": (
        "tests/components/test_ledger.py::test_the_address_of_a_record_is_relative_and_percent_encoded",
        "tests/components/test_ledger.py::test_a_link_that_is_none_of_ours_goes_nowhere",
        "tests/components/test_linked_drawings.py::test_an_address_that_was_not_offered_opens_nothing",
    ),
    "V1.2.3": (
        "tests/components/test_linked_drawings.py::test_no_script_reads_words_as_markup_or_code",
        "tests/components/test_graph_files.py::test_node_link_json_reads_back_and_holds_no_tag",
    ),
    "V1.2.4": (
        "tests/desk/conforming.py::test_hostile_names_and_texts_come_back_as_written",
        "tests/desk/conforming.py::test_hostile_searches_come_back_as_written",
    ),
    "V1.2.10": (
        "tests/components/test_exports.py::test_no_name_can_be_a_formula",
        "tests/components/test_export_formats.py::test_no_text_of_a_workbook_is_a_formula_a_link_or_a_number",
    ),
    "V1.3.3": (
        "tests/contract/test_queries.py::test_ten_million_characters_are_refused_in_a_short_sentence",
        "tests/contract/test_queries.py::test_control_characters_are_not_words",
    ),
    "V1.3.4": "tests/browser/test_hostile_text.py::test_the_saved_drawing_holds_no_more_than_ours",
    "V1.3.5": (
        "tests/test_door_for_words.py::test_words_that_do_not_come_by_the_door_are_found",
        "tests/browser/test_hostile_text.py::test_every_word_is_shown_as_written_in_every_way_of_saying_it",
        "tests/pages/test_report.py::test_hostile_names_stand_on_paper_as_they_are",
    ),
    "V1.3.6": (
        "tests/client/test_requests.py::test_an_address_that_cannot_be_used_is_refused_without_being_quoted",
        "tests/client/test_faults.py::test_odd_loan_numbers_reach_the_service_as_they_are",
        "tests/shelf/test_publishing.py::test_a_name_that_would_lead_elsewhere_is_refused",
    ),
    "V1.4.2": "tests/contract/test_queries.py::test_a_number_far_beyond_a_bound_is_told_the_bound",
    "V1.4.3": "tests/store/test_leases.py::test_an_old_snapshot_closes_when_its_last_lease_ends",
    "V1.5.1": (
        "tests/importers/test_sec_absee_files.py::test_a_file_that_is_no_exhibit_is_refused_in_one_sentence",
        "tests/importers/test_sec_absee_files.py::test_an_undefined_entity_never_hides_the_records_before_it",
    ),
}
DOES_NOT_APPLY = {
    "V1.2.6": "No directory is asked; groups come from the sign-in proxy.",
    "V1.2.8": "No LaTeX. Reports are set by Typst, which can run no command, from our own file.",
    "V1.3.1": "Users write plain text; no field takes HTML.",
    "V1.3.8": "No Java.",
    "V1.3.9": "No memcache. What is remembered lies in the memory of a process.",
    "V1.3.11": "No mail is sent or read.",
    "V1.4.1": "Python and its libraries look after memory; none of our code does.",
}
#: What a database, a shell or a page might take for its own.
HOSTILE = (
    "x' OR '1'='1",
    "x'; DROP TABLE loans; --",
    "x' UNION SELECT 1, 2, 3 --",
    "%' --",
    "_",
    "%",
    "\\",
    '"; DELETE FROM loans; --',
    "$1",
    "?",
    ":name",
    "read_csv('/etc/passwd')",
    "{__class__}",
    "%s%s%n",
)
#: Starts the process that reads workbooks.
READER = "services/importers/tape/sheet.py"


@shows("V1.2.4")
@pytest.mark.parametrize("word", HOSTILE)
def test_what_looks_like_sql_is_a_word_that_nothing_bears(store_source, word):
    before = store_source.loans(LoanQuery()).total
    assert before > 0
    # One lender of the made-up book bears such signs itself.
    assert store_source.loans(LoanQuery(lender=word)).total <= 1
    for empty in (
        store_source.loans_found(LoanFilter(sponsor=word), ()),
        store_source.signals(SignalQuery(signal_type=word)),
    ):
        assert empty.total == 0
    found = store_source.loans_found(LoanFilter(find=word), ()).items
    assert all(word in one.loan_number for one in found)
    for read in (
        lambda: store_source.loan(word),
        lambda: store_source.ownership(word),
        lambda: store_source.paths(PathQuery(entity_name=word)),
    ):
        with pytest.raises((NotFound, InvalidRequest)):
            read()
    # Parties are found by likeness: never all of them, and the question harms none.
    assert store_source.entities(EntityQuery(name=word)).total < before
    assert store_source.loans(LoanQuery()).total == before


@shows("V1.2.5", "V1.2.7", "V1.3.2", "V1.3.7", "V1.5.2")
def test_nothing_that_is_read_is_run():
    """Three programs are started, the server itself, HAProxy, and our own reader of workbooks,
    without a shell; no code, no pickle, no XPath, and no template but our own files.
    """
    dangerous = {
        *("eval", "exec", "compile", "__import__", "system", "popen", "Popen", "run_module"),
        *("check_output", "check_call", "getoutput", "create_subprocess_shell", "spawnl"),
        *("xpath", "XPath", "from_string", "pickle", "marshal", "shelve", "dill", "yaml"),
    }
    found = {(file, name) for file, name, _ in calls() if name in dangerous}
    # `re.compile` is no code.
    assert {one for one in found if one[1] != "compile"} == set()
    assert {file for file, name, _ in calls() if name == "create_subprocess_exec"} == {
        "components/serving/processes.py"
    }
    imported = {name for tree in PRODUCT.values() for name in named(tree)}
    assert not imported & {"pickle", "marshal", "shelve", "dill", "yaml", "jinja2"}
    # A hostile workbook ends a process of its own: Python, one of our files, and paths.
    assert {file for file, tree in PRODUCT.items() if "subprocess" in named(tree)} == {READER}
    (started,) = [
        call
        for file, name, call in calls()
        if file == READER and ast.unparse(call.func).startswith("subprocess.")
    ]
    assert ast.unparse(started.func) == "subprocess.run"
    assert "shell" not in {one.arg for one in started.keywords}
    templates = [call for _, name, call in calls() if name == "Template"]
    assert {ast.unparse(one.args[0]) for one in templates} == {"asset('report.svg')"}


@shows("V1.2.9")
def test_no_pattern_is_made_of_what_is_read():
    """A pattern is a constant, or made of our constants."""
    takes = {"compile", "fullmatch", "match", "search", "sub", "split", "findall", "finditer"}
    for file, tree in PRODUCT.items():
        for one in ast.walk(tree):
            if (
                isinstance(one, ast.Call)
                and isinstance(one.func, ast.Attribute)
                and one.func.attr in takes
                and ast.unparse(one.func.value) == "re"
            ):
                pattern = one.args[0]
                put_in = [part for part in ast.walk(pattern) if isinstance(part, ast.Name)]
                assert isinstance(pattern, ast.Constant | ast.JoinedStr), f"{file}:{one.lineno}"
                assert all(part.id.isupper() for part in put_in), f"{file}:{one.lineno}"


@shows("V1.3.10")
def test_no_format_is_made_of_what_is_read():
    """What `.format` is called on is a constant, or a sentence of a table of constants."""
    for file, name, call in calls():
        if name == "format" and isinstance(call.func, ast.Attribute):
            told = ast.unparse(call.func.value)
            known = isinstance(call.func.value, ast.Constant) or told.isupper()
            # psycopg's own, which writes names as names.
            known = known or told.startswith("compose.SQL(f'GRANT {right} ")
            # Formulas of figures, a table of constants (services/signals/one_loan/cited.py).
            known = known or (file, told) == ("services/signals/one_loan/cited.py", "shape")
            assert known or told in {"rule", "one.format", "self.format"}, f"{file}: {told}"


def patterns():
    """Every pattern of the product, as it is compiled."""
    found = set()
    for tree in PRODUCT.values():
        for one in ast.walk(tree):
            if (
                isinstance(one, ast.Call)
                and ast.unparse(one.func).startswith("re.")
                and isinstance(one.args[0], ast.Constant)
            ):
                flags = [
                    ast.unparse(flag) for flag in one.args[1:] + [k.value for k in one.keywords]
                ]
                flags = [flag for flag in flags if flag.startswith("re.")]
                found.add((constants(one.args[0]), " | ".join(flags) or "0"))
    return sorted(found, key=str)


@shows("V1.3.12")
@pytest.mark.parametrize(("pattern", "flags"), patterns(), ids=str)
def test_a_pattern_ends_soon_on_a_long_text_that_nearly_matches(pattern, flags):
    """An exponential one would take years for these, a cubic one minutes."""
    compiled = re.compile(pattern, eval(flags, {"re": re}))  # noqa: S307 - flags of our own source
    pieces = ["0", "a", "A.", "a.a", " ", '"', "'", "-", "[", "<Code>", "w", ":", "/", "#1", "\r\n"]
    pieces += ["<script>", "line 1", "a b", "\r\ncookie: ", "status code: "]
    began = time.process_time()
    for piece in pieces:
        for end in ("", "!", "\x00"):
            text = piece * (2_000 // len(piece)) + end
            said = text.encode() if isinstance(pattern, bytes) else text
            compiled.fullmatch(said)
            compiled.search(said)
    assert time.process_time() - began < 20


def workbook(**parts):
    """A workbook in which some parts are others."""
    plain, out = io.BytesIO(), io.BytesIO()
    book = openpyxl.Workbook()
    book.active["A1"] = "CA-1"
    book.save(plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(out, "w") as target:
        for one in source.infolist():
            stem = one.filename.rpartition("/")[2].partition(".")[0]
            target.writestr(one.filename, parts.get(stem, source.read(one)))
    file = io.BytesIO(out.getvalue())
    file.name = "loans.xlsx"
    return file


SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1" t="inlineStr"><is><t>&x;</t></is></c></row></sheetData></worksheet>'
)


@shows("V1.5.1")
@pytest.mark.parametrize("part", ["sheet1", "sharedStrings", "workbook", "styles"])
def test_a_workbook_brings_in_no_file_and_no_bomb_by_an_entity(tmp_path, part):
    secret = tmp_path / "secret.txt"
    secret.write_text("the word that must not be seen", encoding="utf-8")
    grown = "".join(
        f'<!ENTITY x{n} "{f"&x{n - 1};" * 10}">' for n in range(1, 12)
    )  # a thousand million times ten
    for declared in (
        f'<!ENTITY x SYSTEM "{secret.as_uri()}">',
        f'<!ENTITY % p SYSTEM "{secret.as_uri()}"> %p;',
        f'<!ENTITY x0 "lol">{grown}<!ENTITY x "&x11;">',
    ):
        root = re.search(r"<(\w+)", SHEET)[1]
        hostile = f'<?xml version="1.0"?><!DOCTYPE {root} [{declared}]>{SHEET}'
        try:
            found = str(bulk._columns("", workbook(**{part: hostile})))
        except ValueError as error:
            found = str(error)
        assert "must not be seen" not in found
        assert len(found) < 1_000
