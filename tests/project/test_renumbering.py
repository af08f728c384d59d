"""CONTRACTS 1: what the logs say of a chapter is said of it under whatever number it has today."""

from __future__ import annotations

import json
import shutil
import signal
from pathlib import Path

import pytest

from studio.book.figures import figures_of
from studio.cli.options import open_session
from studio.cli.program import catch, command_line
from studio.errors import StudioError
from studio.fsio import fault_points
from studio.pipeline.previews.preview import last_call
from studio.project.changelog import read
from studio.project.clock import now
from studio.project.history.blobs import History
from studio.project.history.variations import Variations
from studio.project.index import contents
from studio.project.planning.plan_change import undo
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.story.form.document import encode_line, to_bytes, to_jsonable
from studio.story.ledger import UsageLedger
from studio.story.records import CallRecord, UsageEntry
from studio.tui.desk.parts.material import CallsRead
from tests.faults.invariants import recover
from tests.forking import in_child
from tests.project.plans import planned_book
from tests.sweeps import swept

LOGS = ("state/changelog.jsonl", "history/log.jsonl", "logs/usage.jsonl")


def spent(store: ProjectStore, chapter: int, usd: float) -> None:
    """A call about a chapter, as the gateway records one: its record, and its line of usage."""
    name = f"gen-{chapter:03d}-aaaaaa-plan-{int(usd)}"
    record = CallRecord(
        id=name,
        created_at=now(),
        chapter=chapter,
        stage="plan",
        agent="plot-architect",
        request_sha256="0" * 64,
    )
    store.root.write(f"logs/generations/{name}.json", to_bytes(record))
    line = UsageEntry(
        event="settle", id=name, call=name, ts=record.created_at, chapter=chapter, usd=usd
    )
    store.root.append("logs/usage.jsonl", encode_line(to_jsonable(line)))


@pytest.fixture
def book(tmp_path: Path) -> ProjectStore:
    """Chapters 1 and 2 in the book, 3 to 6 planned. Each planned one has cost its number in dollars
    and has a version of a text in history."""
    store = planned_book(tmp_path / "소금길")
    for chapter in range(3, 7):
        spent(store, chapter, float(chapter))
        store.history.keep(f"imports/chapter-{chapter:03d}.md", f"# {chapter}".encode(), "seen")
    return store


def costs(store: ProjectStore) -> dict[int, float]:
    """What each chapter has cost, in dollars."""
    totals = UsageLedger(store.journal.usage_entries()).totals(lambda entry: entry.chapter)
    return {n: total.usd for n, total in totals.items() if n is not None}


def calls(store: ProjectStore) -> dict[int, list[str]]:
    """The calls that were made about each chapter."""
    ids = {n: store.journal.generation_ids(n) for n in range(3, 8)}
    return {n: [name.rpartition("-")[2] for name in names] for n, names in ids.items() if names}


def texts(store: ProjectStore) -> dict[str, int]:
    """The file in which each of the texts kept in history stands today."""
    versions = [v for v in store.history.log() if v.reason == "seen"]
    return {store.history.blob(v.sha).decode(): int(v.path[-6:-3]) for v in versions}


def last_lines(store: ProjectStore) -> list[dict[str, object]]:
    """The newest line of each log that renumbers chapters."""
    lines = []
    for path in LOGS:
        rows = [json.loads(row) for row in store.root.read(path).splitlines()]
        lines.append([row for row in rows if "renumber" in row][-1])
    return lines


def test_every_log_says_the_move_and_its_readers_follow_it(book: ProjectStore) -> None:
    Plans(book, "en").move(3, 5)
    for line in last_lines(book):
        assert set(line) == {"renumber", "ts"}
        assert line["renumber"] == {"3": 5, "4": 3, "5": 4}
    assert costs(book) == {5: 3.0, 3: 4.0, 4: 5.0, 6: 6.0}
    assert calls(book) == {5: ["3"], 3: ["4"], 4: ["5"], 6: ["6"]}
    assert texts(book) == {"# 3": 5, "# 4": 3, "# 5": 4, "# 6": 6}
    assert {c.chapter: c.cost_usd for c in figures_of(book, contents(book.layout), 2000).chapters}[
        5
    ] == 3.0
    assert verify(book.layout.folder).findings == ()


