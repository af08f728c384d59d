"""The form of a person says by which forms she is found, and keeps what does not mean her."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.book.bible import NameFinder, read_bible
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.story.novel import CharacterContract
from studio.text.language.names import Bearer, NameIndex
from studio.tui.desk.parts.book_notes import NOTES
from studio.tui.screens.ask import Choose
from studio.tui.screens.form import FormScreen
from tests.project.novels import put
from tests.tui.flow_keys import Keys
from tests.tui.pilot import opened


# req: G2
@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Mara Stobbs", "Mara, Stobbs, Dr. Stobbs, the Stobbses"),
        ("김미나", "미나, 김 씨, 김 선생님, 미나야"),
        ("남궁민수", "민수, 남궁 씨, 남궁 선생님, 민수야"),
        ("欧阳明远", "明远, 欧阳, 欧阳老师, 老欧阳, 小欧阳, 阿远"),
        ("Mara", ""),
    ],
)
def test_the_form_says_how_else_a_person_is_found(tmp_path: Path, name: str, forms: str) -> None:
    create_novel(tmp_path / "novel", "Salt", "en")
    form = NOTES["People"].form(ProjectStore(tmp_path / "novel"), "")
    (field,) = (field for field in form.fields if field.key == "name")
    assert field.says is not None
    assert field.says({"name": name}) == (f"Also found as: {forms}." if forms else "")
    finder = NameIndex([Bearer("her", (name,))])
    assert all(finder.find(words) for words in forms.split(", ") if words)
    first = forms.partition(",")[0]
    if first:
        assert f": {first}," not in field.says({"name": name, "exclude": first})


def test_a_form_that_two_people_share_or_an_alias_has_is_not_offered(tmp_path: Path) -> None:
    novel = tmp_path / "novel"
    create_novel(novel, "Salt", "en")
    put(novel, "characters/active/jon.md", "---\nname: Jon Stobbs\n---\n")
    form = NOTES["People"].form(ProjectStore(novel), "")
    (field,) = (field for field in form.fields if field.key == "name")
    assert field.says is not None
    assert field.says({"name": "Mara Stobbs"}) == "Also found as: Mara."
    assert field.says({"name": "Mara Stobbs", "aliases": "Mara"}) == ""


def test_a_person_without_a_contract_has_her_name_in_the_form_and_no_id(tmp_path: Path) -> None:
    novel = tmp_path / "novel"
    create_novel(novel, "盐", "zh")
    put(novel, "characters/active/lin-wan.md", "---\nname: 林晚\naliases: [晚姐]\n---\n# 林晚\n")
    form = NOTES["People"].form(ProjectStore(novel), "lin-wan")
    assert (form.title, form.values["name"], form.values["aliases"]) == ("林晚", "林晚", "晚姐")


@pytest.mark.sweep
async def test_a_look_alike_is_typed_into_the_form_and_kept_in_the_front_matter(
    project: Path,
) -> None:
    async with opened(project, os.environ, notifications=True) as studio:
        keys = Keys(studio)
        await studio.press("1", "end", "up", "up", "up", "up", "up", "enter")
        await studio.sees(Choose, "People")
        await studio.press("end", "enter")
        await studio.sees(FormScreen)
        await keys.types("Kim Vale")
        await studio.until(lambda: "Also found as: Kim, Vale" in studio.screen, "the forms")
        await studio.press("down", "down")
        await keys.types("Kim's Game, Vale of Tears")
        await studio.press("ctrl+s")
        await studio.until(lambda: "saved" in studio.told, "the form is saved")
    bible = read_bible(ProjectStore(project))
    assert bible.people["kim-vale"].meta.exclude == ("Kim's Game", "Vale of Tears")
    finder = NameFinder(bible.entries.values())
    assert finder.find("They played Kim's Game in the Vale of Tears.") == []
    assert [m.slug for m in finder.find("Kim went out.")] == ["kim-vale"]


def test_a_front_matter_keeps_what_the_form_does_not_show(tmp_path: Path) -> None:
    novel = tmp_path / "novel"
    create_novel(novel, "소금", "ko")
    path = "characters/active/seon-u-jin.md"
    put(novel, path, "---\nname: 선우진\ndead_from: 6\nexclude: 선우 상회\n---\n\n등대지기.\n")
    store, note = ProjectStore(novel), NOTES["People"]
    before = (novel / path).read_bytes()
    form = note.form(store, "seon-u-jin")
    note.save(store, "seon-u-jin", {**form.values, "role": "등대지기"}, form)
    assert (novel / path).read_bytes() == before
    form = note.form(store, "seon-u-jin")
    note.save(store, "seon-u-jin", {**form.values, "exclude": "선우 상회, 선우"}, form)
    entry = read_bible(store).people["seon-u-jin"]
    assert (entry.meta.exclude, entry.meta.dead_from) == (("선우 상회", "선우"), 6)
    assert isinstance(entry.contract, CharacterContract)
    finder = NameFinder([entry])
    assert finder.find("선우가 왔다.") == []
    assert len(finder.find("선우진이 왔다.")) == 1, "the whole name is still hers"
