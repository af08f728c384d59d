"""The form of a paragraph: prose, or something embedded in prose.

Lists and scripts are read like the rest, but nothing is proposed for them: their sentences are not
built like a narrator's. Verse, letters, windows of a system, chat and leftovers of markup are of no
metric and no speech (PROSE 0.8), nor are headings, block quotes, tables and footnotes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Form = Literal[
    "prose", "verse", "letter", "list", "script", "document", "chat", "note", "leftover", "apart"
]
MEASURED: frozenset[Form] = frozenset({"prose", "list", "script"})
"""The forms that metrics count in."""

_APART = re.compile(r"#{1,6}\s|>|\||\[\^[^\]\s]{1,20}\]:")
_ITEM = re.compile(
    r"[-*+•·‣▪○●]\s+\S|\(?\d{1,2}[.)]\s+\S|[①-⑳㉠-㉻]|[가나다라마바사][.)]\s+\S|[一二三四五六七八九十]{1,2}[、.．]"
)
_TURN = re.compile(
    r"(?P<who>[^\s:：.!?。！？,，“”\"'「」][^:：.!?。！？,，“”\"「」\n]{0,15}?)\s*[:：]\s*\S"
)
"""Matches a turn of a script: `MARA: Come in.`, `은희: 왔어?`"""
_NOTICE = re.compile(
    r"(?:\[[^\]]{2,}\]|【[^】]{2,}】|<[^<>]{2,}>|〈[^〉]{2,}〉|=+\s.*\s=+)$", re.DOTALL
)
"""Matches a game window, a sign, or a message on a screen: all of it in brackets."""
_CHINESE_DATE = (
    r"(?:民国|民國|公元)?[〇零一二三四五六七八九十廿\d]{0,4}[年]?[〇零一二三四五六七八九十正冬腊臘\d]{1,3}月"
    r"[〇零一二三四五六七八九十廿初\d]{0,4}[日夜晨]?"
)
_LABELS = (
    r"(?:시스템|상태창?|퀘스트|임무|미션|목표|보상|스킬|칭호|특성|업적|레벨|직업|등급|능력치|스탯|경험치|마나|민첩|체력"
    r"|지능|근력|아이템|획득|이름|나이|종족|소속|위치|힘"
    r"|系统(?:提示|消息|公告|任务)?|系統(?:提示|消息|公告|任務)?|任务|任務|奖励|獎勵|技能|称号|稱號|职业|職業|等级|等級"
    r"|境界|经验值?|經驗值?|宿主|属性|屬性|力量|敏捷|体质|體質|精神|智力|生命值?|法力值?|修为|修為|天赋|天賦|姓名|目标|目標"
    r"|system(?: (?:message|notification|alert))?|status|quest|mission|objective|reward|skills?"
    r"|title|class|level|lv|rank|race|name|stats?|attributes?|strength|agility|dexterity|stamina"
    r"|vitality|endurance|intelligence|wisdom|charisma|health|mana|hp|mp|sp|xp|exp|str|agi|dex|con"
    r"|vit|int|wis|cha|luck)"
)
"""What windows and stat blocks of a game are labelled with."""
_BULLET = r"[ \t　]*[-–—*▶▷◆◇■□●○★☆※▣→>·•]*[ \t　]*"
_SYSTEM = re.compile(
    rf"{_BULLET}{_LABELS}[ \t]*[,，][ \t]*[\[【［<〈「『].+[\]】］>〉」』][.!]?$"
    rf"|{_BULLET}[\[【［]{_LABELS}[^\[\]【】［］\n]{{0,8}}[\]】］].*$"
    rf"|{_BULLET}{_LABELS}[ \t]*[:：][ \t]*[^\s“\"].{{0,40}}$"
    r"|叮[！!，,—…～~]+.{0,6}(?:系统|系統|宿主|恭喜|任务|任務|获得|獲得|激活|检测|檢測|检测).*$"
    r"|<<[^<>]{2,}>>$|《《[^《》]{2,}》》$|［[^］]{2,}］$",
    re.IGNORECASE | re.DOTALL,
)
"""Matches a line of a system: `- 퀘스트, [..]`, `【系统】..`, `[System] ..`, `Reward: 100 XP`."""
_STAT = re.compile(
    rf"{_BULLET}[^\W\d_][^:：.!?。！？“”\"\n\d]{{0,15}}[:：][ \t]*[+\-−]?\d[\d,./%]*"
    r"(?:[ \t]*\([+\-−]?\d[^)\n]{0,8}\)|[^\W\d_]{0,4})?(?:[ \t]*[|｜/／][ \t]*|$)"
)
"""Matches a value of a stat block: `힘: 15`, `STR: 15 (+2) | ...`."""
_STATS_IN_A_ROW = re.compile(
    r"(?:[^\W\d_]{1,10}[ \t]*[:：]?[ \t]*[+\-−]?\d[\d,./%]*[ \t]*[|｜/／·,，][ \t]*){2,}"
    r"[^\W\d_]{1,10}[ \t]*[:：]?[ \t]*[+\-−]?\d[\d,./%]*[.]?$"
)
_BOX = re.compile(r"[─━│┃┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣]")
_CHAT = re.compile(
    r"(?:[\[［(（【<〈][^\]］)）】>〉\n]{1,14}[\]］)）】>〉][ \t]*|\d{1,2}:\d{2}(?::\d{2})?[ \t]+)"
    r"[^\s:：“”\"][^:：.!?。！？“”\"\n]{0,15}[:：][ \t]*\S.*$"
    r"|@?[^\W_]*[_\d][\w.]{1,15}[ \t]?[:：][ \t]*[^\s\d].*$"
    r"|[^\s:：“”\"（(]{1,8}[（(](?:私聊|密语|密語|群聊|귓속말|DM|whispers?)[)）][:：].+$"
    r"|[└ㄴ][ \t]*\S.*$",
    re.IGNORECASE,
)
"""Matches a message of a chat by what is before its words: `[길드] 윤재: ..`, `[10:42] Joss: ..`,
`mara_88: ..`."""
_CHAT_WORDS = re.compile(
    r"[ㅋㅎㅠㅜ]{2,}|哈哈哈|233+|666+|\b(?:lol|lmao|brb|omg|u there)\b"
    r"|^(?:群主|管理员|管理員|楼主|樓主|网友|網友|匿名|\d+[楼樓]|방장|운영자|ㅇㅇ)[^:：\n]{0,8}[:：]",
    re.IGNORECASE,
)
"""Words, and names, that turn a run of names and lines into a chat."""
_LEFTOVER = re.compile(
    r"(?:!?\[[^\]\n]*\]\([^)\s]*\)|&(?:nbsp|amp|lt|gt|quot|mdash|ndash|hellip|emsp|ensp|#\d{1,5});"
    r"|</?(?:br|p|div|span|hr|center|em|strong|b|i|u|s|sup|sub|font)\b[^<>\n]*>"
    r"|\\[*_#~`\[\]()\\>-]|~~[^~\n]+~~|[*_~`]{2,}|\s)+$",
    re.IGNORECASE,
)
"""Matches a paragraph of nothing but Markdown or HTML."""
_GREETING = re.compile(
    r"(?:Dear|My dear(?:est)?|To whom)\b[^.!?\n]{0,60}[,:—]?$"
    r"|[^.!?\n]{1,24}(?:에게|께|귀하|보아라|보거라)[.,:]?$"
    r"|(?:亲爱的|親愛的|敬爱的|敬愛的|尊敬的)[^。！？\n]{1,20}[：:]"
    r"|[^。！？，\n]{1,12}(?:先生|女士|吾兄|大人|足下|如晤|台鉴|台鑒)[：:]$"
    r"|[^。！？\n]{0,12}(?:[见見]字如[面晤]|[见見]信(?:如[面晤]|好)|展信[佳悦悅安]|[尊亲親]启|[尊親]啟|[敬谨]启者"
    r"|如晤|如握|膝下|膝前|[台臺钧鈞惠大雅尊][鉴鑒])(?:[，,：:。！]|$)"
    r"|吾[爱妻妹弟兄儿友愛兒][^。！？，\n]{0,8}[：:]",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:Yours|Your (?:loving|affectionate|obedient)|Sincerely|Respectfully|Affectionately|Love)\b"
    r"[^!?\n]{0,60}$"
    r"|[^.!?\n]{1,30}(?:드림|올림|보냄|씀|배상|상서)[.]?$"
    r"|(?:此致|敬礼|敬禮|顺颂|順頌|即颂|即頌|谨上|謹上)"
    r"|[^。！？\n]{0,12}(?:敬上|谨启|謹啟|手书|手書|手泐|顿首|頓首|叩上|叩首|百拜|拜上|谨呈|謹呈|泣书|泣書|绝笔|絕筆|草)"
    rf"(?:[ \t　，,]*{_CHINESE_DATE})?$"
    r"|[^。！？，\s]{1,8}[ \t　]+(?:上|字|书|書)$"
    rf"|[^。！？，\n]{{1,8}}[ \t　\n]+{_CHINESE_DATE}$",
    re.IGNORECASE,
)
_LONGEST_LETTER = 20
"""The maximum number of paragraphs between a greeting and a closing."""
_FEWEST = 3
"""The minimum number of lines, items or turns in a verse, a list or a script."""
_VERSE_LINES = 4
"""The minimum number of short unclosed one-line paragraphs in a row that make a verse."""
_MOST_VERSE_LINES = 40
"""More lines in one paragraph are a text that somebody wrapped."""
_SHORT_LINE = {"en": 48, "ko": 26, "zh": 20}
_CLOSED = tuple(".!?…。！？”’」』\"'")


def forms(paragraphs: Sequence[str], language: str) -> list[Form]:
    """Returns the form of each paragraph of a chapter, in order."""
    kinds: list[Form] = [_alone(text, language) for text in paragraphs]
    turns = _turns(paragraphs)
    if any(turns):
        _mark_chat(kinds, paragraphs, turns)
    _mark_runs(kinds, [_is_item(text) for text in paragraphs], "list", _FEWEST)
    _mark_runs(kinds, turns, "script", _FEWEST)
    _mark_runs(kinds, [_is_line(text, language) for text in paragraphs], "verse", _VERSE_LINES)
    _mark_letters(kinds, paragraphs)
    return kinds


def _alone(text: str, language: str) -> Form:
    """Returns the form of a paragraph by itself."""
    if _APART.match(text):
        return "apart"
    if text[0] in "[【<〈=" and _NOTICE.match(text):
        return "document"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    form = _of_machines(text, lines) if _may_be_apart(text) else "prose"
    if form != "prose" or len(lines) < _FEWEST:
        return form
    if all(map(_is_item, lines)):
        return "list"
    if all(_turns(lines)):
        return "chat" if any(map(_CHAT_WORDS.search, lines)) else "script"
    return "verse" if _is_verse(lines, language) else "prose"


def _of_machines(text: str, lines: Sequence[str]) -> Form:
    """Returns the form of markup, of a window or of a chat; prose if it is none."""
    if _LEFTOVER.match(text):
        return "leftover"
    if all(map(_is_of_a_system, lines)) or _is_stat_block(lines):
        return "document"
    return "chat" if all(map(_CHAT.match, lines)) else "prose"


def _may_be_apart(text: str) -> bool:
    """Whether the first characters of a paragraph allow for a window, chat or markup: a quick no
    for nearly all prose."""
    first = text[0]
    if first in _OPENED:
        return False
    return not first.isalnum() or first in "叮ㄴ" or not _SIGNS.isdisjoint(text[:_HEAD])


_OPENED = "“\"‘「『'"
_SIGNS = frozenset(":：[【［|｜/／·（(_─│")
_HEAD = 32


def _is_of_a_system(line: str) -> bool:
    """Whether a line is one of a game's window: a notice, a stat, or a part of its frame."""
    if _NOTICE.match(line) or _SYSTEM.match(line) or _STAT.match(line):
        return True
    return bool(_BOX.search(line) or _STATS_IN_A_ROW.match(line))


