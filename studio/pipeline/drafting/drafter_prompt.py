"""What the drafter is asked for a scene: the words before it, its plan, its task and its length
(WRITING 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studio.agent_pages import render
from studio.config.schema import Settings
from studio.messages import said
from studio.pipeline.chapter.hints_kept import hints_that_hold
from studio.pipeline.chapter.scene_in_progress import UNKNOWN_TARGET
from studio.pipeline.chapter.view import ChapterView
from studio.pipeline.drafting.prewriter import direction_for
from studio.pipeline.drafting.scene_plans import (
    has_breaks,
    planned_length,
    scenes_of_hers,
    words_of_plan,
)
from studio.pipeline.events import DRAFTER
from studio.pipeline.prompting.agent_question import LARGE_WINDOW, GoingOn, Occasion, Question
from studio.pipeline.prompting.exemplars import choose, scene_query
from studio.pipeline.prompting.fit_to_window import (
    MAYBE_OF_THE_CHAPTER,
    SCENE_HEAD,
    SO_FAR,
)
from studio.pipeline.prompting.lines import Lines, PromptLine
from studio.pipeline.prompting.plan_words import must_not_lines, share_left
from studio.pipeline.prompting.prompt_blocks import (
    FIRST_PARAGRAPH,
    TAIL_CHARACTERS,
    exemplar_lines,
    with_the_end_needed,
)
from studio.pipeline.stage import Sight
from studio.project.planning.her_length import length_in_plan
from studio.story.chapter import SCENE_BREAK, Chapter, sha256_of
from studio.story.contract import SceneSpec
from studio.story.lengths import length_of, length_of_hers, unit_in
from studio.text.draft_sieve import DraftSieve
from studio.text.language.packs import LanguagePack

_NOTED = "Noted with this scene, no part of its text"
_SHORTEST_ANSWER, _LONGEST_ANSWER, _TOKENS_A_WORD = 320, 700, 1.5
_TOKENS_A_UNIT = {"words": 1.8, "characters": 1.6}
_LIKELY_TOKENS_A_UNIT = {"words": 1.35, "characters": 1.1}
_ASIDE = 700
"""Tokens of an answer beside its prose: notes before it, and hints."""
_LIKELY_ASIDE = 300
"""Those of them that there are as a rule; none where a scene goes on."""
_LEAST_MORE = 0.15
"""The least share of a scene's length that is asked for when it goes on."""
_MOST_MORE = 2
"""How many times as much may be asked for as is missing to its length."""
_SPREAD = 0.25
"""The share by which a scene may be shorter or longer than its target."""


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before a scene: the chapter so far and the last pages of the chapter before it
    (WRITING 1)."""

    so_far: Lines
    last_pages: Lines
    of_the_end: bool = False
    """Whether the last pages begin in the middle of their chapter."""

    @property
    def has_all_of_the_last(self) -> bool:
        """Whether the last pages are all of their chapter."""
        return bool(self.last_pages) and not self.of_the_end

    @property
    def hints(self) -> list[str]:
        """What was noted with the scenes before, which may name people and places."""
        return [line.text for line in self.so_far if line.kind == "hint"]

    @property
    def words(self) -> str:
        """The prose of both, in order."""
        prose = [line for line in (*self.last_pages, *self.so_far) if line.kind == "prose"]
        return "\n\n".join(line.text for line in prose)


def prose_before(work: Sight, scenes: Sequence[str], *, in_part: bool = False) -> Before:
    """Returns what stands before a scene in its chapter and in the one before: every word of
    `scenes`, the chapter's earlier scenes in order, with the hints that hold of them as they stand,
    and whole paragraphs of the last pages. Of the last scene there may be a part alone, and no hint
    then. `[generation] prose_limit` is the most characters of both, the oldest going first
    (C15)."""
    view, pack = work.run, work.run.pack
    limit = view.settings.generation.prose_limit
    hints = hints_that_hold(view, dict(enumerate(scenes[:-1] if in_part else scenes, start=1)))
    so_far: list[PromptLine] = []
    for number, text in enumerate(scenes, start=1):
        head = pack.label(SCENE_HEAD, scene=number)
        so_far.append(PromptLine(f"scene-{number}", head, "scene", "before", needed=True))
        for at, paragraph in enumerate(Chapter(f"\n\n{text}").paragraphs, start=1):
            line_id, worth = f"{number}.{at}", len(so_far)
            if paragraph.scene > 1 and paragraph.number == 1:
                so_far.append(
                    PromptLine(f"{line_id}-break", SCENE_BREAK, "break", "before", worth=worth)
                )
            so_far.append(PromptLine(line_id, paragraph.prose, "prose", "before", worth=worth))
        if number in hints:
            words = f"[{pack.labelled(_NOTED, hints[number])}]"
            so_far.append(PromptLine(f"scene-{number}-hints", words, "hint", "before", needed=True))
    if limit is not None:
        so_far = _newest(so_far, limit)
        limit -= sum(len(line.text) for line in so_far if line.kind == "prose")
    pages = work.prompt_blocks.last_pages(limit) if limit is None or limit > 0 else ()
    of_the_end = bool(pages) and pages[0].id != FIRST_PARAGRAPH
    if so_far:
        return Before(with_the_end_needed(tuple(so_far), pack), pages, of_the_end)
    return Before((), with_the_end_needed(pages, pack), of_the_end)


def _newest(lines: list[PromptLine], limit: int) -> list[PromptLine]:
    """Returns lines without the oldest paragraphs beyond `limit` characters of prose."""
    room, rows = limit, []
    for line in reversed(lines):
        room -= len(line.text) if line.kind == "prose" else 0
        if line.kind != "prose" or room >= 0:
            rows.append(line)
    return rows[::-1]


def scene_question(
    work: Sight,
    plan: tuple[SceneSpec, ...],
    scene: SceneSpec,
    before: Before,
    attempt: str = "",
    plea: str = "",
    stands: str = "",
) -> Question:
    """Returns the question to the drafter for a scene, after the words that come before it; for
    the rest of it, if words of it stand already."""
    view, its_blocks, novel = work.run, work.prompt_blocks, work.run.settings.novel
    what = f"s{scene.number:02d}{'-on' if stands else ''}{attempt}"
    good, anti = choose(its_blocks.exemplars, scene_query(scene, novel.genre, novel.point_of_view))
    revision, wanted = view.checkpoint.revision, scenes_of_hers(view.contract, view.direction)
    short = view.gateway.provider.profile.short_prompts
    least, length = _lengths_wanted(view, scene, stands)
    target = length_in_words(least, view.settings, length)
    direction = direction_for(view.direction, scene.number)
    asked = _length_asked(view, (direction, scene.purpose), target, len(plan), stands)
    previous = "\n\n".join(filter(None, (before.words, stands)))
    words_before = "\n".join((*before.hints, stands, previous[-TAIL_CHARACTERS:]))
    blocks = {
        "blacklist": its_blocks.worst_phrases(),
        "anti-exemplar": anti.text if anti else "",
        "must-not": must_not_lines(view.contract.must_not, view.pack),
        "notes": "\n".join(f"- {note}" for note in _notes_for(view, scene)),
        "direction": direction,
        "scene-plan": its_blocks.scene_plan(plan, scene, wanted),
        "attempt": "" if stands else _old_scene(view, plan, scene),
        "task": f"{_task(work, plan, scene, before, stands)}Length: {asked}.{plea}",
    }
    slots = {"target_length": asked, **(_short_slots(work, scene, previous) if short else {})}
    return Question(
        agent="scene-drafter",
        stage="draft",
        what=what,
        scene=scene.number,
        blocks=blocks,
        lines={
            "previous-tail": before.last_pages,
            SO_FAR: (*before.so_far, *_lines_that_stand(scene.number, stands, view.pack)),
            "exemplars": exemplar_lines(good, novel.language),
        },
        before=words_before,
        slots=slots,
        present=its_blocks.present_in(scene, plan, stands),
        location=its_blocks.place_of(scene),
        repeated=len(plan) > 1,
        common=_common_blocks(work, plan, scene, {**blocks, "before": words_before}),
        role="deep" if revision is not None and revision.deep else None,
        exemplars=() if short else tuple(e.id for e in (*good, *([anti] if anti else ()))),
        seed=int(sha256_of(view.call_name("draft", what))[:7], 16),
        short=short,
        sieve=scene_sieve(work, scene, slots, previous[-TAIL_CHARACTERS:]) if short else None,
        max_tokens=_short_answer(length) if short else _room_for(view, length),
        likely_tokens=_likely_answer(view, length, stands),
        going_on=_going_on(view, scene.number, stands, length),
        whole=frozenset({view.chapter - 1}) if before.has_all_of_the_last else frozenset(),
    )


def scene_sieve(
    work: Sight, scene: SceneSpec, slots: Mapping[str, str], previous: str
) -> DraftSieve:
    """Returns the sieve of a scene: the people in it, its place, and the words of its plan.

    If a plan puts nobody on the scene, everybody in the book may appear.
    """
    bible = work.prompt_blocks.bible
    slugs = {slug for slug in (scene.pov, *scene.characters) if slug}
    if not slugs:
        slugs = set(bible.people)
    names = [name for slug in slugs if slug in bible.people for name in bible.people[slug].names]
    place = bible.entries.get(scene.location or "")
    names += place.names if place is not None else []
    contract = work.run.contract
    plan = (*slugs, scene.location or "", contract.title, *contract.objectives, *slots.values())
    more = (scene.peak_moment, *scene.sensory_anchors, *scene.dialogue_goals)
    words = "\n".join(text.replace("-", " ") for text in (*plan, *more) if text)
    return DraftSieve(work.run.pack, names, words, previous)


def _notes_for(view: ChapterView, scene: SceneSpec) -> tuple[str, ...]:
    """Returns what was noted for the next draft of a scene, and what she wished of one that broke
    off."""
    revision = view.checkpoint.revision
    wishes = view.wishes("cut_off", said("scene {scene}", scene=scene.number))
    return (*(revision.notes_for(scene.number) if revision else ()), *wishes)


def _common_blocks(
    work: Sight, plan: tuple[SceneSpec, ...], scene: SceneSpec, words: Mapping[str, str]
) -> frozenset[str]:
    """Returns which blocks of this call, made for the scene, every scene of the chapter has alike;
    `words` are those of the call. What a draft before a scene will name is not known for the others
    yet, so that they are asked by their plans."""
    if len(plan) < 2:
        return frozenset()
    prompt_blocks, direction = work.prompt_blocks, work.run.direction

    def blocks_of(spec: SceneSpec, texts: Mapping[str, str]) -> dict[str, str]:
        people, place = prompt_blocks.present_in(spec, plan), prompt_blocks.place_of(spec)
        occasion = Occasion(spec.number, people, place, texts, agent=DRAFTER)
        return prompt_blocks.texts(MAYBE_OF_THE_CHAPTER, occasion)

    own = blocks_of(scene, words)
    every = [
        blocks_of(
            spec,
            {
                "scene-plan": prompt_blocks.scene_plan(
                    plan, spec, scenes_of_hers(work.run.contract, work.run.direction)
                ),
                "direction": direction_for(direction, spec.number),
            },
        )
        for spec in plan
    ]
    return frozenset(name for name in own if all(one[name] == own[name] for one in every))


def _old_scene(view: ChapterView, plan: tuple[SceneSpec, ...], scene: SceneSpec) -> str:
    """Returns the scene as it stands, where the gate has it drafted again for a fault in it: what
    is good there need not be lost (seed B6)."""
    revision = view.checkpoint.revision
    if revision is None or not revision.deep or scene.number not in revision.scenes:
        return ""
    scenes = view.scenes if view.text is not None else None
    return (scenes.text_of(scene.number) or "") if scenes and scenes.count == len(plan) else ""


def _lines_that_stand(scene: int, stands: str, pack: LanguagePack) -> Lines:
    """Returns the words that stand of a scene as the end of the chapter so far, whole."""
    if not stands:
        return ()
    head = pack.label(SCENE_HEAD, scene=scene)
    return (
        PromptLine(f"scene-{scene}", head, "scene", "before", needed=True),
        PromptLine(f"{scene}.so-far", stands, "prose", "before", needed=True),
    )


_CUT_WORD = {"zh": "only its rest"}
"""What is asked for of a word that broke off, where it is not the whole of it."""


def _going_on(view: ChapterView, scene: int, stands: str, more: int) -> GoingOn | None:
    """Returns what stands of a scene, the call that wrote it last, and what share of the scene so
    much `more` is; None if nothing stands."""
    if not stands:
        return None
    begun = view.checkpoint.open_scene
    calls = begun.calls if begun is not None and begun.number == scene else ()
    whole = length_of(stands, unit_in(view.settings)) + more
    return GoingOn(stands, calls[-1] if calls else None, more / whole)


def _task(
    work: Sight,
    plan: tuple[SceneSpec, ...],
    scene: SceneSpec,
    before: Before,
    stands: str,
) -> str:
    """Returns the closing line: what to write, and where in the book that is."""
    view = work.run
    lap = f" This is revision {view.lap}." if view.checkpoint.revision is not None else ""
    if stands:
        cut_word = _CUT_WORD.get(view.pack.language, "that word again, whole")
        page = work.agents.agent(DRAFTER)
        going_on = render(page.going_on, {"cut_word": cut_word}, page.source).strip()
        first = f"Write scene {scene.number} of chapter {view.chapter} on from its last word.{lap}"
        return f"{first}\n\n{going_on}\n\n" if going_on else f"{first} "
    if before.so_far:
        how = "after a break" if has_breaks(view) else "without a break"
        where = f"It goes on from the last words of `{SO_FAR}`, {how}."
    elif view.chapter == 1:
        where = "These are the first words of the novel."
    else:
        where = "The chapter opens with it."
    if before.of_the_end:
        earlier = view.chapter - 1
        where += f" `previous-tail` begins in the middle of chapter {earlier}; what comes before it"
        where += " is told in `summaries` alone."
    what = f"scene {scene.number} of chapter {view.chapter}"
    if len(plan) == 1 and scenes_of_hers(view.contract, view.direction) not in (None, 1):
        what += " and every other that the author asks for, to the end of the chapter"
    return f"Write {what}. {where}{lap} "


def _room_for(view: ChapterView, length: int) -> int | None:
    """Returns the tokens kept for the answer: as many as its length asks for where the window is
    small, so that the rest is for the chapter so far; None for a large window."""
    if view.gateway.provider.profile.window >= LARGE_WINDOW:
        return None
    return round(length * (1 + _SPREAD) * _TOKENS_A_UNIT[view.pack.unit]) + _ASIDE


def _likely_answer(view: ChapterView, length: int, stands: str) -> int:
    """Returns about how many tokens the answer will have, by the length asked for."""
    aside = 0 if stands else _LIKELY_ASIDE
    return round(length * _LIKELY_TOKENS_A_UNIT[view.pack.unit]) + aside


def _short_answer(length: int) -> int:
    """Returns the tokens a small model may use: it fills whatever it gets, so it gets no more
    than is wanted."""
    return max(_SHORTEST_ANSWER, min(_LONGEST_ANSWER, round(length * _TOKENS_A_WORD)))


def _lengths_wanted(view: ChapterView, scene: SceneSpec, stands: str) -> tuple[int, int]:
    """Returns the least and the most length to ask for: the whole scene's, or what is missing to
    the one that was asked for when it was begun. What is left of the plan may need more, and words
    do not tell how much, since a plan may be told in other words: at most so much again, unless all
    of the length stands and it has to be more."""
    target = planned_length(view, scene.number)
    if not stands:
        return target, target
    begun = view.checkpoint.open_scene
    if begun is not None and begun.number == scene.number:
        target = begun.target if begun.target > UNKNOWN_TARGET else target
    missing = target - length_of(stands, unit_in(view.settings))
    least = max(missing, round(_LEAST_MORE * target), 1)
    left = round(share_left(scene, stands, view.pack) * target)
    return least, max(least, min(left, _MOST_MORE * least) if missing > 0 else left)


def _length_asked(
    view: ChapterView, sayings: Sequence[str], target: str, scenes: int, stands: str
) -> str:
    """Returns what the task of a scene says of its length: her words where her direction, her plan
    or other `sayings` of hers name one, with what falls to one of so many scenes of a length for
    the whole chapter, and how much of the scene stands, which her words do not know."""
    sayings, unit = (*sayings, *words_of_plan(view.contract)), unit_in(view.settings)
    hers = length_in_plan(sayings, view.settings)
    share = "" if hers is None else f"{hers.length // scenes} {unit}"
    asked = length_of_hers(sayings, target, scenes, share)
    if asked == target or not stands:
        return asked
    return f"{asked}. Of this scene {length_of(stands, unit)} {unit} stand already, and count"


def length_in_words(length: int, settings: Settings, most: int | None = None) -> str:
    """Returns how long a scene should be, as its drafter is told: `450-750 words`; of one that may
    have any length up to `most`, both ends."""
    low, high = round(length * (1 - _SPREAD)), round((most or length) * (1 + _SPREAD))
    return f"{low}-{high} {unit_in(settings)}"


def _short_slots(work: Sight, scene: SceneSpec, previous: str) -> dict[str, str]:
    """Returns all that a small model is told: where the story is, its last words, and to go on."""
    return {
        "situation": _situation(work, scene),
        "opening": _last_words(previous),
        "continue_story": work.run.pack.continue_story,
    }


def _situation(work: Sight, scene: SceneSpec) -> str:
    """Returns two plain sentences: all that a small model can follow. In Korean and Chinese they
    are the author's alone: what code says there is English, and a model goes on in what it read."""
    who, place = work.prompt_blocks.name_of(scene.pov), (scene.location or "").replace("-", " ")
    if work.run.settings.novel.language != "en":
        there = ""
    elif who and place:
        there = f"{who} is in the {place}."
    elif who or place:
        there = f"This is about {who}." if who else f"It is in the {place}."
    else:
        there = ""
    wish = direction_for(work.run.direction, scene.number)
    return " ".join(word for part in (there, scene.purpose, wish) for word in part.split())


def _last_words(previous: str) -> str:
    paragraphs = [p.text for p in Chapter("\n\n" + previous).paragraphs]
    return paragraphs[-1][-200:] if paragraphs else ""
