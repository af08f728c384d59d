"""Who the narration says is speaking: the subject of the words beside a speech, in three languages.

A tag (`said Joss`, `조스가 말했다`, `乔斯说：`) names its speaker; so does an action in the same
paragraph directly before or after a speech without somebody else's tag. A name that is merely
nearby, is addressed, or acted earlier (`Joss had said`) is no speaker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from studio.text.spans import Span

_LONGEST_TAG = 80
"""The maximum number of characters of narration beside a speech that can belong to its tag."""


def speaker_of(
    text: str, before: Span, behind: Span, names: Iterable[Span], language: str
) -> Span | None:
    """Returns the name of the speaker, out of the names outside speech in a paragraph; None if the
    text names none.

    `before` and `behind` are the narration on both sides, up to the next speech or the end.
    """
    own = sorted(names, key=lambda name: name.start)
    after = [name for name in own if behind.start <= name.start < behind.end]
    ahead = [name for name in own if before.start <= name.start < before.end]
    return _GRAMMARS[language](text, before, behind, ahead, after)


# English

_TITLES = (
    r"(?:(?:the|old|little|poor|young|good|dear|honest|Mr|Mrs|Ms|Dr|Miss|Captain|Lady|Lord|Sir"
    r"|Father|Mother|Uncle|Aunt)\.?\s+)*"
)
_NO_VERB = (
    r"(?!(?:he|she|i|they|we|you|it|his|her|my|their|the|a|an|and|but|to|as|for|with|that|this"
    r"|in|at|of|from|on|by|so|then|who|which|when|while|if|or|not|no|one|some|both)\b)"
)
_INVERTED = re.compile(
    rf"\s*{_NO_VERB}[a-z]+(?:\s+(?:in|out|up|on|off|back|again|at last|then))?\s+{_TITLES}$"
)
"""Matches what separates a speech from its speaker: a verb, and no more than a title."""
_STARTS = re.compile(
    rf"\s*(?:(?:And|But|Then|So|Now|Here|At last|At length|Suddenly|Presently),?\s+)?{_TITLES}$",
    re.IGNORECASE,
)
_DOES = re.compile(r"\s+(?:[a-z]+ly\s+)?(?!had\b|was\b|were\b|is\b|are\b|and\b|or\b|of\b)[a-z]{2,}")
_PRONOUN_TAG = re.compile(
    r"\s*(?:(?:he|she|they|i|we)\s+(?:[a-z]+ly\s+)?[a-z]+|[a-z]+(?:ed|said)\s+(?:he|she|they|i|we)"
    r"|said\s+(?:he|she|they|i|we))\b"
)
_OTHER_TAG = re.compile(r"\s*[a-z]")
_EN_SAYS = (
    r"(?:say|said|says|saying|asks?|asked|asking|repl(?:y|ied)|answer(?:ed)?|whisper(?:ed|ing)?"
    r"|shout(?:ed|ing)?|cr(?:y|ied)|call(?:ed)?|mutter(?:ed|ing)?|murmur(?:ed|ing)?|tell|told"
    r"|add(?:ed)?|remark(?:ed)?|admit(?:ted)?|confess(?:ed)?)"
)
_EN_STRANGER = re.compile(
    rf"\s*(?!(?:He|She|They|I|We)\b)[A-Z][\w'’-]*(?:\s+(?!and\b)[\w'’-]+){{0,3}}?\s+{_EN_SAYS}\b"
)
"""Matches a tag of somebody who is no entry: `The old man said`, `Tobias asked`."""
_EN_INTRODUCES = re.compile(rf"\s+(?:[a-z]+ly\s+)?{_EN_SAYS}\b[^.!?;“”\"]*")
_EN_STOPS = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bMs)[.!?;]")


def _english(
    text: str, before: Span, behind: Span, ahead: Sequence[Span], after: Sequence[Span]
) -> Span | None:
    has_tag = _OTHER_TAG.match(text, behind.start, behind.end) is not None
    for name in after[:1]:
        between = text[behind.start : name.start]
        does = _DOES.match(text, name.end)
        if _INVERTED.fullmatch(between) or (_is_short(between, _STARTS) and does):
            return name
    by_pronoun = _PRONOUN_TAG.match(text, behind.start, behind.end) is not None
    if (has_tag and not by_pronoun) or _EN_STRANGER.match(text, behind.start, behind.end):
        return None
    introduced = _name_introduced(text, before, ahead, _EN_INTRODUCES)
    return introduced or _subject_before(text, before, ahead, _EN_STOPS, _STARTS, _DOES)


# Korean

_HONORIFIC = r"(?:씨|님|군|양)?"
_SUBJECT = re.compile(rf"{_HONORIFIC}(?:이|가|은|는|도|께서|께서는)(?=[\s,“\"‘])")
_OF_SPEECH = re.compile(r"의\s+(?:말|목소리|대답|물음)")
_KO_QUOTING = re.compile(r"\s*(?:(?:이라|라|하)?고|(?:이라|라|하)며|하면서|하는)?\s*")
_KO_STARTS = re.compile(
    r"\s*(?:(?:이때|그때|그러자|그러나|그리고|이윽고|문득|마침내|그제야|다시),?\s+)?"
)
_KO_EARLIER = re.compile(r"[았었했였갔왔섰졌렸쳤됐]었|했던|하던\s")
_KO_STOPS = re.compile(r"[.!?…]")
_KO_SAYS = (
    "(?:말했|말하|물었|묻|대답했|대답하|속삭였|속삭이|외쳤|외치|소리쳤|소리치|중얼거렸|중얼거리|덧붙였"
    "|덧붙이|입을 열|고백했|고백하|되물었|되묻|불렀)"
)
_KO_STRANGER = re.compile(
    rf"\s*(?:(?:이라|라|하)?고\s+)?(?!(?:그|그녀|그들|나|내|우리)(?:는|가|이|도|들)?\s)"
    rf"[가-힣]+(?:\s[가-힣]+)?(?:이|가|은|는|께서)\s[^.!?]{{0,24}}{_KO_SAYS}"
)
_KO_INTRODUCES = re.compile(
    rf"{_HONORIFIC}(?:이|가|은|는|도|께서|께서는)\s[^.!?]*{_KO_SAYS}[^.!?]*[.!?,:]?\s*"
)


def _korean(
    text: str, before: Span, behind: Span, ahead: Sequence[Span], after: Sequence[Span]
) -> Span | None:
    for name in after[:1]:
        tag = text[name.end : behind.end][:_LONGEST_TAG]
        sentence = _KO_STOPS.split(tag)[0]
        starts = _KO_QUOTING.fullmatch(text, behind.start, name.start)
        subject = _SUBJECT.match(text, name.end) or _OF_SPEECH.match(text, name.end)
        if starts and subject and not _KO_EARLIER.search(sentence):
            return name
    if _KO_STRANGER.match(text, behind.start, behind.end):
        return None
    introduced = _name_introduced(text, before, ahead, _KO_INTRODUCES)
    return introduced or _subject_before(text, before, ahead, _KO_STOPS, _KO_STARTS, _SUBJECT)


# Chinese

_ZH_STARTS = re.compile(r"[\s，]*(?:只听|只见|这时|于是|忽然|突然|接着|然后|最后|终于)?")
_ZH_DOES = re.compile(r"(?!的|之|们|和|与|跟|对|死|已|曾|是|、|。|！|？)[^。！？]")
_ZH_STOPS = re.compile(r"[。！？；…]")
_ZH_SAYS = "(?:说|說|道|问|問|答|喊|叫|骂|罵|笑道|嚷|叹)"
_ZH_STRANGER = re.compile(
    rf"\s*(?![他她我]们?)[\u4e00-\u9fff]{{1,6}}?(?:低声|轻声|大声|慢慢|忽然|又|也|便|就)?地?{_ZH_SAYS}"
)
_ZH_INTRODUCES = re.compile(rf"[^。！？；“”]{{0,12}}?{_ZH_SAYS}[了着]?[：:，,]?\s*")


def _chinese(
    text: str, before: Span, behind: Span, ahead: Sequence[Span], after: Sequence[Span]
) -> Span | None:
    for name in after[:1]:
        starts = _ZH_STARTS.fullmatch(text, behind.start, name.start)
        if starts and _ZH_DOES.match(text, name.end):
            return name
    if _ZH_STRANGER.match(text, behind.start, behind.end):
        return None
    introduced = _name_introduced(text, before, ahead, _ZH_INTRODUCES)
    return introduced or _subject_before(text, before, ahead, _ZH_STOPS, _ZH_STARTS, _ZH_DOES)


def _name_introduced(
    text: str, before: Span, names: Sequence[Span], introduces: re.Pattern[str]
) -> Span | None:
    """Returns the name directly before a speech whose verb introduces it: in `Mara heard Joss say,
    “...”` Joss speaks, whoever begins the sentence."""
    last = names[-1] if names else None
    is_near = last is not None and before.end - last.end <= _LONGEST_TAG
    return last if last and is_near and introduces.fullmatch(text, last.end, before.end) else None


def _subject_before(
    text: str,
    before: Span,
    names: Sequence[Span],
    stops: re.Pattern[str],
    starts: re.Pattern[str],
    does: re.Pattern[str],
) -> Span | None:
    """Returns the name that begins the sentence directly before a speech and acts in it."""
    narration = text[before.start : before.end].rstrip()
    last = max((m.end() for m in stops.finditer(narration, 0, len(narration) - 1)), default=0)
    begin = before.start + last
    for name in names:
        if name.start < begin:
            continue
        is_first = _is_short(text[begin : name.start], starts)
        is_near = before.end - name.end <= _LONGEST_TAG
        return name if is_first and is_near and does.match(text, name.end) else None
    return None


def _is_short(words: str, form: re.Pattern[str]) -> bool:
    return form.fullmatch(words) is not None


_ENDS_TAG = re.compile(rf"\b(?:{_EN_SAYS}|continued)\s+(?:the|that)(?:\s+\w+)?\s+$")
"""Matches an English verb of speech and the article before whoever it tells of."""
_BEFORE_ONE = {
    "en": r"\b[Tt](?:he|hat)(?:\s+\w+)?\s+$",
    "ko": r"(?<![의내네제] )$",
    "zh": "[那这這][\u4e00-\u9fff]?$",
}
_SPEAKS = {
    "en": rf"\w+\s+(?:[a-z]+ly\s+)?(?:{_EN_SAYS}|continued)\b",
    "ko": rf"[가-힣]+(?:이|가|은|는)\s(?:[가-힣]+[게히로]\s)?{_KO_SAYS}",
    "zh": rf"[\u4e00-\u9fff]{{2,3}}?(?:低声|轻声|大声|忽然|又|也|便|就)?地?{_ZH_SAYS}",
}
"""Matches a word and the verb of speech of which it is the subject."""


def is_who_speaks(text: str, start: int, language: str) -> bool:
    """Whether a common word is whoever a tag names: `said the whisper`, `그 목소리가 물었다`,
    `那颗心脏说`."""
    before = text[max(0, start - _LONGEST_TAG) : start]
    if language == "en" and _ENDS_TAG.search(before):
        return True
    definite = re.search(_BEFORE_ONE[language], before)
    return bool(definite and re.compile(_SPEAKS[language]).match(text, start))


_Grammar = Callable[[str, Span, Span, Sequence[Span], Sequence[Span]], Span | None]
_GRAMMARS: Mapping[str, _Grammar] = {"en": _english, "ko": _korean, "zh": _chinese}
