"""verify sees and changes nothing; repair makes whole what follows from what is certain."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from studio.errors import Exit, StudioError
from studio.fsio import sha256_hex
from studio.project.commit.transaction import pending
from studio.project.lock.lock import ProjectLock
from studio.project.repair import repair
from studio.project.store import ProjectStore
from studio.project.verify import Finding, verify
from studio.story.checkpoint import PipelineStage
from studio.story.state import StateOp
from tests.project.novels import (
    CHINESE,
    ENGLISH,
    KOREAN,
    commit_now,
    half_done,
    make_novel,
    put,
    stage,
    tree,
)
from tests.project.plans import put_contract


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A novel of two committed chapters in which everything is right."""
    store = make_novel(tmp_path_factory.mktemp("whole"))
    lines = {"storylines": [{"id": "main", "title": "Main"}]}
    put(store.layout.folder, "storylines/storylines.json", lines)
    commit_now(store, 1, KOREAN)
    commit_now(store, 2, ENGLISH)
    return store.layout.folder


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> ProjectStore:
    """A copy of the whole novel, to be harmed."""
    shutil.copytree(whole, tmp_path / "novel")
    return ProjectStore(tmp_path / "novel")


def look(store: ProjectStore) -> list[Finding]:
    """What verify finds, after making sure that it changed nothing."""
    before = tree(store.layout.folder)
    findings = list(verify(store.layout.folder).findings)
    assert tree(store.layout.folder) == before
    return findings


def one(store: ProjectStore, severity: str, path: str) -> Finding:
    """The only finding, which must be this one."""
    (finding,) = look(store)
    assert (finding.severity, finding.path) == (severity, path)
    return finding


# req: N9
def test_a_whole_novel_has_nothing_to_tell(store: ProjectStore) -> None:
    assert look(store) == []
    report = verify(store.layout.folder)
    assert (report.chapters, report.is_damaged) == (2, False)
    assert repair(store.layout.folder) == []
    assert look(store) == []


def test_a_folder_that_is_no_novel_is_refused(tmp_path: Path) -> None:
    for ask in (verify, repair):
        with pytest.raises(StudioError) as caught:
            ask(tmp_path / "nowhere")
        assert caught.value.problem.exit_code == Exit.USAGE


def test_a_hand_edit_is_no_damage(store: ProjectStore) -> None:
    put(store.layout.folder, "chapters/chapter-001.md", CHINESE)
    one(store, "edit", "chapters/chapter-001.md")
    assert not verify(store.layout.folder).is_damaged
    assert repair(store.layout.folder) == []
    assert (store.layout.folder / "chapters/chapter-001.md").read_text() == CHINESE


def test_a_deleted_chapter_is_told(store: ProjectStore) -> None:
    (store.layout.folder / "chapters/chapter-002.md").unlink()
    assert "is missing" in one(store, "edit", "chapters/chapter-002.md").message


@pytest.mark.sweep
@pytest.mark.parametrize(
    "path",
    [
        "ai-blacklist.json", "world/rules.json", "foreshadowing/global.json",
        "evaluations/chapter-001-eval.json", "evaluations/chapter-002-directives.json",
        "state/crossref/chapter-001-crossref.json", "state/current-state.json",
        ".checkpoint.json", "studio.toml", "volumes/vol-01/chapter-contracts/chapter-003.json",
        "volumes/vol-01/foreshadowing.json", "logs/generations/gen-1.json",
        "staging/commit/manifest.json",
    ],
)  # fmt: skip
def test_every_broken_file_is_named(store: ProjectStore, path: str) -> None:
    put(store.layout.folder, path, b'{"half": ')
    findings = [f for f in look(store) if f.severity == "damage"]
    assert [f.path for f in findings] == [path]
    assert path in findings[0].message


@pytest.mark.parametrize("path", ["storylines/main/memory.md", "summaries/chapter-002-summary.md"])
def test_a_text_that_is_not_utf8_is_named(store: ProjectStore, path: str) -> None:
    put(store.layout.folder, path, "등대".encode("cp949"))
    assert path in [f.path for f in look(store) if f.severity == "damage"]


