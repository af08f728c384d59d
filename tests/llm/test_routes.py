"""Where calls go, with whose key, and what is believed of the model: every provider, chosen in
every way, with a key from every place (CONTRACTS 12)."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from studio.config.catalog import all_settings
from studio.config.load import change_setting, load_settings, user_config_path
from studio.config.masking import without_keys
from studio.errors import Exit, StudioError
from studio.llm.choose import choose_provider, chosen_provider, route_of
from studio.llm.errors import ModelError
from studio.llm.keys import Key
from studio.llm.providers.profiles import CLAUDE, UNKNOWN
from tests.llm.gguf_files import gguf, save

CLAUDES = "https://claude.example/api"
OPENS = "http://models.example:8080/v1"
VENDOR = "https://api.anthropic.com"
OF_ENVIRONMENT, OF_CLAUDES, OF_OPENS = "sk-ant-environment", "sk-ant-config", "sk-openai-config"
PROVIDERS = ("anthropic", "openai", "embedded")
MODEL = '[models]\ndeep = "claude-opus-5-5"\nstandard = "claude-sonnet-5-5"\nfast = "m"\n'


def printing(key: str) -> str:
    return shlex.join([sys.executable, "-c", f"print({key!r})"])


def config_of(configured: str | None, source: str, file: Path) -> str:
    """The writer's file: what she has set for one provider, and where its key is."""
    named = f'name = "{configured}"\n' if configured else ""
    address = {"anthropic": CLAUDES, "openai": OPENS}.get(configured or "anthropic")
    key = OF_OPENS if configured == "openai" else OF_CLAUDES
    if source == "old flat table":
        lines = f'base_url = "{address}"\napi_key = "{key}"\n' if address else ""
        return f'[provider]\n{named}{lines}model_file = "{file}"\n'
    text = f'[provider]\n{named}[provider.embedded]\nmodel_file = "{file}"\n'
    if address:
        text += f'[provider.{configured or "anthropic"}]\nbase_url = "{address}"\n'
        if source == "config key":
            text += f'api_key = "{key}"\n'
        if source == "key command":
            text += f"api_key_command = {json.dumps(printing(key))}\n"
    return text


SOURCES = ("environment", "config key", "key command", "old flat table")
CASES = list(product((None, *PROVIDERS), PROVIDERS, ("flag", "environment", "config"), SOURCES))


@pytest.mark.sweep
@pytest.mark.parametrize(("configured", "chosen", "how", "source"), CASES)
def test_each_provider_has_its_own_host_key_and_profile(
    tmp_path: Path, configured: str | None, chosen: str, how: str, source: str
) -> None:  # req: I4, S11
    file = save(tmp_path / "large.gguf", gguf(8_000_000_000), 4_500_000_000)
    if how == "config" and chosen != configured:
        configured = chosen  # naming another in the file is configuring it
    environ = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    environ["ANTHROPIC_API_KEY"] = OF_ENVIRONMENT
    overrides = {"provider.name": chosen} if how == "flag" else {}
    if how == "environment":
        environ["STUDIO_PROVIDER"] = chosen
    path = user_config_path(environ)
    path.parent.mkdir(parents=True)
    path.write_text(MODEL + config_of(configured, source, file), "utf-8")

    settings = load_settings(None, environ, overrides)
    assert chosen_provider(settings) == chosen
    route = route_of(chosen, settings)  # type: ignore[arg-type]
    is_hers = configured == chosen or (configured is None and chosen == "anthropic")
    key = route.key.reveal() if route.key else None
    if chosen == "embedded":
        assert (route.host, key) == (str(file), None)
        assert route.profile.judges
        assert route.profile.provider == "embedded"
    elif chosen == "openai":
        assert route.host == (OPENS if is_hers else "")
        assert key == (OF_OPENS if is_hers and source != "environment" else None)
        assert route.profile.provider == "openai"
    elif is_hers:
        assert route.host == CLAUDES
        assert key == (None if source == "environment" else OF_CLAUDES)
        assert route.withheld == "environment"
        assert route.profile == replace(UNKNOWN, thinks=True)
    else:
        assert (route.host, key) == (VENDOR, OF_ENVIRONMENT)
        assert route.key_source == "environment"
        assert route.withheld is None
        assert route.profile == replace(UNKNOWN, thinks=True)


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("http://127.0.0.1:8080", True),
        ("http://localhost:8080/v1", True),
        ("https://api.anthropic.com/", True),
        ("http://api.anthropic.com", False),
        ("https://api.anthropic.com.evil.example", False),
        ("http://192.168.1.7:8080", False),
        ("http://127.0.0.1.evil.example", False),
    ],
)
def test_a_key_of_the_environment_goes_to_the_vendor_and_to_this_machine(
    tmp_path: Path, address: str, sent: bool
) -> None:  # req: S11
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "ANTHROPIC_API_KEY": OF_ENVIRONMENT}
    write(environ, f'[provider.anthropic]\nbase_url = "{address}"\n')
    route = route_of("anthropic", load_settings(None, environ))
    assert (route.key is not None) is sent
    reason = choose_provider(load_settings(None, environ)).reason
    assert ("The key from environment is not sent there" in reason) is not sent


