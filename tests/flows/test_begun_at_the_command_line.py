"""A book begun by `studio start` and `studio decide` alone, with a model that proposes: every text
printed whole, another proposal with a wish of hers, her own words kept, to the first chapter
(WRITING 7.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from studio.i18n import Language
from tests.cli.command import Ended, studio
from tests.fake_messages import FakeMessages, Rule
from tests.fake_stream import Asked
from tests.pipeline.flows import Model, block, judged
from tests.tui.terminals import Terminal

LONG: dict[Language, str] = {
    "en": "She lifts what nobody asked her to lift, sets it on the sill and counts the gulls",
    "ko": "아무도 들라고 하지 않은 것을 들어 창턱에 놓고 갈매기를 하나씩 센다",
    "zh": "她把没有人叫她拿的东西拿起来，搁在窗台上，一只一只地数海鸥",
}
PREMISE: dict[Language, str] = {
    "en": "A keeper's daughter finds the key of a lamp that was never lit.",
    "ko": "등대지기의 딸이 한 번도 켜지지 않은 등의 열쇠를 찾는다.",
    "zh": "守灯人的女儿找到了从未点亮的灯的钥匙。",
}
WISH: dict[Language, str] = {
    "en": "The lamp stands in a school, not by the sea.",
    "ko": "등은 바닷가가 아니라 학교에 있다.",
    "zh": "灯在学校里，不在海边。",
}
HERS: dict[Language, str] = {
    "en": "Mara, who never climbs past the ninth stair.",
    "ko": "마라, 아홉째 계단 위로는 오르지 않는다.",
    "zh": "玛拉，从不走过第九级台阶。",
}
NAME: dict[Language, str] = {"en": "Mara", "ko": "마라", "zh": "玛拉"}
STEPS = ("style", "world", "people", "trials")


def lines(language: Language, step: str, count: int) -> list[str]:
    """Long texts, each of them another."""
    return [f"{LONG[language]} ({step} {n}, {LONG[language]})." for n in range(1, count + 1)]


def proposed(language: Language, step: str) -> dict[str, Any]:
    """What the model proposes for a step, every text of it long and another."""
    texts = iter(lines(language, step, 20))
    say = lambda: next(texts)  # noqa: E731
    if step == "style":
        manner = ("voice", "tense", "sentence_rhythm", "diction", "dialogue")
        lists = {"imagery": [say()], "do": [say(), say()], "avoid": [say()], "exemplars": []}
        return {**{name: say() for name in manner}, **lists, "sample": say()}
    if step == "world":
        rules = [{"id": f"rule-{n}", "rule": say(), "reason": say()} for n in (1, 2)]
        return {"documents": [{"name": f"{n}", "text": say()} for n in (1, 2)], "rules": rules}
    if step == "people":
        words = {name: say() for name in ("role", "voice", "wants", "fears", "profile")}
        habits = {"always": [say()], "never": [say()], "knows": [say()], "aliases": []}
        return {"id": "mara", "name": NAME[language], **words, **habits}
    return {"chapters": [{"chapter": 1, "title": "1", "happens": say()}], "introduces": []}


def draft(language: Language) -> Rule:
    """A scene in the novel's language."""
    things = {"en": ("the oar", "the bell"), "ko": ("노", "종"), "zh": ("船桨", "铃铛")}[language]
    return Rule(
        text="\n\n".join(f"{LONG[language]}: {thing} {LONG[language]}." for thing in things)
    )


@pytest.fixture(params=LONG)
def language(request: pytest.FixtureRequest) -> Language:
    named: Language = request.param
    return named


@pytest.fixture
def server(language: Language) -> Iterator[FakeMessages]:
    def drafts(_asked: Asked) -> Rule:
        return draft(language)

    steps = dict(zip(("style", "world", "person", "outline"), STEPS, strict=True))
    proposes = {name: Rule(value=proposed(language, step)) for name, step in steps.items()}
    with FakeMessages(answering=Model(**proposes, draft=drafts, judge=judged(4.4))) as fake:
        yield fake


def leaves(value: Any) -> Iterator[str]:
    """The long texts of a proposal, in any depth."""
    if isinstance(value, str):
        yield from (value,) if len(value) > 40 else ()
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)


