"""Letters, notes, orders and mails inside a story, by how they open and how they are signed.

A formula at one end and a name at the other make a letter; where neither end has a formula, what is
between has to speak to somebody.

A note that no formula opens is known by the paragraph before it, which speaks of a letter, a card
or a note, or by what it says of itself. Such a paragraph calls somebody and is signed, or speaks of
itself to whoever reads it; nobody tells a story so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from studio.text.language.form_words import alternatives, form_words
from studio.text.prose.windows import CLOSED

_CHINESE_DATE = (
    r"(?:民国|公元)?(?:[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]|[〇零一二三四五六七八九十廿\d]{0,4})"
    r"[年]?[〇零一二三四五六七八九十正冬腊\d]{1,3}月"
    r"[〇零一二三四五六七八九十廿初\d]{0,4}[日夜晨]?"
)
_ENGLISH_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec)\.?"
)
_GREETING = re.compile(
    r"(?:Dear|Dearest|My (?:dear|own|darling|beloved)(?:est)?|To whom)\b[^.!?\n]{0,60}[,:—-]?$"
    r"|To (?:the|my|our|whoever|anyone|all|his|her|[A-Z])[^.!?,\n]{0,60}:$"
    r"|(?:Gentlemen|Sirs?|Madam|Mesdames|Ladies|Darling|Beloved|Sweetheart)[,:]$"
    r"|[^.!?\n]{1,24}(?:에게|께|귀하|한테|보아라|보거라|보십시오|보세요|보시오|보게"
    r"|전[ \t]?상서|앞)[.,:]?$"
    r"|(?:존경하는|사랑하는|친애하는|그리운|경애하는|보고[ \t]?싶은)[ \t][^.!?\n]{1,20}[,.:]?$"
    r"|(?:亲爱的|敬爱的|尊敬的)[^。！？\n]{1,20}[：:，,]"
    r"|[^。！？，\n]{1,12}(?:先生|女士|吾兄|大人|足下|如晤|台鉴|钧鉴)[：:]$"
    r"|[^。！？\n]{0,12}(?:见字如[面晤]|见信(?:如[面晤]|好)|展信[佳悦安]|[尊亲]启|[敬谨]启者"
    r"|如晤|如握|膝下|膝前|[台钧惠大雅尊]鉴)(?:[，,：:。！]|$)"
    r"|吾[爱妻妹弟兄儿友][^。！？，\n]{0,8}[：:]|(?:致|兹令|命|谕)[^。！？，：\n]{1,14}[：:]$"
    r"|(?:[小儿微老]?臣|草民|民女|末将|属下|卑职|下官|弟子|不孝[儿女]|学生)[^。！？，\n]{0,14}"
    r"(?:[谨跪启]奏|上言|[谨敬]呈|[叩敬跪]禀|拜启|泣告)[：:]?$"
    r"|致[^。！？，：\n]{2,12}的[^。！？，：\n]{1,8}$"
    r"|[^.!?\n]{0,24}삼가[ \t][^.!?\n]{1,30}(?:아뢰|아룁|고하|고합|올리|올립|여쭙)"
    r"[^.!?\n]{0,8}[.:]?$"
    r"|To[.:][ \t][^.!?\n]{1,30}$"
    r"|(?:사직서|유서|유언장|각서|진술서|반성문|초대장|통지서|탄원서|辞职信|遗书|请假条|邀请函|检讨书|通知书|"
    r"Letter of resignation|Resignation|Invitation|Last will and testament)$",
    re.IGNORECASE,
)
"""Matches the line a letter opens with."""
_NO_ADDRESS = "说道问想写念曰云答喊叫唱读看着了是"
_ADDRESS = re.compile(
    r"(?-i:[A-Z])[\w.’'-]*(?: (?-i:[A-Z]|of |the |and )[\w.’'-]*){0,4}[,:—]$"
    r"|(?:[^\s.,!?:]{1,8}[ \t]){0,2}(?:[^\s.,!?:]{1,8}(?:님|씨|야|아|형|누나)|[^\s.,!?:]{0,6}"
    r"(?:언니|오빠|아버지|어머니|할머니|할아버지|엄마|아빠|이모|삼촌|고모|여보|당신|동지|전하|폐하|각하|대감|장군"
    r"|사부|스승))[,.:]$"
    rf"|(?!请)[^。！？，：:“”「」\n{_NO_ADDRESS}的注诉话语、（）(一二三四五六七八九十\d]{{1,9}}[：:]$"
)
"""Matches a line that calls somebody and says nothing: `Your Majesty,`, `哥：`."""
_POSTSCRIPT = (
    r"P\.?[ ]?(?:P\.?[ ]?)?S\.?[:.,—–\- ][ ]?(?=\S)|추신[.:)]|又(?:及)?[：:]|又及[，。]|附言[：:]"
)
_OPENS_WITH_POSTSCRIPT = re.compile(_POSTSCRIPT)
_OPENING = re.compile(
    r"(?:Dear(?:est)?|My dear(?:est)?|Hey|Hi|Hello|To|Your)[ ][^.!?:,;\n“”\"]{1,40}"
    r"[,:.!—][ ](?=\S)"
    rf"|(?:启禀|禀告?|敬禀|致)?[^。！？，：:“”「」\n{_NO_ADDRESS}事、（）(]{{1,10}}(?:您好)?[：:]"
    r"(?=[^\s“「])"
)
"""Matches how a letter of one paragraph opens."""
_CLOSING = re.compile(
    r"(?:Yours|Your (?:[a-z]+ing|affectionate|obedient|servant|humble|devoted|faithful|friend|son"
    r"|daughter|brother|sister|mother|father|old|ever)|Sincerely|Respectfully|Affectionately"
    r"|Your [a-z]+(?: [a-z]+)?, (?-i:[A-Z])\w*|(?:I (?:am|remain),? [^.!?\n]{0,30}\byours?)"
    r"|Faithfully|Cordially"
    r"|Love|Lots of love"
    r"|All my love|Much love|Ever yours|As ever|Very (?:truly|sincerely|respectfully)|XOXO"
    r"|(?:Best|Kind(?:est)?|Warm(?:est)?|Fond(?:est)?)(?: regards| wishes)?,|Regards"
    r"|With (?:[\w’']+,? (?:and )?){0,5}(?:love|regards|greetings|thanks|apologies|respect|wishes"
    r"|affection|gratitude|sympathy|sorrow|haste|admiration)"
    r"|In (?:haste|sorrow|friendship|gratitude)|By my (?:own )?hand|Signed,?"
    r"|Until (?:then|we meet)|Forever yours)\b[^!?\n]{0,60}$"
    r"|From[.:] \S[^.!?\n]{0,24}$|(?:I|We) (?:remain|have the honou?r),? [^!?\n]{0,50}\w,?$"
    r"|[^.!?\n]{1,30}(?:드림|올림|보냄|씀|배상|상서|재배|돈수|적음)[.]?$"
    r"|(?:그럼 )?(?:오늘은 )?이만 (?:줄|마치|총총|쓰|맺)[^\n]{0,16}$|총총[.]?$"
    r"|(?:此致|敬礼|顺颂|即颂|谨上|祝(?:您|你)?(?:好|安|一切|身体|平安|顺利|商祺|健康)[^。]{0,8}$)"
    r"|[^。！？\n]{0,12}(?:敬上|谨启|手书|手泐|顿首|叩上|叩首|百拜|拜上|谨呈|泣[书上]|绝笔|敬启|手启|草)"
    r"(?:再拜|百拜|谨[上启言])?"
    rf"(?:[ \t　，,]*{_CHINESE_DATE})?[。]?$"
    r"|[^。！？，\s]{1,8}[ \t　]+(?:上|字|书|留)$"
    rf"|[^。！？，\n]{{1,8}}[ \t　\n]+{_CHINESE_DATE}$",
    re.IGNORECASE,
)
"""Matches the line a letter closes with."""
_NAME = {
    "en": r"(?-i:[A-Z])[\w.’'-]*(?:,? (?:(?-i:[A-Z])[\w.’'-]*|and|&|of|the|x+|age \d+)){0,4}"
    r"(?:, [^.!?,]{1,24})?",
    "ko": r"[^\s.,!?:]{1,8}(?: [^\s.,!?:]{1,6}){0,3}",
    "zh": r"[^。！？，：:…—\s（）()“”]{1,10}",
}
_SIGNED_ZH = "敬上|谨启|顿首|叩上|叩首|百拜|拜上|谨呈|绝笔|手书"
_SIGNED = {
    "en": re.compile(
        r"[.!?…)] (?:(?:Love|From|Yours(?: \w+)?|Your [a-z ]+|With [a-z ]*love|All my love|Best)"
        rf"[, ]+|[—–-]+ ?)?{_NAME['en']}$"
    ),
    "ko": re.compile(
        rf"[.!?…)][ \t]?(?:{_NAME['ko']}[ \t](?:드림|올림|배상|씀|보냄)[.]?"
        rf"|[—–\-][ \t]?{_NAME['ko']}[—–\-]?)$"
        r"|(?<!다)[게네라오소요][.!][ \t](?:[^\s.,]{1,6}[ \t])?(?!하하|호호|헤헤|후후|그래|아멘)"
        r"[가-힣]{2,4}\.$"
    ),
    "zh": re.compile(
        rf"[。！？…](?:[—–\-]{{0,2}}[ \t　]?{_NAME['zh']}(?:[ 　]{_NAME['zh']})?"
        rf"|[^。！？，\n]{{1,8}}(?:{_SIGNED_ZH})。)$"
    ),
}
"""How the last words of a letter's last paragraph are a name that nobody closed."""
_SIGNED_SURELY = {
    "en": re.compile(
        r"[.!?] ?(?:[—–]{1,2} ?|[-] ?)(?:Your )?[A-Z](?:[a-z]{0,12})\.?$"
        r"|[.!?] (?:Yours|Sincerely|Love|With (?:love|affection|regards))\b[^.!?]{0,20}?[.,]{1,2}"
        r" [^.!?]{2,36}(?: No\. \d+)?\.?$"
    ),
    "ko": re.compile(
        rf"[.!?][ \t]{_NAME['ko']}[ \t](?:드림|올림|배상)[.]?$|[.!?][ \t]?-[가-힣A-Z ]{{1,8}}-?$"
        r"|(?:소|오)[.!] .*(?:소|오)[.!] [가-힣]{2,4}\.$"
    ),
    "zh": re.compile(
        rf"[。！？][^。！？，\n]{{1,8}}(?:{_SIGNED_ZH})。?$|[。！？][^。！？，：\n]{{1,4}}[字留笔启]$"
    ),
}
"""How one paragraph is signed that needs no greeting."""
_SIGNED_WITHOUT_OPENING = {
    "en": re.compile(r"[.!?] (?:[Yy]our )?[A-Z][a-z]+(?:(?: and| &)? [A-Z][a-z]+)?$"),
    "ko": re.compile(r"[.!?] [^\s.,!?:]{1,6}(?: [^\s.,!?:]{1,6}){0,2}$"),
    "zh": re.compile(
        r"[。！？][^。！？，：:…—、（）“”]{0,4}"
        r"(?:[爸妈父母儿女妻夫弟妹哥姐爷奶婆公姑叔]|[弟妹儿女孙兄姐][ 　]?[^。！？，\s]{1,3})$"
    ),
}
"""How a note is signed that opens as it likes, if it speaks to somebody."""
_SIGNED_WITH_STOP = {
    "en": re.compile(r"(?!)"),
    "ko": re.compile(r"[.!?][ \t](?:[^\s.,!?:]{1,8}[ \t]){1,3}[^\s.,!?:]{1,8}(?:가|이|로부터)\.$"),
    "zh": re.compile(r"(?!)"),
}
"""How the last words of a letter are a name with a full stop behind it, which is no sentence."""
_LONGEST_NOTE = {"en": 240, "ko": 120, "zh": 80}
_SPEAKS_TO_YOU = {
    "en": re.compile(
        r"\b(?:you|your|please)\b|(?:^|[.!;] |, )(?:Don[’\x27]t|Forgive|Take|Come|Feed|Eat|Call"
        r"|Wait|Meet|Bring|Keep|Tell|Leave|Look|Ask|Sorry|Back (?:by|at|in|on|soon|before)"
        r"|Gone (?:to|out))\b",
        re.IGNORECASE,
    ),
    "ko": re.compile(r"(?:세요|어요|아요|와요|해라|어라|아라|다오|십시오|시오|니다|줘)[.!?]"),
    "zh": re.compile(r"[你您别请]|早点|记得|勿|自己|改日|等我|给我|[回来去]吧"),
}
TOLD_OF_OTHERS = {
    "en": re.compile(r"\b(?:said|asked|he|she)\b"),
    "ko": re.compile(r"[었았였했났왔갔렸졌됐셨쳤켰봤줬췄뒀웠녔](?:다|습니다)[.!?]|그는|그녀"),
    "zh": re.compile(r"(?<!其)[他她](?![们的])|[说道问][：，:,]"),
}
_SIGNED_AND_CLOSED = re.compile(
    r"(?:드림|올림|배상|[게네라소오요다][.!] (?:[^\s.,]{1,6} )?[가-힣]{2,4})\.$|[上启首拜呈笔书]。$"
    r"|[.!?…] (?:[—–-]+ ?)?(?:Your )?[A-Z](?:[a-z]+\.| ?\.)$"
)
"""Matches a signature behind which there is a full stop all the same."""
_SIGNATURE = {
    "en": re.compile(rf"(?:[—–-]+ ?)?(?:(?:From|Love),? )?{_NAME['en']}$"),
    "ko": re.compile(rf"[—–\-]?[ \t]?{_NAME['ko']}[—–\-]?$"),
    "zh": re.compile(
        r"[—–\-]{0,2}[ \t　]?[^。！？，：:\s]{1,8}(?:[ \t　][^。！？，：:\s]{1,8}){0,2}$"
    ),
}
"""A short last line that is a name."""
_NUMBER = re.compile(r"[\dIVXLCivxlc.零一二三四五六七八九十百第章节回 \-—]+$")
_SPEAKS_TO_ONE = {
    "en": re.compile(r"\b(?:you|your|I|my|me|we)\b", re.IGNORECASE),
    "ko": re.compile(
        r"당신|그대|너|네|니다|세요|해라|게\b|어요|아요|하오|시오|마라|어라|나는|내가|저는|제가|어\.|줘|다오|귀관"
    ),
    "zh": re.compile(r"[我你您别]|敬请|务请|望|请|勿|快来"),
}
_ENTRY = {
    "en": re.compile(
        rf"(?:\d{{1,2}}(?:st|nd|rd|th)? {_ENGLISH_MONTH}|{_ENGLISH_MONTH} \d{{1,2}}(?:st|nd|rd|th)?"
        r"|Day (?:\d+|[A-Z][a-z-]+))(?:,? \d{4})?[.:—–] ?\S"
    ),
    "ko": re.compile(r"(?:\d{4}년 )?\d{1,2}월 \d{1,2}일(?: \S요일)?[.:][ \t]|\d{1,4}일째[.:][ \t]"),
    "zh": re.compile(
        rf"{_CHINESE_DATE}[，　 ]{{1,2}}(?:晴|阴|[大小]?雨|[大小]?雪|多云|有风)[。，　 ]"
    ),
}
_HEADERS = re.compile(
    r"(?:Subject|From|To|Date|Cc|Re|Sent|Attachments?|제목|보낸[ \t]?(?:사람|이|날짜)"
    r"|받는[ \t]?(?:사람|이)|발신(?:인|자)?|수신(?:인|자)?|참조|날짜|일시"
    r"|主题|发件人|收件人|日期|抄送|标题|寄件人|主旨|发信人|收信人)[ \t]*[:：]",
    re.IGNORECASE,
)
_TELEGRAM = re.compile(
    r"(?:[A-Z’']{1,14}[ ,]){2,}.*\bSTOP\b"
    r"|(?=.*(?:위독|급래|급상경|요망|별세|속래|사망))[가-힣]{2,8}(?: [가-힣]{2,8}){1,4}$"
    r"|[가-힣]{2,6}(?:위독|별세|사망)(?:급래|속래|급상경|요망)?$"
    r"|(?=.*(?:急归|速归|速回|病危|病重|急电|盼归|速来))[^\W\d_]{3,10}[ 　]?[^\W\d_]{0,4}$"
)
_LONGEST_TELEGRAM = 120
_LONGEST_GREETING = 80
_LONGEST_CLOSING = 60
_LONGEST_SIGNATURE = 40
_LONGEST_NAME = 14
LONGEST_LETTER = 20
"""The maximum number of paragraphs between a greeting and a closing."""
LONGEST_UNSURE_LETTER = 6
"""The same where neither is sure."""
_OPENED = "“\"‘「『'"


