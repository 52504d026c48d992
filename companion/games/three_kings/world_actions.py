"""What Action cards do in the world: each step of an effect, decided by somebody or done by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from companion.games.three_kings.deck import Step

if TYPE_CHECKING:
    from companion.games.three_kings.world import World

Told = dict[str, Any]
"""What is told of a step: the fields of a choice."""


def begin(world: World, name: str, step: Step) -> bool:
    """Does a step that nobody decides; False if somebody has to."""
    if step.if_done and not world.last_step:
        return _end(world, 0)
    options = choices(world)
    if options is None:
        return _end(world, _DO[step.do](world, name, step, {}))
    return not options and _end(world, 0)


def choices(world: World) -> list[Told] | None:
    """What can be told of the step that is due; None if nothing has to be."""
    _, name, card, number, _ = world.due
    step = world.actions.known(card).effect[number]
    return _CHOICES.get(step.do, _nothing)(world, name, step)


def go_on(world: World, told: Told) -> None:
    """Somebody has told what becomes of the step that is due."""
    _, name, card, number, _ = world.due
    step = world.actions.known(card).effect[number]
    if step.do == "by-hand" and told:
        _by_hand(world, told["table"])
        return
    _end(world, _DO[step.do](world, name, step, told))


def _end(world: World, moved: int) -> bool:
    """The step is done; what it lets people draw comes before the next one."""
    world.last_step = moved
    at = next(i for i, task in enumerate(world.agenda) if task[0] == "step")
    del world.agenda[at]
    return True


def _nothing(_world: World, _name: str, _step: Step) -> list[Told] | None:
    return None


def _moving(world: World, name: str, step: Step) -> list[Told] | None:
    aimed = "target" in (step.source, step.to)
    if not aimed and not step.up_to:
        return None
    people = [""]
    if aimed:
        people = [one for one in world.others(name) if step.source != "target" or world.hands[one]]
    if not step.up_to:
        return [{"target": one} for one in people]
    found: list[Told] = []
    for one in people:
        source = {"hand": name, "target": one}.get(step.source, step.source)
        there = step.up_to if source == "deck" else min(step.up_to, len(world.pile(source)))
        found += [{"count": n, **({"target": one} if aimed else {})} for n in range(1, there + 1)]
    return [{"count": 0}, *found] if found else []


def _move(world: World, name: str, step: Step, told: Told) -> int:
    number: int = told.get("count", step.n)
    if not number:
        return 0
    names = {"hand": [name], "target": [told.get("target", "")], "others": world.others(name)}
    pairs = [(a, b) for a in names.get(step.source, [step.source]) for b in names.get(step.to, [step.to])]
    if step.source == "deck":
        world.agenda[:0] = [("draw", goal, number) for _, goal in pairs]
        return number * len(pairs)
    moved = 0
    for source, goal in pairs:
        pile = world.pile(source)
        count = min(number, len(pile))
        seen = source in world.names
        going = world.pick("give", source, pile, count) if seen else pile[len(pile) - count :][::-1]
        for card in going:
            pile.remove(card)
            world.pile(goal).append(card)
        moved += count
    return moved


def _exchanging(world: World, name: str, step: Step) -> list[Told]:
    both = [one for one in world.others(name) if not step.n or (world.hands[one] and world.hands[name])]
    return [{"target": one} for one in both]


def _exchange(world: World, name: str, step: Step, told: Told) -> int:
    other = told["target"]
    one, two = world.hands[name], world.hands[other]
    if not step.n:
        world.hands[name], world.hands[other] = two, one
        return len(one) + len(two)
    count = min(step.n, len(one), len(two))
    mine, theirs = world.pick("give", name, one, count), world.pick("give", other, two, count)
    world.hands[name] = [card for card in one if card not in mine] + theirs
    world.hands[other] = [card for card in two if card not in theirs] + mine
    return count


def _protect(world: World, name: str, _step: Step, _told: Told) -> int:
    world.guarded.add(name)
    return 1


def _closing(world: World, _name: str, _step: Step) -> list[Told]:
    return [{"throne": throne} for throne in (1, 2, 3) if throne not in world.kidnapped]


def _close(world: World, _name: str, _step: Step, told: Told) -> int:
    world.kidnapped.add(told["throne"])
    return 1


def _leading(world: World, name: str, step: Step) -> list[Told] | None:
    return None if step.who == "self" else [{"target": one} for one in world.others(name)]


def _lead(world: World, name: str, _step: Step, told: Told) -> int:
    world.first = told.get("target", name)
    return 1


def _recalling(world: World, name: str, step: Step) -> list[Told] | None:
    if step.who == "self":
        return None if world.sent[name] else []
    return [{"target": one} for one in world.others(name) if world.sent[one]]


def _recall(world: World, name: str, _step: Step, told: Told) -> int:
    world.sent[told.get("target", name)] = None
    return 1


def _trading(_world: World, _name: str, _step: Step) -> list[Told]:
    return [{"throne": 1, "other": 2}, {"throne": 1, "other": 3}, {"throne": 2, "other": 3}]


def _trade(world: World, _name: str, _step: Step, told: Told) -> int:
    one, two = told["throne"], told["other"]
    seats = world.thrones
    seats[one - 1], seats[two - 1] = seats[two - 1], seats[one - 1]
    world.sent = {who: {one: two, two: one}.get(at or 0, at) for who, at in world.sent.items()}
    return 1


def _crowning(world: World, name: str, _step: Step) -> list[Told]:
    able = [card for card in world.hands[name] if "-" in card]
    nobody: list[Told] = [{}] if world.hands[name] else []
    return nobody + [{"throne": throne, "card": card} for card in able for throne in (1, 2, 3)]


def _crown(world: World, name: str, step: Step, told: Told) -> int:
    if not told:
        return 0
    old = world.thrones[told["throne"] - 1]
    world.hands[name].remove(told["card"])
    world.unseat(told["throne"])
    world.thrones[told["throne"] - 1] = told["card"]
    world.pile(name if step.to == "hand" else step.to).append(old)
    return 1


def _score(world: World, _name: str, step: Step, _told: Told) -> int:
    world.score(step.faction, step.n)
    return 1


def _by_handing(world: World, _name: str, step: Step) -> list[Told]:
    """What bots do by hand, within the zones that the card names: all pass a card on, or move a Counselor."""
    if "hands" in step.zones:
        passing = _passing(world)
        return [{"table": {"hands": _passed(world, passing[0])}}] if passing else [{}]
    found: list[Told] = [{}]
    if "counselors" in step.zones:
        out = [(who, at) for who, at in world.sent.items() if at]
        found += [{"table": {"counselors": {who: to}}} for who, at in out for to in (1, 2, 3) if to != at]
    return found


def _passing(world: World) -> list[str]:
    """Who still has to tell of the card that he passes on; nobody if all have one, since then no number changes."""
    kept: list[str] | None = world.due[4]
    if kept is not None:
        return kept
    return [] if all(world.hands.values()) else [who for who, hand in world.hands.items() if hand]


def _passed(world: World, who: str) -> dict[str, int]:
    left = world.circle(who)[1]
    return {who: len(world.hands[who]) - 1, left: len(world.hands[left]) + 1}


def _pass_on(world: World, who: str) -> None:
    (card,) = world.pick("give", who, world.hands[who], 1)
    world.hands[who].remove(card)
    world.hands[world.circle(who)[1]].append(card)


def _by_hand(world: World, table: dict[str, Any]) -> None:
    if "counselors" in table:
        world.sent |= table["counselors"]
        return
    who, *rest = _passing(world)
    _pass_on(world, who)
    world.agenda[0] = (*world.agenda[0][:4], rest)


def _done_by_hand(world: World, _name: str, step: Step, _told: Told) -> int:
    if "hands" in step.zones and world.due[4] is None:
        for who in [who for who, hand in world.hands.items() if hand]:
            _pass_on(world, who)
    return 1


_CHOICES: dict[str, Callable[[World, str, Step], list[Told] | None]] = {
    "move": _moving,
    "exchange": _exchanging,
    "close": _closing,
    "lead": _leading,
    "recall": _recalling,
    "trade": _trading,
    "crown": _crowning,
    "by-hand": _by_handing,
}
_DO: dict[str, Callable[[World, str, Step, Told], int]] = {
    "move": _move,
    "exchange": _exchange,
    "protect": _protect,
    "close": _close,
    "lead": _lead,
    "recall": _recall,
    "trade": _trade,
    "crown": _crown,
    "score": _score,
    "by-hand": _done_by_hand,
}
