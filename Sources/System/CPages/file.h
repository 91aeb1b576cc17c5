// A row of the table in pages.c: the file named by PAGE_FILE.
{ PAGE_FILE, (const char[]) {
#embed PAGE_FILE
, 0 } },
#undef PAGE_FILE
