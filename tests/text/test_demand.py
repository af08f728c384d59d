"""What a directive itself asks for is no fault of the rewrite that does it (PROSE 0.6, WRITING
5.6)."""

from __future__ import annotations

import pytest

from studio.story.review.directive import DirectiveType
from studio.story.review.operations import OPERATIONS
from studio.text.content import contradictions
from studio.text.guard import surgery_guard
from studio.text.language.packs import load_pack

# type, passage, rewrite, instruction, words quoted from the passage
DEMANDED = {
    "en": [
        (
            "wording",
            "The bell rang twice. “I was afraid of you all along,” said Joss. He put his boots"
            " down.",
            "The bell rang twice. Joss put his boots down.",
            "Take out “I was afraid of you all along”; the boots say it.",
            "",
        ),
        (
            "rhythm-variation",
            "Joss put his boots down. He was tired, and he was cold, and he was late, and he knew"
            " it. The bell rang.",
            "Joss put his boots down. The bell rang.",
            "Cut “He was tired, and he was cold, and he was late, and he knew it.”",
            "",
        ),
        (
            "show-not-tell",
            "“I am very angry with you, Joss,” said Mara, and she shut the door.",
            "“You have left your boots on the stair,” said Mara, and she shut the door.",
            "Let her talk about something else than her anger.",
            "“I am very angry with you, Joss,”",
        ),
        (
            "wording",
            "Wilfred came up the stairs with his boots in his hand, two at a time.",
            "Joss came up the stairs with his boots in his hand, three at a time.",
            "It is Joss who comes up, and three at a time, as the chapter has it before.",
            "Wilfred came up the stairs with his boots in his hand, two",
        ),
        (
            "transition-smoothing",
            "Joss put the pen away and drank his tea.",
            "“Another week, then,” said Joss. He put the pen away and drank his tea.",
            "Give him a few words, or one act, that grant the week. The pen and the tea stay.",
            "",
        ),
    ],
    "ko": [
        (
            "wording",
            "종이 두 번 울렸다. “처음부터 자네가 무서웠네.” 국장이 말했다. 그는 장화를 내려놓았다.",
            "종이 두 번 울렸다. 국장은 장화를 내려놓았다.",
            "“처음부터 자네가 무서웠네”를 뺀다. 장화가 대신 말한다.",
            "",
        ),
        (
            "show-not-tell",
            "“나는 자네한테 무척 화가 났네.” 국장이 말하고 문을 닫았다.",
            "“장화를 계단에 두었더군.” 국장이 말하고 문을 닫았다.",
            "화났다는 말 대신 딴소리를 하게 한다.",
            "“나는 자네한테 무척 화가 났네.”",
        ),
        (
            "transition-smoothing",
            "국장은 펜을 넣고 차를 마셨다.",
            "“그럼 다음 금요일에.” 국장은 펜을 넣고 차를 마셨다.",
            "국장에게 한마디를 시켜 한 주를 주게 한다. 펜과 차는 그대로 둔다.",
            "",
        ),
    ],
    "zh": [
        (
            "wording",
            "钟响了两下。“我从一开始就怕你，”师傅说。他把靴子放下。",
            "钟响了两下。师傅把靴子放下。",
            "删去“我从一开始就怕你”，靴子已经说了。",
            "",
        ),
        (
            "show-not-tell",
            "“我很生你的气，”师傅说，关上了门。",
            "“你的靴子还在楼梯上，”师傅说，关上了门。",
            "不要让他直说生气，让他说别的。",
            "“我很生你的气，”",
        ),
        (
            "transition-smoothing",
            "师傅收起笔，喝了茶。",
            "“那就下个星期五。”师傅收起笔，喝了茶。",
            "让他说一句，给她一个星期。笔和茶不动。",
            "",
        ),
    ],
}


def faults(
    language: str, kind: str, before: str, after: str, instruction: str, quote: str
) -> list[str]:
    from studio.story.review.demand import Demand

    demand = Demand(instruction, (quote,) if quote else ())
    row = OPERATIONS[DirectiveType(kind)]
    return surgery_guard([before], [after], row, (), load_pack(language), before, demand=demand)


# req: A13 J5
@pytest.mark.parametrize("language", DEMANDED)
def test_what_the_directive_names_may_go_and_nothing_else(language: str) -> None:
    for kind, before, after, instruction, quote in DEMANDED[language]:
        assert faults(language, kind, before, after, instruction, quote) == [], instruction
        assert faults(language, kind, before, after, "Say it better.", "") != [], instruction


