"""What a drafter's answer is made of, for the call's record and for the chapter."""

from __future__ import annotations

from studio.llm.provider import Request
from studio.pipeline.events import DRAFTER
from studio.pipeline.prompting.answer_stream import tidy, to_last_sentence
from studio.story.chapter import sha256_of
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import split_sections
from studio.text.prose.asides import without_asides


def prose_of(answer: str) -> str:
    """What of a drafter's answer can stand in a chapter: notes alone are no scene (M1)."""
    return tidy(split_sections(answer).prose)


def story_of(answer: str, pack: LanguagePack, *, short: bool) -> tuple[str, list[str]]:
    """What of a drafter's answer is the story, and what it said to whoever asked instead.

    `short` is a small model's answer, which may stop in the middle of a sentence.
    """
    prose, asides = without_asides(prose_of(answer), pack, everywhere=short)
    return (to_last_sentence(prose, pack) if short else prose), asides


def fragment_of(
    request: Request, answer: str, pack: LanguagePack, *, short: bool
) -> dict[str, str | None]:
    """What the prose of a scene, or another version of a passage of it, is saved as while nobody
    has changed it: the scene, and the sha256 under which its text stands in history and
    variations (C8)."""
    if request.agent != DRAFTER or request.scene is None:
        return {}
    place = f"chapter-{request.chapter:03d}/scene-{request.scene:02d}"
    return {"fragment_id": f"{place}/{sha256_of(story_of(answer, pack, short=short)[0])}"}


def parts_of(answer: str) -> dict[str, str | None]:
    """The drafter's notes and hints, for the log (DESIGN section 5)."""
    sections = split_sections(answer)
    return {"pre_writing": sections.pre_writing, "hints": sections.hints}
