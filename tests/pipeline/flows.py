"""What the tests of the engine share: a small novel, a model that answers by what it is asked,
and runs with all their events."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from studio.config.schema import RefineSettings
from studio.pipeline.events import Event, StageEvent, WarningEvent
from studio.pipeline.outcome import Committed, Outcome, Paused
from studio.project.store import ProjectStore
from studio.session import Session, WriteOrder
from studio.story.checkpoint import Checkpoint, Decision
from studio.story.review.evaluation import SCORE_NAMES
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.scene_plans import planning, scene_of_the_plan
from tests.pipeline.scenes import SCENES as SCENES
from tests.project.novels import put

Kind = Literal[
    "style",
    "world",
    "person",
    "outline",
    "volume",
    "plan",
    "scenes",
    "brief",
    "draft",
    "refine",
    "bridge",
    "surgery",
    "judge",
    "summary",
    "reader",
    "anew",
    "changed",
    "questions",
]
Answer = Rule | Callable[[Asked], Rule]
Listener = Callable[[Event], None]

_TAG = re.compile(r"\bm[0-9a-f]{10}\b")
_BLOCK = r'<(m[0-9a-f]{6,}) name="%s">\n(.*?)\n</\1>'

SETTINGS = """[novel]
title = "The Lamp Room"
language = "en"
[targets]
scene_length = 120
chapter_length = 240
"""
if (
    RefineSettings.model_fields["on"].annotation is not bool
):  # what was repaired is proved before it too
    SETTINGS += '[refine]\non = "always"\n'
CONTRACT: dict[str, Any] = {
    "schema_version": 1,
    "chapter": 1,
    "volume": 1,
    "title": "The Lamp Room",
    "storyline_id": "main",
    "pov": "mara",
    "characters": ["mara", "joss"],
    "objectives": ["Mara finds the key under the oil cans"],
    "must_not": ["Joss learns of the letter"],
    "foreshadowing": [{"id": "drowned_bell", "action": "plant"}],
    "scenes": [
        {"number": 1, "purpose": "Mara searches the lamp room", "exit_emotion": "resolved"},
        {"number": 2, "purpose": "Joss comes up the stairs", "exit_emotion": "afraid"},
    ],
}


def make_novel(folder: Path, settings: str = SETTINGS, contract: Any = CONTRACT) -> Path:
    """A novel of five files: what a writer has after five minutes."""
    put(folder, "studio.toml", settings)
    put(folder, "brief.md", "A lighthouse, a brother and a sister, and a bell under the water.\n")
    for slug in ("mara", "joss"):
        person = {"schema_version": 1, "id": slug, "name": slug.title()}
        put(folder, f"characters/active/{slug}.json", person)
    if contract is not None:
        name = f"chapter-{contract['chapter']:03d}.json"
        put(folder, f"volumes/vol-01/chapter-contracts/{name}", contract)
    return folder


def kind_of(asked: Asked) -> Kind:
    """Which of our agents asks."""
    if asked.schema is not None:
        fields: dict[str, Kind] = {
            "documents": "world",
            "exemplars": "style",
            "profile": "person",
            "about": "volume",
            "ends": "plan",
            "chapters": "outline",
            "scenes": "scenes",
            "questions": "questions",
            "edits": "refine",
        }
        if kinds := [kind for name, kind in fields.items() if name in asked.schema["properties"]]:
            return kinds[0]
        if "differences" in asked.schema["properties"]:
            return "reader"
        return "judge" if "scores" in asked.schema["properties"] else "summary"
    task = asked.blocks[-1]["text"]
    firsts: dict[str, Kind] = {
        "Prepare scene": "brief",
        "Write scene": "draft",
        "Bridge the": "bridge",
        "Return the": "surgery",
        "REGENERATE": "anew",
        "REFINE": "changed",
        "Prepare this": "brief",
    }
    short: Kind = "surgery"  # a small model gets an instruction and a passage, and nothing else
    return next((kind for first, kind in firsts.items() if task.startswith(first)), short)


def block(asked: Asked, name: str) -> str:
    """The text of a prompt's block; empty if the prompt has none of that name."""
    match = re.search(_BLOCK % re.escape(name), asked.prompt, re.DOTALL)
    return match[2] if match else ""