# req: S3
@pytest.mark.parametrize("folder", ["summaries", "evaluations", "state", "logs", "staging"])
def test_a_linked_folder_is_damage(store: ProjectStore, tmp_path: Path, folder: str) -> None:
    ours, elsewhere = store.layout.folder / folder, tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.rmtree(ours, ignore_errors=True)
    ours.symlink_to(elsewhere)
    assert folder in [f.path for f in look(store) if f.severity == "damage"]


# req: F1
@pytest.mark.sweep
def test_a_file_cut_short_anywhere_is_named_and_nothing_else_fails(store: ProjectStore) -> None:
    folder = store.layout.folder
    for file in sorted(p for p in folder.rglob("*.json") if "history" not in p.parts):
        data = file.read_bytes()
        for size in {0, 1, len(data) // 3, len(data) // 2, len(data) - 2}:
            file.write_bytes(data[:size])
            paths = {f.path for f in verify(folder).findings if f.severity == "damage"}
            assert paths == {str(file.relative_to(folder))}, size
        file.write_bytes(data)
    assert look(store) == []


def test_a_linked_chapter_is_damage_and_not_followed(store: ProjectStore, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(KOREAN)
    file = store.layout.folder / "chapters/chapter-001.md"
    file.unlink()
    file.symlink_to(tmp_path / "outside.md")
    (finding,) = [f for f in look(store) if f.severity == "damage"]
    assert finding.path == "chapters/chapter-001.md"


# req: F7
def test_an_emptied_chapter_is_told_with_the_way_back(store: ProjectStore) -> None:
    put(store.layout.folder, "chapters/chapter-002.md", "# 등대\n")
    finding = one(store, "edit", "chapters/chapter-002.md")
    assert "no longer holds any prose" in finding.message
    assert "`studio history restore 2`" in finding.hint


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[nonsense]", "line 4: nonsense is not a setting"),
        ("genre = 3", "line 4: novel.genre does not fit"),
        ("[budget]\nday_usd = nan", "budget.day_usd does not fit"),
        ("x = " + "[" * 2000 + "]" * 2000, "nested too deeply"),
        ("title = 'B'", "is not valid TOML"),
    ],
)
def test_settings_that_no_command_would_take_are_damage(
    store: ProjectStore, line: str, said: str
) -> None:
    put(store.layout.folder, "studio.toml", f"[novel]\ntitle = 'A'\nlanguage = 'en'\n{line}\n")
    (finding,) = [f for f in look(store) if f.severity == "damage"]
    assert (finding.path, said in finding.message) == ("studio.toml", True)


# req: N3
def test_a_state_that_the_changelog_does_not_make_is_damage_and_made_anew(
    store: ProjectStore,
) -> None:
    right = store.state()
    raw = json.loads((store.layout.folder / "state/current-state.json").read_bytes())
    raw["characters"]["mara"]["steps"] = 99
    put(store.layout.folder, "state/current-state.json", raw)
    assert "characters" in one(store, "damage", "state/current-state.json").message
    (said,) = repair(store.layout.folder)
    assert "history/quarantine/state--current-state.json." in said
    assert store.state() == right
    assert look(store) == []


@pytest.mark.sweep
@pytest.mark.parametrize("data", [None, b"", b"\0" * 50, b"[]"])
@pytest.mark.parametrize("path", ["state/current-state.json", ".checkpoint.json"])
def test_a_lost_state_or_checkpoint_is_made_anew(
    store: ProjectStore, path: str, data: bytes | None
) -> None:
    state = store.state()
    if data is None:
        (store.layout.folder / path).unlink()
    else:
        put(store.layout.folder, path, data)
    one(store, "damage", path)
    assert repair(store.layout.folder)
    assert store.state() == state
    assert store.checkpoint().last_completed_chapter == 2
    assert look(store) == []
    if data:
        (copy,) = (store.layout.folder / "history/quarantine").iterdir()
        assert copy.read_bytes() == data


def test_a_lost_checkpoint_remembers_the_chapter_in_work_and_the_badges(
    store: ProjectStore,
) -> None:
    stage(store, 3, CHINESE)
    (store.layout.folder / ".checkpoint.json").unlink()
    repair(store.layout.folder)
    made = store.checkpoint()
    assert (made.inflight_chapter, made.pipeline_stage) == (3, PipelineStage.DRAFTED)
    assert made.unjudged == (1, 2)
    assert store.staging_of(3).text() is not None
    assert look(store) == []


