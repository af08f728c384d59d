"""One idea a module, one step a function."""

from __future__ import annotations

import ast

import pytest

from tests.architecture import ROOT, modules, relative, syntax

LONGEST_FUNCTION = 60
EVERYTHING = [*modules("studio", "tests", "bench"), ROOT / "dev.py"]


@pytest.mark.sweep
def test_no_function_is_longer_than_60_lines() -> None:
    functions = [
        f"{relative(path)}:{node.lineno} {node.name}: {length} lines"
        for path in EVERYTHING
        for node in ast.walk(syntax(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert functions == []


def test_every_module_says_what_it_owns() -> None:
    silent = [path for path in modules("studio", "bench") if not ast.get_docstring(syntax(path))]
    assert [relative(path) for path in silent] == []
