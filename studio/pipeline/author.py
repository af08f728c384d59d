"""The author's own standards for her prose: her baseline, what she has waived, and her style
library.

All three are hers alone; a command changes them at once, outside a commit, and history keeps the
earlier versions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from studio.errors import usage
from studio.messages import said
from studio.pipeline.chapter.targets import targets
from studio.pipeline.novel import OnNovel
from studio.project import layout as places
from studio.project.author import replace
from studio.project.clock import now, today
from studio.project.files import front_matter
from studio.project.history.reasons import Reason
from studio.project.lock.lock import ProjectLock
from studio.project.staging import Staging
from studio.project.store import ProjectStore
from studio.story.baseline import Baseline
from studio.story.chapter import Chapter, passage_text, sha256_of
from studio.story.form.document import to_bytes, to_jsonable
from studio.story.form.slugs import slug_fault
from studio.story.novel import Exemplar, ExemplarMeta
from studio.story.review.directive import Directive, DirectiveSheet
from studio.story.review.waiver import Waiver, Waivers, WaiverScope, paragraphs_of, speaks_of
from studio.story.status import IN_TEXT_STATUSES, DirectiveStatus, allows
from studio.text.metrics.baseline import learn
from studio.text.metrics.measure import Yardstick, in_force
from studio.text.prose.answer import excerpt

_QUOTED = 60
"""Characters of a passage that are quoted to identify it to a person."""


@dataclass(frozen=True, slots=True)
class WaiveOrder:
    """What a waiver covers, why, and for how long."""

    reason: str
    scope: WaiverScope = "here"
    words: str = ""
    """Her words for what the finding is about; empty for all of its kind."""
    until_chapter: int | None = None
    until_date: str | None = None


class Craft(OnNovel):
    """The author's own standards in one novel."""

    # Baseline

    def learn_baseline(self, texts: Sequence[tuple[str, str]]) -> Baseline:
        """Learns the author's range from (name, text) pairs and keeps it as baseline.json.

        StudioError (exit 2) if the texts are too short.
        """
        learned = learn(texts, self.pack)
        with self._take_lock():
            replace.replace(self.store, places.BASELINE, to_bytes(learned), Reason.LEARNED)
        return learned

    def yardstick(self) -> Yardstick:
        """Returns the baseline that her texts are measured against. StudioError (exit 5) if
        baseline.json is damaged."""
        return Yardstick(self.pack, in_force(self.pack, targets(self.store, self.settings)))

    def forget_baseline(self) -> bool:
        """Removes baseline.json; False if there is none."""
        with self._take_lock():
            return replace.take_away(self.store, places.BASELINE)

    # Waivers

    def waive(self, ids: Sequence[str], order: WaiveOrder) -> list[Waiver]:
        """Waives directives of the chapter in work, else of the last committed one.

        They leave the review as `waived`, and nothing that the waiver covers is raised again.
        StudioError (exit 2) for an id that does not exist or is past this decision, without a
        reason, or for words that a directive says nothing of.
        """
        if not order.reason.strip():
            raise usage(said("A waiver needs a reason; the next reader may be you."))
        with self._take_lock():
            chapter, staged, sheet = self._sheet()
            directives = [_find(sheet, name) for name in dict.fromkeys(ids)]
            waivers = self.store.waivers()
            new = []
            for directive in directives:
                waiver = _waiver(waivers.next_id(), directive, chapter, order)
                if waiver.words and not speaks_of(directive, waiver.words):
                    raise usage(
                        said(
                            "{id} says nothing of “{words}”.",
                            id=directive.id,
                            words=waiver.words,
                        ),
                        said("Name words that it quotes, so that it is known by them."),
                    )
                waivers = waivers.copy_with(waivers=(*waivers.waivers, waiver))
                new.append(waiver)
            self._put(waivers)
            if staged is not None:
                staged.put_sheet(_with_waived(sheet, waivers, chapter, directives, order.reason))
        return new

    def lift(self, waiver_id: str) -> Waiver:
        """Takes a waiver back; what it covered is raised again.

        Directives of the chapter in work that no other waiver covers wait for a decision again.
        StudioError (exit 2) if there is no waiver with that id.
        """
        with self._take_lock():
            waivers = self.store.waivers()
            waiver = next((w for w in waivers.waivers if w.id == waiver_id), None)
            if waiver is None:
                raise usage(
                    said("There is no waiver {waiver_id}.", waiver_id=waiver_id),
                    said("`studio waivers` lists them."),
                )
            self._leave(waivers, [waiver])
        return waiver

    def waivers_of(self, directive_id: str) -> list[Waiver]:
        """Returns the waivers that keep a directive of the chapter in work from being proposed."""
        chapter, _, sheet = self._sheet()
        directive = sheet.find(directive_id)
        waivers = self.store.waivers().waivers
        return [w for w in waivers if directive and w.covers(directive, chapter, today())]

    def raise_again(self, directive_id: str) -> list[Waiver]:
        """Takes back every waiver that covers a directive of the chapter in work, which then waits
        for a decision again.

        Returns the waivers. StudioError (exit 2) for an id that does not exist or is not waived.
        """
        with self._take_lock():
            _, staged, sheet = self._sheet()
            directive = _find(sheet, directive_id)
            if staged is None or not allows(directive.status, "lift"):
                raise usage(
                    said(
                        "{id} is {value}; it is not waived.",
                        id=directive.id,
                        value=directive.status.value,
                    )
                )
            lifted = self.waivers_of(directive_id)
            staged.put_sheet(sheet.with_directive(_raise_priority(directive)))
            if lifted:
                self._leave(self.store.waivers(), lifted)
        return lifted

    def _leave(self, waivers: Waivers, lifted: Sequence[Waiver]) -> None:
        """Keeps the remaining waivers, and raises again what only the lifted ones covered."""
        others = tuple(w for w in waivers.waivers if w not in lifted)
        waivers = waivers.copy_with(waivers=others)
        self._put(waivers)
        inflight = self.store.checkpoint().inflight_chapter
        if inflight is None:
            return
        staged = self.store.staging_of(inflight)
        sheet = before = staged.sheet()
        for directive in sheet.directives if sheet else ():
            waived = directive.status is DirectiveStatus.WAIVED
            covered = any(w.covers(directive, inflight, today()) for w in lifted)
            if sheet and waived and covered and not waivers.cover(directive, inflight, today()):
                sheet = sheet.with_directive(_raise_priority(directive))
        if sheet is not None and sheet != before:
            staged.put_sheet(sheet)

    def holds(self, waiver: Waiver) -> str:
        """Returns why a waiver is not in force; empty if it is."""
        if waiver.is_expired(waiver.chapter, today()):
            return said("expired")
        last = self.store.checkpoint().last_completed_chapter
        if waiver.until_chapter is not None and last >= waiver.until_chapter:
            return said("expired")
        if waiver.scope != "here":
            return ""
        text = self._text(waiver.chapter)
        present = {sha256_of(p.text) for p in text.paragraphs} if text else set()
        return "" if present & set(waiver.paragraphs) else said("its words have changed")

    # Style library

    def add_exemplar(self, exemplar_id: str, meta: ExemplarMeta, text: str) -> str:
        """Adds a passage to the style library and returns its path. StudioError 2 if it is
        unfit."""
        exemplar = Exemplar.model_construct(id=exemplar_id, meta=meta, text=text)
        with self._take_lock():
            return add(self.store, exemplar)

    def remove_exemplar(self, exemplar_id: str) -> str:
        """Removes a passage from the style library and returns its path. StudioError 2 if there
        is none."""
        with self._take_lock():
            return remove(self.store, exemplar_id)

    def passage(self, chapter: int, scene: int, first: int, last: int) -> str:
        """Returns paragraphs of the text in work, else of the book. StudioError 2 if they do not
        exist."""
        text = self._text(chapter)
        paragraphs = text.passage(scene, first, last) if text else ()
        if not paragraphs:
            raise usage(
                said(
                    "Chapter {chapter} has no scene {scene} with paragraphs {first} to {last}.",
                    chapter=chapter,
                    scene=scene,
                    first=first,
                    last=last,
                )
            )
        return passage_text(paragraphs)

    def _take_lock(self) -> ProjectLock:
        return ProjectLock(self.store.layout.folder)

    def _text(self, chapter: int) -> Chapter | None:
        return self.store.staging_of(chapter).exact_text() or self.store.chapter(chapter)

    def _sheet(self) -> tuple[int, Staging | None, DirectiveSheet]:
        checkpoint = self.store.checkpoint()
        inflight = checkpoint.inflight_chapter
        if inflight is not None:
            staged = self.store.staging_of(inflight)
            sheet = staged.sheet()
        else:
            staged, sheet = None, self.store.directives(checkpoint.last_completed_chapter or 1)
        if sheet is None:
            raise usage(said("There are no directives to waive yet."))
        return sheet.chapter, staged, sheet

    def _put(self, waivers: Waivers) -> None:
        replace.replace(self.store, places.WAIVERS, to_bytes(waivers), Reason.WAIVERS)


