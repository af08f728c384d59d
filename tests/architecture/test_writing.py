"""Only fsio changes files: every other module is read for calls that would."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture import calls, modules, relative

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


def test_only_fsio_changes_files() -> None:  # req: B2
    found = [
        f"{relative(path)}:{call.lineno}: {ast.unparse(call)[:80]}"
        for path in modules("studio")
        if not relative(path).startswith("studio/fsio/")
        for call in calls(path)
        if writes(call)
    ]
    assert found == []


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
    ],
)
def test_the_reader_of_calls_knows_what_writes(code: str, expected: bool) -> None:
    call = ast.parse(code, mode="eval").body
    assert isinstance(call, ast.Call)
    assert writes(call) is expected
