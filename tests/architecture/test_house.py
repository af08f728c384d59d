"""The rooms of the house: how full they are, and whether their names can be guessed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture import ROOT, house, modules

LARGEST = 400
"""Lines of a class together with all its bases in the project."""
PARTICIPLES = 0.01
"""Share of the names of variables that may be bare participles."""

FILES = [path.relative_to(ROOT) for path in modules("studio")]


def trees() -> dict[Path, ast.Module]:
    """Every module of the package, parsed once."""
    return house.modules(ROOT)


def test_no_module_is_called_by_a_bare_participle() -> None:
    stems = {path.stem.strip("_"): path for path in FILES}
    assert {path.as_posix() for stem, path in stems.items() if stem in house.PARTICIPLES} == set()


@pytest.mark.sweep
def test_a_class_with_its_bases_is_read_in_one_sitting() -> None:
    sizes = {name: lines for name, lines in house.class_sizes(trees()).items() if lines > LARGEST}
    assert sizes == {}


@pytest.mark.sweep
def test_few_values_are_called_by_a_bare_participle() -> None:
    names = list(house.variable_names(trees()))
    bare = sum(name in house.PARTICIPLES for name in names)
    assert bare <= PARTICIPLES * len(names)


@pytest.mark.sweep
def test_nothing_is_declared_and_called_by_nobody() -> None:
    assert house.uncalled(trees()) == ["studio/plugins/api.py: hookimpl"], "plugins import that"


def test_every_folder_says_what_is_in_it() -> None:
    folders = {path.parent for path in FILES}
    silent = [folder for folder in folders if len(_docstring(folder)) < 20]
    assert silent == []


def _docstring(folder: Path) -> str:
    return ast.get_docstring(trees()[folder / "__init__.py"]) or ""


def test_no_two_classes_share_a_name() -> None:
    assert house.namesakes(trees()) == {}
