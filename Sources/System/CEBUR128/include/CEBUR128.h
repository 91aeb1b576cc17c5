#ifndef WR_CEBUR128_H
#define WR_CEBUR128_H

#include <ebur128.h>

/// Loads libebur128, once. NULL on success, else the reason. No function of libebur128 may be called before.
const char *ebur128_load(void);

#endif
