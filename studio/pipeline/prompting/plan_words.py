"""The plan of a chapter or of a scene, said once, for whoever writes or reads it (WRITING 1.4).

A plan may say the same thing in several places: an objective is a beat, a beat is a scene, the
outline has them all. Here every sentence stands once, where the writer needs it, and a label
stands only over something.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import indent

from studio.chapter_names import own_title
from studio.story.contract import ChapterContract, NamedInScene, SceneSpec
from studio.story.lengths import NO_END, is_only_a_length
from studio.text.content import content_of, share_of
from studio.text.language.packs import LanguagePack, load_pack, manner_words
from studio.text.language.story_words import story_words
from studio.text.prose.segmentation import sentences

NameOf = Callable[[str | None], str]
_RUN = 55
"""The letters in a row that a plan may not say twice."""
_SAYS = "说"
_SPEAKS = re.compile(
    r"(?:\b(?:says?|said|tells?|told|shouts?|shouted|cries|cried)\b"
    r"|(?<![가-힣])(?:말하|말한|말했|외치|외친|외쳤|소리치|소리친|소리쳤)[가-힣]*|[说說喊讲講嚷])",
    re.IGNORECASE,
)
"""Words for saying something, which are one where a plan tells it twice."""
_FULFILLED = 0.5
"""The share of a wish's content from which a plan has it."""
_FEWEST_WORDS = 3
"""The words of the shortest sentence that can retell another."""
_MANNER: Mapping[str, object] = {
    **dict.fromkeys(("entry_emotion", "exit_emotion", "emotional_tone"), ""),
    "sensory_anchors": (),
    "style_override": None,
}
"""What a plan leaves empty where it says nothing of the manner of a scene."""
SENTENCE_ENDS = re.compile(rf"(?<=[.!?…]){NO_END}(?=\s)|(?<=[。！？])")


def scene_plan(
    scenes: Sequence[SceneSpec],
    scene: SceneSpec,
    contract: ChapterContract,
    outline: str,
    name_of: NameOf,
    pack: LanguagePack | None = None,
    of_hers: int | None = None,
) -> str:
    """Returns the plan of a scene: what happens in it, how it ends, and where it stands in its
    chapter; then what the chapter's plan and its `outline` say beyond that. `of_hers` is the
    number of scenes that the author wants, if she says so: where the plan has another, it says
    nothing of it. Its labels are in the language of `pack`, by default English."""
    pack, memory = pack or load_pack("en"), _Said()
    own = _own_rows(scene, name_of, memory, pack)
    beats = [_told_in(beat, scenes, (scene.number, None)) for beat in contract.beats]
    others = _OF_OTHERS if len(scenes) > 1 else ""
    of_this = _told_in(outline, scenes, (scene.number,)) if others else ""
    of_none = _told_in(outline, scenes, (None,)) if others else outline
    before = [s for s in scenes if s.number < scene.number]
    after = [s for s in scenes if s.number > scene.number]
    rows = [
        *own,
        ("Before it in this chapter", _list_scenes(before, memory)),
        ("After it in this chapter, and not yet", _list_scenes(after, memory)),
        *_plan_rows(contract, beats, memory, others, _of_the_end(scene, scenes, pack), outline),
        ("The outline adds", memory.rest([of_this], retold=True)),
        (f"The outline adds{others}", memory.rest([of_none], retold=True)),
    ]
    where = pack.chapter(contract.chapter)
    if title := own_title(contract.title, contract.chapter):
        where = pack.labelled(where, title)
    if of_hers not in (None, len(scenes)):
        which = []
    elif len(scenes) > 1:
        label = "Scene {scene} of {scenes}."
        which = [pack.label(label, scene=scene.number, scenes=len(scenes))]
    else:
        which = [pack.label("This one scene is the whole chapter.")]
    return "\n".join([where, *which, *(pack.labelled(*row) for row in rows if row[1])])


def must_not_label(lines: Iterable[str], pack: LanguagePack) -> str:
    """Returns what stands over the lines of what must not happen: where one of them denies already,
    that it means what it says."""
    denials = story_words(pack.language).denials
    is_denied = any(denials.search(line) for line in lines)
    return _AS_IT_STANDS if is_denied else "What must not happen"


