#ifndef CHEIF_H
#define CHEIF_H

#include <libheif/heif.h>

/// Loads libheif once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *heif_load(void);

#endif
