"""What the book remembers, in the app: bible, promises, secrets, contradictions, lines."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from textual.widgets import OptionList

from studio import i18n
from studio.book.promise_changes import promises_now
from studio.messages import said
from studio.project.store import ProjectStore
from studio.tui.actions.advice import in_keys
from studio.tui.screens.ask import Ask, Choose, Confirm
from studio.tui.screens.memory import MemoryScreen
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.project.novels import make_novel, put
from tests.small_novels import copied_sample
from tests.tui.environs import with_key
from tests.tui.pilot import StudioPilot, opened


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A copy of the sample with a man who dies, a promise that is late, and a secret."""
    folder = copied_sample(tmp_path / "sample")
    put(folder, "characters/active/wilf.md", """---
name: Wilf Tarn
dead_from: 2
---
He mends nets.

## From chapter 3

He lies under the sand.
""")  # fmt: skip
    promises = {"promises": [{"id": "bell", "description": "The drowned bell", "due": 1}]}
    put(folder, "foreshadowing/global.json", promises)
    contract = folder / "volumes/vol-01/chapter-contracts/chapter-003.json"
    plan = json.loads(contract.read_text("utf-8"))
    plan["characters"] = [*plan.get("characters", []), "wilf"]
    plan["scenes"] = []
    contract.write_text(json.dumps(plan), "utf-8")
    return folder


async def marks(studio: StudioPilot, words: str) -> None:
    """Waits for a row with these words and marks it."""
    rows = studio.app.screen.query_one(OptionList)

    def places() -> list[int]:
        texts = [str(rows.get_option_at_index(n).prompt) for n in range(rows.option_count)]
        return [n for n, text in enumerate(texts) if words in text]

    await studio.until(places, repr(words))
    rows.highlighted = places()[0]
    await studio.pilot.pause()


# req: G3 G2
@pytest.mark.sweep
async def test_an_entry_is_shown_as_it_is_at_a_chapter(sample: Path) -> None:
    async with opened(sample, os.environ, (80, 24)) as studio:
        await studio.press("M")
        await studio.sees(MemoryScreen, "The book when chapter 3 begins")
        await marks(studio, "Wilf Tarn")
        await studio.until(lambda: "under the sand" in studio.screen, "what he is by then")
        assert "alive: no" in studio.screen
        await studio.press("left")
        await studio.sees(MemoryScreen, "The book when chapter 2 begins")
        await studio.until(lambda: "under the sand" not in studio.screen, "what he was")
        await studio.press("right", "right")
        await studio.sees(MemoryScreen, "The book when chapter 3 begins")


# req: G5 G6 G7
@pytest.mark.sweep
async def test_promises_secrets_and_contradictions_are_pages_of_it(sample: Path) -> None:
    async with opened(sample, os.environ, (120, 36)) as studio:
        await studio.ask_for("desk.promises")
        await studio.sees(MemoryScreen, "overdue  The drowned bell")
        foot = studio.screen.splitlines()[-1]
        assert "R Have a model read" in foot, "what the page can do comes first"
        assert "m It is meant" not in foot
        await studio.press("tab")
        await studio.until(lambda: "Who knows it when chapter 3" in studio.screen, "a secret")
        await studio.press("tab")
        await marks(studio, "Wilf Tarn died in chapter 2")
        assert "m It is meant" in studio.screen.splitlines()[-1]
        await studio.press("m")
        await studio.answer(Ask, "He is a ghost here.")
        await studio.until(lambda: "Wilf Tarn died" not in studio.screen, "it is meant")
    facts = json.loads((sample / "waivers.json").read_text("utf-8"))["facts"]
    assert [fact["reason"] for fact in facts] == ["He is a ghost here."]
    assert facts[0]["fact_key"] == "dead_present:wilf"


# req: G4
@pytest.mark.sweep
async def test_lines_are_shown_with_price_and_pinned_and_left_out(sample: Path) -> None:
    async with opened(sample, with_key(), (120, 36)) as studio:
        await studio.ask_for("desk.lines")
        await studio.sees(MemoryScreen)
        await marks(studio, "the line so far: memory")
        await studio.press("M")
        await marks(studio, "left out by you")
        await studio.press("M")
        await marks(studio, "the line so far: memory")
        await studio.press("P")
        await marks(studio, "the line so far: memory  pinned")
    chosen = json.loads((sample / "context/lines.json").read_text("utf-8"))
    assert [pin["line"] for pin in chosen["pins"]] == ["storyline/memory"]
    assert chosen["mutes"] == []