def greets(text: str) -> bool:
    """Whether the first line of a text greets somebody as letters do."""
    first, _, rest = text.partition("\n")
    if len(first) > _LONGEST_GREETING or not _GREETING.match(first):
        return False
    return bool(rest) or len(first) < _LONGEST_CLOSING


def calls_somebody(text: str) -> bool:
    """Whether a text only calls somebody, as notes begin."""
    return len(text) <= _LONGEST_SIGNATURE and _ADDRESS.match(text) is not None


def is_headed_paper(text: str, language: str) -> bool:
    """Whether a text is headed as what is put up or handed in: `Notice to tenants`, `遗嘱：..`"""
    head, *rest = re.split(r"[:：\n]", text, maxsplit=1)
    if len(head) > _LONGEST_SIGNATURE or not any(map(str.strip, rest)):
        return False
    return re.fullmatch(alternatives("papers", language), head, re.IGNORECASE) is not None


def is_entry(text: str, language: str) -> bool:
    """Whether a paragraph is one of a diary or a log: its date, a stop, and what happened."""
    return _ENTRY[language].match(text) is not None


def is_closing(line: str) -> bool:
    """Whether a line is a formula that letters close with."""
    return len(line) <= _LONGEST_CLOSING and _CLOSING.match(line) is not None


