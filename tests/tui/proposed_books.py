"""What is proposed for the small novels in three languages: a protagonist for a book that begins,
and the plan of a volume."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from studio.i18n import Language
from studio.pipeline.beginning import files
from studio.pipeline.beginning.answers import PersonAnswer, VolumeAnswer
from studio.pipeline.beginning.steps import question_of
from studio.pipeline.events import Emitter
from studio.pipeline.novel import Novel
from studio.pipeline.volume.architect import VolumeArchitect, VolumeOrder
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.session import Session
from studio.story.checkpoint import Beginning, Checkpoint, OrchestratorState
from tests.project.novels import put
from tests.tui.three_novels import at_rest

TITLES = {"en": "Salt Tally", "ko": "소금 장부", "zh": "盐账"}
PEOPLE: dict[str, dict[str, Any]] = {
    "en": {
        "id": "ness",
        "name": "Ness Harker",
        "aliases": ["Ness"],
        "role": "weighs the salt at the quay and writes what she weighs",
        "voice": "short; she answers a question with a figure",
        "wants": "one page of the tally in her father's hand",
        "fears": "that he wrote it, and wrote it true",
        "always": ["weighs twice", "keeps her pencil behind her left ear"],
        "never": ["rounds up"],
        "knows": ["who was on the quay the night the barge went"],
        "profile": "She learned to write from the tally and still crosses her sevens. In town they"
        " say that she has her father's mouth; nobody says it to her.",
    },
    "ko": {
        "id": "suni",
        "name": "강순이",
        "aliases": ["순이"],
        "role": "선창에서 소금을 달고, 단 것을 적는다",
        "voice": "짧다. 물으면 숫자로 대답한다",
        "wants": "아버지 글씨로 남은 장부 한 장",
        "fears": "아버지가 그것을 썼고, 바르게 썼다는 것",
        "always": ["두 번 단다", "연필을 왼쪽 귀에 꽂는다"],
        "never": ["우수리를 올려 적지 않는다"],
        "knows": ["배가 떠난 밤 선창에 누가 있었는지"],
        "profile": "장부를 보고 글을 배워서 아직도 칠 자에 획을 하나 더 긋는다."
        " 읍에서는 아버지 입매를 닮았다고들 하지만, 그 앞에서 말하는 사람은 없다.",
    },
    "zh": {
        "id": "a-yan",
        "name": "阿盐",
        "aliases": ["小盐"],
        "role": "在码头称盐，称多少写多少",
        "voice": "话短，问她就报一个数",
        "wants": "父亲亲笔的一页账",
        "fears": "那一页是他写的，而且写得不错",
        "always": ["称两遍", "铅笔夹在左耳后面"],
        "never": ["不往上凑整"],
        "knows": ["船走的那夜码头上有谁"],
        "profile": "她照着账本学的字，到现在写七还多一横。"
        "镇上的人说她的嘴像她父亲，没有人当着她说。",
    },
}
VOLUMES: dict[str, dict[str, Any]] = {
    "en": {
        "about": "Who wrote the slip, and what it costs to have known it all along.",
        "person": ("Old Tam", "The ferryman, deaf in one ear."),
        "place": ("The Landing", "Nine rungs, the fourth missing."),
        "title": "Low Water",
        "happens": "Old Tam rows Mara out at low water and will not say whose coat it is. She has"
        " counted the rungs before he ties up, and one is new.",
        "ends": "Mara knows that somebody has mended the ladder.",
        "must_not": "Joss is not seen on the quay.",
        "promise": "Who mends what nobody uses",
    },
    "ko": {
        "about": "누가 그 장을 베꼈는가, 그리고 처음부터 알고 있었다는 것의 값.",
        "person": ("배 영감", "나루를 건네주는 노인, 한쪽 귀가 먹었다."),
        "place": ("아랫나루", "사다리 아홉 칸, 넷째 칸이 없다."),
        "title": "썰물",
        "happens": "배 영감이 썰물에 정순을 건네주면서 그것이 누구 외투인지는 말하지 않는다."
        " 배를 묶기 전에 정순은 칸을 세었고, 한 칸이 새것이다.",
        "ends": "누가 사다리를 고쳤다는 것을 정순이 안다.",
        "must_not": "기태는 나루에 보이지 않는다.",
        "promise": "아무도 쓰지 않는 것을 고치는 사람",
    },
    "zh": {
        "about": "那一页是谁抄的，一直知道又要付多少。",
        "person": ("老谭", "摆渡的，聋了一只耳朵。"),
        "place": ("下渡口", "九级梯子，缺第四级。"),
        "title": "落潮",
        "happens": "落潮时老谭渡温穗过去，不肯说那是谁的外衣。他系缆之前她数过梯级，有一级是新的。",
        "ends": "温穗知道有人修过梯子。",
        "must_not": "贺川没有在渡口露面。",
        "promise": "谁在修没有人走的东西",
    },
}
HEROES = {"en": "mara", "ko": "jeongsun", "zh": "wen-sui"}


def new_book(folder: Path, *steps: str) -> Path:
    """Creates a book with a premise, some of whose steps are left out."""
    create_novel(folder, "Lamps", "en")
    put(folder, "brief.md", "A keeper's daughter finds the key.\n")
    beginning = Beginning.model_validate({"steps": dict.fromkeys(steps, "skipped")})
    checkpoint = Checkpoint(orchestrator_state=OrchestratorState.QUICK_START, beginning=beginning)
    ProjectStore(folder).save_checkpoint(checkpoint)
    return folder


def begun(language: Language, folder: Path) -> Path:
    """Creates a book that is begun, for which a protagonist is proposed."""
    create_novel(folder, TITLES[language], language)
    store = ProjectStore(folder)
    proposal = files.person(PersonAnswer.model_validate(PEOPLE[language]), ())
    proposal.by_model = True
    steps = dict.fromkeys(("premise", "style", "world"), "skipped")
    store.save_checkpoint(
        Checkpoint(
            orchestrator_state=OrchestratorState.QUICK_START,
            beginning=Beginning.model_validate({"steps": steps}),
            pending_decision=question_of("people", proposal),
        )
    )
    return folder


def with_a_plan(language: Language, folder: Path) -> Path:
    """Creates a novel for whose volume a plan is proposed: a chapter, a promise, somebody and some
    place that are new."""
    session = Session.open(at_rest(language, folder), {})
    words, hero = VOLUMES[language], HEROES[language]
    (person, who), (place, where) = words["person"], words["place"]
    chapter = {
        "chapter": 3,
        "title": words["title"],
        "happens": words["happens"],
        "storyline_id": session.store.storylines().main,
        "concurrent": [],
        "pov": hero,
        "place": place,
        "characters": [hero, person],
        "objectives": [words["ends"]],
        "must_not": [words["must_not"]],
        "promises": [{"id": "mended", "action": "plant"}],
    }
    promise = {
        "id": "mended",
        "description": words["promise"],
        "scope": "long",
        "due": 9,
        "characters": [hero],
    }
    answer = VolumeAnswer.model_validate(
        {
            "about": words["about"],
            "chapters": [chapter],
            "promises": [promise],
            "introduces": [
                {"kind": "person", "name": person, "line": who},
                {"kind": "place", "name": place, "line": where},
            ],
        }
    )
    path = folder / "volumes/vol-01/outline.md"
    path.write_text("\n## ".join(path.read_text("utf-8").split("\n## ")[:4]), "utf-8")
    novel = Novel(session.store, session.settings, lambda emit: None)
    architect = VolumeArchitect(novel, None, Emitter(lambda event: None))
    architect.put(1, VolumeOrder(chapters=1), answer)
    return folder
