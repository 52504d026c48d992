"""Running games: the referee protocol, sessions, the journal, and the wiring that joins all parts."""
