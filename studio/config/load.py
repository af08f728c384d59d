"""Loads the settings from their layers and records which layer set each value.

Precedence, lowest first: defaults, results of `studio doctor --probe`, user config, the novel's
studio.toml, environment, command line; of two spending caps the lower one applies. A novel may come
from anybody, so its file never sets a URL, a key, a command, an editor or a provider: those are
ignored with a warning (reliability S6).
"""

from __future__ import annotations

import codecs
import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import ValidationError

from studio.config.catalog import (
    OLD_KEYS,
    Home,
    Setting,
    a_novel_may_set,
    old_path,
    with_value,
)
from studio.config.endpoints import PROBES_FILE, keep_probe, keep_window, may_carry_a_key, probes
from studio.config.masking import remember_keys
from studio.config.paths import state_dir, user_config_path
from studio.config.schema import (
    LENGTHS,
    EndpointProfile,
    Settings,
    SettingSource,
    SettingsTable,
    leaves,
)
from studio.config.state_files import drop_from_state, keep_in_state
from studio.config.toml_text import parse_toml
from studio.errors import Exit, Problem, StudioError, usage
from studio.fsio import ChangedOnDisk, make_root, sha256_hex
from studio.fsio.messages import disk_error
from studio.messages import Said, said, series

__all__ = [
    "PROJECT_FILE",
    "Settings",
    "change_setting",
    "drop_from_state",
    "keep_in_state",
    "keep_probe",
    "keep_window",
    "load_settings",
    "probes",
    "state_dir",
    "user_config_path",
]

PROJECT_FILE = "studio.toml"
_DANGEROUS = re.compile(r"url|key|command|editor|shell|provider|endpoint|proxy|token|secret|passw")
Keys = tuple[str, ...]

_VARIABLES: dict[Keys, str] = {
    ("provider", "name"): "STUDIO_PROVIDER",
    ("provider", "anthropic", "api_key"): "ANTHROPIC_API_KEY",
    ("provider", "anthropic", "base_url"): "ANTHROPIC_BASE_URL",
}
_KEYS_OF_A_SERVER = ("api_key", "api_key_command")


def load_settings(
    project_root: Path | None,
    environ: Mapping[str, str],
    overrides: Mapping[str, object] | None = None,
    instead: Mapping[Home, str] | None = None,
) -> Settings:
    """Returns the settings in force for a novel, or outside of any novel if `project_root` is None.

    `overrides` are the command line options by dotted key; None means the option was not given.
    `instead` gives text to use in place of a file's content. Raises StudioError (exit 5 for the
    novel's file, 2 otherwise) if a file is not TOML, a key is unknown or a value does not fit.
    """
    texts = instead or {}
    layers = [_probe_layer(environ), _user_layer(environ, texts.get("user config"))]
    warnings: tuple[str, ...] = ()
    if project_root is not None:
        project = _project_layer(project_root, texts.get("studio.toml"))
        warnings = tuple(_drop_machine_keys(project.data, Settings))
        layers.append(project)
    layers += [_environment_layer(environ), _command_layer(overrides or {})]
    for layer in layers:
        _use_present_names(layer)
        _refuse_unknown(layer)
    withheld = _withhold_keys(layers)
    settings, sources = _validate([_language_defaults(layers), *layers])
    by_key = {".".join(path): source for path, source in sources.items()}
    return settings.with_origin(warnings, by_key, _own(layers), withheld)


def _validate(layers: list[_Layer]) -> tuple[Settings, dict[Keys, SettingSource]]:
    """Merges and validates the layers; returns the settings and the source of each value."""
    values, sources = _merge(layers)
    try:
        return Settings.model_validate(_nest(values)), sources
    except ValidationError as error:
        raise _misfit(error, layers, sources) from error


def _own(layers: list[_Layer]) -> Settings | None:
    """Returns the settings without the novel's layer, or None if there is no such layer."""
    other_layers = [layer for layer in layers if layer.source != "studio.toml"]
    return None if len(other_layers) == len(layers) else _validate(other_layers)[0]


