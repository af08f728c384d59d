"""What the engine says, found in its source: each string and each f-string as a sentence with
named places, `Chapter {chapter} was changed by hand.`"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FACES = ("tui", "locale")


def engine_sentences() -> set[str]:
    """Every sentence of the packages below the app."""
    return {
        sentence
        for path in (ROOT / "studio").rglob("*.py")
        if path.relative_to(ROOT / "studio").parts[0] not in FACES
        for sentence in _of(path)
    }


def _of(path: Path) -> Iterator[str]:
    inner: set[ast.AST] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if node in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            inner.update(ast.walk(node))
            yield _template(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _template(node: ast.JoinedStr) -> str:
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)
