"""The third chapter of each small novel as a fixture: its text, the proposals for it, and the
surgeon's rewrites."""

from __future__ import annotations

from dataclasses import dataclass

from studio.i18n import Language
from tests.tui.make_pictures import SCENES as ENGLISH


@dataclass(frozen=True)
class Proposal:
    """A directive in the language of the novel; its passage is one paragraph."""

    at: tuple[int, int]
    """The scene and the paragraph."""
    issue: str
    instruction: str
    evidence: tuple[str, ...] = ()
    after: str = ""
    """The surgeon's text."""


@dataclass(frozen=True)
class ThirdChapter:
    """A chapter before its review."""

    title: str
    scenes: tuple[tuple[str, ...], ...]
    filtered: Proposal
    """The proposal about filter words."""
    cut: Proposal
    fix: Proposal
    """The proposal whose fix is already in the text."""
    before: str
    """The passage before that fix."""
    direction: str
    """The direction that a writer types in the prompt line."""
    reason: str
    """The reason for a rejection."""
    since: str
    """A sentence that was taken out of a passage after it was decided on."""
    lost: tuple[str, str, str]
    """Issue, instruction and quote of a proposal that has no place in the text."""

    @property
    def text(self) -> str:
        """The text as it is in the file."""
        scenes = "\n\n* * *\n\n".join("\n\n".join(scene) for scene in self.scenes)
        return f"# {self.title}\n\n{scenes}\n"