def must_not_lines(lines: Sequence[str], pack: LanguagePack) -> str:
    """Returns the same lines as a block of their own, under a heading only where one denies."""
    rows = [f"- {line}" for line in lines]
    label = must_not_label(lines, pack)
    return "\n".join([pack.labelled(label, ""), *rows] if label == _AS_IT_STANDS else rows)


_AS_IT_STANDS = "What must not happen (a line that already says no or not is kept as it is written)"


def share_left(scene: SceneSpec, stands: str, pack: LanguagePack) -> float:
    """Returns the share of the clauses of a scene's plan that what stands of the scene has not, as
    far as words tell. A clause is known by its own words: what an earlier one names stands there
    already."""
    there = content_of(stands, pack)
    ends = (scene.peak_moment, scene.transition_to)
    shares = dict.fromkeys(_clauses_of(scene.purpose), _TOLD)
    shares |= {clause: _OVER for words in ends for clause in _clauses_of(words)}
    every = missing = 0
    before = ""
    for clause, share in shares.items():
        earlier, units = content_of(before, pack), content_of(clause, pack).units
        own = [unit for unit in units if not earlier.holds(unit)]
        before += f"\n{clause}"
        every += bool(own)
        missing += bool(own) and share_of(own, there) <= share
    return missing / every if every else 0


def _clauses_of(text: str | None) -> Iterator[str]:
    for sentence in SENTENCE_ENDS.split(text or ""):
        yield from filter(None, (c.strip(" .。") for c in _CLAUSE_ENDS.split(sentence)))


_CLAUSE_ENDS = re.compile(r"[,;，；]\s*(?:and\s+)?")
_TOLD = 0.5
"""The share of a clause's content above which it is told."""
_OVER = 0.7
"""The same of what a scene turns on and ends with: what is told too soon is missed at its end."""


def _told_in(words: str, scenes: Sequence[SceneSpec], numbers: Collection[int | None]) -> str:
    """Returns the sentences of words about a chapter that by their own words belong to the scenes
    with these numbers: two of them and at least half stand in the plan of one, and half as many
    again as in any other's. None stands for no scene: what is told to a scene too many is seen to
    be another's, and what is told to the wrong one alone is lost."""
    plans = {one.number: frozenset(stems_in("\n".join(scene_texts(one)))) for one in scenes}

    def scene_of(piece: str) -> int | None:
        stems = {*telling_stems(piece)}
        shares = {n: sum(stem in plan for stem in stems) for n, plan in plans.items()}
        nearest = max(shares, key=lambda number: shares[number])
        most = shares.pop(nearest)
        is_its = most > 1 and 2 * most >= len(stems)
        is_its = is_its and 2 * most >= 3 * max(shares.values(), default=0)
        return nearest if is_its else None

    rows = []
    for line in words.splitlines():
        pieces, at, mine = SENTENCE_ENDS.split(line), None, []
        for piece in pieces:
            is_of_whom = bool(_OF_WHOM.match(piece))
            at = scene_of(piece) or (at if is_of_whom else None)
            mine += [piece] if at in numbers else []
        rows.append("".join(_with_whom(pieces, mine)).strip())
    return "\n".join(rows)


_SHORTEST_STEM = 3
"""The letters of the shortest English word that says what a sentence is about."""
_OF_OTHERS = ", not all of it for this scene"


def _of_the_end(scene: SceneSpec, scenes: Sequence[SceneSpec], pack: LanguagePack) -> str:
    """Returns the label of what the chapter comes to; in a scene before the last it says in which
    scene that is."""
    last = max((one.number for one in scenes), default=scene.number)
    is_last = scene.number >= last
    return "By the end of the chapter" if is_last else pack.label(_WITH_THE_LAST, last=last)


_ALL_OF_IT = "The author's plan of the chapter, of which this scene tells its own part"
_WITH_THE_LAST = "By the end of the chapter, which is in scene {last}"


def _plan_rows(
    contract: ChapterContract,
    beats: Sequence[str],
    memory: _Said,
    others: str,
    of_the_end: str,
    outline: str,
) -> list[tuple[str, str]]:
    """Returns what the chapter is to come to and what its `beats` tell. Where neither beats nor an
    `outline` tell it, the objectives do, as in the form of a plan. `others` says in a label that it
    has other scenes, and `of_the_end` is the label of what it comes to."""
    also = f"Also in the plan of the chapter{others}"
    if others and len(contract.beats or contract.objectives) == 1:
        also = _ALL_OF_IT
    if not contract.beats and not (contract.scenes and outline.strip()):
        return [(also, memory.rest(contract.objectives))]
    goals = memory.rest(contract.objectives)
    return [(of_the_end, goals), (also, memory.rest(beats))]


