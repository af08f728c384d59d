"""The stage records of a chapter in work: what each stage leaves, and how it is read back.

A record is proof that a stage was done; `Lineage` decides for which text it still holds. No other
module knows the names that stand in the checkpoint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson

from studio.pipeline.chapter.division import Division
from studio.pipeline.chapter.lineage import WRITERS
from studio.project import layout as places
from studio.story.checkpoint import Checkpoint, StageRecord
from studio.story.contract import SceneSpec
from studio.story.form.document import to_jsonable
from studio.story.form.validation import check, parse_json

Polishing = Literal["refine", "polish"]
"""The refiner's first pass over a chapter, and the second one that the gate asks for."""
_BEGIN, _DRAFT, _SCENES, _SCENE_PLAN, _CONTRACT = "begin", "draft", "scenes", "scene-plan", "plan"
_KEPT, _UNREFINED, _SURGERY, _OPERATED = "refine-kept", "unrefine", "surgery", "operate"
_LOOK_AGAIN, _REPLACE, _REBUILD = "look-again", "replace-agreed", "rebuild"
_ASKED, _MEND = "questions", "mend"
_OMITTED, _OMISSIONS_TOLD = "left-out", "left-out-told"
_HEADINGS, _BY_HAND = "headings-left-out", "by-hand"
_HINT = re.compile(r"scene (\d+): (.*)", re.DOTALL)
_SO_FAR = "scene {}, so far: "
"""Before the hints of a scene that is not finished."""
_REMARK = re.compile(r"^[ \t]*(?:[-*•][ \t]*)?[!！].*\n?", re.MULTILINE)
"""A line among a drafter's hints by which it tells the author where its material disagrees."""


