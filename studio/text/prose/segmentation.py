"""Where a paragraph's sentences begin and end, by the rules of each language.

A sentence includes its closing marks and quotes. Speech that ends like a sentence is one: “가자.”
그가 말했다. has two. In English a tag in lowercase continues the sentence: “Go!” she said. has one.
In Korean so do 라고, 하고 and any word attached to the closing quote.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from string import ascii_lowercase

from studio.text.language.packs import LanguagePack
from studio.text.spans import Span

_CLOSERS = "”’\"'」』》〉＂｣»）)\\]】*_"
_OPENERS = "“‘’”\"'「『《〈｢«„(（\\[—–―\\-*_"
_NOTE = r"\[\^?\w{1,4}\]|[¹²³⁰-⁹①-⑳]"
"""A footnote mark after a stop."""
_NOTES = re.compile(f"(?:{_NOTE})+")
_MOST_MARKS = 64
"""The maximum number of opening marks and spaces skipped to reach the next word."""
_EN, _KO, _ZH = ".!?…", ".!?…。！？‥~～", ".!?…。！？‥｡．"
_EN_OFF = r"[—–](?=[”’]|[\"'](?!\w))"
_ZH_OFF = "—(?=—{0,64}[”’」』])"
_STOPS = {
    # speech may break off in a dash
    "en": rf"[{_EN}—–](?<![{_EN}].)(?:(?<![—–])|(?<={_EN_OFF}))(?:[{_EN}]|{_EN_OFF})*+",
    # speech may end without a mark
    "ko": rf"[{_KO}”](?<![{_KO}].)(?:(?<!”)[{_KO}]*+|(?<=[가-힣]”))",
    "zh": rf"[{_ZH}—](?<![{_ZH}].)(?:(?<!—)|(?<={_ZH_OFF}))(?:[{_ZH}]|{_ZH_OFF})*+",
}
"""Patterns that begin with the set of their marks alone, which lets the regex engine skip ahead."""
# groups: stops, closing marks; in the lookahead: the space, opening marks, the next word
_ENDINGS = {
    language: re.compile(
        rf"({_STOPS[language]})((?:[{_CLOSERS}]|{_NOTE})*+)"
        rf"(?=(\s*+)[{_OPENERS}{inner}\s]{{0,{_MOST_MARKS}}}+([^\W_]{word}))"
    )
    # speech may begin with “…”, or be nothing else
    for language, inner, word in (("en", "…", "+"), ("ko", "…‥.", "+"), ("zh", "…！？", ""))
}
_SPEECH = tuple('“‘"「『｢«„—')
_INITIAL = re.compile(r"[A-HJ-Z]")
_NAME = re.compile(r"((?:Mrs?|Ms|Dr|St)(?=\.)|[A-Z][\w’'-]*)\.?\s+(?:[A-Z][\w’'-]*\s+){0,2}")
_NOTHING_SAID = re.compile(r"\s+(?:nothing|no|not|neither)\b")
_ONLY_A_TIME = re.compile(
    r"\W*(?:at|by|from|until|till|before|after|since|around|about|towards?)\s+(?:\S+\s+){0,2}\S*[ap]\.m$",
    re.IGNORECASE,
)
"""Matches `At 6 a.m` before Nora; `They ate at 6 p.m` ends a sentence."""
_STRAIGHT = re.compile('["＂]')
_LEADS_IN = frozenset("：:，,。！？!?…—；;、.“‘「『（(")
"""Marks before speech that is a sentence or the end of one; after a word it is a part of one."""
_QUOTES = {"”": "“", "’": "‘", "」": "「", "』": "『", "｣": "｢", "»": "«"}
_PAIRS = {"）": "（", ")": "(", "】": "【", "]": "[", "》": "", "〉": ""}
"""The bracket pairs; a title has no sentences of its own, whatever its marks."""
_HAN = re.compile("[\u3400-\u9fff]")
_DATE_OR_INITIALS = re.compile(r"(?:\d{2,4}\.\s*\d{1,2}\.\s*\d{1,2}|(?:[A-Za-z]\.)+[A-Za-z])$")
_TILDES = frozenset("~～")
_FULL_STOPS = frozenset("!?。！？")
"""Marks that by themselves always end a sentence; a full stop may belong to a word."""
_FINAL_BIEUP = 17
"""The index of ㅂ among a syllable's finals: 습니까 ends a question, 하니까 continues."""
_NEAR = 12
"""The number of characters looked back over; no abbreviation is longer."""


