"""Money is the writer's: caps that no novel raises, sums that nothing takes back, killed calls."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.project.clock import today
from tests.cli.command import PROGRAM, Ended, studio
from tests.fake_messages import FakeMessages, Rule

PLAN = "# One\n\n## Chapter 1: Night\n\nMara finds the ledger.\n\n## Chapter 2: Day\n\nShe reads.\n"
KEY = "sk-ant-of-the-writer-0123456789"
WAIT = 60
UNPRICED = '[models]\ndeep = "claude-x-9"\nstandard = "claude-x-9"\nfast = "claude-x-9"\n'


@pytest.fixture
def server() -> Iterator[FakeMessages]:
    """A model that answers whatever it is asked."""
    with FakeMessages() as fake:
        yield fake


def new_book(folder: Path, settings: str = "") -> Path:
    """A novel with a plan of two chapters, and `settings` at the head of its studio.toml."""
    made = studio("new", folder, "--title", "The Ledger", "--language", "en")
    assert made.code == 0, made.err
    (folder / "volumes/vol-01/outline.md").write_text(PLAN, "utf-8")
    toml = folder / "studio.toml"
    text = re.sub(r"^(\[budget\]|day_usd).*\n", "", toml.read_text("utf-8"), flags=re.M)
    toml.write_text(f"{settings}{text}", "utf-8")
    return folder


def own_config(text: str) -> None:
    """The writer's own settings, for every novel."""
    file = Path(os.environ["XDG_CONFIG_HOME"], "studio/config.toml")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def environ(server: FakeMessages) -> dict[str, str]:
    return {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}


def run(server: FakeMessages, book: Path, *words: object) -> Ended:
    return studio(*(words or ("write", "--review", "accept")), cwd=book, environ=environ(server))


def cost(book: Path) -> float:
    return float(studio("usage", "--json", cwd=book).json["total"]["usd"])


