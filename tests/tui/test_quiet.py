"""The garbage collector leaves alone what was there when the app settled."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest
from textual.widgets._toast import Toast

from studio.tui import screen
from studio.tui.app import StudioApp
from studio.tui.desk import screen as desk_screen
from studio.tui.runtime.garbage import LOADING, OPEN, calm, settle, tidy
from tests.fake_messages import Rule
from tests.pipeline.flows import SCENES, Model
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import opened


class Page:
    """What a cycle is made of."""

    itself: Page


@pytest.fixture
def collector() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.sweep
@pytest.mark.usefixtures("collector")
def test_what_is_alive_is_frozen_and_few_containers_are_looked_at_together() -> None:
    book = [[line] for line in range(1000)]
    settle()
    assert gc.get_freeze_count() > len(book)
    assert gc.get_threshold() == OPEN


@pytest.mark.usefixtures("collector")
def test_calming_waits_for_no_collection() -> None:
    collections = [generation["collections"] for generation in gc.get_stats()]
    calm()
    assert [generation["collections"] for generation in gc.get_stats()] == collections
    assert gc.get_threshold() == LOADING


@pytest.mark.usefixtures("collector")
def test_what_outlived_its_youth_is_looked_at_as_soon_as_anything_did() -> None:
    """A page that is closed: its widgets name one another."""
    settle()
    page = Page()
    page.itself = page
    closed = ref(page)
    gc.collect()
    del page
    tidy()
    assert closed() is not None
    gc.collect(1)  # looks at the young alone
    assert closed() is not None
    tidy()
    assert closed() is None
    assert gc.get_count()[2] == 0


@pytest.mark.sweep
async def test_garbage_is_also_looked_for_while_text_streams_and_not_under_a_page_or_message(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a run leaves would be too much at its end; a page or a message that is open will
    be closed."""
    there = desk(Model(draft=Rule(mode="hold", after=8, text="\n\n".join(SCENES[1]))))
    monkeypatch.setattr(screen, "REST", 0.0)
    monkeypatch.setattr(StudioApp, "NOTIFICATION_TIMEOUT", 1.5)
    async with opened(there.folder, there.environ, notifications=True) as studio:
        looks: list[bool] = []
        monkeypatch.setattr(
            desk_screen,
            "tidy",
            lambda: looks.append(
                studio.desk.is_on_top
                and studio.desk.state.run.running
                and not studio.desk.query(Toast)
            ),
        )
        await studio.start_writing("oil cans")
        await studio.press("f1")
        await studio.home()
        studio.app.say("A message.")
        await studio.until(lambda: studio.desk.query(Toast), "the message")
        looks.clear()
        await studio.until(lambda: looks, "a look")  # once the message has gone
        assert all(looks)
        await studio.stop()