def _find(sheet: DirectiveSheet, directive_id: str) -> Directive:
    directive = sheet.find(directive_id)
    if directive is None:
        raise usage(
            said(
                "Chapter {chapter} has no directive {directive_id}.",
                chapter=sheet.chapter,
                directive_id=directive_id,
            ),
            said("`studio directives list` shows them."),
        )
    if directive.status in IN_TEXT_STATUSES:
        raise usage(
            said("{id} is in the text already.", id=directive.id),
            said("`studio directives undo` takes it back first."),
        )
    return directive


def _raise_priority(directive: Directive) -> Directive:
    return directive.copy_with(status=DirectiveStatus.PENDING, note="")


def _waiver(name: str, directive: Directive, chapter: int, order: WaiveOrder) -> Waiver:
    return Waiver(
        id=name,
        type=directive.type,
        metric=directive.metric if directive.origin == "code" else None,
        scope=order.scope,
        chapter=chapter,
        paragraphs=paragraphs_of(directive) if order.scope == "here" else (),
        words=" ".join(order.words.split()),
        quote=excerpt(directive.current_text, _QUOTED),
        reason=order.reason.strip(),
        until_chapter=order.until_chapter,
        until_date=order.until_date,
        created_at=now(),
    )


def _with_waived(
    sheet: DirectiveSheet,
    waivers: Waivers,
    chapter: int,
    directives: Sequence[Directive],
    reason: str,
) -> DirectiveSheet:
    """Returns the sheet with the chosen directives, and other undecided ones that the waivers
    now cover, marked as waived."""
    ids = {directive.id for directive in directives}
    for directive in sheet.directives:
        undecided = directive.is_pending
        if directive.id in ids or (undecided and waivers.cover(directive, chapter, today())):
            waived = directive.copy_with(status=DirectiveStatus.WAIVED, note=reason)
            sheet = sheet.with_directive(waived)
    return sheet


