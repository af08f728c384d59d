"""Ids as fields of our types; what a name may be is in `studio.story.form.slugs`."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from studio.story.form.slugs import SLUG_PATTERN, slug_fault

SHA256_PATTERN = r"^[0-9a-f]{64}$"


def _check_slug(text: str) -> str:
    fault = slug_fault(text)
    if fault is not None:
        raise ValueError(fault)
    return text


Slug = Annotated[str, StringConstraints(pattern=SLUG_PATTERN), AfterValidator(_check_slug)]
Sha256 = Annotated[str, StringConstraints(pattern=SHA256_PATTERN)]
