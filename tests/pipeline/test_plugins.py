"""Plugins: the two of docs/plugins.md, trust, and every way to misbehave at every point."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from studio.pipeline.outcome import Committed
from studio.plugins import active_plugins as plugins_module
from studio.project.trust import distrust, novel_plugins, trust
from studio.resources import docs_dir
from tests.cli.command import NOBODY, PROGRAM, studio
from tests.fake_messages import Rule
from tests.forking import in_child
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    CONTRACT,
    SETTINGS,
    Model,
    asked_for,
    block,
    drafted,
    judged,
    unrefined,
    violation,
)
from tests.pipeline.look_ups import looking_up, record_of
from tests.pipeline.plugins import HEAD, with_plugins
from tests.project.novels import put

POINTS = {
    "before_context": "context",
    "before_blocks": "context, blocks",
    "before_generation": "context, messages",
    "after_generation": "context, text",
    "after_save": "context, chapter",
}
BAD = {
    "raises": "raise RuntimeError('\\x1b[31mso it goes')",
    "prints": "print('\\x1b[2J\\x1b[31m', flush=True)",
    "loops": "\n    while True: pass",
    "blocks": "import ctypes; ctypes.PyDLL(None).sleep(60)",
    "babbles": "return 7",
    "dies": "import os; os._exit(3)",
}


def documented(name: str) -> str:
    """A plugin of docs/plugins.md."""
    text = (docs_dir() / "plugins.md").read_text("utf-8")
    match = re.search(rf"<!-- plugin: {name} -->\n```python\n(.*?)```", text, re.DOTALL)
    assert match is not None
    return match[1]


# req: C3 C11
@pytest.mark.sweep
def test_a_glossary_is_a_block_and_a_look_up(desk: OpenDesk) -> None:
    model = Model(draft=looking_up(("find_word", {"word": "varn"}), then=drafted))
    desk_ = desk(model, settings=f'{SETTINGS}[generation]\ntools = "all"\n')
    put(desk_.folder, "glossary.txt", "varn: the bell under the water\n종지기: bell keeper\n")
    with_plugins(desk_, glossary=documented("glossary"))
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.warnings
    first, second = asked_for(desk_, "draft")[:2]
    assert block(first, "glossary") == "varn: the bell under the water\n종지기: bell keeper"
    assert "find_word" in first.tools
    assert "the bell under the water" in second.results[0]
    assert record_of(desk_, "scene-drafter")["toolCalls"][0]["toolName"] == "find_word"


def test_what_a_plugin_remarks_takes_no_warning_of_the_judges_away(desk: OpenDesk) -> None:
    claim = violation("no words of the chapter")
    desk_ = with_plugins(
        desk(Model(judge=judged(violations=[claim]), refine=unrefined)),
        remarks=f"{HEAD}@hookimpl\ndef detect(context, chapter, earlier):\n"
        '    return [{"message": "It ends like the one before."}]\n',
    )
    desk_.write(review="ask")
    evaluation = desk_.store.staging_of(1).evaluation()
    assert evaluation is not None
    warnings = " ".join(map(str, evaluation.warnings))
    assert "It ends like the one before." in warnings
    assert "so it counts as medium" in warnings


# req: C3 G9
@pytest.mark.sweep
def test_chapters_that_end_alike_are_named(desk: OpenDesk) -> None:
    desk_ = with_plugins(desk(), endings=documented("endings"))
    put(
        desk_.folder,
        "volumes/vol-01/chapter-contracts/chapter-002.json",
        {**CONTRACT, "chapter": 2},
    )
    assert "ends with the same words" not in desk_.write().warnings
    ran = desk_.write(chapter=2)
    sentence = "endings, scene 2, paragraph 4: This chapter ends with the same words as chapter 1."
    assert sentence in ran.warnings
    evaluation = desk_.store.evaluation(2)
    assert evaluation is not None
    assert evaluation.warnings == (sentence,)


# req: C3
@pytest.mark.sweep
def test_each_of_the_five_points_changes_what_it_may(desk: OpenDesk) -> None:
    source = (
        HEAD
        + """
@hookimpl
def before_context(context):
    return {"present": ["joss"]}

@hookimpl
def before_blocks(context, blocks):
    rows = [{**b, "text": "gone"} for b in blocks if b["id"] != "craft"]
    return rows + [{"id": "tide-table", "text": "High water at six."}]

@hookimpl
def before_generation(context, messages):
    return [{**m, "content": m["content"] + "\\n\\nMind the tide."} for m in messages]

@hookimpl
def after_generation(context, text):
    return text.replace("oil cans", "oil tins")

@hookimpl
def after_save(context, chapter):
    open(context["folder"] + "/saved.txt", "w").write(chapter["title"])
