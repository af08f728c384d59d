"""The text of injected faults in three languages: invented names, and forms of attributed speech.

The forms follow a grammar of speech tags that was written down before any detector was run on them:
the tag after, before and within the speech, with manners and verbs of all kinds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one language; {0} is a name, {1} the spoken words."""

    person: str
    """A name that no other person in the book has."""
    arrives: str
    remembered: str
    """A sentence that mentions a person without having anybody act."""
    acts: str
    spoken: tuple[str, ...]
    words: tuple[str, ...]
    """The spoken words."""
    secret: str
    """Words that give a secret away."""
    thing: str
    thing_in_use: str
    """A beat of a plan that uses the item."""
    once: str
    """A sentence that contains a name."""
    edges: tuple[str, ...]
    """Pairs of letters, or of parts of letters, that a slip exchanges."""


PHRASES: Mapping[str, Phrases] = {
    "en": Phrases(
        person="Ottoline",
        arrives="Ottoline came up the path with a basket on her arm.",
        remembered="They often thought of {0} in those weeks.",
        acts="{0} crossed the yard and shut the gate behind her.",
        spoken=(
            "“{1},” said {0}.",
            "“{1},” {0} said quietly.",
            "{0} said, “{1}.”",
            "“{1}!” cried {0}.",
            "“{1},” {0} answered, without turning round.",
            "“{1},” remarked {0}.",
            "“{1},” put in {0}.",
            "{0} shook her head. “{1}.”",
            "“{1},” returned {0}, and laughed.",
            "Then {0} spoke: “{1}.”",
            "“{1},” whispered {0} at last.",
            "{0} looked up and said slowly, “{1}.”",
        ),
        words=("We shall want more rope before the morning", "Nobody has been down there since"),
        secret="the will was never signed",
        thing="the walnut casket",
        thing_in_use="Somebody opens the walnut casket at the table.",
        once="It was {0} who had the key of the dairy, they said.",
        edges=("ae", "ei", "ou", "rn", "lt", "sz", "dt", "mn"),
    ),
    "ko": Phrases(
        person="보배네",
        arrives="보배네가 보퉁이를 이고 고개를 넘어왔다.",
        remembered="그 무렵 사람들은 {0}의 얼굴을 자주 떠올렸다.",
        acts="{0}는 마당을 가로질러 가서 사립문을 닫았다.",
        spoken=(
            "“{1}.” {0}가 말했다.",
            "“{1}.” {0}는 나직이 말하였다.",
            "{0}가 말했다. “{1}.”",
            "“{1}!” 하고 {0}가 소리쳤다.",
            "{0}는 고개를 돌리지 않은 채 대답했다. “{1}.”",
            "“{1}.” 하며 {0}는 웃었다.",
            "{0}는 “{1}.” 하고 중얼거렸다.",
            "{0}는 고개를 저었다. “{1}.”",
            "“{1}.” {0}가 한참 만에 입을 열었다.",
            "{0}는 천천히, “{1}.” 하고 물었다.",
            "“{1}.” {0}의 말이었다.",
            "이때 {0}가 속삭였다. “{1}.”",
        ),
        words=("아침이 되기 전에 새끼를 더 꼬아야겠네", "그 뒤로는 아무도 거기 내려가지 않았지"),
        secret="문서에는 도장이 찍히지 않았",
        thing="호두나무 궤",
        thing_in_use="누군가 상 앞에서 호두나무 궤를 연다.",
        once="광 열쇠는 {0}에게 있다고들 했다.",
        edges=("ㅐㅔ", "ㅗㅓ", "ㅜㅡ", "ㄱㅋ", "ㅂㅍ", "ㄴㅇ", "ㄷㅌ", "ㅁㅇ"),
    ),
    "zh": Phrases(
        person="顾青禾",
        arrives="顾青禾挎着篮子从坡上走来。",
        remembered="那些日子里大家常常想起{0}。",
        acts="{0}穿过院子，把门关上了。",
        spoken=(
            "{0}说：“{1}。”",
            "“{1}。”{0}说。",
            "{0}低声说道：“{1}。”",
            "“{1}！”{0}喊道。",
            "{0}头也不回地答道：“{1}。”",
            "“{1}。”{0}笑着说。",
            "{0}摇了摇头：“{1}。”",
            "{0}想了想，慢慢地说：“{1}。”",
            "“{1}，”{0}插了一句。",
            "只听{0}道：“{1}。”",
            "“{1}。”{0}终于开口了。",
            "{0}叹了口气，说：“{1}。”",
        ),
        words=("天亮以前还得多备几根绳子", "从那以后就没有人下去过了"),
        secret="遗嘱上根本没有签字",
        thing="胡桃木匣子",
        thing_in_use="有人在桌前打开胡桃木匣子。",
        once="听说仓房的钥匙在{0}手里。",
        edges=("青清", "禾和", "祥详", "刘留", "妞纽", "明名", "强墙", "福富"),
    ),
}
