"""How she writes is taken from a sample of her prose, or as she describes it; which of the two, she
is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.i18n import translate, use
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.checkpoint import Beginning, Checkpoint, OrchestratorState
from studio.text.craft import describes_writing
from tests.cli.command import studio
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Model
from tests.project.novels import put
from tests.tui.environs import environ_of, environ_to

SAID = [
    "Close third person, past tense. Short sentences, then a long one. No similes, no adverbs.",
    "I write dry first-person narration; the dialogue does most of the work and nobody says what"
    " she feels. Paragraphs are short. Images come from the kitchen and from money.",
    "I want plain prose, like somebody telling it at a bar.",
    "1인칭 현재형. 문장은 짧게, 비유는 거의 쓰지 않는다. 대사로 끌고 가고 속마음은 적지 않는다.",
    "문체는 건조하다. 단락이 짧고 서술보다 대화가 많다. 형용사를 아낀다.",
    "第三人称，句子短，少用形容词。对话推动情节，叙述克制，不写心理活动。",
    "文风要白描，段落短，少比喻。",
]
SAMPLES = [
    "The lamp had been out for an hour.\n\nNobody said so. Mara counted the steps again.",
    "Her voice was low. “You had the key,” she said, and the tone of it was the tone of a clerk.",
    "The judge read the sentence twice. Eleven years. Somebody in the gallery laughed, and then the"
    " whole paragraph of them was laughing, the way men laugh at a dog in church. She put on her"
    " gloves. The left one had a hole, and through the hole she could feel the rail, which was cold"
    " and had been polished that morning by a man she knew.",
    "등대의 불이 꺼진 지 한 시간이었다. 아무도 그 말을 하지 않았다. 순이는 계단을 다시 세었다.",
    "그는 편지의 첫 문장을 읽고 접었다. 바람이 불었다. 선창에는 아무도 없었고 소금 자루만 젖고"
    " 있었다. 순이는 장부를 품에 넣고 걸었다. 걸음마다 연필이 귀에서 흔들렸다. 뒤에서 누가 불렀지만"
    " 돌아보지 않았다. 돌아보면 세던 수를 잊을 것이다. 스물여덟, 스물아홉, 서른.",
    "灯灭了一个钟头，没有人说。阿盐又数了一遍台阶。",
]


@pytest.mark.parametrize("words", SAID)
def test_who_speaks_of_writing_describes_it(words: str) -> None:
    assert describes_writing(words)


@pytest.mark.parametrize("words", SAMPLES)
def test_prose_is_a_sample(words: str) -> None:
    assert not describes_writing(words)


def begun(folder: Path) -> Path:
    create_novel(folder, "Salt", "en")
    put(folder, "brief.md", "A keeper's daughter finds the key.\n")
    beginning = Beginning.model_validate({"steps": {"premise": "done"}})
    checkpoint = Checkpoint(orchestrator_state=OrchestratorState.QUICK_START, beginning=beginning)
    ProjectStore(folder).save_checkpoint(checkpoint)
    return folder


# req: E2
def test_a_description_is_laid_out_by_a_model_and_none_of_it_is_a_passage(tmp_path: Path) -> None:
    profile = {
        "voice": "Close third.",
        "tense": "past",
        "sentence_rhythm": "Short, then a long one.",
        "diction": "",
        "imagery": [],
        "dialogue": "",
        "do": [],
        "avoid": ["Similes."],
        "sample": SAID[0],
        "narration": "third, past",
        "genre": "",
        "exemplars": [],
    }
    folder = begun(tmp_path / "n")
    (tmp_path / "said.txt").write_text(SAID[0], "utf-8")
    with FakeMessages(answering=Model(style=Rule(value=profile))) as server:
        environ = environ_to(tmp_path, server)
        ended = studio("start", folder, "--sample", tmp_path / "said.txt", environ=environ)
        (asked,) = server.asked
    assert "your description of how you write" in " ".join(ended.out.split()), ended.out
    assert "Avoid:" in ended.out
    assert "Diction:" not in ended.out, "a label alone says nothing"
    assert SAID[0] in json.dumps(asked.body)
    assert "## How to lay it out" in asked.prompt
    for words in ("two places", "`passage`", "sample", "`craft`"):
        page = asked.prompt.replace("**sample** is empty", "")
        assert words not in page.partition("<m")[0], "of prose nobody has given nothing is said"
    question = ProjectStore(folder).checkpoint().pending_decision
    assert question is not None
    assert list(question.data["files"]) == ["style-profile.json"]
    assert json.loads(question.data["files"]["style-profile.json"])["sample"] == ""
    use("ko")
    assert translate(question.data["read_as"]) == "문체를 설명한 말로 읽었습니다."


def test_without_a_model_her_description_stands_in_her_words(tmp_path: Path) -> None:
    folder = begun(tmp_path / "n")
    (tmp_path / "said.txt").write_text(SAID[1], "utf-8")
    environ = environ_of(tmp_path)
    ended = studio("start", folder, "--sample", tmp_path / "said.txt", environ=environ)
    assert "your description of how you write" in " ".join(ended.out.split()), ended
    question = ProjectStore(folder).checkpoint().pending_decision
    assert question is not None
    assert list(question.data["files"]) == ["style-profile.json"]
    assert json.loads(question.data["files"]["style-profile.json"])["voice"] == SAID[1]
