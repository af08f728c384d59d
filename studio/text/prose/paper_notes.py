"""Notes and letters inside a story that no formula opens: known by the paragraph before them, which
speaks of a letter, a card or a note, or by what they say of themselves.

Such a paragraph calls somebody and is signed, leaves out who does what as notes do, or speaks of
itself to whoever reads it; nobody tells a story so.
"""

from __future__ import annotations

import re

from studio.text.language.form_words import form_words
from studio.text.prose.letters import TOLD_OF_OTHERS, ends_in_a_name

_QUOTED = re.compile(r"[“”\"「」『』]")
_OPENED = "“\"‘「『'"
_NO_ADDRESS = "说道问想写念曰云答喊叫唱读看着了是我你您他她它"
_CALLS = {
    "en": re.compile(
        r"(?!(?:Yes|No|Oh|Ah|Well|But|And|So|Now|Then|Still|Sir|Okay|Of)\b)"
        r"(?:[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?|[Mm]y \w+(?: \w+)?)(?:,|:|—| [—–-]) ?"
    ),
    "ko": re.compile(
        r"[^\s.,!?:“”\"']{1,8}(?:[ \t][^\s.,!?:“”\"']{1,8}){0,2}"
        r"(?:에게|께|한테|님|씨|야|아|형|오빠|누나|언니)[,.:!][ \t]"
    ),
    "zh": re.compile(rf"[^。！？，：“”\n、（）{_NO_ADDRESS}]{{2,6}}[，：:]"),
}
"""Matches how a note calls somebody in its first words."""
_TO_YOU = {
    "en": re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE),
    "ko": re.compile(
        r"당신|그대|너[는를의도]?\b|네[가게]?\b"
        r"|(?:렴|거라|해라|어라|아라|다오|세요|십시오|시오|해 ?줘|지 ?마)[.!?]"
    ),
    "zh": re.compile(r"[你您]"),
}
_SIGNS_OF_ITSELF = {
    "en": ("this", "Dear", "Effective", "cordially", "hereby", "R.S.V.P", "RSVP", "sound mind"),
    "ko": ("이 편지", "이 글", "이 쪽지", "이 메모", "귀하", "초대", "아뢰", "아룁"),
    "zh": (
        "这封",
        "读这",
        "看这",
        "到这",
        "臣",
        "这信",
        "此信",
        "谨订",
        "恭请",
        "敬请",
        "兹",
        "特此",
        "亲爱的日记",
    ),
}
"""One of these stands in what speaks of itself: a quick no for nearly all prose."""
_OF_ITSELF = {
    "en": re.compile(
        r"^(?:If|When|By the time|Should|Whoever) (?:you|anyone)?(?:[’\x27]re| are|[’\x27]ve)? ?"
        r"(?:ever )?(?:find|found|reads?|reading|get|receive|see)s? this\b(?! (?:way|time))"
        r"|[.!?] If you(?:[’\x27]re| are) reading this\b|^Effective (?:today|immediately)\b"
        r"|^Dear(?:est)? (?!God|Lord|me\b|Heaven|Reader)(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}"
        r"[,—] (?=\S[^.!?]*[.!?] \S)"
        r"|^You are (?:cordially|hereby|respectfully) (?:invited|ordered|summoned|requested)"
        r"|^I, (?-i:[A-Z])[\w. ]{1,30}, being of|R\.?S\.?V\.?P\.?$"
        r"|^(?:The )?pleasure of your company",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"이 (?:편지|글|쪽지|메모)(?:를|을|가|이)[^.!?]{0,16}"
        r"(?:읽을 때|읽고 있|읽는다면|받을 때|받았을|닿을|발견하|볼 때|보고 있|본다면)"
        r"(?![^.!?]*[었았]다)"
        r"|^(?:소?신|불초)[ \t][^.!?]{1,24}(?:아뢰|아룁)[^.!?]{0,6}\."
        r"|^귀하를 [^.!?]{0,60}(?:초대|모시)"
    ),
    "zh": re.compile(
        r"^[^。！？]{0,8}[你您](?:看到|读到|收到|见到|打开|看见)(?:这封|此|这)信"
        r"|^如?果?[你您](?:在|正在|能|会)?[读看]到?这(?:个|些字|段话|张纸|里)[，的]"
        r"|^臣[^。！？，]{1,12}(?:[谨跪启冒]奏|叩首|顿首|冒死)"
        r"|谨订于|[恭敬]请[^。，]{0,6}光临|^兹(?:任命|命|令|定于|有)"
        r"|特此(?:通知|证明|告知|声明|函告)[。！]?$|^亲爱的日记"
    ),
}
"""Matches what only something written says of itself."""
_LONGEST_READ = {"en": 320, "ko": 90, "zh": 110}
_HOLDS = {
    "en": re.compile(
        r"\b(?:was|were|lay|read|said|reads|says|wrote|written|held|stuck|pinned|left|bore)\b"
    ),
    "ko": re.compile(
        r"있었다|있다|놓여|붙어|적혀|쓰여|씌어|남겨|끼워|꽂혀|깔려|나왔다|펼쳤다|열었다"
    ),
    "zh": re.compile(r"[有写贴压留放夹躺]|上面|打开|展开|拆开"),
}
"""Matches how a sentence says that a note is there."""
_AS_NOTES_SAY = {
    "en": re.compile(
        r"^(?:Gone |Back |Out |Took |Don[’\x27]t |Meet |Sorry|Call |Dinner |Happy |Come |Go |Run"
        r"|Keep |Trust |Burn |Look |Wait |Get |Bring |Feed |Eat |Be |Never |Please |Thank you"
        r"|Thanks|Good luck|I know |Stop |Leave )"
    ),
    "ko": re.compile(
        r"^(?!(?:하지만|그러니|그래도|그런데|그리고|앗|아|어)[ ,!.])(?![^“]*(?:었|았|했|였)다[.!?])"
        r".*[어아해지라자마게요줘오께]\.$"
    ),
    "zh": re.compile(r"^(?!我?[拿打拆看读展把将]).*(?:[你您]|记得|勿|等我|(?:^|[，。！；])别)"),
}
"""Matches how notes order, beg and leave out who it is."""


