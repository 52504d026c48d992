"""The moves of 3 Kings, as they stand in journals and in the referee protocol.

What nobody was shown is in no move: a hand is a number, a card that lies face down has no name. Cards are named with
their copy letter (`noble-1a`) where it was read, or without. Thrones are counted from 1, players are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class Recruit(msgspec.Struct, frozen=True, tag="recruit", tag_field="do", omit_defaults=True):
    """A player brings his hand to six: draws, or discards what he has too many. With six he is passed over."""

    by: str = ""


class Fallen(msgspec.Struct, frozen=True, tag="fallen", tag_field="do"):
    """Count of the Fallen: all cards of the Infirmary were revealed; none if it was empty."""

    cards: tuple[str, ...]


class Plan(msgspec.Struct, frozen=True, tag="plan", tag_field="do", omit_defaults=True):
    """A player has laid his cards face down: which of his three spaces hold one."""

    spaces: tuple[bool, bool, bool]
    by: str = ""


class Reveal(msgspec.Struct, frozen=True, tag="reveal", tag_field="do"):
    """One Round's spaces are turned up: by player the card, null where none lay. Once a Round, even if none do."""

    cards: Mapping[str, str | None]


class Swap(msgspec.Struct, frozen=True):
    """A Noble puts a card of the hand onto a Throne; the one that sat there comes into the hand."""

    throne: int
    card: str


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was chosen for one step of an Action card; which fields are needed is told by the step.

    Attributes:
        count: how many cards.
        target: the player whom it concerns.
        throne: the Throne whom it concerns.
        other: a second Throne.
        card: a card that was shown.
        table: of an effect by hand, how the named facts stand now.
    """

    count: int | None = None
    target: str = ""
    throne: int = 0
    other: int = 0
    card: str = ""
    table: Mapping[str, Any] | None = None


class Drawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """An Action card that was drawn. Left alone it waits for an `action`; with `perform` it is dealt with at once.

    Attributes:
        card: its id in the deck file.
        perform: performed, or only shown and put away; null waits.
        steps: choices for the card's steps, in their order.
    """

    card: str
    perform: bool | None = None
    steps: tuple[Choice, ...] = ()


class Deed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a Character does, on a board or on a Throne; each Character has fields of its own.

    Attributes:
        by: who performs him.
        swaps: Noble.
        infirmary: Royal Guard: how many cards from the top of the Discards go into the Infirmary,
        bottom: and how many to the bottom of the Discards.
        deck: Merchant: how many cards from the Character deck,
        discards: and how many from the Discards.
        c: Mercenary: of the Action cards drawn, how many bear C,
        x: and how many X. They were dealt with by hand, and nothing the referee keeps has changed by them.
        actions: Mercenary, Spy: the Action cards drawn, by id or as `Drawn`, in place of `c` and `x` or of `count`.
        from_: Priest, Spy: the player whose cards are taken; `from` in JSON.
        count: Priest, Spy: how many.
    """

    by: str = ""
    swaps: tuple[Swap, ...] | None = None
    infirmary: int | None = None
    bottom: int | None = None
    deck: int | None = None
    discards: int | None = None
    c: int | None = None
    x: int | None = None
    actions: tuple[str | Drawn, ...] | None = None
    from_: str = msgspec.field(default="", name="from")
    count: int | None = None


class Act(Deed, frozen=True, tag="act", tag_field="do", omit_defaults=True):
    """A player performs the Character that he has revealed, or (`perform` false) has only shown it."""

    perform: bool = True


class Counsel(Deed, frozen=True, tag="counsel", tag_field="do", omit_defaults=True):
    """A player sends his Counselor to a Throne, or has him there already, and performs its Character; or skips.

    Attributes:
        throne: where the Counselor stands; may be left out where he stood there before.
        perform: false if he is sent and nothing is performed.
        skip: nothing at all is done.
    """

    throne: int = 0
    perform: bool = True
    skip: bool = False


class Action(msgspec.Struct, frozen=True, tag="action", tag_field="do", omit_defaults=True):
    """The next of the drawn Action cards is performed or put away, or its next steps are done.

    Attributes:
        card: its id; may be left out, since the order is that of the ranks. Of equal ranks it says which is first.
        by: who drew it.
        perform: false puts it away.
        steps: choices for its next steps, in their order. Steps that need none are done by themselves; one that
            needs a choice which isn't there waits for a further `action`.
    """

    card: str = ""
    by: str = ""
    perform: bool = True
    steps: tuple[Choice, ...] = ()


class Intrigue(msgspec.Struct, frozen=True, tag="intrigue", tag_field="do", omit_defaults=True):
    """A player lays a card face down into a Throne's Intrigue space, or passes for the rest of the phase."""

    by: str = ""
    throne: int = 0
    pass_: bool = msgspec.field(default=False, name="pass")


class Award(msgspec.Struct, frozen=True, tag="award", tag_field="do"):
    """The cards of a Throne's Intrigue space were shuffled and revealed; none if it was empty."""

    throne: int
    cards: tuple[str, ...]


class Bodyguards(msgspec.Struct, frozen=True, tag="bodyguards", tag_field="do"):
    """People tell that the Bodyguards protect a player from now on until the Turn ends, or no longer do."""

    by: str
    on: bool


Move = Recruit | Fallen | Plan | Reveal | Act | Counsel | Action | Intrigue | Award | Bodyguards
