"""Quotations of a passage, the parts of a model's prose answer, and its remarks to the user, which
are no part of the story (P15).

Unlike a rewrite, a draft has no earlier text for comparison, so in its middle the search for
remarks covers only what no narrator says, sentence by sentence, and never inside speech.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from studio.quotation_marks import put_in_quotes
from studio.story.chapter import SCENE_BREAK, Chapter, passage_text
from studio.story.lengths import NO_END
from studio.story.scene_marks import (
    begins_with_break,
    ends_with_break,
    is_mark,
)
from studio.text.language.packs import LanguagePack
from studio.text.prose.segmentation import sentences


def excerpt(text: str, longest: int) -> str:
    """Returns `text` on one line, cut with an ellipsis to at most `longest` characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


_SENTENCE_END = re.compile(rf"[.!?…]{NO_END}[”’\"')\]]*(?=\s|$)|[。！？…][”’」』）]*")
_CLAUSE_END = re.compile(r"(?=[,;:](?:\s|$))|(?=[，；：、])|(?= [–—] )")
_ENOUGH = 3
"""The part of the room that the words up to a boundary fill at least, one of this many."""


def first_sentences(text: str, longest: int) -> str:
    """Returns `text` on one line, of at most `longest` characters: its first sentences whole, else
    what stands before its last clause or word that has no room, with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= longest:
        return line
    ends = [end.end() for end in _SENTENCE_END.finditer(line) if end.end() <= longest]
    if ends and ends[-1] * _ENOUGH >= longest:
        return line[: ends[-1]]
    head = line[: longest - 1]
    clauses = [end.start() for end in _CLAUSE_END.finditer(head)]
    if clauses and clauses[-1] * _ENOUGH >= longest:
        return f"{head[: clauses[-1]]}…"
    is_word_cut = " " in head and not line[longest - 1].isspace()
    whole = head.rpartition(" ")[0] if is_word_cut else head
    return f"{whole.rstrip(' ,;:，；：、')}…"


_LIST_MARK = re.compile(
    r"[ \t]*[*_]*(?:\d{1,3}\.\d{1,3}(?=[:：*_\n])|\d{1,2}[.)．、](?=[\s*_]|[^\W\d])|[-•>](?=\s)"
    r"|(?:(?:paragraph|문단|단락)[ \t]*\d{1,2}|第?[ \t]*[\d一二三四五][ \t]*段"
    r"|(?:first|second|third|fourth|fifth)[ \t]+paragraph"
    r"|[첫두세네]\w*[ \t]*(?:번째[ \t]*)?문단)(?=[ \t]*[:：]))"
    r"[*_]*[ \t]*[:：]?[*_]*\s*",
    re.IGNORECASE,
)
"""What stands before a paragraph that is given as an entry of a list: a number, a dash, a name."""


def without_list_marks(paragraphs: list[str], before: Sequence[str]) -> list[str]:
    """Returns paragraphs without the marks of a list, where each has one and none of those had that
    they stand for."""
    marks = [_LIST_MARK.match(paragraph) for paragraph in paragraphs]
    rest = [p[mark.end() :] for p, mark in zip(paragraphs, marks, strict=True) if mark is not None]
    is_listed = bool(paragraphs) and len(rest) == len(paragraphs) and all(rest)
    return rest if is_listed and not any(map(_LIST_MARK.match, before)) else paragraphs


_FIRST_WORDS = 28
"""The number of characters quoted from the start of a passage."""


def first_words(text: str) -> str:
    """Returns `“She felt very sad…”`: the beginning of a passage, by which a writer recognizes
    it."""
    flat = " ".join(text.split())
    if len(flat) <= _FIRST_WORDS:
        return put_in_quotes(flat)
    head = flat[:_FIRST_WORDS]
    whole = head.rpartition(" ")[0] if " " in head[_FIRST_WORDS // 2 :] else head
    return put_in_quotes(f"{whole.rstrip(' ,;:.“”‘’')}…")


def breach(rule: str, quote: str, explanation: str) -> str:
    """Formats a broken rule, the words that break it and how: `No bells: “A bell rang”. It did.`"""
    what = f"{rule.rstrip('.。 ')}: {put_in_quotes(quote)}" if quote.strip() else rule
    return " ".join(_close(words.strip()) for words in (what, explanation) if words.strip())


def _close(words: str) -> str:
    """Returns words with a final stop in their own script."""
    if words.rstrip("”’\"')」』")[-1:] in tuple(".?!…。？！"):
        return words
    return words + ("。" if "一" <= words.rstrip("”’")[-1:] <= "鿿" else ".")


_TEXT = r"(?:passages?|paragraphs?|excerpt|text|prose|scene|sentences?|version|content)"
_WORK = (
    r"(?:re-?writ\w+|rewrote|revis(?:e|es|ed|ing|ions?)|edit(?:s|ed|ing)?|instruct(?:ed|ions?)"
    r"|guidelines?|requested|assist|comply|fulfil\w*|as\ is|as\ it\ stands|as\ written)"
)
_CANNOT = (
    r"(?:can(?:not|\ not|['’]t)|won['’]t|will\ not|(?:am|['’]m)\ (?:not\ able|unable)\ to"
    r"|must\ decline\ to|have\ to\ decline\ to)"
)
_STOP = r"[^.!?。！？\n]"
_EXCUSES = (
    rf"\bI\ ?{_CANNOT}\b{_STOP}{{0,60}}?\b(?:{_WORK}|help\ with\ (?:this|that)\ request)\b",
    rf"\bI(?:['’]m|\ am)\ (?:very\ |so\ |truly\ )?(?:sorry|afraid)\b{_STOP}{{0,80}}\b{_WORK}\b",
    r"\bI\ (?:sincerely\ |do\ )?apologi[sz]e\b",
    rf"\b(?:this|the|your|original)\ {_TEXT}\b{_STOP}{{0,60}}?\b{_WORK}\b",
    rf"\b{_WORK}\ (?:of\ )?(?:this|the|your)\ {_TEXT}\b",
    rf"\b(?:this|the|your)\ (?:content|material|request)\b{_STOP}{{0,60}}?"
    r"\b(?:safety|polic(?:y|ies)|(?:in)?appropriate|violat\w+)\b",
    r"\b(?:as|like)\ (?:you\ )?(?:requested|instructed)\b|\bper\ your\ (?:request|instructions?)\b",
    r"^(?:you|I)(?:['’]d|\ could|\ might|\ would|\ should)\ [^.\n]{0,60}"
    r"\b(?:sentences?|paragraphs?|clauses?|passage)\b",
    r"(?:문장|문단|단락|구절)(?:들)?(?:을|를|은|는|이|가)?\ [^.\n]{0,50}"
    r"(?:좋겠습니다|좋을\ 것\ 같|권합니다|추천합)",
    r"^(?:建议|建議|可以考虑|不妨)[^。\n]{0,20}(?:句|段|文字|结尾)",
    r"\blet\ me\ know\ (?:if|whether|what|how)\b|\bI\ hope\ this\ helps\b",
    r"(?:죄송|미안)(?:하지만|합니다|하오나|스럽지만)[^.!?\n]{0,60}"
    r"(?:수정|고칠|고쳐|다시\ ?쓰|다시\ ?쓸|재작성|요청|도와|도움|작성|드릴\ 수)",
    r"(?:수정|재작성|작성|변경|도와\ ?드릴|고쳐\ 쓸|다시\ 쓸)(?:할)?\ 수(?:가|는)?\ "
    r"없(?:습니다|어요|네요)",
    r"(?:요청|지시)(?:하신|에\ 따라|대로)",
    r"(?:이|해당|위|본)\ (?:문단|단락|구절)(?:은|는|을|를|에서)\ "
    r"(?:수정|고치|고칠|그대로|이미|변경|다시)",
    r"(?:抱歉|对不起|對不起|很遗憾|遺憾)[^。！？\n]{0,30}(?:无法|無法|不能|没法|没办法)[^。！？\n]{0,30}"
    r"(?:改写|改寫|修改|重写|重寫|提供|完成|满足|处理|帮助|协助|请求|要求)",
    r"(?:根据|按照|依照)(?:您|你)的(?:要求|指示|请求)",
    r"(?:这|该|此|本|原)(?:一)?段(?:文字|落|话|文)?(?:已经|无需|无须|不需|无法|不宜|读起来|写得)",
)
_OPENED = r"[*_\[(（【\#>\"“]*[ \t]*"
_CLOSED = r"[ \t]*[*_\])）】]*[ \t]*[:：]"
_LABELS = (
    rf"^[ \t]*{_OPENED}(?:the\ |my\ |your\ )?"
    rf"(?:(?:re-?written|revised|edited|corrected|new|improved|updated|final|polished|original)"
    rf"(?:\ {_TEXT})?|re-?write|revision|output|answer|result|{_TEXT})"
    rf"(?:\ \#?\d+(?:[.\-–]\d+)*)?{_CLOSED}",
    rf"^[ \t]*{_OPENED}(?:(?:수정|개선|교정|변경)(?:된|한)?|고친|다듬은|새로운?)\ ?"
    rf"(?:문단|단락|본문|글|버전|원고|구절|내용|문장|본|안)?\ ?\d*{_CLOSED}",
    rf"^[ \t]*{_OPENED}(?:결과|문단|단락|본문)\ ?\d*{_CLOSED}",
    rf"^[ \t]*{_OPENED}(?:修改|改写|改寫|润色|潤色|修订|修訂|改)后?的?"
    rf"(?:段落|文本|文字|版本|正文|内容|內容|稿)?\d*{_CLOSED}",
    rf"^[ \t]*{_OPENED}(?:段落|正文|结果|結果)\ ?\d*{_CLOSED}",
    r"^[ \t]*【(?:修改|改写|润色|修订|正文)[^】\n]{0,12}】",
)
_NOTES = (
    r"(?:^|[(\[{*_]|[.!?”\"’]\ )[ \t]*(?:editor['’]?s?\ )?(?:notes?|changes?(?:\ made)?|explanation"
    r"|comments?|rationale|reasoning|summary\ of\ changes|n\.b\.)[ \t*_]*[:：]",
    r"[(\[*][ \t]*I(?:['’]ve|\ have)?\ (?:removed|changed|replaced|rewrote|rewritten|cut|kept|added"
    r"|trimmed|tightened|revised|edited|deleted|left)\b",
    r"(?:^|[(\[*（【])[ \t]*(?:참고|주|주석|메모|설명|비고|변경\ ?(?:사항|내용)?"
    r"|수정\ ?(?:사항|내용|설명|이유))[ \t*]*[:：]",
    r"(?:^|[(\[*（【])[ \t]*(?:注|说明|說明|备注|備註|解释"
    r"|(?:修改|改动|改写)(?:说明|内容|原因|之处)?)[ \t*]*[:：]",
)
_READER = (
    r"(?:reviewers?|editors?|judges?|second\ readers?|evaluators?|graders?|language\ models?"
    r"|AI(?:\ models?)?|assistants?)"
)
_ORDER = (
    r"(?:accept|approve|keep|ignore|return|answer|mark|consent|disregard|pass"
    r"|let\ (?:it|this)\ stand|do\ not\ report|report\ no)"
)
_ADDRESSES = (
    rf"\b(?:notes?|message|instructions?)\ (?:to|for)\ (?:the\ |any\ |all\ |our\ )?{_READER}\b",
    rf"\b(?:dear|attention)\ {_READER}\b",
    rf"\b{_READER}(?:,|:|\ (?:must|should|may|can|will))\ (?:please\ )?{_ORDER}\b",
    r"\b(?:ignore|disregard|forget)\ (?:all\ |any\ |the\ |your\ )*"
    r"(?:previous\ |prior\ |above\ |earlier\ )?(?:instructions|guidelines|system\ prompt)\b",
    r"\b(?:this|the)\ (?:re-?write|revision|version|edit|passage)\ (?:is|was|has\ been)\ "
    r"(?:already\ |fully\ )?(?:approved|accepted|verified|identical|cleared)\b",
    r"\b(?:return|answer\ with)\ an\ empty\ list\b|\bno\ differences\b[^.\n]{0,40}\breport",
    r"(?:검토자|심사자|편집자|평가자|심사위원|리뷰어|언어\ ?모델|AI|인공지능)(?:님)?"
    r"(?:께|에게|는|은|가|이|,|:|：)[^.!?\n]{0,40}"
    r"(?:승인|무시|통과|유지하|수락|지시|반환|보고하지|받아들)",
    r"(?:이전|위의|앞의|앞선|모든)\ ?(?:지시|명령|규칙|지침)[^.!?\n]{0,12}(?:무시|잊)",
    r"(?:이|본|위)\ ?(?:문단|수정본?|수정안|원고|개작)(?:은|는)\ ?(?:이미\ )?승인",
    r"(?:审稿人?|評審|评审|审阅者?|審閱者?|编辑|編輯|评委|审核员?|语言模型|AI|人工智能)"
    r"[^。！？\n]{0,16}(?:批准|通过|通過|忽略|采纳|予以保留|保留此|接受此|返回|不要报告|直接接受)",
    r"(?:忽略|无视|無視|忘记)(?:以上|之前|上述|所有|前面)[^。！？\n]{0,8}(?:指令|指示|要求|规则|規則)",
    r"(?:本段|此段|这段|该段|改写|改寫|修改稿?)[^。！？\n]{0,8}(?:已|已经|已經)(?:获批|獲批|批准|通过审|审核|核准)",
)
"""Phrases addressed to a reviewer of a text, in any voice: no story discusses its own rewriting."""
_MARKUP = (
    r"</?[A-Za-z][\w-]*(?:\ [^<>\n]*)?/?>",
    r"^[ \t]*(?:>|[-*+]|\d{1,2}[.)]|\#{1,6}|\|)[ \t]+\S",
    r"^[ \t]*[\[{][^\n]{8,}[\]}][ \t]*$",
    r"^[ \t]*```",
)


def remarks(before: str, after: str) -> list[str]:
    """Returns the remarks in a rewrite that are no part of the story, verbatim; empty if none.

    A kind of remark that the old passage contains is not reported for the new one.
    """
    last_remarks = []
    for pattern in _patterns():
        words = [match[0].strip() for match in pattern.finditer(after)]
        if len(words) > len(pattern.findall(before)):
            last_remarks.append(words[-1])
    return last_remarks


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile("|".join(f"(?:{one})" for one in group), re.I | re.M | re.X)
        for group in (_EXCUSES, _LABELS, _NOTES, _ADDRESSES, _MARKUP)
    )


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of an answer: `prose` is used, the rest is for the log."""

    prose: str
    pre_writing: str = ""
    hints: str = ""


