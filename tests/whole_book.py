"""A book from an empty folder to its last volume, turn by turn, with kills spread over it.

Each turn is what a writer would do next by what is on disk: answer the open question, begin, plan
a volume, write, look back. A turn that is killed is simply taken again. Run as a program it does
so twice, without and with kills, and compares: `python3 dev.py book`.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import importlib
import random
import re
import signal
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from studio.book.continuity.ledger import ledger_of
from studio.fsio import fault_points
from studio.pipeline.book_runs.volume_desk import VolumeOrder
from studio.pipeline.outcome import Failed
from studio.pipeline.volume.volume_close import VolumeClose
from studio.project.check.verify import verify
from studio.project.create import create_novel
from studio.session import Session, StartOrder, WriteOrder
from studio.story.checkpoint import Checkpoint, Decision, OrchestratorState
from studio.text.language.packs import load_pack
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.flows.life import drafted
from tests.forking import in_child
from tests.pipeline.flows import Model, judged

PREMISE = "A keeper's daughter counts the steps of a lamp that was never lit.\n"
SAMPLE = """The stove had gone out in the night, and nobody had said so. She laid the kindling \
crosswise, as her father had, and blew until the paper caught.

“You are early,” said Joss from the stairs. “Nobody is early here, and nobody was early in my \
father's time, when the boats still went out under oars.”
"""
ANSWERS = {
    "brief": "go-on",
    "clean_up": "accept",
    "continuity": "go-on",
    "review": "commit",
    "gate": "keep",
}
"""What the writer says to a question of each kind."""
COMPARED = ("chapters/", "summaries/", "state/current-state.json", "foreshadowing/", "volumes/")
LONGEST = 400
"""Turns after which a book that does not end is a fault."""
_LOADED_ONCE = (
    "anthropic",
    "jsonschema",
    "studio.llm.providers.anthropic",
    "studio.pipeline.book_runs.beginning_run",
    "studio.pipeline.orchestrator",
    "studio.pipeline.review.decisions",
    "studio.story.form.validation",
    "studio.text.oracle.report",
)
"""What every turn needs: a child begins with what is loaded here."""
_REACH = re.compile(r"Lay out volume (\d+): chapters (\d+) to (\d+)")


def volume_plan(asked: Asked) -> Rule:
    """The architect's answer to the chapters that are asked for."""
    match = _REACH.search(asked.prompt)
    assert match is not None
    first, last = int(match[2]), int(match[3])
    chapters = [
        {
            "chapter": number,
            "title": f"Night {number}",
            "happens": f"Mara climbs the tower on night {number}.",
            "storyline_id": "main",
            "concurrent": [],
            "pov": "mara",
            "characters": ["mara"],
            "objectives": [f"She counts the steps of night {number}"],
            "must_not": [],
            "promises": [],
        }
        for number in range(first, last + 1)
    ]
    return Rule(value={"about": "The lamp.", "chapters": chapters, "promises": []})


def answering() -> Model:
    """A model that plans, drafts, judges and summarizes, by what it is asked and never by when."""
    lines = dict.fromkeys(("voice", "tense", "sentence_rhythm", "diction", "dialogue"), "plain")
    style = {**lines, "imagery": [], "do": [], "avoid": [], "sample": "", "exemplars": []}
    world = {"documents": [{"name": "Tower", "text": "Ninety-one steps."}], "rules": []}
    names = dict.fromkeys(("role", "voice", "wants", "fears"), "")
    lists: dict[str, list[str]] = {n: [] for n in ("aliases", "always", "never", "knows")}
    person = {**names, **lists, "id": "mara", "name": "Mara", "profile": "Counts."}
    first = {"chapter": 1, "title": "Night 1", "happens": "Mara climbs the tower on night 1."}
    return Model(
        style=Rule(value=style),
        world=Rule(value=world),
        person=Rule(value=person),
        outline=Rule(value={"chapters": [first]}),
        volume=volume_plan,
        draft=drafted,
        judge=judged(4.4),
    )


