"""`studio find` and `studio replace` as they are typed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from studio.cli import long_work, output
from studio.config.paths import state_dir
from studio.project.progress import Progress
from studio.project.spending import begin_anew
from tests import small_novels
from tests.cli.command import studio, tree
from tests.cli.conftest import Typed
from tests.project.novels import make_novel, put


# req: H3
@pytest.mark.sweep
def test_the_installed_program_finds_replaces_and_undoes(project: Path) -> None:
    before = tree(project)
    search = studio("find", "Mara", "--json", "--project", project).json
    assert search["count"] == len(search["hits"]) > 60
    first = search["hits"][0]
    assert (first["in"], first["chapter"], first["scene"], first["match"]) == (
        "prose",
        1,
        1,
        "Mara",
    )
    assert {c["chapter"] for c in search["chapters"]} >= {1, 2}
    preview = studio("replace", "Mara", "Nora", "--dry-run", "--json", "--project", project).json
    assert preview["count"] == search["count"]
    assert tree(project) == before
    assert studio("replace", "Mara", "Nora", "--project", project).code == 0
    assert studio("verify", "--project", project).code == 0
    undone = studio("replace", "--undo", "--json", "--project", project).json
    assert len(undone["restored"]) == preview["files"] + preview["followers"]
    prose = {path: sha for path, sha in tree(project).items() if path.startswith("chapters/")}
    assert prose == {path: sha for path, sha in before.items() if path.startswith("chapters/")}


def test_find_shows_each_place_in_its_chapter(typed: Typed, project: Path) -> None:
    ended = typed("find", "geranium", "--in", "prose", "--project", project)
    assert ended.code == 0
    assert "Slack Water" in ended.out
    assert "[geranium]" in ended.out


# req: H3
def test_single_places_stay_by_the_numbers_of_the_dry_run(typed: Typed, project: Path) -> None:
    order = ("replace", "Mara", "Nora", "--in", "prose", "--project", project)
    chapter = project / "chapters/chapter-001.md"
    words = chapter.read_text("utf-8")
    all_of_it = typed(*order, "--dry-run", "--json").json["hits"]
    preview = typed(*order, "--dry-run", "--leave", "2-3").out
    assert "Mara (stays)" in preview
    assert f"\n  {'1':>{len(str(len(all_of_it)))}}  {all_of_it[0]['scene']}." in preview
    done = typed(*order, "--leave", "1,3", "--json").json
    assert (done["stay"], done["count"]) == ([1, 3], len(all_of_it) - 2)
    second = words.replace("Mara", "\0", 1).replace("Mara", "Nora", 1).replace("Mara", "\0", 1)
    assert chapter.read_text("utf-8") == second.replace("Mara", "Nora").replace("\0", "Mara")
    ended = typed(*order, "--leave", "999999")
    assert (ended.code, "names none of the" in ended.err) == (2, True)


# req: H3
def test_a_dry_run_shows_the_particle_that_goes_with_the_name(typed: Typed, tmp_path: Path) -> None:
    make_novel(tmp_path)
    put(tmp_path, "chapters/chapter-001.md", "# 등대\n\n마라는 왔다. 마라도 왔다.\n")
    order = ("replace", "마라", "서윤", "--project", tmp_path, "--dry-run")
    followed, plain = typed(*order, "--particles").out, typed(*order).out
    assert "[마라는 → 서윤은] 왔다. 마라도" in followed
    assert "[마라 → 서윤]도 왔다." in followed
    assert "[마라 → 서윤]는 왔다." in plain
    assert "마라 (stays)는 왔다." in typed(*order, "--particles", "--leave", "1").out


@pytest.mark.sweep
@pytest.mark.parametrize(("language", "name"), [("ko", "마리"), ("zh", "阿满")])
def test_korean_and_chinese_books_are_searched(
    typed: Typed, tmp_path: Path, language: str, name: str
) -> None:
    novel = small_novels.small_novel(language, tmp_path / "novel")
    ended = typed("find", ".", "--regex", "--in", "prose", "--json", "--project", novel)
    assert ended.json["count"] > 0
    assert typed("find", name, "--project", novel).code == 0


def test_notes_are_listed(typed: Typed, project: Path) -> None:
    chapter = project / "chapters/chapter-002.md"
    chapter.write_text(chapter.read_text("utf-8") + "\n%% check the date of the Act %%\n", "utf-8")
    ended = typed("find", "--notes", "--project", project)
    assert "check the date of the Act" in ended.out
    assert "1 note in 1 text." in ended.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("find",), "nothing to look for"),
        (("find", "(", "--regex"), "not a regular expression"),
        (("replace", "Mara"), "what should replace"),
        (("replace", "Mara", "Mara"), "the same words"),
        (("replace", "--undo"), "no replacement to undo"),
    ],
)
def test_what_cannot_be_done_ends_with_two(
    typed: Typed, project: Path, arguments: tuple[str, ...], says: str
) -> None:
    ended = typed(*arguments, "--project", project)
    assert (ended.code, says in ended.err) == (2, True)


# req: H3
def test_long_work_says_how_far_it_is_and_stops_before_it_saves(
    typed: Typed, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_work, "_PATIENCE", 0.0)
    begin_anew(project, state_dir(os.environ))
    before = tree(project)
    assert "Looked through 0 of " in typed("find", "Mara", "--project", project).err
    assert "Looked" not in typed("find", "Mara", "--quiet", "--project", project).err
    order = ("replace", "Mara", "Nora", "--project", project)

    def stop_at(words: str) -> None:
        def shown(text: str) -> None:
            if text.startswith(words):
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(output, "show_passing", shown)

    stop_at("Changed")
    ended = typed(*order)
    assert (ended.code, tree(project)) == (130, before)
    assert "Stopped; nothing was changed." in ended.err
    stop_at("Saved")
    ended = typed(*order)
    assert ended.code == 130
    assert "whatever is being saved is saved first" in ended.err
    assert "Replaced" in ended.out
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert "Mara" not in (project / "chapters/chapter-001.md").read_text("utf-8")
    assert typed("replace", "--undo", "--project", project).code in (0, 130)


def test_on_a_terminal_the_line_stands_in_one_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(long_work, "_PATIENCE", 0.0)
    monkeypatch.setattr(long_work, "_PAUSE", 0.0)
    monkeypatch.setattr(output, "draws_in_place", lambda: True)
    with long_work.long_work() as work:
        for number in (1, 2):
            work(Progress("reading", number, 1200))
    line = "\rLooked through {} of 1,200 texts.\x1b[K"
    assert capsys.readouterr().err == f"{line.format(1)}{line.format(2)}\r\x1b[K"
