"""Which paragraphs of a text are the author's, by the ledger of who wrote what (CONTRACTS 4)."""

from __future__ import annotations

from studio.book.authorship import Authorship, By
from studio.messages import Said, said, series
from studio.pipeline.chapter.view import ChapterView
from studio.project.history.reasons import Reason
from studio.project.history.variations import Variations
from studio.story.chapter import Paragraph


def own_paragraphs(view: ChapterView) -> tuple[Paragraph, ...]:
    """Returns the paragraphs of the text in progress that a person wrote or changed, and those of
    which nobody knows who wrote them."""
    return tuple(paragraph for paragraph, by in _ledger(view) if by != "model")


def _ledger(view: ChapterView) -> list[tuple[Paragraph, By]]:
    """Returns the paragraphs of the text in progress, each with who wrote it; none where only
    models can have."""
    if view.text is None or not _may_hold_hers(view):
        return []
    ledger = Authorship(view.store, view.settings.novel.language).of(view.chapter)
    pairs = zip(view.text.paragraphs, ledger.paragraphs, strict=False)
    return [(paragraph, row.by) for paragraph, row in pairs]


def _may_hold_hers(view: ChapterView) -> bool:
    """Whether anybody but a model's pass touched this attempt's text; only then is history read,
    which grows with the book."""
    if view.checkpoint.own_text or view.chapter <= view.checkpoint.last_completed_chapter:
        return True
    records = view.checkpoint.stage_records
    was_edited = any(r.stage == "operate" and not r.guarded for r in records)
    return was_edited or not view.lineage.is_by_a_stage()


def is_mostly_hers(view: ChapterView) -> bool:
    """Whether more than half of the paragraphs of the text in progress are by hand: then it counts
    as the author's own, over which no model drafts. A model's paragraph in which she changed a word
    is a model's, as the ledger says it."""
    rows = _ledger(view)
    return 2 * sum(by not in ("model", "hand_edited") for _, by in rows) > len(rows)


def keep_own_paragraphs(view: ChapterView, variations: Variations) -> None:
    """Keeps the text in progress as a version before a model drafts over paragraphs of hers."""
    if view.text is not None and own_paragraphs(view):
        variations.keep(view.chapter, None, view.text.text, Reason.OWN_PARAGRAPHS)


def what_is_kept(view: ChapterView, scenes: tuple[int, ...] = ()) -> Said | str:
    """Names, for an offer to draft these scenes again (all, if none is given), the paragraphs of
    hers that are kept as a version first; empty if there are none."""
    hers = own_paragraphs(view)
    if scenes and hers:
        all_scenes = view.scenes
        hers = tuple(p for p in hers if all_scenes.number_of(p) in scenes)
    if not hers or (view.text is not None and len(hers) == len(view.text.paragraphs)):
        return ""
    places = series(f"{p.scene}.{p.number}" for p in hers)
    return said("Your own paragraphs ({places}) are kept as a version first.", places=places)
