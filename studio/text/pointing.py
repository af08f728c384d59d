"""Whether what stands behind words that were taken out still points at something: “He called Aunt
Dot that” behind a cut “He had never called me love.”

Only clear cases count: a sentence directly behind one that is gone and that points back without a
noun, or a word of the next two sentences that is denied, or pointed at, and stood only in what is
gone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from studio.messages import Said, said
from studio.story.notes import mask
from studio.text.language.packs import LanguagePack
from studio.text.prose.segmentation import sentences

_NEAR = 2
"""The sentences behind a cut that may speak of what was cut."""
_SYLLABLE = 3
"""The letters of a Korean syllable that is closed."""
_AROUND = 1200
"""The characters around a passage that are looked at: a word before it may be pointed at."""
_WORD = re.compile(r"[^\W_]+")
_AUXILIARY = r"(?:did|do|does|was|were|is|are|had|has|have|would|could|might|will|can)"

_BACK = {
    "en": re.compile(
        rf"^\W*(?:So|Neither|Nor) {_AUXILIARY}\b"
        rf"|^\W*(?:I|We|You|They|It|[A-Z]\w+) {_AUXILIARY}(?: not|n[’']t)?"
        r"(?: so| too| either)?[.!?]"
        r"|^\W*(?:That|This|These|Those)(?:[’']s\b| (?:was|is|were|are|had|has|made|meant|"
        r"would|will|could|seemed|came|took|gave|left|\w{3,}ed)\b)"
        r"|(?<!\bso )(?<!\bsaid )(?<!\bsay )(?<!\bknew )(?<!\bknow )(?<!\bthought )(?<!\bsaw )"
        r"\b(?:that|those|these)(?=[.,;:!?…”\"]| (?:when|because|too|again|either|once)\b)"
        r"|\bthe (?:former|latter)\b|\bdid so\b",
    ),
    "ko": re.compile(
        r"^\W*(?:그것|그건|그게|그걸|이것|이건|이게|이걸)"
        r"|(?<![가-힣])(?:그렇게|그런(?!데)|그랬|그럴|이렇게)"
        r"|(?<![가-힣])[그이] (?:말|소리|일|생각|이름|사실|대답|질문|얘기|이야기|물음|한마디)"
        r"(?=[은는이가을를에도만의로\s.,?!]|$)"
    ),
    "zh": re.compile(
        r"^\W*[那这這](?:是|就是|才是|可是|也是)"
        r"|[那这這](?:[样樣](?!的)|句话|句話|番话|番話|一声|一聲|话|話|个名字|個名字|回事|件事)"
        r"|如此(?=[。，！？]|$)|照做|照办|照辦|前者|后者|後者"
    ),
}
"""What points back at a whole sentence, and names nothing of it."""
_EACH_TIME = re.compile(
    r"\bsuch(?: \w+)? that\b|\b(?:told|sure|certain|hoped|believed)\b[^.]{0,200}\bthat\b"
)
"""A “that” which opens a clause."""
_DENIED = {
    "en": re.compile(
        rf"\b{_AUXILIARY}(?: not|n[’']t| never)(?: \w+ly)? (?P<word>[a-z]{{3,}})(?=[.!?,;]|$)"
    ),
    "ko": re.compile(
        r"(?<![가-힣])(?P<word>[가-힣]{1,12})지(?:는|도)? ?(?:않|못)"
        r"|(?<![가-힣])[안못] (?P<other>[가-힣]{1,12}?)[았었]?다(?=[.!?]|$)"
    ),
    "zh": re.compile(
        r"(?:没有|沒有|[没沒](?![事错錯])|不肯|不(?![过過久错錯然用]))"
        r"(?:再|去|敢|能)?(?P<word>[\u4e00-\u9fff]{1,2})(?=[。，！？；]|$)"
    ),
}
"""A word that is denied with nothing behind it."""
_POINTED = {
    "en": re.compile(r"\b(?:the|that|this|those|these) (?P<word>[a-z]{3,})\b", re.IGNORECASE),
    "ko": re.compile(
        r"(?<![가-힣])그 (?P<word>[가-힣]{2,}?)(?:은|는|이|가|을|를|의|에|도|만|로|과|와)"
        r"(?![가-힣])"
    ),
    "zh": re.compile(
        r"[那这這](?:[个個把只隻条條本张張支根块塊封件位座盏盞道扇])(?P<word>[\u4e00-\u9fff]{1,2})"
    ),
}
"""A word with what points at it."""
_NEW = {
    "en": r"\b(?:an?|one|some|two|three|four|five|six|seven|several) (?:[\w-]+ ){{0,2}}{word}",
    "ko": r"{word}",
    "zh": r"[一两兩几幾][个個把只隻条條本张張支根块塊封件位座盏盞道扇][^，。！？]{{0,6}}{word}",
}
"""How a text names a thing for the first time."""


def left_pointing(
    ahead: str, before: str, after: str, behind: str, pack: LanguagePack
) -> tuple[Said, ...]:
    """Returns what stands behind the words that a passage lost, `before` and `after`, and points at
    nothing any more; `ahead` and `behind` are what stands around the passage."""
    ahead, behind = mask(ahead)[-_AROUND:], mask(behind)[:_AROUND]
    old, new = (_sentences("\n\n".join((ahead, it, behind)), pack) for it in (before, after))
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    pointers: list[str] = []
    for what, first, last, start, end in steps:
        if what not in ("delete", "replace") or set(old[first:last]) <= set(new):
            continue  # nothing went that does not stand there still, once
        gone, instead = " ".join(old[first:last]), " ".join(new[start:end])
        rest = " ".join(new[:end])
        following = new[end : end + _NEAR]
        if what == "delete" and following and _points_back(following[0], pack):
            pointers.append(following[0])
        pointers += _of_nothing(following, gone, f"{rest} {instead}", pack)
    return tuple(
        said("what stands behind it points at nothing now: “{words}”", words=words.strip())
        for words in dict.fromkeys(pointers)
    )


def _sentences(text: str, pack: LanguagePack) -> list[str]:
    return [text[span.start : span.end].strip() for span in sentences(text, pack)]


def _points_back(sentence: str, pack: LanguagePack) -> bool:
    if pack.language == "en" and _EACH_TIME.search(sentence):
        return False
    return _BACK[pack.language].search(sentence.strip()) is not None


def _of_nothing(
    following: Sequence[str], gone: str, rest: str, pack: LanguagePack
) -> Iterator[str]:
    """Yields the sentences with a word that is denied or pointed at and stood only in what is
    gone."""
    for number, sentence in enumerate(following):
        there = f"{rest} {' '.join(following[:number])}"
        echoes = [
            m["word"] or m.groupdict().get("other")
            for m in _DENIED[pack.language].finditer(sentence)
        ]
        things = [m["word"] for m in _POINTED[pack.language].finditer(sentence)]
        if any(_stood_only_in(gone, there, word, pack) for word in echoes if word) or any(
            _stood_only_in(gone, there, word, pack) and _is_new_in(gone, word, pack)
            for word in things
        ):
            yield sentence


def _stood_only_in(gone: str, rest: str, word: str, pack: LanguagePack) -> bool:
    if pack.language == "zh":
        forms = [word] if word in gone else [word[0]]
        return any(form in gone and form not in rest for form in forms)
    stem = word.lower().rstrip("e")
    if pack.language == "ko":
        if len(word) == 1:
            return False  # any word may begin with one syllable: 가, 가방
        stem = unicodedata.normalize("NFD", word)
        stem = stem[: max(_SYLLABLE, len(stem) - 1)]
    return _has_stem(gone, stem) and not _has_stem(rest, stem)


def _has_stem(text: str, stem: str) -> bool:
    text = text.lower() if stem.isascii() else unicodedata.normalize("NFD", text)
    return any(word.startswith(stem) for word in _WORD.findall(text))


def _is_new_in(gone: str, word: str, pack: LanguagePack) -> bool:
    """Whether what is gone named a thing for the first time."""
    pattern = _NEW[pack.language].format(word=re.escape(word if pack.language != "zh" else word[0]))
    return re.search(pattern, gone, re.IGNORECASE) is not None
