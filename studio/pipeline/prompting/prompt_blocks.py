"""What the project knows, as the lines of prompt blocks for one chapter.

Each block is a small function of the story as of the chapter; nothing here reads a committed
chapter's text except the tail of the one before (seed D1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from studio.book.as_of import StoryAt
from studio.book.bible import (
    Bible,
    NameFinder,
    SelectedEntry,
    plan_words,
    select,
    slugs_in_plan,
)
from studio.book.promises import OVER
from studio.book.unnamed_people import in_roles, kin_in
from studio.config.toml_text import parse_toml
from studio.errors import StudioError
from studio.messages import said
from studio.pipeline.events import DRAFTER, PREWRITER
from studio.pipeline.prompting.agent_question import (
    ARCHITECT,
    CHECKER,
    JOINER,
    JUDGE,
    REFINER,
    SUMMARIZER,
    SURGEON,
    WHOLE_CHAPTER,
    Occasion,
)
from studio.pipeline.prompting.decided_facts import (
    StoryAsDecided,
    answers_for_a_writer,
    answers_of_reviews,
)
from studio.pipeline.prompting.exemplars import voices
from studio.pipeline.prompting.lines import (
    Lines,
    PromptLine,
    join_lines,
    says_something,
    steer,
)
from studio.pipeline.prompting.plan_words import (
    NameOf,
    called_in,
    chapter_plan,
    head_of_plan,
    scene_plan,
    scene_texts,
    viewpoints_of,
)
from studio.pipeline.prompting.state_words import (
    fields_in_words,
    state_by_ids,
    state_in_words,
    without_ids,
)
from studio.pipeline.prompting.story_lines import (
    MAX_PROFILES,
    EarlierLines,
    PromiseLines,
    Reach,
    StorylineLines,
    cards,
    has_rules,
    ids_given_before,
    in_a_row,
    people_lines,
    rules_of,
    says_no,
    world_lines,
)
from studio.pipeline.prompting.whose_cards import (
    PASSAGE_BLOCKS,
    PINNED,
    far_from,
    named_in,
    pinned_entries,
)
from studio.pipeline.prompting.withheld_secrets import (
    Viewpoint,
    knowledge_lines,
)
from studio.project import layout as places
from studio.project.files import load
from studio.project.planning.names import KnownNames
from studio.project.store import ProjectStore
from studio.story.chapter import SCENE_BREAK, Chapter
from studio.story.contract import ChapterContract, SceneSpec
from studio.story.form.document import to_jsonable
from studio.story.form.slugs import slug_fault
from studio.story.notes import without_notes
from studio.story.novel import BlacklistEntry, Exemplar, Relationship
from studio.story.prompt_config import ContextLines, Steering
from studio.story.review.directive import DirectiveType
from studio.text.craft import craft_of, describes_writing, profile_of_rules, without_examples
from studio.text.language.packs import LanguagePack, manner_words, worn_phrases
from studio.text.prose.parse import units_in

TAIL_CHARACTERS = 300
"""Characters of the text right before a scene (seed A5) in which entries are looked for."""
LAST_PAGES: Mapping[str, int] = {"words": 1200, "characters": 3000}
"""How much of the end of the chapter before is in a drafter's prompt, in the language's unit
(WRITING 1)."""
LAST_LINES: Mapping[str, int] = {"words": 100, "characters": 300}
"""How much of it who judges a chapter reads, to see whether it goes on from there."""
FIRST_PARAGRAPH = "1.1"
"""The id of the line with the first paragraph of a chapter."""
NEVER_LEFT_OUT: Mapping[str, int] = {"words": 600, "characters": 1200}
"""The words right before a scene that no window is too small for (WRITING 1)."""
_OTHER_FORMS: Mapping[str, Mapping[str, str]] = {
    JUDGE: {"craft": "rules of craft", "contract": "events of the contract"},
    SUMMARIZER: {
        "contract": "head of the contract",
        "state": "state by ids",
        "neighbours": "neighbours as they stand",
    },
    CHECKER: {"state": "state by ids", "characters-contract": "rules with all to come"},
    ARCHITECT: {"characters-contract": "rules with all to come"},
    DRAFTER: {"answered": "answers for a writer"},
    PREWRITER: {"answered": "answers for a writer"},
    SURGEON: {"blacklist": "worst phrases", "answered": "answers for a writer"},
    JOINER: {"craft": "rules of a bridge", "blacklist": "worst phrases"},
    REFINER: {"craft": "rules of a paragraph"},
}
"""The blocks of which an agent gets another form: who reads a chapter or edits its lines by the
rules of craft needs no examples of them, how a scene was to feel is for who writes it, what was to
happen misleads who sets down what did, only who answers by ids reads the state by them, and who
plans or compares several chapters has to know from when a person knows something, and only who has
no summaries of the latest chapters has to be told how the lines beside it ended in them."""
_CATEGORIES: Mapping[str, str] = {"place": "locations", "item": "items", "faction": "factions"}
"""Where the state keeps what an entry is about that is no person; lore is of no one category."""
_BY_A_SUMMARIZER = frozenset({"summaries", "storyline", "neighbours", "previous-review"})
"""The blocks with sentences of a model that answers by ids, and may put one into a sentence."""
_BRIDGE = DirectiveType.TRANSITION_SMOOTHING
_LONGEST_SAMPLE = 6000
"""The characters of her own sample in which is looked for what she does against a craft rule."""
MAX_ACTIVE = 15
"""The most characters if no contract names them (seed D7)."""
MOST_PHRASES = 10
"""Entries of the author's blacklist that drafter and surgeon see; refiner and judge see all of them
(seed D6). As many phrases of the studio's follow as there is room for in these ten."""
_OURS = "Not the author's, but what models write far more often than people:"
WORDS_AROUND: Mapping[str, str] = {
    "direction": "direction",
    "notes": "notes",
    "scene-plan": "plan",
    "contract": "plan",
    "plan-units": "plan",
    "outline": "outline",
    "directive": said("the instruction"),
    "before": said("the words before it"),
    "chapter": "the chapter",
    "scene": "the scene",
    "passage": "the passage",
    "around": "the words around it",
    "behind": "the words around it",
}
"""Blocks of a call whose words are searched for entries, with the name of each block."""


