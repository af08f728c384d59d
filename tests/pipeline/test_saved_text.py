"""What is saved is looked at by code, in the background: no model, no waiting (C10)."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import pytest

from studio.pipeline.chapter.own_text import save_own_text
from studio.pipeline.events import Event, MetricsEvent
from studio.pipeline.judging import measures
from studio.pipeline.judging.measures import SavedText
from studio.story.chapter import Chapter
from tests.fake_messages import Asked, Rule
from tests.pipeline.at_the_prompt import Prompt
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import Model, drafted, scene_number, summarized, unrefined
from tests.pipeline.scenes import FELT
from tests.project.novels import put

PATIENCE = 60.0
PROSE = {
    "en": FELT,
    "ko": "마라는 추위를 느꼈다. 그녀는 등을 보았다고 생각했다. 갈매기 소리를 들었다고 느꼈다.",
    "zh": "玛拉感到很冷。她看到了灯，听到了海鸥的叫声。她觉得钥匙丢了。她看着门，感到害怕。",
}


def wordy(asked: Asked) -> Rule:
    """Scene 1 in filter words; scene 2 as it is."""
    return Rule(text="\n\n".join([FELT] * 4)) if scene_number(asked) == 1 else drafted(asked)


class Heard:
    """The scenes that were measured so far; the model answers when it has heard of one."""

    def __init__(self) -> None:
        self.scenes = {1: threading.Event(), 2: threading.Event()}

    def __call__(self, event: Event) -> None:
        if isinstance(event, MetricsEvent) and event.scene is not None:
            self.scenes[event.scene].set()

    def after(self, scene: int, answer: Callable[[Asked], Rule]) -> Callable[[Asked], Rule]:
        """The answer, once a scene was measured."""

        def held(asked: Asked) -> Rule:
            assert self.scenes[scene].wait(PATIENCE)
            return answer(asked)

        return held


# req: C10
@pytest.mark.sweep
def test_each_scene_is_measured_while_the_run_goes_on_and_no_call_is_made_for_it(
    desk: OpenDesk,
) -> None:
    heard = Heard()
    model = Model(
        draft=[wordy, heard.after(1, wordy)],
        summary=heard.after(2, summarized),
        refine=unrefined,
    )
    desk_ = desk(model)
    ran = desk_.write(listen=heard)
    assert ran.exit_code == 0
    first, second, *others = ran.of("metrics")
    assert (first.scene, second.scene) == (1, 2)
    assert first.overall is None
    assert first.metrics["filter_word_density"]["value"] > 50
    assert {f["location"]["sceneNumber"] for f in first.findings} == {1}
    assert any("felt" in f["currentText"] for f in first.findings)
    assert [event.scene for event in others] == [None]
    assert set(others[0].metrics) == set(first.metrics)
    assert desk_.calls().count("draft") == 2
    assert "judge" in desk_.calls()


# req: C10
def test_a_run_never_waits_for_it_and_a_late_result_is_dropped(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    end, begun = threading.Event(), []

    def endless(view: object, scene: int, text: str) -> SavedText:
        begun.append(scene)
        assert end.wait(PATIENCE)
        return SavedText(Chapter(text).sha256, {}, ())

    monkeypatch.setattr(measures, "_saved_scene", endless)

    def listen(event: Event) -> None:
        if event.type == "committed":
            end.set()

    ran = desk(Model(refine=unrefined)).write(listen=listen)
    assert ran.exit_code == 0
    assert begun == [1, 2]
    assert [event.scene for event in ran.of("metrics")] == [None]


# req: C10
def test_the_event_of_a_saved_scene_stands_in_the_ndjson(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk_ = desk(Model(refine=unrefined, draft=wordy))
    studio = Prompt(desk_, monkeypatch, capsys)
    ran = studio("write", 1, "--scene", 1, "--review", "ask", "--events")
    assert ran.code == 4
    rows = [json.loads(row) for row in ran.out.splitlines() if row.startswith("{")]
    (measured,) = [row for row in rows if row["type"] == "metrics"]
    assert (measured["chapter"], measured["scene"]) == (1, 1)
    assert measured["metrics"]["filter_word_density"]["value"] > 50
    assert measured["findings"]
    types = [row["type"] for row in rows]
    assert types.index("metrics") < types.index("decision-required")


# req: C10
@pytest.mark.parametrize("language", PROSE)
def test_a_text_saved_by_hand_is_seen_with_its_names_and_what_contradicts_the_book(
    desk: OpenDesk, language: str
) -> None:
    desk_ = desk(settings=f'[novel]\ntitle = "T"\nlanguage = "{language}"\n')
    (desk_.folder / "characters/active/joss.json").unlink()
    name = {"en": "Mara", "ko": "마라", "zh": "玛拉"}[language]
    person = {"schema_version": 1, "id": "mara", "name": name}
    put(desk_.folder, "characters/active/mara.json", person)
    text = "# One\n\n" + "\n\n".join([PROSE[language]] * 5) + "\n"
    saved = save_own_text(desk_.store, 1, text, None, "en")
    seen = desk_.session().analyse(1, saved)
    assert seen.sha256 == saved.sha256
    assert seen.metrics["filter_word_density"].value > 0
    assert seen.directives
    assert seen.names[0] == name
    assert "unknown_name" in {f.code for f in seen.continuity}, "the plan has Joss in it"
    assert desk_.server.asked == []
    assert not (desk_.folder / "evaluations").exists()
