"""What a model costs at the address that is asked."""

from __future__ import annotations

import json
import re
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from studio.config.load import load_settings
from studio.llm.prices import Price, published, vendor_tiers
from studio.pipeline.gateway import prices_of
from studio.story.records import Usage

OPENAI = "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("url", "model", "price"),
    [
        (OPENAI, "gpt-5", Price(1.25, 10.0, 0.125, 1.25)),
        (OPENAI, "GPT-5", Price(1.25, 10.0, 0.125, 1.25)),
        ("https://api.deepseek.com/v1", "deepseek-chat", Price(0.27, 1.1, 0.07, 0.27)),
        ("https://openrouter.ai/api/v1", "openai/gpt-5", Price(1.25, 10.0, 0.125, 1.25)),
        ("https://api.anthropic.com", "claude-3-haiku-20240307", Price(0.25, 1.25, 0.03, 0.3)),
    ],
)
def test_a_model_has_the_price_of_its_vendor(url: str, model: str, price: Price) -> None:
    # req: I4
    assert published().at(url).tiers(model) == (price,)


@pytest.mark.parametrize(
    ("url", "model"),
    [
        ("http://127.0.0.1:8080/v1", "gpt-5"),
        (OPENAI, "qwen3-8b-of-my-own"),
        ("https://openrouter.ai/api/v1", "nobody/nothing"),
        ("", "gpt-5"),
    ],
)
def test_what_nobody_lists_stays_unknown(url: str, model: str) -> None:  # req: I4 M11
    prices = published().at(url)
    assert prices.tiers(model) == ()
    assert prices.price(model, Usage(input_tokens=1, output_tokens=1)) is None


def test_a_dearer_tier_begins_where_the_vendor_says() -> None:
    rows = vendor_tiers("https://api.x.ai/v1", "grok-4.20")
    assert [row[0] for row in rows] == [199_999, None]
    assert rows[1][1] > rows[0][1]


def test_the_writers_own_price_goes_first(tmp_path: Path) -> None:  # req: I4
    (tmp_path / "studio").mkdir()
    (tmp_path / "studio/config.toml").write_text(
        f'[provider]\nname = "openai"\nbase_url = "{OPENAI}"\n'
        '[prices."gpt-5"]\ninput = 0.5\noutput = 2.0\n'
    )
    prices = prices_of(load_settings(None, {"XDG_CONFIG_HOME": str(tmp_path)}))
    assert prices.tiers("gpt-5") == (Price(0.5, 2.0, 0.5, 0.625),)
    assert prices.tiers("gpt-5-mini"), "other models have the vendor's"
    assert prices.tiers("claude-opus-5-5") == published().tiers("claude-opus-5-5")


def test_the_table_is_whole_and_of_one_date_with_the_other() -> None:
    table = json.loads(files("studio.llm").joinpath("vendor_prices.json").read_text("utf-8"))
    assert abs((date.fromisoformat(table["date"]) - published().day).days) <= 31
    rows = [row for vendor in table["vendors"] for row in vendor["models"]]
    assert len(rows) > 1_500
    for vendor in table["vendors"]:
        re.compile(vendor["api"])
    for names, tiers in rows:
        assert {name[0] for name in names} <= set("=^~")
        assert tiers[-1][0] is None
        assert all(len(tier) == 5 and min(tier[1:]) >= 0 for tier in tiers)
