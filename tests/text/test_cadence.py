"""Which runs of endings become a proposal where a writer has set herself a limit; the metric
counts them all, and without a limit of hers nothing is proposed in Korean (PROSE 2)."""

from __future__ import annotations

from studio.story.chapter import Chapter
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.oracle.directives import findings

PLAIN = (
    "버스는 저수지 둑에서 손님을 내리고 돌아 나갔다. 양파 자루 하나가 남았다. 둑 밑으로 물이"
    " 끝없이 누워 있고, 그 위에 산이 거꾸로 서 있었다. 바람이 불자 산이 먼저 구겨졌다. 조"
    " 노인은 어제 그 자리에, 빈 비료 포대를 깔고 앉아, 움직이지 않는 찌를 보고 앉았다. 아무도"
    " 오지 않았다."
)
RHYME = (
    "그는 오래 망설이다가 형에게 먼저 전화를 했다. 형은 못 온다고 했다. 어머니는 그럴 줄"
    " 알았다며 나물을 무치기 시작했다. 아버지는 말이 없는 대신 마당을 두 번이나 청소했다."
    " 누이가 늦게야 도착했다."
)
ONE_WORD = (
    "문 옆에는 젖은 우산이 있었다. 그 옆으로 아이 것으로 보이는 작은 장화가 한 켤레 있었다."
    " 마루에 밥상이 있었다. 밥상 위에는 손도 대지 않은 국이 두 그릇, 나란히 식은 채로 있었다."
    " 아무도 부르지 않았다."
)
ONE_BEAT = "비가 왔다. 문이 닫혔다. 그는 갔다. 불이 꺼졌다. 개가 짖었다."
POLITE = (
    "보내신 책은 잘 받았습니다. 책갈피에 끼워 두신 나뭇잎도 무사합니다. 이곳은 아직 춥습니다."
    " 어제는 나루까지 걸어 나갔다가 그냥 돌아왔습니다. 강은 얼지 않았고 배도 그대로 있습니다."
)


LIMIT = {"same_ending_run": {"max": 4.5}}


def rhythm(text: str, own_limit: bool = True) -> list[str]:
    pack = load_pack("ko")
    text = "\n\n" + text
    metrics = measure(text, pack, LIMIT if own_limit else {})
    assert metrics["same_ending_run"].ok is False
    report = findings(Chapter(text), pack, metrics)
    return [d.issue for d in report.directives if d.metric == "same_ending_run"]


# req: A18
def test_narration_that_simply_closes_on_da_makes_no_proposal() -> None:
    assert rhythm(PLAIN) == []
    assert rhythm("\n\n".join([PLAIN, "그리고 여름이 왔다.", PLAIN])) == []


def test_a_polite_narrator_may_close_politely() -> None:
    assert rhythm(POLITE) == []


# req: A18
def test_without_a_limit_of_the_writers_no_ending_is_proposed() -> None:
    assert [rhythm(text, own_limit=False) for text in (RHYME, ONE_WORD, ONE_BEAT)] == [[], [], []]


# req: A16
def test_endings_that_rhyme_beyond_da_are_proposed() -> None:
    assert len(rhythm(RHYME)) == 1
    assert "5문장" in rhythm(RHYME)[0]
    assert "‘했다’" in rhythm(RHYME)[0]


def test_a_last_word_that_comes_back_is_proposed_though_the_sentences_vary() -> None:
    assert len(rhythm(ONE_WORD)) == 1
    assert "4문장" in rhythm(ONE_WORD)[0]


def test_sentences_of_one_beat_are_proposed() -> None:
    assert len(rhythm(ONE_BEAT)) == 1


def test_only_the_stretch_that_is_heard_is_named() -> None:
    pack = load_pack("ko")
    text = f"\n\n{PLAIN}\n\n{ONE_BEAT}\n\n{PLAIN}"
    report = findings(Chapter(text), pack, measure(text, pack, LIMIT))
    places = [d.location for d in report.directives if d.metric == "same_ending_run"]
    assert [(p.paragraph_start, p.paragraph_end) for p in places] == [(2, 2)]
