"""The sample novel keeps the formats and holds together."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from studio.book.as_of import StoryAt
from studio.book.bible import read_bible
from studio.book.promise_changes import promises_now
from studio.config.load import load_settings
from studio.project.store import ProjectStore
from studio.project.verify import verify
from studio.resources import sample_project_dir
from studio.session import Session
from studio.story.chapter import Chapter
from studio.story.contract import ChapterContract
from studio.story.form.document import Document, to_bytes
from studio.story.form.slugs import chapter_name, slug_fault
from studio.story.form.validation import check, read_document
from studio.story.novel import (
    Blacklist,
    CharacterContract,
    Exemplar,
    ExemplarMeta,
    Foreshadowing,
    Relationships,
    Storylines,
    StorylineSchedule,
)
from studio.text.language.packs import load_pack
from studio.text.metrics.measure import measure
from tests.small_novels import DIMENSIONS, plans

SAMPLE = sample_project_dir()
CHAPTERS = Path(__file__).parent / "data/sample-chapters"
VOLUME = SAMPLE / "volumes/vol-01"
PLANS = plans(SAMPLE)
PLANNED_FOLDERS = ("world", "characters", "storylines", "foreshadowing", "volumes")


def contracts() -> list[ChapterContract]:
    folder = VOLUME / "chapter-contracts"
    return [
        read_document(ChapterContract, path.read_bytes(), path.name)
        for path in sorted(folder.glob("*.json"))
    ]


def exemplars() -> list[Exemplar]:
    passages = []
    for path in sorted((SAMPLE / "style-library").glob("*.md")):
        _, head, passage = path.read_text("utf-8").split("---\n", 2)
        meta = check(ExemplarMeta, yaml.safe_load(head), path.name)
        passages.append(Exemplar(id=path.stem, meta=meta, text=passage.strip()))
    return passages


def characters() -> set[str]:
    return {path.stem for path in (SAMPLE / "characters/active").glob("*.json")}


def storylines() -> Storylines:
    path = SAMPLE / "storylines/storylines.json"
    return read_document(Storylines, path.read_bytes(), path.name)


def promises(path: Path) -> set[str]:
    return {p.id for p in read_document(Foreshadowing, path.read_bytes(), path.name).promises}


@pytest.mark.parametrize(("path", "model"), PLANS, ids=lambda part: getattr(part, "stem", ""))
def test_every_planning_file_fits_its_type_and_is_written_as_the_studio_writes(
    path: Path, model: type[Document]
) -> None:
    data = path.read_bytes()
    assert to_bytes(read_document(model, data, path.name)) == data


def test_no_planning_file_is_of_an_unknown_kind() -> None:
    paths = {path for folder in PLANNED_FOLDERS for path in (SAMPLE / folder).rglob("*.json")}
    assert paths == {path for path, _ in PLANS if path.parent != SAMPLE}


def test_its_settings_are_understood_without_a_warning() -> None:
    settings = load_settings(SAMPLE, {})
    assert settings.novel.title == "The Returns Book"
    assert settings.novel.language == "en"
    assert settings.metrics["filter_word_density"].max == 5
    assert settings.metrics["sensory_grounding"].min == 2
    assert not settings.warnings


def test_three_characters_have_a_profile_and_a_contract_of_the_same_name() -> None:
    folder = SAMPLE / "characters/active"
    assert len(characters()) == 3
    assert {path.stem for path in folder.glob("*.md")} == characters()
    for path in folder.glob("*.json"):
        assert read_document(CharacterContract, path.read_bytes(), path.name).id == path.stem


def test_relationships_and_storylines_name_characters_that_exist() -> None:
    path = SAMPLE / "characters/relationships.json"
    pairs = read_document(Relationships, path.read_bytes(), path.name).relationships
    assert {end for pair in pairs for end in (pair.source, pair.target)} <= characters()
    for line in storylines().storylines:
        assert {line.pov, *line.characters} <= characters()


def test_contracts_are_eight_and_belong_to_their_file() -> None:
    folder = VOLUME / "chapter-contracts"
    assert [path.stem for path in sorted(folder.glob("*.json"))] == [
        chapter_name(contract.chapter) for contract in contracts()
    ]
    assert [contract.chapter for contract in contracts()] == list(range(1, 9))
    assert {contract.volume for contract in contracts()} == {1}


def test_contracts_name_characters_that_exist_and_scenes_keep_to_their_chapter() -> None:
    for contract in contracts():
        assert {contract.pov, *contract.characters} <= characters()
        for scene in contract.scenes:
            assert {scene.pov, *scene.characters} <= set(contract.characters)
            assert scene.location is None or slug_fault(scene.location) is None


def test_contracts_follow_the_schedule_and_its_storylines() -> None:
    path = VOLUME / "storyline-schedule.json"
    schedule = read_document(StorylineSchedule, path.read_bytes(), path.name).chapters
    known = {line.id for line in storylines().storylines}
    assert [(c.chapter, c.storyline_id) for c in contracts()] == [
        (entry.chapter, entry.storyline_id) for entry in schedule
    ]
    assert {entry.storyline_id for entry in schedule} == known
    assert {line for entry in schedule for line in entry.concurrent} <= known


def test_every_promise_is_planted_before_it_goes_on_and_is_known_to_both_lists() -> None:
    book = promises(SAMPLE / "foreshadowing/global.json")
    assert promises(VOLUME / "foreshadowing.json") <= book
    actions: dict[str, str] = {}
    for contract in contracts():
        for task in contract.foreshadowing:
            assert (task.action == "plant") == (task.id not in actions), (contract.chapter, task)
            assert actions.get(task.id) != "resolve", (contract.chapter, task)
            actions[task.id] = task.action
    assert set(actions) == book


def test_the_outline_has_a_section_for_each_contract_under_its_title() -> None:
    outline = (VOLUME / "outline.md").read_text("utf-8")
    headings = re.findall(r"^## Chapter (\d+): (.+)$", outline, re.MULTILINE)
    assert headings == [(str(c.chapter), c.title) for c in contracts()]


# req: A1
def test_chapter_three_has_three_scenes_with_nothing_left_open() -> None:
    chapter = contracts()[2]
    assert len(chapter.scenes) == 3
    for scene in chapter.scenes:
        assert all(scene.model_dump().values()), scene.number
        assert scene.target_length is not None
        assert 250 <= scene.target_length <= 350


# req: A2
def test_the_style_library_covers_the_five_dimensions() -> None:
    library = exemplars()
    assert Counter(exemplar.meta.kind for exemplar in library) == {"good": 12, "anti": 3}
    for dimension in DIMENSIONS:
        values = {getattr(exemplar.meta, dimension) for exemplar in library}
        assert "" not in values
        assert len(values) >= 3, dimension
    for exemplar in library:
        assert slug_fault(exemplar.id) is None
        assert 80 <= len(exemplar.text.split()) <= 180, exemplar.id


def test_every_exemplar_tag_of_a_contract_finds_an_exemplar() -> None:
    kinds = {exemplar.meta.scene_type for exemplar in exemplars()}
    tags = {tag for c in contracts() for scene in c.scenes for tag in scene.exemplar_tags}
    assert tags <= kinds


@pytest.mark.parametrize("number", [1, 2])
def test_a_finished_chapter_has_the_title_and_the_scenes_of_its_contract(number: int) -> None:
    contract = contracts()[number - 1]
    chapter = Chapter((CHAPTERS / f"{chapter_name(number)}.md").read_bytes().decode("utf-8"))
    assert chapter.title == contract.title
    assert len(chapter.scenes) == len(contract.scenes) == 3


@pytest.mark.parametrize("number", [1, 2])
def test_a_finished_chapter_has_none_of_the_phrases_on_the_blacklist(number: int) -> None:
    path = SAMPLE / "ai-blacklist.json"
    entries = read_document(Blacklist, path.read_bytes(), path.name).entries
    text = (CHAPTERS / f"{chapter_name(number)}.md").read_text("utf-8").lower()
    assert not [entry.phrase for entry in entries if entry.phrase.lower() in text]


def test_the_committed_sample_is_whole_and_offers_chapter_three() -> None:
    report = verify(SAMPLE)
    assert report.findings == ()
    status = Session.open(SAMPLE, {}).status()
    assert (status.last_completed_chapter, status.next_title) == (2, "The Lamp Room")


@pytest.mark.parametrize("number", [1, 2])
def test_the_committed_chapters_are_the_authors_to_the_byte(number: int) -> None:
    name = f"chapter-{number:03d}.md"
    assert (SAMPLE / "chapters" / name).read_bytes() == (CHAPTERS / name).read_bytes()


@pytest.mark.parametrize("number", [1, 2])
def test_a_finished_chapter_keeps_to_the_samples_own_targets(number: int) -> None:
    settings = load_settings(SAMPLE, {})
    targets = {name: t.model_dump(exclude_none=True) for name, t in settings.metrics.items()}
    text = (CHAPTERS / f"chapter-{number:03d}.md").read_text("utf-8")
    measured = measure(text, load_pack("en"), targets)
    assert {name for name in targets if measured[name].ok is False} == set()


def test_it_shows_what_a_book_can_remember() -> None:  # req: G3 G5 G6
    store = ProjectStore(SAMPLE)
    promises = {promise.id: promise for promise in promises_now(store).values()}
    assert {p.status for p in promises.values()} == {"planned", "planted", "advanced"}
    for promise in promises.values():
        for event in promise.events:
            chapter = store.chapter(event.chapter)
            assert chapter is not None
            assert event.quote
            assert event.quote in chapter.text
    entries = read_bible(store).entries.values()
    assert sum(bool(entry.text.progressions) for entry in entries) >= 2
    assert sum(bool(entry.aliases) for entry in entries) >= 4
    assert len(store.secrets().secrets) >= 2
    story = StoryAt(store, 3)
    assert story.state.tree["characters"]["edwin"]["location"] == "sea-view"
    assert len(story.state.tree["active_foreshadowing"]) == 7
