"""The composition root: the only room that knows the brain, the eyes and the devices, and joins them."""