def started(server: FakeMessages, book: Path) -> subprocess.Popen[bytes]:
    """A run in a process of its own, which nobody waits for."""
    return subprocess.Popen(
        [PROGRAM, "write", "--review", "accept"],
        cwd=book,
        env={**os.environ, **environ(server)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def killed(server: FakeMessages, book: Path, until: str) -> None:
    """A run that is killed in a call: as its answer comes in, or before anything came."""
    asked = len(server.asked)
    process = started(server, book)
    limit = time.monotonic() + WAIT
    while len(server.asked) == asked or (until and not list(book.glob(until))):
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < limit, "it asked for nothing"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_a_novel_never_raises_the_writers_own_cap(tmp_path: Path, server: FakeMessages) -> None:
    own_config("[budget]\nday_usd = 0.01\n")
    book = new_book(tmp_path / "book", "[budget]\nday_usd = 100.0\n")
    ended = run(server, book)
    assert (ended.code, len(server.asked)) == (7, 0), ended.err
    assert "config.toml" in ended.err


@pytest.mark.sweep
def test_the_writers_day_counts_over_all_her_novels_also_while_a_call_runs(
    tmp_path: Path, server: FakeMessages
) -> None:
    one, other = (new_book(tmp_path / name) for name in ("one", "other"))
    own_config(  # room for the worst case of one call for a scene, not for two
        '[generation]\nscenes = "plan"\n\n[budget]\nday_usd = 0.6\n'
    )
    server.rules.append(Rule(mode="hold", times=1))
    process = started(server, one)
    limit = time.monotonic() + WAIT
    while not server.asked and time.monotonic() < limit:
        time.sleep(0.02)
    refused = run(server, other)
    asked = len(server.asked)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (refused.code, asked) == (7, 1), refused.err
    assert "all your novels" in refused.err


@pytest.mark.sweep
def test_an_unknown_price_under_a_cap_is_asked_about_and_the_novels_model_is_named(
    tmp_path: Path, server: FakeMessages
) -> None:
    own_config("[budget]\nday_usd = 5.0\n")
    book = new_book(tmp_path / "book", UNPRICED)
    asked = run(server, book)
    assert (asked.code, len(server.asked)) == (4, 0), asked.err
    assert re.search("claude-x-9 in place of your claude-opus-5-5", asked.err)
    status = studio("status", "--json", cwd=book).json
    assert status["pending_decision"]["kind"] == "budget"
    assert studio("decide", "stop", cwd=book).code == 0
    assert run(server, book).code == 4
    day, ran = "", None
    while day != today():  # once more where the day ended meanwhile, and the answer with it
        day = today()
        studio("decide", "today", cwd=book)
        ran = run(server, book)
    assert ran is not None
    assert ran.code == 0, ran.err
    assert studio("status", "--json", cwd=book).json["last_completed_chapter"] == 1


def test_a_novel_cannot_bring_the_writers_answer_about_a_price_along(
    tmp_path: Path, server: FakeMessages
) -> None:
    own_config("[budget]\nday_usd = 5.0\n")
    book = new_book(tmp_path / "book", UNPRICED)
    assert run(server, book).code == 4
    assert studio("decide", "always", cwd=book).code == 0
    shutil.rmtree(Path(os.environ["XDG_STATE_HOME"]))  # the novel goes to another machine
    assert (run(server, book).code, len(server.asked)) == (4, 0)


def test_a_new_novel_has_a_cap_of_the_day(tmp_path: Path) -> None:
    assert studio("new", tmp_path / "b", "--title", "T", "--language", "ko").code == 0
    settings = studio("config", "--json", "--project", tmp_path / "b").json["settings"]
    assert settings["budget.day_usd"]["value"] is not None


@pytest.mark.sweep
def test_neither_an_edited_nor_a_lost_ledger_gives_money_back(
    tmp_path: Path, server: FakeMessages
) -> None:
    book = new_book(tmp_path / "book")
    assert run(server, book).code == 0
    toml, spent = book / "studio.toml", cost(book)
    assert spent > 0
    toml.write_text(f"[budget]\nproject_usd = {spent + 0.01}\n" + toml.read_text("utf-8"), "utf-8")
    ledger, asked = book / "logs/usage.jsonl", len(server.asked)
    whole = ledger.read_bytes()
    line = {"event": "settle", "id": "x", "ts": "2026-11-21T12:00:00Z", "usd": -100.0}
    for edited in (whole + json.dumps(line).encode() + b"\n", b""):
        ledger.write_bytes(edited)
        ended = run(server, book)
        assert (ended.code, len(server.asked)) == (7, asked), ended.err


@pytest.mark.sweep
def test_killed_calls_cost_what_came_of_them(tmp_path: Path) -> None:
    book = new_book(tmp_path / "book", "[budget]\nchapter_usd = 0.9\n")
    with FakeMessages(Rule(mode="hold", after=8)) as server:
        for _ in range(2):
            killed(server, book, "staging/partial/*.md")
            for partial in book.glob("staging/partial/*.md"):
                partial.unlink()
    with FakeMessages() as server:
        ended = run(server, book)
    assert ended.code == 0, ended.err
    spent = studio("usage", "--json", cwd=book).json
    assert spent["total"]["usd"] < 0.6
    assert spent["perhaps_usd"] == 0


@pytest.mark.sweep
def test_a_call_of_which_nothing_came_stands_apart_until_the_next_run_or_the_writer_settles_it(
    tmp_path: Path,
) -> None:
    book = new_book(tmp_path / "book", "[budget]\nchapter_usd = 0.9\n")
    for _ in range(2):
        with FakeMessages(Rule(mode="slow")) as server:
            killed(server, book, "")
    status = studio("status", "--json", cwd=book).json
    assert status["perhaps_usd"] > 0.2  # the second; the run after the first has settled that
    assert "Perhaps spent" in studio("status", cwd=book).out
    before = cost(book)
    assert 0 < before < 0.2, "its prompt and what it may have thought, not its maximum"
    assert " 1 " in studio("usage", "settle", cwd=book).out
    assert studio("usage", "settle", "1", "--usd", "0.01", cwd=book).code == 0
    settled = studio("usage", "--json", cwd=book).json
    assert settled["counted_usd"] == pytest.approx(before + 0.01)
    assert settled["perhaps_usd"] == 0
    with FakeMessages() as server:
        assert run(server, book).code == 0
        assert server.asked


@pytest.mark.sweep
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace counts what is read")
def test_a_run_does_not_read_a_long_ledger_again(tmp_path: Path, server: FakeMessages) -> None:
    book = new_book(tmp_path / "book", "[budget]\nday_usd = 50.0\n")
    ledger = book / "logs/usage.jsonl"
    ledger.parent.mkdir(exist_ok=True)
    with ledger.open("w") as file:
        for number in range(6000):
            row = {"id": f"a{number}", "ts": "2025-01-01T12:00:00Z", "chapter": 1}
            file.write(json.dumps({**row, "event": "reserve", "reserved_usd": 0.1}) + "\n")
            file.write(json.dumps({**row, "event": "settle", "usd": 0.001}) + "\n")
    assert run(server, book).code == 0  # it may be added up once
    trace = tmp_path / "trace"
    strace = ["strace", "-f", "-y", "-qq", "-e", "trace=read,pread64", "-o", str(trace)]
    done = subprocess.run(
        [*strace, PROGRAM, "write", "--review", "accept"],
        cwd=book,
        env={**os.environ, **environ(server)},
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    lines = [
        text for text in trace.read_text("utf-8", "replace").splitlines() if "usage.jsonl" in text
    ]
    read = sum(int(size[1]) for text in lines if (size := re.search(r"= (\d+)$", text)))
    # Its newest lines are read for the price and to say how long such calls take.
    assert read < 3 * 128 * 1024 + 4096 < ledger.stat().st_size / 2, (
        f"{read:,} of {ledger.stat().st_size:,} bytes"
    )
