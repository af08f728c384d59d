"""Looking back on a volume: the page, what can be tidied, and where the book stands then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from tests.cli.command import studio
from tests.fake_messages import Asked, Rule
from tests.flows.life import Life, opened, outline
from tests.pipeline.flows import put
from tests.text.tics import CLIPPED, spread

PROMISE = {"id": "bell", "description": "Who has the silver whistle", "due": 1}


LOOKING_BACK = {
    "reader_experience": "The oil is felt; the whistle is forgotten until the last page.",
    "explanations": [{"about": "promises", "words": "The whistle is owed since chapter 1."}],
}


class Summarizer:
    """The first chapter names three things, the second none of them."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, asked: Asked) -> Rule:
        if asked.schema is not None and "explanations" in asked.schema["properties"]:
            return Rule(value=LOOKING_BACK)
        self.calls += 1
        things = ("oil-can", "silver-whistle", "ledger") if self.calls == 1 else ()
        ops = [{"op": "set", "path": f"items.{thing}.holder", "value": "mara"} for thing in things]
        ops.append({"op": "set", "path": "characters.mara.mood", "value": f"{self.calls}"})
        return Rule(value={"summary": "Mara climbs.", "ops": ops, "crossref": [], "memory": "Oil."})


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    for life in opened(tmp_path / "novel", "Slack Water", summary=Summarizer()):
        put(life.folder, "foreshadowing/global.json", {"schema_version": 1, "promises": [PROMISE]})
        yield life


def second_volume(life: Life) -> None:
    """Volume 2 with one chapter, and both chapters in the book."""
    outline = "# Volume 2\n\n## Chapter 2: Fog\n\nMara climbs the tower on night 2.\n"
    put(life.folder, "volumes/vol-02/outline.md", outline)
    assert life("write", "--count", "2", "--review", "accept").code == 0


@pytest.mark.parametrize(
    ("language", "words"), [("ko", "몇 마디로 끊은 문장"), ("zh", "寥寥数字的短句")]
)
def test_a_form_that_runs_through_a_book_is_named_on_its_page(
    language: str, words: str, tmp_path: Path
) -> None:
    chopped = spread(language, [*CLIPPED[language]])
    text = "\n\n".join(f"# {chapter_title}\n\n{chopped}" for chapter_title in ("하나", "둘", "셋"))
    (tmp_path / "book.md").write_text(text, "utf-8")
    book = ("import", "book.md", "--into", "novel", "--as", "committed", "--language", language)
    assert studio(*book, cwd=tmp_path).code == 0
    ended = studio("volume", "review", "--json", cwd=tmp_path / "novel")
    assert ended.code in (0, 4), ended.err
    assert words in (tmp_path / "novel/volumes/vol-01/review.md").read_text("utf-8")


# req: D5 (found: S8)
@pytest.mark.sweep
def test_a_volume_is_looked_back_on_and_tidied_item_by_item(life: Life) -> None:
    refused = life("volume", "review")
    assert (refused.code, "No chapter of the volume" in refused.err) == (2, True)
    second_volume(life)
    ended = life("volume", "review", "--json")
    assert ended.code == 4, ended.err
    report = ended.json
    assert (report["volume"], report["chapters"]) == (2, [2])
    assert [item["path"] for item in report["leftovers"]] == ["items.ledger", "items.oil-can"]
    assert report["decision"]["options"] == ["accept", "choose", "leave"]
    assert life.checkpoint["orchestrator_state"] == "VOL_REVIEW"
    page = (life.folder / "volumes/vol-02/review.md").read_text("utf-8")
    assert page.startswith("# Volume 2 in review\n")
    assert "- Who has the silver whistle: planned, overdue" in page
    assert "- main: chapters 2" in page

    assert life("decide", "leave").code == 0
    assert life.checkpoint["orchestrator_state"] == "VOL_PLANNING"
    assert "start --step clean-up" in life("status").out, "what was left out is named"
    again = life("start", "--step", "clean-up")
    assert (again.code, "items.ledger" in again.out) == (4, True)
    assert life("decide", "choose", "--note", "items.silver-whistle").code == 2
    assert life("decide", "choose", "--note", "items.oil-can").code == 0
    assert sorted(life.read("state/current-state.json")["items"]) == ["ledger", "silver-whistle"]
    assert life.checkpoint["orchestrator_state"] == "VOL_PLANNING"
    assert life("verify").code == 0


# req: D5
@pytest.mark.sweep
def test_nobody_is_asked_in_accept_mode_and_the_page_is_the_same_twice(life: Life) -> None:
    second_volume(life)
    path = life.folder / "volumes/vol-02/review.md"
    assert life("volume", "review", "--review", "accept").code == 0
    page = path.read_text("utf-8")
    assert life.checkpoint["orchestrator_state"] == "VOL_PLANNING"
    assert "oil-can" in life.read("state/current-state.json")["items"]
    assert life("volume", "review", "--review", "accept").code == 0
    assert path.read_text("utf-8") == page


# req: D5 H1
def test_what_is_planned_after_the_end_of_a_volume_is_of_the_next(life: Life) -> None:
    second_volume(life)
    assert life("volume", "review", "--review", "accept").code == 0
    assert life("plan", "add", "Ebb", "--happens", "The tide goes out.").code == 0
    assert life("plan", "add", "Flood").code == 0
    plan = life.folder / "volumes/vol-03/outline.md"
    assert plan.read_text("utf-8").count("## Chapter ") == 2
    assert "Ebb" not in (life.folder / "volumes/vol-02/outline.md").read_text("utf-8")
    assert life("write", "--review", "accept").code == 0
    assert life.checkpoint["current_volume"] == 3


