"""Recognizes the ways in which writers head a chapter, in three languages and in Markdown.

A form describes what a single line looks like; whether the line is a heading is decided with the
whole text in view (`studio.exchange.import_.heading_marks`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from studio.story.form.numerals import numeral_value, whole_number
from studio.text.language.numbers import TENS

HeadingForm = Literal[
    "part",
    "chapter",
    "named",
    "note",
    "matter",
    "number",
    "roman",
    "counted",
    "dated",
    "capitals",
    "markdown",
    "listed",
    "centred",
    "alone",
    "yours",
]
"""part: `Part Two`, `第一卷`; chapter: `Chapter 3`, `제3장`, `第三章`; named: `Prologue`,
`에필로그`, `楔子`; note: `작가의 말`, `作者有话说`; matter: `Acknowledgments`, `版权`; number: `3`,
`Three`, `三`, `3. Title`; roman: `IV`; counted: any other words with a number, such as `Day 3`,
`第三夜`, `渡口（一）`; dated: a line that is only a date, as in a diary; capitals: `THE LAMP ROOM`;
markdown: any other `# heading`; listed: a line that the book's contents name; centred: a short line
set far further in than the paragraphs; alone: a short line between blank lines in a text that has a
paragraph on every line; yours: what the writer's own rule matches."""

Doubt = Literal["", "glued", "spaced", "sentence", "counted"]
"""Why a line may be prose, so that only its neighbors can make it a heading: its title directly
follows the number (`第一章零界渡口`), or only a space is between (`3 The Quay`); it ends like a
sentence; or any words and a number would look like it."""

LONGEST, LONGEST_MARKED = 80, 300
"""The maximum length of a heading line, in characters: of a plain one, and of one that is marked as
a heading or begins with a chapter's word and number (`Chapter VI: The Reverend Arthur Beebe, ...`).
"""
_BEGINS_LONG = re.compile(
    r"\W{0,3}(?:chapter|chap\.?|제?\s*\d+\s*[장화회]|(?:正文\s*)?第)", re.IGNORECASE
)