@dataclass(frozen=True, slots=True)
class Records:
    """The records of one attempt at a chapter; `lap` counts how often it was drafted again."""

    entries: tuple[StageRecord, ...]
    lap: int = 0

    def newest(self, stage: str, lap: int | None = None) -> StageRecord | None:
        """Returns the newest record of a stage, of one lap or of any."""
        return next(
            (
                record
                for record in reversed(self.entries)
                if record.stage == stage and (lap is None or record.lap == lap)
            ),
            None,
        )

    @property
    def text_left(self) -> str | None:
        """The sha256 of the text that a stage left last; None if none did in this lap."""
        writers = (r for r in reversed(self.entries) if r.stage in WRITERS and r.lap == self.lap)
        return next((record.output_sha256 for record in writers), None)

    def is_later(self, one: StageRecord, other: StageRecord) -> bool:
        """Whether the first of two records was made after the second."""
        return self.entries.index(one) > self.entries.index(other)

    def add(self, record: StageRecord) -> tuple[StageRecord, ...]:
        """Returns all records with this one, which replaces a record of the same stage, text and
        lap."""
        same = (record.stage, record.input_sha256, record.lap)
        others = [r for r in self.entries if (r.stage, r.input_sha256, r.lap) != same]
        return (*others, record)

    # The attempt

    @property
    def base_sha256(self) -> str | None:
        """The sha256 of the committed text that the work began from; None for a new chapter."""
        record = self.newest(_BEGIN)
        return record.input_sha256 if record else None

    @property
    def contract(self) -> str | None:
        """The identity of the contract that the chapter is written to; None before there is one."""
        record = self.newest(_CONTRACT)
        return "".join(record.notes) if record else None

    @property
    def division(self) -> Division | None:
        """The scenes as they were divided for this attempt; None if no model was to divide
        them."""
        record = self.newest(_SCENE_PLAN)
        if record is None:
            return None
        source = places.CHECKPOINT
        notes = [parse_json(note.encode(), source) for note in record.notes]
        scenes = tuple(check(SceneSpec, note, source) for note in notes if "number" in note)
        rest: dict[str, Any] = next((note for note in notes if "number" not in note), {})
        return Division(
            scenes,
            tuple(rest.get("units", ())),
            tuple(map(tuple, rest.get("shares", ()))),
            tuple(rest.get("added", ())),
        )

    @property
    def questions(self) -> tuple[str, ...] | None:
        """The questions a model had before the draft of this attempt; None before it was asked
        for any."""
        record = self.newest(_ASKED)
        return record.notes if record else None

    # The draft

    @property
    def drafted_scenes(self) -> Mapping[str, str]:
        """Maps the number of each scene drafted in this lap to the sha256 of its text."""
        record = self.newest(_SCENES, self.lap)
        return record.scenes if record else {}

    @property
    def scenes_ever_drafted(self) -> frozenset[int]:
        """The numbers of the scenes that were finished in any lap."""
        records = (record for record in self.entries if record.stage == _SCENES)
        return frozenset(int(number) for record in records for number in record.scenes)

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints that the drafter left for the summarizer in this lap."""
        record = self.newest(_SCENES, self.lap)
        return record.notes if record else ()

    @property
    def hints_by_scene(self) -> dict[int, str]:
        """Maps the numbers of scenes to the hints left with them. What a drafter remarks to the
        author of its material is no hint of what the scene tells."""
        rows = (_HINT.match(note) for note in self.hints)
        hints = {int(row[1]): _REMARK.sub("", row[2]).strip() for row in rows if row}
        return {number: words for number, words in hints.items() if words}

    @property
    def bridges(self) -> dict[int, str]:
        """The bridges proposed for this lap's draft, by the number of the scene each leads into."""
        record = self.newest(_DRAFT, self.lap)
        rows = (note.partition(": ") for note in (record.notes if record else ()))
        return {int(number): words for number, _, words in rows}

    @property
    def draft_texts(self) -> list[str]:
        """The sha256 of every draft of the chapter, newest first."""
        drafts = (r for r in reversed(self.entries) if r.stage == _DRAFT)
        return [record.output_sha256 for record in drafts if record.output_sha256]

    # The writer

    @property
    def is_changed_by_hand(self) -> bool:
        """Whether somebody changed the text of this attempt, who may have been overtaken since by
        the end of the draft, or by a new one of other scenes."""
        return self.newest(_BY_HAND) is not None

    def by_hand(self) -> tuple[StageRecord, ...]:
        """Returns all records with the one that somebody changed the text, which stands once."""
        return self.entries if self.is_changed_by_hand else self.add(StageRecord(stage=_BY_HAND))

    # The refiner

    @property
    def polished_in(self) -> int | None:
        """The lap in which the gate had the language polished; None if it did not."""
        record = self.newest("polish")
        return record.lap if record else None

    def refinement(self, polishing: Polishing) -> StageRecord | None:
        """Returns the record of what the refiner did in this lap."""
        return self.newest(polishing, self.lap)

    @property
    def refined_scenes(self) -> set[str]:
        """The sha256 of every scene that came out of a first pass."""
        passes = (record for record in self.entries if record.stage == "refine")
        return {sha256 for record in passes for sha256 in record.scenes.values()}

    def is_refinement_kept(self, sha256: str) -> bool:
        """Whether the writer, or her review mode, kept the refined text `sha256`."""
        return any(r.stage == _KEPT and r.input_sha256 == sha256 for r in self.entries)

    # The review

    def is_round_begun(self, number: int) -> bool:
        """Whether a round of surgery was begun and not yet counted."""
        return self.newest(_SURGERY, self.lap) == self.surgery_round(number)

    @property
    def last_operation(self) -> StageRecord | None:
        """The newest change made by a fix, or by undoing one."""
        return self.newest(_OPERATED)

    @property
    def look_again_at(self) -> str | None:
        """The text that the writer wanted judged again in this lap."""
        record = self.newest(_LOOK_AGAIN, self.lap)
        return record.input_sha256 if record else None

    @property
    def replacement(self) -> StageRecord | None:
        """The version of the book's file (its input) that the writer agreed to replace."""
        return self.newest(_REPLACE)

    # Omissions

    @property
    def omissions(self) -> tuple[str, ...]:
        """What did not fit into calls of this attempt: `agent/words` each."""
        record = self.newest(_OMITTED)
        return record.notes if record else ()

    @property
    def are_omissions_told(self) -> bool:
        """Whether the writer was told of the omissions."""
        return self.newest(_OMISSIONS_TOLD) is not None

    @property
    def headings_left_out(self) -> tuple[str, ...]:
        """The words before which a heading was left out of a scene."""
        record = self.newest(_HEADINGS)
        return record.notes if record else ()

    # Records made by stages

    def record_attempt(self, base: str | None) -> StageRecord:
        """Records a new attempt, over the committed text `base`."""
        return StageRecord(stage=_BEGIN, input_sha256=base)

    def written_to(self, contract: str) -> StageRecord:
        """Records the contract (its identity) that the chapter is written to."""
        return StageRecord(stage=_CONTRACT, notes=(contract,))

    def record_questions(self, questions: Iterable[str]) -> StageRecord:
        """Records the questions a model has before the draft."""
        return StageRecord(stage=_ASKED, notes=tuple(questions))

    def record_division(self, division: Division) -> StageRecord:
        """Records how the chapter was divided into scenes: a note for each scene, and one with the
        units of the plan that they were made from."""
        rest = {"units": division.units, "shares": division.shares, "added": division.added}
        notes = [to_jsonable(scene) for scene in division.scenes] + [rest]
        return StageRecord(
            stage=_SCENE_PLAN, notes=tuple(orjson.dumps(note).decode() for note in notes)
        )

    def scene_drafted(
        self, number: int, sha256: str, hints: str | None, *, went_on: bool = False
    ) -> StageRecord:
        """Records one more scene of this lap; one that `went_on` from words that stood has the
        hints that were left with those as well."""
        head = _SO_FAR.format(number)
        so_far = [note.removeprefix(head) for note in self.hints if note.startswith(head)]
        every = (*(so_far if went_on else ()), *([hints] if hints else ()))
        lines = "\n".join(dict.fromkeys(row for words in every for row in words.splitlines()))
        others = [note for note in self.hints if not note.startswith(head)]
        return StageRecord(
            stage=_SCENES,
            lap=self.lap,
            scenes={**self.drafted_scenes, str(number): sha256},
            notes=(*others, *([f"scene {number}: {lines}"] if lines else ())),
        )

    def scene_changed(
        self, number: int, sha256: str, what_holds: Callable[[str], str]
    ) -> StageRecord:
        """Records a scene of this lap with her words in it, and of its hints `what_holds` still."""
        head = f"scene {number}: "
        notes = [
            f"{head}{what_holds(note.removeprefix(head))}" if note.startswith(head) else note
            for note in self.hints
        ]
        scenes = {**self.drafted_scenes, str(number): sha256}
        return StageRecord(stage=_SCENES, lap=self.lap, scenes=scenes, notes=tuple(notes))

    def hints_so_far(self, number: int, hints: str) -> StageRecord | None:
        """Records the hints of an answer that broke off among them; None where nothing is new."""
        note = f"{_SO_FAR.format(number)}{hints}"
        if not hints or note in self.hints:
            return None
        return StageRecord(
            stage=_SCENES, lap=self.lap, scenes=self.drafted_scenes, notes=(*self.hints, note)
        )

    def scene_due_again(self, number: int) -> StageRecord:
        """Starts the next lap with the scenes of this one, except the one that is drafted again."""
        others = {name: sha for name, sha in self.drafted_scenes.items() if name != str(number)}
        return StageRecord(stage=_SCENES, lap=self.lap + 1, scenes=others, notes=self.hints)

    def scene_reopened(self, number: int) -> StageRecord:
        """Takes a scene of this lap for unfinished again: it goes on from its words."""
        others = {name: sha for name, sha in self.drafted_scenes.items() if name != str(number)}
        return StageRecord(stage=_SCENES, lap=self.lap, scenes=others, notes=self.hints)

    def record_draft(
        self,
        text: str,
        before: str | None,
        scenes: Mapping[str, str] | None = None,
        bridges: Mapping[int, str] | None = None,
    ) -> StageRecord:
        """Records a whole chapter, drafted from its scenes or written by the author."""
        return StageRecord(
            stage=_DRAFT,
            input_sha256=before,
            output_sha256=text,
            lap=self.lap,
            scenes=dict(scenes or {}),
            notes=tuple(f"{number}: {words}" for number, words in sorted((bridges or {}).items())),
        )

    def record_polish(
        self,
        polishing: Polishing,
        before: str,
        after: str,
        scenes: Mapping[str, str],
        *,
        guarded: bool = True,
    ) -> StageRecord:
        """Records a pass of the refiner; guarded if what was derived from the draft is still
        true."""
        return self._change(polishing, before, after, scenes=dict(scenes), guarded=guarded)

    def refinement_kept(self, sha256: str) -> StageRecord:
        """Records that the refined text stays."""
        return self._record_reading(_KEPT, sha256)

    def record_unpolished(self, before: str, after: str) -> StageRecord:
        """Records that the draft was restored as it was before the refiner."""
        return self._change(_UNREFINED, before, after)

    def record_summary(self, sha256: str, artifacts: Mapping[str, str]) -> StageRecord:
        """Records a summary of that text; `artifacts` maps its files to the sha256 of each."""
        return self._record_reading("summarize", sha256, artifacts=dict(artifacts))

    def record_judgement(self, sha256: str) -> StageRecord:
        """Records a judgement of that text, or its measures alone."""
        return self._record_reading("judge", sha256)

    def record_gate(self, sha256: str, judged_sha256: str) -> StageRecord:
        """Records that the gate passed that text, on the judgement of `judged_sha256`."""
        return StageRecord(
            stage="gate", input_sha256=sha256, output_sha256=judged_sha256, lap=self.lap
        )

    def record_review(self, sha256: str, notes: Iterable[str] = ()) -> StageRecord:
        """Records that the writer, or her review mode, is done with that text; `notes` are what she
        knew of it from its summary."""
        return self._record_reading("review", sha256).copy_with(notes=tuple(notes))

    def record_mending(self, sha256: str, ids: Iterable[str]) -> StageRecord:
        """Records that the gate has the breaches in that text mended where they stand, by these
        directives; a second time is the drafter's."""
        return StageRecord(stage=_MEND, input_sha256=sha256, lap=self.lap, notes=tuple(ids))

    def surgery_round(self, number: int) -> StageRecord:
        """Records that a round was begun, so that a kill before it is counted opens no second
        one."""
        return StageRecord(stage=_SURGERY, lap=self.lap, notes=(str(number),))

    def record_operation(self, before: str, after: str, *, guarded: bool) -> StageRecord:
        """Records that a fix went into the text or was taken out; guarded if no fact changed."""
        return self._change(_OPERATED, before, after, guarded=guarded)

    def look_again(self, sha256: str) -> StageRecord:
        """Records that the writer wants that text judged again."""
        return StageRecord(stage=_LOOK_AGAIN, input_sha256=sha256, lap=self.lap)

    def may_replace(self, sha256: str | None) -> StageRecord:
        """Records that the writer agreed to replace this version of the book's file."""
        return StageRecord(stage=_REPLACE, input_sha256=sha256, lap=self.lap)

    def record_omissions(self, words: Iterable[str]) -> StageRecord:
        """Records what a call had no room for, in addition to the omissions of other calls."""
        notes = dict.fromkeys((*self.omissions, *words))
        return StageRecord(stage=_OMITTED, notes=tuple(notes))

    def record_headings(self, words: Iterable[str]) -> StageRecord:
        """Records before which words headings were left out, with those of other scenes."""
        return StageRecord(
            stage=_HEADINGS, notes=tuple(dict.fromkeys((*self.headings_left_out, *words)))
        )

    def omissions_told(self) -> StageRecord:
        """Records that the writer was told of the omissions."""
        return StageRecord(stage=_OMISSIONS_TOLD)

    def _record_reading(
        self, stage: str, sha256: str, artifacts: dict[str, str] | None = None
    ) -> StageRecord:
        return StageRecord(
            stage=stage,
            input_sha256=sha256,
            output_sha256=sha256,
            lap=self.lap,
            artifacts=artifacts or {},
        )

    def _change(
        self,
        stage: str,
        before: str,
        after: str,
        *,
        guarded: bool = True,
        scenes: dict[str, str] | None = None,
    ) -> StageRecord:
        return StageRecord(
            stage=stage,
            input_sha256=before,
            output_sha256=after,
            guarded=guarded,
            lap=self.lap,
            scenes=scenes or {},
        )


def left_to_rebuild(checkpoint: Checkpoint) -> tuple[int, ...]:
    """Returns the chapters that an interrupted rebuild has not reached."""
    record = Records(checkpoint.stage_records).newest(_REBUILD)
    return tuple(int(note) for note in record.notes if note.isdecimal()) if record else ()


def with_left_to_rebuild(checkpoint: Checkpoint, chapters: Iterable[int]) -> Checkpoint:
    """Returns the checkpoint with the remaining chapters of a rebuild; without any, the record
    is removed."""
    others = [record for record in checkpoint.stage_records if record.stage != _REBUILD]
    notes = tuple(str(number) for number in sorted(chapters))
    own = [StageRecord(stage=_REBUILD, notes=notes)] if notes else []
    return checkpoint.copy_with(stage_records=(*others, *own))
