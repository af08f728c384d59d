"""What a reading may cost is said before it, and is never less than what its calls reserve."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from studio.session import Session
from tests.cli.conftest import Typed, reserved
from tests.fake_messages import FakeMessages, Rule
from tests.project.novels import put
from tests.sweeps import swept

SENTENCES = {
    "en": (
        "“In year {}—so she’d said—the tide came {} times,” to the lamp of Mara Stobbs—and took"
        " the bell’s café away—"
    ),
    "ko": "{}년에 조수가 {}번 마라의 등대까지 올라와서 오래된 종을 바다로 가져가 버렸다",
}
FINDINGS = 24
"""As many of an answer as are taken on."""
CARRIED = 60
"""As many of them as the next chapters' reader is told."""


def paragraph(language: str, chapter: int, number: int) -> str:
    return f"{SENTENCES[language].format(chapter, number)}, " * 6 + "."


@pytest.fixture(autouse=True)
def one_chapter_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.pipeline.book_runs.chapter_windows.MOST_CHAPTERS", 1)


def book(novel: Path, typed: Typed, language: str, last: int = 3) -> None:
    """Chapters of many paragraphs, and a long rule of the world."""
    settings = novel / "studio.toml"
    settings.write_text(settings.read_text().replace('"en"', f'"{language}"'))
    rule = " ".join([SENTENCES[language].format(0, 0)] * 4)
    put(novel, "world/rules.json", {"rules": [{"id": "tide", "rule": rule}]})
    chapters = [
        "\n\n".join([f"# Tide {n}", *(paragraph(language, n, i) for i in range(FINDINGS))])
        for n in range(1, last + 1)
    ]
    source = novel.parent / "three.md"
    source.write_text("\n\n".join(chapters), "utf-8")
    ended = typed("import", source, "--into", novel, "--yes", "--as", "committed")
    assert ended.code == 0, ended.err


def found(language: str, chapter: int, number: int) -> dict[str, Any]:
    quote = paragraph(language, chapter, number)
    said = SENTENCES[language].format(0, 0)
    return {
        "kind": "rule",
        "severity": "high",
        "entity": "mara",
        "about": f"tide-{number}",
        "first_chapter": chapter,
        "first_quote": quote,
        "second_chapter": chapter,
        "second_quote": paragraph(language, chapter, (number + 1) % FINDINGS),
        "rule": said,
        "why": f"{number}. {said * 9}",
        "repair": "leave it",
    }


# req: G8
@pytest.mark.sweep
@pytest.mark.parametrize(("language", "last"), [("en", 1), ("en", 4), swept("ko", 3)])
def test_chapters_read_against_each_other_cost_no_more_than_was_said(
    novel: Path, typed: Typed, server: FakeMessages, language: str, last: int
) -> None:
    """Of each chapter a model reports as many findings as are taken on, and facts."""
    book(novel, typed, language, last)
    server.rules[:0] = [Rule(contains="Try to explain away", value={"explanations": []})]
    for chapter in range(1, last + 1):
        fact = {"entity": "mara", "chapter": chapter}
        facts = [
            {
                **fact,
                "fact": paragraph(language, chapter, n),
                "quote": paragraph(language, chapter, n),
            }
            for n in range(30)
        ]
        findings = [found(language, chapter, number) for number in range(FINDINGS)]
        value = {"contradictions": findings, "facts": facts}
        server.rules.append(Rule(contains=f"Read chapters {chapter} to", value=value))
    plan = Session.open(novel, os.environ).continuity_reader().plan(range(1, last + 1))
    assert plan.cost.most is not None
    ended = typed("continuity", "--all", "--model", "--json")
    assert ended.code == 0, ended.err
    assert len([f for f in ended.json["findings"] if f["source"] == "model"]) == last * FINDINGS
    assert len(server.asked) == 2 * last
    readings = [asked.prompt for asked in server.asked if "Read chapters" in asked.prompt]
    carried = [min(CARRIED, n * FINDINGS) for n in range(last)]
    assert [prompt.count("reported: ") for prompt in readings] == carried
    assert reserved(novel) <= plan.cost.most <= 1.6 * reserved(novel)


# req: G5
@pytest.mark.sweep
@pytest.mark.parametrize("language", ["en", swept("ko")])
def test_chapters_read_for_promises_cost_no_more_than_was_said(
    novel: Path, typed: Typed, server: FakeMessages, language: str
) -> None:
    book(novel, typed, language)
    for chapter in (1, 2, 3):
        promises = [
            {
                "id": f"tide-{chapter}-{number}",
                "about": paragraph(language, chapter, number),
                "characters": [],
                "chapter": chapter,
                "quote": paragraph(language, chapter, number),
            }
            for number in range(8)
        ]
        value = {"promises": promises, "events": []}
        server.rules.append(Rule(contains=f"Read chapters {chapter} to", value=value))
    plan = Session.open(novel, os.environ).promise_reader().plan(range(1, 4))
    assert plan.cost.most is not None
    ended = typed("promises", "suggest", "--all", "--model", "--json")
    assert ended.code == 0, ended.err
    assert len(server.asked) == 3
    assert reserved(novel) <= plan.cost.most <= 1.6 * reserved(novel)


# req: G14
def test_names_read_up_on_cost_no_more_than_was_said(
    novel: Path, typed: Typed, server: FakeMessages
) -> None:
    from studio.book.entries_from_names import suggestions

    book(novel, typed, "en")
    session = Session.open(novel, os.environ)
    offered = suggestions(session.store, "en", 3)
    price = session.entry_filler().price(offered)
    assert price.cost.most is not None
    ended = typed("bible", "suggest", "--model", "--json")
    assert ended.code == 0, ended.err
    assert len(server.asked) == price.calls > 0
    assert reserved(novel) <= price.cost.most <= 1.6 * reserved(novel)
    assert session.entry_filler().price(offered).cost.most == 0, "it is not paid for twice"
    assert typed("bible", "suggest", "--model", "--json").code == 0
    assert len(server.asked) == price.calls
