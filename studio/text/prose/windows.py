"""Windows and lines of a system inside a story: what a game tells whoever plays it.

A line is one by its brackets, its label and value, its gauge, or figures as prose has none (`+2`,
`3/40`, `Lv.31`). In a block of lines a third of such make all of it a window; a sentence is one
where it speaks of a game's things as a machine does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from studio.text.language.form_words import alternatives, form_words

CLOSED = tuple(".!?…。！？”’」』\"'")
"""How a sentence or a quotation ends."""
NOTICE = re.compile(
    r"(?:\[[^\]]{2,}\]|【[^】]{2,}】|<[^<>]{2,}>|〈[^〉]{2,}〉|〖[^〗]{2,}〗|〔[^〕]{2,}〕|［[^］]{2,}］"
    r"|＜[^＞]{2,}＞|\{[^{}]{2,}\}|<<[^<>]{2,}>>|《《[^《》]{2,}》》|≪[^≪≫]{2,}≫|⟪[^⟪⟫]{2,}⟫|=+\s*[^=\s].*\s*=+)$",
    re.DOTALL,
)
"""Matches a game window, a sign, or a message on a screen: all of it in brackets."""
_BULLET = r"[ \t　]*[-–—*▶▷◆◇■□●○★☆※▣→>»·•✦✧◈⚠❖]*[ \t　]*"
_SYMBOLS = re.compile(r"[▶▷►◆◇■□●★☆※▣→»✦✧◈⚠❖🔔❗]|>>+")
_LISTED = re.compile(r"[ \t　]*[-–—*•·▪▶▷►◆◇○●][ \t]?\S")
"""Matches how lines of a window are marked, where prose has no mark and a list another."""
_LABEL = re.compile(
    rf"{_BULLET}(?P<label>[^\W_][^:：.!?。！？“”\"「」\n]{{0,23}}?)[ \t　]*[:：][ \t　]*"
    r"(?P<value>\S.*)?$"
)
_STAT = re.compile(
    rf"{_BULLET}[^\W\d_][^:：.!?。！？“”\"\n\d]{{0,15}}[:：][ \t]*[+\-−]?\d[\d,./%]*"
    r"(?:[ \t]*\([+\-−]?\d[^)\n]{0,8}\)|[^\W\d_]{0,4})?(?:[ \t]*[|｜/／][ \t]*|$)"
)
"""Matches a value of a stat block: `힘: 15`, `STR: 15 (+2) | ...`."""
_PAIR = re.compile(
    r"[^\W\d_][^\s:：,，。.!?]{0,11}[:：][ \t]?[^\s:：。!?“”「」]{1,16}(?=[ \t　,，;；|/]|$)"
)
"""Matches a label with a short value, of several in a line: `姓名：陆沉 境界：炼气三层`."""
_BOX = re.compile(r"[─━│┃┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣]|[█▓▒░▰▱■□]{3,}")
_LABEL_BEHIND = re.compile(r"[.;|。；][ \t　]*([^\W\d_][^\s:：.;。；]{1,14})[:：]")
"""Matches a label behind a sentence: `.. loves you. Duration: indefinite. Dispel: no.`"""
_SENTENCE = re.compile(r"[^.!?。！？][.!。！]$|[^?？][?？]$")
_CHANGED = re.compile(r"(?:[【\[][^】\]\n]+[】\]][ \t]*(?:→|->|⇒)[ \t]*)+[【\[][^】\]\n]+[】\]]$")
"""Matches what became of something: `【..】→【..】`."""
_FRAMED = re.compile(r"[-–—=~★☆◆◇■▶▷<《]+[ \t　]*[^\W_].{0,28}[ \t　]*[-–—=~★☆◆◇■◀◁>》]+$")
"""Matches a title between rules or marks: `—— 面板 ——`, `《人生模拟器》`, `=== Clear ===`."""
_TAGGED = re.compile(
    r"[\[【［<〈〔〖『★◆](?P<tag>[^\[\]【】［］<>〈〉〔〕〖〗『』.!?。！？,，\n]{2,16})"
    r"[\]】］>〉〕〗』★◆][ \t　]*\S"
)
_QUOTED = re.compile(r"[『《「](?P<words>[^『』《》「」]{2,160})[』》」]$")
"""Matches a line in the brackets of titles and speech, which a window may be in as well."""
_FIGURE = re.compile(r"[+\-−±]?\d[\d,.]*[ \t]?(?:%|％)?")
_GAIN = re.compile(
    r"(?:^|[^\w])[+\-−＋±][ \t]?\d[\d,.]*(?:%|\b)|\d[\d,]*/\d|\bLv\.?[ \t]?\d|[×x][ \t]?\d+\b"
    r"|[^\W\d_]{1,8}[+＋][ \t]?\d|\d+(?:\.\d+)?[%％]|\d{1,2}:\d{2}:\d{2}"
    r"|(?<=[\u4e00-\u9fff가-힣])[-−－]\d|\?\?\?|？？？|[█▓▒░■□]{3}",
    re.IGNORECASE,
)
"""Matches figures as only a window has them: `+2`, `3/40`, `Lv.31`, a gauge."""
_IN_BOX = re.compile(r"[ \t]*(?:[|│║][ \t].*[|│║]|[+┌├└╔╠╚][-─═+┬┴┼]{3,}[+┐┤┘╗╣╝])[ \t]*$")
_STAT_VALUE = re.compile(
    r"[+\-−]?\d[\d,.]*%?(?:[ \t]?[/／][ \t]?\d[\d,.]*)?[ \t]?[^\W\d_]{0,4}"
    r"[ \t]?(?:\([^)\n]{1,12}\))?$"
)
_MARKED_GAIN = re.compile(r".*[(（][^\W\d_]{1,10}[ \t]?[+＋]\d+[)）]")
"""Matches a line that gives something in brackets: `.. (Charm +2)`."""
_TIMED = re.compile(r"[^\W\d_][^:：]{0,15}[:：][ \t]*[\d:.,/ ]+$")
_ASKS_TO_CHOOSE = re.compile(
    r"[.:?。：？！!][ \t]?[\[(（]?(?:accept|yes|수락|확인|예|同意|接受|是)[\])）]?"
    r"[ \t]?[/／|][ \t]?[\[(（]?"
    r"(?:decline|reject|no|거절|취소|아니오|拒绝|取消|否)[\])）]*[ \t]*[.?。？]?[\])）]*$",
    re.IGNORECASE,
)
"""Matches what a window ends with: `.. Accept / Decline`."""
_LONGEST_VALUE = 24
_LONGEST_SHORT_LINE = 60
_FEWEST_TOLD = 8
_CELLS = re.compile(r"[ \t　]*[|｜/／·][ \t　]*")
_ALARM = re.compile(
    r"\b(?:WARNING|ALERT|ERROR|SYSTEM|ACCESS|DENIED|CRITICAL|ONLINE|OFFLINE|INTEGRITY|PERCENT)\b"
)
_NAMED = re.compile(r"['‘\[「『《【“].+?['’\]」』》】”]|\d")
"""Matches a thing with a name of its own, or a figure."""
_HEAD_OF_ANNOUNCEMENT = {"en": 60, "ko": 36, "zh": 24}
"""By where an announcement has said of what it is."""
_LONGEST_ANNOUNCEMENT = {"en": 200, "ko": 110, "zh": 80}
_KOREAN_FORMAL = ("니다.", "니다!", "니까?", "시오.", "세요.", "니다", "시오", "니다.)", "니까")
_LONGEST_LABELLED_ROW = 160
_LONGEST_LOOSE_LINE = 40
_LONGEST_CELL = 60


@cache
def _system_line() -> re.Pattern[str]:
    """Matches a line of a system: `- 퀘스트, [..]`, `【系统】..`, `Reward: 100 XP`."""
    labels, system = alternatives("sure_labels"), "(?:system|시스템|系统)"
    return re.compile(
        rf"{_BULLET}{labels}[ \t]*[,，][ \t]*[\[【［<〈「『].+[\]】］>〉」』][.!]?$"
        rf"|{_BULLET}[\[【［<〈〔〖『]{labels}[^\[\]【】［］<>〈〉〔〕〖〗『』\n]{{0,8}}[\]】］>〉〕〗』].*$"
        rf"|{_BULLET}{labels}[ \t]*[:：][ \t]*[^\s“\"].{{0,40}}$"
        rf"|{_BULLET}{system}[ \t]*[:：][ \t]*[^\s“\"].{{0,100}}$",
        re.IGNORECASE | re.DOTALL,
    )


@cache
def _sounded() -> re.Pattern[str]:
    """Matches a window's sound before what it says: `*Ding!*`, `띠링!`, `叮！`."""
    return re.compile(
        rf"[*~—–\-]*{alternatives('sounds')}[—–~～*-]*[!.！。…,，~]+[*]*[ \t]*",
        re.IGNORECASE,
    )


