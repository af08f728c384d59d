"""Commands on real novels, run inside this process. No key is set."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from studio.project.lock.lock import ProjectLock
from studio.story.form.schemas import all_schemas
from tests.cli.command import Ended, tree
from tests.cli.conftest import OWN_CHAPTER, Typed, own_chapter
from tests.project.novels import put

READING = (
    ["status"],
    ["status", "--json"],
    ["verify"],
    ["decide"],
    ["directives"],
    ["check", "1"],
    ["check", "staging/chapters/chapter-001.md", "--json"],
    ["doctor"],
    ["config"],
    ["agents"],
)


@pytest.fixture
def in_review(novel: Path, typed: Typed) -> Ended:
    """A chapter of the writer's own waits for her decision."""
    paused = typed("write", "--draft", own_chapter(novel.parent))
    assert paused.code == 4, paused.err
    return paused


@pytest.mark.usefixtures("in_review")
def test_reading_commands_change_nothing(novel: Path, typed: Typed) -> None:  # req: D10
    before = tree(novel)
    for words in READING:
        assert typed(*words).code == 0, words
    assert tree(novel) == before


@pytest.mark.usefixtures("in_review")
def test_the_same_draft_again_is_said_to_be_nothing_new(novel: Path, typed: Typed) -> None:
    before = typed("decide", "--json").json["decision"]
    again = typed("write", "--draft", own_chapter(novel.parent))
    assert again.code == 4
    assert "Nothing is new: chapter 1 has this very text already." in again.err
    assert typed("decide", "--json").json["decision"] == before, "what waits goes on waiting"
    assert typed("write", "--review", "reject").code == 0
    in_the_book = typed("write", "--draft", own_chapter(novel.parent))
    assert in_the_book.code == 0
    assert "chapter 1 of the book was made from this very text" in in_the_book.err


@pytest.mark.usefixtures("in_review")
def test_the_open_question_can_be_read_and_a_wrong_answer_is_refused(typed: Typed) -> None:
    decision = typed("decide", "--json").json["decision"]
    assert (decision["kind"], decision["recommendation"]) == ("review", "directives")
    wrong = typed("decide", "burn")
    assert wrong.code == 2
    assert "commit, edit" in wrong.err
    assert typed("decide", "commit", "--id", "another").code == 2
    assert typed("decide", "--id", "another").code == 2
    assert typed("decide", "--note", "no answer").code == 2
    assert typed("decide", "--json").json["decision"] == decision


@pytest.mark.usefixtures("in_review")
def test_edit_names_the_file_and_leaves_the_question_open(typed: Typed) -> None:
    ended = typed("decide", "edit")
    assert ended.code == 0
    assert "staging/chapters/chapter-001.md" in ended.out
    assert typed("decide", "--json").json["decision"] is not None


@pytest.mark.usefixtures("in_review")
def test_an_answer_is_recorded_and_told_to_programs(typed: Typed) -> None:
    answer = typed("decide", "commit", "--note", "as it is", "--json").json["answer"]
    assert (answer["option"], answer["note"]) == ("commit", "as it is")
    assert typed("decide").out == (
        "Chapter 1 waits, and asks nothing at the moment. "
        "`studio resume` goes on with it, to its next question.\n"
    )


@pytest.mark.usefixtures("in_review")
def test_directives_are_listed_with_passage_and_wish(typed: Typed) -> None:
    out = typed("directives", "list").out
    assert "Chapter 1: 1 open directive of 1." in out
    assert "scene 1, paragraph 1" in out
    assert "Mara saw the ledger." in out
    assert "Filter words in scene 1, paragraph 1: pending  filter-word-removal-001" in out
    assert "`studio directives accept filter-word-removal-001`" in out
    assert "dir_" not in out
    assert typed("directives", "accept", "filter-word-removal-001").code == 0
    refused = typed("directives", "undo", "cut-009")
    assert "Known here: filter-word-removal-001." in refused.err
    taken = typed("directives", "accept", "filter-word-removal-001")
    assert "dir_" not in taken.err


@pytest.mark.usefixtures("in_review")
def test_each_decision_on_a_directive_is_recorded(typed: Typed) -> None:
    name = "dir-filter-word-removal-001"  # hyphens are accepted
    assert typed("directives", "accept", name).out.splitlines()[0].endswith(": accepted")
    rejected = typed("directives", "reject", "--all", "--reason", "voice", "--json").json
    assert rejected["directives"] == []
    assert typed("directives", "reject", name, "--reason", "voice").code == 0
    (directive,) = typed("directives", "--json").json["directives"]
    assert (directive["status"], directive["note"]) == ("rejected", "voice")
    assert typed("directives", "undo", name).out.splitlines()[0].endswith(": pending")


