"""Going on from the last word: what stands of a text that broke off, and how its continuation is
joined to it (WRITING 3)."""

from __future__ import annotations

import re
import unicodedata

from studio.story.chapter import SCENE_BREAK
from studio.story.scene_marks import (
    begins_with_break,
    ends_with_break,
    without_last_break,
)
from studio.text.language.packs import LanguagePack
from studio.text.prose.answer import (
    may_say_none,
    says_none,
    split_sections,
    tidy_scene,
    without_asides,
)
from studio.text.prose.segmentation import sentences

_NEW_PARAGRAPH = re.compile(r"\s*¶\s*")
"""How an answer says that a new paragraph begins with it: the white space before it may be lost."""
_WORD = re.compile(r"[^\W_]", re.UNICODE)
_INNER = frozenset("'’-‑·")
"""Marks inside a word: behind one, the word may go on."""
_OPENING = "“‘「『《〈（(【[«„*_#`"
"""Marks that nothing follows yet; a straight quotation mark is one after a space."""
_LEAST = {"en": 12, "ko": 6, "zh": 6}
_MOST = 400
"""How many characters of what stands count as repeated: fewer are chance."""
_LAST_WORD, _FIRST_WORD = re.compile(r"[^\W\d_]+$"), re.compile(r"[^\W\d_]+")
_LONGEST_BEGUN = 3
"""The characters of a Chinese idiom that lacks its last."""
_HAN = re.compile(r"[\u3400-\u9fff]+")
_DOUBLED = frozenset(
    "慢轻缓渐偏悄天人家常刚微静看想说听走试谢妈爸爷奶哥姐弟妹叔伯姑舅公婆娃宝星刻偷默牢紧深高远长短"
    "大小多少好早明暗冷热淡浓密薄厚白黑红绿黄空满细软硬圆尖处步层年月日时代个件条句字声点滴阵片块张双"
    "丝缕团堆排座种样次回遍连频每往恰足整通仅独草匆急徐姗翩闪炯滔潺淙淅哗轰隆咚叮当嗡呜哈嘿呵嘻啊呀嗯"
    "喂等笑问摸摇晃点拍敲推拉动坐歇聊谈读写画算数找比尝闻瞧瞅望生活断续来去吃喝打玩洗帮教猜沉厚实老嫩"
    "纷茫苍郁葱森幽悠冉袅蒙朦昏隐依恋念仿彷狠死恨活干湿直弯歪斜平凉温暖烫香甜苦酸辣臭吵嚷骂咧嘟囔喃咕"
)
"""Chinese characters that are often doubled to one word."""
_CLOSED = re.compile(r"[.!?…。！？‥—―~～][\"'”’」』》）)*_]*$|[”」』]$")
_ATTACHED = ",.;:!?…)”’」』"
"""Marks that stand right behind a word."""
_SPEECH = tuple("“\"‘'「『—")
_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "—": "-", "–": "-", "―": "-"}
    | {"‑": "-", "…": ".", "，": ",", "！": "!", "？": "?", "：": ":", "；": ";"}
)


_COMPOSED = re.compile(r"\S[\u0300-\u036f\u1160-\u11ff\u3099\u309a]*")
"""A character with the accents and the later parts of its syllable that are written behind it."""
_UNSURE = ("#", "＃", "*", "_", "`", "<")
"""The first characters of a line that may become a heading or a fence."""
_LONGEST_HEADING = 60
_NO_STORY_YET = re.compile(
    r"[ \t]*(?:\*\*|__|[#＃]{1,6}[ \t\u3000]*)?pre[-‑ ]?writing\b", re.I | re.M
)
_LEADS_IN = re.compile(
    r"(?:sure|certainly|of course|okay|ok|absolutely|here(?:['’]s| is| are)|네|다음은|아래는|好的"
    r"|以下|下面)\b",
    re.I,
)
"""How a first line may begin that speaks to the author and is none of the story."""


def words_that_stand(answer: str, pack: LanguagePack, *, goes_on: bool = False) -> str:
    """Returns the prose of an answer that broke off, up to its last whole word, with the scene
    break that it broke off behind: nothing of its notes, its hints or its headings, and nothing
    while it is not certain to be prose. `goes_on` says whether words stood before it."""
    answer = answer.replace("\r\n", "\n").replace("\r", "\n")
    head, _, line = answer.rpartition("\n")
    is_unsure = line.lstrip().startswith(_UNSURE) and not ends_with_break(line)
    if is_unsure and len(line.strip()) <= _LONGEST_HEADING:
        answer = f"{head}\n"
    sections = split_sections(answer)
    if not re.search(r"^\W*prose\b", answer, re.I | re.M) and _NO_STORY_YET.search(answer):
        return ""
    prose = tidy_scene(sections.prose, goes_on=goes_on, broke_off=True)
    prose, _asides = without_asides(prose, pack, everywhere=False)
    if goes_on and says_none(prose):
        return ""
    if not goes_on:
        prose = prose[begins_with_break(prose) :]
    words = without_last_break(prose)
    if words != prose:
        return f"{to_last_word(f'{words} ', pack.language)}\n\n{SCENE_BREAK}".strip()
    if "\n" not in prose and len(prose) <= _LONGEST_HEADING and _LEADS_IN.match(prose):
        return ""
    is_whole = answer[-1:].isspace() or not answer.rstrip().endswith(prose[-1:] or " ")
    return to_last_word(f"{prose} " if is_whole else prose, pack.language)


