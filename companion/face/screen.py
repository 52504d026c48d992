"""Screens of 128x64 pixels: text is broken at words and paged, never cut.

A screen is an inverted title, lines of 12 px (or 16 or 24 for big text) or drawings, and a footer that says what
the buttons A and B mean, with arrows where the other two turn pages or choose. Without a title or buttons there is
no bar for them. Laying out and drawing are two pure steps. A title of up to 16 letters and meanings of 15 letters
together leave the most room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw

from companion.core.messages import say
from companion.core.panel import Art, Button, Page, Panel, Row, Text
from companion.face import sketching
from companion.face.fonts import Font, Fonts
from companion.face.sketching import Drawing
from companion.face.words import Words
from companion.face.wrapping import shorten, wrap

WIDTH_PX, HEIGHT_PX = 128, 64

PAGE_ON = say("button.page-on")
"""What the button `down` means while it turns pages; if it means anything else, it chooses."""

MOST_TITLE_LINES = 3
"""So that one line is left below the longest title; above drawings, which need the room, there is one line."""

_LINE_PX = 12
_MARGIN_PX = 2
_BADGE_PX = 9
_ARROWS_PX = 10
_GAP_PX = 4


@dataclass(frozen=True)
class Line:
    """One line of a screen's body.

    Attributes:
        left: at the left edge.
        right: at the right edge.
        size: the attribute of `Fonts` that draws it.
        inverted: dark on light.
    """

    left: str
    right: str = ""
    size: str = "body"
    inverted: bool = False


@dataclass(frozen=True)
class Screen:
    """What fits on the display at once.

    Attributes:
        title: lines of the title; none where it says nothing.
        lines: the body.
        number: such as `2/3`, at the right of the title, or without one beside the arrows if it fits there; empty for
            a single screen, and where one chooses.
        footer: lines of the footer, each with the meanings of A and B that stand in it.
        arrows: the other two buttons turn pages or choose.
        chosen: the choice that is marked is on it.
    """

    title: tuple[str, ...]
    lines: tuple[Line | Drawing, ...]
    number: str = ""
    footer: tuple[tuple[str, str], ...] = ()
    arrows: bool = False
    chosen: bool = False


def lay_out(panel: Panel, words: Words, fonts: Fonts) -> tuple[Screen, ...]:
    """All screens of a panel in reading order; at least one."""
    meanings = {button: words.say(message) for button, message in panel.buttons}
    if dict(panel.buttons).get(Button.DOWN, PAGE_ON) != PAGE_ON:
        return _screens(panel, words, fonts, meanings, arrows=True, choosing=True)
    alone = _screens(panel, words, fonts, meanings)
    if len(alone) == 1:
        return alone
    # The number takes room from the title, which may make more screens, which may make the number longer.
    count = len(alone)
    while True:
        screens = _screens(panel, words, fonts, meanings, f"{count}/{count}", arrows=bool(meanings))
        if len(str(len(screens))) <= len(str(count)):
            return tuple(replace(s, number=f"{i}/{len(screens)}") for i, s in enumerate(screens, 1))
        count = len(screens)


def choose(screens: Sequence[Screen], page: int) -> Screen:
    """The screen to show: the one with the marked choice, or number `page`, from 0, counting round."""
    return next((screen for screen in screens if screen.chosen), screens[page % len(screens)])


def render(panel: Panel, words: Words, fonts: Fonts) -> list[Image.Image]:
    """The pictures of all screens, mode `1`, 128x64 pixels."""
    return [draw(screen, fonts) for screen in lay_out(panel, words, fonts)]


def picture(panel: Panel, words: Words, fonts: Fonts, page: int = 0) -> Image.Image:
    """The picture to show now, mode `1`, 128x64 pixels; see `choose`."""
    return draw(choose(lay_out(panel, words, fonts), page), fonts)


def blank() -> Image.Image:
    """The picture of a display that has nothing to show."""
    return Image.new("1", (WIDTH_PX, HEIGHT_PX))


def _screens(
    panel: Panel,
    words: Words,
    fonts: Fonts,
    meanings: dict[Button, str],
    number: str = "",
    arrows: bool = False,
    choosing: bool = False,
) -> tuple[Screen, ...]:
    footer = _footer(meanings.get(Button.A, ""), meanings.get(Button.B, ""), arrows, fonts.body)
    room = WIDTH_PX - 2 * _MARGIN_PX - (fonts.body.width_px(number) + _GAP_PX if number else 0)
    room -= _ARROWS_PX if arrows and not footer else 0
    screens: list[Screen] = []
    for page in panel.pages:
        title = _title(page, words, fonts.body, room)
        height = HEIGHT_PX - _title_px(len(title)) - _footer_px(len(footer))
        for lines in paginate(_body(page, words, fonts, height), height, fonts):
            chosen = choosing and any(isinstance(line, Line) and line.inverted for line in lines)
            screens.append(Screen(title, lines, number, footer, arrows, chosen))
    return tuple(screens)


def _title(page: Page, words: Words, font: Font, room: int) -> tuple[str, ...]:
    text = words.say(page.title)
    most = 1 if any(isinstance(element, Art) for element in page.elements) else MOST_TITLE_LINES
    return shorten(wrap(text, font, room), most, font, room) if text else ()


def _title_px(lines: int) -> int:
    """Height of the title with the dark line below it."""
    return _LINE_PX * lines + 2 if lines else 0


def _footer_px(lines: int) -> int:
    return _LINE_PX * lines + 1 if lines else 0


def _meaning_px(text: str, font: Font) -> int:
    return _BADGE_PX + font.width_px(text) if text else 0


def _footer(a: str, b: str, arrows: bool, font: Font) -> tuple[tuple[str, str], ...]:
    """The meanings side by side where they fit, else one below the other."""
    if not a and not b:
        return ()
    room = WIDTH_PX - (_ARROWS_PX if arrows else 0)
    if _meaning_px(a, font) + _meaning_px(b, font) <= room - _GAP_PX:
        return ((a, b),)
    a, b = (shorten((text,), 1, font, room - _BADGE_PX)[0] for text in (a, b))
    return tuple(pair for pair in ((a, ""), ("", b)) if any(pair))


def _body(page: Page, words: Words, fonts: Fonts, height: int) -> tuple[Line | Drawing, ...]:
    """Everything below the title. Drawings get what the text leaves them, or a screen of their own."""
    said = [element if isinstance(element, Art) else tuple(_lines(element, words, fonts)) for element in page.elements]
    text_px = sum(_height_px(line, fonts) for part in said if isinstance(part, tuple) for line in part)
    arts = sum(isinstance(part, Art) for part in said)
    room = (height - text_px) // arts if arts else 0
    room = height if room < sketching.LEAST_PX else room
    body: list[Line | Drawing] = []
    for part in said:
        if isinstance(part, Art):
            beside = [words.say(message) for message in part.beside]
            drawing, rest = sketching.arrange(part, beside, fonts.body, WIDTH_PX, room)
            body += [drawing, *(Line(text) for text in rest)]
        else:
            body += part
    return tuple(body)


def _lines(element: Text | Row, words: Words, fonts: Fonts) -> Iterator[Line]:
    room = WIDTH_PX - 2 * _MARGIN_PX
    if isinstance(element, Row):
        yield from _row(words.say(element.left), words.say(element.right), element.marked, fonts.body, room)
        return
    text = words.say(element.message)
    size = _size(text, element, fonts, room)
    for line in wrap(text, getattr(fonts, size), room):
        yield Line(line, size=size)


def _size(text: str, element: Text, fonts: Fonts, room: int) -> str:
    if element.big:
        return "huge" if fonts.huge.width_px(text) <= room else "big"
    return "big" if element.reading else "body"


def _row(left: str, right: str, marked: bool, font: Font, room: int) -> Iterator[Line]:
    """A row's line; a choice, which has nothing at its right, takes as many as it needs."""
    left_room = room - font.width_px(right) - _GAP_PX
    if not right:
        for line in wrap(left, font, room):
            yield Line(line, inverted=marked)
    elif left_room < room // 3:
        for line in wrap(left, font, room):
            yield Line(line, inverted=marked)
        for line in wrap(right, font, room):
            yield Line("", line, inverted=marked)
    else:
        yield Line(shorten((left,), 1, font, left_room)[0], right, inverted=marked)