def chapter_plan(
    contract: ChapterContract,
    outline: str,
    name_of: NameOf,
    promise_of: Callable[[str], str],
    units: Sequence[str] = (),
    pack: LanguagePack | None = None,
    *,
    with_manner: bool = True,
    storyline: str = "",
) -> str:
    """Returns the plan of a chapter with what its `outline` adds; without the `units` that are
    told elsewhere in the same prompt. `promise_of` gives a promise's id with its words; the manner
    of its scenes is what is felt and perceived in them, their tone and style: who reads the chapter
    is told its promises in a block of their own. `storyline` is the name of its storyline, by
    default the id. Its labels are in the language of `pack`, by default English."""
    pack, memory = pack or load_pack("en"), _Said()
    memory.rest(units)
    scenes = "\n".join(_scene_rows(contract, name_of, memory, pack, with_manner=with_manner))
    tasks = [f"{pack.label(task.action)} {promise_of(task.id)}" for task in contract.foreshadowing]
    rows = [
        ("Title", own_title(contract.title, contract.chapter)),
        ("Storyline", storyline or contract.storyline_id),
        ("Point of view", name_of(contract.pov)),
        ("Place", name_of(contract.location)),
        ("Who is in it", pack.comma.join(name_of(c) for c in contract.characters)),
        *_told_and_reached(contract, memory),
        ("Its scenes", scenes),
        ("The outline adds", memory.rest([outline], retold=True)),
        (must_not_label(contract.must_not, pack), "\n".join(contract.must_not)),
        ("Promises", _semicolon(pack).join(tasks if with_manner else ())),
    ]
    return "\n".join(pack.labelled(*row) for row in rows if row[1])


def _told_and_reached(contract: ChapterContract, memory: _Said) -> list[tuple[str, str]]:
    """Returns what a chapter tells, in its order, and what it has come to by its end."""
    if not contract.beats:
        return [("What must happen", memory.rest(contract.objectives))]
    events = memory.rest(contract.beats)
    return [
        ("Told in this order", events),
        ("By the end of the chapter", memory.rest(contract.objectives)),
    ]


def head_of_plan(
    contract: ChapterContract,
    name_of: NameOf,
    pack: LanguagePack | None = None,
    *,
    told_by: str | None = None,
    named: Iterable[str] = (),
) -> str:
    """Returns who tells a chapter and who is in it, and nothing that is to happen: for whoever may
    take facts from the chapter alone. Where no field of the plan says so, `told_by` is whose eyes
    tell it, and `named` are the people whom the plan's words name. Its labels are in the language
    of `pack`, by default English."""
    pack = pack or load_pack("en")
    viewpoints = viewpoints_of(contract) or (told_by,)
    people = [*contract.characters, *(c for scene in contract.scenes for c in scene.characters)]
    rows = [
        ("Point of view", pack.comma.join(dict.fromkeys(map(name_of, filter(None, viewpoints))))),
        ("Who is in it", pack.comma.join(dict.fromkeys(map(name_of, people or named)))),
    ]
    return "\n".join(pack.labelled(*row) for row in rows if row[1])


def viewpoints_of(contract: ChapterContract) -> tuple[str, ...]:
    """Returns whose eyes tell a chapter, as its plan says: its own point of view, then those of its
    scenes."""
    named = (contract.pov, *(scene.pov for scene in contract.scenes))
    return tuple(dict.fromkeys(filter(None, named)))


def outline_adds(contract: ChapterContract, outline: str) -> str:
    """Returns what the outline of a chapter says beyond its contract, as every prompt tells it."""
    memory = _Said()
    scenes = [words for scene in contract.scenes for words in scene_texts(scene)]
    memory.rest([*scenes, *contract.objectives, *contract.beats])
    return memory.rest([outline])


def not_in_plan(wishes: str, plan: str, pack: LanguagePack, fulfilled: float = _FULFILLED) -> str:
    """Returns the wishes, a line each, that a plan made for them has not in its own words: of what
    it has the share `fulfilled` or more is no direction for whoever writes by it. A wish that says
    no stays, and a sentence of the plan that says no fulfils none."""
    denials = story_words(pack.language).denials
    said_to_be = (plan[span.start : span.end] for span in sentences(plan, pack))
    there = content_of("\n".join(one for one in said_to_be if not denials.search(one)), pack)
    rows = ((line, content_of(line, pack).units) for line in wishes.splitlines())
    return "\n".join(
        line for line, own in rows if denials.search(line) or share_of(own, there) < fulfilled
    )


