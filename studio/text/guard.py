"""The limits of a rewrite, checked in code: faults of a refined scene or an operated passage, and
what it says otherwise, of which whoever decides on it is told (WRITING 5.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import product

from studio.messages import Said, said
from studio.story.chapter import split_paragraphs
from studio.story.review.demand import NOTHING, Demand
from studio.story.review.demand import letters as bare
from studio.story.review.directive import DirectiveType
from studio.story.review.operations import Fact, Operation
from studio.text.content import (
    FEWEST,
    REFINE,
    band_faults,
    beside_the_order,
    clauses_of_one,
    contradictions,
    does_order_denial,
    is_named,
    is_short,
    turned_facts,
    turns,
)
from studio.text.language.name_runs import may_name_somebody, name_runs
from studio.text.language.names import mentions, names_otherwise
from studio.text.language.numbers import numbers_in
from studio.text.language.packs import LanguagePack
from studio.text.language.script import guess_language, is_japanese, is_of_another_script
from studio.text.language.story_words import story_words
from studio.text.metrics.measure import measure
from studio.text.prose.answer import excerpt, remarks
from studio.text.prose.dialogue import dialogue_spans
from studio.text.prose.parse import count_filled, read
from studio.text.prose.segmentation import sentences
from studio.text.stances import do_agree, stances_turned

REFINED_LENGTH = (0.6, 1.2)
"""The range of a refined paragraph's length relative to the draft's: a line edit takes a clause
away, or turns a sentence, and adds nothing (WRITING 6)."""
OPERATED_LENGTH = (0.5, 1.6)
"""The range of an operated passage's length relative to the old (DESIGN 6); `cut` has none."""
BRIDGE_SENTENCES = 2

_CONTROL = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_ONE_SLIP = 0.75
"""The similarity from which one name may be a misspelling of another."""
SHORT_LENGTH = (0.2, 2.6)
"""The same for a short passage."""
_OF_SPACE = re.compile(
    r"\b(?:double |extra |white ?)?spac(?:e|es|ing)\b|\bblanks?\b|\bindent"
    r"|띄어|띄우|띄운|빈칸|공백|붙여 ?쓰|空格|空白|空一格|缩进",
    re.IGNORECASE,
)
"""What an instruction says that is about white space."""
_TIMES_OVER = re.compile(r"once|twice|thrice|[한두세] ?번|[一两兩三][回次遍下]", re.IGNORECASE)
"""How often something is done, which is manner."""
_SAME_SPEECH = 0.4
"""The similarity from which a new speech is an old one with its facts put right."""
_NUMERAL = re.compile(
    r"[\d.,]*\d|[零〇一二两兩三四五六七八九十百千万萬]+|[일이삼사오육칠팔구십백천만]+"
)
_TELLING = 20
"""The minimum number of characters from which a passage's language can be recognised."""


def refine_guard(
    before: str,
    after: str,
    names: Iterable[str],
    pack: LanguagePack,
    chapter: str = "",
    wording: Sequence[str] = (),
) -> list[str]:
    """Returns why a refined scene is rejected, one sentence each; empty if it is accepted.

    The guarded names are `names` and every name found in `chapter`, the text that the scene is
    from. Of speech only what the `wording` of a note names may be said otherwise.
    """
    faults: list[str] = []
    old, new = len(split_paragraphs(before)), len(split_paragraphs(after))
    if old != new:
        faults.append(said("its paragraphs number {new}, the draft's {old}", new=new, old=old))
    faults += _form_faults(before, after, REFINED_LENGTH, pack)
    faults += band_faults(before, after, REFINE, pack)
    guarded = guarded_names(names, chapter or before, after, pack)
    changes = fact_changes(before, after, guarded, pack)
    speech = _beyond_what_is_named((c for c in changes if c.fact == "quotes"), wording, pack)
    faults += [c.sentence() for c in changes if c.fact != "quotes" or c in speech]
    return [*faults, *contradictions(before, after, pack, guarded)]


