"""A plan has one truth: what the tab Plan and the form show is what is sent, and a plan made anew
replaces the old one in every file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.pipeline.book_runs.chapter_planner import standing_plan
from studio.project.planning.chapter_plan import ChapterPlan
from studio.project.planning.plans import Plans
from studio.project.store import ProjectStore
from studio.session import Session
from studio.tui.desk.load import read_current
from studio.tui.desk.text import plan_lines
from tests.cli.command import studio
from tests.pipeline.flows import SETTINGS, make_novel
from tests.project.novels import put

OUTLINE = "volumes/vol-01/outline.md"
CONTRACT = "volumes/vol-01/chapter-contracts/chapter-001.json"
PLANS = {
    "en": ("She lets the ladder down.", "She has the key.", "She burns the ladder."),
    "ko": ("그녀가 사다리를 내린다.", "열쇠가 그녀의 손에 있다.", "그녀가 사다리를 태운다."),
    "zh": ("她放下梯子。", "钥匙在她手里。", "她烧掉梯子。"),
}
LANGUAGES = pytest.mark.parametrize("language", PLANS)


def planned(folder: Path, language: str) -> Path:
    """A chapter as the architect plans it: what happens in the outline, what it comes to in the
    contract."""
    happens, ends, _ = PLANS[language]
    make_novel(folder, SETTINGS.replace('"en"', f'"{language}"'), contract=None)
    put(folder, OUTLINE, f"## Chapter 1: Fog\n\n{happens}\n\n<!-- ask the pilot -->\n")
    plan = {"schema_version": 1, "chapter": 1, "volume": 1, "title": "Fog"}
    put(folder, CONTRACT, {**plan, "storyline_id": "main", "objectives": [ends]})
    return folder


def shown(folder: Path) -> str:
    """The tab Plan."""
    session = Session.open(folder, {})
    lines = plan_lines(read_current(session, 1, session.store.checkpoint()))
    return "\n".join("".join(phrase.text for phrase in row) for row in lines)


def sent(folder: Path) -> str:
    """The plan as the drafter is told it."""
    there = {"ANTHROPIC_API_KEY": "k"}
    order = ("context", 1, "--scene", 1, "--agent", "scene-drafter", "--json")
    page = studio(*order, "--project", folder, environ=there).json
    return "\n".join(block["text"] for block in page["blocks"] if block["id"] != "previous-tail")


@pytest.mark.sampled
@LANGUAGES
def test_what_the_plan_tab_and_the_form_show_is_what_is_sent(tmp_path: Path, language: str) -> None:
    folder = planned(tmp_path / "novel", language)
    happens, ends, _ = PLANS[language]
    tab = shown(folder)
    plan = standing_plan(ProjectStore(folder), 1).plan
    assert (plan.happens, plan.ends) == ((happens,), (ends,))
    for words in (happens, ends):
        assert words in sent(folder)
        assert tab.count(words) == 1


def test_a_line_of_a_list_in_the_outline_has_one_mark_in_the_tab(tmp_path: Path) -> None:
    folder = planned(tmp_path / "novel", "en")
    put(folder, OUTLINE, "## Chapter 1: Fog\n\nThe bell is wrong.\n\n- Nobody rows.\n* It rains.\n")
    rows = shown(folder).splitlines()
    assert {"· The bell is wrong.", "· Nobody rows.", "· It rains."} <= set(rows)


@pytest.mark.sampled
@LANGUAGES
def test_a_plan_made_on_the_form_replaces_what_the_outline_said(
    tmp_path: Path, language: str
) -> None:
    folder = planned(tmp_path / "novel", language)
    happens, ends, anew = PLANS[language]
    plans = Plans(ProjectStore(folder), language)  # type: ignore[arg-type]
    before = (folder / OUTLINE).read_bytes()
    plans.save(1, ChapterPlan("Fog", (happens,), ends=(ends,)))
    assert (folder / OUTLINE).read_bytes() == before, "what it says stands"
    plans.save(1, ChapterPlan("Fog", (anew,), ends=(ends,)))
    outline = (folder / OUTLINE).read_text("utf-8")
    assert anew in outline
    assert "<!-- ask the pilot -->" in outline, "her notes stay"
    for words in (outline, sent(folder), shown(folder)):
        assert happens not in words
    assert studio("plan", "undo", "--project", folder).code == 0
    assert happens in (folder / OUTLINE).read_text("utf-8")


@pytest.mark.sampled
@LANGUAGES
def test_an_outline_of_hers_replaces_what_the_contract_took_from_the_one_before(
    tmp_path: Path, language: str
) -> None:
    folder = planned(tmp_path / "novel", language)
    happens, ends, anew = PLANS[language]
    plan = json.loads((folder / CONTRACT).read_text("utf-8"))
    put(folder, CONTRACT, {**plan, "beats": [happens], "must_not": ["The lamp is lit."]})
    file = tmp_path / "mine.md"
    file.write_text(f"## Chapter 1: Fog\n\n- {anew}\n", "utf-8")
    assert studio("volume", "plan", "--from", file, "--project", folder).code == 4
    assert studio("decide", "accept", "--project", folder).code == 0
    fresh = json.loads((folder / CONTRACT).read_text("utf-8"))
    assert (fresh["beats"], fresh["objectives"]) == ([anew], [ends])
    assert fresh["must_not"] == ["The lamp is lit."]
    for words in (sent(folder), shown(folder)):
        assert happens not in words
        assert anew in words