class PromptBlocks:
    """The blocks of one chapter, each made on demand."""

    def __init__(self, store: ProjectStore, contract: ChapterContract, pack: LanguagePack) -> None:
        self._store = store
        self._contract = contract
        self._pack = pack
        self._story = StoryAsDecided(store, contract.chapter, pack)
        self._storylines = StorylineLines(store, self._story, contract, pack)
        earlier = EarlierLines(store, self._story, contract, pack)
        self._fixed: dict[str, Lines] = {}
        self._selected: tuple[Occasion, list[SelectedEntry]] | None = None
        self._people_of: dict[str, tuple[str, ...]] = {}
        self._texts: dict[str, Callable[[], str]] = {
            "brief": lambda: _of_more_than_a_title(store.brief()),
            "style": lambda: _plain(profile_of_rules(store.style_profile()), pack),
            "world-rules": self._world_rules,
            "craft": self.craft,
            "rules of craft": lambda: without_examples(self.craft()),
            "rules of a paragraph": lambda: without_examples(self.craft(of_a_passage=True)),
            "rules of a bridge": lambda: without_examples(self.craft(kind=_BRIDGE)),
            "blacklist": lambda: _phrases(store.blacklist().entries, pack),
            "worst phrases": self.worst_phrases,
            "outline": self._outline,
            "answered": partial(answers_of_reviews, store, contract.chapter, pack),
            "answers for a writer": self._answers_for_a_writer,
            "contract": self.chapter_plan,
            "head of the contract": self._head_of_plan,
            "events of the contract": lambda: self.chapter_plan(with_manner=False),
            "state": lambda: state_in_words(
                self._story.state.tree, self.name_of, pack, contract.chapter
            ),
            "state by ids": lambda: state_by_ids(self._story.state.tree, self._promises.name_of),
        }
        self._lines: dict[str, Callable[[], Iterable[PromptLine]]] = {
            "characters-contract": lambda: self._rules_of_the_line(self._contract.chapter),
            "rules with all to come": lambda: self._rules_of_the_line(None),
            "storyline": self._storylines.storyline,
            "neighbours": self._storylines.neighbours,
            "neighbours as they stand": partial(self._storylines.neighbours, as_they_stand=True),
            "schedule": self._storylines.schedule,
            "volume-outline": self._storylines.volume_outline,
            "crossrefs": earlier.crossrefs,
            "previous-review": earlier.previous_review,
        }
        self._by_occasion: dict[str, Callable[[Occasion], Iterable[PromptLine]]] = {
            "people": self._people,
            "entity-ids": self._entity_ids,
            "world": self._world,
            "place": self._place,
            "knowledge": self._knowledge,
            "foreshadowing": self._foreshadowing,
            "summaries": lambda occasion: earlier.summaries(
                self.steering(occasion).pinned_in("summaries"), occasion.whole
            ),
        }

    def lines(self, names: Iterable[str], occasion: Occasion = WHOLE_CHAPTER) -> dict[str, Lines]:
        """Returns the lines of those of `names` that belong to the chapter, each read once."""
        blocks: dict[str, Lines] = {}
        steering = self.steering(occasion)
        for name in names:
            if name in self._by_occasion:
                blocks[name] = steer(name, self._by_occasion[name](occasion), steering)
            elif name in self._texts or name in self._lines:
                form = _OTHER_FORMS.get(occasion.agent, {}).get(name, name)
                blocks[name] = steer(name, self._fixed_lines(name, form), steering)
        facts, by_names = self._story.decided, _by_names(blocks, self.name_of)
        return {name: facts.in_force(name, rows) for name, rows in by_names.items()}

    def steering(self, occasion: Occasion) -> Steering:
        """Returns the writer's pins, mutes and swaps for the lines of a call."""
        return self._chosen_lines.for_call(occasion.agent, self._contract.chapter)

    @cached_property
    def _chosen_lines(self) -> ContextLines:
        return self._store.context_lines()

    def texts(self, names: Iterable[str], occasion: Occasion = WHOLE_CHAPTER) -> dict[str, str]:
        """Returns the same as texts."""
        return {name: join_lines(name, rows) for name, rows in self.lines(names, occasion).items()}

    def _fixed_lines(self, name: str, form: str) -> Lines:
        if form not in self._fixed:
            made = self._texts.get(form)
            self._fixed[form] = (PromptLine(name, made()),) if made else tuple(self._lines[form]())
        return self._fixed[form]

    @cached_property
    def bible(self) -> Bible:
        """All entries of the bible."""
        return self._story.bible

    @cached_property
    def finder(self) -> NameFinder:
        """The finder for the names of all entries."""
        return NameFinder(self.bible.entries.values())

    @cached_property
    def exemplars(self) -> list[Exemplar]:
        """The style library."""
        return self._store.exemplars()

    def voices(self) -> tuple[Exemplar, ...]:
        """Returns the passages that show how the book is meant to sound, to whoever reads a whole
        chapter of it; none where the style profile holds a sample of the author's own (PROSE 5)."""
        return () if self._store.style_profile().sample.strip() else voices(self.exemplars)

    def name_of(self, slug: str | None) -> str:
        """Returns the name a reader knows an entry by; of a slug that nobody described its words,
        and a name that is none as it is."""
        if slug is None:
            return ""
        name = self._story.name_of(slug := self._entry_with(slug) or slug)
        return name if name != slug or slug_fault(name) else re.sub(r"[-_]+", " ", name)

    def names(self) -> tuple[str, ...]:
        """Every name and alias of every active character, which the facts guard watches."""
        return self.bible.names_of_people

    def select(self, occasion: Occasion) -> list[SelectedEntry]:
        """Returns the entries a call includes, with reasons; several of its blocks ask."""
        if self._selected is None or self._selected[0] is not occasion:
            self._selected = occasion, self._select(occasion)
        return self._selected[1]

    def _select(self, occasion: Occasion) -> list[SelectedEntry]:
        words = {"outline": self._outline()}
        for block, name in WORDS_AROUND.items():
            if text := occasion.words.get(block, ""):
                words[name] = f"{words.get(name, '')}\n{text}" if name == "plan" else text
        for wish in self._contract.must_not if "plan" in words else ():
            words["plan"] = words["plan"].replace(wish, "")
        in_plan = filter(None, map(self.slug_of, slugs_in_plan(self._contract)))
        told_by = tuple(filter(None, (self._told_by(),)))
        present = (*told_by, *occasion.present, *in_plan)
        chosen = select(self.bible, self.finder, self._contract, words, present)
        of_whom = (*told_by, *occasion.present) if occasion.scene else ()
        text = "\n".join((_what_happens(self._contract), words.get("plan", ""), words["outline"]))
        there = [one.entry.slug for one in chosen]
        chosen += [
            SelectedEntry(self.bible.people[slug], said("mention in contract"))
            for slug in dict.fromkeys((*self._in_roles(text), *self._kin(text, of_whom or there)))
            if slug not in there
        ]
        people_named = any(s.entry.kind == "character" for s in chosen)
        if not self._names_people and not (occasion.scene and people_named):
            chosen += _latest(
                self._story, {s.entry.slug for s in chosen if s.entry.kind == "character"}
            )
        return [*chosen, *pinned_entries(self.steering(occasion), self.bible, chosen)]

    def _told_by(self) -> str | None:
        teller = self._storylines.told_by(self.bible)
        return self.slug_of(teller) if teller else None

    def tellers(self) -> tuple[str, ...]:
        """Returns the slugs of those from whose point of view the chapter is told, as its plan, its
        storyline or the book says, as far as they are known."""
        names = (*viewpoints_of(self._contract), self._told_by() or "")
        return tuple(s for s in dict.fromkeys(map(self.slug_of, names)) if s in self.bible.people)

    @property
    def _names_people(self) -> bool:
        """Whether the plan says who is there: then they come without a cap, and nobody else."""
        plan = self._contract
        return bool(plan.characters) or any(scene.characters for scene in plan.scenes)

    def _people(self, occasion: Occasion) -> Iterator[PromptLine]:
        """Yields profiles: in a scene at most three in full (A21), for the whole chapter's text
        everybody's; one line for those whom `far_from` names."""
        people = [s for s in self.select(occasion) if s.entry.kind == "character"]
        slugs = {s.entry.slug for s in people}
        in_full = None if occasion.scene is None else MAX_PROFILES
        far = far_from(occasion, people, self.finder)
        reach = Reach(self._contract.chapter, occasion.scene, in_full)
        forms = {**far, **self.steering(occasion).forms_in("people")}
        has_now = not occasion.has_state
        now = _since(people, self._story, self.name_of, self._pack) if has_now else {}
        if occasion.agent == SURGEON:
            # It has no block of rules: where it needs somebody's voice it is on the card.
            is_short = "\n\n" not in occasion.words.get("passage", "")
            yield from cards(people, reach, forms, self._pack, now, is_short=is_short)
        else:
            ruled = {*far, *self._people_with_rules}
            yield from people_lines(people, reach, ruled, forms, self._pack, now)
        if occasion.on_the_surface:
            return
        for one in self._story.relationships:
            pair = {one.source, one.target}
            if pair <= slugs and not pair <= far.keys():
                yield _relationship_line(one, self.name_of, self._pack)

    def _world(self, occasion: Occasion) -> Iterator[PromptLine]:
        chosen = [s for s in self.select(occasion) if s.entry.kind != "character"]
        others = [s for s in chosen if s.entry.slug != occasion.location]
        if occasion.agent == SURGEON:
            needed = () if occasion.on_the_surface else PASSAGE_BLOCKS
            named = named_in(occasion, self.finder, needed)
            others = [s for s in others if s.entry.slug in named or s.why == PINNED]
        yield from world_lines(others, self._contract.chapter, occasion.scene)

    def _answers_for_a_writer(self) -> str:
        who, plan = next(iter(self.tellers()), ""), self._contract
        words = f"{_what_happens(plan)}\n{self._outline()}"
        here = {*self.finder.slugs_in(words), *map(self.slug_of, slugs_in_plan(plan))}
        bears = lambda row: not here.isdisjoint(self.finder.slugs_in(row))  # noqa: E731
        return answers_for_a_writer(self._store, plan.chapter, self._pack, who, bears)

    def _foreshadowing(self, occasion: Occasion) -> Iterable[PromptLine]:
        slugs = {chosen.entry.slug for chosen in self.select(occasion)}
        pinned = self.steering(occasion).pinned_in("foreshadowing")
        return self._promises.lines(occasion, slugs, pinned, self.finder)

    def _place(self, occasion: Occasion) -> Iterator[PromptLine]:
        """Yields the place of the scene as it is described (F3)."""
        entry = self.bible.entries.get(occasion.location or "")
        if entry is not None and entry.kind != "character" and not occasion.on_the_surface:
            there = [SelectedEntry(entry, "contract")]
            yield from world_lines(there, self._contract.chapter, occasion.scene)

    def _knowledge(self, occasion: Occasion) -> Iterator[PromptLine]:
        """Yields what the point of view of a scene knows of the book's secrets; for a chapter,
        what each of its points of view knows."""
        contract = self._contract
        for who in occasion.present[:1] or viewpoints_of(contract):
            viewpoint = Viewpoint(who, self.name_of(who), self._pack)
            yield from knowledge_lines(
                self._story.secrets, viewpoint, contract.chapter, occasion.scene
            )

    def slug_of(self, name: str) -> str | None:
        """Returns the slug of the entry that goes by this slug or by any form of its names; a name
        that is a slug itself if no entry does; None for any other."""
        wanted = " ".join(name.split())
        if slug := self._entry_with(wanted):
            return slug
        in_role = self._in_roles(wanted) if wanted else ()
        return in_role[0] if in_role else None if slug_fault(wanted) else wanted

    def _entry_with(self, name: str) -> str | None:
        """Returns the slug of the entry that goes by this slug or by any form of its names; a role
        is nobody's name."""
        if name in self.bible.entries:
            return name
        ids = (names.id_of(name) for names in self._names_of_entries)
        return next((slug for slug in ids if slug is not None), None)

    @cached_property
    def _names_of_entries(self) -> tuple[KnownNames, KnownNames]:
        """The names of all people, and those of everything else."""
        people = {slug: entry.names for slug, entry in self.bible.people.items()}
        entries = self.bible.entries.items()
        others = {slug: entry.names for slug, entry in entries if slug not in people}
        return KnownNames(people, are_people=True), KnownNames(others, are_people=False)

    def people_of(self, scene: SceneSpec) -> tuple[str, ...]:
        """Returns the slugs of the people in a planned scene: those its plan lists, the point of
        view first, and those its words name, or what a model called somebody: `Nell (asleep)`."""
        if (known := self._people_of.get(words := scene.model_dump_json())) is None:
            by_words = self.people_named("\n".join((*called_in(scene), *scene_texts(scene))))
            own = map(self.slug_of, ((scene.pov,) if scene.pov else ()) + scene.characters)
            known = self._people_of[words] = tuple(dict.fromkeys((*filter(None, own), *by_words)))
        return known

    def present_in(
        self, scene: SceneSpec, plan: Iterable[SceneSpec], stands: str = ""
    ) -> tuple[str, ...]:
        """Returns the slugs of whoever is in a scene that is to be written, whose eyes tell it
        first: those of its plan, or where that names nobody the chapter's, those of the chapter
        whom no scene names, and those whom the words of it that `stands` name."""
        own, words = self.people_of(scene), "\n".join(scene_texts(scene))
        in_plan = map(self.slug_of, slugs_in_plan(self._contract))
        in_chapter = [slug for slug in in_plan if slug in self.bible.people]
        placed = {slug for one in plan for slug in self.people_of(one)}
        if not scene.characters and not self.people_named(words):
            words, placed = f"{_what_happens(self._contract)}\n{self._outline()}", set()
        own += tuple(slug for slug in in_chapter if slug not in placed)
        own += self.people_named(f"{words}\n{stands}")
        all_there = (self._told_by() or "", *own, *self._kin(words, own))
        return tuple(filter(None, dict.fromkeys(all_there)))

    def _kin(self, words: str, of_whom: Sequence[str]) -> tuple[str, ...]:
        """Returns whom a plan names as the father or sister alone of somebody among `of_whom`."""
        story, language = self._story, self._pack.language
        return kin_in(words, of_whom, story.bible, story.relationships, language)

    def people_named(self, text: str) -> tuple[str, ...]:
        """Returns the slugs of the people whom a text names, then of those it calls by a role."""
        named = (slug for slug in self.finder.slugs_in(text) if slug in self.bible.people)
        return tuple(dict.fromkeys((*named, *self._in_roles(text))))

    def _in_roles(self, text: str) -> tuple[str, ...]:
        return in_roles(text, self.bible, self.finder, self._pack.language)

    def place_of(self, scene: SceneSpec) -> str | None:
        """Returns the slug of a planned scene's place: the one its plan gives, or the only one its
        words name."""
        if scene.location:
            return self.slug_of(scene.location)
        named = self.finder.slugs_in("\n".join(scene_texts(scene)))
        places = [slug for slug in named if self.bible.entries[slug].kind == "place"]
        return places[0] if len(places) == 1 else None

    def last_pages(self, limit: int | None = None, pages: Mapping[str, int] = LAST_PAGES) -> Lines:
        """Returns the last `pages` of the chapter before as lines, whole paragraphs only; `limit`
        is the most characters. Empty for the first chapter."""
        before = self._store.chapter(self._contract.chapter - 1)
        if self._contract.chapter == 1 or before is None:
            return ()
        return last_paragraphs(before, self._pack, pages[self._pack.unit], limit)

    def craft(self, *, of_a_passage: bool = False, kind: DirectiveType | None = None) -> str:
        """Returns the craft rules of the language that the author does not write against; for a
        passage those that it can keep, for a rewrite of one `kind` those that are about it."""
        own = _samples_of_hers(self._store)
        about = "\n".join((*own, _about(self._store), self._outline_body))
        hers = self._store.style_profile()
        return craft_of(self._pack, own, of_a_passage, kind, about=about, profile=hers)

    def _world_rules(self) -> str:
        return "\n".join(f"- {rule.rule}" for rule in self._store.world_rules().rules)

    def worst_phrases(self) -> str:
        """Returns the top of the blacklist, for whoever writes prose."""
        return _phrases(self._store.blacklist().entries[:MOST_PHRASES], self._pack)

    @cached_property
    def _people_with_rules(self) -> tuple[str, ...]:
        """The people whose L2 contract is in the part of the prompt that stays the same from
        chapter to chapter: those of the storyline or, if it names none, of the chapter."""
        line = self._storylines.own
        people = (*((line.pov,) if line and line.pov else ()), *(line.characters if line else ()))
        if not people:
            people = self._contract.characters or tuple(
                chosen.entry.slug for chosen in _latest(self._story, set())
            )
        entries = self.bible.people
        return tuple(s for s in dict.fromkeys(people) if s in entries and entries[s].contract)

    def _rules_of_the_line(self, chapter: int | None) -> Iterator[PromptLine]:
        for slug in self._people_with_rules:
            contract = self.bible.people[slug].contract
            if contract is not None and has_rules(contract):
                rules = rules_of(contract, self._pack, chapter)
                yield PromptLine(slug, rules, "rule", "always", needed=True)

    def _outline(self) -> str:
        section = self._store.outline_section(self._contract.chapter, self._contract.volume)
        return f"{self._contract.chapter}. {section[0]}\n{section[1]}" if section else ""

    @property
    def _outline_body(self) -> str:
        return self._outline().partition("\n")[2]

    def chapter_plan(self, units: Sequence[str] = (), *, with_manner: bool = True) -> str:
        """Returns the plan of the chapter, without the `units` that are told elsewhere in the
        prompt; the manner of its scenes is for whoever writes them."""
        return chapter_plan(
            self._contract,
            self._outline_body,
            self.name_of,
            self._promises.name_of,
            units,
            self._pack,
            with_manner=with_manner,
            storyline=self._storylines.title,
        )

    def _head_of_plan(self) -> str:
        named, told_by = self.people_named(self._outline()), self._told_by()
        return head_of_plan(self._contract, self.name_of, self._pack, told_by=told_by, named=named)

    def scene_plan(
        self, scenes: Sequence[SceneSpec], scene: SceneSpec, of_hers: int | None = None
    ) -> str:
        """Returns the plan of a scene and where it stands in its chapter."""
        outline, plan = self._outline_body, self._contract
        return scene_plan(scenes, scene, plan, outline, self.name_of, self._pack, of_hers)

    def _entity_ids(self, occasion: Occasion) -> Iterator[PromptLine]:
        ids = list(_ids_that_stand(self.bible, self._story, self.name_of))
        if len(self._storylines.all) > 1:
            ids += [f"storyline {s.id}: {s.title}" for s in self._storylines.all.values()]
        named = [(words.partition(":")[0], words) for words in ids]
        for promise in self._promises.nameable():
            words = f"promise {self._promises.name_of(promise.id)}"
            words += f": {promise.status}" if promise.status in OVER else ""
            named.append((f"promise {promise.id}", words))
        if occasion.agent == SUMMARIZER:
            planned = filter(None, map(self.slug_of, slugs_in_plan(self._contract)))
            there = (*planned, *self.finder.slugs_in(occasion.words.get("chapter", "")))
            named += _ids_of(there, self.bible)
            again = ids_given_before(self._store, self._contract.chapter, self._pack)
            named += [row for row in again if row[0] not in dict(named)]
        yield from (PromptLine(line_id, words, "id") for line_id, words in dict(named).items())

    @cached_property
    def _promises(self) -> PromiseLines:
        return PromiseLines(self._store, self._story, self._contract, self._pack)


