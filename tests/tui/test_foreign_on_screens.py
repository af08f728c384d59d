"""On every screen, in every language of the interface, what a model, a file or the author wrote
stands as it is, however much it reads like a sentence of ours."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from studio import i18n
from tests.foreign_novel import TOKEN, ForeignNovel, faults
from tests.sweeps import swept
from tests.tui.environs import MACHINE
from tests.tui.pilot import opened
from tests.tui.showing import SITTINGS, Sitting, ready
from tests.tui.spoken_screens import SPOKEN, Reader, Remembered
from tests.tui.third_chapters import THIRD
from tests.tui.three_novels import manuscript

WALKS = [
    (pytest.param if (sitting.name, language) == ("proposals", "ko") else swept)(
        sitting, language, id=f"{sitting}-{language}"
    )
    for sitting in SITTINGS
    if sitting.name != "beginning"  # that book has no files yet whose sentences could be foreign
    for language in ("en", "ko", "zh")
]
_FORMS = re.compile(r"[,、] ?\(?Zq\d+")
"""In a form: the forms of a name, which of a sentence are its first and its last word."""
_BORDERS = re.compile("[\u2500-\u259f…⋯]")


# req: H6
@pytest.mark.sweep
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("sitting", "language"), WALKS)
@pytest.mark.long
async def test_screens_show_foreign_sentences_as_they_are(
    sitting: Sitting, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
    monkeypatch.setattr(TextArea.cursor_blink, "_default", False)
    monkeypatch.setattr("tests.tui.pilot.StudioPilot", Reader)
    monkeypatch.setattr("studio.tui.screens.launcher.path_of", Path)
    monkeypatch.chdir(tmp_path)
    SPOKEN[:] = [Remembered(language)] if language != "en" else []
    i18n.use(language, SPOKEN[0] if SPOKEN else None)
    manuscript(Path("writing"), "en")
    novel = ForeignNovel(tmp_path / "novel", sitting.novel) if sitting.novel else None
    wrong, seen = [], set()
    async with opened(novel and novel.folder, {**os.environ, **MACHINE}, (120, 36)) as studio:
        assert isinstance(studio, Reader)
        await ready(studio)
        for row in (row for act in sitting.acts for row in act):
            if not row.goes_on:
                await studio.home()
            await row.bring(studio, THIRD["en"])
            await studio.pilot.wait_for_animation()
            for line in studio.drawn.splitlines() if novel else ():
                if row.name == "note-form" and _FORMS.search(line):
                    continue
                wrong += [f"{row.name}: {one}" for one in faults(f"{line}  ", novel, is_end)]
                seen |= {*TOKEN.findall(line)}
        await studio.home()
    assert not wrong, "\n".join(wrong)
    asks_for_a_wish = sitting.name == "volume-order"  # a form in which nothing of hers stands yet
    assert seen or novel is None or asks_for_a_wish


def is_end(beside: str) -> bool:
    """Whether a line of a screen ends here, or another pane begins."""
    return not beside.strip() or bool(_BORDERS.search(beside))
