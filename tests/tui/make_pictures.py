"""`python -m tests.tui.make_pictures` redraws docs/pictures/ and README's picture from the real
app.

It copies the sample novel, writes its third chapter with the fake server, and exports the screen on
the way, at two sizes.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from studio.tui.desk.screen import DeskScreen
from studio.tui.screens.decision import DecisionScreen
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Desk, Model, block, judged, line_edits, scene_number
from tests.small_novels import copied_sample
from tests.tui.pilot import StudioPilot, opened

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
README = Path(__file__).parents[2] / "README.md"
SIZES = ((120, 36), (80, 24))
SCENES = {
    1: (
        "Joss carried the Book as a rule. Tonight Mara took it under her own arm and went down"
        " the passage without a lamp, one hand on the wall.",
        "The lamp room was as cold as the inside of a bell. It smelled of oil and of stone that"
        " had never once been dry. Forty-four brass tallies hung on the board, and she counted"
        " them from the left, the way he did, touching none.",
        "Forty-three.",
        "She counted from the right. Between forty and forty-two the wood was bright, a clean"
        " ring the size of a penny, with ninety years of tarnish round it.",
        "“Forty-one,” she said aloud, and her breath stood in front of the number.",
        "On the rack the lamps waited in their rows with their glasses out. She put her palm on"
        " the nearest, and on the next. At the sixth place in the fourth row she felt that the"
        " brass was warm, and she took her hand away as if it had spoken.",
    ),
    2: (
        "A door, then boots. Mara stepped behind the rack and held its edge.",
        "Joss came in backwards with the can, shouldering the door. He had shaved; the soap came"
        " in before him, and under it the bicycle oil. He set out his cloth and his tin, sat"
        " down with his back to her, and began on a glass. It squeaked.",
        "He was four steps away. She could have laid her hand between his shoulders.",
        "“Norman Tait is in his leeks,” she said, no louder than she would have said it at a"
        " bedside.",
        "The cloth went round. It went round again. He held the glass up to the bulb, found a"
        " thumbprint, and breathed on it.",
        "Under her fingers the edge of the rack had been worn smooth by two lifetimes of sleeves."
        " She was very sad and also rather frightened, and she did not say anything else.",
    ),
    3: (
        "She gave him the length of the passage, and then the length of the yard.",
        "The base of lamp forty-one turned under her palm with the thread of a thing that had"
        " been opened often. Three turns. Four. Old oil came out on the air, brown and sweet.",
        "What slid into her hand was heavier than a wick. A key, iron, with a broken ward, and"
        " round it a page folded in eight.",
        "The pencil sloped. It had always sloped; he wrote as he walked, she used to think, into"
        " a wind. *Report of the 30th October.* Under it his name, and under his name, upright"
        " and careful as a boy’s, the other one.",
        "She read it standing. Then she wound the base back on, four turns, three, and set the"
        " lamp in its place in the sixth of the fourth row, where it went on being warm.",
    ),
}
PROPOSALS = (
    (
        (1, 6),
        "The warmth is told through “felt that”; the chapter turns on it.",
        "Put the hand on the brass without the verb that reports it.",
        "On the rack the lamps waited in their rows with their glasses out. She put her palm on"
        " the nearest, and on the next. The sixth of the fourth row was warm. She took her hand"
        " away as if it had spoken.",
    ),
    (
        (2, 6),
        "Two feelings are named where the worn edge of the rack already carries them.",
        "Show what her hands do; name no feeling.",
        "Under her fingers the edge of the rack had been worn smooth by two lifetimes of sleeves."
        " She held it until the squeaking stopped.",
    ),
)
TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


def drafted(asked: Asked) -> Rule:
    """Returns a scene; the second pauses in the middle until it is released."""
    number = scene_number(asked)
    text = "\n\n".join(SCENES[number])
    return Rule(mode="hold", after=26, text=text) if number == 2 else Rule(text=text)


def refined(asked: Asked) -> Rule:
    """Returns the paragraphs with one word less."""
    return line_edits(asked, "never once", "never")


Proposal = tuple[tuple[int, int], str, str, str]
"""The scene and paragraph, the issue, the instruction, and the rewritten text."""


def operated(asked: Asked, proposals: Sequence[Proposal] = PROPOSALS) -> Rule:
    """Returns the passage rewritten as the proposal asks."""
    passage = block(asked, "passage")
    return Rule(text=next(new for (s, p), _, _, new in proposals if SCENES[s][p - 1] in passage))


def proposed(proposals: Sequence[Proposal] = PROPOSALS) -> Rule:
    """Returns the judge's answer with these proposals."""
    directives = [
        {
            "type": "show-not-tell",
            "priority": 2,
            "location": {"sceneNumber": s, "paragraphStart": p, "paragraphEnd": p},
            "issue": issue,
            "currentText": SCENES[s][p - 1],
            "instruction": instruction,
            "maxScope": 1,
        }
        for (s, p), issue, instruction, _ in proposals
    ]
    return judged(directives=directives)


