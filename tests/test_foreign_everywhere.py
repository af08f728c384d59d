"""What a model, a file or the author wrote is shown as it is by every command and every screen, in
every language of the interface, however much it reads like a sentence of ours."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from studio import i18n
from studio.cli.program import catch, command_line, studio
from studio.config.paths import state_dir
from tests.cli.command import has_traceback
from tests.fake_messages import FakeMessages
from tests.foreign_novel import TOKEN, ForeignNovel, faults
from tests.pipeline.flows import Model
from tests.tui.three_novels import CUT, FILTERED, SHOWN

LANGUAGES = ("en", "ko", "zh")
CALLS: dict[str, tuple[str, ...]] = {
    "new": ("new {new} --title {words} --language en --genre {words}",),
    "try": ("try {new} --headless",),
    "start": ("start {new} --title {words} --language en --genre {words} --trials 0",),
    "write": ("write", "write 3", "write 9", "write 1 --again"),
    "resume": ("resume", "resume --review reject"),
    "decide": ("decide", "decide nothing", "decide commit --note {words}"),
    "plan add": ("plan add {words} --happens {words}",),
    "plan label": ("plan label 5 {words}", "plan label 1 IV"),
    "plan list": ("plan list",),
    "plan merge": ("plan merge 5", "plan merge 2"),
    "plan move": ("plan move 6 8", "plan move 1 2"),
    "plan propose": ("plan propose 4", "plan propose 1"),
    "plan remove": ("plan remove 8", "plan remove 1"),
    "plan rename": ("plan rename 5 {words}", "plan rename 1 {words}"),
    "plan split": ("plan split 5", "plan split 2"),
    "plan undo": ("plan undo",),
    "brief": ("brief",),
    "directives accept": (f"directives accept {FILTERED}", f"directives accept {CUT}"),
    "directives answer": ("directives answer 1 note {words}",),
    "directives edit": (f"directives edit {CUT} --instruction {{words}}",),
    "directives list": ("directives list",),
    "directives pattern": ("directives pattern 1 make 1 --instruction {words}",),
    "directives place": ("directives place unplaced_001 --passage 1.3",),
    "directives remembers": ("directives remembers", "directives remembers 1 --words {words}"),
    "directives reject": (f"directives reject {CUT} --reason {{words}}",),
    "directives show": ("directives show", f"directives show {SHOWN}"),
    "directives undo": (f"directives undo {SHOWN}",),
    "proposals accept": ("proposals accept prop_0001",),
    "proposals add": ("proposals add 3 --passage 1.1 --cut --reason {words}",),
    "proposals edit": ("proposals edit prop_0001 --text {file}",),
    "proposals list": ("proposals list", "proposals list 3"),
    "proposals reject": ("proposals reject prop_0001 --reason {words}",),
    "proposals show": ("proposals show",),
    "proposals undo": ("proposals undo prop_0001",),
    "notes author": ("notes author 3 --text {words}",),
    "notes readers": ("notes readers 3 --text {words} --source {words}",),
    "notes show": ("notes show 3",),
    "published add": ("published add 2 --platform {words}",),
    "published list": ("published list", "published list 2"),
    "published remove": ("published remove 2",),
    "rewrite": (
        "rewrite 3 --passage 1.2 --mode regenerate --dry-run",
        "rewrite 3 --passage 1.2 --mode refine --direction {words}",
    ),
    "variations list": ("variations list 3",),
    "variations restore": ("variations restore 3 --sha {variation}",),
    "variations show": ("variations show 3 --sha {variation}",),
    "keep add": ("keep add 3 --passage 1.2",),
    "keep list": ("keep list 3",),
    "keep remove": ("keep remove 3 --passage 1.2",),
    "history backup": ("history backup",),
    "history backups": ("history backups",),
    "history diff": ("history diff brief.md", "history diff 1"),
    "history list": ("history list", "history list 1"),
    "history put-back": ("history put-back",),
    "history restore": ("history restore 1 --sha 0000",),
    "history restore-backup": ("history restore-backup {file} {new}",),
    "history show": ("history show 1 --sha 0000",),
    "history thin": ("history thin --dry-run",),
    "find": ("find Zq --in bible", "find Zq --in plans", "find Zq --notes", "find Mara"),
    "replace": ("replace Zq Zr --dry-run", "replace Zq Zr"),
    "rebuild": ("rebuild --all --dry-run", "rebuild 1 --dry-run", "rebuild 7"),
    "status": ("status", "status 1", "status 2", "status 3"),
    "verify": ("verify",),
    "repair": ("repair",),
    "check": ("check 1", "check {file}"),
    "context": (
        "context",
        "context 4",
        "context --lines",
        "context --full",
        "context --agent quality-oracle",
        "context --diff",
    ),
    "lines list": ("lines list",),
    "lines mute": ("lines mute world/the-book",),
    "lines pin": ("lines pin world/the-book",),
    "lines reset": ("lines reset world/the-book",),
    "lines swap": ("lines swap world/the-book short",),
    "log list": ("log list", "log list 3"),
    "log replay": ("log replay gen",),
    "log show": ("log show gen",),
    "usage allow": ("usage allow claude-opus-5-5",),
    "usage settle": ("usage settle",),
    "usage show": ("usage show", "usage show --by chapter"),
    "bible list": ("bible list",),
    "bible mentions": ("bible mentions mara",),
    "bible rename": ("bible rename mara {words} --dry-run",),
    "bible set": ("bible set items.lamp.state {words}",),
    "bible show": ("bible show mara", "bible show the-book", "bible show {words}"),
    "bible suggest": ("bible suggest", "bible suggest --least 1"),
    "continuity": ("continuity --all", "continuity 2"),
    "promises add": ("promises add new_one --about {words}",),
    "promises list": ("promises list",),
    "promises settle": ("promises settle drowned_bell resolved --reason {words}",),
    "promises show": ("promises show drowned_bell", "promises show {words}"),
    "promises suggest": ("promises suggest",),
    "volume plan": ("volume plan --from {file}",),
    "volume review": ("volume review",),
    "volume show": ("volume show", "volume show 1"),
    "authorship": ("authorship", "authorship -o -"),
    "retire": ("retire edwin --dry-run", "retire joss"),
    "waivers add": (f"waivers add {CUT} --reason {{words}}",),
    "waivers list": ("waivers list",),
    "waivers remove": ("waivers remove w_001",),
    "exemplars add": ("exemplars add fresh {file} --note {words} --source {words}",),
    "exemplars list": ("exemplars list",),
    "exemplars query": ("exemplars query --scene-type dialogue",),
    "exemplars remove": ("exemplars remove second-cage",),
    "baseline forget": ("baseline forget",),
    "baseline learn": ("baseline learn {file}", "baseline learn --chapters"),
    "baseline show": ("baseline show",),
    "models": ("models",),
    "doctor": ("doctor",),
    "plugins distrust": ("plugins distrust",),
    "plugins list": ("plugins list",),
    "plugins trust": ("plugins trust",),
    "agents": ("agents", "agents scene-drafter", "agents {words}"),
    "config get": ("config get novel.title", "config get {words}"),
    "config path": ("config path",),
    "config set": ("config set novel.genre {words}", "config set novel.language {words}"),
    "config show": ("config show",),
    "config unset": ("config unset novel.genre",),
    "import": ("import {file} --into {new} --dry-run", "import {file} --into {new} --yes"),
    "export": ("export -o -", "export outline -o -", "export bible -o -"),
    "schemas": ("schemas", "schemas contract"),
    "completion": ("completion bash",),
    "help": ("help", "help write", "help {words}"),
}
"""Every command, with calls that show what it says of the novel or of what was typed."""
TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.-]+(?:Z|[+-]\d\d:\d\d)?|\b\d+(?:\.\d+)? ?m?s\b")
HASHES = re.compile(r"\b[0-9a-f]{6,64}\b|(?<!Zq)\d{4,}")


def every_command(command: click.Command = studio, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yields every command of the program, those of groups with the group's name."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for inner in command.list_commands(context):
        subcommand = command.get_command(context, inner)
        assert subcommand is not None
        yield from every_command(subcommand, f"{name} {inner}".strip())


COMMANDS = dict(every_command())


class PlayedNovel(ForeignNovel):
    """The novel, with sentences for a manuscript to bring in and for what is typed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.manuscript = [self.sentence("a file that is brought in") for _ in range(4)]
        self.argument = self.sentence("what is typed")


