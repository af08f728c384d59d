"""Who may import whom, and what is not imported until it is needed."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.architecture import ROOT, STUDIO, modules, relative, syntax

LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")
ONLY_IN = {
    "textual": ("studio/tui/",),
    "rich": ("studio/tui/",),
    "anthropic": ("studio/llm/",),
    "httpx2": ("studio/llm/",),
    "xllamacpp": ("studio/llm/",),
    "studio.fsio": ("studio/fsio/", "studio/project/", "studio/exchange/", "studio/config/"),
}
"""Package to the only places that know it (DESIGN section 2)."""
HEAVY = ("textual", "anthropic", "xllamacpp", "jsonschema")
"""What takes longer to import than a command may take to start (performance P6)."""
OUT_OF_A_TEST = re.compile(r"^ *(?:from|import) tests\b.*\btest_\w+", re.M)


@cache
def imported(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.sweep
@pytest.mark.skipif(
    not LINT_IMPORTS.is_file(), reason="lint-imports (dependency group `lint`) is not installed"
)
def test_imports_point_down() -> None:
    command = [str(LINT_IMPORTS), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def names_by_file() -> dict[str, Path]:
    """The modules of the program by their dotted names."""
    named = {}
    for path in modules("studio"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


def find_cycle(imports: dict[str, set[str]]) -> list[str]:
    """Returns modules that import one another in a circle, the first one repeated at the end."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.sweep
def test_no_modules_import_one_another_not_even_for_types_or_within_a_function() -> None:
    files = names_by_file()
    graph = {
        module: {
            name if name in files else name.rpartition(".")[0]
            for name in imported(path)
            if name in files or name.rpartition(".")[0] in files
        }
        - {module}
        for module, path in files.items()
    }
    assert not find_cycle(graph)
    assert sum(map(len, graph.values())) > 3000
    back = {**graph, "studio.errors": {*graph["studio.errors"], "studio.tui.app"}}
    assert "studio.tui.app" in find_cycle(back)


@pytest.mark.parametrize("package", ONLY_IN)
def test_a_package_is_known_only_where_it_belongs(package: str) -> None:
    strangers = [
        relative(path)
        for path in modules("studio")
        if not relative(path).startswith(ONLY_IN[package])
        and any(f"{name}.".startswith(f"{package}.") for name in imported(path))
    ]
    assert strangers == []


@pytest.mark.sweep
def test_nothing_heavy_is_imported_until_it_is_needed() -> None:
    code = f"""
import importlib, pkgutil, sys
import studio
for module in pkgutil.walk_packages(studio.__path__, "studio."):
    if not module.name.startswith("studio.tui") and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(*[name for name in {HEAVY!r} if name in sys.modules])
"""
    assert python(code).split() == []


@pytest.mark.sweep
@pytest.mark.skipif(
    importlib.util.find_spec("studio.__main__") is None, reason="there is no command line yet"
)
def test_a_reading_command_loads_neither_the_app_nor_a_vendor(project: Path) -> None:
    code = """
import sys
from studio.__main__ import main
sys.argv = ["studio", "status", "--project", sys.argv[1]]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print("LOADED", *[name for name in ("textual", "anthropic", "xllamacpp") if name in sys.modules])
"""
    assert python(code, str(project)).splitlines()[-1] == "LOADED"


def test_data_folders_are_no_packages() -> None:
    assert [relative(path) for path in modules("agents", "schemas", "themes")] == []


def test_the_package_is_the_one_of_this_checkout() -> None:
    assert Path(python("import studio; print(studio.__file__)").strip()) == STUDIO / "__init__.py"


def test_nothing_is_imported_out_of_a_test() -> None:
    loans = [
        f"{relative(path)}: {line}"
        for path in modules("tests", "bench")
        for line in OUT_OF_A_TEST.findall(path.read_text("utf-8"))
    ]
    assert loans == []