_HEADING = re.compile(
    r"^[ ]{0,3}(?=[#＃]|\*\*|__)(?:[#＃]{1,6}[ \t\u3000]*)?(?P<bold>\*\*|__)?[ \t]*"
    r"(?:\d+[.)][ \t]*)?(?P<name>pre[-‑ ]?writing(?:[ \t]+(?:notes|thoughts))?|prose|hints)"
    r"[ \t]*(?P<colon>[:：])?[ \t]*(?(bold)(?P=bold))[ \t]*(?P<late_colon>[:：])?[ \t]*"
    r"(?:[#＃]+[ \t]*)?(?P<rest>[^\r\n]*?)[ \t]*\r?$",
    re.I | re.M,
)
_FENCE_LINE = re.compile(r"^[ ]{0,3}```[ \t]*\w*[ \t]*\r?$", re.M)
_OF_THE_TEXT = (
    r"(?:scene|chapter|prose|passage|paragraph|text|story|version|draft|re-?writ\w*|rewrote|revis\w+"
    r"|edit(?:s|ed|ing)?|sentence|novel|request\w*|instruct\w*|answer|result|output"
    r"|장면|본문|문단|단락|원고|소설|버전|수정|고친|고쳐|다시\ 써|다시\ 쓴|다듬|작성"
    r"|요청|결과|답변|초안|\d+\ ?(?:장|화)|场景|場景|正文|段落|修改|改写|改寫|润色|潤色|句子|文字"
    r"|小说|小說|章|版本|稿|结果|按照|根据|要求|保留了|调整)"
)
"""Words of somebody who speaks of a text."""
_BEGINS_TO_ANSWER = (
    r"(?:sure|certainly|of\ course|absolutely|okay|ok|understood|great|here(?:'s|’s|\ is|\ are)"
    r"|below\ is|I(?:'ve|’ve|\ have)\ \w+(?:ed|en|pt|ut)\b|[네예][,.!]|알겠습니다|물론|다음은"
    r"|아래는|여기|다음과\ 같|好的|当然|當然|没问题|沒問題|以下|下面|这是|這是|明白)"
)
_NAMES_THE_TEXT = (
    r"(?:the\ |my\ )?(?:re-?written|revised|edited|corrected|new|final|updated|polished|improved)"
    r"(?:\ (?:passage|paragraphs?|text|version|prose|scene))?(?:\ \[?\d+(?:[.\-–]\d+)*\]?)?"
    r"|(?:수정|개선|교정)(?:된|한|본|안)?\ ?(?:문단|단락|본문|글|버전|원고|문장|본|안)?"
    r"|고친\ (?:문단|글|문장)|결과|본문|正文|结果|結果"
    r"|(?:修改|改写|改寫|润色|潤色|修订|改)(?:后|後)?的?(?:段落|文本|文字|版本|正文|内容|稿)?"
)
_UNSPOKEN = r"[^\r\n“”\"「」『』]{0,160}?"
_LEAD_IN = re.compile(
    rf"[ \t]*[*_]*(?:(?=[^\r\n]{{0,160}}{_OF_THE_TEXT}){_BEGINS_TO_ANSWER}{_UNSPOKEN}"
    rf"|{_BEGINS_TO_ANSWER}[!,.，。！]\ ?{_UNSPOKEN}|{_NAMES_THE_TEXT})"
    r"[*_]*[ \t]*[:：][*_]*[ \t]*(?:\r?\n|\Z)",
    re.I | re.X,
)
"""A first line that speaks of the text and ends with a colon, whatever its words."""
_MAY_LEAD_IN = re.compile(
    rf"[ \t]*[*_]*(?:{_BEGINS_TO_ANSWER}|{_NAMES_THE_TEXT}|I(?:'ve|’ve|\ have)\b)", re.I | re.X
)
"""The beginning of a line that may become such a line."""
_OPENERS = (
    *("sure", "certainly", "of course", "absolutely", "okay", "understood", "great", "below is"),
    *("here's", "here’s", "here is", "here are", "i've ", "i’ve ", "i have "),
    *("네,", "네.", "네!", "예,", "예.", "예!", "알겠습니다", "물론", "다음은", "아래는", "여기"),
    *(
        "다음과 같",
        "好的",
        "当然",
        "當然",
        "没问题",
        "沒問題",
        "以下",
        "下面",
        "这是",
        "這是",
        "明白",
    ),
    *(
        f"{whose}{new}"
        for whose in ("", "the ", "my ")
        for new in (
            *("rewritten", "re-written", "revised", "edited", "corrected", "new", "final"),
            *("updated", "polished", "improved"),
        )
    ),
    *("수정", "개선", "교정", "고친 문단", "고친 글", "고친 문장", "결과", "본문", "正文", "结果"),
    *("結果", "修改", "改写", "改寫", "润色", "潤色", "修订"),
)
"""The first letters of such a line, in lower case: what begins with none of them, nor is the
beginning of one, is story from its first word."""
_TITLE = re.compile(r"[#＃]{1,6}[ \t\u3000]+\S[^\n]*(?:\n|\Z)")


