"""Chapters as the platforms of serials take them: plain text, laid out and counted as each does.

What a platform wants is data, in platforms.toml. Nothing is posted: the text goes to the clipboard,
a file or stdout, and the writer puts it there.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

from studio.chapter_names import label_of, name_chapters, numbered_title, numbered_titles
from studio.config.schema import Settings
from studio.errors import usage
from studio.exchange.export import chapter_with_title, chapters_to_export
from studio.exchange.forms.manuscript import SetChapter, clean, set_chapter
from studio.exchange.forms.runs import plain_text, unwrap
from studio.i18n import Language
from studio.messages import said, series
from studio.project.store import ProjectStore
from studio.story.form.document import Value
from studio.story.lengths import Unit, length_of

Spacing = Literal["none", "blank", "dialogue"]
"""No blank line between paragraphs, one between all, or one where narration and speech meet."""


class Platform(Value):
    """How one platform takes a pasted chapter."""

    name: str
    other_names: tuple[str, ...] = ()
    language: Language
    spacing: Spacing
    indent: str
    scene_mark: str
    heading: Literal["none", "title", "full"]
    note: Literal["before", "after"]
    note_mark: str
    """The line above the author's note."""
    unit: Unit
    """What the platform's own counter counts."""
    source: str
    """The public page on which the unit rests; "" where none was found, so that it is what is usual
    in the language."""


@dataclass(frozen=True, slots=True)
class PlatformChapter:
    """A chapter as a platform takes it."""

    number: int
    title: str
    text: str
    """The whole text to paste; with the author's note, and the heading where there is one."""
    length: int
    """The length of the prose as the platform counts it."""
    sha256: str
    """The hash of the chapter's file, from which the text was made."""


@cache
def platforms() -> tuple[Platform, ...]:
    """Returns every platform, in the order of the file."""
    data = tomllib.loads(files("studio.exchange").joinpath("platforms.toml").read_text("utf-8"))
    return tuple(Platform(name=name, **fields) for name, fields in data.items())


def platform_named(name: str) -> Platform:
    """Returns the platform of that name, in whatever case and spacing; raises StudioError (exit 2)
    that lists those there are."""
    if platform := known_platform(name):
        return platform
    raise usage(
        said("There is no platform {name}.", name=repr(name)),
        said("The platforms are {names}.", names=series(p.name for p in platforms())),
    )


def known_platform(name: str) -> Platform | None:
    """Returns the platform of that name, or None."""
    for platform in platforms():
        if _fold(name) in map(_fold, (platform.name, *platform.other_names)):
            return platform
    return None


def platform_in_use(store: ProjectStore, language: Language) -> Platform:
    """Returns the platform that is meant where nobody names one: the one on which the author
    published last, else the first of the language."""
    for mark in reversed(store.published_marks().marks):
        if platform := known_platform(mark.platform):
            return platform
    return next(platform for platform in platforms() if platform.language == language)


def doubt_of(platform: Platform) -> str:
    """Returns the sentence that says where a count is not verified; "" where it is."""
    if platform.source:
        return ""
    return said(
        "How {platform} counts is not verified: this is what is usual in its language.",
        platform=platform.name,
    )


def _fold(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def for_platform(
    store: ProjectStore, settings: Settings, name: str, spec: str, spacing: Spacing | None = None
) -> tuple[Platform, list[PlatformChapter]]:
    """Returns the platform of that name, the one in use for "", and the
    selected chapters (`12-14`; all where `spec` is empty) as it takes them, with other blank lines
    than are usual there where a `spacing` is given; only reads the novel.
    Where several go out at once, each has its heading, so that one sees where it begins.

    Raises StudioError: exit 2 for a platform or a chapter there is not, 5 for one that cannot be
    read.
    """
    platform = platform_named(name) if name else platform_in_use(store, settings.novel.language)
    if spacing is not None:
        platform = platform.copy_with(spacing=spacing)
    numbers = chapters_to_export(spec, store)
    return platform, [
        _make(store, settings, platform, number, len(numbers) > 1) for number in numbers
    ]


def together(chapters: Iterable[PlatformChapter]) -> str:
    """Returns the chapters as one text."""
    return "\n\n\n".join(chapter.text.strip("\n") for chapter in chapters) + "\n"


def _make(
    store: ProjectStore, settings: Settings, platform: Platform, number: int, has_company: bool
) -> PlatformChapter:
    language = settings.novel.language
    chapter, title = chapter_with_title(store, number, language)
    set_ = set_chapter(number, clean(title), chapter)
    body = _body(set_, platform, language)
    note = (store.author_note(number) or "").strip()
    parts = [body, *_footnotes(set_, platform)]
    if note:
        note_lines = f"{platform.note_mark}\n\n{note}"
        parts = [note_lines, *parts] if platform.note == "before" else [*parts, note_lines]
    heading = platform.heading
    if heading == "none" and has_company:
        heading = "full"
    if heading != "none":
        full = _full_heading(number, set_.title, settings)
        parts.insert(0, set_.title if heading == "title" else full)
    return PlatformChapter(
        number,
        set_.title,
        "\n\n".join(parts) + "\n",
        length_of(body, platform.unit),
        chapter.sha256,
    )


def _full_heading(number: int, title: str, settings: Settings) -> str:
    """Returns what the chapter is called and its title: `1화 낡은 열쇠`."""
    label, language, word = (
        label_of(number),
        settings.novel.language,
        settings.novel.word_for_chapters,
    )
    is_numbered = any(map(str.isdecimal, label))
    name = (
        name_chapters(label, word) if word and is_numbered else numbered_title(label, language, "")
    )
    name = name[:1].upper() + name[1:]
    if title in numbered_titles(label):
        return name
    if title.casefold().startswith(name.casefold()):
        return title
    return f"{name}: {title}" if language == "en" else f"{name} {title}"


def _body(chapter: SetChapter, platform: Platform, language: Language) -> str:
    """Returns the prose: paragraphs with their indent and spacing, marks between scenes."""
    scenes = [
        "".join(_laid_out([plain_text(unwrap(block.runs)) for block in scene], platform, language))
        for scene in chapter.scenes
    ]
    return f"\n\n{platform.scene_mark}\n\n".join(scenes)


def _laid_out(paragraphs: Sequence[str], platform: Platform, language: Language) -> Iterator[str]:
    """Yields the paragraphs of a scene and what stands between them."""
    lines = [platform.indent + text.strip() for text in paragraphs]
    yield from lines[:1]
    for line, is_parted in zip(lines[1:], _gaps(paragraphs, platform, language), strict=True):
        yield "\n\n" if is_parted else "\n"
        yield line


def _gaps(paragraphs: Sequence[str], platform: Platform, language: Language) -> list[bool]:
    """Returns for each pair of neighbours whether a blank line parts them."""
    if platform.spacing != "dialogue":
        return [platform.spacing == "blank"] * max(0, len(paragraphs) - 1)
    from studio.text.language.packs import load_pack
    from studio.text.prose.dialogue import dialogue_by_paragraph

    spans = dialogue_by_paragraph(paragraphs, load_pack(language))
    speaks = [
        bool(own) and not text[: own[0].start].strip()
        for text, own in zip(paragraphs, spans, strict=True)
    ]
    return [before != after for before, after in pairwise(speaks)]


def _footnotes(chapter: SetChapter, platform: Platform) -> Iterator[str]:
    for number, runs in enumerate(chapter.notes, start=1):
        yield f"{platform.indent}[{number}] {plain_text(unwrap(runs))}"