@pytest.mark.usefixtures("in_review")
def test_a_directive_can_be_given_the_writers_own_words(typed: Typed, novel: Path) -> None:
    (novel.parent / "words.txt").write_text("Salt had dried on the ledger in a thumb's shape.")
    name = "dir_filter_word_removal_001"
    edited = typed("directives", "edit", name, "--text", novel.parent / "words.txt", "--json")
    (directive,) = edited.json["directives"]
    assert directive["status"] == "kept", "nobody has to be asked for them"
    assert directive["editedText"] == "Salt had dried on the ledger in a thumb's shape."


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("Salt had dried.\n\n* * *\n\nIt was noon.\n", "* * *"),
        ("# The ledger\n\nSalt had dried.\n", "# The ledger"),
        ("Salt had dried.\n\n%% ask Jo %%\n\nIt was noon.\n", "%% ask Jo %%"),
    ],
)
@pytest.mark.usefixtures("in_review")
def test_a_line_that_no_passage_can_hold_is_named_and_not_dropped(
    words: str, line: str, typed: Typed, novel: Path
) -> None:
    (novel.parent / "words.txt").write_text(words)
    before = tree(novel)
    name = "dir_filter_word_removal_001"
    ended = typed("directives", "edit", name, "--text", novel.parent / "words.txt")
    assert (ended.code, f"“{line}” cannot stand in a passage" in ended.err) == (2, True)
    assert tree(novel) == before


@pytest.mark.sampled
@pytest.mark.parametrize(
    "words",
    [
        ["accept"],
        ["accept", "dir_cut_001", "--all"],
        ["accept", "dir_cut_404"],
        ["edit", "dir_filter_word_removal_001"],
        ["edit", "dir_filter_word_removal_001", "--instruction", "x", "--text", "y"],
        ["edit", "dir_filter_word_removal_001", "--text", "missing.txt"],
        ["frobnicate"],
    ],
)
@pytest.mark.usefixtures("in_review")
def test_an_unclear_decision_changes_nothing(words: list[str], typed: Typed, novel: Path) -> None:
    before = tree(novel)
    assert typed("directives", *words).code == 2
    assert tree(novel) == before


def test_without_directives_there_is_nothing_to_show(novel: Path, typed: Typed) -> None:
    assert typed("directives").out == "There are no directives yet.\n"
    assert typed("directives", "--json").json is None


@pytest.mark.sweep
def test_a_hand_edit_is_listed_and_damage_ends_with_5(novel: Path, typed: Typed) -> None:
    typed("write", "--draft", own_chapter(novel.parent), "--review", "reject")
    assert typed("verify").out.startswith("All is well: 1 chapter")

    (novel / "chapters/chapter-001.md").write_text(OWN_CHAPTER + "\nOne more line.\n", "utf-8")
    edited = typed("verify")
    assert edited.code == 0
    assert "chapters/chapter-001.md" in edited.out

    (novel / "state/current-state.json").write_text("{")
    broken = typed("verify", "--json")
    assert broken.code == 5
    assert broken.json["findings"][0]["severity"] == "damage"
    assert "`studio repair`" in typed("verify").err
    assert typed("repair").code == 0
    assert typed("verify").code == 0
    assert typed("repair").out == "Nothing needed repair.\n"


def test_what_cannot_be_repaired_is_named(novel: Path, typed: Typed) -> None:
    (novel / "storylines/storylines.json").write_text("[1, 2")
    ended = typed("repair")
    assert ended.code == 5
    assert "storylines/storylines.json" in ended.err


@pytest.mark.parametrize(
    "name", [".checkpoint.json", "ai-blacklist.json", "storylines/storylines.json", "studio.toml"]
)
def test_a_broken_file_is_named_and_writing_ends_with_5(
    name: str, novel: Path, typed: Typed
) -> None:
    (novel / name).write_text('{"broken": ')
    before = tree(novel)
    ended = typed("write", "--draft", own_chapter(novel.parent), "--events")
    assert ended.code == 5
    assert name in ended.err
    assert ended.events[-1]["type"] == "error"
    changed = {path for path in tree(novel) if tree(novel)[path] != before.get(path)}
    assert {path for path in changed if not path.startswith("logs/")} == set()


def test_status_shows_a_novel_whose_checkpoint_is_broken_and_names_it(
    novel: Path, typed: Typed
) -> None:
    (novel / ".checkpoint.json").write_text("{")
    ended = typed("status")
    assert ended.code == 0
    assert "The Salt Ledger" in ended.out
    assert ".checkpoint.json" in ended.err


BRIEF, OUTLINE = "brief.md", "volumes/vol-01/outline.md"


