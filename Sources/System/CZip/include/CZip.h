#ifndef WR_CZIP_H
#define WR_CZIP_H

#include <zip.h>

/// Loads libzip once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *czip_load(void);

#endif