def bare(words: str) -> str:
    """Words as a terminal's lines do not break them."""
    return re.sub(r"\s|\x1b\[[0-9;?]*[a-zA-Z]", "", words)


@dataclass
class Writer:
    """She begins a book with two commands, each answer typed or given to `decide`."""

    folder: Path
    language: Language
    server: FakeMessages
    is_at_a_terminal: bool
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        locale = {"en": "en_US", "ko": "ko_KR", "zh": "zh_CN"}[self.language] + ".UTF-8"
        key = {"ANTHROPIC_BASE_URL": self.server.url, "ANTHROPIC_API_KEY": "k"}
        self.environ = {**key, "LANG": locale, "LC_ALL": locale}

    def __call__(self, *words: object) -> Ended:
        """A command with neither a terminal before nor behind it."""
        return studio(*words, "--project", self.folder, environ=self.environ)

    def reads(self, *words: str) -> str:
        """What `start` prints until its question is there, which is left open."""
        if not self.is_at_a_terminal:
            ended = self("start", self.folder, *words)
            assert ended.code == 4, ended
            return ended.out
        order = ["-m", "studio", "start", str(self.folder), *words]
        terminal = Terminal(order, self.environ, cwd=self.folder.parent)
        asks = {
            "en": "Option, or Enter to leave",
            "ko": "답, 또는 그냥 두려면 Enter",
            "zh": "选项，或按",
        }[self.language]
        try:
            terminal.sees(asks)
            terminal.types("\r")
            assert terminal.ends() == 4, terminal.shown
        finally:
            terminal.child.close(force=True)
        return terminal.bytes

    def reads_whole(self, step: str, *words: str) -> str:
        """The same of a proposal, of which nothing may be missing."""
        printed = self.reads(*words)
        words_there = bare(printed)
        missing = [
            text for text in leaves(proposed(self.language, step)) if bare(text) not in words_there
        ]
        assert not missing, printed
        assert "…" not in printed
        return printed

    def answers(self, *words: str) -> None:
        ended = self("decide", *words)
        assert ended.code == 0, ended


# req: D10 E2
@pytest.mark.sweep
@pytest.mark.pty
@pytest.mark.parametrize("is_at_a_terminal", [False, True], ids=["piped", "terminal"])
def test_two_commands_begin_a_book_and_print_every_proposal_whole(
    tmp_path: Path, language: Language, server: FakeMessages, is_at_a_terminal: bool
) -> None:
    writer = Writer(tmp_path / "book", language, server, is_at_a_terminal)
    sample = tmp_path / "sample.txt"
    sample.write_text("\n\n".join(lines(language, "mine", 8)), "utf-8")
    named = ("--title", "T", "--language", language, "--trials", "1")
    writer.reads(*named, "--sample", str(sample))
    writer.answers("next", "--note", PREMISE[language])
    brief = writer.folder / "brief.md"
    brief.write_text(f"{brief.read_text('utf-8')}\n{HERS[language]}\n", "utf-8")
    for step in STEPS:
        writer.reads_whole(step)
        before = len(server.asked)
        writer.answers("again", "--note", f"{WISH[language]} ({step})")
        assert len(server.asked) == before, "nothing is asked by an answer"
        writer.reads_whole(step)
        assert block(server.asked[-1], "direction") == f"{WISH[language]} ({step})"
        assert bare(lines(language, step, 1)[0]) in bare(server.asked[-1].prompt), "what was before"
        assert HERS[language] in server.asked[-1].prompt, "what she wrote into the brief"
        own = ("--note", HERS[language]) if step == "people" else ()
        writer.answers("next", *own)
    assert HERS[language] in brief.read_text("utf-8")
    people = "".join(p.read_text("utf-8") for p in (writer.folder / "characters").rglob("*.*"))
    assert HERS[language].split("，")[0].split(",")[0] in people
    assert lines(language, "people", 1)[0] not in people, "her own words stand in its place"
    writer.reads()
    writer.answers("commit")
    writer.reads()
    assert (writer.folder / "chapters/chapter-001.md").is_file()
    writer.answers("next")
    done = writer("start", writer.folder)
    assert done.code == 0, done