def surgery_guard(
    before: Sequence[str],
    after: Sequence[str],
    operation: Operation,
    names: Iterable[str],
    pack: LanguagePack,
    chapter: str = "",
    *,
    material: str = "",
    demand: Demand = NOTHING,
    attended: bool = False,
) -> list[str]:
    """Returns why the surgeon's paragraphs cannot replace the old ones; empty if they can.

    The number of paragraphs must stay the same; only `cut` may return fewer, or none. The row of
    the operation says which facts its type may change. The guarded names are `names` and every name
    found in `chapter`, the text around the passage; a name that stands in the surgeon's `material`
    is not new. What the directive itself demands, `demand`, is never a fault: the words it names
    may go, and a fact-correction may change the facts that it names or quotes, and no others. Of a
    fix that the author is going to see, `attended`, only its scope, language and emptiness are
    faults: what else it changes she is shown, and decides (WRITING 5).
    """
    old, new = "\n\n".join(before), "\n\n".join(after)
    faults = _count_faults(before, after, operation, demand)
    rest = _to_be_kept(old, demand, pack)
    if not new.strip():
        may_go = operation.may_drop_paragraphs or demand.takes_all_out
        may_go = may_go or (demand.takes_out and not bare(rest))
        return faults if may_go else [said("it is empty"), *faults]
    if old == new or (_plain(old) == _plain(new) and not _may_be_of_space(operation, demand)):
        faults.append(said("it changes nothing"))
    band = None if operation.may_drop_paragraphs or attended else _length_band(old, operation, pack)
    faults += _form_faults(old, new, band, pack, rest, demand)
    if attended:
        return faults
    if operation.may_drop_paragraphs and count_filled(new) > count_filled(old):
        faults.append(said("it is longer than what was to be cut"))
    remainder = _aimed_out(rest, operation, pack)
    faults += band_faults(remainder, new, operation.type.value, pack, demand.named)
    guarded = guarded_names(names, chapter or old, new, pack)
    changes = fact_changes(old, new, guarded, pack)
    if operation.may_correct_names:
        changes = _without_corrections(changes, chapter)
    changes = tuple(c for c in changes if not _is_given(c, material))
    if operation.type is not DirectiveType.PROOFREADING:
        changes = _not_for_a_reader(changes, old, new, chapter or old, pack)
    faults += turns(old, new, demand.wording, guarded, pack)
    kind, moved = operation.type.value, demand.reorders
    turned = turned_facts(old, new, kind, demand.wording, pack, is_moved=moved)
    if turned and turned_facts(rest, new, kind, demand.wording, pack, is_moved=moved):
        faults += () if demand.is_of_language else turned
    changes = _without_what_is_demanded(changes, demand, old, pack)
    if operation.may_change_what_is_named:
        changes = _beyond_what_is_named(changes, demand.wording, pack)
        faults += beside_the_order(old, new, demand.named_in(old), pack)
    faults += [change.sentence() for change in changes if not _is_allowed(change, operation)]
    return faults


def _length_band(
    before: str, operation: Operation, pack: LanguagePack
) -> tuple[float, float] | None:
    """Returns how much longer or shorter a rewrite may be; of a short passage more, where one word
    of feeling becomes a gesture."""
    loose = operation.type is not DirectiveType.PROOFREADING and is_short(before, pack)
    return SHORT_LENGTH if loose else OPERATED_LENGTH


def _aimed_out(text: str, operation: Operation, pack: LanguagePack) -> str:
    """Returns a passage without the filter words that are to go, and those who perceive: what is
    left has to be kept."""
    if operation.type is not DirectiveType.FILTER_WORD_REMOVAL:
        return text
    for span in reversed(measure(text, pack)["filter_word_density"].spans):
        text = text[: span.start] + " " + text[span.end :]
    for name in sorted(name_runs(text, pack), key=len, reverse=True):
        text = text.replace(name, " ")
    return text


def _not_for_a_reader(
    changes: Sequence[FactChange], before: str, after: str, chapter: str, pack: LanguagePack
) -> tuple[FactChange, ...]:
    """Returns the changes of facts that code refuses by itself. A name or number that only went, or
    that the chapter has and that stands in place of none, is for a reader to judge (PROSE 0.6); one
    in place of another is a change of fact."""
    new = {c.fact for c in changes if not c.is_loss}
    lost = {c.fact for c in changes if c.is_loss}
    own = set(numbers_in(chapter, pack))
    stranger = may_name_somebody(after, f"{chapter}\n\n{before}", pack)

    def is_for_a_reader(change: FactChange) -> bool:
        if change.fact == "quotes":
            return False
        if change.is_loss:
            return change.fact not in new and not (change.fact == "names" and stranger)
        if change.fact in lost:
            return False
        if change.fact == "names":
            return change.words in chapter
        counted = numbers_in(change.words, pack)
        return counted.keys() <= own or _TIMES_OVER.search(change.words) is not None

    return tuple(c for c in changes if not is_for_a_reader(c))


