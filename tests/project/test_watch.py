"""Edits made elsewhere are noticed once, whole, and never mistaken for our own."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.saving import direct, in_two_pieces
from studio.project.store import ProjectStore
from studio.project.watch import watch as watching
from studio.project.watch.watch import FileChange, Watch, WatchedFiles, is_watched, needs_polling
from tests.project.novels import CHINESE, ENGLISH, KOREAN, make_novel, put

ONE = "chapters/chapter-001.md"
PATIENCE = 180.0
"""Seconds after which a notice that does not come is a failure."""


class Ears:
    """Hears a watch; what is heard comes out in order."""

    def __init__(self, store: ProjectStore, polling: bool) -> None:
        self.watch = Watch(store.root, polling)
        self.heard: queue.Queue[Sequence[FileChange]] = queue.Queue()
        self.ready = threading.Event()

    def next(self) -> Sequence[FileChange]:
        """What is heard next."""
        return self.heard.get(timeout=PATIENCE)

    def paths(self) -> list[str]:
        """The files told of next."""
        return [change.path for change in self.next()]


@contextmanager
def watched(store: ProjectStore, polling: bool = False) -> Iterator[Ears]:
    ears = Ears(store, polling)
    thread = threading.Thread(target=ears.watch.run, args=(ears.heard.put, ears.ready.set))
    thread.start()
    try:
        assert ears.ready.wait(PATIENCE)
        yield ears
    finally:
        ears.watch.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    made = make_novel(tmp_path / "novel")
    for number, text in enumerate((ENGLISH, KOREAN, CHINESE), start=1):
        put(made.layout.folder, f"chapters/chapter-{number:03d}.md", text)
    return made


def temporary_and_rename(path: Path, text: str) -> None:
    other = path.with_name(".goutputstream-X1")
    other.write_text(text)
    other.rename(path)


def like_vim(path: Path, text: str) -> None:
    probe, backup = path.with_name("4913"), path.with_name(path.name + "~")
    probe.touch()
    probe.unlink()
    path.rename(backup)
    path.write_text(text)
    backup.unlink()


def like_emacs(path: Path, text: str) -> None:
    lock = path.with_name(f".#{path.name}")
    os.symlink("writer@desk.1", lock)
    path.write_text(text)
    lock.unlink()


def delete_and_create(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


SAVES = [
    direct,
    in_two_pieces,
    temporary_and_rename,
    like_vim,
    like_emacs,
    delete_and_create,
]


# req: U5 F15
@pytest.mark.sampled
@pytest.mark.parametrize("save", SAVES)
@pytest.mark.parametrize("polling", [False, True])
def test_a_save_is_one_notice_of_the_whole_text(
    store: ProjectStore, save: object, polling: bool
) -> None:
    before = store.root.sha(ONE)
    with watched(store, polling) as ears:
        assert callable(save)
        save(store.layout.folder / ONE, ENGLISH.replace("Mara", "Mira"))
        changes = ears.next()
        assert changes == [FileChange(ONE, before, store.root.sha(ONE))]
        put(store.layout.folder, "brief.md", "A lighthouse.\n")
        assert ears.paths() == ["brief.md"]


# req: F17
def test_what_we_write_ourselves_is_no_notice(store: ProjectStore) -> None:
    with watched(store) as ears:
        for turn in range(20):
            store.root.write(ONE, f"# 등대\n\n{turn}번째 밤.\n".encode())
        put(store.layout.folder, "brief.md", "A lighthouse.\n")
        assert ears.paths() == ["brief.md"]


# req: F17
def test_an_earlier_text_of_ours_put_back_by_somebody_else_is_a_notice(
    store: ProjectStore,
) -> None:
    with watched(store) as ears:
        store.root.write(ONE, KOREAN.encode())
        store.root.write(ONE, CHINESE.encode())
        put(store.layout.folder, ONE, KOREAN)
        assert ears.paths() == [ONE]


def test_a_staged_text_that_is_moved_into_the_book_is_ours(store: ProjectStore) -> None:
    with watched(store) as ears:
        store.root.write("staging/chapters/chapter-004.md", ENGLISH.encode())
        store.root.move("staging/chapters/chapter-004.md", "chapters/chapter-004.md", None)
        put(store.layout.folder, "brief.md", "A lighthouse.\n")
        paths = ears.paths()
        assert "chapters/chapter-004.md" not in paths
        assert "brief.md" in paths


def test_the_same_text_saved_again_is_no_notice(store: ProjectStore) -> None:
    with watched(store) as ears:
        put(store.layout.folder, ONE, ENGLISH)
        put(store.layout.folder, "brief.md", "A lighthouse.\n")
        assert ears.paths() == ["brief.md"]


# req: F13 F16
@pytest.mark.sampled
@pytest.mark.parametrize("polling", [False, True])
def test_deleted_and_renamed_chapters_are_told_of(store: ProjectStore, polling: bool) -> None:
    folder = store.layout.folder
    with watched(store, polling) as ears:
        (folder / ONE).unlink()
        (gone,) = ears.next()
        assert (gone.path, gone.after) == (ONE, None)
        (folder / "chapters/chapter-002.md").rename(folder / "chapters/chapter-009.md")
        changes = list(ears.next())
        while len(changes) < 2:
            changes += ears.next()
        assert {c.path: c.after is None for c in changes} == {
            "chapters/chapter-002.md": True,
            "chapters/chapter-009.md": False,
        }


# req: F16
@pytest.mark.sampled
@pytest.mark.parametrize("polling", [False, True])
def test_a_new_folder_is_looked_into_and_a_renamed_one_is_followed(
    store: ProjectStore, polling: bool
) -> None:
    folder, aside = store.layout.folder, store.layout.folder.parent / "aside"
    put(aside, "harbour.md", "The harbour freezes in March.\n")
    with watched(store, polling) as ears:
        aside.rename(folder / "world")
        assert ears.paths() == ["world/harbour.md"]
        (folder / "world").rename(folder / "somewhere")
        (gone,) = ears.next()
        assert (gone.path, gone.after) == ("world/harbour.md", None)


# req: F16
@pytest.mark.sampled
@pytest.mark.parametrize("polling", [False, True])
def test_a_novel_that_is_gone_is_no_deletion_of_its_files(
    store: ProjectStore, polling: bool
) -> None:
    folder, away = store.layout.folder, store.layout.folder.with_name("away")
    with watched(store, polling) as ears:
        folder.rename(away)
        assert list(ears.next()) == []
        assert ears.watch.is_gone
        put(away, ONE, KOREAN)
        away.rename(folder)
        assert ears.paths() == [ONE]
        assert not ears.watch.is_gone


# req: F16
def test_a_thousand_files_at_once_are_all_told_of(store: ProjectStore) -> None:
    with watched(store) as ears:
        for number in range(1, 1001):
            put(store.layout.folder, f"world/place-{number}.md", f"등대 {number}\n")
        paths: set[str] = set()
        batches = 0
        while len(paths) < 1000:
            paths |= {change.path for change in ears.next()}
            batches += 1
        assert len(paths) == 1000
        assert batches < 100


# req: F16
def test_without_events_the_files_are_looked_at(
    store: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def used_up(*_: object, **__: object) -> object:
        raise OSError(28, "OS file watch limit reached")

    monkeypatch.setattr("watchfiles.watch", used_up)
    with watched(store) as ears:
        assert ears.watch.polling
        put(store.layout.folder, ONE, KOREAN)
        assert ears.paths() == [ONE]


def test_places_of_a_network_are_polled(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("/dev/sda / ext4 rw 0 0\nserver:/home /home/mara nfs4 rw 0 0\n")
    assert needs_polling(Path("/home/mara/novel"), mounts)
    assert not needs_polling(Path("/home/joss/novel"), mounts)
    assert not needs_polling(Path("/home/mara"), tmp_path / "none")


def test_wsl_is_polled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching.platform, "release", lambda: "5.15-microsoft-standard-WSL2")
    assert needs_polling(tmp_path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("chapters/chapter-001.md", True),
        ("chapters/chapter-001.md~", False),
        ("chapters/.#chapter-001.md", False),
        (".checkpoint.json", True),
        ("characters/active/mara.json", True),
        ("volumes/vol-01/outline.md", True),
        ("history/log.jsonl", False),
        ("logs/pipeline.log", False),
        (".studio/index.json", False),
        ("staging/chapters/chapter-002.md", True),
    ],
)
def test_what_is_looked_at(path: str, expected: bool) -> None:
    assert is_watched(path) is expected


# req: P14
def test_a_text_is_not_read_while_it_is_written(store: ProjectStore) -> None:
    path = store.layout.folder / ONE
    waits: list[float] = []
    with path.open("w") as file:
        files = WatchedFiles(store.root)
        files.rescan()

        def wait(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 3:
                file.write(CHINESE[3:])
                file.close()

        files._wait = wait
        file.write(CHINESE[:3])
        file.flush()
        (change,) = files.rescan([ONE])
    assert change.after == store.root.sha(ONE)
    assert path.read_text() == CHINESE
    assert len(waits) >= 3
