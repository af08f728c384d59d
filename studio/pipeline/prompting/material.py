"""What the project knows, as the texts of prompt blocks for one chapter.

Each block is a small function of the store and the contract; nothing here
reads a committed chapter's text except the tail of the one before (seed D1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from studio.book.as_of import StoryAt
from studio.book.promise_plans import planted_later
from studio.book.promises import PromiseSoFar
from studio.project.store import Character, ProjectStore
from studio.story.chapter import Chapter
from studio.story.contract import ChapterContract, SceneSpec
from studio.story.form.document import encode, to_jsonable
from studio.story.novel import Exemplar
from studio.text.language.packs import LanguagePack

TAIL_CHARACTERS = 300
"""How much of what came before a scene is shown to its drafter (seed A5)."""
SHORTEST_TAIL = 100
"""How much of it stays where the model's window is small."""
MAX_PROFILES = 3
"""Full character profiles in one scene prompt (seed A21)."""
MAX_ACTIVE = 15
"""Characters where no contract names them (seed D7)."""
DRAFTER_BLACKLIST = 10
"""Entries of the blacklist the drafter sees; refiner and judge see all (seed D6)."""
RECENT_SUMMARIES = 3


class Material:
    """Block texts of one chapter, each made when it is asked for."""

    def __init__(self, store: ProjectStore, contract: ChapterContract, pack: LanguagePack) -> None:
        self._store = store
        self._contract = contract
        self._pack = pack
        self._story = StoryAt(store, contract.chapter)
        self._texts: dict[str, str] = {}
        self._makers: dict[str, Callable[[], str]] = {
            "brief": store.brief,
            "style": self._style,
            "world-rules": self._world_rules,
            "world": self._world,
            "craft": lambda: self._pack.craft,
            "blacklist": self._blacklist,
            "characters-contract": self._character_contracts,
            "outline": self._outline,
            "contract": self._contract_text,
            "storyline": self._storyline,
            "neighbours": self._neighbours,
            "state": self._state,
            "entity-ids": self._entity_ids,
            "summaries": self._summaries,
            "foreshadowing": self._foreshadowing,
            "characters": lambda: self.profiles(self._cast()),
        }

    def blocks(self, names: Iterable[str]) -> dict[str, str]:
        """The texts of those of `names` that belong to the chapter, each read once a run."""
        own = [name for name in names if name in self._makers]
        for name in own:
            if name not in self._texts:
                self._texts[name] = self._makers[name]()
        return {name: self._texts[name] for name in own}

    def shorter(self, blocks: Mapping[str, str]) -> dict[str, str]:
        """What stays of those blocks that can be cut where the model's window is small."""
        forms = {}
        if "storyline" in blocks:
            forms["storyline"] = self._line_rules
        if "previous-tail" in blocks:
            forms["previous-tail"] = _end(blocks["previous-tail"])
        return forms

    @cached_property
    def characters(self) -> dict[str, Character]:
        """Active characters by slug."""
        return self._store.characters()

    @cached_property
    def exemplars(self) -> list[Exemplar]:
        """The style library."""
        return self._store.exemplars()

    def name_of(self, slug: str | None) -> str:
        """The name a reader knows a character by; the slug itself when nobody wrote one down."""
        if slug is None:
            return ""
        character = self.characters.get(slug)
        if character is None or character.contract is None:
            return slug
        return character.contract.name

    def names(self) -> tuple[str, ...]:
        """Every name and alias of every active character: what the facts guard watches."""
        all_names: list[str] = []
        for character in self.characters.values():
            if character.contract is not None:
                all_names += [character.contract.name, *character.contract.aliases]
        return tuple(dict.fromkeys(all_names))

    def spoken_for(self) -> dict[str, tuple[str, ...]]:
        """Slug to the names it goes by."""
        return {
            slug: (c.contract.name, *c.contract.aliases) if c.contract else (slug,)
            for slug, c in self.characters.items()
        }

    def profiles(self, slugs: Iterable[str]) -> str:
        """Full profiles of at most three characters; the others by one line (seed A21)."""
        slugs = tuple(slugs)
        parts: list[str] = []
        for index, slug in enumerate(dict.fromkeys(slugs)):
            character = self.characters.get(slug)
            if character is None:
                parts.append(f"{slug}: (no profile yet)")
            elif index < MAX_PROFILES:
                parts.append(_full_profile(slug, character))
            else:
                parts.append(_one_line(slug, character))
        return "\n\n".join([*parts, *self._relationships(set(slugs))])

    def _relationships(self, present: set[str]) -> list[str]:
        """How those who are present stand to each other."""
        return [
            f"{self.name_of(r.source)} to {self.name_of(r.target)}: {r.kind}. {r.note}".strip()
            for r in self._story.relationships
            if {r.source, r.target} <= present
        ]

    def tail_of_previous_chapter(self, characters: int = TAIL_CHARACTERS) -> str:
        """The last words of the chapter before, or nothing for the first."""
        if self._contract.chapter == 1:
            return ""
        before = self._store.chapter(self._contract.chapter - 1)
        return tail(before.text, characters) if before else ""

    def _cast(self) -> tuple[str, ...]:
        if self._contract.characters:
            return self._contract.characters
        entries = self._story.state.characters

        def last_seen(slug: str) -> int:
            entry = entries.get(slug)
            value = entry.get("last_seen") if isinstance(entry, dict) else None
            return value if isinstance(value, int) else 0

        return tuple(sorted(self.characters, key=lambda s: (-last_seen(s), s))[:MAX_ACTIVE])

    def _style(self) -> str:
        return _plain(self._store.style_profile())

    def _world_rules(self) -> str:
        rules = self._store.world_rules().rules
        return "\n".join(f"- [{rule.id}] {rule.rule}" for rule in rules)

    def _world(self) -> str:
        docs = self._store.world_docs()
        return "\n\n".join(f"## {name}\n{text.strip()}" for name, text in docs.items())

    def _blacklist(self) -> str:
        return "\n".join(_blacklist_line(entry) for entry in self._store.blacklist().entries)

    def worst_phrases(self) -> str:
        """The head of the blacklist, for the drafter."""
        entries = self._store.blacklist().entries[:DRAFTER_BLACKLIST]
        return "\n".join(_blacklist_line(entry) for entry in entries)

    def _character_contracts(self) -> str:
        return "\n".join(
            _rules_of(slug, self.characters[slug])
            for slug in self._cast()
            if slug in self.characters and self.characters[slug].contract
        )

    def _outline(self) -> str:
        section = self._store.outline_section(self._contract.chapter, self._contract.volume)
        return f"{section[0]}\n{section[1]}" if section else ""

    def _contract_text(self) -> str:
        plan = to_jsonable(self._contract)
        plan.pop("schema_version", None)
        plan.pop("scenes", None)
        return encode({k: v for k, v in plan.items() if v not in (None, [], "")}).decode()

    def _storyline(self) -> str:
        lines = self._store.storylines().storylines
        own = next((s for s in lines if s.id == self._contract.storyline_id), None)
        memory = self._story.memory(self._contract.storyline_id)
        parts = [f"{own.title}: {own.summary}" if own else self._contract.storyline_id]
        if self._line_rules:
            parts.append(self._line_rules)
        if memory:
            parts.append(f"What this line remembers:\n{memory}")
        return "\n".join(parts)

    @cached_property
    def _line_rules(self) -> str:
        spec = self._store.storyline_spec().rules
        return "\n".join(f"Rule [{rule.id}]: {rule.rule}" for rule in spec)

    def _neighbours(self) -> str:
        schedule = self._store.schedule(self._contract.volume).chapters
        entry = next((c for c in schedule if c.chapter == self._contract.chapter), None)
        memories = {s: self._story.memory(s) for s in (entry.concurrent if entry else ())}
        return "\n\n".join(f"{line}:\n{memory}" for line, memory in memories.items() if memory)

    def _state(self) -> str:
        tree = {name: value for name, value in self._story.state.tree.items() if value}
        return encode(tree).decode() if tree else ""

    def _entity_ids(self) -> str:
        ids = [f"characters.{s}: {self.name_of(s)}" for s in self.characters]
        tree = self._story.state.tree
        for category in ("items", "locations", "factions"):
            ids += [f"{category}.{slug}" for slug in tree[category]]
        ids += [f"storyline {s.id}: {s.title}" for s in self._store.storylines().storylines]
        ids += [f"promise {p.id}: {p.plan.description}" for p in self._nameable_promises()]
        return "\n".join(ids)

    @cached_property
    def _promises(self) -> dict[str, PromiseSoFar]:
        return self._story.promises(self._contract.volume)

    def _nameable_promises(self) -> Iterator[PromiseSoFar]:
        """Those a reader of this chapter may hear of: begun before it, named by its plan, or
        planned for no later chapter."""
        own = {task.id for task in self._contract.foreshadowing}
        later = planted_later(self._store, self._contract.volume, self._contract.chapter)
        for promise in self._promises.values():
            begun = bool(promise.events) or promise.id in own
            if begun or not (promise.id in later or self._story.opened_later(promise)):
                yield promise

    def _summaries(self) -> str:
        number = self._contract.chapter
        recent = self._story.summaries(range(max(1, number - RECENT_SUMMARIES), number))
        return "\n\n".join(f"Chapter {n}: {text}" for n, text in recent.items())

    def _foreshadowing(self) -> str:
        about = {p.id: p.plan.description for p in self._promises.values()}
        return "\n".join(
            f"- {task.action} {task.id}: {about.get(task.id, '')}".rstrip(": ")
            for task in self._contract.foreshadowing
        )


