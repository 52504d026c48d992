"""What is right and wrong with a box, in plain words: the camera's picture, the devices, the computer.

`checks` says what a finding is. `sight` measures pictures and `examine` judges them; both are pure. `camera`, `box` and
`system` look at one part each, `people` are asked what no program can see, and `visit` goes through all of it. `report`
prints the findings; `bundle` and `scrub` make one file of them for a report of something wrong.
"""
