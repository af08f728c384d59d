"""What a drafter's answer is made of, for the call's record and for the chapter."""

from __future__ import annotations

from studio.llm.provider import Request
from studio.pipeline.prompting.answer_stream import tidy
from studio.story.chapter import sha256_of
from studio.text.prose.answer import split_sections

_DRAFTER = "scene-drafter"


def prose_of(answer: str) -> str:
    """What of a drafter's answer can stand in a chapter: notes alone are no scene (M1)."""
    return tidy(split_sections(answer).prose)


def fragment_of(request: Request, answer: str) -> dict[str, str | None]:
    """What the prose of a scene is saved as, while nobody has changed it: the scene, and the
    sha256 under which its text stands in history and variations (C8)."""
    if request.agent != _DRAFTER or request.scene is None:
        return {}
    place = f"chapter-{request.chapter:03d}/scene-{request.scene:02d}"
    return {"fragment_id": f"{place}/{sha256_of(prose_of(answer))}"}


def parts_of(answer: str) -> dict[str, str | None]:
    """The drafter's notes and hints, for the log (DESIGN section 5)."""
    sections = split_sections(answer)
    return {"pre_writing": sections.pre_writing, "hints": sections.hints}