def _is_stat_block(lines: Sequence[str]) -> bool:
    """Whether lines are labels with values, a third of them those of a window."""
    if len(lines) < 2 or not all(map(_TURN.match, lines)):
        return False
    return sum(map(_is_of_a_system, lines)) * 3 >= len(lines)


def _is_verse(lines: Sequence[str], language: str) -> bool:
    """Whether lines are short, and not each a sentence by itself: that is a layout."""
    if len(lines) > _MOST_VERSE_LINES:
        return False
    ends = sum(line.endswith(_CLOSED) for line in lines)
    return max(map(len, lines)) <= _SHORT_LINE[language] and ends * 5 < len(lines) * 4


def _mark_chat(kinds: list[Form], paragraphs: Sequence[str], turns: Sequence[bool]) -> None:
    """Marks the runs of turns that are a chat by one of their lines."""
    start = 0
    for place in range(len(kinds) + 1):
        if place < len(kinds) and (turns[place] or kinds[place] == "chat"):
            continue
        run = range(start, place)
        is_chat = any(kinds[n] == "chat" or _CHAT_WORDS.search(paragraphs[n]) for n in run)
        if is_chat and len(run) > 1:
            for n in run:
                kinds[n] = "chat" if kinds[n] == "prose" else kinds[n]
        start = place + 1


