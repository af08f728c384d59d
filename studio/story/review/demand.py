"""What a directive itself demands: the words it says are to go, and the words it gives.

What it names is nothing that a guard could be surprised at: whether it is well done is for a reader
to say (PROSE 0.6, WRITING 5).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

SHORTEST_NAMED = 4
"""The letters of a quoted piece below which it names nothing; half as many where letters are
syllables."""
_QUOTED = re.compile(
    "“([^”]+)”|\"([^\"]+)\"|‘([^’]+)’(?!\\w)|(?<!\\w)'([^']+)'(?!\\w)"
    "|「([^」]+)」|『([^』]+)』|«([^»]+)»|‹([^›]+)›"
)
_CLAUSE = re.compile(r"[,，、;；:：.。!?！？\n]|\b(?:and|but|while)\b|(?<=[고되며])\s|[而但并]")
_STAYS = re.compile(
    r"\b(?:keep|keeps|keeping|kept|stay|stays|survives?|preserve|retain|remains?|untouched|"
    r"unchanged|leave (?!out)|not (?:touch|lose|change))\b"
    r"|남기|남긴|남겨|남는|남아|유지|그대로|살리|살린|살려|보존|건드리지|지키"
    r"|[保只]?留[下着住]?|不[能要]?[动变丢删]|照旧|不变",
    re.IGNORECASE,
)
"""What says of words that they are to stay."""

_PARAGRAPHS = r"(?:paragraphs?|(?:paragraph |line )breaks?|\[?\d+\.\d+\]?)"
_JOINS = re.compile(
    rf"\b(?:join|merge|combine|unite|fold)\w*\b.*{_PARAGRAPHS}|{_PARAGRAPHS}.*\btogether\b"
    r"|\b(?:one|single|same) (?:\w+ )?paragraph\b|(?:without|no) (?:a |the )?\w* ?break\b"
    r"|(?:문단|단락).*(?:합[치친쳐]|이어|잇|붙[이인여]|하나로)"
    r"|(?:한|하나의) (?:문단|단락)으로"
    r"|(?:줄|문단)을? 바꾸지 (?:않|말)|段.*(?:合[并併成]|[连連接][起成到])"
    r"|(?:[合并併連连]\w{0,2}|[同成])一[个個]?段|不[要]?分段",
    re.IGNORECASE,
)
"""What asks for fewer paragraphs."""
_SPLITS = re.compile(
    rf"\b(?:split|break|divid|separat)\w*\b.*(?:{_PARAGRAPHS}|\bin (?:two|three)\b)"
    r"|\b(?:new|own|separate|into two|into three) (?:\w+ )?paragraphs?\b"
    r"|\b(?:paragraph|line) break\b"
    r"|(?:문단|단락).*(?:나[누눈눠]|갈라|쪼[개갠])|새 ?(?:문단|단락)"
    r"|(?:두|세) ?(?:문단|단락)으로"
    r"|(?:줄|문단)을? 바[꾸꾼꿔]|행갈이|줄바꿈"
    r"|[另单單](?:起|成|独|獨).{0,2}段|(?<!部)分[段行]|换行|換行|[分拆]成.{0,2}段",
    re.IGNORECASE,
)
"""What asks for more paragraphs."""
_REORDERS = re.compile(
    r"\b(?:order|reorder|swap|exchange|revers|invert|change places)"
    r"|\bcomes? (?:first|last|before|after)\b"
    r"|순서|차례|맞바[꾸꿔]|앞뒤를|[앞뒤]로 옮|[顺順次]序|[对對互调調][调調换換]|[移挪][到至]",
    re.IGNORECASE,
)
"""What asks for another order."""
_TAKES_OUT = re.compile(
    r"\b(?:cut|delete|remove|drop|strike|omit|(?:take|leave|strike)\w* (?:\w+ ){0,3}out|get rid)\b"
    r"|[빼뺀뺄]|삭제|지[우운워]|들어[내낸]|덜어[내낸]|없[애앤]|[删刪]|去掉|拿掉|[去剔]除|不要了",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:paragraphs?|passage|whole|all|everything)\b|문단|단락|대목|전부|모두|통째|段|整|全部",
    re.IGNORECASE,
)
"""What calls the whole of a passage."""
_REPLACES = re.compile(
    r"\b(?:replac|rewrit|instead|exchange|swap|substitut|give (?:him|her|them)|let (?:him|her|them)"
    r"|chang\w+ (?:\w+ ){0,4}(?:to|into|for)|turn\w* (?:\w+ ){0,4}into)"
    r"|바[꾸꾼꿔]|대신|갈아|교체|다시 [쓰쓴써]|고[치친쳐]|[换換改替]|重[写寫]|代之",
    re.IGNORECASE,
)
"""What puts something else in the place of what is there."""
_OF_SPEECH = re.compile(
    r"\b(?:dialogue|speech|spoken|quot(?:e|es|ing|ation)|reply|replies|answer"
    r"|(?:his|her|their|the|this|[A-Z]\w+['’]s) (?:\w+ )?lines?"
    r"|what (?:he|she|they|[A-Z]\w+) says?"
    r"|(?:give|let|have) (?:him|her|them|[A-Z]\w+) (?:(?:\w+ ){0,3}words?|say|speak))\b"
    r"|(?:한|몇) ?마디|말을? (?:하게|시[키켜킨]|건네)|[说說][出上]?[一几幾两兩]?[句话話]"
    r"|대사|대화|따옴표|직접 ?화법|간접 ?화법|말을? 서술|[对對][话話白]"
    r"|台[词詞]|引[号號语語]|转述|轉述",
    re.IGNORECASE,
)
_OF_LANGUAGE = re.compile(
    r"\b(?:english|korean|chinese|japanese|french|german|latin|mother tongue|translat)"
    r"|(?:영|한국|중국|일본|불|독일|라틴|프랑스|모국)어|한문|번역"
    r"|[英中日韩韓法德]文|[英汉漢日韩韓法德]语|外[语語]|[译譯]",
    re.IGNORECASE,
)

_ASKED = r"(?:what|who|whom|whose|where|when|why|which|how (?!it |they |this |that )\w+)"
_TELLS = re.compile(
    rf"\b(?:say|tell|state|name|specify|explain|reveal|disclose|make clear|make plain"
    rf"|let (?:\w+ ){{1,3}}(?:know|learn|say|tell|name))s?\b(?: \w+){{0,3}}? {_ASKED}\b"
    r"|\b(?:say|tell|state|name|specify|give|reveal|add|mention)\b(?: \w+){0,4}?"
    r" (?:name|number|date|year|price|sum|reason|cause|place|address|age|hour|fact)s?\b"
    r"|(?:무엇|무슨|누구|누가|뉘|어디|언제|왜|어느|몇|얼마|이름|이유|까닭|날짜|값|나이|주소|장소)"
    r".*(?:밝[히혀힌]|말[하해한]|알[리려린]|알게|드러[내나낸]|[이일]러|적[어는]|적을|대[라게]|넣[어는])"
    r"|(?:[说說写寫讲講点點告][出明清]?|交代|交待|[说說]明|告[诉訴]|透露|[补補]上|[给給]出|[挑指][明出])"
    r".*(?:什么|什麼|[谁誰]|哪|何[处時时人]|为何|[几幾]|多少|名字|原因|[时時]间|地点|日期|价钱|年[纪龄])",
    re.IGNORECASE,
)
"""What asks for something to be told that the passage leaves open."""
_UNTOLD = re.compile(
    r"(?:\b(?:not|never|without)|n['’]t)\s+(?:\w+\s+){0,2}?"
    r"(?:say|tell|state|nam(?:e|ing)|specify|explain|reveal|disclos(?:e|ing))(?:ing)?\b"
    r"|\bleave (?:\w+ ){0,4}(?:open|unsaid|untold)\b"
    r"|(?:말하|밝히|알리|드러내|설명하)지(?:는|도)? ?(?:않|마|말)|(?:적|대)지 ?(?:마|말)"
    r"|(?:말|설명) ?없이"
    r"|(?:[不别別勿莫][要必用]?)(?:[说說写寫讲講点點告]|交代|交待|透露|指明)",
    re.IGNORECASE,
)
"""What asks for something to be left open that the passage tells."""
_WORDS_BEHIND = re.compile(r"\s*(?:(?:the )?(?:words?|phrase) )?出?\0")
_WORDS_BEFORE = re.compile(r"\0[가-힣]{1,4}(?: 말[은을]?)?[\s;]*$")
"""What says that these very words are not to be said: where the quoted ones stand."""

_SAYS_WHO = re.compile(
    r"\b(?:who|whose)\b.*\b(?:speak|say|said|ask|talk|line|word|voice)|\bspeaker|\battribut"
    r"|\bdialogue tag"
    r"|\b(?:give|tie|pin|credit|return)\b.*\b(?:line|speech|words?|question|reply)\b.*\bto\b"
    r"|\b(?:line|speech|question|reply|words?)\b (?:is|are|as)\b.*\b(?:\w+['’]s|hers|his)\b"
    r"|\bthat\b.*\b(?:(?:is|are) (?:speaking|talking|asking)|(?:says|asks) (?:it|this|that))"
    r"|(?:누구|누가|뉘).*(?:말|대사|묻|물음|목소리)|화자"
    r"|(?:말|대사|물음|목소리)(?:[이가은는을를]| ).*(?:것|사람|말|대사)(?:임|인|이라|으로|이 )"
    r"|의 (?:말|대사|물음)(?:임|이라|인)"
    r"|[谁誰].{0,6}(?:[问問说說讲講答]|开口|的话)|[说說][话話]人"
    r"|是\S{1,10}?(?:[问問说說讲講答]|开口|的话)",
    re.IGNORECASE,
)
"""What asks for it to be plain whose a line of speech is."""
_ABOUT_SPEECH = re.compile(
    r"\b(?:lines?|speech|says?|said|speak\w*|ask\w*|questions?|repl\w+|words?|voices?|answers?|tags?"
    r"|give|make|plain|clear|readers?|before|behind|after|nobody|somebody|person|one|man|woman)\b"
    r"|(?:[말물]|대사|물음|목소리|낱말|누구|누가|사람|화자|[앞뒤]|것|몇)(?:[이가은는을를의도에로임인]|으로|에서|이나)*"
    r"|[问問说說讲講话話谁誰句答个個人在是让看出给前后後]|动作|位置|开口",
    re.IGNORECASE,
)
"""Words of such an order that name nobody."""


class Demand(NamedTuple):
    """What a directive says is to be done to its passage."""

    instruction: str = ""
    quotes: tuple[str, ...] = ()
    """The words of the passage that it is about."""
    remove: str = ""
    """The words that a cut takes out."""
    room: int = 0
    """How many paragraphs may be added to its passage."""

    @property
    def wording(self) -> tuple[str, ...]:
        """All of its words: instruction, quotes, what is to go."""
        return tuple(filter(None, (self.instruction, *self.quotes, self.remove)))

    @property
    def named(self) -> tuple[str, ...]:
        """The words that it names: what is to go, and what its instruction quotes, but for what it
        says is to stay."""
        pieces = (*self._quoted(), self.remove)
        return tuple(piece for piece in pieces if _is_telling(letters(piece)))

    def named_in(self, passage: str) -> tuple[str, ...]:
        """Returns all that it names of a passage: what it asks for, what is to go, what it quotes.
        A quote of the whole passage names nothing in it."""
        whole = letters(passage)
        quotes = (quote for quote in self.quotes if letters(quote) != whole)
        return tuple(filter(None, (self.asking, self.remove, *quotes)))

    @property
    def asking(self) -> str:
        """The instruction without the clauses that say what is to stay."""
        return ", ".join(self._clauses())

    @property
    def joins(self) -> bool:
        """Whether it asks for fewer paragraphs."""
        return self._asks(_JOINS)

    @property
    def splits(self) -> bool:
        """Whether it asks for more paragraphs."""
        return self._asks(_SPLITS)

    @property
    def reorders(self) -> bool:
        """Whether it asks for another order of what is there."""
        return self._asks(_REORDERS)

    @property
    def takes_out(self) -> bool:
        """Whether it asks for something to go."""
        return self._asks(_TAKES_OUT)

    @property
    def takes_all_out(self) -> bool:
        """Whether it asks for nothing to be left of a passage."""
        return any(_TAKES_OUT.search(one) and _ALL.search(one) for one in self._clauses())

    @property
    def is_of_speech(self) -> bool:
        """Whether it is about what somebody says."""
        return self._asks(_OF_SPEECH)

    @property
    def whose_speech(self) -> str:
        """The words by which it names whose a line of speech is to be; empty if it asks for no
        such thing."""
        clauses = [one for one in self._clauses() if _SAYS_WHO.search(one)]
        return " ".join(_ABOUT_SPEECH.sub(" ", one) for one in clauses)

    @property
    def is_of_language(self) -> bool:
        """Whether it asks for words of another language."""
        return self._asks(_OF_LANGUAGE)

    @property
    def replaces(self) -> bool:
        """Whether something else comes in the place of what it is about."""
        return self._asks(_REPLACES)

    @property
    def tells(self) -> tuple[str, ...]:
        """The clauses that ask for something to be told that the passage leaves open."""
        return tuple(
            clause
            for clause in self._clauses()
            if _TELLS.search(clause) and not (_TAKES_OUT.search(clause) or _UNTOLD.search(clause))
        )

    @property
    def leaves_open(self) -> bool:
        """Whether it asks for something not to be told, such as whose hand it is; words that it
        forbids are nothing told."""
        bare = "; ".join(_QUOTED.sub("\0", clause) for clause in self._clauses())
        return any(
            not _WORDS_BEHIND.match(bare, untold.end())
            and not _WORDS_BEFORE.search(bare, 0, untold.start())
            for untold in _UNTOLD.finditer(bare)
        )

    def _asks(self, what: re.Pattern[str]) -> bool:
        return any(what.search(clause) for clause in self._clauses())

    def names_speech(self, speech: str, passage: str) -> bool:
        """Whether it is about this speech of a passage: its instruction quotes it or a part of it,
        or what it quotes of the passage is mostly this."""
        own, whole = letters(speech), letters(passage)
        if any(one in own or own in one for one in map(letters, self.named) if own):
            return True
        quotes = [one for one in map(letters, self.quotes) if _is_telling(one) and one != whole]
        return any(one in own or (own in one and 2 * len(own) >= len(one)) for one in quotes)

    def without_named(self, passage: str) -> str:
        """Returns a passage without the words that are named and stand there, and without those it
        quotes where it puts others in their place."""
        quotes = self.quotes if self.replaces else ()
        for piece in (*self.named, *quotes):
            for start, end in reversed(list(places_by_letters(passage, piece))):
                passage = f"{passage[:start]} {passage[end:]}"
        return passage

    def _quoted(self) -> Iterator[str]:
        for clause in self._clauses():
            yield from quotes_in(clause)

    def _clauses(self) -> Iterator[str]:
        pieces = [piece[0] for piece in _QUOTED.finditer(self.instruction)]
        bare = _QUOTED.sub("\0", self.instruction)
        for clause in _CLAUSE.split(bare):
            count = clause.count("\0")
            own, pieces = pieces[:count], pieces[count:]
            if clause.strip() and not _STAYS.search(clause):
                for piece in own:
                    clause = clause.replace("\0", piece, 1)
                yield clause.strip()


NOTHING = Demand()


def quotes_in(words: str) -> Iterator[str]:
    """Yields what some words quote, in whatever marks."""
    for piece in _QUOTED.finditer(words):
        yield next(filter(None, piece.groups()))


def letters(words: str) -> str:
    """Returns the letters and digits of some words, in small letters."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", words).casefold()))


def places_by_letters(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yields the places of some words in a text, whatever stands between the letters of either."""
    own = [(letter, at) for at, sign in enumerate(text) for letter in letters(sign)]
    row, wanted = "".join(letter for letter, _ in own), letters(words)
    at = row.find(wanted) if wanted else -1
    while at >= 0:
        yield own[at][1], own[at + len(wanted) - 1][1] + 1
        at = row.find(wanted, at + len(wanted))


def _is_telling(row: str) -> bool:
    return len(row) >= (SHORTEST_NAMED if row.isascii() else SHORTEST_NAMED // 2)