def _scene_rows(
    contract: ChapterContract,
    name_of: NameOf,
    memory: _Said,
    pack: LanguagePack,
    *,
    with_manner: bool,
) -> Iterator[str]:
    """Yields the scenes of a chapter's plan, a line each, without what the chapter's own rows say
    of them all."""
    of_all = {"Point of view": name_of(contract.pov), "Place": name_of(contract.location)}
    without = {} if with_manner else _MANNER
    for scene in contract.scenes:
        rows = _own_rows(scene.copy_with(**without), name_of, memory, pack)
        own = [(label, " / ".join(words.splitlines())) for label, words in rows if words]
        pieces = [
            words if label == "What happens" else _within_a_line(pack.labelled(label, words))
            for label, words in own
            if of_all.get(label) != words
        ]
        row = _semicolon(pack).join((*(p.rstrip(".。") for p in pieces[:-1]), *pieces[-1:]))
        yield f"{scene.number}. {row}" if len(contract.scenes) > 1 else row
        of_all |= {label: words for label, words in own if label in of_all}


def _semicolon(pack: LanguagePack) -> str:
    return "；" if pack.language == "zh" else "; "


def _within_a_line(words: str) -> str:
    return f"{words[0].lower()}{words[1:]}"


def scene_texts(scene: SceneSpec) -> list[str]:
    """Returns every sentence of a scene's plan, which may name people and places."""
    own = [scene.purpose, scene.peak_moment, scene.transition_from, scene.transition_to]
    return [words for words in (*own, *scene.dialogue_goals, *scene.sensory_anchors) if words]


def plan_sentences(contract: ChapterContract, scenes: Iterable[SceneSpec]) -> Iterator[str]:
    """Yields the sentences of what happens in some scenes of a chapter, and in all of it."""
    texts = (words for scene in scenes for words in scene_texts(scene))
    for words in (*texts, *contract.beats, *contract.objectives):
        for line in words.splitlines():
            yield from filter(None, (piece.strip(" -*\t") for piece in SENTENCE_ENDS.split(line)))


def called_in(scene: SceneSpec) -> tuple[str, ...]:
    """Returns what the plan of a scene calls those of whom it has no id."""
    return scene.by_name.characters if scene.by_name is not None else ()


def _own_rows(
    scene: SceneSpec, name_of: NameOf, memory: _Said, pack: LanguagePack
) -> list[tuple[str, str]]:
    """Returns what the plan says of the scene itself, in the author's words or a model's, by
    English labels."""
    purpose, when = memory.rest([scene.purpose], whole=True), scene.when
    named = scene.by_name or NamedInScene()
    feeling = scene.entry_emotion or scene.exit_emotion
    if scene.entry_emotion and scene.exit_emotion:
        feeling = f"{scene.entry_emotion} → {scene.exit_emotion}"
    if when and scene.flashback:
        when = pack.label("{when}, earlier than the scenes around it", when=when)
    return [
        ("Point of view", named.pov or name_of(scene.pov)),
        ("Place", named.location or name_of(scene.location)),
        ("Present", pack.comma.join((*map(name_of, scene.characters), *named.characters))),
        ("When", when),
        ("Comes from", memory.rest([scene.transition_from])),
        ("What happens", purpose),
        ("It turns on", memory.rest([scene.peak_moment])),
        ("Feeling", feeling),
        ("What the talk must do", memory.rest(scene.dialogue_goals)),
        ("To be perceived", memory.rest(scene.sensory_anchors)),
        ("The way over to what follows", memory.rest([scene.transition_to])),
        ("Tone", manner_words(scene.emotional_tone, pack.language)),
        ("Style here", _override(scene, pack)),
    ]


def _list_scenes(scenes: Iterable[SceneSpec], memory: _Said) -> str:
    """Returns what the other scenes tell, a line each; only a number where it was said before."""
    rows = [(scene.number, memory.rest([scene.purpose])) for scene in scenes]
    return "\n".join(f"{n}. {indent(words, '   ').strip()}" for n, words in rows if words)