_ENGLISH = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
    *("seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
_WORDS = {word: n for n, word in enumerate(_ENGLISH, 1)}
_WORDS |= {word: n for n, word in enumerate(_ORDINALS, 1)}
_WORDS |= {word: n * 10 for n, word in enumerate(TENS, 2)}
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_NATIVE = ("하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_NATIVE_ORDINALS = ("첫", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_KOREAN_WORDS = {word: n for n, word in enumerate(_NATIVE, 1)}
_KOREAN_WORDS |= {f"열{word}": n for n, word in enumerate(_NATIVE[:9], 11)}
_KOREAN_WORDS |= {word: n for n, word in enumerate(_NATIVE_ORDINALS, 1)}
_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰贰參", "一二三四五六七八九十百二三")

_EAST = "〇零一二三四五六七八九十百千两兩壹贰叁肆伍陆柒捌玖拾佰參"
_EAST_NUMBER = rf"[0-9０-９]+|[{_EAST}廿卅]+"
_CIRCLED = "①-⑳⑴-⒇⒈-⒛㈠-㈩㉑-㉟㊀-㊉"
_WORD_NUMBER = (
    f"(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join((*_ENGLISH[:9], *_ORDINALS[:9]))}))?"
    f"|{'|'.join(sorted(_WORDS, key=len, reverse=True))}"
)
_ROMANS = r"[ivxlcⅠ-Ⅿⅰ-ⅿ]+(?![a-z])"
_NUMBER = rf"\d+(?:st|nd|rd|th)?|{_ROMANS}|{_WORD_NUMBER}"
_HANGUL_NUMBER = "[일이삼사오육칠팔구십백]+"
_SMALL_HANGUL_NUMBER = "[일이삼사오육칠팔구]?십?[일이삼사오육칠팔구]?"
_NATIVE_NUMBER = "|".join(sorted(_KOREAN_WORDS, key=len, reverse=True))
_REST = r"(?P<between>\s*[:：.．、,，)\]】〕》〉）\-–—―|~·]+\s*|\s+|$)(?P<title>.*)$"
_GLUED = r"(?P<glued>)(?P<title>[^\s:：.．、,，)\]].*)$"
_KOREAN_UNIT, _CHINESE_UNIT = "[장화회편절]", "[章回節节话話]"
_VOLUME = (
    rf"(?P<part>第\s*(?:{_EAST_NUMBER})\s*[卷部集][^第]{{0,20}}"
    rf"|卷\s*(?:{_EAST_NUMBER})[^第]{{0,20}})"
)
_BETWEEN_PARTS = r"[\s,，.:：;；·/|–—-]"
_END_OF_NAME = (
    rf"(?:\s*[:：.．、·\-–—|]\s*\S.*"
    rf"|\s*[(（\[【]?\s*[之其]?\s*(?:{_EAST_NUMBER})\s*[)）\]】]?\s*[화편회章话]?"
    rf"(?:[\s:：.．、\-–—]+\S.*)?"
    rf"|\s+(?:{_NUMBER})(?:[\s:：.\-–—]+\S.*)?)?$"
)
"""What may follow the name of a piece that takes no number: a number after all, or a title."""

_PATTERNS: tuple[tuple[HeadingForm, str], ...] = (
    (
        "chapter",
        r"(?:chapter|chap\b\.?|ch\.|episode|ep\b\.?|에피소드|제?\s*챕터)\s*"
        rf"(?:no\.?|number|the|#)?\s*(?P<n>{_NUMBER}){_REST}",
    ),
    (
        "chapter",
        rf"(?P<part>(?:part|book|volume|vol\.|act)\s+(?:the\s+)?(?:{_NUMBER})){_BETWEEN_PARTS}+"
        rf"(?:chapter|chap\.?|ch\.)\s*(?P<n>{_NUMBER}){_REST}",
    ),
    (
        "chapter",
        rf"(?P<part>(?:제\s*)?\d+\s*[부권막]){_BETWEEN_PARTS}*(?:제\s*)?(?P<n>\d+)"
        rf"\s*{_KOREAN_UNIT}{_REST}",
    ),
    ("chapter", rf"(?:the\s+)?(?P<n>{'|'.join(_ORDINALS)})\s+chapter{_REST}"),
    ("chapter", rf"(?:제\s*)?(?P<n>\d+)\s*{_KOREAN_UNIT}{_REST}"),
    ("chapter", rf"제\s*(?P<n>{_HANGUL_NUMBER})\s*{_KOREAN_UNIT}{_REST}"),
    ("chapter", rf"(?:제\s*)?(?P<n>\d+)\s*{_KOREAN_UNIT}{_GLUED}"),
    ("chapter", rf"(?:正文\s*)?{_VOLUME}?第\s*(?P<n>{_EAST_NUMBER})\s*{_CHINESE_UNIT}{_REST}"),
    ("chapter", rf"(?:正文\s*)?{_VOLUME}?第\s*(?P<n>{_EAST_NUMBER})\s*{_CHINESE_UNIT}{_GLUED}"),
    ("part", rf"(?:part|book|volume|vol\.|act)\s+(?:the\s+)?(?P<n>{_NUMBER}){_REST}"),
    ("part", rf"(?:the\s+)?(?P<n>{'|'.join(_ORDINALS)})\s+(?:part|book|volume|act){_REST}"),
    ("part", r"(?:제\s*)?(?P<n>\d+)\s*[부권막]" + _REST),
    ("part", rf"제\s*(?P<n>{_HANGUL_NUMBER})\s*[부권막]{_REST}"),
    ("part", rf"第\s*(?P<n>{_EAST_NUMBER})\s*[卷部集幕]{_REST}"),
    ("part", rf"卷\s*(?P<n>{_EAST_NUMBER}){_REST}"),
    ("part", r"(?P<side>[上中下])[卷部篇]" + _REST),
    (
        "note",
        r"(?:작가(?:의)?\s*(?:말|한마디|후기)|글쓴이의\s*말|作者有[话話][说說]|作者的?[话話]|作者[语語]"
        r"|(?:an?\s+)?(?:author|writer)['’]?s?['’]?\s+notes?|a/n)"
        r"\s*(?:[:：】\])）.\-–—]+\s*(?P<title>.*))?$",
    ),
    (
        "named",
        r"(?:the\s+)?(?P<title>prologue|epilogue|interlude|intermission|prelude|postlude|coda|foreword|preface"
        r"|afterword|postscript|introduction|side\s+story|bonus\s+chapter"
        r"|프롤로그|에필로그|서장|서막|서문|종장|막간|(?:특별\s*)?외전|번외(?:편)?|후일담|(?:완결\s*)?후기"
        r"|머리말|맺음말|여는\s*글|닫는\s*글|인터루드"
        r"|序章?|序幕|序言|自序|楔子|引子|引言|前言|尾声|尾聲|终章|終章|终曲|后记|後記|后话|跋"
        r"|(?:特别|特別)?番外[篇章]?|外传|外傳|(?:完本|完结|完結|上架)感言"
        r"|(?:大|最终|最終)?(?:结局|結局)|末章|最终章|最終章|完结章|完結章)" + _END_OF_NAME,
    ),
    (
        "named",
        r"(?P<title>프롤로그|에필로그|막간|(?:특별\s*)?외전|번외(?:편)?|후일담|인터루드"
        r"|序章|序幕|楔子|引子|尾声|尾聲|终章|終章|(?:特别|特別)?番外[篇章]?|外传|外傳|大结局|大結局)"
        r"\s+[^\s.。!！?？,，:：][^.。!！?？,，]{0,30}$",
    ),
    (
        "matter",
        r"(?:acknowledge?ments?|about\s+the\s+(?:author|publisher|type)|also\s+by\s+(?:the\s+author"
        r"|[^.!?]{2,40})|copyright(?:\s+(?:page|notice))?|dedication|imprint|colophon|half[\s-]?title"
        r"|praise\s+for\s+[^.!?]{2,40}|transcriber['’]?s?['’]?\s+notes?|index"
        r"|bibliography|감사의\s*(?:말|글)|판권(?:지|면)?|(?:지은이|작가|저자)\s*소개|헌사|일러두기"
        r"|版[权權](?:[页頁]|信息|声明)?|(?:作者|译者)[简簡]介|[关關][于於]作者|致[谢謝]|[献獻][词詞辞辭]"
        r"|出版[说說]明|[内內]容[简簡]介)[.:：]?$",
    ),
    (
        "counted",
        rf"(?P<part>\d{{1,3}})\s?[-–—]\s?(?P<n>\d{{1,4}}){_REST}",
    ),
    (
        "number",
        r"(?P<n>\d{1,4})(?!\s?[-–—]\s?\d)(?:\s*[.):．、：）\-–—]+\s*(?P<title>.*)|\s*)$",
    ),
    ("roman", rf"(?P<n>{_ROMANS})(?:\s*[.):\-–—]+\s*(?P<title>.*)|\s*)$"),
    (
        "number",
        rf"(?P<n>[{_EAST}廿卅]{{1,5}}|{_WORD_NUMBER}|(?:{_NATIVE_NUMBER})(?![가-힣]))"
        r"(?:\s*[.):．、：）]+\s*(?P<title>.*)|\s*)$",
    ),
    ("number", rf"(?P<n>{_SMALL_HANGUL_NUMBER})\s*[.):．、：）]+\s*(?P<title>.*)$"),
    ("number", rf"(?P<n>{_SMALL_HANGUL_NUMBER})(?P<spaced>)$"),
    ("number", rf"(?P<n>[{_CIRCLED}])(?:[\s.:：、]*(?P<title>\S.*)(?P<spaced>)|\s*)$"),
    ("number", r"(?P<n>\d{1,4})(?P<spaced>\s+)(?P<title>\D.*)$"),
    ("number", rf"(?P<n>[{_EAST}廿卅]{{1,5}})(?P<spaced>\s+)(?P<title>\S.*)$"),
    (
        "roman",
        r"(?P<n>(?-i:[IVXLC]{1,7}|[Ⅰ-Ⅿ]+))(?P<spaced>\s+)(?P<title>(?-i:[^\Wa-z_]).*)$",
    ),
    (
        "counted",
        rf"(?P<frame>[^\W\d_]{{2,20}}(?:\s[^\W\d_]{{1,20}}){{0,2}}?)[\s.#–—-]*(?:no\.?\s*)?"
        rf"(?<![^\W\d_])(?P<n>{_NUMBER}){_REST}",
    ),
    (
        "counted",
        rf"(?P<frame>[^\W\d_]{{1,20}}(?:\s[^\W\d_]{{1,20}}){{0,4}}?)[\s#:–—-]+(?:제\s*)?"
        rf"(?P<n>\d{{1,4}})\s*{_KOREAN_UNIT}{_REST}",
    ),
    (
        "counted",
        rf"(?P<part>[^\W\d_][^.。!！?？(（]{{0,30}}?)\s*[(（]\s*"
        rf"(?P<n>{_EAST_NUMBER}|[ivxlc]+|{_HANGUL_NUMBER})\s*[)）]$",
    ),
    ("counted", rf"第\s*(?P<n>{_EAST_NUMBER})\s*(?P<frame>[^\W\d_]{{1,2}}){_REST}"),
    ("counted", rf"(?P<frame>[其之])(?P<n>{_EAST_NUMBER}){_REST}"),
    ("counted", rf"(?P<n>{_NATIVE_NUMBER})\s*(?P<frame>번?째(?:\s?[가-힣]{{1,5}})?){_REST}"),
    ("counted", rf"(?:the\s+)?(?P<n>{'|'.join(_ORDINALS)})\s+(?P<frame>[a-z]{{2,20}}){_REST}"),
)
_FORMS = tuple((form, re.compile(p, re.IGNORECASE)) for form, p in _PATTERNS)
_CONTENTS_NAMES = re.compile(
    r"(?i)(?:table\s+of\s+)?contents|목\s*차|차\s*례|(?:《[^》]{1,40}》\s*)?(?:目\s*[录錄次])"
)
_NOTE = re.compile(r"\[\^[^\]\s]{1,40}\]")
"""Matches the reference to a footnote, which may follow a sentence."""
_LINE_SPACE = re.compile(r"[ \t\r\n\f\v]+")
_MARKDOWN = re.compile(r"(#{1,6})[ \t]+")
_ATTRIBUTES = re.compile(r"[ \t]*\{(?:[#.][^{}]{0,200}|-)\}$")
"""Matches what pandoc writes behind a heading: `{#the-quay .unnumbered}`."""
_EMPHASIS = re.compile(r"(\*\*|__|\*|_)(.+)\1$")
_ENDS_A_SENTENCE = re.compile(r"[.!?…。！？,，;；:：][\"'”’」』)）]*$")
_EXCLAIMS = re.compile(r"[!?…！？][\"'”’」』)）]*$")
"""An end that titles have as well as sentences."""
_SENTENCES = re.compile(r"[.!?]\s|[。！？]\s*[^\s\"'”’」』)）]")
_KOREAN_SENTENCE = re.compile(r"[다요까죠오네지군]\.$")
"""A verb with which a sentence ends, where no capital tells a title from one."""
_QUOTES = '"“”‘「『《—–-'
_PAIRS = {"[": "]", "【": "】", "〔": "〕", "〈": "〉", "《": "》", "<": ">", "(": ")", "（": "）"}
_PAIRS |= {"［": "］", "「": "」", "『": "』", "〖": "〗"}
_OPENS, _CLOSES = (re.escape("".join(signs)) for signs in (_PAIRS, _PAIRS.values()))
_FRAMED = re.compile(rf"([{_OPENS}])\s*([^{_OPENS}{_CLOSES}]{{1,40}}?)\s*([{_CLOSES}])\s*(.*)$")
_ORNAMENTS = "◆◇■□●○★☆※▶▷◈❖✦✧♦♢▲△▼▽⁂§❦❧#=＝~～〜*＊·•+_|-–—―─━═ \t\u3000\u00a0"
_SMALL_WORDS = frozenset(
    [
        *("a", "an", "the", "of", "and", "in", "on", "to", "for", "with", "at", "by", "from", "or"),
        *("nor", "but", "as", "upon", "into", "de", "la", "le", "du", "des", "von", "van"),
    ]
)


_MONTH = (
    "(?:Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)?|Apr(?:il|\\.)?|May|June?\\.?|July?\\.?"
    "|Aug(?:ust|\\.)?|Sept?(?:ember|\\.)?|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?)"
)
_WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_NAMES = r"[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*){0,3}"
_HOUR = (
    r"(?:\d{1,2}(?:[:.]\d\d)?\s?(?:a\.?m|p\.?m)\.?|\d{1,2}:\d\d|(?:early\s|late\s)?morning|noon|midday"
    r"|afternoon|evening|night|midnight|later)"
)
_ENGLISH_DATE = (
    rf"(?:{_NAMES},\s)?"
    rf"(?:(?:{_WEEKDAY}[,.]?\s)?(?:the\s)?(?:{_DAY}(?:\sof)?\s{_MONTH}|{_MONTH}\s(?:the\s)?{_DAY})"
    rf"(?:,?\s\d{{4}})?|{_MONTH},?\s\d{{4}}|{_WEEKDAY})"
    rf"(?:[,.;—–-]*\s{_HOUR})?(?:[.,—–-]+\s{_NAMES})?\.?"
)
_EAST_COUNT = r"(?:\d{1,4}|[０-９]{1,4}|[〇零元一二三四五六七八九十廿卅]{1,4})"
_EAST_WEATHER = (
    "맑음|흐림|비|눈|바람|안개|구름|갬|소나기|오전|오후|새벽|아침|점심|저녁|밤|정오|자정"
    "|[晴阴陰雨雪雾霧风風](?:天)?|多云|多雲|[大小][雨雪风風]|[早晚]上?|上午|下午|中午|清晨|凌晨|傍晚|[深半]?夜"
)
_EAST_WEEKDAY = "[월화수목금토일](?:요일)?|(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]"
_EAST_BESIDE = (
    rf"(?:[\s　,，.、·]*[(（]?(?:{_EAST_WEEKDAY}|{_EAST_WEATHER}|\d{{1,2}}:\d\d)[)）]?){{0,4}}"
)
_EAST_DATE = (
    rf"(?:(?:[一-龥]{{2,4}}|서기\s?)?{_EAST_COUNT}\s?[년年]\s?)?(?:윤|闰|閏)?"
    rf"(?:{_EAST_COUNT}\s?월\s?{_EAST_COUNT}\s?일|{_EAST_COUNT}\s?月\s?{_EAST_COUNT}\s?[日号號]"
    rf"|(?:{_EAST_COUNT}|[正冬腊臘])月(?:初|[十廿]){_EAST_COUNT}?[日号號]?)"
)
_DATE = re.compile(
    rf"{_ENGLISH_DATE}"
    rf"|{_EAST_DATE}{_EAST_BESIDE}[.。]?"
    rf"|\d{{4}}(?:[-/]\d{{1,2}}[-/]\d{{1,2}}|\.\s?\d{{1,2}}\.\s?\d{{1,2}}\.?){_EAST_BESIDE}"
    r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|\d{1,2}/\d{1,2}"
    r"|(?:[월화수목금토일]요일|(?:星期|周|週|礼拜|禮拜)[一二三四五六日天])"
    rf"(?:[,，]?[\s　](?:{_EAST_WEATHER}))?[.。]?"
)
_LONGEST_DATE = 50


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that may head a chapter."""

    form: HeadingForm
    line: str
    """The line without Markdown's marks."""
    number: int | None = None
    title: str = ""
    """The rest of the line without the chapter word and number."""
    level: int = 0
    """The level 1 to 6 of a Markdown heading, or 0 for a plain line."""
    frame: str = ""
    """What stands around the number of a counted heading, such as `day`."""
    part: str = ""
    """What the number counts in, where the same line says it: `卷二`, `Part Two`, or the title of
    `渡口（一）`. Numbers begin anew in each."""
    doubt: Doubt = ""


def heading_of(line: str) -> Heading | None:
    """Returns the line as a heading, judged by its looks alone; None if it matches no form."""
    heading = heading_like(line)
    return heading if heading and not heading.doubt else None


def heading_like(line: str, level: int = 0) -> Heading | None:
    """Returns like `heading_of` the line as a heading, also one that is in doubt and that only the
    whole text can tell from prose. `level` is given where the line below underlines it."""
    marks, plain = _markdown(line)
    level = marks or level
    plain = _ATTRIBUTES.sub("", plain) if level else plain
    plain = unicodedata.normalize("NFC", _bare(plain))
    if not plain or len(plain) > LONGEST_MARKED or "\n" in plain:
        return None
    if is_date(plain):
        title = plain[:-1] if plain.find(".") == len(plain) - 1 else plain
        return Heading("markdown" if level else "dated", plain, None, title, level)
    is_long = len(plain) > LONGEST and not level
    if is_long and not _BEGINS_LONG.match(plain):
        return None
    doubtful: Heading | None = None
    for words in _spellings(plain):
        for form, pattern in _FORMS:
            match = pattern.match(words)
            heading = _make_heading(form, match, plain, level) if match else None
            if heading and is_long:
                return replace(heading, doubt="sentence") if form == "chapter" else None
            if heading and not heading.doubt:
                return heading
            doubtful = doubtful or heading
    if level:
        return Heading("markdown", plain, None, plain, level)
    if is_in_capitals(plain) and not (doubtful and doubtful.form in ("roman", "number")):
        doubt: Doubt = "sentence" if _EXCLAIMS.search(plain) else ""
        return Heading("capitals", plain, None, plain, doubt=doubt)
    return doubtful


def _spellings(plain: str) -> tuple[str, ...]:
    """Returns the line, and the line without a frame such as `[1화] 나루`, `- 1 -` or `◆ 2`."""
    inside = plain.strip(_ORNAMENTS) if plain[0] in _ORNAMENTS else plain
    framed = _FRAMED.match(inside)
    if framed and _PAIRS[framed[1]] == framed[3]:
        inside = f"{framed[2]}: {framed[4]}" if framed[4] else framed[2]
    return (plain,) if inside == plain or not inside else (plain, inside)


def is_date(line: str) -> bool:
    """Whether a line is only a date, as at the head of a letter or an entry of a diary: with the
    day of the week, the weather, the time or the place that may stand with it."""
    return len(line) <= _LONGEST_DATE and _DATE.fullmatch(line) is not None


def is_contents_name(line: str) -> bool:
    """Whether a line is what a list of contents is called."""
    return _CONTENTS_NAMES.fullmatch(bare_title(line).strip(" .:：")) is not None


def squeeze(words: str) -> str:
    """Returns words on one line without white space around them; wide spaces between them stay, as
    in `闹学堂师徒反目　游江湖兄弟同心`."""
    return _LINE_SPACE.sub(" ", words).strip()


def is_title(line: str) -> bool:
    """Whether a line below a bare `Chapter 3` reads as its title: short, and not a sentence."""
    plain = _bare(_NOTE.sub("", line.strip()))
    return (
        0 < len(plain) <= LONGEST // 2
        and "\n" not in plain
        and plain[0] not in _QUOTES
        and not _ENDS_A_SENTENCE.search(plain)
    )


def is_set_as_title(line: str) -> bool:
    """Whether a line whose end says nothing is set as titles are: `Who Goes There?`, `HOME!`. In a
    language without capitals, a sentence ends with a full stop and a title does not."""
    plain = _bare(line.strip())
    if not 0 < len(plain) <= LONGEST or "\n" in plain or plain[0] in _QUOTES:
        return False
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", plain)
    cased = [word for word in words if word.lower() != word.upper()]
    if not cased:
        return bool(words) and not plain.endswith((".", "。", "，", ",")) and len(plain) <= 30
    return all(
        not word[0].islower() or (at and word in _SMALL_WORDS) for at, word in enumerate(cased)
    )


def is_couplet(line: str) -> bool:
    """Whether a line is the two halves of a title as Chinese novels in chapters have them, equally
    long: `闹学堂师徒反目　游江湖兄弟同心`."""
    halves = re.split(r"[\s,，;；、]+", line.strip(" 。.\u3000"))
    is_pair = len(halves) == 2 and len(halves[0]) == len(halves[1])
    return is_pair and 4 < len(halves[0]) < 16 and not line.isascii()


def bare_title(line: str) -> str:
    """Returns a heading's words without Markdown's marks and emphasis."""
    return _bare(_markdown(line)[1])


def _markdown(line: str) -> tuple[int, str]:
    """Returns a heading's level, 0 for a plain line, and its words without closing marks and
    attributes."""
    line = line.strip()
    match = _MARKDOWN.match(line)
    if match is None:
        return 0, line
    return len(match[1]), _ATTRIBUTES.sub("", line[match.end() :]).rstrip("#").rstrip(" \t")


def strip_frame(line: str) -> str:
    """Returns a heading without what frames it: `1화` for `[1화]`."""
    return _spellings(line)[-1]


def _make_heading(
    form: HeadingForm, match: re.Match[str], plain: str, level: int
) -> Heading | None:
    groups = match.groupdict()
    title = (groups.get("title") or "").strip(" \t\u3000《》「」『』")
    number = _value(groups["n"]) if groups.get("n") else None
    if "n" in groups and number is None:
        return None
    if form == "note":
        return Heading(form, plain, None, title, level)
    if form in ("named", "matter"):
        return Heading(form, plain, None, plain, level)
    if "side" in groups:
        number = "上中下".index(groups["side"]) + 1
    if level and form in ("number", "counted") and not groups["n"][0].isdecimal():
        in_words = groups["n"].isascii() or groups["n"] in _KOREAN_WORDS
        if in_words or form == "counted":
            return None  # a heading may be called One; where it is a heading, nothing else counts
    if form == "roman" and groups["n"] not in (groups["n"].upper(), groups["n"].lower()):
        return None
    frame, part = groups.get("frame") or "", (groups.get("part") or "").strip()
    around = f"{frame} {part}" if form == "counted" else frame
    if any(word[0].islower() and word not in _SMALL_WORDS for word in around.split()):
        return None  # words of a sentence, not of a heading
    doubt = _doubt(form, groups, title) if not level else ""
    if title.endswith(".") and not title.endswith(".."):
        title = title[:-1].rstrip()
    part = part.strip(" :：.-–—")
    return Heading(form, plain, number, title, level, frame.lower(), part, doubt)


def _doubt(form: HeadingForm, groups: dict[str, str | None], title: str) -> Doubt:
    marked_off = form in ("number", "roman") or bool((groups.get("between") or "").strip())
    if title and _is_prose(form, title, marked_off):
        return "sentence"
    if form == "counted":
        return "counted"
    if "glued" in groups:
        return "glued"
    return "spaced" if groups.get("spaced") else ""


def _is_prose(form: HeadingForm, title: str, marked_off: bool) -> bool:
    """Whether the text after a number continues like a sentence or like dialogue.

    A title may end in a full stop where a mark separates it from its number and it is capitalised
    like a title: `CHAPTER 1. Loomings.`
    """
    if form in ("number", "roman", "counted") and title[0] in _QUOTES:
        return True
    if marked_off and title[0] in _QUOTES and title[-1] in "\"'”’」』":
        return False
    if not _ENDS_A_SENTENCE.search(title) or _EXCLAIMS.search(title):
        return False
    is_sentence = _SENTENCES.search(title) or _KOREAN_SENTENCE.search(title)
    like_a_title = title.endswith(".") and not is_sentence and _is_capitalised(title)
    return not (marked_off and like_a_title)


def _is_capitalised(title: str) -> bool:
    """Whether the words are few and every longer one begins with a capital."""
    words = [word for word in re.split(r"[\s-]+", title) if len(word) > 4 or word == title]
    return len(title.split()) <= 10 and all(not word[0].islower() for word in words)


def _bare(text: str) -> str:
    match = _EMPHASIS.match(text)
    return (match[2] if match else text).strip()


def is_in_capitals(plain: str) -> bool:
    """Whether a line is short, all its letters are capitals, and it ends no sentence but with a
    question or an exclamation."""
    letters = [c for c in plain if c.isalpha()]
    cased = all(c.isupper() for c in letters)
    return (
        len(letters) >= 2
        and cased
        and len(plain) <= LONGEST // 2 + 20
        and plain[0] not in _QUOTES
        and (not _ENDS_A_SENTENCE.search(plain) or _EXCLAIMS.search(plain) is not None)
    )


def _value(text: str) -> int | None:
    """Returns 12 for `12`, `１２`, `twelve`, `XII`, `십이`, `十二` and `一二`;
    None if `text` is not a number."""
    plain = unicodedata.normalize("NFKC", text).strip().lower()
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", plain).strip("().")
    if plain.isdecimal():
        return whole_number(plain)
    if plain in _KOREAN_WORDS:
        return _KOREAN_WORDS[plain]
    words = re.split(r"[- ]", plain)
    if all(word in _WORDS for word in words):
        return sum(_WORDS[word] for word in words)
    if plain.isascii():
        return _roman(plain)
    plain = plain.translate(_FORMAL)
    return numeral_value(plain.replace("廿", "二十").replace("卅", "三十"))


def _roman(text: str) -> int | None:
    """Returns the value of a well-formed Roman numeral; `mix` and `civil` count as words."""
    if not re.fullmatch(r"c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", text) or not text:
        return None
    values = [_ROMAN[c] for c in text]
    following = [*values[1:], 0]
    return sum(
        -v if v < following_value else v
        for v, following_value in zip(values, following, strict=True)
    )