MODEL = Model(
    draft=drafted,
    refine=refined,
    surgery=operated,
    judge=proposed(),
    summary=Rule(
        value={
            "summary": "Mara finds lamp 41 warm, tries Joss’s hearing, and reads the report.",
            "ops": [],
            "crossref": [],
            "memory": "Mara has the key and the report; Joss does not know it.",
        }
    ),
)


async def take(studio: StudioPilot, name: str) -> None:
    """Exports the current screen at both sizes, what w costs included."""
    if isinstance(studio.app.screen, DeskScreen) and not studio.desk.state.run.running:
        await studio.until(lambda: studio.desk.state.price_known, "what w costs")
    for columns, rows in SIZES:
        await studio.pilot.resize_terminal(columns, rows)
        await studio.pilot.pause(0.3)
        drawn = studio.app.export_screenshot(title="studio")
        drawn = re.sub(r"terminal-\d+", f"{name}-{columns}", drawn)
        path = PICTURES / f"{name}-{columns}x{rows}.svg"
        path.write_text("\n".join(map(str.rstrip, drawn.splitlines())) + "\n", "utf-8")
        put_in_readme(f"{name}-{columns}x{rows}", studio.screen)
    await studio.pilot.resize_terminal(*SIZES[0])
    await studio.pilot.pause()


def put_in_readme(name: str, screen: str) -> None:
    """Draws the picture in README as text, which is also visible on the page of the package, where
    no files of the checkout are available."""
    block = re.compile(rf"(?<=<!-- drawn: {name} -->\n```text\n).*?(?=\n```\n)", re.S)
    README.write_text(block.sub(lambda _: screen.rstrip(), README.read_text("utf-8")), "utf-8")


async def launcher() -> None:
    """Exports the launcher as somebody with a key first sees it; the home folder exists in name
    only."""
    environ = {"HOME": "/home/writer", "ANTHROPIC_API_KEY": "key-of-the-writer", **TERMINAL}
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        os.environ.pop(name, None)
    os.environ["HOME"] = environ["HOME"]
    async with opened(None, environ, painted=True) as studio:
        await take(studio, "launcher")


async def chapter(there: Desk, environ: dict[str, str]) -> None:
    """Exports the desk, and the third chapter from `w` to the commit."""
    async with opened(there.folder, environ, painted=True) as studio:
        await studio.until(lambda: isinstance(studio.app.screen, DeskScreen), "the desk")
        await take(studio, "desk")
        await studio.press("w")
        await studio.until(lambda: "Norman Tait" in studio.desk.state.run.prose, "the stream")
        await take(studio, "stream")
        there.server.released.set()
        await studio.until(lambda: studio.desk.state.run.outcome is not None, "the outcome")
        await studio.until(lambda: studio.desk.state.settled, "the desk")
        await studio.press("3")
        await take(studio, "review")
        sheet = studio.directives.sheet
        assert sheet is not None
        for directive in sheet.directives:
            if directive.status.value == "pending":
                await studio.accept(directive.id)
        await studio.write_next()
        await studio.press("3", "k", "k", "k", "1", "down", "3")
        studio.desk.go_to_tab("diff")
        await take(studio, "rewrite")
        for directive in studio.directives.sheet.directives if studio.directives.sheet else ():
            if directive.status.value == "applied":
                await studio.accept(directive.id)
        await studio.write_next()
        await studio.until(lambda: isinstance(studio.app.screen, DecisionScreen), "the card")
        await take(studio, "decision")
        await studio.decide("commit")
        await take(studio, "committed")


def main() -> None:
    """Draws all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place, FakeMessages(answering=MODEL) as server:
        home = Path(place)
        novel = copied_sample(home / "the-returns-book")
        there = Desk(novel, server)
        own = {name: str(home / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        os.environ.update(own)
        given = {k: v for k, v in there.environ.items() if k != "NO_COLOR"}
        asyncio.run(chapter(there, {**given, **TERMINAL, **own}))
        asyncio.run(launcher())


if __name__ == "__main__":
    main()
