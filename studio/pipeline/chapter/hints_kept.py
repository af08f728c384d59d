"""Which of a drafter's hints still hold of its scenes: one whose scene was changed since stays, as
long as what it speaks of was not changed (WRITING 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from studio.pipeline.chapter.view import ChapterView
from studio.story.chapter import sha256_of, split_paragraphs
from studio.text.content import Content, ContentUnit, content_of
from studio.text.language.packs import LanguagePack

_EVERYWHERE = 3
"""In more paragraphs of a scene than these a word does not tell what a hint speaks of: a name."""


def hints_that_hold(view: ChapterView, texts: Mapping[int, str]) -> dict[int, str]:
    """Returns the hints left with the scenes of these numbers, by number, as far as they hold of
    their `texts`, in which somebody may have changed words since. Where it is not known any more
    what a scene was, none of them does."""
    held = dict[int, str]()
    for number, words in view.records.hints_by_scene.items():
        old, text = _as_drafted(view, number), texts.get(number)
        lines = lines_that_hold(words, old, text, view.pack) if old and text else ""
        if lines:
            held[number] = lines
    return held


def _as_drafted(view: ChapterView, number: int) -> str | None:
    """Returns the words of a scene with which its hints were left."""
    drafted, text = view.records.drafted_scenes.get(str(number)), view.staged.scene(number)
    if drafted is None or (text is not None and sha256_of(text) == drafted):
        return None if drafted is None else text
    return view.staged.scene_version(drafted)


def lines_that_hold(hints: str, old: str, text: str, pack: LanguagePack) -> str:
    """Returns the lines that speak of nothing in which two texts of a scene differ, or of nothing
    that went and of what another paragraph still says; none where they have no paragraph in
    common."""
    was, now = split_paragraphs(old), split_paragraphs(text)
    paragraphs = [content_of(words, pack) for words in was]
    present = [content_of(words, pack) for words in now]
    changes = list(_changes(was, now, pack))
    if not set(was) & set(now):
        return ""

    def is_touched(unit: ContentUnit) -> bool:
        is_changed = any(one.holds(unit) != other.holds(unit) for one, other in changes)
        return is_changed and sum(one.holds(unit) for one in paragraphs) <= _EVERYWHERE

    def is_said_elsewhere(units: Sequence[ContentUnit]) -> bool:
        about = [unit for unit in units if any(one.holds(unit) for one, _ in changes)]
        is_new = any(other.holds(u) and u not in about for _, other in changes for u in units)
        return not is_new and any(all(map(one.holds, about)) for one in present)

    rows = ((row, content_of(row, pack).units) for row in hints.splitlines())
    return "\n".join(
        row for row, units in rows if not any(map(is_touched, units)) or is_said_elsewhere(units)
    ).strip()


def _changes(
    was: list[str], now: list[str], pack: LanguagePack
) -> Iterator[tuple[Content, Content]]:
    """Yields what was changed between the paragraphs of two texts, in pairs of old and new."""
    one, other = ([" ".join(words.split()) for words in text] for text in (was, now))
    for what, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if what != "equal":
            yield content_of("\n\n".join(was[a:b]), pack), content_of("\n\n".join(now[c:d]), pack)
