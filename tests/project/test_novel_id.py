"""Which novel a folder is, whatever its name is, and what was agreed to for it."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.fsio import Root
from studio.fsio.messages import disk_error
from studio.project.commit.writing import hold_for_writing
from studio.project.novel_id import claim_novel_id, novel_id
from studio.project.spending import begin_anew
from studio.project.store import ProjectStore
from studio.project.trust import approve, is_approved, withdraw
from studio.project.unsaved import unsaved_of
from tests.cli.command import studio
from tests.project.novels import make_novel, tree
from tests.small_novels import copied_sample

SHA, OTHER_SHA = "a" * 64, "b" * 64


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def salt(tmp_path: Path) -> Path:
    """A novel in a folder with a Korean name."""
    make_novel(tmp_path / "소금길")
    return tmp_path / "소금길"


def written(folder: Path, state: Path) -> str:
    """The id of a novel after it was written."""
    with hold_for_writing(ProjectStore(folder, state)):
        pass
    name = novel_id(Root(folder), state)
    assert name is not None
    return name


def test_a_novel_gets_its_id_at_its_first_write_and_looking_at_it_changes_nothing(
    salt: Path, state: Path
) -> None:
    before = tree(salt)
    assert novel_id(Root(salt), state) is None
    assert (tree(salt), state.exists()) == (before, False)
    name = written(salt, state)
    assert (salt / ".studio/novel-id").read_text() == f"{name}\n"
    assert written(salt, state) == name


def test_the_id_follows_a_renamed_folder(salt: Path, state: Path) -> None:
    name = written(salt, state)
    moved = salt.rename(salt.with_name("盐路"))
    assert novel_id(Root(moved), state) == name
    assert written(moved, state) == name
    make_novel(salt)
    assert written(salt, state) != name
    assert novel_id(Root(moved), state) == name


def test_a_copy_of_a_living_novel_is_offered_nothing_and_gets_its_own_id_at_its_first_write(
    salt: Path, state: Path
) -> None:
    name = written(salt, state)
    approve(Root(salt), state, "plugins", SHA)
    copy = salt.with_name("소금길 (사본)")
    shutil.copytree(salt, copy)
    assert novel_id(Root(copy), state) is None
    assert not is_approved(Root(copy), state, "plugins", SHA)
    fresh = written(copy, state)
    assert fresh != name
    assert (copy / ".studio/novel-id").read_text() == f"{fresh}\n"
    assert (salt / ".studio/novel-id").read_text() == f"{name}\n"
    assert novel_id(Root(salt), state) == name


def test_a_copy_that_took_the_old_place_is_told_from_the_novel_that_was_renamed(
    salt: Path, state: Path
) -> None:
    name = written(salt, state)
    moved = salt.rename(salt.with_name("盐路"))
    shutil.copytree(moved, salt)
    assert written(moved, state) == name
    assert novel_id(Root(salt), state) is None


def test_a_copy_whose_original_was_deleted_is_the_novel(salt: Path, state: Path) -> None:
    name = written(salt, state)
    copy = salt.with_name("盐路")
    shutil.copytree(salt, copy)
    shutil.rmtree(salt)
    assert written(copy, state) == name


def test_a_folder_without_the_file_with_the_id_inherits_nothing_at_a_known_place(
    salt: Path, state: Path
) -> None:
    name = written(salt, state)
    approve(Root(salt), state, "plugins", SHA)
    shutil.rmtree(salt / ".studio")  # the place and the inode agree, as they may for a new folder
    assert novel_id(Root(salt), state) is None
    assert not is_approved(Root(salt), state, "plugins", SHA)
    fresh = written(salt, state)
    assert fresh != name
    assert (salt / ".studio/novel-id").read_text() == f"{fresh}\n"


def test_a_folder_that_takes_no_file_is_known_by_its_place(
    salt: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> str:
        raise disk_error(PermissionError(errno.EACCES, ""), "novel-id", "write")

    root = Root(salt)
    monkeypatch.setattr(root, "write", refuse)
    name = claim_novel_id(root, state)
    assert not (salt / ".studio/novel-id").exists()
    assert novel_id(Root(salt), state) == name
    assert claim_novel_id(Root(salt), state) == name
    assert (salt / ".studio/novel-id").read_text() == f"{name}\n"
    shutil.rmtree(salt / ".studio")
    assert novel_id(Root(salt), state) is None


def test_what_was_typed_before_a_folder_lost_its_id_is_offered_and_not_inherited(
    salt: Path, state: Path
) -> None:
    typed = "비가 그쳤다. 雨停了。"
    unsaved_of(ProjectStore(salt, state), 3).keep(typed)
    old = novel_id(Root(salt), state)
    shutil.rmtree(salt / ".studio")
    texts = unsaved_of(ProjectStore(salt, state), 3).left_texts()
    assert [(left.text, left.perhaps_of_another) for left in texts] == [(typed, True)]
    assert written(salt, state) != old
    shutil.rmtree(salt / ".studio")
    again = unsaved_of(ProjectStore(salt, state), 3)
    assert again.left_texts() == texts
    assert unsaved_of(ProjectStore(salt, state), 2).left_texts() == ()
    again.take_over(texts[0])
    texts = unsaved_of(ProjectStore(salt, state), 3).left_texts()
    assert [(left.text, left.perhaps_of_another) for left in texts] == [(typed, False)]


def test_a_new_novel_in_the_place_of_a_deleted_one_is_offered_nothing_of_it(
    salt: Path, state: Path
) -> None:
    unsaved_of(ProjectStore(salt, state), 3).keep("비가 그쳤다.")
    shutil.rmtree(salt / ".studio")  # the folder keeps its inode, as a fresh one may get it again
    begin_anew(salt, state)
    assert unsaved_of(ProjectStore(salt, state), 3).left_texts() == ()
    copy = salt.with_name("盐路")
    unsaved_of(ProjectStore(salt, state), 3).keep("雨停了。")
    shutil.copytree(salt, copy)
    shutil.rmtree(copy / ".studio")
    assert unsaved_of(ProjectStore(copy, state), 3).left_texts() == ()


def test_a_folder_that_takes_no_file_keeps_the_id_that_an_earlier_version_noted(
    salt: Path, state: Path
) -> None:
    name = written(salt, state)
    noted = state / "novels" / name / "folder.json"
    fields = json.loads(noted.read_text("utf-8"))
    del fields["carries_id"]
    noted.write_text(json.dumps(fields), "utf-8")
    assert written(salt, state) == name
    assert json.loads(noted.read_text("utf-8"))["carries_id"] is True
    noted.write_text(json.dumps(fields), "utf-8")
    (salt / ".studio/novel-id").unlink()
    assert novel_id(Root(salt), state) == name


@pytest.mark.parametrize("nonsense", [b"", b"../../x\n", b"\xff\xfe", b"x" * 5000])
def test_an_id_that_is_none_is_replaced(nonsense: bytes, salt: Path, state: Path) -> None:
    (salt / ".studio").mkdir()
    (salt / ".studio/novel-id").write_bytes(nonsense)
    assert novel_id(Root(salt), state) is None
    name = written(salt, state)
    assert (salt / ".studio/novel-id").read_text() == f"{name}\n"


def test_a_new_novel_in_the_place_of_a_deleted_one_is_another(salt: Path, state: Path) -> None:
    name = written(salt, state)
    approve(Root(salt), state, "plugins", SHA)
    shutil.rmtree(salt / ".studio")  # the folder keeps its inode, as a fresh one may get it again
    begin_anew(salt, state)
    fresh = written(salt, state)
    assert fresh != name
    assert not is_approved(Root(salt), state, "plugins", SHA)
    assert novel_id(Root(salt), state) == fresh


def test_a_vanished_folder_gets_no_id(tmp_path: Path, state: Path) -> None:
    with pytest.raises(StudioError, match="is gone") as gone:
        claim_novel_id(Root(tmp_path / "없음"), state)
    assert gone.value.problem.exit_code is Exit.FAILED
    assert not (tmp_path / "없음").exists()


def test_an_agreement_counts_for_one_novel_one_folder_and_one_content(
    salt: Path, state: Path
) -> None:
    assert not is_approved(Root(salt), None, "plugins", SHA)
    approve(Root(salt), state, "plugins", SHA)
    approve(Root(salt), state, "auto_accept", OTHER_SHA)
    assert is_approved(Root(salt), state, "plugins", SHA)
    assert is_approved(Root(salt), state, "auto_accept", OTHER_SHA)
    assert not is_approved(Root(salt), state, "plugins", OTHER_SHA)
    moved = salt.rename(salt.with_name("盐路"))
    assert not is_approved(Root(moved), state, "plugins", SHA)
    moved.rename(salt)
    withdraw(Root(salt), state, "plugins")
    assert not is_approved(Root(salt), state, "plugins", SHA)
    assert is_approved(Root(salt), state, "auto_accept", OTHER_SHA)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"approvals": {"plugins": "yes"}}', b"\xff"])
def test_a_damaged_record_of_agreements_agrees_to_nothing(
    damage: bytes, salt: Path, state: Path
) -> None:
    approve(Root(salt), state, "plugins", SHA)
    name = novel_id(Root(salt), state)
    (state / "novels" / str(name) / "approvals.json").write_bytes(damage)
    assert not is_approved(Root(salt), state, "plugins", SHA)
    approve(Root(salt), state, "plugins", SHA)
    assert is_approved(Root(salt), state, "plugins", SHA)


def test_what_the_machine_remembers_is_its_owners_alone(salt: Path, state: Path) -> None:
    approve(Root(salt), state, "plugins", SHA)
    files = [path for path in (state / "novels").rglob("*") if path.is_file()]
    assert {path.name for path in files} == {"folder.json", "approvals.json"}
    assert not any(path.stat().st_mode & 0o077 for path in files)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "refused",
    [
        ("plan", "move", "3", "40"),
        ("plan", "rename", "1", "Rain"),
        ("plan", "undo"),
        ("proposals", "accept", "prop_0009"),
        ("proposals", "add", "1", "--passage", "90.1", "--cut"),
        ("directives", "accept", "dir_1"),
        ("decide", "accept"),
        ("keep", "add", "1", "--passage", "90.1"),
        ("history", "restore", "1", "--sha", "0123456789"),
        ("retire", "nobody"),
        ("write", "9"),
        ("volume", "review", "7"),
        ("bible", "rename", "nobody", "x"),
    ],
    ids=" ".join,
)
def test_a_command_that_is_refused_writes_nothing(tmp_path: Path, refused: tuple[str, ...]) -> None:
    folder = tmp_path / "book"
    copied_sample(folder)
    before = tree(folder)
    ended = studio(*refused, "--project", folder)
    assert ended.code in (2, 4), ended.err
    assert tree(folder) == before
