"""The small Korean novel: it is whole, and its third chapter is written, mended and committed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.config.load import load_settings
from studio.project.verify import verify
from studio.session import Session
from studio.story.chapter import Chapter
from studio.story.form.document import Document, to_bytes
from studio.story.form.validation import read_document
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from tests.cli.command import studio, tree
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Desk, Model, block, judged, scene_number, unrefined
from tests.small_novels import NOVELS, plans, small_novel

SOURCE = NOVELS / "ko"
PLANS = plans(SOURCE)
CLUMSY = (
    "정순은 봉투를 받아 들었다. 종이가 몹시 차갑다고 느꼈다. 제 이름이 남의 이름처럼 보였다."
    " 누가 장난을 친 것 같았다. 그러나 장난이 아님을 곧 깨달았다."
)
MENDED = (
    "정순은 봉투를 받아 들었다. 종이는 겨울 문고리처럼 차가웠다."
    " 제 이름이 남의 집 문패처럼 거기 걸려 있었다. 장난을 칠 사람은 이제 없다."
)
SCENES = {
    1: (
        "새벽의 칼은 주인을 가린다. 정순은 그이의 칼을 왼손에 쥐고 회양목 자루를 조각대에"
        " 물렸다. 날이 거꾸로 서 있어서 손목을 꺾지 않으면 나무에 닿지도 않는 칼."
        " 동백기름 냄새가 손등을 타고 올라왔다. 난로는 아직 차고, 첫서리가 덧문 틈에 앉았다.",
        "노 자의 첫 획에서 칼이 튀었다. 정 자는 받침을 남기고 엄지가 저렸다. 순 자는 삐침까지"
        " 가지 못하고, 날이 나무를 벗어나 검지 마디를 그었다. 인주보다 묽은 피. 다 채우지 못한"
        " 이름이 조각대에 남았고, 그녀는 피 묻은 손으로 돋보기를 당겼다.",
        "부스러기는 오른쪽으로 누워 있었다.",
        "흉내는 아니다. 이것을 하룻밤에, 마흔일곱 번을. 그녀는 세다가 그만두었다."
        " 덧문을 두드리는 소리가 났다. 두 번, 사이를 두고.",
    ),
    2: (
        "“이른 시각에 죄송합니다.” 기태의 어깨에서 찬 공기가 한 겹 벗겨져 들어왔다."
        " “불이 켜져 있어서요.”",
        "“늙으면 잠이 없소. 앉소.”",
        "그는 연탄집게를 내려놓고 앉아서 그녀의 손을 보았다. 수건을 감은 손이 주전자 뒤로"
        " 들어갔다. 보리차가 끓어 뚜껑을 두드렸고, 둘 중 누구도 그것을 내려놓지 않았다.",
        CLUMSY,
        "“산 7번지에 무엇이 있습니까?”",
        "“무덤.” 정순은 인주 뚜껑을 닫았다. 딸깍 소리가 방을 건너갔다. “빈 무덤이 하나 있소.”",
        "“누가 이걸 드렸냐고는 안 물으십니까?”",
        "“물으면 말할 거요?”",
        "기태는 첫 버스가 몇 시인지를 말했다.",
    ),
    3: (
        "둑에서 내려 오르막을 올랐다. 물이 등 뒤에서 따라 올라오는 것 같은 길이라 정순은 한 번도"
        " 돌아보지 않는다. 기태가 앞서서 가시덤불을 젖혀 주었고, 서리 맞은 쑥 냄새가"
        " 바짓단에 묻었다.",
        "봉분은 깎여 있었다. 누가 낫을 댄 지 보름쯤 된 풀, 그 밑동이 노랗게 말라 한쪽으로"
        " 누워 있다. 정순은 쪼그리고 앉아 손바닥으로 그것을 쓸었다.",
        "“조만석 어르신이 하셨을까요?”",
        "“그 양반은 물 밖의 일은 안 해.”",
        "상석 다리에 새끼줄 한 발이 묶여 있었다. 밤새 젖어서 무겁고 미끄러운 새끼줄."
        " 그녀는 매듭을 풀어 햇빛에 들고 꼰 쪽을 보았다. 사람들은 오른쪽으로 꼰다."
        " 금줄이 아니면.",
        "“애 낳은 집이라도 있습니까?” 기태가 물었다.",
        "정순은 왼쪽으로 꼰 새끼를 손목에 한 번 감았다. 저수지 건너편에 찌가 하나 떠 있었다.",
    ),
}
DRAFT = "\n\n* * *\n\n".join("\n\n".join(paragraphs) for paragraphs in SCENES.values())


def drafted(asked: Asked) -> Rule:
    return Rule(text="\n\n".join(SCENES[scene_number(asked)]))


def operated(asked: Asked) -> Rule:
    """The clumsy paragraph mended; of anything else, only an apology."""
    passage = block(asked, "passage")
    alone = CLUMSY in passage and "\n\n" not in passage
    return Rule(text=MENDED if alone else "죄송하지만 할 수 없습니다.")


def summarized(_: Asked) -> Rule:
    ops = [
        {"op": "set", "path": "characters.jeongsun.hand", "value": "왼손으로 파다가 베였다"},
        {"op": "foreshadow", "path": "left_hand", "value": "advance"},
        {"op": "foreshadow", "path": "forty_eighth", "value": "advance"},
        {"op": "foreshadow", "path": "left_rope", "value": "plant"},
    ]
    memory = "빈 무덤에 누가 다녀갔다. 새끼줄이 왼쪽으로 꼬여 있다."
    value = {"summary": "정순과 기태가 산 7번지에 오른다.", "ops": ops, "crossref": []}
    return Rule(value={**value, "memory": memory})


@pytest.fixture
def novel(tmp_path: Path) -> Iterator[Desk]:
    """A copy of the novel, and a model that reads and writes Korean."""
    model = Model(
        draft=drafted,
        refine=unrefined,
        surgery=operated,
        summary=summarized,
        judge=judged(4.4),
    )
    with FakeMessages(answering=model) as server:
        yield Desk(small_novel("ko", tmp_path / "novel"), server)


@pytest.mark.parametrize(("path", "model"), PLANS, ids=lambda part: getattr(part, "stem", ""))
def test_every_file_of_the_plan_is_as_the_studio_writes_it(
    path: Path, model: type[Document]
) -> None:
    data = path.read_bytes()
    assert to_bytes(read_document(model, data, path.name)) == data


def test_the_novel_is_whole_and_offers_its_third_chapter() -> None:
    report = verify(SOURCE)
    assert report.findings == ()
    status = Session.open(SOURCE, {}).status()
    assert (status.last_completed_chapter, status.next_title) == (2, "빈 무덤")
    assert len(list((SOURCE / "style-library").glob("*.md"))) == 9


def test_looking_at_the_novel_changes_nothing_in_it(tmp_path: Path) -> None:
    folder = small_novel("ko", tmp_path / "novel")
    before = tree(folder)
    assert studio("verify", cwd=folder).code == 0
    checked = studio("check", "1", "--json", cwd=folder)
    assert (checked.code, checked.json["language"]) == (0, "ko")
    assert "원고 점검" in studio("check", "2", cwd=folder).out
    assert tree(folder) == before


# req: A16
# req: A17
@pytest.mark.parametrize("number", [1, 2])
def test_its_chapters_keep_to_its_targets_but_for_one_run(number: int) -> None:
    settings = load_settings(SOURCE, {})
    assert not settings.warnings
    targets = {name: t.model_dump(exclude_none=True) for name, t in settings.metrics.items()}
    text = (SOURCE / f"chapters/chapter-{number:03d}.md").read_text("utf-8")
    measured = measure(text, load_pack("ko"), targets)
    failed = {name for name in targets if measured[name].ok is False}
    assert failed == ({"same_ending_run"} if number == 2 else set())
    assert len(Chapter(text).scenes) == 3


# req: A12
# req: A13
@pytest.mark.sweep
def test_the_third_chapter_is_drafted_mended_in_one_paragraph_and_committed(novel: Desk) -> None:
    ran = novel.write()
    assert ran.committed.chapter == 3
    text = novel.text(3)
    assert CLUMSY not in text
    assert text.replace(MENDED, CLUMSY).rstrip("\n") == f"# 빈 무덤\n\n{DRAFT}"

    sheet = novel.store.directives(3)
    assert sheet is not None
    status = {d.type.value: d.status.value for d in sheet.directives}
    assert status == {"filter-word-removal": "kept"}
    places = {(d.location.scene_number, d.location.paragraph_start) for d in sheet.directives}
    assert places == {(2, 4)}
    assert "느꼈다" in sheet.directives[0].issue
    assert verify(novel.folder).findings == ()
    state = novel.store.state()
    assert state.active_foreshadowing["left_rope"]["planted"] == 3
    assert state.characters["jeongsun"]["hand"] == "왼손으로 파다가 베였다"


@pytest.mark.sweep
def test_the_drafter_is_given_the_plan_the_people_and_the_words_before(novel: Desk) -> None:
    novel.write()
    first = next(asked for asked in novel.server.asked if "Write scene 1" in asked.prompt)
    for words in (
        "왼손에 쥐고 제 이름을 판다",
        "일부러 낸 흠이 하나",
        "장부는 쌀독 옆에",
        "노정순이었다.",
    ):
        assert words in first.prompt, words


@pytest.mark.sweep
def test_what_the_writer_rejects_stays_as_it_was(novel: Desk) -> None:
    ran = novel.write(review="reject")
    assert ran.committed.chapter == 3
    assert novel.text(3).rstrip("\n") == f"# 빈 무덤\n\n{DRAFT}"
    assert "surgery" not in novel.calls()
    sheet = novel.store.directives(3)
    assert sheet is not None
    assert {d.status for d in sheet.directives} == {"rejected"}
