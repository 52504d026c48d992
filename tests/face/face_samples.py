"""A tiny game for the tests of the face: wording, a box, and the situations that have a golden picture."""

from __future__ import annotations

from art_samples import BELLS, RACE, READING, WITH_TEXT, row
from msgspec.structs import replace

from companion.core.box import Box, Piece
from companion.core.game import Choice, Dispute, Question, Refusal
from companion.core.messages import LANGUAGES, say, verbatim
from companion.core.panel import Page, Row, Text
from companion.core.tags import ArucoTag
from companion.face.situation import Opened, Situation, Trouble
from companion.face.words import Words, read_shared_wording

GAME = {
    "en": {
        "colour": {"red": "red"},
        "piece": {"card": "{colour:colour} {value}"},
        "guild": {"crown": "crown"},
        "nest": {"left": "left nest"},
        "zone": {"*/*": "{1:guild} side, {0:nest}", "*/*/*": "corner", "seat/*": "before {1}", "hall": "the hall"},
        "event": {"placed": "{by} lays {card:piece}", "left": {"one": "one card left", "other": "{n} cards left"}},
        "score": {"title": "Treasure", "none": {"zero": "none", "other": "{n}"}},
        "lay": "Lay a card",
    },
    "de": {
        "colour": {"red": "rote"},
        "piece": {"card": "{colour:colour} {value}"},
        "guild": {"crown": "Krone"},
        "nest": {"left": "linkes Nest"},
        "zone": {"*/*": "Seite {1:guild}, {0:nest}"},
        "event": {"placed": "{by} legt {card:piece}"},
    },
}

BOX = Box("X", [Piece("red-3", "a", "card", say("piece.card", colour="red", value=3), ArucoTag(20), 10, (10, 10))])


def tiny_words(language: str, strict: bool = False) -> Words:
    """The tiny game's voice."""
    return Words(language, read_shared_wording(), GAME, BOX, strict)


NAMES = ("Ana", "Jürgen", "Íñigo", "Núria", "Wolfgang-Amadeus von der Heide")

SCORES = Page(
    verbatim("Phönix"),
    tuple(Row(verbatim(name), verbatim(str(41 - 7 * i)), i == 1) for i, name in enumerate(NAMES)),
)
TURN = Page(verbatim("Runde 1 von 3"), (Text(verbatim("Íñigo"), big=True), Text(verbatim("legt eine Karte."))))
BIG = Page(
    verbatim("Schätze"),
    (Text(verbatim("Íñigo +10"), big=True), Text(verbatim("Jürgen und Núria teilen"), big=True)),
)
LETTERS = Page(
    verbatim("ÄÖÜäöüß·ÑÇ"),
    (
        Text(verbatim("äöüßñ¿¡çàèéíòúï·ÀÈÉÍÒÚÏÄÖÜÑÇ")),
        Text(verbatim("col·legi, l’hora, “sí” – ¿no? ¡sí!…")),
        Text(verbatim("¿Qué, ñu? ¡Über, l·l!"), big=True),
        Text(verbatim("äñç·ïÉßü¿"), big=True),
    ),
)
LONG = Page(
    verbatim("Donaudampfschifffahrtsgesellschaft"),
    (
        Text(
            verbatim(
                "Wörter wie Rechts\u00adschutz\u00adver\u00adsiche\u00adrungs\u00adge\u00adsell\u00adschaf\u00adten "
                "oder Donaudampfschifffahrtsgesellschaftskapitän werden gebrochen, nie abgeschnitten."
            )
        ),
    ),
)
TAKEN_BACK = Dispute(
    "red-3a",
    "left/crown",
    None,
    Refusal("not-now", "takeback", {"card": "red-3a", "zone": "left/crown"}, "taken-back"),
)
FOREIGN = Dispute(
    "WINE", "left/crown", None, Refusal("unknown-card", "tags", {"text": "WINE", "zone": "left/crown"}, "tag-foreign")
)
WHO = Question(
    verbatim("Wer hält den Startspielerstein?"), tuple(Choice(verbatim(name)) for name in NAMES), urgent=False
)
TURN_OVER = Question(
    verbatim("Wie geht es weiter?"),
    (Choice(verbatim("Weiter")), Choice(verbatim("Karte beiseite legen"))),
    direct=True,
)
DEED = say("event.placed", by="Ana", card="red-3a")
HELP = verbatim("Wer dran ist, legt eine Karte an die eigene Seite eines Nestes und zieht eine nach.")

