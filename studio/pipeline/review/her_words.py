"""Words of the author's own in place of a passage that a proposal is about: they are in the text at
once, for no model has to be asked."""

from __future__ import annotations

from studio.book.bible import read_bible
from studio.errors import usage
from studio.messages import said
from studio.pipeline.review.undo import change_made
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, split_paragraphs
from studio.story.notes import without_notes
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.surgery import SurgeryResult
from studio.text.content import clauses_gone, contradictions, kept_share, outdated_clauses
from studio.text.guard import facts_changed, guarded_names
from studio.text.language.packs import LanguagePack


def with_her_words(
    store: ProjectStore, pack: LanguagePack, chapter: Chapter, directive: Directive
) -> tuple[Chapter, SurgeryResult]:
    """Returns the chapter with the words of hers that a directive has, and what that changed.

    StudioError (exit 2) where these words stand there already, or a scene would be left empty.
    """
    at = directive.location
    there = chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    fresh = chapter.with_newlines(split_paragraphs(directive.edited_text or ""))
    scene = chapter.scene(at.scene_number)
    if not fresh and scene is not None and len(scene.paragraphs) == len(there):
        raise usage(
            said("Nothing would be left of the scene."),
            said("Remove the scene in the text itself."),
        )
    after = chapter.replace_passage(there, fresh)
    if after.text == chapter.text:
        raise usage(
            said("These words stand there already."),
            said("Change them, or put the proposal aside."),
        )
    result = change_made(chapter, there, fresh, after)
    old, new = without_notes(result.before), without_notes("\n\n".join(fresh))
    names = guarded_names(read_bible(store).names_of_people, chapter.text, new, pack)
    findings = {
        "facts": facts_changed(old, new, names, pack),
        "lost": clauses_gone(old, new, pack),
        "added": clauses_gone(new, old, pack),
        "kept_share": round(kept_share(old, new, pack), 3),
    }
    return after, result.copy_with(**findings)


def leaves_the_story(
    directive: Directive, result: SurgeryResult, chapter: Chapter, summary: str, pack: LanguagePack
) -> bool:
    """Whether what was derived from the text is still true behind words of hers."""
    if directive.type is DirectiveType.FACT_CORRECTION or result.facts:
        return False
    names = guarded_names((), chapter.text, result.after, pack)
    return not (
        outdated_clauses(result.before, result.after, summary, pack)
        or contradictions(result.before, result.after, pack, names)
    )