def scene_number(asked: Asked) -> int:
    """The scene a draft is asked for."""
    match = re.search(r"Write scene (\d+)", asked.prompt)
    assert match is not None
    return int(match[1])


def body_of(asked: Asked) -> str:
    """The request's identity: its body without the attempt's random tag."""
    return _TAG.sub("mTAG", json.dumps(asked.body, sort_keys=True, ensure_ascii=False))


def scores(number: float = 4.2, **others: float) -> dict[str, Any]:
    """The judge's eight scores, with a fault below 4."""

    def one(name: str, score: float) -> dict[str, Any]:
        reason = f"{name} so far"
        return {"score": score, "reason": reason, "fault": reason * (score < 4), "scene": None}

    return {name: one(name, others.get(name, number)) for name in SCORE_NAMES}


def judged(number: float = 4.2, directives: Any = (), violations: Any = (), **other: Any) -> Rule:
    """A judgement."""
    value = {
        "scores": scores(number, **other),
        "violations": list(violations),
        "directives": list(directives),
        "reader_experience": "I wanted to know about the bell.",
    }
    return Rule(value=value)


def violation(quote: str, scene: int | None = None, **other: Any) -> dict[str, Any]:
    """A broken contract, with high confidence unless said otherwise."""
    fields = {
        "layer": "L1",
        "confidence": "high",
        "rule": "No bell rings on this coast",
        "quote": quote,
        "explanation": "A bell rings.",
        "scene": scene,
    }
    return {**fields, **other}


def directive(scene: int, first: int, last: int | None = None, **other: Any) -> dict[str, Any]:
    """A proposal of the judge; the words it quotes are those of SCENES."""
    last = last or first
    fields = {
        "type": "show-not-tell",
        "priority": 2,
        "location": {"sceneNumber": scene, "paragraphStart": first, "paragraphEnd": last},
        "issue": "It tells what could be seen.",
        "currentText": "\n\n".join(SCENES[scene][first - 1 : last]),
        "instruction": "Show it.",
        "maxScope": last - first + 1,
    }
    return {**fields, **other}


def drafted(asked: Asked) -> Rule:
    """The scene of SCENES; with notes, the same scene told a second time."""
    again = " Again the lamp turned." if block(asked, "notes") else ""
    return Rule(text="\n\n".join(p + again for p in SCENES[scene_number(asked)]))


def line_edits(asked: Asked, old: str, new: str) -> Rule:
    """Every paragraph with `old` in it, with `new` in its place."""
    rows = re.findall(r"(?m)^\[(\d+\.\d+)\] (.*)$", block(asked, "chapter"))
    edits = [
        {
            "label": label,
            "before_words": " ".join(text.split()[:6]),
            "after": text.replace(old, new),
        }
        for label, text in rows
        if old in text
    ]
    return Rule(value={"edits": edits})


def refined(asked: Asked) -> Rule:
    """The chapter without one word it can do without."""
    return line_edits(asked, "until the cold", "till the cold")


def unrefined(asked: Asked) -> Rule:
    """No paragraph is changed."""
    return Rule(value={"edits": []})


def operated(asked: Asked) -> Rule:
    """The passage, each paragraph with three words more."""
    return Rule(text=re.sub(r"(?m)(\S)$", r"\1 It held there.", block(asked, "passage")))


def summarized(asked: Asked) -> Rule:
    """A summary whose words and ops follow from the chapter."""
    sha = hashlib.sha256(block(asked, "chapter").encode()).hexdigest()[:8]
    ops = [
        {"op": "set", "path": "characters.mara.holds", "value": f"text {sha}"},
        {"op": "foreshadow", "path": "drowned_bell", "value": "plant"},
    ]
    value = {"summary": f"Mara searches ({sha}).", "ops": ops, "crossref": [], "memory": "A bell."}
    return Rule(value=value)


