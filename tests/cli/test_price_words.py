"""What calls would cost, in the words of every offer: `about 4 cents (at most 68)` (WRITING 6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.i18n import translate, use
from studio.story.calls import kind_of_call
from studio.story.ledger import Estimate, Usual
from studio.story.records import Usage, UsageEntry
from studio.tui.views.run.stage_line import cents
from tests.cli.conftest import Typed
from tests.llm.gguf_files import gguf, save

CASES = [
    (None, None, "its price is not known"),
    (0.0, 0.0, "it costs nothing"),
    (0.04, 0.68, "about 4 cents (at most 68)"),
    (0.0112, 0.681, "about a cent (at most 69 cents)"),
    (0.001, 0.68, "less than a cent (at most 68 cents)"),
    (0.001, 0.0042, "less than a cent"),
    (0.001, 0.01, "at most a cent"),
    (0.4, 1.5, "about 40 cents (at most $1.50)"),
    (0.001, 1.5, "less than a cent (at most $1.50)"),
    (0.999, 1.5, "about $1.00 (at most $1.50)"),
    (1.2, 3.0, "about $1.20 (at most $3.00)"),
]


def test_the_list_of_models_says_that_one_on_this_machine_costs_nothing(
    typed: Typed, tmp_path: Path
) -> None:
    pytest.importorskip("xllamacpp")
    file = save(tmp_path / "small.gguf", gguf(1_500_000_000), 1_000_000_000)
    assert "it costs nothing" in typed("models", "--model", file).out
    (row,) = typed("models", "--model", file, "--json").json["models"]
    assert (row["input_usd"], row["output_usd"]) == (0, 0)


# req: N7
@pytest.mark.parametrize(("about", "most", "words"), CASES)
def test_every_offer_says_about_and_at_most(
    about: float | None, most: float | None, words: str
) -> None:
    assert Estimate(about, most).words == words


@pytest.mark.parametrize(
    ("language", "words"), [("ko", "약 $0.04(최대 $0.68)"), ("zh", "约 $0.04（最多 $0.68）")]
)
def test_an_offer_is_in_the_language_of_the_writer(language: str, words: str) -> None:
    use(language)
    assert translate(Estimate(0.04, 0.68).words) == words


# req: K5
@pytest.mark.parametrize("language", ["ko", "zh"])
def test_every_amount_is_in_one_unit_in_korean_and_chinese(language: str) -> None:
    """What calls cost stands beside it as $0.0421; English alone says cents."""
    use(language)
    said_so = [translate(Estimate(about, most).words) for about, most, _ in CASES[2:]]
    said_so += [cents(usd) for usd in (0.0, 0.001, 0.05, 0.42, 1.24)]
    assert [words for words in said_so if "$" not in words] == []
    assert cents(0.05) == "$0.05"


def call(
    number: int, name: str, usd: float | None, seconds: int, model: str = "m"
) -> list[UsageEntry]:
    first = UsageEntry(
        event="reserve",
        id=f"{number}",
        ts=f"2026-11-26T10:{number:02d}:00+00:00",
        call=f"gen-003-7f3a91-{name}-l0-ab12cd34ef",
        model=model,
        reserved_usd=0.68,
    )
    ts = f"2026-11-26T10:{number:02d}:{seconds:02d}+00:00"
    end = {"event": "settle", "ts": ts, "usd": usd, "usage": Usage(output_tokens=900)}
    return [first, first.model_copy(update=end)]


def test_what_calls_of_a_kind_cost_is_known_from_the_novels_own() -> None:
    """Chapter, attempt, numbers and hashes make no kind; another model's calls say nothing."""
    entries = [
        *call(1, "judge-0d5e1b22", 0.03, 30),
        *call(2, "judge-77aa0b21", 0.04, 40),
        *call(3, "judge-0d5e1b22", 0.09, 50),
        *call(4, "summarize-0d5e1b22", 0.5, 9),
        *call(5, "judge-0d5e1b22", 0.5, 9, model="other"),
    ]
    usual = Usual.of(entries, "gen-012-aa11bb-judge-99999999-l1-0011223344", "m")
    assert (usual.usd, usual.seconds) == (0.04, 40.0)
    assert Usual.of(entries, "gen-012-aa11bb-draft-s01-l0-0011223344", "m") == Usual()
    stopped = [e.model_copy(update={"settled_by": "stopped"}) for e in entries[:2]]
    assert Usual.of(stopped, entries[0].call, "m") == Usual()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gen-003-7f3a91-draft-s01-l0-7f3a91abcd", "draft"),
        ("gen-003-7f3a91-draft-s02-brief-l0-7f3a91abcd", "draft-brief"),
        ("gen-001-v6d4b41-draft-p2.22-22-v1-l0-f8351f30a9", "draft-passage"),
        ("gen-001-v6d4b41-draft-p2.22-23-v1-brief-l0-f8351f30a9", "draft-passage-brief"),
        ("gen-002-preview-draft-s01-l0-f8351f30a9", "draft"),
        ("gen-001-abcdef-draft-start-world-l0-7f3a91abcd", "draft-start-world"),
        ("gen-003-7f3a91-review-r1-dir_cut_001-read-77aa0b-l0-0123456789", "review-read"),
    ],
)
def test_the_kind_of_a_call_is_read_from_its_name(name: str, kind: str) -> None:
    assert kind_of_call(name) == kind


def test_every_price_a_face_shows_is_said_by_the_one_function() -> None:
    """A sentence that says `at most $` or `$… at most` of a call stands nowhere else."""
    studio = Path(__file__).resolve().parents[2] / "studio"
    where = [
        path.relative_to(studio).as_posix()
        for folder in ("cli", "tui", "pipeline", "session.py")
        for path in (
            [studio / folder] if folder.endswith(".py") else (studio / folder).rglob("*.py")
        )
        if any(
            w in path.read_text()
            for w in ("at most {cost}", "at most ${", "{dollars}.", "} at most")
        )
    ]
    assert where == ["tui/views/pages/chapter.py"], "a cap of hers, no price"
