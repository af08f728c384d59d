"""What may not be read or written is named, with what to do about it, whatever the command.

Root may read everything, so the commands run without the rights of root.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.cli.program import COMPLETING
from studio.errors import Exit
from tests.cli.command import Ended, has_traceback, studio, tree
from tests.small_novels import copied_sample

READ_ONLY = ("novel",)
PLACES = {
    "chapter": "novel/chapters/chapter-002.md",
    "chapters": "novel/chapters",
    "outline": "novel/volumes/vol-01/outline.md",
    "plan": "novel/volumes/vol-01/chapter-contracts/chapter-003.json",
    "volumes": "novel/volumes",
    "state": "novel/state/current-state.json",
    "changelog": "novel/state/changelog.jsonl",
    "history": "novel/history",
    "checkpoint": "novel/.checkpoint.json",
    "brief": "novel/brief.md",
    "settings": "novel/studio.toml",
    "people": "novel/characters",
    "promises": "novel/foreshadowing/global.json",
    "staging": "novel/staging",
    "logs": "novel/logs",
    "novel": "novel",
    "shut novel": "novel",
    "own settings": "config",
    "own state": "state",
}
COMMANDS = """
status
status 2
brief
context
check 2
verify
log
usage
history
history list 2
find Mara
replace Mara Maren
bible
continuity
promises
lines
plan list
plan add Night --happens Rain
directives
variations
keep
waivers
exemplars
baseline
export -o OUT
export bible -o OUT
export outline -o OUT
authorship
config
config get novel.title
config set novel.title Tide
config set --user provider.name openai
models
doctor
agents
plugins
repair
rebuild
rebuild 1 --dry-run
decide
resume
write --draft OWN --review reject
""".strip().splitlines()
OPENS = {"chapter": "export -o OUT", "plan": "plan list", "state": "verify", "outline": "plan list"}
REFUSED = "you do not have the right to"
ADVICE = "Check its owner and its permissions."


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Path]:
    """A copy of the sample, an own text, and the folders of a user who may come to all of it."""
    folder = tmp_path / "desk"
    copied_sample(folder / "novel")
    for name in ("config/studio", "state", "home", "novel/staging", "novel/logs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "config/studio/config.toml").write_text("")
    (folder / "own.md").write_text("# Night\n\nMara hears the bell ring under water.\n\nRain.\n")
    yield folder
    for path in (folder, *folder.iterdir(), *(folder / "novel").iterdir()):
        if path.is_dir():
            path.chmod(0o755)


def run(desk: Path, line: str, option: str = "--project") -> Ended:
    names = {"OWN": str(desk / "own.md"), "OUT": str(desk / "out.md")}
    words = [names.get(word, word) for word in line.split()]
    home = {
        "HOME": desk / "home",
        "XDG_CONFIG_HOME": desk / "config",
        "XDG_STATE_HOME": desk / "state",
    }
    return studio(
        *words,
        *([option, desk / "novel"] if option else []),
        cwd=desk,
        environ={name: str(folder) for name, folder in home.items()},
        without_rights=True,
    )


def shut(desk: Path, place: str) -> None:
    (desk / PLACES[place]).chmod(0o555 if place in READ_ONLY else 0)


# fault: C8
@pytest.mark.sampled
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_shut_is_named_with_what_to_do_and_nobody_is_surprised(
    desk: Path, place: str, command: str
) -> None:
    shut(desk, place)
    ended = run(desk, command)
    said = ended.out + ended.err
    assert "foresaw" not in said
    assert not has_traceback(said)
    if REFUSED in said:
        line = next(line for line in said.splitlines() if REFUSED in line)
        names = (Path(PLACES[place]).name, "studio.toml") if place == "novel" else (PLACES[place],)
        assert any(Path(name).name in line for name in names), line
        assert ".novel.lock" not in line, "no file that she knows"
        assert ADVICE in said
    if ended.code != Exit.DONE and place not in ("own settings", "own state", "novel"):
        assert ended.code in (Exit.DAMAGED, *([Exit.FAILED] if command == "doctor" else [])), said
    if ended.code != Exit.DONE:
        assert REFUSED in said


# fault: C8
@pytest.mark.sampled
@pytest.mark.parametrize("place", OPENS)
def test_what_may_not_be_read_is_never_taken_for_nothing(desk: Path, place: str) -> None:
    before = tree(desk / "novel")
    shut(desk, place)
    ended = run(desk, OPENS[place])
    assert ended.code == Exit.DAMAGED, ended.out
    assert Path(PLACES[place]).name in ended.out + ended.err
    (desk / PLACES[place]).chmod(0o644)
    assert tree(desk / "novel") == before
    assert run(desk, OPENS[place]).code == Exit.DONE


# fault: C8
def test_a_shell_that_completes_a_word_hears_nothing_of_it(desk: Path) -> None:
    shut(desk, "shut novel")
    line = f"studio status --project {desk}/novel --js"
    asked = {"COMP_WORDS": line, "COMP_CWORD": "4", COMPLETING: "bash_complete"}
    ended = studio(cwd=desk, environ=asked, without_rights=True)
    assert (ended.code, ended.out.strip(), ended.err) == (0, "plain,--json", "")


# fault: C8
def test_the_app_says_that_a_novel_may_not_be_looked_into(desk: Path) -> None:
    shut(desk, "shut novel")
    ended = run(desk, f"{desk}/novel", "")
    assert (ended.code, ADVICE in ended.err) == (Exit.DAMAGED, True), ended.err
    assert f"Could not read {desk}/novel" in ended.err
