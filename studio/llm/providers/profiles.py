"""Derives an endpoint's capabilities from its model ids and from facts known to the writer or a
probe.

The host is never used to guess them (DESIGN section 10).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from studio.config.schema import Role
from studio.llm.provider import WINDOWS, ModelProfile
from studio.llm.providers.gguf import GgufHeader
from studio.messages import said

CLAUDE = ModelProfile("anthropic", window=200_000, max_output=64_000, thinks=True)
"""The minimum capabilities of every current Claude model."""
LARGE_CLAUDE = replace(CLAUDE, window=1_000_000, max_output=128_000)
LARGE_IDS = ("claude-opus-5-5",)
UNKNOWN = ModelProfile(
    "anthropic", window=8192, window_known=False, max_output=4096, tools=False, cache=False
)
"""An open model behind a Messages server: assumed able to judge until a probe disproves it."""
TOY = ModelProfile(
    "embedded",
    window=8192,
    max_output=2048,
    judges=False,
    extracts=False,
    rewrites="sampling",
    tools=False,
    cache=False,
    languages=("en",),
    short_prompts=True,
    note=said(
        "This small built-in model is for trying the studio, in English. It drafts; it cannot "
        "judge, summarize or polish."
    ),
    free=True,
)
"""A model of a few hundred million parameters (sdk-notes: tried)."""
LOCAL = replace(UNKNOWN, provider="embedded", max_output=8192, free=True)
"""A model of some billion parameters in this process: believed able to judge, as behind a server,
until a probe disproves it. Look-ups are not offered to it."""
LEAST_PARAMETERS = 3_000_000_000
"""The size from which a file is asked to judge and extract. Only one far below it was tried."""
USUAL_WINDOW = 8192
LARGEST_WINDOW = 32_768
"""The largest window that a file is given unasked; it need not be the largest it was trained on."""
MEMORY_FOR_WINDOW = 2 * 1024**3
"""The most bytes that a window larger than the usual one may take while the model runs."""
NO_HEADER = said("The header of this file could not be read, so it is asked only to draft.")
NO_TEMPLATE = said(
    "This file holds no chat template: its model was not made to follow instructions. It "
    "drafts; it cannot judge, summarize or polish."
)
SMALL = said(
    "This model has {billions} billion parameters. It drafts; below 3 billion it is not asked to"
    " judge, summarize or polish."
)


def profile_of_file(header: GgufHeader | None) -> ModelProfile:
    """Returns the profile of a model file by its header; None where it could not be read."""
    if header is None:
        return replace(TOY, note=NO_HEADER)
    window = _window_of_file(header)
    if not header.chat_template:
        profile = replace(TOY, note=NO_TEMPLATE)
    elif header.parameters < LEAST_PARAMETERS:
        profile = replace(TOY, note=SMALL.format(billions=f"{header.parameters / 1e9:.1f}"))
    else:
        thinks = "<think>" in header.chat_template
        profile = replace(LOCAL, thinks=thinks, window_known=True)
    languages = tuple(one for one in LOCAL.languages if one in header.languages)
    return replace(
        profile,
        window=window,
        max_output=min(profile.max_output, window // 2),
        languages=languages or profile.languages,
    )


def _window_of_file(header: GgufHeader) -> int:
    """Returns the largest window up to that of the training whose memory is bounded."""
    trained = header.context_length
    if trained not in WINDOWS:
        return USUAL_WINDOW
    affordable = MEMORY_FOR_WINDOW // header.token_bytes if header.token_bytes else 0
    return min(trained, max(USUAL_WINDOW, min(affordable, LARGEST_WINDOW)))


def is_claude(model: str) -> bool:
    """Whether this id is one of the vendor's: no sampling parameters, and enforced schemas."""
    return model.startswith("claude-")


def profile_for(models: Mapping[Role, str], facts: Mapping[str, Any] | None = None) -> ModelProfile:
    """Returns the profile that all roles can rely on; `facts` (fields by name) override the ids."""
    ids = tuple(models.values())
    if not all(is_claude(model) for model in ids):
        profile = replace(UNKNOWN, thinks=any(is_claude(model) for model in ids))
    elif all(model.startswith(LARGE_IDS) for model in ids):
        profile = LARGE_CLAUDE
    else:
        profile = CLAUDE
    return with_facts(profile, facts or {})


def with_facts(profile: ModelProfile, facts: Mapping[str, Any]) -> ModelProfile:
    """Returns `profile` with known facts applied; a window alone also sets the longest answer."""
    fields = {name: value for name, value in facts.items() if value is not None}
    if "window" in fields:
        fields["window_known"] = True
        fields.setdefault("max_output", min(profile.max_output, fields["window"] // 2))
    return replace(profile, **fields)
