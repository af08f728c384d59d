"""The line: its order, its events, and what it writes where and when."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, get_args

import pytest

from studio.pipeline import events as said
from studio.pipeline.events import Event
from studio.pipeline.judging.measures import first_staged
from studio.project.commit.transaction import CommitPlan, commit
from studio.project.files import front_matter
from studio.story.chapter import sha256_of
from tests.fake_messages import Rule
from tests.pipeline.at_a_decision import with_directives
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    DRAFT,
    SCENES,
    Desk,
    Model,
    book_of,
    judged,
    scores,
    unrefined,
    violation,
)
from tests.project.novels import tree

LINE = ["lock", "draft", "summarize", "refine", "judge", "gate", "review", "commit"]
TYPES: dict[str, type[Event]] = {
    get_args(cls.model_fields["type"].annotation)[0]: cls
    for cls in (*Event.__subclasses__(), *said.TextBearing.__subclasses__())
    if cls is not said.TextBearing
}
TEXT_BEARING = {"text", "reasoning", "rewrite-text", "finish"}
FIELDS = {
    "finish": {"finishReason", "stepCount", "stopped"},
    "stage": {"name", "status"},
    "scene": {"number", "status"},
    "rewrite-text": {"text"},
    "metrics": {"metrics"},
    "directive": {"directive"},
    "decision-required": {"id", "kind", "recommendation", "options", "rationale", "data"},
    "decision": {"id", "kind", "option"},
    "usage": {"tokens", "cached", "cost"},
    "saved": {"path", "sha256"},
    "committed": {"title", "sha256"},
    "warning": {"message"},
    "error": {"kind", "message", "retryable", "hint"},
}
"""What DESIGN section 8 promises of each type, beside type, seq, ts and chapter."""


# req: B1
@pytest.mark.sweep
def test_the_stages_come_in_their_fixed_order(desk: OpenDesk) -> None:
    ran = desk(with_directives()).write()
    assert ran.worked == LINE
    assert [s.removesuffix(" finished") for s in ran.stages if s.endswith(" finished")] == LINE


# req: B1
@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["ask", "accept", "reject"])
def test_no_stage_ever_overtakes_another(desk: OpenDesk, mode: str) -> None:
    bell = violation("Far out a bell rang", scene=1)
    ran = desk(Model(judge=(judged(violations=[bell]), judged()))).write(review=mode)
    for before, after in pairwise(ran.worked):
        again = ("summarize", "judge")  # a mended text is not refined
        assert LINE.index(after) <= LINE.index(before) + 1 or (before, after) == again


# req: D3
@pytest.mark.sweep
def test_a_polish_goes_back_to_the_refiner_and_then_on_to_the_review(desk: OpenDesk) -> None:
    ran = desk(Model(judge=judged(3.7))).write()
    assert ran.worked == [*LINE[:6], "refine", "review", "commit"]


# req: C5
@pytest.mark.sweep
def test_every_event_is_a_line_that_reads_back_the_same(desk: OpenDesk) -> None:
    desk_ = desk(with_directives())
    ran = desk_.write(review="ask")
    decided = desk_.session().directives()
    assert decided is not None
    desk_.session().change_directives("accept", [decided.open[0].id])
    ran.events.extend(desk_.resume(review="ask").events)
    seen = set()
    for event in ran.events:
        line = event.line()
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        data = json.loads(line)
        seen.add(data["type"])
        data.pop("said", None)  # the same words for a face in another language
        assert TYPES[data["type"]].model_validate(data, strict=False) == event
        wanted = {"type", "seq", "ts", "chapter"} | FIELDS.get(data["type"], set())
        if data["type"] in TEXT_BEARING:
            wanted |= {"stage", "agent", "scene"}
        assert wanted <= data.keys()
    assert seen >= {
        "stage", "scene", "text", "finish", "usage", "saved", "rewrite-text", "decision-required",
        "metrics", "directive",
    }  # fmt: skip


# req: C5
@pytest.mark.sweep
def test_seq_counts_from_one_without_gaps_and_time_never_runs_back(desk: OpenDesk) -> None:
    ran = desk().write()
    assert [event.seq for event in ran.events] == list(range(1, len(ran.events) + 1))
    stamps = [event.ts for event in ran.events]
    assert stamps == sorted(stamps)
    assert all(stamp.endswith("Z") for stamp in stamps)
    assert {event.chapter for event in ran.events} == {1}


# req: C5
@pytest.mark.sweep
def test_one_finish_for_each_prose_generation_and_its_text_before_it(desk: OpenDesk) -> None:
    desk_ = desk()
    ran = desk_.write()
    prose = [kind for kind in desk_.calls() if kind in ("draft", "surgery", "bridge")]
    assert len(ran.of("finish")) == len(prose)
    for scene in (1, 2):
        text = "".join(e.text for e in ran.of("text") if e.scene == scene)
        assert text == "\n\n".join(SCENES[scene])


def test_a_generation_that_fails_is_finished_too(desk: OpenDesk) -> None:
    ran = desk(Model(draft=Rule(stop_reason="refusal", text="I would"))).write()
    assert [(e.finishReason, e.stopped) for e in ran.of("finish")] == [("refusal", False)]


# req: B2
# req: B3
@pytest.mark.sweep
def test_agents_write_to_staging_alone_until_the_commit(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk_ = desk(with_directives())
    before = tree(desk_.folder)
    seen: list[dict[str, str]] = []

    def looked_at(layout: Any, plan: CommitPlan, lock: Any) -> Any:
        seen.append(tree(desk_.folder))
        return commit(layout, plan, lock)

    monkeypatch.setattr("studio.pipeline.stages.commit.commit", looked_at)
    desk_.write()
    (after,) = seen
    new = {name for name in after.keys() - before.keys() if after[name] != "folder"}
    changed = {name for name in before if after.get(name) != before[name]}
    assert changed == set()
    outside = {name for name in new if not name.startswith(("staging/", "logs/", "history/"))}
    assert outside == {".checkpoint.json", ".novel.lock/info.json", ".studio/novel-id"}
    staged = {name for name in new if name.startswith("staging/")}
    assert staged == {
        "staging/chapters/chapter-001.md",
        "staging/summaries/chapter-001-summary.md",
        "staging/state/chapter-001-delta.json",
        "staging/state/chapter-001-crossref.json",
        "staging/storylines/main/memory.md",
        "staging/evaluations/chapter-001-eval.json",
        "staging/evaluations/chapter-001-directives.json",
        "staging/evaluations/chapter-001-scenes.json",
        "staging/scenes/chapter-001/scene-01.md",
        "staging/scenes/chapter-001/scene-02.md",
    }


# req: B7
@pytest.mark.sweep
def test_the_commit_touches_exactly_the_files_of_the_chapter(desk: OpenDesk) -> None:
    desk_ = desk(with_directives())
    before = tree(desk_.folder)
    desk_.write()
    after = tree(desk_.folder)
    assert book_of(after).keys() - book_of(before).keys() == {
        "chapters/chapter-001.md",
        "summaries/chapter-001-summary.md",
        "evaluations/chapter-001-eval.json",
        "evaluations/chapter-001-directives.json",
        "evaluations/chapter-001-scenes.json",
        "state/current-state.json",
        "state/changelog.jsonl",
        "state/chapters.json",
        "state/crossref/chapter-001-crossref.json",
        "storylines/main/memory.md",
        "foreshadowing/global.json",
    }
    assert all(after[name] == before[name] for name in before)
    assert not any(name.startswith("staging/") for name in after)
    assert not any(name.startswith(".novel.lock") for name in after)


def sources(desk_: Desk) -> dict[str, tuple[str | None, str | None]]:
    """Derived file to the text it names and the text it was made from."""
    origins: dict[str, tuple[str | None, str | None]] = {}
    derived = ("summaries/", "storylines/", "evaluations/", "state/crossref/")
    for path in book_of(tree(desk_.folder)):
        if not path.startswith(derived):
            continue
        file = desk_.folder / path
        if path.endswith(".md"):
            made = front_matter.provenance(file.read_text(), path)
            assert made is not None
            origins[path] = (made.source_sha256, made.made_from_sha256)
        else:
            data = json.loads(file.read_text())
            origins[path] = (data["source_sha256"], data.get("made_from_sha256"))
    return origins


# req: B7
@pytest.mark.sweep
def test_what_guarded_rewrites_carried_over_names_both_texts(desk: OpenDesk) -> None:
    desk_ = desk(with_directives())
    ran = desk_.write()
    assert not ran.warnings
    committed = sha256_of(desk_.text())
    chapters = [e.sha256 for e in ran.of("saved") if e.path == "staging/chapters/chapter-001.md"]
    draft, refined = chapters[0], chapters[1]
    assert len({draft, refined, committed}) == 3
    assert sources(desk_) == {
        "summaries/chapter-001-summary.md": (committed, draft),
        "storylines/main/memory.md": (committed, draft),
        "state/crossref/chapter-001-crossref.json": (committed, draft),
        "evaluations/chapter-001-eval.json": (committed, refined),
        "evaluations/chapter-001-directives.json": (committed, refined),
        "evaluations/chapter-001-scenes.json": (committed, None),
    }
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assert evaluation.judged_sha256 == refined


@pytest.mark.sweep
def test_growth_is_measured_beside_the_draft(desk: OpenDesk) -> None:
    desk_ = desk(with_directives())
    assert desk_.write().committed
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    growth = evaluation.metrics["length_growth"]
    words = sum(len(paragraph.split()) for scene in (SCENES[1], SCENES[2]) for paragraph in scene)
    added = len(desk_.text().split()) - len(DRAFT.split())
    assert growth.n == words
    assert growth.value == pytest.approx(added / words)
    assert added > 0
    assert first_staged(desk_.store, 1, desk_.text()) == DRAFT


# req: B7
@pytest.mark.sweep
def test_what_was_made_from_the_committed_text_names_it_alone(desk: OpenDesk) -> None:
    desk_ = desk(settings='[novel]\ntitle = "T"\nlanguage = "en"\n[refine]\non = false\n')
    desk_.write()
    committed = sha256_of(desk_.text())
    assert set(sources(desk_).values()) == {(committed, None)}


# req: A8
@pytest.mark.sweep
def test_every_record_of_a_call_names_the_text_it_was_about(desk: OpenDesk) -> None:
    desk_ = desk()
    desk_.write(review="accept")
    journal = desk_.store.journal
    records = [r for i in journal.generation_ids() if (r := journal.recall(i))]
    about = {r.stage: r.source_sha256 for r in records}
    assert {r.source_sha256 for r in records if r.stage == "draft"} == {None}
    assert about["summarize"] == about["refine"] == sha256_of(DRAFT)
    assert about["judge"] == sha256_of(desk_.text())


@pytest.mark.sweep
@pytest.mark.parametrize("score", [4.2, 3.6, 3.2])
@pytest.mark.parametrize("text", ["\n\n".join(SCENES[1]), "짧은 장면이다."])
def test_no_two_calls_that_write_are_the_same(desk: OpenDesk, text: str, score: float) -> None:
    desk_ = desk(Model(draft=Rule(text=text), refine=unrefined, judge=judged(score)))
    desk_.write(review="accept")
    kinds = zip(desk_.calls(), desk_.bodies(), strict=True)
    writing = [body for kind, body in kinds if kind in ("draft", "refine")]
    assert len(set(writing)) == len(writing)


def test_the_evaluation_holds_the_judgement_the_metrics_and_the_gate(desk: OpenDesk) -> None:
    desk_ = desk(Model(judge=judged(4.2, pacing=3.0)))
    ran = desk_.write()
    evaluation = desk_.store.evaluation(1)
    assert evaluation is not None
    assert evaluation.overall == pytest.approx(4.2 * 0.92 + 3.0 * 0.08, abs=1e-4)
    assert evaluation.gate is not None
    assert evaluation.gate.verdict == "pass"
    assert evaluation.reader_experience == "I wanted to know about the bell."
    assert evaluation.assessment.prose_quality["score"] == 4.2
    assert "value" in evaluation.assessment.sensory_grounding
    (metrics,) = [event for event in ran.of("metrics") if event.scene is None]
    assert metrics.overall == evaluation.overall
    assert set(metrics.metrics) == set(evaluation.metrics)


@pytest.mark.sampled
@pytest.mark.parametrize("bad", [0.5, 6.0, 1e400])
def test_a_score_out_of_range_is_a_failed_judgement_and_never_a_number(
    desk: OpenDesk, bad: float
) -> None:
    value = {"scores": {**scores(), "pacing": {"score": bad, "reason": "", "scene": None}}}
    desk_ = desk(Model(judge=Rule(value=value)))
    ran = desk_.write()
    assert ran.exit_code == 6
    assert desk_.calls().count("judge") == 2
    assert not (desk_.folder / "staging/evaluations/chapter-001-eval.json").exists()


@pytest.mark.sweep
def test_the_writers_answers_are_said_as_events(desk: OpenDesk) -> None:
    desk_ = desk()
    ran = desk_.write(review="ask")
    desk_.decide("commit")
    decisions = desk_.resume(review="ask").of("decision")
    assert [(e.id, e.option, e.by) for e in decisions] == [(ran.decision.id, "commit", "writer")]
