#!/usr/bin/env python3
"""Sets up the checkout and runs what a contributor needs; standard library only.

    python3 dev.py try [FOLDER] [--headless]   a copy of the sample novel, opened in the app
    python3 dev.py test [PYTEST ARGUMENTS]     the tests
    python3 dev.py sweep [whole]               the longer tests that `test` leaves out, and of each
                                               series of like rows some; or all
    python3 dev.py check                       lint, format, types, import contracts
    python3 dev.py bench [NAME]                the benchmarks, or one of them
    python3 dev.py faults                      every fault there is a test of, and what came of it
    python3 dev.py memory                      a thousand books, whose earlier chapters hear nothing
                                               of later ones; twenty of them by every command
    python3 dev.py book [OPTIONS]              two volumes from an empty folder, killed 20 times;
                                               with --app by keys in the app
    python3 dev.py documents [FOLDER]          ten documents in, out in each form, and in again
    python3 dev.py prompts [LANGUAGE...]       the requests of a chapter as files, to read a changed
                                               prompt as a diff
    python3 dev.py proof [ID...]               what was repaired, by tests that fail before it
    python3 dev.py house [FOLDER OR COMMIT...] modules, folders and names in figures

The first run makes .venv and fetches the packages; later runs do so only
after pyproject.toml has changed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
PROGRAMS = ENVIRONMENT / "bin"
STAMP = ENVIRONMENT / ".synced"
ON_WINDOWS = (
    "The studio does not run on Windows itself. It runs in WSL, the Linux inside Windows:"
    " `wsl --install`, then clone it there and run this again."
)


def run(*command: object, **options: object) -> int:
    """Runs a command in the checkout and returns its exit code."""
    sys.stdout.flush()
    return subprocess.call([str(part) for part in command], **{"cwd": ROOT, **options})


def program(name: str) -> Path:
    """Returns the path of a program in the virtual environment."""
    return PROGRAMS / name


def set_up(tools: bool) -> None:
    """Makes .venv match pyproject.toml, unless it already does: the studio and its small model, and
    the developer tools if requested."""
    declared = (ROOT / "pyproject.toml").read_bytes() + str(ENVIRONMENT).encode()
    whole, part = (hashlib.sha256(declared + kind).hexdigest() for kind in (b"tools", b""))
    enough = {whole} if tools else {whole, part}
    if STAMP.is_file() and STAMP.read_text() in enough and works(program("python")):
        return
    print("Setting up .venv; the first time this takes a minute or two.", flush=True)
    if not works(program("python")):
        make_environment()
    if not works(program("uv")) and run(program("python"), "-m", "pip", "install", "-q", "uv"):
        sys.exit(cannot_install("uv"))
    environ = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(ENVIRONMENT)}
    environ.pop("VIRTUAL_ENV", None)
    groups = [] if tools else ["--no-default-groups", "--group", "model"]
    sync = [program("uv"), "sync", "--quiet", "--inexact", "--extra", "local", *groups]
    if run(*sync, env=environ):
        sys.exit(cannot_install("the packages"))
    # Compiling once here matters where Python may not write bytecode: every command would compile
    # its imports again, which is most of the time of a short command.
    run(program("python"), "-m", "compileall", "-q", "-j", "0", ROOT / "studio", ENVIRONMENT)
    STAMP.write_text(whole if tools else part)


def works(path: Path) -> bool:
    """Whether a program exists and starts."""
    if not path.is_file():
        return False
    try:
        return subprocess.call([str(path), "--version"], stdout=subprocess.DEVNULL) == 0
    except OSError:
        return False


def make_environment() -> None:
    """Creates a fresh virtual environment with pip."""
    try:
        venv.create(ENVIRONMENT, clear=True, with_pip=True)
    except (subprocess.CalledProcessError, OSError) as error:
        sys.exit(
            f"dev.py could not make .venv ({error}). On Debian and Ubuntu this needs the"
            " package python3-venv."
        )


def cannot_install(what: str) -> str:
    """Returns the message for a failed set-up."""
    return (
        f"dev.py could not install {what}; the reason stands above. It needs the network once:"
        " if that is the reason, connect and run it again."
    )


def try_it(arguments: list[str]) -> int:
    """Opens a copy of the sample novel in the app, with the embedded model; with --headless, or
    without a terminal, writes its next chapter without the app."""
    options = [argument for argument in arguments if argument.startswith("-")]
    named = [argument for argument in arguments if not argument.startswith("-")]
    if len(named) > 1 or any(option != "--headless" for option in options):
        print("Usage: python3 dev.py try [FOLDER] [--headless]", file=sys.stderr)
        return 2
    folder = Path(named[0]).absolute() if named else Path(tempfile.mkdtemp(prefix="novel-try-"))
    return run(program("studio"), "try", folder, *options, "--provider", "embedded")


def test(arguments: list[str]) -> int:
    """Runs the tests on every core, then those that measure time serially; or only
    those named by the arguments."""
    if arguments:
        return pytest(*arguments)
    together = side_by_side("-m", "not sweep and not alone")
    files = (ROOT / "tests").rglob("test_*.py")
    timed = [file for file in files if "pytest.mark.alone" in file.read_text("utf-8")]
    return pytest("-n", "0", "-m", "alone", *timed) or together


def sweep(arguments: list[str]) -> int:
    """Runs the tests that `test` leaves out, and of a series of like rows some; with `whole`, all
    of them, which takes the better part of an hour."""
    if arguments not in ([], ["whole"]):
        print("Usage: python3 dev.py sweep [whole]", file=sys.stderr)
        return 2
    return side_by_side("-m", "sweep" if arguments else "sweep and not rare")


WORKERS = (os.cpu_count() or 1) + 2
"""The number of test processes, more than there are cores, because tests spend much of their time
waiting for screens, children and servers."""


def side_by_side(*arguments: object, **environ: str) -> int:
    """Runs pytest in several processes, which take over each other's remaining tests. The tests
    write to memory where there is room: they sync so often that a disk would limit their speed."""
    command = ["-n", WORKERS, "--dist", "worksteal", *arguments]
    if "TMPDIR" in os.environ or not has_room(MEMORY):
        return pytest(*command, **environ)
    with tempfile.TemporaryDirectory(prefix="studio-tests-", dir=MEMORY) as folder:
        os.chmod(folder, 0o755)  # some tests run as another user
        return pytest(*command, **environ, TMPDIR=folder)


MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""The free bytes required in memory; the tests of one run need less than a quarter of them."""


