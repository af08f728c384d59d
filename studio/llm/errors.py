"""Everything that can go wrong when a model is asked: each kind with one sentence and one hint."""

from __future__ import annotations

from dataclasses import dataclass
from shlex import quote
from typing import Literal

from studio.config.schema import mask
from studio.errors import Exit, Problem, StudioError
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
    "chapter": ("chapter budget", "chapter_usd"),
    "day": ("day budget", "day_usd"),
    "project": ("project budget", "project_usd"),
    "all novels": ("day budget over all your novels", "day_usd"),
}
"""The name of each cap and the setting that controls it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a kind of error tells the writer, and whether a retry may help."""

    sentence: str
    hint: str
    retryable: bool = False


DOCTOR = "`studio doctor` shows what is set."
LATER = "Nothing is lost: `studio resume` goes on from here."

FAULTS: dict[ErrorKind, Fault] = {
    "connection": Fault(
        "The model's server could not be reached",
        f"Check the network, the address and any proxy. {LATER}",
        retryable=True,
    ),
    "timeout": Fault("The model stayed silent for too long", LATER, retryable=True),
    "rate_limit": Fault("The service asks for a pause: too many requests", LATER, retryable=True),
    "overloaded": Fault("The service is overloaded", LATER, retryable=True),
    "server": Fault("The service failed", LATER, retryable=True),
    "key": Fault(
        "The command that prints the API key failed",
        f"Check api_key_command in your own config.toml. {DOCTOR}",
    ),
    "auth": Fault("The service does not accept the API key", f"Check the key. {DOCTOR}"),
    "payment": Fault(
        "The service asks for payment", f"Check the account's credit and billing. {DOCTOR}"
    ),
    "forbidden": Fault("The API key may not use this model", f"Choose another model. {DOCTOR}"),
    "not_found": Fault("The service does not know this model or address", DOCTOR),
    "too_large": Fault(
        "The prompt is larger than the model takes",
        "Shorten the context of this chapter, or choose a model with a larger window.",
    ),
    "bad_request": Fault("The service refused the form of the request", DOCTOR),
    "protocol": Fault(
        "The address does not answer like a Messages server", f"Check the base URL. {DOCTOR}"
    ),
    "load": Fault(
        "The embedded model could not be loaded",
        f"Check that the file is a whole GGUF model and that memory is free. {DOCTOR}",
    ),
    "refusal": Fault(
        "The model declined to write this",
        "Change the direction of the passage, write it yourself, or choose another model.",
    ),
    "cut": Fault(
        "The answer was cut off", f"What came is kept as a variation. {LATER}", retryable=True
    ),
    "empty": Fault("The model returned nothing", LATER, retryable=True),
    "runaway": Fault(
        "The model did not stop",
        "It repeated itself or passed the size limit. Try again, or choose another model.",
        retryable=True,
    ),
    "unusable": Fault(
        "The model's answer could not be used",
        "Try again, or choose a model that keeps to a given form.",
    ),
}


class ModelError(StudioError):
    """A failed call (exit 6), with the text received before the failure."""

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
        super().__init__(
            Problem(
                f"{fault.sentence}: {detail}." if detail else f"{fault.sentence}.",
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
        self.usage = usage
        """Token counts as reported by the endpoint; None when it never began to answer."""
        self.retry_after = retry_after
        """The number of seconds the endpoint asked the client to wait."""

    def hiding(self, key: str) -> ModelError:
        """Returns this error with the key masked where a server repeated it (reliability S11)."""
        if len(key) > len(mask(key)):
            message = self.problem.message.replace(key, mask(key))
            self.problem = self.problem._replace(message=message)
            self.detail = self.detail.replace(key, mask(key))
            self.args = (message,)
        return self

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later."""
        return self.problem.retryable


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
        place = "your own config.toml" if own else "studio.toml"
        where = f"{place}, or go on tomorrow" if setting == "day_usd" else place
        hints = ["Everything so far is saved."]
        if perhaps:
            hints.append(
                f"${perhaps:.4f} was reserved for calls that were killed:"
                " `studio usage settle` tells what they cost."
            )
        hints.append(f"Raise `[budget] {setting}` in {where}, then `studio resume`.")
        super().__init__(
            Problem(
                f"The {name} of ${limit:.2f} is reached: ${spent:.4f} is spent or reserved,"
                f" and the next call may cost up to ${worst:.4f}.",
                " ".join(hints),
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
                f"What {model} costs is not known, so the budget cannot limit it. Nothing was "
                "sent.",
                f"`studio usage allow {quote(model)}` lets it go on uncounted; a price of its own"
                " in your config.toml has it counted.",
                exit_code=Exit.DECIDE,
                kind="budget",
            )
        )
        self.model = model
