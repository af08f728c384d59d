"""The second reader: before a fix stays in the text unattended, a reader who cannot know which
text is new says where the two tell a different story (PROSE 3), and which of them is better
(WRITING 6)."""

from __future__ import annotations

from studio.llm.errors import ErrorKind, ModelError
from studio.pipeline.judging.placement import is_description, own_words
from studio.pipeline.prompting.agent_question import Question
from studio.pipeline.prompting.fit_to_window import TooLarge
from studio.pipeline.stage import Work
from studio.story.chapter import sha256_of, with_breaks
from studio.story.review.answers import PreferringAnswer, ReaderAnswer
from studio.story.review.directive import Directive
from studio.story.review.operations import OPERATIONS
from studio.story.review.surgery import (
    Better,
    Difference,
    DifferenceKind,
    SecondReading,
    SurgeryResult,
)
from studio.text.content import does_order_denial, is_asked_for, is_named, names_asked
from studio.text.language.packs import LanguagePack
from studio.text.language.story_words import story_words
from studio.text.prose.parse import count_filled

_NO_ANSWER: tuple[ErrorKind, ...] = (
    "unusable",
    "refusal",
    "empty",
    "cut",
    "runaway",
    "too_large",
)
"""Errors in which a reader gives no judgement; any other error is one of the connection."""
_PLAIN_QUOTE = 8
"""The length from which words that both texts have do not prove a difference."""
_BLOCKS = ("passage-1", "passage-2")
_IN_OTHER_WORDS = frozenset[DifferenceKind]({"event", "person", "place", "time", "number"})
"""The kinds in which what is asked for can be told by its content: a denial or a feeling turned
round has the content of what it turns."""
_LEFT_OPEN = frozenset[DifferenceKind]({"person", "place", "time", "number"})
"""The kinds that may go where the instruction asks for something not to be told."""
_BESIDE = 2
"""The paragraphs before the passage, and those behind it, that a reader sees who weighs the two."""
_COMPARE = "Compare passage 1 and passage 2, and return their differences."
_WEIGH = (
    "Compare passage 1 and passage 2: return their differences, then which is better, 1, 2 or"
    " same, and why."
)
_HERE = "here stands passage 1, or passage 2"
_NOT_NEEDED = {"style": ""}
"""How the book is written decides no difference: only which version is better."""
_EMPTY = "[empty]"
"""What stands for a version in which the whole passage is cut: a block with nothing in it would not
be there, and nor would what the page says of it."""
_TO_WEIGH = "weigh"
"""What the reader's page says besides where it is asked which version is better."""


async def second_reading(
    work: Work, directive: Directive, result: SurgeryResult
) -> SecondReading | None:
    """Returns a second reader's judgement of a fix; None if no model can read.

    A reader without a usable answer has not consented.
    """
    profile = work.run.profile
    if profile is None or not profile.judges:
        return None
    turned = _is_turned(directive, result)
    question = _question(work, directive, result, turned)
    weighs = _can_be_weighed(directive)
    form = PreferringAnswer if weighs else ReaderAnswer
    try:
        answer, record = await work.agents.structure(question, form)
    except TooLarge:
        return SecondReading(consent=False)
    except ModelError as error:
        if error.error_kind not in _NO_ANSWER:
            raise
        return SecondReading(consent=False)
    differences = _verify(answer, result, turned)
    pack = work.run.pack
    refused = [d for d in differences if not is_allowed(directive, d, pack, result.before)]
    better, why = _preference(answer, turned)
    reading = SecondReading(
        consent=not refused,
        differences=differences,
        better=better,
        why=why,
        generation_id=record.id,
    )
    loses = weighs and not is_worth_it(reading, result)
    return reading.copy_with(consent=False) if loses else reading


def is_worth_it(reading: SecondReading, result: SurgeryResult) -> bool:
    """Whether a fix that tells the same story is worth having: the reader found it better, or
    neither better while its own measure improved."""
    return reading.better == "new" or (reading.better != "old" and result.helped is True)


def _can_be_weighed(directive: Directive) -> bool:
    """Whether the reader is asked which text is better: never of an error put right or of words
    taken out, and never of what the writer worded herself."""
    return OPERATIONS[directive.type].is_a_matter_of_taste and not directive.is_in_her_words


def _preference(answer: ReaderAnswer, turned: bool) -> tuple[Better | None, str]:
    """Returns which text the reader found better, and why."""
    if not isinstance(answer, PreferringAnswer):
        return None, ""
    texts: dict[str, Better] = {"1": "old", "2": "new"}
    if turned:
        texts = {"1": "new", "2": "old"}
    return texts.get(answer.better, "same"), " ".join(answer.why.split())


