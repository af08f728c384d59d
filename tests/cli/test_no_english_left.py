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
from tests.fake_messages import FakeMessages, Rule
from tests.pipeline.flows import Model
from tests.sweeps import swept
from tests.tui.three_novels import in_review, interrupted

SHORT = ("status", "brief", "volume show", "promises list", "bible list", "exemplars list")
LONG = (
    *("status 1", "status 2", "context", "context --diff", "context --lines", "log"),
    *("usage", "usage settle"),
    *("promises show word-cuo", "exemplars query --scene-type dialogue", "models", "doctor"),
    *("find 门", "replace 门 窗 --dry-run", "variations list", "history list", "history list 1"),
    *("authorship", "authorship -o -", "continuity --all", "plan", "rebuild", "decide"),
    *("keep list", "lines list", "waivers list", "directives list", "verify", "check 1"),
    *("log show gen", "history backups", "baseline", "config show", "plugins"),
    *("agents", "agents nobody", "bible show wen-sui", "bible show nobody"),
)
MODELLED = (
    *("plan propose 4", "plan propose 4 --take ends", "plan propose 40"),
    "rewrite 3 --passage 1.2 --mode regenerate --dry-run",
    "rewrite 3 --passage 9.9 --mode refine --direction 冷",
    "rewrite 3 --passage 1.2 --mode regenerate",
)
"""What a model is asked for; it answers in the novel's language."""
PLAN = {
    "title": "借字",
    "happens": ["温穗数到八十。"],
    "characters": ["wen_sui"],
    "pov": "wen_sui",
    "must_not": [],
    "ends": ["她把信放回抽屉。"],
    "promises": [],
    "storyline_id": "main",
}
NOVELS = {"review": in_review, "interrupted": interrupted}
NO_ENGLISH = re.compile(
    r"""
      `[^`]*` | --[a-z-]+ | ^\[[\w-]+\]                    # typed; the name of a block
    | ^[a-z_.]+\ \ .*                                    # a setting, and what it is
    | [\w~.-]*/[\w./…-]* | [\w.-]+\.(?:toml|jsonl?|md|txt)\b         # files
    | \b\w+\ \d+\.\d[\w.]*                                # a package or program and its version
    | \b[\w]+(?:[-_][\w.]+)+ | claude-[\w.-]+             # ids, agents, models
    | \b(?:deep|standard|fast|studio|Python|Linux|LANG|UTF-8|API|SLUG|xllamacpp)\b
    | \b[0-9a-f]{10}\b | \b\d+T\d\S* | \bon\ Linux\b  # a version of a text; the machine
    | ^\s*>?\s*(?:commit|edit)\b                          # what is typed to decide
    | https:| \b(?:anthropic|openai|embedded)\b
    | \b(?:ko|en|zh)\b                                  # an address; the codes of languages
    | \#\#\ Chapter | You\ draft\ one\ scene\. | Write\ the\ scene\. | \bid\b
    | \((?:title|happens|people|place|seen_by|must_not|ends|promises|line)\)
    | \b(?:high|medium|low|nobody|assembly|lamp)(?![A-Za-z])       # a particle may follow
    | \b(?:prewriter|summarizer|utf-8|adult|wen_sui)\b
    | literary\ fantasy | \b(?:neighbours|world)\b | '[^']*'
    | \b(?:description|funny|wry)\b                     # in the plan and the style library
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
    assert english_left(language, commands, folders[novel], typed) == {}


# req: H6
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_word_is_printed_about_what_a_model_answers(
    language: str, folders: dict[str, Path], typed: Typed, server: FakeMessages
) -> None:
    server.answering = Model(plan=Rule(value=PLAN), anew=Rule(text="灯灭了。"))
    assert english_left(language, MODELLED, folders["review"], typed) == {}
    assert len(server.asked) > 1, "a plan and a passage"


# req: H6
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_english_word_is_printed_about_an_import(
    language: str, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("雨.md").write_text("# 雨\n\n雨停了。\n\n# 灯\n\n他说：“灯还亮着。”\n", "utf-8")
    into = ("import 雨.md --into 新书 --dry-run", "import 雨.md --into 新书 --yes")
    assert english_left(language, into, None, typed) == {}


def english_left(
    language: str, commands: tuple[str, ...], novel: Path | None, typed: Typed
) -> dict[str, set[str]]:
    """The lines with an English word that commands print, by command."""
    place = () if novel is None else ("--project", novel)
    left: dict[str, set[str]] = {}
    for command in commands:
        i18n.use(language)
        ended = typed(*command.split(), *place)
        for line in (ended.out + ended.err).splitlines():
            if re.search("[A-Za-z]{2,}", NO_ENGLISH.sub(" ", line)):
                left.setdefault(command, set()).add(line)
    return left