def _relationship_line(one: Relationship, name_of: NameOf, pack: LanguagePack) -> PromptLine:
    label = pack.label("{one} to {other}", one=name_of(one.source), other=name_of(one.target))
    words = pack.headed(label, f"{one.kind}. {one.note}".strip())
    return PromptLine(f"{one.source}-{one.target}", words, "relationship", "contract")


def _ids_that_stand(bible: Bible, story: StoryAt, name_of: NameOf) -> Iterator[str]:
    """Yields the ids of the people, and of all that the state tells of, with their names."""
    yield from (f"characters.{slug}: {name_of(slug)}" for slug in bible.people)
    for category in ("characters", "items", "locations", "factions"):
        for slug in story.state.tree[category]:
            if slug not in bible.people:
                yield _with_name(f"{category}.{slug}", slug, story.name_of(slug))


def _by_names(blocks: Mapping[str, Lines], name_of: NameOf) -> dict[str, Lines]:
    """Returns the lines with names where a model that answers by ids put one into a sentence."""
    by_ids = {name: blocks[name] for name in _BY_A_SUMMARIZER & blocks.keys()}
    return {**blocks} | {
        name: tuple(row._replace(text=without_ids(row.text, name_of)) for row in rows)
        for name, rows in by_ids.items()
    }


