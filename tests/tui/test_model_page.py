"""The model in force with its price, and how to set another."""

from __future__ import annotations

from datetime import date

import pytest

from studio.config.schema import Settings
from studio.i18n import use
from studio.llm.choose import ProviderChoice, choose_provider
from studio.llm.prices import Price, PriceList
from studio.tui.views.pages.model import model_lines

PRICES = PriceList(
    date(2026, 11, 21),
    {
        "deep-1": (Price(4.0, 20.0, 0.2, 5.0),),
        "fast-1": (Price(0.1, 0.5, 0.1, 0.125, 100_000), Price(0.5, 2.5, 0.5, 0.6)),
    },
)


def told(choice: ProviderChoice) -> str:
    return "\n".join("".join(s.text for s in one) for one in model_lines(choice, PRICES, "F2"))


def asked(**models: str) -> ProviderChoice:
    server = {"anthropic": {"base_url": "http://127.0.0.1:9"}}
    return choose_provider(Settings.model_validate({"provider": server, "models": models}))


def test_each_model_is_named_once_with_its_price_in_words_and_not_in_tokens() -> None:
    page = told(asked(deep="deep-1", standard="deep-1", fast="fast-1"))
    price = "for 10,000 words read and 10,000 written, about: deep-1 6 cents and 28 cents; "
    assert f"{price}fast-1 less than a cent and a cent." in page
    assert page.count("deep-1 6 cents") == 1


@pytest.mark.parametrize(
    ("language", "price"),
    [
        ("ko", "1만 자를 읽는 값과 쓰는 값, 대략 deep-1 $0.05, $0.24"),
        ("zh", "读一万字、写一万字，各约deep-1 $0.05 和 $0.24"),
    ],
)
def test_a_price_is_said_in_the_characters_of_her_language(language: str, price: str) -> None:
    use(language)
    page = told(asked(deep="deep-1", standard="deep-1", fast="fast-1"))
    use("en")
    assert price in page
    assert "토큰" not in page
    assert "词元" not in page


def test_a_price_that_is_not_on_the_list_is_not_known() -> None:
    assert "my-own not known" in told(asked(deep="my-own", standard="my-own", fast="my-own"))


@pytest.mark.parametrize("words", ["F2 sets another", "a key", "a server", "a model file"])
def test_it_says_how_to_set_another(words: str) -> None:
    none = ProviderChoice(
        None, "No model is set up.", asked(deep="a", standard="a", fast="a").deadlines
    )
    assert words in told(none)
    assert "Price" not in told(none)
