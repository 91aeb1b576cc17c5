#ifndef WR_CEBUR128_H
#define WR_CEBUR128_H

#include <ebur128.h>

/// Loads libebur128 once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *ebur128_load(void);

#endif
