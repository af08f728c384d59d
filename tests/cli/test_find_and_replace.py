"""`studio find` and `studio replace` as they are typed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import small_novels
from tests.cli.command import studio, tree
from tests.cli.conftest import Typed

SAMPLE = Path(__file__).parents[2] / "sample-project"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the sample."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample"))


# req: H3
def test_the_installed_program_finds_replaces_and_undoes(sample: Path) -> None:
    before = tree(sample)
    found = studio("find", "Mara", "--json", "--project", sample).json
    assert found["count"] == len(found["hits"]) > 60
    first = found["hits"][0]
    assert (first["in"], first["chapter"], first["scene"], first["match"]) == (
        "prose",
        1,
        1,
        "Mara",
    )
    assert {c["chapter"] for c in found["chapters"]} >= {1, 2}
    shown = studio("replace", "Mara", "Nora", "--dry-run", "--json", "--project", sample).json
    assert shown["count"] == found["count"]
    assert tree(sample) == before
    assert studio("replace", "Mara", "Nora", "--project", sample).code == 0
    assert studio("verify", "--project", sample).code == 0
    undone = studio("replace", "--undo", "--json", "--project", sample).json
    assert len(undone["restored"]) == shown["files"] + shown["followers"]
    prose = {path: sha for path, sha in tree(sample).items() if path.startswith("chapters/")}
    assert prose == {path: sha for path, sha in before.items() if path.startswith("chapters/")}


def test_find_shows_each_place_in_its_chapter(typed: Typed, sample: Path) -> None:
    ended = typed("find", "geranium", "--in", "prose", "--project", sample)
    assert ended.code == 0
    assert "Slack Water" in ended.out
    assert "[geranium]" in ended.out


# req: H3
def test_single_places_stay_by_the_numbers_of_the_dry_run(typed: Typed, sample: Path) -> None:
    order = ("replace", "Mara", "Nora", "--in", "prose", "--project", sample)
    chapter = sample / "chapters/chapter-001.md"
    words = chapter.read_text("utf-8")
    all_of_it = typed(*order, "--dry-run", "--json").json["hits"]
    shown = typed(*order, "--dry-run", "--leave", "2-3").out
    assert "Mara (stays)" in shown
    assert f"\n  {'1':>{len(str(len(all_of_it)))}}  {all_of_it[0]['scene']}." in shown
    done = typed(*order, "--leave", "1,3", "--json").json
    assert (done["stay"], done["count"]) == ([1, 3], len(all_of_it) - 2)
    second = words.replace("Mara", "\0", 1).replace("Mara", "Nora", 1).replace("Mara", "\0", 1)
    assert chapter.read_text("utf-8") == second.replace("Mara", "Nora").replace("\0", "Mara")
    ended = typed(*order, "--leave", "999999")
    assert (ended.code, "names none of the" in ended.err) == (2, True)


@pytest.mark.parametrize(("language", "name"), [("ko", "마리"), ("zh", "阿满")])
def test_korean_and_chinese_books_are_searched(
    typed: Typed, tmp_path: Path, language: str, name: str
) -> None:
    novel = small_novels.small_novel(language, tmp_path / "novel")
    ended = typed("find", ".", "--regex", "--in", "prose", "--json", "--project", novel)
    assert ended.json["count"] > 0
    assert typed("find", name, "--project", novel).code == 0


def test_notes_are_listed(typed: Typed, sample: Path) -> None:
    chapter = sample / "chapters/chapter-002.md"
    chapter.write_text(chapter.read_text("utf-8") + "\n%% check the date of the Act %%\n", "utf-8")
    ended = typed("find", "--notes", "--project", sample)
    assert "check the date of the Act" in ended.out
    assert "1 note in 1 text." in ended.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("find",), "nothing to look for"),
        (("find", "(", "--regex"), "no regular expression"),
        (("replace", "Mara"), "what shall stand"),
        (("replace", "Mara", "Mara"), "the same words"),
        (("replace", "--undo"), "no replacement to undo"),
    ],
)
def test_what_cannot_be_done_ends_with_two(
    typed: Typed, sample: Path, arguments: tuple[str, ...], says: str
) -> None:
    ended = typed(*arguments, "--project", sample)
    assert (ended.code, says in ended.err) == (2, True)