# req: D5
@pytest.mark.sweep
def test_a_chapter_of_the_writers_own_after_the_end_of_a_volume_is_of_the_next(
    life: Life, tmp_path: Path
) -> None:
    second_volume(life)
    assert life("volume", "review", "--review", "accept").code == 0
    (tmp_path / "own.md").write_text("# Ebb\n\nThe tide went out.\n", "utf-8")
    assert life("write", "--draft", tmp_path / "own.md", "--review", "accept").code == 0
    assert life.checkpoint["current_volume"] == 3


# req: D5
@pytest.mark.sweep
@pytest.mark.repairs("S8")
def test_the_judge_explains_a_first_volume_and_it_too_leaves_something(life: Life) -> None:
    put(life.folder, "volumes/vol-01/outline.md", outline("Slack Water", "Fog"))
    assert life("write", "--count", "2", "--review", "accept").code == 0
    before = len(life.fake.asked)
    ended = life("volume", "review", "--json")
    paths = [item["path"] for item in ended.json["leftovers"]]
    assert paths == ["items.ledger", "items.oil-can"], "what only its first half had"
    assert ended.code == 4
    assert len(life.fake.asked) == before + 1, "the judge looks back"
    page = (life.folder / "volumes/vol-01/review.md").read_text("utf-8")
    assert "## How it reads\n\nThe oil is felt; the whistle is forgotten" in page
    promises = page.split("## Promises")[1].split("##")[0]
    assert "planned, overdue\n\nThe whistle is owed since chapter 1." in promises
    assert ended.json["explained"]
    asked = life.fake.asked[-1].prompt
    assert "Pace against plan" in asked
    assert "You look back on a finished volume" in asked
    assert "transitions" not in asked, "of the page for a chapter nothing is sent"
    assert "Chapter 2: Mara climbs." in asked
    assert "Who has the silver whistle" in asked
    assert life("volume", "review", "--json").json["explained"]
    assert len(life.fake.asked) == before + 1, "the same volume is not paid for twice"


# req: E5
@pytest.mark.sweep
def test_looking_back_is_booked_where_it_looks_and_not_as_the_next_chapter(life: Life) -> None:
    put(life.folder, "volumes/vol-01/outline.md", outline("Slack Water", "Fog"))
    assert life("write", "--count", "2", "--review", "accept").code == 0
    rows = {row["key"] for row in life("usage", "--by", "chapter", "--json").json["rows"]}
    before = life("usage", "--json").json
    assert life("volume", "review", "--review", "accept").code == 0
    after = life("usage", "--by", "chapter", "--json").json
    assert {row["key"] for row in after["rows"]} == rows, "no cost of a chapter nobody began"
    assert life("usage", "--json").json != before, "it did cost something"


# req: D5
@pytest.mark.sweep
def test_without_a_judge_the_review_is_counted_alone(life: Life) -> None:
    second_volume(life)
    life.fake.answering = lambda asked: Rule(mode="status", status=400)
    ended = life("volume", "review", "--review", "accept")
    assert ended.code == 0, ended.err
    assert "The judge did not look back on volume 2" in ended.err
    page = (life.folder / "volumes/vol-02/review.md").read_text("utf-8")
    assert "## Promises" in page
    assert "How it reads" not in page


class OfJoss(Summarizer):
    """Joss has a knife and a room and is spoken of; Mara has the ledger."""

    OPS: ClassVar = {
        "items.knife.holder": "joss",
        "items.ledger.holder": "mara",
        "items.rope.owners": "joss",
        "locations.loft.lodger": "joss",
        "locations.quay.keeper": "joss",
        "locations.quay.owner": "mara",
        "characters.mara.knows.joss_drinks": True,
        "characters.mara.mood": "wary",
    }

    def __call__(self, asked: Asked) -> Rule:
        if asked.schema is not None and "explanations" in asked.schema["properties"]:
            return Rule(value=LOOKING_BACK)
        ops = [{"op": "set", "path": path, "value": value} for path, value in self.OPS.items()]
        ops.append({"op": "foreshadow", "path": "debt", "value": "plant"})
        return Rule(value={"summary": "조스가 떠난다.", "ops": ops, "crossref": [], "memory": "."})


# req: D5 D8
@pytest.mark.sweep
@pytest.mark.repairs("S8")
def test_what_a_retired_person_leaves_behind_can_go(tmp_path: Path) -> None:
    for life in opened(tmp_path / "novel", "Slack Water", summary=OfJoss()):
        debt = {"id": "debt", "description": "What Joss owes", "characters": ["joss"]}
        debt |= {"scope": "short", "due": 9}
        put(life.folder, "foreshadowing/global.json", {"schema_version": 1, "promises": [debt]})
        assert life("write", "--review", "accept").code == 0
        assert life("promises", "settle", "debt", "planted", "--reason", "told").code == 0
        assert life("retire", "joss").code == 0
        report = life("volume", "review", "--json").json
        left = {item["path"]: item["why"] for item in report["leftovers"]}
        assert sorted(left) == [
            "active_foreshadowing.debt",
            "characters.mara.knows.joss_drinks",
            "items.knife",
            "items.rope",
            "locations.loft",
            "locations.quay.keeper",
        ], "his promises, what is known of him, his things and places; Mara's stay hers"
        assert left["items.knife"] == "It belonged to Joss, who was retired."
        assert life("decide", "accept").code == 0
        state = life.read("state/current-state.json")
        assert state["items"] == {"ledger": {"holder": "mara"}}
        assert state["locations"] == {"quay": {"owner": "mara"}}
        assert state["active_foreshadowing"] == {}
        assert "joss_drinks" not in str(state["characters"])
        standing = life("promises", "show", "debt", "--json").json
        assert "abandoned" in str(standing)
        assert life("verify").code == 0