def test_a_chapter_that_was_moved_twice_and_back_keeps_all_that_was_its_own(
    book: ProjectStore,
) -> None:
    Plans(book, "en").move(3, 5)
    Plans(book, "en").move(5, 6)
    spent(book, 6, 60.0)
    assert costs(book)[6] == 63.0
    assert calls(book)[6] == ["3", "60"]
    undo(book)
    assert costs(book) == {5: 63.0, 3: 4.0, 4: 5.0, 6: 6.0}
    undo(book)
    assert costs(book) == {3: 63.0, 4: 4.0, 5: 5.0, 6: 6.0}
    assert texts(book) == {f"# {n}": n for n in range(3, 7)}


def test_what_was_said_of_a_removed_chapter_is_not_said_of_the_next(book: ProjectStore) -> None:
    Plans(book, "en").take_out(4)
    assert last_lines(book)[2]["renumber"] == {"4": "c004", "5": 4, "6": 5}
    assert costs(book) == {3: 3.0, 4: 5.0, 5: 6.0}
    assert calls(book) == {3: ["3"], 4: ["5"], 5: ["6"]}
    assert sum(e.usd or 0 for e in book.journal.usage_entries()) == 18.0
    undo(book)
    assert last_lines(book)[2]["renumber"] == {"4": 5, "5": 6, "c004": 4}
    assert costs(book) == {3: 3.0, 4: 4.0, 5: 5.0, 6: 6.0}
    assert calls(book) == {n: [str(n)] for n in range(3, 7)}
    assert texts(book) == {f"# {n}": n for n in range(3, 7)}


def test_what_was_said_of_a_joined_chapter_is_said_of_the_whole(book: ProjectStore) -> None:
    Plans(book, "en").merge(3)
    assert costs(book) == {3: 7.0, 4: 5.0, 5: 6.0}


def test_a_new_title_says_nothing_of_numbers_and_a_book_without_moves_has_no_such_line(
    book: ProjectStore,
) -> None:
    Plans(book, "en").retitle(3, "Ebb")
    assert all(b"renumber" not in book.root.read(path) for path in LOGS)
    assert costs(book) == {n: float(n) for n in range(3, 7)}


def test_an_entry_of_the_changelog_follows_its_chapter() -> None:
    data = planned_changelog()
    before = [entry.chapter for entry in read(data).entries]
    assert {*before} == {1, 2}
    with_move = data + b'{"renumber":{"1":2,"2":1},"ts":"2026-01-01T00:00:00.000Z"}\n'
    assert read(with_move).faults == ()
    assert [entry.chapter for entry in read(with_move).entries] == [3 - n for n in before]
    with_return = with_move + b'{"renumber":{"1":2,"2":1},"ts":"2026-01-02T00:00:00.000Z"}\n'
    assert [entry.chapter for entry in read(with_return).entries] == before
    assert read(data + b'{"renumber":{"1":[]},"ts":""}\n').faults


def planned_changelog() -> bytes:
    """The changelog of the sample."""
    from studio.resources import sample_project_dir

    return (sample_project_dir() / "state/changelog.jsonl").read_bytes()


@pytest.mark.sweep
@pytest.mark.parametrize("stride", [8, swept(1)])
def test_a_kill_anywhere_in_a_move_says_it_once(
    book: ProjectStore, tmp_path: Path, stride: int
) -> None:
    source, step = book.layout.folder, 1 - stride
    while True:
        step += stride
        copy = tmp_path / str(step)
        shutil.copytree(source, copy)

        def killed(folder: Path = copy, number: int = step) -> None:
            fault_points.arm(f"fsio.any:kill:{number}")
            Plans(ProjectStore(folder), "en").move(3, 5)

        if in_child(killed) != -signal.SIGKILL:
            break
        recover(copy)
        store = ProjectStore(copy)
        lines = store.root.read("logs/usage.jsonl").count(b"renumber")
        numbers = [5, 3, 4, 6] if lines else [3, 4, 5, 6]
        assert lines in (0, 1), step
        assert costs(store) == dict(zip(numbers, (3.0, 4.0, 5.0, 6.0), strict=True)), step
        assert store.chapter_list().id_of(5) == ("c003" if lines else "c005"), step
    assert step > 10