def is_allowed(
    directive: Directive, difference: Difference, pack: LanguagePack, before: str = ""
) -> bool:
    """Whether a directive permits this difference. No type permits a changed event, but what the
    instruction says in the words of the new text, or of what is to go, is its own; so is what the
    new text has beyond the one `before` if the instruction says all of it, the person whose line of
    speech it says that it is, and all that the quote or the instruction of a fact-correction names
    (CONTRACTS 7)."""
    row, demand = OPERATIONS[directive.type], directive.demand
    if row.may_change_what_is_named:
        wording = "\n".join(demand.wording)
        if _is_turned_unasked(difference, wording, pack):
            return False
        stands = [own_words(wording, words) for words in (difference.one, difference.two) if words]
        return any(stands) or is_named(difference.one, difference.two, demand.wording, pack)
    wish = (demand.asking, demand.remove)
    if own_words("\n".join(wish), difference.two or difference.one):
        return True
    gains_somebody = difference.kind == "person" and not difference.one
    if gains_somebody and names_asked(difference.two, demand.whose_speech, before, pack):
        return True
    if difference.kind in _IN_OTHER_WORDS and is_asked_for(difference.two, wish, before, pack):
        return True
    may_go = row.may_lose | _LEFT_OPEN if demand.leaves_open else row.may_lose
    lost = difference.kind in may_go and not difference.two
    gained = difference.kind in row.may_gain and not difference.one
    return lost or gained


def _is_turned_unasked(difference: Difference, wording: str, pack: LanguagePack) -> bool:
    """Whether what was said is denied now, or the other way round, and the wording of a correction
    denies nothing of it: a sentence that is turned has all the words that the wording names."""
    clauses, denials = (difference.one, difference.two), story_words(pack.language).denials
    one, two = (len(denials.findall(words)) % 2 for words in clauses)
    is_turned = difference.kind == "denial" and all(clauses) and one != two
    return is_turned and not does_order_denial(wording, "\n".join(clauses), pack)


def _is_turned(directive: Directive, result: SurgeryResult) -> bool:
    """Whether the new text is shown as passage 1: as good as random to a reader, who does not
    have the chapter, and the same if the same work is repeated."""
    drawn = sha256_of(f"{directive.id} {result.before_sha256} {result.after_sha256}")
    return int(drawn[0], 16) % 2 == 1


def _question(work: Work, directive: Directive, result: SurgeryResult, turned: bool) -> Question:
    texts = (result.after, result.before) if turned else (result.before, result.after)
    weighs = _can_be_weighed(directive)
    return Question(
        agent="second-reader",
        stage="review",
        what=f"r{work.run.checkpoint.surgery_round}-{directive.id}-read-{result.after_sha256[:6]}",
        scene=directive.location.scene_number,
        blocks={
            **{name: text.strip() or _EMPTY for name, text in zip(_BLOCKS, texts, strict=True)},
            "around": _around(work, directive),
            **({} if weighs else _NOT_NEEDED),
            "task": _WEIGH if weighs else _COMPARE,
        },
        slots={"directive_type": directive.type.value},
        task_kind=_TO_WEIGH if weighs else "",
        directive=directive.id,
        needed=frozenset(_BLOCKS),
    )


def _around(work: Work, directive: Directive) -> str:
    """Returns the paragraphs on both sides of a passage, with its place between them; of another
    scene too, with the break."""
    chapter, at = work.run.current, directive.location
    passage = chapter.passage(at.scene_number, at.paragraph_start, at.paragraph_end)
    before = [p for p in chapter.paragraphs if p.start < passage[0].start][-_BESIDE:]
    after = [p for p in chapter.paragraphs if p.start > passage[-1].start][:_BESIDE]
    here = passage[0]._replace(text=f"[{work.run.pack.label(_HERE)}]")
    return with_breaks((*before, here, *after)) if before or after else ""


def _verify(answer: ReaderAnswer, result: SurgeryResult, turned: bool) -> tuple[Difference, ...]:
    """Returns the differences whose words are where the reader says, the old text's first."""
    differences = []
    for entry in answer.differences:
        old, new = (entry.two, entry.one) if turned else (entry.one, entry.two)
        old_words, new_words = _words_in(result.before, old), _words_in(result.after, new)
        if old_words is None or new_words is None or _says_nothing(old_words, new_words, result):
            continue
        differences.append(Difference(kind=entry.kind, one=old_words, two=new_words))
    return tuple(dict.fromkeys(differences))


def _words_in(text: str, quote: str) -> str | None:
    """Returns the quoted words as the text has them; empty for an empty quote, and for one that
    says in other words that nothing is there. None if the text does not have them."""
    if not text.strip() or not quote.strip() or is_description(text, quote):
        return ""
    return own_words(text, quote) or None


def _says_nothing(old: str, new: str, result: SurgeryResult) -> bool:
    """Whether a difference is empty: no words, the same words, or words that both texts have."""
    if " ".join(old.split()) == " ".join(new.split()):
        return True
    if old and new:
        return False
    words, other = (old, result.after) if old else (new, result.before)
    return count_filled(words) >= _PLAIN_QUOTE and bool(own_words(other, words))
