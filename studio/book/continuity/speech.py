"""Speech that the text itself attributes to a speaker beside it.

Examples: `“Come in,” said Joss`, `조스가 말했다.`, `乔斯说：`. A name that merely stands near a
speech is not taken as its speaker: a missed speaker is better than a dead man who speaks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.book.mentions import NameFinder
from studio.story.chapter import Chapter, Paragraph
from studio.text.language.packs import LanguagePack
from studio.text.language.speakers import speaker_of
from studio.text.prose.parse import read
from studio.text.spans import Span


@dataclass(frozen=True, slots=True)
class Speech:
    """One speech and its speaker."""

    slug: str
    scene: int
    paragraph: Paragraph
    span: Span
    """The span of the speech in the paragraph's prose, quotation marks included."""

    @property
    def words(self) -> str:
        """The words of the speech."""
        return self.paragraph.prose[self.span.start : self.span.end]


def speeches_in(chapter: Chapter, pack: LanguagePack, finder: NameFinder) -> list[Speech]:
    """Returns every speech of a chapter whose speaker is an entry named beside it."""
    return list(_speeches(chapter, pack, finder))


def _speeches(chapter: Chapter, pack: LanguagePack, finder: NameFinder) -> Iterator[Speech]:
    for paragraph, part in read(chapter.text, pack).parts:
        if not part.speech:
            continue
        names = {Span(m.start, m.end): m.slug for m in finder.find(part.text)}
        spoken = part.speech
        own = [n for n in names if not any(s.start <= n.start < s.end for s in spoken)]
        if not own:
            continue
        ends = [0, *(span.end for span in spoken)]
        starts = [*(span.start for span in spoken), len(part.text)]
        for number, span in enumerate(spoken):
            before = Span(ends[number], span.start)
            behind = Span(span.end, starts[number + 1])
            name = speaker_of(part.text, before, behind, own, pack.language)
            if name is not None:
                yield Speech(names[name], paragraph.scene, paragraph, span)