def split_sections(text: str) -> Sections:
    """Splits a prose answer into `## Pre-Writing`, `## Prose` and `## Hints`.

    An answer without these headings is all prose. Code fences, a title line and a lead-in such as
    "Here is the scene:" are removed from the prose; no word of the story is.
    """
    text = _FENCE_LINE.sub("", without_thoughts(text))
    sections: dict[str, list[str]] = {"prose": [], "pre-writing": [], "hints": []}
    marks = [m for m in _HEADING.finditer(text) if _is_heading(m)]
    bounds = [*(mark.start() for mark in marks), len(text)]
    before = _only_prose(text[: bounds[0]])
    for mark, end in zip(marks, bounds[1:], strict=True):
        part = f"{mark['rest']}\n{text[mark.end() : end]}"
        section = _section(mark)
        sections[section].append(_only_prose(part) if section == "prose" else part.strip())
    # Text before the first heading is chatter if a prose section follows, otherwise the prose.
    announced = any(_section(mark) == "prose" for mark in marks)
    sections["pre-writing" if announced else "prose"].insert(0, before)
    joined = {name: "\n\n".join(part for part in parts if part) for name, parts in sections.items()}
    return Sections(joined["prose"], joined["pre-writing"], joined["hints"])


_NONE = re.compile(r"[\s*_`\[({（【]*(?:none|없음|无|無)[\s*_`\])}）】.。]*", re.IGNORECASE)