"""
    )
    desk_ = with_plugins(desk(), all_points=source)
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.warnings
    asked = asked_for(desk_, "draft")[0]
    assert block(asked, "tide-table") == "High water at six."
    assert "Mind the tide." in block(asked, "plugin")
    assert not block(asked, "craft")
    assert block(asked, "brief") == "gone"
    assert "Mara finds the key" in block(asked, "scene-plan")
    assert asked.blocks[-1]["text"].startswith("Write scene 1")
    assert "oil tins" in desk_.text()
    assert (desk_.folder / "saved.txt").read_text() == "The Lamp Room"


# req: C3
@pytest.mark.sweep
@pytest.mark.parametrize("point", POINTS)
def test_a_plugin_that_misbehaves_is_named_once_and_costs_no_text(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    monkeypatch.setattr(plugins_module, "PATIENCE", 1.5)
    sources = {
        name: f"{HEAD}@hookimpl\ndef {point}({POINTS[point]}):\n    {what}\n"
        for name, what in BAD.items()
    }
    good = f"{HEAD}@hookimpl\ndef after_generation(context, text):\n    return text + ' Amen.'\n"
    plain = desk(novel="plain")
    plain.write()
    desk_ = with_plugins(desk(), **sources, good=good)
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.outcome
    off = [line for line in ran.warnings.splitlines() if "is off for this run" in line]
    named = {line.split()[2] for line in off}
    harmless = {"prints"} if point != "after_save" else {"prints", "babbles"}
    assert named == set(BAD) - harmless
    assert len(off) == len(named)
    assert "\x1b" not in ran.warnings + desk_.text()
    without = desk_.text().replace(" Amen.", "")
    assert without == plain.text()
    assert " Amen." in desk_.text()


PAINTING = {
    "before_context": 'return {"present": ["mara"], "location": EVIL}',
    "before_blocks": 'return blocks + [{"id": "tide-table", "text": EVIL}]',
    "before_generation": 'return [{**m, "content": m["content"] + EVIL} for m in messages]',
    "after_generation": 'return text + " " + EVIL',
    "after_save": "raise RuntimeError(EVIL)",
    "detect": 'return [{"message": EVIL}]',
}


# req: C3
@pytest.mark.sweep
def test_escape_sequences_in_an_answer_reach_neither_book_nor_prompt_nor_screen(
    desk: OpenDesk,
) -> None:
    """What a plugin prints goes nowhere; what it answers with is foreign text like any other."""
    evil = "EVIL = '\\x1b]0;mine\\x07\\x1b[2JVarn.'\n"
    args = {**POINTS, "detect": "context"}
    sources = {
        point: f"{HEAD}{evil}@hookimpl\ndef {point}({args[point]}):\n    {what}\n"
        for point, what in PAINTING.items()
    }
    desk_ = with_plugins(desk(), **sources)
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.outcome
    off = [line.split()[2] for line in ran.warnings.splitlines() if "is off for this run" in line]
    assert off == ["before_context", "after_save"]
    draft = asked_for(desk_, "draft")[0]
    assert "Varn." in block(draft, "tide-table")
    assert "Varn." in block(draft, "plugin")
    assert "Varn." in desk_.text()
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assert "Varn." in "".join(evaluation.warnings)
    events = b"".join(event.line() for event in ran.events).decode()
    asked = "".join(asked.prompt for asked in desk_.server.asked)
    text = "".join((*evaluation.warnings, events, asked, desk_.text()))
    assert [mark for mark in ("\x1b", "\x07", "\\u001b", "\\u0007") if mark in text] == []


# req: C3
@pytest.mark.sweep
def test_an_installed_plugin_runs_by_its_entry_point_and_hears_of_every_save(
    desk: OpenDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = {
        "METADATA": "Metadata-Version: 2.1\nName: hearing\nVersion: 1\n",
        "entry_points.txt": "[studio.plugins]\nhearing = tests.pipeline.installed_plugin\n",
    }
    for name, text in package.items():
        put(tmp_path / "packages", f"hearing-1.dist-info/{name}", text)
    monkeypatch.syspath_prepend(tmp_path / "packages")
    desk_ = desk()
    ran = desk_.write()
    assert isinstance(ran.outcome, Committed), ran.warnings
    assert "hearing: installed, and asked" in ran.warnings
    rows = [row.split() for row in (desk_.folder / "saved.txt").read_text("utf-8").splitlines()]
    assert [row[:2] for row in rows] == [["draft", "1"], ["draft", "2"], ["commit", "None"]]
    assert rows[-1][2] == desk_.store.committed_sha(1)


# req: C3
def test_plugins_that_nobody_trusts_do_not_run_nor_do_changed_ones(desk: OpenDesk) -> None:
    desk_ = desk()
    source = f"{HEAD}@hookimpl\ndef after_generation(context, text):\n    return 'Mine.'\n"
    put(desk_.folder, "plugins/mine.py", source)
    ran = desk_.write(review="ask")
    assert ran.warnings.count("not trusted as they are: mine.py") == 1
    assert "Mine." not in desk_.staged().read_text("utf-8")
    store = desk_.session().store
    assert store.state_folder is not None
    assert trust(store.root, store.state_folder).trusted
    put(desk_.folder, "plugins/mine.py", source + "# changed\n")
    assert not novel_plugins(store.root, store.state_folder).trusted
    put(desk_.folder, "plugins/mine.py", source)
    assert novel_plugins(store.root, store.state_folder).trusted
    distrust(store.root, store.state_folder)
    assert not novel_plugins(store.root, store.state_folder).trusted


@pytest.mark.sweep
def test_a_plugin_sees_no_key(desk: OpenDesk) -> None:
    source = f"""{HEAD}import os