# req: G14
@pytest.mark.sweep
async def test_notes_that_were_brought_in_become_entries_one_by_one(sample: Path) -> None:
    waiting = "imports/entries"
    put(
        sample,
        f"{waiting}/ana.md",
        "---\nname: Ana\nkind: character\nsource: Ana.md\n---\nA nurse.\n",
    )
    put(sample, f"{waiting}/quay.md", "---\nname: The quay\nkind: place\n---\nOne lamp.\n")
    put(sample, f"{waiting}/salt.md", "---\nname: Salt\n---\nTaxed until 1825.\n")
    async with opened(sample, os.environ, (80, 24)) as studio:
        await studio.press("M")
        await studio.sees(MemoryScreen, "The book when")
        await marks(studio, "Ana  person  proposed")
        await studio.until(lambda: "A nurse." in studio.screen, "the note")
        await studio.press("r")
        await studio.until(lambda: isinstance(studio.app.screen, Ask), "the name")
        await studio.type("Ana Lund")
        await studio.press("enter")
        await studio.until((sample / "characters/active/ana-lund.md").exists, "the entry")
        await marks(studio, "Salt  lore  proposed")
        await studio.press("x")
        await studio.until(lambda: not (sample / f"{waiting}/salt.md").exists(), "it is left")
        await marks(studio, "The quay  place  proposed")
        await studio.press("A")
        await studio.until(lambda: isinstance(studio.app.screen, Confirm), "the question")
        await studio.press("y")
        await studio.until(lambda: (sample / "world/places/the-quay.md").exists(), "all of them")
        await studio.until(lambda: not (sample / waiting).exists(), "nothing waits")


# req: G14
@pytest.mark.sweep
async def test_names_of_the_chapters_are_proposed_on_request(sample: Path) -> None:
    lines = (
        "He saw Fenwick. They left Fenwick. In the rain they came to Fenwick, and Fenwick slept."
    )
    put(sample, "chapters/chapter-001.md", f"# One\n\n{lines}\n")
    async with opened(sample, os.environ, (80, 24)) as studio:
        await studio.press("M")
        await studio.sees(MemoryScreen, "The book when")
        await studio.press("n")
        await marks(studio, "Fenwick")
        await studio.until(lambda: "first in chapter 1" in studio.screen, "where it is")
        await studio.press("a")
        await studio.until(
            lambda: not re.search("Fenwick .*proposed", studio.screen), "the entry of Fenwick"
        )
        assert (
            list((sample / "world/places").glob("fenwick.md"))
            or (sample / "characters/active/fenwick.md").exists()
        )


# req: D8
@pytest.mark.sweep
async def test_somebody_leaves_the_story_and_comes_back(sample: Path) -> None:
    put(sample, "characters/active/tilda.md", "# Tilda\n\nShe sold rope.\n")
    async with opened(sample, with_key()) as studio:
        await studio.ask_for("desk.bible")
        await studio.sees(MemoryScreen)
        await marks(studio, "Tilda")
        await studio.ask_for("memory.retire")
        await studio.sees(Confirm, "Tilda leaves the story?")
        await studio.press("y")
        await marks(studio, "left the story")
        assert (sample / "characters/retired/tilda.md").exists()
        await studio.ask_for("memory.retire")
        await studio.until(lambda: (sample / "characters/active/tilda.md").exists(), "her return")


def _says_of_fenwick(asked: Asked) -> Rule | None:
    if asked.schema is None or "entries" not in asked.schema["properties"]:
        return None
    fact = {"fact": "It is a village.", "chapter": 1, "quote": "They left Fenwick."}
    entry = {"name": "Fenwick", "kind": "place", "same_as": "", "facts": [fact]}
    return Rule(value={"entries": [entry]})


# req: G14 G8
@pytest.mark.sweep
async def test_a_model_reads_of_names_once_the_price_is_agreed_to(sample: Path) -> None:
    lines = (
        "He saw Fenwick. They left Fenwick. In the rain they came to Fenwick, and Fenwick slept."
    )
    put(sample, "chapters/chapter-001.md", f"# One\n\n{lines}\n")
    with FakeMessages(answering=_says_of_fenwick) as server:
        environ = {**with_key(), "ANTHROPIC_BASE_URL": server.url}
        async with opened(sample, environ, (120, 36)) as studio:
            await studio.press("M")
            await studio.sees(MemoryScreen, "The book when")
            await studio.press("R")
            await studio.sees(Confirm, "at most")
            assert server.asked == [], "nobody is asked before"
            await studio.press("y")
            await marks(studio, "Fenwick  place")
            await studio.until(lambda: "It is a village." in studio.screen, "what was read")
            await studio.press("a")
            entry = sample / "world/places/fenwick.md"
            await studio.until(entry.exists, "the entry")
            assert "It is a village. %% Chapter 1: They left Fenwick. %%" in entry.read_text(
                "utf-8"
            )
            await studio.ask_for("memory.previous_tab")
            await studio.ask_for("memory.previous_tab")
            await studio.press("R")
            await studio.sees(Confirm, "chapters 1 to 2 against each other")
            await studio.press("n")


# req: G4
@pytest.mark.sweep
async def test_a_line_is_told_in_one_line_then_whole_then_as_it_comes(sample: Path) -> None:
    file = sample / "context/lines.json"

    def swaps() -> list[str]:
        if not file.exists():
            return []
        return [swap["to"] for swap in json.loads(file.read_text("utf-8"))["swaps"]]

    async with opened(sample, with_key(), (120, 36)) as studio:
        await studio.ask_for("desk.lines")
        await studio.sees(MemoryScreen)
        for expected in (["one_line"], ["full"], []):
            await marks(studio, "the line so far: memory")
            await studio.press("S")
            await studio.until(lambda wanted=expected: swaps() == wanted, str(expected))


