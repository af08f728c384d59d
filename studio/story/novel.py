"""The files that describe a novel: style, rules, characters, storylines, promises, the words that
it adds to the spelling check, and what of its names and promises was proposed or put aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import AliasChoices, ConfigDict, Field

from studio.messages import said
from studio.story.form.document import Document, Sparse, Value
from studio.story.form.ids import Name, Slug

LANGUAGE_NAMES: Mapping[str, str] = {
    "ko": said("Korean"),
    "en": said("English"),
    "zh": said("Chinese"),
}


class StyleProfile(Document):
    """style-profile.json: how this author writes."""

    SCHEMA: ClassVar[str] = "style-profile"

    voice: str = ""
    """How the book sounds."""
    tense: str = ""
    sentence_rhythm: str = ""
    diction: str = ""
    imagery: tuple[str, ...] = ()
    dialogue: str = ""
    do: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    sample: str = ""
    """A short passage in the right voice."""


class BlacklistEntry(Value):
    """A phrase that smells of a machine; worst first in the file."""

    phrase: str = Field(min_length=1)
    """The words; in the measures they count as a cliché."""
    instead: str = ""
    """What to write in their place."""
    reason: str = ""
    """Why they do not belong."""


class Blacklist(Document):
    """ai-blacklist.json."""

    SCHEMA: ClassVar[str] = "ai-blacklist"

    entries: tuple[BlacklistEntry, ...] = ()


class Rule(Value):
    """One law of the world or of a storyline."""

    id: Slug
    rule: str = Field(min_length=1)
    reason: str = ""


class WorldRules(Document):
    """world/rules.json: L1 rules."""

    SCHEMA: ClassVar[str] = "world-rules"

    rules: tuple[Rule, ...] = ()


class CharacterContract(Document):
    """characters/active/{slug}.json: L2 contract; the profile is the .md beside it."""

    SCHEMA: ClassVar[str] = "character"

    id: Slug
    name: Name = Field(min_length=1)
    """What the guard watches and appearances are found by."""
    aliases: tuple[Name, ...] = ()
    """Every other form of the name that the text uses."""
    role: str = ""
    """Who this is in the book."""
    voice: str = ""
    """How this person speaks."""
    wants: str = ""
    fears: str = ""
    always: tuple[str, ...] = ()
    """What this person always does."""
    never: tuple[str, ...] = ()
    """What this person never does."""
    knows: tuple[str, ...] = ()
    """What this person knows in every chapter; `from chapter 3: the slip was hers` (`3장부터: ...`,
    `从第3章起：...`) from that one on."""


class Relationship(Value):
    """How one character stands to another."""

    source: Slug
    target: Slug
    kind: str
    """How the source stands to the target."""
    note: str = ""


class Relationships(Document):
    """characters/relationships.json."""

    SCHEMA: ClassVar[str] = "relationships"

    relationships: tuple[Relationship, ...] = ()


class Storyline(Value):
    """One thread of the book."""

    id: Slug
    title: str = Field(min_length=1)
    summary: str = ""
    pov: Slug | None = None
    characters: tuple[Slug, ...] = ()
    status: Literal["active", "dormant", "closed"] = "active"


class Storylines(Document):
    """storylines/storylines.json."""

    SCHEMA: ClassVar[str] = "storylines"

    storylines: tuple[Storyline, ...] = ()

    @property
    def main(self) -> Slug:
        """The storyline of a chapter that names none: `main`, or the first active one."""
        active = [line.id for line in self.storylines if line.status == "active"]
        return "main" if "main" in active or not active else active[0]


class StorylineSpec(Document):
    """storylines/storyline-spec.json: LS rules."""

    SCHEMA: ClassVar[str] = "storyline-spec"

    rules: tuple[Rule, ...] = ()


class ScheduledChapter(Value):
    """Which lines a chapter carries."""

    chapter: int = Field(ge=1)
    storyline_id: Slug
    """The storyline it carries."""
    concurrent: tuple[Slug, ...] = ()
    """Other storylines whose memories its agents are shown."""
    note: str = ""


class StorylineSchedule(Document):
    """volumes/vol-NN/storyline-schedule.json."""

    SCHEMA: ClassVar[str] = "storyline-schedule"

    chapters: tuple[ScheduledChapter, ...] = ()


PromiseStatus = Literal["planned", "planted", "advanced", "resolved", "abandoned"]


def _with_resolve_by(schema: dict[str, Any]) -> None:
    """Adds the alternative name of `due` to the schema of the file."""
    properties = schema["properties"]
    properties["resolve_by"] = {**properties["due"], "title": "Resolve By"}


class Promise(Sparse):
    """One piece of foreshadowing: planted here, paid there.

    `status`, `planted`, `last` and `resolved` are a copy of what the chapters' events say.
    """

    model_config = ConfigDict(json_schema_extra=_with_resolve_by)
    LATER = frozenset({"setup", "trigger", "payoff", "storyline_id", "places", "dormant_after"})

    id: Slug
    description: str = ""
    """What the reader waits for."""
    scope: Literal["short", "medium", "long"] = "medium"
    status: PromiseStatus = "planned"
    """Where it stands. In the global list a commit keeps this and the chapters up to date, from the
    changelog; the list of a volume is only read."""
    planted: int | None = Field(default=None, ge=1)
    """The chapter that planted it."""
    last: int | None = Field(default=None, ge=1)
    """The chapter that touched it last."""
    resolved: int | None = Field(default=None, ge=1)
    """The chapter that paid it."""
    due: int | None = Field(default=None, ge=1, validation_alias=AliasChoices("due", "resolve_by"))
    """The chapter by which the promise is paid; `resolve_by` is accepted as well."""
    characters: tuple[Slug, ...] = ()
    """Whom it is about."""
    setup: str = ""
    """How the promise is planted."""
    trigger: str = ""
    """What recalls the promise."""
    payoff: str = ""
    """What the payoff gives the reader."""
    storyline_id: Slug | None = None
    """The storyline it belongs to."""
    places: tuple[Slug, ...] = ()
    """Where it belongs."""
    dormant_after: int = Field(default=10, ge=1)
    """The number of chapters without a touch after which the promise is dormant."""

    @property
    def about(self) -> str:
        """The promise in the writer's words; its id where there are none."""
        return self.description or self.id

    @property
    def clause(self) -> str:
        """The promise in the writer's words, without the final stop, for use inside a sentence."""
        return clause(self.about)


