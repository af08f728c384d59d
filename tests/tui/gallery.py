"""Novels whose screens never change: fixed texts, fixed places, no clock, no model asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio.project.staged import StagedChapter
from studio.project.store import ProjectStore
from studio.project.variations import Variation, VariationList
from studio.story.calls import CallRecord, PromptMessage, Usage
from studio.story.chapter import Chapter, passage_text, sha256_of
from studio.story.checkpoint import Checkpoint, Decision, PipelineStage
from studio.story.directive import (
    Directive,
    DirectiveSheet,
    DirectiveStatus,
    DirectiveType,
    MetricChange,
    PassageLocation,
    SurgeryResult,
)
from studio.story.document import to_bytes
from tests.project.novels import put

TITLES = {"en": "The Lamp Room", "ko": "등대지기의 밤", "zh": "灯塔之夜"}
CHAPTERS = {
    "en": ("Slack Water", "A Man About the Shaft", "The Lamp Room", "The Late Show"),
    "ko": ("썰물", "갱도를 찾아온 남자", "램프실", "늦은 공연"),
    "zh": ("平潮", "来看竖井的人", "灯房", "夜场"),
}
TEXTS = {
    "en": (
        "Mara lifted the oil cans one after another and set them on the sill.",
        "She felt that the room was colder than it had been, and she saw that one lamp of the"
        " eighteen was warm under her hand.",
        "“You are up early,” Joss said from the stairs, and did not look at her.",
    ),
    "ko": (
        "마라는 기름통을 하나씩 들어 창턱에 올려놓았다.",
        "방이 아까보다 춥다고 느껴졌다. 열여덟 개의 램프 가운데 하나가 손바닥 아래에서 따뜻한 것이"
        " 보였다.",
        "“일찍 일어났구나.” 조스는 계단에서 말하고 그녀를 보지 않았다.",
    ),
    "zh": (
        "玛拉把油罐一个个搬起来，放到窗台上。",
        "她感到屋里比刚才更冷了，她看见十八盏灯里有一盏在她手心下是温的。",
        "“你起得真早。”乔斯在楼梯上说，没有看她。",
    ),
}
ISSUES = {
    "en": ("Two filter words stand between the reader and the scene.", "Give it directly."),
    "ko": ("거르는 말 두 개가 독자와 장면 사이에 서 있다.", "보고 느낀 것을 바로 써라."),
    "zh": ("两个过滤词隔在读者与场景之间。", "直接写所见所感。"),
}
EVIDENCE = {
    "en": ("felt that", "saw that"),
    "ko": ("느껴졌다", "보였다"),
    "zh": ("她感到", "她看见"),
}


def chapter_text(language: str) -> str:
    """A chapter of one scene."""
    return f"# {CHAPTERS[language][2]}\n\n" + "\n\n".join(TEXTS[language]) + "\n"


def novel(folder: Path, language: str) -> ProjectStore:
    """Two chapters in the book, two planned."""
    titles = CHAPTERS[language]
    put(folder, "studio.toml", f'[novel]\ntitle = "{TITLES[language]}"\nlanguage = "{language}"\n')
    outline = "".join(f"## Chapter {n}: {t}\n\n{t}.\n\n" for n, t in enumerate(titles, 1))
    put(folder, "volumes/vol-01/outline.md", f"# {TITLES[language]}\n\n{outline}")
    for number in (1, 2):
        text = chapter_text(language).replace(titles[2], titles[number - 1], 1)
        put(folder, f"chapters/chapter-{number:03d}.md", text)
    store = ProjectStore(folder)
    store.save_checkpoint(Checkpoint(last_completed_chapter=2))
    return store


def in_review(folder: Path, language: str) -> ProjectStore:
    """The third chapter before its review: one fix in the text, two directives open."""
    store = novel(folder, language)
    chapter = Chapter(chapter_text(language))
    staged = StagedChapter(store.layout, 3)
    staged.put_text(chapter.text)
    staged.put_sheet(_sheet(chapter, language))
    decision = Decision(
        id="review-003",
        kind="review",
        recommendation="commit",
        options=("commit", "edit", "draft-again"),
        rationale="2 directives wait for your decision: accept, reject or edit each with"
        " `studio directives`, then `studio resume`.",
        data={
            "pending": ["dir_filter_word_removal_001", "dir_cut_001"],
            "applied": ["dir_show_not_tell_001"],
            "overall": 4.2,
            "options": {
                "commit": "Take the chapter into the book as it stands.",
                "edit": "Change the staged text yourself, then resume.",
                "draft-again": "Draft the chapter again; this text is kept as a variation.",
            },
        },
    )
    store.save_checkpoint(
        Checkpoint(
            last_completed_chapter=2,
            inflight_chapter=3,
            pipeline_stage=PipelineStage.GATED,
            pending_decision=decision,
        )
    )
    return store


def with_material(folder: Path, language: str) -> ProjectStore:
    """The third chapter in review, with the call that drafted it and two texts that were kept."""
    store = in_review(folder, language)
    store.journal.keep(_call(language))
    text = chapter_text(language)
    texts = (
        _kept("chapter-01.md", text.replace(TEXTS[language][2], ""), "before the redraft", 9),
        _kept("chapter-02.md", text.replace(TEXTS[language][0], ""), "stopped", 10),
    )
    for variation, words in texts:
        put(folder, f"variations/chapter-003/{variation.file}", words)
    kept = VariationList(chapter=3, scene=0, variations=tuple(v for v, _ in texts))
    put(folder, "variations/chapter-003/chapter.json", to_bytes(kept).decode())
    return store


def _kept(file: str, text: str, reason: str, hour: int) -> tuple[Variation, str]:
    when = f"2026-11-21T{hour:02d}:30:00Z"
    return Variation(file=file, sha256=sha256_of(text), reason=reason, created_at=when), text


def _call(language: str) -> CallRecord:
    first, second, third = TEXTS[language]
    system = f'<m1 name="brief">\n{TITLES[language]}\n</m1>\n\nYou draft one scene.'
    user = f'<m1 name="summaries">\n{second}\n</m1>\n\nWrite the scene.'
    return CallRecord(
        id="gen-003-r1-draft-s01-l0-1f2e3d4c5b",
        created_at="2026-11-21T09:12:00+00:00",
        chapter=3,
        scene=1,
        stage="draft",
        agent="scene-drafter",
        request_sha256="0" * 64,
        messages=(
            PromptMessage(role="system", content=system),
            PromptMessage(role="user", content=user),
        ),
        generated_text=third,
        model="claude-opus-5-5",
        role="deep",
        finish_reason="stop",
        total_usage=Usage(input_tokens=4210, output_tokens=1180, cache_read_tokens=2048),
        cost_usd=0.0408,
        pre_writing=first,
        exemplars=("quiet-room-02",),
        dropped_blocks=("neighbours", "world"),
    )


def _sheet(chapter: Chapter, language: str) -> DirectiveSheet:
    issue, instruction = ISSUES[language]
    quotes = EVIDENCE[language]
    return DirectiveSheet(
        chapter=3,
        source_sha256=chapter.sha256,
        directives=(
            _directive(chapter, DirectiveType.FILTER_WORD_REMOVAL, 2, issue, instruction, quotes),
            _directive(chapter, DirectiveType.CUT, 2, issue, instruction, ()),
            _applied(chapter, issue, instruction),
        ),
    )


def _directive(
    chapter: Chapter,
    kind: DirectiveType,
    paragraph: int,
    issue: str,
    instruction: str,
    evidence: tuple[str, ...],
    **more: Any,
) -> Directive:
    passage = chapter.passage(1, paragraph, paragraph)
    return Directive(
        id=f"dir_{kind.value.replace('-', '_')}_001",
        type=kind,
        priority=3,
        location=PassageLocation(
            scene_number=1, paragraph_start=paragraph, paragraph_end=paragraph
        ),
        issue=issue,
        current_text=passage_text(passage),
        instruction=instruction,
        max_scope=1,
        evidence=evidence,
        **more,
    )


def _applied(chapter: Chapter, issue: str, instruction: str) -> Directive:
    passage = chapter.passage(1, 3, 3)
    result = SurgeryResult(
        before=passage_text(passage).replace(".", ", slowly.", 1),
        after=passage_text(passage),
        location=PassageLocation(scene_number=1, paragraph_start=3, paragraph_end=3),
        before_sha256="0" * 64,
        after_sha256=chapter.sha256,
        paragraphs_touched=1,
        metrics=(MetricChange(metric="adverb_density", before=12.5, after=3, better=True),),
        helped=True,
    )
    return _directive(
        chapter,
        DirectiveType.SHOW_NOT_TELL,
        3,
        issue,
        instruction,
        (),
        status=DirectiveStatus.APPLIED,
        result=result,
    )