def _since(
    people: Iterable[SelectedEntry], story: StoryAt, name_of: NameOf, pack: LanguagePack
) -> dict[str, str]:
    """Returns what the chapters so far have made true of people, a line each by their slugs."""
    facts = {entry: {**story.about(entry), "name": None} for entry, _ in people}
    return {entry.slug: fields_in_words(values, name_of, pack) for entry, values in facts.items()}


def _ids_of(slugs: Iterable[str], bible: Bible) -> Iterator[tuple[str, str]]:
    """Yields the ids of the places, things and groups among entries, with their names."""
    for slug in slugs:
        entry = bible.entries.get(slug)
        if entry is not None and entry.kind in _CATEGORIES:
            path = f"{_CATEGORIES[entry.kind]}.{slug}"
            yield path, f"{path}: {entry.name}"


def _what_happens(plan: ChapterContract) -> str:
    """Returns all sentences of a plan but what must not happen."""
    return plan_words(plan.copy_with(must_not=()))


def _latest(story: StoryAt, present: set[str]) -> list[SelectedEntry]:
    """Returns who appeared last, if no contract says who is there (seed D7)."""
    entries, people = story.state.characters, story.bible.people

    def last_seen(slug: str) -> int:
        entry = entries.get(slug)
        value = entry.get("last_seen") if isinstance(entry, dict) else None
        return value if isinstance(value, int) else 0

    others = sorted(set(people) - present, key=lambda slug: (-last_seen(slug), slug))
    room = max(0, MAX_ACTIVE - len(present))
    return [SelectedEntry(people[slug], "recent") for slug in others[:room]]


