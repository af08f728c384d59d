"""Names are things of a writer's world, and the top level is the one that was asked for."""

from __future__ import annotations

import re
import tomllib

from tests.architecture import ROOT, modules, relative

BANNED = {"util", "utils", "helper", "helpers", "common", "manager", "handler", "base", "misc"}


def test_no_file_has_a_name_that_says_nothing() -> None:
    found = [
        relative(path)
        for path in modules("studio", "tests", "bench")
        if BANNED & set(re.split(r"[/_.]", relative(path).lower()))
    ]
    assert found == []


def test_the_top_level_is_the_one_of_the_card() -> None:  # req: U1
    wanted = {"pyproject.toml", "studio", "agents", "schemas", "themes", "tests", "sample-project"}
    assert wanted <= {path.name for path in ROOT.iterdir()}


def test_the_packages_of_the_card_are_declared() -> None:  # req: U1
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lines = [*declared["project"]["dependencies"], *declared["dependency-groups"]["test"]]
    names = {re.split(r"[<>=\[ ]", line)[0] for line in lines}
    wanted = "textual anthropic pydantic jsonschema watchfiles pytest pytest-textual-snapshot"
    assert set(wanted.split()) <= names
