"""The store: typed values of every file; missing is empty, damaged is named."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from studio.errors import Exit, StudioError
from studio.fsio import sha256_hex
from studio.project.store import ProjectStore
from studio.story.checkpoint import Checkpoint
from tests.project.novels import CHINESE, ENGLISH, KOREAN, commit_now, make_novel, put, tree

CONTRACT: dict[str, Any] = {
    "schema_version": 1, "chapter": 3, "volume": 1, "title": "The Lamp Room",
    "storyline_id": "main", "objectives": ["Mara finds the key"],
}  # fmt: skip
PLAN = "volumes/vol-01/chapter-contracts/chapter-003.json"


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    return make_novel(tmp_path)


def assert_damaged(read: Any, *words: str) -> None:
    with pytest.raises(StudioError) as caught:
        read()
    assert caught.value.problem.exit_code == Exit.DAMAGED
    for word in words:
        assert word in str(caught.value.problem)


# req: F5
def test_a_plan_that_an_editor_gave_a_mark_at_its_beginning_is_read(store: ProjectStore) -> None:
    put(store.layout.folder, PLAN, b"\xef\xbb\xbf" + json.dumps(CONTRACT, indent=1).encode())
    contract = store.contract(3)
    assert contract is not None
    assert contract.title == "The Lamp Room"


def test_a_folder_that_is_no_novel_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(StudioError) as caught:
        ProjectStore(tmp_path / "nowhere")
    assert caught.value.problem.exit_code == Exit.USAGE


def test_a_novel_with_nothing_in_it_is_empty_everywhere(store: ProjectStore) -> None:
    before = tree(store.layout.folder)
    assert store.checkpoint() == Checkpoint()
    assert (store.brief(), store.memory("main"), store.outline(1)) == ("", "", "")
    assert (store.chapter(1), store.summary(1), store.contract(1)) == (None, None, None)
    assert (store.evaluation(1), store.directives(1), store.crossref(1)) == (None, None, None)
    assert (store.characters(), store.exemplars(), store.world_docs()) == ({}, [], {})
    assert store.world_rules().rules == store.foreshadowing().promises == ()
    assert store.storylines().storylines == store.schedule(1).chapters == ()
    assert store.state().state_version == 0
    assert tree(store.layout.folder) == before


@pytest.mark.parametrize(
    "data",
    [
        KOREAN.encode(),
        "\ufeff# 灯塔\r\n\r\n雨停了。\r\n".encode(),
        b"# T\r\rold mac\r",
        "마라 no final newline\u2028".encode(),
        "등대".encode(),
    ],
)
def test_a_chapter_keeps_its_bytes(store: ProjectStore, data: bytes) -> None:
    put(store.layout.folder, "chapters/chapter-001.md", data)
    chapter = store.chapter(1)
    assert chapter is not None
    assert chapter.text.encode() == data
    assert chapter.sha256 == sha256_hex(data)


# req: F18
@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("비가".encode("cp949"), "is not UTF-8: byte 0"),
        (ENGLISH.encode() + "雨".encode("gb18030"), f"byte {len(ENGLISH)}"),
        (ENGLISH.encode("utf-16"), "chapters/chapter-001.md"),
        (bytes(500), "zero bytes"),
        (
            b"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> hers\n",
            "conflict markers of a merge, from line 2",
        ),
    ],
)
def test_a_chapter_that_cannot_be_read_is_named(
    store: ProjectStore, data: bytes, words: str
) -> None:  # req: F5
    put(store.layout.folder, "chapters/chapter-001.md", data)
    assert_damaged(lambda: store.chapter(1), "chapters/chapter-001.md", words)
    assert (store.layout.folder / "chapters/chapter-001.md").read_bytes() == data


def test_a_contract_is_found_in_its_volume(store: ProjectStore) -> None:
    put(store.layout.folder, PLAN, CONTRACT)
    put(store.layout.folder, "volumes/vol-01/chapter-contracts/README.md", "about")
    contract = store.contract(3)
    assert contract is not None
    assert (contract.title, store.layout.contract_numbers(1)) == ("The Lamp Room", [3])


def test_no_volume_is_opened_that_has_no_contract_of_the_chapter(
    store: ProjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:  # req: P15
    for volume in range(1, 40):
        put(store.layout.folder, f"volumes/vol-{volume:02d}/chapter-contracts/about.md", "about")
    put(store.layout.folder, PLAN.replace("vol-01", "vol-40"), {**CONTRACT, "volume": 40})
    opened, really = list[str](), os.open

    def noted(path: Any, *args: Any, **options: Any) -> int:
        opened.append(str(path))
        return really(path, *args, **options)

    monkeypatch.setattr(os, "open", noted)
    contract = store.contract(3)
    assert contract is not None
    assert [name for name in opened if name.startswith("vol-")] == ["vol-40"]


# req: P15
@pytest.mark.parametrize("is_link", [False, True])
def test_a_folder_of_contracts_that_is_none_is_named(store: ProjectStore, is_link: bool) -> None:
    put(store.layout.folder, PLAN, CONTRACT)
    folder = (store.layout.folder / PLAN).parent
    folder.rename(folder.parent / "moved")
    if is_link:
        folder.symlink_to(folder.parent / "moved")
    else:
        folder.write_text("no folder")
    assert_damaged(lambda: store.contract(3), "volumes/vol-01/chapter-contracts")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"chapter": 4}, "contract of chapter 4"),
        ({"volume": 2}, "in volume 2"),
        ({"objectives": []}, "objectives"),
        ({"storyline_id": "../../x"}, "storyline_id"),
        ({"mood": "grim"}, "mood"),
        ({"schema_version": 9}, "newer version"),
    ],
)
def test_a_contract_that_does_not_fit_names_the_field(
    store: ProjectStore, change: dict[str, Any], words: str
) -> None:
    put(store.layout.folder, PLAN, CONTRACT | change)
    assert_damaged(lambda: store.contract(3), PLAN, words)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("path", "read"),
    [
        (".checkpoint.json", "checkpoint"),
        ("state/current-state.json", "state"),
        ("style-profile.json", "style_profile"),
        ("ai-blacklist.json", "blacklist"),
        ("world/rules.json", "world_rules"),
        ("characters/relationships.json", "relationships"),
        ("characters/active/mara.json", "characters"),
        ("storylines/storylines.json", "storylines"),
        ("storylines/storyline-spec.json", "storyline_spec"),
        ("foreshadowing/global.json", "foreshadowing"),
    ],
)
@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"\0\0\0\0", b'{"schema_version": NaN}', b"[" * 100_000, b"1" * 6000]
)
def test_a_broken_file_is_named_and_left_alone(
    store: ProjectStore, path: str, read: str, data: bytes
) -> None:  # req: F2
    put(store.layout.folder, path, data)
    assert_damaged(getattr(store, read), path)
    assert (store.layout.folder / path).read_bytes() == data


def test_people_come_with_contract_or_profile_or_both(store: ProjectStore) -> None:
    folder = store.layout.folder
    put(folder, "characters/active/mara.json", {"id": "mara", "name": "마라"})
    put(folder, "characters/active/mara.md", "등대지기의 딸.")
    put(folder, "characters/active/joss.md", "Lies well.")
    people = store.characters()
    assert sorted(people) == ["joss", "mara"]
    assert people["mara"].contract is not None
    assert people["mara"].profile == "등대지기의 딸."
    assert people["joss"].contract is None


def test_a_person_whose_file_name_is_no_id_is_named(store: ProjectStore) -> None:
    put(store.layout.folder, "characters/active/Mara Voss.md", "x")
    assert_damaged(store.characters, "characters/active/Mara Voss")


def test_a_person_with_another_id_than_its_file_is_named(store: ProjectStore) -> None:
    put(store.layout.folder, "characters/active/mara.json", {"id": "joss", "name": "Joss"})
    assert_damaged(store.characters, "characters/active/mara.json", "'joss'")


def test_exemplars_have_their_dimensions(store: ProjectStore) -> None:
    text = "---\ngenre: gothic\nscene_type: dialogue\nkind: anti\n---\n\n“哦，”她说。\n"
    put(store.layout.folder, "style-library/tide-talk.md", text)
    (exemplar,) = store.exemplars()
    assert (exemplar.id, exemplar.meta.kind, exemplar.text) == ("tide-talk", "anti", "“哦，”她说。")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("---\nkind: best\n---\nText.", "kind"),
        ("---\nmood: grim\n---\nText.", "mood"),
        ("---\ngenre: [1\n---\nText.", "front matter"),
        ("---\ngenre: gothic\n---\n\n", "no passage"),
    ],
)
def test_an_exemplar_that_does_not_fit_names_file_and_key(
    store: ProjectStore, text: str, words: str
) -> None:
    put(store.layout.folder, "style-library/one.md", text)
    assert_damaged(store.exemplars, "style-library/one.md", words)


def test_notes_in_brief_and_outline_are_not_part_of_them(store: ProjectStore) -> None:
    put(store.layout.folder, "brief.md", "<!-- 메모 -->\n등대 이야기.\n")
    put(
        store.layout.folder,
        "volumes/vol-01/outline.md",
        "## 제1장 등불\n\n<!-- x -->마라가 간다.\n",
    )
    assert store.brief() == "등대 이야기."
    assert store.outline_section(1, 1) == ("등불", "마라가 간다.")


def test_a_saved_checkpoint_is_stamped_and_read_back(store: ProjectStore) -> None:
    saved = store.save_checkpoint(Checkpoint(inflight_chapter=1))
    assert saved.updated_at.endswith("Z")
    assert store.checkpoint() == saved


def test_a_missing_checkpoint_is_damage_once_a_chapter_was_committed(store: ProjectStore) -> None:
    put(store.layout.folder, "chapters/chapter-001.md", KOREAN)
    assert store.checkpoint() == Checkpoint(), "her drafts alone need none"
    commit_now(store, 2, ENGLISH)
    (store.layout.folder / ".checkpoint.json").unlink()
    assert_damaged(store.checkpoint, ".checkpoint.json is missing", "studio repair")


def test_hand_edits_are_known_by_hash(store: ProjectStore) -> None:
    for number, text in enumerate((KOREAN, ENGLISH, CHINESE), start=1):
        commit_now(store, number, text)
    folder = store.layout.folder
    assert store.hand_edits() == []
    put(folder, "chapters/chapter-001.md", KOREAN + " ")
    (folder / "chapters/chapter-003.md").unlink()
    assert [(e.chapter, e.found_sha256) for e in store.hand_edits()] == [
        (1, sha256_hex((KOREAN + " ").encode())),
        (3, None),
    ]
    assert store.hand_edits([2, 9]) == []
    assert store.committed_sha(1) == sha256_hex(KOREAN.encode())
    assert store.committed_sha(9) is None
