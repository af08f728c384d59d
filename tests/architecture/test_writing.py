"""Only fsio changes files: every other module is read for calls that would."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture import calls, modules, relative, syntax

WRITING_METHODS = frozenset(
    {"write_text", "write_bytes", "mkdir", "makedirs", "touch", "unlink", "rmdir", "rename"}
    | {"renames", "symlink_to", "hardlink_to", "chmod", "lchmod"}
)
"""Of pathlib and os; no type of ours has a method of such a name."""
WRITING_FUNCTIONS = frozenset(
    {"replace", "remove", "removedirs", "link", "symlink", "truncate", "ftruncate"}
    | {"write", "pwrite", "mkfifo", "mknod", "chown"}
)
"""Of the os module, beside those above."""
OPENS_NO_FILE = frozenset({"Session"})
"""Types of ours that open something else: a Session opens a novel."""
OPENS_TO_WRITE = re.compile(r"O_(WRONLY|RDWR|CREAT|APPEND|TRUNC)")


def writes(call: ast.Call) -> bool:
    """Whether a call changes, or may change, what is on the disk."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open" and _mode_writes(call, position=1)
    if not isinstance(function, ast.Attribute):
        return False
    if ast.unparse(function.value) == "super()":
        return False  # of a class of its own: what it extends is looked at where it is
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    if owner == "os":
        return function.attr in WRITING_METHODS | WRITING_FUNCTIONS or (
            function.attr == "open" and bool(OPENS_TO_WRITE.search(ast.unparse(call)))
        )
    if owner in ("shutil", "tempfile"):
        return True
    if function.attr == "open" and owner not in OPENS_NO_FILE:
        return _mode_writes(call, position=1 if owner in ("io", "gzip", "codecs") else 0)
    if function.attr == "replace":  # Path.replace(target); str.replace takes two
        return len(call.args) == 1 and not call.keywords
    return function.attr in WRITING_METHODS


def _mode_writes(call: ast.Call, position: int) -> bool:
    given = [word.value for word in call.keywords if word.arg == "mode"]
    mode = given[0] if given else call.args[position] if len(call.args) > position else None
    if mode is None:
        return False
    if isinstance(mode, ast.Constant) and isinstance(mode.value, str):
        return bool(set(mode.value) & set("wax+"))
    return True


@pytest.mark.sweep
def test_only_fsio_changes_files() -> None:  # req: B2
    places = [
        f"{relative(path)}:{call.lineno}: {ast.unparse(call)[:80]}"
        for path in modules("studio")
        if not relative(path).startswith("studio/fsio/")
        for call in calls(path)
        if writes(call)
    ]
    assert places == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("open(path, 'w')", True),
        ("open(path, mode='rb+')", True),
        ("open(path, mode)", True),
        ("open(path)", False),
        ("open(path, 'rb')", False),
        ("path.open('a')", True),
        ("path.open(encoding='utf-8')", False),
        ("io.open(path, 'x')", True),
        ("path.write_text('x')", True),
        ("path.replace(target)", True),
        ("text.replace('a', 'b')", False),
        ("moment.replace(tzinfo=UTC)", False),
        ("os.open(path, os.O_WRONLY | os.O_CREAT)", True),
        ("os.open(path, os.O_RDONLY)", False),
        ("os.rename(a, b)", True),
        ("shutil.copyfile(a, b)", True),
        ("sys.stdout.write('x')", False),
        ("super().write_text('x')", False),
    ],
)
def test_the_reader_of_calls_knows_what_writes(code: str, expected: bool) -> None:
    call = ast.parse(code, mode="eval").body
    assert isinstance(call, ast.Call)
    assert writes(call) is expected


@pytest.mark.sweep
def test_an_interrupted_commit_is_finished_in_one_place() -> None:
    finishing = {
        relative(path)
        for path in modules("studio")
        for call in calls(path)
        if ast.unparse(call.func).endswith("roll_forward")
    }
    assert finishing == {
        "studio/project/commit/writing.py",
        "studio/project/repair.py",  # gives up a commit that cannot be finished
    }


RENAMES = {
    "studio/fsio/replacement.py": {
        *("place_free", "replace_by_temporary", "take_out", "_give_back", "_compare_and_rename"),
    },
    "studio/fsio/root.py": {"_write", "claim"},
    "studio/fsio/several.py": {"_place"},
}
"""Where a file gets another name: the exchange and what it falls back on, files the studio alone
writes, locks, and whole folders that nobody has seen before."""
OWN_FILES = {
    "studio/config/state_files.py": {"name"},  # what the studio keeps for itself
    "studio/project/commit/transaction.py": {"places.MANIFEST", "places.CHECKPOINT"},
    "studio/project/author/book_length.py": {"places.WRITING_DAYS"},
    "studio/project/index.py": {"places.INDEX", "places.GLANCE"},
    "studio/project/history/blobs.py": {"target"},  # named after their bytes
    "studio/project/journal.py": {"packed_path(chapter)", "path", "self._layout.partial(gen_id)"},
    "studio/project/lock/lock.py": {"f'{draft}/info.json'"},
    "studio/project/files/user_files.py": {"name"},  # the user's state folder
    "studio/project/commit/placement.py": {"source", "beside"},  # staging; named after its bytes
    "studio/project/repair.py": {"places.CHANGELOG", "places.STATE"},
    "studio/project/create.py": {"name", "path"},  # in a folder that is not there yet
    "studio/project/watch/cached_hashes.py": {"places.CHAPTER_HASHES"},  # made anew if it is lost
    "studio/project/staging.py": {"path"},  # summaries, memories and what code reads in work
    "studio/project/store.py": {"places.CHECKPOINT"},
    "studio/project/history/variations.py": {
        "f'{self._layout.variations(chapter)}/{name}'",
        "self._list_path(chapter, present.scene)",
        "self._list_path(chapter, scene)",
    },
}
"""What may be written whatever stands there: files that only the studio writes. Everything else
names the sha256 that it replaces, so that a save of another program is never replaced unseen."""


def _functions_that_rename(path: Path) -> set[str]:
    names = {"rename", "replace", "renames", "link"}
    return {
        function.name
        for function in ast.walk(syntax(path))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in names
        and ast.unparse(call.func.value) == "os"
    }


@pytest.mark.sweep
def test_files_get_their_names_in_few_places() -> None:
    renames = {relative(path): _functions_that_rename(path) for path in modules("studio")}
    assert {path: names for path, names in renames.items() if names} == RENAMES


@pytest.mark.sweep
def test_what_others_write_is_replaced_only_by_its_sha256() -> None:
    arguments: dict[str, set[str]] = {}
    for path in modules("studio"):
        for call in calls(path):
            if isinstance(call.func, ast.Attribute) and _is_unconditional(call, call.func):
                arguments.setdefault(relative(path), set()).add(ast.unparse(call.args[0]))
    assert arguments == OWN_FILES


@pytest.mark.sweep
def test_several_files_are_written_together_where_only_the_studio_writes() -> None:
    callers = {
        relative(path)
        for path in modules("studio")
        for call in calls(path)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "write_several"
    }
    # Versions, named after their bytes, and what waits in staging to be exchanged.
    assert callers == {
        "studio/project/history/blobs.py",
        "studio/project/commit/placement.py",
    }


def _is_unconditional(call: ast.Call, function: ast.Attribute) -> bool:
    owner = ast.unparse(function.value).rpartition(".")[2].lstrip("_")
    expected = [word.value for word in call.keywords if word.arg == "expected"]
    return function.attr == "write" and owner == "root" and len(call.args) == 2 and not expected
