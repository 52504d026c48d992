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
from companion.core.correcting import nameable, to_put_right, with_named
from companion.core.game import (
    Choice,
    Dispute,
    Event,
    Game,
    Preparation,
    Question,
    Refusal,
    answers,
    decode,
    deed,
    encode,
)
from companion.core.messages import Message, say
from companion.core.settle import TakenBack, redone_places, settle, still_taken_back, undone_places
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
from companion.core.table import Difference, Layout, Observation, ZoneId, compare
from companion.service.journal import ACCEPTED, ENDED, FREED, MOVE, REDO, SETUP, UNDO, Journal, JournalError
from companion.service.replay import left_to_redo, replay


class Session:
    """One game from its set-up to its end, and the next one after it.

    Args:
        game: the rules.
        journal: where moves are kept.
        publish: gets each new snapshot.
        draft: what is known of the set-up beforehand, such as the players' names.
        resume: carry on with the journal's last game, if it is one of this game and isn't over.

    Raises:
        JournalError: the game to be resumed doesn't follow today's rules.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        journal: Journal,
        publish: Callable[[Snapshot], None],
        draft: Mapping[str, Any] | None = None,
        resume: bool = True,
    ) -> None:
        self.game = game
        self._journal = journal
        self._publish = publish
        self._options = dict(draft or {})
        self._draft: Mapping[str, Any] = self._options
        self._past: list[Any] = []
        self._told: list[tuple[Event, ...]] = []
        self._future: list[tuple[Any, tuple[Event, ...]]] = []
        self._taken_back: TakenBack = {}
        self._seen = Observation()
        self._named: dict[PieceId, ZoneId | None] = {}
        self._nameable: Nameable | None = None
        self._putting_right = False
        self._disputes: tuple[Dispute, ...] = ()
        self._difference = Difference()
        self._preparation = Preparation(self._draft)
        self._serial = 0
        self._last: Snapshot | None = None
        self._unsaved: Message | None = None
        notices = self._resume() if resume else ()
        self._look()
        self._announce((), notices)

    @property
    def draft(self) -> Mapping[str, Any]:
        """What is known of the set-up, from options and answers."""
        return self._draft

    @property
    def state(self) -> Any:
        """The state now, None while the game is being set up."""
        return self._past[-1] if self._past else None

    def see(self, seen: Observation) -> None:
        """Takes a look at the table: applies what is legal, disputes the rest."""
        # What was in dispute stays so while a hand covers it; it is settled only when it is seen to be.
        # A marker of a sheet is different: to cover it is to put the table right.
        pieces = self.game.box.pieces
        disputed = {d.piece for d in self._disputes if not (d.piece in pieces and pieces[d.piece].fixed)}
        sightings = tuple(replace(s, hidden=s.hidden and s.piece not in disputed) for s in seen.sightings)
        self._seen = replace(seen, sightings=sightings)
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
            self._putting_right = command.on and bool(self._past)
            events, notices = (), ()
        elif isinstance(command, AskNameable):
            self._ask_nameable()
            events, notices = (), ()
        else:
            return  # another game is the table's affair
        self._announce((*events, *self._look()), notices)

    def _resume(self) -> tuple[Message, ...]:
        entries = self._journal.last_game(self.game.id)
        if not entries:
            return ()
        found = replay(self.game, entries)
        if self.game.outcome(found.past[-1]):
            return ()
        self._past, self._told, self._future = list(found.past), list(found.told), list(found.future)
        self._taken_back = found.taken_back
        differs = (say("notice.differs", move=found.differs_at),) if found.differs else ()
        return (say("notice.resumed"), *differs)

    def _look(self, named: Mapping[PieceId, ZoneId | None] | None = None) -> tuple[Event, ...]:
        """Does what the table asks for now; what can't be saved stays undone, and is tried again with the next look."""
        if not self._past:
            self._prepare()
            if not self._past:
                return ()
        seen = self._known() if named is None else with_named(self._known(), named, self._layout(), self.game.box)
        if self._putting_right and self._still_wrong(seen):
            return ()
        freed = still_taken_back(self.game, self.state, self._taken_back, seen)
        settled = settle(self.game, self.state, seen, freed)
        written: list[Any] = [] if freed == self._taken_back else [(FREED, self.game, {"taken_back": freed}, ())]
        written += [(MOVE, self.game, encode(move), events) for move, events in settled.moves]
        self._unsaved = self._write(written) if written else None
        if self._unsaved:
            return ()
        self._taken_back = freed
        for (_, events), state in zip(settled.moves, settled.states, strict=True):
            self._made(state, events)
        self._disputes, self._difference = settled.disputes, settled.difference
        return tuple(event for _, events in settled.moves for event in events)

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

    def _ask_nameable(self) -> None:
        if self._past:
            zones = self.game.zones(self.state, self._draft)
            self._nameable = nameable(self.game, self.state, self._known(), zones)

    def _name(self, told: Name) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        """Takes it as if the camera had seen it: what the rules don't allow is not remembered."""
        piece = self.game.box.find(told.piece)
        if piece is None or not self._past:
            return (), ()
        if told.zone is None:
            self._named[told.piece] = None
            return self._look(), ()
        used = {name for name, _ in self._layout().expected} | {sighting.piece for sighting in self._seen.sightings}
        free = [copy.id for copy in self.game.box.copies[piece.name] if copy.id not in used]
        lies = told.piece if told.piece in free or not free else free[0]
        if events := self._look({lies: told.zone}):
            return events, ()
        return self._look(), (say("notice.not-named", piece=told.piece, zone=told.zone),)

    def _accept(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        difference = self._acceptable_difference()
        step = self.game.accept(self.state, difference)
        if isinstance(step, Refusal):
            return (), (step.message,)
        if trouble := self._write([(ACCEPTED, self.game, msgspec.to_builtins(difference), step.events)]):
            return (), (trouble,)
        self._made(step.state, step.events)
        return step.events, ()

    def _acceptable_difference(self) -> Difference:
        """What people mean who say that the table is right; no tag of another game becomes right by that."""
        return replace(self._difference, strangers=())

    def _acceptable(self) -> Message | None:
        difference = self._acceptable_difference()
        if not (self._past and self._disputes and difference) or self._putting_right:
            return None
        step = self.game.accept(self.state, difference)
        return None if isinstance(step, Refusal) else deed(step.events)

    def _prepare(self) -> None:
        self._preparation = self.game.prepare(self._draft, self._seen)
        self._disputes, self._unsaved = (), None
        line = self._preparation.setup
        if line is None:
            return
        state = self.game.setup(line)
        if isinstance(state, Refusal):
            self._disputes = (Dispute("", None, None, state),)
            return
        self._unsaved = self._write([(SETUP, self.game, line, ())])
        if not self._unsaved:
            self._past, self._told, self._future = [state], [], []

    def _undo(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        if len(self._past) < 2:
            return (), (say("notice.nothing-to-undo"),)
        taken_back = undone_places(self.game, self._past[-1], self._past[-2], self._seen, self._taken_back)
        if trouble := self._write([(UNDO, self.game, {"taken_back": taken_back}, ())]):
            return (), (trouble,)
        undone = self._told.pop()
        self._future.append((self._past.pop(), undone))
        self._taken_back = taken_back
        return (), (say("notice.taken-back", what=deed(undone)),) if undone else ()

    def _redo(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        if not self._future:
            return (), (say("notice.nothing-to-redo"),)
        state, events = self._future[-1]
        # What tells of moves that could be made again after this one must not count meanwhile.
        last = len(self._future) == 1
        left = redone_places(self.game, state, self._taken_back, self._seen) if last else self._taken_back
        if trouble := self._write([(REDO, self.game, {}, ()), (FREED, self.game, {"taken_back": left}, ())]):
            return (), (trouble,)
        self._taken_back = left
        self._future.pop()
        self._past.append(state)
        self._told.append(events)
        return events, ()

    def _answer(self, answer: Answer) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        question = self._question()
        choice = dict(answers(question)).get((answer.choice, *answer.further))
        if question != answer.question or choice is None:
            return (), ()  # the table has answered it meanwhile
        if not self._past:
            self._draft = {**self._preparation.draft, **(choice.draft or {})}
            return (), ()
        if choice.draft is not None:
            self._start_again(choice.draft)
            return (), ()
        move = decode(self.game, choice.move or {})
        step = move if isinstance(move, Refusal) else self.game.apply(self.state, move)
        if isinstance(step, Refusal):
            return (), (step.message,)
        if trouble := self._write([(MOVE, self.game, encode(move), step.events)]):
            return (), (trouble,)
        self._made(step.state, step.events)
        return step.events, ()

    def _made(self, state: Any, events: tuple[Event, ...]) -> None:
        """A move was made, and is in the journal."""
        self._past.append(state)
        self._told.append(events)
        self._future = self._future[: left_to_redo([undone for undone, _ in self._future], state)]

    def _give_up(self) -> tuple[tuple[Event, ...], tuple[Message, ...]]:
        if self._past and (trouble := self._write([(ENDED, self.game, {}, ())])):
            return (), (trouble,)
        self._start_again({})
        return (), ()

    def _start_again(self, draft: Mapping[str, Any]) -> None:
        self._draft = {**self._options, **draft}
        self._past, self._told, self._future, self._taken_back = [], [], [], {}
        self._named, self._putting_right = {}, False
        self._disputes, self._difference = (), Difference()

    def _to_put_right(self) -> tuple[Message, ...]:
        if not self._past or not (self._disputes or self._putting_right):
            return ()
        return to_put_right(self._layout(), self._known(), self._disputes, self.game.box)

    def _question(self) -> Question | None:
        if not self._past:
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
        playing = bool(self._past)
        state = self.state
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
            last_move=self._told[-1] if self._told else (),
            can_redo=bool(self._future),
            unplaced=self._seen.unplaced,
            zones=self.game.zones(state, self._draft),
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