# req: A13
@pytest.mark.parametrize(
    ("language", "instruction"),
    [
        ("en", "Make it plainer, and keep “I was afraid of you all along” as it is."),
        ("en", "“I was afraid of you all along” has to stay; the rest is too long."),
        ("ko", "“처음부터 자네가 무서웠네”는 그대로 두고 나머지를 줄인다."),
        ("zh", "保留“我从一开始就怕你”，其余写短。"),
    ],
)
def test_what_the_instruction_says_is_to_stay_is_guarded(language: str, instruction: str) -> None:
    kind, before, after, *_ = DEMANDED[language][0]
    assert faults(language, kind, before, after, instruction, "") != []


# req: A13
def test_a_quote_of_the_whole_passage_names_nothing_in_it() -> None:
    before = "“The harbour sleeps,” said Joss."
    after = "“The harbour eats,” said Joss."
    assert faults("en", "wording", before, after, "Say it more plainly.", before) != []


# req: A13
@pytest.mark.parametrize(
    ("kind", "before", "after", "instruction", "is_change"),
    [
        ("proofreading", "He  counted them.", "He counted them.", "A space too many.", True),
        ("proofreading", "He counted them", "He counted them.", "A full stop is missing.", True),
        ("proofreading", "他走了,没有回头.", "他走了，没有回头。", "半角标点。", True),
        ("proofreading", "그는 갔다 .", "그는 갔다.", "마침표 앞 공백.", True),
        ("wording", "그는 못간다.", "그는 못 간다.", "띄어쓰기를 바로잡는다.", True),
        ("proofreading", "그는 못간다.", "그는 못 간다.", "틀린 곳이 있다.", True),
        ("wording", "He  counted them.", "He counted them.", "Take the double space out.", True),
        ("wording", "He  counted them.", "He counted them.", "Say it better.", False),
        ("proofreading", "He counted them.", "He counted them.", "A space too many.", False),
    ],
)
def test_a_space_or_a_mark_is_a_change_where_it_was_asked_for(
    kind: str, before: str, after: str, instruction: str, is_change: bool
) -> None:
    language = "zh" if "他" in before else "ko" if "그" in before else "en"
    for attended in (False, True):
        from studio.story.review.demand import Demand

        row, demand = OPERATIONS[DirectiveType(kind)], Demand(instruction)
        pack = load_pack(language)
        said = surgery_guard([before], [after], row, (), pack, demand=demand, attended=attended)
        assert (said == []) == is_change, said


