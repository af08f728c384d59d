"""What a model drafts beside the story does not come into the book."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.command import studio
from tests.fake_messages import Asked, FakeMessages, Rule

STORY = "The rain had stopped an hour before the ferry came in, and nobody spoke. " * 8
TALK = "I have no idea what you mean. You're referring to a specific person."
LONG_BRIDGE = "\n\n".join(
    f"Night {number} fell on the harbour, and it rained." for number in "1234567"
)
BRIDGE = "That night the wind turned."
CONTRACT = {
    "schema_version": 1,
    "chapter": 1,
    "volume": 1,
    "title": "Night",
    "storyline_id": "main",
    "objectives": ["Mara finds the ledger"],
    "scenes": [
        {"number": 1, "purpose": "She finds it", "location": "cellar", "exit_emotion": "afraid"},
        {"number": 2, "purpose": "She hides it", "location": "quay", "entry_emotion": "calm"},
    ],
}


def test_a_small_models_talk_is_no_story_and_nobody_is_called_someone(
    book: Path, own_home: Path
) -> None:
    def answering(asked: Asked) -> Rule | None:
        drafts = asked.schema is None and "Continue this story" in asked.prompt
        return Rule(text=f"{STORY}{TALK} {STORY}") if drafts else None

    with FakeMessages(answering=answering) as server:
        config = own_home / "config/studio/config.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(
            f'[provider]\nbase_url = "{server.url}"\n'
            f'[provider.endpoints."{server.url}"]\nshort_prompts = true\n'
        )
        done = studio("write", "--review", "reject", cwd=book)
        prompts = [asked.prompt for asked in server.asked if "Continue this" in asked.prompt]
    assert done.code == 0, done.err
    chapter = (book / "chapters/chapter-001.md").read_text("utf-8")
    assert "nobody spoke" in chapter
    assert "what you mean" not in chapter
    assert "referring to" not in chapter
    assert prompts
    assert not any(prompt.startswith("Someone is") for prompt in prompts)
    assert "what you mean" in done.err


def test_no_sense_at_all_is_said_in_words(book: Path, tmp_path: Path) -> None:
    (book / "studio.toml").write_text(
        '[novel]\ntitle = "Salt"\nlanguage = "en"\n\n[metrics]\nsensory_grounding = { min = 2 }\n'
    )
    file = tmp_path / "own.md"
    idle = "He thought about the reason for the decision and the reason for the delay. " * 15
    file.write_text(f"# Reasons\n\n{idle}\n", "utf-8")
    checked = studio("check", file, "--json", cwd=book)
    issues = [directive["issue"] for directive in checked.json["directives"]]
    assert any("senses" in issue for issue in issues), checked.out
    assert not any("0" in issue for issue in issues)


def test_a_bridge_is_a_sentence_or_two(book: Path) -> None:
    (book / "studio.toml").write_text(
        '[novel]\ntitle = "Salt"\nlanguage = "en"\n\n[refine]\non = false\n'
    )
    plan = book / "volumes/vol-01/chapter-contracts/chapter-001.json"
    plan.parent.mkdir(parents=True, exist_ok=True)
    plan.write_text(json.dumps(CONTRACT), "utf-8")
    asked_for = 0

    def answering(asked: Asked) -> Rule | None:
        nonlocal asked_for
        if asked.schema is not None or "Bridge the" not in asked.prompt:
            return None
        asked_for += 1
        return Rule(text=LONG_BRIDGE if asked_for == 1 else BRIDGE)

    with FakeMessages(answering=answering) as server:
        environ = {"ANTHROPIC_BASE_URL": server.url}
        written = studio("write", cwd=book, environ=environ)
    proposed = studio("directives", "list", "--json", cwd=book).out
    assert written.code == 4, written.err
    assert asked_for
    assert "fell on the harbour" not in proposed
    assert BRIDGE in proposed