def says_none(prose: str) -> bool:
    """Whether an answer is nothing but the word for nothing, however it is written: `**None.**`."""
    return _NONE.fullmatch(prose) is not None


def may_say_none(beginning: str) -> bool:
    """Whether an answer that begins like this may turn out to be nothing but that word."""
    word = beginning.strip(" \t\n*_`[({（【").lower()
    return says_none(beginning) or any(none.startswith(word) for none in ("none", "없음"))


_THOUGHT_TAGS = ("think", "thinking", "thought", "reasoning", "scratchpad")
_THOUGHT = re.compile(rf"<({'|'.join(_THOUGHT_TAGS)})>.*?(?:</\1>|\Z)", re.I | re.S)
"""What a model thinks aloud, up to the end where it never stops."""


def without_thoughts(text: str) -> str:
    """Returns an answer without what its model thinks aloud between tags."""
    return _THOUGHT.sub("", text)


class SpokenWords:
    """Passes a stream on without what its model thinks aloud: joined, `without_thoughts`."""

    def __init__(self) -> None:
        self._held = ""
        """What may become a tag."""
        self._closing: re.Pattern[str] | None = None
        """What ends the thought that the model is in the middle of."""

    def take(self, piece: str) -> str:
        """Returns what is certainly said now that `piece` has arrived."""
        self._held += piece
        said: list[str] = []
        while True:
            if self._closing is not None:
                closed = self._closing.search(self._held)
                if closed is None:
                    self._held = self._held[-_LONGEST_TAG:]
                    return "".join(said)
                self._held, self._closing = self._held[closed.end() :], None
            opened = _OPENED_THOUGHT.search(self._held)
            at = opened.start() if opened else len(self._held)
            said.append(self._held[:at])
            self._held = self._held[at:]
            if opened is None or opened[1] is None:
                return "".join(said)
            self._held = self._held[len(opened[0]) :]
            self._closing = _CLOSINGS[opened[1].lower()]

    def end(self) -> str:
        """Returns what was held back when the stream is over."""
        said = "" if self._closing else self._held
        self._held, self._closing = "", None
        return said


