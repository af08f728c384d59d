"""F1 to F8, F10, L7: whatever stands in a file, it is named, waited for by nobody, and stays."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studio.cli.doctor.novel import look_at_novel
from studio.errors import Exit, StudioError
from studio.project.repair import repair
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.session import Session
from studio.story.state import StateOp
from tests.fake_messages import FakeMessages
from tests.faults import tally
from tests.faults.books import two_chapters
from tests.faults.invariants import assert_invariants, book, tree
from tests.pipeline.flows import Desk, Model, make_novel
from tests.project.novels import CHINESE, ENGLISH, KOREAN, commit_now

pytestmark = pytest.mark.usefixtures("no_syncing")

FILES = (
    *(".checkpoint.json", "state/current-state.json", "foreshadowing/global.json"),
    *("evaluations/chapter-001-eval.json", "evaluations/chapter-001-directives.json"),
    "state/crossref/chapter-001-crossref.json",
)
STRANGE: dict[str, bytes] = {
    "nothing": b"",
    "zero bytes": bytes(300),
    "NaN": b'{"schema_version": NaN}',
    "Infinity": b'{"schema_version": 1, "chapter": Infinity}',
    "5000 digits": b'{"schema_version": ' + b"9" * 5000 + b"}",
    "100000 brackets": b"[" * 100_000,
    "300 pairs of brackets": b'{"schema_version": 1, "notes": ' + b"[" * 300 + b"]" * 300 + b"}",
    "31 digits": b'{"schema_version": 1, "chapter": 1' + b"0" * 30 + b"}",
    "a key twice": b'{"schema_version": 1,\n"schema_version": 1}',
    "null": b"null",
    "a list": b"[]",
    "half a character": b'{"schema_version": 1, "\\ud800": "\\ud800"}',
    "UTF-16": '{"schema_version": 1}'.encode("utf-16"),
    "a merge": b'<<<<<<< ours\n{"schema_version": 1}\n=======\n{}\n>>>>>>> theirs\n',
    "a version that is no number": b'{"schema_version": "one"}',
}
STATE = (".checkpoint.json", "state/current-state.json", "state/changelog.jsonl")
"""What the book stands on: opening it names what is wrong with these (DESIGN 4)."""


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A book of two chapters."""
    two_chapters(tmp_path / "novel")
    return tmp_path / "novel"


def put_draft(folder: Path, text: str) -> Path:
    (folder / "own.md").write_text(text)
    return folder / "own.md"


def named(novel: Path, path: str) -> None:
    """Looking names the file, changes nothing, and the rest of the book opens."""
    before = tree(novel)
    report = verify(novel)
    assert report.is_damaged
    assert any(path in finding.path or path in finding.message for finding in report.findings)
    warnings = Session.open(novel, {}).status().warnings
    assert path not in STATE or any(path in warning for warning in warnings)
    readable = 0
    for number in (1, 2):
        try:
            readable += ProjectStore(novel).chapter(number) is not None
        except StudioError as error:
            if error.problem.exit_code != Exit.DAMAGED:
                raise
    assert readable >= 1
    assert tree(novel) == before
    tally.fault("damaged files")
    tally.held("N9")


# req: F2
# req: F3
# req: F4
@pytest.mark.sweep
@pytest.mark.parametrize("path", FILES)
def test_whatever_stands_in_a_file_it_is_named_and_left_alone(novel: Path, path: str) -> None:
    for content in STRANGE.values():
        (novel / path).write_bytes(content)
        named(novel, path)


# req: F4
def test_a_changed_line_of_the_changelog_is_named_where_the_book_is_looked_at(novel: Path) -> None:
    log = novel / "state/changelog.jsonl"
    first, *rest = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(first.replace(b"chapter", b"chopter", 1) + b"".join(rest))
    named(novel, "state/changelog.jsonl")
    story = [check for check in look_at_novel(novel) if check.name == "story"]
    assert ["state/changelog.jsonl" in check.message for check in story] == [True]


# req: F1
# req: F4
def test_repair_keeps_what_it_replaces(novel: Path) -> None:
    for path in FILES:
        (novel / path).write_bytes(STRANGE["zero bytes"])
    repair(novel)
    assert_invariants(novel, [KOREAN.encode(), ENGLISH.encode()])
    aside = list((novel / "history/quarantine").iterdir())
    assert {p.read_bytes() for p in aside} == {STRANGE["zero bytes"]}
    assert len(aside) == len(FILES)


# req: F9
def test_repair_brings_back_the_newest_commit_of_a_chapter_and_not_an_older_one(
    novel: Path,
) -> None:
    store = ProjectStore(novel)
    commit_now(store, 1, CHINESE, StateOp(op="set", path="characters.mara.mood", value="wary"))
    state, path = store.state(), novel / "state/changelog.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    repair(novel)
    assert store.state() == state
    assert store.hand_edits() == []
    assert_invariants(novel, [KOREAN.encode(), ENGLISH.encode(), CHINESE.encode()])


