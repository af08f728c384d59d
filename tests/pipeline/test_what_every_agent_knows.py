"""What every agent is told of a random book in every mode and window, and what of the chapters
behind it nobody is told (WRITING 1)."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import Any

import pytest

from studio.agent_pages import KNOWN_BLOCKS
from studio.pipeline.orders import PassageMode, PassageOrder
from studio.pipeline.outcome import Committed
from studio.story.review.passage import read_place
from tests.fake_messages import Asked, Rule
from tests.pipeline.conftest import OpenDesk
from tests.pipeline.flows import (
    Desk,
    Model,
    block,
    directive,
    judged,
    kind_of,
    scene_number,
    unrefined,
)
from tests.pipeline.random_plans import Book, empty_or_bare
from tests.pipeline.scene_plans import planning, scene
from tests.project.novels import put

WINDOWS = (8_192, 32_768, 200_000)
PLAN = (
    "scene-plan",
    "must-not",
    "contract",
    "outline",
    "volume-outline",
    "scene-list",
    "plan-units",
)
"""The blocks that say what is planned, for any agent."""
LATER = "tobex"
"""Stands in all that is told from chapter 3 on."""
TOLD = {
    "scenes": ("people", "direction", "plan-units"),
    "brief": ("style", "people", "must-not"),
    "draft": ("style", "craft", "people", "must-not"),
    "bridge": ("style", "craft"),
    "refine": ("style", "craft", "chapter"),
    "judge": ("style", "craft", "people", "direction", "contract", "chapter"),
    "surgery": ("style", "craft", "people", "around", "passage"),
    "reader": ("style", "around"),
    "anew": ("style", "craft", "people", "must-not", "behind", "chapter-so-far"),
    "changed": ("style", "craft", "people", "must-not", "behind", "chapter-so-far", "passage"),
}
"""What no call of a kind goes without, by the blocks."""
KEPT = ("must-not", "direction", "contract", "plan-units", "chapter", "passage")
"""What of it no window is too small for."""
FIELDS = frozenset({"scene", "summary", "findings"})
"""Names of blocks that an answer has as fields too."""
SENTINELS = {"style": "stylex", "people": "marax", "must-not": "nevern", "direction": "wishx"}


class Library(Book):
    """A random book of three chapters, whose scenes take turns of places and people."""

    def __init__(self, seed: int, language: str, mode: str) -> None:
        super().__init__(seed, language)
        self.mode = mode
        self.scenes = self.pick.randint(2, 4)
        self.planned = ("scenes", "beats", "model")[seed % 3]
        self.in_beats = self.planned != "scenes"
        self.units = 1 if self.planned == "model" else self.scenes
        self.prose_of = {n: self.prose(f"first{n}x", f"last{n}x") for n in range(1, 5)}

    def contract(self, chapter: int) -> dict[str, Any]:
        plan = super().contract(chapter)
        for number, one in enumerate(plan.get("scenes", ())):
            one["location"] = ("quay", "loft")[number % 2]
            one["characters"] = (["mara"], ["mara", "joss"])[number % 2]
            one["entry_emotion"], one["exit_emotion"] = (("calm", "afraid"), ("bold", "sad"))[
                number % 2
            ]
        if self.planned == "model":
            return plan | {"beats": plan["beats"][:1]}
        return plan

    def model(self) -> Model:
        """Answers with the scenes of this book."""
        first = self.prose_of[1].split("\n\n")[0]
        parts = [
            scene(self.sentence(f"part{n}x"), units=[1], location=None)
            for n in range(1, self.scenes + 1)
        ]

        def draft(asked: Asked) -> Rule:
            number = scene_number(asked)
            return Rule(text=f"## Prose\n\n{self.prose_of[number]}\n\n## Hints\n\nhint{number}x")

        return Model(
            draft=draft,
            judge=judged(directives=[{**directive(1, 1), "currentText": first}]),
            refine=unrefined,
            scenes=planning(*parts),
        )


def opened(book: Library, desk: OpenDesk, window: int) -> Desk:
    """The novel on disk, its first chapter in the book."""
    settings = (
        f'[novel]\ntitle = "N"\nlanguage = "{book.language}"\n[targets]\nscene_length = 240\n'
        f'chapter_length = 480\n[generation]\nmode = "{book.mode}"\ntools = "off"\n'
        '[refine]\non = "always"\n'
    )
    desk_ = desk(book.model(), settings=settings, contract=None)
    profile = {"window": window, "max_output": 2000}
    desk_.overrides["provider.endpoints"] = {desk_.server.url: profile}
    outlines = []
    for chapter in (1, 2, 3):
        plan = book.contract(chapter)
        put(desk_.folder, f"volumes/vol-01/chapter-contracts/chapter-{chapter:03d}.json", plan)
        beats = plan.get("beats") or [one["purpose"] for one in plan["scenes"]]
        lines = [*beats, book.sentence(f"outline{chapter}x")]
        outlines.append(f"## Chapter {chapter}: T{chapter}\n\n{' '.join(lines)}\n")
    put(desk_.folder, "volumes/vol-01/outline.md", "\n".join(outlines))
    later = f"\n\n## From chapter 3\n\n{book.sentence(LATER)}\n"
    for slug in ("quay", "loft"):
        page = f"# {slug.title()}\n\n{book.sentence(f'{slug}x')}{later}"
        put(desk_.folder, f"world/{slug}.md", page)
    for slug in ("mara", "joss"):  # a line is told of whom the scene has not, of others a card
        card = "\n\n".join(book.sentence(word) for word in ("", "", "", f"{slug}x"))
        put(desk_.folder, f"characters/active/{slug}.md", f"{card}{later}")
    put(desk_.folder, "style-profile.json", {"schema_version": 1, "voice": book.sentence("stylex")})
    secret = {"id": "s", "fact": book.sentence(LATER), "reader_from": 3, "known_by": []}
    put(desk_.folder, "world/secrets.json", {"schema_version": 1, "secrets": [secret]})
    fact = {"path": "items.lamp.mark", "value": book.sentence(LATER), "from": 3}
    put(desk_.folder, "world/facts.json", {"schema_version": 1, "facts": [fact]})
    by_hand(desk_, book, 1, book.prose("older", "nearlyx", 40), "lastpagex")
    return desk_


def by_hand(desk_: Desk, book: Library, chapter: int, prose: str, last: str) -> None:
    """Brings a chapter of her own into the book."""
    path = desk_.folder.parent / f"own-{chapter}.md"
    path.write_text(f"# T{chapter}\n\n{prose}\n\n{book.sentence(last)}\n", "utf-8")
    assert isinstance(desk_.write(chapter=chapter, draft=path).outcome, Committed)
    desk_.server.asked.clear()


# req: J1
@pytest.mark.sampled
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("mode", ["standard", "prewriter"])
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
@pytest.mark.parametrize("seed", range(3))
def test_every_agent_is_told_what_is_his_and_nobody_what_comes_later(
    desk: OpenDesk, seed: int, language: str, mode: str, window: int
) -> None:
    book = Library(seed, language, mode)
    desk_ = opened(book, desk, window)
    direction = f"{book.sentence('wishx')}\nscene 1: {book.sentence('onlyx')}"
    assert isinstance(desk_.write(chapter=2, direction=direction).outcome, Committed)
    first, all_fits = list(desk_.server.asked), window > WINDOWS[0]
    for asked in first:
        told(asked, book, all_fits=all_fits)
    kinds = {kind_of(asked) for asked in first}
    assert ("scenes" in kinds) == (book.planned == "model")
    assert ("brief" in kinds) == (mode == "prewriter")
    if all_fits:  # what cannot be read whole is not judged
        assert kinds >= {"draft", "refine", "judge", "surgery", "reader", "summary"}
        assert ("bridge" in kinds) == (book.planned == "scenes")

    by_hand(desk_, book, 3, book.prose(LATER, LATER), LATER)
    ran = desk_.write(chapter=2, again=True, direction=direction)
    assert isinstance(ran.outcome, Committed), ran.outcome
    again = list(desk_.server.asked)
    assert not all_fits or {"judge", "surgery"} <= {kind_of(asked) for asked in again}
    for asked in again:
        told(asked, book, all_fits=all_fits)
    ways: tuple[PassageMode, ...] = ("regenerate", "refine")
    for way in ways:
        desk_.server.asked.clear()
        wish = book.sentence("passagex")
        order = PassageOrder(2, read_place("1.3"), way, wish, 1)
        asyncio.run(desk_.session().passages().write(order, lambda event: None))
        assert desk_.server.asked
        for asked in desk_.server.asked:
            told(asked, book, all_fits=all_fits)
            of_a_passage(asked, book, way)
            assert asked.prompt.count(wish) == 1


def told(asked: Asked, book: Library, *, all_fits: bool) -> None:
    """A request has what its agent needs, each once, and nothing of what is told later; in a small
    window it has what is never left out (CONTRACTS 16)."""
    kind = kind_of(asked)
    for name in TOLD.get(kind, ()):
        if all_fits or name in KEPT:
            assert SENTINELS.get(name, "") in block(asked, name), (kind, name)
            assert block(asked, name), (kind, name)
    assert LATER not in asked.prompt, kind
    empty_or_bare(asked.prompt)
    said_once(asked)
    nothing_named_is_missing(asked)
    if kind in ("draft", "brief"):
        of_a_scene(asked, book, all_fits=all_fits)
    if kind == "judge":
        assert "onlyx" in block(asked, "direction"), "it amends the plan"
        assert all(f"beat2x{n}x" in block(asked, "contract") for n in range(1, book.units + 1))
    if kind == "judge" and all_fits:
        assert ("quayx" in block(asked, "world")) == (book.planned == "scenes")
    if kind == "surgery":
        assert "jossx" not in asked.prompt, "nobody else is there"
    if kind == "surgery" and all_fits:
        assert ("quayx" in block(asked, "place")) == (book.planned == "scenes")


def of_a_scene(asked: Asked, book: Library, *, all_fits: bool) -> None:
    """The request for a scene has what stands before it, its own place and its own people."""
    match = re.search(r"(?:Write|Prepare) scene (\d)", asked.prompt)
    if match is None:
        return  # the brief of a passage
    number = int(match[1])
    for earlier in range(1, number):
        assert f"hint{earlier}x" in block(asked, "chapter-so-far")
        whole = all_fits or earlier == number - 1
        assert asked.prompt.count(f"last{earlier}x") in ((1,) if whole else (0, 1))
        assert asked.prompt.count(f"first{earlier}x") in ((1,) if whole else (0, 1))
    for still_to_come in range(number, 5):
        assert f"first{still_to_come}x" not in asked.prompt
    if all_fits:
        assert "lastpagex" in block(asked, "previous-tail")
    if book.planned == "scenes" and all_fits:
        here, there = (("quayx", "loftx"), ("loftx", "quayx"))[(number - 1) % 2]
        assert here in block(asked, "place")
        assert there not in block(asked, "place")
        assert ("jossx" in block(asked, "people")) == (number % 2 == 0)
        if not block(asked, "writing-brief"):
            assert ("Joss" in block(asked, "scene-plan")) == (number % 2 == 0)
    if not block(asked, "writing-brief"):
        assert "wishx" in block(asked, "direction")
        assert ("onlyx" in asked.prompt) == (number == 1)
        mine = f"part{number}x" if book.planned == "model" else f"beat2x{number}x"
        assert asked.prompt.count(mine) == 1


def of_a_passage(asked: Asked, book: Library, way: PassageMode) -> None:
    """The request for another version has the story before the passage, and two paragraphs of what
    stands behind it."""
    paragraphs = book.prose_of[1].split("\n\n")
    assert "first1x" in block(asked, "chapter-so-far")
    assert (paragraphs[2] in asked.prompt) == (way == "refine" and kind_of(asked) != "brief")
    for behind in paragraphs[3:5] if block(asked, "behind") else ():
        assert behind in block(asked, "behind")
    for later in paragraphs[5:]:
        assert later not in asked.prompt
    assert "first2x" not in asked.prompt


def nothing_named_is_missing(asked: Asked) -> None:
    """No block is spoken of that is not there."""
    there = set(re.findall(r'<m[0-9a-f]{6,} name="([^"]+)">', asked.prompt))
    page = re.sub(r'<(m[0-9a-f]{6,}) name="[^"]+">\n.*?\n</\1>', "", asked.prompt, flags=re.DOTALL)
    names = {name for name in re.findall(r"`([a-z][a-z-]*)`", page) if name in KNOWN_BLOCKS}
    spoken = names - there - (FIELDS if asked.schema is not None else frozenset())
    assert not spoken, (kind_of(asked), spoken)


def said_once(asked: Asked) -> None:
    """No run of sixty characters stands twice among the blocks of a plan."""
    words = "\n".join(block(asked, name) for name in PLAN)
    runs = Counter(words[at : at + 60] for at in range(max(0, len(words) - 59)))
    assert [run for run, times in runs.items() if times > 1] == []
