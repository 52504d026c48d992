"""The file that an owner begins with who types in the stories of his own box."""

from __future__ import annotations

from companion.core.messages import LANGUAGES
from companion.games.storytelling.tales import CARDS, COLOURS, MOST_PICTURES, TALES, TILES

_HEAD = f"""\
# A story for Storytelling. Fill in what your box says; lines that begin with # are comments.
# Check it with:   companion story check FILE
# Then put it into the folder that   companion story list   names. A file there goes before a shipped one of its name:
# saint-george.toml, three-little-pigs.toml, cinderella.toml and hare-and-tortoise.toml replace the shipped tales.

# Its title, in one or more of the languages {", ".join(LANGUAGES)}.
name = {{ en = "My story" }}

# Whose printed tags its tiles bear: {", ".join(TALES)}.
tale = "own"

# Sixteen tiles, in the order of their tags (own 1 to own 16). Of each:
#   name     a word by which the cards below name it; The stinky breath needs BREATH, The wolf blew needs BLEW
#   label    what people call it, by language (may be left out)
#   colour   of its frame: {", ".join(COLOURS)}
#   picture  a drawing for the screens (may be left out): shapes with SVG path data in a square of 100 by 100, such as
#            picture = [{{ path = "M10 90 L50 10 L90 90 Z", fill = "#c8403a" }}, {{ path = "M50 40 L50 70", line = 5 }}]
"""
_CARDS_HEAD = f"""
# Thirteen cards. Of each:
#   number    as printed on it
#   pictures  1 to {MOST_PICTURES} tiles, in the order in which they are to be found
#   points    victory points
#   text      what the Storyteller reads, by language
"""


def _template() -> str:
    tiles = (
        f'\n[[tiles]]\nname = "TILE-{i}"\nlabel = {{ en = "tile {i}" }}\ncolour = "{COLOURS[(i - 1) % 4]}"\n'
        for i in range(1, TILES + 1)
    )
    cards = (
        f'\n[[cards]]\nnumber = {i}\npictures = ["TILE-{i}", "TILE-{i + 1}"]\npoints = 2\n'
        'text = { en = "Once upon a time ..." }\n'
        for i in range(1, CARDS + 1)
    )
    return _HEAD + "".join(tiles) + _CARDS_HEAD + "".join(cards)


TEMPLATE = _template()
"""A whole file that passes the check, with a comment for each key."""
