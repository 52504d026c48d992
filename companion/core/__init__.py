"""Pure building blocks: the Game contract, boxes and tags, zones, observations and how they settle.

Nothing here opens a device, a file or a thread, and nothing here imports another folder of this project.
"""
