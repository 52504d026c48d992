"""A session: the sole owner of one game at one table.

It takes observations and commands one after the other, from one thread, and publishes snapshots. What is announced
is in the journal before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.correcting import nameable, plain, to_put_right, with_named
from companion.core.game import (
    Choice,
    Dispute,
    Event,
    Game,
    Preparation,
    Question,
    Refusal,
    Step,
    answers,
    decode,
    deed,
    encode,
)
from companion.core.messages import Message, say
from companion.core.settle import (
    TakenBack,
    pressed_places,
    redone_places,
    settle,
    still_taken_back,
    undone_places,
)
from companion.core.snapshot import (
    Accept,
    Answer,
    AskNameable,
    Command,
    Name,
    Nameable,
    PutRight,
    Redo,
    Restart,
    Snapshot,
    Undo,
)
from companion.core.table import Difference, Layout, Observation, Zone, ZoneId, compare, unmet
from companion.service.entries import ACCEPTED, ENDED, FREED, MOVE, REDO, SETUP, UNDO, JournalError
from companion.service.history import History, Made
from companion.service.journal import Journal
from companion.service.replay import Replay, unfinished


class Session:
    """One game from its set-up to its end, and the next one after it.

    Args:
        game: the rules.
        journal: where moves are kept.
        publish: gets each new snapshot.
        draft: what is known of the set-up beforehand, such as the players' names.
        resume: carry on with the journal's last game, if it is one of this game and isn't over; a replay of it spares
            the session from doing that once more.

    Attributes:
        history: all that happened in the game, None while it is being set up.

    Raises:
        JournalError: the game to be resumed doesn't follow today's rules.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        journal: Journal,
        publish: Callable[[Snapshot], None],
        draft: Mapping[str, Any] | None = None,
        resume: bool | Replay = True,
    ) -> None:
        self.game = game
        self._journal = journal
        self._publish = publish
        self._options = dict(draft or {})
        self._draft: Mapping[str, Any] = self._options
        self.history: History | None = None
        self._seen = Observation()
        self._looked = False
        self._named: dict[PieceId, ZoneId | None] = {}
        self._nameable: Nameable | None = None
        self._putting_right = False
        self._disputes: tuple[Dispute, ...] = ()
        self._difference = Difference()
        self._preparation = Preparation(self._draft)
        self._serial = 0
        self._last: Snapshot | None = None
        self._unsaved: Message | None = None
        notices = self._resume(resume)
        self._look()
        self._announce((), notices)

    @property
    def draft(self) -> Mapping[str, Any]:
        """What is known of the set-up, from options and answers."""
        return self._draft

    @property
    def state(self) -> Any:
        """The state now, None while the game is being set up."""
        return self.history.state if self.history else None

    def see(self, seen: Observation) -> None:
        """Takes a look at the table: applies what is legal, disputes the rest."""
        # What was in dispute stays so while a hand covers it; it is settled only when it is seen to be.
        # A marker of a sheet is different: to cover it is to put the table right.
        pieces = self.game.box.pieces
        disputed = {d.piece for d in self._disputes if not (d.piece in pieces and pieces[d.piece].fixed)}
        sightings = tuple(replace(s, hidden=s.hidden and s.piece not in disputed) for s in seen.sightings)
        self._seen = replace(seen, sightings=sightings)
        self._looked = True
        events = self._look()
        if events:
            self._nameable = None
        self._announce(events, ())

    def tell(self, command: Command) -> None:
        """Does what somebody wants, from buttons or a keyboard."""
        self._nameable = None
        if isinstance(command, Undo):
            events, notices = self._undo()
        elif isinstance(command, Redo):
            events, notices = self._redo()
        elif isinstance(command, Restart):
            events, notices = self._give_up()
        elif isinstance(command, Answer):
            events, notices = self._answer(command)
        elif isinstance(command, Accept):
            events, notices = self._accept()
        elif isinstance(command, Name):
            events, notices = self._name(command)
        elif isinstance(command, PutRight):
            events, notices = self._put_right(command.on)
        elif isinstance(command, AskNameable):
            events, notices = self._ask_nameable()
        else:
            return  # another game is the table's affair
        self._announce((*events, *self._look()), notices)

    def _resume(self, resume: bool | Replay) -> tuple[Message, ...]:
        found = resume or None
        if found is True:
            found = unfinished(self.game, self._journal.last_game(self.game.id))
        if found is None:
            return ()
        self.history = found.history
        differs = (say("notice.differs", move=found.differs_at),) if found.differs else ()
        return (say("notice.resumed"), *differs)

    def _look(self, named: Mapping[PieceId, ZoneId | None] | None = None) -> tuple[Event, ...]:
        """Does what the table asks for now; what can't be saved stays undone, and is tried again with the next look."""
        history = self.history or self._prepare()
        if history is None:
            return ()
        seen = self._known() if named is None else with_named(self._known(), named, self._layout(), self.game.box)
        if self._putting_right and self._still_wrong(seen):
            return ()
        taken_back, late = history.taken_back, self._looked and history.unseen
        if late and (history.future or settle(self.game, self.state, seen, taken_back).moves):
            taken_back = pressed_places(self.game, late[0], self.state, seen, late[1], taken_back)
        taken_back = still_taken_back(self.game, self.state, taken_back, seen, history.top)
        settled = settle(self.game, self.state, seen, taken_back)
        changed = taken_back != history.taken_back or late
        written: list[Any] = [(FREED, self.game, {"taken_back": taken_back}, ())] if changed else []
        made = [
            Made(state, encode(move), events)
            for (move, events), state in zip(settled.moves, settled.states, strict=True)
        ]
        written += [(MOVE, self.game, move.line, move.events) for move in made]
        self._unsaved = self._write(written) if written else None
        if self._unsaved:
            return ()
        if changed:
            history.look(taken_back)
        for move in made:
            history.do(move)
        self._disputes, self._difference = settled.disputes, settled.difference
        return tuple(event for move in made for event in move.events)

    def _back_or_forth(self, taken_back: TakenBack) -> dict[str, Any]:
        """The body of an entry that says so, with what is taken back from then on."""
        return {"taken_back": taken_back} | ({} if self._looked else {"unseen": True})

    def _zones(self) -> tuple[Zone, ...]:
        return self.game.zones(self.state, self._draft)

    def _layout(self) -> Layout:
        return self.game.layout(self.state)

    def _known(self) -> Observation:
        """The table as the camera sees it, with what people have said to be gone for as long as that matters."""
        layout, box = self._layout(), self.game.box
        expected = {name for name, _ in layout.expected}
        sighted = self._seen.in_sight
        kept = {p: z for p, z in self._named.items() if p not in sighted and expected & {p, box.name_of(p)}}
        self._named = kept
        return with_named(self._seen, kept, layout, box)

    def _still_wrong(self, seen: Observation) -> bool:
        """While the table is put right nothing on it is a move, as it could lie like one by chance; ends once it is."""
        whole = compare(self._layout(), seen, self.game.box)
        reading = self.game.interpret(self.state, whole, seen) if whole else ()
        self._disputes, self._difference = reading if isinstance(reading, tuple) else (), whole
        self._putting_right = bool(whole or to_put_right(self._layout(), seen, (), self.game.box))
        return self._putting_right

    def _put_right(self, on: bool) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        self._putting_right = on and self.history is not None and self._still_wrong(self._known())
        return (), (say("notice.nothing-to-put-right"),) if on and not self._putting_right else ()

    def _ask_nameable(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        if self.history is None:
            return (), (say("notice.nothing-to-name"),)
        self._nameable = nameable(self.game, self.state, self._known(), self._zones())
        return (), ()

    def _name(self, told: Name) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        """Takes it as if the camera had seen it: what the rules don't allow is not remembered."""
        if self.history is None:
            return (), (say("notice.nothing-to-name"),)
        piece, zones = self.game.box.find(told.piece), {zone.id: zone for zone in self._zones()}
        if piece is None or (told.zone is not None and told.zone not in zones):
            return (), (say("notice.not-known"),)
        if told.zone is None:
            return self._name_gone(told.piece)
        used = {name for name, _ in self._layout().expected} | {sighting.piece for sighting in self._seen.sightings}
        free = [copy.id for copy in self.game.box.copies[piece.name] if copy.id not in used]
        lies = told.piece if told.piece in free or not free else free[0]
        holds = lies in self.game.box.pieces and piece.kind in zones[told.zone].holds
        if holds and (events := self._look({lies: told.zone})):
            return events, ()
        return self._look(), (say("notice.not-named", piece=told.piece, zone=told.zone),)

    def _name_gone(self, piece: PieceId) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        box, disputes = self.game.box, self._disputes
        if box.name_of(piece) not in {
            box.name_of(name) for name, _ in unmet(self._layout(), plain(self._known()), box)
        }:
            return (), (say("notice.not-gone", piece=piece),)
        self._named[piece] = None
        events = self._look()
        return events, () if events or self._disputes != disputes else (say("named.gone", piece=piece),)

    def _accept(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        if not self._accepts:
            return (), (say("notice.nothing-to-accept"),)
        difference = self._acceptable_difference()
        step = self.game.accept(self.state, difference)
        if isinstance(step, Refusal):
            return (), (step.message,)
        return self._do(ACCEPTED, Made(step.state, msgspec.to_builtins(difference), step.events))

    def _acceptable_difference(self) -> Difference:
        """What people mean who say that the table is right; no tag of another game becomes right by that."""
        return replace(self._difference, strangers=())

    @property
    def _accepts(self) -> bool:
        """Whether the table is wrong in a way that could be right."""
        wrong = self.history is not None and self._disputes and self._acceptable_difference()
        return bool(wrong) and not self._putting_right

    def _acceptable(self) -> Message | None:
        step = self.game.accept(self.state, self._acceptable_difference()) if self._accepts else None
        return deed(step.events) if isinstance(step, Step) else None

    def _prepare(self) -> History | None:
        """The game, once its set-up is whole."""
        self._preparation = self.game.prepare(self._draft, self._seen)
        self._disputes, self._unsaved = (), None
        line = self._preparation.setup
        if line is None:
            return None
        state = self.game.setup(line)
        if isinstance(state, Refusal):
            self._disputes = (Dispute("", None, None, state),)
            return None
        self._unsaved = self._write([(SETUP, self.game, line, ())])
        if not self._unsaved:
            self.history = History(self.game.box, state)
        return self.history

    def _undo(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        history = self.history
        if history is None or len(history.past) < 2:
            return (), (say("notice.nothing-to-undo"),)
        kept, undone = history.past[-2:]
        taken_back = undone_places(self.game, undone.state, kept.state, self._seen, history.taken_back)
        if trouble := self._write([(UNDO, self.game, self._back_or_forth(taken_back), ())]):
            return (), (trouble,)
        history.undo(taken_back, not self._looked)
        return (), (say("notice.taken-back", what=deed(undone.events)),) if undone.events else ()

    def _redo(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        history = self.history
        if history is None or not history.future:
            return (), (say("notice.nothing-to-redo"),)
        redone = history.future[-1].made
        left = redone_places(
            self.game, self.state, redone.state, history.top, self._seen, history.taken_back, history.left()
        )
        if trouble := self._write([(REDO, self.game, self._back_or_forth(left), ())]):
            return (), (trouble,)
        history.redo(left, not self._looked)
        return redone.events, ()

    def _answer(self, answer: Answer) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        question = self._question()
        choice = dict(answers(question)).get((answer.choice, *answer.further))
        if question != answer.question or choice is None:
            return (), (say("notice.not-asked"),)  # the table has answered it meanwhile
        if self.history is None:
            self._draft = {**self._preparation.draft, **(choice.draft or {})}
            return (), ()
        if choice.draft is not None:
            self._start_again(choice.draft)
            return (), ()
        move = decode(self.game, choice.move or {})
        step = move if isinstance(move, Refusal) else self.game.apply(self.state, move)
        if isinstance(step, Refusal):
            return (), (step.message,)
        return self._do(MOVE, Made(step.state, encode(move), step.events))

    def _do(self, kind: str, made: Made) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        """Makes a move that somebody has told."""
        if trouble := self._write([(kind, self.game, made.line, made.events)]):
            return (), (trouble,)
        assert self.history, "a game runs"
        self.history.do(made)
        return made.events, ()

    def _give_up(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        running = self.history is not None and self.game.outcome(self.state) is None
        if running and (trouble := self._write([(ENDED, self.game, {}, ())])):
            return (), (trouble,)
        self._start_again({})
        return (), ()

    def _start_again(self, draft: Mapping[str, Any]) -> None:
        self._draft = {**self._options, **draft}
        self.history = None
        self._named, self._putting_right = {}, False
        self._disputes, self._difference = (), Difference()

    def _to_put_right(self) -> tuple[Message, ...]:
        if self.history is None or not (self._disputes or self._putting_right):
            return ()
        return to_put_right(self._layout(), self._known(), self._disputes, self.game.box)

    def _question(self) -> Question | None:
        if self.history is None:
            return self._preparation.question
        if self.game.outcome(self.state):
            return Question(say("question.again"), (Choice(say("choice.again"), draft={}),), urgent=False)
        return self.game.question(self.state, self._difference, self._seen)

    def _write(self, entries: list[Any]) -> Message | None:
        try:
            self._journal.append(entries)
        except JournalError as error:
            return say(f"trouble.{error.trouble}", reason=str(error))
        return None

    def _announce(self, events: tuple[Event, ...], notices: tuple[Message, ...]) -> None:
        history, state = self.history, self.state
        playing = history is not None
        notices = (*notices, *self._journal.news())
        snapshot = Snapshot(
            serial=self._serial + 1,
            game=self.game.id,
            facts=self.game.facts(state) if playing else None,
            pages=self.game.pages(state, self._difference, self._seen) if playing else self._preparation.pages,
            aside=self.game.aside(state) if playing else (),
            disputes=self._disputes,
            question=self._question(),
            help=self.game.help(state) if playing else None,
            events=events,
            notices=notices,
            last_move=history.past[-1].events if history else (),
            can_redo=history is not None and bool(history.future),
            unplaced=self._seen.unplaced,
            zones=self._zones(),
            arranging=not playing,
            outcome=self.game.outcome(state) if playing else None,
            unsaved=self._unsaved,
            acceptable=self._acceptable(),
            to_put_right=self._to_put_right(),
            putting_right=self._putting_right,
            nameable=self._nameable,
        )
        again = self._last is not None and notices == self._last.notices
        if self._last is None or snapshot.standing != self._last.standing or events or (notices and not again):
            self._serial += 1
            self._last = snapshot
            self._publish(snapshot)