def sentences(paragraph: str, pack: LanguagePack) -> list[Span]:
    """Returns the sentences of one paragraph, which cover all its non-space characters."""
    return [Span(start, end) for start, _, end in bounds(paragraph, pack)]


def bounds(paragraph: str, pack: LanguagePack) -> list[tuple[int, int, int]]:
    """Returns start, closing stop and end of each sentence; only marks follow the stop."""
    ends_here = _RULES[pack.language]
    if pack.language == "zh":
        paragraph = _curl(paragraph)
    sentences: list[tuple[int, int, int]] = []
    start = len(paragraph) - len(paragraph.lstrip())
    for match in _ENDINGS[pack.language].finditer(paragraph):
        if ends_here(paragraph, start, match, pack):
            stop, end = match.span()
            sentences.append((start, stop, end))
            start = match.end(3)
    finish = len(paragraph.rstrip())
    if start < finish:
        sentences.append((start, finish, finish))
    return sentences


def _english(text: str, start: int, match: re.Match[str], pack: LanguagePack) -> bool:
    stops, closers, space, following = match.groups()
    goes_on = following[0].islower()
    if goes_on or not space:
        spoken = text.startswith(_SPEECH, match.end(3))
        if not spoken or (goes_on and stops != "."):
            return False
    if stops == ".":
        stop = match.start()
        return (
            bool(closers)
            or (len(following) > 1 and text[stop - 2 : stop] in _plain_tails(pack))
            or not _is_abbreviation(text, start, match, pack)
        )
    if closers:
        return not _is_tag(text, match.start(4), pack)
    # I… I: a stammer continues; “… No”: a silence opens what follows
    return not _is_ellipsis(stops) or _word_before(text, start, match) not in {
        "",
        following.lower(),
    }


@lru_cache
def _plain_tails(pack: LanguagePack) -> frozenset[str]:
    """Returns pairs of lowercase letters that no abbreviation ends in, for a quick rejection."""
    rule = pack.sentence
    tails = {word[-2:] for word in (*rule.abbreviations, *rule.before_number)}
    return frozenset(map("".join, itertools.product(ascii_lowercase, repeat=2))) - tails


def _is_tag(text: str, place: int, pack: LanguagePack) -> bool:
    """Whether the words after speech name its speaker: Nora asked, I said, Mrs. Pell cried."""
    name = _NAME.match(text, place)
    if name is None or (name[1] != "I" and name[1].lower() in pack.sentence.starters):
        return False
    verb = pack.sentence.tags.match(text, name.end())
    return verb is not None and not _NOTHING_SAID.match(text, verb.end())


def _word_before(text: str, start: int, match: re.Match[str]) -> str:
    """Returns the word before the stop in lowercase, or its last letters if it is long."""
    near = text[max(start, match.start() - _NEAR) : match.start()].split()
    if not near:
        return ""
    word = near[-1] if near[-1].isascii() else _HAN.split(near[-1])[-1]
    return word.lower().lstrip("“‘\"'(—–-")


def _is_abbreviation(text: str, start: int, match: re.Match[str], pack: LanguagePack) -> bool:
    word, rule = _word_before(text, start, match), pack.sentence
    following = match[4]
    if following[0].isupper() and following.lower() in rule.starters:
        # the next initial: J. A. Hale
        return len(following) == 1 and text.startswith(".", match.end(4))
    if word in rule.abbreviations:
        return True
    if _ONLY_A_TIME.match(text, start, match.start()):
        return True
    next_is_number = following[0].isdigit()
    if word.isdigit():
        return next_is_number or text[start : match.start()].strip() == word
    if word in rule.before_number:
        return next_is_number
    return len(word) == 1 and bool(_INITIAL.match(text, match.start() - 1))


