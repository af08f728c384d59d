"""The answers that agents return when a book begins, and when a volume is planned; who and what
they bring into the book, as far as the book does not have it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from studio.project.planning.chapter_plan import Newcomer, people_names, places_names
from studio.project.planning.names import KnownNames, name_for_id, plain_name
from studio.project.store import ProjectStore
from studio.story.contract import ForeshadowAction
from studio.story.form.ids import LONGEST_NAME
from studio.story.review.answers import ACTIONS, ListedId, Wire
from studio.text.safe import safe_text


class ChosenPassage(Wire):
    """A passage of the sample for the style library."""

    text: str = Field(description="copied exactly from the sample, one to six paragraphs")
    genre: str
    scene_type: str = Field(description="dialogue, description, action, reflection or the like")
    emotional_tone: str
    pov: str
    pacing: str
    note: str = Field(description="one sentence: what can be learned from it")


class StyleAnswer(Wire):
    """The style analyzer's profile of an author."""

    DISPENSABLE = ("exemplars",)

    voice: str
    tense: str
    sentence_rhythm: str
    diction: str
    imagery: list[str]
    dialogue: str
    do: list[str]
    avoid: list[str]
    sample: str = Field(
        description="three to six sentences copied exactly from the sample; empty without one"
    )
    narration: str = Field(
        default="",
        description="`first` or `third`; then `, past` or `, present`; then `, looking back` where"
        " the teller knows what came later; empty where the brief and the sample leave it open",
    )
    genre: str = Field(default="", description="in the words of the brief; empty if it says none")
    exemplars: list[ChosenPassage]


_PLAIN = "paragraphs and lists, without headings or bold type"
"""What is kept of a page: nobody draws the marks of Markdown."""


class WorldDocument(Wire):
    """A page about the world."""

    name: str = Field(description="what it is called in the book")
    text: str = Field(description=_PLAIN)


class WorldLaw(Wire):
    """A law of the world that no chapter may break."""

    id: str = Field(description="lowercase letters, digits and hyphens")
    rule: str = Field(description="one sentence that a line of prose could be shown to break")
    reason: str


class WorldAnswer(Wire):
    """The world builder's light world."""

    DISPENSABLE = ("documents", "rules")

    documents: list[WorldDocument]
    rules: list[WorldLaw]


class PersonAnswer(Wire):
    """Somebody made by the character weaver."""

    id: str = Field(description="lowercase letters, digits and hyphens")
    name: str
    aliases: list[str]
    role: str
    voice: str
    wants: str
    fears: str
    always: list[str]
    never: list[str]
    knows: list[str]
    profile: str = Field(description=_PLAIN)


class ReadEntryFact(Wire):
    """Something the manuscript says of a name."""

    fact: str = Field(description="one sentence, in the novel's language")
    chapter: int
    quote: str = Field(description="copied exactly from that chapter")


class FilledEntry(Wire):
    """What an entry of the bible should hold of a name."""

    DISPENSABLE = ("facts",)

    name: str = Field(description="as it was given")
    kind: Literal["character", "place", "item", "faction", "lore", "none"]
    same_as: str = Field(description="another name of the list, or empty")
    facts: list[ReadEntryFact]


class EntriesAnswer(Wire):
    """Entries for names of a manuscript."""

    DISPENSABLE = ("entries",)

    entries: list[FilledEntry]


class PlannedChapter(Wire):
    """A chapter in an outline."""

    chapter: int
    title: str
    happens: str = Field(description="three to six sentences: what happens and what has turned")


class IntroducedEntry(Wire):
    """Somebody or some place that a plan brings into the book."""

    OTHER_WORDS = {
        "kind": {
            **dict.fromkeys(("character", "people", "인물", "사람", "人物", "角色"), "person"),
            **dict.fromkeys(("location", "setting", "장소", "곳", "地点", "场所"), "place"),
        }
    }

    kind: Literal["person", "place"]
    name: str = Field(description="as the book calls them")
    line: str = Field(
        description="who or what it is in the whole book, in one line: nothing of one chapter alone"
    )


class OutlineAnswer(Wire):
    """Chapters laid out by the plot architect, and who and what is new in them."""

    DISPENSABLE = ("introduces",)

    chapters: list[PlannedChapter]
    introduces: list[IntroducedEntry] = Field(
        default_factory=list, description="people and places that are not in the book yet"
    )


