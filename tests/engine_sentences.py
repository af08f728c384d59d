"""What the engine says, found in its source: each string and each f-string as a sentence with
named places, `Chapter {chapter} was changed by hand.`"""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parent.parent
FACES = ("tui", "locale")
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
CLICK = Path(click.__file__).parent
"""The command line's own sentences about what it could not read."""


OF_CLICK = frozenset(
    {
        "Missing argument {}.",
        "Missing option {}.",
        "{} is not a valid integer.",
        "{} is not a valid float.",
        "{} is not a valid integer range.",
        "Invalid value for {}: {} is not a valid integer range.",
        "No such option {}. (Did you mean one of: {}?)",
    }
)
"""What click joins of pieces when it refuses what was typed."""


def engine_sentences() -> set[str]:
    """Every sentence of the packages below the app."""
    ours = [
        path
        for path in (ROOT / "studio").rglob("*.py")
        if path.relative_to(ROOT / "studio").parts[0] not in FACES
    ]
    spoken = {sentence for path in (*ours, *CLICK.glob("*.py")) for sentence in _of(path)}
    return spoken | set(_of_findings()) | OF_CLICK


def _of_findings() -> Iterator[str]:
    """What code says of an English text, out of its language pack."""
    pack = tomllib.loads((ROOT / "studio/text/language/en.toml").read_text(encoding="utf-8"))
    for wording in (*pack["directives"].values(), pack["advice"]):
        yield from wording.values()


def _of(path: Path) -> Iterator[str]:
    inner: set[ast.AST] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from _quantities(tree)
    for node in ast.walk(tree):
        if node in inner:
            continue
        if isinstance(node, ast.JoinedStr):
            inner.update(ast.walk(node))
            yield _template(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
            for paragraph in inspect.cleandoc(node.value).split("\n\n"):
                flat = " ".join(paragraph.split())
                yield flat
                yield from _SENTENCE_END.split(flat)
                yield from _SENTENCE_END.split(without_shapes(flat))


def without_shapes(words: str) -> str:
    """A help text whose JSON shapes, `{chapter, calls: [{id}]}`, are places without a name."""
    out, depth = "", 0
    for sign in words:
        depth -= sign == "}" and depth > 0
        out += sign if depth == 0 else ""
        depth += sign == "{"
    return out


def _template(node: ast.JoinedStr) -> str:
    return "".join(str(p.value) if isinstance(p, ast.Constant) else "{}" for p in node.values)


def _quantities(tree: ast.AST) -> Iterator[str]:
    """What is counted: `{} call` and `{} calls` of a `quantity(number, "call")`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "quantity":
            for noun in (n.value for n in node.args[1:] if isinstance(n, ast.Constant)):
                yield f"{{}} {noun}"
                yield f"{{}} {noun}s"
