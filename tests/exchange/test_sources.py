"""The files of an import: known for what they are, never unpacked, in a reader's order."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from studio.errors import Exit, StudioError
from studio.exchange.import_.sources import in_reading_order, read_source


def zipped(**entries: str) -> bytes:
    """A zip file with these entries; `__` in a name stands for a slash."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name.replace("__", "/"), text)
    return held.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (zipped(mimetype="application/hwp+zip"), "HWP document"),
        (zipped(**{"..__..__etc__passwd": "x"}), "zip file"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "old Word or HWP"),
        (b"\x1f\x8b\x08rest", "compressed"),
        (b'\n<?xml version="1.0"?><tei/>', "XML"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",  # a zip file holds the time
)
def test_what_is_no_plain_text_is_named_and_not_opened(
    data: bytes, kind: str, tmp_path: Path
) -> None:  # req: S5
    file = tmp_path / "book.txt"
    file.write_bytes(data)
    with pytest.raises(StudioError) as caught:
        read_source(file)
    problem = caught.value.problem
    assert problem.exit_code == Exit.USAGE
    assert kind in problem.message
    assert "plain text" in problem.hint


def test_a_file_that_is_not_there_a_folder_and_one_too_large_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="There is no file"):
        read_source(tmp_path / "none.md")
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(50_000_001)
    with pytest.raises(StudioError, match="larger than 50 MB"):
        read_source(large)


def test_files_in_the_order_of_a_shell_are_read_by_their_numbers() -> None:
    shell = [Path("1.md"), Path("10.md"), Path("2.md")]
    assert in_reading_order(shell) == [Path("1.md"), Path("2.md"), Path("10.md")]


def test_an_order_of_the_writers_own_stays() -> None:
    own = [Path("prologue.md"), Path("b.md"), Path("a.md")]
    assert in_reading_order(own) == own