def test_key_and_address_of_one_environment_belong_together(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "ANTHROPIC_API_KEY": OF_ENVIRONMENT}
    environ["ANTHROPIC_BASE_URL"] = CLAUDES
    write(environ, f'[provider.anthropic]\nbase_url = "{OPENS}"\napi_key = "{OF_CLAUDES}"\n')
    route = route_of("anthropic", load_settings(None, environ))
    assert route.key is not None
    assert (route.host, route.key.reveal()) == (CLAUDES, OF_ENVIRONMENT)
    del environ["ANTHROPIC_API_KEY"]
    route = route_of("anthropic", load_settings(None, environ))
    assert (route.key, route.withheld) == (None, "user config")


def test_a_fact_about_a_server_is_none_about_a_file(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    small = gguf(135_000_000, {"llama.context_length": 8192})
    file = save(tmp_path / "small.gguf", small, 100_000_000)
    known = "window = 65536\njudges = true\nextracts = true\n"
    write(
        environ,
        f'[provider.anthropic]\nbase_url = "{OPENS}"\n[provider.endpoints."{OPENS}"]\n{known}'
        f'[provider.endpoints."{VENDOR}"]\n{known}'
        f'[provider.embedded]\nmodel_file = "{file}"\n',
    )
    settings = load_settings(None, environ)
    assert route_of("anthropic", settings).profile.window == 65_536
    profile = route_of("embedded", settings).profile
    assert (profile.window, profile.judges, profile.extracts) == (8192, False, False)
    write(environ, f'[provider.embedded]\nmodel_file = "{file}"\n')
    change = f'[provider.endpoints."{file}"]\nwindow = 4096\nthinks = true\n'
    write(environ, f'[provider.embedded]\nmodel_file = "{file}"\n{change}')
    profile = route_of("embedded", load_settings(None, environ)).profile
    assert (profile.window, profile.thinks, profile.judges) == (4096, True, False)


def test_another_name_does_not_give_one_providers_key_to_another(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    write(environ, f'[provider]\napi_key = "{OF_CLAUDES}" # mine\n')
    keys = {setting.key: setting for setting in all_settings()}
    change_setting(keys["provider.name"], "openai", "user config", None, environ)
    settings = change_setting(keys["provider.openai.base_url"], OPENS, "user config", None, environ)
    assert route_of("openai", settings).key is None
    claude = route_of("anthropic", settings).key
    assert claude is not None
    assert claude.reveal() == OF_CLAUDES
    settings = change_setting(
        keys["provider.anthropic.api_key"], None, "user config", None, environ
    )
    assert route_of("anthropic", settings).key is None


def test_an_old_key_that_does_not_fit_is_named_as_the_file_spells_it(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    write(environ, '[provider]\nname = "openai"\nbase_url = "ftp://x"\n')
    with pytest.raises(StudioError) as caught:
        load_settings(None, environ)
    message = caught.value.problem.message
    assert "line 3: provider.base_url does not fit" in message


def test_a_command_prints_the_key_once_and_no_report_shows_it(tmp_path: Path) -> None:
    count = tmp_path / "count"
    code = f"open({str(count)!r}, 'a').write('x'); print('sk-printed-0123456789'); print('more')"
    key = Key(command=shlex.join([sys.executable, "-c", code]))
    assert key.known == ""
    assert (key.reveal(), key.reveal()) == ("sk-printed-0123456789",) * 2
    assert count.read_text() == "x"
    assert "printed" not in repr(key)
    key.forget()
    assert without_keys("it was sk-printed-0123456789") == "it was sk-...6789"
    assert key.known == ""


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import sys; sys.exit(3)", "it ended with 3"),
        ("print()", "its first line of output is no key"),
        ("print('a\\x1b[31mb')", "its first line of output is no key"),
    ],
)
def test_a_command_without_a_key_is_told_in_a_sentence(code: str, reason: str) -> None:
    with pytest.raises(ModelError, match=reason) as caught:
        Key(command=shlex.join([sys.executable, "-c", code])).reveal()
    assert caught.value.problem.exit_code == Exit.MODEL
    assert "api_key_command" in caught.value.problem.hint


def test_a_command_that_is_not_there_is_told_in_a_sentence() -> None:
    with pytest.raises(ModelError, match="no-such-program"):
        Key(command="no-such-program --key").reveal()


def test_claude_is_profiled_as_claude(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path), "ANTHROPIC_API_KEY": OF_ENVIRONMENT}
    assert route_of("anthropic", load_settings(None, environ)).profile == CLAUDE


def write(environ: dict[str, str], text: str) -> None:
    path = user_config_path(environ)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