def spoil(novel: Path, name: str, how: str) -> None:
    """Leaves a file that nobody can read in a place."""
    (novel / name).unlink(missing_ok=True)
    (novel / name).parent.mkdir(parents=True, exist_ok=True)
    if how == "folder":
        (novel / name).mkdir()
    else:
        (novel / name).write_bytes("# Die Mühle\n".encode("latin-1"))


@pytest.mark.parametrize("name", [BRIEF, OUTLINE])
@pytest.mark.parametrize(("how", "says"), [("folder", "plain file"), ("latin-1", "is not UTF-8")])
def test_status_names_a_brief_or_an_outline_that_cannot_be_read(
    novel: Path, typed: Typed, name: str, how: str, says: str
) -> None:
    spoil(novel, name, how)
    ended = typed("status")
    assert ended.code == 0
    assert f"{name} " in ended.err
    assert says in ended.err
    warnings = json.loads(typed("status", "--json").out)["warnings"]
    assert sum(name in sentence for sentence in warnings) == 1


def test_a_slug_that_leads_out_of_the_novel_is_damage(novel: Path, typed: Typed) -> None:
    plan = {"chapter": 1, "volume": 1, "title": "Night", "storyline_id": "../../x"}
    contract = novel / "volumes/vol-01/chapter-contracts/chapter-001.json"
    contract.write_text(json.dumps({"schema_version": 1, "objectives": ["leave"], **plan}))
    ended = typed("write")  # req: S1
    assert ended.code == 5
    assert "storyline_id" in ended.err


def test_without_a_key_a_chosen_service_is_a_mistake_in_usage(novel: Path, typed: Typed) -> None:
    (novel / "volumes/vol-01/outline.md").write_text("## Chapter 1: Night\n\nShe leaves.\n")
    ended = typed("write", "--provider", "anthropic")
    assert ended.code == 2
    assert "ANTHROPIC_API_KEY" in ended.err
    assert not (novel / "staging").exists()


def test_a_chapter_without_a_plan_says_how_to_make_one(novel: Path, typed: Typed) -> None:
    ended = typed("write")
    assert ended.code == 2
    assert "has nothing under it" in ended.err
    assert "volumes/vol-01/outline.md" in ended.err


@pytest.mark.parametrize(
    "words", [["write"], ["resume"], ["status"], ["decide"], ["directives"], ["verify"], ["repair"]]
)
def test_outside_of_a_novel_the_commands_of_a_novel_end_with_2(
    words: list[str], tmp_path: Path, typed: Typed
) -> None:
    ended = typed(*words, "--project", tmp_path)
    assert ended.code == 2
    assert "is not a novel" in ended.err
    assert ended.out == ""


def test_a_folder_that_holds_something_is_no_place_for_a_new_novel(
    novel: Path, typed: Typed
) -> None:
    before = tree(novel)
    assert typed("new", novel, "--title", "Another", "--language", "zh").code == 2
    assert typed("new", novel.parent / "b", "--title", "Another", "--language", "fr").code == 2
    assert typed("new", novel.parent / "b", "--language", "zh").code == 2
    assert tree(novel) == before


def test_a_new_novel_can_be_looked_at_at_once(tmp_path: Path, typed: Typed) -> None:
    folder = tmp_path / "책"
    made = typed("new", folder, "--title", "소금 장부", "--language", "ko", "--genre", "추리")
    assert made.code == 0
    assert "“소금 장부” begins in" in made.out
    assert typed("status", "--project", folder).out.startswith("소금 장부 (Korean)\n")


def test_a_locked_novel_is_refused_with_its_holder(novel: Path, typed: Typed) -> None:
    with ProjectLock(novel, 7):
        ended = typed("write", "--draft", own_chapter(novel.parent), "--events")
        assert typed("status", "--json").json["lock"] == "held"
        assert "The studio is at work on this book" in typed("status").out
    assert ended.code == 3
    assert f"process {os.getpid()}" in ended.err
    assert ended.events[-1]["kind"] == "locked"


@pytest.mark.sweep
def test_schemas_are_listed_and_printed(typed: Typed) -> None:
    names = typed("schemas").out.split()
    assert names == typed("schemas", "--json").json["schemas"]
    assert typed("schemas", "chapter-contract").json["$id"] == "chapter-contract.schema.json"
    assert "Did you mean chapter-contract?" in typed("schemas", "chapter-contrct").err
    assert typed("schemas", "state", "--out", "x").code == 2


