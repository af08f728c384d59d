"""Samples prose sentence by sentence; a sentence that the sieve refuses is sampled again (PROSE 5).

The model continues from the accepted sentences, which are in its cache, so a refusal costs only the
refused sentence. In total, at most twice the tokens of plain sampling are spent.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import NamedTuple

from studio.llm.provider import AnswerDelta, FinishReason, Listen, Sieve
from studio.messages import said

AGAIN = 4
"""The number of times a refused sentence is sampled again before it is left out."""
LONGEST_SENTENCE = 700
"""Text without a sentence end is refused as a sentence after this many characters."""
_TIMES = 2


class SampledPiece(NamedTuple):
    """A token's text, or at the end the reason why sampling ended."""

    text: str
    finish: FinishReason | None = None


Sample = Callable[[str, int, int], AsyncGenerator[SampledPiece, None]]
"""Continues a text; its arguments are the text, the number of the sampling, and the token limit."""


class Sieving:
    """One answer being sampled."""

    def __init__(self, sample: Sample, sieve: Sieve, listen: Listen, most: int) -> None:
        self._sample, self._sieve, self._listen, self._most = sample, sieve, listen, most
        self.text = ""
        """The accepted sentences."""
        self.sampled = 0
        """The number of tokens sampled, including those of refused sentences."""
        self.refused: list[str] = []
        """The reason for each refused sentence."""
        self._lost = 0
        """The number of tokens in refused sentences."""
        self._stood = 0
        """The token count when the last accepted sentence was complete."""
        self._turn = self._tries = 0
        self._anew = False

    async def run(self) -> FinishReason:
        """Samples until the model ends, the room is used up, or no sentence passes any more."""
        while self._room() > 0:
            finish = await self._go_on()
            if finish is not None:
                return finish
            if self._tries > AGAIN:
                if self._anew or not self.text:
                    break
                self._anew, self._tries = True, 0
        return "length"

    def _room(self) -> int:
        return min(self._most - self.sampled + self._lost, _TIMES * self._most - self.sampled)

    async def _go_on(self) -> FinishReason | None:
        """Continues sampling from the accepted text; returns None where a sentence was refused."""
        so_far = f"{self.text}\n\n" if self._anew else self.text
        turn, self._turn = self._turn, self._turn + 1
        pending = ""
        finish: FinishReason | None = None
        self._stood = self.sampled
        async with aclosing(self._sample(so_far, turn, self._room())) as pieces:
            async for piece in pieces:
                finish = piece.finish or finish
                self.sampled += bool(piece.text)
                self._listen(AnswerDelta("reasoning", ""))
                rest = self._sift(pending + piece.text)
                if rest is None:
                    self._lost += self.sampled - self._stood
                    return None
                pending = rest
        if finish != "length" and pending.strip() and not self._passes(pending):
            self._lost += self.sampled - self._stood
            return None
        return finish or "cut"

    def _sift(self, pending: str) -> str | None:
        """Accepts the whole sentences of `pending` and returns the rest;
        None where one was refused."""
        while end := self._sieve.sentence_end(pending):
            if not self._passes(pending[:end]):
                return None
            pending = pending[end:]
        if len(pending) > LONGEST_SENTENCE:
            self._refuse(said("it does not end"))
            return None
        return pending

    def _passes(self, sentence: str) -> bool:
        reason = self._sieve.objection(self.text, sentence.strip())
        if reason:
            self._refuse(reason)
            return False
        if self._anew:
            sentence = "\n\n" + sentence.lstrip()
        elif not self.text:
            sentence = sentence.lstrip()
        self._listen(AnswerDelta("text", sentence))
        self.text += sentence
        self._stood = self.sampled
        self._tries, self._anew = 0, False
        return True

    def _refuse(self, reason: str) -> None:
        self.refused.append(reason)
        self._tries += 1
