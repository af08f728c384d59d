"""Thirty drawn rewrites a language: at most one stays in the text unattended (PROSE 6)."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from studio.config.schema import NovelSettings, Settings
from studio.llm.providers.anthropic import AnthropicProvider
from studio.llm.providers.profiles import CLAUDE
from studio.pipeline.chapter.run import ChapterRun
from studio.pipeline.events import Emitter
from studio.pipeline.novel import Novel
from studio.pipeline.prompting.prompt_blocks import PromptBlocks
from studio.pipeline.review.fixes_kept import examine, is_unattended
from studio.pipeline.review.surgeon import Refused, operate
from studio.pipeline.stage import Work
from studio.project.store import ProjectStore
from studio.story.chapter import Chapter, sha256_of
from studio.story.checkpoint import Checkpoint
from studio.story.contract import ChapterContract
from studio.story.review.directive import Directive, DirectiveType
from studio.story.review.passage import PassageLocation
from studio.text.language.packs import load_pack
from tests.pipeline.drawn_rewrites import CHOICES, CLEAN, FRAMES, Drawn, drawn
from tests.pipeline.flows import CONTRACT

LANGUAGES = ("ko", "en", "zh")
NO_JUDGE = replace(CLAUDE, judges=False)
MODELS: Any = {"deep": "claude-x", "standard": "claude-x", "fast": "claude-x"}


class Scripted:
    """A gateway whose surgeon says one rewrite and whose reader tells honestly, or nothing."""

    def __init__(self, rewrite: Drawn, profile: Any, honest: bool) -> None:
        self.provider = AnthropicProvider("key", MODELS, profile=profile)
        self._rewrite, self._honest = rewrite, honest

    async def prose(self, request: Any, listen: Any) -> Any:
        """The rewrite."""
        return self._record(request)

    async def structure(self, request: Any, answer_type: Any, **more: Any) -> Any:
        """The difference there is, in the order in which this call has the texts, from a reader who
        likes the new one."""
        first = next(part.text for part in request.parts if 'name="passage-1"' in part.text)
        old, new = self._rewrite.old, self._rewrite.new
        turned = self._rewrite.after in first
        one, two = (new, old) if turned else (old, new)
        seen = [{"kind": self._rewrite.kind, "one": one, "two": two}] if self._honest else []
        liked = "1" if turned else "2"
        value = {"differences": seen, "better": liked, "why": "It says less."}
        return answer_type.model_validate(value), self._record(request)

    def _record(self, request: Any) -> Any:
        return SimpleNamespace(
            id="gen-1",
            generated_text=self._rewrite.after,
            cost_usd=None,
            model="claude-x",
            finish_reason="end",
            step_count=1,
        )


def stays(store: ProjectStore, language: str, rewrite: Drawn, profile: Any, honest: bool) -> str:
    """`refused` by the guard, `undone`, or `kept` unattended."""
    pack = load_pack(language)
    run = ChapterRun(
        novel=Novel(store, Settings(novel=NovelSettings(language=language)), lambda emit: None),
        gateway=Scripted(rewrite, profile, honest),  # type: ignore[arg-type]
        contract=ChapterContract(**CONTRACT),
        checkpoint=Checkpoint(inflight_chapter=1, run="a0a0a0"),
        emit=Emitter(lambda event: None),
        lock=None,  # type: ignore[arg-type]
        review="accept",
    )
    run.text = Chapter(rewrite.before)
    work = Work(run, PromptBlocks(store, run.contract, pack))
    directive = Directive(
        id="dir_filter_word_removal_001",
        type=DirectiveType.FILTER_WORD_REMOVAL,
        priority=7,
        location=PassageLocation(scene_number=1, paragraph_start=1, paragraph_end=1),
        issue="It reports.",
        instruction="Let it be there.",
        current_text=rewrite.before,
        max_scope=1,
        source_sha256=sha256_of(rewrite.before),
        metric="filter_word_density",
        accepted_by="mode",
    )

    async def work_on_it() -> str:
        try:
            _, result = await operate(work, directive, run.current.passage(1, 1, 1))
        except Refused as refused:
            return "refused" if refused.reasons else "kept"
        assert result.lost or result.added or rewrite.old == rewrite.new
        _, reasons = await examine(work, directive, result)
        return "undone" if reasons else "kept"

    return asyncio.run(work_on_it())


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> ProjectStore:
    folder: Path = tmp_path_factory.mktemp("drawn")
    (folder / "studio.toml").write_text('[novel]\ntitle = "T"\nlanguage = "en"\n')
    return ProjectStore(folder)


# req: A13
@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("profile", [CLAUDE, NO_JUDGE])
def test_of_thirty_drawn_rewrites_at_most_one_stays(
    store: ProjectStore, language: str, profile: Any
) -> None:
    outcomes = Counter(stays(store, language, one, profile, True) for one in drawn(language))
    assert sum(outcomes.values()) == 30
    assert outcomes["kept"] <= 1


# req: A13
@pytest.mark.parametrize(
    ("review", "accepted_by", "unattended"),
    [
        ("accept", "mode", True),
        ("accept", "batch", True),
        ("ask", "mode", True),
        ("reject", "mode", True),
        ("ask", "batch", False),
        ("ask", "name", False),
        ("accept", "name", False),
    ],
)
def test_every_way_to_stay_unseen_goes_through_the_same_examination(
    review: str, accepted_by: Any, unattended: bool
) -> None:
    directive = Directive.model_construct(accepted_by=accepted_by)
    assert is_unattended(directive, review) is unattended


@pytest.mark.sweep
@pytest.mark.parametrize("language", LANGUAGES)
def test_code_alone_holds_back_a_third_of_them_where_the_reader_sees_nothing(
    store: ProjectStore, language: str
) -> None:
    outcomes = Counter(stays(store, language, one, CLAUDE, False) for one in drawn(language))
    assert outcomes["kept"] <= 20


# Without this the numbers above would say nothing.
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_rewrite_with_nothing_changed_stays(store: ProjectStore, language: str) -> None:
    words = {name: options[0] for name, options in CHOICES[language].items()}
    before, after = FRAMES[language].format(**words), CLEAN[language].format(**words)
    good = Drawn(before, after, "event", "", "")
    assert stays(store, language, good, CLAUDE, False) == "kept"


def test_without_a_reader_a_fix_stays_that_helped_and_changed_nothing_else(
    store: ProjectStore,
) -> None:
    before = "The door was shut. Maud saw the lamp on the sill, and the rope lay on the step."
    faithful = "The door was shut. Maud: the lamp on the sill, and the rope lay on the step."
    lossy = "The door was shut. The lamp stood on the sill, and Maud lay on the rope."
    outcomes = [
        stays(store, "en", Drawn(before, after, "event", "", ""), NO_JUDGE, True)
        for after in (lossy, faithful)
    ]
    assert outcomes == ["undone", "kept"]
