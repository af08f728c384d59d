"""Derives an endpoint's capabilities from its model ids and from facts known to the writer or a
probe.

The host is never used to guess them (DESIGN section 10).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from studio.config.schema import Role
from studio.llm.provider import ModelProfile

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
    note="This small built-in model is for trying the studio, in English."
    " It drafts; it cannot judge, summarize or polish.",
    free=True,
)
"""A model of a few hundred million parameters (sdk-notes: tried)."""


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
