"""The small novels in three languages, each in the situations that the pictures show.

They contain no clock and no random ids, and no model is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from studio.i18n import Language
from studio.messages import said
from studio.project.history.variations import Variation, VariationList
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, passage_text, sha256_of
from studio.story.checkpoint import Checkpoint, Decision, PipelineStage
from studio.story.form.document import to_bytes
from studio.story.records import CallRecord, PromptMessage, Usage
from studio.story.review.directive import Directive, DirectiveSheet, DirectiveType, Unplaced
from studio.story.review.passage import PassageLocation
from studio.story.review.passages_in_changed_text import SearchableChapter
from studio.story.review.proposal import Proposal as WantedChange
from studio.story.review.proposal import ProposedBy
from studio.story.review.surgery import MetricChange, SurgeryResult
from studio.story.status import DirectiveStatus
from tests.project.novels import put
from tests.small_novels import copied_sample, small_novel
from tests.tui.third_chapters import THIRD, Proposal, ThirdChapter

LANGUAGES: tuple[Language, ...] = ("en", "ko", "zh")
FILTERED, CUT, SHOWN = "dir_filter_word_removal_001", "dir_cut_001", "dir_show_not_tell_001"
HEADINGS = {"en": "Chapter {}: {}", "ko": "제{}장 {}", "zh": "第{}章 {}"}
ENCODINGS = {"en": "cp1252", "ko": "cp949", "zh": "gb18030"}
Novel = Callable[[Language, Path], Path]
"""Creates a novel of a language in a folder and returns the folder."""


def at_rest(language: Language, folder: Path) -> Path:
    """Creates a novel with two committed chapters and a planned third one."""
    if language == "en":
        return copied_sample(folder)
    return small_novel(language, folder)


def interrupted(language: Language, folder: Path) -> Path:
    """Creates a novel whose third chapter was interrupted in its second scene."""
    store = ProjectStore(at_rest(language, folder))
    staged = store.staging_of(3)
    staged.put_scene(1, "\n\n".join(THIRD[language].scenes[0]))
    stopped = {"inflight_chapter": 3, "pipeline_stage": PipelineStage.DRAFTING}
    store.save_checkpoint(store.checkpoint().model_copy(update=stopped))
    return folder


def edited(language: Language, folder: Path) -> Path:
    """Creates a novel whose second chapter was changed in another editor."""
    at_rest(language, folder)
    chapter = folder / "chapters/chapter-002.md"
    words = chapter.read_text("utf-8").split("\n\n")
    words[2] = words[2][: len(words[2]) // 2] + THIRD[language].scenes[0][0]
    chapter.write_text("\n\n".join(words), "utf-8")
    return folder


def in_review(language: Language, folder: Path) -> Path:
    """Creates a novel whose third chapter is ready for review: one fix in the text, two open
    directives."""
    at_rest(language, folder)
    store, third = ProjectStore(folder), THIRD[language]
    chapter = Chapter(third.text)
    staged = store.staging_of(3)
    staged.put_text(chapter.text)
    staged.put_sheet(_sheet(chapter, third))
    store.journal.keep(_call(third))
    _keep_texts(folder, third)
    store.save_checkpoint(_asked(store.checkpoint()))
    return folder


def with_proposals(language: Language, folder: Path) -> Path:
    """Creates a novel whose third chapter is in review with a proposal of new words, a directive
    that is asked again, and one of the judge's that could not be placed."""
    in_review(language, folder)
    store, third = ProjectStore(folder), THIRD[language]
    staged, chapter = store.staging_of(3), Chapter(third.text)
    sheet = _sheet(chapter, third)
    cut, fix = sheet.find(CUT), sheet.find(SHOWN)
    assert cut is not None
    assert fix is not None
    doubtful = cut.copy_with(
        status=DirectiveStatus.ACCEPTED,
        accepted_by="name",
        current_text=cut.current_text + third.since,
    )
    scene, number = third.filtered.at
    passage = chapter.passage(scene, number, number)
    proposed = WantedChange(
        id="prop_0001",
        kind="replace",
        by=ProposedBy(kind="author"),
        chapter=store.chapter_list().id_of(3),
        passage=SearchableChapter(chapter).passage(passage),
        before=passage_text(passage),
        after=third.filtered.after,
        reason=third.filtered.instruction,
        at="2026-11-21T09:40:00Z",
    )
    issue, instruction, quote = third.lost
    lost = Unplaced(
        type="wording",
        issue=issue,
        instruction=instruction,
        quote=quote,
        label="1.3",
        why=said("its quote is not in the chapter"),
    )
    staged.put_sheet(
        sheet.model_copy(
            update={"directives": (doubtful, fix), "proposals": (proposed,), "unplaced": (lost,)}
        )
    )
    return folder