def test_a_damaged_line_of_the_changelog_comes_back_from_history(store: ProjectStore) -> None:
    state, log = store.state(), store.layout.folder / "state/changelog.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(lines[0].replace(b"lamp-room", b"lump-room") + lines[1])
    assert any("was changed after it was written" in f.message for f in look(store))
    said = repair(store.layout.folder)
    assert "1 of them from history" in said[0]
    assert store.state() == state
    assert look(store) == []


def test_a_lost_changelog_comes_back_from_history(store: ProjectStore) -> None:
    state = store.state()
    (store.layout.folder / "state/changelog.jsonl").unlink()
    repair(store.layout.folder)
    assert store.state() == state
    assert look(store) == []


def test_a_state_that_knows_more_than_the_changelog_is_left_alone(store: ProjectStore) -> None:
    (store.layout.folder / "state/changelog.jsonl").unlink()
    shutil.rmtree(store.layout.folder / "history")
    before = (store.layout.folder / "state/current-state.json").read_bytes()
    (said,) = repair(store.layout.folder)
    assert "was left as it is" in said
    assert (store.layout.folder / "state/current-state.json").read_bytes() == before


def test_half_a_line_of_the_changelog_is_put_aside(store: ProjectStore) -> None:
    log = store.layout.folder / "state/changelog.jsonl"
    log.write_bytes(log.read_bytes() + b'{"chapter": 3')
    one(store, "note", "state/changelog.jsonl")
    assert len(repair(store.layout.folder)) == 1
    assert len(store.changelog().entries) == 2
    assert look(store) == []


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("evaluations/chapter-001-eval.json", b"{"),
        ("summaries/chapter-002-summary.md", b"---\nchapter: [\n---\n"),
        ("storylines/main/memory.md", bytes(40)),
    ],
)
def test_damaged_derived_files_come_back_from_history(
    store: ProjectStore, path: str, content: bytes
) -> None:
    before = store.root.read(path)
    put(store.layout.folder, path, content)
    (said,) = repair(store.layout.folder)
    assert said.startswith(f"{path} was brought back")
    assert store.root.read(path) == before
    assert look(store) == []


def test_a_link_in_place_of_a_derived_file_keeps_repair_from_nothing_else(
    store: ProjectStore, tmp_path: Path
) -> None:
    evaluation = store.layout.folder / "evaluations/chapter-001-eval.json"
    evaluation.unlink()
    evaluation.symlink_to(tmp_path / "outside.json")
    (store.layout.folder / ".checkpoint.json").unlink()
    (said,) = repair(store.layout.folder)
    assert said.startswith("The checkpoint was rebuilt")
    assert evaluation.is_symlink()


def test_it_comes_back_too_where_the_chapter_itself_was_deleted(store: ProjectStore) -> None:
    evaluation = store.evaluation(1)
    put(store.layout.folder, "evaluations/chapter-001-eval.json", b"{")
    (store.layout.folder / "chapters/chapter-001.md").unlink()
    repair(store.layout.folder)
    assert store.evaluation(1) == evaluation


def test_an_interrupted_commit_is_told_and_finished(store: ProjectStore) -> None:
    half_done(store, "commit.after_history:kill")
    assert any("The commit of chapter 1 was interrupted" in f.message for f in look(store))
    said = repair(store.layout.folder)
    assert said[0] == "The interrupted commit of chapter 1 was finished."
    assert store.chapter(1).text == CHINESE  # type: ignore[union-attr]
    assert look(store) == []


@pytest.mark.sampled
@pytest.mark.parametrize("at", ["after_manifest", "after_placement", "after_changelog"])
def test_a_commit_killed_anywhere_is_no_damage(store: ProjectStore, at: str) -> None:  # req: E4
    half_done(store, f"commit.{at}:kill")
    assert {finding.severity for finding in look(store)} <= {"note", "orphan"}


def test_a_commit_that_can_not_be_finished_is_given_up_and_kept(store: ProjectStore) -> None:
    half_done(store, "commit.after_manifest:kill")
    shutil.rmtree(store.layout.folder / "staging/chapters")
    shutil.rmtree(store.layout.folder / "history")
    (said, *_) = repair(store.layout.folder)
    assert said.startswith("A commit was given up")
    assert pending(store.layout) is None
    assert store.chapter(1).text == KOREAN  # type: ignore[union-attr]