def test_a_line_of_an_earlier_program_is_read_as_it_is(tmp_path: Path) -> None:
    store = planned_book(tmp_path / "n")
    assert History(store.root).log() == History(store.root).recorded_versions()


def kept(store: ProjectStore, chapter: int) -> list[str]:
    """The texts kept of a chapter, scene by scene."""
    variations = Variations(store.layout)
    lists = variations.everything_of(chapter)
    assert all(part.chapter == chapter for part in lists)
    return [variations.text(chapter, one) for part in lists for one in part.variations]


@pytest.fixture
def with_texts(book: ProjectStore) -> ProjectStore:
    """The same book, with a text of each planned chapter that was set aside."""
    for chapter in range(3, 7):
        Variations(book.layout).keep(chapter, None, f"소금 창고 {chapter}", "stopped")
    Variations(book.layout).keep(4, 2, "불이 꺼진 방", "cut off")
    return book


def test_what_is_kept_of_a_chapter_goes_with_it_and_comes_back(with_texts: ProjectStore) -> None:
    Plans(with_texts, "en").move(3, 5)
    assert {n: kept(with_texts, n) for n in range(3, 7)} == {
        3: ["소금 창고 4", "불이 꺼진 방"],
        4: ["소금 창고 5"],
        5: ["소금 창고 3"],
        6: ["소금 창고 6"],
    }
    assert verify(with_texts.layout.folder).findings == ()
    Variations(with_texts.layout).keep(5, None, "새로 쓴 글", "stopped")
    undo(with_texts)
    assert kept(with_texts, 3) == ["소금 창고 3", "새로 쓴 글"]
    assert kept(with_texts, 4) == ["소금 창고 4", "불이 꺼진 방"]


def test_what_is_kept_of_a_removed_chapter_is_not_the_next_ones(with_texts: ProjectStore) -> None:
    Plans(with_texts, "en").take_out(4)
    assert {n: kept(with_texts, n) for n in range(3, 7)} == {
        3: ["소금 창고 3"],
        4: ["소금 창고 5"],
        5: ["소금 창고 6"],
        6: [],
    }
    undo(with_texts)
    assert kept(with_texts, 4) == ["소금 창고 4", "불이 꺼진 방"]
    assert kept(with_texts, 5) == ["소금 창고 5"]


def test_what_is_kept_of_a_joined_chapter_is_kept_of_the_whole(with_texts: ProjectStore) -> None:
    Plans(with_texts, "en").merge(3)
    assert kept(with_texts, 3) == ["소금 창고 3", "소금 창고 4", "불이 꺼진 방"]
    assert kept(with_texts, 4) == ["소금 창고 5"]
    undo(with_texts)
    assert kept(with_texts, 4) == ["소금 창고 4", "불이 꺼진 방"]


def reserved(store: ProjectStore, chapter: int, usd: float) -> float:
    """Reserves a call about a chapter; returns what counted against its cap before."""
    counts: list[float] = []
    entry = UsageEntry(
        event="reserve",
        id=f"r-{chapter}-{usd:g}",
        call=f"gen-{chapter:03d}-bbbbbb-draft-{usd:g}",
        ts=now(),
        chapter=chapter,
        reserved_usd=usd,
    )
    store.journal.reserve(entry, lambda counted: counts.append(counted.chapter))
    return counts[0]


def test_the_cap_of_a_chapter_counts_what_that_chapter_cost(book: ProjectStore) -> None:
    reserved(book, 4, 40.0)
    Plans(book, "en").move(4, 6)
    assert reserved(book, 6, 1.0) == 44.0
    assert reserved(book, 4, 1.0) == 5.0
    Plans(book, "en").take_out(6)
    assert reserved(book, 6, 1.0) == 0.0
    undo(book)
    assert reserved(book, 6, 2.0) >= 45.0