def paginate(lines: Sequence[Line | Drawing], height_px: int, fonts: Fonts) -> list[tuple[Line | Drawing, ...]]:
    """The lines in portions of at most `height_px`; no lines make one empty portion."""
    portions: list[tuple[Line | Drawing, ...]] = [()]
    left = height_px
    for line in lines:
        needed = _height_px(line, fonts)
        if needed > left and portions[-1]:
            portions.append(())
            left = height_px
        portions[-1] += (line,)
        left -= needed
    return portions


def _height_px(line: Line | Drawing, fonts: Fonts) -> int:
    return line.height_px if isinstance(line, Drawing) else int(getattr(fonts, line.size).height_px)


def draw(screen: Screen, fonts: Fonts) -> Image.Image:
    """The picture of a screen, mode `1`, 128x64 pixels."""
    image = blank()
    canvas = ImageDraw.Draw(image)
    if screen.title:
        _draw_title(canvas, screen, fonts.body)
    top = _title_px(len(screen.title))
    for line in screen.lines:
        if isinstance(line, Drawing):
            sketching.draw(image, line, top, fonts.body)
        else:
            _draw_line(canvas, line, top, getattr(fonts, line.size))
        top += _height_px(line, fonts)
    _draw_footer(canvas, screen, fonts.body)
    return image


