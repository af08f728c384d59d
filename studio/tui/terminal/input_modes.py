"""What a key means as a command while the keyboard is in another input mode.

A command is a place on the keyboard, so a Hangul syllable stands for the letters under which its
jamo lie (두벌식), and a full-width or Chinese sign for the one it replaces. In a text field all of
them are text.
"""

from __future__ import annotations

from unicodedata import normalize

from textual.events import Key

from studio.tui.textual_private import name_of_key

_INITIALS = "r R s e E f a q Q t T d w W c z x v g"
"""The letters of the initial consonants, U+1100 to U+1112; a capital is typed with Shift."""
_VOWELS = "k o i O j p u P h hk ho hl y n nj np nl b m ml l"
"""Those of the vowels, U+1161 to U+1175."""
_FINALS = "r R rt s sw sg e f fr fa fq ft fx fv fg a q qt t T d w c z x v g"
"""Those of the final consonants, U+11A8 to U+11C2."""
_LETTERS = {
    chr(first + number): letters
    for first, row in ((0x1100, _INITIALS), (0x1161, _VOWELS), (0x11A8, _FINALS))
    for number, letters in enumerate(row.split())
}
_FURTHER = frozenset("ACRX")
"""The capitals that do to all, or for good, what the small letter does to one. Shift with a jamo
is easily held too long, and most jamo have no other form with it, so a jamo is the small letter;
the capital has a second key (`Action.keys`)."""
_SIGNS = str.maketrans(
    "【】「」『』〔〕《》〈〉、。“”‘’·",
    "[][][][]<><>/.\"\"''`",
)
"""The signs of Chinese and Japanese input by the key that types them; full-width forms of ASCII
are found by their number."""
_WIDE = range(0xFF01, 0xFF5F)
_FROM_WIDE = 0xFEE0
_WIDE_SPACE = "\u3000"


_BY_WORDS = {"alt+b": "ctrl+left", "alt+f": "ctrl+right"}
"""What Alt with a letter means in a text: many terminals send it for Alt with an arrow."""


def is_hangul(character: str) -> bool:
    """Whether a character is a Hangul syllable or jamo of any kind."""
    return any(c in _LETTERS for c in normalize("NFKD", character[:1]))


def at_their_place(characters: str) -> str:
    """Returns the ASCII characters of the same keys: `ㅈ` is `w`, `아` is `dk`, `：` is `:`.

    Characters that no key of another input mode stands for are returned as they are.
    """
    return "".join(map(_at_its_place, characters))


def _at_its_place(character: str) -> str:
    if character.isascii():
        return character
    if character == _WIDE_SPACE:
        return " "
    if ord(character) in _WIDE:
        return chr(ord(character) - _FROM_WIDE)
    jamo = normalize("NFKD", character)
    if all(one in _LETTERS for one in jamo):
        return "".join(_milder(letter) for one in jamo for letter in _LETTERS[one])
    return character.translate(_SIGNS)


def _milder(letter: str) -> str:
    return letter.lower() if letter in _FURTHER else letter


def in_a_text(key: Key) -> Key:
    """Returns the key that a typed one means where text is typed, with its time."""
    if key.key not in _BY_WORDS:
        return key
    meant = Key(_BY_WORDS[key.key], None)
    meant.time = key.time
    return meant


def as_commands(key: Key) -> list[Key]:
    """Returns the keys that a typed one means where no text is typed, in order, with its time.

    `ctrl` and `alt` stay: a terminal that reports all keys sends Ctrl with a jamo.
    """
    *modifiers, last = key.key.split("+")
    character = key.character if key.character and not modifiers else last
    plain = at_their_place(character)
    if plain == character:
        return [key]
    keys = []
    for letter in plain:
        name = "+".join([*modifiers, name_of_key(letter)])
        command = Key(name, None if modifiers else letter)
        command.time = key.time
        keys.append(command)
    return keys
