"""What is wrong with a table that shows no legal move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core.box import PieceId
from companion.core.game import Dispute, Refusal
from companion.core.table import ZoneId
from companion.games.wonderland import skills
from companion.games.wonderland.look import Look, is_key, left_keys, name_of
from companion.games.wonderland.moves import Cover, Unlock
from companion.games.wonderland.rules import EXPLORE, REFILL, SKILL, STOP, apply
from companion.games.wonderland.zones import PILE, covered, deck_of, notebook, tunnel, without


def disputes(look: Look) -> Iterator[Dispute]:
    """All that has to be put right. What is only on its way is told by the pages."""
    for piece, zone in look.extra.items():
        refusal = _key(look, zone) if is_key(piece) else _card(look, piece, zone)
        if refusal:
            yield Dispute(piece, zone, None, refusal)
    for piece, zone in look.missing.items():
        refusal = _gone(look, piece, zone)
        if refusal:
            yield Dispute(piece, None, zone, refusal)


def _key(look: Look, zone: ZoneId) -> Refusal | None:
    """A Key beside a deck that it doesn't unlock; elsewhere Keys may lie as people like."""
    deck = deck_of(zone)
    if deck is None or deck in left_keys(look.state, look.seen):
        return None
    result = apply(look.state, Unlock(deck, look.turn))
    if isinstance(result, Refusal):
        return result
    found = {deck_of(where) for piece, where in look.extra.items() if is_key(piece)}
    return Refusal("two-at-once", EXPLORE, {"turn": look.turn, "decks": sorted(found - {None})}, "two-keys")


def _card(look: Look, piece: PieceId, zone: ZoneId) -> Refusal | None:
    if _on_its_way(look, piece, zone) or _of_last_turn(look, piece, zone):
        return None
    place, _, owner = zone.partition("/")
    params = {"card": name_of(piece), "turn": look.turn, "owner": owner}
    if deck_of(zone) is not None:
        return _on_deck(look, piece, deck_of(zone) or 0, params)
    if zone == tunnel(look.turn):
        return _in_tunnel(look, params)
    if zone == PILE:
        return Refusal("not-now", STOP, params, "not-to-discards")
    if zone == notebook(look.turn) and look.state.phase == "refill":
        return _to_refill(look, params)
    return Refusal("wrong-place", STOP, params, f"strange-{place}")


def _on_deck(look: Look, piece: PieceId, deck: int, params: dict[str, Any]) -> Refusal:
    """A card that covers a deck wrongly, or was turned up there when it isn't time."""
    own = [p for p, zone in look.extra.items() if deck_of(zone) is not None and look.lacks(p, notebook(look.turn))]
    params |= {"deck": deck}
    if piece not in own:
        return Refusal("card-elsewhere", EXPLORE, params, "not-from-notebook")
    result = apply(look.state, Cover(deck, name_of(piece), look.turn))
    if isinstance(result, Refusal):
        return result
    return Refusal("two-at-once", EXPLORE, params | {"cards": [name_of(p) for p in own]}, "two-covers")


def _in_tunnel(look: Look, params: dict[str, Any]) -> Refusal:
    """A card in the Tunnel of the turn player that can't be there."""
    state = look.state
    if state.phase == "skill" and "Rabbit" in skills.possible(state):
        return Refusal("card-elsewhere", SKILL, params, "not-from-a-deck")
    if state.phase != "take":
        return Refusal("not-now", EXPLORE, params, "tunnel-not-now")
    cards, beside = look.came(), list(state.neighbours(state.deck or 0))
    params |= {"beside": beside, "n": len(cards)}
    if len(cards) > len(beside):
        return Refusal("two-at-once", EXPLORE, params, "too-many-taken")
    return Refusal("card-elsewhere", EXPLORE, params, "not-from-beside")


def _to_refill(look: Look, params: dict[str, Any]) -> Refusal:
    """A card in the Notebook that is refilled, and that is one too many or can't come from the discards."""
    cards, due = look.cards_in(notebook(look.turn)), look.state.missing
    if len(cards) > due:
        return Refusal("wrong-count", REFILL, params | {"count": len(cards), "n": due}, "refill-count")
    return Refusal("card-elsewhere", REFILL, params, "not-discarded")


def _on_its_way(look: Look, piece: PieceId, zone: ZoneId) -> bool:
    """A card that is where it may be for a moment: the page says where it belongs."""
    state, deck = look.state, deck_of(zone)
    beside = state.neighbours(state.deck or 0) if state.phase == "take" else ()
    if piece in look.laid_open() or piece == look.turned():
        return True
    if deck is not None:
        return (deck in beside and look.turned_up(piece, deck)) or (deck, piece) in look.revealed()
    if zone == notebook(look.turn) and state.phase in ("skill", "decide"):
        return look.owes(piece)
    if zone == covered(look.turn) and state.phase == "skill":
        return "Queen" in state.gained and name_of(piece) in without(state.gained, ["Queen"])
    if zone == notebook(look.turn) and state.phase == "refill":
        return len(look.cards_in(zone)) < state.missing and name_of(piece) in state.discards
    if zone == tunnel(look.turn) and piece not in look.came():
        return True
    if zone == tunnel(look.turn) and beside:
        few = len(look.came()) < len(beside)
        return few and any(look.came_from(piece, number) for number in beside)
    return zone == tunnel(look.turn) and look.drawn() == piece


def _of_last_turn(look: Look, piece: PieceId, zone: ZoneId) -> bool:
    """A card that the turn before has left in its Tunnel, and that belongs to that player's Notebook."""
    place, _, owner = zone.partition("/")
    ended = owner != look.turn or look.state.phase == "refill"
    return place in ("tunnel", "covered") and ended and look.lacks(piece, notebook(owner))


def _gone(look: Look, piece: PieceId, zone: ZoneId) -> Refusal | None:
    state, deck = look.state, deck_of(zone)
    params = {"card": name_of(piece), "zone": zone, "turn": look.turn}
    if is_key(piece):
        held = deck is None or state.phase == "decide"  # whoever stops takes his Keys away
        return None if held else Refusal("not-now", EXPLORE, params | {"deck": deck}, "key-must-stay")
    if zone == notebook(look.turn) and state.phase in ("explore", "decide"):
        return None  # he has it in his hand, to cover a deck
    held = zone in (tunnel(look.turn), covered(look.turn))
    if held and (state.phase == "decide" or "Queen" in skills.possible(state)):
        return None  # on the way to his Notebook, or in his hand to be laid on another one
    if state.phase == "take" and deck in state.neighbours(state.deck or 0):
        return None
    return Refusal("not-now", EXPLORE, params, "must-stay")