def ends_with(text: str, words: str) -> bool:
    """Whether a text ends with these words, whatever their typography, space and case, and the
    scene breaks before them."""
    end = _fold(words[begins_with_break(words) :])[0]
    return bool(end) and _fold(text)[0].endswith(end)


def is_over(stands: str) -> bool:
    """Whether a text ends with a whole sentence."""
    return _CLOSED.search(without_last_break(stands).rstrip()) is not None


def without_open_line_end(stands: str) -> str:
    """Returns a text that is gone on with, without the line ends behind it where its last sentence
    is not over: they are a file's, or were where the cursor stood, and would part the sentence."""
    words = stands.rstrip()
    is_open = "\n" in stands[len(words) :] and not _CLOSED.search(words)
    return words if is_open and not ends_with_break(words) else stands


def to_last_word(text: str, language: str) -> str:
    """Returns a text that broke off, cut after its last whole word; in Chinese after its last
    character. Opening marks that nothing follows go too."""
    words = text.rstrip()
    is_open = words == text and language != "zh"
    if is_open and words and (_WORD.match(words[-1]) or words[-1] in _INNER):
        last = re.search(r"\s\S+$", words)
        words = words[: last.start()] if last else ""
    while True:
        bare = words.rstrip().rstrip(_OPENING)
        if re.search(r"(?:^|\s)[\"']$", bare):
            bare = bare[:-1]
        if bare == words:
            return words
        words = bare


