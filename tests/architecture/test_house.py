"""The rooms of the house: how full they are, and whether their names can be guessed."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.architecture import ROOT, house, modules

FULLEST = 20
"""Modules in one folder; commands apart, of which each is a module of its own."""
LARGEST = 400
"""Lines of a class together with all its bases in the project."""
TWICE = {
    "pipeline: gate": "the rule, and the stage that applies it",
    "tui: book": "what the app knows of a novel, and the outline of it",
    "tui: screen": "the desk, and what every screen has",
    "tui: history": "the screen, and its lines",
    "tui: rebuild": "the screen, and its lines",
    "tui: settings": "the screen, and its lines",
}
"""Stems that stand twice in a top package, with the reason."""
PARTICIPLES = 0.01
"""Share of the names of variables that may be bare participles."""

WAY = 15
"""Files that have to be read to follow a directive from the count of a metric to its undo."""
FAMILIAR = 52
"""Modules that import the model of a directive; what needs its type, its passage or what came of
it alone imports that."""

FILES = [path.relative_to(ROOT) for path in modules("studio")]


def trees() -> dict[Path, ast.Module]:
    """Every module of the package, parsed once."""
    return house.modules(ROOT)


def test_no_folder_is_a_heap() -> None:
    sizes = house.folder_sizes([path for path in FILES if "commands" not in path.parts])
    assert {folder: size for folder, size in sizes.items() if size > FULLEST} == {}


def test_a_stem_names_one_module_of_a_package() -> None:
    assert sorted(house.repeated_stems(FILES)) == sorted(TWICE)
    assert len(TWICE) <= 8


def test_no_module_is_called_by_a_bare_participle() -> None:
    stems = {path.stem.strip("_"): path for path in FILES}
    assert {path.as_posix() for stem, path in stems.items() if stem in house.PARTICIPLES} == set()


def test_a_class_with_its_bases_is_read_in_one_sitting() -> None:
    sizes = {name: lines for name, lines in house.class_sizes(trees()).items() if lines > LARGEST}
    assert sizes == {}


def test_few_values_are_called_by_a_bare_participle() -> None:
    names = list(house.variable_names(trees()))
    bare = sum(name in house.PARTICIPLES for name in names)
    assert bare <= PARTICIPLES * len(names)


def test_nothing_is_declared_and_called_by_nobody() -> None:
    assert house.uncalled(trees()) == ["studio/plugins/api.py: hookimpl"], "plugins import that"


def test_every_folder_says_what_is_in_it() -> None:
    folders = {path.parent for path in FILES}
    silent = [folder for folder in folders if len(_docstring(folder)) < 20]
    assert silent == []


def _docstring(folder: Path) -> str:
    return ast.get_docstring(trees()[folder / "__init__.py"]) or ""


def test_a_directive_is_followed_in_few_files() -> None:
    way = house.way_of_a_directive(ROOT)
    assert 5 < len(way) <= WAY
    assert [path for path in way if not (ROOT / "studio" / path).is_file()] == []


def test_few_modules_know_a_directive_whole() -> None:
    know = [path for path, tree in trees().items() if house.imports(tree, "review.directive")]
    assert 0 < len(know) <= FAMILIAR