def _korean(text: str, start: int, match: re.Match[str], pack: LanguagePack) -> bool:
    stops, closers, space, following = match.groups()
    if following in pack.sentence.carries_on:
        return False
    stop = match.start()
    before = text[stop - 1 : stop]
    if space and not closers and (stops in _FULL_STOPS or (stops == "." and _is_syllable(before))):
        return True
    unmarked = stops == "”"
    if (closers or unmarked) and following in pack.sentence.behind_quote:
        return False
    if unmarked:
        return bool(space) and text.rfind("“", start, stop) <= start
    touching = not space and not text.startswith(_SPEECH, match.end())
    if closers:
        return not touching
    if touching and not (_is_syllable(following[0]) and _is_syllable(before)):
        return False
    return _ends_korean_words(text, start, match, pack, touching)


def _ends_korean_words(
    text: str, start: int, match: re.Match[str], pack: LanguagePack, touching: bool
) -> bool:
    """Whether stops without a closing mark end the words before them."""
    stops, stop = match[1], match.start()
    if _TILDES.issuperset(stops):
        return False
    if _is_ellipsis(stops):
        words = text[max(start, stop - _NEAR) : stop]
        return not touching and (stops.endswith("….") or _closes_korean(words, pack))
    if stops != "." or _is_syllable(text[stop - 1 : stop]):
        return True
    dated = _DATE_OR_INITIALS.search(text, max(start, stop - 2 * _NEAR), stop)
    return not (dated or _is_abbreviation(text, start, match, pack))


def _closes_korean(words: str, pack: LanguagePack) -> bool:
    """Whether words before an ellipsis close a sentence; the connective -니까 does not."""
    if words[-2:] == "니까":
        return len(words) > 2 and (ord(words[-3]) - ord("가")) % 28 == _FINAL_BIEUP
    return words[-1:] != "" and words[-1] in pack.sentence.closing_syllables


def _is_syllable(character: str) -> bool:
    return "가" <= character <= "힣"


def _curl(text: str) -> str:
    """Curls straight quotes alternately, so closing ones can be distinguished from opening ones."""
    if '"' not in text and "＂" not in text:
        return text
    turn = itertools.cycle("“”")
    return _STRAIGHT.sub(lambda _: next(turn), text)


def _chinese(text: str, start: int, match: re.Match[str], pack: LanguagePack) -> bool:
    stops, closers, space, following = match.groups()
    if stops in _FULL_STOPS and (not closers or _NOTES.fullmatch(closers)):
        return True
    if closers and closers[-1] in _QUOTES:
        opened = text.rfind(_QUOTES[closers[-1]], start, match.start())
        return opened <= start or text[opened - 1].isspace() or text[opened - 1] in _LEADS_IN
    if closers and closers[-1] in _PAIRS and not space:
        return text[start] == _PAIRS[closers[-1]]
    if _is_ellipsis(stops):
        return bool(closers or space)
    if stops in {".", "．"} and not closers:
        if space:
            return not _is_abbreviation(text, start, match, pack)
        before = text[match.start() - 1 : match.start()]
        spoken = text.startswith(_SPEECH, match.end())
        return _HAN.match(before) is not None and (spoken or _HAN.match(following) is not None)
    return True


def _is_ellipsis(stops: str) -> bool:
    """Whether the stops only trail off: … or two full stops and more."""
    if stops == "." or stops in _FULL_STOPS:
        return False
    return not set(stops) - set("….‥") and ("…" in stops or "‥" in stops or len(stops) > 1)


_RULES = {"en": _english, "ko": _korean, "zh": _chinese}
