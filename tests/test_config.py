"""Settings: layers, provenance, what a novel cannot set, and what bad input is told."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from studio.config.load import load_settings, state_dir, user_config_path
from studio.config.masking import mask, without_secrets
from studio.config.schema import DirectiveKind, Settings, Weights
from studio.errors import Exit, Problem, StudioError
from studio.story.review.directive import DirectiveType
from studio.story.review.evaluation import DEFAULT_WEIGHTS

Load = Callable[..., Settings]
KEY = "sk-ant-CANARY-0123456789wxyz"


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Settings from the text of studio.toml, of the user's config.toml, and so on."""

    def loading(
        project: str = "", user: str = "", env: dict[str, str] | None = None, **typed: object
    ) -> Settings:
        environ = {"XDG_CONFIG_HOME": str(tmp_path / "xdg"), **(env or {})}
        root = tmp_path / "novel"
        root.mkdir(exist_ok=True)
        (root / "studio.toml").write_text(project, "utf-8")
        path = user_config_path(environ)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(user, "utf-8")
        overrides = {key.replace("__", "."): value for key, value in typed.items()}
        return load_settings(root, environ, overrides)

    return loading


def problem_of(load: Load, **given: object) -> Problem:
    with pytest.raises(StudioError) as caught:
        load(**given)
    return caught.value.problem


def test_without_any_file_the_defaults_are_in_force(tmp_path: Path) -> None:
    settings = load_settings(None, {"HOME": str(tmp_path)})
    assert settings.models.deep == "claude-opus-5-5"
    assert settings.generation.max_steps == 10
    assert settings.budget.chapter_usd is None
    assert settings.provenance("models.deep") == "default"
    assert settings.warnings == ()


@pytest.mark.parametrize(
    ("language", "scene", "chapter"), [("ko", 1200, 6000), ("zh", 1200, 6000), ("en", 600, 3000)]
)
def test_default_lengths_follow_the_language(
    load: Load, language: str, scene: int, chapter: int
) -> None:  # req: A4
    settings = load(f'[novel]\ntitle = "등대"\nlanguage = "{language}"')
    assert settings.novel.title == "등대"
    assert (settings.targets.scene_length, settings.targets.chapter_length) == (scene, chapter)


def test_a_length_in_the_novel_replaces_the_default_of_its_language(load: Load) -> None:
    settings = load('[novel]\nlanguage = "ko"\n[targets]\nscene_length = 900')
    assert (settings.targets.scene_length, settings.targets.chapter_length) == (900, 6000)
    assert settings.provenance("targets.scene_length") == "studio.toml"
    assert settings.provenance("targets.chapter_length") == "default"


def test_each_layer_beats_the_one_below_it(load: Load) -> None:
    user = '[generation]\nmode = "prewriter"\nmax_steps = 4\n[provider]\nname = "anthropic"'
    settings = load("[generation]\nmax_steps = 6", user, {"STUDIO_PROVIDER": "embedded"})
    assert settings.provenance("generation.mode") == "user config"
    assert settings.generation.max_steps == 6
    assert settings.provider.name == "embedded"
    assert settings.provenance("provider.name") == "environment"
    typed = load(user=user, env={"STUDIO_PROVIDER": "embedded"}, provider__name="anthropic")
    assert typed.provider.name == "anthropic"
    assert typed.provenance("provider.name") == "command line"


def test_an_option_that_was_not_typed_overrides_nothing(load: Load) -> None:
    settings = load('[models]\nfast = "small"', models__fast=None)
    assert settings.models.fast == "small"


def test_a_novel_changes_one_weight_and_keeps_the_others(load: Load) -> None:
    weights = dict(load("[gate.weights]\npacing = 0.3").gate.weights)
    assert weights == {**DEFAULT_WEIGHTS, "pacing": 0.3}


def test_weights_and_directive_types_have_the_names_of_the_story() -> None:
    assert dict(Weights()) == DEFAULT_WEIGHTS
    assert set(get_args(DirectiveKind)) == {kind.value for kind in DirectiveType}


def test_story_settings_are_read_from_the_novel(load: Load) -> None:  # req: C15
    settings = load('[generation]\nmode = "prewriter"\nmax_steps = 7\nprose_limit = 8000')
    generation = settings.generation
    assert (generation.mode, generation.max_steps, generation.prose_limit) == ("prewriter", 7, 8000)


def test_metric_targets_and_auto_accept_are_read_from_the_novel(load: Load) -> None:
    settings = load(
        '[metrics]\nfilter_word_density = {max = 5}\n[review]\nauto_accept = ["proofreading"]'
    )
    assert settings.metrics["filter_word_density"].max == 5
    assert settings.review.auto_accept == ("proofreading",)