def last_paragraphs(
    chapter: Chapter, pack: LanguagePack, length: int, limit: int | None = None
) -> Lines:
    """Returns the end of a text as lines of whole paragraphs, with the breaks between its scenes:
    at most `length` words or characters, but at least the last paragraph, and never more than
    `limit` characters."""
    rows: list[PromptLine] = []
    units = size = 0
    scene: int | None = None
    for paragraph in reversed(chapter.paragraphs):
        prose = paragraph.prose
        units, size = units + units_in(prose, pack), size + len(prose)
        if (rows and units > length) or (limit is not None and size > limit):
            break
        if scene not in (None, paragraph.scene):
            rows.append(
                PromptLine(f"break-{scene}", SCENE_BREAK, "break", "recent", worth=-len(rows))
            )
        scene = paragraph.scene
        line_id = f"{paragraph.scene}.{paragraph.number}"
        rows.append(PromptLine(line_id, prose, "prose", "recent", worth=-len(rows)))
    return tuple(reversed(rows))


def with_the_end_needed(lines: Lines, pack: LanguagePack) -> Lines:
    """Returns lines of prose of which the last words are never left out."""
    rows: list[PromptLine] = []
    units = 0
    for line in reversed(lines):
        is_needed = line.needed or (line.kind == "prose" and units < NEVER_LEFT_OUT[pack.unit])
        rows.append(line._replace(needed=is_needed))
        units += units_in(line.text, pack) if line.kind == "prose" else 0
    return tuple(reversed(rows))