def change_setting(
    setting: Setting,
    value: Any,
    home: Home,
    novel: Path | None,
    environ: Mapping[str, str],
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """Writes one value to one file and returns the settings then in force.

    None removes the value, so that the lower layers apply again. Comments, order and line endings
    are preserved. Raises StudioError (exit 2), with nothing written, if the file may not hold the
    setting, the value does not fit or the file was changed concurrently.
    """
    if home not in setting.homes or (home == "studio.toml" and novel is None):
        raise usage(said("{key} cannot be set in {home}.", key=setting.key, home=home))
    if home == "user config":
        path = user_config_path(environ).resolve()  # a writer may use a symlink for her own
    else:
        path = (novel or Path()) / PROJECT_FILE
    old = _bytes_of(path, Exit.USAGE if home == "user config" else Exit.DAMAGED)
    mark, text = _without_mark(old or b"")
    fresh = with_value(text, setting, value)
    try:
        load_settings(novel, environ, overrides, {home: fresh})
    except StudioError as error:
        if error.problem.kind == "disk":
            raise
        message = said(
            "{key} was not changed, as it would not fit: {message}",
            key=setting.key,
            message=error.problem.message,
        )
        raise usage(message) from error
    if fresh == text:
        return load_settings(novel, environ, overrides)
    expected = None if old is None else sha256_hex(old)
    try:
        make_root(path.parent).write(
            path.name, mark + fresh.encode(), expected=expected, private=setting.secret
        )
    except ChangedOnDisk as error:
        raise usage(
            said("{path} was changed meanwhile.", path=path), said("Look at it and try again.")
        ) from error
    return load_settings(novel, environ, overrides)


def _bytes_of(path: Path, exit_code: Exit) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(error, str(path), exit_code) from error


def _unreadable(error: OSError, name: str, exit_code: Exit) -> StudioError:
    return StudioError(disk_error(error, name, "read").problem._replace(exit_code=exit_code))


def _without_mark(data: bytes) -> tuple[bytes, str]:
    """Splits off a byte order mark, if there is one, and returns it with the text after it."""
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        return mark, data[len(mark) :].decode()
    except UnicodeDecodeError as error:
        raise usage(
            said("The file of settings is not UTF-8: {reason}.", reason=error.reason)
        ) from error


@dataclass(frozen=True, slots=True)
class _Layer:
    source: SettingSource
    name: str
    """The name under which the writer knows the file."""
    data: dict[str, Any]
    text: str = ""
    exit_code: Exit = Exit.USAGE
    moved: Mapping[Keys, Keys] = field(default_factory=dict)
    """The path in the file of each value that stands elsewhere in `data`."""

    def problem(
        self, path: Keys, sentence: Said, hint: str = "", details: str = "", **values: str
    ) -> StudioError:
        """Returns a Problem that names file, line and key; the location replaces `{key}` in the
        sentence."""
        path = self.moved.get(path, path)
        line = _line_of(self.text, path)
        place = said("{place}, line {n}", place=self.name, n=line) if line else self.name
        about = sentence.with_values(key=".".join(path), **values)
        return _problem(
            said("{place}: {sentence}", place=place, sentence=about), self.exit_code, hint, details
        )


def _problem(message: str, exit_code: Exit, hint: str, details: str = "") -> StudioError:
    kind = "damaged" if exit_code is Exit.DAMAGED else "usage"
    return StudioError(Problem(message, hint, details, exit_code, kind))


def _probe_layer(environ: Mapping[str, str]) -> _Layer:
    fields = EndpointProfile.model_fields
    facts = {
        url: {name: value for name, value in probe["facts"].items() if name in fields}
        for url, probe in probes(environ).items()
        if isinstance(probe["facts"], dict)
    }
    name = str(state_dir(environ) / PROBES_FILE)
    return _Layer("probe", name, {"provider": {"endpoints": facts}} if facts else {})


def _user_layer(environ: Mapping[str, str], instead: str | None) -> _Layer:
    path = user_config_path(environ)
    text, data = _read_toml(path, str(path), Exit.USAGE, instead)
    remember_keys(data)
    return _Layer("user config", str(path), data, text, moved=_assign_to_providers(data))


def _assign_to_providers(data: dict[str, Any]) -> dict[Keys, Keys]:
    """Moves what older files hold in `[provider]` itself into the table of its provider; returns
    the old path of each value by its new one. A value in the provider's own table wins."""
    table = _table(data, "provider")
    moved: dict[Keys, Keys] = {}
    for path in OLD_KEYS:
        old = old_path(data, path)
        if old is None or old[-1] not in table:
            continue
        value = table.pop(old[-1])
        own = table.setdefault(path[1], {})
        if isinstance(own, dict) and path[-1] not in own:
            own[path[-1]] = value
            moved[path] = old
    return moved


def _project_layer(root: Path, instead: str | None) -> _Layer:
    text, data = _read_toml(root / PROJECT_FILE, PROJECT_FILE, Exit.DAMAGED, instead)
    remember_keys(data)
    return _Layer("studio.toml", PROJECT_FILE, data, text, Exit.DAMAGED)


def _read_toml(
    path: Path, name: str, exit_code: Exit, instead: str | None
) -> tuple[str, dict[str, Any]]:
    """Returns the text and the tables of a file; both are empty if there is no such file."""
    try:
        if instead is not None:
            return instead, parse_toml(instead)
        if path.exists() and not path.is_file():
            raise OSError(0, said("it is not a file"))
        text = path.read_text("utf-8-sig")
        return text, parse_toml(text)
    except FileNotFoundError:
        return "", {}
    except tomllib.TOMLDecodeError as error:
        sentence = said("{name} is not valid TOML: {error}.", name=name, error=error)
    except UnicodeDecodeError as error:
        sentence = said("{name} is not UTF-8: byte {n} does not fit.", name=name, n=error.start + 1)
    except RecursionError:
        sentence = said("{name} is nested too deeply to be read.", name=name)
    except ValueError:  # endless digits: TOML's reader leaves the limit to Python
        sentence = said("{name} holds a number with more digits than can be read.", name=name)
    except OSError as error:
        raise _unreadable(error, name, exit_code) from error
    hint = said("Mend the file and try again; nothing was changed.")
    raise _problem(sentence, exit_code, hint)


def _environment_layer(environ: Mapping[str, str]) -> _Layer:
    values = {path: environ.get(variable, "").strip() for path, variable in _VARIABLES.items()}
    values = {path: value for path, value in values.items() if value}
    names = ", ".join(_VARIABLES[path] for path in values)
    return _Layer("environment", said("The environment ({names})", names=names), _nest(values))


def _withhold_keys(layers: list[_Layer]) -> dict[str, SettingSource]:
    """Removes every key that was set in another layer than the address of its server, unless the
    server is the vendor's or on this machine: a key belongs to the server it was set for.

    Returns the layer of each provider's removed key.
    """
    withheld: dict[str, SettingSource] = {}
    for provider in ("anthropic", "openai"):
        tables = [(layer, _table(layer.data, "provider", provider)) for layer in layers]
        addressing = [(layer, table) for layer, table in tables if "base_url" in table]
        if not addressing or _carries_any_key(addressing[-1][1]["base_url"]):
            continue
        for layer, table in tables:
            if layer is not addressing[-1][0]:
                for key in _KEYS_OF_A_SERVER:
                    if table.pop(key, None) is not None:
                        withheld[provider] = layer.source
    return withheld


def _carries_any_key(address: object) -> bool:
    try:
        return isinstance(address, str) and may_carry_a_key(address)
    except ValueError:  # no address at all, which the validation says
        return False


def _table(data: dict[str, Any], *path: str) -> dict[str, Any]:
    """Returns an inner table; an empty one where there is none."""
    table: Any = data
    for key in path:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}


