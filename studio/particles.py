"""Korean particles that depend on the last sound of the words before them: 은/는, 이/가, 을/를.

A name that ends in a consonant takes a different form than one that ends in a vowel. Replacing a
name across a book therefore means checking its particles (`particle_after`), and a message takes
the form that fits what is filled in (`fill`); the catalogue may have either.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache

_FIRST, _LAST = 0xAC00, 0xD7A3
_FINALS = 28
_VOWEL = 0
_RIEUL = 8
"""The final consonant after which 로 and 론 keep their vowel form."""
_CONSONANT = 1
"""Any other final consonant."""
_PAIRS = (
    ("이어야", "여야"),
    ("이었", "였"),
    ("이에요", "예요"),
    ("이라", "라"),
    ("이란", "란"),
    ("이랑", "랑"),
    ("이나", "나"),
    ("이며", "며"),
    ("이면", "면"),
    ("이든", "든"),
    ("이지", "지"),
    ("이여", "여"),
    ("이다", "다"),
    ("이냐", "냐"),
    ("이거든", "거든"),
    ("으로", "로"),
    ("으론", "론"),
    ("은", "는"),
    ("이", "가"),
    ("을", "를"),
    ("과", "와"),
    ("아", "야"),
)
"""Each particle in its form after a consonant, and after a vowel."""
_LIKE_RO = ("으로", "로", "으론", "론")
_CLOSED = dict(_PAIRS)
_OPEN = {open_: closed for closed, open_ in _PAIRS}
_PARTICLE = re.compile(
    r"(이어야|여야|이었|였|이에요|예요|이라|라|이란|란|이랑|랑|이나|나|이며|며|이든|든|이여|여|이냐|냐|이거든|거든"
    r"|으로|로|으론|론|은|는|을|를|과|와|아|야)"
    r"(?=도|서|선|써|고|곤|기|만|는|다|면|의|요|부터|[^가-힣]|$)"
    r"|(이|가|이다|다)(?=[^가-힣]|$)|(이면|면|이지|지)(?=서|만|요|[^가-힣]|$)"
)
_LENGTHENED = re.compile(
    r"이(?=(?:는|가|를|와|의|도|만|야|네|에게|한테|께|랑|하고|처럼|보다|까지|부터)+(?:[^가-힣]|$))"
)
"""A name that ends in a consonant, lengthened by 이 in front of a particle: 서연이가."""
_CLOSING = "”’\"'`」』》〉】〕"
_NO_SOUND = _CLOSING + "“‘「『《〈【〔.,!?…~*_:; \t\n"
_READ_BACK = 200
"""How many characters of what stands before a particle are looked at, for an aside."""
_FIELD = re.compile(rf"(?<!\{{)\{{\w+[^{{}}]*\}}(?!\}})[){_CLOSING}]*")
"""A field and the marks that close it."""

_NUMBER = re.compile(r"(?P<money>[$€£])?(?P<whole>\d[\d,]*)(?P<part>\.\d+)?$")
_DIGITS = (_CONSONANT, _RIEUL, 0, _CONSONANT, 0, 0, _CONSONANT, _RIEUL, _RIEUL, 0)
"""The last sounds of 영 일 이 삼 사 오 육 칠 팔 구; a number that ends in zeros ends as 십 백 천 만
억 경 do, or as 조."""
_TRILLIONS = range(12, 16)
_SIGNS = {"%": _VOWEL, "$": _VOWEL, "€": _VOWEL, "°": _VOWEL, "+": _VOWEL, "#": _CONSONANT}
"""The last sounds of 퍼센트 달러 유로 도 플러스 샵."""
_LETTERS = re.compile(r"[A-Za-z]+$")
_SPELLED = re.compile(r"[A-Z]$|(?<![A-Za-z])(?:[a-z]|[b-df-hj-np-tv-xz]+)$")
"""Letters that are read one by one: capitals, a letter by itself, what has no vowel (md, html)."""
_LETTER_NAMES = {"l": _RIEUL, "r": _RIEUL, "m": _CONSONANT, "n": _CONSONANT}
"""The letters whose name ends in a consonant: 엘 알 엠 엔."""
_WORD_IN_RIEUL = re.compile(r"(?:l|[a-z]le)$")
_WORD_IN_CONSONANT = re.compile(
    r"(?:[mn]|ng|[aeiouy][mn]e|[aeioum]b|ook|[aeiouy](?:ck|tt|pp)|(?<![aeiou])[aeiou][ptkc])$"
)
"""English words that end in another consonant as a Korean reads them: 커밋, 북, 제이슨, 잭; words
like 노트 and 마크 end in a vowel."""
_HANJA = (
    "가伽각刻간侃갈乫감勘갑匣강剛개介객喀갱坑갹醵거倨건乾걸乞검儉겁劫게偈격擊견堅결抉겸兼경京계係고古곡哭곤困골汨공供과寡곽廓관冠괄刮광侊괘卦괴乖굉宏교交구丘국國군君굴堀궁宮"
    "권倦궐厥궤机귀晷규叫균勻귤橘극克근僅금今급伋긍亘기企긴緊길佶김金끽喫나儺낙諾난暖날捏남南납納낭囊내乃녀女년年념念녕寗노努농濃뇌惱뇨尿눈嫩눌訥뉴杻능能니尼닉匿다多단丹달撻"
    "담啖답沓당唐대代댁宅덕德도倒독毒돈墩돌乭동仝두兜둔屯득得등嶝라喇락洛란亂랄剌람嵐랍拉랑廊래來랭冷략掠량亮려侶력力련憐렬冽렴廉렵獵령令례例로勞록碌론論롱壟뢰儡료了룡龍루壘"
    "류劉륙六륜侖률律륭隆륵勒름凜릉凌리俚린吝림林립砬마摩막寞만万말唜망亡매埋맥脈맹孟멱冪면免멸滅명冥몌袂모侮목木몰歿몽夢묘卯무務묵墨문們물勿미味민岷밀密박剝반伴발勃방倣배倍"
    "백伯번幡벌伐범凡법法벽僻변卞별別병丙보保복伏본本볼乶봉俸부不북北분分불佛붕崩비丕빈嚬빙憑사乍삭削산傘살乷삼三삽揷상上새塞색嗇생牲서墅석夕선仙설卨섬剡섭攝성城세世소召속俗"
    "손孫솔率송宋쇄刷쇠衰수修숙叔순巡술戌숭崇슬瑟습濕승丞시侍식埴신伸실失심審십什쌍雙씨氏아亞악堊안安알斡암唵압壓앙仰애厓액厄앵櫻야也약弱양佯어圄억億언偃얼孼엄俺업嶪엔円여予"
    "역亦연嚥열悅염厭엽曄영塋예乂오五옥屋온溫올兀옹壅와渦완婉왈曰왕往왜倭외外요僥욕慾용俑우于욱勖운云울蔚웅熊원元월月위位유乳육堉윤允율聿융戎은垠을乙음吟읍揖응凝의依이二익瀷"
    "인人일一임任입入잉仍자仔작作잔孱잠岑잡雜장丈재再쟁爭저佇적勣전佃절切점占접接정丁제制조俎족族존存졸卒종倧좌佐죄罪주主죽竹준俊줄茁중中즉卽즐櫛즙楫증增지之직直진唇질侄짐斟"
    "집執징徵차且착捉찬撰찰刹참僭창倉채債책冊처凄척倜천仟철凸첨僉첩堞청廳체剃초初촉促촌寸총叢촬撮최催추墜축丑춘春출出충充췌悴취取측側층層치侈칙則친親칠七침侵칩蟄칭秤쾌快타他"
    "탁倬탄呑탈奪탐探탑塔탕宕태兌택擇탱撑터攄토兎통慟퇴堆투偸특慝틈闖파坡판判팔八패佩팽彭퍅愎편便폄貶평坪폐吠포佈폭幅표俵품品풍楓피彼필匹핍乏하下학壑한寒할割함函합合항亢해亥"
    "핵劾행倖향享허噓헌憲헐歇험險혁奕현俔혈孑혐嫌협俠형亨혜兮호乎혹惑혼婚홀忽홍哄화化확擴환丸활活황凰회匯획劃횡宖효哮후侯훈勛훙薨훤喧훼卉휘彙휴休휼恤흉兇흑黑흔昕흘吃흠欠흡吸"
    "흥興희僖힐詰"
)
"""Each reading of hanja in Korea and the first character that has it, in the order of KS X 1001,
which is that of the readings."""


def fill(sentence: str, values: Mapping[str, object]) -> str:
    """Fills a Korean sentence; a particle directly behind a field, or behind the marks that close
    it, takes the form that fits what was filled in: `{name}을`, `“{title}”은`.

    KeyError where a field has no value.
    """
    filled = ""
    for words, field, particle in _pieces(sentence):
        filled += words.format_map(values)
        value = field.format_map(values)
        filled += value
        if particle:
            whole = value.count("(") == value.count(")") and last_sound(value) is not None
            filled += form_that_fits(particle, value if whole else filled)
    return filled


@lru_cache(maxsize=8192)
def _pieces(sentence: str) -> tuple[tuple[str, str, str], ...]:
    """Splits a sentence behind each particle that depends on a field: the words before the field,
    the field, the particle."""
    return tuple(_split_sentence(sentence))


def _split_sentence(sentence: str) -> Iterator[tuple[str, str, str]]:
    done = 0
    for field in _FIELD.finditer(sentence):
        if particle := _PARTICLE.match(sentence, field.end()):
            yield sentence[done : field.start()], field[0], particle[0]
            done = particle.end()
    yield sentence[done:], "", ""


def particle_after(word: str, text: str, at: int) -> tuple[str, str] | None:
    """Returns the particle at `at` and its form after `word`, where these differ.

    An 이 that lengthens a name goes where the word ends in a vowel: 서연이는, 미라는. None where no
    particle that depends on the word is there, or it fits already.
    """
    final = _final_of(word[-1:])
    if final is None:
        return None
    if _LENGTHENED.match(text, at):
        return ("이", "") if final == 0 else None
    match = _PARTICLE.match(text, at)
    if match is None:
        return None
    particle = match[1] or match[2] or match[3]
    form = form_that_fits(particle, word)
    return None if form == particle else (particle, form)


def is_particle_at(words: str, text: str, at: int) -> bool:
    """Whether the particle at `at` is these words."""
    match = _PARTICLE.match(text, at)
    return match is not None and words in match.groups()


def form_that_fits(particle: str, words: str) -> str:
    """Returns the form of `particle` behind these words as Korean reads them: Hangul, hanja, Latin
    letters, numbers. Unchanged if it has one form or the words no sound."""
    final = last_sound(words)
    if final is None:
        return particle
    behind_vowel = final == _VOWEL or (final == _RIEUL and particle in _LIKE_RO)
    return (_CLOSED if behind_vowel else _OPEN).get(particle, particle)


def last_sound(words: str) -> int | None:
    """Returns the final consonant with which words end when a Korean reads them aloud: 0 for none,
    8 for ㄹ, any other number for another consonant; None where nothing is read."""
    text = unicodedata.normalize("NFKC", words[-_READ_BACK:]).rstrip(_NO_SOUND)
    while words := _before_an_aside(text):
        text = words
    text = text.rstrip(_NO_SOUND + "()[]")
    last = text[-1:]
    if (final := _final_of(last)) is not None:
        return final
    if number := _NUMBER.search(text):
        return _final_of_number(number)
    if letters := _LETTERS.search(_without_accents(text)):
        return _final_of_letters(letters[0])
    return _SIGNS.get(last, _final_of_hanja(last))


def _before_an_aside(text: str) -> str:
    """Returns the words before an aside in brackets, as in 한설(韓雪)은; empty where the text does
    not end in one, or is one altogether."""
    depth = 0
    for at in range(len(text) - 1, -1, -1) if text[-1:] in (")", "]") else ():
        depth += (text[at] in ")]") - (text[at] in "([")
        if depth == 0:
            return text[:at].rstrip(_NO_SOUND)
    return ""


def _final_of(syllable: str) -> int | None:
    """Returns the index of a syllable's final consonant, 0 for none; None if it is not Hangul."""
    code = ord(syllable) if syllable else 0
    return (code - _FIRST) % _FINALS if _FIRST <= code <= _LAST else None