_CLOSINGS = {tag: re.compile(f"</{tag}>", re.I) for tag in _THOUGHT_TAGS}
_LONGEST_TAG = max(map(len, _THOUGHT_TAGS)) + len("</>")


def without_closed_thoughts(text: str) -> str:
    """Returns an answer without the thoughts between two tags: one that has no end may be the
    answer itself."""
    parts, at, endless = list[str](), 0, set[str]()
    for opened in _OPENED_THOUGHT.finditer(text):
        tag = (opened[1] or "").lower()
        if opened.start() < at or not tag or tag in endless:
            continue
        closed = _CLOSINGS[tag].search(text, opened.end())
        if closed is None:
            endless.add(tag)
            continue
        parts.append(text[at : opened.start()])
        at = closed.end()
    return "".join((*parts, text[at:]))


_OPENED_THOUGHT = re.compile(
    "|".join(
        ["<(" + "|".join(_THOUGHT_TAGS) + ")>"]
        + [rf"<{tag[:n]}\Z" for tag in _THOUGHT_TAGS for n in range(len(tag) + 1)]
    ),
    re.I,
)


def heading_of(line: str) -> tuple[str, str] | None:
    """Returns the section a line begins (`prose`, `pre-writing`, `hints`) and the line's rest."""
    mark = _HEADING.match(line)
    return (_section(mark), mark["rest"]) if mark and _is_heading(mark) else None


