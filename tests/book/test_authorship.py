"""Who wrote each paragraph: followed through versions whose writers are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.book.authorship import Authorship, By
from studio.project.history.reasons import Reason
from studio.project.store import ProjectStore
from tests.small_novels import small_novel

PATH = "chapters/chapter-009.md"
HELD = "The lamp room smelled of carbide and of the men who had gone down before four."
NEXT = "Joss counted the hooks twice, and then he counted the empty ones aloud."
BELL = "Nobody rang the bell that morning, and nobody asked why it had not been rung."
KOREAN = "새벽 네 시가 되기 전에 갱으로 내려간 사람들의 냄새가 등불 방에 남아 있었다."
CHINESE = "天还没亮，灯房里就只剩下电石的气味，和四点以前下井的人留下的汗味。"


@pytest.fixture
def store(project: Path) -> ProjectStore:
    return ProjectStore(project)


def _by(store: ProjectStore, *versions: tuple[str, str], language: str = "en") -> list[By]:
    """Of a chapter whose versions were kept for those reasons and whose newest is on disk."""
    text = ""
    for reason, text in versions:
        store.history.keep(PATH, f"# Nine\n\n{text}\n".encode(), reason)
    store.root.write(PATH, f"# Nine\n\n{text}\n".encode())
    return [p.by for p in Authorship(store, language).of(9).paragraphs]


def _text(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs)


def test_a_paragraph_belongs_to_who_it_came_with(store: ProjectStore) -> None:  # req: G15
    kinds = _by(
        store, (Reason.DRAFTED, _text(HELD, NEXT)), (Reason.WRITTEN, _text(HELD, BELL, NEXT))
    )
    assert kinds == ["model", "hand", "model"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("first", "then", "kind"),
    [
        (Reason.DRAFTED, Reason.WRITTEN, "hand_edited"),
        (Reason.DRAFTED, "edited by hand", "hand_edited"),
        (Reason.WRITTEN, Reason.FIXED, "model_edited"),
        (Reason.BROUGHT, Reason.FIXED, "model_edited"),
        (Reason.WRITTEN, Reason.WRITTEN, "hand"),
        (Reason.WRITTEN, "edited by hand", "brought"),
        (Reason.BROUGHT, Reason.WRITTEN, "brought"),
        (Reason.DRAFTED, Reason.FIXED, "model"),
        (Reason.STAGED, Reason.FIXED, "unknown"),
        (Reason.DRAFTED, Reason.STAGED, "unknown"),
    ],
)
@pytest.mark.parametrize(
    ("language", "words", "fresh"),
    [
        ("en", HELD, HELD.replace("before four", "before the bell")),
        ("ko", KOREAN, KOREAN.replace("네 시가", "날이")),
        ("zh", CHINESE, CHINESE.replace("四点", "五更")),
    ],
)
def test_a_paragraph_that_stays_alike_is_its_first_writers_edited_by_the_next(
    store: ProjectStore, first: str, then: str, kind: By, language: str, words: str, fresh: str
) -> None:
    assert _by(store, (first, words), (then, fresh), language=language) == [kind]


def test_a_paragraph_that_keeps_little_is_who_wrote_it_anew(store: ProjectStore) -> None:
    assert _by(store, (Reason.DRAFTED, HELD), (Reason.WRITTEN, BELL)) == ["hand"]
    assert _by(store, (Reason.WRITTEN, BELL), (Reason.FIXED, NEXT)) == ["model"]


def test_a_text_taken_back_is_whose_it_was(store: ProjectStore) -> None:
    fixed = HELD.replace("smelled", "reeked")
    assert _by(store, (Reason.WRITTEN, HELD), (Reason.FIXED, fixed), (Reason.TAKEN_BACK, HELD)) == [
        "hand"
    ]


def test_broken_into_lines_or_in_two_it_is_nobody_elses(store: ProjectStore) -> None:
    both = f"{HELD} {NEXT}"
    wrapped = both.replace("carbide and", "carbide\nand")
    assert _by(store, (Reason.DRAFTED, both), ("edited by hand", wrapped)) == ["model"]
    assert _by(store, (Reason.DRAFTED, both), (Reason.WRITTEN, _text(HELD, NEXT))) == [
        "model",
        "model",
    ]


def test_joined_paragraphs_of_two_writers_are_edited(store: ProjectStore) -> None:
    kinds = _by(
        store,
        (Reason.DRAFTED, HELD),
        (Reason.WRITTEN, _text(HELD, BELL)),
        (Reason.WRITTEN, f"{HELD} {BELL}"),
    )
    assert kinds == ["hand_edited"]


def test_what_another_program_saved_since_is_brought(store: ProjectStore) -> None:
    _by(store, (Reason.DRAFTED, HELD))
    store.root.write(PATH, f"# Nine\n\n{HELD}\n\n{BELL}\n".encode())
    assert [p.by for p in Authorship(store, "en").of(9).paragraphs] == ["model", "brought"]


def test_a_moved_chapter_keeps_its_writers(store: ProjectStore) -> None:
    other = "chapters/chapter-008.md"
    store.history.keep(other, f"# Eight\n\n{HELD}\n".encode(), Reason.WRITTEN)
    assert _by(store, ("planned", HELD)) == ["hand"]


def test_a_lost_version_is_passed_over(store: ProjectStore) -> None:
    _by(
        store,
        (Reason.DRAFTED, HELD),
        (Reason.WRITTEN, _text(HELD, NEXT)),
        (Reason.WRITTEN, _text(HELD, NEXT, BELL)),
    )
    middle = store.history.versions(PATH)[1].sha
    (store.layout.folder / "history" / middle[:2] / middle).unlink()
    kinds = [p.by for p in Authorship(store, "en").of(9).paragraphs]
    assert kinds == ["model", "hand", "hand"]


@pytest.mark.parametrize("language", ["ko", "zh"])
def test_novels_from_before_are_known_by_their_records(tmp_path: Path, language: str) -> None:
    store = ProjectStore(small_novel(language, tmp_path / language))
    ledger = Authorship(store, language)
    kinds = {p.by for number in ledger.written_chapters() for p in ledger.of(number).paragraphs}
    assert kinds
    assert kinds <= {"model", "brought", "hand_edited", "model_edited", "unknown"}


def test_what_several_paragraphs_share_with_a_new_one_by_chance_counts_once(
    store: ProjectStore,
) -> None:
    old = _text(
        "그녀는 지하실로 내려가는 계단을 세다가 열아홉에서 멈췄다. 아무도 말하지 않았다.",
        "그는 편지를 등잔 밑에 놓았다. 그녀는 문을 열었다. 집 안에서 개가 짖었다.",
        "아무것도 들리지 않았다. 그녀는 바다를 보았다. 정오에는 온 골목이 알았다.",
        "집 안에서는 난로가 식었다. 그녀는 편지를 도로 접었다. 먼 바다에서 종이 울렸다.",
    )
    new = _text(
        *(
            f"그녀는 편지를 도로 넣고 바다를 {n}번 생각했다. 집 안에서는 아무것도 없었다."
            for n in range(4)
        )
    )
    kinds = _by(store, (Reason.DRAFTED, old), ("edited by hand", new), language="ko")
    assert kinds == ["brought"] * 4