def _draw_line(canvas: ImageDraw.ImageDraw, line: Line, top: int, font: Font) -> None:
    if line.inverted:
        canvas.rectangle((0, top, WIDTH_PX - 1, top + font.height_px - 1), fill=1)
    ink = 0 if line.inverted else 1
    font.draw(canvas, (_MARGIN_PX, top), line.left, ink)
    font.draw(canvas, (WIDTH_PX - _MARGIN_PX - font.width_px(line.right), top), line.right, ink)


def _draw_title(canvas: ImageDraw.ImageDraw, screen: Screen, font: Font) -> None:
    canvas.rectangle((0, 0, WIDTH_PX - 1, _title_px(len(screen.title)) - 2), fill=1)
    for i, text in enumerate(screen.title):
        font.draw(canvas, (_MARGIN_PX, _LINE_PX * i), text, 0)
    left = WIDTH_PX - _MARGIN_PX - font.width_px(screen.number)
    font.draw(canvas, (left, 0), screen.number, 0)
    if screen.arrows and not screen.footer:
        _draw_arrows(canvas, left - 7, 0, 0)


def _draw_footer(canvas: ImageDraw.ImageDraw, screen: Screen, font: Font) -> None:
    beside = len(screen.footer) == 1
    top = HEIGHT_PX - _LINE_PX * len(screen.footer)
    for a, b in screen.footer:
        _draw_meaning(canvas, 0, top, "A", a, font)
        _draw_meaning(canvas, WIDTH_PX - _meaning_px(b, font) if beside else 0, top, "B", b, font)
        top += _LINE_PX
    if screen.arrows and screen.footer:
        _draw_paging(canvas, screen, font)


def _draw_paging(canvas: ImageDraw.ImageDraw, screen: Screen, font: Font) -> None:
    """Arrows in the footer's last line, after the number if there is no title to hold it and it fits."""
    a, b = screen.footer[-1]
    between = bool(b) and len(screen.footer) == 1
    left = _meaning_px(a, font) if between else _meaning_px(a or b, font)
    right = WIDTH_PX - _meaning_px(b, font) if between else WIDTH_PX
    number_px = font.width_px(screen.number) + _GAP_PX if screen.number and not screen.title else 0
    number_px = number_px if number_px + _ARROWS_PX + _GAP_PX <= right - left else 0
    centre = (left + right + number_px) // 2 if between else WIDTH_PX - 5
    if number_px:
        font.draw(canvas, (centre - _ARROWS_PX // 2 - number_px, HEIGHT_PX - _LINE_PX), screen.number, 1)
    _draw_arrows(canvas, centre, HEIGHT_PX - _LINE_PX, 1)


def _draw_meaning(canvas: ImageDraw.ImageDraw, left: int, top: int, letter: str, text: str, font: Font) -> None:
    if not text:
        return
    canvas.rectangle((left, top, left + _BADGE_PX - 3, top + _LINE_PX - 2), fill=1)
    font.draw(canvas, (left + 1, top), letter, 0)
    font.draw(canvas, (left + _BADGE_PX, top), text, 1)


def _draw_arrows(canvas: ImageDraw.ImageDraw, centre: int, top: int, ink: int) -> None:
    """A small triangle that points up above one that points down."""
    for row in range(4):
        canvas.line((centre - row, top + 1 + row, centre + row, top + 1 + row), fill=ink)
        canvas.line((centre - 3 + row, top + 7 + row, centre + 3 - row, top + 7 + row), fill=ink)
