"""Probes a model with two tiny calls: whether it writes, and whether it conforms to a schema.

Both calls go through the gateway. They belong to no novel, so their records are kept only in
memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from studio.cli.output import warn
from studio.errors import usage
from studio.llm.errors import ModelError
from studio.llm.gateway import Gateway
from studio.llm.provider import PromptPart, Request
from studio.llm.records import Journal
from studio.llm.retry import retry_sentence
from studio.messages import said
from studio.project.clock import now
from studio.story.form.document import Value
from studio.story.records import CallRecord, UsageEntry

if TYPE_CHECKING:
    from studio.llm.choose import ProviderChoice
    from studio.llm.prices import PriceList

PROSE = "Write one short sentence about the sea."
STRUCTURED = (
    "Which colour has a ripe tomato? Tell it in one plain sentence of English."
    " Never write braces or JSON."
)
"""A prompt that contradicts its schema: only an endpoint that enforces it answers in JSON."""
MOST_TOKENS = 256
ANSWERS = {
    "kept": said("it keeps to a given form, even where the prompt asks for another"),
    "repaired": said("it keeps to a given form when it is told a second time"),
    "not kept": said(
        "it does not keep to a given form: it can draft, but neither judge nor extract"
    ),
}
AnswerForm = Literal["kept", "repaired", "not kept"]


class Colour(Value):
    """The answer of the structured call."""

    colour: Literal["red", "green", "blue"]


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What the two calls revealed about a model."""

    model: str
    form: AnswerForm
    cost: float | None
    """The cost in US dollars; None when unknown."""

    @property
    def sentence(self) -> str:
        """Returns the result as a sentence for the writer."""
        return said(
            "{model} writes prose, and {answers}", model=self.model, answers=ANSWERS[self.form]
        )

    def facts(self) -> dict[str, Any]:
        """Returns the facts that the settings store about the endpoint
        (`studio.config.load.keep_probe`)."""
        unfit = {"judges": False, "extracts": False} if self.form == "not kept" else {}
        return {"at": now(), "model": self.model, "answers": self.sentence, "facts": unfit}


class _Memory(Journal):
    """An in-memory journal for calls that belong to no novel."""

    def __init__(self) -> None:
        self.records: dict[str, CallRecord] = {}
        self._ends: list[UsageEntry] = []

    def recall(self, generation_id: str) -> CallRecord | None:
        return self.records.get(generation_id)

    def keep(self, record: CallRecord) -> None:
        self.records[record.id] = record

    def settle(self, entry: UsageEntry) -> None:
        self._ends.append(entry)

    def latest_usage(self) -> list[UsageEntry]:
        return self._ends

    @property
    def cost(self) -> float | None:
        costs = [entry.usd for entry in self._ends]
        return None if None in costs else sum(cost or 0.0 for cost in costs)


async def try_model(choice: ProviderChoice, prices: PriceList) -> ProbeResult:
    """Asks the chosen model twice.

    Raises StudioError when no model is set up (exit 2), and when it cannot be reached or refuses
    (exit 6).
    """
    if choice.provider is None:
        raise usage(choice.reason)
    memory = _Memory()
    gateway = Gateway(
        choice.provider,
        memory,
        prices=prices,
        deadlines=choice.deadlines,
        on_retry=lambda *failure: warn(retry_sentence(*failure)),
    )
    try:
        await gateway.prose(_request("prose", PROSE))
        form = await _form(gateway, memory)
    finally:
        await choice.provider.close()
    return ProbeResult(choice.provider.model_for("fast"), form, memory.cost)


async def _form(gateway: Gateway, memory: _Memory) -> AnswerForm:
    try:
        await gateway.structure(_request("form", STRUCTURED), Colour)
    except ModelError as error:
        if error.error_kind not in ("unusable", "empty", "cut", "runaway"):
            raise
        return "not kept"
    repaired = any("-repair-" in generation_id for generation_id in memory.records)
    return "repaired" if repaired else "kept"


def _request(call: str, text: str) -> Request:
    return Request(
        call=f"probe-{call}",
        stage="probe",
        agent="probe",
        role="fast",
        parts=(PromptPart("user", text),),
        max_tokens=MOST_TOKENS,
        effort="low",
        open_ended=call == "prose",
    )
