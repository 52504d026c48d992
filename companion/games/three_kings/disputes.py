"""What is wrong with a table that no legal move explains, and how to put it right.

While cards change places, and markers follow them, the screen says where things belong (`tidy`). Once all plan, reveal
or intrigue everything has to lie there; what has only just got another place may be late for the first of these moves.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.box import PieceId
from companion.core.game import Dispute, Refusal
from companion.core.table import ZoneId
from companion.games.three_kings import cards, zones
from companion.games.three_kings.asking import section
from companion.games.three_kings.box import BACK
from companion.games.three_kings.guards import elsewhere
from companion.games.three_kings.look import Look, is_action, is_back
from companion.games.three_kings.piles import shown_from
from companion.games.three_kings.state import State
from companion.games.three_kings.unseen import INFIRMARY, intrigue

STRICT = ("plan", "reveal", "intrigue")
"""Phases in which everything has to lie where it belongs."""
TABLE = "table"


def disputes(look: Look, refused: Refusal | None, blamed: tuple[str, ...]) -> Iterator[Dispute]:
    """All that is wrong.

    Args:
        look: the table.
        refused: why what was done there is no legal move; None if nothing was done that would be one.
        blamed: the pieces that this is about.
    """
    for piece, zone in look.difference.extra.items():
        refusal = refused if refused and piece in blamed else _extra(look, piece, zone)
        if refusal:
            yield Dispute(piece, zone, None, refusal)
    for piece, zone in look.difference.missing.items():
        refusal = _away(look, piece, zone, None)
        if refusal:
            yield Dispute(piece, None, zone, refusal)
    for piece, (home, where) in look.difference.moved.items():
        refusal = _away(look, piece, home, where)
        if refusal:
            yield Dispute(piece, where, home, refusal)
    planned = refused and not blamed
    if planned and look.state.phase == "plan":
        seat = look.state.seats[look.state.waiting[0]]
        lying = [(p, z) for n in (1, 2, 3) for z in [zones.space(seat.guild, n)] for p in look.pieces_in(z)]
        yield from (Dispute(piece, zone, None, refused) for piece, zone in lying if refused)


def tidy(look: Look) -> Iterator[tuple[PieceId, ZoneId]]:
    """What lies elsewhere than it should though it is no mistake, with its place."""
    away = {**look.difference.missing, **{p: home for p, (home, _) in look.difference.moved.items()}}
    for piece, home in away.items():
        where = look.difference.moved[piece][1] if piece in look.difference.moved else None
        sent = _being_sent(look, piece, where)
        busy = is_back(piece) or home.startswith("space/") or (home.startswith("throne/") and _at_work(look))
        if not busy and not sent and not _away(look, piece, home, where):
            yield piece, home


def to_discards(look: Look) -> list[PieceId]:
    """Cards that lie open though they are dealt with: on the stage, or on the board of whoever has acted."""
    state = look.state
    if state.phase == "award" or state.counting:
        return []
    optional = dict(zones.layout(state).optional)
    here = [p for p in look.pieces_in(zones.STAGE_ZONE) if not is_action(p)] if not state.counting else []
    left = [p for p in here if p in optional or state.phase == "recruit"]
    acted = [
        piece
        for piece, zone in look.difference.extra.items()
        if zone.startswith("space/") and not is_back(piece) and _acted(state, zone)
    ]
    return [*left, *acted]


def actions_left(look: Look) -> list[PieceId]:
    """Action cards that lie open though they are dealt with."""
    known = {card for past in look.state.past for card in past if card} | set(look.state.boxed)
    here = (p for p in look.extra_in(zones.STAGE_ZONE) if is_action(p))
    return [piece for piece in here if (card := look.state.actions.card(piece)) and card.id in known]


def _at_work(look: Look) -> bool:
    """Whether somebody exchanges cards on Thrones just now, so that nothing is to be said about them."""
    return look.state.phase in ("action", "counsel") and look.exchanging()


def _strict(state: State) -> bool:
    return state.phase in STRICT and not state.counting


def _acted(state: State, zone: ZoneId) -> bool:
    """Whether a card in this space is one that was performed."""
    number = int(zone.rpartition("/")[2])
    if state.phase in ("reveal", "action"):
        return number < state.round or (number == state.round and state.phase == "action")
    return state.phase != "plan"


def _extra(look: Look, piece: PieceId, zone: ZoneId) -> Refusal | None:
    state, place = look.state, zone.partition("/")[0]
    if piece.startswith("counselor-"):
        return Refusal("not-allowed", TABLE, {"card": piece}, "nobodys-counselor")
    if is_back(piece):
        return _extra_back(look, zone)
    if place == "stage":
        return _on_stage(look, piece)
    if place == "throne":
        known = look.exchanging()
        return None if known else Refusal("not-now", section(state), {"card": piece, "zone": zone}, "throne-not-now")
    number = int(zone.rpartition("/")[2])
    if state.phase == "reveal" and number == state.round:
        return None if cards.known(piece).is_character else _no_character(piece)
    if (state.phase == "plan" and number == 1) or _acted(state, zone):
        return None
    return Refusal("not-now", "character-action", {"card": piece, "round": number}, "later-space")


def _no_character(piece: PieceId) -> Refusal:
    return Refusal("wrong-card", "secret-planning", {"card": piece}, "no-character")


def _extra_back(look: Look, zone: ZoneId) -> Refusal | None:
    state, place = look.state, zone.partition("/")[0]
    if place == "pile" or state.counting:
        return None
    if place == "intrigue":
        if state.phase in ("award", "recruit"):
            return None  # what was laid there is being taken up
        if state.phase == "intrigue":
            by = state.seats[state.waiting[0]].name
            return Refusal("two-at-once", "intrigue", {"by": by, "n": len(look.laid())}, "two-laid")
        return Refusal("not-now", section(state), {"zone": zone}, "intrigue-not-now")
    seat = next(number for number, seat in enumerate(state.seats) if zone.startswith(f"space/{seat.guild}/"))
    if state.phase == "recruit" or (state.phase == "plan" and seat in state.waiting):
        return None
    wording = "planned-already" if state.phase == "plan" else "space-not-now"
    return Refusal("not-now", "secret-planning", {"by": state.seats[seat].name, "zone": zone}, wording)


def _on_stage(look: Look, piece: PieceId) -> Refusal | None:
    """A card that was laid open: it may be one of those that are revealed now."""
    state = look.state
    if is_action(piece):
        if look.drawing() or piece in actions_left(look):
            return None
    elif state.counting:
        if shown_from(state, piece, INFIRMARY) is not None:
            return None
        return elsewhere(state, piece, "count-of-the-fallen", "infirmary")
    elif state.phase == "award":
        if state.intrigue[state.awarding - 1] and shown_from(state, piece, intrigue(state.awarding)) is not None:
            return None
        return elsewhere(state, piece, "awarding", "intrigue")
    elif state.phase == "recruit":
        return None
    return Refusal("not-now", section(state), {"card": piece}, "stage-not-now")


def _being_sent(look: Look, piece: PieceId, where: ZoneId | None) -> bool:
    """Whether whoever moves is sending his Counselor."""
    state = look.state
    active = state.seats[state.active] if state.active is not None else None
    return bool(state.phase == "counsel" and active and active.counselor == piece and where)


def _away(look: Look, piece: PieceId, home: ZoneId, where: ZoneId | None) -> Refusal | None:
    """Why a piece may not be away from its place."""
    state, place = look.state, home.partition("/")[0]
    belongs = Refusal("wrong-place", TABLE, {"card": piece, "zone": home}, "belongs")
    if state.counting or _follows(state, piece, where):
        return None
    if piece.startswith(BACK):
        turning = state.phase == "reveal" and home.endswith(f"/{state.round}") and place == "space"
        return None if turning else Refusal("must-do", TABLE, {"zone": home}, "face-down-stays")
    if place == "throne":
        return None if look.exchanging() else belongs
    if place == "space":
        return belongs
    if piece.startswith("counselor-") and state.phase == "counsel" and not _strict(state):
        return None if look.reseating() else _sent(look, piece, where)
    return belongs if _strict(state) else None


def _follows(state: State, piece: PieceId, where: ZoneId | None) -> bool:
    """Whether a piece lies where it lay before the last moves, or is in a hand on the way from there."""
    before = [zone for late, zone in state.late if late == piece]
    return where in before or (where is None and bool(before))


def _sent(look: Look, piece: PieceId, where: ZoneId | None) -> Refusal | None:
    """While Counselors are sent: only whoever's turn it is sends his, and one that stands somewhere stays."""
    state = look.state
    seat = next(number for number, seat in enumerate(state.seats) if seat.counselor == piece)
    by, stands = state.seats[seat].name, state.counselors[seat]
    if where is None or not where.startswith("counselors/"):
        return None
    if stands:
        params = {"by": by, "throne": int(where.rpartition("/")[2]), "stands": stands}
        return Refusal("not-allowed", "counselors", params, "counselor-stays")
    if seat in state.waiting[1:]:
        turn = state.seats[state.waiting[0]].name
        return Refusal("not-your-turn", "counselors", {"by": by, "turn": turn})
    return None