def calls_on_paper(before: str, text: str, language: str) -> bool:
    """Whether a paragraph follows one that speaks of something written, calls somebody in its first
    words and speaks to them."""
    call = _CALLS[language].match(text)
    if call is None or _TO_YOU[language].search(text, call.end()) is None:
        return False
    return not _QUOTED.search(text) and form_words("carriers", language).search(before) is not None


def is_signed(text: str, language: str) -> bool:
    """Whether the last words of a paragraph without speech are who wrote it."""
    return not _QUOTED.search(text) and ends_in_a_name(text, language)


def speaks_of_itself(text: str, language: str) -> bool:
    """Whether a paragraph speaks of itself as written, to whoever reads it, or has a formula that
    only invitations, orders and wills have."""
    if text[0] in _OPENED or not any(sign in text for sign in _SIGNS_OF_ITSELF[language]):
        return False
    return _OF_ITSELF[language].search(text) is not None and not _QUOTED.search(text)


def is_read_out(before: str, text: str, language: str) -> bool:
    """Whether a paragraph is what stands on a note that the one before it speaks of in its last
    sentence: it follows a colon, or orders and leaves out as notes do."""
    if len(text) > _LONGEST_READ[language] or not text[0].isalnum():
        return False
    follows = before.endswith((":", "："))
    if not follows and not _AS_NOTES_SAY[language].search(text):
        return False
    last = before[max(before.rstrip(".。!?").rfind(mark) for mark in ".。!?！？\n") + 1 :]
    if not form_words("carriers", language).search(last) or _QUOTED.search(text):
        return False
    if TOLD_OF_OTHERS[language].search(text):
        return False
    return follows or _HOLDS[language].search(last) is not None
