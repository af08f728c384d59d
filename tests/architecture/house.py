"""The house in figures: folders, names, classes and functions of a checkout, from its source alone.

    python -m tests.architecture.house [CHECKOUT] [OTHER CHECKOUT]

prints a table, with a column for each checkout, and then the class names that stand in several
modules. Nothing of them is run.
"""

from __future__ import annotations

import ast
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.architecture import ROOT

# fmt: off
PARTICIPLES = frozenset({
    "asked", "asking", "brought", "bringing", "changed", "chosen", "counted", "deciding", "done",
    "drafted", "drawn", "found", "given", "gone", "heard", "helping", "judged", "kept", "keeping",
    "known", "left", "listening", "looked", "looking", "made", "measured", "measuring", "meant",
    "moved", "named", "noticing", "placing", "quoting", "read_", "rebuilding", "running", "said",
    "seen", "sent", "shown", "speaking", "taken", "taking", "told", "waiting", "wanted",
    "written",
})
# fmt: on
"""Bare participles and gerunds that say nothing of what a thing is."""

PLAIN = frozenset(
    {"cache", "classmethod", "contextmanager", "dataclass", "property", "staticmethod"}
)
"""Decorators that hand a function to nobody."""


@cache
def modules(checkout: Path) -> dict[Path, ast.Module]:
    """Every module of the package, parsed."""
    files = sorted((checkout / "studio").rglob("*.py"))
    return {path.relative_to(checkout): ast.parse(path.read_text("utf-8")) for path in files}


def namesakes(trees: dict[Path, ast.Module]) -> dict[str, list[str]]:
    """The class names that stand in more than one module, each with the modules."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.as_posix())
    return {name: paths for name, paths in places.items() if len(paths) > 1}


def folder_sizes(files: list[Path]) -> Counter[str]:
    """How many modules each folder holds, the one that names it apart."""
    return Counter(path.parent.as_posix() for path in files if path.stem != "__init__")


def class_sizes(trees: dict[Path, ast.Module]) -> dict[str, int]:
    """Lines of each class together with all its bases in the project."""
    lines: dict[str, int] = {}
    bases: dict[str, list[str]] = {}
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                lines[node.name] = (node.end_lineno or node.lineno) - node.lineno + 1
                bases[node.name] = [_name(base) for base in node.bases]

    def ancestry(name: str, known: set[str]) -> set[str]:
        if name in lines and name not in known:
            known.add(name)
            for base in bases[name]:
                ancestry(base, known)
        return known

    return {name: sum(lines[one] for one in ancestry(name, set())) for name in lines}


def _name(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript | ast.Call):
        return _name(base.value if isinstance(base, ast.Subscript) else base.func)
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def function_lengths(trees: dict[Path, ast.Module]) -> list[int]:
    """Lines of every function, in order of size."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, kinds)]
    return sorted((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def variable_names(trees: dict[Path, ast.Module]) -> Iterator[str]:
    """Every name that is assigned to, and every parameter."""
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id.strip("_")
            elif isinstance(node, ast.arg):
                yield node.arg.strip("_")


def uncalled(trees: dict[Path, ast.Module]) -> list[str]:
    """What a module or a plain class declares and the package names nowhere, or, of a private
    name, the module itself. What a library calls stands in a class with that library's bases, or
    is handed to it by a decorator."""
    own = {path: {"__all__", *_uses(tree)} for path, tree in trees.items()}
    uses = set[str]().union(*own.values())
    return [
        f"{path.as_posix()}: {name}"
        for path, tree in trees.items()
        for name in _declared(tree.body)
        if name not in (own[path] if re.match("_[A-Za-z]", name) else uses)
    ]


def _uses(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value  # a type that is only named, an attribute that is looked up


def _declared(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if {*map(_name, node.decorator_list)} <= PLAIN:
                    yield node.name
                if isinstance(node, ast.ClassDef) and {*map(_name, node.bases)} <= {"Value"}:
                    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
                    yield from (name for name in _declared(methods) if name[:2] != "__")
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def figures(checkout: Path) -> dict[str, object]:
    """The rows of the table."""
    trees = modules(checkout)
    files = list(trees)
    sizes, lengths = class_sizes(trees), function_lengths(trees)
    folders = folder_sizes([path for path in files if "commands" not in path.parts])
    biggest = max(sizes, key=lambda name: sizes[name])
    names = list(variable_names(trees))
    participles = sum(name in PARTICIPLES for name in names)
    lines = sum(len((checkout / path).read_text("utf-8").splitlines()) for path in files)
    directive = [path for path, tree in trees.items() if imports(tree, ".directive")]
    return {
        "modules": len(files),
        "lines": lines,
        "fullest folder": "{} ({})".format(*folders.most_common(1)[0]),
        "biggest class with its bases": f"{biggest} ({sizes[biggest]})",
        "function lines: median, 90 %, longest": (
            f"{statistics.median(lengths):g}, {lengths[len(lengths) * 9 // 10]}, {lengths[-1]}"
        ),
        "class names in several modules": len(namesakes(trees)),
        "participles among names": f"{participles} of {len(names)}",
        "modules that know a directive": len(directive),
    }


def imports(tree: ast.Module, module: str) -> bool:
    """Whether it imports something out of a module whose name ends so."""
    return any(
        isinstance(node, ast.ImportFrom) and (node.module or "").endswith(module)
        for node in ast.walk(tree)
    )


def main(checkouts: list[str]) -> None:
    """Prints the table."""
    columns = [figures(Path(place)) for place in checkouts or [str(ROOT)]]
    for row in columns[0]:
        print(row.ljust(42), *(str(column[row]).ljust(44) for column in columns))
    for place in checkouts or [str(ROOT)]:
        for name, paths in sorted(namesakes(modules(Path(place))).items()):
            print(f"{name}: {', '.join(paths)}")


if __name__ == "__main__":
    main(sys.argv[1:])
