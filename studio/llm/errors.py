"""Everything that can go wrong when a model is asked: each kind with one sentence and one hint."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote
from typing import Literal

from studio.config.masking import without_keys
from studio.errors import Exit, Problem, StudioError
from studio.messages import Filling, Said, join, said
from studio.story.records import Usage

ErrorKind = Literal[
    "connection",
    "timeout",
    "rate_limit",
    "overloaded",
    "server",
    "key",
    "auth",
    "payment",
    "forbidden",
    "not_found",
    "too_large",
    "bad_request",
    "protocol",
    "load",
    "refusal",
    "cut",
    "empty",
    "runaway",
    "unusable",
]

Cap = Literal["chapter", "day", "project", "all novels"]
_CAPS: dict[Cap, tuple[str, str]] = {
    "chapter": (said("chapter budget"), "chapter_usd"),
    "day": (said("day budget"), "day_usd"),
    "project": (said("project budget"), "project_usd"),
    "all novels": (said("day budget over all your novels"), "day_usd"),
}
"""The name of each cap and the setting that controls it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a kind of error tells the writer, and whether a retry may help."""

    sentence: Said
    detailed: Said
    """The sentence with a `{detail}` of what happened."""
    hint: str
    retryable: bool = False


DOCTOR = said("`studio doctor` shows what is set.")
LATER = said("Nothing is lost: `studio resume` goes on from here.")

FAULTS: dict[ErrorKind, Fault] = {
    "connection": Fault(
        said("The model's server could not be reached."),
        said("The model's server could not be reached: {detail}."),
        said("Check the network, the address and any proxy. {later}", later=LATER),
        retryable=True,
    ),
    "timeout": Fault(
        said("The model stayed silent for too long."),
        said("The model stayed silent for too long: {detail}."),
        LATER,
        retryable=True,
    ),
    "rate_limit": Fault(
        said("The service asks for a pause: too many requests."),
        said("The service asks for a pause: too many requests: {detail}."),
        LATER,
        retryable=True,
    ),
    "overloaded": Fault(
        said("The service is overloaded."),
        said("The service is overloaded: {detail}."),
        LATER,
        retryable=True,
    ),
    "server": Fault(
        said("The service failed."), said("The service failed: {detail}."), LATER, retryable=True
    ),
    "key": Fault(
        said("The command that prints the API key failed."),
        said("The command that prints the API key failed: {detail}."),
        said("Check api_key_command in your own config.toml. {doctor}", doctor=DOCTOR),
    ),
    "auth": Fault(
        said("The service does not accept the API key."),
        said("The service does not accept the API key: {detail}."),
        said("Check the key. {doctor}", doctor=DOCTOR),
    ),
    "payment": Fault(
        said("The service asks for payment."),
        said("The service asks for payment: {detail}."),
        said("Check the account's credit and billing. {doctor}", doctor=DOCTOR),
    ),
    "forbidden": Fault(
        said("The API key may not use this model."),
        said("The API key may not use this model: {detail}."),
        said("Choose another model. {doctor}", doctor=DOCTOR),
    ),
    "not_found": Fault(
        said("The service does not know this model or address."),
        said("The service does not know this model or address: {detail}."),
        DOCTOR,
    ),
    "too_large": Fault(
        said("The prompt is larger than the model takes."),
        said("The prompt is larger than the model takes: {detail}."),
        said("Shorten the context of this chapter, or choose a model with a larger window."),
    ),
    "bad_request": Fault(
        said("The service refused the form of the request."),
        said("The service refused the form of the request: {detail}."),
        DOCTOR,
    ),
    "protocol": Fault(
        said("The address does not answer like a Messages server."),
        said("The address does not answer like a Messages server: {detail}."),
        said("Check the base URL. {doctor}", doctor=DOCTOR),
    ),
    "load": Fault(
        said("The embedded model could not be loaded."),
        said("The embedded model could not be loaded: {detail}."),
        said(
            "Check that the file is a whole GGUF model and that memory is free. {doctor}",
            doctor=DOCTOR,
        ),
    ),
    "refusal": Fault(
        said("The model declined to write this."),
        said("The model declined to write this: {detail}."),
        said("Change the direction of the passage, write it yourself, or choose another model."),
    ),
    "cut": Fault(
        said("The answer was cut off."),
        said("The answer was cut off: {detail}."),
        said("What came stands. {later}", later=LATER),
        retryable=True,
    ),
    "empty": Fault(
        said("The model returned nothing."),
        said("The model returned nothing: {detail}."),
        LATER,
        retryable=True,
    ),
    "runaway": Fault(
        said("The model did not stop."),
        said("The model did not stop: {detail}."),
        said("It repeated itself or passed the size limit. Try again, or choose another model."),
        retryable=True,
    ),
    "unusable": Fault(
        said("The model's answer could not be used."),
        said("The model's answer could not be used: {detail}."),
        said("Try again, or choose a model that keeps to a given form."),
    ),
}


class ModelError(StudioError):
    """A failed call (exit 6), with the text received before the failure. A server may repeat the
    key in its own words: they are kept and shown without it (reliability S11)."""

    def __init__(
        self,
        kind: ErrorKind,
        detail: str = "",
        *,
        partial: str = "",
        usage: Usage | None = None,
        retry_after: float | None = None,
        retryable: bool | None = None,
        hint: str = "",
    ) -> None:
        fault = FAULTS[kind]
        detail, hint = _without_keys(detail), _without_keys(hint)
        super().__init__(
            Problem(
                fault.detailed.format(detail=detail) if detail else fault.sentence,
                hint or fault.hint,
                exit_code=Exit.MODEL,
                kind="model",
                retryable=fault.retryable if retryable is None else retryable,
            )
        )
        self.error_kind = kind
        self.detail = detail
        self.partial = partial
        """The text received before the failure."""
        self.generation = ""
        """The id of the call that failed."""
        self.stands = False
        """Whether the text received stands in its place: the same is not asked again then."""
        self.usage = usage
        """Token counts as reported by the endpoint; None when it never began to answer."""
        self.retry_after = retry_after
        """The number of seconds the endpoint asked the client to wait."""

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self.problem.retryable


def _without_keys(words: str) -> str:
    """Returns words without keys, whether they are a server's or fill a message of ours."""
    if not isinstance(words, Said):
        return without_keys(words)
    if isinstance(words.values, tuple):
        return Said(words.id, tuple(map(_filling_without_keys, words.values)))
    values = {name: _filling_without_keys(value) for name, value in words.values.items()}
    return Said(words.id, values)


