"""Whoever is in the book already stands in it once, also where a step of the beginning brings the
name again."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.i18n import Language
from studio.pipeline.beginning.answers import PersonAnswer
from studio.pipeline.beginning.files import own_words, person
from studio.pipeline.beginning.steps import standing_of
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.form.document import to_bytes
from studio.story.novel import CharacterContract
from tests.project.novels import put


# req: J7
@pytest.mark.parametrize(
    ("language", "name", "typed", "page"),
    [
        ("en", "Mara Stobbs", "Mara, keeper of the lamp", "mara"),
        ("ko", "한설", "한설, 등대를 지킨다", "han-seol"),
        ("zh", "林晚", "林晚，守灯的人", "lin"),
    ],
)
def test_a_protagonist_whom_the_book_has_is_the_same_person(
    tmp_path: Path, language: Language, name: str, typed: str, page: str
) -> None:
    create_novel(tmp_path / "n", "Salt", language)
    path = f"characters/active/{page}.md"
    put(tmp_path / "n", path, f"# {name}\n\nCounts the steps.\n")
    standing = standing_of(ProjectStore(tmp_path / "n"), language, 3)
    proposed = own_words("people", typed, standing).files
    assert sorted(proposed) == [f"characters/active/{page}.json", path]
    about = typed.replace("，", ",").partition(",")[2].strip()
    assert proposed[path] == f"# {name}\n\nCounts the steps.\n\n{about}\n"


def test_what_she_said_of_a_person_stays_and_the_answer_fills_what_was_open(tmp_path: Path) -> None:
    create_novel(tmp_path / "n", "Salt", "en")
    hers = CharacterContract(id="mara", name="Mara", wants="The key.", always=("Counts.",))
    put(tmp_path / "n", "characters/active/mara.json", to_bytes(hers).decode())
    standing = standing_of(ProjectStore(tmp_path / "n"), "en", 3)
    lists: dict[str, list[str]] = {n: [] for n in ("aliases", "never", "knows")}
    answer = PersonAnswer(
        id="mara-the-keeper",
        name="Mara",
        role="keeper",
        voice="short",
        wants="to leave",
        fears="the stairs",
        always=["listens"],
        profile="She came by boat.",
        **lists,
    )
    proposal = person(answer, standing.names, standing.person(answer.name))
    words = CharacterContract.model_validate_json(proposal.files["characters/active/mara.json"])
    assert (words.wants, words.always) == (hers.wants, hers.always)
    assert words.fears == "the stairs"
    assert len(proposal.files) == 2