def number_paragraphs(chapter: Chapter) -> str:
    """Returns the chapter with each paragraph's address, as the judge quotes it: `[2.3] ...`."""
    return "\n\n".join(f"[{p.scene}.{p.number}] {p.prose}" for p in chapter.paragraphs)


def exemplar_text(exemplars: Iterable[Exemplar], language: str) -> str:
    """Returns example passages, each under its kind of scene in the novel's language."""
    return "\n\n".join(_exemplar(exemplar, language) for exemplar in exemplars)


def _exemplar(exemplar: Exemplar, language: str) -> str:
    kind = manner_words(exemplar.meta.scene_type.strip(), language)
    head = f"（{kind}）" if language == "zh" else f"({kind})"
    return f"{head}\n{exemplar.text.strip()}" if kind else exemplar.text.strip()


def exemplar_lines(exemplars: Sequence[Exemplar], language: str) -> Lines:
    """Returns the same as lines, the best worth most."""
    return tuple(
        PromptLine(e.id, _exemplar(e, language), "exemplar", "style", worth=-at)
        for at, e in enumerate(exemplars)
    )


def _plain(document: Any, pack: LanguagePack) -> str:
    data = to_jsonable(document)
    data.pop("schema_version", None)
    lines = []
    # What she does not do is told under no second no, and before her sample.
    refusals = [words for words in data.get("avoid", ()) if says_no(words, pack)]
    avoided = [words for words in data.get("avoid", ()) if words not in refusals]
    sample = data.pop("sample", "")
    data |= {"avoid": avoided, "holds to": refusals, "sample": sample}
    for key, value in data.items():
        if value:
            words = in_a_row(value) if isinstance(value, list) else value
            label = pack.labels.get(f"the book's {key}", key.replace("_", " "))
            lines.append(pack.labelled(label, words))
    return "\n".join(lines)


