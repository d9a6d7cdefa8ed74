"""The product's own text: what is read is not run, and other rules that no linter knows."""

import ast
import re
import time

from components.kit.file_name import stem
from tests.test_architecture import ROOT, sources, syntax

#: Packages that do cryptography.
LIBRARIES = {"hashlib", "hmac", "secrets", "ssl", "cryptography", "nacl", "Crypto", "OpenSSL"}


def calls():
    """Every call of the product: its file, the last word of what is called, the call."""
    for file, call in syntax()[ast.Call]:
        yield file, getattr(call.func, "attr", None) or ast.unparse(call.func), call


def test_no_code_no_xpath_and_no_template_but_our_own_file():
    """What else runs what is read is refused by ruff: pyproject.toml, banned-api."""
    run = {"compile", "__import__", "xpath", "from_string"}
    found = {ast.unparse(call.func) for _, name, call in calls() if name in run}
    assert found <= {"re.compile", "typst.compile"}
    templates = [call for _, name, call in calls() if name == "Template"]
    assert {ast.unparse(one.args[0]) for one in templates} == {"asset('report.svg')"}
    # The process that reads workbooks: Python, one of our files, and paths.
    started = [call for _, _, call in calls() if ast.unparse(call.func).startswith("subprocess.")]
    assert [ast.unparse(one.func) for one in started] == ["subprocess.Popen"]


def test_no_pattern_is_made_of_what_is_read():
    """A pattern is a constant, or made of our constants."""
    takes = {"compile", "fullmatch", "match", "search", "sub", "split", "findall", "finditer"}
    for file, name, call in calls():
        if name in takes and ast.unparse(call.func) == f"re.{name}":
            pattern = call.args[0]
            put_in = [part for part in ast.walk(pattern) if isinstance(part, ast.Name)]
            assert isinstance(pattern, ast.Constant | ast.JoinedStr), f"{file}:{call.lineno}"
            assert all(part.id.isupper() for part in put_in), f"{file}:{call.lineno}"


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
    for _, _, call in calls():
        if ast.unparse(call.func).startswith("re.") and isinstance(call.args[0], ast.Constant):
            said = [ast.unparse(one) for one in call.args[1:] + [k.value for k in call.keywords]]
            flags = " | ".join(one for one in said if one.startswith("re."))
            found.add((call.args[0].value, flags or "0"))
    return sorted(found, key=str)


def test_a_pattern_ends_soon_on_a_long_text_that_nearly_matches():
    """An exponential one would take years for these, a cubic one minutes."""
    pieces = ["0", "a", "A.", "a.a", " ", '"', "'", "-", "[", "<Code>", "w", ":", "/", "#1", "\r\n"]
    pieces += ["<script>", "line 1", "a b", "\r\ncookie: ", "status code: "]
    for pattern, flags in patterns():
        compiled = re.compile(pattern, eval(flags, {"re": re}))  # noqa: S307 - flags of our source
        began = time.process_time()
        for piece in pieces:
            for end in ("", "!", "\x00"):
                text = piece * (2_000 // len(piece)) + end
                said = text.encode() if isinstance(pattern, bytes) else text
                compiled.fullmatch(said)
                compiled.search(said)
        assert time.process_time() - began < 20, pattern


def given(name):
    """What is given by a name in calls: file, and how it is written."""
    return {
        (file, ast.unparse(keyword.value))
        for file, _, call in calls()
        for keyword in call.keywords
        if keyword.arg == name
    }


def test_the_name_of_a_download_is_made_of_our_own_words():
    """What a name is made of: our own stems, the ending of a format; of words of the book only
    letters and digits (components/kit/file_name.py).
    """
    assert {name for _, name in given("file_name")} <= {
        "file_name",
        "_FILE",
        "f'{_STEM}.graphml'",
        "f'{_STEM}.json'",
        "f'{stem}.{form}'",
        "'profile.toml'",
        "'rejects.csv'",
    }
    assert re.fullmatch(r"[a-z0-9-]{1,100}", stem("../../etc/passwd", '"\r\nX: y"', "é" * 500))
    stems = {name for file, name in given("stem") if file.startswith("components/")}
    assert all(one[0] in "'\"_" or one.isidentifier() for one in stems)


def uses():
    """Where the product does cryptography: file and function."""
    for file, _, call in calls():
        called = call.func
        if isinstance(called, ast.Attribute) and ast.unparse(called.value) in LIBRARIES:
            yield file, ast.unparse(called)
    for file, one in syntax()[ast.ImportFrom]:
        if one.module in LIBRARIES:
            yield from ((file, f"{one.module}.{alias.name}") for alias in one.names)


def test_every_use_of_cryptography_is_listed_and_of_pythons_own_library():
    found = {said for _, said in uses()}
    assert found <= {
        *("hashlib.file_digest", "hashlib.sha256", "hmac.compare_digest", "hmac.new"),
        *("secrets.token_hex", "secrets.token_urlsafe"),
    }
    text = (ROOT / "tests/security/README.md").read_text(encoding="utf-8")
    listed = text.partition("## Cryptography")[2].partition("\n## ")[0]
    files = {file for file, _ in uses()}
    assert [file for file in sorted(files) if f"`{file}`" not in listed] == []


def test_secrets_are_compared_in_the_same_time_whatever_they_are():
    found = {file for file, said in uses() if said == "hmac.compare_digest"}
    assert {"services/sign_in.py", "services/api/keys.py"} <= found


def test_nothing_of_the_product_is_for_developers():
    texts = sources("app.py", "components", "pages", "services")
    assert [file for file, text in texts.items() if "debug=True" in text] == []