def clause(words: str) -> str:
    """Returns words without their final stop, for use at the end of a longer sentence."""
    return words.rstrip(" .。")


class Foreshadowing(Document):
    """foreshadowing/global.json and volumes/vol-NN/foreshadowing.json."""

    SCHEMA: ClassVar[str] = "foreshadowing"

    promises: tuple[Promise, ...] = ()


class ExemplarMeta(Value):
    """Front matter of style-library/{id}.md: the five dimensions (seed A2) and its kind."""

    genre: str = ""
    scene_type: str = ""
    emotional_tone: str = ""
    pov: str = ""
    pacing: str = ""
    kind: Literal["good", "anti"] = "good"
    source: str = ""
    note: str = ""


class Exemplar(Value):
    """A passage that shows how (or how not) to write a kind of scene."""

    id: Slug
    meta: ExemplarMeta
    text: str = Field(min_length=1)


class SpellingWords(Document):
    """spelling.json: words of this book that are spelt as they are meant."""

    SCHEMA: ClassVar[str] = "spelling"

    words: tuple[str, ...] = ()
    """The words in alphabetical order, without duplicates."""

    def with_word(self, word: str) -> SpellingWords:
        """Returns a copy with this word added."""
        return self.copy_with(words=tuple(sorted({*self.words, word})))


class Suggestions(Document):
    """What `studio bible suggest` offers no more."""

    SCHEMA: ClassVar[str] = "suggestions"

    refused: tuple[str, ...] = ()
    """The names that were left."""


class ProposedEvent(Value):
    """What a chapter is said to do for a promise, with the words that show it."""

    kind: Literal["planted", "advanced", "resolved"]
    chapter: int = Field(ge=1)
    """The chapter that does it."""
    quote: str = Field(min_length=1)
    """The words exactly as in the chapter."""


class PromiseProposal(Value):
    """One thing to take or leave: a new promise with all that is said of it, or a single event of
    a promise that the book has."""

    id: Slug
    description: str = ""
    """What the reader is waiting for; empty where the book has the promise."""
    characters: tuple[Slug, ...] = ()
    events: tuple[ProposedEvent, ...] = Field(min_length=1)
    """The events in chapter order; the first event of a new promise plants it."""

    @property
    def is_new(self) -> bool:
        """Whether the proposal would add a promise."""
        return bool(self.description)

    @property
    def key(self) -> str:
        """The writer's key for the proposal: the promise's id, for an event with its chapter."""
        return self.id if self.is_new else f"{self.id}@{self.events[0].chapter}"


class LeftPromise(Value):
    """A proposal the writer left, which is not made again."""

    id: Slug
    chapter: int = Field(ge=1)
    quote: str
    """The quote of the proposal's first event."""


class PromiseProposals(Document):
    """What waits, and what was left."""

    SCHEMA: ClassVar[str] = "promise-proposals"

    proposals: tuple[PromiseProposal, ...] = ()
    """What a model read in the chapters; no prompt, check or list of promises knows of it before it
    is taken."""
    refused: tuple[LeftPromise, ...] = ()
    """What the author left."""
