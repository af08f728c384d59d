"""Names are things of a writer's world, and the top level is the one that was asked for."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.architecture import ROOT, modules, relative, syntax

BANNED = {"util", "utils", "helper", "helpers", "common", "manager", "handler", "base", "misc"}
WITHOUT_A_NOUN = {"found", "told", "kept", "shown"}
"""They say what was done to a value, and not what the value is."""
_ANY = "|".join(WITHOUT_A_NOUN)
PERHAPS = re.compile(rf"\b(?:{_ANY})(?: *[]=,:)}}]| in )|\bas (?:{_ANY})\b")
"""Stands in every module that gives such a name; to parse them all would take seconds."""


def test_no_file_has_a_name_that_says_nothing() -> None:
    paths = [
        relative(path)
        for path in modules("studio", "tests", "bench")
        if BANNED & set(re.split(r"[/_.]", relative(path).lower()))
    ]
    assert paths == []


def names_without_a_noun(tree: ast.Module) -> Iterator[str]:
    """Line and name of every such variable, parameter, field and keyword argument."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
                | ast.arg(arg=name)
                | ast.keyword(arg=name)
                | ast.alias(asname=name)
                | ast.ExceptHandler(name=name)
                | ast.MatchAs(name=name)
                | ast.MatchStar(name=name)
                | ast.MatchMapping(rest=name)
            ) if name in WITHOUT_A_NOUN:
                yield f"{node.lineno}: {name}"


@pytest.mark.parametrize(
    "code",
    [
        "found = look()",
        "first, *told = lines",
        "for shown in pages: pass",
        "with page() as shown: pass",
        "texts = [kept for kept in texts]",
        "if (found := look()): pass",
        "def write(told): pass",
        "write(lambda *told: None)",
        "class Fix:\n    kept: bool = True",
        "self.shown = page",
        "Fix(kept=True)",
        "from texts import text as found",
        "try: look()\nexcept OSError as told: pass",
        "match page:\n    case Page(text=shown): pass",
    ],
)
def test_a_name_without_a_noun_is_seen_wherever_it_is_given(code: str) -> None:
    assert len(list(names_without_a_noun(ast.parse(code)))) == 1
    assert PERHAPS.search(code)


@pytest.mark.parametrize("code", ["def told(): pass", "page.shown", "print(found())", "'kept'"])
def test_what_is_only_read_is_no_such_name(code: str) -> None:
    assert list(names_without_a_noun(ast.parse(code))) == []


@pytest.mark.sweep
def test_no_value_is_called_by_what_was_done_to_it() -> None:
    files = [*modules("studio", "tests", "bench"), ROOT / "dev.py"]
    names = [
        f"{relative(path)}:{name}"
        for path in files
        if PERHAPS.search(path.read_text("utf-8"))
        for name in names_without_a_noun(syntax(path))
    ]
    assert names == []


def test_the_top_level_is_the_one_of_the_card() -> None:  # req: U1
    wanted = {"pyproject.toml", "studio", "agents", "schemas", "themes", "tests", "sample-project"}
    assert wanted <= {path.name for path in ROOT.iterdir()}


def test_the_packages_of_the_card_are_declared() -> None:  # req: U1
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lines = [*declared["project"]["dependencies"], *declared["dependency-groups"]["test"]]
    names = {re.split(r"[<>=\[ ]", line)[0] for line in lines}
    wanted = "textual anthropic pydantic jsonschema watchfiles pytest pytest-textual-snapshot"
    assert set(wanted.split()) <= names