def is_wrapping(line: str, first: bool) -> bool:
    """Whether a line is not part of the story: a title, a fence, or as the `first` a lead-in."""
    wraps = _FENCE_LINE.match(line) or _TITLE.match(line)
    return bool(wraps or (first and _LEAD_IN.match(line)))


def may_lead_in(line: str) -> bool:
    """Whether a first line that begins with these letters may turn out to be a lead-in."""
    begun = line.lstrip(" \t*_").casefold()
    return any(opener.startswith(begun) for opener in _OPENERS) or bool(_MAY_LEAD_IN.match(line))


def _is_heading(mark: re.Match[str]) -> bool:
    """Whether a mark is a heading: `## Prose` or `**Hints:** a key`, not `**Prose** is hard`."""
    return not mark["rest"] or bool(mark["colon"] or mark["late_colon"])


def _section(mark: re.Match[str]) -> str:
    name = mark["name"].lower()
    return "pre-writing" if name.startswith("pre") else name


def _only_prose(text: str) -> str:
    """Returns the text without titles and lead-ins; an ideographic indent stays."""
    text = text.lstrip(" \t\r\n")
    while match := _TITLE.match(text) or _LEAD_IN.match(text):
        text = text[match.end() :].lstrip(" \t\r\n")
    return text.rstrip()