def closes(text: str, language: str) -> int:
    """Returns how surely a paragraph closes a letter: 0, 1 by a name or a date, 2 by a formula."""
    lines = [line.strip() for line in text.splitlines()]
    if any(map(is_closing, lines[-2:])):
        return 2
    if text.endswith(CLOSED) and not text.endswith("."):
        return 0
    last = lines[-1]
    if _is_signature(last, language) and not text.endswith(CLOSED):
        return 1
    return int(_SIGNED[language].search(text) is not None)


def _is_signature(line: str, language: str) -> bool:
    """Whether a line is a name and nothing more."""
    if len(line) > _LONGEST_SIGNATURE or not any(map(str.isalpha, line)):
        return False
    return bool(_SIGNATURE[language].match(line)) and not _NUMBER.match(line)


def speaks_to_one(text: str, language: str) -> bool:
    """Whether a text speaks to somebody, or of who writes it."""
    return _SPEAKS_TO_ONE[language].search(text) is not None


def opens_and_speaks(text: str, language: str) -> bool:
    """Whether one paragraph begins as a letter does, and goes on speaking to somebody."""
    opening = _OPENING.match(text)
    return opening is not None and speaks_to_one(text[opening.end() :], language)


def ends_in_a_name(text: str, language: str) -> bool:
    """Whether the last words of a paragraph are who wrote it, or a formula that closes letters."""
    if TOLD_OF_OTHERS[language].search(text):
        return False
    signed = (_SIGNED_SURELY, _SIGNED_WITHOUT_OPENING, _SIGNED, _SIGNED_WITH_STOP)
    return any(each[language].search(text) for each in signed) or is_closing(text)


