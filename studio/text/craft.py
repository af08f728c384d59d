"""The craft rules of a language as one author is told them: without those that her own prose breaks
(WRITING 1.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from studio.story.novel import StyleProfile
from studio.story.review.directive import DirectiveType
from studio.text.language.packs import CraftRule, LanguagePack
from studio.text.metrics.measure import Metric, measure_reading
from studio.text.metrics.metric_kinds import METRICS
from studio.text.prose.parse import read, units_in

_RUN = 3
"""The sentences of one build in a row that a rule against runs speaks of."""


def craft_of(
    pack: LanguagePack,
    samples: Iterable[str],
    of_a_passage: bool = False,
    kind: DirectiveType | None = None,
    *,
    about: str | None = None,
    profile: StyleProfile | None = None,
) -> str:
    """Returns the rules of a language for a book of chapters or a serial, a line each, without
    those that one of the author's `samples` breaks: at least once in every 100 words or 500
    characters, so that a slip in a long sample takes no rule away. For a passage without those
    that speak of a whole scene or chapter, and for a rewrite of one `kind` those alone that are
    about it. `about` is what is known of the book: a rule of what it does not have (windows of a
    system) is left out; None for a book of which nothing is known. Nor is one told against which
    her `profile` speaks: what she says of her writing stands above it."""
    rules = pack.serial_craft if pack.is_serial else pack.craft
    rules = tuple(r for r in rules if not (of_a_passage and r.is_of_a_chapter))
    rules = tuple(r for r in rules if kind is None or kind in r.types)
    if about is not None:
        rules = tuple(r for r in rules if not r.about or re.search(r.about, about))
    hers = "" if profile is None else _profile_words(profile, pack.language)
    rules = tuple(r for r in rules if not (r.unless and re.search(r.unless, hers)))
    broken = {rule for sample in samples for rule in _rules_broken(rules, sample, pack)}
    return "\n".join(rule.text for rule in rules if rule not in broken)


_OF_WRITING = re.compile(
    r"\b(?:sentences?|paragraphs?|narrat(?:or|ion|ive)|prose|dialogue|diction|metaphors?|similes?"
    r"|adjectives?|adverbs?|(?:first|third)[- ]person|close third|(?:past|present) tense|imagery"
    r"|point of view)\b"
    r"|문장|문체|단락|문단|서술|비유|은유(?![가-힣]{1,2}(?:[는은이가를도]|야|아)\b)|직유|시점(?!에|까지|부터)|[13일삼]\s?인칭|현재형|과거형|형용사|부사(?![장관령역])"
    r"|句子|长句|短句|文风|段落|叙述|叙事|比喻|对白|人称|视角|时态|笔调|用词|形容词|副词",
    re.IGNORECASE,
)
"""Words that speak of writing, which a page of a story hardly has."""
_ALSO_OF_WRITING = re.compile(
    r"\b(?:voices?|tone|style|tense|rhythm)\b|말투|어투|묘사|대사|대화|语气|描写|对话|节奏",
    re.IGNORECASE,
)
"""Words that do so beside others of their kind."""
_CJK = re.compile(r"[\u3400-\u9fff\uac00-\ud7a3]")
_A_FEW_SENTENCES = 300
_A_WORD_IN = 150
"""Characters; one of Korean or Chinese counts for two and a half of English."""


def describes_writing(text: str) -> bool:
    """Whether a text says how its author writes, and is no sample of it: it speaks of writing all
    the time, by more than one word, or in a few sentences by one."""
    of_writing = [match[0].casefold() for match in _OF_WRITING.finditer(text)]
    beside = [match[0].casefold() for match in _ALSO_OF_WRITING.finditer(text)]
    size = len(text) + 1.5 * len(_CJK.findall(text))
    is_dense = (len(of_writing) + len(beside)) * _A_WORD_IN >= size
    is_said = len({*of_writing, *beside}) > 1 or size <= _A_FEW_SENTENCES
    return bool(of_writing) and is_dense and is_said


_DENIED = {"en": "no {}", "ko": "{} 않음", "zh": "不{}"}


def _profile_words(profile: StyleProfile, language: str) -> str:
    """Returns what a profile says of an author, what she avoids as denied."""
    own = (profile.voice, profile.sentence_rhythm, profile.diction, profile.dialogue)
    avoided = (_DENIED[language].format(words) for words in profile.avoid)
    return "\n".join((*own, *profile.do, *avoided))


_EXAMPLE = re.compile(r"\s*(?:Before: |전: |前：).*")
"""The example of a craft rule: the sentence before and after it."""


def without_examples(craft: str) -> str:
    """Returns craft rules, a line each, without their examples: whoever reads prose by them, or
    changes one passage, needs what they say and not how it is done."""
    return "\n".join(_EXAMPLE.sub("", rule) for rule in craft.splitlines())


def _rules_broken(rules: Sequence[CraftRule], sample: str, pack: LanguagePack) -> set[CraftRule]:
    """Returns the rules that a sample of prose breaks."""
    length = units_in(sample, pack)
    if not length:
        return set()
    names = {rule.metric for rule in rules if rule.metric}
    metrics = measure_reading(read(f"\n\n{sample}", pack), {}, names=sorted(names))
    return {rule for rule in rules if _is_broken(rule, sample, metrics, length / pack.minimum)}


def _is_broken(rule: CraftRule, sample: str, metrics: dict[str, Metric], stretches: float) -> bool:
    if rule.metric and METRICS[rule.metric].unit == "sentences":
        return metrics[rule.metric].value >= _RUN
    places = len(metrics[rule.metric].spans) if rule.metric else 0
    places += sum(1 for _ in re.finditer(rule.pattern, sample)) if rule.pattern else 0
    return places > 0 and places >= stretches


_ABOUT_A_SAMPLE = re.compile(
    r"\bleft open (?:here|for now|because|since|as)\b|^left open\b"
    r"|\b(?:samples?|excerpts?|extracts?|passages?|material|this text)\b[^.;]*\b(?:left open"
    r"|too short|not enough|too (?:few|little)|cannot|can't|does(?:n't| not) (?:show|tell|say))"
    r"|\b(?:left open|too short|not enough|cannot (?:be )?(?:tell|told|judge|judged|say|said))\b"
    r"[^.;]*\b(?:samples?|excerpts?|extracts?|passages?|material|this text)\b"
    r"|(?:분량|표본|샘플|발췌|예문)[^.]*(?:알 수 없|판단|단정|확인|드러나지|보이지 않|열어"
    r"|비워|보류|부족|짧)"
    r"|(?:样本|选段|篇幅|这段文字|所给文字)[^。；]*(?:看不出|无法|无从|不足|太短|有限|不够|留空|未见|不能)"
    r"|(?:看不出|无法判断|无从判断|留空)[^。；]*(?:样本|选段|篇幅)",
    re.IGNORECASE,
)
"""A sentence of a profile that speaks of what could not be told from a sample."""
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


def without_remarks(words: str) -> str:
    """Returns what a style profile says of an author, without what it remarks about the sample it
    was made from: such a sentence is no rule to write by (WRITING 1.6)."""
    pieces = [piece for piece in _SENTENCES.split(words) if piece]
    rules = [piece for piece in pieces if not _ABOUT_A_SAMPLE.search(piece)]
    if len(rules) == len(pieces):
        return words
    joined = rules[0] if rules else ""
    for piece in rules[1:]:
        joined += piece if joined[-1:] in "。！？；" else f" {piece}"
    return joined.strip().removesuffix(";").removesuffix("；")


def profile_of_rules(profile: StyleProfile) -> StyleProfile:
    """Returns a profile as those who write by it are told it: without remarks about its sample."""
    lines = ("voice", "tense", "sentence_rhythm", "diction", "dialogue")
    rules: dict[str, object] = {name: without_remarks(getattr(profile, name)) for name in lines}
    for name in ("imagery", "do", "avoid"):
        rules[name] = tuple(filter(None, map(without_remarks, getattr(profile, name))))
    return profile.copy_with(**rules)
