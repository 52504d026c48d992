"""The referee protocol: JSON lines in, one JSON line out for each, no state outside.

It is to these games what UCI is to chess: how other programs, test suites and golden playthroughs talk to the rules.
`docs/referee-protocol.md` lists the lines; the moves are those of the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from companion.core.game import Dispute, Event, Game, Refusal, decode, encode
from companion.core.messages import Message
from companion.core.settle import settle
from companion.core.table import Observation, Sighting
from companion.service.history import History, Made

Answer = dict[str, Any]
Say = Callable[[Message], str]

ASKS = ("facts", "legal", "layout", "help")
FORMS = ("setup", "do", "table", "accept", "ask", "undo", "redo")


class Referee:
    """One game at a time, driven line by line.

    Args:
        game: the rules.
        say: puts messages into words.
    """

    def __init__(self, game: Game[Any, Any], say: Say) -> None:
        self.game = game
        self._say = say
        self._history: History | None = None

    def run(self, lines: Iterable[str | bytes]) -> Iterator[str]:
        """One answer as a JSON line for each line that isn't blank."""
        for line in lines:
            if line.strip():
                yield msgspec.json.encode(self.answer(line)).decode()

    def answer(self, line: str | bytes) -> Answer:
        """The answer to one line; what is wrong with it is a refusal, never an exception."""
        try:
            asked = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            return self._refused(_bad_line(f"no JSON: {error}"))
        if not isinstance(asked, dict):
            return self._refused(_bad_line(f"a JSON object is needed, not {_kind(asked)}"))
        form = next((name for name in FORMS if name in asked), None)
        if form is None:
            return self._refused(_bad_line(f"none of {', '.join(FORMS)} in it"))
        if form in ("undo", "redo") and asked[form] is not True:
            return self._refused(_bad_line(f'{form}: write "{form}": true'))
        if form == "setup":
            return self._setup(asked["setup"])
        if self._history is None:
            return self._refused(Refusal("not-now", "protocol", {}, "no-game"))
        handlers: Mapping[str, Callable[[], Answer]] = {
            "do": lambda: self._do(asked["do"] if isinstance(asked["do"], dict) else asked),
            "table": lambda: self._table("table", asked["table"]),
            "accept": lambda: self._table("accept", asked["accept"]),
            "ask": lambda: self._ask(asked["ask"]),
            "undo": self._undo,
            "redo": self._redo,
        }
        return handlers[form]()

    @property
    def _played(self) -> History:
        assert self._history, "no game is set up"
        return self._history

    @property
    def _state(self) -> Any:
        return self._played.state

    def _setup(self, line: Any) -> Answer:
        if not isinstance(line, dict):
            return self._refused(Refusal("bad-setup", "setup", {"reason": f"an object is needed, not {_kind(line)}"}))
        named = line.get("game", self.game.id)
        if named != self.game.id:
            return self._refused(
                Refusal("bad-setup", "setup", {"reason": f"game: {named!r}; this referee plays {self.game.id}"})
            )
        state = self.game.setup(line)
        if isinstance(state, Refusal):
            return self._refused(state)
        self._history = History(self.game.box, state)
        return self._accepted(())

    def _do(self, line: Mapping[str, Any]) -> Answer:
        move = decode(self.game, line)
        step = move if isinstance(move, Refusal) else self.game.apply(self._state, move)
        if isinstance(step, Refusal):
            return self._refused(step)
        self._played.do(Made(step.state, line, step.events))
        return self._accepted(step.events)

    def _table(self, form: str, seen: Any) -> Answer:
        if not isinstance(seen, dict) or not all(zone is None or isinstance(zone, str) for zone in seen.values()):
            return self._refused(_bad_line(f"{form}: an object of pieces with their zones is needed"))
        look, wrong = self._seen(seen)
        settled = settle(self.game, self._state, look)
        made = [
            Made(state, encode(move), events)
            for (move, events), state in zip(settled.moves, settled.states, strict=True)
        ]
        disputes = settled.disputes
        if form == "accept" and settled.difference:
            step = self.game.accept(settled.state, settled.difference)
            if isinstance(step, Refusal):
                return self._refused(step)
            made.append(Made(step.state, msgspec.to_builtins(settled.difference), step.events))
            disputes = ()
        for move in made:
            self._played.do(move)
        answer = self._accepted(tuple(event for move in made for event in move.events))
        answer["moves"] = [encode(move) for move, _ in settled.moves]
        answer["disputes"] = [self._dispute(dispute) for dispute in (*disputes, *wrong)]
        return answer

    def _seen(self, table: Mapping[str, str | None]) -> tuple[Observation, list[Dispute]]:
        """The table of a line as an observation, and what can't lie like this at all."""
        box, zones = self.game.box, {zone.id: zone for zone in self.game.zones(self._state, {})}
        expected = list(self.game.layout(self._state).expected)
        sightings: list[Sighting] = []
        gone: dict[str, str] = {}
        wrong: list[Dispute] = []
        for name, zone in table.items():
            piece = box.find(name)
            if piece is None:
                wrong.append(Dispute(name, zone, None, Refusal("unknown-card", "components", {"card": name})))
            elif zone is not None and zone not in zones:
                params = {"zone": zone, "zones": sorted(zones)}
                wrong.append(Dispute(name, zone, None, Refusal("wrong-place", "protocol", params, "no-such-place")))
            elif zone is not None and piece.kind not in zones[zone].holds:
                wrong.append(Dispute(name, zone, None, Refusal("wrong-place", "protocol", {"zone": zone})))
            else:
                homes = [pair for pair in expected if name in (pair[0], box.name_of(pair[0])) or pair[0] == piece.name]
                homes = [pair for pair in homes if zone in (None, pair[1])]
                home = next((pair for pair in homes if pair[0] == name), homes[0] if homes else None)
                if home:
                    expected.remove(home)
                known = home[0] if home and home[0] in box.pieces else name
                lies = known if known in box.pieces else self._unused(piece.name, table, sightings)
                if zone is not None:
                    sightings.append(Sighting(lies, zone))
                elif home:
                    gone[lies] = home[1]
        return Observation(tuple(sightings), gone), wrong

    def _unused(self, name: str, table: Mapping[str, str | None], sightings: list[Sighting]) -> str:
        """A copy of a piece that was named without its letter: one that nothing else stands for."""
        used = {*table, *(s.piece for s in sightings), *(piece for piece, _ in self.game.layout(self._state).expected)}
        copies = [copy.id for copy in self.game.box.copies[name]]
        return next((copy for copy in copies if copy not in used), copies[0])

    def _ask(self, what: Any) -> Answer:
        if what not in ASKS:
            return self._refused(_bad_line(f"ask: {what!r}; there are {', '.join(ASKS)}"))
        answer = self._accepted(())
        if what == "legal":
            answer["legal"] = [encode(move) for move in self.game.legal_moves(self._state)]
        elif what == "layout":
            answer["layout"] = self._layout()
        elif what == "help":
            answer["help"] = self._say(self.game.help(self._state))
        return answer

    def _layout(self) -> dict[str, str]:
        """Piece by piece; where any copy will do, one that isn't used elsewhere stands for it."""
        box = self.game.box
        expected = self.game.layout(self._state).expected
        layout = {piece: zone for piece, zone in expected if piece in box.pieces}
        for name, zone in expected:
            if name not in box.pieces:
                layout[next(copy.id for copy in box.copies[name] if copy.id not in layout)] = zone
        return layout

    def _undo(self) -> Answer:
        if len(self._played.past) < 2:
            return self._refused(Refusal("not-now", "takeback", {}, "nothing-to-undo"))
        self._played.undo({})
        return self._accepted(())

    def _redo(self) -> Answer:
        if not self._played.future:
            return self._refused(Refusal("not-now", "takeback", {}, "nothing-to-redo"))
        self._played.redo({})
        return self._accepted(())

    def _accepted(self, events: tuple[Event, ...]) -> Answer:
        told = [{"event": event.name, **event.params, "text": self._say(event.message)} for event in events]
        return {"ok": True, "events": msgspec.to_builtins(told), "facts": self.game.facts(self._state)}

    def _refused(self, refusal: Refusal) -> Answer:
        answer: Answer = {"ok": False, "refusal": self._worded(refusal)}
        if self._history:
            answer["facts"] = self.game.facts(self._state)
        return answer

    def _worded(self, refusal: Refusal) -> Answer:
        return {"code": refusal.code, "rule": refusal.rule, "text": self._say(refusal.message)}

    def _dispute(self, dispute: Dispute) -> Answer:
        return {
            "piece": dispute.piece,
            "seen": dispute.seen,
            "expected": dispute.expected,
            "refusal": self._worded(dispute.refusal),
        }


def _bad_line(reason: str) -> Refusal:
    return Refusal("bad-line", "protocol", {"reason": reason})


def _kind(value: Any) -> str:
    return {list: "a list", str: "text", int: "a number", float: "a number", bool: "a truth value"}.get(
        type(value), "null"
    )
