"""Where a file can be changed by a little, and to what: Python by its syntax, the rest by words."""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import NamedTuple

_COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult}
#: Words of SQL and what they become.
_SQL = [
    (r" AND ", " OR "),
    (r" OR ", " AND "),
    (r"NULLS LAST", "NULLS FIRST"),
    (r"IS NOT DISTINCT FROM", "="),
    (r"IS NOT NULL", "IS NULL"),
    (r"IS NULL", "IS NOT NULL"),
    (r"LEFT JOIN", "JOIN"),
    (r" DESC\b", " ASC"),
    (r"<=", "<"),
    (r">=", ">"),
    (r"(?<![<>=-])<(?![=>])", "<="),
    (r"(?<![<>=-])>(?![=>])", ">="),
    (r"\bmin\(", "max("),
    (r"\bmax\(", "min("),
    (r"count\(DISTINCT ", "count("),
    (r", 0\)", ", 1)"),
]
#: Calls whose flags change nothing that a test should see.
_FLAGS = {"slots", "frozen", "eq", "strict", "kw_only", "init", "repr", "compare", "daemon"}


class Site(NamedTuple):
    """One change: the characters from `start` to `end` become `after`."""

    start: int
    end: int
    after: str

    def line(self, text: str) -> int:
        """Of the change, from 1."""
        return text.count("\n", 0, self.start) + 1

    def on(self, text: str) -> str:
        """The text with the change made."""
        return text[: self.start] + self.after + text[self.end :]


def sites(name: str, text: str) -> list[Site]:
    """All changes of a file, in order; each leaves it readable to Python or to the TOML reader."""
    made, read = _KINDS[name[name.rindex(".") :]]
    return sorted(
        {site for site in made(text) if site.on(text) != text and _reads(site, text, read)}
    )


def _reads(site: Site, text: str, read: Callable[[str], object]) -> bool:
    try:
        read(site.on(text))
    except (SyntaxError, tomllib.TOMLDecodeError):
        return False
    return True


def _python(text: str) -> Iterator[Site]:
    tree = ast.parse(text)
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines()

    def at(line: int, column: int) -> int:
        # Columns count bytes.
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    left_alone = set(_left_alone(tree))
    for node in ast.walk(tree):
        if node in left_alone or not isinstance(node, ast.expr):
            continue
        begin, end = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _asked(text, begin, end)
        for changed in _changed(node):
            after = ast.unparse(changed)
            yield Site(begin, end, f"({after})" if isinstance(node, ast.UnaryOp) else after)


def _left_alone(tree: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, types, text with holes and flags: what no test should have to see."""
    for node in ast.walk(tree):
        whole: list[ast.AST | None] = []
        match node:
            case ast.Expr(value=ast.Constant()) | ast.JoinedStr():
                whole = [node]
            case ast.AnnAssign():
                whole = [node.annotation]
            case ast.arg():
                whole = [node.annotation]
            case ast.FunctionDef():
                whole = [node.returns]
            case ast.keyword(arg=arg) if arg in _FLAGS:
                whole = [node]
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                whole = [node]
        for one in filter(None, whole):
            yield from ast.walk(one)


def _changed(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in _COMPARED:
            yield ast.Compare(left, [_COMPARED[type(op)]()], [right])
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in _COUNTED and not _is_text(node):
            yield ast.BinOp(left, _COUNTED[type(op)](), right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=float(value)) if "e" not in repr(value):
            yield from (ast.Constant(float(one)) for one in _near(repr(value)))
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)


def _is_text(node: ast.AST) -> bool:
    """A sum that joins texts or unites types: it has no minus."""
    return any(isinstance(one, ast.JoinedStr) or _str(one) for one in ast.walk(node))


def _str(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _asked(text: str, begin: int, end: int) -> Iterator[Site]:
    """Changes of SQL between two characters of a text."""
    part = text[begin:end]
    if re.search(r"\b(SELECT|FROM|WHERE|JOIN|ORDER BY|unnest)\b|\$\w", part):
        for pattern, after in _SQL:
            for match in re.finditer(pattern, part):
                yield Site(begin + match.start(), begin + match.end(), after)


def _sql(text: str) -> Iterator[Site]:
    return _asked(text, 0, len(text))


def _toml(text: str) -> Iterator[Site]:
    """Numbers beside the one that stands there, other operators, and words misspelt."""
    for line in re.finditer(r"^[^#\n]+", text, re.MULTILINE):
        body = line[0]
        if body.lstrip().startswith("["):
            continue
        for number in re.finditer(r"(?<![\w.\"-])-?\d+(\.\d+)?(?![\w.\"-])", body):
            start, end = (line.start() + at for at in number.span())
            yield from (Site(start, end, one) for one in _near(number[0]))
        for word in re.finditer(r'"([^"\\]*)"', body):
            start, end = (line.start() + at for at in word.span(1))
            if limit := re.fullmatch(r"([<>]=?) (-?[\d.]+)", word[1]):
                sign = limit[1][0] if "=" in limit[1] else limit[1] + "="
                yield Site(start, end, f"{sign} {limit[2]}")
                yield from (Site(start, end, f"{limit[1]} {one}") for one in _near(limit[2]))
            else:
                yield Site(start, end, word[1] + "q")


def _near(number: str) -> Iterator[str]:
    """A number one up and one down in its last digit."""
    decimals = len(number.partition(".")[2])
    for step in (1, -1):
        yield f"{float(number) + step * 10**-decimals:.{decimals}f}"


#: Ending of a file's name -> what makes its changes, and what has to read the outcome.
_KINDS: dict[str, tuple[Callable[[str], Iterator[Site]], Callable[[str], object]]] = {
    ".py": (_python, ast.parse),
    ".toml": (_toml, tomllib.loads),
    ".sql": (_sql, str),
}