class Model:
    """Answers by what is asked and never by when, so that two runs can be compared.

    Each kind of call has one answer, or a list of answers: one a call, the last for good. A second
    reader who does not say which text is better likes the new one.
    """

    def __init__(self, **answers: Answer | Sequence[Answer]) -> None:
        plain: dict[str, Answer | Sequence[Answer]] = {
            "scenes": planning(scene_of_the_plan(), scene_of_the_plan()),
            "brief": Rule(text="The lamp room before light. The key lay under the last can."),
            "draft": drafted,
            "refine": refined,
            "bridge": Rule(text="NONE"),
            "surgery": operated,
            "anew": Rule(text="The oil had run dry.\n\nShe looked under the last can, and waited."),
            "changed": operated,
            "judge": judged(),
            "reader": Rule(value={"differences": []}),
            "summary": summarized,
            "questions": Rule(value={"questions": []}),
        }
        self.answers = {**plain, **answers}
        self._counted: dict[str, int] = {}
        self._given: set[str] = set()

    def __call__(self, asked: Asked) -> Rule:
        """The rule for a request."""
        kind = kind_of(asked)
        answer = self.answers[kind]
        if isinstance(answer, Sequence):
            number = self._counted.get(kind, 0)
            self._counted[kind] = number + 1
            answer = answer[min(number, len(answer) - 1)]
        rule = answer if isinstance(answer, Rule) else answer(asked)
        if kind == "surgery":
            self._given.update(_paragraphs(re.sub(r"(?m)^\[\S+\] ", "", block(asked, "passage"))))
        if kind == "reader" and isinstance(rule.value, dict) and "better" not in rule.value:
            return preferring("2" if self._is_old(asked) else "1", rule.value)
        return rule

    def _is_old(self, asked: Asked) -> bool:
        """Whether passage 1 is the one that the surgeon was given, or that code adds words to."""
        first, second = (block(asked, f"passage-{n}") for n in (1, 2))
        if self._given.isdisjoint(_paragraphs(f"{first}\n\n{second}")):
            return len(first) < len(second)
        return self._given.issuperset(_paragraphs(first))


NEW = {"op": "foreshadow", "path": "whose_key", "value": "plant", "quote": "the shape of a key"}
"""A promise that no plan has."""
FACT = {"op": "set", "path": "characters.mara.mood", "value": "hopeful"}


def with_ops(*ops: dict[str, Any]) -> Any:
    """Answers of a summary with further changes of the story's state."""

    def answer(asked: Asked) -> Rule:
        rule = summarized(asked)
        return Rule(value={**rule.value, "ops": [*rule.value["ops"], *ops]})

    return answer


def _paragraphs(text: str) -> list[str]:
    return [paragraph.strip() for paragraph in text.split("\n\n")]


def preferring(better: str, value: dict[str, Any] | None = None, why: str = "It lives.") -> Rule:
    """A second reader's answer with a preference."""
    return Rule(value={**(value or {"differences": []}), "better": better, "why": why})


@dataclass
class Ran:
    """A run: how it ended and what it said."""

    outcome: Outcome
    events: list[Event] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """As the command line would give it."""
        return int(self.outcome.exit_code)

    @property
    def stages(self) -> list[str]:
        """`draft started`, `draft finished`, ... in order."""
        return [f"{e.name} {e.status}" for e in self.events if isinstance(e, StageEvent)]

    @property
    def worked(self) -> list[str]:
        """The stages that did something, in order."""
        return [s.removesuffix(" started") for s in self.stages if s.endswith(" started")]

    @property
    def warnings(self) -> str:
        """All warnings, a line each."""
        return "\n".join(e.message for e in self.events if isinstance(e, WarningEvent))

    @property
    def decision(self) -> Decision:
        """What a person must decide."""
        assert isinstance(self.outcome, Paused), self.outcome
        return self.outcome.decision

    @property
    def committed(self) -> Committed:
        """The chapter in the book."""
        assert isinstance(self.outcome, Committed), self.outcome
        return self.outcome

    def of(self, kind: str) -> list[Any]:
        """Events of one type."""
        return [event for event in self.events if event.type == kind]


