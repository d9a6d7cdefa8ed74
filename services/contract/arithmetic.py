"""Arithmetic as citations write it: figures, + − × / ^, brackets, min() and round()."""

import ast
import math
import operator
from collections.abc import Callable
from typing import Final

_SIGNS: Final = str.maketrans({"×": "*", "−": "-", "÷": "/"})
_BINARY: Final[dict[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
_NAMED: Final[dict[str, Callable[..., float]]] = {"min": min, "round": round}
#: Two figures are one within this part of the larger.
_NEAR: Final = 1e-8


def evaluated(filled: str) -> float | None:
    """The value of an expression; None for what is none, or has none."""
    try:
        tree = ast.parse(filled.translate(_SIGNS).replace("^", "**"), mode="eval")
        value = float(_value(tree.body))
    except (ArithmeticError, LookupError, SyntaxError, TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def gives(filled: str, value: float) -> bool:
    """Whether an expression comes to a figure."""
    found = evaluated(filled)
    return found is not None and math.isclose(found, value, rel_tol=_NEAR, abs_tol=_NEAR)


def plain(value: float) -> str:
    """A figure as an expression holds it: no separators, all digits that count."""
    written = f"{value:.15g}"
    if "e" in written:
        written = f"{value:.12f}".rstrip("0").rstrip(".")
    return f"({written})" if value < 0 else written


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _NAMED[node.func.id](*(_value(one) for one in node.args))
    raise ValueError("not arithmetic")