# req: F13
@pytest.mark.sweep
@pytest.mark.parametrize("own", [True, False])
def test_a_deleted_chapter_that_is_taken_up_again_is_no_crash(tmp_path: Path, own: bool) -> None:
    draft = tmp_path / "own.md"
    draft.write_text(CHINESE)
    with FakeMessages(answering=Model()) as server:
        desk = Desk(make_novel(tmp_path / "novel"), server)
        assert desk.write().exit_code == Exit.DONE
        (desk.folder / "chapters/chapter-001.md").unlink()
        ended = desk.write(chapter=1, again=True, review="ask", draft=draft if own else None)
    assert ended.exit_code == (Exit.DECIDE if own else Exit.DAMAGED)
    if not own:
        assert "`studio history restore 1` brings it back" in str(ended.outcome)


# req: F4
# req: F18
@pytest.mark.sampled
@pytest.mark.parametrize(
    "content",
    [bytes(len(KOREAN.encode())), b"<<<<<<< ours\n\xeb\xb9\x84\n=======\n\n>>>>>>> theirs\n",
     KOREAN.encode("cp949"), CHINESE.encode("utf-16")],
)  # fmt: skip
def test_a_chapter_that_is_no_text_is_named_and_comes_back(novel: Path, content: bytes) -> None:
    (novel / "chapters/chapter-001.md").write_bytes(content)
    named(novel, "chapters/chapter-001.md")
    Session.open(novel, {}).versions().restore("chapters/chapter-001.md", None)
    assert (novel / "chapters/chapter-001.md").read_text() == KOREAN
    assert_invariants(novel, [KOREAN.encode(), ENGLISH.encode(), content])


# req: F7
@pytest.mark.sampled
@pytest.mark.parametrize("path", ["chapters/chapter-001.md", *FILES])
@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "link"])
def test_what_is_no_file_is_named_and_never_waited_for(novel: Path, path: str, kind: str) -> None:
    (novel / path).unlink()
    made: dict[str, Callable[[], Any]] = {
        "folder": (novel / path).mkdir,
        "pipe": lambda: os.mkfifo(novel / path),
        "device": lambda: (novel / path).symlink_to("/dev/zero"),
        "link": lambda: (novel / path).symlink_to(novel / "studio.toml"),
    }
    made[kind]()
    named(novel, path)


# req: F8
@pytest.mark.sampled
@pytest.mark.parametrize("path", [p for p in FILES if "directives" not in p])
def test_a_file_of_a_newer_version_is_named_as_such_and_left_alone(novel: Path, path: str) -> None:
    newer = {**json.loads((novel / path).read_bytes()), "schema_version": 99}
    (novel / path).write_text(json.dumps(newer))
    named(novel, path)
    said = " ".join(f.message + f.hint for f in verify(novel).findings if path in f.message)
    assert "newer" in said
    before = tree(novel)
    with pytest.raises(StudioError, match="newer") as caught:
        repair(novel)
    assert caught.value.problem.exit_code == Exit.DAMAGED
    assert tree(novel) == before


# req: F10
@pytest.mark.sampled
@pytest.mark.parametrize(
    "changes",
    [{"last_completed_chapter": 1, "state_version": 1}, {"last_completed_chapter": 0},
     {"last_completed_chapter": 8, "state_version": 8}, {"last_completed_chapter": 9},
     {"inflight_chapter": 3, "pipeline_stage": "judged"}, {"inflight_chapter": 2},
     {"pipeline_stage": "committing", "inflight_chapter": 2}],
)  # fmt: skip
def test_a_checkpoint_that_contradicts_the_book_is_settled_by_the_book(
    novel: Path, changes: dict[str, Any]
) -> None:
    path = novel / ".checkpoint.json"
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changes}))
    repair(novel)
    assert_invariants(novel, [KOREAN.encode(), ENGLISH.encode()])
    tally.fault("checkpoints that contradict the book")


# req: F9
# req: F10
@pytest.mark.sweep
@pytest.mark.sampled(2)
@pytest.mark.parametrize("keep", [0, 1])
def test_nothing_is_built_on_a_changelog_that_has_lost_its_end(tmp_path: Path, keep: int) -> None:
    with FakeMessages(answering=Model()) as server:
        desk = Desk(make_novel(tmp_path / "novel"), server)
        for number in (1, 2):
            draft = put_draft(tmp_path, f"# 등대 {number}\n\n{number}번째 밤에 비가 그쳤다.\n")
            assert desk.write(chapter=number, draft=draft).exit_code == Exit.DONE
        path = desk.folder / "state/changelog.jsonl"
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:keep]))
        before, calls = book(desk.folder), len(server.asked)
        for refused in (desk.write(chapter=3, draft=draft), desk.write(chapter=2, again=True)):
            assert refused.exit_code == Exit.DAMAGED
            assert "state/changelog.jsonl of" in str(refused.outcome)
        assert (book(desk.folder), len(server.asked)) == (before, calls)
        repair(desk.folder)
        assert desk.write(chapter=3, draft=draft).exit_code == Exit.DONE


# req: L7
def test_copies_that_a_sync_program_left_are_told_of(novel: Path) -> None:
    name = "chapters/chapter-001.sync-conflict-20261122-0101-ABC.md"
    (novel / name).write_text(CHINESE)
    (finding,) = [f for f in verify(novel).findings if f.path == name]
    assert finding.severity == "note"
    assert "may be a conflict copy" in finding.message
    assert_invariants(novel, [KOREAN.encode(), ENGLISH.encode(), CHINESE.encode()])
