"""The chapter of W1 and W2 is what its page says, and its cost is counted: ratios and counts alone,
no times."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.chapter_cost import CALLS, OUTPUT, SHARE, spent
from bench.waiting import calls_before_the_first_word
from bench.written_chapter import LENGTHS, TREE, Answering, Written, scene, write
from studio.text.oracle.report import check_text
from tests.fake_stream import TOKEN, Asked, Rule, pieces, token_count


@pytest.fixture(scope="module")
def written() -> Written:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(TREE, raising=False)
        return write("book")


def test_its_scenes_are_of_one_length_and_two_of_them_are_crowded() -> None:
    text = "# It\n\n" + "\n\n* * *\n\n".join(map(scene, (1, 2, 3)))
    report = check_text(text, "en", {"filter_word_density": {"max": 5}})
    crowded = [d for d in report.directives if d.type == "filter-word-removal"]
    assert crowded
    assert {d.location.scene_number for d in crowded} == {1, 2}
    lengths = [token_count(scene(number)) for number in (1, 2, 3)]
    assert max(lengths) < 1.1 * min(lengths)
    assert min(lengths) > 0.8 * LENGTHS["draft"]


@pytest.mark.sweep
def test_after_the_draft_it_takes_seven_calls_of_which_four_are_fixes(written: Written) -> None:
    assert written.rows[-1]["outcome"] == "Committed"
    kinds = Counter(written.kinds.values())
    assert kinds == {"draft": 3, "summary": 1, "refine": 1, "judge": 1, "surgery": 4}
    after = spent(written, kinds.keys() - {"draft"})
    assert after.calls == CALLS
    assert after.output <= OUTPUT


def test_the_whole_costs_at_most_so_many_times_its_drafts(written: Written) -> None:
    drafts, whole = spent(written, {"draft"}), spent(written, written.kinds.values())
    assert 1 < whole.cents / drafts.cents <= SHARE


def test_the_cost_of_a_kind_is_that_of_its_calls_and_nothing_is_counted_twice(
    written: Written,
) -> None:
    kinds = set(written.kinds.values())
    whole = spent(written, kinds)
    parts = [spent(written, {kind}) for kind in kinds]
    assert whole.prompt == sum(part.prompt for part in parts)
    assert whole.cents == pytest.approx(sum(part.cents for part in parts))
    assert whole.cached > 0


@pytest.mark.sweep
def test_one_call_goes_before_the_first_word_and_one_more_where_scenes_are_planned() -> None:
    assert calls_before_the_first_word(plan=True) == 1
    assert calls_before_the_first_word(plan=False) == 2


def test_an_answer_takes_the_time_of_its_length_whatever_its_words() -> None:
    body = {"messages": [{"role": "user", "content": "Write scene 2 of chapter 3."}], "model": "m"}
    rule = Answering(speed=10)(Asked(0, "/v1/messages", {}, body))
    first, rest = rule.pace
    assert rule.mode == "paced"
    assert rest / first == pytest.approx(LENGTHS["draft"] / 60)


def test_a_server_with_a_pace_sends_token_by_token_the_first_at_its_time() -> None:
    words = "It was the last of October."
    rule = Rule(mode="paced", pace=(0.0, 0.0))
    sent = list(pieces(words, rule))
    assert [len(piece) for piece in sent[:-1]] == [TOKEN] * 6
    assert "".join(sent) == words
