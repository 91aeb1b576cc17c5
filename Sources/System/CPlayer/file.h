// A row of the table in player.c: the file that PLAYER_FILE names.
{ PLAYER_FILE, (const char[]) {
#embed PLAYER_FILE
, 0 } },
#undef PLAYER_FILE