def has_headers(lines: Sequence[str]) -> bool:
    """Whether the first lines say from whom to whom a message goes, and of what."""
    return sum(bool(_HEADERS.match(line)) for line in lines[:4]) > 1


def is_letter(lines: Sequence[str], language: str) -> bool:
    """Whether the lines of one paragraph are a letter from how it opens to how it is signed."""
    last = lines[-1]
    opens = any(map(greets, lines[:2])) or bool(_ADDRESS.match(lines[0]))
    if not opens and not any(map(_OPENING.match, lines[: min(2, len(lines) - 1)])):
        return is_short_letter(last, language)
    closes_it = any(map(is_closing, lines[-3:])) or _is_signature(last, language)
    closes_it = closes_it or _SIGNED[language].search(last) is not None
    return closes_it and speaks_to_one("\n".join(lines), language)


def may_be_signed(text: str) -> bool:
    """Whether the first and the last characters of one line allow for a letter: a quick no for
    nearly all prose."""
    if text[0] in _OPENED or "\n" in text:
        return False
    if not text.endswith(CLOSED) or text[0] in "P추又附D" or "Yours" in text[-_LONGEST_CLOSING:]:
        return True
    return _SIGNED_AND_CLOSED.search(text, max(0, len(text) - _LONGEST_NAME)) is not None