def _command_layer(overrides: Mapping[str, object]) -> _Layer:
    typed = {tuple(key.split(".")): value for key, value in overrides.items() if value is not None}
    return _Layer("command line", said("The command line"), _nest(typed))


def _language_defaults(layers: list[_Layer]) -> _Layer:
    language, form = "en", "literary"
    for layer in layers:
        novel = layer.data.get("novel", {})
        language, form = novel.get("language", language), novel.get("form", form)
    lengths = LENGTHS["serial" if form == "serial" else "literary"].get(str(language), {})
    return _Layer("default", said("The defaults"), {"targets": lengths})


def _drop_machine_keys(data: dict[str, Any], shape: Any, above: Keys = ()) -> Iterator[str]:
    """Removes from a novel's settings what is not on the list of those it may set; yields a
    sentence for each. An unknown key remains, to be refused by name, unless it sounds like one that
    would do harm in another version of the studio."""
    for key in list(data):
        path = (*above, key)
        inner = _inside(shape, key)
        # In tables with arbitrary names, such as [metrics], every entry is itself a table: a plain
        # value is unknown.
        unknown = inner is None or (get_origin(shape) is dict and not isinstance(data[key], dict))
        if _DANGEROUS.search(key.lower()) if unknown else not a_novel_may_set(path):
            table = data.pop(key)
            inside = f" ({', '.join(table)})" if isinstance(table, dict) and table else ""
            tables = "".join(f"{one}." for one in above)
            yield (
                said(
                    "{PROJECT_FILE} tries to set {above}{key}{inside}; a novel cannot set "
                    "that, so it is ignored. It belongs in your own config.toml.",
                    PROJECT_FILE=PROJECT_FILE,
                    above=tables,
                    key=key,
                    inside=inside,
                )
            )
        elif _is_table(inner) and isinstance(data[key], dict):
            yield from _drop_machine_keys(data[key], inner, path)


