"""What every test may rely on: no network, a home of its own, UTC."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest

from studio.config.load import state_dir, user_config_path


def test_a_connection_beyond_this_machine_fails_the_test() -> None:
    with (
        socket.socket() as beyond,
        pytest.raises(pytest.fail.Exception, match=r"192\.0\.2\.1"),
    ):
        beyond.connect(("192.0.2.1", 443))


def test_a_connection_to_loopback_is_made() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


def test_home_and_xdg_folders_are_the_tests_own(own_home: Path) -> None:
    for path in (user_config_path(os.environ), state_dir(os.environ), Path.home()):
        assert path.is_relative_to(own_home)


def test_no_key_reaches_a_test_and_clocks_show_utc() -> None:
    assert not [name for name in os.environ if name.startswith(("ANTHROPIC_", "STUDIO_"))]
    assert time.strftime("%z", time.localtime(0)) == "+0000"