MENU = Situation(
    pages=(READING,),
    aside=(row(0, 2),),
    question=WHO,
    opened=Opened.MENU,
    chosen=2,
    last_deed=DEED,
    can_redo=True,
    help=HELP,
)

SITUATIONS: dict[str, tuple[str, Situation]] = {
    "turn": ("de", Situation(pages=(TURN,), help=HELP, last_deed=DEED, waiting=True)),
    "scores": ("de", Situation(pages=(TURN, SCORES), help=HELP, last_deed=DEED, waiting=True)),
    "big": ("de", Situation(pages=(BIG,))),
    "letters": ("ca", Situation(pages=(LETTERS,))),
    "long-words": ("de", Situation(pages=(LONG,))),
    "disputes-en": ("en", Situation(pages=(TURN,), disputes=(TAKEN_BACK, FOREIGN), help=HELP, last_deed=DEED)),
    "disputes-de": ("de", Situation(pages=(TURN,), disputes=(TAKEN_BACK,), help=HELP, last_deed=DEED)),
    "disputes-es": ("es", Situation(disputes=(TAKEN_BACK, FOREIGN), question=WHO, last_deed=DEED)),
    "disputes-ca": ("ca", Situation(disputes=(TAKEN_BACK, FOREIGN), question=WHO, last_deed=DEED)),
    "question": ("de", Situation(question=WHO, opened=Opened.QUESTION, chosen=3)),
    "undo": ("es", Situation(opened=Opened.UNDO, last_deed=DEED)),
    "notice": ("ca", Situation(notices=(say("notice.resumed"),), pages=(TURN,), last_deed=DEED)),
    "trouble": (
        "de",
        Situation(
            troubles=(Trouble(say("trouble.camera"), blind=True), Trouble(say("trouble.buzzer"))),
            unplaced=("red-3a",),
            pages=(TURN,),
        ),
    ),
    "help": ("de", Situation(pages=(TURN,), help=HELP, opened=Opened.HELP)),
    "welcome": ("es", Situation()),
    "question-waits": ("de", Situation(question=WHO, opened=Opened.QUESTION, chosen=-1)),
    "question-urgent": ("ca", Situation(question=replace(WHO, urgent=True), opened=Opened.QUESTION)),
    "direct": ("de", Situation(pages=(row(1, 4),), question=TURN_OVER, last_deed=DEED, help=HELP, waiting=True)),
    "reading-large": ("de", Situation(pages=(READING,), question=TURN_OVER)),
    "reading-small": ("de", Situation(pages=(READING,), question=TURN_OVER, large=False)),
    **{f"menu-{language}": (language, replace(MENU, language=language)) for language in LANGUAGES},
    "menu-short": ("de", Situation(opened=Opened.MENU, help=HELP)),
    "art-rows": ("de", Situation(pages=tuple(row(0, count) for count in (1, 2, 3, 4)))),
    "art-window": ("de", Situation(pages=tuple(row(done, 6) for done in (0, 3, 6)))),
    "art-wide-and-beside": ("de", Situation(pages=(RACE, BELLS, WITH_TEXT))),
    "aside-here": ("de", Situation(pages=(READING,), aside=(row(1, 3, ""),), opened=Opened.ASIDE, last_deed=DEED)),
}

ASIDES: dict[str, tuple[Page, ...]] = {
    "second-rows": tuple(row(1, count, "") for count in range(1, 7)),
    "second-titled": (row(1, 4, "Ellie"), row(4, 6, "Ellie")),
    "second-clock": (replace(BELLS, title=verbatim("")), replace(RACE, title=verbatim(""))),
}
"""What the second screen shows, in German."""
