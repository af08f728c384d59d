"""SERIAL 4.1: whoever a plan brings into the book is asked for once: by which forms a text may have
them, and which of these mean something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio import i18n
from studio.book.bible import NameFinder, read_bible
from studio.project.create import create_novel
from studio.project.planning.chapter_plan import ChapterPlan, save_plan
from studio.project.store import ProjectStore
from studio.tui.views.forms.plan_forms import form_of_plan, plan_of_form, values_of_plan


# req: K4
@pytest.mark.parametrize(
    ("language", "line", "forms", "left_out", "text"),
    [
        (
            "ko",
            "김해린: 목욕탕집 딸",
            ("해린", "김 씨", "해린아"),
            "김해린 (제외 김 씨): 목욕탕집 딸",
            "김 씨가 들어왔다.",
        ),
        (
            "zh",
            "何晚：茶馆老板娘",
            ("何老师", "老何", "小何", "阿晚"),
            "何晚（不是小何、老何）：茶馆老板娘",
            "小何推门进来。",
        ),
        (
            "en",
            "Mara Stobbs: a fitter",
            ("Mara", "Stobbs"),
            "Mara Stobbs (not Stobbs, the Stobbses): a fitter",
            "The Stobbses came in.",
        ),
    ],
)
def test_a_newcomer_shows_the_forms_of_the_name_and_keeps_what_is_not_meant(
    tmp_path: Path, language: str, line: str, forms: tuple[str, ...], left_out: str, text: str
) -> None:
    i18n.use(language)
    create_novel(tmp_path / "novel", "Salt", "en" if language == "en" else "ko")
    store = ProjectStore(tmp_path / "novel")
    known = NameFinder(read_bible(store).entries.values())
    form = form_of_plan(
        1,
        ChapterPlan(),
        people=(),
        promises=(),
        lines=(),
        places=(),
        unit="words",
        known=known,
    )
    (field,) = (field for field in form.fields if field.key == "introduces")
    assert field.says is not None
    sentence = field.says({"introduces": line})
    assert all(words in sentence for words in forms), sentence
    assert field.says({"introduces": "\n"}) == ""
    values = {**form.values, "happens": "Somebody comes.", "introduces": left_out}
    plan = plan_of_form(values)
    assert values_of_plan(plan)["introduces"] == left_out, "it is read as it is shown"
    save_plan(store, "en" if language == "en" else "ko", 1, plan)
    bible = read_bible(store)
    (entry,) = bible.people.values()
    assert entry.meta.exclude == plan.introduces[0].exclude != ()
    assert not NameFinder(bible.people.values()).find(text)
    assert NameFinder(bible.people.values()).find(line), "the name itself is known"


@pytest.mark.parametrize(
    "line",
    [
        "한서윤 (제외: 서윤): 등대지기",
        "한서윤（제외：서윤）：등대지기",
        "한서윤 (제외 서윤): 등대지기",
    ],
)
def test_the_colon_of_what_is_left_out_is_no_end_of_the_name(line: str) -> None:
    from studio.tui.views.forms.plan_forms import _newcomer

    newcomer = _newcomer(line)
    assert (newcomer.name, newcomer.line, newcomer.exclude) == ("한서윤", "등대지기", ("서윤",))
