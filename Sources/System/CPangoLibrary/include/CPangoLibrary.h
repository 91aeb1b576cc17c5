#ifndef CPANGO_LIBRARY_H
#define CPANGO_LIBRARY_H

/// Loads Pango and cairo once. Returns NULL on success, otherwise the reason. Must be called before any of their
/// functions.
const char *pango_load(void);

#endif
