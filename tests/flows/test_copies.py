"""Copies of a novel: backups, snapshots by hard links, and packed files that come from anybody."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest

from tests.cli.command import studio, tree

YEAR = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
int clock_gettime(clockid_t which, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int came = real(which, at);
    if (which == CLOCK_REALTIME) at->tv_sec += 366L * 86400;
    return came;
}
"""


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    """A novel with a chapter in the book."""
    folder, book = tmp_path / "novel", tmp_path / "book.txt"
    book.write_text("# The Lamp\n\nThe rain had stopped.\n")
    order = ("import", book, "--into", folder, "--as", "committed", "--title", "Salt", "--yes")
    assert studio(*order).code == 0
    return folder


def edited_backup(novel: Path, words: str, **environ: str) -> Path:
    """The backup that is made after the brief was changed."""
    (novel / "brief.md").write_text(words)
    made = studio("history", "backup", "--json", "--project", novel, environ=environ)
    assert made.code == 0, made
    return Path(made.json["path"])


def a_year_ahead(tmp_path: Path) -> dict[str, str]:
    """An environment in which the clock is wrong by a year."""
    if shutil.which("gcc") is None or sys.platform != "linux":
        pytest.skip("a wrong clock needs a C compiler and LD_PRELOAD")
    (tmp_path / "year.c").write_text(YEAR)
    shim = tmp_path / "year.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", shim, tmp_path / "year.c", "-ldl"], check=True)
    return {"LD_PRELOAD": str(shim)}


@pytest.mark.sweep
def test_the_newest_backups_stay_whatever_the_clock_says(novel: Path, tmp_path: Path) -> None:
    config = tmp_path / "config/studio/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[backup]\nkeep = 2\n")
    home = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    edited_backup(novel, "one\n", **home, **a_year_ahead(tmp_path))
    made = [edited_backup(novel, words, **home) for words in ("two\n", "three\n", "four\n")]
    there = made[0].parent.glob("*.zip")
    assert sorted(there) == sorted(made[-2:])


def test_nobody_else_can_read_a_backup(novel: Path) -> None:
    backup = edited_backup(novel, "one\n")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.parent.stat().st_mode) == 0o700


def test_a_snapshot_by_hard_links_stays_as_it_was(novel: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "snapshot"
    shutil.copytree(novel, snapshot, copy_function=os.link)
    before = tree(snapshot)
    second = tmp_path / "second.txt"
    second.write_text("# The Key\n\nThere was no key.\n")
    order = ("import", second, "--into", novel, "--as", "committed", "--yes")
    assert studio(*order).code == 0
    assert tree(novel) != before
    assert tree(snapshot) == before
    assert studio("verify", "--project", novel).code == 0


@pytest.mark.sweep
def test_a_small_file_in_history_fills_no_memory(novel: Path) -> None:
    """A version of 300 million zeros, which takes 300 kB, read with room for 256 MB."""
    hashed, packer = hashlib.sha256(), zlib.compressobj(9)
    packed = b""
    for _ in range(300):
        hashed.update(bytes(1_000_000))
        packed += packer.compress(bytes(1_000_000))
    sha, packed = hashed.hexdigest(), packed + packer.flush()
    (novel / "history" / sha[:2]).mkdir(exist_ok=True)
    (novel / "history" / sha[:2] / sha).write_bytes(packed)
    line = {"path": "brief.md", "sha": sha, "ts": "2026-11-22T00:00:00Z", "reason": "staged"}
    with (novel / "history/log.jsonl").open("a") as log:
        log.write(json.dumps({**line, "commit_id": ""}) + "\n")
    most = "import resource as r, sys; r.setrlimit(r.RLIMIT_DATA, (256 << 20, 256 << 20))"
    run = f"{most}; from studio.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", run, "history", "show", "brief.md", "--sha", sha[:12]]
    ended = subprocess.run(command, cwd=novel, capture_output=True, text=True)
    assert (ended.returncode, "damaged" in ended.stderr) == (5, True), ended.stderr[-500:]


def test_what_git_would_obey_does_not_come_out_of_a_zip(tmp_path: Path) -> None:
    files = {
        "studio.toml": b'[novel]\ntitle = "Salt"\nlanguage = "en"\n',
        "notes/names.txt": b"Mara\n",
        ".git/config": b"[core]\nfsmonitor = ./evil\n",
        "world/.git": b"gitdir: ../evil\n",
        "evil/HEAD": b"ref: refs/heads/main\n",
        ".vscode/tasks.json": b"{}",
    }
    listed = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    foreign = tmp_path / "2026-11-22T01-30-00-125.zip"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("backup.json", json.dumps({"schema_version": 1, "files": listed}))
        for name, data in files.items():
            archive.writestr(f"novel/{name}", data)
    restored = studio("history", "restore-backup", foreign, tmp_path / "novel")
    assert restored.code == 0, restored
    assert sorted(tree(tmp_path / "novel")) == ["notes/names.txt", "studio.toml"]
    assert "4 files" in restored.err