def _is_item(text: str) -> bool:
    """Whether a line is a list item; a hyphen may also open speech, which ends like speech."""
    if _ITEM.match(text) is None:
        return False
    return text[0] not in "-*" or not text.endswith(_CLOSED)


def _turns(lines: Sequence[str]) -> list[bool]:
    """Returns which lines are turns of a script (name, colon, words), given two names or more."""
    names = [match["who"] if (match := _TURN.match(line)) else "" for line in lines]
    return [bool(name) for name in names]


def _is_line(text: str, language: str) -> bool:
    """Whether a paragraph reads like a line of verse: short, and without a sentence's end."""
    return (
        len(text) <= _SHORT_LINE[language]
        and "\n" not in text
        and not text.endswith(_CLOSED)
        and any(map(str.isalpha, text))
    )


def _mark_runs(kinds: list[Form], alike: Sequence[bool], form: Form, fewest: int) -> None:
    """Marks as `form` the runs with at least `fewest` paragraphs."""
    start = 0
    for place in range(len(alike) + 1):
        if place < len(alike) and alike[place] and kinds[place] == "prose":
            continue
        if place - start >= fewest:
            kinds[start:place] = [form] * (place - start)
        start = place + 1


def _mark_letters(kinds: list[Form], paragraphs: Sequence[str]) -> None:
    """Marks everything between a greeting and a closing, both included."""
    begin = -1
    for place, text in enumerate(paragraphs):
        if kinds[place] == "apart":
            continue
        if _greets(text):
            begin = place
        last = text.rsplit("\n", 1)[-1].strip()
        if begin >= 0 and len(last) <= 60 and _CLOSING.match(last):
            if place - begin <= _LONGEST_LETTER:
                kinds[begin : place + 1] = [
                    "letter" if kind == "prose" else kind for kind in kinds[begin : place + 1]
                ]
            begin = -1


def is_within_letter(before: Sequence[str], text: str) -> bool:
    """Whether a text that follows these paragraphs greets somebody in a letter, or stands in one
    that is begun and not closed."""
    if _greets(text):
        return True
    for place in range(len(before) - 1, max(-1, len(before) - 1 - _LONGEST_LETTER), -1):
        lines = before[place].splitlines() or [""]
        if len(lines[-1]) <= 60 and _CLOSING.match(lines[-1].strip()):
            return False
        if _greets(before[place]):
            return True
    return False


def _greets(text: str) -> bool:
    first, _, rest = text.partition("\n")
    return bool(len(first) <= 80 and _GREETING.match(first) and (rest or len(first) < 60))
