"""A file that is replaced, and a disk that fails in the middle of it."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.errors import StudioError
from studio.fsio import Root, replacement

OLD = "비가 그치자 등대의 불이 켜졌다.\n".encode()
NEW = "雨停了，灯塔亮了起来。\n".encode()


@pytest.mark.parametrize(
    "change",
    [lambda root, sha: root.write("a.md", NEW, sha), lambda root, sha: root.remove("a.md", sha)],
)
def test_where_the_disk_cannot_read_what_came_out_it_goes_back_and_nobody_is_blamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Root, str], object]
) -> None:
    root = Root(tmp_path)
    sha = root.write("a.md", OLD)
    looks = iter([OSError(errno.EIO, "Input/output error")])
    real = replacement._sha_or_none

    def look(rel: str, entry: replacement.FolderEntry) -> str | None:
        if (error := next(looks, None)) is not None:
            raise error
        return real(rel, entry)

    monkeypatch.setattr(replacement, "_sha_or_none", look)
    with pytest.raises(StudioError, match=r"Could not .* a\.md: the disk reports an error"):
        change(root, sha)
    assert root.read("a.md") == OLD
    assert root.all_names("") == ["a.md"]
