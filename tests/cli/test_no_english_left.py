"""No English word is left in what the commands print to a Korean or Chinese writer.

The novel is the Chinese one, so that letters of the alphabet are the program's own.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import i18n
from tests.catalogues import LANGUAGES
from tests.cli.conftest import Typed
from tests.sweeps import swept
from tests.tui.three_novels import in_review, interrupted

SHORT = ("status", "brief", "volume show", "promises list", "bible list", "exemplars list")
LONG = (
    *("status 1", "status 2", "context", "context --lines", "log", "usage", "usage settle"),
    *("promises show word-cuo", "exemplars query --scene-type dialogue", "models", "doctor"),
    *("find 门", "replace 门 窗 --dry-run", "variations list", "history list", "history list 1"),
    *("authorship", "authorship -o -", "continuity --all", "plan", "rebuild", "decide"),
    *("keep list", "lines list", "waivers list", "directives list", "verify", "check 1"),
    *("log show gen", "history backups", "baseline", "config show", "plugins"),
)
NOVELS = {"review": in_review, "interrupted": interrupted}
NO_ENGLISH = re.compile(
    r"""
      `[^`]*` | --[a-z-]+ | ^\[.*\]$                      # typed; the name of a block
    | ^[a-z_.]+\ \ .*                                    # a setting, and what it is
    | [\w~.-]*/[\w./…-]* | [\w.-]+\.(?:toml|jsonl?|md|txt)\b         # files
    | \b\w+\ \d+\.\d[\w.]*                                # a package or program and its version
    | \b[\w]+(?:[-_][\w.]+)+ | claude-[\w.-]+             # ids, agents, models
    | \b(?:deep|standard|fast|studio|Python|Linux|LANG|UTF-8|API|SLUG|xllamacpp)\b
    | \b[0-9a-f]{10}\b | \b\d+T\d\S* | \bon\ Linux\b  # a version of a text; the machine
    | ^\s*>?\s*(?:commit|edit)\b                          # what is typed to decide
    | \#\#\ Chapter | the\ task\ \ | You\ draft\ one\ scene\. | Write\ the\ scene\. | \bid\b
    | literary\ fantasy | \b(?:neighbours|world)\b | '[^']*'
    | \b(?:climax|tense|omniscient|medium|description|uneasy|slow|dialogue|funny|action)\b
    | \b(?:grieving|introspection|tender|transition|wry)\b
    """,
    re.VERBOSE,
)
"""What is the same in every language: what is typed, ids, files, and what the novel's own files
say in English."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """The Chinese novel before a review, and stopped within a chapter."""
    base = tmp_path_factory.mktemp("chinese")
    yield {name: make("zh", base / name) for name, make in NOVELS.items()}
    shutil.rmtree(base)


# req: H6
@pytest.mark.parametrize(
    ("language", "commands", "novel"),
    [
        pytest.param("ko", SHORT[:3], "interrupted", id="sample"),
        *(swept(lang, SHORT, "interrupted", id=f"{lang}-interrupted") for lang in LANGUAGES),
        *(swept(lang, (*SHORT, *LONG), "review", id=f"{lang}-review") for lang in LANGUAGES),
    ],
)
def test_no_english_word_is_printed(
    language: str,
    commands: tuple[str, ...],
    novel: str,
    folders: dict[str, Path],
    typed: Typed,
) -> None:
    left: dict[str, set[str]] = {}
    try:
        for command in commands:
            i18n.use(language)
            ended = typed(*command.split(), "--project", folders[novel])
            for line in (ended.out + ended.err).splitlines():
                if re.search("[A-Za-z]{2,}", NO_ENGLISH.sub(" ", line)):
                    left.setdefault(command, set()).add(line)
    finally:
        i18n.use("en")
    assert left == {}
