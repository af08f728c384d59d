"""What a docstring or a page names in backticks is there: a name outlives no renaming in words."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture import ROOT, modules, relative, syntax

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "agents").glob("*.md")]
OF_OTHERS = frozenset({"OLLAMA_CONTEXT_LENGTH", "ANTHROPIC_CUSTOM_HEADERS", "red_ledger"})
"""Names of other programs, and of an example's book."""
_NAMED = re.compile(r"`([A-Za-z_][\w.]*)(?:\(\))?`")
_FILE = re.compile(r"`((?!plugins/)(?:[\w-]+/)+[\w-]+\.py)`")
_WORD = re.compile(r"[A-Za-z_]\w*")
_OF_CODE = re.compile(r"(?!.*_\d+$)(?:\w*[a-z0-9]_\w+|[A-Z][a-z]+[A-Z]\w*|[A-Z]+_\w+)")
"""Names as only code has them: `short_prompts`, `ChapterRun`, `FRONT_KEYS`."""


def sentences(node: ast.AST) -> Iterator[ast.Constant]:
    """The docstrings of a module, those of its values included."""
    for inner in getattr(node, "body", ()):
        if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant):
            yield inner.value
        elif isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from sentences(inner)


def words_of_code(path: Path) -> Iterator[str]:
    """Every word of a module outside its docstrings."""
    lines = path.read_text("utf-8").splitlines()
    for node in sentences(syntax(path)):
        start, end = node.lineno - 1, node.end_lineno or node.lineno
        lines[start:end] = [""] * (end - start)
    return (word for line in lines for word in _WORD.findall(line))


def missing(text: str, known: set[str]) -> list[str]:
    """The names in backticks that nothing has."""
    return [
        name
        for name in _NAMED.findall(text)
        if any(_OF_CODE.fullmatch(word) and word not in known for word in _WORD.findall(name))
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("As `OldName` does.", ["OldName"]),
        ("As `a_word.that_went()` does.", ["a_word.that_went"]),
        ("As `a_word`, `sudo`, `lamp_41` and `civil` do; `F4`; `studio write`.", []),
    ],
)
def test_a_name_that_nothing_has_is_seen(text: str, names: list[str]) -> None:
    assert missing(text, {"a_word"}) == names


@pytest.mark.sweep
def test_what_is_named_in_words_is_there() -> None:
    code = [*modules("studio", "bench"), ROOT / "dev.py"]
    known = {word for path in code for word in words_of_code(path)} | OF_OTHERS
    known |= {part.partition(".")[0] for path in code for part in path.relative_to(ROOT).parts}
    words = [
        (f"{relative(path)}:{node.lineno}", str(node.value))
        for path in modules("studio", "bench")
        for node in sentences(syntax(path))
    ]
    words += [(relative(page), page.read_text("utf-8")) for page in PAGES]
    gone = [(place, name) for place, text in words for name in missing(text, known)]
    assert gone == []
    files = [
        (place, file)
        for place, text in words
        for file in _FILE.findall(text)
        if not any((ROOT / top / file).is_file() for top in ("", "studio"))
    ]
    assert files == []
