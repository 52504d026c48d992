"""The file that an owner begins with who types in the Action cards of his own box."""

from __future__ import annotations

from companion.core.messages import LANGUAGES
from companion.games.three_kings.by_hand import ZONES
from companion.games.three_kings.cards import FACTIONS
from companion.games.three_kings.checking import (
    CROWN_GOALS,
    GOALS,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_RANK,
    MOST_STEPS,
)
from companion.games.three_kings.deck import ACTION_CARDS
from companion.games.three_kings.vocabulary import WHO

_HEAD = f"""\
# The Action cards of a box of 3 Kings. Fill in what your cards say; lines that begin with # are comments.
# Check it with:   companion deck check FILE
# Then put it into the folder that   companion deck list   names. It then goes before the shipped deck; called
# three-kings.toml it replaces it.

# What the deck is called, in one or more of the languages {", ".join(LANGUAGES)}.
name = {{ en = "My Action cards" }}

# {ACTION_CARDS} cards, in the order of their tags (action-01 to action-{ACTION_CARDS}). Of each:
#   id      by which the program names it: small letters, figures and - between them
#   rank    as printed on it, 1 to {MOST_RANK}: cards drawn together are performed from the lowest to the highest
#   mark    "X" goes back into the box, "C" is kept among the Past Actions
#   name    what it is called, by language; at most {LONGEST_NAME} letters
#   text    what it says, by language; at most {LONGEST_TEXT} letters
#   effect  1 to {MOST_STEPS} steps, in order. If none of the first verbs fits, use by-hand: the device reads the card
#           out, you do what it says, and what it names is taken as it then is.
#
# The steps:
#   {{ do = "move", from = PILE, to = PILE, n = 2 }}   2 cards go, as far as they go; up_to = 2: as many as the player
#           likes. PILE is one of {", ".join(GOALS)};
#           target is the hand of another player, who is chosen; others are the hands of all others
#   {{ do = "exchange", n = 2 }}   the player and another give each other 2 cards; without n both whole hands
#   {{ do = "protect" }}   until the Turn ends nobody can make the player a target, as Bodyguards do
#   {{ do = "close" }}   a Throne, which is chosen, is deactivated until the Turn ends, as by Kidnapping
#   {{ do = "lead", who = WHO }}   takes the First Player card; WHO is {" or ".join(WHO)}
#   {{ do = "recall", who = WHO }}   takes the Counselor back from his Throne
#   {{ do = "trade" }}   the Characters of two Thrones, which are chosen, change places
#   {{ do = "crown", to = PILE }}   a Character of the hand takes a Throne; the old one goes to one of
#           {", ".join(CROWN_GOALS)}
#   {{ do = "score", faction = FACTION, n = 1 }}   points, also fewer (-1); FACTION is one of
#           {", ".join(FACTIONS)}
#   {{ do = "by-hand", zones = [ZONE, ZONE] }}   what may be otherwise afterwards, one or more of
#           {", ".join(ZONES[:6])},
#           {", ".join(ZONES[6:])}
# Any step but the first may have   if_done = true   and is then only done if the step before moved or did something.
"""


def _template() -> str:
    cards = (
        f'\n[[cards]]\nid = "card-{i}"\nrank = {1 + (i - 1) // 6}\nmark = "C"\nname = {{ en = "Card {i}" }}\n'
        f'text = {{ en = "Draw 1 card from the Character deck." }}\n'
        'effect = [{ do = "move", from = "deck", to = "hand", n = 1 }]\n'
        for i in range(1, ACTION_CARDS + 1)
    )
    return _HEAD + "".join(cards)


TEMPLATE = _template()
"""A whole file that passes the check, with a comment for each key."""
