"""One person under every name: who is dead, who speaks, who knows, and whom a plan means."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from studio.project.store import ProjectStore
from studio.story.state import StateOp
from tests.cli.conftest import Typed
from tests.project.novels import commit_now, put
from tests.project.plans import put_contract


class Book(NamedTuple):
    """A dead man and the woman who sees the scene, in one language."""

    language: str
    dead: str
    viewpoint: str
    dies: str
    speaks: str
    """He speaks by the name the text uses, which is not the one in the bible."""
    hears: str
    """The viewpoint hears him tell the secret."""
    phrase: str
    invented: str
    stranger: str


BOOKS = {
    "en": Book(
        "en",
        "Joss Pattinson",
        "Mara Stobbs",
        "Joss went under and did not come up.",
        "“Tea,” said Joss, and poured it.",
        "Mara heard Mr. Pattinson say quietly, “I rang the second bell.”",
        "rang the second bell",
        "At noon Halloway came. She gave Halloway the key, and Halloway wept. Then Halloway went.",
        "Halloway",
    ),
    "ko": Book(
        "ko",
        "최만식",
        "김미라",
        "만식은 물에 빠져 다시 올라오지 않았다.",
        "“차나 마셔.” 만식이 말했다.",
        "미라가 돌아보자 최 노인이 조용히 말했다. “내가 두 번째 종을 쳤다.”",
        "두 번째 종을 쳤다",
        "정오에 하윤덕이 말했다. 그녀는 하윤덕에게 열쇠를 주었다. 하윤덕에게는 그것뿐이었다.",
        "하윤덕",
    ),
    "zh": Book(
        "zh",
        "周望川",
        "林晚",
        "望川沉了下去，再也没有上来。",
        "“喝茶。”望川说。",
        "林晚听见老周低声说：“第二次钟是我敲的。”",
        "第二次钟是我敲的",
        "贺兰亭说他要走。贺兰亭笑了笑。贺兰亭问：“钥匙呢？”",
        "贺兰亭",
    ),
}
each_language = pytest.mark.parametrize("language", sorted(BOOKS))


def findings_of(typed: Typed, book: Book, novel: Path, *texts: str) -> dict[str, dict[str, Any]]:
    """Commits the chapters; returns the findings by code."""
    toml = (novel / "studio.toml").read_text("utf-8")
    put(novel, "studio.toml", toml.replace('language = "en"', f'language = "{book.language}"'))
    put(novel, "characters/active/dead.md", f"---\ndead_from: 1\n---\n# {book.dead}\n")
    put(novel, "characters/active/mara.md", f"# {book.viewpoint}\n")
    store = ProjectStore(novel)
    for number, text in enumerate(texts, start=1):
        last_seen = StateOp(op="set", path="characters.mara.last_seen", value=number)
        commit_now(store, number, f"# {number}\n\n{text}\n", last_seen)
    rows = typed("continuity", "--all", "--json").json["findings"]
    return {row["code"]: row for row in rows}


@each_language
@pytest.mark.repairs("S10")
def test_who_tells_a_secret_is_who_speaks_and_not_who_hears_it(
    novel: Path, typed: Typed, language: str
) -> None:
    # req: G6
    book = BOOKS[language]
    put(
        novel,
        "world/secrets.json",
        '{"schema_version": 1, "secrets": [{"id": "bell", "fact": "who rang", "phrases": ['
        f'"{book.phrase}"], "known_by": [], "reader_from": 1}}]}}',
    )
    put_contract(novel, 1, pov="mara", characters=["mara"])
    rows = findings_of(typed, book, novel, book.hears)
    assert rows.get("knows_early", {}).get("fact_key") == "knows_early:bell:dead"


@pytest.mark.sampled
@each_language
@pytest.mark.repairs("S17")
def test_a_dead_man_who_is_planned_and_speaks_is_proved_by_what_he_says(
    novel: Path, typed: Typed, language: str
) -> None:
    # req: G7
    book = BOOKS[language]
    put_contract(novel, 2, title="The tide", characters=["dead", "mara"])
    finding = findings_of(typed, book, novel, book.dies, book.speaks)["dead_present"]
    assert finding["evidence"][1]["quote"] == book.speaks


@pytest.mark.sweep
@each_language
def test_a_dead_man_who_speaks_is_found_by_the_name_the_text_uses(
    novel: Path, typed: Typed, language: str
) -> None:
    # req: G7
    book = BOOKS[language]
    finding = findings_of(typed, book, novel, book.dies, book.speaks)["dead_present"]
    assert finding["entities"] == ["dead"]
    died, speaks = finding["evidence"]
    assert died["quote"] == book.dies
    assert speaks["quote"] == book.speaks


@each_language
def test_two_places_are_proved_by_lines_that_name_who_and_where(
    novel: Path, typed: Typed, language: str
) -> None:
    # req: G7
    book = BOOKS[language]
    put(novel, "world/places/quay.md", "# The Quay\n")
    put(novel, "world/places/tower.md", "# The Tower\n")
    scene = {"purpose": "The lamp goes out.", "characters": ["mara"], "when": "day 3 14:30"}
    scenes = [{**scene, "number": 1, "location": "quay"}]
    scenes.append({**scene, "number": 2, "location": "tower"})
    put_contract(novel, 2, characters=["mara"], scenes=scenes)
    finding = findings_of(typed, book, novel, book.dies)["two_places"]
    first, second = (place["quote"] for place in finding["evidence"])
    assert book.viewpoint in first
    assert "The Quay" in first
    assert "The Tower" in second


@pytest.mark.sampled
@each_language
@pytest.mark.repairs("S11")
def test_somebody_invented_who_is_named_three_times_is_in_a_finding(
    novel: Path, typed: Typed, language: str
) -> None:
    # req: G7
    book = BOOKS[language]
    rows = findings_of(typed, book, novel, book.dies, book.invented)
    own = rows.get("unknown_name", {})
    assert book.stranger in own.get("message", "")
    assert own["severity"] == "low"