@dataclass
class WholeBook:
    """A book that is led to its end."""

    folder: Path
    server: FakeMessages
    volumes: int
    chapters: int
    """Of each volume."""
    kills: int = 0
    seed: int = 7
    killed: int = field(default=0, init=False)
    turns: int = field(default=0, init=False)

    def live(self) -> None:
        """From nothing to the last volume; AssertionError where it does not come to an end."""
        for name in _LOADED_ONCE:
            importlib.import_module(name)
        create_novel(self.folder, "The Lamp", "en")
        chance = random.Random(self.seed)
        while not self.is_over:
            self.turns += 1
            assert self.turns < LONGEST, f"no end: {self.checkpoint.pending_decision}"
            fault = ""
            if self.killed < self.kills and chance.random() < self.kills / 10:
                fault = f"fsio.any:kill:{chance.randint(1, 60)}"
            code = in_child(lambda fault=fault: self._turn(fault))  # type: ignore[misc]
            assert code in (0, -signal.SIGKILL), f"turn {self.turns} ended with {code}"
            self.killed += code != 0

    @property
    def checkpoint(self) -> Checkpoint:
        """Where the work stands."""
        return self._session().store.checkpoint()

    @property
    def is_over(self) -> bool:
        """Whether the last volume was looked back on, and nothing is asked any more."""
        now = self.checkpoint
        last = now.last_completed_chapter == self.volumes * self.chapters
        planning = now.orchestrator_state is OrchestratorState.VOL_PLANNING
        return last and planning and now.pending_decision is None and not now.inflight_chapter

    def _session(self) -> Session:
        key = {"ANTHROPIC_BASE_URL": self.server.url, "ANTHROPIC_API_KEY": "k"}
        homes = {"XDG_STATE_HOME": str(self.folder.parent / "state"), "HOME": str(self.folder)}
        return Session.open(self.folder, {**key, **homes})

    def _turn(self, fault: str) -> None:
        if fault:
            fault_points.arm(fault)
        session, now = self._session(), self.checkpoint
        if now.pending_decision is not None:
            session.decide(_answer(now.pending_decision))
            return
        state, begun = now.orchestrator_state, now.beginning
        if begun is None or (now.is_beginning and not now.inflight_chapter):
            order = StartOrder(premise=PREMISE, sample=SAMPLE, trials=1)
            outcome = asyncio.run(session.start(order, _deaf))
        elif state is OrchestratorState.VOL_PLANNING:
            count = self.chapters - (now.last_completed_chapter % self.chapters)
            outcome = asyncio.run(session.volumes().plan(VolumeOrder(chapters=count), _deaf))
        elif state is OrchestratorState.VOL_REVIEW:
            VolumeClose(session.store, session.settings).review()
            return
        else:
            outcome = asyncio.run(session.write(WriteOrder(), _deaf))
        assert not isinstance(outcome, Failed), outcome

    def files(self) -> dict[str, str]:
        """What has to be the same whatever was killed, by sha256."""
        paths = (p for p in sorted(self.folder.rglob("*")) if p.is_file())
        names = {p.relative_to(self.folder).as_posix(): p for p in paths}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in names.items()
            if name.startswith(COMPARED)
        }

    def faults(self) -> list[str]:
        """What is wrong with the book at its end, a sentence each."""
        session, now = self._session(), self.checkpoint
        last = self.volumes * self.chapters
        wanted = tuple(range(5, last + 1, 5)), tuple(range(10, last + 1, 10))
        faults = []
        if (now.briefed, now.checked) != wanted:
            faults.append(f"briefs {now.briefed}, checks {now.checked}; wanted {wanted}")
        reviews = sum((self.folder / f"volumes/vol-{v:02d}/review.md").is_file() for v in (1, 2))
        if reviews != min(self.volumes, 2):
            faults.append(f"{reviews} reviews of {self.volumes} volumes")
        report = verify(self.folder)
        faults += [f"verify: {entry.message}" for entry in report.of("damage")]
        ledger = ledger_of(session.store, load_pack("en"))
        faults += [f"continuity: {entry.message}" for entry in ledger.high]
        return faults


def _deaf(_event: object) -> None:
    """Nobody listens."""


def _answer(question: Decision) -> str:
    if question.kind in ANSWERS:
        return ANSWERS[question.kind]
    if question.kind == "outline":
        return "end-volume" if "end-volume" in question.options else "accept"
    return question.recommendation


def differences(one: Mapping[str, str], two: Mapping[str, str]) -> list[str]:
    """Files that are not the same in both."""
    return sorted(name for name in {*one, *two} if one.get(name) != two.get(name))


def main(arguments: list[str]) -> int:
    """Two books, one of them killed again and again; 1 where they differ or something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--volumes", type=int, default=2)
    parser.add_argument("--chapters", type=int, default=12)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    trees, faults = [], []
    with tempfile.TemporaryDirectory() as folder:
        for kills in (0, options.kills):
            with FakeMessages(answering=answering()) as server:
                place = Path(folder, f"kills-{kills}", "novel")
                place.parent.mkdir()
                size = options.volumes, options.chapters
                book = WholeBook(place, server, *size, kills=kills, seed=options.seed)
                book.live()
            print(f"{book.turns} turns, {book.killed} kills, {len(book.files())} files")
            trees.append(book.files())
            faults += book.faults()
            if book.killed != kills:
                faults.append(f"{book.killed} of {kills} kills came")
    faults += [f"differs: {name}" for name in differences(*trees)]
    print("\n".join(faults) or "The same book, and nothing wrong with it.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
