"""Where the installed program sends a key, and what it believes of a model file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.llm.providers.embedded import find_bundled_model
from tests.cli.command import studio
from tests.fake_messages import FakeMessages
from tests.llm.gguf_files import gguf, save
from tests.raw_server import RawServer

KEY = "sk-ant-canary-0123456789"
REFUSED = b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
KNOWN = "window = 65536\njudges = true\nextracts = true\n"
needs_model = pytest.mark.skipif(find_bundled_model() is None, reason="no model is installed")


@pytest.fixture
def proxy() -> Iterator[RawServer]:
    """Everything that leaves this machine comes here, and goes no further."""
    with RawServer(lambda: [REFUSED]) as server:
        yield server


@pytest.fixture
def own_config(own_home: Path) -> Path:
    path = own_home / "config" / "studio" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.mark.sampled
@pytest.mark.parametrize("how", ["flag", "environment"])
@pytest.mark.repairs("T1")
def test_the_vendors_key_does_not_go_to_the_server_of_another_provider(
    own_config: Path, tmp_path: Path, proxy: RawServer, how: str
) -> None:  # req: S11
    with RawServer(lambda: [REFUSED]) as server:
        own_config.write_text(f'[provider]\nname = "openai"\nbase_url = "{server.url}"\n', "utf-8")
        environ = {"ANTHROPIC_API_KEY": KEY, "HTTPS_PROXY": proxy.url, "HTTP_PROXY": proxy.url}
        chosen = ["--provider", "anthropic"] if how == "flag" else []
        if how == "environment":
            environ["STUDIO_PROVIDER"] = "anthropic"
        ended = studio("models", *chosen, cwd=tmp_path, environ=environ)
        assert not server.requests
    assert ended.code == 6
    assert proxy.requests
    assert proxy.requests[0].startswith(b"CONNECT api.anthropic.com:443")
    assert KEY.encode() not in b"".join(proxy.requests)


@pytest.mark.repairs("T1")
def test_a_key_of_the_environment_does_not_go_to_an_address_of_the_file(
    own_config: Path, tmp_path: Path, proxy: RawServer
) -> None:  # req: S11
    own_config.write_text('[provider]\nbase_url = "http://gateway.example"\n', "utf-8")
    environ = {"ANTHROPIC_API_KEY": KEY, "HTTP_PROXY": proxy.url}
    studio("models", "--provider", "anthropic", cwd=tmp_path, environ=environ)
    assert proxy.requests
    assert b"gateway.example" in proxy.requests[0]
    assert KEY.encode() not in b"".join(proxy.requests)


def test_a_key_goes_where_it_belongs(own_config: Path, tmp_path: Path) -> None:
    with FakeMessages() as server:
        server.pages["/v1/models"] = {"data": [{"id": "claude-opus-5-5"}]}
        own_config.write_text(f'[provider.anthropic]\nbase_url = "{server.url}"\n', "utf-8")
        ended = studio("models", cwd=tmp_path, environ={"ANTHROPIC_API_KEY": KEY})
        assert "claude-opus-5-5" in ended.out
        command = f'api_key_command = "echo {KEY[:-1]}8"\n'
        own_config.write_text(
            f'[provider.anthropic]\nbase_url = "{server.url}"\n{command}', "utf-8"
        )
        assert studio("models", cwd=tmp_path).code == 0


@needs_model
@pytest.mark.repairs("T2")
def test_a_fact_about_a_server_is_not_believed_of_the_small_model(
    own_config: Path, tmp_path: Path
) -> None:
    address = "http://127.0.0.1:9"
    own_config.write_text(
        f'[provider]\nbase_url = "{address}"\n[provider.endpoints."{address}"]\n{KNOWN}', "utf-8"
    )
    ended = studio("doctor", "--json", "--provider", "embedded", cwd=tmp_path)
    (model,) = [check for check in ended.json["checks"] if check["name"] == "model"]
    assert "It takes 8,192 tokens at once." in model["message"]
    ended = studio("doctor", "--json", "--provider", "anthropic", cwd=tmp_path)
    (model,) = [check for check in ended.json["checks"] if check["name"] == "model"]
    assert "It takes 65,536 tokens at once." in model["message"]


@needs_model
@pytest.mark.repairs("T2")
def test_a_large_file_of_her_own_is_a_model_and_no_toy(tmp_path: Path) -> None:
    file = save(tmp_path / "eight.gguf", gguf(8_000_000_000), 4_500_000_000)
    ended = studio("doctor", "--json", "--model", file, cwd=tmp_path)
    (model,) = [check for check in ended.json["checks"] if check["name"] == "model"]
    assert (model["status"], model["hint"]) == ("ok", "")
    assert "It takes 16,384 tokens at once." in model["message"]
    small = save(tmp_path / "small.gguf", gguf(1_500_000_000), 1_000_000_000)
    ended = studio("doctor", "--json", "--model", small, cwd=tmp_path)
    (model,) = [check for check in ended.json["checks"] if check["name"] == "model"]
    assert model["status"] == "note"
    assert "1.5 billion parameters" in model["hint"]


def test_the_doctor_shows_host_source_and_profile_of_all_three(
    own_config: Path, tmp_path: Path
) -> None:
    own_config.write_text(
        '[provider]\nname = "openai"\n[provider.openai]\nbase_url = "http://127.0.0.1:8080/v1"\n'
        'api_key_command = "pass show models"\n',
        "utf-8",
    )
    file = save(tmp_path / "eight.gguf", gguf(8_000_000_000), 4_500_000_000)
    environ = {"ANTHROPIC_API_KEY": KEY}
    ended = studio("doctor", "--json", "--model", file, cwd=tmp_path, environ=environ)
    messages = {check["name"]: check["message"] for check in ended.json["checks"]}
    vendor, server = "https://api.anthropic.com", "http://127.0.0.1:8080/v1"
    assert messages["anthropic"].startswith(f"Its server is {vendor}. Its key is from environment.")
    assert messages["openai"].startswith(f"Its server is {server}. Its key is from user config.")
    assert messages["embedded"] == (
        f"Its file is {file}. It takes 16,384 tokens at once. It judges chapters."
        " It summarizes chapters. It rewrites passages. Its languages: ko, en, zh."
    )
    assert "canary" not in ended.out + ended.err