def _may_be_of_space(operation: Operation, demand: Demand) -> bool:
    """Whether a change of white space alone is what was asked for."""
    is_proofread = operation.type is DirectiveType.PROOFREADING
    is_of_space = _OF_SPACE.search(demand.asking) is not None
    return is_proofread or is_of_space or demand.joins or demand.splits


def _to_be_kept(passage: str, demand: Demand, pack: LanguagePack) -> str:
    """Returns a passage without the words that are to go, and without its speech where another is
    to be said."""
    rest = demand.without_named(passage)
    if demand.replaces and demand.is_of_speech:
        for span in reversed(list(dialogue_spans("\n\n" + rest, pack))):
            rest = rest[: max(0, span.start - 2)] + rest[span.end - 2 :]
    return rest


def _without_what_is_demanded(
    changes: Sequence[FactChange], demand: Demand, passage: str, pack: LanguagePack
) -> tuple[FactChange, ...]:
    """Returns the changes of facts that the directive does not ask for itself: what it names may
    go, with one thing in its place, and what it gives may be new, in place of one thing."""
    own_words = "\n".join(demand.named_in(passage))

    def names(change: FactChange) -> bool:
        words = own_words if change.is_loss else demand.asking
        if change.fact == "quotes":
            return demand.is_of_speech or demand.names_speech(change.words, passage)
        if change.fact == "names":
            return mentions(words, change.words)
        return _is_number_in(words, change.words, pack)

    faults: list[FactChange] = []
    for fact in dict.fromkeys(change.fact for change in changes):
        losses = [c for c in changes if c.fact == fact and c.is_loss]
        gains = [c for c in changes if c.fact == fact and not c.is_loss]
        instead = sum(map(names, gains)) - sum(map(names, losses))
        faults += [c for c in losses if not names(c)][max(0, instead) :]
        others = [c for c in gains if not names(c)]
        # Which name or number would stand in its place is never left to a guess.
        faults += others[max(0, -instead) :] if fact == "quotes" else others
    return tuple(c for c in changes if c in faults)


def _beyond_what_is_named(
    changes: Iterable[FactChange], wording: Sequence[str], pack: LanguagePack
) -> tuple[FactChange, ...]:
    """Returns the changes of facts that the directive's words do not name."""
    changes = tuple(changes)
    words = "\n".join(wording)
    meant = {
        change
        for old in changes
        for new in changes
        if old.fact == new.fact == "quotes" and old.is_loss and not new.is_loss
        if is_named(old.words, new.words, wording, pack) or _is_quoted(old, new, wording)
        for change in (old, new)
    }
    return tuple(
        c
        for c in changes
        if not (
            c in meant
            or (c.fact == "names" and c.words.casefold() in words.casefold())
            or (c.fact == "numbers" and _is_number_in(words, c.words, pack))
        )
    )


def _is_number_in(words: str, number: str, pack: LanguagePack) -> bool:
    """Whether some words name a number, with or without what it counts."""
    bare = _NUMERAL.match(number)
    if bare is not None and bare[0] in _NUMERAL.findall(words):
        return True
    return numbers_in(number, pack).keys() <= numbers_in(words, pack).keys()


def _is_quoted(old: FactChange, new: FactChange, wording: Sequence[str]) -> bool:
    """Whether a speech that is quoted became another much like it."""
    speech, after = bare(old.words), bare(new.words)
    quotes = [letters for one in wording if len(letters := bare(one)) >= FEWEST]
    alike = SequenceMatcher(None, speech, after).ratio() >= _SAME_SPEECH
    return alike and any(one in speech or speech in one for one in quotes)


def _is_given(change: FactChange, material: str) -> bool:
    """Whether a new name stands in what the surgeon was given."""
    return change.fact == "names" and not change.is_loss and mentions(material, change.words)