def _asked(before: Checkpoint) -> Checkpoint:
    question = Decision(
        id="review-003",
        kind="review",
        recommendation="commit",
        options=("commit", "edit", "draft-again"),
        rationale=said(
            "{n} directives wait for your decision: accept, reject or edit each with"
            " `studio directives`, then `studio resume`.",
            n=2,
        ),
        data={
            "pending": [FILTERED, CUT],
            "applied": [SHOWN],
            "overall": 4.2,
            "options": {
                "commit": said(
                    "{parts}.", parts=said("Take the chapter into the book as it stands")
                ),
                "edit": said("Change the text yourself, then resume."),
                "draft-again": said("Draft the chapter again; this text is kept as a variation."),
            },
        },
    )
    here = {
        "inflight_chapter": 3,
        "pipeline_stage": PipelineStage.GATED,
        "pending_decision": question,
    }
    return before.model_copy(update=here)


def _sheet(chapter: Chapter, third: ThirdChapter) -> DirectiveSheet:
    return DirectiveSheet(
        chapter=3,
        source_sha256=chapter.sha256,
        directives=(
            _directive(FILTERED, DirectiveType.FILTER_WORD_REMOVAL, third.filtered, third),
            _directive(CUT, DirectiveType.CUT, third.cut, third),
            _applied(chapter, third),
        ),
    )


def _directive(
    named: str, kind: DirectiveType, proposal: Proposal, third: ThirdChapter
) -> Directive:
    scene, paragraph = proposal.at
    return Directive(
        id=named,
        type=kind,
        priority=3,
        location=_place(proposal),
        issue=proposal.issue,
        current_text=third.scenes[scene - 1][paragraph - 1],
        instruction=proposal.instruction,
        max_scope=1,
        evidence=proposal.evidence,
    )


def _applied(chapter: Chapter, third: ThirdChapter) -> Directive:
    result = SurgeryResult(
        before=third.before,
        after=third.fix.after,
        location=_place(third.fix),
        before_sha256="0" * 64,
        after_sha256=chapter.sha256,
        paragraphs_touched=1,
        metrics=(
            MetricChange(metric="adverb_density", before=12.5, after=3, better=True),
            MetricChange(metric="sensory_grounding", before=1, after=3, better=True),
        ),
        helped=True,
        model="claude-opus-5-5",
        cost_usd=0.0121,
    )
    asked = _directive(SHOWN, DirectiveType.SHOW_NOT_TELL, third.fix, third)
    return asked.model_copy(update={"status": DirectiveStatus.APPLIED, "result": result})


def _place(proposal: Proposal) -> PassageLocation:
    scene, paragraph = proposal.at
    return PassageLocation(scene_number=scene, paragraph_start=paragraph, paragraph_end=paragraph)


def _keep_texts(folder: Path, third: ThirdChapter) -> None:
    """Saves two earlier texts of the chapter."""
    before = third.text.replace(third.fix.after, third.before)
    texts = (
        ("before the redraft", before.replace(third.scenes[0][1] + "\n\n", "")),
        ("stopped", before.partition("\n\n* * *")[0] + "\n"),
    )
    variations = []
    for number, (reason, text) in enumerate(texts, 1):
        file, when = f"chapter-{number:02d}.md", f"2026-11-21T{8 + number:02d}:30:00Z"
        put(folder, f"variations/chapter-003/{file}", text)
        sha = sha256_of(text)
        variations.append(Variation(file=file, sha256=sha, reason=reason, created_at=when))
    listed = VariationList(chapter=3, scene=0, variations=tuple(variations))
    put(folder, "variations/chapter-003/chapter.json", to_bytes(listed).decode())


def _call(third: ThirdChapter) -> CallRecord:
    """Returns the record of the call that drafted the first scene."""
    blocks: Iterable[tuple[str, str]] = (
        ("summaries", third.scenes[0][0]),
        ("direction", third.direction),
    )
    user = "\n\n".join(f'<m1 name="{name}">\n{text}\n</m1>' for name, text in blocks)
    system = f'<m1 name="brief">\n{third.title}\n</m1>\n\nYou draft one scene.'
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
            PromptMessage(role="user", content=f"{user}\n\nWrite the scene."),
        ),
        generated_text="\n\n".join(third.scenes[0]),
        model="claude-opus-5-5",
        role="deep",
        finish_reason="stop",
        total_usage=Usage(input_tokens=4210, output_tokens=1180, cache_read_tokens=2048),
        cost_usd=0.0408,
        pre_writing=third.scenes[0][2],
        exemplars=("quiet-room-02",),
        dropped_blocks=("neighbours", "world"),
    )


def manuscript(folder: Path, language: Language) -> Path:
    """Writes three chapters as an old program would have saved them, next to a file of notes."""
    third = THIRD[language]
    prose = "\n\n* * *\n\n".join("\n\n".join(scene) for scene in third.scenes)
    chapters = [
        f"{HEADINGS[language].format(number, third.title)}\n\n{prose}\n" for number in (1, 2, 3)
    ]
    folder.mkdir()
    (folder / "notes.md").write_text("# Notes\n\nAsk about the tide.\n", "utf-8")
    file = folder / "manuscript.txt"
    file.write_bytes("\n".join(chapters).encode(ENCODINGS[language]))
    return file