@pytest.mark.parametrize(
    "text",
    [
        '[provider]\nbase_url = "https://thief.example"',
        '[provider]\nname = "embedded"\napi_key = "sk-stolen"',
        '[models]\nbase_url = "https://thief.example"',
        'api_key_command = "cat /etc/passwd"',
        'editor = "rm -rf ~"',
        "[timeouts]\nidle = 1",
        '[generation]\nEditor_Command = "x"',
        '[metrics]\nbase_url = "https://thief.example"',
    ],
)
def test_a_novel_cannot_set_urls_keys_commands_or_editors(load: Load, text: str) -> None:
    settings = load(text)  # reliability S6
    assert len(settings.warnings) == 1
    assert "studio.toml tries to set" in settings.warnings[0]
    assert settings.model_dump() == load().model_dump()
    assert "thief" not in settings.warnings[0]


def test_the_warning_names_what_a_novel_tried_to_set(load: Load) -> None:
    settings = load('[provider]\nbase_url = "https://thief.example"\napi_key = "sk-stolen"')
    assert "provider (base_url, api_key)" in settings.warnings[0]


def test_the_user_may_set_what_a_novel_may_not(load: Load) -> None:
    user = (
        'editor = "vim"\n[keymap]\naccept = "y"\n[provider]\nbase_url = "http://localhost:8080"\n'
        '[provider.endpoints."http://localhost:8080"]\nwindow = 8192\njudges = false'
    )
    settings = load(user=user)
    assert settings.editor == "vim"
    assert settings.keymap == {"accept": "y"}
    profile = settings.provider.endpoints["http://localhost:8080"]
    assert (profile.window, profile.judges, profile.extracts) == (8192, False, None)
    assert settings.warnings == ()


def test_an_unknown_key_is_refused_with_the_nearest_name_and_its_line(load: Load) -> None:
    problem = problem_of(load, project='[novel]\ntitle = "T"\n[targets]\nscene_lenght = 900')
    assert problem.exit_code is Exit.DAMAGED
    assert problem.message == "studio.toml, line 4: targets.scene_lenght is not a setting."
    assert problem.hint == 'Did you mean "scene_length"?'


def test_an_unknown_key_of_the_user_is_a_matter_of_usage(load: Load) -> None:
    problem = problem_of(load, user="[budgets]\nday_usd = 1")
    assert problem.exit_code is Exit.USAGE
    assert "config.toml, line 1: budgets is not a setting" in problem.message
    assert problem.hint == 'Did you mean "budget"?'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[novel]\nlanguage = "fr"', "line 2: novel.language does not fit: Input should be 'ko'"),
        ('[generation]\nmax_steps = "10"', "generation.max_steps does not fit: Input should be a"),
        ("[generation]\nmax_steps = 0", "line 2: generation.max_steps does not fit"),
        (f"[targets]\nscene_length = 1{'0' * 400}", "targets.scene_length does not fit"),
        ("[budget]\nday_usd = -1", "budget.day_usd does not fit"),
        ("[budget]\nday_usd = nan", "budget.day_usd does not fit"),
        ("[review]\nrounds = 4", "review.rounds does not fit"),
        ('[review]\nauto_accept = ["everything"]', "line 2: review.auto_accept.0 does not fit"),
        ("[metrics.dialogue_ratio]\nmin = 0.6\nmax = 0.5", "line 3: metrics.dialogue_ratio.max"),
        ("targets = 5", "targets is a table and takes no single value"),
        ("[novel.title]\nko = 1", "novel.title takes a single value and is not a table"),
        ("[gate.weights]\nplot = 1", "gate.weights.plot is not a setting"),
    ],
)
def test_a_value_that_does_not_fit_names_file_key_and_reason(
    load: Load, text: str, said: str
) -> None:
    problem = problem_of(load, project=text)
    assert problem.exit_code is Exit.DAMAGED
    assert problem.message.startswith("studio.toml")
    assert said in problem.message


