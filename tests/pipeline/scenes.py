"""What the tests' model writes: the paragraphs of each scene, by its number."""

from __future__ import annotations

SCENES = {
    1: (
        "Mara lifted the oil cans one after another and set them on the sill.",
        "Under the last of them the boards were pale, as if something had lain there for years,"
        " and the paleness had the shape of a key with a broken ward.",
        "“You are up early,” said the wind through the vent, or so her father would have told it."
        " She put her palm flat upon the mark and kept it there until the cold came through.",
        "Far out a bell rang where no buoy had been laid, and the gulls went up off the rocks all"
        " at once like a tablecloth shaken out of a door.",
    ),
    2: (
        "Joss came up the stairs with his boots in his hand.",
        "“Nobody sleeps in this house,” he said, and sat down on the top step to lace them, with"
        " his back to her and to the lamp and to the whole of the grey water.",
        "She closed her hand upon nothing. The stove ticked as it cooled, and between the ticks"
        " she could hear him breathe and count, and lose count, and begin again from one.",
        "When he had gone the step was wet where he had sat, though the night had been dry and"
        " the tide was four hours down by the ladder on the quay.",
    ),
    3: (
        "The kettle had boiled dry by six, and its bottom was the blue of a mussel shell.",
        "Nobody mended kettles on this side of the sound any more. Mara hung it on the nail where"
        " the good one had hung, turned the burnt side to the wall, and drank cold water out of"
        " the ladle while the window went from slate to pewter.",
        "“Give me the ladder,” Joss called from below, and she heard him drag it over the cobbles"
        " without waiting for an answer, first the one foot of it and then the other.",
        "A gull walked along the sill and looked in. On its leg was a ring with four figures, and"
        " two of them were the year their mother had left for the mainland.",
    ),
    4: (
        "By noon the fog stood against the rocks like a second tower.",
        "Three times the horn sounded, and three times a ship that neither of them could see gave"
        " it back a semitone lower. Then the compressor coughed, and there was only dripping.",
        "“You count, I pull,” said Joss. His hands were black to the wrist. Between the pulls he"
        " told her about the harbour dance, who had been there, who had asked after her, and"
        " what lie he had found on the spur of the moment.",
        "Mara reached eleven. At twelve the wheel caught, shook dust out of the rafters, and ran.",
    ),
    5: (
        "The letter lay between the tide tables for March and the ones for April.",
        "It had been opened along the short side with something blunt. Whoever read it had folded"
        " it again the wrong way about, so that her name, which belonged inside, now faced out.",
        "Down on the landing the mail boat was being made fast, badly, by somebody new. She could"
        " tell it from the knocking; the old hand would have hung a tyre between.",
        "“Two parcels and a crate of lemons,” a stranger shouted up to the gallery. “Which of you"
        " two signs?” Neither of them answered, and the lemons went on rolling in their crate.",
    ),
    6: (
        "In the evening they ate standing, each with a back to one of the doors.",
        "Joss peeled a lemon in a single ribbon and laid it round the lamp's foot. It curled there"
        " in the warmth. He had not asked about the crate, the stranger or the signature.",
        "“Tomorrow I row over,” Mara said at last. “If the wind backs I stay till Thursday. There"
        " is bread under the cloth, and the second bolt sticks; lift while you push.”",
        "He nodded towards the water. Over there a window was lit that had been dark since autumn,"
        " and while they looked, somebody drew the curtain.",
    ),
}

FELT = (
    "Mara felt the cold. She saw the lamp and heard the gulls and noticed the boards. She felt"
    " that Joss knew. She thought she saw a key, and she felt it was lost, and watched the door."
)
"""A paragraph that is full of filter words."""
