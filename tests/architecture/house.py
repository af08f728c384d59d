"""The house in figures: folders, names, classes and functions of a checkout, from its source alone.

    python3 dev.py house [FOLDER OR COMMIT...]

prints a table, with a column for each checkout or commit, and then the class names that stand in
several modules. Nothing of them is run.
"""

from __future__ import annotations

import ast
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.architecture import ROOT, syntax

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
    return {path.relative_to(checkout): syntax(path) for path in files}


def namesakes(trees: dict[Path, ast.Module]) -> dict[str, list[str]]:
    """The class names that stand in more than one module, each with the modules."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(path.as_posix())
    return {name: paths for name, paths in places.items() if len(paths) > 1}


EVERY_SCREEN = "StudioScreen"
"""The base of all screens: read once, its lines count for itself and not for each of them."""


def class_sizes(trees: dict[Path, ast.Module]) -> dict[str, int]:
    """Lines of each class together with its bases in the project, the base of every screen left
    out."""
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
                if base != EVERY_SCREEN:
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


IRREGULAR = PARTICIPLES | frozenset(
    [
        "read",
        "put",
        "set",
        "cut",
        "begun",
        "bound",
        "broken",
        "built",
        "caught",
        "come",
        "driven",
        "fallen",
        "felt",
        "gotten",
        "held",
        "hidden",
        "laid",
        "led",
        "lent",
        "lit",
        "lost",
        "met",
        "paid",
        "run",
        "shut",
        "sold",
        "spent",
        "split",
        "spoken",
        "spread",
        "stood",
        "struck",
        "swept",
        "taught",
        "thought",
        "thrown",
        "torn",
        "understood",
        "won",
        "worn",
    ]
)
"""Participles that do not show by their ending, as names of functions."""
NO_PARTICIPLES = frozenset(
    [
        "bring",
        "embed",
        "feed",
        "need",
        "ping",
        "ring",
        "seed",
        "sing",
        "speed",
        "spring",
        "string",
        "thing",
    ]
)
"""Words that end like a participle and are none."""
VALUES = frozenset(
    ["Value", "Document", "NamedTuple", "TypedDict", "BaseModel", "Wire", "Sparse", "CamelValue"]
)
"""What the types derive from that only hold values."""


def is_bare_participle(name: str) -> bool:
    """Whether a function's name is one word that says what was done, and not what is done."""
    word = name.strip("_")
    ends = word.endswith(("ed", "ing")) and len(word) > 4 and word not in NO_PARTICIPLES
    return word in IRREGULAR or ("_" not in word and ends)


def function_names(trees: dict[Path, ast.Module]) -> list[str]:
    """The name of every function and method."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [
        node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, kinds)
    ]


def value_types(trees: dict[Path, ast.Module]) -> list[str]:
    """The classes that only hold values, by what they derive from or are decorated with."""
    nodes = [n for tree in trees.values() for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    known = set(VALUES)
    while more := {n.name for n in nodes if n.name not in known and {*map(_name, n.bases)} & known}:
        known |= more
    return [n.name for n in nodes if n.name in known or "dataclass" in map(_name, n.decorator_list)]


def code_lines(text: str) -> int:
    """The lines that are neither blank nor a comment."""
    return sum(bool(line.strip()) and line.strip()[0] != "#" for line in text.splitlines())


def figures(checkout: Path) -> dict[str, object]:
    """The rows of the table."""
    trees = modules(checkout)
    texts = {path: (checkout / path).read_text("utf-8") for path in trees}
    rooms = [len(text.splitlines()) for path, text in texts.items() if path.stem != "__init__"]
    folders = {path.parent for path in trees}
    sizes, lengths = class_sizes(trees), function_lengths(trees)
    biggest = max(sizes, key=lambda name: sizes[name])
    functions = function_names(trees)
    bare = sum(map(is_bare_participle, functions))
    code = sum(map(code_lines, texts.values()))
    pages = [*checkout.glob("*.md"), *(checkout / "docs").rglob("*.md")]
    return {
        "modules": len(trees),
        "median lines": f"{statistics.median(rooms):g}",
        "under 60 lines": f"{sum(size < 60 for size in rooms) / len(rooms):.0%}",
        "lines": sum(len(text.splitlines()) for text in texts.values()),
        "folders": len(folders),
        "deepest": max(len(folder.parts) for folder in folders) - 1,
        "functions that are a bare participle": f"{bare / len(functions):.1%}",
        "value types a 1,000 code lines": f"{1000 * len(value_types(trees)) / code:.1f}",
        "class names in several modules": len(namesakes(trees)),
        "longest function": lengths[-1],
        "median function": f"{statistics.median(lengths):g}",
        "biggest class with its bases": f"{biggest} ({sizes[biggest]})",
        "words of docs": sum(len(page.read_text("utf-8").split()) for page in pages),
    }


def main(places: list[str]) -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory(prefix="studio-house-") as folder:
        checkouts = [checkout_of(place, Path(folder)) for place in places or [str(ROOT)]]
        columns = [figures(checkout) for checkout in checkouts]
        for row in columns[0]:
            print(row.ljust(38), *(str(column[row]).rjust(16) for column in columns))
        for name, paths in sorted(namesakes(modules(checkouts[-1])).items()):
            print(f"{name}: {', '.join(paths)}")


def checkout_of(place: str, folder: Path) -> Path:
    """A folder as it is; a commit as it was, below a temporary folder."""
    if Path(place).is_dir():
        return Path(place)
    there = folder / place.replace("/", "-")
    archive = there.with_suffix(".tar")
    subprocess.run(["git", "archive", f"--output={archive}", place], cwd=ROOT, check=True)
    shutil.unpack_archive(archive, there, filter="data")
    return there


if __name__ == "__main__":
    main(sys.argv[1:])
