// A row of the table in player.c: the file named by PLAYER_FILE.
{ PLAYER_FILE, (const char[]) {
#embed PLAYER_FILE
, 0 } },
#undef PLAYER_FILE
