"""The requests of a chapter as they are sent, a file each, so that a change of a prompt is read as
a diff.

`python -m tests.prompts_sent` (`python3 dev.py prompts`) renews tests/data/prompts. The engine
itself writes chapters of three small novels, one a language (tests/data/prompted), and
tests/fake_messages.py keeps what it is sent. Nothing in the files depends on the machine or on the
moment.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from studio.agent_pages import load_agent
from studio.errors import StudioError
from studio.llm.provider import Request, high_estimate
from studio.pipeline.beginning.pieces import pieces_of
from studio.pipeline.beginning.steps import ask_otherwise
from studio.pipeline.book_runs.chapter_planner import standing_plan
from studio.pipeline.events import Event, SceneEvent, Text
from studio.pipeline.orders import PassageOrder, StartOrder
from studio.pipeline.outcome import Committed, Paused
from studio.pipeline.prompting.agent_call import AgentCalls
from studio.pipeline.volume.architect import VolumeOrder
from studio.session import WriteOrder
from studio.story.review.directive import DirectiveType
from studio.story.review.passage import read_place
from tests.fake_messages import Asked, FakeMessages, Rule
from tests.pipeline.flows import Desk, Model, judged, scene_number, unrefined, violation
from tests.project.novels import put

DATA = Path(__file__).parent / "data"
NOVELS = DATA / "prompted"
PROMPTS = DATA / "prompts"
LANGUAGES = ("en", "ko", "zh")
SMALL = 8_192
"""The window of a small model, in tokens."""
STOPPED_AFTER = 72
"""The number of characters of the second scene that arrive before she stops it; three deltas of the
fake server."""

_TAG = re.compile(r"\bm[0-9a-f]{10}\b")
_OPENING = re.compile(r'<(m[0-9a-f]{6,}) name="([^"]+)">')
_FENCED = re.compile(r'<(m[0-9a-f]{10}) name="([^"]+)">\n.*?\n</\1>', re.DOTALL)
_SHOWN_OTHERWISE = ("messages", "system", "stream", "tools", "output_config", "model", "max_tokens")


class Novel(dict[str, str]):
    """The files of a small novel by their paths, and what a model answers about it by the names
    `scene 1`, `scene 2`, `judge`, `surgery`, `summary`, `scenes`, and for a book that begins
    `world`, `person`, `outline`; `direction` is the author's, and
    `unplanned` the section of an outline whose chapter has no other plan."""

    def __init__(self, language: str) -> None:
        text = NOVELS.joinpath(f"{language}.txt").read_text("utf-8")
        names, texts = (
            re.findall(r"^=== (.+)\n", text, re.M),
            re.split(r"^=== .+\n", text, flags=re.M),
        )
        super().__init__(zip(names, texts[1:], strict=True))

    def make(self, folder: Path, situation: Situation) -> None:
        """Makes the novel in `folder`, of which some situations have only a part."""
        unplanned = situation is from_the_outline
        only = BEGUN if situation in (beginning, otherwise) else ()
        for path, text in self.items():
            if re.search(r"\.\w+$", path) and (not only or path in only):
                put(folder, path, text)
        if unplanned:
            shutil.rmtree(folder / "volumes/vol-01/chapter-contracts")
            outline = self["volumes/vol-01/outline.md"].split("\n## ")[0]
            put(folder, "volumes/vol-01/outline.md", f"{outline}\n{self['unplanned']}")

    def model(self, **answers: Any) -> Model:
        """A model that answers in the language of the novel and never by the moment."""
        given = {
            "draft": lambda asked: Rule(text=self[f"scene {scene_number(asked)}"].strip()),
            "refine": unrefined,
            "brief": Rule(text=f"{self['scene 1'].split(chr(10))[0]}\n"),
            "judge": judged(**json.loads(self["judge"])),
            "surgery": Rule(text=self["surgery"].strip()),
            "summary": Rule(value=json.loads(self["summary"])),
            "scenes": Rule(value=json.loads(self["scenes"])),
            **{kind: Rule(value=json.loads(self[kind])) for kind in ("world", "person", "outline")},
        }
        return Model(**{**given, **answers})


@dataclass
class Writer(Desk):
    """A desk whose settings and keys are those of nobody."""

    @property
    def environ(self) -> dict[str, str]:
        home = self.folder.parent
        variables = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        folders = {f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "STATE", "CACHE")}
        key = {"ANTHROPIC_BASE_URL": self.server.url, "ANTHROPIC_API_KEY": "key-of-the-writer"}
        return {**variables, "HOME": str(home), "TZ": "UTC", **folders, **key}


def write_chapter(desk: Writer, **order: Any) -> None:
    """Has a chapter written to its end."""
    ran = desk.write(**order)
    assert isinstance(ran.outcome, Committed), (ran.outcome, ran.warnings)


def standard(novel: Novel, desk: Writer) -> int:
    """The first chapter of a book, with a direction; one of its passages is operated on."""
    write_chapter(desk, direction=novel["direction"].strip())
    return 0


def second_chapter(novel: Novel, desk: Writer) -> int:
    """The chapter after it, with one beat and no scenes; a model divides it, and the
    chapters are read for contradictions."""
    write_chapter(desk)
    before = len(desk.server.asked)
    desk.overrides |= {"generation.scenes": "model", "generation.analyse": True}
    write_chapter(desk)
    return before


def prewriter(novel: Novel, desk: Writer) -> int:
    """With a prewriter and look-ups; the first judgement finds a broken rule, so that a scene is
    drafted again."""
    desk.overrides |= {"generation.mode": "prewriter", "generation.tools": "all"}
    write_chapter(desk, review="reject")
    return 0


def mended(novel: Novel, desk: Writer) -> int:
    """After a broken rule was found: its sentence is mended where it stands, and the chapter is
    read again."""
    assert desk.write(review="ask").decision.kind == "gate"
    before = len(desk.server.asked)
    desk.decide("mend")
    assert desk.resume(review="ask").decision.kind == "review"
    return before


def cut(novel: Novel, desk: Writer) -> int:
    """A paragraph goes, in which two versions are compared and none is weighed."""
    write_chapter(desk, direction=novel["direction"].strip())
    return 0


def small_window(novel: Novel, desk: Writer) -> int:
    """For a model that takes 8,192 tokens."""
    profile = {"window": SMALL, "max_output": 2000, "tools": True}
    desk.overrides["provider.endpoints"] = {desk.server.url: profile}
    write_chapter(desk)
    return 0


def going_on(novel: Novel, desk: Writer) -> int:
    """After a stop within the second scene, its first finished."""
    stop_in_the_second_scene(desk, words_before_the_stop(novel))
    before = len(desk.server.asked)
    ran = desk.resume()
    assert isinstance(ran.outcome, Committed), (ran.outcome, ran.warnings)
    return before


def from_the_outline(novel: Novel, desk: Writer) -> int:
    """A chapter that has only its part of the outline: no beats, no scenes."""
    write_chapter(desk)
    return 0


def another_version(novel: Novel, desk: Writer) -> int:
    """After the first chapter: a paragraph of its second scene written anew, and changed as she
    says."""
    write_chapter(desk)
    before = len(desk.server.asked)
    for mode in ("regenerate", "refine"):
        wish = novel["direction"].strip() if mode == "refine" else ""
        order = PassageOrder(1, read_place("2.3"), mode, wish, 2 if mode == "regenerate" else 1)
        asyncio.run(desk.session().passages().write(order, lambda event: None))
    return before


def beginning(novel: Novel, desk: Writer) -> int:
    """A book that begins from its brief: the world, its protagonist, two trial chapters."""
    order = StartOrder(trials=2)
    while isinstance(outcome := asyncio.run(desk.session().start(order, lambda _: None)), Paused):
        step = outcome.decision.data["step"]
        if step == "trials":
            return 0
        desk.decide("skip" if step == "style" else "next")
    raise AssertionError(outcome)


def planning(novel: Novel, desk: Writer) -> int:
    """Chapters planned ahead: one from the little that stands of it, then a whole volume. What is
    answered is of no use, and nobody is asked twice."""
    session = desk.session()
    chapters = session.volumes().chapters()
    plan = standing_plan(session.store, 3).plan
    with suppress(StudioError):
        asyncio.run(chapters.propose(3, plan, novel["direction"].strip(), lambda event: None))
    asyncio.run(session.volumes().plan(VolumeOrder(1, 2), lambda event: None))
    return 0


def otherwise(novel: Novel, desk: Writer) -> int:
    """The protagonist of a book that begins, proposed once more: she wants something otherwise, and
    has left out and changed some of it."""
    order, before = StartOrder(trials=2), 0
    while isinstance(outcome := asyncio.run(desk.session().start(order, lambda _: None)), Paused):
        question = outcome.decision
        if question.data["step"] == "people":
            if before:
                return before
            before = len(desk.server.asked)
            pieces = pieces_of(question)
            fears = next(piece for piece in pieces if piece.key.endswith("|fears"))
            knows = next(piece for piece in pieces if piece.key.endswith("|knows"))
            words = {piece.key: piece.text for piece in pieces}
            words |= {fears.key: "", knows.key: novel["direction"].strip()}
            ask_otherwise(desk.session().store, question, pieces, novel["direction"].strip(), words)
        else:
            desk.decide("skip" if question.data["step"] == "style" else "next")
    raise AssertionError(outcome)


def serial(novel: Novel, desk: Writer) -> int:
    """An episode of a serial that has no system, with a brief before its scenes; then one planned
    ahead."""
    desk.overrides |= {"novel.form": "serial", "generation.mode": "prewriter"}
    write_chapter(desk, direction=novel["direction"].strip())
    planning(novel, desk)
    return 0


def system(novel: Novel, desk: Writer) -> int:
    """An episode of a serial whose people see status windows, up to its review."""
    desk.overrides |= {"novel.form": "serial"}
    put(desk.folder, "brief.md", f"{novel['brief.md']}\n{novel['system']}")
    assert desk.write(review="ask").decision.kind == "review"
    return 0


def proofread(novel: Novel, desk: Writer) -> int:
    """A passage in which a mark is wrong, and nothing else."""
    assert desk.write(review="ask").decision.kind == "review"
    before = len(desk.server.asked)
    sheet = desk.session().directives()
    assert sheet is not None
    marks = [d.id for d in sheet.directives if d.type is DirectiveType.PROOFREADING]
    desk.session().change_directives("accept", marks)
    assert desk.resume(review="ask").decision.kind == "review"
    return before


def words_before_the_stop(novel: Novel) -> str:
    """Returns what arrives of the second scene before she stops it."""
    return novel["scene 2"].strip()[:STOPPED_AFTER].strip()


def stop_in_the_second_scene(desk: Writer, words: str) -> None:
    """Writes until `words` of the second scene have arrived, and stops as Esc does."""
    arrived = ""

    async def run() -> None:
        in_second = False

        def listen(event: Event) -> None:
            nonlocal arrived, in_second
            in_second = in_second or (isinstance(event, SceneEvent) and event.number == 2)
            if in_second and isinstance(event, Text):
                arrived += event.text
                if len(arrived) >= len(words):
                    task.cancel()

        task = asyncio.create_task(desk.session().write(WriteOrder(review="accept"), listen))
        await asyncio.wait_for(task, 60)

    asyncio.run(run())
    assert arrived == words


Situation = Callable[[Novel, Writer], int]
"""Writes in a novel; returns the number of requests that came before those of the situation."""
SITUATIONS: dict[str, Situation] = {
    "standard": standard,
    "second-chapter": second_chapter,
    "prewriter": prewriter,
    "small-window": small_window,
    "going-on": going_on,
    "mended": mended,
    "cut": cut,
    "from-the-outline": from_the_outline,
    "another-version": another_version,
    "beginning": beginning,
    "planning": planning,
    "otherwise": otherwise,
    "serial": serial,
    "system": system,
    "proofread": proofread,
}
BEGUN = ("studio.toml", "brief.md", "style-profile.json")
"""The files of a book that has only begun."""


def _model(novel: Novel, situation: Situation) -> Model:
    if situation in (prewriter, mended):
        words = novel["scene 1"].strip().split("\n\n")[1]
        broken = violation(words, scene=1)
        return novel.model(judge=[judged(violations=[broken]), judged()])
    if situation is cut:
        words = novel["scene 1"].strip().split("\n\n")[1]
        goes = {
            "type": "cut",
            "priority": 1,
            "location": {"sceneNumber": 1, "paragraphStart": 2, "paragraphEnd": 2},
            "issue": "It explains what is shown.",
            "currentText": words,
            "instruction": "Let the whole paragraph go.",
            "maxScope": 1,
        }
        return novel.model(judge=judged(directives=[goes]), surgery=Rule(text="NONE"))
    if situation is proofread:
        right = next(p for p in novel["scene 1"].split("\n\n")[1:] if p[-1] in ".。")
        wrong = f"{right}{right[-1]}"
        mark = {
            "type": "proofreading",
            "priority": 1,
            "location": {"sceneNumber": 1, "paragraphStart": 0, "paragraphEnd": 0},
            "issue": "A mark stands twice.",
            "currentText": wrong,
            "instruction": "Take one of the two out.",
            "maxScope": 1,
        }
        return novel.model(
            draft=lambda asked: Rule(
                text=novel[f"scene {scene_number(asked)}"].replace(right, wrong).strip()
            ),
            judge=judged(directives=[mark]),
            surgery=Rule(text=right),
        )
    if situation is going_on:
        rule = Rule(text=novel["scene 2"].strip(), mode="hold", after=STOPPED_AFTER // 24)

        def draft(asked: Asked) -> Rule:
            is_first = scene_number(asked) == 2 and not firsts
            firsts.extend([asked] * is_first)
            return rule if is_first else Rule(text=novel[f"scene {scene_number(asked)}"].strip())

        firsts: list[Asked] = []
        return novel.model(draft=draft)
    if situation is another_version:
        surgery = novel["surgery"].strip()
        anew = [Rule(text=surgery), Rule(text=novel["scene 1"].split("\n\n")[1])]
        return novel.model(anew=anew, changed=Rule(text=novel["scene 2"].split("\n\n")[0]))
    if situation in (planning, serial):
        useless = Rule(value={"plan": None})
        return novel.model(plan=useless, volume=useless)
    return novel.model()


class SentRequest(NamedTuple):
    """A request as it arrived, and what the engine had made of the question."""

    asked: Asked
    request: Request


def play(language: str, name: str, folder: Path) -> list[SentRequest]:
    """Plays one situation in `folder`; returns its requests in the order in which the engine made
    them: those of calls side by side arrive as the machine has time for them."""
    novel, situation = Novel(language), SITUATIONS[name]
    novel.make(folder / "novel", situation)
    with FakeMessages(answering=_model(novel, situation)) as server, requests_made() as requests:
        before = situation(novel, Writer(folder / "novel", server))
    return in_order_of_making(server.asked, requests)[before:]


def in_order_of_making(arrived: Iterable[Asked], made: Sequence[Request]) -> list[SentRequest]:
    """Returns the requests with what the engine had made of each question, in the order of that.
    One that was made again word for word arrives again."""
    left = list(range(len(made)))
    sent: list[tuple[int, SentRequest]] = []
    for asked in arrived:
        number = next(
            (n for n in left if is_made_of(asked, made[n])),
            next((n for n, one in enumerate(made) if is_made_of(asked, one)), None),
        )
        if number is None:
            raise LookupError(f"nobody made the request that begins {asked.prompt[:80]!r}")
        left = [n for n in left if n != number]
        sent.append((number, SentRequest(asked, made[number])))
    return [one for _, one in sorted(sent, key=lambda each: each[0])]


def is_made_of(asked: Asked, request: Request) -> bool:
    """Whether a request is what the engine had made of a question."""
    return asked.prompt.startswith("\n\n".join(part.text for part in request.parts))


def pages(language: str) -> dict[str, str]:
    """Plays every situation in one language; returns the texts of the files by their paths.

    A request that an earlier situation had word for word has no file of its own; `requests.txt`
    of a situation names the file.
    """
    files: dict[str, str] = {}
    first: dict[str, str] = {}
    for name in SITUATIONS:
        with tempfile.TemporaryDirectory(prefix="studio-prompts-") as folder:
            requests = play(language, name, Path(folder))
        rows = []
        for number, each in enumerate(requests, start=1):
            scene = "" if each.request.scene is None else f"-scene-{each.request.scene}"
            path = f"{language}/{name}/{number:02}-{each.request.agent}{scene}.txt"
            text = page_of(each.asked, each.request)
            if text not in first:
                first[text], files[path] = path, text
            tokens = sum(piece.tokens for piece in _pieces(each.asked))
            rows.append(f"{number:02} {tokens:>6} tokens  {first[text]}\n")
        files[f"{language}/{name}/requests.txt"] = "".join(rows)
        for path, form in _forms(language, requests):
            assert files.setdefault(path, form) == form, f"{path} is not the same in {name}"
    return files


def _forms(language: str, requests: Iterable[SentRequest]) -> Iterator[tuple[str, str]]:
    """The schemas of answers and the descriptions of look-ups, which are the same in many
    requests."""
    for asked, request in requests:
        if asked.schema is not None:
            yield f"{language}/{_form_of(asked, request)}", _as_json(asked.schema)
        if asked.tools:
            yield f"{language}/schemas/tools.json", _as_json(asked.body["tools"])


def _form_of(asked: Asked, request: Request) -> str:
    """Returns the file with the schema of an answer; an agent that has several tasks has several,
    called by their first field, or by the one that only it has."""
    assert asked.schema is not None
    fields = asked.schema["properties"]
    own = "better" if "better" in fields else next(iter(fields))
    several = f"-{own}" if load_agent(request.agent, None).tasks else ""
    return f"schemas/{request.agent}{several}.json"


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


@contextmanager
def requests_made() -> Iterator[list[Request]]:
    """Collects what the engine makes of every question, which knows the agent that is asked."""
    requests: list[Request] = []
    make = AgentCalls._request_to_send

    def noted(self: AgentCalls, *question: Any) -> Request:
        requests.append(make(self, *question))
        return requests[-1]

    AgentCalls._request_to_send = noted  # type: ignore[method-assign]
    try:
        yield requests
    finally:
        AgentCalls._request_to_send = make  # type: ignore[method-assign]


def page_of(asked: Asked, request: Request) -> str:
    """Returns what is in the file of one request: how it is sent, its blocks, its words."""
    head = [f"{key}: {value}" for key, value in _header(asked, request)]
    rows = [("tokens", "block", "")]
    for piece in _pieces(asked):
        cached = ", cached to here" * piece.is_mark
        rows.append((str(piece.tokens), piece.block, f"{piece.where}{cached}"))
    rows.append((str(sum(piece.tokens for piece in _pieces(asked))), "in all", ""))
    table = [f"{tokens:>7}  {name:24} {where}".rstrip() for tokens, name, where in rows]
    words, where = [], ""
    for piece in _pieces(asked):
        words += [f"{f' {piece.where} ':-^100}"] * (piece.where != where) + [piece.text]
        where = piece.where
    whole = "\n".join([*head, "", *table, "", "\n\n".join(words)])
    return _TAG.sub("mTAG", whole).rstrip() + "\n"


def _header(asked: Asked, request: Request) -> Iterator[tuple[str, str]]:
    body = asked.body
    yield "agent", request.agent
    yield "role", request.role
    yield "model", body["model"]
    yield "max_tokens", str(body["max_tokens"])
    for name, value in sorted(body.get("output_config", {}).items()):
        yield name, _form_of(asked, request) if name == "format" else str(value)
    if asked.tools:
        yield "tools", f"{', '.join(asked.tools)} (schemas/tools.json)"
    for name in sorted(set(body) - set(_SHOWN_OTHERWISE)):
        yield name, json.dumps(body[name], ensure_ascii=False, sort_keys=True)


@dataclass(frozen=True)
class Piece:
    """A block of a prompt as it is sent, with its fence."""

    where: str
    """Whose message it stands in: `system` or `user`."""
    block: str
    text: str
    is_mark: bool
    """Whether what comes up to its end is to be cached."""

    @property
    def tokens(self) -> int:
        """An estimate on the high side, as the studio's own."""
        return high_estimate(self.text)