def is_short_letter(text: str, language: str) -> bool:
    """Whether one line is a letter: it opens as one and ends in a name."""
    if _OPENS_WITH_POSTSCRIPT.match(text) or text.startswith("Dear Diary"):
        return True
    if len(text) < _LONGEST_TELEGRAM and _TELEGRAM.match(text):
        return True
    if text[0] in _OPENED:
        return False
    if _SIGNED_SURELY[language].search(text):
        return True
    if _SIGNED[language].search(text) and opens_and_speaks(text, language):
        return True
    signed = _SIGNED_WITHOUT_OPENING[language].search(text)
    if signed is None or len(text) > _LONGEST_NOTE[language]:
        return False
    if TOLD_OF_OTHERS[language].search(text):
        return False
    return _SPEAKS_TO_YOU[language].search(text[: signed.start() + 1]) is not None


def is_within_letter(before: Sequence[str], text: str) -> bool:
    """Whether a text that follows these paragraphs greets somebody in a letter, or stands in one
    that is begun and not closed."""
    if greets(text):
        return True
    for place in range(len(before) - 1, max(-1, len(before) - 1 - LONGEST_LETTER), -1):
        lines = before[place].splitlines() or [""]
        if is_closing(lines[-1].strip()):
            return False
        if greets(before[place]):
            return True
    return False