# req: G5
@pytest.mark.sweep
async def test_what_a_chapter_did_for_a_promise_is_said_here(sample: Path) -> None:
    """Met: a card sent her to a terminal for it."""
    store = ProjectStore(sample)
    promise = next(iter(store.foreshadowing().promises))
    words = in_keys(said("`studio promises settle` records it."), {})
    assert words == "s among the promises (“Promises” (Ctrl+P)) records it."
    async with opened(sample, with_key()) as studio:
        await studio.ask_for("desk.promises")
        await studio.sees(MemoryScreen)
        await marks(studio, promise.description[:20])
        await studio.press("s")
        await studio.sees(Choose, "What did a chapter do for it?")
        studio.app.screen.query_one(OptionList).highlighted = 3
        await studio.press("enter")
        await studio.sees(Choose, "Which chapter?")
        await studio.press("enter")
        await marks(studio, "given up")
    last = store.checkpoint().last_completed_chapter
    event = next(iter(reversed(promises_now(store)[promise.id].events)))
    assert (event.kind, event.chapter) == ("abandoned", last)


def _promises_of(asked: Asked) -> Rule | None:
    if asked.schema is None or "promises" not in asked.schema["properties"]:
        return None
    drawer = {"id": "drawer", "about": "What lies in the drawer.", "characters": []}
    rain = {"id": "rain", "about": "Whether it ever stops.", "characters": []}
    promises = [
        {**drawer, "chapter": 1, "quote": "The drawer stayed locked."},
        {**rain, "chapter": 1, "quote": "It rained."},
    ]
    bell = {"promise": "bell", "action": "plant", "chapter": 1, "quote": "A bell rang"}
    return Rule(value={"promises": promises, "events": [bell]})


# req: G5
@pytest.mark.sweep
async def test_promises_are_proposed_by_a_model_and_taken_or_left(sample: Path) -> None:
    text = "# One\n\nThe drawer stayed locked. It rained. A bell rang under the water.\n"
    put(sample, "chapters/chapter-001.md", text)
    listed = sample / "foreshadowing/global.json"
    with FakeMessages(answering=_promises_of) as server:
        environ = {**with_key(), "ANTHROPIC_BASE_URL": server.url}
        async with opened(sample, environ, (80, 24)) as studio:
            await studio.ask_for("desk.promises")
            await studio.sees(MemoryScreen, "The book when")
            await studio.press("R")
            await studio.sees(Confirm, "at most")
            assert server.asked == [], "nobody is asked before"
            await studio.press("y")
            await marks(studio, "Whether it ever stops.  proposed")
            await studio.press("x")
            await studio.until(lambda: "ever stops" not in studio.screen, "it is left")
            await marks(studio, "What lies in the drawer.  proposed")
            await studio.until(lambda: "stayed locked." in studio.screen, "the words that say so")
            assert "a Take what is proposed" in studio.screen.splitlines()[-1]
            assert "drawer" not in listed.read_text("utf-8"), "nothing enters unasked"
            await studio.press("r")
            await studio.answer(Ask, "Why it is locked.")
            await studio.until(lambda: "drawer" in listed.read_text("utf-8"), "the promise")
            await marks(studio, "planted  The drowned bell  proposed")
            await studio.press("a")
            await studio.until(lambda: "proposed" not in studio.screen, "nothing waits")
    promises = json.loads(listed.read_text("utf-8"))["promises"]
    stand = {p["id"]: (p["description"], p["planted"]) for p in promises}
    assert stand["bell"] == ("The drowned bell", 1)
    assert stand["drawer"] == ("Why it is locked.", 1)
    assert "rain" not in stand


async def test_an_empty_page_names_the_key_that_makes_the_first_entry(tmp_path: Path) -> None:
    folder = make_novel(tmp_path / "novel").layout.folder
    async with opened(folder, os.environ, (80, 24)) as studio:
        await studio.press("M")
        for tab, words in (
            ("bible", "n looks for names in the chapters"),
            ("promises", "R has a model look for promises"),
            ("knowledge", "Enter on “Secrets”"),
            ("continuity", "R has a model look for what code"),
        ):
            await studio.sees(MemoryScreen, words)
            assert "There is nothing here yet" not in studio.screen, tab
            await studio.press("tab")


# req: H6
@pytest.mark.sweep
async def test_what_the_engine_says_of_the_book_is_in_the_language_of_the_interface(
    sample: Path,
) -> None:
    contract = sample / "volumes/vol-01/chapter-contracts/chapter-003.json"
    outline = sample / "volumes/vol-01/outline.md"
    i18n.use("ko")
    async with opened(sample, os.environ, (120, 36)) as studio:
        await studio.press("M", "tab", "tab", "tab")
        await marks(studio, "2장에서 죽었는데")
        contract.unlink()
        outline.write_text("# Volume 1\n", "utf-8")
        await studio.press("tab")
        await studio.until(lambda: "계획이 없습니다" in studio.screen, "what is in the way")
