"""What every test stands on: a home of its own, no keys, no network, the sample left alone."""

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

from studio.resources import sample_project_dir
from tests.sweeps import begin_with_the_longest, leave_to_the_sweep

TESTS = os.getpid()
"""The process that runs these tests."""
ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")

# Who starts the tests in the background may have these signals ignored; the tests send them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# What is read of the environment before a test has its own home is not that of whoever runs them.
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
    """Before `-m` chooses among them."""
    leave_to_the_sweep(items)
    begin_with_the_longest(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport() -> None:
    """A child of a test that would go on as its parent ends here."""
    if os.getpid() != TESTS:
        os._exit(70)


def pytest_collection_finish() -> None:
    """What stays until the end is not looked through whenever a test has garbage collected."""
    gc.freeze()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Free names for folders. (`mktemp` reads all the folders there are to find one.)"""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """HOME and the XDG folders are empty folders of this test; UTC; no key, no chosen provider."""
    home = next(homes)
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "STUDIO_", "XDG_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    for name, folder in [("CONFIG", "config"), ("STATE", "state"), ("CACHE", "cache")]:
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / folder))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TZ", "UTC")
    # What a program writes while it is killed or starved of disk is the novel's, and no bytecode.
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    time.tzset()
    return home


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """No test leaves the interface in another language; the tree that `dev.py proof` runs the
    tests on has but one."""
    yield
    if interface := sys.modules.get("studio.i18n"):
        interface.use("en")


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that would reach beyond this machine fails instead."""

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
    """A copy of the sample novel."""
    return Path(shutil.copytree(sample_project_dir(), tmp_path / "novel"))


def _sample_in_git() -> str:
    """What git sees of the sample: changed and untracked files with size and time of each."""
    command = ["git", "status", "--porcelain", "--untracked-files=all", "--", "sample-project"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [ROOT / line[3:].strip('"') for line in names.splitlines()]
    stats = [path.stat() for path in files if path.is_file()]
    return names + "".join(f"{stat.st_size} {stat.st_mtime_ns}\n" for stat in stats)


@pytest.fixture(scope="session", autouse=True)
def sample_is_left_alone() -> Iterator[None]:
    """In CI, where nobody edits it meanwhile: no test writes into sample-project."""
    if "CI" not in os.environ or not (ROOT / ".git").exists():
        yield
        return
    before = _sample_in_git()
    yield
    assert _sample_in_git() == before, "the tests changed files under sample-project"