class Player:
    """Runs commands on a fresh copy of the novel, always in the same place."""

    def __init__(self, base: Path, novel: PlayedNovel, capsys: pytest.CaptureFixture[str]) -> None:
        self.base, self.novel, self._capsys = base, novel, capsys
        self.file = base / "chapters.md"
        self.file.write_text("# {}\n\n{}\n\n# {}\n\n{}\n".format(*novel.manuscript), "utf-8")
        self.words = novel.argument
        listed = (self.novel.folder / "variations/chapter-003/chapter.json").read_bytes()
        self._variation = json.loads(listed)["variations"][0]["sha256"][:10]

    def run(self, call: str, language: str) -> tuple[str, str]:
        """Returns what a call prints to stdout and stderr in a language."""
        there, new = self.base / "novel", self.base / "new"
        for folder in (there, new, state_dir(os.environ) / "backups"):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.novel.folder, there)
        given = {
            "words": self.words,
            "file": str(self.file),
            "new": str(new),
            "variation": self._variation,
        }
        arguments = [part.format_map(given) for part in call.split()]
        if any(param.name == "project" for param in COMMANDS[name_of(call)].params):
            arguments += ["--project", str(there)]
        i18n.use(language)
        self._capsys.readouterr()
        catch(command_line, arguments)
        printed = self._capsys.readouterr()
        assert not any(map(has_traceback, printed))
        return printed.out, printed.err