def test_all_weights_at_zero_are_refused(load: Load) -> None:
    lines = "\n".join(f"{name} = 0" for name in DEFAULT_WEIGHTS)
    assert "above 0" in problem_of(load, project=f"[gate.weights]\n{lines}").message


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'[novel]\ntitle = "The Lamp', "is not valid TOML: Illegal character"),
        (b"[novel\n", "line 1, column 7"),
        ("[novel]\ntitle = '등대'".encode("cp949"), "is not UTF-8"),
        (b"x = " + b"[" * 9000, "nested too deeply"),
        (b"x = " + b"9" * 9000, "more digits than can be read"),
    ],
)
def test_a_file_that_is_no_toml_says_where(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "studio.toml").write_bytes(content + b"\n")
    with pytest.raises(StudioError) as caught:
        load_settings(tmp_path, {"HOME": str(tmp_path)})
    assert caught.value.problem.exit_code is Exit.DAMAGED
    assert said in caught.value.problem.message


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    (tmp_path / "studio.toml").write_text('[novel]\ntitle = "灯塔"', "utf-8-sig")
    assert load_settings(tmp_path, {"HOME": str(tmp_path)}).novel.title == "灯塔"


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "studio.toml").mkdir()
    with pytest.raises(StudioError, match=r"Could not read studio\.toml: it is not a file"):
        load_settings(tmp_path, {"HOME": str(tmp_path)})


def test_a_file_that_may_not_be_read_is_told_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fault: C8
    read = Path.read_text

    def denied(path: Path, encoding: str) -> str:
        if path.name == "studio.toml":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return read(path, encoding)

    (tmp_path / "studio.toml").touch()
    monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(StudioError, match="you do not have the right to") as caught:
        load_settings(tmp_path, {"HOME": str(tmp_path)})
    assert caught.value.problem.exit_code == Exit.DAMAGED
    assert "permissions" in caught.value.problem.hint


def test_a_provider_that_does_not_exist_is_named_by_its_variable(load: Load) -> None:
    problem = problem_of(load, env={"STUDIO_PROVIDER": "oracle"})
    assert problem.exit_code is Exit.USAGE
    assert "STUDIO_PROVIDER" in problem.message
    assert "'anthropic', 'embedded' or 'openai'" in problem.message


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8080",
        "http://localhost:x",
        "http://localhost:99999",
        "http://localhost:0",
        "http://localhost:80:80",
        "http://[::1",
        "http://:8080",
        "http://local\x1b[31mhost",
    ],
)
def test_a_base_url_must_be_a_web_address(load: Load, address: str) -> None:
    problem = problem_of(load, env={"ANTHROPIC_BASE_URL": address})
    assert "begins with http:// or https://" in problem.message


def test_empty_variables_count_as_unset(load: Load) -> None:
    settings = load(env={"ANTHROPIC_API_KEY": " ", "STUDIO_PROVIDER": ""})
    assert settings.provider.anthropic.api_key is None
    assert settings.provider.name is None


def test_no_way_of_printing_settings_shows_the_key(load: Load) -> None:  # reliability S11
    url = "https://me:hunter2@proxy.example/v1"
    settings = load(env={"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url})
    values = settings.display_values()
    assert values["provider.anthropic.api_key"] == "sk-...wxyz"
    assert values["provider.anthropic.base_url"] == "https://...@proxy.example/v1"
    for printed in (repr(settings), str(values), settings.model_dump_json()):
        assert "CANARY" not in printed
    assert settings.provider.anthropic.api_key is not None
    assert settings.provider.anthropic.api_key.get_secret_value() == KEY


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("https://me:hunter@2@proxy.example/v1", "https://...@proxy.example/v1"),
        (f"http://localhost:8080/v1?key={KEY}&a=1", "http://localhost:8080/v1?..."),
        ("http://localhost:8080/v1", "http://localhost:8080/v1"),
        ("Is it? Yes", "Is it? Yes"),
    ],
)
def test_what_an_address_hides_is_not_shown(address: str, text: str) -> None:  # reliability S11
    assert without_secrets(address) == text


def test_a_bad_value_beside_the_key_does_not_show_the_key(load: Load) -> None:
    problem = problem_of(load, env={"ANTHROPIC_API_KEY": KEY, "STUDIO_PROVIDER": "x"})
    assert "CANARY" not in f"{problem} {problem.details}"


def test_a_short_secret_shows_nothing() -> None:
    assert mask("sk-12345") == "..."


def test_settings_cannot_be_changed(load: Load) -> None:
    with pytest.raises(ValueError, match="frozen"):
        load().novel.title = "another"


def test_folders_of_the_user_follow_xdg_and_fall_back_to_home() -> None:
    environ = {"XDG_CONFIG_HOME": "/x/config", "XDG_STATE_HOME": "relative", "HOME": "/h"}
    assert user_config_path(environ) == Path("/x/config/studio/config.toml")
    assert state_dir(environ) == Path("/h/.local/state/studio")
