"""The two finished chapters of tests/data/novels/ko, as a model reads them.

`python -m tests.pipeline.korean_chapters FOLDER` lays them once more into a copy of the plan,
which is how the novel was made: nothing in it that the program writes is written by hand.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from studio.story.review.evaluation import SCORE_NAMES
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Desk, Model, block
from tests.small_novels import NOVELS

MADE = (
    ".checkpoint.json",
    ".studio",
    "chapters",
    "summaries",
    "evaluations",
    "state",
    "staging",
    "history",
    "logs",
    "storylines/main",
    "storylines/the-pages",
)
"""What the program makes; everything else is the writer's plan."""
SUMMARIES: dict[str, dict[str, Any]] = {
    "등기소 골목에는": {
        "summary": (
            "노정순은 이혼하러 가는 부부의 막도장을 파며 도장마다 흠을 하나 내고 장부에 적는다."
            " 등기소의 한기태가 1977년 매매계약서를 들고 와 정순이 판 도장인지 묻는다."
            " 흠은 같으나 칼 자국이 왼손이다. 정순은 같다고 답하고,"
            " 덧문을 내린 뒤 남편 윤상호의 칼에 새 동백기름이 칠해진 것을 본다."
        ),
        "ops": [
            {"op": "set", "path": "characters.jeongsun.location", "value": "정순인장"},
            {"op": "set", "path": "items.left-knife.state", "value": "새 동백기름이 돈다"},
            {"op": "set", "path": "items.contract-114.holder", "value": "gitae"},
            {"op": "foreshadow", "path": "left_hand", "value": "plant"},
            {"op": "foreshadow", "path": "oiled_knife", "value": "plant"},
        ],
        "crossref": [
            {
                "entity": "gitae",
                "storyline_id": "the-pages",
                "quote": "사장님, 이런 게 마흔일곱 장입니다.",
                "leak": False,
            }
        ],
        "memory": "정순만 안다: 계약서의 흠은 왼손이 팠고, 서랍의 칼에 기름이 돈다.",
    },
    "오달수 계장은 불을": {
        "summary": (
            "오달수 계장이 수몰리의 종이를 태우라고 한다. 한기태는 제 논 위에서 낚시하는"
            " 조만석에게서 윤상호의 얼음 구멍이 오른쪽으로 뚫려 있었다는 말을 듣는다."
            " 밤에 바늘구멍으로 마흔일곱 장의 차례를 맞추자 한 장이 비고,"
            " 오달수가 그 한 장을 두고 간다. 도장이 없는 종이에 노정순의 이름이 있다."
        ),
        "ops": [
            {"op": "set", "path": "characters.gitae.location", "value": "서고"},
            {"op": "set", "path": "items.page-48.holder", "value": "gitae"},
            {"op": "foreshadow", "path": "forty_eighth", "value": "plant"},
            {"op": "foreshadow", "path": "wrong_hole", "value": "plant"},
        ],
        "crossref": [
            {
                "entity": "jeongsun",
                "storyline_id": "main",
                "quote": "파는 사람의 이름은 노정순이었다.",
                "leak": False,
            }
        ],
        "memory": "기태는 마흔여덟 장을 갖고 있다. 오달수는 누가 시켰는지 말하지 않았다.",
    },
}
SCORES = dict(zip(SCORE_NAMES, (4.3, 4.4, 4.2, 4.5, 4.1, 4.0, 4.1, 4.2), strict=True))
REASON = "물건과 손으로 말하고, 장의 끝이 다음 장을 부른다."
PROPOSALS: dict[str, dict[str, Any]] = {
    "등기소 골목에는": {
        "type": "show-not-tell",
        "priority": 3,
        "location": {"sceneNumber": 3, "paragraphStart": 1, "paragraphEnd": 1},
        "issue": "재주에 대한 설명이 손보다 먼저 온다.",
        "currentText": "잊는 것이 더 힘든 재주.",
        "instruction": "설명을 빼고, 인영을 떠올리는 손의 움직임 하나로 보인다.",
        "maxScope": 1,
    },
    "오달수 계장은 불을": {
        "type": "dialogue-subtext",
        "priority": 4,
        "location": {"sceneNumber": 2, "paragraphStart": 14, "paragraphEnd": 14},
        "issue": "노인이 마을의 일을 한 번에 다 말한다.",
        "currentText": "물이 안 들어왔어도 그 동네는 없어졌을 거야.",
        "instruction": "마지막 문장을 빼거나 낚싯대를 만지는 동작으로 바꾼다.",
        "maxScope": 1,
    },
}


def first_words(asked: Asked) -> str:
    """How the chapter begins that a model is asked about."""
    return next(words for words in SUMMARIES if words in block(asked, "chapter"))


def summarized(asked: Asked) -> Rule:
    """The summary of the chapter asked about."""
    return Rule(value=SUMMARIES[first_words(asked)])


def judged(asked: Asked) -> Rule:
    """A good opinion of it, with one proposal."""
    scores = {n: {"score": s, "reason": REASON, "scene": None} for n, s in SCORES.items()}
    value = {
        "scores": scores,
        "violations": [],
        "directives": [PROPOSALS[first_words(asked)]],
        "reader_experience": "칼에 누가 기름을 칠했는지, 그 한 장에는 왜 도장이 없는지 알고 싶다.",
    }
    return Rule(value=value)


def make(folder: Path) -> None:
    """The novel of tests/data/novels/ko made anew in `folder`, which must not exist yet."""
    source = NOVELS / "ko"
    shutil.copytree(source, folder, ignore=_but_the_plan(source))
    # what is planted is written there; the volume's own list stays as it was planned
    planned = folder / "volumes/vol-01/foreshadowing.json"
    shutil.copyfile(planned, folder / "foreshadowing/global.json")
    model = Model(summary=summarized, judge=judged)
    with FakeMessages(answering=model) as server:
        desk = Desk(folder, server)
        for chapter in sorted((source / "chapters").glob("*.md")):
            ran = desk.write(draft=chapter, review="reject")
            assert ran.exit_code == 0, ran.outcome
    for left in (".studio", "staging", "logs/generations", "logs/usage.jsonl"):
        path = folder / left
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _but_the_plan(source: Path) -> Any:
    def made(folder: str, names: list[str]) -> set[str]:
        inside = Path(folder).relative_to(source)
        return {name for name in names if (inside / name).as_posix() in MADE}

    return made


if __name__ == "__main__":
    make(Path(sys.argv[1]))