def is_labelled(line: str) -> bool:
    """Whether a line begins with a label of a window and a colon."""
    label = _LABEL.match(line)
    return bool(label and form_words("labels").search(label["label"]))


def is_window(lines: Sequence[str], language: str) -> bool:
    """Whether the lines of a paragraph are a window: a third of them by their own build, and all
    but one in four at least not sentences."""
    weights = [_weight(line, language) for line in lines]
    if len(lines) == 1:
        return weights[0] == 3
    sure = sum(weight > 1 for weight in weights)
    loose = sum(not weight for weight in weights)
    if _is_list_of_things(lines):
        return True
    if max(weights) < 3 and sure < 2:
        return False
    return sure * 3 >= len(lines) and loose <= max(1, len(lines) // 4)


def is_block_of_values(lines: Sequence[str]) -> bool:
    """Whether the lines stand in a box of characters, or nearly each has a label of its own and two
    values, or one as only a window has it, are figures: no messages, though each has a colon."""
    if all(map(_IN_BOX.match, lines)) or _has_title(lines):
        return True
    labelled = [match for line in lines if (match := _LABEL.match(line)) and match["value"]]
    names = {match["label"] for match in labelled}
    if len(names) < 2 or len(names) < len(labelled) or len(labelled) + 1 < len(lines):
        return False
    values = [match["value"] for match in labelled]
    figures = sum(bool(_STAT_VALUE.match(value)) for value in values)
    if any(value.endswith(CLOSED) for value in values):
        return False
    return figures > 1 or (figures == 1 and len(labelled) > 2 and any(map(_GAIN.search, values)))


def _has_title(lines: Sequence[str]) -> bool:
    """Whether a title in brackets or between marks, or a short one that nobody closed, heads lines
    that have a label each, one of them a window's where the title has no frame."""
    head, labels = lines[0].strip(), [_LABEL.match(line) for line in lines[1:]]
    if not labels or not all(labels) or any(map(_SENTENCE.search, lines[1:])):
        return False
    if len({label["label"] for label in labels if label}) < len(labels):
        return False
    if NOTICE.match(head) or _FRAMED.match(head):
        with_figures = sum(bool(_FIGURE.search(line)) for line in lines[1:])
        return with_figures * 2 >= len(labels)
    is_short = len(head) <= _LONGEST_VALUE and not head.endswith(CLOSED) and not _LABEL.match(head)
    return is_short and len(labels) > 1 and any(map(is_labelled, lines[1:]))


def _is_list_of_things(lines: Sequence[str]) -> bool:
    """Whether a short line with a figure of a window heads short lines that nobody closed."""
    head = lines[0]
    if len(head) > _LONGEST_VALUE or head.endswith(CLOSED):
        return False
    return _GAIN.search(head) is not None and all(
        _LISTED.match(line) and len(line) <= _LONGEST_LOOSE_LINE and not line.endswith(CLOSED)
        for line in lines[1:]
    )


def _weight(line: str, language: str) -> int:
    """Returns how surely a line is one of a window: 0 not at all, 1 if others bear it out, 2 in a
    block, 3 by itself."""
    bare = line.strip("*`~= \t")
    if _is_built_as_one(line, bare):
        return 3
    label = _LABEL.match(bare)
    labels = form_words("labels")
    has_gain = bool(_GAIN.search(line))
    is_short = len(line) <= _LONGEST_SHORT_LINE and not line.endswith(("。", "."))
    if label and labels.search(label["label"]):
        return 3 if has_gain else 2
    if _SYMBOLS.match(line):
        return 3 if _FIGURE.search(line) else 2
    if has_gain:
        return 3 if is_short and labels.search(line) else 1 + is_short
    return _weight_beside_others(line, language)


def _weight_beside_others(line: str, language: str) -> int:
    """Returns 2 for a line that is of a window if others are, by its words or its frame, 1 for a
    short one that nobody closed, and otherwise 0."""
    if any(each.match(line) for each in (_FRAMED, _TIMED, form_words("choices"))):
        return 2
    if announces(line, language, beside_a_window=True):
        return 2
    if len(line) > _LONGEST_LOOSE_LINE or line.endswith(CLOSED):
        return 0
    is_named = len(line) <= _LONGEST_VALUE and form_words("labels").search(line)
    return 2 if is_named or len(_FIGURE.findall(line)) > 1 else 1


def _is_built_as_one(line: str, bare: str) -> bool:
    """Whether a line is one of a window by brackets, labels, cells or a frame."""
    if NOTICE.match(bare) or _system_line().match(bare) or _STAT.match(line):
        return True
    if _MARKED_GAIN.match(line) or _ASKS_TO_CHOOSE.search(line):
        return True
    if _BOX.search(line) or _is_row_of_cells(line):
        return True
    tagged = _TAGGED.match(line)
    if tagged and len(_FIGURE.findall(line)) > 1:
        return True
    if len(line) <= _LONGEST_LABELLED_ROW and _labels_in(line) > 1:
        return True
    if _CHANGED.match(line):
        return True
    return line.isupper() and len(line.split()) > 2 and bool(_ALARM.search(line))


def _labels_in(line: str) -> int:
    """Returns how many different labels of a window a line has, each before a value."""
    pairs = {pair for pair in _PAIR.findall(line) if is_labelled(pair)}
    behind = {label for label in _LABEL_BEHIND.findall(line) if form_words("labels").search(label)}
    return max(len({pair.partition(":")[0] for pair in pairs}), len(behind))


def _is_row_of_cells(line: str) -> bool:
    """Whether a line is three cells or more, most with a figure or a label of a window."""
    cells = _CELLS.split(line)
    if len(cells) < 3 or max(map(len, cells)) > _LONGEST_CELL or line.endswith(("。", ".")):
        return False
    labels = form_words("labels")
    with_figures = sum(bool(_FIGURE.search(cell) or labels.search(cell)) for cell in cells)
    return with_figures * 3 >= len(cells) * 2 and bool(_FIGURE.search(line))


def is_table_of_figures(text: str) -> bool:
    """Whether a table holds what a window does: labels and figures."""
    rows = [row for row in text.splitlines() if any(map(str.isalnum, row))]
    with_figures = sum(bool(_FIGURE.search(row)) for row in rows)
    return (
        len(rows) > 1 and with_figures * 2 >= len(rows) and bool(form_words("labels").search(text))
    )


def announces(text: str, language: str, *, beside_a_window: bool = False) -> bool:
    """Whether a paragraph of one line speaks as a system does: of a game's things to whoever plays,
    not as a narrator. Beside a window less will do."""
    text = text.lstrip("-*~· ")
    if not text or len(text) > _LONGEST_ANNOUNCEMENT[language] or text[0] in '“"—':
        return False
    if sounded := _sounded().match(text):
        text = text[sounded.end() :]
        beside_a_window = True
    return _tells_a_player(text, language, beside_a_window=beside_a_window)


def _tells_a_player(text: str, language: str, *, beside_a_window: bool) -> bool:
    """Whether words without sound and brackets speak of a game's things, and of nobody."""
    if not text or form_words("narrators", language).search(text):
        return False
    if language == "ko" and not form_words("formal_ends", "ko").search(text):
        return False
    things = form_words("things", language)
    first = things.search(text)
    says = _says(text, language)
    of_what = len(set(things.findall(text)))
    if beside_a_window:
        return says + of_what + bool(_FIGURE.search(text)) > 1
    if not says or first is None or first.start() > _HEAD_OF_ANNOUNCEMENT[language]:
        return False
    return of_what + bool(_NAMED.search(text)) > 1


def may_announce(text: str, language: str) -> bool:
    """Whether a paragraph of one line that shows no sign of a form announces something."""
    text = text.strip("*_~ ")
    if quoted := _QUOTED.match(text):
        text = quoted["words"]
    if language == "ko":
        return text.endswith(_KOREAN_FORMAL) and announces(text, language)
    return (_says(text, language) or _sounded().match(text) is not None) and announces(
        text, language
    )


def is_told_formally(paragraphs: Sequence[str], language: str) -> bool:
    """Whether a Korean chapter is told in the style a system speaks in, so that the style says
    nothing."""
    if language != "ko" or len(paragraphs) < _FEWEST_TOLD:
        return False
    return sum(text.endswith(_KOREAN_FORMAL) for text in paragraphs) * 4 > len(paragraphs)


def _says(text: str, language: str) -> bool:
    """Whether a sentence begins, or in Korean ends, as those of a system do."""
    announcements = form_words("announcements", language)
    return bool(announcements.search(text) if language == "ko" else announcements.match(text))


def is_quoted_window(text: str) -> bool:
    """Whether a line stands in the brackets of speech and ends like no sentence: with others of its
    kind it may be a window."""
    quoted = _QUOTED.match(text)
    return quoted is not None and not quoted["words"].endswith((*CLOSED, "—"))
