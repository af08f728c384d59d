"""What happens in the book, and the model that plans, drafts, judges and remembers it.

It answers by what it is asked and never by when, so that a killed run comes to the same book.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.fake_messages import Asked, Rule
from tests.pipeline.flows import Model, block, directive, judged, scene_number

TITLE = "The Lamp"
PREMISE = "A keeper's daughter counts the steps of a lamp that was never lit.\n"
SAMPLE = """The stove had gone out in the night, and nobody had said so. She laid the kindling \
crosswise, as her father had, and blew until the paper caught.

“You are early,” said the wind from the stairs. “Nobody is early here, and nobody was early in my \
father's time, when the boats still went out under oars.”
"""
JOSS = "# Joss\n\nHer brother. He rows to the wreck at slack water.\n"
"""The page that the writer makes of him in her own editor."""
TRIALS = 3
HELD_BACK, REVISED = 2, 5
"""The chapter that the gate holds back until its second scene is drafted as the writer says, and
the one that is weak however often it is drafted."""
MENDED = 3
"""The chapter of which one passage is proposed for surgery, and mended."""
GAPS = (4, 6, 7)
"""Chapters whose summaries nobody can read the first time: on the tenth they are read again."""
LEAVES = 7
"""The chapter behind which Joss leaves the story."""
NOTE = "2: the bell must be heard"
"""What the writer says when the gate holds the chapter back."""
HEARD = "Out on the water the bell was heard at last."
WEAK = "She counted the steps of the tower."
BELL = "Nobody rang the bell."
LETTER = "The letter stayed in her sleeve."
TASKS = {
    5: ("bell", "plant"),
    8: ("bell", "advance"),
    11: ("bell", "resolve"),
    14: ("letter", "plant"),
    22: ("letter", "resolve"),
}
"""What a chapter does for a promise."""
PROMISES = {
    "bell": {"description": "Who rang the bell", "scope": "long", "due": 11},
    "letter": {"description": "What the letter says", "scope": "medium", "due": 22},
}
_REACH = re.compile(r"Lay out volume (\d+): chapters (\d+) to (\d+)")
_SUMMARIZED = re.compile(r"Summarize chapter (\d+)")
_NIGHT = re.compile(r"night (\d+)")
_LINES = ("voice", "tense", "sentence_rhythm", "diction", "dialogue")
PERSON = {
    **dict.fromkeys(("role", "voice", "wants", "fears"), ""),
    **{name: [] for name in ("aliases", "always", "never", "knows")},
    "id": "mara",
    "name": "Mara",
    "profile": "She counts.",
}


def night(number: int) -> dict[str, Any]:
    """A chapter of an outline."""
    happens = f"Mara climbs the tower on night {number}."
    return {"chapter": number, "title": f"Night {number}", "happens": happens}


def outlined(asked: Asked) -> Rule:
    """The trial chapters."""
    return Rule(value={"chapters": [night(number) for number in range(1, TRIALS + 1)]})


def planned(asked: Asked) -> Rule:
    """The architect's answer to the chapters that are asked for."""
    match = _REACH.search(asked.prompt)
    assert match is not None
    numbers = range(int(match[2]), int(match[3]) + 1)
    tasks = {n: [dict(zip(("id", "action"), TASKS[n], strict=True))] for n in TASKS}
    plain = {"storyline_id": "main", "concurrent": [], "pov": "mara", "characters": ["mara"]}
    chapters = [
        {
            **night(number),
            **plain,
            "objectives": [f"She counts the steps of night {number}"],
            "must_not": [],
            "promises": tasks.get(number, []),
        }
        for number in numbers
    ]
    planted = {name for n, (name, action) in TASKS.items() if n in numbers and action == "plant"}
    promises = [{"id": name, **PROMISES[name], "characters": ["mara"]} for name in sorted(planted)]
    return Rule(value={"about": "The lamp.", "chapters": chapters, "promises": promises})


def drafted(asked: Asked) -> Rule:
    """A scene of its night; as the writer wants it, where she said what she wants."""
    match = _NIGHT.search(block(asked, "contract") or asked.prompt)
    number = int(match[1]) if match else 1
    who = "Joss" if number <= LEAVES else "A gull"
    steps = (
        WEAK,
        "The oil smelled of fish.",
        f"{who} called from the quay below.",
        "Rain ran down the glass on the outside of the lamp.",
        BELL,
        LETTER,
        "A gull sat on the rail with its back to the sea.",
    )
    turn = f"It was night {number}, and turn {scene_number(asked)} of it."
    rows = [f"{step} {turn}" for step in steps]
    if NOTE.partition(": ")[2] in block(asked, "notes"):
        rows.append(HEARD)
    return Rule(text="\n\n".join(rows))


def weighed(asked: Asked) -> Rule:
    """A good chapter, but for those that the gate has to look at."""
    text = block(asked, "chapter")
    match = _NIGHT.search(text)
    number = int(match[1]) if match else 0
    if number == HELD_BACK and HEARD not in text:
        return judged(2.5)
    if number == REVISED:
        return judged(3.2)
    if number == MENDED:
        first = f"{WEAK} It was night {number}, and turn 1 of it."
        return judged(4.4, [directive(1, 1, currentText=first)])
    return judged(4.4)


@dataclass
class Memory:
    """The summarizer. Of some chapters it says nothing that can be read until it is mended."""

    mended: bool = field(default=False)

    def __call__(self, asked: Asked) -> Rule:
        match = _SUMMARIZED.search(asked.prompt)
        assert match is not None
        number = int(match[1])
        if number in GAPS and not self.mended:
            return Rule(text="{")
        ops: list[dict[str, Any]] = [
            {"op": "set", "path": "characters.mara.counted", "value": 91 * number}
        ]
        if number == 1:
            ops += [
                {"op": "set", "path": f"items.{i}.holder", "value": "mara"}
                for i in ("oil-can", "ladder")
            ]
        if number == LEAVES + 1:
            ops.append({"op": "set", "path": "characters.joss.mood", "value": "gone"})
        if number in TASKS:
            promise, action = TASKS[number]
            words = BELL if promise == "bell" else LETTER
            ops.append({"op": "foreshadow", "path": promise, "value": action, "quote": words})
        summary = f"Mara climbs the tower on night {number} and counts."
        return Rule(value={"summary": summary, "ops": ops, "crossref": [], "memory": summary})


def answering(memory: Memory) -> Model:
    """The whole model."""
    style = {**dict.fromkeys(_LINES, "plain"), "sample": "", "exemplars": []}
    style |= {name: [] for name in ("imagery", "do", "avoid")}
    world = {"documents": [{"name": "Tower", "text": "Ninety-one steps."}], "rules": []}
    return Model(
        style=Rule(value=style),
        world=Rule(value=world),
        person=Rule(value=PERSON),
        outline=outlined,
        volume=planned,
        draft=drafted,
        judge=weighed,
        summary=memory,
    )
