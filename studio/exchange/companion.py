"""The book's companions for reading elsewhere: its bible, and its outline with the plans.

Both consist of sheets, each a heading with Markdown below it, in the novel's language. Notes to
people are left out, as in every export.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from studio.book.bible import BibleEntry, read_bible
from studio.chapter_names import label_of, numbered_title
from studio.errors import usage
from studio.exchange.forms.manuscript import SetChapter, clean, set_chapter
from studio.i18n import Language
from studio.messages import said
from studio.project import outline
from studio.project.store import ProjectStore
from studio.story.bible_entry import EntryKind
from studio.story.chapter import Chapter
from studio.story.contract import ChapterContract
from studio.story.notes import without_notes
from studio.text.language.packs import load_pack

Companion = Literal["bible", "outline"]
_GROUPS: Mapping[Language, Mapping[EntryKind | Literal["rules"], str]] = {
    "en": {
        "character": "People",
        "place": "Places",
        "item": "Things",
        "faction": "Groups",
        "lore": "Lore",
        "rules": "Rules",
    },
    "ko": {
        "character": "인물",
        "place": "장소",
        "item": "물건",
        "faction": "세력",
        "lore": "설정",
        "rules": "규칙",
    },
    "zh": {
        "character": "人物",
        "place": "地点",
        "item": "物品",
        "faction": "势力",
        "lore": "设定",
        "rules": "规则",
    },
}
_NAMES = (
    *("aliases", "role", "voice", "wants", "fears", "always", "never", "knows"),
    *("objectives", "must_not", "beats", "scenes", "volume"),
)
_WORDS: Mapping[Language, tuple[str, ...]] = {
    "en": (
        *("Also", "Role", "Voice", "Wants", "Fears", "Always", "Never", "Knows"),
        *("What happens", "Must not", "Beats", "Scenes", "Volume"),
    ),
    "ko": (
        *(
            "다른 이름",
            "역할",
            "말투",
            "바라는 것",
            "두려워하는 것",
            "늘 하는 것",
            "절대 하지 않는 것",
            "아는 것",
        ),
        *("사건", "금지", "사건의 차례", "장면", "권"),
    ),
    "zh": (
        *("别名", "角色", "口吻", "想要什么", "害怕什么", "总会做的事", "绝不做的事", "知道什么"),
        *("发生什么", "不得", "情节顺序", "场", "卷"),
    ),
}
_FIELDS = {language: dict(zip(_NAMES, words, strict=True)) for language, words in _WORDS.items()}
_HEADING = re.compile(r"^(#{1,6})[ \t]+([^\r\n]*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*[-*+][ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A heading and the text below it."""

    group: str
    """The group that the sheet belongs to, such as people or a volume."""
    title: str
    text: str
    """Markdown without a heading at the top."""


def sheets_of(
    store: ProjectStore, language: Language, part: Companion, chapters: Sequence[int] | None = None
) -> list[Sheet]:
    """Returns the sheets of the bible, or of the outline (limited to `chapters` where some are
    named).

    Raises StudioError: 2 where nothing exists yet, 5 for a file that cannot be read.
    """
    sheets = _bible(store, language) if part == "bible" else _outline(store, language)
    wanted = [sheet for number, sheet in sheets if chapters is None or number in chapters]
    if not wanted:
        raise usage(
            said("There is no {part} to export yet.", part=part),
            said("It begins in the app, or by hand."),
        )
    return wanted


def planned_chapters(store: ProjectStore) -> list[int]:
    """Returns the chapters that an outline or a contract mentions, in ascending order."""
    numbers: set[int] = set()
    for volume in store.layout.volume_numbers():
        numbers |= {section.chapter for section in outline.sections(store.outline(volume))}
        numbers |= set(store.layout.contract_numbers(volume))
    return sorted(numbers)


def as_markdown(head: str, sheets: Iterable[Sheet]) -> str:
    """Renders all sheets under headings: groups on the first level, sheets on the second."""
    blocks, group = [head], ""
    for sheet in sheets:
        if sheet.group != group:
            group = sheet.group
            blocks.append(f"# {group}")
        blocks += [f"## {sheet.title}"] if sheet.title != group else []
        blocks.append(_HEADING.sub(_lower, sheet.text).strip())
    return "\n\n".join(filter(None, blocks)) + "\n"


