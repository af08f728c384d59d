"""Advice that the lower layers give for the command line, rewritten with the app's keys.

Those layers name commands because they know no other interface. Only this module knows which key
does the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from studio.i18n import N_, _, translate
from studio.particles import form_that_fits
from studio.tui.actions import BY_ID
from studio.tui.views.key_names import first_key
from studio.tui.views.words import Line

_COMMAND = re.compile(
    r"(\b[Rr]un |运行 ?|用 )?`studio ([^`]*)`(?! in a terminal)"
    r"(?: 명령(을 실행하세요|으로|을|이나|이|은|에))?"
)
"""A command, with the words around it that introduce one; translate sentences match too."""
_WITHIN_CHINESE = re.compile(r"(?<=[\u4e00-\u9fff）”]) (?=[\u4e00-\u9fff“])")
"""The blanks that stood around a command, where Chinese stands in its place."""
_WITH = "用 "
_DONE_BY: tuple[tuple[str, str], ...] = (
    (r"write\b.* --again", "{desk.again}"),
    (r"write\b.* --draft", "{desk.edit}"),
    (r"write|resume", "{desk.write}"),
    (r"decide commit", "{desk.commit}"),
    (r"decide", "{desk.decide}"),
    (r"(directives|proposals) list", N_("the list of directives ({desk.directives})")),
    (r"(directives|proposals) undo", "{directives.undo}"),
    (r"proposals reject", "{directives.reject}"),
    (r"directives", N_("{directives.accept}, {directives.reject} or {directives.edit}")),
    (r"history put-back", "{desk.put_back}"),
    (r"history(?! (backups|restore-backup))", "{desk.history}"),
    (r"rebuild --let-stand", "{desk.let_stand}"),
    (r"rebuild", "{desk.rebuild}"),
    (r"plan propose", "{desk.propose_plan}"),
    (r"plan add .*--happens", "{desk.plan}"),
    (r"plan add", N_("{outline.add} in the outline")),
    (r"plan remove", N_("{outline.remove} in the outline")),
    (r"plan undo", N_("{outline.undo} in the outline")),
    (r"plan", N_("the outline")),
    (r"(find|replace)", "{desk.find}"),
    (r"export", "{desk.export}"),
    (r"import", N_("{launcher.import} in the launcher")),
    (r"new", N_("{launcher.new} in the launcher")),
    (r"(log|usage)", "{desk.log}"),
    (r"check", "{desk.evaluation}"),
    (r"(doctor|config)(?! --probe)", "{app.settings}"),
    (r"keep", "{text.keep}"),
    (r"rewrite", "{text.another}"),
    (r"variations", N_("the tab Variations")),
    (r"(lines|context)", "{desk.lines}"),
    (r"start --step", "{desk.left_out}"),
    (r"start", "{desk.begin}"),
    (r"volume plan(?! --from)", "{desk.volume_plan}"),
    (r"volume review", "{desk.volume_review}"),
    (r"volume show", "{desk.volume}"),
    (r"bible suggest --model", N_("{memory.read} in the bible ({desk.bible})")),
    (r"bible (list|show|mentions)", "{desk.bible}"),
    (r"promises suggest --model", N_("{memory.read} among the promises ({desk.promises})")),
    (r"promises settle", N_("{memory.settle} among the promises ({desk.promises})")),
    (r"promises(?! add)", "{desk.promises}"),
    (r"continuity", "{desk.continuity}"),
    (r"published list", "{desk.published_changes}"),
    (r"status", N_("the desk")),
)
"""Patterns of what follows `studio`, each with the equivalent in the app; the first match wins."""
_OPTIONS: tuple[tuple[str, str], ...] = (
    (N_("pass --provider embedded"), N_("choose the provider embedded ({app.settings})")),
    (N_("with --draft FILE"), N_("in the editor ({desk.edit})")),
    (N_("with --draft"), N_("with {desk.edit}")),
    (
        N_("name a GGUF file with --model FILE.gguf"),
        N_("name a GGUF file as model_file ({app.settings})"),
    ),
    (N_("Name one with --model FILE.gguf"), N_("Name one as model_file ({app.settings})")),
    (N_("Check the name after --model"), N_("Check model_file ({app.settings})")),
    (N_("name its encoding with --encoding"), N_("choose its encoding ({import.encoding})")),
    (N_("with --encoding"), N_("with {import.encoding}")),
    (N_("`studio doctor` looks"), N_("`studio doctor` in a terminal looks")),
    (N_("Leave --encoding out"), N_("Choose none ({import.encoding})")),
)
_KEY = re.compile(r"\{([a-z_.]+)\}")


def in_keys(words: str, keymap: Mapping[str, str]) -> str:
    """Returns `words` with the keys in force for every command and option they name; a message in
    the writer's language.

    What has no key stays, marked as a terminal command.
    """
    words = translate(words)

    def named(match: re.Match[str]) -> str:
        return _named(match[1])

    def _named(action_id: str) -> str:
        action = BY_ID[action_id]
        if key := first_key(action, keymap):
            return key
        return _("“{title}” ({key})", title=_(action.title), key=_named("app.palette"))

    def instead(match: re.Match[str]) -> str:
        for pattern, keys in _DONE_BY:
            if re.match(rf"(?:{pattern})\b", match[2]):
                return _in_place_of(match, _KEY.sub(named, _(keys)))
        return _in_a_terminal(match)

    for option, steps in _OPTIONS:
        for phrase in (option, _(option)):
            words = words.replace(phrase, _KEY.sub(named, _(steps)))
    return _WITHIN_CHINESE.sub("", _COMMAND.sub(instead, words))


def _in_place_of(match: re.Match[str], keys: str) -> str:
    """Returns keys in place of a command and the words that introduce it."""
    run, particle = match[1], match[3]
    if run == _WITH:
        return run + keys
    if run:
        return _("Press {key}", key=keys) if run == "Run " else _("press {key}", key=keys)
    if particle:
        return _in_korean(keys, particle)
    return _capital(keys) if _opens(match.string, match.start()) else keys


def _in_a_terminal(match: re.Match[str]) -> str:
    """Returns a command that has no key; in Chinese, its verb moves behind the place."""
    if match[1] == _WITH:
        command = match[0].removeprefix(_WITH)
        return _("with {command} in a terminal", command=command)
    return _("{command} in a terminal", command=match[0])


def _in_korean(keys: str, particle: str) -> str:
    """Returns keys in place of a command: a key is named so, a palette entry remains a command,
    and a place on the screen takes the particle that fits its last syllable."""
    if keys.startswith("“"):
        return f"{keys} 명령{particle}"
    is_key = keys[-1].isascii() and keys[-1] != ")"
    thing = f"{keys} 키" if is_key else keys
    end = thing.partition(" (")[0]
    if " " in particle:
        return f"{thing}{form_that_fits('을', end)} {'누르세요' if is_key else '보세요'}"
    return thing + form_that_fits(particle, end)


def said_in_keys(line: Line, keymap: Mapping[str, str]) -> Line:
    """Returns a line with its commands replaced as by `in_keys`."""
    return tuple(piece._replace(text=in_keys(piece.text, keymap)) for piece in line)


def _opens(words: str, at: int) -> bool:
    """Whether a sentence begins at this offset."""
    return not words[:at].strip() or words[:at].rstrip()[-1] in ".!?:"


def _capital(words: str) -> str:
    """Capitalizes words at the beginning of a sentence; a key stays as on the keyboard."""
    return words[0].upper() + words[1:] if words.startswith("the ") else words
