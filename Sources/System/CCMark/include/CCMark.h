#ifndef WR_CCMARK_H
#define WR_CCMARK_H

#include <cmark.h>

/// Loads libcmark once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *cmark_load(void);

#endif