def guarded_names(
    names: Iterable[str], chapter: str, after: str, pack: LanguagePack
) -> tuple[str, ...]:
    """Returns every name a rewrite must keep or must not invent: registered names, and those found
    in the chapter alone or together with the new words."""
    runs = {*name_runs(chapter, pack), *name_runs(f"{chapter}\n\n{after}", pack)}
    return tuple(dict.fromkeys((*names, *sorted(runs))))


def _without_corrections(changes: Iterable[FactChange], chapter: str) -> tuple[FactChange, ...]:
    """Returns the changes without corrections of a misspelt name to one that the chapter has."""
    changes = tuple(changes)
    lost = [c for c in changes if c.fact == "names" and c.is_loss]
    new = [c for c in changes if c.fact == "names" and not c.is_loss]
    corrected = {
        change
        for old in lost
        for right in new
        for change in (old, right)
        if SequenceMatcher(None, old.words, right.words).ratio() >= _ONE_SLIP
        and chapter.count(right.words) > chapter.count(old.words)
    }
    return tuple(change for change in changes if change not in corrected)


def bridge_guard(around: str, bridge: str, pack: LanguagePack) -> list[str]:
    """Returns why a bridge between two scenes is rejected; empty if it is accepted.

    A bridge is one paragraph of one or two sentences in the language of the edges `around` it, and
    repeats neither edge.
    """
    paragraphs = split_paragraphs(bridge)
    if len(paragraphs) != 1:
        return [said("it has {n} paragraphs where one was asked for", n=len(paragraphs))]
    faults: list[str] = []
    count = len(sentences(paragraphs[0], pack))
    if count > BRIDGE_SENTENCES:
        faults.append(said("it has {n} sentences where one or two were asked for", n=count))
    if _plain(bridge) in _plain(around):
        faults.append(said("it repeats what stands beside it"))
    return faults + _form_faults(around, bridge, None, pack)


def _count_faults(
    before: Sequence[str], after: Sequence[str], operation: Operation, demand: Demand
) -> list[str]:
    faults: list[str] = []
    limit = operation.paragraph_limit
    lengths = [len(text) for text in before]
    if limit is not None and len(before) > operation.count_fitting(lengths, limit):
        faults.append(
            said(
                "the passage has {n} paragraphs, {type} may touch {limit}",
                n=len(before),
                type=Said(operation.type.value),
                limit=limit,
            )
        )
    may_drop = operation.may_drop_paragraphs or demand.joins or demand.takes_out
    too_few = len(after) < len(before) and not may_drop
    if (len(after) > len(before) + demand.room and not demand.splits) or too_few:
        faults.append(
            said(
                "it has {n} paragraphs where {asked} were asked for",
                n=len(after),
                asked=len(before),
            )
        )
    if any(len(split_paragraphs(text)) != 1 for text in after if text.strip()):
        faults.append(said("one of its paragraphs is a scene break or holds a blank line"))
    return faults


def _form_faults(
    before: str,
    after: str,
    band: tuple[float, float] | None,
    pack: LanguagePack,
    rest: str | None = None,
    demand: Demand = NOTHING,
) -> list[str]:
    """Returns the faults of form that nobody demanded; `rest` is what is left of the old text
    without the words that are to go, where there are any."""
    faults: list[str] = []
    if band is not None:
        share = count_filled(demand.without_named(after)) / max(1, count_filled(before))
        least = band[0] * count_filled(before if rest is None else rest)
        if count_filled(after) < least or share > band[1]:
            faults.append(
                said(
                    "its length is {share} of the old, outside {least} to {most}",
                    share=f"{share:.2f}",
                    least=f"{band[0]:g}",
                    most=f"{band[1]:g}",
                )
            )
    if set(_CONTROL.findall(after)) - set(_CONTROL.findall(before)):
        faults.append(said("it holds control characters"))
    if is_in_another_language(before, after, pack) and not demand.is_of_language:
        faults.append(said("it is in another language than the passage"))
    leaks = _new_leaks(before, after, pack) or remarks(before, after)
    if leaks:
        faults.append(
            said("it speaks about the work instead of telling the story: {words}", words=leaks[0])
        )
    return faults


def is_in_another_language(before: str, after: str, pack: LanguagePack) -> bool:
    """Whether what comes in the place of a passage, or one of its paragraphs, is in another
    language than the passage."""
    is_telling = min(count_filled(before), count_filled(after)) >= _TELLING
    is_turned = is_telling and _script(before) != _script(after)
    return is_turned or _is_of_another_script(before, after, pack)