SHORTEST = 40
"""The minimum length in characters; a shorter passage shows nobody how a scene is written."""


def add(store: ProjectStore, exemplar: Exemplar) -> str:
    """Adds a passage to the library; returns its path. The caller holds the lock.

    Raises StudioError (exit 2) if the id is no slug or already taken, or the passage too short.
    """
    fault = slug_fault(exemplar.id)
    if fault is not None:
        raise usage(
            said(
                "The id {promise_id} cannot be used: {fault}.",
                promise_id=repr(exemplar.id),
                fault=fault,
            ),
            said("Choose another id."),
        )
    path = store.layout.exemplar(exemplar.id)
    if store.root.find(path) is not None:
        raise usage(
            said("The style library already has a passage {id}.", id=exemplar.id),
            said("Choose another id, or change {path} in your editor.", path=path),
        )
    if len(exemplar.text.strip()) < SHORTEST:
        raise usage(
            said(
                "The passage has {count} characters; it needs at least {shortest}.",
                count=len(exemplar.text.strip()),
                shortest=SHORTEST,
            ),
            said("Add a longer one: a model learns little from a line."),
        )
    meta = {name: value for name, value in to_jsonable(exemplar.meta).items() if value}
    replace.replace(store, path, front_matter.join(meta, exemplar.text).encode(), Reason.ADDED)
    return path


def remove(store: ProjectStore, exemplar: str) -> str:
    """Removes a passage, which stays in history; returns its path. The caller holds the lock.

    Raises StudioError (exit 2) if the library has no such passage.
    """
    path = store.layout.exemplar(exemplar)
    if not replace.take_away(store, path):
        raise usage(
            said("The style library has no passage {exemplar}.", exemplar=exemplar),
            said("`studio exemplars list` shows all."),
        )
    return path
