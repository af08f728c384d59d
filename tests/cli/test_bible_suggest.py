"""Entries proposed from an imported manuscript: names by how they are used, taken one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.book.bible import read_bible
from studio.project.create import create_novel
from studio.project.store import ProjectStore
from studio.text.person_or_place import guess_names
from tests.cli.conftest import Typed
from tests.exchange.texts import NAMES
from tests.project.novels import put


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("en", NAMES["en"], {"Mara Stobbs", "Joss", "Fenwick"}),
        ("ko", NAMES["ko"], {"서연", "도현"}),
        ("zh", NAMES["zh"], {"林晓", "陈默"}),
    ],
)
def test_names_are_guessed_in_three_languages(language: str, text: str, names: set[str]) -> None:
    # req: G14
    guesses = guess_names([text], language)  # type: ignore[arg-type]
    assert {guess.name for guess in guesses} == names
    assert all(guess.count >= 3 for guess in guesses)


@pytest.mark.parametrize(
    "text",
    [
        "“船呢？”便问道：“走了？”老人不响，便问道：“几时？”桥断了，便问道：“谁？”",
        "「船呢？」便問道：「走了？」老人不響，便問道：「幾時？」橋斷了，便問道：「誰？」",
        "人走了，遂答道：「是。」燈滅了，遂答道：「好。」雨停了，遂答道：「去。」",
        "他坐下，忙笑道：“茶。”门响，忙笑道：“来。”灯亮，忙笑道：“坐。”",
        "王乃曰：「可。」公坐，乃笑曰：「否。」公起，乃笑曰：「然。」客去，乃笑曰：「善。」",
        "灯灭了，因问道：“谁？”雨停了，因问道：“谁？”桥断了，因问道：“谁？”",
        "他們說好。她們笑了。沒有說話。他們走了。他們說好。她們笑了。沒有說話。她們坐下。",
        "風起，便低聲道：「走。」燈滅，便低聲道：「快。」雨停，便低聲道：「來。」",
    ],
)
def test_an_adverb_before_a_verb_of_speech_is_nobody(text: str) -> None:
    # req: G14
    assert guess_names([text], "zh", least=2) == []


def test_a_person_in_traditional_characters_is_one() -> None:
    # req: G14
    text = "林曉問：「鐘？」陳默說：「船。」林曉說：「走。」陳默問：「去？」方遠笑道：「去。」"
    text += "方遠說：「走。」"
    assert {g.name for g in guess_names([text], "zh", least=2)} == {"林曉", "陳默", "方遠"}


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        (
            "en",
            "Then Cardew said no. They told Cardew. It was Captain Cardew. Suddenly Mara said so."
            " He told Mara Stobbs. He gave Mara a key. The Doctor left. They sent for the Doctor,"
            " and the Doctor came. So Mara Stobbs went.",
            {"Cardew": (), "Mara Stobbs": ("Mara",)},
        ),
        (
            "ko",
            "김미라가 말했다. 미라는 웃었다. 김미라에게 물었다. 미라에게 말했다. 형사가 말했다."
            " 형사에게 물었다. 기자에게 말했다. 기자가 물었다.",
            {"김미라": ("미라",)},
        ),
        ("zh", "林晚说。林晚笑了。林晚问道。老板说。老板问。先生说，先生笑。", {"林晚": ()}),
    ],
)
def test_a_part_of_a_name_is_offered_as_its_alias_and_no_title_as_a_name(
    language: str, text: str, names: dict[str, tuple[str, ...]]
) -> None:
    # req: G14 K4
    guesses = guess_names([text], language, least=2)  # type: ignore[arg-type]
    assert {guess.name: guess.aliases for guess in guesses} == names


# req: G14
def test_each_name_is_taken_renamed_or_left_by_itself(novel: Path, typed: Typed) -> None:
    source = novel.parent / "two.md"
    source.write_text(NAMES["en"], "utf-8")
    assert typed("import", source, "--into", novel, "--yes", "--as", "committed").code == 0
    offered = typed("bible", "suggest", "--json").json
    kinds = {row["name"]: row["kind"] for row in offered["suggestions"]}
    assert kinds == {"Mara Stobbs": "character", "Joss": "character", "Fenwick": "place"}
    assert all(row["name"] in row["quote"] for row in offered["suggestions"])
    assert not (novel / "characters/active/joss.md").exists(), "an offer makes nothing"

    done = typed(
        *("bible", "suggest", "--take", "Fenwick", "--take-as", "Joss", "Joss Pattinson"),
        *("--leave", "Mara Stobbs", "--json"),
    )
    assert done.code == 0, done.err
    assert done.json["taken"] == ["world/places/fenwick.md", "characters/active/joss-pattinson.md"]
    assert done.json["left"] == ["Mara Stobbs"]
    entries = read_bible(ProjectStore(novel)).entries
    assert entries["joss-pattinson"].names == ("Joss Pattinson", "Joss")
    assert "First named" not in entries["joss-pattinson"].text.at(1), "a note is for people"
    assert typed("bible", "suggest", "--json").json["suggestions"] == [], "what is left stays left"
    refused = json.loads((novel / "world/suggestions.json").read_text("utf-8"))
    assert refused == {"schema_version": 1, "refused": ["Mara Stobbs"]}
    assert typed("bible", "suggest", "--take", "Nobody").code == 2


# req: G14
def test_a_korean_name_becomes_an_entry_that_is_found(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "book"
    create_novel(folder, "바다", "ko")
    monkeypatch.chdir(folder)
    source = tmp_path / "one.md"
    source.write_text(NAMES["ko"], "utf-8")
    assert typed("import", source, "--into", folder, "--yes", "--as", "committed").code == 0
    assert "서연  person" in typed("bible", "suggest").out
    (path,) = typed("bible", "suggest", "--take", "서연", "--json").json["taken"]
    assert (folder / path).read_text("utf-8").startswith("---\nname: 서연\n---")
    slug = Path(path).stem
    assert typed("bible", "mentions", slug, "--json").json["chapters"][0]["count"] >= 4


def vault(folder: Path) -> Path:
    """A vault with a chapter, a person, a place and something to know."""
    put(folder, ".obsidian/app.json", "{}")
    put(folder, "Chapters/1 Low.md", "[[Mara|She]] went to [[Fenwick]]. Fenwick was dark.\n")
    put(folder, "People/Mara.md", "---\naliases: [Mrs Stobbs]\n---\n# Mara\n\nKeeps [[the log]].\n")
    put(folder, "Places/Fenwick.md", "A quay with one lamp.\n")
    put(folder, "Notes/Salt.md", "Salt was taxed until 1825.\n")
    return folder


# req: G14 I1
def test_notes_of_a_vault_wait_until_each_is_taken_or_left(
    novel: Path, tmp_path: Path, typed: Typed
) -> None:
    notes = vault(tmp_path / "vault")
    preview = typed("import", notes, "--into", novel, "--dry-run", "--json").json
    assert [(e["name"], e["kind"]) for e in preview["entries"]] == [
        ("Salt", "lore"),
        ("Mara", "character"),
        ("Fenwick", "place"),
    ]
    done = typed("import", notes, "--into", novel, "--yes")
    assert "3 notes wait as proposals for the bible" in done.out
    assert read_bible(ProjectStore(novel)).entries == {}, "a proposal is no entry"
    again = typed("import", notes, "--into", novel, "--yes", "--json").json["imported"]
    assert (again["already"], again["entries"]) == (1, []), "nothing comes in twice"

    offered = {row["name"]: row for row in typed("bible", "suggest", "--json").json["suggestions"]}
    assert list(offered) == ["Fenwick", "Mara", "Salt"]
    assert offered["Mara"]["quote"] == "Keeps the log."
    assert offered["Salt"]["note"] == "imports/entries/salt.md"
    done = typed(
        "bible", "suggest", "--leave", "Salt", "--take-as", "Mara", "Mara Stobbs", "--json"
    )
    assert done.json["taken"] == ["characters/active/mara-stobbs.md"]
    assert typed("bible", "suggest", "--take-notes", "--json").json["taken"] == [
        "world/places/fenwick.md"
    ]
    entries = read_bible(ProjectStore(novel)).entries
    assert entries["mara-stobbs"].names == ("Mara Stobbs", "Mara", "Mrs Stobbs")
    assert entries["mara-stobbs"].text.at(1) == "# Mara Stobbs\n\nKeeps the log."
    assert entries["fenwick"].kind == "place"
    assert not (novel / "imports/entries").exists(), "nothing waits any more"
    last = typed("import", notes, "--into", novel, "--yes", "--json").json["imported"]
    assert last["entries"] == [], "what was left stays left"


def test_a_waiting_note_that_cannot_be_read_is_named(novel: Path, typed: Typed) -> None:
    put(novel, "imports/entries/mara.md", "---\nkind: witch\nname: Mara\n---\n")
    ended = typed("bible", "suggest")
    assert ended.code == 5
    assert "imports/entries/mara.md" in ended.err


@pytest.mark.parametrize(
    ("word", "is_somebody"),
    [
        ("박서준", True),
        ("강윤재", True),
        ("이하늘", True),
        ("여동생", False),
        ("장사꾼", False),
        ("이웃집", False),
        ("오늘날", False),
    ],
)
def test_a_korean_full_name_needs_one_place_that_only_people_stand_in(
    word: str, is_somebody: bool
) -> None:
    subject, topic = ("이", "은") if (ord(word[-1]) - ord("가")) % 28 else ("가", "는")
    says = f"“기다려.” {word}{subject} 말했다. " if word != "오늘날" else ""
    text = (
        f"{word}{subject} 문을 열었다. {says}{word}{topic} 부두로 내려갔다. {word}{subject} 갔다."
    )
    assert [guess.name for guess in guess_names([text], "ko")] == [word] * is_somebody


def test_a_day_of_many_weeks_is_nobody() -> None:
    """Met: “Sundays”, whom the bible does not know."""
    text = "On Sundays he read. We went down on Sundays, he and I. Nobody spoke on Sundays."
    assert guess_names([f"{text} I asked Tom, and Tom nodded; then Tom sat."], "en", 3) == [
        guess_names(["I asked Tom, and Tom nodded; then Tom sat."], "en", 3)[0]
    ]