def _is_of_another_script(before: str, after: str, pack: LanguagePack) -> bool:
    """Whether a rewrite, or one of its paragraphs, is in other letters than what it replaces."""
    old, new = split_paragraphs(before), split_paragraphs(after)
    pairs = zip(old, new, strict=True) if len(old) == len(new) else [(before, after)]
    return any(is_of_another_script(now, was, pack.language) for was, now in pairs)


def _script(text: str) -> str:
    return "ja" if is_japanese(text) else guess_language(text)


def _new_leaks(before: str, after: str, pack: LanguagePack) -> list[str]:
    old_leaks, new_leaks = _leaks(before, pack), _leaks(after, pack)
    if len(new_leaks) <= len(old_leaks):
        return []
    return [words for words in new_leaks if words not in old_leaks] or new_leaks[-1:]


def _leaks(text: str, pack: LanguagePack) -> list[str]:
    parts = read("\n\n" + text, pack).parts
    return [span.of(part.text) for _, part in parts for span in part.leaks]


def _is_allowed(change: FactChange, operation: Operation) -> bool:
    return change.fact in operation.may_change or (
        change.is_loss and change.fact in operation.may_remove
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


_MARKS = '“”"＂「」『』《》‘’—―–- \t\n'


@dataclass(frozen=True, slots=True)
class FactChange:
    """One fact that is lost or new after a rewrite."""

    fact: Fact
    is_loss: bool
    """Whether the fact was lost; otherwise it is new."""
    words: str

    def sentence(self) -> Said:
        """Returns the change as a reason: `the number 12 is gone`. A long speech is told by its
        beginning."""
        words = self.words
        if len(words) > _LONGEST_SPEECH:
            words = f"“{excerpt(words.strip('“”'), _LONGEST_SPEECH)}”"
        return (_GONE if self.is_loss else _NEW)[self.fact].with_values(words=words)


_LONGEST_SPEECH = 80
"""The most characters of a speech in a reason."""
_GONE: Mapping[Fact, Said] = {
    "names": said("the name {words} is gone"),
    "numbers": said("the number {words} is gone"),
    "quotes": said("the speech {words} is gone"),
}
_NEW: Mapping[Fact, Said] = {
    "names": said("the name {words} is new"),
    "numbers": said("the number {words} is new"),
    "quotes": said("the speech {words} is new"),
}


def fact_changes(
    before: str, after: str, names: Iterable[str], pack: LanguagePack
) -> tuple[FactChange, ...]:
    """Returns every name, number and quote that only one of the two texts contains, in a fixed
    order.

    `names` are all names and aliases of the story. Numbers are compared by value ("three" is 3),
    speech by its words without marks and spacing.
    """
    guarded = tuple(names)
    return (
        *_compare_names(before, after, guarded),
        *_compare("numbers", numbers_in(before, pack), numbers_in(after, pack)),
        *_compare("quotes", _quotes(before, pack), _quotes(after, pack)),
    )


def facts_changed(
    before: str, after: str, names: Iterable[str], pack: LanguagePack
) -> tuple[str, ...]:
    """Returns the fact changes as sentences for a person; empty when nothing changed. Of a speech
    that only gained or lost sentences these are told."""
    changes = [*fact_changes(before, after, tuple(names), pack)]
    speeches = [change for change in changes if change.fact == "quotes"]
    for one, other in product(speeches, speeches):
        rest = _sentences_more(one.words, other.words, pack)
        if rest and one.is_loss != other.is_loss and one in changes and other in changes:
            changes.remove(one)
            changes[changes.index(other)] = FactChange("quotes", other.is_loss, rest)
    return tuple(change.sentence() for change in changes)


def _sentences_more(speech: str, longer: str, pack: LanguagePack) -> str:
    """Returns the sentences that one speech has beyond all those of another; empty if it lacks
    any."""
    here, there = ([s.of(words) for s in sentences(words, pack)] for words in (speech, longer))
    has = {bare(sentence) for sentence in here}
    if not has <= {bare(sentence) for sentence in there}:
        return ""
    more = " ".join(s.strip(_MARKS) for s in there if bare(s) not in has)
    return more and f"“{more}”"


def _compare(fact: Fact, before: dict[str, str], after: dict[str, str]) -> list[FactChange]:
    missing = [FactChange(fact, True, words) for key, words in before.items() if key not in after]
    new = [FactChange(fact, False, words) for key, words in after.items() if key not in before]
    return missing + new


def _compare_names(before: str, after: str, names: Iterable[str]) -> list[FactChange]:
    """Returns names that only one of the texts has. A mere change of capitals does not count, nor
    does another form of the same person's name: Mara for Mara Stobbs."""
    every = tuple(names)
    changes = _compare("names", _names(before, every), _names(after, every))
    return [c for c in changes if not _is_there((after if c.is_loss else before), c.words, every)]


def _is_there(text: str, name: str, names: Iterable[str]) -> bool:
    return mentions(text, name.lower()) or any(
        names_otherwise(text, name, whole) for whole in names
    )


def _names(text: str, names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in sorted(set(names)) if mentions(text, name)}


def _quotes(text: str, pack: LanguagePack) -> dict[str, str]:
    quotes: dict[str, str] = {}
    for span in dialogue_spans("\n\n" + text, pack):
        words = ("\n\n" + text)[span.start : span.end].strip(_MARKS)
        key = re.sub(r"\s+", "" if pack.language == "zh" else " ", words)
        number = sum(1 for other in quotes if other.split("\0")[0] == key)
        quotes[f"{key}\0{number}"] = f"“{words}”"
    return quotes


_ALIKE = 0.7
"""The share of letters that two clauses have in common of which one denies the other."""
_UN = re.compile(r"\b(?:un|dis|in|im)(\w{4,})")
"""An English word that denies another: unpaid, dishonest, incomplete."""


def told_otherwise(
    before: str, after: str, kind: str, demand: Demand, names: Iterable[str], pack: LanguagePack
) -> tuple[str, ...]:
    """Returns which clauses of a passage a rewrite of one kind states otherwise, denies, or no
    longer denies; nothing of what the directive demands."""
    order = f"{demand.asking}\n{demand.remove}"  # its quotes are the old text and order nothing
    return (
        contradictions(before, after, pack, names, demand.wording)
        or turned_facts(before, after, kind, (order,), pack, is_moved=demand.reorders)
        or tuple(_denied_clauses(before, after, order, pack))
        or tuple(stances_turned(before, after, order, pack))
    )


def said_otherwise(
    before: str, after: str, kind: str, demand: Demand, names: Iterable[str], pack: LanguagePack
) -> tuple[str, ...]:
    """Returns what a rewrite of one kind changed beside the manner, as sentences for a person:
    names, numbers and speech, and what it denies, or says otherwise."""
    guarded = tuple(names)
    return (
        *facts_changed(before, after, guarded, pack),
        *told_otherwise(before, after, kind, demand, guarded, pack),
    )


def _denied_clauses(before: str, after: str, order: str, pack: LanguagePack) -> Iterator[str]:
    """Yields the clauses that came back with a denial more or less, and nearly as they were."""
    denials = story_words(pack.language).denials
    new = clauses_of_one(after, before, pack)
    for one in clauses_of_one(before, after, pack):
        for two in new:
            is_odd = len(denials.findall(one)) % 2 != len(denials.findall(two)) % 2
            is_turned = (is_odd and _alike(denials, one, two)) or _is_undone(one, two, pack)
            if not is_turned or do_agree(one, two, pack):
                continue
            if not does_order_denial(order, f"{one}\n{two}", pack):
                what = said("denied, or no longer denied")
                yield said("{what}: “{one}” became “{two}”", what=what, one=one, two=two)
                break


def _alike(denials: re.Pattern[str], one: str, two: str) -> bool:
    first, last = (denials.sub("", words).casefold() for words in (one, two))
    return SequenceMatcher(None, first, last, autojunk=False).ratio() >= _ALIKE


def _is_undone(one: str, two: str, pack: LanguagePack) -> bool:
    """Whether one of two English clauses has the word that denies one of the other's."""
    if pack.language != "en":
        return False
    first, last = ({*re.findall(r"\w+", words.casefold())} for words in (one, two))
    pairs = ((first, two, last), (last, one, first))
    return any(
        word in words and word not in there
        for words, other, there in pairs
        for word in _UN.findall(other.casefold())
    )
