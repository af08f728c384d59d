"""Habits of a writer: contrasts, dashes, favourite openings and subjects, one-sentence paragraphs,
and forms that a reader tires of, wherever a text has too many of them.

None is a fault by itself; each is counted in narration, with its places. What is usual is in the
table of human fiction (studio/text/language/reference.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby, pairwise

from studio.text.language.lexicon import bookisms
from studio.text.language.packs import LanguagePack
from studio.text.prose.parse import ParagraphReading, Reading, Sentence
from studio.text.spans import Span

_DASH = re.compile("[—―–-](?:(?<=[—―])[—―]*|(?<=–)–*|(?<=-)-*)")
"""Matches a row of one kind; the set of all dashes comes first because it makes the search fast."""
DASHES = ("—", "–", "―", "--", " -")


def contrasts(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Returns where the narration says what a thing is not before it says what it is."""
    for hint in pack.contrast.hints:
        if hint in part.text:
            return _matches(pack.contrast.pattern, part)
    return []


def dashes(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Returns the dashes of narration: a row of them is one, a hyphen inside a word is none."""
    for dash in DASHES:
        if dash in part.text:
            return [span for span in _matches(_DASH, part) if _is_dash(part.text, span)]
    return []


def speech_tags(part: ParagraphReading, pack: LanguagePack) -> list[Span]:
    """Returns the verbs of speech tags other than said and asked."""
    return bookisms(part.text, part.speech, part.hits, pack.tags) if part.speech else []


def _is_dash(text: str, span: Span) -> bool:
    """Whether a mark separates words: between spaces, doubled between letters, – after a word."""
    mark = text[span.start]
    if mark in "—―":
        return True
    before, after = text[span.start - 1 : span.start], text[span.end : span.end + 1]
    if mark == "–":
        return after.isspace()
    if before.isspace():
        return after.isspace()
    return span.end - span.start > 1 and before.isalnum() and after.isalnum()


def _matches(pattern: re.Pattern[str], part: ParagraphReading) -> list[Span]:
    return [
        Span(match.start(), match.end())
        for stretch in part.narration
        for match in pattern.finditer(part.text, stretch.start, stretch.end)
    ]


def is_told(part: ParagraphReading) -> bool:
    """Whether the paragraph is narration alone."""
    return not part.speech and bool(part.sentences)


def commonest_opening(openings: Counter[str]) -> tuple[str, int]:
    """Returns the most common opening word and its count; the alphabetically first of several."""
    if not openings:
        return "", 0
    most = max(openings.values())
    return min(word for word, count in openings.items() if count == most), most


def openings_of(parts: Iterable[ParagraphReading]) -> Counter[str]:
    """Counts the sentences of narration by their opening word."""
    openings = Counter(s.opening for part in parts for s in part.sentences)
    del openings[""]
    return openings


def sentences_opening(reading: Reading, word: str) -> list[tuple[int, int]]:
    """Returns the places of the sentences that open with that word."""
    return [
        (paragraph.start + s.start, paragraph.start + s.end)
        for paragraph, part in reading.prose
        for s in part.sentences
        if s.opening == word
    ]


@lru_cache(maxsize=4096)
def subject_of(opening: str, pack: LanguagePack) -> str:
    """Returns the subject of a sentence with this first word; empty where the word does not show
    it.

    He and his are one subject, as are 그는 and 그가.
    """
    subject = pack.subjects.of.get(opening)
    if subject is not None:
        return subject
    if pack.subjects.particles:
        ending = next((p for p in pack.subjects.particles if opening.endswith(p)), "")
        return opening[: -len(ending)] if ending else ""
    return "" if opening in pack.function_words else opening


Offsets = tuple[int, int]
_SHORT = {"en": 6, "ko": 14, "zh": 10}
"""The most units of a paragraph that is one short sentence."""
_IN_A_ROW = 3
_DENIALS = {
    "en": re.compile(
        r"\b(?:No|Not)\b [^.!?,;:“”\n]{1,40}[.,;] (?:[Nn]o|[Nn]ot|[Nn]or)\b(?! (?:doubt|one))"
        r"[^.!?,;:“”\n]{1,40}[.,;!?—]"
    ),
    "ko": re.compile(
        r"[가-힣]+도 (?:아니|없|않)[가-힣]{1,2}[,.]? (?:[가-힣]+ ){0,2}[가-힣]+도 (?:아니|없|않)"
    ),
    "zh": re.compile(
        "(没有|沒有|不是|没|不)[^，。！？；：“”\n]{1,12}[，。、](?:也)?\\1[^，。！？；：“”\n]{1,12}[，。；！？]"
    ),
}
"""Two denials in a row: No wind. No birds."""
_TAIL = re.compile(
    r"(?<=\w), (?:\w+ly )?(?!during|nothing|something|anything|everything|being|having|king|ring"
    r"|evening|morning|ceiling|according|darling|sibling|un(?!fold|t[iy]|do|lock|roll|veil|leash|wrap|cover))"
    r"[a-z]{2,}ing (?P<next>[a-z]+)\b[^.!?;:“”\n]{0,80}[.!?]"
)
_TAG = re.compile(
    r"\b(?:said|asked|replied|answered|whispered|murmured|muttered|repeated|added|continued),"
    r" (?:his|her|their|its|my|the) \w+"
)
_NO_PROSE = re.compile(r"[*_#>\-•·~<\[(（【]|…|\.{3}")
"""What heads, lists, notices, italics and a line carried on begin with."""
_CLOSED = tuple(".!?。！？")
_FULL_STOPS = (".", "。")
_CLIPPED = {"en": 3, "ko": 8, "zh": 6}
"""The most words (ko, zh: syllables, characters) of a sentence that is clipped."""
_LONGEST_CAPITALS = 3
"""The most signs of a sentence in capitals that somebody tells: No., I., Mr., OK."""
_NEGATIONS = {
    "en": re.compile(
        r"(?:Not|No|Never|Nothing|Nobody|None|Neither)\b(?! (?:one|doubt|matter|sooner|longer)\b)"
        r"[^.!?…“”\"]{0,70}\."
    ),
    "ko": re.compile(
        r"[^.!?…“”\"]{0,30}(?:아니었다|아니다|않았다|않는다"
        r"|(?<!밖에 )(?<!밖에는 )(?<!틀림)(?<!상관)없(?:었)?다)\."
    ),
    "zh": re.compile(
        "(?:[他她它我谁誰]也?)?(?:没有|沒有|没(?![错关多])|沒(?![錯關多])|并不是|並不是|不是|不(?![过過久一知料想由禁多少同管论論断斷客得愧远遠]))"
        "[^。！？…“”：]{1,12}。"
    ),
}
"""A short sentence that says what there is not: Nothing moved. Nobody answered."""
_COLON = re.compile(r"(?<=[a-z’'\")*]): (?=[a-z“\"‘])")
"""Matches a colon of narration; what begins with a capital behind one is what a file, a sign or a
message says."""
_SOMEBODY = r"(?:someone|somebody|a (?:wo)?man|a person|people)"
_KIND = re.compile(
    r"\bthe (?:kind|sort) of (?:\w+ ){1,3}?(?:that|who|you|people|(?:wo)?men|an?)\b"
    r"|\bthe way (?:an?|people|(?:wo)?men|some|you|someone|somebody|old) (?=\w)"
    rf"|\b(?:with|in) the \w+(?: \w+)? of (?:{_SOMEBODY}|(?:wo)?men)\b"
    rf"|\blike {_SOMEBODY} (?:who|that|\w+ing)\b"
)
"""What a thing is told by a kind that everybody knows: the way people do, the kind of man who."""
_LIKENESSES = {
    "en": re.compile(r"\blike (?:a|an|the|someone|something|some|two|old)\b|\bas (?:if|though)\b"),
    "zh": re.compile(
        "(?<![不好图圖影录錄雕肖偶想神石画畫摄攝塑佛铜銅遗遺])像(?![素样樣话話])|仿佛|彷彿|如同|宛如|犹如|猶如"
    ),
}
_GOING_ON = re.compile("고 있었다")
TURNS: Mapping[str, tuple[str, re.Pattern[str]]] = {
    "hung-on": (
        "en",
        re.compile(
            r", (?:his|her|their|its|my) \w+(?: (?!was|were|had|is|are|has)\w+)? (?:\w+ing\b"
            r"|(?:low|quiet|tight|flat|steady|still|wide|dark|cold|soft|sharp|calm|grim|pale|white"
            r"|hard|blank|heavy|even)\b|\w+ed(?:(?=[,.;!?—])| (?:and|on|in|into|by|with|from|to|at"
            r"|before|against|around|behind|under|over|towards?|through|across|back|up|down|out|off"
            r"|away|tight|shut|wide|beneath|between)\b))"
        ),
    ),
    "way": (
        "en",
        re.compile(
            r"\bthe way (?<!\ball the way )(?<!\bon the way )(?<!\bby the way )(?<!\bin the way )"
            r"(?<!\bof the way )(?<!\bhalf the way )(?<!\bpart the way )(?<!\balong the way )(?!to"
            r"|back|out|down|home|up|in|of|through|from|for|was|is|and|there|here|across|along|forward"
            r"|over)\w+"
        ),
    ),
    "did-not": ("en", re.compile(r"\b(?:did|had|was|were|could|would) not\b")),
    "something": ("en", re.compile(r"\b[Ss]omething\b")),
    "exactly": ("en", re.compile(r"\b(?:particular|specific|precise|precisely|exactly|exact)\b")),
    "likened": (
        "ko",
        re.compile(r"(?<=[가-힣])처럼|(?<=[가-힣\s])듯(?=[이한했하\s,.])|마치(?= )"),
    ),
    "manner": (
        "ko",
        re.compile("짧게|낮게|조용히|천천히|가만히|나직이|작게|길게|느리게|차갑게"),
    ),
    "body": (
        "zh",
        re.compile(
            "喉[咙嚨结結]|指[尖节節]|瞳孔|心[脏臟跳口](?![声聲])|胸口|嘴角|呼吸|脊背|掌心|眼眶|睫毛"
        ),
    ),
    "suddenly": ("zh", re.compile("突然|忽然|猛地|猛然|[骤驟陡]然|[蓦驀]地")),
    "utterly": (
        "zh",
        re.compile(
            "[极極][其度致为為]|[绝絕][对對]|[彻徹]底|完全|前所未有|[无無]比|瞬[间間]|死死|[疯瘋]狂"
        ),
    ),
}
"""Words and endings of one language that a reader tires of, wherever narration has too many: what
is hung on (they rode, their gear muffled), the vague and the exact, a body's answers, stress."""
_VOICE = re.compile(
    '(?P<unseen>[一那][个個道把][^，。！？「」“”"]{0,10})?(?:声音|聲音|嗓音|语气|語氣)'
    "(?![^，。！？]{0,10}[传傳响響])"
)
"""Matches a voice, or one that is heard before anybody is seen."""
_GLOSS = re.compile("(?:这|這|那)(?:不?是|就是|才是|意味着|意味著|让|讓)")
_LETTERS = {"ko": re.compile("[가-힣]+"), "zh": re.compile("[\u4e00-\u9fff]")}
_LONGEST_ECHO = {"ko": 3, "zh": 8}
"""The most words (zh: characters) of a question that hands back what was just said."""
_BEHIND = frozenset((
    "away", "back", "forward", "upward", "downward", "toward", "towards", "across", "around",
    "along", "off", "over", "under", "past", "through", "into", "onto", "out", "down", "up",
    "against", "between", "each", "one", "every", "both", "several", "no", "something", "nothing",
    "everything", "anyone", "anything", "whatever", "himself", "herself", "itself", "myself",
    "themselves",
))  # fmt: skip
"""Words behind a participle that it governs or goes on with, beside articles and pronouns."""
_SOUNDS = frozenset((
    "hm", "hmm", "huh", "oh", "ah", "ugh", "eh", "uh", "um", "wow", "bang", "thud", "boom", "crash",
    "click", "beep", "ding", "knock", "흠", "음", "아", "어", "헉", "쾅", "탁", "툭", "쿵", "휴",
    "嗯", "啊", "哦", "呃", "咦", "唉", "砰", "啪", "咚", "轰",
))  # fmt: skip
"""What a paragraph says that is a sound, were it repeated."""


def _each(
    find: Callable[[ParagraphReading, Reading], Iterator[Offsets]],
) -> Callable[[Reading], list[Offsets]]:
    """Looks through every paragraph of prose."""

    def places(reading: Reading) -> list[Offsets]:
        return [
            (paragraph.start + start, paragraph.start + end)
            for paragraph, part in reading.prose
            if reading.forms[paragraph.scene, paragraph.number] == "prose"
            for start, end in find(part, reading)
        ]

    return places


def _contrast(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields contrasts outside italics: what is set apart is a motto, a thought, a title."""
    for start, end in contrasts(part, reading.pack):
        if part.text.count("*", 0, start) % 2 == 0:
            yield start, end


def _contrasts(reading: Reading) -> list[Offsets]:
    """Finds contrasts within paragraphs and over the break between two of narration."""
    return sorted([*_each(_contrast)(reading), *_contrasts_over_a_break(reading)])


def _contrasts_over_a_break(reading: Reading) -> Iterator[Offsets]:
    """Yields where one paragraph ends with what a thing is not, and the next says what it is."""
    joint = "" if reading.pack.language == "zh" else " "
    for (one, before), (two, behind) in pairwise(reading.prose):
        if one.scene != two.scene or one.number + 1 != two.number:
            continue
        if not (is_told(before) and is_told(behind)):
            continue
        start, end = before.sentences[-1].start, behind.sentences[0].end
        first = before.text[start:].rstrip()
        words = first + joint + behind.text[:end]
        for match in reading.pack.contrast.pattern.finditer(words):
            if match.start() < len(first) and match.end() > len(first) + len(joint):
                last = two.start + match.end() - len(first) - len(joint)
                yield one.start + start + match.start(), last


def _dash(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields dashes outside of headings and of lines that are one dash, which part scenes."""
    if _NO_PROSE.match(part.text.strip()) or not any(map(str.isalnum, part.text)):
        return
    for span in dashes(part, reading.pack):
        yield span.start, span.end


def _matching(pattern: re.Pattern[str], part: ParagraphReading) -> Iterator[Offsets]:
    for stretch in part.narration:
        for match in pattern.finditer(part.text, stretch.start, stretch.end):
            yield match.start(), match.end()


def _denial(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields two denials in a row; one word that is denied twice may be a name (不二)."""
    for start, end in _matching(_DENIALS[reading.pack.language], part):
        again = part.text.find(part.text[start : start + 2], start + 2, end)
        if reading.pack.language != "zh" or part.text[start + 1] in "有是" or again < 0:
            yield start, end


def _tail(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields tails whose participle governs something: in `a searching look` it is a quality."""
    if reading.pack.language != "en":
        return
    for stretch in part.narration:
        for match in _TAIL.finditer(part.text, stretch.start, stretch.end):
            word = match["next"]
            if word in reading.pack.function_words or word in _BEHIND or word.endswith("ly"):
                yield match.start(), match.end()


def _tag(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    return _matching(_TAG, part) if part.speech and reading.pack.language == "en" else iter(())


def _short(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields the sentence of a paragraph that is one short sentence of the story's own telling: no
    heading, no entry of a list, no sound, no line that another carries on."""
    if not is_told(part) or len(part.sentences) != 1:
        return
    start, end = part.sentences[0].span
    words = part.text[start:end].strip()
    if part.length > _SHORT[reading.pack.language] or not words.endswith(_CLOSED):
        return
    is_sound = words.strip("".join(_CLOSED)).lower() in _SOUNDS
    if not is_sound and not _NO_PROSE.match(part.text.strip()):
        yield start, end


def _clipped(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields the sentences of a few words in paragraphs of narration: beside speech they are tags
    and beats, and one that begins small is the end of another that a line was broken in."""
    if not is_told(part) or _NO_PROSE.match(part.text.strip()):
        return
    most = _CLIPPED[reading.pack.language]
    for sentence in part.sentences:
        words = part.text[sentence.start : sentence.end].strip()
        if not words.endswith(_FULL_STOPS) or not words[0].isalpha() or words[0].islower():
            continue
        if words.isupper() and len(words) > _LONGEST_CAPITALS:
            continue  # what a screen or a dispatch says
        is_english = reading.pack.language == "en"
        length = len(words.split()) if is_english else sum(map(str.isalnum, words))
        if length <= most and words.strip("".join(_CLOSED)).lower() not in _SOUNDS:
            yield sentence.start, sentence.end


def _negation(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields the short sentences that say only what there is not."""
    pattern = _NEGATIONS[reading.pack.language]
    for sentence in part.sentences:
        words = part.text[sentence.start : sentence.end].strip()
        if sentence.narrated and pattern.fullmatch(words):
            yield sentence.start, sentence.end


def _colon(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields colons outside of code: there they are a machine's."""
    if reading.pack.language == "en" and ":" in part.text:
        for start, end in _matching(_COLON, part):
            if part.text.count("`", 0, start) % 2 == 0:
                yield start, end


def _kind(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    return _matching(_KIND, part) if reading.pack.language == "en" else iter(())


def _likeness(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    pattern = _LIKENESSES.get(reading.pack.language)
    return _matching(pattern, part) if pattern else iter(())


def _going_on(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    return _matching(_GOING_ON, part) if reading.pack.language == "ko" else iter(())


def _turn(name: str) -> Callable[[Reading], list[Offsets]]:
    language, pattern = TURNS[name]

    def find(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
        return _matching(pattern, part) if reading.pack.language == language else iter(())

    return _each(find)


def _voice(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    """Yields where a voice is told of beside what it says."""
    if part.speech and reading.pack.language == "zh":
        for stretch in part.narration:
            for match in _VOICE.finditer(part.text, stretch.start, stretch.end):
                if not match["unseen"]:
                    yield match.start(), match.end()


def _gloss(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    if reading.pack.language == "zh":
        for sentence in part.sentences:
            if sentence.narrated and _GLOSS.match(part.text[sentence.start : sentence.end].strip()):
                yield sentence.start, sentence.end


def _echoes(reading: Reading) -> list[Offsets]:
    """Returns the questions that only hand back a word of what was just said: “후회?”"""
    language = reading.pack.language
    places: list[Offsets] = []
    if language not in _LETTERS:
        return places
    before = ""
    for paragraph, part in reading.prose:
        for span in part.speech:
            words = _LETTERS[language].findall(span.of(part.text))
            is_question = span.of(part.text).rstrip(" .”\"」』’'").endswith(("?", "？"))
            said = "".join(words) if language == "zh" else " ".join(word[:2] for word in words)
            if is_question and len(words) <= _LONGEST_ECHO[language] and _is_echo(said, before):
                places.append((paragraph.start + span.start, paragraph.start + span.end))
            before = said
    return places


def _is_echo(said: str, before: str) -> bool:
    if " " in before or " " in said:
        return any(len(word) > 1 for word in said.split()) and all(
            word in before.split() for word in said.split() if len(word) > 1
        )
    bare = said.rstrip("吗嗎呢么麼")
    return len(bare) > 1 and bare in before


def _opening(sentence: Sentence) -> str:
    return sentence.opening if sentence.narrated else ""


def _alike(part: ParagraphReading, reading: Reading) -> Iterator[Offsets]:
    for word, group in groupby(part.sentences, _opening):
        row = list(group)
        if word and len(row) >= _IN_A_ROW:
            yield row[0].start, row[-1].end


FORMS: Mapping[str, Callable[[Reading], list[Offsets]]] = {
    "contrast": _contrasts,
    "denial": _each(_denial),
    "dash": _each(_dash),
    "participle": _each(_tail),
    "short-paragraph": _each(_short),
    "openings": _each(_alike),
    "tag": _each(_tag),
    "clipped": _each(_clipped),
    "negation": _each(_negation),
    "colon": _each(_colon),
    "kind": _each(_kind),
    "likeness": _each(_likeness),
    "going-on": _each(_going_on),
    **{name: _turn(name) for name in TURNS},
    "voice": _each(_voice),
    "gloss": _each(_gloss),
    "echo": _echoes,
}
"""Maps each form to what finds it."""