# type, the passage's paragraphs, the rewrite's, instruction, words quoted from the passage
Order = tuple[str, list[str], list[str], str, str]
ORDERED: dict[str, dict[str, Order]] = {
    "en": {
        "a speech of one line replaced": (
            "voice-consistency",
            ["“I have never in my life been so let down by anybody as I am by you tonight, Joss.”"],
            ["“Your boots.”"],
            "Replace her line with two words about his boots.",
            "I have never in my life been so let down by anybody",
        ),
        "a whole speech replaced by given words": (
            "dialogue-subtext",
            ["“I am so let down. You knew of it all along. You let me walk in there.”"],
            ["“Your boots are on the stair again.”"],
            "Give her “Your boots are on the stair again.” instead of this speech.",
            "",
        ),
        "a place that is named": (
            "wording",
            ["Mara went up and pushed the box under the bed."],
            ["Mara went up and pushed the box under the stair."],
            "The box is kept under the stair; put it there.",
            "",
        ),
        "everybody for nobody": (
            "wording",
            ["The bell rang twice, and nobody heard it in the yard."],
            ["The bell rang twice, and everybody heard it in the yard."],
            "Everybody heard the bell in chapter 1; say so.",
            "",
        ),
        "joined": (
            "rhythm-variation",
            ["He put the lamp down.", "Then he counted the rungs again."],
            ["He put the lamp down. Then he counted the rungs again."],
            "Join the two paragraphs.",
            "",
        ),
        "split": (
            "rhythm-variation",
            ["He put the lamp down. Then he counted the rungs again."],
            ["He put the lamp down.", "Then he counted the rungs again."],
            "Let the counting begin a new paragraph.",
            "",
        ),
        "put in another order": (
            "wording",
            ["Joss came down the wet stairs with Mara behind him."],
            ["Mara came down the wet stairs with Joss behind him."],
            "Change the order of the two: Mara comes first.",
            "",
        ),
        "another tense": (
            "voice-consistency",
            ["She runs to the quay, sees the boat and goes back for the lamp, as she always does."],
            ["She ran to the quay, saw the boat and went back for the lamp, as she always did."],
            "Put it into the past tense like the rest.",
            "",
        ),
        "a name spelled otherwise": (
            "wording",
            ["The oars lay across the boat, where Sarah laid them for the tide, and Sarah slept."],
            ["The oars lay across the boat, where Sara laid them for the tide, and Sara slept."],
            "Her name has no h: Sara.",
            "",
        ),
        "speech told": (
            "wording",
            ["“I will not go down there again,” said Joss, and he shut the door behind him."],
            ["Joss would not go down there again, and he shut the door behind him."],
            "Report what he says instead of quoting it.",
            "",
        ),
        "cut to nothing": (
            "wording",
            ["And that, he thought, was that."],
            [],
            "Take this paragraph out; the lamp has said it.",
            "",
        ),
        "in another language": (
            "voice-consistency",
            ["“I do not know where your brother is, sir,” said the sailor in the doorway."],
            ["“동생분이 어디 계신지 저는 모릅니다,” said the sailor. “정말로 모릅니다, 선생님.”"],
            "Let the sailor say it in Korean.",
            "",
        ),
    },
    "ko": {
        "a speech of one line replaced": (
            "voice-consistency",
            ["“나는 평생 누구한테도 오늘 밤 자네한테만큼 크게 실망해 본 적이 없네, 정말로.”"],
            ["“장화나 치우게.”"],
            "이 대사를 장화 이야기 한마디로 바꾼다.",
            "나는 평생 누구한테도 오늘 밤 자네한테만큼",
        ),
        "a place that is named": (
            "fact-correction",
            ["서윤은 상자를 침대 밑에 밀어 넣고 내려갔다."],
            ["서윤은 상자를 계단 밑에 밀어 넣고 내려갔다."],
            "상자는 계단 밑에 있어야 한다.",
            "침대 밑에",
        ),
        "everybody for nobody": (
            "wording",
            ["종이 두 번 울렸지만 마당에서는 아무도 듣지 못했다."],
            ["종이 두 번 울렸고 마당에서는 모두가 들었다."],
            "1장에서는 모두가 종소리를 들었다. 그렇게 고친다.",
            "",
        ),
        "joined": (
            "rhythm-variation",
            ["그는 등불을 내려놓았다.", "그러고는 다시 계단을 세었다."],
            ["그는 등불을 내려놓았다. 그러고는 다시 계단을 세었다."],
            "두 문단을 하나로 합친다.",
            "",
        ),
        "split": (
            "rhythm-variation",
            ["그는 등불을 내려놓았다. 그러고는 다시 계단을 세었다."],
            ["그는 등불을 내려놓았다.", "그러고는 다시 계단을 세었다."],
            "둘째 문장에서 문단을 나눈다.",
            "",
        ),
        "put in another order": (
            "wording",
            ["민재가 젖은 계단을 내려왔고 그 뒤를 서윤이 따라왔다."],
            ["서윤이 젖은 계단을 내려왔고 그 뒤를 민재가 따라왔다."],
            "두 사람의 순서를 바꾼다. 서윤이 앞이다.",
            "",
        ),
        "speech told": (
            "wording",
            ["“다시는 거기 내려가지 않겠습니다.” 민재가 말하고 문을 닫았다."],
            ["민재는 다시는 거기 내려가지 않겠다고 말하고 문을 닫았다."],
            "대사를 서술로 바꾼다.",
            "",
        ),
        "cut to nothing": (
            "wording",
            ["그것으로 끝이라고 그는 생각했다."],
            [],
            "이 문단은 뺀다. 등불이 이미 말했다.",
            "",
        ),
    },
    "zh": {
        "a speech of one line replaced": (
            "voice-consistency",
            ["“我这一辈子从来没有对任何一个人像今天晚上对你这样失望过，真的，从来没有这么失望过，你听清楚了没有，从来没有，连你父亲也没有让我这样过。”"],
            ["“靴子。”"],
            "把这句台词换成关于靴子的两个字。",
            "我这一辈子从来没有对任何一个人像今天晚上",
        ),
        "a place that is named": (
            "wording",
            ["沈禾把盒子塞到床底下，下楼去了。"],
            ["沈禾把盒子塞到楼梯底下，下楼去了。"],
            "盒子应该在楼梯底下。",
            "",
        ),
        "everybody for nobody": (
            "wording",
            ["钟响了两下，院子里没有人听见。"],
            ["钟响了两下，院子里大家都听见了。"],
            "第1章里大家都听见了钟声，照改。",
            "",
        ),
        "joined": (
            "rhythm-variation",
            ["他把灯放下。", "然后又数了一遍台阶。"],
            ["他把灯放下。然后又数了一遍台阶。"],
            "把两段合成一段。",
            "",
        ),
        "split": (
            "rhythm-variation",
            ["他把灯放下。然后又数了一遍台阶。"],
            ["他把灯放下。", "然后又数了一遍台阶。"],
            "第二句另起一段。",
            "",
        ),
        "put in another order": (
            "wording",
            ["周平提着灯走下楼梯，沈禾跟在后面。"],
            ["沈禾提着灯走下楼梯，周平跟在后面。"],
            "两个人调换次序，沈禾走在前面。",
            "",
        ),
        "speech told": (
            "wording",
            ["“我再也不到下面去了，”周平说，随手关上了门。"],
            ["周平说他再也不到下面去了，随手关上了门。"],
            "把直接引语改成转述。",
            "",
        ),
        "cut to nothing": (
            "wording",
            ["他想，事情就这样了。"],
            [],
            "删去这一段，灯已经说了。",
            "",
        ),
    },
}  # fmt: skip
NAMES = ("Mara", "Joss", "서윤", "민재", "沈禾", "周平")
UNORDERED = ("another tense",)
"""What may be done unasked as well: it changes no fact that code knows."""