class PlannedTask(Wire):
    """What a chapter does for a promise."""

    OTHER_WORDS = {"action": ACTIONS}

    id: ListedId
    action: ForeshadowAction


class ArchitectChapter(PlannedChapter):
    """A chapter as the plot architect plans it in a volume."""

    storyline_id: ListedId = Field(
        description="the id of one of the storylines; empty where the book has one"
    )
    concurrent: list[ListedId] = Field(
        description="ids of storylines that run beside it; none where the book has one"
    )
    pov: ListedId | None
    place: ListedId = Field(
        default="", description="where most of it is; empty if nowhere in particular"
    )
    characters: list[ListedId]
    objectives: list[str] = Field(description="one to four, each to be checked on the page")
    must_not: list[str]
    promises: list[PlannedTask]


class ArchitectPromise(Wire):
    """A promise that the volume makes."""

    OTHER_WORDS = {
        "scope": {
            **dict.fromkeys(("short-term", "단기", "短期", "短"), "short"),
            **dict.fromkeys(("medium-term", "mid", "mid-term", "중기", "中期", "中"), "medium"),
            **dict.fromkeys(("long-term", "장기", "长期", "长"), "long"),
        }
    }

    id: str
    description: str = Field(description="what its reader waits for, in a sentence; never empty")
    scope: Literal["short", "medium", "long"]
    due: int | None = Field(description="the chapter by which it is paid")
    characters: list[ListedId] = Field(description="ids of the people it is about; they are needed")


class VolumeAnswer(Wire):
    """A whole volume laid out by the plot architect."""

    DISPENSABLE = ("promises", "introduces")

    about: str = Field(description="what the volume is about and changes for good")
    chapters: list[ArchitectChapter]
    promises: list[ArchitectPromise]
    introduces: list[IntroducedEntry] = Field(
        default_factory=list, description="people and places that are not in the book yet"
    )


class PlanPromise(Wire):
    """What a planned chapter does for a promise."""

    OTHER_WORDS = {"action": ACTIONS}

    promise: ListedId = Field(
        description="its id; a new one in a sentence that says what its reader waits for, and no id"
    )
    action: ForeshadowAction


class ChapterPlanAnswer(Wire):
    """One chapter planned by the plot architect."""

    DISPENSABLE = ("promises", "introduces")

    title: str
    happens: list[str] = Field(description="the beats in order, a sentence each, three to seven")
    characters: list[ListedId] = Field(
        description="who is there, by their ids; a name for a new one"
    )
    pov: ListedId = Field(description="the id of who sees it; empty for nobody")
    place: ListedId = Field(
        default="", description="the id of where it is, a name for a new one; empty for several"
    )
    must_not: list[str] = Field(description="what must not happen or be said yet")
    ends: list[str] = Field(description="what is different at its end, each checked on the page")
    promises: list[PlanPromise]
    introduces: list[IntroducedEntry] = Field(
        default_factory=list, description="people and places that are not in the book yet"
    )


class ChapterPlanAmongLines(ChapterPlanAnswer):
    """One chapter of a book that has several storylines."""

    storyline_id: ListedId = Field(default="", description="the id of the chapter's storyline")


def newcomers(store: ProjectStore, introduced: Iterable[IntroducedEntry]) -> tuple[Newcomer, ...]:
    """Returns the people and places of a plan that are new, each once: one whom the book knows by
    any of its names is left out, and so is what has no name or too long a one."""
    names = {
        "person": KnownNames(people_names(store), are_people=True),
        "place": KnownNames(places_names(store), are_people=False),
    }
    fresh: dict[str, Newcomer] = {}
    for entry in introduced:
        name, line = _one_line(entry.name), _one_line(entry.line)
        name = name_for_id(store, entry.kind, name) if name else name
        is_name = 0 < len(name) <= LONGEST_NAME and plain_name(name) not in fresh
        if is_name and names[entry.kind].id_of(name) is None:
            fresh[plain_name(name)] = Newcomer(kind=entry.kind, name=name, line=line)
    return tuple(fresh.values())


def _one_line(words: str) -> str:
    return " ".join(safe_text(words, keep_newlines=False).split())
