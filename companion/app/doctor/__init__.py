"""What is right and wrong with a box, in plain words: the camera's picture, the devices, the computer.

`checks` says what a finding is; `sight` measures pictures, `examine` judges them; both know no command line.
"""