def test_derived_files_of_another_text_are_gaps(store: ProjectStore) -> None:
    (store.layout.folder / "summaries/chapter-001-summary.md").unlink()
    one(store, "gap", "summaries/chapter-001-summary.md")
    summary = store.layout.folder / "summaries/chapter-002-summary.md"
    put(store.layout.folder, "summaries/chapter-001-summary.md", summary.read_bytes())
    assert "another text" in one(store, "gap", "summaries/chapter-001-summary.md").message


def test_a_chapter_that_was_never_committed_is_a_note(store: ProjectStore) -> None:
    put(store.layout.folder, "chapters/chapter-003.md", CHINESE)
    one(store, "note", "chapters/chapter-003.md")


def test_orphans_in_staging_are_told(store: ProjectStore) -> None:
    put(store.layout.folder, "staging/chapters/chapter-009.md", CHINESE)
    one(store, "orphan", "staging/chapters/chapter-009.md")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"storyline_id": "sea"}, "storyline 'sea'"),
        ({"characters": ["nobody"]}, "character 'nobody'"),
        ({"foreshadowing": [{"id": "bell", "action": "plant"}]}, "promise 'bell'"),
        ({"scenes": [{"number": 1, "purpose": "p", "pov": "ghost"}]}, "character 'ghost'"),
    ],
)
def test_names_that_name_nobody_are_gaps(
    store: ProjectStore, change: dict[str, Any], words: str
) -> None:
    path = "volumes/vol-01/chapter-contracts/chapter-003.json"
    put_contract(store.layout.folder, 3, **change)
    assert words in one(store, "gap", path).message


def test_a_promise_the_chapters_made_is_known(store: ProjectStore) -> None:
    commit_now(store, 3, CHINESE, StateOp(op="foreshadow", path="bell", value="plant"))
    put_contract(store.layout.folder, 4, foreshadowing=[{"id": "bell", "action": "advance"}])
    assert look(store) == []


def test_a_lost_version_of_history_is_damage(store: ProjectStore) -> None:
    sha = sha256_hex(KOREAN.encode())
    (store.layout.folder / "history" / sha[:2] / sha).unlink()
    assert sha[:12] in one(store, "damage", "history").message
    assert repair(store.layout.folder) == [
        "One version that history had lost and the novel still has: kept again."
    ]
    assert look(store) == []


def test_a_history_that_is_gone_is_told_and_begun_again(store: ProjectStore) -> None:
    shutil.rmtree(store.layout.folder / "history")
    assert "committed text of chapter 1, 2" in one(store, "gap", "history").message
    repair(store.layout.folder)
    assert look(store) == []
    put(store.layout.folder, "chapters/chapter-001.md", CHINESE)
    assert store.history.blob(store.committed_sha(1) or "") == KOREAN.encode()


def test_repair_waits_for_nobody_and_breaks_a_lock_only_when_told(store: ProjectStore) -> None:
    with ProjectLock(store.layout.folder), pytest.raises(StudioError) as caught:
        repair(store.layout.folder, break_the_lock=True)
    assert caught.value.problem.exit_code == Exit.LOCKED
    holder = {"pid": 1, "host": "attic", "process_start": "", "started": "", "token": "t"}
    put(store.layout.folder, ".novel.lock/info.json", holder)
    one(store, "note", ".novel.lock")
    with pytest.raises(StudioError, match="on attic"):
        repair(store.layout.folder)
    assert repair(store.layout.folder, break_the_lock=True) == ["The old lock was removed."]
    assert look(store) == []


def test_many_lost_versions_are_one_finding(tmp_path: Path) -> None:
    commit_now(make_novel(tmp_path), 1, KOREAN)
    for blob in (tmp_path / "history").glob("??/*"):
        blob.unlink()
    (finding,) = [f for f in verify(tmp_path).findings if f.path == "history"]
    assert finding.severity == "damage"
    assert finding.message.startswith("History has lost ")
    assert " versions, the first of them " in finding.message
    (tmp_path / "history/log.jsonl").unlink()
    assert [f.severity for f in verify(tmp_path).findings if f.path == "history"] == ["gap"]