def _phrases(hers: Sequence[BlacklistEntry], pack: LanguagePack) -> str:
    """Returns phrases to avoid: the author's, then the studio's, worst first, up to ten (PROSE
    0.2)."""
    room = max(0, MOST_PHRASES - len(hers))
    of_hers = {entry.phrase.casefold().strip("~+ ") for entry in hers}
    every = (phrase.words for phrase in worn_phrases(pack.language))
    ours = [w for w in every if not any(w.strip("~+ ").casefold() in one for one in of_hers)][:room]
    rows = [_blacklist_line(entry, pack) for entry in hers]
    if ours:
        rows.append(pack.label(_OURS))
        rows += [f"- {words.replace(' ~', '').replace('~', '…')}" for words in ours]
    return "\n".join(rows)


def _blacklist_line(entry: BlacklistEntry, pack: LanguagePack) -> str:
    if not entry.instead:
        return f"- {entry.phrase}"
    return f"- {entry.phrase}{pack.aside(pack.labelled('rather', entry.instead))}"


def _samples_of_hers(store: ProjectStore) -> tuple[str, str]:
    """Returns the author's own prose: the sample in her profile, and as much of the one it was made
    from as tells what she does."""
    sample = without_notes(load.exact_text(store.root, places.STYLE_SAMPLE) or "")
    sample = "" if describes_writing(sample) else sample
    return store.style_profile().sample, sample[:_LONGEST_SAMPLE]


def _about(store: ProjectStore) -> str:
    """Returns what tells which kind of book it is: its genre, its brief, the rules of its world.
    Settings that she is in the middle of changing are named by the next run."""
    novel: Any = {}
    with suppress(StudioError, ValueError, RecursionError):
        novel = parse_toml(load.exact_text(store.root, places.SETTINGS) or "").get("novel", {})
    genre = str(novel.get("genre", "")) if isinstance(novel, dict) else ""
    rules = (rule.rule for rule in store.world_rules().rules)
    return "\n".join((genre, store.brief(), *rules))


def _of_more_than_a_title(brief: str) -> str:
    """Returns what a brief says; nothing of one that is a heading alone, which is the title."""
    return re.sub(r"\n{3,}", "\n\n", brief) if says_something(brief) else ""


def _with_name(path: str, slug: str, name: str) -> str:
    return path if name == slug else f"{path}: {name}"