def tail(text: str, characters: int = TAIL_CHARACTERS) -> str:
    """The last words of a text, without the title line or scene breaks."""
    prose = "\n\n".join(p.prose for p in Chapter(text).paragraphs)
    return prose[-characters:].strip() if characters else ""


def _end(words: str) -> str:
    """The last of these words, from the beginning of one."""
    end = words[-SHORTEST_TAIL:]
    return end if len(end) == len(words) else end[end.find(" ") + 1 :]


def scene_plan(scene: SceneSpec, name_of: Callable[[str | None], str]) -> str:
    """A scene's plan in words for its drafter."""
    rows = [
        ("Scene", str(scene.number)),
        ("Purpose", scene.purpose),
        ("Point of view", name_of(scene.pov)),
        ("Place", scene.location or ""),
        ("Present", ", ".join(name_of(c) for c in scene.characters)),
        ("Emotion", " to ".join(e for e in (scene.entry_emotion, scene.exit_emotion) if e)),
        ("Peak moment", scene.peak_moment),
        ("Senses to ground it in", "; ".join(scene.sensory_anchors)),
        ("What the dialogue must do", "; ".join(scene.dialogue_goals)),
        ("Comes from", scene.transition_from),
        ("Leads to", scene.transition_to),
        ("Tone", scene.emotional_tone),
        ("Style here", _override(scene)),
    ]
    return "\n".join(f"{label}: {text}" for label, text in rows if text)


