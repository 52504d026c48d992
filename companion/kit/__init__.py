"""What is printed for a game: corner markers, anchors, tag stickers, and a page that says where they go."""

from companion.kit.pages import Game, kit_pdf, print_kit
from companion.kit.paper import PAPERS, KitError, Paper

__all__ = ["PAPERS", "Game", "KitError", "Paper", "kit_pdf", "print_kit"]