# req: A13 J5
@pytest.mark.parametrize("language", ORDERED)
def test_what_the_directive_orders_is_never_refused(language: str) -> None:
    """A speech ordered to be replaced had to keep half of itself; a place that the directive names
    was another place; two paragraphs to be joined had to come back as two."""
    from studio.story.review.demand import Demand

    pack, refused = load_pack(language), {}
    for name, (kind, before, after, instruction, quote) in ORDERED[language].items():
        row, words = OPERATIONS[DirectiveType(kind)], (quote,) if quote else ()
        for attended in (False, True):
            faults = surgery_guard(
                before,
                after,
                row,
                NAMES,
                pack,
                "\n\n".join(before),
                demand=Demand(instruction, words),
                attended=attended,
            )
            new, meant = (
                "\n\n".join(after),
                Demand(instruction, words).named_in("\n\n".join(before)),
            )
            if new and not attended:
                faults += contradictions("\n\n".join(before), new, pack, NAMES, meant)
            if faults:
                refused[name, attended] = faults
        plain = surgery_guard(before, after, row, NAMES, pack, demand=Demand("Better.", words))
        assert plain or name in UNORDERED, f"unasked it is refused: {name}"
    assert not refused


@pytest.mark.parametrize(
    ("language", "instruction"),
    [
        ("en", "Join the two sentences."),
        ("en", "Cut one word, and keep both paragraphs."),
        ("en", "Make this paragraph plainer."),
        ("ko", "문장을 합친다."),
        ("ko", "이 문단이 설명을 되풀이한다. 짧게."),
        ("zh", "把两句合成一句。"),
        ("zh", "这一段直接说出了感情。"),
    ],
)
def test_what_is_ordered_of_sentences_is_not_done_to_paragraphs(
    language: str, instruction: str
) -> None:
    from studio.story.review.demand import Demand

    _, before, after, *_ = ORDERED[language]["joined"]
    row = OPERATIONS[DirectiveType.RHYTHM_VARIATION]
    assert surgery_guard(before, after, row, (), load_pack(language), demand=Demand(instruction))


# req: J5
@pytest.mark.parametrize(
    ("instruction", "clause"),
    [
        ("Keep the key; say what it opens, in her words.", "say what it opens"),
        ("Name the year.", "Name the year"),
        ("Give the sum he owes.", "Give the sum he owes"),
        ("Let the loss be in what her hand does with the tin.", ""),
        ("Show what she feels by what she counts.", ""),
        ("Cut the line that says who he is.", ""),
        ("Do not say whose hand it is.", ""),
        ("Don’t tell her what it cost.", ""),
        ("적지 않은 돈이 얼마인지 밝힌다.", "적지 않은 돈이 얼마인지 밝힌다"),
        ("Without naming the year, let her count.", ""),
        ("누구의 글씨였는지는 말하지 않는다.", ""),
        ("왜 늦었는지 밝히지 말 것.", ""),
        ("不要说是谁的字。", ""),
        ("别点明是哪一年。", ""),
        ("열쇠가 무엇을 여는지 밝힌다.", "열쇠가 무엇을 여는지 밝힌다"),
        ("왜 늦었는지 한 마디로 말하게 한다.", "왜 늦었는지 한 마디로 말하게 한다"),
        ("손이 무엇을 하는지로 보인다.", ""),
        ("이유를 말하는 문장을 뺀다.", ""),
        ("说出这把钥匙开的是哪一扇门。", "说出这把钥匙开的是哪一扇门"),
        ("把情绪放到手的动作里。", ""),
        ("删去说明原因的那一句。", ""),
    ],
)
def test_an_order_to_tell_something_says_what_is_new(instruction: str, clause: str) -> None:
    from studio.story.review.demand import Demand

    assert Demand(instruction).tells == ((clause,) if clause else ())