@pytest.mark.sweep
def test_schemas_are_written_into_a_folder_once(tmp_path: Path, typed: Typed) -> None:
    out = tmp_path / "deep" / "er"
    assert typed("schemas", "--out", out).code == 0
    assert {path.name: path.read_bytes() for path in out.iterdir()} == all_schemas()
    assert typed("schemas", "--out", out).out.endswith(" 0 changed.\n")
    (tmp_path / "file").write_text("in the way")
    assert typed("schemas", "--out", tmp_path / "file").code == 2


def test_an_agent_is_listed_printed_and_overridden(novel: Path, typed: Typed) -> None:
    listed = typed("agents", "--json").json["agents"]
    assert {agent["source"] for agent in listed} == {"built in"}
    (novel / "agents").mkdir()
    (novel / "agents/scene-drafter.md").write_text("Write as the tide comes in.\n")
    printed = typed("agents", "scene-drafter")
    assert "agents/scene-drafter.md" in printed.out
    assert "Write as the tide comes in." in printed.out
    assert typed("agents", "scene-drafter", "--json").json["agent"]["id"] == "scene-drafter"
    assert "Did you mean summarizer?" in typed("agents", "summariser").err


def test_settings_are_shown_with_their_source_and_without_the_key(
    novel: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-canary-0123456789")
    listing = typed("config", "--json", "--model", "qwen3")
    settings = listing.json["settings"]
    assert settings["novel.title"] == {"value": "The Salt Ledger", "source": "studio.toml"}
    assert settings["models.deep"] == {"value": "qwen3", "source": "command line"}
    assert settings["provider.anthropic.api_key"]["source"] == "environment"
    plain = typed("config")
    assert "canary" not in listing.out + plain.out  # req: S11
    assert typed("config", "--project", novel.parent).code == 0


def test_a_novel_that_tries_to_set_an_address_is_told_so(novel: Path, typed: Typed) -> None:
    with (novel / "studio.toml").open("a") as file:
        file.write('\n[provider]\nbase_url = "http://evil.example"\n')
    ended = typed("config")
    assert "evil.example" not in ended.out
    assert "ignored" in ended.err


def test_a_lock_of_another_machine_goes_only_when_the_writer_says_so(
    novel: Path, typed: Typed
) -> None:
    (novel / ".novel.lock").mkdir()
    holder = {"pid": 7, "host": "another-desk", "process_start": "1", "token": "0" * 32}
    info = {"schema_version": 1, "started": "2026-01-01T00:00:00Z", "chapter": 2, **holder}
    (novel / ".novel.lock/info.json").write_text(json.dumps(info))
    refused = typed("repair")  # req: E9
    assert refused.code == 3
    assert "another-desk" in refused.err
    assert "`studio repair --break-lock`" in refused.err
    assert (novel / ".novel.lock").exists()
    assert typed("repair", "--break-lock").out.startswith("The old lock was removed.")
    assert not (novel / ".novel.lock").exists()


@pytest.mark.usefixtures("in_review")
def test_what_cannot_be_accepted_is_listed_apart(novel: Path, typed: Typed) -> None:
    path = next((novel / "staging/evaluations").glob("*-eval.json"))
    evaluation = json.loads(path.read_text())
    evaluation["counsel"] = [
        {"kind": "decide", "issue": "그는 알고 있었을까?", "options": ["알았다", "몰랐다"]},
        {"kind": "advice", "issue": "Both scenes open with weather."},
    ]
    path.write_text(json.dumps(evaluation))
    out = typed("directives", "list").out
    assert out.index("You decide") < out.index("알았다") < out.index("Advice")
    help_ = typed("directives", "list", "--json").json["help"]
    assert [c["options"] for c in help_["decide"]] == [["알았다", "몰랐다"]]
    assert [c["issue"] for c in help_["advice"]] == ["Both scenes open with weather."]
    assert help_["conflicts"] == []


# req: D2
def test_a_novel_that_has_only_drafts_is_whole_without_a_checkpoint(
    tmp_path: Path, typed: Typed
) -> None:
    put(tmp_path, "studio.toml", '[novel]\ntitle = "The Lamp"\nlanguage = "en"\n')
    put(tmp_path, "chapters/chapter-001.md", OWN_CHAPTER)
    here = ("--project", tmp_path)
    assert typed("verify", *here).code == 0
    assert "studio repair" not in typed("status", *here).err
    for words in (("brief",), ("volume", "show"), ("continuity", "--all"), ("promises", "list")):
        assert typed(*words, *here).code == 0, words
    written = typed("write", "1", *here, "--json")
    assert (written.code, written.events[0]["kind"]) == (4, "conflict"), written.err
    assert typed("decide", "mine", *here).code == 0
    events = typed("resume", "--review", "reject", "--events", *here).events
    assert "committed" in [e["type"] for e in events]
    assert not [e for e in events if e["type"] == "decision" and e["kind"] == "outline"]