@dataclass
class Desk:
    """A novel and the server of its model. Every call opens the novel anew, like a new process."""

    folder: Path
    server: FakeMessages
    overrides: dict[str, object] = field(default_factory=dict)

    @property
    def environ(self) -> dict[str, str]:
        """The environment of a writer who has a server of her own."""
        key = {"ANTHROPIC_BASE_URL": self.server.url, "ANTHROPIC_API_KEY": "key-of-the-writer"}
        return {**os.environ, **key}

    def session(self) -> Session:
        """A fresh Session."""
        return Session.open(self.folder, self.environ, self.overrides)

    def write(self, listen: Listener | None = None, **order: Any) -> Ran:
        """`studio write`, in accept mode unless said otherwise."""
        return self._run("write", listen, order)

    def resume(self, listen: Listener | None = None, **order: Any) -> Ran:
        """`studio resume`."""
        return self._run("resume", listen, order)

    def _run(self, method: str, listen: Listener | None, order: dict[str, Any]) -> Ran:
        events: list[Event] = []

        def emit(event: Event) -> None:
            events.append(event)
            if listen is not None:
                listen(event)

        wanted = WriteOrder(**{"review": "accept", **order})
        outcome = asyncio.run(getattr(self.session(), method)(wanted, emit))
        return Ran(outcome, events)

    def decide(self, option: str, note: str = "") -> None:
        """`studio decide`."""
        self.session().decide(option, note=note)

    @property
    def store(self) -> ProjectStore:
        """The novel on disk."""
        return ProjectStore(self.folder)

    @property
    def checkpoint(self) -> Checkpoint:
        """Where the work stands."""
        return self.store.checkpoint()

    def text(self, chapter: int = 1) -> str:
        """The committed chapter, exactly."""
        return (self.folder / f"chapters/chapter-{chapter:03d}.md").read_bytes().decode()

    def staged(self, chapter: int = 1) -> Path:
        """The staged chapter's file."""
        return self.folder / f"staging/chapters/chapter-{chapter:03d}.md"

    def calls(self) -> list[Kind]:
        """What was asked, in order."""
        return [kind_of(asked) for asked in self.server.asked]

    def bodies(self) -> list[str]:
        """The identities of all requests."""
        return [body_of(asked) for asked in self.server.asked]


BOOK = ("chapters", "summaries", "evaluations", "state", "storylines", "foreshadowing")


def book_of(files: dict[str, str], but: Iterable[str] = ()) -> dict[str, str]:
    """What of a tree only a commit may change."""
    return {
        name: sha
        for name, sha in files.items()
        if name.split("/")[0] in BOOK and name not in but and sha != "folder"
    }


DRAFT = "# The Lamp Room\n\n" + "\n\n* * *\n\n".join("\n\n".join(SCENES[n]) for n in (1, 2)) + "\n"
"""The chapter of SCENES before any model or writer touched it again."""


def ask(desk_: Desk) -> Ran:
    """The writer comes back and goes on, to be asked for every decision."""
    return desk_.resume(review="ask")


def asked_for(desk_: Desk, kind: str) -> list[Asked]:
    """The requests of one kind, in order."""
    return [asked for asked in desk_.server.asked if kind_of(asked) == kind]


def stop_in_the_scene(there: Desk) -> None:
    """`studio write`, and ctrl+c at the first words."""

    async def run() -> None:
        def listen(event: Event) -> None:
            if event.type == "text":
                task.cancel()

        task = asyncio.create_task(there.session().write(WriteOrder(review="accept"), listen))
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(run())
