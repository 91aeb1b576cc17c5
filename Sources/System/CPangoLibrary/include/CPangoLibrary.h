#ifndef CPANGO_LIBRARY_H
#define CPANGO_LIBRARY_H

/// Loads Pango and cairo, once. NULL on success, else the reason. No function of theirs may be called before.
const char *pango_library_load(void);

#endif
