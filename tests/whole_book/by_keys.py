"""The book led in the app on a pseudo-terminal, by the keys a writer presses.

One app stays open from move to move. It is opened anew where it was killed, and for a move that
is to be killed, as a fault is planted in a program before it starts.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from studio.pipeline.volume.proposed import pieces_of
from studio.project.lock.holder import read_lock
from studio.story.checkpoint import Decision
from studio.tui.views.review.decision_card import Card, card_of
from tests.cli.command import PROGRAM
from tests.tui.terminals import WAIT, Terminal
from tests.whole_book.story import PREMISE, SAMPLE, TITLE, Memory
from tests.whole_book.writer import OLD, Move, Writer

_SIZE = (120, 36)
_ENTER, _ESCAPE, _TAKE, _PALETTE, _QUIT = "\r", "\x1b", "\x13", "\x10", "\x11"
_DOWN, _EMPTY = "\x1b[B", "\x15"
_END = 20
"""Characters of an answer that are looked for: a line that is too long shows its end."""
_LINE, _TEXT, _PATH = "Enter takes it", "Ctrl+S takes it", "Tab completes"
"""What stands under a line to fill in, under several lines, and under a line for a path."""
_STILL = 1.5
"""Seconds in which nothing happens at a desk that is at rest."""
_SEARCH = "Find an action by its name"
"""What stands in the palette before anything is typed."""
_ENDED = "it ended"
"""What the terminal says first of a program that is gone."""
_HOW_MANY = "How many chapters do you try out?"
_HOW_LONG = "How long is a chapter?"
_LATER = "Esc Later"
"""What stands under a card."""
_TICK = "\x1b[17~"
_PAGE = "F6 Tick"
"""What stands under the page of a proposal."""
_PATIENCE = 10
"""Seconds after which a key that did nothing is pressed again: the desk was still busy."""


@dataclass
class Keys:
    """The installed program on a terminal."""

    writer: Writer
    environ: Mapping[str, str]
    memory: Memory
    app: Terminal | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Nothing of it goes on, also where a book failed."""
        if self.app is not None:
            self.app.drop()

    def does(self, move: Move, fault: str = "") -> bool:
        """Carries a move out; False where the app was killed. AssertionError where the screen does
        not come to show what it should."""
        if move.act == "visit":
            self.writer.makes_a_page()
            return True
        try:
            if fault:
                self.leaves()
            there = self._opened(fault)
            self._presses(there, move)
            if fault:
                self.leaves()
        except AssertionError as error:
            if isinstance(error, _KilledError) or self._is_killed(str(error)):
                self.app = None
                return False
            raise
        return True

    def leaves(self) -> None:
        """Ctrl+Q, and the end of the program with 0."""
        app = self.app
        if app is None:
            return
        app.types(_QUIT)
        code = app.ends()
        self.app = None
        if code == signal.SIGKILL:
            raise _KilledError
        assert code == 0, f"left with {code}:\n{app.shown}"

    def _is_killed(self, words: str) -> bool:
        """Whether the app ended by a kill."""
        if self.app is None or not words.startswith(_ENDED):
            return False
        if self.app.child.isalive():
            self.app.child.wait()
        return bool(self.app.child.signalstatus == signal.SIGKILL)

    def _opened(self, fault: str) -> Terminal:
        """The app: the one that is open, or a new one on the novel, else at the launcher."""
        if self.app is None:
            folder = self.writer.folder
            is_novel = (folder / "studio.toml").exists()
            planted = {"STUDIO_FAULT": fault} if fault else {}
            self.app = Terminal(
                [str(folder)] if is_novel else [],
                {**self.environ, **planted},
                program=str(PROGRAM),
                size=_SIZE,
                cwd=folder.parent,
            )
            self.app.sees("Outline" if is_novel else "Begin a book")
        return self.app

    # Moves

    def _presses(self, there: Terminal, move: Move) -> None:
        self.memory.mended |= move.act == "read"
        question = self._question()
        if move.act == "write" and question is not None and question.between_chapters:
            return  # the run of her last answer was still going on as she looked, and asks the rest
        before = self._mark()
        moves: dict[str, Callable[[], None]] = {
            "begin": lambda: self._begins(there),
            "write": lambda: self._goes_on(there),
            "decide": lambda: self._answers(there, move),
            "accept": lambda: self._accepts(there),
            "plan": lambda: self._plans(there),
            "look-back": lambda: self._looks_back(there),
            "retire": lambda: self._retires(there),
            "read": lambda: self._reads_gaps(there),
        }
        moves[move.act]()
        self._waits_for_rest(there, before, move)

    def _waits_for_rest(self, there: Terminal, before: str, move: Move) -> None:
        """Until something came of it and nothing goes on: between an answer and the run that
        follows it the desk is still for a moment."""
        is_moving = True
        while is_moving:
            there.until(lambda: self._mark() != before and self._is_at_rest(there), f"end: {move}")
            mark = self._mark()
            is_moving = _comes(there, partial(self._goes_on_from, there, mark), patience=_STILL)

    def _begins(self, there: Terminal) -> None:
        if (self.writer.folder / "studio.toml").exists():
            if self.writer.checkpoint.get("beginning") is None:
                self._by_name(there, "Begin the book", "Begin the book")
            else:
                self._goes_on(there)
            return
        there.types("b")
        there.sees("What is its title?")
        self._fills_in(there, TITLE)
        there.sees("Its language")
        there.types(_ENTER)
        there.sees("Its form")
        there.types(_ENTER)
        there.sees("A new or empty folder")
        there.types(_EMPTY)
        there.sees(_LINE, gone="/the-lamp")
        self._fills_in(there, str(self.writer.folder))
        there.sees("Outline")

    def _fills_in(self, there: Terminal, answer: str) -> None:
        """A line, once its end is on the screen."""
        there.types(answer)
        there.sees(answer[-_END:])
        there.types(_ENTER)

    def _goes_on(self, there: Terminal) -> None:
        before = self._mark()
        self._until(there, "w", lambda: self._mark() != before or self._is_held(), "a run")

    def _answers(self, there: Terminal, move: Move) -> None:
        question = self._question()
        assert question is not None
        if pieces_of(question):
            self._takes_page(there, question, move)
            return
        self._until(there, "d", lambda: self._is_put(there), "card of the question")
        question = self._question()
        assert question is not None
        card = card_of(question)
        self._chooses(there, card, move.option)
        if question.kind == "start" and question.data.get("asks"):
            self._says(there, str(question.data["step"]))
        elif move.option == "draft-scenes":
            there.sees(_LINE)
            self._fills_in(there, move.note)

    def _takes_page(self, there: Terminal, question: Decision, move: Move) -> None:
        """The page of what is proposed, which opens by itself, taken as it stands; of a plan the
        chapters of a note and what they promise, of a clean-up what is named, or all."""
        if _comes(there, lambda: _PAGE in there.shown, patience=_STILL):
            there.types("\t")  # into the first piece: by itself the page has no cursor
        else:
            self._until(there, "d", lambda: _PAGE in there.shown, "page of the proposal")
        for is_turned in self._turned(question, move):
            there.types(f"{_TICK if is_turned else ''}\t")
        there.types(_TAKE)
        there.sees("Outline", gone=_PAGE)

    def _turned(self, question: Decision, move: Move) -> list[bool]:
        """Of each piece on the page, whether its tick is turned."""
        keys = [piece.key for piece in pieces_of(question)]
        if question.kind == "clean_up":
            return [move.option == "accept" or key in move.note.split() for key in keys]
        if question.kind != "outline":
            return []
        taken = {int(word) for word in move.note.split()}
        plans = [c for c in question.data["parts"]["contracts"] if c["chapter"] in taken]
        named = {f"promise|{t['id']}" for c in plans for t in c.get("foreshadowing", ())}
        named |= {f"chapter|{number}" for number in taken} | {"about"}
        return [key not in named for key in keys]

    def _question(self) -> Decision | None:
        """What waits for her now."""
        waiting = self.writer.checkpoint.get("pending_decision")
        return None if waiting is None else Decision.model_validate(waiting)

    def _is_put(self, there: Terminal) -> bool:
        """Whether the card of the question that waits is on the screen."""
        question = self._question()
        if question is None:
            return False
        card = card_of(question)
        signs = (_LATER, card.happened[:_END], f"› {card.choices[card.recommended_choice].title}")
        return all(sign in there.shown for sign in signs)

    def _chooses(self, there: Terminal, card: Card, option: str) -> None:
        """From the marked answer to the wanted one."""
        wanted = next(n for n, choice in enumerate(card.choices) if choice.option == option)
        step, key = (1, "j") if wanted > card.recommended_choice else (-1, "k")
        for at in range(card.recommended_choice, wanted, step):
            there.types(key)
            there.sees(f"› {card.choices[at + step].title}")
        there.types(_ENTER)

    def _says(self, there: Terminal, step: str) -> None:
        """The writer's own words to a step of the beginning."""
        words = SAMPLE if step == "style" else PREMISE
        there.sees(_TEXT)
        there.pastes(words.strip())
        there.sees(words.split()[-1])  # the others may stand in the row above
        there.types(_TAKE)
        if step == "style":
            there.sees("Have it read?")
            there.types("y")

    def _accepts(self, there: Terminal) -> None:
        """Every directive that is open."""
        self._until(there, "3A", lambda: "y yes" in there.shown, "question about the rest")
        there.types("y")

    def _plans(self, there: Terminal) -> None:
        self._by_name(there, "Plan the volume", "Ctrl+S Plan it")
        there.types(_TAKE)

    def _looks_back(self, there: Terminal) -> None:
        self._by_name(there, "Look back on the volume", "in review")
        there.types(_ESCAPE)

    def _retires(self, there: Terminal) -> None:
        """The one whom a promise needs stays; the other leaves the story."""
        self._until(there, "M", lambda: "The book when chapter" in there.shown, "the bible")
        names = [name.capitalize() for name in OLD]
        self._marks(there, names[1])
        there.types("L")
        there.sees(f"{names[1]} leaves the story?")
        there.types("y")
        there.sees("A promise still needs them")
        self._marks(there, names[0])
        there.types("L")
        there.sees(f"{names[0]} leaves the story?")
        there.types("y")
        gone = self.writer.folder / f"characters/retired/{OLD[0]}.md"
        there.until(gone.exists, f"{names[0]} among those who left")
        there.sees("left the story")
        there.types(_ESCAPE)
        there.sees("Outline")

    def _marks(self, there: Terminal, name: str) -> None:
        """Down to a row; what is marked stands over its details as well."""
        words = f"{name}  "

        def is_marked() -> bool:
            return sum(words in row for row in there.screen.display) > 1

        there.sees(words)
        for _ in range(len(there.screen.display)):
            if _comes(there, is_marked, patience=2):
                return
            there.types(_DOWN)
        raise AssertionError(f"nobody is called {name}:\n{there.shown}")

    def _reads_gaps(self, there: Terminal) -> None:
        there.types(":")
        there.sees("Go to a chapter")
        self._fills_in(there, "10")
        self._until(there, "B", lambda: "Rebuild" in there.shown, "the rebuild")
        there.sees("r Read the gaps")
        there.types("r")
        there.sees("Enter Begin")
        there.types(_ENTER)
        there.until(lambda: not self.writer.checkpoint["state_gap"], "end of the gaps")
        there.sees("Take back")
        there.types(_ESCAPE)
        there.sees("Outline")

    # The app

    def _by_name(self, there: Terminal, name: str, then: str) -> None:
        """An action by its name, from the palette; what is on the screen then."""
        self._card_away(there)
        there.types(_PALETTE)
        there.sees(_SEARCH)
        there.types(name)
        there.sees(name)
        there.types(_ENTER)
        there.sees(then, gone=_SEARCH)

    def _card_away(self, there: Terminal) -> None:
        """The card of a question that is answered otherwise."""
        if _LATER in there.shown:
            there.types(_ESCAPE)
            there.sees("Outline", gone=_LATER)

    def _until(self, there: Terminal, key: str, condition: Callable[[], bool], sign: str) -> None:
        """Presses a key until it does what it should: the desk may not have been free for it."""
        for _ in range(WAIT // _PATIENCE):
            if key == "d" and _LATER in there.shown:  # a card: this one's, or one answered before
                if _comes(there, condition, patience=1):
                    return
                there.types(_ESCAPE)
            elif key != "d":
                self._card_away(there)
            is_asked = _HOW_MANY in there.shown or _HOW_LONG in there.shown
            there.types(_ENTER if is_asked else key)
            if _comes(there, condition):
                return
        raise AssertionError(f"no {sign}:\n{there.shown}")

    def _mark(self) -> str:
        """What changes with everything that happens to the book."""
        now = self.writer.checkpoint
        name = f"chapter-{now.get('inflight_chapter') or 0:03d}-directives.json"
        sheet = self.writer.folder / "staging/evaluations" / name
        try:
            said = sheet.read_text("utf-8")
        except FileNotFoundError:  # not there yet, or in the book at this very moment
            said = ""
        return json.dumps([now, said])

    def _goes_on_from(self, there: Terminal, mark: str) -> bool:
        return self._mark() != mark or not self._is_at_rest(there)

    def _is_held(self) -> bool:
        return read_lock(self.writer.folder).state == "held"

    def _is_at_rest(self, there: Terminal) -> bool:
        return not self._is_held() and "Esc Stop" not in there.shown


def _comes(there: Terminal, condition: Callable[[], bool], patience: float = _PATIENCE) -> bool:
    """Whether it does soon; AssertionError where the app has ended."""
    try:
        there.until(condition, "sign of it", patience=patience)
    except AssertionError as error:
        if str(error).startswith(_ENDED):
            raise
        return False
    return True


class _KilledError(AssertionError):
    """The app was killed while it was left."""
