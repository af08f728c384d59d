"""After a save the app looks at the text by itself, and says where to look (C10)."""

from __future__ import annotations

import threading

import pytest
from textual.widgets import Static, TextArea

from studio.pipeline.judging.measures import SavedText
from studio.session import Session
from studio.story.chapter import Chapter
from studio.tui.screens.ask import Choose
from studio.tui.screens.editor import EditorScreen
from studio.tui.screens.page import PageScreen
from tests.fake_messages import Rule
from tests.pipeline.flows import Model, unrefined
from tests.pipeline.scenes import FELT
from tests.tui.conftest import OpenDesk
from tests.tui.pilot import StudioPilot, opened
from tests.tui.ways_to_texts import at_the_text, drafted, settled_versions


def title(studio: StudioPilot) -> str:
    return str(studio.app.screen.query_one("#editor-title", Static).content)


# req: C10
@pytest.mark.sweep
async def test_a_text_saved_in_the_editor_is_looked_at_and_the_next_save_takes_over(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, open_gate, analyse = desk(Model(refine=unrefined)), threading.Event(), Session.analyse
    open_gate.set()
    await drafted(there)
    asked = len(there.server.asked)

    def gated(session: Session, chapter: int, text: Chapter) -> SavedText:
        assert open_gate.wait(60)
        return analyse(session, chapter, text)

    monkeypatch.setattr(Session, "analyse", gated)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await studio.press("ctrl+e")
        await studio.until(lambda: studio.app.screen.query_one(TextArea).has_focus, "the editor")
        editor = studio.app.screen
        assert isinstance(editor, EditorScreen)
        area = editor.query_one(TextArea)
        area.load_text("# The Lamp Room\n\n" + "\n\n".join([FELT] * 4) + "\n")
        await studio.press("ctrl+s")
        await studio.until(lambda: "saved; worth a look:" in title(studio), "what was seen")
        open_gate.clear()
        area.load_text(area.text + "\nJoss came up the stairs.\n")
        await studio.press("ctrl+s")
        await studio.until(lambda: title(studio).endswith("   saved"), "the text is safe")
        (first,) = [w for w in studio.app.workers if w.group == "analysis" and not w.is_finished]
        area.load_text(area.text + "\nHe sat down.\n")
        await studio.press("ctrl+s")
        await studio.until(lambda: first.is_cancelled, "the next save takes over")
        assert title(studio).endswith("   saved")
        open_gate.set()
        await studio.until(
            lambda: "saved; worth a look:" in title(studio), "what was seen in the last"
        )
        await studio.press("escape")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        analysis = studio.desk.features.analysis
        await studio.until(lambda: analysis.seen is not None, "the analysis at the desk")
        assert "He sat down." in studio.desk.state.text.text
        assert analysis.of(studio.desk.state.text.sha256) is not None
        await studio.ask_for("desk.evaluation")
        await studio.sees(PageScreen, "Places to look at")
        assert "Named in it" in studio.screen
        assert "Mara, Joss" in studio.screen
    assert len(there.server.asked) == asked, "nobody was asked, nothing was paid"


# req: C10 G11
@pytest.mark.sweep
async def test_a_version_that_was_taken_is_looked_at(desk: OpenDesk) -> None:
    there = desk(Model(refine=unrefined, anew=Rule(text=FELT)))
    await drafted(there)
    async with opened(there.folder, there.environ, (120, 36)) as studio:
        await at_the_text(studio)
        await studio.press("a")
        await studio.sees(Choose)
        await studio.press("enter")
        await settled_versions(studio, 1)
        asked = len(there.server.asked)
        await studio.press("enter")
        await studio.until(lambda: studio.app.screen is studio.desk, "the desk")
        analysis = studio.desk.features.analysis
        await studio.until(lambda: analysis.seen is not None, "the analysis")
        assert analysis.seen.sha256 == Chapter(there.staged().read_text("utf-8")).sha256
        await studio.ask_for("desk.evaluation")
        await studio.sees(PageScreen, "nobody has judged it yet")
        assert "Filter words" in studio.screen
        await studio.press("end")
        await studio.until(lambda: "As a reader" in studio.screen, "the judge's evaluation below")
    assert len(there.server.asked) == asked
