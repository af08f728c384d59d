"""Fixtures for all tests: an empty home folder, no API keys, no network, an untouched sample
novel."""

from __future__ import annotations

import atexit
import gc
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.small_novels import copied_sample
from tests.sweeps import begin_with_the_longest, leave_to_the_sweep, leave_to_the_whole_sweep

TESTS = os.getpid()
"""The id of the process that runs these tests."""
ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")

# A shell that starts the tests in the background may ignore these signals; the tests send them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Code that reads HOME before a test has its own home must not see that of the person running it.
os.environ["HOME"] = tempfile.mkdtemp(prefix="studio-home-")
atexit.register(shutil.rmtree, os.environ["HOME"], ignore_errors=True)

settings.register_profile(
    "dev",
    max_examples=50,
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("long", settings.get_profile("dev"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Prepares the list of tests before `-m` selects from it."""
    leave_to_the_sweep(items)
    leave_to_the_whole_sweep(items)
    begin_with_the_longest(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport() -> None:
    """Ends a forked child of a test that would otherwise go on as if it were the parent."""
    if os.getpid() != TESTS:
        os._exit(70)


def pytest_collection_finish() -> None:
    """Exempts objects that live until the end from the garbage collections of the tests."""
    gc.freeze()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yields unused paths for folders; `mktemp` would list all existing folders to find one."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sets HOME and the XDG folders to empty folders of this test, UTC, no key and no provider."""
    home = next(homes)
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "STUDIO_", "XDG_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name, folder in [("CONFIG", "config"), ("STATE", "state"), ("CACHE", "cache")]:
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / folder))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TZ", "UTC")
    # Programs that are killed or out of disk space must fail on the novel's files, not on bytecode.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    time.tzset()
    return home


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Resets the interface to English, and chapters to their word and numbers, after each test; the
    old checkout in `dev.py proof`, which runs the tests too, has no other language."""
    yield
    if interface := sys.modules.get("studio.i18n"):
        interface.use("en")
    names = sys.modules.get("studio.chapter_names")
    if label := getattr(names, "label_chapters", None):
        label({})
    if call := getattr(names, "call_chapters", None):
        call("")


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fails any test that tries to reach beyond this machine."""

    def guarded(name: str) -> None:
        real = getattr(socket.socket, name)

        def connect(self: socket.socket, address: object) -> object:
            host = address[0] if isinstance(address, tuple) else ""
            if isinstance(address, tuple) and not str(host).startswith(LOOPBACK):
                pytest.fail(f"a test tried to reach {host}")
            return real(self, address)

        monkeypatch.setattr(socket.socket, name, connect)

    guarded("connect")
    guarded("connect_ex")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Returns a copy of the sample novel."""
    return copied_sample(tmp_path / "novel")


def _sample_in_git() -> str:
    """Returns git's view of the sample novel: changed and untracked files with their sizes and
    times."""
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--", "sample-project"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / line[3:].strip('"') for line in names.splitlines()]
    stats = [path.stat() for path in files if path.is_file()]
    return names + "".join(f"{stat.st_size} {stat.st_mtime_ns}\n" for stat in stats)


@pytest.fixture(scope="session", autouse=True)
def sample_is_left_alone() -> Iterator[None]:
    """Checks that no test writes into sample-project; only in CI, where nobody edits it at the same
    time."""
    if "CI" not in os.environ or not (ROOT / ".git").exists():
        yield
        return
    before = _sample_in_git()
    yield
    assert _sample_in_git() == before, "the tests changed files under sample-project"