def has_room(folder: Path) -> bool:
    """Whether both a folder in memory and the memory itself have room for what the tests write."""
    try:
        free = shutil.disk_usage(folder).free
        available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return False
    return min(free, available) > ROOM and os.access(folder, os.W_OK)


def pytest(*arguments: object, **environ: str) -> int:
    """Runs pytest, which caches bytecode even where Python is told not to."""
    variables = {**os.environ, **environ}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return run(program("python"), "-m", "pytest", *arguments, env=variables)


def check(_arguments: list[str]) -> int:
    """Runs every static check, even after one has failed."""
    checks = [
        [program("ruff"), "check"],
        [program("ruff"), "format", "--check"],
        [program("mypy")],
        [program("lint-imports")],
    ]
    failed = [command[0].stem for command in checks if run(*command)]
    if failed:
        print(f"Failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def bench(arguments: list[str]) -> int:
    """Runs the benchmarks."""
    return run(program("python"), "-m", "bench", *arguments)


def faults(arguments: list[str]) -> int:
    """Tests kills, power cuts, failing disks and hostile text, far more of each than `test` does,
    and every other test that tests/faults/README.md names. Prints what was tried."""
    listed = re.findall(
        r"`(tests/[\w/]+\.py::\w+)`", (ROOT / "tests/faults/README.md").read_text("utf-8")
    )
    others = sorted({name for name in listed if not name.startswith("tests/faults/")})
    tests = arguments or ["tests/faults", *others]
    return side_by_side("-q", "--timeout", "1500", *tests, FAULTS="full")


def memory(arguments: list[str]) -> int:
    """Checks on many random books that nothing of a later chapter is revealed to an earlier one."""
    tests = arguments or ["tests/book/test_as_of.py", "tests/book/test_as_of_by_command.py"]
    many = {"STUDIO_TEST_BOOKS": "1000", "STUDIO_TEST_BOOKS_BY_COMMAND": "20", **os.environ}
    return side_by_side("-q", "-m", "", "--timeout", "1500", *tests, **many)


def book(arguments: list[str]) -> int:
    """Writes a book from an empty folder to its last volume, with and without
    kills, and compares the results."""
    return run(program("python"), "-m", "tests.whole_book", *arguments)


def documents(arguments: list[str]) -> int:
    """Imports ten documents, seven generated and three by other people from a folder, exports each
    in every form, imports them again, and names the differences."""
    return run(program("python"), "-m", "tests.exchange.ten_documents", *arguments)


def prompts(arguments: list[str]) -> int:
    """Renews the requests of a chapter in tests/data/prompts."""
    return run(program("python"), "-m", "tests.prompts_sent", *arguments)


def proof(arguments: list[str]) -> int:
    """Runs the test of each repaired defect on the code before the
    repairs and on the current code."""
    return run(program("python"), "-m", "tests.proof", *arguments)


def house(arguments: list[str]) -> int:
    """Prints the figures of the code as a whole, of this checkout or of the named ones."""
    return run(program("python"), "-m", "tests.architecture.house", *arguments)


COMMANDS = {
    "try": try_it,
    "test": test,
    "sweep": sweep,
    "check": check,
    "bench": bench,
    "faults": faults,
    "memory": memory,
    "book": book,
    "documents": documents,
    "prompts": prompts,
    "proof": proof,
    "house": house,
}


def main(arguments: list[str]) -> int:
    """Runs one command with its arguments."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 14):
        version = ".".join(map(str, sys.version_info[:2]))
        print(f"The studio needs Python 3.11 to 3.14; this is {version}.", file=sys.stderr)
        return 2
    if importlib.util.find_spec("fcntl") is None:
        print(ON_WINDOWS, file=sys.stderr)
        return 2
    if not arguments or arguments[0] not in COMMANDS:
        print(__doc__, file=sys.stdout if arguments in (["-h"], ["--help"]) else sys.stderr)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    try:
        set_up(tools=arguments[0] != "try")
        return COMMANDS[arguments[0]](arguments[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
