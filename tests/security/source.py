"""The product's own text, for what can be shown of it by reading alone."""

import ast
from collections.abc import Iterator
from typing import Final

from tests.security.standard import ROOT

FOLDERS: Final = ("components", "pages", "services")
#: Every module of the product by its path.
PRODUCT: Final[dict[str, ast.Module]] = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in [ROOT / "app.py", *(p for f in FOLDERS for p in sorted((ROOT / f).rglob("*.py")))]
}
#: Each of our scripts that a browser runs.
SCRIPTS: Final[dict[str, str]] = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "components" / "assets").glob("*.js"))
}


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Every call: its file, the last word of what is called, the call."""
    for file, tree in PRODUCT.items():
        for one in ast.walk(tree):
            if isinstance(one, ast.Call):
                called = one.func
                name = called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)
                yield file, name, one


def named(tree: ast.Module) -> Iterator[str]:
    """The packages that a module imports, wherever it does."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in one.names)
        elif isinstance(one, ast.ImportFrom) and one.module and not one.level:
            yield one.module.partition(".")[0]


def constants(one: ast.expr) -> str | bytes:
    """What a constant says."""
    assert isinstance(one, ast.Constant)
    assert isinstance(one.value, str | bytes)
    return one.value