_ANY_HEADING = re.compile(r"^[#＃]{1,6}[ \t\u3000]+.*$")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def tidy(text: str) -> str:
    """Returns a passage's prose: composed characters, no headings, scene breaks or control
    characters."""
    return "\n\n".join(p.text for p in _cleaned(text).paragraphs)


def tidy_scene(text: str, *, goes_on: bool = False, broke_off: bool = False) -> str:
    """Returns one scene's prose: as `tidy`, with a scene break for each mark within it (`* * *`, ⁂,
    ◇, a line of # alone). A mark at either end joins scenes and is none of this one's, but for the
    one before words that go on from others, and the last one of an answer that broke off."""
    whole = _cleaned(text)
    parts = [passage_text(scene.paragraphs) for scene in whole.scenes]
    if goes_on and begins_with_break(whole.text):
        parts.insert(0, "")
    if broke_off and any(parts) and ends_with_break(whole.text):
        parts.append("")
    return f"\n\n{SCENE_BREAK}\n\n".join(parts).strip()


def words_behind_headings(answer: str, *, goes_on: bool = False) -> list[str]:
    """Returns the paragraphs of a prose answer before which a heading is left out that stands
    within its story; one at the head of it counts where the answer goes on from what stands."""
    prose = split_sections(answer).prose
    if goes_on:
        prose = f"…\n\n{prose}"
    story = "\n".join("" if is_mark(line) else line for line in prose.splitlines())
    return [s.paragraphs[0].text for s in _cleaned(story, heading=SCENE_BREAK).scenes[1:]]


