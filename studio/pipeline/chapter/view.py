"""The view of a chapter: its plan, its text, and what both are measured against.

A preview and a rebuild have no more than this. The view writes nothing; `ChapterRun` adds the means
to continue a chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from studio.book.as_of import StoryAt
from studio.config.schema import TargetSettings
from studio.errors import Problem, StudioError
from studio.llm.gateway import Gateway
from studio.llm.provider import ModelProfile
from studio.messages import said
from studio.pipeline.chapter.lineage import Lineage
from studio.pipeline.chapter.records import Records
from studio.pipeline.chapter.targets import earlier, targets
from studio.pipeline.events import Emitter, Saved
from studio.pipeline.gateway import gateway_or_refusal
from studio.pipeline.novel import Novel
from studio.plugins.active_plugins import Plugins, plugins_of
from studio.project.planning.her_length import targets_of_chapter
from studio.project.scenes_of_chapter import scenes_of
from studio.project.staging import StagedFile, Staging
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import Asked, Checkpoint, DecisionKind, StageRecord
from studio.story.contract import ChapterContract
from studio.story.review.directive import DirectiveSheet, Fingerprint
from studio.story.review.scenes_in_text import TextScenes
from studio.text.language.packs import Threshold
from studio.text.metrics.repetition import Earlier


class ChapterView:
    """One chapter as the agents and the measures see it."""

    def __init__(
        self,
        *,
        novel: Novel,
        gateway: Gateway | None,
        contract: ChapterContract,
        checkpoint: Checkpoint,
        emit: Emitter,
        text: Chapter | None,
    ) -> None:
        self.store = novel.store
        self.staged = Staging(self.store.layout, contract.chapter, self._announce)
        """The chapter's staged files; each write to them is announced as an event."""
        self.settings = novel.settings
        self.pack = novel.pack
        self.contract = contract
        self.checkpoint = checkpoint
        self.emit = emit
        self.text = text
        """The chapter as it stands, or None before there is a text."""
        self._gateway = gateway

    @cached_property
    def targets(self) -> Mapping[str, Threshold]:
        """The thresholds of this novel, as they stood when the chapter was first measured."""
        return targets(self.store, self.settings)

    @cached_property
    def earlier(self) -> Earlier:
        """What the chapters before this one say; read once, however often the chapter is
        measured."""
        return earlier(self.store, self.chapter, self.pack)

    @cached_property
    def plugins(self) -> Plugins:
        """The plugins in force, loaded on first use."""
        return plugins_of(self.store, self.emit.warn)

    def close_plugins(self) -> None:
        """Ends the plugin process, if there is one."""
        if "plugins" in self.__dict__:
            self.plugins.close()

    @cached_property
    def story(self) -> StoryAt:
        """The story as of this chapter: the only access to what other chapters left (BOOK 1)."""
        return StoryAt(self.store, self.chapter)

    @property
    def chapter(self) -> int:
        """The chapter's number."""
        return self.contract.chapter

    @property
    def direction(self) -> str:
        """What the writer wants of the chapter: her direction, and her answers to questions."""
        rows = [self.checkpoint.direction]
        for asked in self.checkpoint.asked:
            if asked.chapter == self.chapter and asked.answer:
                rows += _questions_with_answers(asked)
        return "\n".join(filter(None, rows))

    @property
    def lengths(self) -> TargetSettings:
        """How long chapter and scenes are to be: as she says, else as the settings do."""
        return targets_of_chapter(self.store, self.settings, self.contract, self.direction)

    @property
    def current(self) -> Chapter:
        """The text; only called where there has to be one. StudioError if it is gone."""
        if self.text is None:
            raise disappearance(
                said("The text of chapter {chapter} in progress", chapter=self.chapter)
            )
        return self.text

    @property
    def scenes(self) -> TextScenes:
        """The scenes of the text, as people and the gate call them; see `current`."""
        return scenes_of(self.store, self.chapter, self.current)

    def _announce(self, file: StagedFile) -> None:
        path, sha256 = file
        self.emit(Saved(path=path, sha256=sha256))

    # The model

    @property
    def gateway(self) -> Gateway:
        """The gateway to the model; StudioError (exit 2) if there is none."""
        return gateway_or_refusal(self._gateway)

    @property
    def profile(self) -> ModelProfile | None:
        """The capabilities of the model in force; None if there is no model."""
        return self._gateway.provider.profile if self._gateway else None

    def call_name(self, stage: str, what: str = "") -> str:
        """Returns the name of a call: equal for the same question of the same attempt, so that
        its finished record is found again after a kill."""
        parts = [f"{self.chapter:03d}", self.checkpoint.run, stage, what, f"l{self.lap}"]
        return "-".join(part for part in parts if part)

    # Stage records

    @property
    def lap(self) -> int:
        """How often the chapter was drafted again."""
        return self.checkpoint.laps

    @property
    def records(self) -> Records:
        """The records that the stages left."""
        return Records(self.checkpoint.stage_records, self.lap)

    @property
    def lineage(self) -> Lineage:
        """Which texts led to the current one."""
        text = self.text
        return Lineage(self.checkpoint.stage_records, text.sha256 if text else None)

    def note(self, record: StageRecord) -> None:
        """Adds a record in memory; the next change of the checkpoint, if any, makes it durable."""
        self.checkpoint = self.checkpoint.copy_with(stage_records=self.records.add(record))

    def decision_id(self, kind: DecisionKind, extra: str = "") -> str:
        """Returns the id of a decision; the same question about the same text always has the
        same id."""
        return decision_id_of(self.checkpoint, self.chapter, self.text, kind, extra)

    def wishes(self, kind: DecisionKind, extra: str = "") -> tuple[str, ...]:
        """Returns what the writer added to her answer about the present text, as notes to an
        agent."""
        return self.wishes_in(self.decision_id(kind, extra))

    def wishes_in(self, decision_id: str) -> tuple[str, ...]:
        """The same of an answer by the id of its question."""
        answer = self.checkpoint.answer_to(decision_id)
        note = answer.note.strip() if answer is not None else ""
        return (f"The author about this draft: {note}",) if note else ()

    # Derived from the text

    def sheet(self) -> DirectiveSheet:
        """Returns the staged directives; only called by stages that come after the judge."""
        sheet = self.staged.sheet()
        if sheet is None:
            raise disappearance(
                said("The proposals of chapter {chapter} in progress", chapter=self.chapter)
            )
        return sheet

    def rejections(self) -> tuple[Fingerprint, ...]:
        """Proposals for this chapter that the writer rejected, now or when it was last
        committed."""
        sheets = (self.store.directives(self.chapter), self.staged.sheet())
        by_content = {f.model_dump_json(): f for s in sheets if s is not None for f in s.rejected}
        return tuple(by_content.values())


def _questions_with_answers(asked: Asked) -> list[str]:
    """Returns questions with her answer behind `→`; a line for each question where she answered
    them one by one."""
    answers = [line.strip() for line in asked.answer.splitlines() if line.strip()]
    if len(answers) != len(asked.questions):
        return [*asked.questions, f"→ {asked.answer}"]
    pairs = zip(asked.questions, answers, strict=True)
    return [row for question, answer in pairs for row in (question, f"→ {answer}")]


def decision_id_of(
    checkpoint: Checkpoint, chapter: int, text: Chapter | None, kind: DecisionKind, extra: str = ""
) -> str:
    """Returns the id of a decision about a chapter with this text, or with none yet."""
    about = text.sha256[:8] if text else "notext"
    tail = f"-{sha256_of(extra)[:6]}" if extra else ""
    return f"{kind}-{chapter:03d}-{checkpoint.run}-{checkpoint.laps}-{about}{tail}"


def disappearance(what: str) -> StudioError:
    """Returns the error for a staged file that disappeared between two stages."""
    return StudioError(
        Problem(
            said("{what} has disappeared or cannot be read.", what=what),
            said("Run `studio resume`; the stage that made it runs again."),
        )
    )
