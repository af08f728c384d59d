"""What holds of the code as a whole."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STUDIO = ROOT / "studio"


def modules(*folders: str) -> list[Path]:
    """Every Python file under the named top-level folders."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def relative(path: Path) -> str:
    """A path as it is named in a failure: from the root of the checkout."""
    return path.relative_to(ROOT).as_posix()


@cache
def syntax(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text("utf-8"), filename=str(path))


def calls(path: Path) -> Iterator[ast.Call]:
    """Every call in a module."""
    return (node for node in ast.walk(syntax(path)) if isinstance(node, ast.Call))