def as_chapters(sheets: Iterable[Sheet]) -> tuple[SetChapter, ...]:
    """Turns each sheet into a chapter of a manuscript; its headings become bold
    lines, and its lists plain lines."""
    return tuple(
        set_chapter(number, clean(sheet.title), Chapter(_without_marks(sheet.text)))
        for number, sheet in enumerate(sheets, start=1)
    )


def _lower(heading: re.Match[str]) -> str:
    return f"{'#' * min(6, max(3, len(heading[1]) + 1))} {heading[2]}"


def _without_marks(text: str) -> str:
    bold = _HEADING.sub(lambda match: f"\n\n**{match[2].strip('*')}**\n\n", text)
    return _ITEM.sub("\n\n• ", bold)


# The bible


def _bible(store: ProjectStore, language: Language) -> Iterator[tuple[int, Sheet]]:
    groups = _GROUPS[language]
    entries = list(read_bible(store).entries.values())
    kinds: tuple[EntryKind, ...] = ("character", "place", "item", "faction", "lore")
    for kind in kinds:
        for entry in entries:
            if entry.kind == kind:
                yield 0, Sheet(groups[kind], entry.name, _of_entry(entry, language))
    aside = "（{}）" if language == "zh" else " ({})"
    rules = [
        f"- {one.rule}" + aside.format(one.reason) * bool(one.reason)
        for one in store.world_rules().rules
    ]
    if rules:
        yield 0, Sheet(groups["rules"], groups["rules"], "\n".join(rules))


def _of_entry(entry: BibleEntry, language: Language) -> str:
    names, contract, pack = _FIELDS[language], entry.contract, load_pack(language)
    others = pack.comma.join(name for name in entry.names if name != entry.name)
    lines = [f"*{pack.headed(names['aliases'], others)}*"] if others else []
    text = entry.text.at(None)
    heading = _HEADING.match(text)
    if heading and heading[2] == entry.name:
        text = text[heading.end() :].lstrip()
    lines.append(text)
    if contract is not None:
        for field in ("role", "voice", "wants", "fears", "always", "never", "knows"):
            value = getattr(contract, field)
            by = "；" if language == "zh" else "; "
            words = value if isinstance(value, str) else by.join(value)
            label = f"**{names[field]}：**" if language == "zh" else f"**{names[field]}:** "
            lines += [label + words] if words else []
    return "\n\n".join(filter(None, lines))


# The outline


def _outline(store: ProjectStore, language: Language) -> Iterator[tuple[int, Sheet]]:
    names = _FIELDS[language]
    for volume in store.layout.volume_numbers():
        text = store.outline(volume)
        group = f"{names['volume']} {volume}" if language == "en" else f"{volume}{names['volume']}"
        if preface := outline.preface_of(text).strip():
            yield 0, Sheet(group, group, _HEADING.sub("", preface).strip())
        sections = {section.chapter: section for section in outline.sections(text)}
        for number in sorted({*sections, *store.layout.contract_numbers(volume)}):
            contract = store.contract_in(volume, number)
            section = sections.get(number)
            title = (section.title if section else "") or (contract.title if contract else "")
            parts = [section.body if section else "", _of_contract(contract, names)]
            words = "\n\n".join(filter(None, parts))
            label = label_of(number)
            heading = f"{label}. {title}" if title else numbered_title(label, language)
            yield number, Sheet(group, heading, without_notes(words))


def _of_contract(contract: ChapterContract | None, names: Mapping[str, str]) -> str:
    if contract is None:
        return ""
    scenes = tuple(scene.purpose for scene in contract.scenes)
    lists = (
        ("objectives", contract.objectives),
        ("must_not", contract.must_not),
        ("beats", () if scenes else contract.beats),
        ("scenes", scenes),
    )
    return "\n\n".join(
        f"**{names[name]}**\n\n" + "\n".join(f"- {one}" for one in several)
        for name, several in lists
        if several
    )