def _final_of_number(number: re.Match[str]) -> int:
    if number["money"]:
        return _VOWEL
    if number["part"]:
        return _DIGITS[int(number["part"][-1])]
    digits = number["whole"].replace(",", "")
    zeros = len(digits) - len(digits.rstrip("0"))
    if zeros in (0, len(digits)):
        return _DIGITS[int(digits[-1])]
    return _VOWEL if zeros in _TRILLIONS else _CONSONANT


def _without_accents(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    return "".join(part for part in parts if not unicodedata.combining(part))


def _final_of_letters(letters: str) -> int:
    if _SPELLED.search(letters):
        return _LETTER_NAMES.get(letters[-1].lower(), _VOWEL)
    word = letters.lower()
    if _WORD_IN_RIEUL.search(word):
        return _RIEUL
    return _CONSONANT if _WORD_IN_CONSONANT.search(word) else _VOWEL


def _final_of_hanja(sign: str) -> int | None:
    """Returns how the reading of a hanja ends, or a kana; None for other signs."""
    if "ぁ" <= sign <= "ー":
        return _CONSONANT if sign in "んン" else _VOWEL
    place = bisect_right(_places_of_readings(), sign.encode("euc_kr", "ignore"))
    return _final_of(_HANJA[2 * place - 2]) if place else None


@lru_cache(maxsize=1)
def _places_of_readings() -> tuple[bytes, ...]:
    """Returns where each reading begins in KS X 1001, as EUC-KR writes it."""
    return tuple(first.encode("euc_kr") for first in _HANJA[1::2])
