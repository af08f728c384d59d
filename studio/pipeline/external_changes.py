"""The differences between the book and what was derived from it, and the ways to settle them.

A writer edits with whatever she likes. This module reports what her edits affect, without changing
anything, and carries out her decisions; a rebuild is done by `studio.pipeline.rebuild`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from studio.config.load import state_dir
from studio.config.schema import Settings
from studio.errors import StudioError
from studio.messages import join, said
from studio.pipeline.questions.hand_edits import question_about
from studio.project.commit.new_wording import accept_edit
from studio.project.commit.rebuilt import take_back
from studio.project.commit.versions import changes_by_studio
from studio.project.commit.writing import hold_for_writing
from studio.project.history.backup import Backups, shelf_of
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
    """Changes made outside the studio that have not been settled yet."""

    places: Whereabouts = field(default_factory=Whereabouts)
    plans: tuple[PlanChange, ...] = ()
    brought_back: tuple[int, ...] = ()
    """The changed chapters that hold an earlier version which was brought back."""
    taken_back: tuple[int, ...] = ()
    """Those of which she has only taken a fix back, with a key of the studio."""

    @property
    def edited_chapters(self) -> tuple[int, ...]:
        """The chapters of the book whose own text was changed."""
        return self.places.changed

    @property
    def reasons_by_chapter(self) -> Mapping[int, str]:
        """Maps each chapter that may differ from its files to the reason, worded as the end of a
        sentence."""
        why: dict[int, list[str]] = {}
        for number in self.edited_chapters:
            words = said("its text was changed by hand")
            if number in self.brought_back:
                words = said("an earlier version was brought back")
            elif number in self.taken_back:
                words = said("a fix was taken back")
            why.setdefault(number, []).append(words)
        for number in (*self.places.moved, *self.places.missing):
            why.setdefault(number, []).append(said("its text is not where it was"))
        for change in self.plans:
            for number in () if change.whole_book else change.chapters:
                why.setdefault(number, []).append(change.sentence)
        return {number: join(reasons, "; ") for number, reasons in sorted(why.items())}


@dataclass(frozen=True)
class Upkeep:
    """Settles the differences of one novel. Every method that writes takes the lock."""

    store: ProjectStore
    settings: Settings

    @cached_property
    def _watched_store(self) -> ProjectStore:
        return WatchedStore(self.store.layout.folder)

    def watch(self) -> Watch:
        """Returns the watch that notices outside changes; it runs in a thread of the caller."""
        return Watch(self.store.root)

    def backups(self, environ: Mapping[str, str]) -> Backups:
        """Returns the dated backups of this novel."""
        place = self.settings.backup.folder or state_dir(environ) / "backups"
        place = place.expanduser().absolute()
        shelf = shelf_of(self.store.root, self.store.state_folder, place)
        return Backups(self.store.layout.folder, place, shelf)

    def back_up(self, environ: Mapping[str, str]) -> None:
        """Makes a backup, as is done when the app exits. StudioError as in `take`."""
        if self.settings.backup.on_close:
            self.backups(environ).take(self.settings.backup.keep)

    def differences(self) -> Differences:
        """Returns all differences. Skips what cannot be read, and changes nothing."""
        try:
            places = whereabouts(self._watched_store)
            plans, now = tuple(plan_changes(self._watched_store)), places.changed
            return Differences(places, plans, *changes_by_studio(self.store, now))
        except StudioError:
            return Differences()

    def question(self, *chapters: int) -> Decision | None:
        """Returns the question whether hand edits of chapters changed only their style or their
        events; None if none of them was edited."""
        edits = self.store.hand_edits(chapters)
        return question_about(self.store, edits) if edits else None

    def only_style(self, *chapters: int) -> None:
        """Accepts edits that changed no events: the book takes the new text as the chapter's own.

        StudioError: 3 if the novel is locked, 5 if a chapter is gone or not text.
        """
        with hold_for_writing(self.store) as held:
            for chapter in chapters:
                accept_edit(self.store, held.lock, chapter)

    def take_back(self, chapters: Iterable[int]) -> None:
        """Undoes the last rebuild of these chapters."""
        with hold_for_writing(self.store) as held:
            for chapter in sorted(chapters, reverse=True):
                take_back(self.store, held.lock, chapter)

    def put_back(self) -> list[str]:
        """Moves misplaced and missing chapters back to their places; returns what was done."""
        return put_back(self.store)

    def let_stand(self, chapters: Iterable[int] | None) -> list[PlanChange]:
        """Accepts these chapters as they are, whatever changed in their plans; None means all."""
        return let_stand(self.store, None if chapters is None else sorted(chapters))

    def keep_plans(self) -> None:
        """Keeps the present plans in history; if the novel is locked, the next run does it."""
        try:
            with ProjectLock(self.store.layout.folder):
                keep_plans(self._watched_store)
        except StudioError:
            return

    def words(self, before: str | None, path: str) -> str:
        """Returns the words that changed in a file since the version `before` (its sha256), in one
        line.

        Empty if that version is not kept or nothing can be read.
        """
        try:
            old = self.store.history.blob(before or "")
            new = self.store.root.read(path)
        except StudioError:
            return ""
        texts = (old.decode(errors="replace"), new.decode(errors="replace"))
        return changed_words(*texts, self.settings.novel.language)