def test_status_usage_the_log_and_authorship_follow_a_move(
    book: ProjectStore, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*arguments: str) -> str:
        catch(command_line, [*arguments, "--project", str(book.layout.folder)])
        return capsys.readouterr().out

    before = json.loads(printed("status", "--json"))
    authored = printed("authorship", "--json")
    Plans(book, "en").move(3, 5)
    after = json.loads(printed("status", "--json"))
    same = (
        *("spent_usd", "spent_today_usd", "chapters", "book"),
        *("next_chapter", "last_completed_chapter"),
    )
    assert {key: after[key] for key in same} == {key: before[key] for key in same}
    assert after["warnings"] == [
        "Imported drafts wait in imports/ (chapter 4); `studio write` takes the next."
    ]
    logged = json.loads(printed("log", "list", "5", "--json"))["calls"]
    assert [(call["id"][-1], call["chapter"]) for call in logged] == [("3", 5)]
    rows = json.loads(printed("usage", "show", "--by", "chapter", "--json"))["rows"]
    assert {row["key"]: row["usd"] for row in rows} == {"3": 4.0, "4": 5.0, "5": 3.0, "6": 6.0}
    assert printed("authorship", "--json") == authored


def test_the_pages_of_calls_and_prompts_follow_a_move(book: ProjectStore) -> None:
    session = open_session(book.layout.folder)
    calls = CallsRead()
    assert [record.chapter for record in calls.of(session, 3)] == [3]
    Plans(book, "en").move(3, 5)
    Plans(book, "en").move(3, 4)
    assert [(record.id[-1], record.chapter) for record in calls.of(session, 5)] == [("3", 5)]
    last = last_call(book.journal, "plot-architect")
    assert last is not None
    assert last.chapter == {"3": 5, "4": 4, "5": 3, "6": 6}[last.id[-1]]


TEXT = "# 소금\n\n새로 쓴 글. 新写的。\n"


def test_a_text_written_after_a_move_follows_its_chapter_when_the_move_is_taken_back(
    book: ProjectStore,
) -> None:
    chapters = book.layout.folder / "chapters"
    Plans(book, "en").move(3, 5)
    (chapters / "chapter-005.md").write_text(TEXT, "utf-8")
    undo(book)
    assert (chapters / "chapter-003.md").read_text("utf-8") == TEXT
    assert not (chapters / "chapter-005.md").exists()
    Plans(book, "en").move(3, 5)
    (chapters / "chapter-005.md").write_text(TEXT * 2, "utf-8")
    (chapters / "chapter-003.md").write_text("4", "utf-8")
    undo(book)
    assert (chapters / "chapter-003.md").read_text("utf-8") == TEXT * 2
    assert (chapters / "chapter-004.md").read_text("utf-8") == "4"
    assert not [f for f in verify(book.layout.folder).findings if f.severity == "damage"]


def test_a_text_written_before_a_removed_chapter_comes_back_keeps_its_chapter(
    book: ProjectStore,
) -> None:
    chapters = book.layout.folder / "chapters"
    Plans(book, "en").take_out(4)
    (chapters / "chapter-004.md").write_text(TEXT, "utf-8")
    undo(book)
    assert (chapters / "chapter-005.md").read_text("utf-8") == TEXT
    assert not (chapters / "chapter-004.md").exists()


@pytest.mark.parametrize("after", [3, None], ids=["between", "at the end"])
def test_an_addition_with_a_text_is_not_taken_back(after: int | None, book: ProjectStore) -> None:
    number = Plans(book, "en").add("Extra", after=after)
    path = book.layout.folder / f"chapters/chapter-{number:03d}.md"
    path.write_text(TEXT, "utf-8")
    with pytest.raises(StudioError, match="already has a text") as refused:
        undo(book)
    assert refused.value.problem.exit_code == 2
    assert path.read_text("utf-8") == TEXT
    path.unlink()
    undo(book)
    assert "Extra" not in book.root.read(book.layout.outline(1)).decode()


def test_a_split_is_not_taken_back_from_under_a_text_of_its_second_half(book: ProjectStore) -> None:
    second = Plans(book, "en").split(4)
    (book.layout.folder / f"chapters/chapter-{second:03d}.md").write_text(TEXT, "utf-8")
    with pytest.raises(StudioError, match="already has a text"):
        undo(book)


@pytest.mark.parametrize(
    ("now", "why"),
    [("last_completed_chapter", "keeps its number"), ("inflight_chapter", "is being written")],
)
def test_no_number_of_a_chapter_that_is_in_the_book_by_now_is_taken_back(
    book: ProjectStore, now: str, why: str
) -> None:
    Plans(book, "en").move(3, 5)
    book.save_checkpoint(book.checkpoint().copy_with(**{now: 3}))
    with pytest.raises(StudioError, match=why):
        undo(book)
