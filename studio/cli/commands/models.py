"""`studio models`: the models of the current server, and the roles each is used for."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.cli import output
from studio.cli.options import Telling, json_option, model_options, model_overrides, project_option
from studio.config.load import load_settings
from studio.errors import usage
from studio.messages import said, series
from studio.project.layout import is_novel

if TYPE_CHECKING:
    from studio.llm.choose import ProviderChoice
    from studio.llm.prices import PriceList
    from studio.llm.providers.server_models import ListedModel

_FITS = {True: said("fits"), False: said("too small"), None: ""}


@click.command()
@json_option
@model_options
@project_option
def models(provider: str | None, model: str | None, project: Path) -> Telling:
    """List the models of the server in force, and what each is used for. Costs nothing.

    A model fits if its window can hold a scene; many servers do not say.

    --json prints {schema_version, models: [{id, window, fits, roles, input_usd,
    output_usd}], missing}; missing are models in force that the server does not have.
    """
    from studio.llm.choose import choose_provider, listed_models
    from studio.pipeline.gateway import prices_of

    novel = project if is_novel(project) else None
    settings = load_settings(novel, os.environ, model_overrides(provider, model))
    choice = choose_provider(settings)
    if choice.provider is None:
        raise usage(said("No model is set up, so there is no server to ask."), choice.reason)
    listed = asyncio.run(listed_models(choice.provider))
    rows = [_row(model, choice, prices_of(settings)) for model in listed]
    names = {row["id"] for row in rows}
    missing = [name for name in _roles(choice) if name not in names]
    yield {"models": rows, "missing": missing}
    output.say_columns(map(_cells, rows))
    for name in missing:
        roles = ", ".join(_roles(choice)[name])
        output.warn(
            said(
                "{name} ({roles}) is not among them: `studio config set models.ROLE ID`.",
                name=name,
                roles=roles,
            )
        )


def _roles(choice: ProviderChoice) -> dict[str, list[str]]:
    """Maps each model id to the roles it is used for."""
    from studio.config.schema import ROLES

    roles: dict[str, list[str]] = {}
    for role in ROLES:
        if choice.provider is not None:
            roles.setdefault(choice.provider.model_for(role), []).append(role)
    return roles


def _row(model: ListedModel, choice: ProviderChoice, prices: PriceList) -> dict[str, Any]:
    tier = next(iter(prices.tiers(model.id)), None)
    is_free = choice.provider is not None and choice.provider.profile.free
    return {
        "id": model.id,
        "window": model.window,
        "fits": model.fits,
        "roles": _roles(choice).get(model.id, []),
        "input_usd": 0.0 if is_free else tier.input if tier else None,
        "output_usd": 0.0 if is_free else tier.output if tier else None,
    }


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    window = said("{count} tokens", count=f"{row['window']:,}") if row["window"] else ""
    if row["input_usd"] is None:
        price = said("price unknown")
    elif row["input_usd"] == row["output_usd"] == 0:
        price = said("it costs nothing")
    else:
        price = said(
            "${input} in, ${output} out a million",
            input=f"{row['input_usd']:g}",
            output=f"{row['output_usd']:g}",
        )
    used = said("used for {roles}", roles=series(row["roles"])) if row["roles"] else ""
    return row["id"], *output.in_words(window, _FITS[row["fits"]], price, used)
