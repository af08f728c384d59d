"""Key response while a plugin hangs: the page that a key opens, at each point where plugins run.

The reference is the same key in the same app before the run began. The studio waits five seconds
for a plugin; later key presses do not count.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.conversation import Conversation, talking
from bench.opening import home_in
from bench.rounds import Row
from studio.config.paths import state_dir
from studio.plugins.active_plugins import PATIENCE
from studio.project.store import ProjectStore
from studio.project.trust import trust
from tests.fake_messages import FakeMessages
from tests.pipeline.flows import Model, make_novel
from tests.project.novels import put

POINTS = ("before_context", "before_blocks", "before_generation", "after_generation", "after_save")
ROUNDS = 12
PAGE = "Log and cost"
GOAL = 0.1
"""The number of seconds within which a key must be answered (BOOK 7)."""
_ALIKE = 1.5
"""The maximum ratio of the response time to that without a plugin."""
_PLUGIN = """import ctypes
from pathlib import Path

import pluggy

hookimpl = pluggy.HookimplMarker("studio")


@hookimpl
def {point}(context):
    (Path(context["folder"]) / "asked.txt").touch()
    {waits}
"""
WAYS = {"loops": "while True: pass", "blocks in C": "ctypes.PyDLL(None).sleep(60)"}


def rows() -> list[Row]:
    """Returns two rows per point and way: against a key without a plugin, and against 100 ms."""
    return [row for point in POINTS for way in WAYS for row in _at(point, way)]


def _at(point: str, way: str) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as place, FakeMessages(answering=Model()) as server:
        home = home_in(Path(place))
        novel = make_novel(Path(place, "novel"))
        put(novel, "plugins/waiting.py", _PLUGIN.format(point=point, waits=WAYS[way]))
        store = ProjectStore(novel, state_dir({**os.environ, **home}))
        assert store.state_folder is not None
        trust(store.root, store.state_folder)
        environ = {**home, "ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "key"}
        with talking([sys.executable, "-m", "studio", str(novel)], environ) as app:
            app.until("Joss")
            app.rest(2)
            alone = [_opened(app) for _ in range(ROUNDS)]
            app.type("w")
            while not (novel / "asked.txt").exists():
                app.rest(0.02)
            asked, meanwhile = time.perf_counter(), []
            while time.perf_counter() - asked < PATIENCE - 1:
                meanwhile.append(_opened(app))
    usual, now = statistics.median(alone), statistics.median(meanwhile)
    print(
        f"  {way} at {point}: {len(meanwhile)} keys, median {now * 1000:.0f} ms,"
        f" longest {max(meanwhile) * 1000:.0f} ms; without {usual * 1000:.0f} ms",
        file=sys.stderr,
    )
    what = f"a key while a plugin {way} at {point}"
    yield Row(what, now, usual, "without a plugin", _ALIKE)
    yield Row(what, now, GOAL, "100 ms", 1.0)


def _opened(app: Conversation) -> float:
    """Returns the seconds from the key to the page, and then goes back to the desk."""
    begun = app.type("l")
    took = app.until(PAGE, seconds=20) - begun
    app.rest(0.15)
    app.type("q")
    app.rest(0.15)
    return took