def _use_present_names(layer: _Layer) -> None:
    """Gives settings that had another name their present one."""
    generation = layer.data.get("generation")
    if isinstance(generation, dict) and "decompose" in generation:
        old = generation.pop("decompose")
        generation.setdefault("scenes", "plan" if old == "contract" else old)


def _refuse_unknown(layer: _Layer) -> None:
    for path, sentence, hint in _strays(layer.data, Settings):
        raise layer.problem(path, sentence, hint)


def _strays(data: dict[str, Any], shape: Any, above: Keys = ()) -> Iterator[tuple[Keys, Said, str]]:
    """Yields path, sentence and hint for each key that `shape` lacks or declares differently."""
    for key, value in data.items():
        path = (*above, key)
        inner = _inside(shape, key)
        if inner is None:
            yield path, said("{key} is not a setting."), _nearest(key, list(shape.model_fields))
        elif _is_table(inner) and isinstance(value, dict):
            yield from _strays(value, inner, path)
        elif _is_table(inner):
            hint = said("Begin it with [{names}].", names=".".join(path))
            yield path, said("{key} is a table and takes no single value."), hint
        elif isinstance(value, dict):
            yield path, said("{key} takes a single value and is not a table."), ""


def _inside(shape: Any, key: str) -> Any:
    """Returns the type of a table's key, or None if the table has no such key."""
    if get_origin(shape) is dict:
        return get_args(shape)[1]
    field = shape.model_fields.get(key)
    return field.annotation if field else None


def _is_table(shape: Any) -> bool:
    return get_origin(shape) is dict or (
        isinstance(shape, type) and issubclass(shape, SettingsTable)
    )


def _nearest(key: str, names: list[str]) -> str:
    near = difflib.get_close_matches(key, names, n=1)
    return (
        said('Did you mean "{near}"?', near=near[0])
        if near
        else said("Known here: {ids}.", ids=series(sorted(names)))
    )


def _merge(layers: list[_Layer]) -> tuple[dict[Keys, Any], dict[Keys, SettingSource]]:
    """Merges the layers value by value; the last layer wins, but a novel never raises a spending
    cap."""
    values: dict[Keys, Any] = {}
    sources: dict[Keys, SettingSource] = {}
    for layer in layers:
        for path, value in leaves(layer.data):
            if layer.source == "studio.toml" and _raises_a_cap(path, value, values.get(path)):
                continue
            values[path] = value
            sources[path] = layer.source
    return values, sources


def _raises_a_cap(path: Keys, value: Any, own: Any) -> bool:
    """Whether a novel allows more money than the writer does; a non-number is not judged here."""
    numbers = isinstance(value, int | float) and isinstance(own, int | float)
    return path[0] == "budget" and numbers and value > own


def _nest(values: Mapping[Keys, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for path, value in values.items():
        node = tree
        for key in path[:-1]:
            node = node.setdefault(key, {})
        node[path[-1]] = value
    return tree


def _misfit(
    error: ValidationError, layers: list[_Layer], sources: Mapping[Keys, SettingSource]
) -> StudioError:
    """Returns an error about the first invalid value, naming its file; the details list all of
    them."""
    faults = [
        (tuple(str(part) for part in fault["loc"]), fault["msg"].removeprefix("Value error, "))
        for fault in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    path, reason = faults[0]
    setter = max((keys for keys in sources if _along(keys, path)), key=len)
    layer = next(layer for layer in layers if layer.source == sources[setter])
    details = "\n".join(f"{'.'.join(path)}: {reason}" for path, reason in faults)
    return layer.problem(
        path,
        said("{key} does not fit: {reason}."),
        said("Mend it there and try again."),
        details,
        reason=reason,
    )


def _along(one: Keys, other: Keys) -> bool:
    """Whether one of two key paths is a prefix of the other."""
    return all(first == second for first, second in zip(one, other, strict=False))


def _line_of(text: str, path: Keys) -> int | None:
    """Returns the line that sets `path` if it is spelled in the plain way, otherwise the line of
    its table."""
    table: Keys = ()
    table_line = None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[+([^\]]+)\]", line):
            table = tuple(part.strip(" \"'") for part in header[1].split("."))
            table_line = number if table == path[: len(table)] else table_line
        elif (key := re.match(r"\s*[\"']?([\w-]+)[\"']?\s*[=.]", line)) and (
            (*table, key[1]) == path[: len(table) + 1]
        ):
            return number
    return table_line