def _filling_without_keys(value: Filling) -> Filling:
    if isinstance(value, str):
        return _without_keys(value)
    return tuple(map(_filling_without_keys, value)) if isinstance(value, tuple) else value


class BudgetError(StudioError):
    """The next call would exceed a cap (exit 7). Nothing was sent."""

    def __init__(
        self,
        cap: Cap,
        limit: float,
        spent: float,
        worst: float,
        *,
        perhaps: float = 0.0,
        own: bool = False,
    ) -> None:
        """Takes in `perhaps` the part of `spent` that comes from calls whose end was never logged;
        `own` marks one of the writer's own caps."""
        name, setting = _CAPS[cap]
        place = said("your own config.toml") if own else "studio.toml"
        where = said("{place}, or go on tomorrow", place=place) if setting == "day_usd" else place
        hints: list[str] = [said("Everything so far is saved.")]
        if perhaps:
            hints.append(
                said(
                    "${usd} was reserved for calls that were killed: `studio usage settle` "
                    "tells what they cost.",
                    usd=f"{perhaps:.4f}",
                )
            )
        hints.append(
            said(
                "Raise `[budget] {setting}` in {where}, then `studio resume`.",
                setting=setting,
                where=where,
            )
        )
        super().__init__(
            Problem(
                said(
                    "The {name} of ${limit} is reached: ${spent} is spent or reserved, and "
                    "the next call may cost up to ${worst}.",
                    name=name,
                    limit=f"{limit:.2f}",
                    spent=f"{spent:.4f}",
                    worst=f"{worst:.4f}",
                ),
                join(hints),
                exit_code=Exit.BUDGET,
                kind="budget",
            )
        )
        self.cap = cap
        self.limit = limit
        self.spent = spent
        self.worst = worst


class UnpricedError(StudioError):
    """A cap is set and the model's price is unknown, so the call waits for the writer (exit 4)."""

    def __init__(self, model: str) -> None:
        super().__init__(
            Problem(
                said(
                    "What {model} costs is not known, so the budget cannot limit it. Nothing was "
                    "sent.",
                    model=model,
                ),
                said(
                    "`studio usage allow {model}` lets it go on uncounted; a price of its own in "
                    "your config.toml has it counted.",
                    model=quote(model),
                ),
                exit_code=Exit.DECIDE,
                kind="budget",
            )
        )
        self.model = model