def _pieces(asked: Asked) -> Iterator[Piece]:
    parts = [("system", part) for part in asked.body.get("system") or ()]
    for message in asked.body["messages"]:
        parts += [(message["role"], part) for part in message["content"]]
    inside = ""
    for where, part in parts:
        text = part["text"] if part["type"] == "text" else json.dumps(part, ensure_ascii=False)
        opening = _OPENING.match(text)
        if inside:
            blocks = [(inside, text)]
            inside = "" if text.startswith("</") else inside
        elif opening is not None and f"</{opening[1]}>" not in text:
            inside = opening[2]  # a block of several parts, such as the scenes so far
            blocks = [(inside, text)]
        else:
            blocks = list(_blocks(where, text))
        for number, (name, words) in enumerate(blocks, start=1):
            yield Piece(where, name, words, "cache_control" in part and number == len(blocks))


def _blocks(where: str, text: str) -> Iterator[tuple[str, str]]:
    """The blocks of a text; what stands between them is the agent's own page, or the task."""
    end = 0
    for match in _FENCED.finditer(text):
        if between := text[end : match.start()].strip():
            yield "its page", between
        yield match[2], match[0]
        end = match.end()
    if rest := text[end:].strip():
        yield "task" if where == "user" else "its page", rest


def main(languages: list[str]) -> None:
    """Renews the files, of all languages or of those named."""
    os.fsync = lambda fd: None  # these novels need not survive a power cut
    for language in languages or LANGUAGES:
        shutil.rmtree(PROMPTS / language, ignore_errors=True)
        for path, text in pages(language).items():
            put(PROMPTS, path, text)
    size = sum(path.stat().st_size for path in PROMPTS.rglob("*.*"))
    print(f"{sum(1 for _ in PROMPTS.rglob('*.txt'))} files, {size / 1e6:.1f} MB in {PROMPTS}")


if __name__ == "__main__":
    main(sys.argv[1:])
