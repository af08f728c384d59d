"""Private parts of Textual stand in one module, with reasons and a version."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

import pytest
import textual

from studio.tui import textual_private
from tests.architecture import modules, relative, syntax

LIST = "studio/tui/textual_private.py"
TEXTUAL = Path(textual.__file__).parent
CLASS = re.compile(r"class (\w+)")
MEMBER = re.compile(r"    (?:async )?(?:def )?(_[a-zA-Z]\w*)\s*(?:\(|:|=(?!=))")
OF_SELF = re.compile(r"\b(?:self|cls)\.(_[a-zA-Z]\w*)\s*(?::[^=\n]+)?=(?!=)")
FUNCTION = re.compile(r"(?:async )?def (_[a-zA-Z]\w*)")

PARTS = {
    name: part
    for name, part in vars(textual_private).items()
    if isinstance(part, textual_private.Part)
}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


@cache
def private_names_by_class() -> dict[str, frozenset[str]]:
    """Textual's classes by their dotted names, with the private names that each defines or sets;
    under a module's name, those of its functions."""
    named: defaultdict[str, set[str]] = defaultdict(set)
    for path in TEXTUAL.rglob("*.py"):
        parts = path.relative_to(TEXTUAL.parent).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        home = module
        for line in path.read_text("utf-8").splitlines():
            if line[:1].strip() and (begins := CLASS.match(line) or FUNCTION.match(line)):
                home = f"{module}.{begins[1]}" if line.startswith("class") else module
                named[home].update(FUNCTION.findall(line))
            elif member := MEMBER.match(line):
                named[home].add(member[1])
            named[home].update(OF_SELF.findall(line))
    return {home: frozenset(names) for home, names in named.items()}


@cache
def private_names() -> frozenset[str]:
    return frozenset().union(*private_names_by_class().values())


def of_bases(bases: tuple[type, ...]) -> set[str]:
    """The private names of those classes of Textual that are among the bases of one of ours."""
    known = private_names_by_class()
    return {n for b in bases for n in known.get(f"{b.__module__}.{b.__qualname__}", ())}


@cache
def taken_by_class() -> dict[tuple[str, str], frozenset[str]]:
    """Each class of ours with the names that are Textual's in it, or in a class it is part of."""
    taken: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for path in modules("studio/tui"):
        name = relative(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for ours in vars(importlib.import_module(name)).values():
            if inspect.isclass(ours) and ours.__module__ == name:
                for base in ours.__mro__:
                    if base.__module__.startswith("studio."):
                        path_of_base = base.__module__.replace(".", "/") + ".py"
                        taken[path_of_base, base.__qualname__] |= of_bases(ours.__mro__)
    return {place: frozenset(names) for place, names in taken.items()}


def in_class(path: str, code: ast.AST, qualname: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node with the dotted name of the class that it stands in."""
    for node in ast.iter_child_nodes(code):
        inner = qualname
        if isinstance(node, ast.ClassDef):
            inner = f"{qualname}.{node.name}".lstrip(".")
        yield qualname, node
        yield from in_class(path, node, inner)


def is_own_object(node: ast.expr) -> bool:
    """Whether an expression is `self`, `cls` or `super()`."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "super"
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def imported_from_textual(code: ast.AST) -> set[str]:
    return {
        alias.asname or alias.name
        for node in ast.walk(code)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "textual"
        for alias in node.names
    }


def names_private_part(path: str, qualname: str, node: ast.AST) -> str:
    """What of Textual's own a node names; nothing for most."""
    taken = taken_by_class().get((path, qualname), frozenset())
    match node:
        case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "textual":
            if "._" in module or any(is_private(alias.name) for alias in names):
                return f"{module}.{','.join(alias.name for alias in names)}"
        case ast.Import(names=names):
            return ", ".join(a.name for a in names if re.match(r"textual\b.*\._", a.name))
        case ast.Attribute(value=owner, attr=name) if is_private(name):
            if name in (taken if is_own_object(owner) else private_names()):
                return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if is_private(name):
            return name if name in taken else ""
        case ast.Constant(value=str(name)) if is_private(name):
            return name if name in private_names() else ""
    return ""


def changed(node: ast.AST, names: set[str]) -> str:
    """What is set in a class or module of Textual by name."""
    match node:
        case ast.Attribute(value=owner, ctx=ast.Store()):
            pass
        case ast.Call(func=ast.Name(id="setattr"), args=[owner, *_]):
            pass
        case _:
            return ""
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return owner.id if isinstance(owner, ast.Name) and owner.id in names else ""


def found_in(path: str, code: ast.AST) -> list[str]:
    textuals = imported_from_textual(code)
    return [
        f"{path}:{getattr(node, 'lineno', 0)} {name}"
        for qualname, node in in_class(path, code)
        if (name := names_private_part(path, qualname, node) or changed(node, textuals))
    ]


@pytest.mark.sweep
def test_private_parts_of_textual_stand_in_one_module() -> None:
    places = [
        line
        for path in modules("studio/tui")
        if relative(path) != LIST
        for line in found_in(relative(path), syntax(path))
    ]
    assert places == [], f"only {LIST} names a private part of Textual, with a reason"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("studio/tui/x.py", "from textual._compositor import Compositor"),
        ("studio/tui/x.py", "import textual.widgets._toast"),
        ("studio/tui/x.py", "from textual.keys import _character_to_key"),
        ("studio/tui/x.py", "def f(view):\n    view.app._start_widget(view, view)"),
        ("studio/tui/x.py", "getattr(screen, '_compositor')"),
        ("studio/tui/x.py", "from textual import events\nevents.Key.is_printable = 1"),
        ("studio/tui/x.py", "from textual.drivers import linux_driver as d\nsetattr(d, 'X', 1)"),
        ("studio/tui/screen.py", "class StudioScreen:\n    def _refresh_layout(self): ..."),
        (
            "studio/tui/screen.py",
            "class StudioScreen:\n    def f(self): super()._task",
        ),
        ("studio/tui/app.py", "class StudioApp:\n    def f(self): self._exit = True"),
    ],
)
def test_a_private_part_elsewhere_is_seen(path: str, code: str) -> None:
    assert found_in(path, ast.parse(code)) != []


def test_a_name_of_ours_is_none_of_textuals() -> None:
    code = "class Faults:\n    def _driver(self): self._exit = self._app"
    assert found_in("studio/tui/runtime/faults.py", ast.parse(code)) == []


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_each_part_in_the_list_is_in_textual_and_has_a_reason(part: textual_private.Part) -> None:
    owner = resolve_name(part.home)
    if is_private(part.name):
        assert part.name in of_bases(owner.__mro__)
    else:
        assert hasattr(owner, part.name)
    assert part.reason


def test_each_part_in_the_list_is_used() -> None:
    used = "\n".join(p.read_text("utf-8") for p in modules("studio/tui") if relative(p) != LIST)
    listed = {*PARTS, *textual_private.__all__}
    assert {name for name in listed if not re.search(rf"\b{name}\b", used)} == set()


def test_the_list_was_tried_on_the_version_of_textual_in_use() -> None:
    tried_on = f"Tried on Textual {textual.__version__}."
    assert tried_on in (textual_private.__doc__ or ""), f"try each row of {LIST} on this version"