def name_of(call: str) -> str:
    """Returns the name of a call's command."""
    two = " ".join(call.split()[:2])
    return two if two in COMMANDS else call.split()[0]


@pytest.fixture(scope="module")
def foreign_novel(tmp_path_factory: pytest.TempPathFactory) -> PlayedNovel:
    return PlayedNovel(tmp_path_factory.mktemp("foreign") / "original")


@pytest.fixture
def player(
    tmp_path: Path,
    foreign_novel: PlayedNovel,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Player]:
    monkeypatch.chdir(tmp_path)
    with FakeMessages(answering=Model()) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        yield Player(tmp_path, foreign_novel, capsys)


def test_every_command_is_played() -> None:
    assert sorted(CALLS) == sorted(COMMANDS)
    assert all(name_of(call) == name for name, calls in CALLS.items() for call in calls)


GROUPS = [
    pytest.param(names, id=names[0].replace(" ", "-"))
    for names in ([*CALLS][first::15] for first in range(15))
]
"""Every fifteenth command, so that one row of them is of all kinds."""


def is_end(beside: str) -> bool:
    """Whether what is printed was cut here, set in columns, or put between the marks of a block."""
    return "…" in beside or "  " in beside or "\n" in beside or beside.startswith("</")


# req: H6
@pytest.mark.sweep
@pytest.mark.parametrize("names", GROUPS)
def test_commands_print_foreign_sentences_as_they_are(names: list[str], player: Player) -> None:
    wrong = []
    for name in names:
        for call in CALLS[name]:
            for language in LANGUAGES:
                for printed in player.run(call, language):
                    places = faults(as_text(printed), player.novel, is_end)
                    wrong += [f"{language}: {call}: {one}" for one in places]
    assert not wrong, "\n".join(wrong)


SEEN_NOWHERE = frozenset(
    {
        *("ai-blacklist.json reason", "storylines/storyline-spec.json reason"),
        *("evaluations/chapter-N-eval.json options", "evaluations/chapter-N-eval.json reasons"),
        *("logs/pipeline.log", "volumes/vol-N/foreshadowing.json description"),
    }
)
"""The fields of the novel that no command prints: models and the app are shown them, or nobody."""


# req: H6
@pytest.mark.sweep
@pytest.mark.long
def test_which_fields_no_command_prints(player: Player) -> None:
    """So that a field that vanishes from what is printed is noticed, and a new one is looked at."""
    seen: set[str] = set()
    for call in (call for calls in CALLS.values() for call in calls):
        seen |= {*TOKEN.findall("".join(player.run(call, "en")))}
    fields = player.novel.fields
    unseen = {*fields.values()} - {field for token, field in fields.items() if token in seen}
    assert unseen == SEEN_NOWHERE


def as_text(printed: str) -> str:
    """Returns lines as they were before they were wrapped, and before a change was shown in them:
    the last word of a sentence that is somebody's name counts as her surname."""
    lines = re.sub(r"(?<=[^\s]) ?\n {2,}(?=\S)", " ", printed)
    return re.sub(r"\[([^\[]*?) → .*?\]", r"\1", lines)


# req: H6
@pytest.mark.sweep
@pytest.mark.parametrize("names", GROUPS)
def test_json_is_the_same_in_every_language(names: list[str], player: Player) -> None:
    other = []
    for name in names:
        flags = [
            flag
            for flag in ("--json", "--events")
            if any(flag in param.opts for param in COMMANDS[name].params)
        ]
        for call in (f"{call} {flag}" for call in CALLS[name] for flag in flags):
            printed = {plain(player.run(call, language)[0]) for language in LANGUAGES}
            if len(printed) != 1:
                other.append("\n".join([call, *printed]))
    assert not other, "\n".join(other)


def plain(printed: str) -> str:
    """Returns JSON without what differs from run to run: times and what is made of them."""
    return HASHES.sub("#", TIMES.sub("T", printed))