class Seam:
    """The place where the continuation of a text begins: what of an answer repeats the end of the
    text, and what stands between the two. A scene break at the end of the text, or between it and
    the answer, stands once."""

    def __init__(self, stands: str, pack: LanguagePack) -> None:
        self._stands = stands
        self._words = without_last_break(stands)
        self._is_behind_break = self._words != stands
        self._joins_bare = pack.language == "zh"
        self._function_words = pack.function_words
        self._end, _ = _fold(self._words)
        self._sizes = sorted(_sizes(self._words, len(self._end), pack), reverse=True)
        """The lengths of the ends of the text, folded, that an answer may repeat."""

    def length_repeated(self, answer: str) -> int:
        """Returns the number of characters at the beginning of `answer` that the text ends with.

        Typography, space and case do not matter. What counts is at least 12 characters (6 in Korean
        and Chinese) and at most 400, or the last sentence or paragraph begun anew (CONTRACTS 4);
        and the break that the text ends with.
        """
        mark = _NEW_PARAGRAPH.match(answer)
        behind = mark.end() if mark else 0
        again = self._break_again(answer[behind:])
        behind += again
        begin, places = _fold(answer[behind:])
        for size in self._sizes:
            if size <= len(begin) and self._end[-size:] == begin[:size]:
                end = behind + places[size - 1] + 1
                return end + self._break_again(answer[end:])
        return behind if again else 0

    def _break_again(self, answer: str) -> int:
        """Returns how many characters the breaks take that an answer begins with, where the text
        ends with one."""
        return begins_with_break(answer) if self._is_behind_break else 0

    def may_repeat(self, beginning: str) -> bool:
        """Whether an answer that begins like this may yet turn out to repeat the end, or to say
        that nothing comes any more."""
        if may_say_none(beginning):
            return True
        if self._is_in_first_word(beginning.lstrip()):
            return True
        begin = _NEW_PARAGRAPH.sub("", beginning, count=1)
        begin, _ = _fold(begin[self._break_again(begin) :])
        length = len(self._end)
        return any(
            size > len(begin) and self._end.startswith(begin, length - size) for size in self._sizes
        )

    def _is_in_first_word(self, words: str) -> bool:
        """Whether all there is of an answer may be the beginning of the word that the text breaks
        off in."""
        if self._joins_bare:
            tails = (self._stands[-size:] for size in range(1, _LONGEST_BEGUN + 1))
            return any(tail.startswith(words) for tail in tails)
        last = self._last_word()
        return bool(last and _FIRST_WORD.fullmatch(words)) and (
            last.startswith(words) or words.startswith(last)
        )

    def join(self, answer: str) -> str:
        """Returns the text with its continuation, without what that repeats. Every character of the
        text stays as it is."""
        return self._stands + self.added_by(answer)

    def added_by(self, answer: str) -> str:
        """Returns what an answer adds to the text: its words behind what they repeat, and before
        them a paragraph's end, a space, or nothing. An answer that begins with ¶ begins a new
        paragraph; one that begins with a scene break goes on behind it, if a sentence is over. The
        one word for nothing adds nothing: the scene is finished."""
        if says_none(answer):
            return ""
        trimmed = self.length_repeated(answer)
        if not trimmed and (mark := _NEW_PARAGRAPH.match(answer)):
            return self._new_paragraph(answer[mark.end() :].lstrip())
        rest = answer[trimmed:]
        words = rest.lstrip()
        behind = begins_with_break(rest)
        is_over = trimmed > 0 or _CLOSED.search(self._words.rstrip()) is not None
        if self._is_behind_break or (behind and is_over):
            return self._new_paragraph(words)
        if behind:
            words = rest = rest[behind:]
        if not trimmed and (begun := self._begun_word(words)):
            return words[begun:]
        return self._joint(rest[: len(rest) - len(words)], words, trimmed > 0) + words

    def _new_paragraph(self, words: str) -> str:
        stands = self._stands.rstrip()
        own = self._stands[len(stands) :].count("\n")
        return "\n" * (max(0, 2 - own) if stands and words else 0) + words

    def _begun_word(self, words: str) -> int:
        """Returns how many characters of the first of these words the text ends with, where it
        breaks off inside that word, or the answer says the last word again: it is asked to where
        the word is cut in two, and cannot always tell. 0 where neither is so."""
        if self._joins_bare:
            return self._begun_characters(words)
        last, first = self._last_word(), _FIRST_WORD.match(words)
        if not last or first is None or not first[0].startswith(last):
            return 0
        stays = self._may_be_doubled(last) if first[0] == last else self._is_whole(last)
        return 0 if stays else len(last)

    def _last_word(self) -> str:
        """Returns the word that the text breaks off in or behind, or nothing."""
        last = _LAST_WORD.search(unicodedata.normalize("NFC", self._stands))
        return last[0] if last else ""

    def _may_be_doubled(self, word: str) -> bool:
        """Whether a word may stand twice running: a function word (had had), and one that the text
        has doubled before."""
        text = unicodedata.normalize("NFC", self._stands).casefold()
        word = word.casefold()
        twice = rf"(?<!\w){re.escape(word)}\s+{re.escape(word)}(?!\w)"
        return word in self._function_words or re.search(twice, text) is not None

    def _begun_characters(self, words: str) -> int:
        """Returns the same for Chinese, where no space tells whether a word is whole: the one to
        three characters that the text ends with and the answer begins with (柜, 柜台). One that is
        doubled (慢, 慢走) may be half of its double and stays."""
        for size in range(_LONGEST_BEGUN, 0, -1):
            end, begin = self._stands[-size:], words[: size + 1]
            if begin[:-1] == end and _HAN.fullmatch(begin):
                is_doubled = end in _DOUBLED or (size == 1 and end * 2 in self._stands)
                return 0 if is_doubled else size
        return 0

    def _is_whole(self, word: str) -> bool:
        """Whether the last word of the text is one by itself, so that the next begins like it by
        chance (이 이야기, so some): a function word, or one that stands in the text before."""
        if word.casefold() in self._function_words:
            return True
        before = unicodedata.normalize("NFC", self._stands)[: -len(word)]
        return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", before) is not None

    def _joint(self, space: str, words: str, is_trimmed: bool) -> str:
        stands = self._stands.rstrip()
        own = self._stands[len(stands) :]
        if not words or not stands or own.count("\n") > 1:
            return ""
        if "\n" in own:
            return "\n"
        is_over = _CLOSED.search(stands) is not None
        if space.count("\n") > 1 and (is_trimmed or is_over):
            return "\n\n"
        if is_trimmed:
            return " " if space and not own and not self._joins_bare else ""
        if is_over and _is_speech_beside(stands, words):
            return "\n\n"
        return "" if own or self._joins_bare or words[0] in _ATTACHED else " "


def _sizes(stands: str, length: int, pack: LanguagePack) -> set[int]:
    """Returns the lengths of the ends of the text, folded, that an answer may repeat."""
    sizes = set(range(_LEAST[pack.language], min(_MOST, length) + 1))
    paragraphs = re.split(r"\n\s*\n", stands.strip())
    spans = sentences(paragraphs[-1], pack)
    begun = [paragraphs[-1][spans[-1].start :]] if spans else []
    begun += ("".join(paragraphs[n:]) for n in range(len(paragraphs)))
    is_over = _CLOSED.search(stands.rstrip()) is not None
    for words in begun:
        size = len(_fold(words)[0])
        if size >= _LEAST[pack.language] or (size > 1 and not is_over):
            sizes.add(size)
    return sizes


def _is_speech_beside(stands: str, words: str) -> bool:
    """Whether a new speaker begins, or a narrator behind a speech that is over."""
    last = re.split(r"\n\s*\n", stands.rstrip())[-1]
    is_speech = last.startswith(_SPEECH) and last.endswith(("”", '"', "」", "』"))
    return words.startswith(_SPEECH) or is_speech


def _fold(text: str) -> tuple[str, list[int]]:
    """Returns a text without the difference of its typography, space and case, and for each
    character left the place it came from."""
    characters: list[str] = []
    places: list[int] = []
    for piece in _COMPOSED.finditer(text):
        for plain in unicodedata.normalize("NFC", piece[0]).translate(_PLAIN).casefold():
            characters.append(plain)
            places.append(piece.end() - 1)
    return "".join(characters), places