def numbered(chapter: Chapter) -> str:
    """The chapter with each paragraph's address, as the judge quotes it: `[2.3] ...`."""
    return "\n\n".join(f"[{p.scene}.{p.number}] {p.prose}" for p in chapter.paragraphs)


def exemplar_text(exemplars: Iterable[Exemplar]) -> str:
    """Example passages with their kind of scene."""
    return "\n\n".join(f"({e.meta.scene_type}; {e.id})\n{e.text.strip()}" for e in exemplars)


def _override(scene: SceneSpec) -> str:
    if scene.style_override is None:
        return ""
    fields = scene.style_override.model_dump(exclude_none=True)
    return ", ".join(f"{key}: {value}" for key, value in fields.items())


def _plain(document: Any) -> str:
    data = to_jsonable(document)
    data.pop("schema_version", None)
    lines = []
    for key, value in data.items():
        if value:
            words = "; ".join(value) if isinstance(value, list) else value
            lines.append(f"{key.replace('_', ' ')}: {words}")
    return "\n".join(lines)


def _blacklist_line(entry: Any) -> str:
    return f"- {entry.phrase}" + (f" (rather: {entry.instead})" if entry.instead else "")


def _full_profile(slug: str, character: Character) -> str:
    name = character.contract.name if character.contract else slug
    rules = _rules_of(slug, character) if character.contract else ""
    return "\n".join(
        part for part in (f"{name} ({slug})", character.profile.strip(), rules) if part
    )


def _one_line(slug: str, character: Character) -> str:
    contract = character.contract
    return f"{contract.name} ({slug}): {contract.role}" if contract else slug


def _rules_of(slug: str, character: Character) -> str:
    contract = character.contract
    assert contract is not None
    rows = [
        ("voice", contract.voice),
        ("wants", contract.wants),
        ("fears", contract.fears),
        ("always", "; ".join(contract.always)),
        ("never", "; ".join(contract.never)),
        ("knows", "; ".join(contract.knows)),
    ]
    rules = ". ".join(f"{label}: {text}" for label, text in rows if text)
    return f"{contract.name} ({slug}): {rules}"