THIRD: dict[Language, ThirdChapter] = {
    "en": ThirdChapter(
        title="The Lamp Room",
        scenes=tuple(ENGLISH.values()),
        filtered=Proposal(
            (1, 6),
            "“felt that” stands between the reader’s hand and the warm brass.",
            "Put the palm on the lamp without the verb that reports it.",
            ("felt that",),
            "On the rack the lamps waited in their rows with their glasses out. She put her palm"
            " on the nearest, and on the next. The sixth of the fourth row was warm.",
        ),
        cut=Proposal(
            (2, 3),
            "The sentence before has already put him four steps away.",
            "Let it go; the scene is quieter without it.",
        ),
        fix=Proposal(
            (2, 5),
            "Her relief was named; the cloth can carry it.",
            "Show it in what his hands do.",
            after=ENGLISH[2][4],
        ),
        before="Joss had not heard her. She was relieved, and slowly she understood that he"
        " really was deaf.",
        direction="Let her doubt him until the glass is clean.",
        reason="She counts for herself here; it is meant to be said.",
        since=" Nobody answered.",
        lost=(
            "The bell is heard before anybody can have rung it.",
            "Let her hear it after the door has opened.",
            "The bell had been ringing for an hour when she reached the door.",
        ),
    ),
    "ko": ThirdChapter(
        title="빈 무덤",
        scenes=(
            (
                "새벽 네 시, 첫서리가 덧문 틈에 하얗게 끼었다. 정순은 불을 켜지 않고 남편의"
                " 칼집부터 꺼냈다.",
                "“하나.”",
                "왼손에 쥔 칼은 날이 거꾸로 섰다. 스물두 해를 기름만 먹인 쇠에서 동백기름"
                " 냄새가 났고, 손잡이는 제 손이 아닌 손에 맞게 닳아 있었다.",
                "노 자의 첫 획을 그었다. 부스러기가 오른쪽으로 눕는 것이 보였다. 흉내로는 그렇게"
                " 눕지 않는다는 생각이 들었고, 등줄기가 식는 것이 느껴졌다.",
                "“둘. 셋.” 정 자의 받침에서 칼이 미끄러졌다. 엄지 밑동에 붉은 금이 하나 섰다.",
                "피는 인주보다 묽었다. 그녀는 그것을 나무에서 닦아 내고 다시 세었다.",
            ),
            (
                "덧문이 두 번 울렸다. 정순은 벤 손을 앞치마에 넣고 빗장을 풀었다.",
                "“보리차 끓는 소리가 골목까지 나서요.” 기태가 봉투를 안고 서 있었다. 어깨에"
                " 서리가 앉았다.",
                "그녀는 매우 놀랐다. 그러나 놀라지 않은 척했다.",
                "그는 종이 한 장을 작업대에 폈다. 같은 날짜, 같은 글씨. 찍는 자리만 비어 인주 한"
                " 점 없이 깨끗했다.",
                "정순은 안경을 고쳐 쓰고 제 이름을 끝까지 읽었다. 인주 뚜껑이 딸깍 닫혔다.",
                "“산 7번지에는 뭐가 있습니까?”",
                "“빈 무덤.”",
            ),
        ),
        filtered=Proposal(
            (1, 4),
            "‘보였다’와 ‘느껴졌다’가 칼끝과 독자 사이에 서 있다.",
            "보고 느꼈다는 말을 빼고 부스러기와 등줄기를 바로 써라.",
            ("보였다", "느껴졌다"),
            "노 자의 첫 획을 그었다. 부스러기가 오른쪽으로 누웠다. 흉내로는 그렇게 눕지 않는다."
            " 등줄기가 식었다.",
        ),
        cut=Proposal(
            (2, 3),
            "벤 손을 감추는 동작이 이미 놀람을 보여 준다.",
            "이 두 문장을 덜어 내라.",
        ),
        fix=Proposal(
            (2, 5),
            "체념을 말로 설명했다.",
            "손과 물건으로 보여 주어라.",
            after="정순은 안경을 고쳐 쓰고 제 이름을 끝까지 읽었다. 인주 뚜껑이 딸깍 닫혔다.",
        ),
        before="정순은 제 이름을 천천히 읽었다. 이제 다 끝났다는 체념이 조용히 밀려왔다.",
        direction="기태가 먼저 입을 열지 않게, 보리차 소리로 끌고 가기",
        reason="여기서는 소리 내어 세는 것이 맞다.",
        since=" 아무도 대답하지 않았다.",
        lost=(
            "아무도 치지 않은 종소리가 먼저 들린다.",
            "문이 열린 뒤에 듣게 하라.",
            "문 앞에 섰을 때 종은 벌써 한참을 울리고 있었다.",
        ),
    ),
    "zh": ThirdChapter(
        title="朝北的门",
        scenes=(
            (
                "第三天早上，雨停了。温穗数着步子往镇东走，数到一千一百二十，竹林里有水在响。",
                "“要不要买蛋？”隔壁的老妇从篱笆上探出头来，篮子里垫着稻草。",
                "门环锈住了，锈粉落了她一手。她看见门是朝北开的，感到有一股凉气从缝里钻出来，"
                "贴着手背往袖子里走。",
                "门后是一间空屋。地上没有脚印，墙上没有钉眼，米缸里长了一蓬草，草尖是白的。",
                "“温家人呢？”",
                "“哪个温家？”老妇说，“我嫁过来四十年，那屋就没点过灯。蛋是今早的。”",
            ),
            (
                "傍晚，账簿已经放回灶边，书口还是湿的。祝伯年切了一碟咸菜，摆两副筷子。",
                "“我教你念回去。”他说，“拿个不要紧的字。”",
                "她非常难过，但是没有说话。",
                "他把桑皮纸在水里过了一下，铺在手心，像铺一块豆腐皮。灶上的水开了，盖子一跳一跳。",
                "纸上慢慢显出一个“盐”字。他念完，吹干，纸角上留下一个指印，比灯芯略宽。",
                "“念岔了怎么办？”她问。",
                "“岔了，就再念一遍。”他把纸递过来，“别的没有办法。”",
            ),
        ),
        filtered=Proposal(
            (1, 3),
            "“看见”“感到”隔在读者和那扇门之间。",
            "去掉这两个词，直接写门和凉气。",
            ("看见", "感到"),
            "门环锈住了，锈粉落了她一手。门朝北开，一股凉气从缝里钻出来，贴着手背往袖子里走。",
        ),
        cut=Proposal((2, 3), "咸菜和两副筷子已经说了。", "删去这一句。"),
        fix=Proposal(
            (2, 5),
            "这里把道理讲了出来。",
            "用纸、水和指印来写。",
            after="纸上慢慢显出一个“盐”字。他念完，吹干，纸角上留下一个指印，比灯芯略宽。",
        ),
        before="他慢慢地念出了一个“盐”字。她忽然明白，字原来是可以念回去的。",
        direction="让他少说话，多写手上的活",
        reason="这里她就是要说出来。",
        since="她走了。",
        lost=(
            "钟还没有人敲，她就听见了。",
            "让她在门开之后才听见。",
            "她走到门前时，钟已经响了很久。",
        ),
    ),
}
