"""Sampling by sentences: what is refused is sampled again, four times at most (PROSE 5)."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from studio.llm.provider import AnswerDelta
from studio.llm.providers.embedded import AGAIN, SampledPiece, Sieving


class Plain:
    """A sieve that ends a sentence at a full stop and refuses some words."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused

    def sentence_end(self, text: str) -> int:
        return text.find(".") + 1

    def objection(self, before: str, sentence: str) -> str:
        return next((word for word in self.refused if word in sentence), "")


class Model:
    """Says one answer a sampling, a word a token; the last one for ever."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers
        self.so_far: list[str] = []

    async def sample(self, so_far: str, turn: int, most: int) -> AsyncGenerator[SampledPiece, None]:
        assert turn == len(self.so_far)
        self.so_far.append(so_far)
        words = self.answers[min(turn, len(self.answers) - 1)].split(" ")
        for number, word in enumerate(words[:most]):
            yield SampledPiece(f" {word}" if number or so_far else word)
        yield SampledPiece("", "end" if len(words) <= most else "length")


async def sieved(model: Model, sieve: Plain, most: int = 100) -> tuple[Sieving, str, str]:
    heard: list[AnswerDelta] = []
    sieving = Sieving(model.sample, sieve, heard.append, most)
    finish = await sieving.run()
    return sieving, finish, "".join(delta.text for delta in heard if delta.kind == "text")


async def test_what_passes_is_passed_on_as_it_is() -> None:
    model = Model("The tide was out. The boats lay in mud.")
    sieving, finish, text = await sieved(model, Plain())
    assert (sieving.text, finish) == (model.answers[0], "end")
    assert text == sieving.text
    assert model.so_far == [""]


async def test_a_refused_sentence_is_sampled_again_behind_those_that_stand() -> None:
    model = Model("The tide was out. Tim sang.", "Tim danced.", "The boats lay in mud.")
    sieving, finish, text = await sieved(model, Plain("Tim"))
    assert text == sieving.text == "The tide was out. The boats lay in mud."
    assert finish == "end"
    assert model.so_far == ["", "The tide was out.", "The tide was out."]
    assert sieving.refused == ["Tim", "Tim"]


async def test_after_four_times_it_is_left_out_and_a_paragraph_begins() -> None:
    answers = ["It rained. Tim sang."] + AGAIN * ["Tim sang."] + ["The boats lay in mud."]
    model = Model(*answers)
    sieving, _, text = await sieved(model, Plain("Tim"))
    assert text == sieving.text == "It rained.\n\nThe boats lay in mud."
    assert model.so_far[-1] == "It rained.\n\n"
    assert len(model.so_far) == 2 + AGAIN


async def test_where_nothing_passes_it_ends_with_what_stands() -> None:
    model = Model("It rained. Tim sang.", "Tim sang.")
    sieving, finish, _ = await sieved(model, Plain("Tim"))
    assert (sieving.text, finish) == ("It rained.", "length")
    assert len(model.so_far) == 2 * (1 + AGAIN)


async def test_no_more_than_twice_the_tokens_are_sampled() -> None:
    model = Model("Tim " * 9 + "sang.")
    sieving, finish, _ = await sieved(model, Plain("Tim"), most=12)
    assert (sieving.text, finish) == ("", "length")
    assert sieving.sampled <= 24


async def test_a_sentence_without_end_is_refused() -> None:
    model = Model("on and " * 200, "It rained.")
    sieving, _, _ = await sieved(model, Plain(), most=400)
    assert sieving.text == "It rained."
