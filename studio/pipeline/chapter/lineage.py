"""Which texts were derived from which: the one rule behind resume, surgery and hand edits.

Writers leave records (input text, output text). A writer is done when one of its records leads to
the current text. What a reader derived is fresh when the text it read leads to the current one
through guarded changes alone, and no scene has been drafted again since: a redraft is read again
even if it came out identical (DESIGN section 4).
"""

from __future__ import annotations

from collections.abc import Iterable

from studio.story.checkpoint import StageRecord

REWRITERS = frozenset({"refine", "polish", "unrefine", "operate"})
"""Writers that turn one text into another; a draft starts a new line instead."""
WRITERS = REWRITERS | {"draft"}
_TEXT_ANEW = frozenset({"draft", "mend"})
"""What makes a reading of the text before it worthless: a draft, and a breach that is mended."""
_MODELS_PASSES = frozenset({"refine", "polish"})
"""What a model did to the whole chapter, and not the writer to a passage."""


class Lineage:
    """The stage records of a chapter, seen from its current text."""

    def __init__(self, records: Iterable[StageRecord], current: str | None) -> None:
        self._records = tuple(records)
        self._current = current
        self.drafted_in = max((r.lap for r in self._records if r.stage == "draft"), default=0)
        """The lap of the newest draft."""

    def leads_here(self, sha256: str | None, *, guarded: bool) -> bool:
        """Whether the text `sha256` became the current one through changes that were not a
        redraft; with `guarded`, only through changes that the facts guard passed."""
        if sha256 is None or self._current is None:
            return False
        return sha256 in self._ancestors(guarded)

    def _ancestors(self, guarded: bool) -> set[str]:
        """Returns the current text and every text it was derived from."""
        ancestors: set[str] = set()
        unvisited = [self._current] if self._current else []
        while unvisited:
            sha256 = unvisited.pop()
            if sha256 in ancestors:
                continue
            ancestors.add(sha256)
            unvisited += [
                record.input_sha256
                for record in self._records
                if record.stage in REWRITERS
                and record.output_sha256 == sha256
                and record.input_sha256
                and (record.guarded or not guarded)
            ]
        return ancestors

    @property
    def origin(self) -> str | None:
        """The text that the current one was first derived from; None if no rewriter left
        it."""
        if self._current is None:
            return None
        here = self._ancestors(guarded=False)
        return next(
            (
                record.input_sha256
                for record in self._records
                if record.stage in REWRITERS and record.output_sha256 in here
            ),
            None,
        )

    def writer_done(self, stage: str, lap: int | None = None) -> bool:
        """Whether a record of this writer leads to the current text."""
        return any(
            record.stage == stage
            and (lap is None or record.lap == lap)
            and self.leads_here(record.output_sha256, guarded=False)
            for record in self._records
        )

    def is_by_a_stage(self) -> bool:
        """Whether a stage left the current text; if not, it is the author's own."""
        return any(
            record.stage in WRITERS and record.output_sha256 == self._current
            for record in self._records
        )

    def reader(self, stage: str) -> StageRecord | None:
        """Returns the newest record of a reader or decider that is still fresh for the current
        text."""
        return next(
            (
                record
                for record in reversed(self._records)
                if record.stage == stage
                and record.lap >= self.drafted_in
                and self.leads_here(record.input_sha256, guarded=True)
            ),
            None,
        )

    def overtaken(self, stage: str) -> StageRecord | None:
        """Returns the newest record of a reader or decider that the writer's own changes have
        overtaken: it was fresh for the chapter as it stands, but for what she typed since, or had
        changed in a passage beyond what the facts guard allows. None where it is still fresh, and
        where the chapter was drafted, mended or polished into another since."""
        if self.reader(stage) is not None:
            return None
        for record in reversed(self._records):
            if record.stage == stage and record.input_sha256 is not None:
                return record
            if record.stage in _TEXT_ANEW:
                return None
            if record.stage in _MODELS_PASSES and not record.guarded:
                return None
        return None
