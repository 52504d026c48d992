"""Mounting and focusing the camera, step by step, with what it sees.

`sighting` makes plain readings of what `companion.app.doctor.sight` measures; `advice` says what they mean for each
step, and `steps` which one has its turn; these are pure. `desk` shows and hears, `marking` draws the picture,
`calibration` joins them, and `run` opens camera and devices.
"""
