"""A prose answer while it streams: the story is shown, the notes around it are not (A4)."""

from __future__ import annotations

from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import SpokenWords, heading_of, is_wrapping
from studio.text.prose.going_on import Seam
from studio.text.prose.segmentation import sentences

_MARKS = ("#", "*", "_", "`")
"""The first characters of a line that may be a heading or a fence."""
_LONGEST_HEADING = 60


class LiveProse:
    """Passes on story text as soon as it is certain to be story.

    A line that may become a heading is held back until it ends, the first line until its sixtieth
    character. Joined, the pieces are the prose of `split_sections`.
    """

    def __init__(self) -> None:
        self._spoken = SpokenWords()
        self._section = "prose"
        self._line = ""
        self._is_story = False
        """Whether the current line is certainly prose."""
        self._space = ""
        """White space that is shown only if prose follows."""
        self._begun = False

    def take(self, piece: str) -> str:
        """Returns the part of the story that can be shown now that `piece` has arrived."""
        return self._shown(self._spoken.take(piece))

    def _shown(self, piece: str) -> str:
        *ends, rest = piece.split("\n")
        story = "".join(self._line_ended(end) for end in ends)
        self._line += rest
        self._is_story = self._is_story or (self._section == "prose" and self._is_certain())
        return story + self._flushed() if self._is_story else story

    def end(self) -> str:
        """Returns the rest of the story when the answer is over."""
        return self._shown(self._spoken.end()) + self._line_ended("")

    def _is_certain(self) -> bool:
        begun = self._line.lstrip()
        plain = self._begun and begun and not begun.startswith(_MARKS)
        return bool(plain) or len(begun) > _LONGEST_HEADING

    def _line_ended(self, end: str) -> str:
        self._line += end
        if not self._is_story:
            self._line = self._story_of(self._line)
        story = self._flushed()
        self._is_story = False
        if self._section == "prose":
            self._space += "\n"
        return story

    def _story_of(self, line: str) -> str:
        """Returns the part of a whole line that is prose."""
        heading = heading_of(line)
        if heading is not None:
            self._section, rest = heading
            return rest if self._section == "prose" else ""
        return "" if self._section != "prose" or is_wrapping(line, not self._begun) else line

    def _flushed(self) -> str:
        line, self._line = self._line, ""
        words = line.rstrip()
        if not words:
            self._space += line
            return ""
        space = "\n\n" if self._space.count("\n") > 1 else self._space
        story = space + words if self._begun else words
        self._begun, self._space = True, line[len(words) :]
        return story


class LiveContinuation:
    """Passes on the rest of a scene as it is to be appended to what stands: without a beginning
    that repeats the end of it, and with the space or the blank line between the two."""

    def __init__(self, stands: str, pack: LanguagePack) -> None:
        self._live = LiveProse()
        self._seam = Seam(stands, pack)
        self._held = ""
        self._is_joined = False

    def take(self, piece: str) -> str:
        """Returns the part of the story that can be appended now that `piece` has arrived."""
        story = self._live.take(piece)
        if self._is_joined:
            return story
        self._held += story
        return "" if self._seam.may_repeat(self._held) else self._joined()

    def end(self) -> str:
        """Returns the rest of the story when the answer is over."""
        story = self._live.end()
        if self._is_joined:
            return story
        self._held += story
        return self._joined()

    def _joined(self) -> str:
        story = self._seam.appended(self._held)
        self._is_joined = bool(story)
        return story


MINIMUM_CHARACTERS = 500
"""Prose shorter than this is asked for once more (seed A4)."""


def to_last_sentence(text: str, pack: LanguagePack) -> str:
    """Returns the text without an unfinished last sentence (small models stop anywhere)."""
    paragraphs = text.split("\n\n")
    while paragraphs:
        spans = sentences(paragraphs[-1], pack)
        while spans and not _is_whole(spans[-1].of(paragraphs[-1])):
            spans = spans[:-1]
        if spans:
            paragraphs[-1] = paragraphs[-1][: spans[-1].end].rstrip()
            return "\n\n".join(paragraphs)
        paragraphs.pop()
    return text


def _is_whole(sentence: str) -> bool:
    return sentence.rstrip().endswith(
        (".", "!", "?", "…", "。", "！", "？", '"', "”", "’", "」", "』")
    )