def _cleaned(text: str, heading: str = "") -> Chapter:
    """Returns a piece of prose in composed characters, with `heading` in place of each heading and
    a scene break in place of each mark."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = (
        SCENE_BREAK if is_mark(line) else _ANY_HEADING.sub(heading, line)
        for line in _CONTROLS.sub("", text).split("\n")
    )
    return Chapter("\n\n" + "\n".join(lines).strip())


_DRAFT = r"(?:stor(?:y|ies)|scenes?|passage|paragraphs?|text|prompt|narrative|draft|excerpt|prose)"
_ENGLISH = (
    r"\bas\ an?\ (?:ai|artificial\ intelligence|(?:large\ )?language\ model|assistant)\b",
    r"\bI(?:['’]m|\ am)\ (?:just\ |only\ )?an?\ (?:ai|language\ model|assistant)\b",
    r"\bI\ have\ no\ idea\ what\ you(?:['’]re|\ are)?\ (?:mean|refer|ask|talk)",
    r"\bI\ (?:do\ not|don['’]t)\ (?:quite\ |fully\ )?understand\ (?:what\ you\ mean|the|your)\ ?"
    r"(?:question|request|prompt)?",
    r"\byou(?:['’]re|\ are)\ (?:referring\ to|asking\ (?:me|for|about)|looking\ for\ an?)\b",
    r"\b(?:could|can|would)\ you\ (?:please\ )?(?:clarify|rephrase|specify"
    r"|(?:provide|give\ me)\ (?:more|some|further|the))\b",
    r"^please\ (?:clarify|provide|specify|note\ that|feel\ free|let\ me\ know)\b",
    r"\bfeel\ free\ to\ (?:ask|modify|adjust|edit|let\ me)\b",
    r"\blet\ me\ know\ (?:if\ you|what\ you|whether\ you|how\ you)\b|\bI\ hope\ this\ helps\b",
    r"^(?:sure|certainly|of\ course|absolutely|okay)[,!.]\ "
    r"(?:here|I(?:['’]ll|\ will|['’]d|\ can)|let)\b",
    rf"^here(?:['’]s|\ is|\ are)\ (?:the|your|my|an?|six|some)\b[^.!?]{{0,40}}\b{_DRAFT}\b",
    rf"\bI\ ?(?:can(?:not|['’]t)|am\ unable\ to|['’]m\ unable\ to)\ (?:continue|write|generate"
    rf"|create|complete|provide)\ (?:this|that|the|your|any)?\ ?{_DRAFT}\b",
    rf"\b(?:continue|write|rewrite|complete)\ (?:this|the|your)\ {_DRAFT}\ with\b",
    rf"\b(?:this|the|your)\ {_DRAFT}\ "
    r"(?:you\ (?:provided|gave|wrote|asked)|is\ (?:about|set|written))\b",
    r"\b(?:how\ (?:can|may)\ I|I(?:['’]m|\ am)\ here\ to|happy\ to|glad\ to)\ "
    r"(?:help|assist)\ you\b",
)
_OTHER = (
    r"저는\ (?:AI|인공지능|언어\ 모델)",
    r"(?:요청|지시)하신\ (?:대로|장면|내용)|(?:다음은|아래는)\ [^.]{0,20}(?:장면|본문)입니다",
    r"(?:도움이\ 되|수정이\ 필요하)[^.]{0,12}(?:말씀|알려)\ ?(?:해\ )?주(?:세요|십시오)",
    r"作为(?:一个|一名)?(?:AI|人工智能|语言模型)|(?:根据|按照)(?:您|你)的(?:要求|指示|请求)",
    r"以下是[^。]{0,20}(?:场景|正文|段落)|(?:希望|如果)[^。]{0,20}(?:对您|告诉我|随时)",
)
_SPEECH_OF_A_DRAFT = re.compile(
    r"[“\"「『][^”\"」』\n]*(?:[”\"」』]|$)|(?<!\w)[‘'](?:[^’'\n]|[’'](?=\w))*(?:[’']|$)"
)


def without_asides(text: str, pack: LanguagePack, *, everywhere: bool) -> tuple[str, list[str]]:
    """Returns a draft without the sentences in which the model addresses the user, and those
    sentences.

    A small model does so `everywhere`; a large one at most before and after the story, so elsewhere
    such words belong to the story, for instance to a letter. Lines that speak of the text as a text
    go from both ends (`working_notes.toml`): 【作者有话说】求收藏！
    """
    paragraphs, before, after = _without_notes(text.split("\n\n"), pack)
    outer = (0, len(paragraphs) - 1)
    story, asides = [], [*before]
    for number, paragraph in enumerate(paragraphs):
        rest = paragraph
        for sentence in _asides(paragraph, pack) if everywhere or number in outer else ():
            asides.append(sentence)
            rest = rest.replace(sentence, "", 1)
        if rest.strip():
            story.append(paragraph if rest is paragraph else _closed_up(rest))
    asides += after
    return ("\n\n".join(story) if asides else text), asides


def _without_notes(
    paragraphs: list[str], pack: LanguagePack
) -> tuple[list[str], list[str], list[str]]:
    """Returns the paragraphs of a draft without the notes about it before and behind the story, and
    those notes."""
    first, last = 0, len(paragraphs)
    while first < last and _is_note(paragraphs[first], pack):
        first += 1
    while last > first and _is_note(paragraphs[last - 1], pack):
        last -= 1
    return paragraphs[first:last], paragraphs[:first], paragraphs[last:]


def _is_note(paragraph: str, pack: LanguagePack) -> bool:
    return all(map(pack.leak_lines.match, paragraph.splitlines())) and bool(paragraph.strip())


def _asides(paragraph: str, pack: LanguagePack) -> list[str]:
    narration = _SPEECH_OF_A_DRAFT.sub(lambda speech: "\0" * len(speech[0]), paragraph)
    return [
        span.of(paragraph).strip()
        for span in sentences(paragraph, pack)
        if _pattern().search(narration[span.start : span.end].strip())
    ]


def _closed_up(paragraph: str) -> str:
    return re.sub(r"[ \t]{2,}", " ", paragraph).strip()


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in (*_ENGLISH, *_OTHER)), re.I | re.X)
