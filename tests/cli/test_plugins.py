"""`studio plugins`: what there is, trust given and taken, and the words of doctor."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.plugins.active_plugins import PluginSource
from tests.cli.conftest import Typed, own_chapter
from tests.fake_messages import FakeMessages
from tests.pipeline.plugins import HEAD

SOURCE = "import pluggy\n"


# req: G9
def test_trust_is_given_by_a_command_and_taken_back(project: Path, typed: Typed) -> None:
    at = ("--project", project)
    assert typed("plugins", "list", *at).out.strip() == "There are no plugins."
    assert typed("plugins", "trust", *at).code == 2
    (project / "plugins").mkdir()
    (project / "plugins/glossary.py").write_text(SOURCE, "utf-8")
    listed = typed("plugins", "list", "--json", *at).json["plugins"]
    assert listed == [{"name": "glossary", "from": "novel", "trusted": False, "fault": None}]
    assert "studio plugins trust" in typed("doctor", *at).out
    assert "glossary.py" in typed("plugins", "trust", *at).out
    assert typed("plugins", "list", *at).out.strip() == "glossary: novel, runs"
    (project / "plugins/glossary.py").write_text(SOURCE + "#\n", "utf-8")
    assert "does not run" in typed("plugins", "list", *at).out
    assert typed("plugins", "trust", *at).code == 0
    assert typed("plugins", "distrust", *at).code == 0
    assert not typed("plugins", "list", "--json", *at).json["plugins"][0]["trusted"]
    (project / "plugins/glossary.py").unlink()
    (project / "plugins/glossary.py").symlink_to("/etc/hostname")
    assert typed("plugins", "trust", *at).code in (2, 5)


def test_a_plugin_that_cannot_be_loaded_is_not_said_to_run(project: Path, typed: Typed) -> None:
    at = ("--project", project)
    (project / "plugins").mkdir()
    (project / "plugins/glossary.py").write_text(SOURCE, "utf-8")
    (project / "plugins/lost.py").write_text("import nothing_of_that_name\n", "utf-8")
    (project / "plugins/torn.py").write_text("def hooks(:\n", "utf-8")
    typed("plugins", "trust", *at)
    lines = typed("plugins", "list", *at).out.splitlines()
    assert "glossary: novel, runs" in lines
    lost, torn = (next(row for row in lines if row.startswith(name)) for name in ("lost", "torn"))
    assert "does not run: failed (" in lost
    assert "nothing_of_that_name" in lost
    assert "does not run: failed (" in torn
    rows = {
        row["name"]: row["fault"] for row in typed("plugins", "list", "--json", *at).json["plugins"]
    }
    assert rows["glossary"] is None
    assert "nothing_of_that_name" in rows["lost"]


@pytest.mark.repairs("T28")
def test_trust_covers_the_modules_that_plugins_may_read(project: Path, typed: Typed) -> None:
    at, name = ("--project", project), "__lib__.py"
    (project / "plugins").mkdir()
    (project / "plugins/glossary.py").write_text(SOURCE, "utf-8")
    (project / "plugins" / name).write_text("WORDS = ['lamp']\n", "utf-8")
    typed("plugins", "trust", *at)
    names = [row["name"] for row in typed("plugins", "list", "--json", *at).json["plugins"]]
    assert names == ["glossary"]
    (project / "plugins" / name).write_text("WORDS = ['thief']\n", "utf-8")
    assert "does not run" in typed("plugins", "list", *at).out


@pytest.mark.repairs("T28")
def test_nothing_says_that_a_plugin_cannot_reach_the_keys(typed: Typed) -> None:
    assert "without your keys" not in " ".join(typed("plugins", "--help").out.split())
    assert "without your keys" not in " ".join(typed("help", "plugins").out.split())


def test_the_preview_of_a_prompt_names_a_plugin_that_fails_and_its_line(
    novel: Path, typed: Typed, server: FakeMessages
) -> None:
    outline = novel / "volumes/vol-01/outline.md"
    outline.write_text("# Volume 1\n\n## Chapter 1: Salt\n\nMara opens the ledger.\n", "utf-8")
    plugin = novel / "plugins/salt.py"
    plugin.parent.mkdir()
    plugin.write_text(f"{HEAD}@hookimpl\ndef blocks(context):\n    return salt\n", "utf-8")
    assert "not trusted as they are: salt.py" in typed("context").err
    typed("plugins", "trust")
    for way in ((), ("--block", "the task"), ("--json",)):
        preview = typed("context", *way)
        assert preview.code == 0
        assert preview.err.count("The plugin salt is off for this run") == 1
        assert "NameError: name 'salt' is not defined, plugins/salt.py:5" in preview.err
    plugin.write_text(f"{HEAD}import salt\n", "utf-8")
    typed("plugins", "trust")
    assert "plugins/salt.py:3" in typed("context").err
    assert not server.asked


def test_the_remark_of_a_plugin_is_not_why_a_chapter_is_not_judged(
    novel: Path, typed: Typed
) -> None:
    plugin = novel / "plugins/salt.py"
    plugin.parent.mkdir()
    remark = '    return [{"message": "Salt again.", "paragraph": 1}]\n'
    plugin.write_text(f"{HEAD}@hookimpl\ndef detect(context):\n{remark}", "utf-8")
    typed("plugins", "trust")
    typed("write", "--draft", own_chapter(novel))
    read = typed("status", "1")
    assert "Not judged. No model was there to judge the chapter.\n" in read.out
    assert read.err.count("salt, scene 1, paragraph 1: Salt again.") == 1


def test_a_plugin_of_the_novel_gives_way_to_an_installed_one_of_its_name(
    novel: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = [PluginSource("salt", entry_point="calendar")]
    monkeypatch.setattr("studio.plugins.active_plugins.installed_plugins", lambda: installed)
    (novel / "plugins").mkdir()
    for name in ("salt", "tide"):
        (novel / f"plugins/{name}.py").write_text(SOURCE, "utf-8")
    typed("plugins", "trust")
    listed = ["salt: installed, runs", "salt: novel, does not run", "tide: novel, runs"]
    assert typed("plugins", "list").out.splitlines() == listed
