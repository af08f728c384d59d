"""Which versions of Python the project says it runs on, in every place that says so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click
import pytest

from studio.cli.program import studio as program
from tests.cli.command import studio

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


@pytest.mark.repairs("T26")
def test_every_place_names_the_versions_for_which_there_are_packages(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.15"
    named = [line.rsplit(" ", 1)[1] for line in project["classifiers"] if ":: 3." in line]
    assert tuple(named) == VERSIONS
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "Python 3.11, 3.12, 3.13 or 3.14" in readme
    dev = (ROOT / "dev.py").read_text("utf-8")
    assert re.search(r"\(3, 11\) <= sys\.version_info\[:2\] <= \(3, 14\)", dev)


@pytest.mark.sweep
@pytest.mark.repairs("T26")
def test_a_file_is_named_by_output_as_by_out(tmp_path: Path) -> None:
    ended = studio("schemas", "--output", tmp_path / "schemas")
    assert ended.code == 0, ended.err
    assert list((tmp_path / "schemas").glob("*.json"))


def test_every_command_that_takes_out_takes_output() -> None:
    missing = [
        name
        for name, command in walk("studio", program)
        for option in command.params
        if {"-o", "--out"} & set(option.opts) and "--output" not in option.opts
    ]
    assert missing == []


def walk(name: str, command: click.Command) -> list[tuple[str, click.Command]]:
    """A command and all below it."""
    commands = [(name, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            one = command.get_command(context, inner)
            assert one is not None
            commands += walk(f"{name} {inner}", one)
    return commands
