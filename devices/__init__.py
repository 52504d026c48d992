"""Glass and copper: display, buttons, lamps and buzzer, one port each, real and simulated. They know no game.

`box.Hardware` bundles them so that one that fails stops none of the others, and heals.
"""
