"""What people see of a game: words in four languages, pages, screens, and the terminal.

`words.load_words` makes the voice of a game; `presenter.present` composes the panel of a situation, and
`screen.lay_out` with `screen.draw` turn it into pictures of 128x64 pixels.
"""
