"""What differs between the book and what was made of it, and the ways to settle that.

A writer edits with whatever she likes. This says what her edits touch, without
changing anything, and carries out what she decides; a rebuild is the work of
`studio.pipeline.rebuild.rebuild`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from studio.config.load import state_dir
from studio.config.schema import Settings
from studio.errors import StudioError
from studio.pipeline.questions.hand_edits import question_about
from studio.project.commit.hand_edit import accept_edit
from studio.project.commit.rebuilt import take_back
from studio.project.commit.writing import writing
from studio.project.history.backup import Backups
from studio.project.lock.lock import ProjectLock
from studio.project.store import ProjectStore
from studio.project.watch.cached_hashes import WatchedStore
from studio.project.watch.moved_chapters import Whereabouts, put_back, whereabouts
from studio.project.watch.plan_changes import PlanChange, keep_plans, let_stand, plan_changes
from studio.project.watch.watch import Watch
from studio.story.checkpoint import Decision
from studio.text.diff import changed_words


@dataclass(frozen=True, slots=True)
class Differences:
    """What was changed elsewhere and nobody has dealt with yet."""

    places: Whereabouts = field(default_factory=Whereabouts)
    plans: tuple[PlanChange, ...] = ()

    @property
    def edited(self) -> tuple[int, ...]:
        """Chapters of the book whose own text was changed."""
        return self.places.changed

    @property
    def marked(self) -> Mapping[int, str]:
        """Chapter to why it may not be what its files say, in a sentence's end."""
        why: dict[int, list[str]] = {}
        for number in self.edited:
            why.setdefault(number, []).append("its text was changed by hand")
        for number in (*self.places.moved, *self.places.missing):
            why.setdefault(number, []).append("its text is not where it was")
        for change in self.plans:
            for number in () if change.whole_book else change.chapters:
                why.setdefault(number, []).append(change.sentence)
        return {number: "; ".join(reasons) for number, reasons in sorted(why.items())}


@dataclass(frozen=True)
class Upkeep:
    """Settles the differences of one novel. Whatever writes takes the lock."""

    store: ProjectStore
    settings: Settings

    @cached_property
    def _watched_store(self) -> ProjectStore:
        return WatchedStore(self.store.layout.folder)

    def watch(self) -> Watch:
        """Notices what is changed elsewhere, in a thread of the caller's."""
        return Watch(self.store.root)

    def backups(self, environ: Mapping[str, str]) -> Backups:
        """The dated copies of this novel."""
        place = self.settings.backup.folder or state_dir(environ) / "backups"
        return Backups(self.store.layout.folder, place.expanduser().absolute())

    def back_up(self, environ: Mapping[str, str]) -> None:
        """Makes one of these copies, as it is done when the app leaves; StudioError as `take`."""
        if self.settings.backup.on_close:
            self.backups(environ).take(self.settings.backup.keep)

    def differences(self) -> Differences:
        """Looks at everything; what cannot be read is passed over. Changes nothing."""
        try:
            return Differences(
                whereabouts(self._watched_store), tuple(plan_changes(self._watched_store))
            )
        except StudioError:
            return Differences()

    def question(self, chapter: int) -> Decision | None:
        """Whether only the style changed or the events, for a chapter that was changed by hand."""
        edits = self.store.hand_edits([chapter])
        return question_about(edits[0], self.store.checkpoint()) if edits else None

    def only_style(self, chapter: int) -> None:
        """The edit changed no events: the book takes the new text for the chapter's own.

        StudioError: 3 if the novel is locked, 5 if the chapter is gone or no text.
        """
        with writing(self.store) as held:
            accept_edit(self.store, held.lock, chapter)

    def take_back(self, chapters: Iterable[int]) -> None:
        """Undoes the last rebuild of these chapters."""
        with writing(self.store) as held:
            for chapter in sorted(chapters, reverse=True):
                take_back(self.store, held.lock, chapter)

    def put_back(self) -> list[str]:
        """Gives moved and missing chapters their places again; says what was done."""
        return put_back(self.store)

    def let_stand(self, chapters: Iterable[int] | None) -> list[PlanChange]:
        """These chapters stand as they are, whatever changed in their plans; None is all."""
        return let_stand(self.store, None if chapters is None else sorted(chapters))

    def keep_plans(self) -> None:
        """Keeps the present plans in history; the next run does it where the novel is locked."""
        try:
            with ProjectLock(self.store.layout.folder):
                keep_plans(self._watched_store)
        except StudioError:
            return

    def words(self, before: str | None, path: str) -> str:
        """The words that changed in a file since the version `before` (its sha256), in a line.

        Empty where that version is not kept or nothing can be read.
        """
        try:
            old = self.store.history.blob(before or "")
            new = self.store.root.read(path)
        except StudioError:
            return ""
        texts = (old.decode(errors="replace"), new.decode(errors="replace"))
        return changed_words(*texts, self.settings.novel.language)