def _tells(piece: str) -> bool:
    """Whether a sentence of a plan tells of something: a length stands with the task."""
    return bool(piece.strip()) and not is_only_a_length(piece)


class _Said:
    """What a plan has said so far."""

    def __init__(self) -> None:
        self._words = ""

    def rest(self, texts: Iterable[str], *, whole: bool = False, retold: bool = False) -> str:
        """Returns the sentences of these texts that were not said yet, as their lines stand; all of
        them if `whole`, and with `retold` none whose words all stand in one that was said."""
        lines = (line for text in texts for line in text.splitlines())
        return "\n".join(filter(None, [self._line(line, whole, retold) for line in lines]))

    def _line(self, line: str, whole: bool, retold: bool) -> str:
        pieces = [piece for piece in SENTENCE_ENDS.split(line) if _tells(piece)]
        new = [piece for piece in pieces if whole or not self._has(piece)]
        if retold:
            new = [piece for piece in new if not self._retells(piece)]
        self._words += "".join(f"\n{_fold(piece)}" for piece in new)
        return "".join(_with_whom(pieces, new)).strip()

    def _retells(self, piece: str) -> bool:
        """Whether every word of a sentence, but for its ending and for how something is said,
        stands in one that was said."""
        stems = stems_in(_SPEAKS.sub(_SAYS, piece))
        if len(stems) < _FEWEST_WORDS:
            return False
        said = (set(stems_in(_SPEAKS.sub(_SAYS, words))) for words in self._words.splitlines())
        return any(all(any(w.startswith(s) for w in words) for s in stems) for words in said)

    def _has(self, piece: str) -> bool:
        """Whether a sentence was said, or has so long a run of letters in common with what was that
        a reader would take it for the same."""
        words = _fold(piece)
        runs = (words[at : at + _RUN] for at in range(len(words) - _RUN + 1))
        return words in self._words or any(run in self._words for run in runs)


def _with_whom(pieces: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yields the sentences of a line that are left, one that begins with he, it or 그 behind the
    one that says who that is, in few words where it is long: it was said elsewhere."""
    who, is_known = "", True
    for piece in pieces:
        is_of_whom = bool(_OF_WHOM.match(piece))
        if piece in new:
            if is_of_whom and not is_known:
                yield who if len(who) < _SHORT else f"{_first_words(who)}…"
            yield piece
            is_known = True
        elif not is_of_whom:
            who, is_known = piece, False


def _first_words(sentence: str) -> str:
    """Returns the first words of a long sentence."""
    head = sentence[:_SHORT]
    return head.rpartition(" ")[0] or head


_SHORT = 56
"""The most characters of a sentence that are told again for the sake of the next."""
_OF_WHOM = re.compile(
    r"\s*(?:(?:but|and|then|so|there|later|when|as)\s+)?(?:he|she|it|they|his|her|its|their)\b"
    r"|\s*(?:그러나|그리고|하지만)?\s*(?:그녀|그것|그들|그[는가를의도에와])(?![가-힣]{2})"
    r"|\s*(?:然后|但|于是)?[他她它]",
    re.IGNORECASE,
)
"""With what a sentence begins that is about somebody or something of the one before it."""


@lru_cache(maxsize=2048)  # the sentences of a plan are compared in the request of each scene
def stems_in(words: str) -> tuple[str, ...]:
    """Returns the words of a sentence without what inflects them; of Chinese, its characters two by
    two."""
    stems: list[str] = []
    for word in _fold(words).split():
        if re.search(r"[\u4e00-\u9fff]", word):
            stems += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
        else:
            least = 2 if re.search(r"[가-힣]", word) else 4
            stems.append(word[: max(least, len(word) - 2)])
    return tuple(stems)


def telling_stems(words: str) -> list[str]:
    """Returns the same without the shortest words of English, which say nothing by themselves."""
    return [s for s in stems_in(words) if len(s) >= _SHORTEST_STEM or not s.isascii()]


def _fold(words: str) -> str:
    """Returns the letters and digits of a sentence with single spaces, in lower case."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", words).casefold()))


def _override(scene: SceneSpec, pack: LanguagePack) -> str:
    if scene.style_override is None:
        return ""
    fields = scene.style_override.model_dump(exclude_none=True)
    rows = (
        pack.labelled(key.replace("_", " "), manner_words(str(value), pack.language))
        for key, value in fields.items()
    )
    return pack.comma.join(rows)
