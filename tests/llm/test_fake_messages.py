"""The fake server as a program of its own, and the shapes it answers with."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.story.form.validation import schema_faults
from studio.story.review.answers import DecomposedScene, JudgeAnswer, SummaryAnswer
from tests.fake_answers import from_schema, language_of, merged, prose
from tests.llm.asking import MemoryJournal, asked, gateway_at

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def port_file(tmp_path: Path) -> Iterator[Path]:
    script = tmp_path / "rules.json"
    script.write_text(json.dumps([{"index": 0, "mode": "status", "status": 529}]))
    file = tmp_path / "port"
    command = [sys.executable, "-m", "tests.fake_messages", "--port-file", str(file)]
    with subprocess.Popen([*command, "--script", str(script)], cwd=ROOT) as process:
        while not file.exists() and process.poll() is None:
            time.sleep(0.01)
        yield file
        process.kill()


async def test_it_serves_another_process_and_tells_what_was_asked(
    port_file: Path, journal: MemoryJournal
) -> None:
    url = f"http://127.0.0.1:{port_file.read_text()}"
    record = await gateway_at(url, journal).prose(asked())
    assert record.attempts == 2
    with urllib.request.urlopen(f"{url}/__requests") as answer:
        rows: list[dict[str, Any]] = json.load(answer)
    assert [row["path"] for row in rows] == ["/v1/messages"] * 2
    assert rows[0]["body"]["messages"][0]["content"][-1]["text"] == asked().parts[-1].text


@pytest.mark.parametrize("answer_type", [JudgeAnswer, SummaryAnswer, DecomposedScene])
@pytest.mark.parametrize("items", [0, 1])
def test_a_value_has_the_shape_of_its_schema(answer_type: Any, items: int) -> None:
    value = from_schema(answer_type.model_json_schema(), items=items)
    assert schema_faults(answer_type, value) == []


def test_prose_is_the_same_for_the_same_seed() -> None:
    assert prose("en", 1) == prose("en", 1) != prose("en", 2)
    assert all(len(prose(language, 3)) > 500 for language in ("en", "ko"))


@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_the_language_follows_the_prompt(language: str) -> None:
    assert language_of(prose(language, 1)) == language


def test_a_scripted_value_lies_over_the_generated_one() -> None:
    assert merged({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}) == {"a": {"b": 3, "c": 2}}