@hookimpl
def detect(context, chapter, earlier):
    return [{{"message": "keys: " + " ".join(n for n in os.environ if "ANTHROPIC" in n)}}]
"""
    desk_ = with_plugins(desk(Model(draft=drafted, bridge=Rule(text="NONE"))), spy=source)
    assert "spy: keys:" in desk_.write().warnings
    assert "ANTHROPIC" not in desk_.write(chapter=1, again=True).warnings


SPY = f"""{HEAD}import os, re
@hookimpl
def detect(context, chapter, earlier):
    at, keys = os.getpid(), []
    while at > 1:
        at = int(re.search(r"PPid:\\s+(\\d+)", open(f"/proc/{{at}}/status").read())[1])
        try:
            keys.append(open(f"/proc/{{at}}/environ").read().count("SECRET-OF-HERS"))
        except OSError as error:
            keys.append(type(error).__name__)
    return [{{"message": "around: " + " ".join(map(str, keys))}}]
"""
"""A plugin that says what it reads in the environments of the processes around its own."""


@pytest.mark.sweep
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no /proc")
def test_a_plugin_reads_the_environment_of_no_process_around_it(project: Path) -> None:
    put(project, "plugins/spy.py", SPY)
    put(project, "draft.md", "# The Bell\n\nMara went down.\n\nThe lamp was out.\n")
    at = ["--project", str(project)]
    assert studio("plugins", "trust", *at).code == 0
    words = ["write", "--draft", str(project / "draft.md"), "--review", "accept", *at]
    environ = {**os.environ, "OPENAI_API_KEY": "SECRET-OF-HERS"}
    # The installed program itself: only its first environment stands in /proc.
    ended = subprocess.run(
        [PROGRAM, *words], env=environ, capture_output=True, check=False, preexec_fn=_no_privilege
    )
    heard = re.search(r"around: ([\w ]+)", ended.stderr.decode())
    assert heard is not None, ended.stderr.decode()
    assert set(heard[1].split()) == {"PermissionError"}


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no /proc")
@pytest.mark.skipif(os.getuid() != 0, reason="it becomes another user")
def test_another_process_of_the_same_person_cannot_read_the_studios_environment() -> None:
    def as_nobody() -> None:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # giving up rights has hidden it already
        assert _reads_its_parent()
        from studio.plugins.bounds import hide_this_process  # not there before the repair

        hide_this_process()
        assert not _reads_its_parent()

    assert in_child(as_nobody) == 0


def _no_privilege() -> None:
    """Takes what the administrator may do from the next program: it may look into everything."""
    for number in range(64):
        ctypes.CDLL(None).prctl(24, number, 0, 0, 0)


def _reads_its_parent() -> bool:
    """Whether a process of its own can read the environment of this one."""
    at = os.getpid()
    reader = os.fork()
    if reader == 0:
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)
        with suppress(OSError):
            Path(f"/proc/{at}/environ").read_bytes()
            os._exit(0)
        os._exit(1)
    return os.waitpid(reader, 0)[1] == 0


@pytest.mark.sweep
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no /proc")
def test_nothing_that_a_plugin_started_outlives_the_command(tmp_path: Path, desk: OpenDesk) -> None:
    pids = tmp_path / "pids"
    source = f"""{HEAD}import os, subprocess, sys
SLEEP = "import os, time\\nif os.fork() == 0:\\n    os.setsid()\\n    time.sleep(600)  # {tmp_path}"
@hookimpl
def detect(context, chapter, earlier):
    apart = subprocess.Popen(["sleep", "600"], start_new_session=True)
    subprocess.run([sys.executable, "-c", SLEEP])
    with open({str(pids)!r}, "a") as file:
        for pid in filter(str.isdecimal, os.listdir("/proc")):
            try:
                line = open(f"/proc/{{pid}}/stat").read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(pid) == apart.pid or line[1] == "1" and {str(tmp_path)!r} in open(
                f"/proc/{{pid}}/cmdline"
            ).read():
                file.write(pid + chr(10))
    return []
"""
    desk_ = with_plugins(desk(), leaves=source)
    desk_.write()
    left = [int(pid) for pid in pids.read_text().split()]
    assert left
    try:
        assert [pid for pid in left if _is_running(pid)] == []
    finally:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
