"""The small Chinese novel keeps the formats and holds together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml

from studio.config.load import load_settings
from studio.project.verify import verify
from studio.session import Session
from studio.story.chapter import Chapter
from studio.story.contract import ChapterContract
from studio.story.form.document import Document, to_bytes
from studio.story.form.validation import check, read_document
from studio.story.novel import Blacklist, CharacterContract, ExemplarMeta, Foreshadowing
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from studio.text.prose.dialogue import dialogue_spans
from tests.small_novels import DIMENSIONS, NOVELS, plans, small_novel

NOVEL = NOVELS / "zh"
PLANS = plans(NOVEL)
each_chapter = pytest.mark.parametrize("number", [1, 2])


def contract(number: int) -> ChapterContract:
    path = NOVEL / f"volumes/vol-01/chapter-contracts/chapter-{number:03d}.json"
    return read_document(ChapterContract, path.read_bytes(), path.name)


def text(number: int) -> str:
    return (NOVEL / f"chapters/chapter-{number:03d}.md").read_text("utf-8")


def exemplars() -> list[ExemplarMeta]:
    heads = [path.read_text("utf-8").split("---\n")[1] for path in NOVEL.glob("style-library/*.md")]
    return [check(ExemplarMeta, yaml.safe_load(head), "an exemplar") for head in heads]


@pytest.mark.parametrize(("path", "model"), PLANS, ids=lambda part: getattr(part, "stem", ""))
def test_every_plan_fits_its_type_and_is_written_as_the_studio_writes(
    path: Path, model: type[Document]
) -> None:
    assert to_bytes(read_document(model, path.read_bytes(), path.name)) == path.read_bytes()


@pytest.mark.sweep
def test_it_is_whole_and_offers_its_third_chapter(tmp_path: Path) -> None:
    folder = small_novel("zh", tmp_path / "novel")
    assert verify(folder).findings == ()
    status = Session.open(folder, {}).status()
    assert (status.last_completed_chapter, status.next_title) == (2, "朝北的门")
    assert not load_settings(folder, {}).warnings


@each_chapter
def test_a_finished_chapter_has_the_title_and_the_scenes_of_its_contract(number: int) -> None:
    chapter = Chapter(text(number))
    assert chapter.title == contract(number).title
    assert len(chapter.scenes) == len(contract(number).scenes) == 3


@each_chapter
def test_a_finished_chapter_keeps_to_the_novels_targets_and_off_its_blacklist(number: int) -> None:
    metrics = load_settings(NOVEL, {}).metrics
    targets = {name: band.model_dump(exclude_none=True) for name, band in metrics.items()}
    measured = measure(text(number), load_pack("zh"), targets)
    assert {name for name in targets if measured[name].ok is False} == set()
    path = NOVEL / "ai-blacklist.json"
    entries = read_document(Blacklist, path.read_bytes(), path.name).entries
    assert not [entry.phrase for entry in entries if entry.phrase in text(number)]


@each_chapter
def test_who_pawned_a_word_never_says_it(number: int) -> None:
    """The one law of this world: the master's 错 is in drawer 217."""
    for paragraph in Chapter(text(number)).paragraphs:
        if "祝伯年" in paragraph.text or "老人" in paragraph.text:
            for span in dialogue_spans(paragraph.text, load_pack("zh")):
                assert "错" not in span.of(paragraph.text)


# req: A2
def test_the_style_library_has_passages_of_several_kinds() -> None:
    library = exemplars()
    assert Counter(meta.kind for meta in library) == {"good": 6, "anti": 2}
    for dimension in DIMENSIONS:
        assert "" not in {getattr(meta, dimension) for meta in library}
    tags = {tag for n in (1, 2, 3) for s in contract(n).scenes for tag in s.exemplar_tags}
    assert tags <= {meta.scene_type for meta in library}


def test_contracts_name_characters_and_promises_that_exist() -> None:
    people = {
        read_document(CharacterContract, path.read_bytes(), path.name).id
        for path in (NOVEL / "characters/active").glob("*.json")
    }
    path = NOVEL / "foreshadowing/global.json"
    promises = {p.id for p in read_document(Foreshadowing, path.read_bytes(), path.name).promises}
    for number in (1, 2, 3):
        plan = contract(number)
        assert {plan.pov, *plan.characters} <= people
        assert {task.id for task in plan.foreshadowing} <= promises
        for scene in plan.scenes:
            assert all(scene.model_dump().values()), (number, scene.number)


def test_a_kept_fix_and_a_refused_one_are_on_record() -> None:
    folder = NOVEL / "evaluations"
    assert '"status": "rejected"' in (folder / "chapter-001-directives.json").read_text("utf-8")
    assert '"status": "kept"' in (folder / "chapter-002-directives.json").read_text("utf-8")
