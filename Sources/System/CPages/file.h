// A row of the table in player.c: the file that PAGE_FILE names.
{ PAGE_FILE, (const char[]) {
#embed PAGE_FILE
, 0 } },
#undef PAGE_FILE