# Notes without a formula


_QUOTED = re.compile(r"[“”\"「」『』]")
_NOBODYS_NAME = "说道问想写念曰云答喊叫唱读看着了是我你您他她它"
_CALLS = {
    "en": re.compile(
        r"(?!(?:Yes|No|Oh|Ah|Well|But|And|So|Now|Then|Still|Sir|Okay|Of)\b)"
        r"(?:[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?|[Mm]y \w+(?: \w+)?)(?:,|:|—| [—–-]) ?"
    ),
    "ko": re.compile(
        r"[^\s.,!?:“”\"']{1,8}(?:[ \t][^\s.,!?:“”\"']{1,8}){0,2}"
        r"(?:에게|께|한테|님|씨|야|아|형|오빠|누나|언니)[,.:!][ \t]"
    ),
    "zh": re.compile(rf"[^。！？，：“”\n、（）{_NOBODYS_NAME}]{{2,6}}[，：:]"),
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
    "en": ("this", "Dear", "Effective", "being of"),
    "ko": ("이 편지", "이 글", "이 쪽지", "이 메모", "아뢰", "아룁"),
    "zh": ("这",),
}
"""One of these stands in what speaks of itself: a quick no for nearly all prose."""
_OF_ITSELF = {
    "en": re.compile(
        r"[.!?] If you(?:[’\x27]re| are) reading this\b|^Effective (?:today|immediately)\b"
        r"|^Dear(?:est)? (?!God|Lord|me\b|Heaven|Reader)(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}"
        r"[,—] (?=\S[^.!?]*[.!?] \S)"
        r"|^I, (?-i:[A-Z])[\w. ]{1,30}, being of",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"이 (?:편지|글|쪽지|메모)(?:를|을|가|이)[^.!?]{0,16}"
        r"(?:읽을 때|읽고 있|읽는다면|받을 때|받았을|닿을|발견하|볼 때|보고 있|본다면)"
        r"(?![^.!?]*[었았]다)"
        r"|^(?:소?신|불초)[ \t][^.!?]{1,24}(?:아뢰|아룁)[^.!?]{0,6}\."
    ),
    "zh": re.compile(r"^如?果?[你您](?:在|正在|能|会)?[读看]到?这(?:个|些字|段话|张纸|里)[，的]"),
}
"""Matches what only something written says of itself."""


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
    only orders and wills have."""
    if text[0] in _OPENED or not any(sign in text for sign in _SIGNS_OF_ITSELF[language]):
        return False
    return _OF_ITSELF[language].search(text) is not None and not _QUOTED.search(text)
